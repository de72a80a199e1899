"""The agents that play tic-tac-toe alone, and what unfinished games of it may be valued by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.agents.open_lines import open_lines
from engine.agents.perfect import Perfect
from engine.agents.rules import CENTRE, CORNER, FORK, RuleAgent
from engine.agents.search import Evaluation, unknown
from engine.players.player import Player

PLAYERS: Final = (
    Player("rules-corner", lambda rng, _: RuleAgent(CORNER, rng), searching=False),
    Player("rules-centre", lambda rng, _: RuleAgent(CENTRE, rng), searching=False),
    Player("rules-fork", lambda rng, _: RuleAgent(FORK, rng), searching=False),
    Player("perfect", lambda rng, setting: Perfect(rng, setting.weigh_all)),
    Player("solver", lambda rng, setting: Perfect(rng, setting.weigh_all, looks_up=False)),
)

EVALUATIONS: Final[Mapping[str, Evaluation]] = {"open-lines": open_lines, "none": unknown}

USUAL: Final = "rules-corner"
