"""The puzzles of Ludo: the best move, which a search and games to the end agree on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.game import Options
from engine.games.ludo.board import HOME
from engine.games.ludo.position import LudoPosition

DAYS: Final[Mapping[int, tuple[tuple[str, Options], ...]]] = {2: (("best", {}),)}
"""The tasks and boards of each day of the week, Monday is 0."""

CARELESS: Final = "rules"
"""The agent that plays to a puzzle, with random moves in between."""

LEVELS: Final = ("rules", "expectiminimax:1")
"""The computers of Parlour between one that is random and one that knows, as agents."""

MOST_STEPS: Final = 140
"""Both seats together have so many steps to go at most: that much a player can look over."""


def fits(position: LudoPosition) -> bool:
    """Whether few enough steps are left to look the position over."""
    left = (HOME - progress for own in position.tokens for progress in own)
    return sum(left) <= MOST_STEPS


def canonical(position: LudoPosition) -> object:
    """The position, whichever token stands where."""
    own, rival = position.tokens[position.seat], position.tokens[1 - position.seat]
    return sorted(own), sorted(rival), position.die
