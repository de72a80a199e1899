"""The agents that play any game of their kind, a new one without a further line."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.agents.alphabeta import alphabeta
from engine.agents.alphabeta_negamax import alphabeta_negamax
from engine.agents.depth_first import Algorithm, DepthFirst
from engine.agents.minimax import minimax
from engine.agents.minimax_in_one import minimax_in_one
from engine.agents.negamax import negamax
from engine.agents.random import RandomAgent
from engine.agents.search import unknown
from engine.players.player import Player, Setting, taking_turns


def _depth_first(name: str, algorithm: Algorithm) -> Player:
    def make(rng: Random, setting: Setting) -> DepthFirst:
        evaluation = setting.evaluation or unknown
        return DepthFirst(algorithm, rng, setting.depth, evaluation, setting.weigh_all)

    return Player(name, make, suits=taking_turns)


PLAYERS: Final = (
    Player("random", lambda rng, _: RandomAgent(rng), searching=False),
    _depth_first("minimax", minimax),
    _depth_first("minimax-in-one", minimax_in_one),
    _depth_first("negamax", negamax),
    _depth_first("alphabeta", alphabeta),
    _depth_first("alphabeta-negamax", alphabeta_negamax),
)

USUAL: Final = "random"
