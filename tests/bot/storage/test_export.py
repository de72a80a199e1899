"""An export has everything, says it in one way, and is taken back whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import JSON, Connection, String, cast, func, insert, select

from bot.games.catalogue import CATALOGUE
from bot.records.summaries import ReviewedPlay
from bot.storage.check.database import check
from bot.storage.errors import StorageError
from bot.storage.export import BATCH, WrongExport, load, write
from bot.storage.migrate import LAST_OF_OLD, head, revisions
from bot.storage.opening import opened, reading_transaction, sole_transaction
from bot.storage.records.queries import Records
from bot.storage.schema.base import metadata
from bot.storage.schema.choice_tables import absences, notes, people
from bot.storage.schema.game_tables import interactions
from bot.storage.schema.record_tables import RECORDS, puzzle_points
from bot.storage.tables import Tables
from bot.table.session import SessionId
from bot.table.table import InteractionId
from tests.bot.clock import ManualClock
from tests.bot.databases import NewDatabase, put
from tests.bot.postgres import Server
from tests.bot.storage.everything import filled
from tests.bot.storage.export_lines import Export, Row, exported, imported, sealed
from tests.bot.storage.random_games import PEOPLE
from tests.bot.storage.record_tables import dump
from tests.samples import Sample

pytestmark = pytest.mark.both_databases

GAMES, MANY = 40, 200
"""The games that are played, and in an exhaustive run: more rows than are read at a time."""
AT_ONCE = 800
"""The rows read and written at a time in place of `BATCH`, but in an exhaustive run."""
MADE_ANEW = (absences, interactions, notes, puzzle_points)
KEPT = [table for table in metadata.sorted_tables if table not in MADE_ANEW]
EXPORTS = sorted((Path(__file__).parent / "exports").glob("*.jsonl"))
"""One of each schema since exports are what they are."""

FIRST = {"format": "Parlour export", "version": 3, "schema": head(), "next_session": 1}

Refused: TypeAlias = Callable[[bytes], str]


def rows(connection: Connection) -> dict[str, int]:
    """Count the rows of each table."""
    return {
        name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for name, table in metadata.tables.items()
    }


@pytest.fixture(scope="module")
def full(new_database: NewDatabase, pytestconfig: pytest.Config) -> str:
    address = new_database()
    filled(address, MANY if pytestconfig.option.exhaustive else GAMES)
    return address


@pytest.fixture(scope="module")
def small(everything: str) -> bytes:
    """An export of few games."""
    return exported(everything)


@pytest.fixture
def forged(small: bytes) -> Export:
    """The export's values, to be altered."""
    return Export.of(small)


@pytest.fixture(scope="module")
def refused(new_database: NewDatabase) -> Iterator[Refused]:
    """The message about a file that is refused; nothing of it may stay."""
    address = new_database()
    with sole_transaction(address):
        pass

    def refused(export: bytes) -> str:
        with pytest.raises(WrongExport) as error:
            imported(address, export)
        sentence = str(error.value)
        assert "\n" not in sentence
        assert sentence.endswith(".")
        return constrained(sentence)

    yield refused
    with sole_transaction(address) as connection:
        assert not any(rows(connection).values())


def constrained(sentence: str) -> str:
    """A sentence with the words of both databases for what their constraints refuse in small."""
    words = re.compile("(unique|not.null|foreign key) constraint", re.IGNORECASE)
    return words.sub(lambda found: found[0].lower().replace("-", " "), sentence)


def test_something_of_everything_is_exported(full: str) -> None:
    """Or the next test would not notice what an export leaves out."""
    with reading_transaction(full) as connection:
        for column in [column for table in KEPT for column in table.columns]:
            value = cast(column, String) if isinstance(column.type, JSON) else column
            many = connection.execute(select(value).distinct().limit(2)).all()
            assert len(many) == 2, f"{column} has but one value"


