"""Connect four in a channel: its command and its levels."""

from __future__ import annotations

from typing import Final

from bot.games.command import Field, Kind
from bot.games.connectfour.feats import BADGES, feats
from bot.games.connectfour.presenter import EXPLAINER, ConnectFourPresenter
from bot.games.connectfour.sprites import CACHES, SPRITES
from bot.games.duel import RANDOM, duel
from bot.games.entry import Entry, Strength, everywhere
from bot.table.seat_log import BoardLook
from bot.table.seats import Level
from engine.games.connectfour import GAME, SIZES
from engine.games.connectfour.agents import ConnectFourRules
from engine.games.connectfour.expert import Expert
from engine.games.connectfour.threat_search import threats
from engine.search.depth_first import DepthFirst
from engine.search.minimax import alphabeta
from engine.search.players import RandomAgent

LEVELS: Final = {
    Level.EASY: Strength(RandomAgent, inline=everywhere),
    Level.MEDIUM: Strength(ConnectFourRules, inline=everywhere),
    Level.HARD: Strength(lambda rng: DepthFirst(alphabeta, rng, depth=4, evaluation=threats)),
    Level.EXPERT: Strength(Expert),
}

ENTRY: Final = Entry(
    game=GAME,
    presenter=ConnectFourPresenter(),
    levels=LEVELS,
    explainer=EXPLAINER,
    sprites=SPRITES,
    caches=CACHES,
    badges=BADGES,
    feats=feats,
    look=BoardLook.PICTURE,
    command=duel(
        GAME,
        LEVELS,
        (Field("size", Kind.CHOICE, choices=SIZES),),
        Field("colour", Kind.CHOICE, choices=("first", "second", RANDOM)),
    ),
)
