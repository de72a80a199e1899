"""Rows that this version cannot read, or that no version wrote: each is left alone by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from itertools import count
from typing import Final

import pytest
from sqlalchemy import ColumnElement, Connection, Table, insert, literal, select

from bot.metrics import PrometheusMeter
from bot.service.due_work import NOTED_EVERY
from bot.service.guilds import DATA_STAYS
from bot.storage.choices import GuildId
from bot.storage.schema.game_tables import moves, seats, sessions
from bot.storage.schema.tournament_tables import entries, tournaments
from bot.table.seats import PersonId
from bot.table.session import Phase, SessionId
from bot.tournaments.tournament import Stage
from tests.bot.databases import raw, spoil
from tests.bot.english import says
from tests.bot.stand_in import Sandbox
from tests.bot.ui import panels
from tests.bot.ui.conftest import A, B, C, D, E, Open
from tests.bot.ui.hall import Hall, guests
from tests.bot.ui.test_metrics import figure

OF_A_SESSION: Final = (
    "game = 'chess'",
    "phase = 'paused'",
    "state = '[]'",
    "state = '{}'",
    "moved_at = 900000000000000000",  # in a year that no calendar has
)
OF_A_STATE: Final[Mapping[str, object]] = {
    "session.pace": "glacial",
    "session.preferences.board": "hologram",
    "session.options": {"size": "enormous"},
    "session.lapsed": "perhaps",
    "session": [],
    "seats": [],
    "seats.0": {"word": 7},
    "opened_at": "in a year that no calendar has",
}
OF_AN_ENDED_SESSION: Final = ("ending = 'exploded'", "state = '{}'") * 2
OF_A_TOURNAMENT: Final = (
    "game = 'chess'",
    "format = 'sudden'",
    "pace = 'glacial'",
    "stage = 'asleep'",
    "starts_at = 900000000000000000",
)
ALONE: Final = (
    "INSERT INTO person (id, form) VALUES (5, 'smell')",
    "INSERT INTO person (id, reminders) VALUES (6, 'pigeon')",
    "INSERT INTO person (id, language, streaks) VALUES (7, 'xx', true)",
    "INSERT INTO puzzle_answer (person, day, solved, at) VALUES (7, 1, true, 900000000000000000)",
    "INSERT INTO server (id, board) VALUES (21, 'hologram')",
    "INSERT INTO server (id, news_channel, news_since) VALUES (22, 1, 900000000000000000)",
    "INSERT INTO server (id, left_at) VALUES (23, 900000000000000000)",
    "INSERT INTO reminder VALUES (1, 77, 'whim', 1, 2, 3)",
    "UPDATE note SET value = '[' WHERE key = 'look'",
    "UPDATE session SET shown = -1 WHERE phase = 'finished'",
)
LEFT: Final = GuildId(9)
"""A server that has removed the bot."""


class Poisoned:
    """A database in which copies of sound rows are spoiled, one by one."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._numbers = count(1_000)
        self.rows: set[str] = set()

    def session(self, of: SessionId, change: str, table: Table = sessions) -> None:
        """A table like another, with a change of its rows."""
        number = self._alike(of)
        self._spoil(table, "id" if table is sessions else "session", number, change)
        self.rows.add(f"session key={number}")

    def state(self, of: SessionId, field: str, value: object) -> None:
        """A table like another, with a change of its state."""
        number = self._alike(of)
        spoil(self._connection, number, field, value)
        self.rows.add(f"session key={number}")

    def tournament(self, of: int, change: str) -> None:
        """A tournament like another, with a change of its row."""
        number = next(self._numbers)
        self._copy(tournaments, tournaments.c.id == of, id=literal(number))
        self._copy(entries, entries.c.tournament == of, tournament=literal(number))
        self._spoil(tournaments, "id", number, change)
        self.rows.add(f"tournament key={number}")

    def _alike(self, of: SessionId) -> int:
        number = next(self._numbers)
        finish = sessions.c.finish + number
        self._copy(sessions, sessions.c.id == of, id=literal(number), finish=finish)
        for rows in (seats, moves):
            self._copy(rows, rows.c.session == of, session=literal(number))
        return number

    def _copy(self, table: Table, which: ColumnElement[bool], **other: ColumnElement[int]) -> None:
        values = [other.get(column.name, column) for column in table.columns]
        copy = insert(table).from_select(table.columns.keys(), select(*values).where(which))
        self._connection.execute(copy)

    def _spoil(self, table: Table, key: str, number: int, change: str) -> None:
        spoiling = f"UPDATE {table.name} SET {change} WHERE {key} = {number}"  # noqa: S608
        self._connection.exec_driver_sql(spoiling)


