"""Tic-tac-toe in a channel: its command and its levels."""

from __future__ import annotations

from random import Random
from typing import Final

from bot.games.command import (
    ANYONE,
    OPPONENT,
    PACE,
    Command,
    Field,
    Kind,
    Request,
    duel,
    level_field,
)
from bot.games.entry import Entry, Strength, everywhere
from bot.games.tictactoe.presenter import CROSS, NOUGHT, TicTacToeExplainer, TicTacToePresenter
from bot.games.tictactoe.sprites import SPRITES
from bot.table.refusals import fitting
from bot.table.seats import Level, Pace
from bot.table.session import Session
from engine.games.tictactoe import GAME
from engine.games.tictactoe.open_lines import open_lines
from engine.games.tictactoe.perfect import Perfect
from engine.games.tictactoe.position import TicTacToePosition
from engine.games.tictactoe.rules_agents import CORNER, RuleAgent
from engine.search.alphabeta import alphabeta
from engine.search.depth_first import DepthFirst
from engine.search.random import RandomAgent

RANDOM: Final = "random"


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


def propose(request: Request, rng: Random) -> Session:
    """The session that a `/tictactoe` asks for.

    Raises:
        Refusal: The line is longer than the board is wide.
        Refusal: As in `duel`.
    """
    asker, other = duel(request)
    crosses = request.choice("mark", RANDOM)
    first = rng.choice((CROSS, NOUGHT)) if crosses == RANDOM else crosses
    chosen = {
        key: int(request.choice(key, "0")) for key in ("size", "line") if key in request.values
    }
    with fitting(GAME):
        options = GAME.settled(chosen)
    return Session(
        game=GAME,
        options=options,
        pace=Pace(request.choice("pace", Pace.LIVE)),
        host=request.by,
        seats=(asker, other) if first == CROSS else (other, asker),
    ).start()


ENTRY: Final = Entry(
    game=GAME,
    presenter=TicTacToePresenter(),
    levels=LEVELS,
    explainer=TicTacToeExplainer(),
    sprites=SPRITES,
    command=Command(
        name="tictactoe",
        fields=(
            OPPONENT,
            ANYONE,
            level_field(*LEVELS),
            Field("size", Kind.NUMBER, least=3, most=5),
            Field("line", Kind.NUMBER, least=3, most=5),
            Field("mark", Kind.CHOICE, choices=(CROSS, NOUGHT, RANDOM)),
            PACE,
        ),
        propose=propose,
    ),
)
