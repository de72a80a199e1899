"""The message of a table: what everyone in the channel sees, whatever the game.

The game's presenter draws the board; what surrounds it is the same for all games: who plays whom,
whose turn it is and until when, what may be done besides moving, and how it ended.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from bot.actions import Action
from bot.catalogue import BY_KEY
from bot.presenter import (
    Block,
    Control,
    Mention,
    Moment,
    Presenter,
    Prose,
    Row,
    Screen,
    Style,
    Text,
    Tone,
    player,
    text,
)
from bot.seats import Computer, Invited, PersonId
from bot.session import Ending, Phase, Session
from engine.game import Seat

TONES: Final = {
    Phase.LOBBY: Tone.WAITING,
    Phase.RUNNING: Tone.RUNNING,
    Phase.FINISHED: Tone.OVER,
    Phase.ABANDONED: Tone.OVER,
}


def screen(session: Session, *, due: datetime | None) -> Screen:
    """The message of a session; `due` is when its patience runs out."""
    presenter = BY_KEY[session.game.key].presenter
    match session.phase:
        case Phase.LOBBY:
            blocks = _lobby(session, presenter, due)
        case Phase.RUNNING:
            blocks = _running(session, presenter, due)
        case _:
            blocks = _over(session, presenter)
    notifies = invited(session) if session.phase is Phase.LOBBY else ()
    return Screen(blocks, TONES[session.phase], notifies=notifies)


def invited(session: Session) -> tuple[PersonId, ...]:
    """The people whose answer a lobby waits for."""
    return tuple(seat.person for seat in session.seats if isinstance(seat, Invited))


def title(session: Session, presenter: Presenter) -> tuple[Text, ...]:
    """What is played, by which rules, who has which side."""
    name = text(f"game.{session.game.key}")
    what = text("board.title", game=name, rules=presenter.rules(session))
    sides = (
        text("board.side", emblem=presenter.emblem(session, Seat(index)), player=player(occupant))
        for index, occupant in enumerate(session.seats)
    )
    return (what, *sides)


def _lobby(session: Session, presenter: Presenter, due: datetime | None) -> tuple[Block, ...]:
    asked = invited(session)
    host = Mention(session.host)
    if asked:
        call = text("lobby.challenge", host=host, person=Mention(asked[0]))
        answers: tuple[Control, ...] = (
            Control(Action.ACCEPT, text("control.accept"), style=Style.GOOD),
            Control(Action.DECLINE, text("control.decline"), style=Style.DANGEROUS),
        )
    else:
        call = text("lobby.open", host=host)
        answers = (Control(Action.JOIN, text("control.join"), style=Style.GOOD),)
    withdraw = Control(Action.WITHDRAW, text("control.withdraw"))
    lines = [call, *title(session, presenter), text(f"pace.{session.pace}")]
    if due is not None:
        lines.append(text("lobby.until", deadline=Moment(due)))
    return Prose(tuple(lines)), Row((*answers, withdraw))


def _running(session: Session, presenter: Presenter, due: datetime | None) -> tuple[Block, ...]:
    return (
        Prose(title(session, presenter)),
        *presenter.board(session),
        Prose(tuple(_news(session, presenter, due))),
        Row(tuple(_controls(session))),
    )


def _news(session: Session, presenter: Presenter, due: datetime | None) -> list[Text]:
    turn = session.turn
    if turn is None or session.mover is None:
        return []
    values = {"emblem": presenter.emblem(session, turn), "player": player(session.mover)}
    lines = [text(_turn_key(session), **values)]
    if session.turn_limit is not None and not session.lapsed and due is not None:
        lines.append(text("board.until", deadline=Moment(due)))
    elif session.pace.turn is None and len(session.people) > 1:
        lines.append(text(f"pace.{session.pace}"))
    if session.offer is not None:
        lines.append(text("board.offer", player=player(session.seats[session.offer])))
    return lines


def _turn_key(session: Session) -> str:
    if isinstance(session.mover, Computer):
        return "board.thinking"
    return "board.lapsed" if session.lapsed else "board.turn"


def _controls(session: Session) -> list[Control]:
    controls = [Control(Action.RESIGN, text("control.resign"), style=Style.DANGEROUS)]
    if session.may_offer_draw:
        controls.append(Control(Action.OFFER, text("control.offer")))
    if session.offer is not None:
        controls.append(Control(Action.AGREE, text("control.agree"), style=Style.GOOD))
        controls.append(Control(Action.REFUSE, text("control.refuse")))
    if session.lapsed:
        controls.append(Control(Action.CLAIM, text("control.claim"), style=Style.GOOD))
    return controls


def _over(session: Session, presenter: Presenter) -> tuple[Block, ...]:
    heading = Prose(title(session, presenter))
    board = presenter.board(session) if session.position is not None else ()
    outcome = Prose((_outcome(session, presenter),))
    if session.phase is Phase.ABANDONED:
        return heading, *board, outcome
    rematch = Control(Action.REMATCH, text("control.rematch"), style=Style.PROMINENT)
    return heading, *board, outcome, Row((rematch,))


def _outcome(session: Session, presenter: Presenter) -> Text:
    if session.phase is Phase.ABANDONED or session.payoff is None:
        asked = invited(session) if session.ending is Ending.DECLINED else ()
        return text(f"closed.{session.ending}", person=Mention(*asked or (session.host,)))
    if len(set(session.payoff)) == 1:
        return text(f"drawn.{session.ending}")
    winner = session.payoff.index(max(session.payoff))
    loser = session.payoff.index(min(session.payoff))
    return text(
        f"won.{session.ending}",
        emblem=presenter.emblem(session, Seat(winner)),
        winner=player(session.seats[winner]),
        loser=player(session.seats[loser]),
    )
