"""The agents for tic-tac-toe alone, and the evaluations of its unfinished games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.games.tictactoe.open_lines import open_lines
from engine.games.tictactoe.perfect import Perfect
from engine.games.tictactoe.rules_agents import CENTRE, CORNER, FORK, RuleAgent
from engine.search.depth_first import Heuristic, unknown
from engine.search.players import Player

PLAYERS: Final = (
    Player("rules-corner", lambda rng, _: RuleAgent(CORNER, rng), searching=False),
    Player("rules-centre", lambda rng, _: RuleAgent(CENTRE, rng), searching=False),
    Player("rules-fork", lambda rng, _: RuleAgent(FORK, rng), searching=False),
    Player("perfect", lambda rng, setting: Perfect(rng, setting.weigh_all)),
    Player("solver", lambda rng, setting: Perfect(rng, setting.weigh_all, looks_up=False)),
)

EVALUATIONS: Final[Mapping[str, Heuristic]] = {"open-lines": open_lines, "none": unknown}

USUAL: Final = "rules-corner"

REVIEWER: Final = "perfect"
