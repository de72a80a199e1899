"""Badges in words: those of a person with their days, and those that a game has just earned."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time
from itertools import islice
from typing import Final

from bot.games.catalogue import badges_of
from bot.message.text import Separator, Text, joined, named, text
from bot.records.badges import PUZZLE_WEEK, Badge
from bot.records.puzzle_record import PuzzleRecord
from bot.records.summaries import EarnedBadge, Stats
from bot.table.seats import PersonId
from bot.table.table import Table

LATEST, MOST = 5, 20
"""The badges in large letters, at most, and older ones in small that a phone has room for too."""

NEXT: Final = 3
"""The badges still to earn that say how, at most."""

TOLD: Final = 2
"""The badges that the end of a board tells of, at most: it has to fit a phone."""

UNKNOWN: Final = "❔"
"""Stands for a badge that nobody in the server has."""


def badges(record: Stats, puzzles: PuzzleRecord) -> Iterator[Text]:
    """The badges of a person in a game, the last one first, and some that they may earn."""
    there = {badge.key: badge for badge in badges_of(record.game)}
    held = sorted((*record.badges, *_of_puzzles(puzzles)), key=lambda each: each.at)
    own = [earned for earned in reversed(held) if earned.key in there]
    for number, each in enumerate(own):
        badge, key = there.pop(each.key), "stats.badge" if number < LATEST else "stats.badge.older"
        if number < MOST:
            yield text(key, **_named(badge), day=each.at.date())
    if not own:
        yield text("stats.badges.none")
    ahead = [badge for badge in there.values() if not badge.hidden or badge.key in record.found]
    for badge in islice(ahead, NEXT):
        yield text("stats.badge.ahead", **_named(badge), how=text(f"badge.{badge.key}.how"))
    others = [badge.emblem for badge in ahead[NEXT:]]
    if signs := [*others, *[UNKNOWN] * (len(there) - len(ahead))]:
        yield text("stats.badges.others", emblems=joined(signs, Separator.SPACE))


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
