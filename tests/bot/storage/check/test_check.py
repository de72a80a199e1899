"""`check` finds whatever in a database does not follow from the moves of its games."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from string import Template

import pytest
from sqlalchemy import select

from bot.storage.check.database import Checked, check
from bot.storage.choices import NOTHING, USUAL, GuildId, Guilds, People
from bot.storage.opening import opened, reading_transaction, sole_transaction
from bot.storage.records.write import BATCH, rebuild
from bot.storage.schema.game_tables import sessions
from bot.storage.schema.record_tables import RECORDS
from bot.storage.tables import Tables
from bot.table.seats import PersonId
from tests.bot.clock import ManualClock
from tests.bot.databases import NewDatabase, raw, spoil
from tests.bot.storage.random_games import fill, played_games

pytestmark = pytest.mark.both_databases

GAMES, FEW = BATCH + 20, 40
"""More games than records are made of at a time, and fewer."""
AT_ONCE = 15
"""The games that are read at a time in place of `BATCH`."""


@pytest.fixture(scope="module")
def sound(new_database: NewDatabase) -> str:
    address = new_database()
    fill(address, FEW)
    return address


@pytest.fixture
def address(sound: str, new_database: NewDatabase) -> Iterator[str]:
    """A copy to alter."""
    address = new_database(of=sound)
    yield address
    new_database.drop(address)


def checked(address: str) -> tuple[list[str], Checked]:
    """The faults that are named, and the count of everything checked."""
    told: list[str] = []
    with reading_transaction(address) as connection:
        return told, check(connection, told.append, lambda *_: None)


ZEROS = b64encode(bytes(32)).decode()

CHOSEN = {
    "won": """(SELECT id FROM session WHERE game = 'tictactoe' AND ending = 'played' AND plies > 4
        AND EXISTS (SELECT 1 FROM result WHERE session = session.id AND outcome <> 'draw')
        LIMIT 1)""",
    "ludo": """(SELECT id FROM session WHERE game = 'ludo' AND ending = 'played'
        ORDER BY id LIMIT 1)""",
    "closed": "(SELECT id FROM session WHERE ending = 'closed' LIMIT 1)",
    "resigned": """(SELECT id FROM session WHERE game = 'tictactoe' AND ending = 'resigned'
        AND NOT EXISTS (SELECT 1 FROM seat WHERE session = session.id AND kind <> 'human')
        LIMIT 1)""",
    "standing": """(person, game, season, scope) =
        (SELECT person, game, season, scope FROM standing LIMIT 1)""",
    "win": "(person, finish) = (SELECT person, finish FROM result WHERE outcome = 'win' LIMIT 1)",
    "level": """(person, game, scope, level) =
        (SELECT person, game, scope, level FROM level_record LIMIT 1)""",
}
"""The thing a test alters: the number of a game, or a row of a table."""


def altered(address: str, statement: str) -> int:
    """Alters a database, and gives the number that the statement returns."""
    with raw(address) as connection:
        (row, *_) = connection.exec_driver_sql(Template(statement).substitute(CHOSEN)).all()
    return int(row[0])


def spoiled(address: str, which: str, field: str, value: object) -> int:
    """Alters the state of a game, and gives the number of that."""
    with raw(address) as connection:
        number = connection.exec_driver_sql(f"SELECT {CHOSEN[which]}").scalar_one()
        if field.startswith("seats.HUMAN."):
            human = "SELECT min(seat) FROM seat WHERE session = {} AND kind = 'human'"
            seat = connection.exec_driver_sql(human.format(number)).scalar_one()
            field = field.replace("HUMAN", str(seat))
        spoil(connection, number, field, value)
    return int(number)


@pytest.mark.exhaustive  # beside the same with fewer games, read fewer at a time
def test_what_the_bot_wrote_agrees_however_much_it_is(new_database: NewDatabase) -> None:
    address = new_database()
    fill(address, GAMES)
    agrees(address, GAMES)


def test_what_the_bot_wrote_agrees_and_all_of_it_is_looked_at(
    sound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.check.database.BATCH", AT_ONCE)
    monkeypatch.setattr("bot.storage.check.records.BATCH", AT_ONCE)
    agrees(sound, FEW)


def agrees(address: str, played: int) -> None:
    """A database in which so many games were played, and more closed, is whole."""
    told, seen = checked(address)
    assert told == []
    with raw(address) as connection:
        games, moves, *records = (
            connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()  # noqa: S608
            for table in ("session", "move", *(table.name for table in RECORDS))
        )
    assert seen == Checked(games, moves, seen.rolls, sum(records))
    assert 0 < seen.rolls < moves
    assert games > played, "closed games are looked at too"


def test_something_of_everything_agrees(everything: str) -> None:
    """A rematch among it, which is a game that another refers to."""
    assert checked(everything)[0] == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "INSERT INTO person (id, form) VALUES (5, 'smell')",
            "person (id 5): form cannot be 'smell'.",
        ),
        ("INSERT INTO server (id, games) VALUES (5, 51)", "server (id 5): games cannot be 51."),
        ("INSERT INTO server (id, games) VALUES (5, 0)", "server (id 5): games cannot be 0."),
        (
            "INSERT INTO person (id, reminders) VALUES (5, 'pigeon')",
            "person (id 5): reminders cannot be 'pigeon'.",
        ),
        (
            "INSERT INTO server (id, board) VALUES (5, 'hologram')",
            "server (id 5): board cannot be 'hologram'.",
        ),
    ],
)
@pytest.mark.logs_errors
async def test_a_choice_that_this_version_does_not_know_is_named_and_the_others_are_read(
    address: str, statement: str, sentence: str, caplog: pytest.LogCaptureFixture
) -> None:
    table = statement.split()[2]
    altered(address, "INSERT INTO server (id, language) VALUES (6, 'de') RETURNING id")
    altered(address, "INSERT INTO person (id, language) VALUES (6, 'de') RETURNING id")
    altered(address, f"{statement} RETURNING id")
    assert checked(address)[0] == [sentence]
    async with opened(address) as database:
        people, guilds = await People.loaded(database), await Guilds.loaded(database)
        await people.reload()
    assert people.of(PersonId(5)) == NOTHING
    assert guilds.of(GuildId(5)) == USUAL
    assert people.of(PersonId(6)).language == "de"
    assert guilds.of(GuildId(6)).language == "de"
    assert caplog.text.count(f"table={table} key=5 ") == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "UPDATE move SET move = 99 WHERE session = $won AND ply = 2 RETURNING session",
            r"ply 2: 99 is not among the legal moves \[.*\]\.",
        ),
        (
            "UPDATE move SET move = 7 - move WHERE session = $ludo AND ply = 0 RETURNING session",
            r"(ply \d+: \d is not among .*|the moves lead to .*|the roll of ply 0 .*)\.",
        ),
        (
            "DELETE FROM move WHERE session = $won AND ply = 3 RETURNING session",
            r"it should have \d+ moves, but there is none of ply 3\.",
        ),
        (
            """INSERT INTO move SELECT id, plies, 0, 0 FROM session WHERE id = $won
                RETURNING session""",
            r"it should have \d+ moves, but there are \d+\.",
        ),
        (
            "UPDATE session SET dice_message = dice_message + 1 WHERE id = $ludo RETURNING id",
            r"the roll of ply \d+ is \d, but its secret gives \d\.",
        ),
        (
            "UPDATE session SET dice_message = NULL WHERE id = $ludo RETURNING id",
            r"dice were rolled, but nothing says which message was its first\.",
        ),
        (
            "UPDATE session SET dice_version = 4 WHERE id = $ludo RETURNING id",
            r"its rows are not those of a game \(.*no dice of version 4.*\)\.",
        ),
        (
            """UPDATE seat SET word = 'apple'
                WHERE session = $ludo AND kind = 'human' RETURNING session""",
            r"word of seat \d is apple, which should be None\.",
        ),
        (
            "UPDATE session SET ending = 'agreed' WHERE id = $resigned RETURNING id",
            r"it ended as agreed, which cannot pay \[-?1\.0, -?1\.0\]\.",
        ),
        (
            "UPDATE session SET ending = 'resigned' WHERE id = $won RETURNING id",
            r"the moves lead to the end, but ending is resigned\.",
        ),
        (
            "UPDATE session SET game = 'chess' WHERE id = $closed RETURNING id",
            r"this version does not have chess, so it was not checked\.",
        ),
        (
            "UPDATE session SET unattended = true WHERE id = $won RETURNING id",
            r"unattended is True, but its position says otherwise\.",
        ),
        (
            "UPDATE session SET phase = 'dreaming' WHERE id = $closed RETURNING id",
            r"its rows are not those of a game \(.*dreaming.*\)\.",
        ),
        (
            "UPDATE session SET plies = 1000000000 WHERE id = $won RETURNING id",
            r"it should have 1000000000 moves, but there is none of ply \d+\.",
        ),
        (
            "DELETE FROM seat WHERE session = $closed AND seat = 0 RETURNING session",
            r".*\.",
        ),
    ],
)
def test_a_game_that_cannot_have_been_played_is_named_with_what_is_wrong(
    address: str, statement: str, sentence: str
) -> None:
    named(address, altered(address, statement), sentence)


def named(address: str, number: int, sentence: str) -> None:
    """A check finds a fault in the game of a number, and none elsewhere."""
    told, _ = checked(address)
    found = [each for each in told if each.startswith(f"Game {number}: ")]
    assert found
    assert re.fullmatch(sentence, found[0].removeprefix(f"Game {number}: ")), found
    assert found == told


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("which", "field", "value", "sentence"),
    [
        ("ludo", "dice.secret", ZEROS, r"the roll of ply \d+ is \d, but its secret gives \d\."),
        ("ludo", "dice.secret", "AAAA", r"its rows are .*The secret of dice has 32 bytes.*\)\."),
        ("ludo", "dice.secret", "?", r"its rows are not those of a game \(.*\)\."),
        ("ludo", "dice", None, r"the secret of its dice is missing\."),
        ("ludo", "seats.HUMAN.word", {"digest": "x"}, r"the roll of ply .* its secret gives \d\."),
        ("ludo", "feats", [], r"feats are \[\], which should be \[.*\]\."),
        ("won", "session.payoff", [0.0, 0.0], r"the moves lead to payoff \[.*\]\."),
        ("closed", "session.options", {"size": 9}, r".*\."),
        ("closed", "session.pace", "glacial", r"its rows are not .*\.session\.pace.*\)\."),
        ("closed", "session", {}, r"its rows are not those of a game \(.*\)\."),
        ("closed", "seats", [], r"its rows are not those of a game \(.*\)\."),
    ],
)
def test_a_state_that_is_not_of_the_game_is_named_with_what_is_wrong(
    address: str, which: str, field: str, value: object, sentence: str
) -> None:
    named(address, spoiled(address, which, field, value), sentence)


def test_a_word_that_the_dice_do_not_roll_by_is_named(address: str) -> None:
    number = spoiled(address, "ludo", "seats.HUMAN.word", {"digest": "x"})
    altered(
        address,
        """UPDATE seat SET word = 'apple'
            WHERE session = $ludo AND kind = 'human' RETURNING session""",
    )
    named(address, number, r"word of seat \d is .*\.")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("game = 'chess'", r"this version does not have chess, so it was not checked\."),
        ("format = 'sudden'", r"its rows are not those of a tournament \(.*'sudden'.*\)\."),
        ("stage = 'asleep'", r"its rows are not those of a tournament \(.*'asleep'.*\)\."),
        ("pace = 'glacial'", r"its rows are not those of a tournament \(.*'glacial'.*\)\."),
    ],
)
def test_a_tournament_that_this_version_cannot_read_is_named(
    everything: str, new_database: NewDatabase, change: str, sentence: str
) -> None:
    address = new_database(of=everything)
    one = "id = (SELECT max(id) FROM tournament)"
    number = altered(address, f"UPDATE tournament SET {change} WHERE {one} RETURNING id")  # noqa: S608
    (told,) = checked(address)[0]
    assert re.fullmatch(rf"Tournament {number}: {sentence}", told)
    new_database.drop(address)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "DELETE FROM seat WHERE session = $won AND seat = 0 RETURNING session",
            r"its rows are not those of a game \(.*\)\.",
        ),
        (
            """INSERT INTO seat (session, seat, kind, person)
                SELECT id, 2, 'human', 5 FROM session WHERE id = $won
                RETURNING session""",
            r"its rows are not those of a game \(.*\)\.",
        ),
        ("UPDATE seat SET kind = 'ghost' WHERE session = $won RETURNING session", r".*'ghost'.*"),
        (
            """UPDATE seat SET person = NULL WHERE session = $resigned AND seat = 1
                RETURNING session""",
            r"seat 1 is kept by a person, but nothing says by whom\.",
        ),
        (
            "UPDATE seat SET person = 101 WHERE session = $resigned RETURNING session",
            r"somebody has two seats\.",
        ),
        (
            "UPDATE session SET ending = NULL WHERE id = $won RETURNING id",
            r"phase is finished, but ending is null\.",
        ),
        (
            "UPDATE session SET finish = NULL WHERE id = $won RETURNING id",
            r"it is finished, but has no place among the finished games\.",
        ),
    ],
)
def test_records_are_not_held_against_games_that_cannot_be_counted(
    address: str, statement: str, sentence: str
) -> None:
    number = altered(address, statement)
    (first, *others, about_the_records), seen = checked(address)
    assert re.fullmatch(f"Game {number}: {sentence}", first), first
    assert all(each.startswith(f"Game {number}: ") for each in others)
    assert about_the_records == (
        "The records of tictactoe were not compared: "
        "they follow from all its finished games, and 1 cannot be counted."
    )
    assert seen.records > 0, "Ludo's were"
    assert seen.damages == 1 + len(others)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "UPDATE session SET state = 'x' WHERE id = $won RETURNING id",
            r"session \(id {}\): state cannot be 'x'\.",
        ),
        (
            "UPDATE session SET state = '[1]' WHERE id = $won RETURNING id",
            r"session \(id {}\): state cannot be '\[1\]'\.",
        ),
        (
            "UPDATE session SET moved_at = 'noon' WHERE id = $won RETURNING id",
            r"session \(id {}\): moved_at cannot be 'noon'\.",
        ),
        (
            "UPDATE session SET moved_at = 1 << 60 WHERE id = $won RETURNING id",
            r"session \(id {}\): moved_at cannot be \d+\.",
        ),
        (
            "UPDATE session SET lost = 2 WHERE id = $won RETURNING id",
            r"session \(id {}\): lost cannot be 2\.",
        ),
        (
            "UPDATE move SET move = 'e4' WHERE session = $won AND ply = 1 RETURNING session",
            r"move \(session {}, ply 1\): move cannot be 'e4'\.",
        ),
        (
            "UPDATE result SET finish = 'last' WHERE $win RETURNING person",
            r"result \(person {}, finish last\): finish cannot be 'last'\.",
        ),
    ],
)
def test_a_value_that_its_column_cannot_have_is_named_and_nothing_else_looked_at(
    file: Path, statement: str, sentence: str
) -> None:
    address = f"sqlite:///{file}"
    key = altered(address, statement)
    told, seen = checked(address)
    assert re.fullmatch(sentence.format(key), told[-1]), told
    assert seen == Checked(damages=len(told))


@pytest.mark.parametrize(
    ("table", "statement"),
    [
        (
            "seat",
            """INSERT INTO seat (session, seat, kind, person) VALUES (9999, 0, 'human', 5)
                RETURNING session""",
        ),
        ("move", "INSERT INTO move VALUES (9999, 0, 0, 0), (9999, 1, 1, 0) RETURNING session"),
    ],
)
def test_rows_of_a_game_that_is_not_there_are_told_of_once(
    address: str, table: str, statement: str
) -> None:
    altered(address, statement)
    assert checked(address)[0] == [f"{table}: session 9999 does not exist."]


def test_an_index_that_misses_a_row_is_told_of(file: Path) -> None:
    with closing(sqlite3.connect(file)) as opened_file, opened_file:
        opened_file.execute("PRAGMA writable_schema = ON")
        opened_file.execute(
            """UPDATE sqlite_schema SET sql = replace(sql, 'WHERE finish IS NOT NULL', '')
            WHERE name = 'ix_session_finish'"""
        )
    told, _ = checked(f"sqlite:///{file}")
    assert all(each.startswith("The file is damaged: ") for each in told)
    assert any("missing from index ix_session_finish" in each for each in told)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "UPDATE standing SET wins = wins + 1 WHERE $standing RETURNING person",
            (
                r"standing \(person {}, game \w+, season \d+, scope \d+\): "
                r"wins is \d+, but the games give \d+\."
            ),
        ),
        (
            # the tenth digit of a rating
            "UPDATE standing SET mu = mu + 1e-8 WHERE $standing RETURNING person",
            r"standing \(person {}, .*\): mu is [\d.]+, but the games give [\d.]+\.",
        ),
        (
            "UPDATE result SET outcome = 'draw' WHERE $win RETURNING person",
            r"result \(person {}, finish \d+\) of game \d+: outcome is draw, but .* win\.",
        ),
        (
            "UPDATE result SET session = 9999 WHERE $win RETURNING person",
            r"result \(person {}, finish \d+\) of game 9999: session is 9999, but .* give \d+\.",
        ),
        (
            "DELETE FROM result WHERE $win RETURNING person",
            r"result \(person {}, finish \d+\) of game \d+: it is missing\.",
        ),
        (
            "INSERT INTO pairing VALUES (109, 'ludo', 0, 99, 110, 1, 0, 0) RETURNING person",
            r"pairing \(person {}, game ludo, season 0, scope 99, .*\): no game gives it\.",
        ),
        (
            "UPDATE level_record SET draws = 77 WHERE $level RETURNING person",
            r"level record \(person {}, game \w+, .*\): draws is 77, but the games give \d+\.",
        ),
    ],
)
def test_a_record_that_no_game_gives_is_named_and_nothing_else_is(
    address: str, statement: str, sentence: str
) -> None:
    person = altered(address, statement)
    (told,), _ = checked(address)
    assert re.fullmatch(sentence.format(person), told), told


def test_a_result_that_was_changed_contradicts_the_records(address: str) -> None:
    with raw(address) as connection:
        number = connection.exec_driver_sql(f"SELECT {CHOSEN['resigned']}").scalar_one()
        state = connection.execute(select(sessions.c.state).where(sessions.c.id == number))
        one, other = state.scalar_one()["session"]["payoff"]
        spoil(connection, number, "session.payoff", [other, one])
    of_records_alone(address)


def test_a_place_that_was_changed_contradicts_the_records(address: str) -> None:
    altered(
        address,
        """UPDATE session SET finish = CASE id WHEN $won THEN 100001 ELSE 100000 END
            WHERE id IN ($won, $resigned) RETURNING id""",
    )
    of_records_alone(address)


def of_records_alone(address: str) -> None:
    """A check finds faults, all of them in records."""
    told, _ = checked(address)
    assert told
    assert {each.split(" (")[0] for each in told} <= {"result", "standing", "pairing", "badge"}


def test_what_the_arithmetic_of_another_machine_rounds_is_no_difference(address: str) -> None:
    altered(address, "UPDATE standing SET mu = mu + 1e-13, sigma = sigma - 1e-13 RETURNING person")
    altered(address, "UPDATE result SET mu = mu + 1e-13 RETURNING person")
    assert checked(address)[0] == []


async def test_a_database_is_checked_while_the_bot_writes_to_it(address: str) -> None:
    async with opened(address) as database:
        clock = ManualClock()
        store = Tables(database, clock)
        await played_games(store, clock, Random(8), 10, first=1 << 40)
        checking = asyncio.create_task(asyncio.to_thread(checked, address))
        await played_games(store, clock, Random(9), 10, first=1 << 50)
        told, seen = await checking
    assert told == []
    assert seen.games >= FEW + 10


def test_records_that_were_altered_are_mended_by_making_them_anew(address: str) -> None:
    altered(address, "UPDATE standing SET losses = 1000, mu = 0 RETURNING person")
    assert checked(address)[0]
    with sole_transaction(address) as connection:
        rebuild(connection)
    assert checked(address)[0] == []
