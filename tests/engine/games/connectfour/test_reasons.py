"""The reasons for a disc, on drawn boards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest

from engine import roster
from engine.game import Move, Reason, Seat
from engine.games.connectfour import GAME as CONNECT_FOUR
from engine.games.connectfour import ConnectFourPosition
from engine.games.connectfour.notation import NOTATION
from engine.games.connectfour.review import reasons
from engine.games.tictactoe import GAME as TIC_TAC_TOE
from engine.games.tictactoe.review import reasons as reasons_for_marks
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


def test_a_win_in_three_of_the_rival_is_told_and_none_is_said_to_be_stopped_that_is_there() -> None:
    assert_wins_in_three_are_told(CONNECT_FOUR.start(2, {}), reasons, "rules", games=10)
    marks = TIC_TAC_TOE.start(2, {"size": 4, "line": 3})
    assert_wins_in_three_are_told(marks, reasons_for_marks, "rules-corner", games=10)


def assert_wins_in_three_are_told(
    first: Any, reasons: Callable[[Any, Move], Iterable[Reason]], agent: str, *, games: int
) -> None:
    """Hold the reasons for all moves of careless games against all lines of three plies."""
    told = 0
    for number in range(games):
        rng, state = Random(number), first
        game = CONNECT_FOUR if isinstance(first, ConnectFourPosition) else TIC_TAC_TOE
        player = roster.entrant(game, agent).agent(rng)
        while state.payoff() is None:
            for move in state.moves():
                after, kinds = state.play(move), {each.kind.value for each in reasons(state, move)}
                # With fewer columns open a seat may have to lay the disc that loses.
                if len(after.moves()) > 3 and "lets win" not in kinds:
                    soon = [each for each in after.moves() if forces(after.play(each), state.turn)]
                    assert ("lets fork" in kinds) == bool(soon), (str(state), move, soon)
                    told += bool(soon)
                assert not {"blocks fork"} < kinds & {"blocks fork", "lets fork", "lets win"}
            careless = rng.random() < 0.3
            state = state.play(rng.choice(state.moves()) if careless else player.think(state).move)
    assert told > games


def forces(after: Any, loser: Seat) -> bool:
    """Whether a seat is lost with the rival's next move, whatever it answers."""
    return after.payoff() is None and all(
        after.play(answer).payoff() is None and wins_at_once(after.play(answer), loser)
        for answer in after.moves()
    )


def wins_at_once(state: Any, loser: Seat) -> bool:
    payoffs = (state.play(move).payoff() for move in state.moves())
    return any(payoff is not None and payoff[loser] < 0 for payoff in payoffs)


def test_a_disc_below_an_own_threat_gives_it_up() -> None:
    state = board(RAISED)._replace(first=board(RAISED).second, second=board(RAISED).first)
    said = [NOTATION.reason(state, reason) for reason in reasons(state, Move(3))]
    assert "gives up d2" in said
