"""The commands that the pages print: each is run on small inputs, or its words are checked.

What only another machine can run is listed with its reason.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
import runpy
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import alembic.config
import discord
import pytest

import bot.cli
import bot.locales.__main__
import engine.__main__
from bot.deploy import pictures
from bot.settings import read_settings
from tests.bot.postgres import missing_postgres
from tests.bot.process import interrupt, started
from tests.bot.storage.everything import ANN, filled
from tests.test_pages import PAGES, ROOT

PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

ELSEWHERE: Final = {
    "apt": "installs packages of the machine",
    "apt-get": "installs packages of the machine",
    "cd": "goes to a folder",
    "createdb": "makes a database on the owner's server",
    "dask": "comes with the extra `cluster`; `bot/ui/test_cluster.py` starts both",
    "git": "changes the repository",
    "journalctl": "reads the machine's log",
    "lint-imports": "`.ci/run` runs it",
    "mkdir": "makes a folder",
    "bot.locales.letters": "needs Noto's fonts; `bot/message/test_fonts.py` looks at what it cut",
    "mypy": "`.ci/run` runs it",
    "pg_dump": "reads the owner's server",
    "ps": "shows the machine's processes",
    "pytest": "is this run",
    "ruff": "`.ci/run` runs it",
    "systemctl": "changes the machine's services",
    "tee": "writes into the machine's folders",
    "venv": "makes an environment, as `.ci/run` does",
}
"""The programs that no test runs, with the reason."""

NO_SOURCE: Final = {("ensurepath",), ("install", "--user", "pipx"), ("tool",)}
"""The rest of commands of installers that install nothing of Parlour's."""

FENCED: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN: Final = re.compile(r"(?<!`)`([^`]+)`(?!`)")
COMMENT: Final = re.compile(r"\s+#\s.*$")
SETTING: Final = re.compile(r"([A-Z_]+)=(\S+)")
FILE: Final = "game-17.json"
GAME: Final = {
    "format": "Parlour game",
    "version": 1,
    "game": "tictactoe",
    "seats": 2,
    "options": {},
    "ending": "played",
    "result": [1, -1],
    "moves": [0, 3, 1, 4, 2],
}


class Command(NamedTuple):
    """A command by its program, without the folder that the program is in."""

    program: str
    words: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        given = [f"{name}={value}" for name, value in self.settings]
        return " ".join([*given, self.program, *self.words])


def commands(line: str) -> Iterator[Command]:
    """The commands of a line, each apart."""
    line = COMMENT.sub("", line).replace("\\", "/")
    line = line.replace("$(date +%F)", "2026-11-22").replace("…", "--help")
    for part in re.split(r"&&|\|", line):
        words = [word for word in shlex.split(part) if word != "sudo"]
        settings = []
        while words and (found := SETTING.fullmatch(words[0])):
            settings.append((found[1], found[2]))
            del words[0]
        program, *words = words
        program = program.rpartition("/")[2]
        if program in {"python", "python3", "py"}:
            if words[0] == "-m":
                del words[0]
            program, *words = words
        if program == "bot":
            program = "parlour"
        yield Command(program, tuple(words), tuple(settings))


def printed() -> Iterator[tuple[Path, Command]]:
    """The commands of all pages: the lines of programs for a shell, and what stands in a text."""
    for page in PAGES:
        if page.name == "CHANGELOG.md":
            continue
        text = page.read_text("utf-8")
        for language, lines in FENCED.findall(text):
            if language in {"sh", "bat"}:
                for line in lines.splitlines():
                    yield from ((page, each) for each in commands(line))
        for span in SPAN.findall(FENCED.sub("", text)):
            if re.match(
                rf"(?:[A-Z_]+=\S+ )*(?:\S*[/\\])?(?:{'|'.join(KNOWN)})\s|\.venv/bin/", span
            ):
                yield from ((page, each) for each in commands(" ".join(span.split())))


class Place(NamedTuple):
    """A folder to run a command in, which is the current one."""

    folder: Path
    patch: pytest.MonkeyPatch
    database: Path
    sandbox: tuple[str, str]
    exhaustive: bool


