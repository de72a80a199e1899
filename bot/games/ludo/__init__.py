"""Ludo in a channel: its command, its levels, and how its board, turns and choices look."""

from __future__ import annotations

from typing import Final

from bot.cache import KB, Memo
from bot.games.entry import Entry, Strength, everywhere
from bot.games.ludo import game_log
from bot.games.ludo.board import drawing
from bot.games.ludo.board.sprites import SPRITES
from bot.games.ludo.command import command
from bot.games.ludo.feats import BADGES, feats
from bot.games.ludo.presenter import LudoPresenter
from bot.games.ludo.words.explainer import LudoExplainer
from bot.table.seats import Level
from engine.games.ludo import GAME
from engine.games.ludo.agents import LudoRules, expert
from engine.games.ludo.evaluation.trained import Trained
from engine.games.ludo.rules import Finish
from engine.games.ludo.table import blocks, table
from engine.search.expectiminimax import Expectiminimax
from engine.search.players import RandomAgent

LEVELS: Final = {
    Level.EASY: Strength(RandomAgent, inline=everywhere),
    Level.MEDIUM: Strength(LudoRules, inline=everywhere),
    Level.HARD: Strength(lambda rng: Expectiminimax(Trained(), rng, depth=1)),
    Level.EXPERT: Strength(expert),
}

ENTRY: Final = Entry(
    game=GAME,
    presenter=LudoPresenter(),
    levels=LEVELS,
    command=command(LEVELS),
    explainer=LudoExplainer(),
    sprites=SPRITES,
    all_places={"finish": str(Finish.PLACES)},
    badges=BADGES,
    feats=feats,
    caches=(
        *drawing.CACHES,
        *game_log.CACHES,
        Memo("ludo_rules", table, each=64 * KB),
        Memo("ludo_arrangements", blocks, each=288),
    ),
)
