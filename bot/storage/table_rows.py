"""Rows of tables and their seats, read into values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, RowMapping, bindparam, select

from bot.games.catalogue import CATALOGUE
from bot.storage.errors import UnknownGame, UnknownTable
from bot.storage.reading import readable
from bot.storage.records.badges import awards_of
from bot.storage.schema.game_tables import moves, seats, sessions
from bot.storage.values import Values
from bot.table.dice import Dice
from bot.table.preferences import BoardLook, Preferences
from bot.table.seats import (
    Absent,
    Computer,
    Human,
    Invited,
    Level,
    Occupant,
    Pace,
    PersonId,
    Vacant,
    word_of,
)
from bot.table.session import UNBEGUN, Ending, Phase, Session, SessionId
from bot.table.table import EndedTable, Place, Table
from bot.table.word import Word
from engine.game import Move, Seat

COMMA: Final = ","
"""Stands between the feats of a seat."""

Row: TypeAlias = RowMapping | Mapping[str, Any]

_SESSION = select(sessions).where(sessions.c.id == bindparam("session"))
_SEATS = select(seats).where(seats.c.session == bindparam("session")).order_by(seats.c.seat)
_MOVES = select(moves.c.move).where(moves.c.session == bindparam("session")).order_by(moves.c.ply)


def seat_values(table: Table, feats: Sequence[frozenset[str]] | None = None) -> list[Values]:
    """The rows of a table's seats; `feats` if they are known already."""
    payoff = table.session.payoff or (None,) * len(table.session.seats)
    feats = feats_of(table.session) if feats is None else feats
    return [
        {
            "session": table.id,
            "seat": index,
            **_occupant_values(occupant),
            "payoff": share,
            "feats": COMMA.join(sorted(own)) or None,
        }
        for index, (occupant, share, own) in enumerate(
            zip(table.session.seats, payoff, feats, strict=True)
        )
    ]


def feats_of(session: Session) -> Sequence[frozenset[str]]:
    """The feats of each seat, none in a game that is not finished."""
    find = CATALOGUE[session.game.key].feats
    if find is None or session.phase is not Phase.FINISHED or session.position is None:
        return (frozenset(),) * len(session.seats)
    return find(session)


def stored_feats(row: Row) -> frozenset[str]:
    """The feats in the row of a seat."""
    return frozenset(filter(None, (row["feats"] or "").split(COMMA)))


def load(connection: Connection, session: SessionId, known: Table | None = None) -> Table:
    """A table with its moves.

    A table that is `known` at its present revision takes over its columns that have none.

    Raises:
        UnknownTable: There is none.
        Unreadable: This version does not know its game, or cannot read its rows.
    """
    with readable(sessions, session):
        return _loaded(connection, session, known)


def _loaded(connection: Connection, session: SessionId, known: Table | None) -> Table:
    key = {"session": session}
    row = connection.execute(_SESSION, key).mappings().one_or_none()
    if row is None:
        raise UnknownTable(session)
    if known is not None and row["revision"] == known.revision:
        return replace(
            known,
            place=_place(row),
            remind_at=row["remind_at"],
            notice=_person(row["nudge"]),
            dice=_dice(row),
        )
    table = stored_table(
        row,
        connection.execute(_SEATS, key).mappings().all(),
        connection.execute(_MOVES, key).scalars(),
    )
    if table.session.phase is not Phase.FINISHED:
        return table
    return replace(table, awards=tuple(awards_of(connection, session)))


