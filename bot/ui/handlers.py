"""The way from a control to its handler, and the context that a handler is given.

A handler says itself which controls it answers:

    @answers(Action.FIRST, Action.LAST)     by their members of the enum of their kind
    @answers(RecordsPage)                   all of a kind, by the type of their ids

Ids that are a member go to its handler, others to that of their kind. The handler of a kind whose
ids hold more than a member, such as the table of a button, finds that, and goes on to the member's.

One that posts for all in the channel is marked with @shares, below @answers.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import wraps
from typing import Any, Final, TypeAlias, TypeVar, cast

from discord import File, Interaction, Thread
from discord.ui import LayoutView

from bot.message.blocks import Screen
from bot.message.text import Text
from bot.screens.table_panel import with_way_back
from bot.service.tables import Archive
from bot.table.refusals import Refusal
from bot.table.seats import PersonId
from bot.table.table import Place, Table
from bot.ui.custom_ids import is_in_words, is_panel
from bot.ui.render import board_view
from bot.ui.response import NOBODY, Response
from bot.ui.words import Speech, Words, place_of

SHARE: Final = 20.0
"""The cost of a message for all, in presses, so that nobody fills a channel with them."""


@dataclass(slots=True)
class Context:
    """The context a handler receives: the interaction, its response, who asks, and where.

    `message` is the one whose button was pressed, if any; `values` are those chosen in a menu, and
    `filled` has the answers of a form by the names of its questions. Handlers store the pressed
    `table` here, as last read. `charge` takes a cost from the person's allowance, or raises
    `Refusal` if less is left.
    """

    interaction: Interaction[Any]
    response: Response
    speech: Speech
    by: PersonId
    charge: Callable[[float], None]
    message: int | None
    values: tuple[str, ...] = ()
    filled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    table: Table | None = None

    @property
    def chosen(self) -> str:
        """The first value chosen; empty if there is none."""
        return next(iter(self.values), "")

    @property
    def place(self) -> Place:
        """The channel where the person asks."""
        return place_of(self.interaction)

    @property
    def seen_by_all(self) -> bool:
        """Whether all in the channel see the message whose control was used."""
        message = self.interaction.message
        return message is not None and not message.flags.ephemeral

    @property
    def parent(self) -> int | None:
        """The channel of the thread where the person asks; None outside of threads."""
        channel = self.interaction.channel
        return channel.parent_id if isinstance(channel, Thread) else None

    @property
    def read_by_one(self) -> bool:
        """Whether Discord shows all answers only to the person who asks.

        That is so in servers without the bot, if the person lacks *Use External Apps*.
        """
        if self.interaction.guild_id is None or self.interaction.is_guild_integration():
            return False
        return not self.interaction.permissions.use_external_apps

    @property
    def manages(self) -> bool:
        """Whether the person may manage the server."""
        may = self.interaction.permissions
        return may.manage_guild or may.administrator

    @property
    def writes(self) -> bool:
        """Whether the person may write in the channel."""
        may = self.interaction.permissions
        if self.interaction.guild_id is None:
            return True
        return may.send_messages if self.parent is None else may.send_messages_in_threads

    @property
    def words(self) -> Words:
        """Words in the person's language, by their present choice."""
        return self.speech.to(self.interaction)

    @property
    def words_for_all(self) -> Words:
        """Words for a message that a person posts for all in the channel."""
        return self.speech.to_all(self.interaction)

    def words_about(self, table: Table) -> Words:
        """Words for a message for all about a game: in the game's language in its own channel."""
        here = table.place.channel == self.place.channel
        return self.speech.words(table.locale) if here else self.words_for_all

    @property
    def in_panel(self) -> bool:
        """Whether the button that was pressed stands in the panel behind *More*."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral and is_panel(message)

    @property
    def in_words(self) -> bool:
        """Whether the button that was pressed stands below a board in words."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral and is_in_words(message)

    def admit(self, table: Table) -> Table:
        """The table itself, if the person may look at its finished game here.

        Raises:
            Refusal: As in `Archive.admit`.
        """
        return Archive.admit(table, channel=self.place.channel, by=self.by)

    async def present(
        self, screen: Screen, table: Table, *files: File, instead: bool = False
    ) -> None:
        """Show a screen to the person who asks, in a panel or with `instead` in its message."""
        shown = with_way_back(screen) if self.in_panel else screen
        view = board_view(shown, table, self.words)
        if instead or self.in_panel:
            await self.response.show(view, files)
        else:
            await self.response.say(view, *files)

    async def share(self, view: LayoutView, picture: File | None = None) -> None:
        """Post a message for all in the channel, in a handler that `shares`."""
        await self.response.post(view, NOBODY, picture)

    async def tell(self, *lines: Text, files: Sequence[File] = ()) -> None:
        """Tell something to the person who asks, and to nobody else."""
        await self.response.say("\n".join(map(self.words.line, lines)), *files)


Handler: TypeAlias = Callable[[Context, Any], Awaitable[Any]]
"""Answers a control; takes the context and the parsed id, or what its kind's handler passes."""

Method = TypeVar("Method", bound=Callable[..., Awaitable[Any]])

_MARK: Final = "answered_controls"


def answers(*controls: StrEnum | type[Any]) -> Callable[[Method], Method]:
    """Mark a method as the handler of these controls, or of all controls of a kind."""

    def marked(method: Method) -> Method:
        setattr(method, _MARK, controls)
        return method

    return marked


def shares(method: Method) -> Method:
    """Refuse who may not write in the channel, or shares too often, before a handler runs."""

    @wraps(method)
    async def asked(owner: object, ctx: Context, ids: object) -> None:
        if not ctx.writes:
            raise Refusal("cannot_share")
        ctx.charge(SHARE)
        await method(owner, ctx, ids)

    return cast("Method", asked)


class Handlers:
    """The handlers of controls: methods marked with `@answers`."""

    def __init__(self) -> None:
        self._by_control: dict[object, Handler] = {}

    def add(self, *owners: object) -> None:
        """Gather the marked methods of objects.

        Raises:
            ValueError: Two of them answer the same control.
        """
        for owner in owners:
            for name, method in vars(type(owner)).items():
                for control in getattr(method, _MARK, ()):
                    if _key(control) in self._by_control:
                        raise ValueError(f"{control!r} has two handlers.")
                    self._by_control[_key(control)] = getattr(owner, name)

    def get(self, control: object) -> Handler | None:
        """The handler of exactly this member or kind, if there is one."""
        return self._by_control.get(_key(control))

    def __getitem__(self, ids: object) -> Handler:
        """The handler of a parsed id.

        Raises:
            KeyError: Neither the member nor its kind has one.
        """
        return self.get(ids) or self._by_control[type(ids)]


def _key(control: object) -> object:
    """A key with the type, as members of different `StrEnum`s are equal if their values are."""
    return (type(control), control) if isinstance(control, StrEnum) else control
