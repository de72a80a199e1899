"""What the board's drawing cannot say: who shares a square, how many are home, the die."""

from __future__ import annotations

from bot.games.ludo.board.colours import COLOURS
from bot.games.ludo.board.emoji_grid import HOUSE, mixed
from bot.games.ludo.words.buttons import DIE
from bot.games.ludo.words.phrases import numbered, place
from bot.message.lists import enumerated
from bot.message.text import Text, text
from engine.game import Seat
from engine.games.ludo import Position


def legend(position: Position) -> tuple[Text, ...]:
    """A line for each square on which several colours stand."""
    return tuple(
        text(
            "ludo.legend",
            place=place(position.table, where),
            tokens=enumerated([*map(numbered, groups)]),
        )
        for where, groups in mixed(position).items()
    )


def tally(position: Position) -> tuple[Text, ...]:
    """How many tokens each seat has brought home, and the die that lies."""
    of = position.table.rules.tokens
    counts = [
        text("ludo.count", emblem=COLOURS[corner].token, home=position.homes(Seat(seat)), of=of)
        for seat, corner in enumerate(position.table.corners)
    ]
    home = text("ludo.home", emblem=HOUSE, counts=enumerated(counts))
    return (home, text("ludo.die", emblem=DIE, pips=position.die)) if position.die else (home,)