def test_what_was_imported_is_exported_again_byte_for_byte(
    full: str, address: str, monkeypatch: pytest.MonkeyPatch, exhaustive: bool
) -> None:
    if not exhaustive:
        monkeypatch.setattr("bot.storage.export.BATCH", AT_ONCE)
    export = exported(full)
    copy = address
    counts = imported(copy, export)
    assert counts["session"] > GAMES
    assert counts["move"] > (BATCH if exhaustive else 3 * AT_ONCE)
    assert exported(copy) == export
    with (
        reading_transaction(full) as before,
        reading_transaction(copy) as after,
    ):
        assert dump(after) == dump(before)
        for table in KEPT:
            query = select(table).order_by(*table.primary_key)
            assert after.execute(query).all() == before.execute(query).all()


@pytest.mark.sqlite_alone
def test_everything_goes_from_sqlite_to_postgres_and_back(
    full: str, address: str, postgres_server: Server
) -> None:
    old, there, again = full, postgres_server(), address
    export = exported(old)
    assert len(Export.of(export).rows("session", lambda row: row["phase"] == "running")) > 3
    for before, after in ((old, there), (there, again)):
        imported(after, exported(before))
        assert exported(after) == export
        with reading_transaction(old) as one, reading_transaction(after) as other:
            faults: list[str] = []
            assert check(other, faults.append, lambda *_: None).games > GAMES
            assert faults == []
            assert dump(other) == dump(one)
    postgres_server.drop(there)


def test_an_export_has_every_row_and_column_but_what_follows_from_them(
    full: str, forged: Export
) -> None:
    left_out = {table.name for table in (*MADE_ANEW, *RECORDS)}
    assert set(forged.tables) == set(metadata.tables) - left_out
    export = exported(full)
    assert Export.of(export).sealed() == export, "the digest is of all lines"
    for name, its in forged.tables.items():
        assert set(its[0]) == set(metadata.tables[name].columns.keys())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("old", EXPORTS, ids=lambda old: old.stem)
def test_an_export_of_every_schema_since_the_baseline_is_taken(old: Path, address: str) -> None:
    imported(address, old.read_bytes())
    again = Export.of(exported(address))
    before = Export.of(old.read_bytes())
    assert {name: len(its) for name, its in before.tables.items()}.items() <= {
        name: len(its) for name, its in again.tables.items()
    }.items()
    if before.first["schema"] == head():
        assert again.sealed() == old.read_bytes()


def test_there_is_an_export_of_every_schema_since_the_baseline() -> None:
    made_by = "make it by `python -m tests.bot.storage.everything`"
    assert [file.stem for file in EXPORTS] == sorted(revisions()), made_by


async def test_accuracy_and_luck_are_the_same_after_an_import(
    full: str, forged: Export, address: str, new_database: NewDatabase
) -> None:
    """A file without reviews, as were written before, is taken too."""

    async def played(address: str) -> list[ReviewedPlay | None]:
        async with opened(address) as database:
            records = Records(database)
            return [
                (await records.stats(person, game)).played
                for person in PEOPLE
                for game in CATALOGUE
            ]

    imported(address, exported(full))
    before = await played(full)
    assert any(before)
    assert await played(address) == before
    del forged.tables["review"]
    without = new_database()
    imported(without, forged.sealed())
    assert not any(await played(without))
    new_database.drop(without)


def test_a_column_that_is_missing_takes_its_default(forged: Export, address: str) -> None:
    for row in forged.tables["person"]:
        del row["challenges"]
    imported(address, forged.sealed())
    again = Export.of(exported(address))
    assert all(row["challenges"] is True for row in again.tables["person"])


async def test_after_an_import_a_number_is_not_given_twice_either(
    small: bytes, forged: Export, address: str
) -> None:
    imported(address, small)
    last = max(row["id"] for row in forged.tables["session"])
    assert forged.first["next_session"] == last + 2, "the latest table is gone"
    async with opened(address) as database:
        store = Tables(database, ManualClock())
        table = await store.table(SessionId(last))
        assert (await store.open(table, InteractionId(1))).id == last + 2


