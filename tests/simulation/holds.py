"""What must always hold, looked at after each step, in calm, and at the end."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from random import Random
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox import Interaction, Message
from bot.sandbox.model.components import ComponentType
from bot.sandbox.model.interactions import Act
from bot.sandbox.model.news import MessageEvent
from bot.sandbox.payload import Snowflake
from bot.screens.board import screen
from bot.screens.me import ForgetAnswer
from bot.screens.tournament import message as tournament_message
from bot.table.seat_log import BoardLook
from bot.table.session import SessionId
from bot.table.table import Table
from bot.tournaments.tournament import TournamentId
from bot.ui.custom_ids import page_id
from bot.ui.render import board_view
from tests.bot.databases import faults
from tests.bot.english import says
from tests.simulation.chronicle import BROKEN, Broken
from tests.simulation.earned import wrongly_earned
from tests.simulation.seeded import BEGINNING
from tests.simulation.timetable import LATEST, Timetable

if TYPE_CHECKING:
    from tests.simulation.world import World

BOARD: Final = re.compile(r"p1:(\d+):(\d+):([a-z0-9_-]+)")
LINK: Final = re.compile(r"/(\d+)$")
"""The end of a reminder, which leads to its board."""

SECOND_LOOK: Final = 60.0
"""Seconds after which what was wrong in calm is looked at again, where more time is allowed."""

UNDER_WAY: Final = 10.0
"""Seconds in which another process may still carry out an act."""

SHOWN_WITHIN: Final = 10.0
"""Seconds within which a message shows its table."""

HUNG_UP_WITHIN: Final = 0.6
"""Seconds until Discord knows that the bot waits no more for the answer to a request."""

SOON: Final = 60.0
"""Seconds within which the same words to the same person are the same thing."""


class Holds:
    """The claims about a world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._presses: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        self._commands: list[tuple[float, Interaction]] = []
        self._reader: sqlite3.Connection | None = None
        self._checked: dict[int, int] = {}
        self._plies: dict[tuple[int, int], int] = {}
        self._pinged: dict[object, tuple[float, Message]] = {}
        self._acted_last: dict[int, float] = {}
        self._forgotten: set[int] = set()
        self._forgetting: set[int] = set()
        self._asked_to_be_forgotten: set[int] = set()
        self._errors = 0
        self.unread: list[str] = []
        self.forged: set[int] = set()
        self.timetable = Timetable(world, self.rows)
        self.acts = 0
        self.late = 0

    # After each step

    def acted(self, interaction: Interaction) -> None:
        """Note an act of a person."""
        self.acts += 1
        person = int(interaction.person.id)
        if interaction.data.get("custom_id") == page_id(ForgetAnswer.FORGET):
            self._asked_to_be_forgotten.add(person)  # and is, though the answer may be lost
            self._forgetting.add(person)
        else:
            what = interaction.data.get("name") or interaction.data.get("custom_id")
            if not OF_ME.match(str(what)):
                self._acted_last[person] = self._now
            self._named({person})
        named = self._forgotten | self._forgetting
        self._named({each for each in named if str(each) in str(interaction.data)})
        found = BOARD.match(str(interaction.data.get("custom_id", "")))
        if found:
            self._presses[int(found[1]), int(found[2])].add(int(interaction.person.id))
        if interaction.act is Act.COMMAND:
            self._commands.append((self._now, interaction))
            del self._commands[:-40]

    def _acts_elsewhere(self, person: int) -> bool:
        """Whether another process may carry out what a person has just asked for."""
        lately = self._now - self._acted_last.get(person, 0.0) < UNDER_WAY
        return lately and len(self._world.machines) > 1

    def _named(self, people: set[int]) -> None:
        """Drop the claim that nothing names these people, for somebody has named them since."""
        self._forgotten -= people
        self._forgetting -= people

    def answered(self, interaction: Interaction) -> None:
        """An act is answered within three seconds while both sides are up."""
        if not interaction.failed:
            return
        self._world.chronicle.note("late", interaction.name)
        if not self._world.wire.excused(self._now - 3.2, self._now):
            raise_later(self._world, f"{interaction.name} was not answered within three seconds")
        self.late += 1

    def written(self, message: Message, event: MessageEvent) -> None:
        """A board shows no move that is not on the disk."""
        if message.author is not self._world.sandbox.world.bot:
            return
        named = f"{event.name} {message.id} in {message.channel.name}"
        self._world.chronicle.note("message", f"{named}: {message.text[:80]}")
        if message.reader is not None and says("me.forgotten") in message.text:
            person = int(message.reader.id)
            if not self._acts_elsewhere(person):
                self._forgotten |= self._forgetting & {person}
        if event is MessageEvent.DELETED or message.reader is not None:
            return
        if event is MessageEvent.WRITTEN and message.pinged:
            self._pinged_once(message)
        for session, ply in boards(message):
            self._covered(message, session, ply)
            row = self.row(
                "SELECT max(ply) + 1 FROM (SELECT ply FROM move WHERE session = :s"
                " UNION ALL SELECT ply FROM taken_back WHERE session = :s)",
                s=session,
            )
            if ply > (row[0] or 0):
                raise_later(
                    self._world, f"the board of table {session} shows ply {ply}, the disk {row[0]}"
                )

    def _pinged_once(self, message: Message) -> None:
        """Nobody is pinged twice for one thing, be the first message gone or its sender killed.

        Where both are, nobody can know that it was there.
        """
        ids = frozenset(getattr(each, "custom_id", "") for each in message.controls)
        linked = LINK.search(message.text)
        query = "SELECT id, plies FROM session WHERE message = :m"
        turn = str(self.rows(query, m=int(linked[1]))) if linked else ""
        same = message.channel.id, message.text, message.pinged, ids, turn
        at, first = self._pinged.get(same, (-SOON, message))
        kills = (each for machine in self._world.machines for each in machine.kills)
        unheard = first.deleted and any(at <= each < at + UNDER_WAY for each in kills)
        if self._now - at < SOON and not unheard:
            raise_later(self._world, f"{sorted(message.pinged)} were pinged twice: {message.text}")
        self._pinged[same] = self._now, message

    def _covered(self, message: Message, session: int, ply: int) -> None:
        """A late edit covers no newer board, unless its writer had given it up."""
        shown = int(message.id), session
        before = self._plies.get(shown, 0)
        self._plies[shown] = ply
        asked = self._world.wire.carrying
        if ply >= before or asked is None or self._taken_back(session):
            return

        def judge() -> None:
            if not asked.is_closing():
                text = f"the board of table {session} at ply {before} was covered by ply {ply}"
                raise_later(self._world, text)

        self._world.loop.call_later(HUNG_UP_WITHIN, judge)

    def _taken_back(self, session: int) -> bool:
        query = "SELECT count(*) FROM taken_back WHERE session = :s"
        return bool(self.row(query, s=session)[0])

    def thought_about_twice(self, session: int) -> None:
        """Among several processes one thinks about a turn, unless it stands still."""
        if not self._world.wire.excused(self._now - 10, self._now):
            raise_later(self._world, f"two processes think about table {session} at once")

    def on_time(self) -> None:
        """Every job runs on time, whatever another does, where no trouble holds them up."""
        world, since = self._world, self._now - LATEST - 5
        clocks_wrong = any(each.clock.wrong for each in world.machines)
        if clocks_wrong or world.clocks_set > since or not world.up:
            return
        if not world.wire.excused(since, self._now):
            for late in self.timetable.overdue():
                raise Broken(late)

    # In calm

    def of_machine(self) -> None:
        """The process ends only where it is killed, and logs no error that no trouble explains.

        Nor does it send what Discord can never take.
        """
        world = self._world
        if world.wire.malformed:
            raise Broken(f"a request that no request may be: {world.wire.malformed[0]}")
        for machine in world.machines:
            if machine.faults:
                raise Broken(machine.faults[0])
        errors = world.errors.errors[self._errors :]
        self._errors = len(world.errors.errors)
        for at, text in errors:
            if any(str(each) in text for each in self.forged):
                continue  # what is forged may be refused by Discord instead of the bot
            if not world.wire.excused(at - 3, at):
                raise Broken(f"an error without a trouble at {at:.2f}: {text}")
        for machine in world.machines:
            self.unread += [] if machine.process is None else machine.process.unread()
        if self.unread:
            raise Broken(f"an exception that nobody read: {self.unread[0]}")

    async def in_calm(self) -> None:
        """All that has to be right where no people act and nothing is wrong."""
        self.of_machine()
        wrong = [*self._wrong()]
        if wrong:
            self._world.chronicle.note("look", wrong[0])
        for more, wait in ((False, 1.0), (True, SECOND_LOOK)):
            looked_at = [text for text, allowed in wrong if allowed is more]
            if looked_at:
                await asyncio.sleep(wait)
                still = {text for text, _ in self._wrong()}
                for text in looked_at:
                    if text in still:
                        raise Broken(text)
        self._moves_are_their_players()
        self._bounded()
        if (other := await self._drawn_otherwise()) and other == await self._drawn_otherwise():
            raise Broken(other[0])
        self.of_machine()

    async def at_the_end(self) -> None:
        """The database is sound, and a recount equal."""
        self.of_machine()
        for machine in self._world.machines:
            await machine.stop()
        self.of_machine()
        for difference in faults(f"sqlite:///{self._world.machine.file}"):
            raise Broken(f"parlour check: {difference}")
        people = [each.person for each in self._world.dwellers]
        honoured = {int(each.id) for each in people if each.account.roles}
        for wrong in wrongly_earned(self.rows, honoured - self._asked_to_be_forgotten):
            raise Broken(wrong)

    def _wrong(self) -> list[tuple[str, bool]]:
        """What is wrong just now, each with whether more time is allowed for it."""
        return [
            *((text, True) for text in self._rows_behind()),
            *self._boards_behind(),
            *((text, False) for text in self.timetable.overdue()),
            *((text, True) for text in self._doubles()),
            *self._remembered(),
            *((text, True) for text in self._reminders_left()),
            *((text, False) for text in self.timetable.tournaments()),
            *((text, True) for text in self.timetable.podiums()),
            *((text, True) for text in self.timetable.news()),
        ]

    def _rows_behind(self) -> Iterator[str]:
        """Each message is known to show its table, once no lost request can cover it any more."""
        query = (
            "SELECT id, channel, message, revision, shown, phase FROM session"
            " WHERE lost = 0 AND unreachable = 0 AND shown <> -1 AND shown < revision"
        )
        for session, channel, message, revision, shown, phase in self.rows(query):
            there = channel in self._world.sandbox.world.channels
            if there and (message is not None or phase != "abandoned"):
                yield f"table {session} has revision {revision}, its message shows {shown}"

    def _boards_behind(self) -> Iterator[tuple[str, bool]]:
        """Each message shows its table; more time is allowed where computers go on, or just did."""
        query = (
            "SELECT id, channel, message, plies, unattended OR moved_at > :lately FROM session"
            " WHERE lost = 0 AND unreachable = 0 AND shown <> -1 AND message IS NOT NULL"
        )
        lately = stamp(self._world.clock.time() - SHOWN_WITHIN)
        for session, channel, message, plies, moving in self.rows(query, lately=lately):
            there = self._message(channel, message)
            if there is None:
                continue
            at = {ply for number, ply in boards(there) if number == session}
            if at and at != {plies}:
                behind = f"table {session} is at ply {plies}, its message at {sorted(at)}"
                yield behind, bool(moving)

    async def _drawn_otherwise(self) -> list[str]:
        """The messages that do not say what their tables and tournaments, drawn now, would say."""
        parlour = self._world.machine.parlour
        if parlour is None:
            return []
        found = []
        query = (
            "SELECT id, channel, message FROM session WHERE lost = 0 AND unreachable = 0"
            " AND shown = revision AND message IS NOT NULL AND phase IN ('lobby', 'running')"
        )
        for session, channel, message in self.rows(query):
            there = self._message(channel, message)
            if there is None:
                continue
            table = await parlour.stores.tables.table(SessionId(session))
            words = parlour.client.boards._words(table)
            looks = [table, *([in_emoji(table)] if self._world.ever_spoiled(channel) else [])]
            views = (board_view(screen(each), each, words).to_components() for each in looks)
            others = [unlike(view, there) for view in views]
            if table.place.message == message and all(others):
                found.append(f"table {session} would be drawn otherwise: {others[0]}")
        tournaments = parlour.client._rounds.tournaments
        query = (
            "SELECT id, channel, message FROM tournament WHERE shown = revision"
            " AND message IS NOT NULL AND stage IN ('sign_up', 'running')"
        )
        for number, channel, message in self.rows(query):
            there = self._message(channel, message)
            if there is None or self._world.ever_spoiled(channel):
                continue  # an edit that Discord has refused is not made again
            hosted = await tournaments._tournaments.hosted(TournamentId(number))
            view: Any = tournaments._view(hosted, tournament_message(hosted))
            drawn = view.to_components()
            if hosted.shown == hosted.revision and (other := unlike(drawn, there)):
                found.append(f"tournament {number} would be drawn otherwise: {other}")
        return found

    def _message(self, channel: Snowflake, message: Snowflake) -> Message | None:
        """The message that a row names, unless it is gone."""
        world = self._world.sandbox.world
        place = world.channels.get(channel)
        return None if place is None else world.message(place, message)

    def _doubles(self) -> list[str]:
        """At most one message of a kind and owner.

        One that Discord does not let the bot delete is forgotten by a process that is killed.
        """
        owners: defaultdict[int, list[int]] = defaultdict(list)
        world = self._world.sandbox.world
        for channel in self._world.channels:
            if not world.inside(channel):
                continue
            for message in world.messages(channel):
                if message.author is world.bot and message.reader is None:
                    for session in {
                        number for number, ply, word in controls(message) if word in OF_BOARDS
                    }:
                        owners[session].append(int(message.id))
        unreachable = {row[0] for row in self.rows("SELECT id FROM session WHERE unreachable = 1")}
        killed = max((at for each in self._world.machines for at in each.kills), default=0.0)
        left = {each for each, at in self._world.wire.undeletable.items() if at < killed}
        return [
            f"table {session} has {len(messages)} messages: {messages}"
            for session, messages in owners.items()
            if len({*messages} - left) > 1 and session not in unreachable
        ]

    def _remembered(self) -> Iterator[tuple[str, bool]]:
        """No row names who was forgotten and has done nothing since, and soon no post does."""
        if self._forgotten:
            yield from ((text, False) for text in self._in_rows())
            yield from ((text, True) for text in self._in_posts())

    def _in_rows(self) -> Iterator[str]:
        for (table,) in self.rows("SELECT name FROM sqlite_schema WHERE type = 'table'"):
            for row in self.rows(f"SELECT * FROM {table}"):  # noqa: S608 - a table's own name
                for person in self._forgotten:
                    if str(person) in str(row):
                        yield f"person {person} was forgotten, and {table} has {row}"

    def _in_posts(self) -> Iterator[str]:
        """What somebody has shared is none: it stays, as people's messages do."""
        world, posts = self._world.sandbox.world, {row[0] for row in self.rows(POSTS)}
        for channel in self._world.channels:
            if not world.inside(channel) or self._world.ever_spoiled(channel.id):
                continue
            for message in world.messages(channel):
                if self._before_removal(message):
                    continue
                for person in self._forgotten:
                    if int(message.id) in posts and str(person) in message.text:
                        told = f"{message.id} in {channel.name}: {message.text}"
                        yield f"person {person} was forgotten, and is named by {told}"

    def _reminders_left(self) -> list[str]:
        """A reminder that is done with is gone."""
        world = self._world
        kept = {row[0] for row in self.rows("SELECT message FROM reminder")}
        found = []
        for channel in [*world.channels, *(each.person.dm for each in world.dwellers)]:
            for message in world.sandbox.world.messages(channel):
                if message.author is not world.sandbox.world.bot or not is_reminder(message):
                    continue
                if int(message.id) not in kept and not self._excused_to_stand(message):
                    named = f"the reminder {message.id} for {sorted(message.pinged)}"
                    found.append(f"{named} stands, and no row has it")
        return found

    def _excused_to_stand(self, message: Message) -> bool:
        """Whether the process was killed as it sent a message, or the bot removed since."""
        sent = message.written - BEGINNING + 1000
        kills = (at for machine in self._world.machines for at in machine.kills)
        return self._before_removal(message) or any(sent - 5 < at < sent + 5 for at in kills)

    def _before_removal(self, message: Message) -> bool:
        """Whether a message is of a time before the bot was removed, as it is for ever then."""
        here = message.channel.guild_id == self._world.sandbox.world.guild.id
        return here and message.written - BEGINNING + 1000 < self._world.removed

    def _bounded(self) -> None:
        """Caches are within their bounds, and nothing is kept of what has ended."""
        for machine in self._world.machines:
            for each in () if machine.parlour is None else machine.parlour.caches:
                if each.size > each.budget:
                    raise Broken(f"the cache {each.name} holds {each.size} of {each.budget} bytes")

    def _moves_are_their_players(self) -> None:
        """Each move of a duel was pressed by its player on the board before it."""
        query = (
            "SELECT session.id, session.plies FROM session WHERE game IN ('tictactoe',"
            " 'connectfour') AND json_extract(state, '$.session.take_back') IS NULL AND plies > 0"
        )
        for session, plies in self.rows(query):
            known = self._checked.get(session, 0)
            if known == plies:
                continue
            self._checked[session] = plies
            seats = {
                seat: person
                for seat, kind, person in self.rows(
                    "SELECT seat, kind, person FROM seat WHERE session = :s", s=session
                )
                if kind == "human"
            }
            if self._taken_back(session):
                continue
            for ply in range(plies):
                person = seats.get(ply % 2)
                pressed = self._presses.get((session, ply), set())
                if person is not None and person > 0 and person not in pressed:
                    raise Broken(
                        f"move {ply} of table {session} is of person {person}, who pressed"
                        f" nothing on that board; {sorted(pressed)} did"
                    )

    async def redelivered(self, rng: Random) -> None:
        """A command that Discord delivers twice opens one table."""
        world = self._world
        answered = [
            each
            for at, each in self._commands
            if each.data.get("name") in GAMES and self._now - at < 60 and has_board(each)
        ]
        if not answered:
            return
        again = rng.choice(answered)
        person = next(
            (each for each in world.dwellers if each.person.account is again.person), None
        )
        if person is None:
            return
        before_away, person.away_until = person.away_until, self._now + 8
        await asyncio.sleep(3.5)
        before = self._opened(int(again.person.id))
        try:
            world.sandbox.redeliver(again)
        except StopIteration:
            return
        world.chronicle.note("again", again.name)
        await asyncio.sleep(3)
        person.away_until = before_away
        after = self._opened(int(again.person.id))
        if after > before:
            raise_later(world, f"{again.name}, delivered twice, opened another table")

    def _opened(self, person: int) -> int:
        query = (
            "SELECT count(*) FROM session WHERE host = :p AND tournament = 0"
            " AND id NOT IN (SELECT rematch FROM session WHERE rematch IS NOT NULL)"
        )
        return int(self.row(query, p=person)[0])

    def close(self) -> None:
        """Read no more."""
        if self._reader is not None:
            self._reader.close()

    @property
    def counted(self) -> tuple[int, int, int, int]:
        """The tables ever opened, the games finished, the moves made, the tournaments begun."""
        queries = (
            "SELECT coalesce(max(id), 0) FROM session",
            "SELECT count(*) FROM session WHERE phase = 'finished'",
            "SELECT count(*) FROM move",
            "SELECT count(*) FROM tournament WHERE round > 0",
        )
        opened, over, moves, tournaments = (int(self.row(query)[0]) for query in queries)
        return opened, over, moves, tournaments

    @property
    def _now(self) -> float:
        return self._world.loop.time()

    def rows(self, query: str, **values: object) -> list[tuple]:  # type: ignore[type-arg]
        if self._reader is None:
            file = self._world.machine.file
            self._reader = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
            self._reader.isolation_level = None
        return self._reader.execute(query, values).fetchall()

    def row(self, query: str, **values: object) -> tuple:  # type: ignore[type-arg]
        return self.rows(query, **values)[0]


