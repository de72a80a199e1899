"""Interactions: what a person did, and how the bot has answered so far."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.commands import OptionChoice
from bot.sandbox.model.components import Modal
from bot.sandbox.model.messages import Message
from bot.sandbox.payload import Payload, Snowflake, Timer
from bot.sandbox.refusals import NotAnswered


class Act(IntEnum):
    """The acts of people, by Discord's interaction types."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Answer(IntEnum):
    """The answers of a bot, by Discord's callback types."""

    MESSAGE = 4
    THINKING = 5
    LATER_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


class Progress(StrEnum):
    """The stages of an interaction."""

    PENDING = "pending"
    THINKING = "thinking"
    DONE = "done"
    FAILED = "failed"


@dataclass(eq=False, slots=True)
class Interaction:
    """One act of a person, live: it changes as the bot answers.

    `original` is the message of the first answer: for a press that updates, the one pressed.
    """

    id: Snowflake
    token: str
    act: Act
    person: Account
    channel: Channel
    data: Payload
    started: float
    owners: Payload
    """The ids of those who added the application: "0" the server, "1" a person."""
    source: Message | None = None
    trigger: Interaction | None = None
    """Of a filled-in modal: the interaction that the modal answered."""
    response: Answer | None = None
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    modal: Modal | None = None
    choices: tuple[OptionChoice, ...] = ()
    failed: bool = False
    deadline: Timer | None = None
    _waiting: list[asyncio.Future[None]] = field(default_factory=list)

    @property
    def progress(self) -> Progress:
        """The stage that the person sees."""
        if self.failed:
            return Progress.FAILED
        if self.response is None:
            return Progress.PENDING
        if self.original is not None and self.original.thinking:
            return Progress.THINKING
        return Progress.DONE

    @property
    def by_user_alone(self) -> bool:
        """Whether the application is there for what a person has added it, and no server."""
        return "0" not in self.owners

    @property
    def message(self) -> Message:
        """The message of the first answer: for a press that updates, the one pressed.

        Raises:
            LookupError: The first answer has no message, or there is none yet.
        """
        if self.original is None:
            answer = "no answer" if self.response is None else f"{self.response.name.lower()} alone"
            raise LookupError(f"{self.name} has got {answer}, and no message.")
        return self.original

    @property
    def name(self) -> str:
        """The act in short, for the messages of failing tests."""
        what = self.data.get("name") or self.data.get("custom_id")
        return f"{self.person.name}'s {self.act.name.lower()} {what}"

    async def answered(self) -> Interaction:
        """This interaction, as soon as the bot has acknowledged it.

        Raises:
            NotAnswered: Three seconds have passed.
        """
        if self.progress is Progress.PENDING:
            settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(settled)
            await settled
        if self.failed:
            raise NotAnswered(f"{self.name}: the bot did not answer within 3 s.")
        return self

    def acknowledge(self, answer: Answer) -> None:
        """Note the bot's first answer."""
        self.response = answer
        if self.deadline is not None:
            self.deadline.cancel()
        self._settle()

    def give_up(self) -> None:
        """Note that no answer came in time."""
        self.failed = True
        self._settle()

    def _settle(self) -> None:
        self.deadline = None
        for settled in self._waiting:
            if not settled.done():
                settled.set_result(None)
        self._waiting.clear()
