"""Messages that Discord refuses: left alone for longer and longer, and forgotten in the end."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import discord

from bot.table.seats import Human, Pace, PersonId
from bot.table.session import Session, SessionId
from bot.table.table import Place, Table
from bot.ui.repairs import LONGEST_PAUSE, SHORTEST_PAUSE, Repairs
from engine.games.tictactoe import GAME
from tests.bot.clock import ManualClock

REFUSALS: Final = 4


class Refused(discord.HTTPException):
    """Discord does not take a message as it is."""

    def __init__(self) -> None:
        Exception.__init__(self)
        self.status, self.code, self.text = 400, 50035, ""


async def refuse(_: Table) -> None:
    raise Refused


async def test_a_pause_is_longer_after_each_refusal_until_it_is_long_past() -> None:
    clock = ManualClock()
    repairs, table = Repairs(refuse, clock), fallen_behind(clock)
    pause = SHORTEST_PAUSE
    for _ in range(REFUSALS):
        await repairs.repair(table)
        clock.advance(pause - timedelta(seconds=1))
        assert repairs.paused(table.id)
        clock.advance(timedelta(seconds=1))
        assert not repairs.paused(table.id)
        pause *= 2
    clock.advance(LONGEST_PAUSE)
    repairs.forget_past()
    await repairs.repair(table)
    assert repairs.paused(table.id)
    clock.advance(SHORTEST_PAUSE)
    assert not repairs.paused(table.id)


def fallen_behind(clock: ManualClock) -> Table:
    people = (Human(PersonId(1)), Human(PersonId(2)))
    session = Session(GAME, GAME.settled({}), Pace.LIVE, host=PersonId(1), seats=people).start()
    return Table(SessionId(7), 1, session, Place(guild=10, channel=20), "en-US", clock.now(), None)
