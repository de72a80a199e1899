"""Messages: who wrote them, what they say now, who may see them, whom they notified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntFlag
from typing import Final

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.components import (
    Button,
    Component,
    Control,
    Gallery,
    GalleryItem,
    Select,
    SelectMenu,
    every,
    texts,
)
from bot.sandbox.model.files import MessageFile
from bot.sandbox.payload import Payload, Snowflake, moment


class Flag(IntFlag):
    """Discord's message flags, as far as the sandbox knows them."""

    SUPPRESS_EMBEDS = 1 << 2
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


PLAIN: Final = Flag(0)
"""No flags at all."""


@dataclass(frozen=True, slots=True)
class Body:
    """All that an edit can change."""

    content: str = ""
    components: Sequence[Component] = ()
    attachments: tuple[MessageFile, ...] = ()
    flags: Flag = PLAIN
    mentions: tuple[Account, ...] = ()
    everyone: bool = False


@dataclass(eq=False, slots=True)
class Message:
    """A message, live: it changes when the bot edits it.

    `reader` is the only person who sees it, of an ephemeral message. `origin` is what Discord
    tells about the interaction that it answers.
    """

    id: Snowflake
    channel: Channel
    author: Account
    written: float
    body: Body
    kind: int = 0
    reader: Account | None = None
    origin: Payload = field(default_factory=dict)
    reference: Snowflake | None = None
    pinged: frozenset[str] = frozenset()
    """The names of those who were notified when it was written."""
    edits: int = 0
    """The number of changes, the first text of a "thinking" message included."""
    edited: float | None = None
    deleted: bool = False
    _payload: Payload | None = None

    def rewrite(self, body: Body, now: float) -> None:
        """Put `body` in the place of what it said."""
        self.body = body
        self.edits += 1
        self.edited = now
        self._payload = None

    @property
    def place(self) -> Payload:
        """Where it is, as Discord sends it."""
        guild_id = self.channel.guild_id
        server: Payload = {} if guild_id is None else {"guild_id": str(guild_id)}
        return {"channel_id": str(self.channel.id)} | server

    @property
    def ephemeral(self) -> bool:
        """Whether one person alone sees it."""
        return self.reader is not None

    @property
    def thinking(self) -> bool:
        """Whether it only says that the bot is thinking."""
        return Flag.LOADING in self.body.flags

    @property
    def text(self) -> str:
        """All that can be read in it, outside buttons and menus."""
        parts = (self.body.content, *texts(self.body.components))
        return "\n".join(part for part in parts if part)

    @property
    def controls(self) -> list[Control]:
        """Its buttons and menus from top to bottom."""
        return [each for each in every(self.body.components) if isinstance(each, Control)]

    @property
    def buttons(self) -> list[Button]:
        """Its buttons from top to bottom, row by row."""
        return [each for each in self.controls if isinstance(each, Button)]

    @property
    def menus(self) -> list[SelectMenu]:
        """Its menus of any kind, from top to bottom."""
        return [each for each in self.controls if not isinstance(each, Button)]

    @property
    def selects(self) -> list[Select]:
        """Its menus of the bot's own lines, from top to bottom."""
        return [each for each in self.controls if isinstance(each, Select)]

    @property
    def attachments(self) -> tuple[MessageFile, ...]:
        """Its files, those too that a component shows."""
        return self.body.attachments

    @property
    def pictures(self) -> list[GalleryItem]:
        """The pictures among its components, from top to bottom."""
        galleries = (each for each in every(self.body.components) if isinstance(each, Gallery))
        return [picture for gallery in galleries for picture in gallery.items]

    def payload(self) -> Payload:
        """The message as Discord sends it."""
        if self._payload is None:
            self._payload = self._told()
        return self._payload

    def _told(self) -> Payload:
        body = self.body
        told: Payload = {
            "id": str(self.id),
            "channel_id": str(self.channel.id),
            "type": self.kind,
            "author": self.author.payload(),
            "content": body.content,
            "embeds": [],
            "components": [component.payload() for component in body.components],
            "attachments": list(self._listed()),
            "flags": body.flags.value,
            "mentions": [account.payload() for account in body.mentions],
            "mention_roles": [],
            "mention_everyone": body.everyone,
            "timestamp": moment(self.written),
            "edited_timestamp": None if self.edited is None else moment(self.edited),
            "pinned": False,
            "tts": False,
            **self.origin,
        }
        if self.reference is not None:
            told["message_reference"] = {"type": 0, "message_id": str(self.reference)} | self.place
        return told

    def _listed(self) -> Iterator[Payload]:
        # Discord leaves out what components show.
        shown = {each.file.id for each in self.pictures}
        private: Payload = {"ephemeral": True} if self.ephemeral else {}
        for attachment in self.body.attachments:
            if attachment.id not in shown:
                yield attachment.payload() | private
