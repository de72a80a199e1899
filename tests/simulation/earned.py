"""What people have earned, counted again from moves and rows by other code than the bot's.

Who has won a duel is found by looking for lines on its board; what a person has played and against
whom follows from the results; a place is of points or of the round that was reached; a badge needs
a game of its person that earns it, and a champion a match that was really played.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

Rows = Callable[[str], list[Any]]
"""Carries out a query on the database file."""

Cell = tuple[int, int]

WAYS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))


def wrongly_earned(rows: Rows, roles: Iterable[int]) -> Iterator[str]:
    """What somebody has and nothing earns, in sentences; `roles` are the people with one."""
    yield from _results(rows)
    yield from _standings(rows)
    yield from _badges(rows)
    yield from _matches(rows)
    yield from _places(rows)
    yield from _rounds_reached(rows)
    champions = {person for (person,) in rows(CHAMPIONS)}
    for person in roles:
        if person not in champions:
            yield f"person {person} has a winner's role and no title"


def _results(rows: Rows) -> Iterator[str]:
    """Each result of a duel that was played to its end is what stands on the board."""
    for session, game, state in rows(PLAYED_DUELS):
        moves = [move for (move,) in rows(MOVES.format(session))]
        winner = winning_seat(game, json.loads(state)["session"]["options"], moves)
        for seat, outcome in rows(OUTCOMES.format(session)):
            right = "draw" if winner is None else "win" if winner == seat else "loss"
            if outcome != right:
                yield f"seat {seat} of table {session} has a {outcome}, its board says {right}"


def _standings(rows: Rows) -> Iterator[str]:
    """A person's standing has as many wins, draws and losses as their rated results."""
    counted: Counter[tuple[Any, ...]] = Counter()
    for person, game, outcome in rows(RATED):
        counted[person, game, outcome] += 1
    for person, game, *had in rows(STANDINGS):
        right = [counted[person, game, outcome] for outcome in ("win", "draw", "loss")]
        if had != right:
            yield f"person {person} has {had} of {game}, the results say {right}"
    met = {(*row[:4],): row[4:] for row in rows(PAIRINGS)}
    for (person, rival, *where), (wins, draws, losses) in met.items():
        if met.get((rival, person, *where), (0, 0, 0)) != (losses, draws, wins) and person > 0:
            yield f"people {person} and {rival} have met differently in {where}"


def _badges(rows: Rows) -> Iterator[str]:
    """A badge is of a game in which its person has a result; one for a level, of a win there."""
    for person, badge, session, outcome, level in rows(BADGES):
        beaten = badge.removeprefix("beat_")
        fits = beaten == badge or (outcome, level) == ("win", beaten)
        if outcome is None or not fits:
            yield f"person {person} has {badge} by table {session}: {outcome} against {level}"


def _matches(rows: Rows) -> Iterator[str]:
    """The points of a duel in a tournament that was played to its end are its board's."""
    for tournament, leg, session, game, state, nothing in rows(PLAYED_LEGS):
        moves = [move for (move,) in rows(MOVES.format(session))]
        winner = winning_seat(game, json.loads(state)["session"]["options"], moves)
        for seat, points in rows(POINTS.format(tournament, leg)):
            right = 0.0 if nothing else 0.5 if winner is None else float(winner == seat)
            if points != right:
                yield f"seat {seat} of leg {leg} of tournament {tournament} has {points} points"


def _places(rows: Rows) -> Iterator[str]:
    """Nobody has a place before another with more points, where points give places.

    Who has left an arena for good, as who was kicked or forgotten, comes behind the others.
    """
    for tournament, kind in rows(ENDED):
        legs: dict[int, list[tuple[int, float, bool]]] = {}
        for leg, entry, points, absent in rows(PARTS.format(tournament)):
            legs.setdefault(leg, []).append((entry, points, absent))
        made = arena_points(legs.values()) if kind == "arena" else defaultdict[int, float](float)
        if kind != "arena":
            for entry, points, _ in (part for parts in legs.values() for part in parts):
                made[entry] += points
        placed = [
            (behind, -made[entry] - 0.5 * (since - 1))
            for entry, since, behind in rows(PLACED.format(tournament))
        ]
        if placed != sorted(placed):
            points = [-less for _, less in placed]
            yield f"the places of tournament {tournament} are of {points} points"


def _rounds_reached(rows: Rows) -> Iterator[str]:
    """Who came further has the better place, and in a match who was better.

    A heat's places are of points, then of seeds, whoever has left since. A match of two goes to who
    came, who made more points, in live games to who thought less in those that they did not lose,
    and then to the higher seed.
    """
    for tournament, kind, pace in rows(BY_ROUNDS):
        matches: dict[tuple[int, int], dict[int, list[tuple[float, float, bool]]]] = {}
        reached = Counter[int]()
        for round_, match, entry, *part in rows(MATCHES.format(tournament)):
            matches.setdefault((round_, match), {}).setdefault(entry, []).append((*part,))
            reached[entry] = max(reached[entry], round_)
        entries = rows(SEEDED.format(tournament))
        rounds = [reached[entry] for entry, *_ in entries]
        if rounds != sorted(rounds, reverse=True):
            yield f"the places of tournament {tournament} are of rounds {rounds}"
        for (round_, match), parts in matches.items():
            ended = []
            for entry, seed in entries:
                if reached[entry] == round_ and entry in parts:
                    points, _, absent = map(sum, zip(*parts[entry], strict=True))
                    thought = sum(spent for made, spent, _ in parts[entry] if made)
                    of_two = kind == "knockout"
                    slow = thought if of_two and pace == "live" else 0.0
                    ended.append((of_two and absent > 0, -points, slow, seed))
            if ended != sorted(ended):
                yield f"the places of match {match} of tournament {tournament} are of {ended}"


