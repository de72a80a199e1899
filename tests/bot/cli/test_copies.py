"""`parlour backup`, `export` and `import`, from the words of the command line to the exit code."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from discord import ButtonStyle

from bot.cli import main
from bot.sandbox import Message
from tests.bot.process import environment, outcome, started
from tests.bot.stand_in import Sandbox
from tests.bot.storage.everything import filled

LITTLE = 1 << 15
"""The largest size of a file on the disk that plays full."""

PLAYED = {ButtonStyle.primary.value, ButtonStyle.danger.value}
"""The styles of taken squares' buttons."""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("full") / "parlour.db"
    filled(f"sqlite:///{file}", 20)
    return file


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: Path) -> Path:
    """An empty folder as the working directory, with the database in the settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    use(monkeypatch, database)
    return tmp_path


def use(monkeypatch: pytest.MonkeyPatch, database: Path) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{database}")


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The error message of a refused command."""
    capsys.readouterr()
    assert main(words) == 2
    out, errors = capsys.readouterr()
    assert not out
    (line,) = errors.splitlines()
    assert line.startswith("parlour: ")
    assert line.endswith(".")
    return line


def test_everything_is_moved_to_an_empty_database(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "one.jsonl"]) == 0
    said = capsys.readouterr().err
    assert "choices of 2 people, settings of 2 servers" in said
    use(monkeypatch, place / "new.db")
    assert main(["import", "one.jsonl"]) == 0
    assert said.partition(": ")[2] == capsys.readouterr().out.partition(": ")[2]
    assert main(["export", "two.jsonl"]) == 0
    assert Path("two.jsonl").read_bytes() == Path("one.jsonl").read_bytes()
    assert "is not empty" in refusal(capsys, "import", "one.jsonl")


def test_a_backup_is_a_database(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", "copy.db"]) == 0
    said = capsys.readouterr().out
    assert f"{Path('copy.db').stat().st_size} bytes" in said
    assert main(["export", "one.jsonl"]) == 0
    use(monkeypatch, place / "copy.db")
    assert main(["export", "two.jsonl"]) == 0
    assert Path("two.jsonl").read_bytes() == Path("one.jsonl").read_bytes()


def test_each_command_says_which_database_it_was_about(
    place: Path, database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["backup", "copy.db"], ["export", "all.jsonl"], ["check"], ["person", "1", "a"]):
        assert main(words) == 0
        assert str(database) in "".join(capsys.readouterr())
    for name, words in (("a.db", ["restore", "copy.db"]), ("b.db", ["import", "all.jsonl"])):
        use(monkeypatch, place / name)
        assert main(words) == 0
        assert f"{place / name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    ["backup copy", "export copy", "restore all.db", "import all", "check", "person 1 copy"],
)
def test_without_a_token_the_sandboxs_database_is_not_taken_for_that_of_games_on_discord(
    place: Path,
    database: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    """As in a shell that lacks the token of the service or the container."""
    for name in ("all.db", "parlour.db", "sandbox.db"):
        shutil.copy(database, place / name)
    (place / "all").touch()
    monkeypatch.delenv("DATABASE_URL")
    before = {each: each.stat().st_mtime_ns for each in place.iterdir()}
    assert "set DATABASE_URL to sqlite:///parlour.db or" in refusal(capsys, *command.split())
    assert {each: each.stat().st_mtime_ns for each in place.iterdir()} == before
    (place / ".env").write_text("DATABASE_URL=sqlite:///parlour.db", encoding="utf-8")
    assert main(["backup", "copy"]) == 0
    assert f"a copy of {place / 'parlour.db'}" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["backup", "export"])
def test_what_has_the_secrets_of_the_dice_is_for_its_owner_alone(place: Path, command: str) -> None:
    before = os.umask(0)
    try:
        assert main([command, "copy"]) == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE(Path("copy").stat().st_mode) == 0o600
    assert [*place.iterdir()] == [place / "copy"]


