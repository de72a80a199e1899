"""One record a button: every action has one, and says who may press it."""

from __future__ import annotations

import pytest

from bot.screens.buttons import BUTTONS
from bot.table.actions import Action
from bot.table.rights import anyone
from bot.table.seats import Human, Pace, PersonId
from bot.table.session import Ending, Session
from engine.games.ludo import GAME
from tests.bot.refused import refused

ANN, BEN = PersonId(1), PersonId(2)


def test_every_action_has_one_record() -> None:
    assert set(BUTTONS) == set(Action)


@pytest.mark.parametrize("action", [each for each, button in BUTTONS.items() if button.step])
def test_no_button_that_changes_a_table_is_for_everyone_at_any_time(action: str) -> None:
    assert BUTTONS[action].right is not anyone
    lobby = Session(GAME, GAME.settled({}), Pace.LIVE, ANN, (Human(ANN), Human(BEN)))
    over = lobby.start().finish(Ending.RESIGNED, (1.0, -1.0))
    stranger = PersonId(3)
    with refused(".*"):
        BUTTONS[action].right(over, stranger, over.ply)