def test_a_database_with_anything_in_it_is_left_as_it_is(small: bytes, address: str) -> None:
    with sole_transaction(address) as connection:
        connection.execute(insert(people), {"id": 5, "language": "de"})
    before = exported(address)
    with pytest.raises(StorageError, match="not empty"):
        imported(address, small)
    assert exported(address) == before


def test_an_export_cut_off_anywhere_is_refused(small: bytes, refused: Refused) -> None:
    assert refused(b"") == "it is empty."
    whole = small.splitlines(keepends=True)
    for number in {1, 2, 5, len(whole) // 2, len(whole) - 1}:
        start = b"".join(whole[:number])
        assert refused(start) == f"it ends after line {number}, without its last line."
        assert refused(start[:-5]).startswith(
            (f"line {number} is ", f"it ends after line {number}")
        )
    assert refused(small[:-1]) == "its last line is not as it was written."


@pytest.mark.sqlite_alone
@given(part=st.integers(0, (1 << 20) - 1), changed=st.integers(1, 255))
def test_an_export_with_an_altered_byte_is_refused(
    small: bytes, refused: Refused, part: int, changed: int
) -> None:
    place = part * len(small) >> 20
    assert refused(small[:place] + bytes([small[place] ^ changed]) + small[place + 1 :])


@pytest.mark.sqlite_alone
@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity"])
def test_a_number_that_is_none_is_refused(small: bytes, refused: Refused, number: str) -> None:
    """An altered byte makes such a number: 19999 becomes 1e999."""
    first, _, rest = small.partition(b"\n")
    written = first + f"\n[{number}]\n".encode() + rest
    assert refused(written) == "line 2 is not written as lines of an export are."


@pytest.mark.sqlite_alone
def test_no_byte_of_a_short_export_can_be_altered_unseen(refused: Refused, sample: Sample) -> None:
    short = sealed(FIRST, {"table": "person", "columns": ["id", "language"]}, [5, "de"])
    for place, byte in sample(enumerate(short), 25):
        assert refused(short[:place] + bytes([byte ^ 1]) + short[place + 1 :])


def test_lines_that_were_lost_swapped_or_added_are_seen(small: bytes, refused: Refused) -> None:
    lines = small.splitlines(keepends=True)
    assert refused(b"".join(lines[:4] + lines[5:]))
    assert refused(b"".join([*lines[:4], lines[5], lines[4], *lines[6:]]))
    assert refused(b"".join([*lines[:4], lines[3], *lines[4:]]))
    assert refused(small + lines[-1]) == "its last line is not as it was written."
    whole = f"lines 1 to {len(lines) - 1} are not as they were written."
    assert refused(small.replace(b"\n", b"\r\n")) == whole
    assert "line 1 is not written" in refused(b"SQLite format 3\0" * 99 + b"\n")
    assert "line 1 is not written" in refused(b"\0" * 70_000_000)
    assert "line 2 is not written" in refused(lines[0] + b"[" * 100_000 + b"\n")


@pytest.mark.parametrize(
    ("line", "place"), [(2, "1 to 1000"), (1500, "1002 to 2001"), (2100, "2003 to 2504")]
)
def test_damage_is_found_within_a_thousand_lines(refused: Refused, line: int, place: str) -> None:
    rows = [[person, "de"] for person in range(1_000_000, 1_002_500)]
    columns = {"table": "person", "columns": ["id", "language"]}
    written = sealed(FIRST, columns, *rows).splitlines(keepends=True)
    written[line] = written[line].replace(b"e", b"E", 1)
    assert refused(b"".join(written)) == f"lines {place} are not as they were written."


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (FIRST | {"version": 4}, "a newer version of Parlour wrote it; update this one."),
        (FIRST | {"schema": "9999"}, "a newer version of Parlour wrote it; update this one."),
        (FIRST | {"schema": ["0032"]}, "a newer version"),
        (FIRST | {"version": 2}, f"import it with Parlour of commit {LAST_OF_OLD} and export"),
        (FIRST | {"version": 1}, "it was written before version 0.4.0;"),
        (FIRST | {"schema": "0031"}, "it was written before version 0.4.0;"),
        (FIRST | {"next_session": "5"}, "a newer version"),
        *((FIRST | {"next_session": each}, "no next table") for each in (0, 1 << 31, 10**30)),
        (FIRST | {"format": "Parlour game"}, "its first line is not that of an export."),
        ([1, 2], "its first line is not that of an export."),
    ],
)
def test_what_is_no_export_of_this_version_is_refused(
    refused: Refused, first: object, said: str
) -> None:
    assert said in refused(sealed(first))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([[1]], "line 2 is not known here."),
        ([5], "line 2 is not known here."),
        ([{"mood": "good"}], "line 2 is not known here."),
        ([{"table": "mood", "columns": ["id"]}], "there is no table 'mood' in its schema."),
        ([{"table": "result", "columns": ["person"]}], "there is no table 'result'"),
        ([{"table": "person", "columns": ["mood"]}], "no column 'mood' of person"),
        ([{"table": "person", "columns": [["id"]]}], "no column ['id'] of person"),
        ([{"table": "person", "columns": ["id"]}, [1, 2]], "line 3 is not known here."),
        ([{"table": "person", "columns": ["id"]}, [1.0]], "person has id 1.0 in line 3."),
        ([{"table": "person", "columns": ["id"]}, [True]], "person has id true in line 3."),
        ([{"table": "person", "columns": ["id"]}, [None]], "person has id null in line 3."),
        (
            [{"table": "person", "columns": ["id"]}, [1], [1]],
            "rows of person from line 3 on cannot be stored",
        ),
        ([{"table": "person", "columns": ["id"]}, [1 << 63]], "cannot be stored"),
        ([{"table": "person", "columns": ["language"]}, ["de"]], "person lacks id."),
        ([{"table": "person", "columns": ["id", "language"]}, [1, "\ud800"]], "cannot be stored"),
        (
            [{"table": "server_channel", "columns": ["server", "channel"]}, [5, 6]],
            "foreign key constraint",
        ),
    ],
)
def test_rows_that_cannot_be_stored_are_refused(
    refused: Refused, lines: list[Any], said: str
) -> None:
    assert said in refused(sealed(FIRST, *lines))


