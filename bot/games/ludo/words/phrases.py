"""Pieces that several of Ludo's texts are made of: lists, tokens, places on the board."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.ludo.board.colours import COLOURS
from bot.games.ludo.board.spots import Group, OnRing
from bot.message.text import Text, text
from engine.games.ludo.board import STARTS
from engine.games.ludo.table import LudoTable


def chained(happenings: Sequence[Text]) -> Text:
    """At least one happening, one after the other."""
    told = happenings[-1]
    for happening in reversed(happenings[:-1]):
        told = text("ludo.then", first=happening, rest=told)
    return told


def numbered(group: Group) -> Text:
    """The tokens of a group, by the sign of their colour and their numbers."""
    numbers = " ".join(map(str, group.numbers))
    return text("ludo.tokens", emblem=COLOURS[group.corner].token, numbers=numbers)


def place(table: LudoTable, where: OnRing) -> Text:
    """What people call a square of the ring, on a drawn board."""
    arm, number = where.square // 13, where.square + 1
    if where.square in STARTS:
        return text("ludo.place.start", square=COLOURS[arm].square, colour=COLOURS[arm].name)
    if where.square in table.safe:
        return text(f"ludo.place.star.{ARMS[arm]}")
    return text("ludo.place.square", number=number)


ARMS = ("right", "bottom", "left", "top")
"""On which arm of the cross the star after each corner's start lies."""
