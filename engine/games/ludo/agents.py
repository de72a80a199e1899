"""The agents for Ludo alone, and the evaluations of its unfinished games.

`LudoRules` follows the first of its aims that any move serves. Their order was measured over 2,000
classic games each, against the order finish, capture, leave, flee, secure, advance: capture first,
then leave, then finish wins 52.7 %; flee or secure before leaving the yard, 49 %; to advance the
hindmost token, not the foremost, 37 %.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeAlias

from engine.game import Move, Seat
from engine.games.ludo.board import LAST_ON_RING, YARD
from engine.games.ludo.evaluation.features import exposed, seen_from
from engine.games.ludo.evaluation.report import StudentReport
from engine.games.ludo.evaluation.trained import Trained, weights_for
from engine.games.ludo.position import LudoPosition
from engine.search.agent import UNLIMITED, Budget, Thought
from engine.search.expectiminimax import USUAL_DEPTH, Evaluation, Expectiminimax
from engine.search.players import Player, Setting

Aim: TypeAlias = Callable[[LudoPosition, Move], float]
"""A measure of how well a move serves an aim: 0 if it does not."""


def capture(position: LudoPosition, move: Move) -> float:
    """Capture the tokens that have walked farthest."""
    return sum(position.tokens[rival][token] for rival, token in position.victims(move))


def leave(position: LudoPosition, move: Move) -> float:
    """Leave the yard."""
    return float(position.tokens[position.owner][move] == YARD)


def finish(position: LudoPosition, move: Move) -> float:
    """Bring a token home."""
    return float(position.target(move) >= position.table.home_from)


def flee(position: LudoPosition, move: Move) -> float:
    """Take the foremost token that a rival's next roll could capture to where none could."""
    own = position.tokens[position.owner]
    if not _threatened(position, own, own[move]):
        return 0.0
    after = _after(position, own, move)
    return 0.0 if _threatened(position, after, after[move]) else own[move]


def secure(position: LudoPosition, move: Move) -> float:
    """Take the foremost token that could be captured to where it cannot."""
    own = position.tokens[position.owner]
    if own[move] not in exposed(position.table, own):
        return 0.0
    after = _after(position, own, move)
    return 0.0 if after[move] in exposed(position.table, after) else own[move]


def advance(position: LudoPosition, move: Move) -> float:
    """Move the foremost token."""
    return 1.0 + position.tokens[position.owner][move]


AIMS: Final = (capture, leave, finish, flee, secure, advance)


@dataclass(frozen=True, slots=True)
class LudoRules:
    """A player for the first of its aims that any move serves, by the move that serves it best."""

    rng: Random
    aims: Sequence[Aim] = AIMS

    def think(self, state: LudoPosition, budget: Budget = UNLIMITED) -> Thought:  # noqa: ARG002 - it needs none
        """Choose a move for the first aim that any move serves."""
        return Thought(self.rng.choice(self.choices(state)))

    def choices(self, position: LudoPosition) -> Sequence[Move]:
        """The moves among which chance decides here."""
        moves = position.moves()
        for aim in self.aims:
            served = [aim(position, move) for move in moves]
            best = max(served)
            if best > 0:
                return [move for move, much in zip(moves, served, strict=True) if much == best]
        return moves


def _after(position: LudoPosition, own: tuple[int, ...], move: Move) -> tuple[int, ...]:
    return (*own[:move], position.target(move), *own[move + 1 :])


def _threatened(position: LudoPosition, own: tuple[int, ...], progress: int) -> bool:
    """Whether a rival could capture a token at `progress` with its next roll."""
    if progress not in exposed(position.table, own):
        return False
    corners, owner = position.table.corners, position.owner
    for rival in position.table.rivals[owner]:
        target = seen_from(corners[owner] - corners[rival], progress)
        for theirs in position.tokens[rival]:
            if theirs != YARD and 1 <= target - theirs <= 6 and target <= LAST_ON_RING:
                return True
    return False


EVALUATIONS: Final[Mapping[str, Evaluation[Any]]] = {
    "trained": Trained(),
    "report": StudentReport(),
}

CLOSE: Final = 0.02
"""Moves are close whose values, in [-1, 1], differ by less: 1 % in winning chances."""


FEW: Final = 4
"""The most tokens of two seats together, not yet home, with which a deeper look is quick."""


def expert(rng: Random, setting: Setting | None = None) -> Expectiminimax[Any]:
    """The strongest player: looks three moves ahead, four at close moves, five with few tokens."""
    asked = setting or Setting()
    evaluation = asked.evaluation or EVALUATIONS["trained"]
    return Expectiminimax(evaluation, rng, asked.depth or USUAL_DEPTH, CLOSE, _deeper)


def _deeper(state: LudoPosition) -> int:
    """The extra depth, in moves, for close moves: 1, or 2 with few tokens of two seats."""
    if state.table.seats > 2:
        return 1
    left = 2 * state.table.rules.tokens - state.homes(Seat(0)) - state.homes(Seat(1))
    return 2 if left <= FEW else 1


def _expectiminimax(rng: Random, setting: Setting) -> Expectiminimax[Any]:
    return Expectiminimax(setting.evaluation or EVALUATIONS["trained"], rng, setting.depth)


def _remark(setting: Setting, state: LudoPosition) -> str:
    if not isinstance(setting.evaluation or EVALUATIONS["trained"], Trained):
        return ""
    weights = weights_for(state.table.rules, seats=state.table.seats)
    return "" if weights.exact else f"its evaluation is {weights}"


PLAYERS: Final = (
    Player("rules", lambda rng, _: LudoRules(rng), searching=False),
    Player("expectiminimax", _expectiminimax, remark=_remark),
    Player("expert", expert, remark=_remark),
)

USUAL: Final = "rules"

REVIEWER: Final = "expectiminimax:3"
