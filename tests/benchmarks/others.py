"""OpenSpiel and LUDOpy, where they are installed (extra `bench`)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random

from engine.game import Move

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