def parlour(command: Command, place: Place) -> None:
    if not command.words:
        return start(command, place)
    if command.words in {("backup",), ("export",), ("import",), ("restore",)}:
        command = command._replace(words=(*command.words, "--help"))
    words = [*command.words]
    (place.folder / "backups").mkdir()
    shutil.copy(place.database, place.folder / "parlour.db")
    url, token = place.sandbox
    given = {"DATABASE_URL": "sqlite:///parlour.db"}
    if words[0] in {"setup", "doctor"}:
        given["DISCORD_API"] = url
    if words[0] == "doctor":
        given["DISCORD_TOKEN"] = token
    for name, value in given.items():
        place.patch.setenv(name, value)
    place.patch.setattr(sys, "stdin", io.StringIO(f"{token}\n"))
    if words == ["import", "FILE"]:
        assert bot.cli.main(["export", "FILE"]) == 0
        (place.folder / "parlour.db").unlink()
    if words[0] == "person":
        words[1:2] = [str(ANN)]
    if "--backups" in words or words[0] == "restore":
        copy = "copy.db" if "copy.db" in words else "backups/copy.db"
        assert bot.cli.main(["backup", copy]) == 0
        words = [word.replace("FILE", copy) for word in words]
    # The doctor finds that Parlour has not been started there.
    assert ended(bot.cli.main, words) == (1 if words[0] == "doctor" else 0)
    return None


def start(command: Command, place: Place) -> None:
    """Start Parlour in its sandbox, or read the settings of a start that needs another machine."""
    if command.settings:
        read_settings(dict(command.settings), dotenv=Path("there is none"))
        return

    async def opened() -> int | None:
        async with started(place.folder, PARLOUR_SANDBOX_PORT="0") as process:
            assert process.stdout is not None
            async with asyncio.timeout(60):
                assert b"Parlour is open in its sandbox" in await process.stdout.readline()
                interrupt(process)
                return await process.wait()

    assert asyncio.run(opened()) == 0


def ended(main: Callable[[Sequence[str]], int], words: Sequence[str]) -> int:
    """The exit code of a program, which argparse may end."""
    try:
        return main(words)
    except SystemExit as end:
        return int(end.code or 0)


def play(command: Command, place: Place) -> None:
    """Carry out a command of the engine, with few games and with answers to its questions."""
    usual = {
        "PRESET": "quick",
        "GAME": "tictactoe",
        "FILE": "game-17.json",
        "170000": "1000",
        "5000": "2",
        "6000": "2",
        "1000": "2",
        "20": "2",
    }
    words = [usual.get(word, word) for word in command.words]
    if words[:2] == ["play", "connectfour"]:
        words[1] = "tictactoe"  # the page says how to add the other
    if words == ["tree", "tictactoe"]:
        words += ["--moves", "7", "5", "6", "9", "1"]
    if len(words) < 2:
        words.append("--help")
    elif words[0] in {"train", "race", "puzzles"} or ("--matrix" in words and not place.exhaustive):
        engine.__main__.parser().parse_args(words)
        return
    elif words[0] == "arena":
        words += ["--cores", "1"]
    (place.folder / FILE).write_text(json.dumps(GAME), "utf-8")
    answers = ["random", *map(str, range(1, 10))] * 3
    place.patch.setattr(sys, "stdin", io.StringIO("\n".join(answers)))
    out_of_answers = {130} if words[0] in {"play", "replay"} else set()
    assert ended(engine.__main__.main, words) in {0, *out_of_answers}


class Understood(BaseException):
    """The words of a program that takes long are understood."""


def measure(command: Command, place: Place) -> None:
    """Have a benchmark read its words, as far as it has a parser; it is not run."""
    found = find_spec(command.program)
    assert found is not None
    if found.origin is None:  # a folder
        found = find_spec(f"{command.program}.__main__")
        assert found is not None
    file = Path(found.origin or "")
    source = file.read_text("utf-8")
    assert '__name__ == "__main__"' in source
    words = [word.replace("FOLDER", "shown").replace("DATABASE", "x.db") for word in command.words]
    if "ArgumentParser" not in source:
        assert not words or "sys.argv" in source
        return
    parse = ArgumentParser.parse_args

    def read(parser: ArgumentParser, *_: Any) -> None:
        parse(parser, words)
        raise Understood

    place.patch.setattr(ArgumentParser, "parse_args", read)
    try:
        with pytest.raises(Understood):
            runpy.run_path(str(file), run_name="__main__")
    except ModuleNotFoundError as missing:
        if missing.name != "psycopg" or (reason := missing_postgres()) is None:
            raise
        pytest.skip(reason)


def translate(command: Command, place: Place) -> None:
    """Run the command for translators on copies of some catalogues."""
    copy = place.folder / "locales"
    copy.mkdir()
    for locale in ["*"] if place.exhaustive else ["en-US", "ar", "nl"]:
        for file in (ROOT / "bot/locales").glob(f"{locale}.po"):
            shutil.copy(file, copy)
    words = [word.replace("LOCALE", "nl") for word in command.words]
    assert bot.locales.__main__.main(words, copy) in {0, 1}


