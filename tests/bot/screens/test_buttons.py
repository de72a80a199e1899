"""The records of buttons: who may press them, and how many stand below a board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.message.blocks import Row
from bot.screens.board import screen
from bot.table.actions import Action
from bot.table.rights import anyone
from bot.table.seats import Human, Pace, PersonId
from bot.table.session import Ending, Session
from engine.game import Move, Seat
from engine.games import tictactoe
from engine.games.ludo import GAME
from tests.bot.kit import ANN, BEN, stored
from tests.bot.refused import refused

ANNS, BENS = Human(ANN), Human(BEN)


@pytest.mark.parametrize("action", [each for each in Action if each.button.step])
def test_no_button_that_changes_a_table_is_for_everyone_at_any_time(action: Action) -> None:
    assert action.button.right is not anyone
    lobby = Session(GAME, GAME.settled({}), Pace.LIVE, ANN, (Human(ANN), Human(BEN)))
    over = lobby.start().finish(Ending.RESIGNED, (1.0, -1.0))
    stranger = PersonId(3)
    with refused(".*"):
        action.button.right(over, stranger, over.ply)


def test_below_three_rows_of_cells_there_is_one_line_of_buttons() -> None:
    lobby = Session(tictactoe.GAME, tictactoe.GAME.settled({}), Pace.LIVE, ANN, (ANNS, BENS))
    begun = lobby.start().go_on(Move(4))
    asked = begun.go_on(Move(0)), replace(begun, offer=Seat(0)), replace(begun, take_back=Seat(0))
    for session in (begun, *asked):
        lines = [block for block in screen(stored(session)).blocks if isinstance(block, Row)]
        assert [len(line.controls) for line in lines[:-1]] == [3, 3, 3]
        assert 1 <= len(lines[-1].controls) <= 3
