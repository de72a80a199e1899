"""Checks of one stored game against its moves, and of tournaments against their matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import Connection, select

from bot.records.results import RATED_PLIES, AmongPeople, result
from bot.records.summaries import Finished
from bot.storage.errors import UnknownGame, UnknownTable, Unreadable
from bot.storage.reading import UNFIT
from bot.storage.records.finished import feats_of, over
from bot.storage.schema.tournament_tables import tournaments
from bot.storage.table_rows import Row, seat_values, stored_table
from bot.storage.table_rows import load as load_table
from bot.storage.tournament_rows import load
from bot.storage.values import Values
from bot.table.ending import payoffs
from bot.table.seats import Absent, Human, Invited, Vacant, Word, word_of
from bot.table.session import Ending, Phase, Session
from bot.table.table import Table
from bot.tournaments.progress import by_matches, standings
from bot.tournaments.tournament import Format, Leg, Stage, Tournament, TournamentId, points
from engine.game import Game, IllegalMove, InvalidOptions, Move, Options, State, rolls_along

_PERSONAL: Final = frozenset({"human", "invited", "absent"})
"""The kinds of seats that belong to a person."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """The rows of a game: its session, its seats, and its moves with their plies.

    `taken_back` maps the number of a take-back, from 1, to the (ply, move) pairs it removed.
    """

    row: Values
    seats: list[Values]
    plies: list[int]
    moves: list[int]
    taken_back: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    @property
    def counts(self) -> bool:
        """Whether records should follow from the game."""
        return self.row["phase"] == Phase.FINISHED or self.row["finish"] is not None


@dataclass(frozen=True, slots=True)
class Examined:
    """The faults of a game, and whether records can be made of it.

    `mended` is the game with the right result, if its moves end it and another result is stored.
    `rolls` is the number of dice rolled again.
    """

    faults: tuple[str, ...]
    countable: bool
    mended: Finished | None = None
    rolls: int = 0


class _NotPlayed(Exception):
    """The moves of a game cannot have been played; the message is a sentence."""


def examined(game: StoredGame) -> Examined:
    """Replay a game, and roll its dice again."""
    try:
        table, path = _replayed(game)
    except _NotPlayed as fault:
        return Examined((str(fault),), _countable(game))
    rolls = _rolls(table, path)
    faults = (
        *_contradictions(table, game),
        *_false_seats(table, path, game),
        *_false_rolls(table, rolls),
        *_false_lines(table, game.taken_back),
    )
    countable = not faults or _countable(game)
    mended = _mended(table) if faults and countable else None
    return Examined(faults, countable, mended, len(rolls))


def _replayed(game: StoredGame) -> tuple[Table, Sequence[State]]:
    """The table of a game, and its positions from the first to the last if it has begun."""
    plies, due = game.plies, game.row["plies"]
    if plies != [*range(len(plies))] or len(plies) != due:
        gap = next((ply for ply, there in enumerate(plies) if ply != there), len(plies))
        there = f"there is none of ply {gap}" if gap < due else f"there are {len(plies)}"
        raise _NotPlayed(f"it should have {due} moves, but {there}.")
    for fault in _nobodys(game.seats):
        raise _NotPlayed(fault)
    path: list[State] = []

    def replay(rules: Game[Any], seats: int, options: Options, moves: Sequence[Move]) -> State:
        path.extend(rules.checked_path(seats, options, moves))
        return path[-1]

    try:
        return stored_table(game.row, game.seats, game.moves, replay), path
    except UnknownGame:
        name = game.row["game"]
        raise _NotPlayed(f"this version does not have {name}, so it was not checked.") from None
    except (IllegalMove, InvalidOptions) as error:
        raise _NotPlayed(f"{error}.") from None
    except (ValueError, TypeError, LookupError) as error:
        raise _NotPlayed(f"its rows are not those of a game ({error!r}).") from None


def _countable(game: StoredGame) -> bool:
    """Whether records can be made of a faulty game."""
    undiced = _with_state(game.row, dice=None)
    try:
        session = stored_table(undiced, game.seats, ()).session
    except (UnknownGame, InvalidOptions, ValueError, TypeError, LookupError):
        return False
    is_over = session.phase is Phase.FINISHED and session.ending in RESULTS
    return is_over and game.row["finish"] is not None and not any(seat_faults(session))


def _mended(table: Table) -> Finished | None:
    payoff = table.session.position.payoff()
    if payoff is None or tuple(payoff) == table.session.payoff:
        return None
    return over(replace(table, session=replace(table.session, payoff=tuple(payoff))))


def _with_state(row: Values, **other: object) -> Row:
    return {**row, "state": {**row["state"], **other}}


def _contradictions(table: Table, game: StoredGame) -> Iterator[str]:
    session, row = table.session, game.row
    plain = list(contradictions(table, finish=row["finish"], shown=row["shown"]))
    if plain:
        yield from plain
        return
    if session.phase is Phase.FINISHED:
        if row["finish"] is None:
            yield "it is finished, but has no place among the finished games."
        if session.payoff not in set(payoffs(session)):
            yield f"it ended as {session.ending}, which cannot pay {list(session.payoff or ())}."
        if row["short"] and session.all_have_moved(RATED_PLIES):
            yield "it is taken for short, but everybody has moved twice."
    looked_at = row["unattended"] and session.phase is Phase.RUNNING  # as after an upgrade
    if session.unattended != row["unattended"] and not looked_at:
        yield f"unattended is {row['unattended']}, but its position says otherwise."


def _false_seats(table: Table, path: Sequence[State], game: StoredGame) -> Iterator[str]:
    for stored, due in zip(game.seats, seat_values(table), strict=True):
        for name, value in due.items():
            if stored[name] != value:
                yield f"{name} of seat {due['seat']} is {stored[name]}, which should be {value}."
    for index, occupant in enumerate(table.session.seats):
        word = word_of(occupant)
        if word is not None and word.text is not None and word != Word.of(word.text):
            yield f"word of seat {index} is not the one that its dice roll by."
    feats = [sorted(own) for own in feats_of(table.session, path)]
    if game.row["state"]["feats"] != feats:
        yield f"feats are {game.row['state']['feats']}, which should be {feats}."


def _nobodys(occupants: Sequence[Row]) -> Iterator[str]:
    for seat in occupants:
        if seat["kind"] in _PERSONAL and seat["person"] is None:
            yield f"seat {seat['seat']} is kept by a person, but nothing says by whom."


def _rolls(table: Table, path: Sequence[State]) -> Sequence[tuple[int, Move]]:
    return [*rolls_along(path, table.session.moves)] if table.session.game.dice else ()


def _false_lines(
    table: Table, taken_back: Mapping[int, Sequence[tuple[int, int]]]
) -> Iterator[str]:
    """Sentences about moves taken back that cannot have been played, the latest take-back first.

    The game before a take-back is today's moves up to its first ply, then the moves taken back.
    """
    session = table.session
    line = list(session.moves)
    for number in sorted(taken_back, reverse=True):
        start = taken_back[number][0][0]
        plies = [ply for ply, _ in taken_back[number]]
        gaps = not 0 <= start <= len(line) or plies != [*range(start, start + len(plies))]
        if session.position is None or gaps:
            yield f"what was taken back the time {number} has gaps."
            return
        line[start:] = [Move(move) for _, move in taken_back[number]]
        try:
            path = session.game.checked_path(len(session.seats), session.options, line)
        except IllegalMove as error:
            yield f"what was taken back the time {number} cannot have been played: {error}."
            return
        if session.game.dice:
            rolls = rolls_along(path, line)
            yield from _false_rolls(table, [roll for roll in rolls if roll[0] >= start])


def _false_rolls(table: Table, rolls: Sequence[tuple[int, Move]]) -> Iterator[str]:
    if table.dice is None:
        if rolls:
            yield "the secret of its dice is missing."
        return
    if rolls and table.awaits_message:
        yield "dice were rolled, but nothing says which message was its first."
        return
    for ply, pips in rolls:
        due = table.pips(ply)
        if pips != due:
            yield f"the roll of ply {ply} is {pips}, but its secret gives {due}."


RESULTS: Final = frozenset({Ending.PLAYED, Ending.RESIGNED, Ending.AGREED, Ending.TIME})
"""The endings that leave a result."""

_TOLERANCE: Final = 1e-9


def contradictions(table: Table, *, finish: int | None, shown: int) -> Iterator[str]:
    """Contradictions between the parts of a table, a sentence each."""
    session = table.session
    yield from _ending_faults(session, finish)
    yield from seat_faults(session)
    yield from _board_faults(session)
    if shown > table.revision:
        yield f"shown is {shown}, but the revision is {table.revision}."
    if table.rematch is not None and table.rematch <= table.id:
        yield f"rematch is {table.rematch}, but a rematch has a greater number."


def _ending_faults(session: Session, finish: int | None) -> Iterator[str]:
    phase, ending = session.phase, session.ending
    expected: frozenset[Ending | None] = {
        Phase.LOBBY: frozenset({None}),
        Phase.RUNNING: frozenset({None}),
        Phase.FINISHED: RESULTS,
        Phase.ABANDONED: frozenset(Ending) - RESULTS,
    }[phase]
    if ending not in expected:
        yield f"phase is {phase}, but ending is {ending or 'null'}."
    if (session.payoff is None) is (phase is Phase.FINISHED):
        yield f"phase is {phase}, but payoff is {session.payoff or 'null'}."
    if session.payoff is not None and abs(sum(session.payoff)) > _TOLERANCE:
        yield "payoff does not sum to 0."
    if finish is not None and phase is not Phase.FINISHED:
        yield f"phase is {phase}, but finish is {finish}."
    if session.lapsed and phase is not Phase.RUNNING:
        yield f"phase is {phase}, but lapsed is true."
    if session.offer is not None and (
        phase is not Phase.RUNNING or session.offer >= len(session.seats)
    ):
        yield f"phase is {phase} with {len(session.seats)} seats, but offer is {session.offer}."


def seat_faults(session: Session) -> Iterator[str]:
    """The faults of a session's seats, a sentence each."""
    people = [seat.person for seat in session.seats if isinstance(seat, Human | Absent)]
    if len(set(people)) < len(people):
        yield "somebody has two seats."
    if len(session.seats) > max(session.game.seats):
        yield f"there are {len(session.seats)} seats."
    if session.phase in {Phase.RUNNING, Phase.FINISHED} and any(
        isinstance(seat, Invited | Vacant) for seat in session.seats
    ):
        yield f"phase is {session.phase}, but not everybody has come."


