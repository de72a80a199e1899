"""All-play-all: everybody meets everybody once, by the tables of Johann Berger (1895)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.tournaments.scores import head_to_head, ordered, points, sonneborn_berger, wins
from bot.tournaments.tournament import EntryNumber, Pairing, Tournament


def rounds(entries: int) -> int:
    """The number of rounds; with an odd number of entries, one rests in each round."""
    return entries - 1 + entries % 2


def pairings(tournament: Tournament) -> Sequence[Pairing]:
    """The matches of the next round; none after the last, or if all have left.

    The last one who is there wins those that are left without a game.
    """
    if tournament.round == tournament.rounds or not tournament.active:
        return []
    seeded = sorted(tournament.entries, key=lambda entry: entry.seed or 0)
    found = []
    for first, second in berger(len(seeded), tournament.round):
        if max(first, second) < len(seeded):
            found.append((seeded[first].number, seeded[second].number))
    return [*enumerate(found)]


def berger(entries: int, round_: int) -> Sequence[tuple[int, int]]:
    """The pairs of a round, all counted from 0; an entry paired with one that is missing rests."""
    last = entries - 1 + entries % 2
    pivot = (round_, last) if round_ % 2 == 0 else (last, round_)
    others = (
        ((round_ + step) % last, (round_ - step) % last)[:: 1 if step % 2 else -1]
        for step in range(1, (last + 1) // 2)
    )
    return [pivot, *((one, other) for one, other in others)]


CRITERIA: Final = (points, head_to_head, sonneborn_berger, wins)


def order(tournament: Tournament) -> Sequence[EntryNumber]:
    """The entries from the first place to the last."""
    return ordered(tournament, CRITERIA)
