"""The ids of controls: what a control is for, written into its `custom_id` and read from it.

    p1:<session>:<ply>:<action>      a control of a table, drawn for the board of a ply; with
                                     `:<line>` it counts only after the same moves
    v1:<session>:<line>:<action>     a control of a try at a finished game
    d1:<day>:<action>                a control of the puzzle of a day, as 2026-05-01

All others are declared where they are drawn, by `id_kind` (see `bot.message.blocks`).

An id says what was pressed, on which board, at which ply. Who may press it is decided by the
session. No view is registered with discord.py: every press reaches the router as an interaction,
from a message of any age. (A `DynamicItem` would rebuild the whole view for each press, a third of
the time that an answer takes.)

The ids of its controls also tell what a message is: the board of a table, a panel, a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, astuple, dataclass, fields
from datetime import date
from enum import StrEnum
from types import NoneType
from typing import Annotated, Any, Final, TypeAlias, get_args, get_origin, get_type_hints

import discord

from bot.message.blocks import KINDS, PREFIXES, Menu, Picker, Row, Screen, id_kind
from bot.screens.table_panel import BEHIND_MORE, LOOKING_BACK
from bot.table.actions import Action, parsed
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.table.variation import Variation
from bot.tournaments.tournament import TournamentId
from bot.ui.permissions import permissions_in

ALL: Final = "-"
"""Stands for all games, or everybody."""

MOST_DIGITS: Final = 18
"""The most digits of a number of a game; longer ones do not fit into the database."""

LARGEST_PERSON: Final = (1 << 63) - 1

DIGITS: Final = re.compile(r"[1-9][0-9]{0,18}")


@id_kind("p1")
@dataclass(frozen=True, slots=True)
class BoardControl:
    """A control of a table's message; `line` is empty for one that counts after any moves."""

    session: SessionId
    ply: int
    action: str
    line: Annotated[str, r"[0-9a-f]{8}"] = ""


@id_kind("d1")
@dataclass(frozen=True, slots=True)
class PuzzleControl:
    """A control of the puzzle of a day: a move, a hint, or to share how one did."""

    day: date
    action: Annotated[str, r"m\d{1,9}|hint|share|solve"]


@id_kind("v1")
@dataclass(frozen=True, slots=True)
class VariationControl:
    """A control of a try at a finished game; its id contains the whole line of moves."""

    session: SessionId
    variation: Variation
    action: str


def is_snowflake(value: str) -> bool:
    """Whether a text is a Discord id as Discord writes it, without leading zeros."""
    number = int(value) if DIGITS.fullmatch(value) else 0
    return 0 < number <= LARGEST_PERSON


Make: TypeAlias = Callable[[str], Any]
"""Parses a part of an id, or raises a ValueError."""


def _snowflake(part: str) -> int:
    if int(part) > LARGEST_PERSON:
        raise ValueError(part)
    return int(part)


PARTS: Final[Mapping[object, tuple[str, Make]]] = {
    int: (r"\d{1,9}", int),
    str: (r"[\w-]{0,48}", str),
    SessionId: (rf"\d{{1,{MOST_DIGITS}}}", int),
    PersonId: (r"\d{1,19}", _snowflake),
    TournamentId: (r"\d{1,19}", _snowflake),
    date: (r"\d{4}-\d\d-\d\d", date.fromisoformat),
    Variation: (r"[一-跿]{1,95}", Variation.read),
}
"""The regular expression and the parser of a part by its type; `_part` adds enums."""


def _part(hint: Any) -> tuple[str, Make]:  # noqa: ANN401 - of any type
    """The regular expression and the parser of a part, by the type of its field.

    `X | None` also matches `-`; `Annotated[X, pattern]` has a pattern of its own.
    """
    if NoneType in get_args(hint):
        (kind,) = (each for each in get_args(hint) if each is not NoneType)
        looks, make = _part(kind)
        return f"{ALL}|{looks}", lambda part: None if part == ALL else make(part)
    if get_origin(hint) is Annotated:
        kind, looks = get_args(hint)
        return looks, _part(kind)[1]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return "|".join(map(re.escape, hint)), hint
    return PARTS[hint]


def _grammar(kind: Any) -> tuple[re.Pattern[str], Sequence[Make]]:  # noqa: ANN401 - a type
    """The regular expression of a kind's ids after the prefix, and the parser of each part.

    Fields with a default may be missing at the end, as earlier versions wrote ids without them.
    """
    if issubclass(kind, StrEnum):
        looks, make = _part(kind)
        return re.compile(f":({looks})"), (make,)
    hints = get_type_hints(kind, include_extras=True)
    pattern, makers = "", list[Make]()
    for each in reversed(fields(kind)):
        looks, make = _part(hints[each.name])
        pattern = f":({looks}){pattern}"
        if each.default is not MISSING:
            pattern = f"(?:{pattern})?"
        makers.insert(0, make)
    return re.compile(pattern, re.ASCII), makers


_GRAMMARS: Final[dict[type[Any], tuple[re.Pattern[str], Sequence[Make]]]] = {}
"""The grammars of the kinds that were read so far."""


def read(custom_id: str) -> object | None:
    """Parse the id of a control; None if this version does not know it."""
    prefix = custom_id.partition(":")[0]
    for kind in KINDS.get(prefix, ()):
        looks, makers = _GRAMMARS.get(kind) or _GRAMMARS.setdefault(kind, _grammar(kind))
        found = looks.fullmatch(custom_id, len(prefix))
        if found is not None:
            there = [part for part in found.groups() if part is not None]
            with suppress(ValueError):
                made: object = kind(
                    *[make(part) for make, part in zip(makers, there, strict=False)]
                )
                return made
    return None


