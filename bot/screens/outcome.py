"""The end of a table: who has won, and the way to another game."""

from __future__ import annotations

from collections.abc import Iterable

from bot.games.catalogue import CATALOGUE, explainer_of
from bot.message.blocks import Control, Style, Tone
from bot.message.canvas import Paint
from bot.message.text import Text, joined, named, player, text
from bot.screens import table_panel
from bot.screens.buttons import control
from bot.screens.challenge import emblem, invited, who
from bot.table.actions import Action
from bot.table.session import UNBEGUN, Ending, Phase, Session
from bot.table.table import Table
from bot.table.waiting import silence_limit
from engine.game import Seat


def afterwards(table: Table) -> Iterable[Control]:
    """The buttons of a table that has come to its end."""
    session = table.session
    finished = session.phase is Phase.FINISHED
    if session.ending is Ending.EXPIRED and not session.has_former_players:
        yield Control(Action.REMATCH, text("control.ask_again"), style=Style.PROMINENT)
    if session.ending is Ending.SILENT and not session.has_former_players:
        yield Control(Action.REMATCH, text("control.play_again"), style=Style.PROMINENT)
    if session.match:
        yield control(Action.TOURNAMENT, Style.PROMINENT)
    elif finished and not session.has_former_players:
        yield control(Action.REMATCH, Style.PROMINENT)
    yield from table_panel.afterwards(session)


def tone(session: Session) -> Tone | Paint:
    """The colour of an end: gold for a person who has beaten computers, else the winner's."""
    explainer = CATALOGUE[session.game.key].explainer
    won = winners(session)
    if not won:
        return Tone.OVER
    if explainer is None or (session.solo and session.seat_of(session.people[0]) in won):
        return Tone.WON
    return explainer.paint(len(session.seats), won[0])


def winners(session: Session) -> tuple[Seat, ...]:
    """The seats that have won; none if nobody has, or nobody has lost."""
    payoff = session.payoff
    if payoff is None or len(set(payoff)) == 1:
        return ()
    return tuple(Seat(seat) for seat, own in enumerate(payoff) if own == max(payoff))


def victory(session: Session) -> Text:
    """The winners as a picture names them, by their sides."""
    explainer, won = explainer_of(session), winners(session)
    if not won:
        return text("share.drawn")
    names = joined(explainer.name(len(session.seats), seat) for seat in won)
    return text("share.winner", side=names)


def outcome(session: Session) -> Iterable[Text]:
    """The end of a table and its winners."""
    payoff = session.payoff
    if payoff is None:
        asked = invited(session) if session.ending is Ending.DECLINED else ()
        person = named(*asked or (session.host,))
        if session.has_lobby and session.ending in UNBEGUN:
            yield text(f"closed.gathering.{session.ending}", person=person)
        else:
            limit = silence_limit(session)
            yield text(f"closed.{session.ending}", person=person, limit=limit)
    elif len(set(payoff)) == 1:
        yield text(f"drawn.{session.ending}")
    elif len(payoff) == 2:
        winner, loser = payoff.index(max(payoff)), payoff.index(min(payoff))
        yield text(
            f"won.{session.ending}",
            emblem=emblem(session, winner),
            winner=player(session.seats[winner]),
            loser=player(session.seats[loser]),
        )
    else:
        if session.ending is Ending.RESIGNED:
            yield text("everybody_left")
        yield from _places(session, payoff)


def _places(session: Session, payoff: tuple[float, ...]) -> Iterable[Text]:
    ranks = sorted(set(payoff), reverse=True)
    for place, share in enumerate(ranks[:-1], 1):
        for seat, own in enumerate(payoff):
            if own == share:
                key = "place.first" if place == 1 else "place.next"
                yield text(key, place=place, **who(session, seat))
