"""The question that a person answers before a game is given up."""

from __future__ import annotations

from bot.message.blocks import Control, Prose, Row, Screen, Style, Tone
from bot.message.text import text
from bot.table.actions import Action
from bot.table.session import Session


def question(session: Session) -> Screen:
    """What would happen, and the control that does it."""
    if session.cancellable:
        asked, control = text("resign.cancel"), Control(Action.CANCEL, text("control.cancel"))
    else:
        asked = text("resign.leave") if _others_play_on(session) else text("resign.lose")
        control = Control(Action.RESIGN, text("control.resign"), style=Style.DANGEROUS)
    return Screen((Prose((asked,)), Row((control,))), Tone.WAITING)


def done() -> Screen:
    """What takes the place of the question."""
    return Screen((Prose((text("resign.done"),)),), Tone.OVER)


def _others_play_on(session: Session) -> bool:
    return len(session.seats) > 2 and len(session.people) > 1