@pytest.mark.parametrize("command", ["backup", "export"])
def test_a_file_that_cannot_be_written_is_said_in_one_sentence(
    place: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (place / "old").write_bytes(b"precious")
    (place / "link").symlink_to("nowhere")
    for name, said in (
        ("old", "old exists and is left as it is"),
        ("link", "link exists and is left as it is"),
        (".", "is a folder"),
        ("nowhere/copy", "The folder nowhere does not exist"),
        ("/proc/copy", "/proc/copy cannot be written"),
        ("n" * 300, "cannot be written (File name too long)"),
    ):
        assert said in refusal(capsys, command, name)
    assert (place / "old").read_bytes() == b"precious"
    assert sorted(place.iterdir()) == [place / "link", place / "old"]


@pytest.fixture
def full_disk() -> Iterator[None]:
    """Refuses what goes beyond the first bytes of a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LITTLE, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("command", ["backup", "export"])
def test_a_disk_that_is_full_is_said_in_one_sentence_and_left_as_it_was(
    place: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert "copy cannot be written" in refusal(capsys, command, "copy")
    assert [*place.iterdir()] == []


@pytest.mark.parametrize("command", ["backup", "export"])
def test_a_database_that_is_none_of_ours_is_said_in_one_sentence(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    use(monkeypatch, place / "other.db")
    assert "There is no database" in refusal(capsys, command, "copy")
    (place / "other.db").write_bytes(b"These are my memoirs, and no database.\n" * 200)
    assert "damaged or is no SQLite database" in refusal(capsys, command, "copy")
    (place / "other.db").write_bytes(b"")
    assert "nothing of Parlour's" in refusal(capsys, command, "copy")
    monkeypatch.setenv("DATABASE_URL", "mysql://parlour@localhost/parlour")
    assert "begins with 'mysql'" in refusal(capsys, command, "copy")
    assert not Path("copy").exists()


def test_an_export_that_is_wrong_is_refused_in_one_sentence(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "one.jsonl"]) == 0
    lines = Path("one.jsonl").read_bytes().splitlines(keepends=True)
    use(monkeypatch, place / "new.db")
    Path("cut.jsonl").write_bytes(b"".join(lines[:17]))
    said = "Nothing of cut.jsonl was imported: it ends after line 17, without its last line."
    assert said in refusal(capsys, "import", "cut.jsonl")
    Path("other.jsonl").write_bytes(b"".join(lines).replace(b'"human"', b'"robot"', 1))
    assert "are not as they were written" in refusal(capsys, "import", "other.jsonl")
    assert "none.jsonl cannot be read (No such file" in refusal(capsys, "import", "none.jsonl")
    assert "cannot be read (Is a directory)" in refusal(capsys, "import", ".")
    assert main(["import", "one.jsonl"]) == 0


def test_a_restoring_that_fails_leaves_nothing_and_names_the_command_for_an_export(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "one.jsonl"]) == 0
    use(monkeypatch, place / "new.db")
    said = refusal(capsys, "restore", "one.jsonl")
    assert "is no whole copy" in refusal(capsys, "restore", "nothing.db")
    assert [*place.glob("*.db")] == []
    assert "parlour import one.jsonl reads" in said
    assert main(["import", "one.jsonl"]) == 0


def test_an_export_goes_through_a_pipe(
    place: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["export", "one.jsonl"]) == 0
    bot = [sys.executable, "-m", "bot", "export", "-"]
    settings = environment(DATABASE_URL=f"sqlite:///{database}")
    use(monkeypatch, place / "new.db")
    with subprocess.Popen(bot, env=settings, stdout=subprocess.PIPE, text=True) as process:
        monkeypatch.setattr("sys.stdin", process.stdout)
        assert main(["import", "-"]) == 0
    assert process.returncode == 0
    assert main(["export", "two.jsonl"]) == 0
    assert Path("two.jsonl").read_bytes() == Path("one.jsonl").read_bytes()


def test_a_command_that_is_interrupted_has_not_done_its_work(database: Path) -> None:
    bot = [sys.executable, "-m", "bot", "export", "-"]
    settings = environment(DATABASE_URL=f"sqlite:///{database}")
    with subprocess.Popen(bot, env=settings, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b'{"format"')
        process.terminate()  # while it waits for somebody to read on
        process.stdout.read()
    assert process.returncode == 128 + signal.SIGTERM


async def test_the_board_of_a_running_game_goes_on_from_an_import(
    tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def carried_out(command: str, file: Path) -> int:
        """Run a command on the file `export` and a database, and return its exit code."""
        use(monkeypatch, file)
        return await asyncio.to_thread(main, [command, "export"])

    settings = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    async with started(tmp_path, DATABASE_URL=f"sqlite:///{old}", **settings) as process:
        await sandbox.bot_ready()
        answer = await (await ann.type(games, "tictactoe", level="easy", mark="x")).answered()
        board = answer.message
        assert board is not None
        assert await carried_out("export", old) == 0
        assert await carried_out("import", old) == 2, "Parlour is running"
        process.terminate()
        await outcome(process)
    await sandbox.bot_gone()
    assert await carried_out("import", new) == 0
    async with started(tmp_path, DATABASE_URL=f"sqlite:///{new}", **settings):
        await sandbox.bot_ready()
        await (await ann.press(board, position=(1, 1))).answered()
        await sandbox.until(lambda: taken(board) == 2)


async def test_the_board_of_a_running_game_goes_back_with_a_restored_copy(
    folder: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its buttons would be those of a later turn otherwise, and lead nowhere."""
    file = folder / "parlour.db"
    use(monkeypatch, file)
    settings = {
        "DISCORD_TOKEN": sandbox.token,
        "DISCORD_API": sandbox.url,
        "DATABASE_URL": f"sqlite:///{file}",
    }
    ann, games = sandbox.person("Ann"), sandbox.channel("games")

    async def ended(process: asyncio.subprocess.Process) -> None:
        process.terminate()
        await outcome(process)
        await sandbox.bot_gone()

    async with started(folder, **settings) as process:
        await sandbox.bot_ready()
        answer = await (await ann.type(games, "tictactoe", level="easy", mark="x")).answered()
        board = answer.message
        assert board is not None
        await ended(process)
    assert await asyncio.to_thread(main, ["backup", "copy.db"]) == 0
    async with started(folder, **settings) as process:
        await sandbox.bot_ready()
        await (await ann.press(board, position=(1, 1))).answered()
        await sandbox.until(lambda: taken(board) == 2)
        await ended(process)
    assert await asyncio.to_thread(main, ["restore", "copy.db"]) == 0
    async with started(folder, **settings):
        await sandbox.bot_ready()
        await sandbox.until(lambda: taken(board) == 0)


def taken(board: Message) -> int:
    """How many squares are taken on a board."""
    return sum(button.style in PLAYED for button in board.buttons[:9])
