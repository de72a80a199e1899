"""The message of a game that runs: whose turn it is, the board, its buttons, what happened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.games.entry import Presenter
from bot.message.blocks import Block, Control, Prose, Row, Style
from bot.message.text import Moment, Text, player, text
from bot.screens.title import below
from bot.table.actions import Action
from bot.table.seats import Absent, BoardLook, Human, is_former
from bot.table.session import Session
from bot.table.table import Table

BESIDE: Final = 5
"""So many controls stand side by side."""


def playing(
    table: Table, presenter: Presenter, look: BoardLook = BoardLook.EMOJI
) -> tuple[Block, ...]:
    """The board with all around it."""
    session = table.session
    choices, controls = presenter.choices(session), tuple(_controls(session))
    beside = min(1 + session.may_take_back, BESIDE - len(choices))
    return (
        Prose((*_news(table, presenter),)),
        *presenter.board(session, look),
        *rows((*choices, *controls[:beside])),
        *rows(controls[beside:]),
        Prose((*below(table, presenter, choosing=len(choices) > 1),)),
    )


def rows(controls: Iterable[Control]) -> Iterable[Row]:
    """Controls, as many in a row as there is room for."""
    listed = tuple(controls)
    for first in range(0, len(listed), BESIDE):
        yield Row(listed[first : first + BESIDE])


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
    emblem = presenter.emblem(session, session.turn)
    return text(_turn_key(session), emblem=emblem, player=player(session.mover))


def _turn_key(session: Session) -> str:
    if not isinstance(session.mover, Human):
        return "board.thinking"
    if session.lapsed:
        return "board.lapsed"
    return "board.roll" if session.rolling else "board.turn"


def _controls(session: Session) -> Iterable[Control]:
    yield from _answers(session)
    if session.gathers:
        yield Control(Action.VIEW, text("control.view"))
    if session.may_take_back:
        yield Control(Action.TAKE_BACK, text("control.take_back"))
    if session.gathers:
        yield Control(Action.RULES, text("control.rules"))
    if session.game.dice:
        style = Style.GOOD if session.auto_roll else Style.PLAIN
        yield Control(Action.AUTO_ROLL, text("control.auto_roll"), style=style)
    if session.cancellable:
        yield Control(Action.CANCEL, text("control.cancel"))
    else:
        yield Control(Action.ASK_TO_RESIGN, text("control.resign"))
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
