"""Refusals that offer something instead: to close an old game, or to play computers.

A control carries what was asked for, so that nothing has to be remembered of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.games.command import Request
from bot.games.entry import Entry
from bot.message.blocks import Control, Prose, Row, Screen, Style, Tone
from bot.message.text import text
from bot.table.actions import Action
from bot.table.session import SessionId

COMPUTERS: Final = "computers"
"""The field of a command that says how many computers are wanted."""


@dataclass(frozen=True, slots=True)
class OpenInstead:
    """To open what a game's command asks for, as its `code` says, once the game `close` is closed.

    `close` is 0 where no game is in the way.
    """

    close: SessionId
    game: str
    code: str


@dataclass(frozen=True, slots=True)
class PressAgain:
    """To press a control of a table again once the game `close` is closed."""

    close: SessionId
    session: SessionId
    action: Action


def close_oldest(instead: OpenInstead | PressAgain, link: str) -> Screen:
    """That a person has as many games against computers as may be, with a way out."""
    asked = text("refusal.too_many_alone", link=link)
    control = Control(instead, text("control.close_oldest"), style=Style.PROMINENT)
    return Screen((Prose((asked,)), Row((control,))), Tone.WAITING)


def play_computers(entry: Entry, request: Request, *, read_by_one: bool) -> Screen:
    """That nobody can join, as where one person reads all, with a way to play computers."""
    controls: list[Control] = []
    for many in range(1, max(entry.game.seats)):
        asked = replace(request, values={**request.values, COMPUTERS: many})
        instead = OpenInstead(SessionId(0), entry.game.key, entry.command.encoded(asked))
        label = text("control.computers", count=many)
        controls.append(Control(instead, label, style=Style.PROMINENT))
    why = text("refusal.read_by_one" if read_by_one else "refusal.computers_alone")
    return Screen((Prose((why,)), Row(tuple(controls))), Tone.WAITING)


def moved_on(link: str) -> Screen:
    """That what was asked for has been done, and where."""
    return Screen((Prose((text("instead.done", link=link),)),), Tone.OVER)
