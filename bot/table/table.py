"""A table: a session at its place in Discord."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final, NamedTuple, NewType

from bot.table.dice import Dice
from bot.table.seats import PersonId, word_of
from bot.table.session import Session, SessionId
from engine.game import Move

InteractionId = NewType("InteractionId", int)
"""Discord's id of a press or command, by which a repeated one is recognised."""

DISCORD_EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)
NO_CHANNEL: Final = 0
"""The channel of a game whose server is gone, or which a former player had in direct messages."""


class Award(NamedTuple):
    """A badge, by its key, that a person has earned by a game."""

    person: PersonId
    badge: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table's message is; `guild` is None in direct messages and group chats.

    `message` is None until it was sent, and after it was deleted; then it is `lost`, and only sent
    again if a player asks for it. In an `unreachable` place the bot is no member, and can only
    answer people who have added it to their account. The `thread` of the message is for talk and
    reminders; it is `NO_CHANNEL` if none could be opened.
    """

    guild: int | None
    channel: int
    message: int | None = None
    lost: bool = False
    unreachable: bool = False
    thread: int | None = None

    @property
    def home(self) -> int | None:
        """The server if the bot is a member: its settings apply, and its records count games."""
        return None if self.unreachable else self.guild

    @property
    def direct(self) -> bool:
        """Whether the place is one person's direct messages with the bot."""
        return self.guild is None and not self.unreachable


@dataclass(frozen=True, slots=True)
class Table:
    """A session at its place in Discord.

    `revision` grows by one with every change that a reader of the message should see. `due` is when
    the session's time limit passes, `remind_at` when the next reminder is due. `notice` is a person
    to tell that their challenge was accepted; `rematch` is the table that follows this one. `dice`
    are drawn when a table of a game with dice opens. `opened_at` is the time of the request by
    Discord's clock, or by the bot's if that is earlier. `awards` are those of a finished game.
    """

    id: SessionId
    revision: int
    session: Session
    place: Place
    locale: str
    moved_at: datetime
    due: datetime | None
    remind_at: datetime | None = None
    notice: PersonId | None = None
    rematch: SessionId | None = None
    dice: Dice | None = None
    opened_at: datetime = DISCORD_EPOCH
    awards: tuple[Award, ...] = ()

    @property
    def awaits_message(self) -> bool:
        """Whether dice cannot roll yet, as the id of the table's first message is not known."""
        return self.dice is not None and not self.dice.ready

    @property
    def unattended(self) -> bool:
        """Whether no person decides the next ply, and it can be played now."""
        return self.session.unattended and not self.awaits_message

    def pips(self, ply: int) -> Move:
        """The roll of the dice at a ply."""
        assert self.dice is not None, "a table of a game with dice has drawn them"
        return Move(self.dice.pips(self.id, ply, map(word_of, self.session.seats)))

    def opened_before(self, message: int) -> bool:
        """Whether this table was opened before a message was sent.

        A message from before is of another table of the same number, which a backup lacked that
        was put in place since. The clock by which it opened may be ahead of Discord's, and so of
        its own message.
        """
        first = (self.opened_at, *map(made_at, filter(None, [self.place.message])))
        return made_at(message) >= min(first)


@dataclass(frozen=True, slots=True)
class EndedTable:
    """A finished game in a list: its session without moves and seats, and when it ended.

    `own` says that the person who asks has played in it.
    """

    id: SessionId
    session: Session
    at: datetime
    own: bool


def made_like(now: datetime, rng: Random) -> int:
    """A new id in Discord's format, for something that no interaction has opened."""
    milliseconds = (now - DISCORD_EPOCH) // timedelta(milliseconds=1)
    return milliseconds << 22 | rng.getrandbits(22)


def made_at(snowflake: int) -> datetime:
    """When Discord made an id."""
    return DISCORD_EPOCH + timedelta(milliseconds=snowflake >> 22)
