"""The agents for Ludo alone, and the evaluations of its unfinished games."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from engine.game import Seat
from engine.games.ludo.evaluation.report import StudentReport
from engine.games.ludo.evaluation.trained import Trained
from engine.games.ludo.evaluation.weights import weights_for
from engine.games.ludo.position import LudoPosition
from engine.games.ludo.rules_agent import LudoRules
from engine.search.expectiminimax import USUAL_DEPTH, Evaluation, Expectiminimax
from engine.search.players import Player, Setting

EVALUATIONS: Final[Mapping[str, Evaluation[Any]]] = {
    "trained": Trained(),
    "report": StudentReport(),
}

CLOSE: Final = 0.02
"""Two moves are close if they are so near to each other in worth, a point of winning chances."""


FEW: Final = 4
"""The most tokens that two seats still have on their way when a deeper look is quick."""


def expert(rng: Random, setting: Setting | None = None) -> Expectiminimax[Any]:
    """The strongest player: three moves ahead, four where moves are close, five of few tokens."""
    asked = setting or Setting()
    evaluation = asked.evaluation or EVALUATIONS["trained"]
    return Expectiminimax(evaluation, rng, asked.depth or USUAL_DEPTH, CLOSE, _deeper)


def _deeper(state: LudoPosition) -> int:
    """The moves that close ones are looked at beyond the usual."""
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
