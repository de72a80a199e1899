"""The picture of a tournament: a bracket that a phone can show."""

from __future__ import annotations

import pytest

from bot.screens.stats_picture import LETTERS, LOST, WON
from bot.screens.tournament_picture import BOX, EDGE, HALF, tournament_picture
from bot.tournaments.tournament import Format
from tests.bot.games.pixels import decoded, rgb
from tests.bot.tournaments.test_tournaments import begun, played_out

ON_A_PHONE = 300
"""Pixels for a picture, on a phone 360 wide."""
LEGIBLE = 11


@pytest.mark.parametrize("people", [4, 5, 8, 13, 32, 64])
def test_a_bracket_can_be_read_on_a_phone(people: int) -> None:
    (wide, high), _ = decoded(tournament_picture(begun(Format.KNOCKOUT, people)))

    assert LETTERS * ON_A_PHONE / wide >= LEGIBLE
    assert high < 4 * wide


def test_the_winner_goes_on_in_a_bracket() -> None:
    (wide, _), look = decoded(tournament_picture(played_out(begun(Format.KNOCKOUT, 4))))

    for left in (EDGE, wide - EDGE - BOX):  # the first match, and the final
        top = EDGE if left == EDGE else EDGE * 1.5 + HALF
        assert look(left + 10, top + 10) == rgb(WON)
        assert look(left + 10, top + HALF + 10) == rgb(LOST)
