"""Pieces that several of Ludo's texts are made of: tokens, places on the board."""

from __future__ import annotations

from bot.games.ludo.board.colours import COLOURS
from bot.games.ludo.board.spots import Group, OnRing
from bot.games.ludo.board.tiles import STAR
from bot.message.text import Text, text
from engine.games.ludo.board import STARTS


def numbered(group: Group) -> Text:
    """The tokens of a group, by their emblem and their numbers."""
    numbers = " ".join(map(str, group.numbers))
    return text("ludo.tokens", emblem=COLOURS[group.corner].emblem, numbers=numbers)


def place(where: OnRing) -> Text:
    """What a safe square of the ring shows."""
    if where.square in STARTS:
        return text("ludo.place.start", emblem=COLOURS[where.square // 13].emblem)
    return text("ludo.place.star", star=STAR)
