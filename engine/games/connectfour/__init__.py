"""Connect four: its options and its start."""

from __future__ import annotations

from typing import Final

from engine.game import Game, Option, Options
from engine.games.connectfour.position import FIRST, SECOND, ConnectFourPosition, winning_line

__all__ = ["FIRST", "GAME", "SECOND", "ConnectFourPosition", "winning_line"]

SIZES: Final = ("7x6", "8x7", "9x7")
"""The boards, by columns and rows."""


def _settle(chosen: Options) -> Options:
    return {"size": chosen.get("size", SIZES[0])}


def _first(_seats: int, options: Options) -> ConnectFourPosition:
    columns, rows = map(int, str(options["size"]).split("x"))
    return ConnectFourPosition(0, 0, FIRST, columns, rows)


GAME: Final = Game(
    key="connectfour",
    seats=(2,),
    options=(Option("size", SIZES),),
    first=_first,
    settle=_settle,
)
