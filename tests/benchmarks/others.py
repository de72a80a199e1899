"""The speed of easyAI, OpenSpiel and LUDOpy, where they are installed (extra `bench`)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random

from engine.game import Move
from tests.benchmarks.rows import best_of

RUNS = 3
LUDOPY_GAMES = 10


def easyai_with_table() -> float | None:
    """Seconds that easyAI's negamax takes for its own tic-tac-toe, with a transposition table."""
    if find_spec("easyAI") is None:
        return None
    easyai = import_module("easyAI")
    tictactoe = import_module("easyAI.games.TicTacToe").TicTacToe

    def solve() -> float:
        game = tictactoe([None, None])
        game.ttentry = lambda: tuple(game.board)
        search = easyai.Negamax(9, tt=easyai.TranspositionTable())
        began = time.perf_counter()
        search(game)
        return time.perf_counter() - began

    return best_of(RUNS, solve)


def openspiel() -> float | None:
    """Seconds that OpenSpiel's alpha-beta in Python takes for its tic-tac-toe."""
    if find_spec("pyspiel") is None:
        return None
    game = import_module("pyspiel").load_game("tic_tac_toe")
    minimax = import_module("open_spiel.python.algorithms.minimax")

    def solve() -> float:
        began = time.perf_counter()
        value, _ = minimax.alpha_beta_search(game)
        took = time.perf_counter() - began
        assert value == 0
        return took

    return best_of(RUNS, solve)


class OpenSpielMinimax:
    """OpenSpiel's alpha-beta in Python, so many plies deep; what is not decided there counts 0."""

    def __init__(self, name: str, depth: int) -> None:
        self.game = import_module("pyspiel").load_game(name)
        self.search = import_module("open_spiel.python.algorithms.minimax").alpha_beta_search
        self.depth = depth

    @staticmethod
    def installed() -> bool:
        """Whether OpenSpiel is there."""
        return find_spec("pyspiel") is not None

    def choice(self, moves: Sequence[int]) -> Move:
        """Its move after `moves`."""
        state = self.game.new_initial_state()
        for move in moves:
            state.apply_action(move)
        seat = state.current_player()
        _, best = self.search(
            self.game,
            state,
            value_function=lambda _: 0,
            maximum_depth=self.depth,
            maximizing_player_id=seat,
        )
        return Move(int(best))


def ludopy() -> float | None:
    """Plies a second of random play that LUDOpy reaches with four seats: rolls, and moves made."""
    if find_spec("ludopy") is None:
        return None
    game, choice, plies = import_module("ludopy").Game(), Random(1).choice, 0
    began = time.perf_counter()
    for _ in range(LUDOPY_GAMES):
        game.reset()
        won = False
        while not won:
            (_, movable, *_, won), _ = game.get_observation()
            piece = int(choice(movable)) if len(movable) else -1
            won = game.answer_observation(piece)[-1]
            plies += 1 if piece < 0 else 2
    return plies / (time.perf_counter() - began)
