"""Feats of Ludo that its moves show, and the badges that they earn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from bot.records.badges import Badge
from engine.game import Seat
from engine.games.ludo.position import LudoPosition

THREE_CAPTURES, HOME_ALONE, FROM_BEHIND = "three_captures", "home_alone", "from_behind"
TOKENS: Final = 4
"""The tokens of a seat at tables where feats of whole sets of tokens count."""

BADGES: Final = (
    Badge(THREE_CAPTURES, "🎯", lambda part: part.did(THREE_CAPTURES)),
    Badge(HOME_ALONE, "🏠", lambda part: part.did(HOME_ALONE)),
    Badge(FROM_BEHIND, "🐢", lambda part: part.won and part.did(FROM_BEHIND)),
)


def feats(path: Sequence[LudoPosition]) -> tuple[frozenset[str], ...]:
    """The feats of each seat in a game that is over, by its positions from the first to the last.

    Three captures in one turn; all tokens home while no rival has two; none home while a rival had
    three.
    """
    first = path[0]
    found: list[set[str]] = [set() for _ in first.tokens]
    whole, seat, captures = first.table.rules.tokens == TOKENS, first.seat, 0
    for before, position in pairwise(path):
        if before.seat != seat:
            seat, captures = before.seat, 0
        if not before.die or before.tokens is position.tokens:
            continue
        captures += _sent_back(before, position)
        if captures >= 3:
            found[seat].add(THREE_CAPTURES)
        owner = before.owner
        if whole and position.homes(owner) > before.homes(owner):
            _come_home(position, owner, found)
    return tuple(map(frozenset, found))


def _sent_back(before: LudoPosition, after: LudoPosition) -> int:
    """The number of tokens that a step has captured."""
    return sum(
        now < was
        for one, other in zip(before.tokens, after.tokens, strict=True)
        for was, now in zip(one, other, strict=True)
    )


def _come_home(position: LudoPosition, owner: Seat, found: list[set[str]]) -> None:
    """The feats that follow from a token's coming home."""
    home, rivals = position.homes(owner), position.table.rivals[owner]
    if home == TOKENS and all(position.homes(rival) < 2 for rival in rivals):
        found[owner].add(HOME_ALONE)
    if home == TOKENS - 1:
        for rival in rivals:
            if position.homes(rival) == 0:
                found[rival].add(FROM_BEHIND)