OF_ME: Final = re.compile(r"me$|c1:")
POSTS: Final = (
    "SELECT message FROM session WHERE unreachable = 0"
    " UNION SELECT message FROM reminder UNION SELECT message FROM news"
    " UNION SELECT message FROM tournament UNION SELECT podium FROM tournament"
    " UNION SELECT call FROM tournament_leg UNION SELECT result FROM tournament_leg"
)
GAMES: Final = {"tictactoe", "connectfour", "ludo"}
OF_BOARDS: Final = {"more", "accept", "decline", "join", "start", "roll", "rematch", "withdraw"}


def boards(message: Message) -> set[tuple[int, int]]:
    """The tables and plies of a board's controls."""
    return {(number, ply) for number, ply, word in controls(message) if word in OF_BOARDS}


def controls(message: Message) -> list[tuple[int, int, str]]:
    """The tables, plies and words of a message's controls."""
    found = (BOARD.fullmatch(getattr(each, "custom_id", "") or "") for each in message.controls)
    return [(int(each[1]), int(each[2]), each[3]) for each in found if each]


def has_board(interaction: Interaction) -> bool:
    """Whether an act was answered with a board for all."""
    message = interaction.original
    return message is not None and message.reader is None and bool(controls(message))


def is_reminder(message: Message) -> bool:
    """Whether a message is a reminder, which is plain words with a link to its board."""
    said = message.body
    return bool(message.pinged) and "https://discord.com/" in said.content and not said.components


def stamp(moment: float) -> object:
    """A moment as the database has it."""
    return int(moment * 1000)


def raise_later(world: World, text: str) -> None:
    """Note a fault where an exception would end another's step."""
    world.machine.faults.append(text)
    world.chronicle.note(BROKEN, text)


def in_emoji(table: Table) -> Table:
    """A table as it is drawn where Discord has refused its picture, perhaps to a process before."""
    preferences = replace(table.session.preferences, board=BoardLook.EMOJI)
    return replace(table, session=replace(table.session, preferences=preferences))


def unlike(drawn: Any, there: Message) -> list[tuple[object, object]]:
    """The first words and controls in which a message differs from what is drawn."""
    wanted, shown = said(drawn), said(there.payload()["components"])
    return [(a, b) for a, b in zip_longest(wanted, shown) if a != b][:2]


def said(components: Any) -> Iterator[object]:
    """The words and controls of components, in their order."""
    for each in components:
        if each["type"] == ComponentType.TEXT:
            yield each["content"].strip()
        elif each.get("custom_id"):
            yield each["custom_id"], each.get("label") or "", bool(each.get("disabled"))
        yield from said(each.get("components", ()))
