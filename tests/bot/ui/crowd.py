"""Many tables at once, put into the store: opened by commands they would take minutes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from random import randbytes

import discord

from bot.sandbox import Channel
from bot.storage.messages import Messages
from bot.table.seats import PersonId
from bot.table.table import InteractionId, Place, Table
from tests.bot.english import piece
from tests.bot.kit import new_game, table_of
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui.conftest import RunningBot

LATE = piece("board.lapsed")


async def crowd(
    running_bot: RunningBot, many: int, *, drawn: bool = True, remind_in: timedelta | None = None
) -> list[Table]:
    """Games between Ann and Ben that run in the channel, due after their time limit.

    Their messages are there; unless `drawn` they show nothing of the game yet.
    """
    messages = await asyncio.gather(*(_sent(running_bot, running_bot.games) for _ in range(many)))
    tables = [
        running_bot.store.open(_begun(running_bot, message, remind_in), InteractionId(message))
        for message in messages
    ]
    opened = await asyncio.gather(*tables)
    if drawn:
        await Messages(running_bot.store).save_shown({table.id: table.revision for table in opened})
    return opened


async def _sent(running_bot: RunningBot, channel: Channel) -> int:
    view = discord.ui.LayoutView()
    view.add_item(discord.ui.TextDisplay("…"))
    there = running_bot.client.get_partial_messageable(int(channel.id))
    sent = await there.send(view=view, nonce=randbytes(12).hex())
    return sent.id


def _begun(running_bot: RunningBot, message: int, remind_in: timedelta | None) -> Table:
    ann, ben = (PersonId(int(person.id)) for person in running_bot.people[:2])
    now = running_bot.clock.now()
    place = Place(int(running_bot.games.guild_id or 0), int(running_bot.games.id), message)
    remind_at = None if remind_in is None else now + remind_in
    return replace(table_of(new_game("tictactoe", ann, ben), now, place), remind_at=remind_at)


class Requests:
    """The requests of the bot, by method and path, as they are answered."""

    def __init__(self, method: str, path: str) -> None:
        self._wanted = (method, path)
        self.statuses: list[int] = []

    def __call__(self, seen: Observed) -> None:
        if isinstance(seen, Exchange) and (seen.method, seen.path) == self._wanted:
            self.statuses.append(seen.status)
