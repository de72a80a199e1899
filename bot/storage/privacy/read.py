"""A person's data read from the database, and the file that they get of it.

The file is JSON, compressed if it would be too large, and explains its own keys. Ids are text, as
JavaScript's numbers are too small for them.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import date, datetime, timedelta
from operator import itemgetter
from typing import Any, Final

from msgspec import convert, to_builtins
from sqlalchemy import (
    Column,
    ColumnElement,
    CompoundSelect,
    Connection,
    RowMapping,
    Table,
    select,
    tuple_,
    union,
)

from bot.games.catalogue import CATALOGUE
from bot.records.puzzles import PuzzleAnswer
from bot.records.rating import ALL_TIME
from bot.records.reviewed import ReviewedGame
from bot.records.standings import EVERYWHERE
from bot.storage.choices import Choices
from bot.storage.reading import Reader
from bot.storage.records.finished import NUMBERS
from bot.storage.schema.base import IdKind, mark_of, marked
from bot.storage.schema.game_tables import ABANDONED, moves, reviews, seats, sessions, taken_back
from bot.storage.schema.record_tables import badges, level_records, pairings, results, standings
from bot.storage.schema.tournament_tables import entries, legs, parts, tournaments
from bot.storage.table_rows import read_state
from bot.storage.values import LAST_DAY, Values, day_of
from bot.table.seats import FORMER_PLAYERS, PersonId
from engine.files import json_text
from engine.files.record import Record, exact
from engine.game import Move

_KINDS: Final = {
    "human": "person",
    "invited": "invited",
    "absent": "away",
    "computer": "computer",
    "vacant": "free",
}
"""The file's word for each kind of seat."""

_IN_RECORD: Final = ("options", "payoff")
"""The fields of a session that stand in the file's `record` of a game already."""


def tables_of(person: PersonId) -> CompoundSelect[int]:
    """The tables where a person has a seat, or that they opened and left."""
    own = select(seats.c.session).where(seats.c.person == person)
    hosted = select(sessions.c.id).where(ABANDONED, sessions.c.host == person)
    return union(own, hosted)


def tournaments_of(person: PersonId) -> CompoundSelect[int]:
    """The tournaments that a person took part in or opened."""
    own = select(entries.c.tournament).where(entries.c.person == person)
    return union(own, select(tournaments.c.id).where(tournaments.c.host == person))


def rows_naming(column: Column[Any], person: PersonId) -> ColumnElement[bool]:
    """The condition that a row's column names a person, in a form that can use an index."""
    own = column == person
    if column.table is sessions:
        return own & sessions.c.id.in_(tables_of(person))
    if column is pairings.c.opponent:  # each pairing has its counterpart
        names = pairings.c.person, pairings.c.game, pairings.c.scope
        met = select(pairings.c.opponent, *names[1:]).where(pairings.c.person == person)
        return own & tuple_(*names).in_(met)
    return own


def knows(connection: Connection, person: PersonId) -> bool:
    """Whether anything is stored about a person."""
    found = (
        select(column).where(rows_naming(column, person)).limit(1)
        for column, _ in marked(IdKind.PERSON)
    )
    return any(connection.execute(query).first() for query in found)


def rows(reader: Reader, person: PersonId) -> dict[str, list[Json]]:
    """The parts of the file that list rows as stored, sorted by day if they have one."""
    found: dict[str, list[Json]] = {}
    for column, mark in marked(IdKind.PERSON):
        if mark.told is None or mark.told in PARTS:
            continue
        told = sorted(
            (each for each in column.table.columns if each is not column),
            key=lambda each: each.name != "day",
        )
        query = select(*told).where(rows_naming(column, person)).order_by(*told)
        found[mark.told] = reader.rows(
            column.table,
            query,
            lambda row, told=told: {each.name: _value(each, row[each.name]) for each in told},  # type: ignore[misc]
        )
    return found