def _board_faults(session: Session) -> Iterator[str]:
    settled = session.game.settled(session.options)
    if settled != session.options:
        missing = ", ".join(key for key in settled if key not in session.options)
        yield f"options lacks {missing}."
    if session.position is None:
        if session.moves:
            yield f"phase is {session.phase}, but there are moves."
        return
    over = session.position.payoff()
    if session.ending is Ending.PLAYED:
        if over is None or tuple(over) != session.payoff:
            reached = "no end" if over is None else f"payoff {list(over)}"
            yield f"the moves lead to {reached}."
    elif over is not None:
        yield f"the moves lead to the end, but ending is {session.ending or 'null'}."


def false_tournaments(connection: Connection) -> Iterator[str]:
    """Faults of tournaments whose rows contradict each other or their tables, a sentence each."""
    numbers = connection.execute(select(tournaments.c.id).order_by(tournaments.c.id)).scalars()
    for number in numbers.all():
        try:
            tournament = load(connection, TournamentId(number)).tournament
            faults = [*_faults(connection, tournament)]
        except Unreadable as error:
            faults = [_unreadable(error.__cause__)]
        except UNFIT as error:
            faults = [_unreadable(error)]
        yield from (f"Tournament {number}: {fault}" for fault in faults)


def _unreadable(error: BaseException | None) -> str:
    if isinstance(error, UnknownGame):
        return f"this version does not have {error}, so it was not checked."
    return f"its rows are not those of a tournament ({error!r})."


