"""News since the reader's turn, weighed: constructed turns with their expected line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pytest

from bot.games.entry import Happening
from bot.games.ludo.game_log import GameLog, Played
from bot.games.ludo.words.since import since
from bot.screens.in_words import MOST, since_in_words
from bot.screens.in_words import since as since_on
from bot.table.session import Phase, Session
from bot.table.waiting import reader, unread
from bot.ui.words import ROOM, brief, width
from engine.game import Move, Options, Seat
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.events import Roll, RollOutcome, Step, event_of
from engine.games.ludo.rules import rules
from engine.games.ludo.table import table as kind_of
from tests.bot.english import ENGLISH_WORDS as WORDS
from tests.bot.english import says
from tests.bot.games.ludo.ludo_tables import TABLES, random_moves, table
from tests.samples import Sample

RED, GREEN, YELLOW, BLUE = map(Seat, range(4))
SIGNS: Final = ("🔴", "🟢", "🟡", "🔵")
OUT_OF_THE_WAY: Final = (0, 0, 0, 0)

Tokens = tuple[int, int, int, int]


def at(*tokens: Tokens, seat: Seat = GREEN, options: Options | None = None) -> LudoPosition:
    """Four seats with tokens at these steps, and a seat to roll."""
    house = kind_of(4, rules(GAME.settled(options or {})))
    stand = (*tokens, *[OUT_OF_THE_WAY] * (4 - len(tokens)))
    return LudoPosition(house, stand, seat)


def told(position: LudoPosition, *moves: int, to: Seat | None = RED) -> list[str]:
    """The happenings of some plies from a position on, as a reader reads them."""
    return [WORDS.spelled(each.told) for each in happenings(position, *moves, to=to)]


def happenings(position: LudoPosition, *moves: int, to: Seat | None) -> list[Happening]:
    played = []
    for ply, move in enumerate(map(Move, moves)):
        assert move in position.moves()
        after = position.play(move)
        played.append(Played(ply, position, event_of(position, move), after))
        position = after
    return list(since(played, to))


def said(kind: str, seat: Seat, number: int = 1, **tokens: str) -> str:
    return says(f"ludo.since.{kind}", emblem=SIGNS[seat], count=number, **tokens)


def test_ones_own_captured_token_comes_first_whatever_else_happened() -> None:
    # green 1 stands a step before red 2; a capture rolls again, and brings green 2 home
    start = at((0, 19, 0, 0), (5, 56, 0, 0), (1, 0, 0, 0))
    assert told(start, 1, 0, 1, 1, 5, 0) == [
        said("lost", GREEN, tokens="🔴2"),
        said("home", GREEN),
        said("walked", GREEN, 5, tokens="🟢1"),
    ]


def test_what_one_rival_took_and_another_come_first_and_are_never_left_out() -> None:
    start = at((20, 33, 0, 0), (6, 0, 0, 0), (6, 0, 0, 0))
    first, second, *others = happenings(start, 1, 0, 1, 0, 1, 0, 1, 0, to=RED)
    lost = [said("lost", GREEN, tokens="🔴1"), said("lost", YELLOW, tokens="🔴2")]
    assert [WORDS.spelled(each.told) for each in (first, second)] == lost
    assert first.grave
    assert second.grave
    assert not any(each.grave for each in others)


def test_captures_among_others_come_before_a_token_home() -> None:
    start = at(OUT_OF_THE_WAY, (6, 56, 0, 0), (46, 0, 0, 0))
    assert told(start, 1, 0, 1, 1, 3, 0) == [
        said("took", GREEN, tokens="🟡1"),
        said("home", GREEN),
        said("walked", GREEN, 3, tokens="🟢1"),
    ]


def test_a_rival_with_one_token_to_go_is_told_as_that() -> None:
    start = at(OUT_OF_THE_WAY, (57, 57, 56, 9))
    assert told(start, 1, 2, 2, 3) == [
        said("one_to_go", GREEN),
        said("walked", GREEN, 2, tokens="🟢4"),
    ]


def test_a_rival_one_roll_from_winning_is_told_above_tokens_that_come_out() -> None:
    start = at(OUT_OF_THE_WAY, (57, 57, 57, 49))
    assert told(start, 3, 3, 6, 0, 5, 0, 4)[:2] == [said("near", GREEN), said("out", YELLOW)]


@pytest.mark.parametrize(
    ("options", "placed", "wins"),
    [
        ({"teams": "yes"}, (), False),
        ({"teams": "yes"}, (BLUE,), True),
        ({"finish": "places"}, (), True),
        ({"finish": "places"}, (BLUE,), False),
    ],
)
def test_a_rival_is_one_roll_from_winning_only_where_the_last_token_home_wins(
    options: Options, placed: tuple[Seat, ...], *, wins: bool
) -> None:
    blue = (57, 57, 57, 57) if placed else OUT_OF_THE_WAY
    start = at(OUT_OF_THE_WAY, (57, 57, 57, 49), OUT_OF_THE_WAY, blue, options=options)
    told_of = told(start._replace(placed=placed), 3, 3)
    assert (said("near", GREEN) in told_of) == wins


def test_two_tokens_home_and_two_out_are_one_happening_each() -> None:
    start = at(OUT_OF_THE_WAY, (56, 56, 0, 0))
    assert told(start, 1, 0, 1, 1, 6, 2, 6) == [said("home", GREEN, 2), said("out", GREEN)]
    assert told(at(), 6, 0, 6, 1, 3, 0)[0] == said("out", GREEN, 2)


def test_all_tokens_home_are_told_to_all() -> None:
    start = at(OUT_OF_THE_WAY, (57, 57, 57, 56))
    assert told(start, 1, 3, to=None) == [said("all_home", GREEN)]


def test_three_sixes_are_told_with_the_turn_they_cost() -> None:
    start = at(seat=GREEN)
    assert said("third_six", GREEN) in told(start, 6, 0, 6, 0, 6)
    assert said("your_third_six", RED) in told(at(seat=RED), 6, 0, 6, 0, 6)
    back = at(seat=RED, options={"third_six": "token back"})
    assert told(back, 6, 0, 6, 0, 6)[0] == said("your_third_six_back", RED, tokens="🔴1")


def test_ones_own_turns_that_played_themselves_are_told_with_ones_tokens() -> None:
    start = at((56, 0, 0, 0), (1, 0, 0, 0), seat=RED)
    assert told(start, 1, 0, 6, 1, 5, 1) == [
        said("yours_home", RED, tokens="🔴1"),
        said("yours_out", RED, tokens="🔴2"),
        said("walked", RED, 5, tokens="🔴2"),
    ]
    taking = at((13, 0, 0, 0), (2, 0, 0, 0), seat=RED)
    assert told(taking, 2, 0)[0] == said("you_took", RED, tokens="🟢1")


def test_rolls_that_moved_nothing_are_told_and_counted() -> None:
    start = at(seat=RED)
    rounds = (5, 5, 5, 5) * 2
    assert told(start, *rounds) == [
        said("you_stuck", RED, 2),
        *(said("stuck", seat, 2) for seat in (GREEN, YELLOW, BLUE)),
    ]


def test_who_begins_is_told_with_the_last_round_of_the_roll_off() -> None:
    session = table(3, {}, (Move(5), Move(5), Move(2), Move(1), Move(4)), people=3)
    assert session.turn == GREEN
    rolls = " ".join(
        says("ludo.story.opening_roll", emblem=sign, die=str(pips))
        for sign, pips in (("🔴", 1), ("🟢", 4))
    )
    assert written(session) == says("ludo.since.starts", emblem="🟢", rolls=rolls)


def test_a_capture_is_told_where_roll_is_pressed_and_not_again_after_the_roll(
    sample: Sample,
) -> None:
    taken, again = says("ludo.since.lost", emblem="", tokens="").strip(), 0
    for seed in sample(range(12), 4):
        session = table(4, {}, people=4)
        told = False
        for move in random_moves(4, {}, 300, seed=seed):
            pressed = session.rolling and not session.rolls_by_itself
            if pressed:
                told = taken in written(session)
            before, session = session, session.go_on(move)
            if pressed and session.turn == before.turn and not session.rolling:
                assert taken not in written(session)
                again += told
    assert again


def test_the_last_board_tells_the_only_person_of_their_own_tokens() -> None:
    two: Options = {"tokens": 2}
    told = 0
    for seed in range(24, 30):
        session = table(4, two, people=1)
        for move in random_moves(4, two, 5_000, seed=seed):
            session = session.go_on(move)
        assert session.phase is Phase.FINISHED
        found = since(GameLog(session).since(unread(session, RED)), RED)
        lost = [WORDS.spelled(each.told) for each in found if each.grave]
        assert all(each in written(session) for each in lost)
        told += len(lost)
    assert told


def written(session: Session) -> str:
    return "\n".join(brief(since_on(session, 2), WORDS)).strip("\u200b\n")


def throws(session: Session, first: int) -> set[int]:
    """The rolls from a ply on whose outcome is known, the roll-off as one."""
    position, found = GAME.start(len(session.seats), session.options), set()
    opening = None
    for ply, move in enumerate(session.moves):
        event = event_of(position, move)
        if position.opening:
            opening = ply if opening is None else opening
            if ply >= first:
                found.add(opening)
        elif isinstance(event, Step) and ply >= first:
            found.add(ply - 1)
        elif isinstance(event, Roll) and event.outcome is not RollOutcome.TO_MOVE and ply >= first:
            found.add(ply)
        position = position.play(move)
    return found


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)
def test_everything_is_found_and_what_fits_two_lines_is_told(seats: int, options: Options) -> None:
    for seed, people in zip(range(24), (1, 2, seats) * 8, strict=True):
        session = table(seats, options, random_moves(seats, options, 9 * seed, seed=seed))
        session = replace(session, seats=table(seats, options, people=people).seats)
        first = unread(session, reader(session))
        known = throws(session, first)
        found = since(GameLog(session).since(first), reader(session))
        assert {ply for each in found for ply in each.plies} == known
        assert rolled(session) or not found or is_told(found, brief(since_on(session, 2), WORDS))


@pytest.mark.parametrize("people", [1, 2])
def test_in_words_a_game_begins_only_before_its_first_ply(people: int) -> None:
    session, quiet = table(2, {}, people=people), 0
    assert [line.key for line in since_in_words(session)] == ["since.nothing"]
    for move in random_moves(2, {}, 60, seed=1):
        session = session.go_on(move)
        told = [line.key for line in since_in_words(session)]
        assert told in (["since.turn"], [])
        quiet += not told
    assert quiet, "such as after one's own roll that is to be played"


def rolled(session: Session) -> bool:
    to = reader(session)
    return to is not None and session.seat_logs[to].pressed is not None


def is_told(found: Sequence[Happening], lines: list[str]) -> bool:
    """Whether two lines of a phone have the first happenings, as many as fit, three at most."""
    said = [WORDS.spelled(each.told) for each in found[:MOST]]
    told = " · ".join(line for line in lines if line != "\u200b")
    fit = all(width(line) <= ROOM for line in lines)
    more = told != " · ".join(said)
    return (
        len(lines) == 2
        and fit
        and " · ".join(said).startswith(told)
        and (lines[1] != "\u200b" or not more)
    )
