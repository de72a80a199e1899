"""Names and avatars of players, as Discord tells them in a second."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import Final

import discord

from bot.screens.profiles import Profile, Profiles
from bot.table.seats import FORMER_PLAYERS, PersonId
from bot.ui.errors import UNDELIVERED

KNOWN_WITHIN: Final = 1.0
"""Seconds for which a picture waits for its players' names and avatars."""

MOST_ASKED_FOR: Final = 32
"""The most players whose profiles are fetched: the first ones of a picture."""


async def profiles_of(
    client: discord.Client, guild: int | None, people: Iterable[PersonId]
) -> Profiles:
    """The names of players in a guild, and their avatars if Discord sends them in time."""
    found = dict[PersonId, Profile]()
    home = None if guild is None else client.get_guild(guild)

    async def look_up(person: PersonId) -> None:
        with suppress(*UNDELIVERED, discord.DiscordException):
            if home is None or person in FORMER_PLAYERS:
                return
            member = await home.fetch_member(person)
            found[person] = Profile(member.display_name)
            own = member.guild_avatar or member.avatar
            if own is not None:
                png = await own.with_size(64).with_static_format("png").read()
                found[person] = Profile(member.display_name, png)

    with suppress(TimeoutError):
        async with asyncio.timeout(KNOWN_WITHIN):
            await asyncio.gather(*map(look_up, islice(people, MOST_ASKED_FOR)))
    return found
