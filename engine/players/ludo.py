"""The agents that play Ludo alone, and what unfinished games of it may be valued by."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from engine.agents.expectiminimax import Expectiminimax
from engine.agents.ludo_rules import LudoRules
from engine.evaluations.evaluation import Evaluation
from engine.evaluations.report import Report
from engine.evaluations.trained import Trained
from engine.evaluations.weights import weights_for
from engine.games.ludo import Position
from engine.players.player import Player, Setting

EVALUATIONS: Final[Mapping[str, Evaluation[Any]]] = {"trained": Trained(), "report": Report()}


def _expectiminimax(rng: Random, setting: Setting) -> Expectiminimax[Any]:
    return Expectiminimax(setting.evaluation or EVALUATIONS["trained"], rng, setting.depth)


def _remark(setting: Setting, state: Position) -> str:
    """Which weights it has to make do with, where none were learned under these rules."""
    if not isinstance(setting.evaluation or EVALUATIONS["trained"], Trained):
        return ""
    weights = weights_for(state.table.rules)
    return "" if weights.exact else f"its evaluation is {weights}"


PLAYERS: Final = (
    Player("rules", lambda rng, _: LudoRules(rng), searching=False),
    Player("expectiminimax", _expectiminimax, remark=_remark),
)

USUAL: Final = "rules"