def stored_table(row: Row, seats: Sequence[Row], moves: Iterable[int]) -> Table:
    """The table of a session's row, its seats and its moves, both in order.

    Raises:
        UnknownGame: This version does not know its game.
    """
    entry = CATALOGUE.get(row["game"])
    if entry is None:
        raise UnknownGame(row["game"])
    phase, ending = Phase(row["phase"]), row["ending"]
    played = tuple(Move(move) for move in moves)
    begun = phase is not Phase.LOBBY and ending not in UNBEGUN
    payoff = tuple(float(seat["payoff"]) for seat in seats) if phase is Phase.FINISHED else None
    session = Session(
        game=entry.game,
        options=row["options"],
        pace=Pace(row["pace"]),
        host=PersonId(row["host"]),
        seats=tuple(occupant_of(seat) for seat in seats),
        phase=phase,
        moves=played,
        position=entry.game.replay(len(seats), row["options"], played) if begun else None,
        preferences=Preferences(
            row["auto_roll"] or (False if row["roll_chosen"] else None),
            BoardLook(row["board"]),
        ),
        offer=_seat_of(row["offer"]),
        take_back=_seat_of(row["take_back"]),
        lapsed=row["lapsed"],
        hints=row["hints"],
        tried=row["tried"],
        match=row["tournament"],
        hint=None if row["hint"] is None else Move(row["hint"]),
        ending=None if ending is None else Ending(ending),
        payoff=payoff,
    )
    return Table(
        id=SessionId(row["id"]),
        revision=row["revision"],
        session=session,
        place=_place(row),
        locale=row["locale"],
        moved_at=row["moved_at"],
        due=row["due"],
        remind_at=row["remind_at"],
        notice=_person(row["nudge"]),
        rematch=None if row["rematch"] is None else SessionId(row["rematch"]),
        dice=_dice(row),
        opened_at=row["opened_at"],
    )


def _place(row: Row) -> Place:
    names = ("guild", "channel", "message", "lost", "unreachable", "thread")
    return Place(**{name: row[name] for name in names})


def _dice(row: Row) -> Dice | None:
    if row["dice_secret"] is None:
        return None
    return Dice(row["dice_secret"], row["dice_version"], row["dice_message"], row["dice_promise"])


def dice_values(dice: Dice) -> Values:
    """The columns of dice in a session's row."""
    return {
        "dice_secret": dice.secret,
        "dice_version": dice.version,
        "dice_message": dice.board,
        "dice_promise": dice.promise,
    }


def _word(row: Row) -> Word | None:
    digest = row.get("word_digest")  # records are made of rows without words
    return None if digest is None else Word(digest, row["word"])


def _person(stored: int | None) -> PersonId | None:
    return None if stored is None else PersonId(stored)


def _seat_of(stored: int | None) -> Seat | None:
    return None if stored is None else Seat(stored)


def ended_game(row: RowMapping, *, own: bool) -> EndedTable | None:
    """The finished game of a session's row; None if this version does not know it."""
    entry = CATALOGUE.get(row["game"])
    if entry is None:
        return None
    session = Session(
        game=entry.game,
        options=row["options"],
        pace=Pace(row["pace"]),
        host=PersonId(row["host"]),
        seats=(),
        phase=Phase.FINISHED,
        ending=Ending(row["ending"]),
    )
    return EndedTable(SessionId(row["id"]), session, row["moved_at"], own)


def _occupant_values(occupant: Occupant) -> Values:
    word = word_of(occupant)
    said = {
        "word": None if word is None else word.text,
        "word_digest": None if word is None else word.digest,
    }
    return {**_taken_by(occupant), **said}


def _taken_by(occupant: Occupant) -> Values:
    match occupant:
        case Human(person):
            return {"kind": "human", "person": person, "level": None}
        case Invited(person):
            return {"kind": "invited", "person": person, "level": None}
        case Computer(level):
            return {"kind": "computer", "person": None, "level": level}
        case Absent(person, level):
            return {"kind": "absent", "person": person, "level": level}
        case Vacant():
            return {"kind": "vacant", "person": None, "level": None}


def occupant_of(row: Row) -> Occupant:
    """The occupant in the row of a seat."""
    match row["kind"]:
        case "human":
            return Human(PersonId(row["person"]), _word(row))
        case "invited":
            return Invited(PersonId(row["person"]))
        case "absent":
            return Absent(PersonId(row["person"]), Level(row["level"]), _word(row))
        case "computer":
            return Computer(Level(row["level"]))
        case _:
            return Vacant()
