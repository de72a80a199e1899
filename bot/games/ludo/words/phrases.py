"""Pieces that several of Ludo's texts are made of: lists, tokens, places on the board."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.ludo.board.colours import COLOURS
from bot.games.ludo.board.spots import Group, OnRing
from bot.games.ludo.board.tiles import STAR
from bot.message.text import Text, text
from engine.games.ludo.board import STARTS


def chained(happenings: Sequence[Text]) -> Text:
    """At least one happening, one after the other."""
    told = happenings[-1]
    for happening in reversed(happenings[:-1]):
        told = text("ludo.then", first=happening, rest=told)
    return told


def worded(told: Sequence[Text]) -> Text:
    """At least one thing that came of a roll, in the order that it came."""
    joined = told[-1]
    for each in reversed(told[:-1]):
        joined = text("ludo.and", first=each, rest=joined)
    return joined


def numbered(group: Group) -> Text:
    """The tokens of a group, by their emblem and their numbers."""
    numbers = " ".join(map(str, group.numbers))
    return text("ludo.tokens", emblem=COLOURS[group.corner].emblem, numbers=numbers)


def place(where: OnRing) -> Text:
    """What a safe square of the ring shows."""
    if where.square in STARTS:
        return text("ludo.place.start", emblem=COLOURS[where.square // 13].emblem)
    return text("ludo.place.star", star=STAR)