def _value(column: Column[Any], value: Any) -> Any:  # noqa: ANN401 - of any column
    """A stored value as the file shows it: ids as text, days and times in ISO format."""
    mark = mark_of(column)
    if value is None:
        return None
    if mark is not None:
        return person_told(value) if mark.kind is IdKind.PERSON else id_told(value)
    if column.name == "day" and 0 <= value <= LAST_DAY:
        return day_of(value).isoformat()
    return moment_told(value) if isinstance(value, datetime) else value


def statistics(reader: Reader, person: PersonId) -> list[Json]:
    """A person's results by game and server; for each game those of everywhere come first."""
    own, levels, opponents = (
        _grouped(reader, table, table.c.person == person, "game", "scope")
        for table in (standings, level_records, pairings)
    )
    earned = _grouped(reader, badges, badges.c.person == person, "game")
    return [
        {
            "game": game,
            "server": None if scope == EVERYWHERE else id_told(scope),
            "people": next(
                (_standing(row) for row in own[game, scope] if row["season"] == ALL_TIME), None
            ),
            "seasons": [
                {"season": "{:04}-{:02}".format(*divmod(row["season"], 100)), **_standing(row)}
                for row in own[game, scope]
                if row["season"] != ALL_TIME
            ],
            "computers": [{"level": row["level"], **_tally(row)} for row in levels[game, scope]],
            "opponents": [
                {"person": person_told(row["opponent"]), **_tally(row)}
                for row in opponents[game, scope]
                if row["season"] == ALL_TIME
            ],
        }
        | ({"badges": [*map(_badge, earned[game])]} if scope == EVERYWHERE else {})
        for game, scope in sorted({*own, *levels, *opponents})
    ]


def games(reader: Reader, *, person: PersonId, numbers: Sequence[int]) -> list[Json]:
    """The games with these ids, as a person's file shows them."""
    taken, played, undone = (
        _grouped(reader, table, table.c.session.in_(numbers), "session")
        for table in (seats, moves, taken_back)
    )
    of_these = results.c.session.in_(numbers) & (results.c.person == person)
    ended = _grouped(reader, results, of_these, "session")
    reviewed = _reviews(reader, seats.c.session.in_(numbers) & (seats.c.person == person))
    tables = select(sessions).where(sessions.c.id.in_(numbers)).order_by(sessions.c.id)

    def told(row: RowMapping) -> Json:
        number, state = row["id"], read_state(row)
        return {
            **_table(row, state),
            **_seats(taken[number], state, person),
            "result": next(map(_result, ended[number]), None),
            "review": reviewed.get(number),
            "record": _record(row, state, [ply["move"] for ply in played[number]]),
            "taken_back": [[ply["number"], ply["ply"], ply["move"]] for ply in undone[number]],
            "played_after": [
                (ply["played_at"] - state.opened_at) // timedelta(milliseconds=1)
                for ply in played[number]
            ],
        }

    return reader.rows(sessions, tables, told)


def _reviews(reader: Reader, own: ColumnElement[bool]) -> dict[int, Json]:
    """The review of the person's own seat, which `own` selects, by the game's id."""
    query = (
        select(reviews, seats.c.seat)
        .join(seats, seats.c.session == reviews.c.session)
        .where(own, ~reviews.c.outdated)
    )

    def found(row: RowMapping) -> tuple[int, Json]:
        return row["session"], asdict(convert(row["found"], ReviewedGame).seats[row["seat"]])

    return dict(reader.rows(reviews, query, found))


def of_tournaments(connection: Connection, person: PersonId) -> list[Json]:
    """The tournaments that a person took part in or opened, the oldest first."""
    taking = entries.c.person == person
    query = (
        select(tournaments, *(entries.c[name] for name in ("seed", "departed", "place")))
        .outerjoin(entries, (entries.c.tournament == tournaments.c.id) & taking)
        .where(tournaments.c.id.in_(tournaments_of(person)))
        .order_by(tournaments.c.id)
    )
    matches = _matches(connection, person)
    return [
        {
            "game": row["game"],
            "format": row["format"],
            "state": row["stage"],
            "server": id_told(row["guild"]),
            "opened_by": person_told(row["host"]),
            "seed": row["seed"],
            "left": row["departed"],
            "place": row["place"],
            "matches": matches[row["id"]],
        }
        for row in connection.execute(query).mappings()
    ]


