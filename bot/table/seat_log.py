"""The plies that each seat of a game has made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.game import CHANCE, Game, Move, Options, Seat


@dataclass(frozen=True, slots=True)
class SeatLog:
    """The number of plies of a seat, and the last one at which it had a choice."""

    plies: int = 0
    choice: int | None = None


def seat_logs(
    game: Game[Any], seats: int, options: Options, moves: Sequence[Move]
) -> tuple[SeatLog, ...]:
    """The logs of all seats after `moves`."""
    logs = (SeatLog(),) * seats
    state = game.start(seats, options)
    for ply, move in enumerate(moves):
        logs = with_ply(logs, game, state.turn, ply, state.moves())
        state = state.play(move)
    return logs


def with_ply(
    logs: tuple[SeatLog, ...], game: Game[Any], turn: Seat, ply: int, legal: Sequence[Move]
) -> tuple[SeatLog, ...]:
    """The logs after another ply; the dice often leave a seat no choice."""
    if turn == CHANCE:
        return logs
    chose = not game.dice or len(legal) > 1
    log = SeatLog(logs[turn].plies + 1, ply if chose else logs[turn].choice)
    return (*logs[:turn], log, *logs[turn + 1 :])
