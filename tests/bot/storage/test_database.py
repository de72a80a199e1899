"""Opening a database: its settings, its migrations, and what can stand in the way."""

from __future__ import annotations

import asyncio
import gc
import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.engine import make_url

from bot.storage.backup import backup
from bot.storage.database import Database
from bot.storage.dialect import backend_at
from bot.storage.errors import StorageError
from bot.storage.migrate import BASELINE, configuration, revisions, upgrade
from bot.storage.opening import opened
from bot.storage.postgres_server import PostgresServer
from bot.storage.schema.base import metadata
from bot.storage.schema.game_tables import moves
from bot.storage.sqlite_file import meaning, sqlite_engine


async def failure(address: str) -> str:
    with pytest.raises(StorageError) as error:
        async with opened(address):
            pass
    sentence = str(error.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def described(connection: Connection) -> dict[str, set[str]]:
    """The columns of each table."""
    looked = inspect(connection)
    names = looked.get_table_names()
    return {name: {column["name"] for column in looked.get_columns(name)} for name in names}


def setting(name: str) -> str:
    return f"PRAGMA {name}"


async def test_every_commit_reaches_the_disk_and_foreign_keys_hold(database: Database) -> None:
    def settings(connection: Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return [connection.exec_driver_sql(setting(name)).scalar() for name in names]

    assert await database.run(settings) == ["wal", 2, 1, 5000]


async def test_a_transaction_that_fails_leaves_nothing_behind(database: Database) -> None:
    def fails(connection: Connection) -> None:
        connection.execute(text("INSERT INTO note (key, value) VALUES ('a', 'b')"))
        raise LookupError

    with pytest.raises(LookupError):
        await database.run(fails)
    assert await database.run(lambda c: c.execute(text("SELECT count(*) FROM note")).scalar()) == 0


async def test_transactions_take_the_write_lock_when_they_begin(
    database: Database, file: Path
) -> None:
    def locked_out(_: Connection) -> str:
        other = sqlite3.connect(file, timeout=0, isolation_level=None)
        try:
            other.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            return str(error)
        finally:
            other.close()
        return ""

    assert "locked" in await database.run(locked_out)


def test_an_upgrade_from_nothing_makes_the_schema_that_the_code_expects(empty: Path) -> None:
    engine = sqlite_engine(make_url(f"sqlite:///{empty}"))
    with engine.begin() as connection:
        upgrade(connection)
        command.check(configuration(connection))
        assert set(metadata.tables) < set(inspect(connection).get_table_names())
    engine.dispose()


def test_the_schemas_are_those_that_the_migrations_name() -> None:
    scripts = ScriptDirectory.from_config(configuration()).walk_revisions()
    assert revisions() == tuple(script.revision for script in scripts)


def test_every_migration_since_the_baseline_can_be_taken_back(empty: Path) -> None:
    engine = sqlite_engine(make_url(f"sqlite:///{empty}"))
    with engine.begin() as connection:
        command.upgrade(configuration(connection), BASELINE)
        before = described(connection)
        upgrade(connection)
        command.downgrade(configuration(connection), BASELINE)
        assert described(connection) == before
        upgrade(connection)
    engine.dispose()


async def test_a_database_of_this_version_is_opened_again(file: Path) -> None:
    for _ in range(2):
        async with opened(f"sqlite:///{file}"):
            pass


async def test_a_second_instance_is_kept_off_the_file(file: Path) -> None:
    async with opened(f"sqlite:///{file}"):
        assert "Another Parlour is running" in await failure(f"sqlite:///{file}")


async def test_only_its_owner_reads_the_file_and_what_is_beside_it(file: Path) -> None:
    """An earlier version made them for everybody to read."""
    for name in (file, file.with_name(f"{file.name}.lock")):
        name.touch()
        name.chmod(0o644)
    async with opened(f"sqlite:///{file}") as database:
        await database.run(lambda c: c.exec_driver_sql("CREATE TABLE more (id INTEGER)"))
        found = sorted(file.parent.glob(f"{file.name}*"))
        assert {each.name.removeprefix(file.name) for each in found} == {
            "",
            "-wal",
            "-shm",
            ".lock",
        }
        assert {stat.S_IMODE(each.stat().st_mode) for each in found} == {0o600}


async def test_an_empty_file_beside_a_backup_is_asked_about(file: Path) -> None:
    async with opened(f"sqlite:///{file}"):
        pass
    backup(f"sqlite:///{file}", file.with_name("copy.db"))
    file.write_bytes(b"")
    assert "there is a backup beside it" in await failure(f"sqlite:///{file}")
    assert file.read_bytes() == b""
    file.unlink()
    async with opened(f"sqlite:///{file}"):
        pass


@pytest.mark.parametrize("gone", [False, True])
async def test_a_log_without_its_file_is_asked_about(file: Path, *, gone: bool) -> None:
    log = file.with_name(f"{file.name}-wal")
    log.write_bytes(b"games")
    if gone:
        file.unlink(missing_ok=True)
    else:
        file.write_bytes(b"")
    assert "its log parlour.db-wal has games" in await failure(f"sqlite:///{file}")
    assert log.read_bytes() == b"games"


async def test_a_newer_database_is_refused_and_left_as_it_is(file: Path) -> None:
    async with opened(f"sqlite:///{file}"):
        pass
    connection = sqlite3.connect(file)
    with connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "newer version" in await failure(f"sqlite:///{file}")
    assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)
    connection.close()


async def test_a_column_that_is_missing_is_no_full_disk(file: Path) -> None:
    """As during the work on a schema, before it has its migration."""
    async with opened(f"sqlite:///{file}") as database:
        await database.run(lambda c: c.exec_driver_sql("ALTER TABLE move DROP COLUMN move"))

    async def start() -> None:
        async with opened(f"sqlite:///{file}") as database:
            await database.run(lambda c: c.execute(select(moves)))

    with pytest.raises(StorageError, match=r"no such column: move.move.* add the migration"):
        await start()


async def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(file: Path) -> None:
    file.write_bytes(b"These are my memoirs, and no database.\n" * 200)
    before = file.read_bytes()
    assert "damaged or is no SQLite database" in await failure(f"sqlite:///{file}")
    assert file.read_bytes() == before


async def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    sentence = await failure(f"sqlite:///{tmp_path}/nowhere/parlour.db")
    assert f"{tmp_path}/nowhere" in sentence


async def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    folder = Path("/proc") if os.access(tmp_path, os.W_OK) else tmp_path  # root may write anywhere
    assert f"The folder {folder} cannot be written to" in await failure(
        f"sqlite:///{folder}/parlour.db"
    )


async def test_a_folder_in_place_of_the_file_is_refused_and_keeps_its_rights(empty: Path) -> None:
    """Without the right to enter it, its owner could reach nothing in it."""
    empty.mkdir(mode=0o750)
    assert f"{empty}, which" in (said := await failure(f"sqlite:///{empty}"))
    assert "is a folder; name a file in it" in said
    assert stat.S_IMODE(empty.stat().st_mode) == 0o750


@pytest.mark.parametrize("address", ["sqlite://", "sqlite:///:memory:"])
async def test_a_database_in_memory_is_refused(address: str) -> None:
    assert "names no file" in await failure(address)


async def test_an_address_that_is_none_is_refused_without_being_repeated() -> None:
    assert "not a database URL" in await failure("parlour.db")
    for address in ("mysql://parlour:secret@localhost/parlour", "postgresql://u:secret@h:x/db"):
        assert "secret" not in await failure(address)


@pytest.mark.parametrize("password", ["hunter@secret", "hunter@secret/more"])
async def test_a_password_with_a_bare_at_sign_is_refused_without_a_part_of_it(
    password: str,
) -> None:
    """The rest of it would be taken for the name of the host."""
    said = await failure(f"postgresql://parlour:{password}@127.0.0.1:9/parlour")
    assert "write @ as %40" in said
    assert "secret" not in said


@pytest.mark.parametrize(
    "address",
    ["u@srv:pw@127.0.0.1:9/db", "u:pw@127.0.0.1:9/db?application_name=a@b", "u@/db?host=@/x"],
)
def test_an_at_sign_in_a_user_or_an_option_is_none_of_a_password(address: str) -> None:
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    assert isinstance(backend_at(f"postgresql://{address}"), PostgresServer)


def test_a_text_that_python_cannot_read_is_told_as_damage(tmp_path: Path) -> None:
    with sqlite3.connect(":memory:") as memory, pytest.raises(sqlite3.OperationalError) as raised:
        memory.execute("SELECT CAST(x'ff' AS TEXT)").fetchone()
    assert "Could not decode" in str(meaning(raised.value, tmp_path))


async def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    assert "cannot be looked for" in await failure(f"sqlite:///{tmp_path}/{'a' * 300}")


async def test_an_sqlite_that_is_too_old_is_named(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of the system's Python of some distributions that are still kept up."""
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    assert "Parlour needs 3.35 or newer" in await failure(f"sqlite:///{empty}")


@pytest.mark.parametrize("address", ["sqlite+aiosqlite:///p.db", "sqlite:///p.db?timeout=abc"])
async def test_a_driver_or_an_option_that_is_not_ours_is_refused(address: str) -> None:
    assert "write it as sqlite:///parlour.db" in await failure(address)


async def test_pieces_of_work_that_share_a_commit_fail_each_for_itself(database: Database) -> None:
    def write(key: str) -> Callable[[Connection], None]:
        def work(connection: Connection) -> None:
            connection.execute(
                text("INSERT INTO note (key, value) VALUES (:key, '')"), {"key": key}
            )
            if key == "b":
                raise LookupError(key)

        return work

    outcomes = await asyncio.gather(
        *(database.run(write(key)) for key in "abac"), return_exceptions=True
    )
    assert [type(outcome).__name__ for outcome in outcomes] == [
        "NoneType",
        "LookupError",
        "IntegrityError",
        "NoneType",
    ]
    kept = await database.run(lambda c: c.execute(text("SELECT key FROM note ORDER BY key")).all())
    assert [key for (key,) in kept] == ["a", "c"]


async def test_who_shares_a_commit_goes_on_one_after_the_other(database: Database) -> None:
    busy, told = threading.Event(), list[str]()

    async def press(name: str) -> None:
        await database.run(lambda _: None)
        told.append(f"{name} is told")
        await asyncio.sleep(0)  # as an answer that is drawn, and then sent
        told.append(f"{name} is answered")

    held = asyncio.create_task(database.run(lambda _: busy.wait()))
    presses = [asyncio.create_task(press(name)) for name in ("Ann", "Ben", "Cleo")]
    await asyncio.sleep(0)
    busy.set()
    await asyncio.gather(held, *presses)
    assert told == [
        f"{n} is {what}" for n in ("Ann", "Ben", "Cleo") for what in ("told", "answered")
    ]


async def test_work_is_carried_out_even_if_whoever_waited_has_left(database: Database) -> None:
    add = text("INSERT INTO note VALUES ('a', '')")
    left = asyncio.create_task(database.run(lambda c: c.execute(add).rowcount))
    await asyncio.sleep(0)
    left.cancel()
    kept = await database.run(lambda c: c.execute(text("SELECT count(*) FROM note")).scalar())
    assert kept == 1


async def test_an_error_of_work_whose_caller_has_left_is_logged_nowhere(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """As of a change that came too late: whoever was cancelled does not mind."""
    begun, busy = threading.Event(), threading.Event()

    def work(_: Connection) -> None:
        begun.set()
        busy.wait()
        raise LookupError

    left = asyncio.create_task(database.run(work))
    await asyncio.to_thread(begun.wait)
    left.cancel()
    asyncio.get_running_loop().call_soon(busy.set)
    with pytest.raises(asyncio.CancelledError):
        await left
    del left
    await database.run(lambda _: None)  # the thread holds the work before until then
    gc.collect()
    assert not caplog.records


async def test_work_that_comes_after_the_end_is_cancelled(address: str) -> None:
    """As of a task that wakes late: it would never end otherwise."""
    async with opened(address) as database:
        await database.run(lambda c: c.execute(text("SELECT 1")).scalar())
    late = asyncio.create_task(database.run(lambda _: None))
    await asyncio.wait([late])
    assert late.cancelled()