def _faults(connection: Connection, tournament: Tournament) -> Iterator[str]:
    for leg in tournament.legs:
        strange = [number for number in leg.entries if number not in tournament.by_number]
        if strange:
            yield f"leg {leg.number} names entry {strange[0]}, which does not exist."
            return
        yield from _leg_faults(connection, tournament, leg)
    busy = Counter(number for leg in tournament.open_legs() for number in leg.entries)
    yield from (f"entry {n} plays {many} legs at once." for n, many in busy.items() if many > 1)
    if tournament.format in {Format.SWISS, Format.ALL_PLAY_ALL}:
        pairs = (legs[0].entries for legs in tournament.matches)
        met = Counter(frozenset(pair) for pair in pairs if len(pair) > 1)  # else it is a bye
        yield from (f"entries {sorted(pair)} meet twice." for pair, n in met.items() if n > 1)
    if tournament.stage is Stage.OVER:
        # Versions differ in who advances from a drawn match, and from a table that people left.
        knocks_out = tournament.format in {Format.KNOCKOUT, Format.HEATS}
        due = standings(tournament) if knocks_out else by_matches(tournament)
        for place, entry in enumerate(due, 1):
            if entry.place != place:
                yield f"entry {entry.number} has place {entry.place}, but its matches give {place}."


def _leg_faults(connection: Connection, tournament: Tournament, leg: Leg) -> Iterator[str]:
    """Differences between the points of a leg and the result of its table."""
    if leg.table is None or leg.void or leg.open:
        return
    try:
        session = load_table(connection, leg.table).session
    except UnknownTable:  # the check of games names it
        return
    found = result(session)
    if session.phase is not Phase.FINISHED or not isinstance(found, AmongPeople):
        return
    ranks = [verdict.rank for verdict in found.verdicts]
    due = points(tournament.format, ranks, short=found.short)
    there = tuple(part.points for part in leg.parts)
    if there != due:
        yield f"leg {leg.number} has points {list(there)}, but its table gives {list(due)}."