PLAYED = {"game": "tictactoe", "ending": "played"}
RUNNING = {"game": "tictactoe", "phase": "running"}
LUDO = {"game": "ludo", "phase": "running"}
CHALLENGE = {"game": "tictactoe", "phase": "lobby"}


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("which", "values", "said"),
    [
        (PLAYED, {"game": "chess"}, "does not have chess"),
        (PLAYED, {"game": ["ludo"]}, 'game ["ludo"]'),
        (PLAYED, {"state": [3]}, "state [3]"),
        (PLAYED, {"state": {}}, "its rows are not those of a game"),
        (PLAYED, {"guild": "71"}, 'guild "71"'),
        (PLAYED, {"channel": 1 << 63}, "cannot be stored"),
        (PLAYED, {"host": None}, "host null"),
        (PLAYED, {"host": True}, "host true"),
        (PLAYED, {"moved_at": 1.5}, "moved_at 1.5"),
        (PLAYED, {"moved_at": -1}, "moved_at cannot be -1"),
        (PLAYED, {"moved_at": 253402300800000}, "moved_at cannot be"),
        (PLAYED, {"due": "soon"}, "due"),
        (PLAYED, {"phase": "over"}, "over"),
        (PLAYED, {"phase": "running"}, "phase is running, but ending is played"),
        (RUNNING, {"phase": "finished"}, "phase is finished, but"),
        (PLAYED, {"ending": None}, "phase is finished, but ending is null"),
        (PLAYED, {"ending": "closed"}, "phase is finished, but ending is closed"),
        (PLAYED, {"ending": "resigned"}, "the moves lead to the end"),
        (RUNNING, {"ending": "played"}, "phase is running, but ending is played"),
        (RUNNING, {"finish": 900}, "phase is running, but finish is 900"),
        (PLAYED, {"finish": None}, "no place among the finished"),
        (PLAYED, {"shown": 10**6}, "but the revision is"),
        (PLAYED, {"plies": 2}, "it should have 2 moves"),
        (PLAYED, {"unattended": True}, "unattended is True"),
        (PLAYED, {"lost": 0}, "lost 0"),
        (PLAYED, {"rematch": 1}, "foreign key constraint"),
        (PLAYED, {"rematch": 10**6}, "foreign key constraint"),
    ],
)
def test_a_session_that_cannot_be_is_refused(
    forged: Export, refused: Refused, which: Row, values: Row, said: str
) -> None:
    session(forged, which).update(values)
    assert said in refused(forged.sealed())


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("which", "field", "value", "said"),
    [
        (PLAYED, "session.options", {"line": 3, "size": 6}, "must be one of 3, 4, 5, not 6"),
        (PLAYED, "session.options", {"line": 5, "size": 3}, "5 in a row do not fit"),
        (PLAYED, "session.options", {"size": 3}, "options lacks line"),
        (PLAYED, "session.options", [3], "options"),
        (PLAYED, "session.pace", "fast", "fast"),
        (PLAYED, "session.lapsed", True, "lapsed is true"),
        (PLAYED, "session.lapsed", 0, "lapsed"),
        (PLAYED, "session.offer", 0, "offer is 0"),
        (RUNNING, "session.offer", 2, "offer is 2"),
        (PLAYED, "session.payoff.0", "1", "payoff"),
        (PLAYED, "session.payoff.0", 0.25, "payoff"),
        (PLAYED, "session.payoff.0", None, "payoff"),
        (PLAYED, "session.payoff", None, "phase is finished, but payoff is null"),
        (RUNNING, "session.payoff", [1.0, -1.0], "phase is running, but payoff is"),
        (PLAYED, "opened_at", 1.5, "opened_at"),
        (LUDO, "dice.secret", "abcd", "has 32 bytes"),
        (LUDO, "dice.secret", "xyz", "dice.secret"),
        (LUDO, "dice", None, "secret of its dice is missing"),
        (LUDO, "dice.secret", "ab" * 21 + "ab=", "dice"),
        (LUDO, "dice.secret", "abcd" * 10 + "abc=", "but its secret gives"),
        (LUDO, "seats.1.level", "best", "best"),
        (LUDO, "seats.1.level", None, "its rows are not those of a game"),
        (LUDO, "seats.1", {}, "its rows are not those of a game"),
    ],
)
def test_a_state_that_cannot_be_is_refused(  # noqa: PLR0917
    forged: Export, refused: Refused, which: Row, field: str, value: object, said: str
) -> None:
    put(session(forged, which)["state"], field, value)
    assert said in refused(forged.sealed())


