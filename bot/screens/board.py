"""The message of a game that runs: the board, whose turn it is, and what else can be done."""

from __future__ import annotations

from collections.abc import Iterable

from bot.games.entry import Presenter
from bot.message.blocks import Block, Control, Prose, Row, Style
from bot.message.text import Moment, Text, player, text
from bot.screens.title import promise, title
from bot.table.actions import Action
from bot.table.seats import Absent, Human, is_former
from bot.table.session import Session
from bot.table.table import Table


def playing(table: Table, presenter: Presenter) -> tuple[Block, ...]:
    """The board with all around it."""
    session = table.session
    return (
        Prose(title(session, presenter)),
        *presenter.board(session),
        Prose((*_news(table, presenter), *promise(table))),
        Row(tuple(_controls(session))),
    )


def _news(table: Table, presenter: Presenter) -> Iterable[Text]:
    session = table.session
    turn = whose_turn(session, presenter)
    if turn is None:
        return
    yield turn
    if session.turn_limit is not None and not session.lapsed and table.due is not None:
        yield text("board.until", deadline=Moment(table.due))
    elif session.pace.turn is None and len(session.people) > 1:
        yield text(f"pace.{session.pace}")
    if session.offer is not None:
        yield text("board.offer", player=player(session.seats[session.offer]))


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
    yield Control(Action.RESIGN, text("control.resign"), style=Style.DANGEROUS)
    if any(isinstance(seat, Absent) and not is_former(seat.person) for seat in session.seats):
        yield Control(Action.COME_BACK, text("control.come_back"))
    if session.gathers:
        yield Control(Action.RULES, text("control.rules"))
        yield Control(Action.VIEW, text("control.view"))
    if session.may_offer_draw:
        yield Control(Action.OFFER, text("control.offer"))
    if session.offer is not None:
        yield Control(Action.AGREE, text("control.agree"), style=Style.GOOD)
        yield Control(Action.REFUSE, text("control.refuse"))
    if session.lapsed:
        yield Control(Action.CLAIM, text("control.claim"), style=Style.GOOD)
