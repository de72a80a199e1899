"""The ids of controls: what a control is for, written into its `custom_id` and read from it.

    p1:<session>:<ply>:<action>                  a control of a table, drawn for the board of a ply
    s1:<what>:<game>:<scope>:<person>:<number>   a page of statistics; `-` stands for all games
    s1:replay                                    the menu of games to step through
    g1:<player>:<number>                         a page of games; `-` stands for everybody
    f1:<decision>                                an answer to the question of `/me forget`
    h1:<what>:<game>:<scope>:<person>:<number>   to show such a page to everybody
    o1:<close>:<game>:<code>                     to close a game, and open what a command asks for
    r1:<close>:<session>:<action>                to close a game, and press a control of a table
    d1:<day>:<action>                            a control of the puzzle of a day, as 2026-05-01
    w1:<session>                                 the form of a word for the dice, filled in

An id says what was pressed, on which board, at which ply. It never says who may press; that is for
the session. discord.py knows nothing of our buttons: every press reaches the router as the bare
interaction, from a message of any age, before and after a restart, and no view is kept for it. (A
`DynamicItem` would do as much, but it rebuilds the whole view from the message for each press: a
third of the time that answering one takes.)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import date
from typing import Final, TypeAlias

import discord

from bot.games.catalogue import CATALOGUE
from bot.screens.forget import Decision
from bot.screens.games import Listing
from bot.screens.instead import Open, Repeat
from bot.screens.pager import Page, Scope, Shared, What
from bot.screens.replay import STEPS
from bot.table.actions import Action, is_rule, shown_ply
from bot.table.seats import PersonId
from bot.table.session import SessionId

ALL: Final = "-"
"""Stands for all games, or everybody."""

MOST_DIGITS: Final = 18
"""Longer numbers fit into no database."""

LARGEST_PERSON: Final = (1 << 63) - 1
"""The largest number of a person that fits into one."""


@dataclass(frozen=True, slots=True)
class BoardControl:
    """A control of a table's message."""

    session: SessionId
    ply: int
    action: str


@dataclass(frozen=True, slots=True)
class PuzzleControl:
    """A control of the puzzle of a day: a move, or to share how one did."""

    day: date
    action: str


@dataclass(frozen=True, slots=True)
class WordForm:
    """The form in which a player gives a word to the dice of a table."""

    session: SessionId


Ids: TypeAlias = (
    BoardControl
    | PuzzleControl
    | WordForm
    | Page
    | Shared
    | Listing
    | Decision
    | Open
    | Repeat
    | Action
)
"""What an id says. Of the actions, REPLAY alone has one without a board."""

PRIVATE: Final = frozenset(
    {*STEPS, Action.RESIGN, Action.SHARE_REPLAY, Action.SHARE_REVIEW, Action.TREE}
)
"""The actions of a table whose controls stand on a message for one reader, as those of rules do."""

ANYWHERE: Final = frozenset(
    {
        *(Action.SHARE, Action.VIEW, Action.HOW_TO, Action.RULES, Action.PROOF),
        *(Action.REPLAY, Action.AS_TEXT, Action.AS_JSON, Action.WHY, Action.REVIEW),
    }
)
"""The actions of a table that answer with a message of their own, wherever they are pressed."""

_KIND: Final = re.compile(r"^(?:(p1:\d+)|[sh](1)|(\w))", re.MULTILINE)
"""What the ids of one message's controls have in common: a table, pages, or a kind of question."""

LOOKED_THROUGH: Final = 50
"""How many messages of a channel may have come since that of a new table."""


def _board_control(session: str, ply: str, action: str) -> BoardControl:
    return BoardControl(SessionId(int(session)), int(ply), action)


def _puzzle_control(day: str, action: str) -> PuzzleControl | None:
    with suppress(ValueError):
        return PuzzleControl(date.fromisoformat(day), action)
    return None


def _word_form(session: str) -> WordForm:
    return WordForm(SessionId(int(session)))


def _page(what: str, game: str, scope: str, person: str, number: str) -> Page | None:
    every = game == ALL and what == What.HISTORY
    whose = _person(person)
    if whose is None or (not every and game not in CATALOGUE):
        return None
    return Page(What(what), None if every else game, Scope(scope), whose, int(number))


def _person(number: str) -> PersonId | None:
    return PersonId(int(number)) if int(number) <= LARGEST_PERSON else None


def _shared(*parts: str) -> Shared | None:
    page = _page(*parts)
    return None if page is None else Shared(page)


def _open(close: str, game: str, code: str) -> Open:
    return Open(SessionId(int(close)), game, code)


def _repeat(close: str, session: str, action: str) -> Repeat:
    return Repeat(SessionId(int(close)), SessionId(int(session)), Action(action))


def _listing(player: str, number: str) -> Listing | None:
    whose = None if player == ALL else _person(player)
    return None if whose is None and player != ALL else Listing(whose, int(number))


def _either(values: type[What | Scope | Decision]) -> str:
    return f"({'|'.join(values)})"


