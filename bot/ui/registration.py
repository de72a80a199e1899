"""Registering commands and emoji with Discord, which one process does for all."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from discord import HTTPException
from discord.app_commands import CommandTree

from bot.locales import Language
from bot.screens.board import LOOK
from bot.service.reminder_rounds import ReminderRounds
from bot.service.use_cases import UseCases
from bot.ui.boards import Boards
from bot.ui.commands import commands
from bot.ui.commands.slash import SlashCommands, Translator, translated
from bot.ui.connection import ConnectionRefused
from bot.ui.discord_internals import register_commands, registered_commands
from bot.ui.emojis import Emojis
from bot.ui.errors import BAD_REQUEST, UNDELIVERED
from bot.ui.retries import Retries
from bot.ui.router import Router
from bot.ui.tournament_messages import TournamentMessages
from bot.ui.words import Speech

log = logging.getLogger(__name__)

COMMANDS_NOTE: Final = "commands"
LOOK_NOTE: Final = "look"

FIELD: Final = re.compile(r"^In (\d+)\.(.+)$", re.MULTILINE)
"""Matches a line of discord.py's error about a command's field that Discord refuses."""

Registered: TypeAlias = Sequence[Mapping[str, Any]]
"""Commands as Discord describes them."""

REFUSED: Final = (
    "Discord refuses to register the commands: {fields} Correct what these texts say in "
    "bot/locales, or install Parlour again."
)


class Registration:
    """Registers commands and emoji if this process has that task, and reads what is registered."""

    def __init__(
        self,
        tree: CommandTree[Any],
        use_cases: UseCases,
        router: Router,
        languages: Mapping[str, Language],
        *,
        speech: Speech,
        emojis: Emojis,
        retries: Retries,
    ) -> None:
        self._slash = SlashCommands(router, languages)
        self._tree = tree
        self._use_cases = use_cases
        self._notes = use_cases.stores.notes
        self._registers = use_cases.stores.share.first
        self._languages = languages
        self._speech = speech
        self._emojis = emojis
        self._retries = retries
        self.emoji_ready = asyncio.Event()

    def add_commands(
        self,
        boards: Boards,
        reminders: ReminderRounds,
        tournaments: TournamentMessages,
        *,
        source: str | None,
        checker: Callable[[], str | None],
    ) -> None:
        """Make the commands, and add them to the tree.

        Raises:
            MissingText: The catalogues lack one of their texts.
        """
        asked = self._use_cases
        found = commands(
            asked, boards, reminders, tournaments, self._slash, source=source, checker=checker
        )
        for command in found:
            self._tree.add_command(command)

    async def begin(self) -> None:
        """Register the commands if they have changed, as Discord limits registrations.

        If Discord refuses one, those that are registered already stay.

        Raises:
            ConnectionRefused: Discord refuses one, and none are registered.
        """
        registered = await self._retries.send(self._fetch)
        if self._registers:
            registered = await self._register(registered)
        self._speech.commands.update(_mentions(registered))
        await self._emojis.find()

    async def look_again(self) -> None:
        """Read what another process has registered, until nothing is missing."""
        if not self._named() <= self._speech.commands.keys():
            try:
                self._speech.commands.update(_mentions(await self._fetch()))
            except UNDELIVERED as error:  # the next round asks again
                log.info("commands not found error=%r", error)
        if not self._emojis.all_found:
            await self._emojis.find()

    async def use_emoji(self, boards: Boards) -> None:
        """Upload missing emoji, at the start and whenever some are lost, until cancelled.

        A note keeps `LOOK` and the emoji's ids; if it has changed, all boards are redrawn.
        """
        while True:
            await self._emojis.upload()
            ids = sorted(self._emojis.ids.values())
            look, before = json.dumps([LOOK, ids]), await self._notes.read(LOOK_NOTE)
            if before != look:
                await boards.redraw(lost_emoji=bool({*_emoji(before)}.difference(ids)))
                await self._notes.write(LOOK_NOTE, look)
            self.emoji_ready.set()
            await self._emojis.lost()

    async def _register(self, registered: Registered) -> Registered:
        """Register the commands unless nothing has changed; return those registered."""
        keyed = [
            await command.get_translated_payload(self._tree, Translator())
            for command in self._tree.get_commands()
        ]
        payload = translated(keyed, self._languages)
        if await self._notes.read(COMMANDS_NOTE) == _note(payload, registered):
            return registered
        asked = partial(register_commands, self._tree.client, payload)
        try:
            registered = await self._retries.send(asked)
        except HTTPException as error:
            if error.status != BAD_REQUEST:
                raise
            fields = refused_fields(error, [command["name"] for command in payload])
            if not registered:
                raise ConnectionRefused(REFUSED.format(fields=fields)) from None
            log.error("commands stay as they were registered: Discord refuses %s", fields)  # noqa: TRY400 - the fields say it
            return registered
        await self._notes.write(COMMANDS_NOTE, _note(payload, registered))
        log.info("commands registered count=%d", len(registered))
        return registered

    async def _fetch(self) -> Registered:
        return await registered_commands(self._tree.client)

    def _named(self) -> set[str]:
        return {command.name for command in self._tree.get_commands()}


def _mentions(registered: Registered) -> Mapping[str, str]:
    """The mentions of registered commands by name, such as `</games:123>`."""
    return {each["name"]: f"</{each['name']}:{each['id']}>" for each in registered}


def _note(payload: Any, registered: Registered) -> str:  # noqa: ANN401
    """A digest of the payload and of what Discord has, which others may have changed."""
    versions = sorted((each["id"], each.get("version", "")) for each in registered)
    return hashlib.sha256(json.dumps([payload, versions], sort_keys=True).encode()).hexdigest()


def refused_fields(error: HTTPException, names: Sequence[str]) -> str:
    """The fields of commands that Discord refuses, each with its reason, in one line.

    Discord numbers commands: `3.options.0.description` becomes `/games options.0.description`.
    """
    found = [
        f"/{names[int(number)]} {field}"
        for number, field in FIELD.findall(error.text)
        if int(number) < len(names)
    ]
    return "; ".join(found) or " ".join(error.text.split())


def _emoji(look: str | None) -> list[int]:
    """The ids of emoji in a note of how boards look; empty if this version cannot read it."""
    try:
        _, ids = json.loads(look or "")
        return [*map(int, ids)]
    except (ValueError, TypeError):  # such as the digest of an older version
        return []
