"""What is to happen at a time: deadlines, tournaments, arenas and news, each on time and once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Protocol

from bot.sandbox import Message
from bot.screens.puzzle import PuzzleAction
from bot.service.news import news_at
from bot.service.weekly_arenas import SIGN_UP_AHEAD
from bot.storage.choices import USUAL_HOUR, GuildId
from bot.storage.values import number_of
from bot.ui.custom_ids import puzzle_id

if TYPE_CHECKING:
    from tests.simulation.world import World

LATEST: Final = 15.0
"""Seconds after which what was due is late."""

SIGN_UP: Final = re.compile(r"t1:(\d+):(join|here|share|again):(\d+)")


class Rows(Protocol):
    """Carries out a query on the database file."""

    def __call__(self, query: str, **values: object) -> list[Any]:
        """The rows."""


class Timetable:
    """The claims about what comes by itself."""

    def __init__(self, world: World, rows: Rows) -> None:
        self._world = world
        self._rows = rows

    def moments(self, what: str) -> list[float]:
        """The moments at which something of a kind of `MOMENTS` is due, in seconds since 1970."""
        rows = self._rows(MOMENTS[what], ahead=AHEAD)
        return [row[0] / 1000 for row in rows if row[0] is not None]

    def live(self) -> set[str]:
        """The games and tournaments that are not over."""
        return {f"{what} {row[0]}" for what, query in LIVE.items() for row in self._rows(query)}

    def overdue(self) -> list[str]:
        """What was to be done some seconds ago and is not, and games that nothing would end."""
        now = self._world.clock.time()
        given = {"limit": int((now - LATEST) * 1000), "ahead": AHEAD}
        return [
            f"{what} {number} was due at {due}, now is {int(now * 1000)}"
            for what, query in OVERDUE.items()
            for number, due in self._rows(query, **given)
        ] + [f"table {row[0]} has no time limit" for row in self._rows(LIMITLESS)]

    def tournaments(self) -> Iterator[str]:
        """Each match has one table, each such table is a match, each message comes once."""
        for (session,) in self._rows(OF_NO_LEG):
            yield f"table {session} is of no leg of a tournament"
        for (server, _), count in Counter(self._rows(ARENAS)).items():
            if count > 1:
                yield f"the arena of a week came {count} times to server {server}"
        announced = [*self._announced()]
        for (number, word, leg), count in Counter(each for each, _ in announced).items():
            if count > 1:
                yield f"tournament {number} has {count} messages with {word} {leg}"
        placed: dict[int, list[int]] = {}
        for number, person in self._rows(PLACED):
            placed.setdefault(number, []).append(person)
        for (number, word, _), message in announced:
            if word == "share" and number not in placed:
                yield f"tournament {number} has a podium and no winner"
            elif word == "share":
                yield from _misnamed(number, message.text, placed[number])

    def podiums(self) -> Iterator[str]:
        """Each tournament that is over has a podium, where the bot may send one."""
        for number, channel in self._rows(WITHOUT_PODIUM):
            there = channel in self._world.sandbox.world.channels
            if there and not self._world.ever_spoiled(channel):
                yield f"tournament {number} is over and has no podium"

    def news(self) -> Iterator[str]:
        """The news of a day come to each server that wants them, once, and show all answers."""
        world = self._world
        now = datetime.fromtimestamp(world.right_clock.now(), UTC)
        today = number_of(now.date())
        done = {server: row for server, *row in self._rows(NEWS, day=today)}
        for server, channel, hour, since in self._rows(WANTING_NEWS):
            at = news_at(GuildId(server), USUAL_HOUR if hour is None else hour, now.date())
            late = at + timedelta(seconds=LATEST) <= now and since <= at.timestamp() * 1000
            place = world.sandbox.world.channels.get(channel)
            if place is None or not late or world.ever_spoiled(channel):
                continue
            solve = puzzle_id(now.date(), PuzzleAction.SOLVE)
            there = [int(each.id) for each, ids in self._posted(place) if solve in ids]
            if server not in done:
                yield f"the news of {now.date()} have not come to server {server}"
                continue
            message, wanted, shown = done[server]
            if len(there) > 1:
                yield f"the news of {now.date()} came twice to server {server}: {there}"
            elif there and message != there[0]:
                yield f"server {server} has its news in message {there[0]}, its row in {message}"
            elif there and shown < wanted:
                yield f"the news of server {server} show answer {shown} of {wanted}"

    def _announced(self) -> Iterator[tuple[tuple[int, str, int], Message]]:
        """The messages of tournaments, by the controls that only one of them has."""
        for channel in self._world.channels:
            for message, ids in self._posted(channel):
                found = {SIGN_UP.fullmatch(each) for each in ids} - {None}
                yield from (((int(f[1]), f[2], int(f[3])), message) for f in found if f)

    def _posted(self, channel: Any) -> Iterator[tuple[Message, set[str]]]:
        """The bot's messages for all in a channel, with the ids of their controls."""
        world = self._world.sandbox.world
        for message in world.messages(channel):
            if message.author is world.bot and message.reader is None:
                yield message, {getattr(each, "custom_id", "") or "" for each in message.controls}


