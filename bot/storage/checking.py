"""Holds all that is stored of games against their moves.

Every game is replayed, and its dice are rolled again from their secret. Where the rules ended it,
its result is what the moves lead to; where people did, one that somebody's leaving there gives. The
records then have to be those of these results, in the order in which the games finished.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection, RowMapping, select

from bot.leaving import payoffs
from bot.session import Phase
from bot.storage.fitting import contradictions
from bot.storage.rows import Row, stored_table
from bot.storage.schema import moves, seats, sessions
from bot.storage.second_books import Tell, second_books
from bot.store import Table, UnknownTable
from engine.game import IllegalMove, InvalidOptions

TOGETHER: Final = 500
"""How many games are read at a time."""


@dataclass(frozen=True, slots=True)
class Checked:
    """How much was checked."""

    games: int = 0
    moves: int = 0
    records: int = 0


@dataclass(frozen=True, slots=True)
class _Game:
    """A game as it is stored, its moves by their plies."""

    row: RowMapping
    seats: Sequence[RowMapping]
    moves: Sequence[RowMapping]


def check(connection: Connection, tell: Tell, passed: Callable[[int], None]) -> Checked:
    """Checks a database, telling of all that is wrong; `passed` is told how many games were seen.

    What is found there may be anything: it is the owner's database, but perhaps damaged.
    """
    checked = Checked()
    with second_books() as books:
        for games in _batches(connection):
            for game in games:
                for fault in faults(game.row, game.seats, game.moves):
                    tell(f"Game {game.row['id']}: {fault}")
            books.add([game.row for game in games], [seat for game in games for seat in game.seats])
            checked = replace(
                checked,
                games=checked.games + len(games),
                moves=checked.moves + sum(len(game.moves) for game in games),
            )
            passed(checked.games)
        return replace(checked, records=books.compare(connection, tell))


def faults(row: Row, occupants: Sequence[Row], played: Sequence[Row]) -> Iterator[str]:
    """What is wrong with a game, as its rows tell of it."""
    plies = [move["ply"] for move in played]
    if plies != list(range(row["plies"])):
        missing = sorted(set(range(row["plies"])) - set(plies))
        there = f"there is none of ply {missing[0]}" if missing else f"there are {len(plies)}"
        yield f"it should have {row['plies']} moves, but {there}."
        return
    try:
        table = stored_table(row, occupants, [move["move"] for move in played])
    except UnknownTable:
        yield f"this version does not have {row['game']}, so it was not checked."
    except (IllegalMove, InvalidOptions) as error:
        yield f"{error}."
    except (ValueError, TypeError, LookupError) as error:
        yield f"its rows are not those of a game ({error!r})."
    else:
        yield from _contradictions(table, row)


def _contradictions(table: Table, row: Row) -> Iterator[str]:
    session = table.session
    plain = list(contradictions(table, finish=row["finish"], shown=row["shown"]))
    if plain:
        yield from plain
        return
    if session.phase is Phase.FINISHED:
        if row["finish"] is None:
            yield "it is finished, but has no place among the finished games."
        if session.payoff not in set(payoffs(session)):
            yield f"it ended as {session.ending}, which cannot pay {list(session.payoff or ())}."
    if session.unattended != row["unattended"]:
        yield f"unattended is {row['unattended']}, but its position says otherwise."
    yield from _false_rolls(table)


def _false_rolls(table: Table) -> Iterator[str]:
    session = table.session
    if not session.game.dice or session.position is None:
        return
    if table.dice is None:
        yield "the secret of its dice is missing."
        return
    for ply, pips in session.game.rolls(len(session.seats), session.options, session.moves):
        due = table.dice.pips(table.id, ply)
        if pips != due:
            yield f"the roll of ply {ply} is {pips}, but its secret gives {due}."


def _batches(connection: Connection) -> Iterator[list[_Game]]:
    """All games by their numbers, some at a time."""
    last = 0
    numbered = select(sessions.c.id).order_by(sessions.c.id).limit(TOGETHER)
    while numbers := connection.execute(numbered.where(sessions.c.id > last)).scalars().all():
        first, last = numbers[0], numbers[-1]
        seated: defaultdict[int, list[RowMapping]] = defaultdict(list)
        played: defaultdict[int, list[RowMapping]] = defaultdict(list)
        for table, found in ((seats, seated), (moves, played)):
            own = select(table).where(table.c.session.between(first, last))
            for row in connection.execute(own.order_by(*table.primary_key)).mappings():
                found[row["session"]].append(row)
        own = select(sessions).where(sessions.c.id.between(first, last)).order_by(sessions.c.id)
        rows = connection.execute(own).mappings()
        yield [_Game(row, seated[row["id"]], played[row["id"]]) for row in rows]