def session(export: Export, which: Row) -> Row:
    """The first session with these values."""
    return export.rows("session", lambda row: which.items() <= row.items())[-1]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("which", "at", "values", "said"),
    [
        (PLAYED, ("seat", 0), {"kind": "ghost"}, "ghost"),
        (PLAYED, ("seat", 0), None, "its rows are not those of a game"),
        (RUNNING, ("seat", 0), {"kind": "vacant", "person": None}, "has come"),
        (RUNNING, ("seat", 0), {"person": None}, "nothing says by whom"),
        (LUDO, ("seat", 1), {"person": 5}, "person of seat 1 is 5"),
        (PLAYED, ("move", 0), {"move": 9}, "ply 0: 9 is not among the legal"),
        (PLAYED, ("move", 0), {"move": True}, "move true"),
        (PLAYED, ("move", 0), {"ply": 90}, "none of ply 0"),
        (PLAYED, ("move", -1), None, "moves, but"),
        (LUDO, ("move", 0), {"move": 7}, "ply 0: 7 is not among the legal"),
        (PLAYED, ("move", 0), {"played_at": -1}, "played_at cannot be -1"),
        (PLAYED, ("move", 0), {"session": 10**6}, "foreign key constraint"),
    ],
)
def test_seats_and_moves_that_cannot_be_are_refused(  # noqa: PLR0917
    forged: Export, refused: Refused, which: Row, at: tuple[str, int], values: Row | None, said: str
) -> None:
    number, (table, place) = session(forged, which)["id"], at
    row = forged.rows(table, lambda row: row["session"] == number)[place]
    if values is None:
        forged.tables[table].remove(row)
    else:
        row.update(values)
    assert said in refused(forged.sealed())


