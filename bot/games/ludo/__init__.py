"""Ludo in a channel: its command, its levels, and how its board, turns and choices look."""

from __future__ import annotations

from typing import Final

from bot.games.entry import Entry, Strength
from bot.games.ludo.board.sprites import SPRITES
from bot.games.ludo.command import command
from bot.games.ludo.presenter import LudoPresenter
from bot.table.seats import Level
from engine.agents.expectiminimax import Expectiminimax
from engine.agents.ludo_rules import LudoRules
from engine.agents.random import RandomAgent
from engine.evaluations.report import Report
from engine.evaluations.trained import Trained
from engine.games.ludo import GAME

LEVELS: Final = {
    Level.EASY: Strength(RandomAgent, inline=True),
    Level.MEDIUM: Strength(LudoRules, inline=True),
    Level.HARD: Strength(lambda rng: Expectiminimax(Report(), rng, depth=2)),
    Level.EXPERT: Strength(lambda rng: Expectiminimax(Trained(), rng, depth=3)),
}

ENTRY: Final = Entry(
    game=GAME,
    presenter=LudoPresenter(),
    levels=LEVELS,
    command=command(LEVELS),
    sprites=SPRITES,
)
