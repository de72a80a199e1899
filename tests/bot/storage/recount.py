"""A recount of the records, by replaying every game of a log; shares no code with what it checks.

Who won is read off the last position: the line on the board, the tokens that came home.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import permutations
from math import sqrt
from statistics import fmean
from typing import Any

from openskill.models import PlackettLuce

from bot.table.seats import Computer, Human, PersonId
from bot.table.session import Ending, SessionId
from engine.games.ludo import GAME as LUDO
from engine.games.ludo.rules import Finish, rules
from engine.games.tictactoe import GAME as TICTACTOE
from engine.games.tictactoe import winning_line
from tests.bot.storage.random_games import Played

MODEL = PlackettLuce()
WEAKEST_FIRST = ("hints", "easy", "medium", "hard", "perfect", "expert")

Key = tuple[PersonId, str, int | None]
"""Somebody in a game, in a server or (None) everywhere."""


@dataclass
class Count:
    """The count of a key."""

    ends: list[str] = field(default_factory=list)
    """The endings of games between people, in order."""
    levels: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    met: dict[PersonId, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    rating: Any = field(default_factory=MODEL.rating)
    curve: list[tuple[float, float]] = field(default_factory=list)
    games: list[tuple[SessionId, str]] = field(default_factory=list)
    """Every game, those against computers too, in order."""
    months: Counter[tuple[PersonId, int]] = field(default_factory=Counter)
    """The games against each person in each month."""
    rated: int = 0

    @property
    def streak(self) -> int:
        last, run = self.ends[-1] if self.ends else "draw", 0
        for end in reversed(self.ends):
            if end != last:
                break
            run += 1
        return {"win": run, "draw": 0, "loss": -run}[last]

    @property
    def best_streak(self) -> int:
        runs = "".join(end[0] for end in self.ends).replace("d", "l").split("l")
        return max(map(len, runs))


def order(played: Played) -> list[set[int]]:
    """The seats as they came in, those that are equal together."""
    seats = set(range(len(played.seats)))
    computers = {seat for seat in seats if isinstance(played.seats[seat], Computer)}
    if played.ending is Ending.AGREED:
        return [seats]
    if played.last is not None and len(seats) == 2:
        return [seats - {played.last}, {played.last}]
    if played.last is not None:
        ahead = computers or {int(played.last)}
        return [ahead, seats - ahead]
    return ludo_order(played) if played.game is LUDO else tictactoe_order(played)


def ludo_order(played: Played) -> list[set[int]]:
    """By who came home, of a game that was played out."""
    seats = set(range(len(played.seats)))
    position = LUDO.replay(len(seats), played.options, played.moves)
    home = [int(seat) for seat in position.placed]
    house = rules(played.options)
    if house.finish is Finish.PLACES:
        return [{seat} for seat in home] + [seats - set(home)]
    first = {home[-1], (home[-1] + 2) % 4} if house.teams else {home[-1]}
    return [first, seats - first]


def tictactoe_order(played: Played) -> list[set[int]]:
    """By who has the line, of a game that was played out."""
    position = TICTACTOE.replay(2, played.options, played.moves)
    winner = (len(played.moves) - 1) % 2
    return [{winner}, {1 - winner}] if winning_line(position) else [{0, 1}]


def moves_made(played: Played) -> list[int]:
    """Count each seat's moves, without the rolls."""
    made = [0] * len(played.seats)
    position = played.game.start(len(played.seats), played.options)
    for move in played.moves:
        if position.turn >= 0:
            made[position.turn] += 1
        position = position.play(move)
    return made


def recount(log: list[Played], known_from: int) -> dict[Key, Count]:
    """Everything, game by game; a person is known in full from so many others."""
    counts: dict[Key, Count] = defaultdict(Count)
    for played in log:
        enter(played, counts, known_from)
    return counts


