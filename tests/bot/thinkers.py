"""A thinker for computers of which a test says when they move."""

from __future__ import annotations

import asyncio

from bot.table.session import Session
from engine.game import Move


class Gated:
    """Plays the first legal move: at once if `inline`, else when a test has `allowed` it."""

    def __init__(self, *, inline: bool = False) -> None:
        self.inline = inline
        self.asked = asyncio.Event()
        self.allowed = asyncio.Event()
        self.times = 0
        """The number of moves that it was asked for and could not play at once."""

    def quick(self, session: Session) -> Move | None:
        return _first(session) if self.inline else None

    async def move(self, session: Session) -> Move:
        self.times += 1
        self.asked.set()
        await self.allowed.wait()
        return _first(session)


def _first(session: Session) -> Move:
    move: Move = session.position.moves()[0]
    return move
