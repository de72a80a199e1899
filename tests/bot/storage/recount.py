"""A recount of the records, by replaying every game of a log; shares no code with what it checks.

Who won is read off the last position: the line on the board, the tokens that came home.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
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


def recount(log: list[Played]) -> dict[Key, Count]:
    """Everything, game by game."""
    counts: dict[Key, Count] = defaultdict(Count)
    for played in log:
        enter(played, counts)
    return counts


def enter(played: Played, counts: dict[Key, Count]) -> None:
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
    rated = all(count >= 2 for count in moves_made(played))
    for scope in scopes:
        count = {seat: counts[who, played.game.key, scope] for seat, who in people.items()}
        for seat in people:
            count[seat].games.append((played.session, end[seat]))
        if between_people:
            between(people, side, rank, end, count, rated=rated)
        else:
            rivals = [s for s in side if s not in people and side[s] not in map(side.get, people)]
            levels = [
                str(who.level) for s in rivals if isinstance(who := played.seats[s], Computer)
            ]
            for seat in people:
                level = "hints" if played.hints else max(levels, key=WEAKEST_FIRST.index)
                count[seat].levels[level][end[seat]] += 1


def between(
    people: dict[int, PersonId],
    side: dict[int, int],
    rank: dict[int, int],
    end: dict[int, str],
    count: dict[int, Count],
    *,
    rated: bool,
) -> None:
    """Adds a game between people to their counts in one scope."""
    for seat in people:
        count[seat].ends.append(end[seat])
        for other, opponent in people.items():
            if side[other] != side[seat]:
                ahead = (rank[other] > rank[seat]) - (rank[other] < rank[seat])
                count[seat].met[opponent][["draw", "win", "loss"][ahead]] += 1
    sides = {side[seat]: [s for s in people if side[s] == side[seat]] for seat in people}
    if not rated or len(set(map(len, sides.values()))) > 1:
        return
    after = {}
    for seat in people:
        ranks = [min(rank[s] for s in members) for members in sides.values()]
        own = list(sides).index(side[seat])
        ranks[own] = rank[seat]
        teams = [[count[s].rating for s in members] for members in sides.values()]
        new = MODEL.rate(teams, ranks=[float(r) for r in ranks])
        after[seat] = new[own][sides[side[seat]].index(seat)]
    for seat, rating in after.items():
        count[seat].rating = rating
        count[seat].curve.append((rating.mu, rating.sigma))
