"""The message of a challenge, as long as it has not been taken up; who plays what, in full."""

from __future__ import annotations

from bot.games.catalogue import presenter_of
from bot.games.entry import Entry
from bot.message.blocks import Block, Control, Prose, Style, rows
from bot.message.text import Cell, Moment, Text, TextValue, named, player, text
from bot.screens.buttons import control
from bot.screens.dice import small_line
from bot.table.actions import Action
from bot.table.seats import Invited, Pace, PersonId
from bot.table.session import Session
from bot.table.table import Table
from engine.game import Options, Seat


def pace(chosen: Pace) -> Text:
    """The pace in words."""
    if chosen.turn is None:
        return text("pace.relaxed")
    return text("pace.limited", limit=chosen.turn)


def what(session: Session) -> Text:
    """The game and its rules."""
    rules = presenter_of(session).rules(session)
    return text("board.title", game=text(f"game.{session.game.key}"), rules=rules)


def variant_named(entry: Entry, options: Options) -> Text:
    """The name and the rules of a game in a variant, as a menu lists it."""
    session = Session(entry.game, options, Pace.LIVE, PersonId(0), ())
    game, rules = text(f"game.{entry.game.key}"), entry.presenter.rules(session)
    return text("tournament.game", game=game, rules=rules)


def emblem(session: Session, seat: int) -> Cell:
    """The sign of a seat."""
    return presenter_of(session).emblem(len(session.seats), Seat(seat))


def who(session: Session, seat: int) -> dict[str, TextValue]:
    """The sign of a seat and its player, as the values of a text."""
    return {"emblem": emblem(session, seat), "player": player(session.seats[seat])}


def title(session: Session) -> tuple[Text, ...]:
    """The game, its rules, and the players of its sides."""
    sides = (text("board.side", **who(session, seat)) for seat in range(len(session.seats)))
    return (what(session), *sides)


def invited(session: Session) -> tuple[PersonId, ...]:
    """The people whose answer a lobby waits for."""
    return tuple(seat.person for seat in session.seats if isinstance(seat, Invited))


def waiting(table: Table) -> tuple[Block, ...]:
    """The challenge, and how to answer it."""
    session = table.session
    asked = invited(session)
    host = named(session.host)
    if asked:
        call = text("lobby.challenge", host=host, person=named(asked[0]))
        answers: tuple[Control, ...] = (
            control(Action.ACCEPT, Style.GOOD),
            control(Action.DECLINE, Style.DANGEROUS),
        )
    else:
        call = text("lobby.open", host=host)
        answers = (control(Action.JOIN, Style.GOOD),)
    lines = [call, *title(session), pace(session.pace)]
    if table.due is not None:
        lines.append(text("lobby.until", deadline=Moment(table.due)))
    if table.dice is not None:
        lines.append(small_line(table))
    more = [control(Action.WITHDRAW), control(Action.HOW_TO)]
    if table.dice is not None:
        more.append(control(Action.PROOF))
    return Prose(tuple(lines)), *rows((*answers, *more))