def arena_points(legs: Iterable[list[tuple[int, float, bool]]]) -> dict[int, float]:
    """The points of the entries of an arena: of each leg the entries, their points, who was absent.

    A win is two points and a draw one, both doubled after two wins in a row.
    """
    made, row = defaultdict[int, float](float), Counter[int]()
    for parts in legs:
        counts = any(points for _, points, _ in parts)
        for entry, points, absent in parts:
            if counts or absent:
                made[entry] += 2 * points * (2 if row[entry] >= 2 else 1)
                row[entry] = row[entry] + 1 if points == 1 else 0
    return made


def winning_seat(game: str, options: Any, moves: list[int]) -> int | None:
    """The seat with a line on the board after moves, or None."""
    line, cells = 4, dict[Cell, int]()
    if game == "tictactoe":
        line, size = options["line"], options["size"]
        cells = {divmod(move, size): ply % 2 for ply, move in enumerate(moves)}
    else:
        height: Counter[int] = Counter()
        for ply, column in enumerate(moves):
            cells[height[column], column] = ply % 2
            height[column] += 1
    for (row, column), seat in cells.items():
        for down, right in WAYS:
            along = ((row + n * down, column + n * right) for n in range(line))
            if all(cells.get(cell) == seat for cell in along):
                return seat
    return None


PLAYED_DUELS: Final = (
    "SELECT id, game, state FROM session WHERE ending = 'played'"
    " AND finish IS NOT NULL AND game IN ('tictactoe', 'connectfour')"
)
MOVES: Final = "SELECT move FROM move WHERE session = {} ORDER BY ply"
OUTCOMES: Final = (
    "SELECT seat.seat, outcome FROM seat JOIN result USING (session, person) WHERE session = {}"
)
RATED: Final = "SELECT person, game, outcome FROM result WHERE mu IS NOT NULL"
STANDINGS: Final = (
    "SELECT person, game, wins, draws, losses FROM standing WHERE season = 0 AND scope = 0"
)
PAIRINGS: Final = (
    "SELECT person, opponent, game, season || '/' || scope, wins, draws, losses FROM pairing"
)
BADGES: Final = (
    "SELECT badge.person, badge, badge.session, outcome, level FROM badge"
    " LEFT JOIN result ON result.person = badge.person AND result.session = badge.session"
)
PLAYED_LEGS: Final = (
    "SELECT leg.tournament, leg.number, session.id, session.game, state, short AND format = 'arena'"
    " FROM tournament_leg AS leg JOIN session ON session.id = leg.session"
    " JOIN tournament ON tournament.id = leg.tournament"
    " WHERE void = 0 AND undecided = 0 AND ending = 'played' AND finish IS NOT NULL"
    " AND session.game IN ('tictactoe', 'connectfour')"
)
POINTS: Final = "SELECT seat, points FROM tournament_part WHERE tournament = {} AND leg = {}"
ENDED: Final = (
    "SELECT id, format FROM tournament"
    " WHERE stage = 'over' AND format IN ('swiss', 'all_play_all', 'arena')"
)
PARTS: Final = (
    "SELECT leg, entry, points, absent FROM tournament_part AS part JOIN tournament_leg AS leg_"
    " ON leg_.tournament = part.tournament AND number = leg"
    " WHERE part.tournament = {} AND void = 0 AND undecided = 0 ORDER BY leg, seat"
)
PLACED: Final = (
    "SELECT number, CASE WHEN format = 'arena' THEN 1 ELSE since END,"
    " format = 'arena' AND departed FROM tournament_entry"
    " JOIN tournament ON id = tournament WHERE tournament = {} ORDER BY place"
)
BY_ROUNDS: Final = (
    "SELECT id, format, pace FROM tournament"
    " WHERE stage = 'over' AND format IN ('knockout', 'heats')"
)
MATCHES: Final = (
    "SELECT round, match_number, entry, points, thought, absent FROM tournament_part AS part"
    " JOIN tournament_leg AS leg_ ON leg_.tournament = part.tournament AND number = leg"
    " WHERE part.tournament = {} AND void = 0 AND undecided = 0 ORDER BY leg, seat"
)
SEEDED: Final = "SELECT number, seed FROM tournament_entry WHERE tournament = {} ORDER BY place"
CHAMPIONS: Final = (
    "SELECT person FROM tournament_entry AS entry JOIN tournament ON tournament.id = tournament"
    " WHERE place = 1 AND stage = 'over' AND (cut = 0 OR round = rounds) AND ("
    "SELECT count(DISTINCT rival.person) FROM tournament_leg AS leg"
    " JOIN session ON session.id = leg.session JOIN seat ON seat.session = session.id"
    " JOIN seat AS rival ON rival.session = session.id AND rival.person <> seat.person"
    " WHERE leg.tournament = entry.tournament AND leg.void = 0 AND finish IS NOT NULL"
    " AND short = 0 AND seat.person = entry.person) >= CASE format WHEN 'arena' THEN 2 ELSE 1 END"
)