_PREFIXES: Final = {Open: "o1", Repeat: "r1", PuzzleControl: "d1", WordForm: "w1"}
_PAGE: Final = rf"{_either(What)}:([a-z0-9_-]+):{_either(Scope)}:([0-9]{{1,19}}):([0-9]{{1,6}})"
_NUMBER: Final = rf"([0-9]{{1,{MOST_DIGITS}}})"

GRAMMARS: Final[tuple[tuple[re.Pattern[str], Callable[..., Ids | None]], ...]] = (
    (
        re.compile(rf"p1:([0-9]{{1,{MOST_DIGITS}}}):([0-9]{{1,9}}):([a-z0-9_-]{{1,48}})"),
        _board_control,
    ),
    (re.compile(rf"s1:{_PAGE}"), _page),
    (re.compile(rf"h1:{_PAGE}"), _shared),
    (re.compile(rf"o1:{_NUMBER}:([a-z0-9_]{{1,32}}):([0-9-]{{1,25}})"), _open),
    (re.compile(rf"r1:{_NUMBER}:{_NUMBER}:({Action.START}|{Action.REMATCH})"), _repeat),
    (
        re.compile(rf"d1:([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}):(m[0-9]{{1,9}}|{Action.SHARE})"),
        _puzzle_control,
    ),
    (re.compile(rf"w1:{_NUMBER}"), _word_form),
    (re.compile(r"s1:(replay)"), Action),
    (re.compile(rf"g1:({ALL}|[0-9]{{1,19}}):([0-9]{{1,6}})"), _listing),
    (re.compile(rf"f1:{_either(Decision)}"), Decision),
)
"""The ids there are, each with what makes of its parts what it says."""


def read(custom_id: str) -> Ids | None:
    """What an id says; None for one of another version, or of none."""
    for grammar, made in GRAMMARS:
        if found := grammar.fullmatch(custom_id):
            return made(*found.groups())
    return None


def board_id(session: SessionId, ply: int, action: object) -> str:
    """The id of a control that does `action` on the board of `ply`."""
    return f"p1:{session}:{ply}:{action}"


def puzzle_id(day: date, action: object) -> str:
    """The id of a control that does `action` with the puzzle of a day."""
    return page_id(PuzzleControl(day, str(action)))


def page_id(ids: object) -> str:
    """The id of a control that says all of what it does."""
    match ids:
        case Page(what, game, scope, person, number):
            return f"s1:{what}:{game or ALL}:{scope}:{person}:{number}"
        case Shared(page):
            return page_id(page).replace("s1", "h1", 1)
        case Open() | Repeat() | PuzzleControl() | WordForm():
            return ":".join((_PREFIXES[type(ids)], *map(str, astuple(ids))))
        case Listing(player, number):
            return f"g1:{ALL if player is None else player}:{number}"
        case Decision():
            return f"f1:{ids}"
        case _:
            assert ids is Action.REPLAY, ids
            return f"s1:{ids}"


def game_number(typed: str | None) -> SessionId | None:
    """The number of a game as it was typed; 0, which is no game's, for what is none."""
    if typed is None:
        return None
    return SessionId(int(typed) if typed.isdecimal() and len(typed) <= MOST_DIGITS else 0)


def belongs(ids: Ids, message: discord.Message, *, boards_for_one: bool = False) -> bool:
    """Whether a control stands on a message of the kind that it is made for.

    Pages and questions are for one reader, boards for all unless Discord shows them to one; and a
    control stands among others of its kind, those of one table together, unless it stands alone.
    """
    if isinstance(ids, BoardControl):
        own, private = board_id(ids.session, ids.ply, ids.action), _is_private(ids.action)
    else:
        own, private = page_id(ids), True
    for_one = message.flags.ephemeral
    if private not in {None, for_one} and not (boards_for_one and for_one):
        return False
    kinds = Counter(_KIND.findall("\n".join(custom_ids(message))))
    return kinds[_KIND.findall(own)[0]] == max(kinds.values(), default=0)


def _is_private(action: str) -> bool | None:
    """Whether a table's action is for one reader; None if it may stand anywhere."""
    if action in ANYWHERE:
        return None
    return action in PRIVATE or is_rule(action) or shown_ply(action) is not None


def custom_ids(message: discord.Message) -> list[str]:
    """The ids of a message's controls."""
    found: list[str] = []
    ahead: list[object] = [*message.components]
    while ahead:
        component = ahead.pop()
        custom_id = getattr(component, "custom_id", None)
        if custom_id is not None:
            found.append(custom_id)
        ahead += getattr(component, "children", ())
    return found


async def found(channel: discord.PartialMessageable, session: SessionId) -> int | None:
    """The message of a table, if Discord has taken it without being able to say so."""
    own = board_id(session, 0, "").removesuffix("0:")
    return await _sent(channel, lambda each: any(i.startswith(own) for i in custom_ids(each)))


async def written(channel: discord.PartialMessageable, words: str) -> int | None:
    """The message that has these words, if Discord has taken it without being able to say so."""
    return await _sent(channel, lambda each: each.content == words)


async def _sent(
    channel: discord.PartialMessageable, wanted: Callable[[discord.Message], bool]
) -> int | None:
    try:
        async for message in channel.history(limit=LOOKED_THROUGH):
            if wanted(message):
                return message.id
    except discord.Forbidden:  # then there is no way to know
        return None
    return None
