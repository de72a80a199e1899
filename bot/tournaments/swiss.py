"""Swiss system: entries with about equal points meet in each round, and no two meet twice.

From the top down each gets the best opponent with whom the others can still be paired. An entry
without an opponent has a bye, at most once: it counts as a meeting with `NOBODY`. With few entries
the pairing looks ahead, so that later rounds can be paired too; if they cannot because people left,
the tournament ends earlier.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, TypeAlias

from bot.tournaments.matching import perfect
from bot.tournaments.scores import (
    TournamentScores,
    buchholz,
    head_to_head,
    ordered,
    points,
    sonneborn_berger,
    wins,
)
from bot.tournaments.tournament import EntryNumber, Pairing, Tournament

NOBODY: Final = EntryNumber(0)
"""The opponent of an entry that has a bye."""

FEW: Final = 6
"""With at most this many entries pairing looks ahead; with more, opponents never run out."""

LONGER: Final = 9
"""The number of rounds that stands for one round more than usual.

With more than that, the remaining entries could not always be paired.
"""

Way: TypeAlias = tuple[tuple[EntryNumber, EntryNumber], ...]
"""A way to pair everybody."""

MOST_APART: Final = 2
"""The most games by which an entry's games on one side may outnumber those on the other."""


def rounds(entries: int) -> int:
    """The number of rounds for a number of entries."""
    return (entries - 1).bit_length() + 1


class SideCare(IntEnum):
    """How much pairing cares for sides: not; about balance; also against three games in a row."""

    NONE = 0
    BALANCE = 1
    CHANGE = 2


@dataclass(frozen=True, slots=True)
class SwissField:
    """The entries to pair, the best first, with their points, their meetings and their sides.

    `apart` is how many more games an entry had on the first side than on the second; `last` are its
    sides in all games, 1 or -1, the latest last.
    """

    entries: tuple[EntryNumber, ...]
    points: Mapping[EntryNumber, float]
    met: frozenset[frozenset[EntryNumber]]
    apart: Mapping[EntryNumber, int]
    last: Mapping[EntryNumber, Sequence[int]]

    def may_meet(self, one: EntryNumber, other: EntryNumber, care: SideCare) -> bool:
        """Whether two have not met, and do not both need the same side."""
        if frozenset((one, other)) in self.met:
            return False
        need = self.need(one, care)
        return NOBODY in {one, other} or not need or need != self.need(other, care)

    def need(self, entry: EntryNumber, care: SideCare) -> int:
        """The side that an entry needs: 1 for the first, -1 for the second, 0 if it needs none."""
        apart, last = self.apart[entry], self.last.get(entry, ())[-2:]
        if care >= SideCare.BALANCE and abs(apart) >= MOST_APART:
            return -1 if apart > 0 else 1
        return -last[0] if care >= SideCare.CHANGE and abs(sum(last)) == 2 else 0

    def cost(self, one: EntryNumber, other: EntryNumber) -> tuple[float, float]:
        """The cost of a pair: difference in points, then distance from the ideal opponent."""
        alike = [e for e in self.entries if self.points[e] == self.points[one]]
        ideal = self.entries.index(one) + max(1, len(alike) // 2)
        far = abs(self.points[one] - self.points[other])
        return far, abs(self.entries.index(other) - ideal)


def pairings(tournament: Tournament) -> Sequence[Pairing]:
    """The matches of the next round; empty after the last, or if no pairing is possible.

    The last one who has not left has a bye in each round.
    """
    left = (tournament.rounds or 0) - tournament.round
    if left <= 0:
        return []
    if len(tournament.active) == 1:
        return [(0, (tournament.active[0].number,))]
    field = _field(tournament)
    way = _paired(field, left)
    if way is None:
        return []
    found = sorted(way, key=lambda pair: min(map(field.entries.index, set(pair) - {NOBODY})))
    return [(slot, _seated(field, pair)) for slot, pair in enumerate(found)]


CRITERIA: Final = (points, buchholz, sonneborn_berger, head_to_head, wins)


def order(tournament: Tournament) -> Sequence[EntryNumber]:
    """The entries from the first place to the last."""
    return ordered(tournament, CRITERIA)


def _field(tournament: Tournament) -> SwissField:
    active = {entry.number for entry in tournament.active}
    scores = TournamentScores(tournament).points
    by_points = sorted(active, key=lambda number: (-scores[number], tournament.seed(number)))
    met: set[frozenset[EntryNumber]] = set()
    apart: Counter[EntryNumber] = Counter()
    last: defaultdict[EntryNumber, list[int]] = defaultdict(list)
    for legs in tournament.matches:
        entries = legs[0].entries
        met.add(frozenset(entries if len(entries) == 2 else (*entries, NOBODY)))
        for number, side in zip(entries, (1, -1), strict=False):
            if len(entries) == 2:
                apart[number] += side
                last[number].append(side)
    return SwissField(tuple(by_points), scores, frozenset(met), apart, last)


def _paired(field: SwissField, rounds_left: int) -> Way | None:
    """The best pairing; sides matter most, then that later rounds can be paired too."""
    for care in reversed(SideCare):
        for ahead in (rounds_left, 1):
            ways = (way for way in _ways(field, care) if _can_go_on(field, way, ahead))
            if (found := next(ways, None)) is not None:
                return found
    return None


def _ways(field: SwissField, care: SideCare) -> Iterator[Way]:
    """The ways to pair all, best first; of an odd number, the last has a bye if it may."""
    if len(field.entries) % 2 == 0:
        yield from _completed(field, field.entries, care)
        return
    for bye in reversed(field.entries):
        if field.may_meet(bye, NOBODY, care):
            rest = [entry for entry in field.entries if entry != bye]
            for way in _completed(field, rest, care):
                yield ((bye, NOBODY), *way)


def _completed(field: SwissField, rest: Sequence[EntryNumber], care: SideCare) -> Iterator[Way]:
    """The ways to pair the rest, best first; dead ends are left out at once."""
    if not rest:
        yield ()
        return
    if not perfect(len(rest), lambda a, b: field.may_meet(rest[a], rest[b], care)):
        return
    first = rest[0]
    others = (other for other in rest[1:] if field.may_meet(first, other, care))
    for other in sorted(others, key=lambda other: field.cost(first, other)):
        left = [entry for entry in rest[1:] if entry != other]
        for way in _completed(field, left, care):
            yield ((first, other), *way)


def _can_go_on(field: SwissField, way: Way, rounds_left: int) -> bool:
    """Whether later rounds can be paired after this way, if nobody leaves."""
    if rounds_left <= 1 or len(field.entries) > FEW:
        return True
    after = replace(field, met=field.met | {frozenset(pair) for pair in way})
    following = _ways(after, SideCare.NONE)
    return any(_can_go_on(after, each, rounds_left - 1) for each in following)


def _seated(field: SwissField, pair: tuple[EntryNumber, EntryNumber]) -> tuple[EntryNumber, ...]:
    """A pair by seat: first the entry that was first less often, or longer ago."""
    one, other = pair
    if other == NOBODY:
        return (one,)

    def due(entry: EntryNumber) -> tuple[int, int, Sequence[int]]:
        """A key that is greater for an entry that was first more often, or more recently."""
        last = tuple(field.last.get(entry, ()))
        return -field.need(entry, SideCare.CHANGE), field.apart[entry], last[::-1]

    return (one, other) if due(one) <= due(other) else (other, one)
