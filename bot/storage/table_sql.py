"""The SQL that opens a table and saves its changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, Integer, bindparam, delete, func, insert, select, update
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import insert as insert_new

from bot.storage.dialect import advisory_lock, next_number
from bot.storage.errors import Conflict, Crowded, Repeated
from bot.storage.processes import UNCLAIMED, Claim
from bot.storage.records.finished import feats_of, over
from bot.storage.records.write import record
from bot.storage.schema.game_tables import (
    UNFINISHED,
    interactions,
    moves,
    seats,
    sessions,
    taken_back,
)
from bot.storage.table_rows import (
    changing_values,
    kept_of,
    opening_values,
    seat_values,
    state_value,
)
from bot.storage.values import Prepared
from bot.table.session import Phase, SessionId
from bot.table.table import Award, InteractionId, Table

_CARRIED_OUT = select(interactions.c.session).where(interactions.c.id == bindparam("interaction"))
_UNFINISHED = (
    select(sessions.c.id, sessions.c.phase, seats.c.kind, seats.c.person)
    .outerjoin(seats, seats.c.session == sessions.c.id)
    .where(sessions.c.channel == bindparam("channel"), UNFINISHED, sessions.c.tournament.is_(False))
    .order_by(sessions.c.moved_at, sessions.c.id)
)
_CHANGE = Prepared(
    update(sessions).where(
        sessions.c.id == bindparam("of"), sessions.c.revision == bindparam("since")
    )
)
KEEP_SERVER = sql("INSERT INTO server (id) VALUES (:guild) ON CONFLICT (id) DO NOTHING")
_TIMES_TAKEN_BACK = select(func.max(taken_back.c.number)).where(
    taken_back.c.session == bindparam("of")
)
_LATER = (moves.c.session == bindparam("of")) & (moves.c.ply >= bindparam("ply"))
_KEEP_TAKEN_BACK = insert(taken_back).from_select(
    ["session", "number", "ply", "move", "played_at"],
    select(
        moves.c.session,
        bindparam("number", type_=Integer),
        moves.c.ply,
        moves.c.move,
        moves.c.played_at,
    ).where(_LATER),
)
_DROP_MOVES = delete(moves).where(_LATER)
_LEAVE_SEATS = Prepared(delete(seats).where(seats.c.session == bindparam("of")))
_ADD_SEATS, _ADD_MOVES = Prepared(insert(seats)), Prepared(insert(moves))
_ADD_INTERACTION = Prepared(insert_new(interactions).on_conflict_do_nothing())


class Note(NamedTuple):
    """An interaction that is being carried out, and the time."""

    interaction: InteractionId
    at: datetime


def open_new(
    connection: Connection,
    table: Table,
    note: Note | None,
    follows: Table | None = None,
    room: int | None = None,
    *,
    claim: Claim | None = None,
) -> Table:
    """Store a new table and return it with its id; `note` is the interaction, if one opens it.

    Raises:
        Repeated: The interaction was carried out already.
        Conflict: The table that it `follows` as a rematch has changed meanwhile.
        Crowded: Its channel has `room` such tables: of its host against computers, or all others.
    """
    if note is not None and (earlier := carried_out(connection, note.interaction)) is not None:
        raise Repeated(earlier)
    claimed = (claim if table.session.unattended else None) or UNCLAIMED
    row = {
        **next_number(connection),
        **opening_values(table),
        **changing_values(table),
        **claimed._asdict(),
        "state": state_value(table, feats_of(table.session)),
    }
    key = connection.execute(insert(sessions), row).inserted_primary_key
    opened = replace(table, id=SessionId(key[0] if key else 0))
    _add_seats(connection, opened)
    _add_moves(connection, opened, since=0)
    if note is not None:
        _write(connection, note, opened.id)
    if table.place.home is not None:
        connection.execute(KEEP_SERVER, {"guild": table.place.home})
    if follows is not None:
        _change(connection, follows, followed(follows, opened.id))
    if room is not None:
        _check_room(connection, opened, room)
    return opened


def _check_room(connection: Connection, opened: Table, room: int) -> None:
    advisory_lock(connection, opened.place.channel)
    alone: dict[SessionId, int | None] = {}
    rows = connection.execute(_UNFINISHED, {"channel": opened.place.channel}).all()
    for number, row in groupby(rows, itemgetter(0)):
        if number != opened.id:
            alone[SessionId(number)] = _alone(list(row))
    if opened.session.solo:
        others = [number for number, person in alone.items() if person == opened.session.host]
    else:
        others = [number for number, person in alone.items() if person is None]
    if len(others) >= room:
        raise Crowded(others)


def _alone(taken: Sequence[Any]) -> int | None:
    """The only person at a running table of computers, by its seats; None for other tables."""
    people = [row.person for row in taken if row.kind == "human"]
    computers = sum(row.kind == "computer" for row in taken)
    solo = len(people) == 1 and computers == len(taken) - 1 > 0
    return people[0] if solo and taken[0].phase == Phase.RUNNING else None


def save(
    connection: Connection,
    before: Table,
    after: Table,
    note: Note | None,
    *,
    claim: Claim | None = None,
) -> tuple[Award, ...]:
    """Store the changes of a table, and enter it into the records if it is over.

    Return the badges that it earns. If no person decides next, the `claim` is stored for this
    process to go on.

    Raises:
        Repeated: The interaction was carried out already.
        Conflict: The table has changed meanwhile, or is gone.
    """
    old, new = before.session, after.session
    finished = over(after) if old.phase is not new.phase is Phase.FINISHED else None
    try:
        _change(connection, before, after, claim, () if finished is None else finished.feats)
    except Conflict:
        if note and (led_to := carried_out(connection, note.interaction)) is not None:
            raise Repeated(led_to) from None
        raise
    if note is not None:
        _write(connection, note, before.id)
    if new.ply < old.ply:
        _take_back(connection, after)
    _add_moves(connection, after, since=old.ply)
    if old.seats != new.seats:
        _LEAVE_SEATS.run(connection, {"of": after.id})
        _add_seats(connection, after)
    return after.awards if finished is None else record(connection, finished)


def _change(
    connection: Connection,
    before: Table,
    after: Table,
    claim: Claim | None = None,
    feats: Sequence[frozenset[str]] = (),
) -> None:
    """Store the columns that differ if the revision is still `before`'s, else raise `Conflict`."""
    stored, values = changing_values(before), changing_values(after)
    changed = {name: value for name, value in values.items() if value != stored[name]}
    if feats or kept_of(after) != kept_of(before):
        changed["state"] = state_value(after, feats or feats_of(after.session))
    changed["unattended"] = values["unattended"]  # another version's rules may have stored it
    if claim is not None:
        changed |= (claim if after.session.unattended else UNCLAIMED)._asdict()
    changed.pop("nudge", None)  # it may have been cleared meanwhile
    if accepted(before, after):
        changed["nudge"] = after.notice
    key = {"of": before.id, "since": before.revision}
    if _CHANGE.run(connection, {**key, **changed}).rowcount != 1:
        raise Conflict