def _matches(connection: Connection, person: PersonId) -> defaultdict[int, list[Json]]:
    """A person's part in each leg, in order, by tournament."""
    own_part = (entries.c.tournament == parts.c.tournament) & (entries.c.number == parts.c.entry)
    own_leg = (legs.c.tournament == parts.c.tournament) & (legs.c.number == parts.c.leg)
    query = (
        select(parts, legs.c.round, legs.c.session)
        .select_from(entries)
        .join(parts, own_part)
        .join(legs, own_leg)
        .where(entries.c.person == person)
        .order_by(parts.c.tournament, parts.c.leg)
    )
    found: defaultdict[int, list[Json]] = defaultdict(list)
    for row in connection.execute(query).mappings():
        told = {name: row[name] for name in ("points", "thought", "present", "absent")}
        found[row["tournament"]].append({"round": row["round"], "game": row["session"], **told})
    return found


def _grouped(
    reader: Reader, table: Table, condition: ColumnElement[bool], *columns: str
) -> defaultdict[Any, list[RowMapping]]:
    """The readable rows of a table that meet a condition, grouped by some columns."""
    query = select(table).where(condition).order_by(*table.primary_key)
    found: defaultdict[Any, list[RowMapping]] = defaultdict(list)
    for row in reader.rows(table, query, lambda row: row):
        found[itemgetter(*columns)(row)].append(row)
    return found


def _standing(row: RowMapping) -> Json:
    rating = {"rating": _rating(row["mu"], row["sigma"])}
    return _tally(row) | {name: row[name] for name in NUMBERS} | rating


def _badge(row: RowMapping) -> Json:
    return {"badge": row["badge"], "game": row["session"], "at": moment_told(row["at"])}


def _tally(row: RowMapping) -> Json:
    return {name: row[name] for name in ("wins", "draws", "losses")}


def _rating(mu: float | None, sigma: float | None) -> Json | None:
    return None if mu is None else {"mu": mu, "sigma": sigma}


def _table(row: RowMapping, state: Any) -> Json:  # noqa: ANN401 - as `read_state` gives it
    kept = to_builtins(state.session)
    return {
        **{name: kept[name] for name in kept if name not in _IN_RECORD},
        "number": row["id"],
        "state": row["phase"],
        "server": id_told(row["guild"]),
        "channel": id_told(row["channel"]),
        "message": id_told(row["message"]),
        "thread": id_told(row["thread"] or None),
        "language": state.locale,
        "rolls_by_itself": bool(state.session.preferences.auto_roll),
        "opened_at": moment_told(state.opened_at),
        "moved_at": moment_told(row["moved_at"]),
        "opened_by": person_told(row["host"]),
    }


def _seats(taken: Sequence[RowMapping], state: Any, person: PersonId) -> Json:  # noqa: ANN401
    own = next((seat for seat in taken if seat["person"] == person), None)
    return {
        "seats": [_seat(*each) for each in zip(taken, state.seats, strict=True)],
        "own_seat": None if own is None else own["seat"],
        "own_dice_word": None if own is None else own["word"],
    }


def _seat(row: RowMapping, kept: Values) -> Json:
    told: Json = {"kind": _KINDS[row["kind"]]}
    if row["person"] is not None:
        told["person"] = person_told(row["person"])
    if "level" in kept:
        told["level"] = kept["level"]
    return told


def _result(row: RowMapping) -> Json:
    return {
        "outcome": row["outcome"],
        "level": row["level"],
        "rating": _rating(row["mu"], row["sigma"]),
        "rating_in_server": _rating(row["mu_here"], row["sigma_here"]),
        "at": moment_told(row["at"]),
    }