def board_id(session: SessionId, ply: int, action: object) -> str:
    """The id of a control that does `action` on the board of `ply`."""
    return f"p1:{session}:{ply}:{action}"


def puzzle_id(day: date, action: object) -> str:
    """The id of a control that does `action` with the puzzle of a day."""
    return page_id(PuzzleControl(day, str(action)))


def variation_id(session: SessionId, line: str, action: object) -> str:
    """The id of a control below a try at other moves in a finished game."""
    return f"v1:{session}:{line}:{action}"


def page_id(ids: Any) -> str:  # noqa: ANN401 - of any kind
    """The id of a control with the fields of `ids`, such as `t1:<tournament>:join:0`."""
    parts = (ids,) if isinstance(ids, StrEnum) else astuple(ids)
    said = (ALL if part is None else str(part) for part in parts)
    return ":".join((PREFIXES[type(ids)], *said))


def game_number(typed: str | None) -> SessionId | None:
    """The number of a game as typed; 0, which no game has, if the text is no number."""
    if typed is None:
        return None
    return SessionId(int(typed) if typed.isdecimal() and len(typed) <= MOST_DIGITS else 0)


LOOKED_THROUGH: Final = 50
"""The number of latest messages of a channel that are searched for one of the bot's."""

Control: TypeAlias = discord.Button | discord.SelectMenu


def is_board(message: discord.Message, session: SessionId) -> bool:
    """Whether a message is the board of a table: it has a control found only on boards."""
    found = board_controls(message)
    return any(ids.session == session and _stands_on_boards(ids) for ids in found)


def table_on(message: discord.Message) -> SessionId | None:
    """The table that a message's controls are of; None for any other message."""
    return next((ids.session for ids in board_controls(message)), None)


def is_panel(message: discord.Message) -> bool:
    """Whether a message is the panel behind *More*, or one that leads back to it."""
    found = {ids.action for ids in board_controls(message)}
    behind = found <= {*BEHIND_MORE} or found <= {*LOOKING_BACK}
    return Action.BACK_TO_MORE in found or (len(found) > 1 and behind)


def is_in_words(message: discord.Message) -> bool:
    """Whether a message is the board in words for one reader, of a running game."""
    return any(ids.action == Action.IN_WORDS for ids in board_controls(message))


def board_controls(message: discord.Message) -> list[BoardControl]:
    """Read the controls of a table on a message."""
    found = (read(each.custom_id) for each in controls(message) if each.custom_id is not None)
    return [ids for ids in found if isinstance(ids, BoardControl)]


NO_BUTTON: Final = "."
"""Stands in a layout for what cannot be pressed, or is no button of a table."""


def layout_of(screen: Screen) -> str:
    """The layout of a message: its rows with the actions of a table's enabled buttons."""
    lines = (
        [str(each.action) if each.enabled else NO_BUTTON for each in block.controls]
        if isinstance(block, Row)
        else [NO_BUTTON]
        for block in screen.blocks
        if isinstance(block, Row | Menu | Picker)
    )
    return "\n".join(map(" ".join, lines))


def layout_on(message: discord.Message) -> str:
    """The layout that a message has, as of its screen."""
    lines = ([_on_button(each) for each in line.children] for line in _rows(message.components))
    return "\n".join(map(" ".join, lines))


def _on_button(each: object) -> str:
    if not isinstance(each, discord.Button) or each.disabled or each.custom_id is None:
        return NO_BUTTON
    ids = read(each.custom_id)
    return ids.action if isinstance(ids, BoardControl) else NO_BUTTON


def places(layout: str) -> dict[str, tuple[int, int, int]]:
    """The places of buttons by action: row from the top, from the end, column.

    Both row numbers are needed, as messages grow at either end.
    """
    rows = layout.split("\n")
    return {
        word: (row, row - len(rows), place)
        for row, line in enumerate(rows)
        for place, word in enumerate(line.split(" "))
        if word != NO_BUTTON
    }


def _rows(components: Iterable[object]) -> Iterator[discord.ActionRow]:
    for each in components:
        if isinstance(each, discord.ActionRow):
            yield each
        else:
            yield from _rows(getattr(each, "children", ()))


def _stands_on_boards(ids: BoardControl) -> bool:
    """Whether a control is found only on boards, never on messages for one reader."""
    action, _ = parsed(ids.action)
    return action is None or action.button.private is False


def control_on(message: discord.Message, custom_id: str) -> Control | None:
    """The button or menu of a message with this id, if there is one."""
    return next((each for each in controls(message) if each.custom_id == custom_id), None)


def custom_ids(message: discord.Message) -> list[str]:
    """The ids of a message's controls."""
    return [each.custom_id for each in controls(message) if each.custom_id is not None]


def controls(message: discord.Message) -> list[Control]:
    """The buttons and menus of a message."""
    return [
        each
        for row in _rows(message.components)
        for each in row.children
        if isinstance(each, Control)
    ]


class NoHistory(Exception):
    """The bot may not read a channel's messages, for which Discord would return an empty list."""


async def found_by(channel: discord.PartialMessageable, begin: str) -> int | None:
    """The latest message of a channel with a control whose id begins with these parts."""

    def has_control(message: discord.Message) -> bool:
        return any(f"{each}:".startswith(f"{begin}:") for each in custom_ids(message))

    return await found_in(channel, has_control)


async def found_in(
    channel: discord.PartialMessageable, sought: Callable[[discord.Message], bool]
) -> int | None:
    """The id of the latest message that is `sought`, among the last 50 of a channel.

    Raises:
        NoHistory: The bot may not read the channel's messages.
    """
    if not permissions_in(channel.guild, channel.id).read_message_history:
        raise NoHistory
    async for message in channel.history(limit=LOOKED_THROUGH):
        if sought(message):
            return message.id
    return None
