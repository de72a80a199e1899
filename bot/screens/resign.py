"""The question that a person answers before a game is given up."""

from __future__ import annotations

from bot.message.blocks import Prose, Row, Screen, Style, Tone
from bot.message.text import text
from bot.screens.buttons import control
from bot.table.actions import Action
from bot.table.rights import may_cancel
from bot.table.session import Session


def question(session: Session) -> Screen:
    """The consequences, and the button."""
    if may_cancel(session):
        asked, button = text("resign.cancel"), control(Action.CANCEL)
    else:
        asked = text("resign.leave") if _others_play_on(session) else text("resign.lose")
        button = control(Action.RESIGN, Style.DANGEROUS)
    return Screen((Prose((asked,)), Row((button,))), Tone.WAITING)


def done() -> Screen:
    """The message in the place of the question."""
    return Screen((Prose((text("resign.done"),)),), Tone.OVER)


def _others_play_on(session: Session) -> bool:
    return len(session.seats) > 2 and len(session.people) > 1
