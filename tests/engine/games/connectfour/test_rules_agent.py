"""The player by rules: each rule on a drawn board, in which those before it do not apply."""

from __future__ import annotations

from random import Random

import pytest

from engine.games.connectfour.agents import ConnectFourRules
from tests.engine.games.connectfour.drawing import board

BOARDS = {
    "it completes a four": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X . . . . . O
        X . . . . . O
        X . . . . . O
        """,
        {0},
    ),
    "it stops a four": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . O
        X . . . . . O
        X X . . . . O
        """,
        {6},
    ),
    "it does not play below a cell that wins for the other": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X . . . . . .
        O O O . . . .
        X X O . X O X
        """,
        {2, 4},
    ),
    "it makes two threats at once": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . O O . .
        . . . X X . .
        """,
        {2, 5},
    ),
    "it makes a threat above a threat": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X . . . . .
        X X . X . O O
        O O . O X O O
        """,
        {2},
    ),
    "it prefers the centre": (
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . O . . X
        """,
        {3},
    ),
}


@pytest.mark.parametrize(("drawing", "columns"), BOARDS.values(), ids=BOARDS.keys())
def test_rule(drawing: str, columns: set[int]) -> None:
    assert {*ConnectFourRules(Random(1)).choices(board(drawing))} == columns
