"""What a board says: its end, what happened since the reader's last decision, its position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from operator import attrgetter
from typing import Final

from bot.games.catalogue import CATALOGUE, explainer_of, presenter_of
from bot.games.entry import Happening
from bot.message.blocks import Block, Brief, Control, Prose, Row, Style, Tone, with_controls
from bot.message.canvas import Paint
from bot.message.text import Separator, Sprite, Text, TextList, joined, named, player, text
from bot.screens import table_panel
from bot.screens.buttons import control
from bot.screens.lobby import emblem, invited, who
from bot.table.actions import Action, parsed
from bot.table.session import UNBEGUN, Ending, Phase, Session
from bot.table.table import Table
from bot.table.waiting import reader, silence_limit, unread
from engine.game import Move, Seat
from engine.notation import notation


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
    """The colour of an end: gold if a person has beaten computers, else the winner's colour."""
    explainer = CATALOGUE[session.game.key].explainer
    won = winners(session)
    if not won:
        return Tone.OVER
    if explainer is None or (session.solo and session.seat_of(session.people[0]) in won):
        return Tone.WON
    return explainer.paint(len(session.seats), won[0])


def winners(session: Session) -> tuple[Seat, ...]:
    """The seats that have won; empty if there is no result, or all have the same payoff."""
    payoff = session.payoff
    if payoff is None or len(set(payoff)) == 1:
        return ()
    return tuple(Seat(seat) for seat, own in enumerate(payoff) if own == max(payoff))


def victory(session: Session) -> Text:
    """The winners' sides in words, for a picture."""
    explainer, won = explainer_of(session), winners(session)
    if not won:
        return text("share.drawn")
    names = joined(explainer.name(len(session.seats), seat) for seat in won)
    return text("share.winner", side=names)


def outcome(session: Session) -> Iterable[Text]:
    """How a table ended, and its winners, line by line."""
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
        lost = who(session, payoff.index(min(payoff)))
        if session.ending is Ending.TIME:
            yield text("board.lapsed", **lost)
        elif session.ending is Ending.RESIGNED:
            yield text("person_left", **lost) if session.solo else text("everybody_left")
        yield from _places(session, payoff)


def _places(session: Session, payoff: tuple[float, ...]) -> Iterable[Text]:
    ranks = sorted(set(payoff), reverse=True)
    for place, share in enumerate(ranks[:-1], 1):
        for seat, own in enumerate(payoff):
            if own == share:
                key = "place.first" if place == 1 else "place.next"
                yield text(key, place=place, **who(session, seat))


MOST: Final = 3
"""The most happenings told on a board, unless more are grave."""


def since(session: Session, lines: int) -> Brief:
    """The most important happenings for the reader of a board, on at most `lines` lines.

    Without any, that the game has begun if there are no moves yet.
    """
    found = news(session)
    if not found:
        return Brief(_begins(session), lines)
    grave = sum(1 for _ in takewhile(attrgetter("grave"), found))
    told = [each.told for each in found[: max(MOST, grave)]]
    return Brief(tuple(told), lines, kept=max(1, grave))


def since_in_words(session: Session) -> tuple[Text, ...]:
    """The happenings of `since` as one line with an introduction, or nothing."""
    found = news(session)
    return (text("since.turn", told=_listed(found[:MOST])),) if found else _begins(session)


def _begins(session: Session) -> tuple[Text, ...]:
    begins = session.phase is Phase.RUNNING and not session.moves
    return (text("since.nothing"),) if begins else ()


def news(session: Session) -> Sequence[Happening]:
    """All happenings that the reader of a board has not seen yet, the most important first.

    After a roll that the reader pressed, only those since that roll; earlier ones were on the board
    where it was pressed. If there are none otherwise, those of the ply before.
    """
    seat, presenter = reader(session), CATALOGUE[session.game.key].presenter
    pressed = None if seat is None else session.seat_logs[seat].pressed
    if pressed is not None:
        return presenter.since(session, pressed, seat)
    first = unread(session, seat)
    found = presenter.since(session, first, seat)
    return found or presenter.since(session, max(0, first - 1), seat)


def happened(session: Session, ply: int) -> tuple[Brief, ...]:
    """The most important happening from a ply on, told for all, if there is any."""
    found = CATALOGUE[session.game.key].presenter.since(session, ply, None)
    return tuple(Brief((each.told,), 1) for each in found[:1])


def _listed(found: Sequence[Happening]) -> TextList:
    return joined([each.told for each in found], Separator.DOT)


def board_in_words(session: Session) -> tuple[Block, ...]:
    """The position line by line, and while the game runs the squares of its board, named."""
    presenter = presenter_of(session)
    board = presenter.board(session) if session.phase is Phase.RUNNING else ()
    squares = (block for block in board if isinstance(block, Row))
    return (Prose(presenter.words(session)), *with_names(squares, session))


def with_names(blocks: Iterable[Block], session: Session) -> Iterator[Block]:
    """Blocks in which unlabelled buttons of moves are named by the game's notation."""
    names = notation(session.game).names

    def named(button: Control) -> Control:
        action, number = parsed(str(button.action))
        if action != Action.MOVE or button.label is not None:
            return button
        *_, move = names(session.position, Move(number))
        named = isinstance(button.emoji, Sprite) and button.emoji.name == move
        label = text("move.named", move=move)
        return replace(button, label=label, emoji=None if named else button.emoji)

    return with_controls(blocks, named)
