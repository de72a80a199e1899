"""Knockout: a match has two legs with sides changed; a drawn match goes to the faster entry.

Thinking time in lost games is not counted, or the winner of the first leg could resign the second
at once to be faster. At a pace of days, time does not count, so that nobody gains by sleeping less:
a drawn match has a third leg with sides by lot. If it is still drawn, the higher seed wins. If
nobody comes, nobody advances, and the next opponent has a bye. The bracket is made by seeds, with
byes for the first ones. The losers of the semifinals play for the third place.
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
    """The seats of a match's second or third leg; None if there is none.

    All earlier legs must be decided.
    """
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
    """A key that is greatest for the winner: presence, points, speed in live games, seed."""
    parts = [part for leg in legs for part in leg.parts if part.entry == number]
    spent = sum(part.thought for part in parts if part.points)
    return (
        not any(part.absent for part in parts),
        sum(part.points or 0 for part in parts),
        -spent if tournament.pace is Pace.LIVE else 0.0,
        -tournament.seed(number),
    )


def losers_of(tournament: Tournament, legs: Sequence[Leg]) -> list[EntryNumber]:
    """The entry that loses a match; empty for a bye, or if nobody came."""
    won = winner(tournament, legs)
    return [number for number in legs[0].entries if won not in {number, None}]


def order(tournament: Tournament) -> Sequence[EntryNumber]:
    """The entries from first to last place: who was knocked out later comes first.

    An undecided match, or one that was ended, is a draw of its two.
    """
    reached: dict[EntryNumber, tuple[int, int]] = {}
    decided = {
        (legs[0].round, legs[0].match): winner(tournament, legs)
        for legs in tournament.matches
        if not any(leg.open for leg in legs)
    }
    for leg in tournament.legs:
        match = leg.round, leg.match
        # The match for the third place is number 1 of the last round.
        lift = 2 if leg.match == 0 or leg.round < (tournament.rounds or 0) else 0
        for number in leg.entries:
            came = match not in decided or decided[match] is not None
            won = number == decided.get(match)
            reached[number] = (leg.round, lift + won if came else -1)
    return sorted(
        (entry.number for entry in tournament.entries),
        key=lambda number: (
            *(-each for each in reached.get(number, (0, 0))),
            tournament.seed(number),
        ),
    )


def bracket(size: int) -> list[int]:
    """Seeds in the order of a bracket, so that the best meet last; `size` is a power of two."""
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
