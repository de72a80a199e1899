"""Finished games entered into the records, each in the transaction that ends it.

Each game gets the next number of finishing here (`finish`): entering all games again in that order
gives the same records. Games that finished before feats were stored are replayed once to find them.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from time import perf_counter
from types import MappingProxyType
from typing import Final, TypeAlias

from sqlalchemy import (
    BigInteger,
    Connection,
    Integer,
    Table,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy import text as sql

from bot.games.catalogue import CATALOGUE
from bot.records.rating import ALL_TIME, Season, season_of
from bot.records.results import AmongPeople, Result
from bot.records.standings import (
    EVERYWHERE,
    Pair,
    Scope,
    Standing,
    StandingKey,
    entered,
    pair,
    scope_of,
)
from bot.records.summaries import Finished
from bot.storage.dialect import FINISHING, advisory_lock, unhurried
from bot.storage.errors import Unreadable
from bot.storage.migrate import progress
from bot.storage.processes import delete_note, has_note
from bot.storage.records import puzzles
from bot.storage.records.badges import BadgeBook
from bot.storage.records.finished import (
    feats_of,
    level_values,
    pairing_values,
    read,
    result_values,
    standing_of,
    standing_values,
    tally_of,
)
from bot.storage.schema.game_tables import RECORDED, UNRECORDED, sessions
from bot.storage.schema.record_tables import RECORDS, level_records, pairings, results, standings
from bot.storage.table_rows import load
from bot.storage.values import Prepared, Values
from bot.table.seats import PersonId
from bot.table.session import Phase, SessionId
from bot.table.table import Award

log = logging.getLogger(__name__)

RECOUNT: Final = "recount"
"""The key of the note by which a migration asks for the records to be made anew."""

BATCH: Final = 500
"""The most games read at a time when many are entered."""

WORTH_TELLING: Final = 1_000
"""With at least this many games, making their records anew is logged."""

StandingsOf: TypeAlias = defaultdict[str, dict[StandingKey, Standing]]
"""Standings by the key of the game."""

_LAST = Prepared(select(func.max(sessions.c.finish)).where(RECORDED))
_WAITING = select(sessions.c.id).where(UNRECORDED).order_by(sessions.c.moved_at, sessions.c.id)
_ENTERED = (
    select(sessions.c.id, sessions.c.finish, sessions.c.game)
    .where(sessions.c.finish > bindparam("last", type_=Integer))
    .order_by(sessions.c.finish)
    .limit(BATCH)
)
_OWN = Prepared(update(sessions).where(sessions.c.id == bindparam("of")))
_ADD_RESULTS = Prepared(insert(results))
_MET = Prepared(
    select(pairings).where(
        pairings.c.person == bindparam("one"),
        pairings.c.opponent == bindparam("other"),
        pairings.c.game == bindparam("game"),
        pairings.c.season.in_((literal_column(str(ALL_TIME)), bindparam("season", type_=Integer))),
        pairings.c.scope.in_(
            (literal_column(str(EVERYWHERE)), bindparam("scope", type_=BigInteger))
        ),
    )
)
_STANDINGS = Prepared(
    select(standings).where(
        standings.c.person == bindparam("person"),
        standings.c.game == bindparam("game"),
        standings.c.season.in_((literal_column(str(ALL_TIME)), bindparam("season", type_=Integer))),
    )
)


def _upsert(table: Table, change: str) -> Prepared:
    """A statement that inserts a row or updates the one with its key, in SQL for both databases.

    `change` is the new value of a column outside of the key, such as `excluded.{0}`.
    """
    names = table.columns.keys()
    key = table.primary_key.columns.keys()
    changes = (f"{name} = {change.format(name)}" for name in names if name not in key)
    words = (
        f"INSERT INTO {table.name} ({', '.join(names)}) "  # noqa: S608
        f"VALUES ({', '.join(f':{name}' for name in names)}) "
        f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {', '.join(changes)}"
    )
    return Prepared(sql(words))


_KEEP_STANDING: Final = _upsert(standings, "excluded.{0}")
_COUNT_LEVEL: Final = _upsert(level_records, "level_record.{0} + excluded.{0}")
_COUNT_PAIRING: Final = _upsert(pairings, "pairing.{0} + excluded.{0}")


def record(connection: Connection, game: Finished) -> tuple[Award, ...]:
    """Enter a game that has just finished, and return the badges that it earns."""
    advisory_lock(connection, FINISHING)
    finish = (_LAST.run(connection).scalar() or 0) + 1
    _OWN.run(connection, {"of": game.session, "finish": finish, "short": game.short})
    return _enter(connection, [(game, finish)])


def record_missing(connection: Connection) -> None:
    """Enter the finished games that are not in the records yet, in the order in which they ended.

    If a migration has asked for it, all records are made anew. When several processes start, one
    does that and the others wait for it.
    """
    unhurried(connection)
    advisory_lock(connection, FINISHING)
    waiting = connection.execute(_WAITING).scalars().all()
    for games in _games(connection, waiting):
        for game in games:
            record(connection, game)
    if has_note(connection, RECOUNT):
        _make_anew(connection)
    if puzzles.are_uncounted(connection):
        puzzles.recount(connection)


def _make_anew(connection: Connection) -> None:
    """Find all feats and make all records anew; with many games, log the progress."""
    games = connection.execute(select(func.count()).where(sessions.c.finish > 0)).scalar_one()
    if games < WORTH_TELLING:
        fill(connection)
        rebuild(connection)
        return
    log.info("Upgrading the database: counting its finished games anew games=%s", games)
    begun = perf_counter()
    fill(connection, progress("looked through"))
    rebuild(connection, progress(f"counted of={games}"))
    log.info("database upgraded seconds=%.0f", perf_counter() - begun)


def rebuild(connection: Connection, passed: Callable[[int], None] = lambda _: None) -> None:
    """Make all records anew from the games, in the order in which they finished.

    `passed` is called with the number entered so far.
    """
    for table in RECORDS:
        connection.execute(delete(table))
    enter_all(connection, passed)
    puzzles.recount(connection)
    delete_note(connection, RECOUNT)


def enter_all(
    connection: Connection,
    passed: Callable[[int], None] = lambda _: None,
    *,
    without: Collection[str] = (),
    instead: Mapping[SessionId, Finished] = MappingProxyType({}),
) -> None:
    """Enter all games into empty records, in the order in which they finished.

    Kinds of games in `without` are left out; games in `instead` replace those read from the rows.
    `passed` is called with the number entered so far.
    """
    count, last = 0, 0
    while rows := connection.execute(_ENTERED, {"last": last}).all():
        finishes: dict[int, int] = {row.id: row.finish for row in rows if row.game not in without}
        for games in _games(connection, [*finishes]):
            played = (instead.get(game.session, game) for game in games)
            _enter(connection, [(game, finishes[game.session]) for game in played])
        count, last = count + len(rows), rows[-1].finish
        passed(count)


def _games(connection: Connection, numbers: Sequence[int]) -> Iterator[list[Finished]]:
    """The finished games with these ids, in this order, in lists of at most `BATCH`."""
    for start in range(0, len(numbers), BATCH):
        chunk = numbers[start : start + BATCH]
        games = {int(game.session): game for game in read(connection, sessions.c.id.in_(chunk))}
        yield [games[session] for session in chunk if session in games]


def _enter(connection: Connection, games: Iterable[tuple[Finished, int]]) -> tuple[Award, ...]:
    """Enter games with their numbers of finishing, in order; return the badges that they earn.

    Standings are read before the first game and written after the last: 500 games take a quarter
    of the time that they take one by one.
    """
    counting = [(game, game.result, place) for game, place in games if game.result is not None]
    players = {
        (who.person, game.game, season_of(game.at))
        for game, result, _ in counting
        for who in result.verdicts
    }
    before, met = _standings(connection, players), _met(connection, counting)
    badges = BadgeBook(connection, ((person, game) for person, game, _ in players))
    after: StandingsOf = defaultdict(dict)
    played: list[Values] = []
    levels: list[Values] = []
    meetings: list[Values] = []
    for game, result, place in counting:
        standing, pairs = before[game.game], met[game.game]
        entry = entered(result, game.guild, season_of(game.at), standing, pairs)
        badges.enter(game, entry, standing)
        pairs.update(entry.met)
        standing.update(entry.standings)
        after[game.game].update(entry.standings)
        played += result_values(game, entry, place)
        levels += level_values(game.game, entry)
        meetings += pairing_values(game.game, entry)
    stand = [row for key, its in after.items() for row in standing_values(key, its)]
    for statement, rows in (
        (_ADD_RESULTS, played),
        (_KEEP_STANDING, stand),
        (_COUNT_LEVEL, levels),
        (_COUNT_PAIRING, meetings),
    ):
        if rows:
            statement.run(connection, *rows)
    return badges.write(connection)


def _standings(
    connection: Connection, players: Iterable[tuple[PersonId, str, Season]]
) -> StandingsOf:
    """The standings of all time and of a season for each (person, game, season)."""
    found: StandingsOf = defaultdict(dict)
    for person, game, season in sorted(players):
        own = {"person": person, "game": game, "season": season}
        for row in _STANDINGS.run(connection, own).mappings():
            key = StandingKey(person, Scope(row["scope"]), Season(row["season"]))
            found[game][key] = standing_of(row)
    return found


def _met(
    connection: Connection, games: Iterable[tuple[Finished, Result, int]]
) -> defaultdict[str, dict[Pair, int]]:
    """How many games each pair of opponents has played before, by the key of the game."""
    found: defaultdict[str, dict[Pair, int]] = defaultdict(dict)
    pairs = {
        (game.game, pair(one.person, other.person, scope_of(game.guild), season_of(game.at)))
        for game, result, _ in games
        if isinstance(result, AmongPeople)
        for one in result.verdicts
        for other in result.opponents(one)
    }
    for game, of_two in sorted(pairs):
        for row in _MET.run(connection, {"game": game, **of_two._asdict()}).mappings():
            key = of_two._replace(scope=Scope(row["scope"]), season=Season(row["season"]))
            found[game][key] = tally_of(row).games
    return found


_STATE: Final = select(sessions.c.state).where(sessions.c.id == bindparam("of"))
_KEEP: Final = Prepared(
    update(sessions).where(sessions.c.id == bindparam("of")).values(state=bindparam("state"))
)

_FINISHED: Final = (
    select(sessions.c.id)
    .where(
        sessions.c.id > bindparam("last", type_=Integer),
        sessions.c.game.in_([key for key, entry in CATALOGUE.items() if entry.feats is not None]),
        sessions.c.phase == Phase.FINISHED,
    )
    .order_by(sessions.c.id)
    .limit(BATCH)
)


def fill(connection: Connection, passed: Callable[[int], None] = lambda _: None) -> None:
    """Find and store the feats of all finished games that can be read.

    `passed` is called with the number of games searched so far.
    """
    count, last = 0, 0
    while numbers := connection.execute(_FINISHED, {"last": last}).scalars().all():
        for number in numbers:
            _fill(connection, SessionId(number))
            count += 1
            passed(count)
        last = numbers[-1]


def _fill(connection: Connection, number: SessionId) -> None:
    try:
        feats = [sorted(own) for own in feats_of(load(connection, number).session)]
    except Unreadable:
        return
    if any(feats):
        state = connection.execute(_STATE, {"of": number}).scalar_one()
        _KEEP.run(connection, {"of": number, "state": {**state, "feats": feats}})
