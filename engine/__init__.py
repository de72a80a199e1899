"""Board games as values, the classic algorithms that play them, and matches between them.

A position is an immutable value, a move a number, the dice a player with odds (`engine.game`). An
agent is any object that answers a position with a `Thought`; `roster` finds games and agents by
name. `Match` and `total` measure the stronger agent, `wilson` the uncertainty; `review` explains
moves and their worth. Clocks and sources of randomness are passed in.
"""

from __future__ import annotations

from engine import review, roster
from engine.arena import FoulPlay, Match, Score, WrongNumberOfAgents, play, wilson
from engine.game import (
    CHANCE,
    DiceState,
    Game,
    IllegalMove,
    InvalidOptions,
    Move,
    Option,
    Options,
    Reason,
    Seat,
    State,
    checked,
    seat_at,
)
from engine.isolation import AgentFile
from engine.roster import Unknown
from engine.search.agent import UNLIMITED, Agent, Budget, OutOfBudget, Thought
from engine.workers import played, total

__all__ = [
    "CHANCE",
    "UNLIMITED",
    "Agent",
    "AgentFile",
    "Budget",
    "DiceState",
    "FoulPlay",
    "Game",
    "IllegalMove",
    "InvalidOptions",
    "Match",
    "Move",
    "Option",
    "Options",
    "OutOfBudget",
    "Reason",
    "Score",
    "Seat",
    "State",
    "Thought",
    "Unknown",
    "WrongNumberOfAgents",
    "checked",
    "play",
    "played",
    "review",
    "roster",
    "seat_at",
    "total",
    "wilson",
]
