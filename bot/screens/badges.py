"""Badges in words: a person's with the days they were earned, or new ones at a game's end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time
from itertools import islice
from math import ceil
from typing import Final

from bot.games.catalogue import badges_of
from bot.message.text import Separator, Text, joined, named, text
from bot.records.badges import PUZZLE_WEEK, Badge
from bot.records.puzzles import PuzzleRecord
from bot.records.summaries import EarnedBadge, Stats
from bot.table.seats import PersonId
from bot.table.table import Table

LATEST, MOST = 2, 20
"""How many badges are shown in large letters, and how many in all, so that they fit a phone."""

NEXT: Final = 2
"""How many badges still to earn are shown below a person's own; another page has all."""

AHEAD: Final = 8
"""How many badges still to earn are on a page, so that they fit a phone in any language."""

TOLD: Final = 2
"""The most badges named on a finished board, so that it fits a phone."""

UNKNOWN: Final = "❔"
"""Stands for a badge that nobody in the server has."""


def badges(record: Stats, puzzles: PuzzleRecord) -> Iterator[Text]:
    """The badges of a person in a game, the last one first, and some that they may earn."""
    own = sorted(_held(record, puzzles), key=lambda each: each[1].at, reverse=True)
    for number, (badge, each) in enumerate(own[:MOST]):
        key = "stats.badge" if number < LATEST else "stats.badge.older"
        yield text(key, **_named(badge), day=each.at.date())
    if not own:
        yield text("stats.badges.none")
    yield from islice(_ahead(record, puzzles), NEXT)


def badges_to_come(record: Stats, puzzles: PuzzleRecord, page: int) -> Iterator[Text]:
    """A page of the badges that a person may still earn in a game, and how."""
    if page == 0:
        yield from _emblems_to_come(record, puzzles)
    yield from islice(_ahead(record, puzzles), page * AHEAD, (page + 1) * AHEAD)


def pages_to_come(record: Stats, puzzles: PuzzleRecord) -> int:
    """The number of pages of `badges_to_come`."""
    return max(1, ceil(sum(1 for _ in _ahead(record, puzzles)) / AHEAD))


def _emblems_to_come(record: Stats, puzzles: PuzzleRecord) -> Iterator[Text]:
    held = {badge.key for badge, _ in _held(record, puzzles)}
    there = [badge for badge in badges_of(record.game) if badge.key not in held]
    signs = [badge.emblem if _is_known(badge, record) else UNKNOWN for badge in there]
    if signs:
        yield text("stats.badges.others", emblems=joined(signs, Separator.SPACE))


def _ahead(record: Stats, puzzles: PuzzleRecord) -> Iterator[Text]:
    held = {badge.key for badge, _ in _held(record, puzzles)}
    for badge in badges_of(record.game):
        if badge.key not in held and _is_known(badge, record):
            yield text("stats.badge.ahead", **_named(badge), how=text(f"badge.{badge.key}.how"))


def _is_known(badge: Badge, record: Stats) -> bool:
    return not badge.hidden or badge.key in record.found


def _held(record: Stats, puzzles: PuzzleRecord) -> Iterator[tuple[Badge, EarnedBadge]]:
    there = {badge.key: badge for badge in badges_of(record.game)}
    for each in (*record.badges, *_of_puzzles(puzzles)):
        if each.key in there:
            yield there[each.key], each


def _of_puzzles(puzzles: PuzzleRecord) -> Iterator[EarnedBadge]:
    if (day := puzzles.full_week) is not None:
        yield EarnedBadge(PUZZLE_WEEK.key, datetime.combine(day, time(), UTC))


def awarded(table: Table) -> Text | None:
    """The badges that a finished game has earned its players; None if there is none."""
    there = [badge.key for badge in badges_of(table.session.game.key)]
    known = {badge.key: badge for badge in badges_of(table.session.game.key)}
    given = sorted(
        (award for award in table.awards if award.badge in known),
        key=lambda award: (there.index(award.badge), award.person),
    )
    if not given:
        return None
    return earned(*((award.person, known[award.badge]) for award in given[:TOLD]))


def earned(*given: tuple[PersonId, Badge]) -> Text:
    """The sentence about people's new badges."""
    told = (text("board.badge", person=named(person), **_named(badge)) for person, badge in given)
    return text("board.badges", badges=joined(told))


def _named(badge: Badge) -> dict[str, Text | str]:
    return {"emblem": badge.emblem, "badge": text(f"badge.{badge.key}")}
