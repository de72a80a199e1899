"""The agents for connect four alone, and the evaluations of its unfinished games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.games.connectfour.evaluation import threats
from engine.games.connectfour.expert import Expert
from engine.games.connectfour.rules_agent import ConnectFourRules
from engine.search.depth_first import Heuristic, unknown
from engine.search.players import Player

PLAYERS: Final = (
    Player("rules", lambda rng, _: ConnectFourRules(rng), searching=False),
    Player("expert", lambda rng, setting: Expert(rng, setting.weigh_all)),
)

EVALUATIONS: Final[Mapping[str, Heuristic]] = {"threats": threats, "none": unknown}

USUAL: Final = "rules"

REVIEWER: Final = "expert"

LOOK: Final = 12_000
"""The positions that the reviewer may visit to weigh the moves of one."""