def _record(row: RowMapping, state: Any, played: Sequence[Move]) -> Json:  # noqa: ANN401
    """The game in the format of `engine.files`; an unknown game with its options as stored.

    Ending and result are None while the game runs.
    """
    entry = CATALOGUE.get(row["game"])
    if entry is None:
        return {
            "number": row["id"],
            "game": row["game"],
            "options": state.session.options,
            "moves": played,
        }
    told = json_text.json_object(
        Record(
            game=entry.game,
            seats=len(state.seats),
            options=state.session.options,
            moves=tuple(played),
            ending=row["ending"] or "",
            result=exact(state.session.payoff or ()),
            number=row["id"],
        )
    )
    return told | {"ending": row["ending"], "result": told["result"] or None}


FORMAT: Final = "Parlour person"
VERSION: Final = 1

ABOUT: Final = ("file", "ids", "statistics", "games", "puzzles", "tournaments", "not_here")
"""The keys of the explanation in the file."""

PARTS: Final = frozenset({"choices", "statistics", "games", "puzzles", "tournaments"})
"""The parts of the file with a format of their own; the others list rows as stored."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PersonalData:
    """Everything that is stored about a person, but for the dice still to come.

    `statistics` by game and guild, `games` and `tournaments`, oldest first, are as in the file.
    `rows` are the parts of the file that list rows as stored.
    """

    person: PersonId
    choices: Choices
    statistics: Sequence[Json]
    games: Sequence[Json]
    puzzles: Mapping[date, PuzzleAnswer]
    rows: Mapping[str, Sequence[Json]] = field(default_factory=dict)
    tournaments: Sequence[Json] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is stored."""
        kept = (self.games, self.statistics, self.puzzles, *self.rows.values(), self.tournaments)
        return not any(kept) and self.choices == Choices()


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file with its name."""

    name: str
    content: bytes


def written(
    data: PersonalData, at: datetime, about: Mapping[str, str], *, most: int
) -> Attachment | None:
    """The file, in `most` bytes or fewer; None if it does not fit even when compressed.

    `about` explains the file to its reader.
    """
    told = _told(data, at, about)
    content = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    name = f"parlour-{at:%Y-%m-%d}.json"
    if len(content) > most:
        name, content = f"{name}.gz", gzip.compress(content, mtime=0)
    return Attachment(name, content) if len(content) <= most else None


def _told(data: PersonalData, at: datetime, about: Mapping[str, str]) -> Json:
    return {
        "format": FORMAT,
        "version": VERSION,
        "about": dict(about),
        "made_at": moment_told(at),
        "person": person_told(data.person),
        "choices": _choices(data.choices),
        "statistics": data.statistics,
        "games": data.games,
        "puzzles": [_puzzle(day, answer) for day, answer in data.puzzles.items()],
        **data.rows,
        "tournaments": data.tournaments,
    }


def _puzzle(day: date, answer: PuzzleAnswer) -> Json:
    return {
        "day": day.isoformat(),
        "solved": answer.solved,
        "tried": [*answer.tried],
        "at": None if answer.at is None else moment_told(answer.at),
    }


def _choices(choices: Choices) -> Json:
    told: Json = {each.name: getattr(choices, each.name) for each in fields(choices)}
    blocked = [person_told(other) for other in sorted(choices.blocked)]
    return {"board": told.pop("form"), **told, "blocked": blocked}


def person_told(person: PersonId) -> str | None:
    """A person's id as text; None for a former player."""
    return None if person in FORMER_PLAYERS else str(person)


def id_told(number: int | None) -> str | None:
    """An id of Discord as text, if there is one."""
    return None if number is None else str(number)


def moment_told(at: datetime) -> str:
    """A moment in ISO format, to the millisecond."""
    return at.isoformat(timespec="milliseconds")
