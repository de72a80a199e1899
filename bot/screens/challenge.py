"""The message of a challenge, as long as it has not been taken up; who plays what, in full."""

from __future__ import annotations

from bot.games.entry import Presenter
from bot.message.blocks import Block, Control, Prose, Row, Style
from bot.message.text import Moment, Text, named, side, text
from bot.table.actions import Action
from bot.table.seats import Invited, PersonId
from bot.table.session import Session
from bot.table.table import Table
from engine.game import Seat


def what(session: Session, presenter: Presenter) -> Text:
    """What is played, by which rules."""
    return text(
        "board.title", game=text(f"game.{session.game.key}"), rules=presenter.rules(session)
    )


def title(session: Session, presenter: Presenter) -> tuple[Text, ...]:
    """What is played, by which rules, who has which side."""
    sides = (
        side(presenter.emblem(len(session.seats), Seat(index)), occupant)
        for index, occupant in enumerate(session.seats)
    )
    return (what(session, presenter), *sides)


def invited(session: Session) -> tuple[PersonId, ...]:
    """The people whose answer a lobby waits for."""
    return tuple(seat.person for seat in session.seats if isinstance(seat, Invited))


def waiting(table: Table, presenter: Presenter) -> tuple[Block, ...]:
    """The challenge, and how to answer it."""
    session = table.session
    asked = invited(session)
    host = named(session.host)
    if asked:
        call = text("lobby.challenge", host=host, person=named(asked[0]))
        answers: tuple[Control, ...] = (
            Control(Action.ACCEPT, text("control.accept"), style=Style.GOOD),
            Control(Action.DECLINE, text("control.decline"), style=Style.DANGEROUS),
        )
    else:
        call = text("lobby.open", host=host)
        answers = (Control(Action.JOIN, text("control.join"), style=Style.GOOD),)
    withdraw = Control(Action.WITHDRAW, text("control.withdraw"))
    lines = [call, *title(session, presenter), text(f"pace.{session.pace}")]
    if table.due is not None:
        lines.append(text("lobby.until", deadline=Moment(table.due)))
    how_to = Control(Action.HOW_TO, text("control.how_to"))
    return Prose(tuple(lines)), Row((*answers, withdraw, how_to))