def enter(played: Played, counts: dict[Key, Count], known_from: int) -> None:
    """Adds a game to the counts of its people."""
    people = {i: who.person for i, who in enumerate(played.seats) if isinstance(who, Human)}
    teams = played.options.get("teams") == "yes"
    side = {seat: seat % 2 if teams else seat for seat in range(len(played.seats))}
    places = order(played)
    place = {seat: n for n, group in enumerate(places) for seat in group}
    rank = {seat: 99 if seat in played.gone else place[seat] for seat in people}
    end = {}
    for seat in people:
        beaten = seat in played.gone or place[seat] > 0
        end[seat] = "loss" if beaten else "draw" if len(places) == 1 else "win"
    scopes = {None, played.guild}
    between_people = len({side[seat] for seat in people}) > 1
    counts_among_people = all(count >= 2 for count in moves_made(played))
    for scope in scopes:
        count = {seat: counts[who, played.game.key, scope] for seat, who in people.items()}
        for seat in people:
            count[seat].games.append((played.session, end[seat]))
        if between_people and counts_among_people:
            table = Seats(people, side, count)
            shares = {seat: table.weight(seat, played.at.month, known_from) for seat in people}
            between(table, rank, end, shares)
            for seat, other in permutations(people, 2):
                if side[seat] != side[other]:
                    count[seat].months[people[other], played.at.month] += 1
        elif not between_people:
            rivals = [s for s in side if s not in people and side[s] not in map(side.get, people)]
            levels = [
                str(who.level) for s in rivals if isinstance(who := played.seats[s], Computer)
            ]
            for seat in people:
                level = "hints" if played.hints else max(levels, key=WEAKEST_FIRST.index)
                count[seat].levels[level][end[seat]] += 1


@dataclass(frozen=True)
class Seats:
    """The people of a game between them, by their seats, with their counts in one scope."""

    people: dict[int, PersonId]
    side: dict[int, int]
    count: dict[int, Count]

    def weight(self, seat: int, month: int, known_from: int) -> float:
        """The share of the model's change that counts for a seat."""
        own, weights = self.people[seat], []
        for other in self.people:
            if self.side[other] != self.side[seat]:
                theirs = self.count[other]
                before = theirs.months[own, month]
                again = 1.0 if before < 3 else 2.0 ** (2 - before)
                met = theirs.met.get(own, Counter())
                others = min(len({*theirs.met} - {own}), len(theirs.ends) - met.total())
                weights.append(again * min(1.0, max(others, 0.25) / known_from) ** 2)
        return fmean(weights)


def between(
    table: Seats, rank: dict[int, int], end: dict[int, str], shares: dict[int, float]
) -> None:
    """Adds a game between people to their counts in one scope."""
    people, side, count = table.people, table.side, table.count
    for seat in people:
        count[seat].ends.append(end[seat])
        for other, opponent in people.items():
            if side[other] != side[seat]:
                ahead = (rank[other] > rank[seat]) - (rank[other] < rank[seat])
                count[seat].met[opponent][["draw", "win", "loss"][ahead]] += 1
    sides = {side[seat]: [s for s in people if side[s] == side[seat]] for seat in people}
    if len(set(map(len, sides.values()))) > 1:
        return
    after = {}
    for seat in people:
        ranks = [min(rank[s] for s in members) for members in sides.values()]
        own = list(sides).index(side[seat])
        ranks[own] = rank[seat]
        teams = [[count[s].rating for s in members] for members in sides.values()]
        new = MODEL.rate(teams, ranks=[float(r) for r in ranks])
        after[seat] = new[own][sides[side[seat]].index(seat)]
    for seat, new_rating in after.items():
        old, share = count[seat].rating, shares[seat]
        variance = (1 - share) * old.sigma**2 + share * new_rating.sigma**2
        rating = MODEL.rating(mu=(1 - share) * old.mu + share * new_rating.mu, sigma=sqrt(variance))
        count[seat].rating = rating
        count[seat].rated += 1
        count[seat].curve.append((rating.mu, rating.sigma))