def accepted(before: Table, after: Table) -> bool:
    """Whether the game began between two states of a table."""
    return before.session.phase is Phase.LOBBY and after.session.phase is Phase.RUNNING


def _take_back(connection: Connection, table: Table) -> None:
    key = {"of": table.id, "ply": table.session.ply}
    number = connection.execute(_TIMES_TAKEN_BACK, key).scalar() or 0
    connection.execute(_KEEP_TAKEN_BACK, {**key, "number": number + 1})
    connection.execute(_DROP_MOVES, key)


def _add_seats(connection: Connection, table: Table) -> None:
    if rows := seat_values(table):
        _ADD_SEATS.run(connection, *rows)


def _add_moves(connection: Connection, table: Table, *, since: int) -> None:
    rows = [
        {"session": table.id, "ply": ply, "move": move, "played_at": table.moved_at}
        for ply, move in enumerate(table.session.moves[since:], since)
    ]
    if rows:
        _ADD_MOVES.run(connection, *rows)


def _write(connection: Connection, note: Note, session: SessionId) -> None:
    row = {"id": note.interaction, "session": session, "at": note.at}
    if _ADD_INTERACTION.run(connection, row).rowcount != 1:
        raise Repeated(carried_out(connection, note.interaction) or session)


def carried_out(connection: Connection, interaction: InteractionId) -> SessionId | None:
    """The table that an interaction opened or changed; None if it was not carried out."""
    found = connection.execute(_CARRIED_OUT, {"interaction": interaction}).scalar()
    return None if found is None else SessionId(found)


def followed(table: Table, by: SessionId) -> Table:
    """The table with its rematch's id, at the next revision."""
    return replace(table, rematch=by, revision=table.revision + 1)