def _misnamed(number: int, podium: str, placed: list[int]) -> Iterator[str]:
    """A podium names its winner, and gives each medal to the person of that place.

    It is claimed elsewhere that those of negative ids, who are forgotten, are soon named no more.
    """
    if placed[0] > 0 and f"<@{placed[0]}>" not in podium:
        yield f"the podium of tournament {number} does not name {placed[0]}"
    for place, medal in enumerate("🥇🥈🥉"):
        found = re.search(rf"{medal}[^<\n]*<@(\d+)>", podium)
        if found is None:
            continue
        holder = placed[place] if place < len(placed) else 0
        if holder >= 0 and holder != int(found[1]):
            yield f"the podium of tournament {number} gives {found[1]} place {place + 1}"


AHEAD: Final = SIGN_UP_AHEAD // timedelta(milliseconds=1)

OVERDUE: Final = {
    "the deadline of table": "SELECT id, due FROM session WHERE due <= :limit",
    "the step of tournament": "SELECT id, due FROM tournament WHERE due <= :limit",
    "the reminder of table": "SELECT id, remind_at FROM session WHERE remind_at <= :limit",
    "the start of tournament": (
        "SELECT id, starts_at FROM tournament WHERE stage = 'sign_up' AND starts_at <= :limit"
    ),
    "the end of arena": (
        "SELECT id, ends_at FROM tournament WHERE stage = 'running' AND ends_at <= :limit"
    ),
    "the sign-up of the arena of server": (
        "SELECT id, arena_next FROM server"
        " WHERE arena_channel IS NOT NULL AND arena_next - :ahead <= :limit"
    ),
}
LIMITLESS: Final = "SELECT id FROM session WHERE phase IN ('lobby', 'running') AND due IS NULL"
LIVE: Final = {
    "table": "SELECT id FROM session WHERE phase IN ('lobby', 'running')",
    "tournament": "SELECT id FROM tournament WHERE stage IN ('sign_up', 'running')",
}
MOMENTS: Final[Mapping[str, str]] = {
    "table": "SELECT due FROM session UNION SELECT remind_at FROM session",
    "tournament": (
        "SELECT due FROM tournament UNION SELECT ends_at FROM tournament WHERE stage = 'running'"
    ),
    "arena": (
        "SELECT arena_next - :ahead FROM server WHERE arena_channel IS NOT NULL"
        " UNION SELECT starts_at FROM tournament WHERE stage = 'sign_up'"
    ),
}
OF_NO_LEG: Final = (
    "SELECT id FROM session WHERE tournament = 1"
    " AND id NOT IN (SELECT session FROM tournament_leg WHERE session IS NOT NULL)"
)
ARENAS: Final = "SELECT guild, starts_at FROM tournament WHERE format = 'arena'"
PLACED: Final = (
    "SELECT id, person FROM tournament JOIN tournament_entry ON tournament = id"
    " WHERE stage = 'over' ORDER BY id, place"
)
WITHOUT_PODIUM: Final = (
    "SELECT id, channel FROM tournament WHERE stage = 'over' AND podium IS NULL"
    " AND EXISTS (SELECT 1 FROM tournament_entry WHERE tournament = id)"
)
NEWS: Final = (
    "SELECT server, message, wanted, shown FROM news WHERE claimed_until IS NULL AND day = :day"
)
WANTING_NEWS: Final = (
    "SELECT id, news_channel, news_hour, news_since FROM server WHERE news_channel IS NOT NULL"
)
