"""What is stored about a person, read from its rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, select, union

from bot.records.queries import LevelResult, Opponent
from bot.records.rating import Rating
from bot.records.results import Outcome
from bot.records.standings import EVERYWHERE, Scope
from bot.service.personal_data import Kept, Mark, Summary
from bot.storage.records.write import standing_of, tally_of
from bot.storage.schema import (
    ABANDONED,
    blocks,
    level_records,
    moves,
    pairings,
    people,
    puzzle_answers,
    results,
    seats,
    sessions,
    standings,
    taken_back,
)
from bot.storage.table_rows import occupant_of
from bot.table.seats import Level, Pace, PersonId
from bot.table.session import Ending, Phase, SessionId
from bot.table.table import Place
from engine.game import Move


def tables_of(person: PersonId) -> Select[int]:
    """The tables where a person has a seat, and those that they opened and left."""
    own = select(seats.c.session).where(seats.c.person == person)
    hosted = select(sessions.c.id).where(ABANDONED, sessions.c.host == person)
    either = union(own, hosted).subquery()
    return select(either.c[0]).order_by(either.c[0])


def knows(connection: Connection, person: PersonId) -> bool:
    """Whether anything is stored about a person."""
    found: tuple[Select[Any], ...] = (
        tables_of(person),
        select(people.c.id).where(people.c.id == person),
        select(puzzle_answers.c.person).where(puzzle_answers.c.person == person),
        select(blocks.c.person).where(blocks.c.person == person),
        select(blocks.c.person).where(blocks.c.blocked == person),
    )
    return any(connection.execute(query.limit(1)).first() for query in found)


def summaries(connection: Connection, person: PersonId) -> tuple[Summary, ...]:
    """What is counted of a person, by game and scope."""
    found: dict[str, defaultdict[tuple[str, Scope], list[RowMapping]]] = {}
    for table in (standings, level_records, pairings):
        rows = found[table.name] = defaultdict(list)
        own = select(table).where(table.c.person == person)
        for row in connection.execute(own).mappings():
            rows[row["game"], Scope(row["scope"])].append(row)
    return tuple(
        Summary(
            game=game,
            guild=None if scope == EVERYWHERE else scope,
            standing=next(map(standing_of, found["standing"][game, scope]), None),
            levels=tuple(
                LevelResult(Level(row["level"]), tally_of(row))
                for row in found["level_record"][game, scope]
            ),
            opponents=tuple(
                Opponent(PersonId(row["opponent"]), tally_of(row))
                for row in found["pairing"][game, scope]
            ),
        )
        for game, scope in sorted({key for rows in found.values() for key in rows})
    )


def games(connection: Connection, *, person: PersonId, numbers: Sequence[int]) -> list[Kept]:
    """A person's games of these numbers."""
    of_these = results.c.session.in_(numbers) & (results.c.person == person)
    marks = {
        row["session"]: _mark(row)
        for row in connection.execute(select(results).where(of_these)).mappings()
    }
    taken, played, undone = (
        _by_session(
            connection,
            select(table).where(table.c.session.in_(numbers)).order_by(*table.primary_key),
        )
        for table in (seats, moves, taken_back)
    )
    tables = select(sessions).where(sessions.c.id.in_(numbers)).order_by(sessions.c.id)
    return [
        _kept(
            row,
            taken=taken[row["id"]],
            played=played[row["id"]],
            undone=undone[row["id"]],
            mark=marks.get(row["id"]),
        )
        for row in connection.execute(tables).mappings()
    ]


def _by_session(connection: Connection, query: Select[Any]) -> Mapping[int, list[RowMapping]]:
    found: defaultdict[int, list[RowMapping]] = defaultdict(list)
    for row in connection.execute(query).mappings():
        found[row["session"]].append(row)
    return found


def _kept(
    row: RowMapping,
    *,
    taken: list[RowMapping],
    played: list[RowMapping],
    undone: list[RowMapping],
    mark: Mark | None,
) -> Kept:
    phase = Phase(row["phase"])
    payoff = tuple(float(seat["payoff"]) for seat in taken) if phase is Phase.FINISHED else None
    return Kept(
        number=SessionId(row["id"]),
        game=row["game"],
        options=row["options"],
        pace=Pace(row["pace"]),
        auto_roll=row["auto_roll"],
        host=PersonId(row["host"]),
        place=Place(row["guild"], row["channel"], row["message"], unreachable=row["unreachable"]),
        locale=row["locale"],
        phase=phase,
        ending=None if row["ending"] is None else Ending(row["ending"]),
        opened_at=row["opened_at"],
        moved_at=row["moved_at"],
        seats=tuple(map(occupant_of, taken)),
        payoff=payoff,
        moves=tuple(Move(ply["move"]) for ply in played),
        moments=tuple(ply["played_at"] for ply in played),
        taken_back=tuple((ply["number"], ply["ply"], Move(ply["move"])) for ply in undone),
        mark=mark,
    )


def _mark(row: RowMapping) -> Mark:
    return Mark(
        at=row["at"],
        outcome=Outcome(row["outcome"]),
        level=None if row["level"] is None else Level(row["level"]),
        everywhere=_rating(row["mu"], row["sigma"]),
        here=_rating(row["mu_here"], row["sigma_here"]),
    )


def _rating(mu: float | None, sigma: float | None) -> Rating | None:
    return None if mu is None or sigma is None else Rating(mu, sigma)
