"""Refusals that offer something instead: to close an old game, or to play computers.

The request is written into the control's id, so that nothing has to be stored.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Final

from bot.games.command import Request
from bot.games.entry import Entry
from bot.message.blocks import Control, Prose, Row, Screen, Style, Tone, id_kind
from bot.message.text import Moment, text
from bot.table.actions import Action
from bot.table.rights import would_lose
from bot.table.session import SessionId
from bot.table.table import Table

COMPUTERS: Final = "computers"
"""The field of a command that says how many computers are wanted."""


@id_kind("o1")
@dataclass(frozen=True, slots=True)
class OpenInstead:
    """A request to open a table by its `code`, after closing the game `close`, unless that is 0."""

    close: SessionId
    game: str
    code: str


@id_kind("r1")
@dataclass(frozen=True, slots=True)
class PressAgain:
    """A request to press a button again after closing the game `close`."""

    close: SessionId
    session: SessionId
    action: Annotated[Action, f"{Action.START}|{Action.REMATCH}"]


def close_oldest(instead: OpenInstead | PressAgain, oldest: Table, link: str) -> Screen:
    """The offer to close a person's oldest game, as they play enough against computers."""
    loses = would_lose(oldest.session)
    asked = text(
        "refusal.too_many_alone.lost" if loses else "refusal.too_many_alone",
        game=text(f"game.{oldest.session.game.key}"),
        time=Moment(oldest.opened_at),
        link=link,
    )
    control = Control(instead, text("control.close_oldest"), style=Style.PROMINENT)
    return Screen((Prose((asked,)), Row((control,))), Tone.WAITING)


def play_computers(entry: Entry, request: Request, *, read_by_one: bool) -> Screen:
    """The offer of games against computers, as nobody else can join."""
    controls: list[Control] = []
    for many in range(1, max(entry.game.seats)):
        asked = replace(request, values={**request.values, COMPUTERS: many})
        instead = OpenInstead(SessionId(0), entry.game.key, entry.command.encoded(asked))
        label = text("control.computers", count=many)
        controls.append(Control(instead, label, style=Style.PROMINENT))
    why = text("refusal.read_by_one" if read_by_one else "refusal.computers_alone")
    return Screen((Prose((why,)), Row(tuple(controls))), Tone.WAITING)
