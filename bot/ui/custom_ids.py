"""The ids of controls: what a control is for, written into its `custom_id` and read from it.

    p1:<session>:<ply>:<action>                  a control of a table, drawn for the board of a ply
    s1:<what>:<game>:<scope>:<person>:<number>   a page of statistics; `-` stands for all games
    s1:replay                                    the menu of games to step through
    g1:<player>:<number>                         a page of games; `-` stands for everybody
    e1:<number>                                  a page of help
    c1:<setting>                                 a control of the panel of `/me`
    f1:<decision>                                an answer to its question of forgetting
    k1:<setting>                                 a control of the panel of `/settings`
    h1:<what>:<game>:<scope>:<person>:<number>   to show such a page to everybody
    o1:<close>:<game>:<code>                     to close a game, and open what a command asks for
    r1:<close>:<session>:<action>                to close a game, and press a control of a table
    d1:<day>:<action>                            a control of the puzzle of a day, as 2026-05-01
    v1:<session>:<line>:<action>                 a control of a try at a finished game
    w1:<session>                                 the form of a word for the dice, filled in
    t1:<tournament>:<action>:<number>            a control of a tournament
    n1:<game>:…:<then>                           a control of the panel that opens one

An id says what was pressed, on which board, at which ply; never who may press, which is for the
session. No view is kept in discord.py: every press reaches the router as the bare interaction, from
a message of any age. (A `DynamicItem` would rebuild the whole view for each press: a third of the
time that answering one takes.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import date
from enum import StrEnum
from operator import call
from typing import Any, Final, TypeAlias

from bot.screens.games import GamesPage
from bot.screens.help import HelpPage
from bot.screens.instead import OpenInstead, PressAgain
from bot.screens.me import ForgetAnswer, OwnSetting
from bot.screens.pager import RecordKind, RecordsPage, Scope, SharedRecords, When
from bot.screens.settings import GuildSetting
from bot.screens.tournament import CupAction, TournamentControl
from bot.table.actions import Action
from bot.table.seats import Pace, PersonId
from bot.table.session import SessionId
from bot.table.variation import Variation
from bot.tournaments.event import TournamentDraft
from bot.tournaments.tournament import Format

ALL: Final = "-"
"""Stands for all games, or everybody."""

MOST_DIGITS: Final = 18
"""Longer numbers fit into no database."""

LARGEST_PERSON: Final = (1 << 63) - 1

DIGITS: Final = re.compile(r"[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True)
class BoardControl:
    """A control of a table's message."""

    session: SessionId
    ply: int
    action: str


@dataclass(frozen=True, slots=True)
class PuzzleControl:
    """A control of the puzzle of a day: a move, a hint, or to share how one did."""

    day: date
    action: str


@dataclass(frozen=True, slots=True)
class VariationControl:
    """A control of a try at a finished game, which carries all the moves that were made there."""

    session: SessionId
    variation: Variation
    action: str


@dataclass(frozen=True, slots=True)
class WordForm:
    """The form in which a player gives a word to the dice of a table."""

    session: SessionId


Ids: TypeAlias = (
    BoardControl
    | PuzzleControl
    | VariationControl
    | WordForm
    | RecordsPage
    | SharedRecords
    | GamesPage
    | HelpPage
    | OwnSetting
    | ForgetAnswer
    | GuildSetting
    | OpenInstead
    | PressAgain
    | TournamentControl
    | TournamentDraft
    | Action
)
"""The contents of an id. Of the actions, REPLAY alone has an id without a board."""


FORM_FIELD: Final = "field"
"""The id of the line of a form."""


def is_snowflake(value: str) -> bool:
    """Whether a text is an id of Discord's, as Discord writes it."""
    number = int(value) if DIGITS.fullmatch(value) else 0
    return 0 < number <= LARGEST_PERSON


def _person(part: str) -> PersonId:
    if int(part) > LARGEST_PERSON:
        raise ValueError(part)
    return PersonId(int(part))


