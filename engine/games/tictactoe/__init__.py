"""Tic-tac-toe: its options and its start."""

from __future__ import annotations

from typing import Final

from engine.game import Game, InvalidOptions, Option, Options
from engine.games.tictactoe.position import CROSSES, MARKS, NOUGHTS, TicTacToePosition, winning_line

__all__ = ["CROSSES", "GAME", "MARKS", "NOUGHTS", "TicTacToePosition", "winning_line"]

SIZES: Final = (3, 4, 5)
LINES: Final = (3, 4, 5)


def _settle(chosen: Options) -> Options:
    size = int(chosen.get("size", SIZES[0]))
    line = int(chosen.get("line", 3 if size == 3 else 4))
    if line > size:
        raise InvalidOptions(f"{line} in a row do not fit on a {size}x{size} board", key="line")
    return {"size": size, "line": line}


def _first(_seats: int, options: Options) -> TicTacToePosition:
    return TicTacToePosition(0, 0, CROSSES, int(options["size"]), int(options["line"]))


GAME: Final = Game(
    key="tictactoe",
    seats=(2,),
    options=(Option("size", SIZES), Option("line", LINES)),
    first=_first,
    settle=_settle,
)
