"""The buttons of a game besides moves: a few on its board, the rest behind *More*.

*More* opens a panel for one reader, with what that person may do. A board with few such buttons
shows them itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, TypeAlias

from bot.message.blocks import PAIR, WITH_WORDS, Control, Prose, Row, Screen, Style, Tone, rows
from bot.message.text import Moment, text
from bot.screens.buttons import control, offered
from bot.screens.dice import named_game
from bot.table.actions import Action
from bot.table.refusals import Refusal
from bot.table.rights import has_outlasted, may_cancel, would_lose
from bot.table.seat_log import BoardLook, Rolls
from bot.table.seats import PersonId
from bot.table.session import Phase, Session
from bot.table.table import Table

Controls: TypeAlias = tuple[Control, ...]

ON_BOARD: Final = (Action.HINT,)
BEHIND_MORE: Final = (
    *(Action.VIEW, Action.RULES, Action.PROOF, Action.WHY, Action.AUTO_ROLL),
    *(Action.TAKE_BACK, Action.OFFER, Action.COME_BACK, Action.ASK_TO_RESIGN, Action.CANCEL),
)
"""The buttons of a running game on its board, and in its panel, in order, as far as offered."""
AFTERWARDS: Final = (Action.REPLAY, Action.REVIEW, Action.SHARE_GAME)
LOOKING_BACK: Final = (Action.REPLAY, Action.VIEW, Action.PROOF)
"""The buttons of a finished game on its board, and in its panel."""


def besides(session: Session, answers: Controls = ()) -> Controls:
    """The buttons of a board besides its moves: `answers`, *More*, and a few others.

    All are on the board if they fit in a line. Otherwise *More* comes before buttons that are not
    always offered, so that it keeps its place.
    """
    few, behind = _offered(session, ON_BOARD), _offered(session, BEHIND_MORE)
    if answers:
        taken = {answer.action for answer in answers}
        behind = tuple([each for each in behind if each.action not in taken])
    pictured = session.preferences.board is BoardLook.PICTURE
    if len(answers) + len(few) + len(behind) <= (PAIR if pictured else WITH_WORDS):
        return (*answers, *few, *behind)
    return (*answers, control(Action.MORE), *few)


def afterwards(session: Session) -> Controls:
    """The buttons of a finished game, besides *Rematch*."""
    if session.position is None:
        return ()
    few, behind = _offered(session, AFTERWARDS), _offered(session, LOOKING_BACK)
    if all(each in few for each in behind):
        return few
    shown = [each for each in few if each not in behind]
    return (*shown, control(Action.MORE)) if shown else behind


def more(table: Table, reader: PersonId) -> Screen:
    """The panel behind *More* with the buttons that the reader may press.

    Raises:
        Refusal: There are none, as for a person who does not play.
    """
    session = table.session
    running = session.phase is Phase.RUNNING
    behind = BEHIND_MORE if running else LOOKING_BACK
    may = [action for action in offered(behind, session) if _may(session, action, reader)]
    if not may:
        raise Refusal("not_at_table")
    lines = [text("more.title", **named_game(table))]
    if Action.AUTO_ROLL in may:
        stops = session.rolls is Rolls.WITH_STOPS
        lines.append(text(f"more.auto_roll.{'stops' if stops else _switch(session)}"))
    if table.due is not None and would_lose(session):
        lines.append(text("more.lost", deadline=Moment(table.due)))
    tone = Tone.RUNNING if running else Tone.OVER
    return Screen((Prose(tuple(lines)), *rows(_controls(session, may), PAIR)), tone)


def with_way_back(screen: Screen) -> Screen:
    """A screen shown in the panel's message, with a button back to the panel."""
    *above, last = screen.blocks
    back = control(Action.BACK_TO_MORE)
    if isinstance(last, Row) and len(last.controls) < WITH_WORDS:
        return replace(screen, blocks=(*above, Row((*last.controls, back))))
    return replace(screen, blocks=(*screen.blocks, Row((back,))))


def resign_question(session: Session) -> Screen:
    """The consequences of giving a game up, and the button."""
    if may_cancel(session):
        asked, button = text("resign.cancel"), control(Action.CANCEL)
    else:
        asked = text(_leads_to(session))
        button = control(Action.RESIGN, Style.DANGEROUS)
    return Screen((Prose((asked,)), Row((button,))), Tone.WAITING)


def _leads_to(session: Session) -> str:
    if len(session.seats) > 2 and len(session.people) > 1:
        return "resign.leave"
    return "resign.last" if has_outlasted(session) else "resign.lose"


def _offered(session: Session, actions: Iterable[Action]) -> Controls:
    return _controls(session, offered(actions, session))


def _controls(session: Session, actions: Iterable[Action]) -> Controls:
    return tuple(
        [
            control(action) if action is not Action.AUTO_ROLL else _switch_of_dice(session)
            for action in actions
        ]
    )


def _switch_of_dice(session: Session) -> Control:
    return Control(Action.AUTO_ROLL, text(f"control.auto_roll.{_switch(session)}"))


def _switch(session: Session) -> str:
    return "off" if session.rolls.automatic else "on"


def _may(session: Session, action: Action, reader: PersonId) -> bool:
    """Whether this person may press a button."""
    try:
        action.button.right(session, reader, session.ply)
    except Refusal:
        return False
    return True
