"""Knockout: a match is two legs with the sides changed; a level one goes to the faster entry.

Time in lost games counts for nothing: who is ahead would else give the second one up at once, and
be the faster one. At a pace of days nobody is faster for sleeping less: there a level match has a
third leg, of which the sides are drawn. Still level, it goes to the higher seed. If nobody comes,
nobody goes on, and the next opponent has a bye. The bracket is drawn by seeds, with byes for the
first. The losers of the semifinals play for the third place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from bot.table.seats import Pace
from bot.tournaments.scores import match_points
from bot.tournaments.tournament import EntryNumber, Leg, Pairing, Tournament


def rounds(entries: int) -> int:
    """The number of rounds for a number of entries."""
    return (entries - 1).bit_length()


def pairings(tournament: Tournament) -> Sequence[Pairing]:
    """The matches of the next round; none after the last."""
    if tournament.round == 0:
        return [*_first(tournament)]
    if tournament.rounds is None or tournament.round == tournament.rounds:
        return []
    before = {legs[0].match: legs for legs in tournament.round_of(tournament.round)}
    through = [
        winner(tournament, before[match]) if match in before else None
        for match in range(1 << (tournament.rounds - tournament.round))
    ]
    pairs = zip(through[::2], through[1::2], strict=True)
    seated = ((slot, _by_seed(tournament, *filter(None, pair))) for slot, pair in enumerate(pairs))
    found = [(slot, seats) for slot, seats in seated if seats]
    losers = [number for legs in before.values() for number in losers_of(tournament, legs)]
    last = tournament.round + 1 == tournament.rounds
    if last and len(losers) == 2:
        found.append((1, _by_seed(tournament, *losers)))
    return found


def next_leg(tournament: Tournament, legs: Sequence[Leg]) -> tuple[EntryNumber, ...] | None:
    """The seats of a match's second or third leg; None if it has none. Those before are decided."""
    first, last = legs[0], legs[-1]
    if last.table is None or any(part.absent for leg in legs for part in leg.parts):
        return None
    if len(legs) == 1:
        return first.entries[::-1]
    level = len({*match_points(legs).values()}) == 1
    if len(legs) == 2 and level and tournament.pace is not Pace.LIVE:
        return first.entries[:: Random(last.table).choice((1, -1))]
    return None


def winner(tournament: Tournament, legs: Sequence[Leg]) -> EntryNumber | None:
    """The entry that wins a match; None if nobody came to it."""
    if all(part.absent for leg in legs for part in leg.parts):
        return None
    return max(legs[0].entries, key=lambda number: strength(tournament, legs, number))


def strength(
    tournament: Tournament, legs: Sequence[Leg], number: EntryNumber
) -> tuple[bool, float, float, int]:
    """The strength of an entry in a match: presence, points, speed where it counts, seed."""
    parts = [part for leg in legs for part in leg.parts if part.entry == number]
    spent = sum(part.thought for part in parts if part.points)
    return (
        not any(part.absent for part in parts),
        sum(part.points or 0 for part in parts),
        -spent if tournament.pace is Pace.LIVE else 0.0,
        -tournament.seed(number),
    )


def losers_of(tournament: Tournament, legs: Sequence[Leg]) -> list[EntryNumber]:
    """The entry that loses a match; none in a bye, or if nobody came."""
    won = winner(tournament, legs)
    return [number for number in legs[0].entries if won not in {number, None}]


def order(tournament: Tournament) -> Sequence[EntryNumber]:
    """The entries from the first place to the last: those who lost later are before others."""
    reached: dict[EntryNumber, tuple[int, int]] = {}
    for legs in tournament.matches:
        if any(leg.open for leg in legs):
            continue
        won = winner(tournament, legs)
        for number in legs[0].entries:
            # The match for the third place is number 1 of the last round.
            lift = 2 if legs[0].match == 0 or legs[0].round < (tournament.rounds or 0) else 0
            reached[number] = (legs[0].round, -1 if won is None else lift + (number == won))
    return sorted(
        (entry.number for entry in tournament.entries),
        key=lambda number: (
            *(-each for each in reached.get(number, (0, 0))),
            tournament.seed(number),
        ),
    )


def bracket(size: int) -> list[int]:
    """The seeds in the order of the bracket, such that the best meet last; a power of two."""
    seeds = [1]
    while len(seeds) < size:
        seeds = [each for seed in seeds for each in (seed, 2 * len(seeds) + 1 - seed)]
    return seeds


def _first(tournament: Tournament) -> Iterator[Pairing]:
    by_seed = {entry.seed: entry.number for entry in tournament.entries}
    seeds = bracket(1 << rounds(len(by_seed)))
    for slot, pair in enumerate(zip(seeds[::2], seeds[1::2], strict=True)):
        yield slot, tuple(by_seed[seed] for seed in sorted(pair) if seed in by_seed)


def _by_seed(tournament: Tournament, *pair: EntryNumber) -> tuple[EntryNumber, ...]:
    return tuple(sorted(pair, key=tournament.seed))
