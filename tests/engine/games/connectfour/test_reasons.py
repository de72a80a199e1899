"""The reasons for a disc, on drawn boards."""

from __future__ import annotations

import pytest

from engine.game import Move
from engine.games.connectfour.notation import NOTATION
from engine.games.connectfour.reasons import reasons
from tests.engine.games.connectfour.drawing import board

TOWERS = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    X . . . . . O
    X . . . . . O
    X . . . . . O
"""
PAIR = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . O O . .
    . . . X X . .
"""
OPEN_PAIR = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . X X . . O
"""
RAISED = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    X . . . . . .
    O O O . . . .
    X X O . X O X
"""


@pytest.mark.parametrize(
    ("drawing", "column", "said"),
    [
        (TOWERS, 1, "wins"),
        (TOWERS, 7, "blocks, misses the win on a4"),
        (TOWERS, 4, "the centre, misses the win on a4, lets the other win on g4"),
        (PAIR, 3, "two threats, on b1 and f1"),
        (PAIR, 7, "threatens f1"),
        (PAIR, 4, "the centre"),
        (OPEN_PAIR, 5, "stops two threats at once"),
        (OPEN_PAIR, 4, "the centre, lets the other make two threats by b1 and e1"),
        (RAISED, 4, "the centre, lets the other win on d2"),
    ],
)
def test_a_disc_has_its_reasons(drawing: str, column: int, said: str) -> None:
    state = board(drawing)
    found = reasons(state, Move(column - 1))
    assert ", ".join(NOTATION.reason(state, reason) for reason in found) == said


def test_a_disc_below_an_own_threat_gives_it_up() -> None:
    state = board(RAISED)._replace(first=board(RAISED).second, second=board(RAISED).first)
    said = [NOTATION.reason(state, reason) for reason in reasons(state, Move(3))]
    assert "gives up d2" in said
