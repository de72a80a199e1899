"""Tic-tac-toe in a channel: its command and its levels."""

from __future__ import annotations

from typing import Final

from bot.games.command import Field, Kind
from bot.games.duel import RANDOM, duel
from bot.games.entry import Entry, Strength, everywhere
from bot.games.tictactoe.presenter import EXPLAINER, TicTacToePresenter
from bot.games.tictactoe.sprites import CACHES, SPRITES
from bot.records.badges import Badge, GamePart
from bot.records.results import Outcome
from bot.table.seats import Level
from engine.games.tictactoe import GAME
from engine.games.tictactoe.agents import CORNER, RuleAgent, open_lines
from engine.games.tictactoe.perfect import Perfect
from engine.games.tictactoe.position import TicTacToePosition
from engine.search.depth_first import DepthFirst
from engine.search.minimax import alphabeta
from engine.search.players import RandomAgent


def small(position: TicTacToePosition) -> bool:
    """Boards of 3x3: there a search two plies deep takes 0.2 ms, and a table answers in 1 µs."""
    return position.size == 3


LEVELS: Final = {
    Level.EASY: Strength(RandomAgent, inline=everywhere),
    Level.MEDIUM: Strength(lambda rng: RuleAgent(CORNER, rng), inline=everywhere),
    Level.HARD: Strength(
        lambda rng: DepthFirst(alphabeta, rng, depth=2, evaluation=open_lines), inline=small
    ),
    Level.PERFECT: Strength(Perfect, inline=small),
}


def held(part: GamePart) -> bool:
    """A draw with the computer that cannot be beaten."""
    return part.level is Level.PERFECT and part.verdict.outcome is Outcome.DRAW


ENTRY: Final = Entry(
    game=GAME,
    presenter=TicTacToePresenter(),
    levels=LEVELS,
    explainer=EXPLAINER,
    sprites=SPRITES,
    caches=CACHES,
    tree=True,
    illegal="square_taken",
    often_drawn=lambda options: options["size"] == 3,
    badges=(Badge("perfect_draw", "🛡️", held),),
    command=duel(
        GAME,
        LEVELS,
        (Field("size", Kind.NUMBER, least=3, most=5), Field("line", Kind.NUMBER, least=3, most=5)),
        Field("mark", Kind.CHOICE, choices=("x", "o", RANDOM)),
    ),
)
