"""The message of a game that runs: whose turn it is, the board, its buttons, what happened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from bot.games.entry import Presenter
from bot.message.blocks import Block, Control, Prose, Row, Style
from bot.message.text import Moment, Text, player, text
from bot.screens.title import FEWER_LINES, LINES, below
from bot.table.actions import Action
from bot.table.seats import Absent, BoardLook, Human, is_former
from bot.table.session import Session
from bot.table.table import Table

BESIDE: Final = 5
"""So many controls stand side by side."""
BESIDE_ON_A_PHONE: Final = 3
"""So many controls with words are side by side on a phone."""
ROWS_BESIDE_A_STORY: Final = 2
"""With more rows of buttons than these there is room for few other lines."""
CROWDED: Final = 3
"""From so many choices on, which take two lines of a phone, the other controls are signs alone."""

SIGNS: Final[Mapping[object, str]] = {
    Action.VIEW: "🖼️",
    Action.RULES: "📖",
    Action.AUTO_ROLL: "🔁",
    Action.PROOF: "🎲",
    Action.TAKE_BACK: "↩️",
    Action.ASK_TO_RESIGN: "🏳️",
    Action.CANCEL: "❌",
}


def playing(
    table: Table, presenter: Presenter, look: BoardLook = BoardLook.EMOJI
) -> tuple[Block, ...]:
    """The board with all around it."""
    session = table.session
    choices = presenter.choices(session)
    buttons = tuple(_buttons(session, choices))
    lines = FEWER_LINES if len(choices) > 1 or len(buttons) > ROWS_BESIDE_A_STORY else LINES
    if session.turn_limit is not None:  # then the first line may wrap
        lines -= 1
    return (
        Prose((*_news(table, presenter),)),
        *presenter.board(session, look),
        *buttons,
        Prose((*below(table, presenter, lines),)),
    )


def _buttons(session: Session, choices: tuple[Control, ...]) -> Iterator[Row]:
    """The choices and all else that can be done, in at most three lines of a phone."""
    controls = (*_answers(session), *_controls(session))
    if len(choices) < 2:
        yield from rows((*choices, *controls), BESIDE_ON_A_PHONE)
    elif len(choices) < CROWDED:
        yield from (*rows(choices), *rows(controls, BESIDE_ON_A_PHONE))
    else:
        signs = [_as_sign(control) for control in controls]
        undo = [sign for sign in signs if sign.action is Action.TAKE_BACK]
        yield from rows((*choices, *undo))
        yield from rows(sign for sign in signs if sign not in undo)


def _as_sign(control: Control) -> Control:
    sign = SIGNS.get(control.action)
    return control if sign is None else replace(control, label=None, emoji=sign)


def rows(controls: Iterable[Control], beside: int = BESIDE) -> Iterable[Row]:
    """Controls, so many in a row."""
    listed = tuple(controls)
    for first in range(0, len(listed), beside):
        yield Row(listed[first : first + beside])


def _news(table: Table, presenter: Presenter) -> Iterable[Text]:
    session = table.session
    turn = whose_turn(session, presenter)
    if turn is None:
        return
    limited = session.turn_limit is not None and not session.lapsed
    if limited and table.due is not None:
        yield text("board.until", turn=turn, deadline=Moment(table.due))
    else:
        yield turn
    if session.pace.turn is None and len(session.people) > 1:
        yield text(f"pace.{session.pace}")
    if session.offer is not None:
        yield text("board.offer", player=player(session.seats[session.offer]))
    if session.take_back is not None:
        yield text("board.take_back", player=player(session.seats[session.take_back]))


def whose_turn(session: Session, presenter: Presenter) -> Text | None:
    """Whose turn it is, and to do what; None unless the game runs."""
    if session.turn is None or session.mover is None:
        return None
    emblem = presenter.emblem(len(session.seats), session.turn)
    return text(_turn_key(session), emblem=emblem, player=player(session.mover))


def _turn_key(session: Session) -> str:
    if not isinstance(session.mover, Human):
        return "board.thinking"
    if session.lapsed:
        return "board.lapsed"
    return "board.roll" if session.rolling else "board.turn"


def _controls(session: Session) -> Iterable[Control]:
    if session.gathers:
        yield Control(Action.VIEW, text("control.view"))
        yield Control(Action.RULES, text("control.rules"))
    if session.game.dice:
        style = Style.GOOD if session.auto_roll else Style.PLAIN
        yield Control(Action.AUTO_ROLL, text("control.auto_roll"), style=style)
        yield Control(Action.PROOF, text("control.proof"))
    if session.cancellable:
        yield Control(Action.CANCEL, text("control.cancel"))
    else:
        yield Control(Action.ASK_TO_RESIGN, text("control.resign"))
    if session.may_take_back:
        yield Control(Action.TAKE_BACK, text("control.take_back"))
    if session.may_offer_draw:
        yield Control(Action.OFFER, text("control.offer"))


def _answers(session: Session) -> Iterable[Control]:
    """The answers to what is open: a claim, a question, a seat that waits."""
    if session.lapsed:
        yield Control(Action.CLAIM, text("control.claim"), style=Style.GOOD)
    if session.take_back is not None:
        yield Control(Action.ALLOW_TAKE_BACK, text("control.allow_take_back"), style=Style.GOOD)
        yield Control(Action.REFUSE_TAKE_BACK, text("control.refuse_take_back"))
    if session.offer is not None:
        yield Control(Action.AGREE, text("control.agree"), style=Style.GOOD)
        yield Control(Action.REFUSE, text("control.refuse"))
    if any(isinstance(seat, Absent) and not is_former(seat.person) for seat in session.seats):
        yield Control(Action.COME_BACK, text("control.come_back"))