@pytest.mark.parametrize(
    ("table", "values", "said"),
    [
        ("person", {"form": "opera"}, "form cannot be 'opera'"),
        ("person", {"challenges": None}, "challenges null"),
        ("server", {"games": 51}, "games cannot be 51"),
        ("server", {"left_at": -1}, "left_at cannot be -1"),
    ],
)
def test_choices_and_settings_that_cannot_be_are_refused(
    forged: Export, refused: Refused, table: str, values: Row, said: str
) -> None:
    forged.tables[table][0].update(values)
    assert said in refused(forged.sealed())


def test_somebody_with_two_seats_is_refused(forged: Export, refused: Refused) -> None:
    number = session(forged, RUNNING)["id"]
    one, other = forged.rows("seat", lambda row: row["session"] == number)
    one["person"] = other["person"]
    assert "somebody has two seats" in refused(forged.sealed())


def test_two_sessions_have_not_one_finish(forged: Export, refused: Refused) -> None:
    one, other = forged.rows("session", lambda row: row["finish"] is not None)[:2]
    one["finish"] = other["finish"]
    assert "unique constraint" in refused(forged.sealed())


@pytest.mark.sqlite_alone
@pytest.mark.parametrize("ply", [-(1 << 63), -1, 1 << 40])
def test_moves_taken_back_at_a_ply_that_cannot_be_are_refused(
    forged: Export, refused: Refused, ply: int
) -> None:
    forged.tables["taken_back"][0]["ply"] = ply
    assert "has gaps" in refused(forged.sealed())


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 120),
    st.sampled_from([-(1 << 63), 1 << 31, (1 << 63) - 1, 1 << 63, 1 << 70]),
    st.floats(-1, 1).filter(lambda value: str(value) != "-0.0"),
    st.sampled_from(["", "human", "vacant", "finished", "played", "closed", "de", "\ud800", "x"]),
    st.lists(st.integers(0, 3), max_size=2),
)


class Undone(Exception):
    """Takes back what was done with a database."""


@pytest.fixture(scope="module")
def taken(new_database: NewDatabase) -> Callable[[bytes], bytes]:
    """Import a file, export it again, and undo the import."""
    address = new_database()
    with sole_transaction(address):
        pass

    def taken(export: bytes) -> bytes:
        again = BytesIO()
        with suppress(Undone), sole_transaction(address) as connection:
            load(connection, BytesIO(export))
            write(connection, again)
            raise Undone
        return again.getvalue()

    return taken


@pytest.mark.sqlite_alone
@given(data=st.data())
def test_whatever_is_taken_is_exported_again(
    small: bytes, taken: Callable[[bytes], bytes], data: st.DataObject
) -> None:
    export = Export.of(small)
    its = export.tables[data.draw(st.sampled_from(sorted(export.tables)))]
    row = data.draw(st.sampled_from(its))
    row[data.draw(st.sampled_from(sorted(row)))] = data.draw(VALUES)
    with suppress(WrongExport):
        again = Export.of(taken(export.sealed()))
        for rows in (*export.tables.values(), *again.tables.values()):
            rows.sort(key=str)
        assert again.tables == export.tables