def draw(_: Command, place: Place) -> None:
    pictures.main(place.folder)
    assert {each.name for each in place.folder.glob("*.png")} == {"icon.png", "banner.png"}


def migrate(command: Command, place: Place) -> None:
    place.patch.chdir(ROOT)
    place.patch.setenv("DATABASE_URL", f"sqlite:///{place.folder}/new.db")
    alembic.config.main(["upgrade", "head"])
    alembic.config.main([*command.words])


def install(command: Command, _: Place) -> None:
    """Look that a checkout is installed, by its path, and that it has the extras."""
    sources = [word for word in command.words if re.match(r"\.(\[.*\])?$", word)]
    assert sources or command.words in NO_SOURCE, command
    for extras in re.findall(r"\[(.*)\]", " ".join(sources)):
        assert {*extras.split(",")} <= PROJECT["project"]["optional-dependencies"].keys()


def contain(command: Command, place: Place) -> None:
    """Look for the files that Docker is given, and run what follows `parlour` in a container."""
    if command.words[:2] == ("exec", "parlour"):
        _, _, program, *words = command.words
        run(Command(program, tuple(words)), place)
    if "restore" in command.words:
        run(Command("parlour", command.words[command.words.index("restore") :]), place)
    if "-f" in command.words:
        assert (ROOT / command.words[command.words.index("-f") + 1]).exists()


def serve(_: Command, place: Place) -> None:
    """Look that the sandbox, which has been started by itself, has said where it is."""
    assert all(place.sandbox)


PROGRAMS: Final[Mapping[str, Callable[[Command, Place], None]]] = {
    "parlour": parlour,
    "bot.sandbox": serve,
    "bot.locales": translate,
    "bot.deploy.pictures": draw,
    "engine": play,
    "alembic": migrate,
    "pip": install,
    "pipx": install,
    "uvx": install,
    "uv": install,
    "docker": contain,
}
KNOWN: Final = [*PROGRAMS, *ELSEWHERE, "python", "python3", "py"]


def run(command: Command, place: Place) -> None:
    """Run a command, or check what can be checked of it."""
    if command.program.startswith("tests"):
        name = command.program.removesuffix(".py").replace("/", ".")
        measure(command._replace(program=name), place)
    else:
        PROGRAMS[command.program](command, place)


COMMANDS: Final = sorted({command for _, command in printed()}, key=str)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[tuple[str, str]]:
    """The address and the token of a sandbox, started by itself."""
    words = [sys.executable, "-m", "bot.sandbox", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        found = re.search(r"at (\S+) \(the bot's token: (\S+)\)", process.stdout.readline())
        assert found is not None
        yield found[1], found[2]
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two finished games, and tables in every other state."""
    file = tmp_path_factory.mktemp("played") / "parlour.db"
    filled(f"sqlite:///{file}", 2)
    return file


@pytest.fixture
def place(
    database: Path,
    sandbox: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
) -> Place:
    """A folder of its own for each command."""
    exhaustive = bool(pytestconfig.getoption("--exhaustive", default=False))
    return Place(tmp_path, monkeypatch, database, sandbox, exhaustive)


def test_every_program_that_a_page_names_is_run_or_has_a_reason() -> None:
    used = {command.program for command in COMMANDS if not command.program.startswith("tests")}
    assert used == PROGRAMS.keys() | ELSEWHERE.keys()


@pytest.mark.parametrize(
    "command", [each for each in COMMANDS if each.program not in ELSEWHERE], ids=str
)
def test_a_command_of_a_page_does_what_it_says(command: Command, place: Place) -> None:
    monkeypatch = place.patch
    for name in ("DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "DISCORD_API", "DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
    gateway = discord.gateway.DiscordWebSocket
    monkeypatch.setattr(gateway, "DEFAULT_GATEWAY", gateway.DEFAULT_GATEWAY)
    monkeypatch.chdir(place.folder)
    run(command, place)


def test_nothing_has_parlour_installed_from_an_index_where_others_could_register_it() -> None:
    texts = [
        file
        for folder in ("bot", "engine", ".github")
        for kind in ("*.py", "*.po", "*.md", "*.html")
        for file in (ROOT / folder).rglob(kind)
    ]
    named = re.compile(r"(?:install|--from|--spec)(?: -\S+)* ['\"]?parlour\b")
    assert [
        file for file in [ROOT / "README.md", *texts] if named.search(file.read_text("utf-8"))
    ] == []