def left_alone(caplog: pytest.LogCaptureFixture) -> Counter[str]:
    """The rows that the log names, each with how often it does."""
    lines = (record.getMessage() for record in caplog.records)
    return Counter(
        line.partition("table=")[2].partition(" error=")[0] for line in lines if "table=" in line
    )


@pytest.mark.both_databases
@pytest.mark.logs_errors
async def test_rows_that_cannot_be_read_hold_nothing_up_and_are_logged_once(  # noqa: PLR0915
    open_bot: Open, sandbox: Sandbox, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_bot() as running_bot:
        ann, ben, cleo, dan = running_bot.people
        here = GuildId(running_bot.games.guild_id or 0)
        over = await running_bot.friends()
        await running_bot.play(over, A, D, B, E, C)
        board = await running_bot.friends()
        await running_bot.mark(ann, board, A)
        await running_bot.later(timedelta(minutes=4, seconds=10))
        await sandbox.until(lambda: any(each.pinged for each in ann.sees(running_bot.games)))
        hall = Hall(running_bot, guests(sandbox, 4))
        await hall.open(start="15")
        await panels.choose(running_bot, ann, "settings news", sandbox.channel("lounge"))
        await running_bot.parlour.stores.people.choose(PersonId(ben.id), language="de")
        thread = await cleo.type(sandbox.channel("games-thread"), "tictactoe", opponent=dan)
        await thread.answered()
        await running_bot.guild_data.come_back(LEFT)
        kept = running_bot.parlour.stores
        await kept.guilds.choose(LEFT, games=3)
        await running_bot.guild_data.leave(LEFT, running_bot.clock.now() - DATA_STAYS)
        await running_bot.parlour.use_cases.privacy.forget(PersonId(404))
        running, ended, elsewhere = [
            SessionId(int(each.buttons[0].custom_id.split(":")[1]))
            for each in (board, over, thread.message)
        ]
    with raw(database) as connection:
        poisoned = Poisoned(connection)
        for statement in ALONE:
            connection.exec_driver_sql(statement)
        for change in OF_A_SESSION:
            poisoned.session(running, change)
        for field, value in OF_A_STATE.items():
            poisoned.state(running, field, value)
        poisoned.session(running, "kind = 'computer'", seats)
        poisoned.session(running, "move = 99", moves)
        for change in OF_AN_ENDED_SESSION:
            poisoned.session(ended, f"moved_at = moved_at + 1, {change}")
        poisoned.session(elsewhere, "game = 'chess'")
        for change in OF_A_TOURNAMENT:
            poisoned.tournament(hall.number, change)
    sandbox.remove_channel(sandbox.channel("games-thread"))
    caplog.clear()
    meter, edits = PrometheusMeter(), board.edits
    async with open_bot(meter=meter) as running_bot:
        for passed in (NOTED_EVERY, timedelta(minutes=6)):
            await running_bot.later(passed)
            await running_bot.clock.waited_for()
        store, kept = running_bot.store, running_bot.parlour.stores
        await sandbox.until(lambda: board.edits > edits)  # the deadline
        assert (await store.table(running)).session.lapsed
        for _ in range(3):
            await running_bot.later(timedelta(minutes=5))
            await running_bot.clock.waited_for()
        found = await running_bot.parlour.use_cases.tournaments.hosted(hall.number)
        assert found.tournament.stage is Stage.RUNNING
        tomorrow = running_bot.clock.now().date() + timedelta(1)
        evening = datetime.combine(tomorrow, time(hour=23), UTC)
        await running_bot.later(evening - running_bot.clock.now())
        await running_bot.clock.waited_for()
        await sandbox.until(lambda: sandbox.messages("lounge"))  # the news
        assert (await store.table(elsewhere)).session.phase is Phase.ABANDONED
        assert LEFT not in await running_bot.guild_data.known()
        assert here in await running_bot.guild_data.known()
        assert not await kept.personal_data.copies_left()
        assert kept.people.of(PersonId(ben.id)).language == "de"
        assert ended not in await kept.messages.rewritten()
        told = left_alone(caplog)
    alone = {"reminder key=1,77,whim", "person key=5", "person key=6", "puzzle_answer key=7,1"}
    servers = {f"server key={number}" for number in (21, 22, 23)}
    assert {*told} == poisoned.rows | alone | servers
    assert {*told.values()} == {1}
    assert figure(meter.exposition().decode(), "job_faults_total") == 0


NO_DAY: Final = 2_000_000_000
"""A number of days since 1970 that no calendar has."""

NO_TIME: Final = 900_000_000_000_000_000
"""A number of milliseconds since 1970 that no calendar has."""


def row(table: str, **values: object) -> str:
    """The statement that inserts a row, whatever is in it."""
    names, given = ", ".join(values), ", ".join(map(repr, values.values()))
    return f"INSERT INTO {table} ({names}) VALUES ({given})"  # noqa: S608


def of_records(person: int, opponent: int, session: int) -> tuple[str, ...]:
    """Rows of records and reviews that no version wrote."""
    won = {"person": person, "wins": 1, "draws": 0, "losses": 0}
    belief = {"mu": 1, "sigma": 1, "ordinal": 1}
    counts = {"streak": 1, "best_streak": 1, "rated": 1, "opponents": 1}
    result = {"person": person, "session": session, "game": "tictactoe"}
    return (
        row("result", **result | {"game": "chess"}, finish=9001, at=1, outcome="won"),
        row("result", **result, finish=9002, at=NO_TIME, outcome="won", mu=1, sigma=1),
        row("result", **result, finish=9003, at=1, outcome="exploded"),
        row("standing", **won, **belief, **counts, game="chess", season=13, scope=0),
        row("level_record", **won, game="tictactoe", scope=0, level="godlike"),
        row("pairing", **won, game="chess", season=0, scope=0, opponent=opponent),
        row("badge", person=person, game="tictactoe", badge="clairvoyant", session=session, at=1),
        row("puzzle_points", person=person, season=13, scope=0, halves=1, solved=1),
        row("review", session=session, found="[7]"),
        row("frozen_day", scope=0, day=NO_DAY),
        row("block", person=person, blocked=person),
    )


def of_news(server: int, person: int) -> tuple[str, ...]:
    """News of a server that no version wrote."""
    unheard = {"server": server, "tries": 1, "claimed_until": 1}
    return (
        row("news", server=server, day=NO_DAY, tries=1, message=1, wanted=2, shown=1),
        row("news", **unheard, day=-NO_DAY),
        row("puzzle_server", server=server, day=NO_DAY, person=person),
    )


@pytest.mark.both_databases
@pytest.mark.logs_errors
async def test_records_reviews_and_news_that_no_version_wrote_spoil_no_answer(
    open_bot: Open, sandbox: Sandbox, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_bot() as running_bot:
        ann, ben, *_ = running_bot.people
        over = await running_bot.friends()
        await running_bot.play(over, A, D, B, E, C)
        await panels.choose(running_bot, ann, "settings news", sandbox.channel("lounge"))
        session = int(over.buttons[0].custom_id.split(":")[1])
        here = running_bot.games.guild_id or 0
    with raw(database) as connection:
        for statement in (*of_records(ann.id, ben.id, session), *of_news(here, ann.id)):
            connection.exec_driver_sql(statement)
    caplog.clear()
    meter = PrometheusMeter()
    async with open_bot(meter=meter, later=timedelta(days=1)) as running_bot:
        for asked in ("stats", "leaderboard", "history", "me", "puzzle"):
            assert await running_bot.say(ann, asked) != says("failure"), asked
        await running_bot.press(ann, over, says("control.review"))
        again = await running_bot.friends()
        await running_bot.play(again, A, D, B, E, C)
        await running_bot.clock.waited_for()
        tomorrow = running_bot.clock.now().date() + timedelta(1)
        evening = datetime.combine(tomorrow, time(hour=23), UTC)
        await running_bot.later(evening - running_bot.clock.now())
        await running_bot.clock.waited_for()
        await sandbox.until(lambda: sandbox.messages("lounge"))  # the news
        privacy = running_bot.parlour.use_cases.privacy
        for person in (PersonId(int(ann.id)), PersonId(int(ben.id))):
            assert not (await privacy.personal_data(person)).empty
            await privacy.forget(person)
    assert not [each for each in caplog.records if each.exc_info], caplog.text
    assert figure(meter.exposition().decode(), "job_faults_total") == 0
