"""The table of a tournament: its pages, and a bracket that a phone can show."""

from __future__ import annotations

from itertools import chain

import pytest

from bot.message.blocks import Prose, Row, Screen
from bot.message.canvas import Canvas
from bot.message.text import Text, text
from bot.screens.profiles import Profile
from bot.screens.stats import LETTERS, LOST, WON
from bot.screens.tournament_controls import TournamentAction, TournamentControl
from bot.screens.tournament_table import EDGE, HALF, box_of, table, tournament_picture
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.tournament import Format, TournamentId
from tests.bot.english import ENGLISH_WORDS as WORDS
from tests.bot.games.pixels import decoded, rgb
from tests.bot.tournaments.test_tournaments import begun, played_out

ON_A_PHONE = 300
"""Pixels for a picture, on a phone 360 wide."""
LEGIBLE = 11


def lines_of(screen: Screen) -> list[Text]:
    told = (block.lines for block in screen.blocks if isinstance(block, Prose))
    return [line for line in chain.from_iterable(told) if isinstance(line, Text)]


def test_each_place_and_match_of_a_table_is_on_one_page_and_its_pager_leads_to_all() -> None:
    over = played_out(begun(Format.KNOCKOUT, 32))
    hosted = HostedTournament(TournamentId(1), over, 1, 2, "en-US")
    pages, seen = 9, list[Text]()
    for number in range(pages):
        screen = table(hosted, number)
        _, *lines = lines_of(screen)
        if number:
            assert lines.pop() == text("records.page", page=number + 1, pages=pages)
        seen += lines
        (row,) = (each.controls for each in screen.blocks if isinstance(each, Row))
        turned = [number - 1] * (number > 0) + [number + 1] * (number + 1 < pages)
        assert [each.action for each in row] == [
            *(TournamentControl(hosted.id, TournamentAction.TABLE, each) for each in turned),
            TournamentControl(hosted.id, TournamentAction.SHARE),
        ]
    assert len({*map(str, seen)}) == len(seen) == len(over.entries) + len(over.matches)
    assert table(hosted, pages) == table(hosted, pages - 1), "beyond the last is the last"


@pytest.mark.parametrize("people", [4, 5, 8, 13, 32, 64])
def test_a_bracket_can_be_read_on_a_phone(people: int) -> None:
    (wide, high), _ = decoded(tournament_picture(begun(Format.KNOCKOUT, people), WORDS))

    assert LETTERS * ON_A_PHONE / wide >= LEGIBLE
    assert high < 4 * wide


def test_the_winner_goes_on_in_a_bracket() -> None:
    (wide, _), look = decoded(tournament_picture(played_out(begun(Format.KNOCKOUT, 4)), WORDS))

    for left in (EDGE, wide - EDGE - box_of(2)):  # the first match, and the final
        top = EDGE if left == EDGE else EDGE * 1.5 + HALF
        assert look(left + 10, top + 10) == rgb(WON)
        assert look(left + 10, top + HALF + 10) == rgb(LOST)


@pytest.mark.parametrize("format_", [Format.KNOCKOUT, Format.SWISS])
def test_players_stand_by_their_names_and_avatars_as_far_as_they_are_known(format_: Format) -> None:
    over = played_out(begun(format_, 4))
    avatar = Canvas(64, 64, "#44aa66").png()

    def drawn(name: str | None, png: bytes | None = None) -> bytes:
        known = {} if name is None else {over.entries[0].person: Profile(name, png)}
        return tournament_picture(over, WORDS, known)

    assert drawn("Ann") not in {drawn(None), drawn("Ben")}
    assert drawn("Ann", avatar) != drawn("Ann")
    assert drawn("Ann", b"no picture")
    assert drawn("安妮") == drawn(None), "a name that cannot be written stays a number"


@pytest.mark.parametrize("people", [4, 32])
def test_whoever_has_a_name_of_signs_has_a_place_in_a_bracket(people: int) -> None:
    over = played_out(begun(Format.KNOCKOUT, people))
    signs = {entry.person: Profile("☆★☆") for entry in over.entries}
    assert tournament_picture(over, WORDS, signs) == tournament_picture(over, WORDS)
