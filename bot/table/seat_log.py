"""A table's preferences besides its rules; the plies that each seat has made and seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from typing import Any, Final

from engine.game import CHANCE, Game, Move, Options


class BoardLook(StrEnum):
    """The look of a board that does not consist of buttons."""

    EMOJI = "emoji"
    PICTURE = "picture"


class Rolls(Enum):
    """How people's dice roll: by a press, automatically, or automatically until there is news."""

    BY_HAND = 0
    BY_THEMSELVES = 1
    WITH_STOPS = 2

    @property
    def automatic(self) -> bool:
        """Whether they roll without a press, at least for a while."""
        return self is not Rolls.BY_HAND


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences of a table; `auto_roll` (automatic dice) is None until it is chosen."""

    auto_roll: bool | None = None
    board: BoardLook = BoardLook.EMOJI

    def rolls(self, *, alone: bool) -> Rolls:
        """How people's dice roll; `alone` if one person plays computers."""
        if self.auto_roll is None:
            return Rolls.WITH_STOPS if alone else Rolls.BY_HAND
        return Rolls.BY_THEMSELVES if self.auto_roll else Rolls.BY_HAND


USUAL: Final = Preferences()


ROLLS_BEFORE_A_STOP: Final = 3


@dataclass(frozen=True, slots=True)
class SeatLog:
    """A seat's number of plies, the last ply at which it had a choice, and what it has seen.

    `unread` is the first ply that its player has not seen: the one after their last decision. A
    roll by a press is a decision too: it is `pressed` during the turn, and `unread` from then on.
    Since the last decision, `rolls` counts automatic rolls, and `alerted` says whether a ply
    concerned the seat. `rolled` says whether it has ever rolled.
    """

    plies: int = 0
    choice: int | None = None
    unread: int = 0
    pressed: int | None = None
    rolls: int = 0
    rolled: bool = False
    alerted: bool = False

    @property
    def stops(self) -> bool:
        """Whether automatic dice should stop for the player: at their first roll, or for news."""
        return not self.rolled or self.alerted or self.rolls >= ROLLS_BEFORE_A_STOP


def seat_logs(
    game: Game[Any], seats: int, options: Options, moves: Sequence[Move], rolls: Rolls
) -> tuple[SeatLog, ...]:
    """The logs of all seats after `moves`."""
    logs = (SeatLog(),) * seats
    state = game.start(seats, options)
    for ply, move in enumerate(moves):
        before, state = state, state.play(move)
        logs = with_ply(logs, game, ply, before, state, rolls=rolls)
    return logs


def with_ply(
    logs: tuple[SeatLog, ...],
    game: Game[Any],
    ply: int,
    before: Any,  # noqa: ANN401 - a position of any game, like the next
    after: Any,  # noqa: ANN401
    *,
    rolls: Rolls,
) -> tuple[SeatLog, ...]:
    """The logs after another ply."""
    if not game.dice:
        seat = before.turn
        log = SeatLog(logs[seat].plies + 1, ply, ply + 1)
        return (*logs[:seat], log, *logs[seat + 1 :])
    if before.opening:
        return logs
    found, seat = list(logs), before.seat
    log = _thrown(logs[seat], ply, before, rolls)
    if log.pressed is not None and after.seat != seat:
        log = replace(log, unread=log.pressed, pressed=None)
    found[seat] = log
    for concerned in game.concerned(before, after):
        found[concerned] = replace(found[concerned], alerted=True)
    return tuple(found)


def _thrown(
    log: SeatLog,
    ply: int,
    before: Any,  # noqa: ANN401 - a position of any game with dice
    rolls: Rolls,
) -> SeatLog:
    if before.turn != CHANCE:
        plies = log.plies + 1
        if len(before.moves()) > 1:
            return SeatLog(plies, ply, ply + 1, rolled=True)
        return replace(log, plies=plies)
    if rolls is Rolls.BY_HAND or (rolls is Rolls.WITH_STOPS and log.stops):
        return SeatLog(log.plies, log.choice, log.unread, pressed=ply, rolled=True)
    return replace(log, rolls=log.rolls + 1, rolled=True)
