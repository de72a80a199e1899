"""OpenSpiel and LUDOpy, where they are installed (extra `bench`)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random

from engine.game import Move
from engine.games.connectfour import ConnectFourPosition
from engine.search.agent import UNLIMITED, Budget, Thought

LUDOPY_GAMES = 10


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


class OpenSpielMcts:
    """OpenSpiel's MCTS in C++ at connect four, 7x6, an agent that the arena takes from this file.

    It has 70,000 playouts a move, which take a second of a quiet machine.
    """

    def __init__(self, rng: Random) -> None:
        spiel, seed = import_module("pyspiel"), rng.getrandbits(31)
        game, judge = spiel.load_game("connect_four"), spiel.RandomRolloutEvaluator(1, seed)
        limits = {"uct_c": 2.0, "max_simulations": 70_000, "max_memory_mb": 1_000}
        more = {"solve": True, "seed": seed, "verbose": False}
        self.bot = spiel.MCTSBot(game, judge, **limits, **more)
        self.state, self.heights = game.new_initial_state(), [0] * 7

    def think(self, state: ConnectFourPosition, _budget: Budget = UNLIMITED) -> Thought:
        """Follow the other's disc, and choose a column."""
        for column, height in enumerate(self.heights):
            if state.height(column) > height:
                self._drop(column)
        self._drop(move := Move(self.bot.step(self.state)))
        return Thought(move)

    def _drop(self, column: int) -> None:
        self.state.apply_action(column)
        self.heights[column] += 1


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
