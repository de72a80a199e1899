"""Dice whose next rolls a test gives, where the course of a game matters."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from bot.table.session import SessionId
from bot.table.table import Table
from engine.game import Move


class ScriptedDice:
    """Dice that fall as a test says, one roll after the other, and then as their secrets say.

    Ludo of several people begins with one roll for each seat, of which the highest begins. A roll
    that has fallen stays, but it is not that of the secret: such a game has no proof.
    """

    def __init__(self, fair: Callable[[Table, int], Move]) -> None:
        self._fair = fair
        self._given: deque[Move] = deque()
        self._fallen: dict[tuple[SessionId, int], Move] = {}

    def fall(self, *pips: int) -> None:
        """Let the next rolls be these, at whatever table."""
        self._given += map(Move, pips)

    def pips(self, table: Table, ply: int) -> Move:
        """The roll of a table at a ply."""
        rolls = ply != table.session.ply or table.session.rolling
        if self._given and rolls and (table.id, ply) not in self._fallen:
            self._fallen[table.id, ply] = self._given.popleft()
        return self._fallen.get((table.id, ply)) or self._fair(table, ply)