def _or_all(make: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda part: None if part == ALL else make(part)


Make: TypeAlias = Callable[[str], Any]
"""Makes a part of an id, or raises a ValueError."""


def _when(part: str | None) -> When | None:
    """The season of a page; ids from before there were seasons lack it."""
    return None if part in {None, ALL} else When(part)


def _rounds(part: str | None) -> int:
    """The rounds that a draft asks for; ids from before they could be chosen lack them."""
    return int(part or 0)


_PAGE: Final[tuple[Make, ...]] = (RecordKind, _or_all(str), Scope, _person, int, _when)
_PAGE_LOOKS: Final = r"(\w+):([\w-]+):(\w+):(\d{1,19}):(\d{1,6})(?::(-|\w+))?"

GRAMMAR: Final[Mapping[str, tuple[type[Ids], tuple[Make, ...], str]]] = {
    "p1": (BoardControl, (int, int, str), r"(\d{1,18}):(\d{1,9}):([a-z0-9_-]{1,48})"),
    "s1": (RecordsPage, _PAGE, _PAGE_LOOKS),
    "h1": (SharedRecords, _PAGE, _PAGE_LOOKS),
    "o1": (OpenInstead, (int, str, str), r"(\d{1,18}):([a-z0-9_]{1,32}):([\d-]{1,25})"),
    "r1": (PressAgain, (int, int, Action), r"(\d{1,18}):(\d{1,18}):(start|rematch)"),
    "d1": (PuzzleControl, (date.fromisoformat, str), r"([\d-]{10}):(m\d{1,9}|hint|share|solve)"),
    "v1": (VariationControl, (int, Variation.read, str), r"(\d{1,18}):([一-跿]{1,95}):([\w-]+)"),
    "w1": (WordForm, (int,), r"(\d{1,18})"),
    "g1": (GamesPage, (_or_all(_person), int), r"(-|\d{1,19}):(\d{1,6})"),
    "e1": (HelpPage, (int,), r"(\d{1,6})"),
    "c1": (OwnSetting, (str,), r"(\w+)"),
    "f1": (ForgetAnswer, (str,), r"(\w+)"),
    "k1": (GuildSetting, (str,), r"(\w+)"),
    "t1": (TournamentControl, (_person, CupAction, int), r"(\d{1,19}):(\w+):(\d{1,9})"),
    "n1": (
        TournamentDraft,
        (str, str, Format, int, Pace, str, str, _rounds),
        r"(\w{1,32}):(\w{1,16}):(\w+):(\d{1,2}):(\w+):(\w{1,8}):(\w{0,8})(?::(\d))?",
    ),
}
"""The kinds of ids by their beginning: what makes the parts, and their looks."""

_PREFIXES: Final = {kind: prefix for prefix, (kind, *_) in GRAMMAR.items()} | {Action: "s1"}
_REPLAY: Final = f"s1:{Action.REPLAY}"
_LOOKS: Final = {prefix: re.compile(looks, re.ASCII) for prefix, (*_, looks) in GRAMMAR.items()}


def read(custom_id: str) -> Ids | None:
    """Read an id; None for one of another version, or of none."""
    if custom_id == _REPLAY:
        return Action.REPLAY
    prefix, _, parts = custom_id.partition(":")
    found = _LOOKS[prefix].fullmatch(parts) if prefix in GRAMMAR else None
    if found is None:
        return None
    kind, makers, _ = GRAMMAR[prefix]
    with suppress(ValueError):
        return kind(*map(call, makers, found.groups()))
    return None


def board_id(session: SessionId, ply: int, action: object) -> str:
    """The id of a control that does `action` on the board of `ply`."""
    return f"p1:{session}:{ply}:{action}"


def puzzle_id(day: date, action: object) -> str:
    """The id of a control that does `action` with the puzzle of a day."""
    return page_id(PuzzleControl(day, str(action)))


def variation_id(session: SessionId, line: str, action: object) -> str:
    """The id of a control that does `action` where a try at a finished game stands."""
    return f"v1:{session}:{line}:{action}"


def page_id(ids: Any) -> str:  # noqa: ANN401 - of any kind
    """The id of a control that says all of what it does."""
    parts = (ids,) if isinstance(ids, StrEnum) else astuple(ids)
    said = (ALL if part is None else str(part) for part in parts)
    return ":".join((_PREFIXES[type(ids)], *said))


def game_number(typed: str | None) -> SessionId | None:
    """The number of a game as it was typed; 0, which is no game's, for what is none."""
    if typed is None:
        return None
    return SessionId(int(typed) if typed.isdecimal() and len(typed) <= MOST_DIGITS else 0)
