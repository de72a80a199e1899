"""`parlour setup` at a terminal: from nothing to an invitable bot."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import stat
import subprocess
import sys
import termios
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.cli import main
from bot.settings import read_settings
from tests.bot.process import environment, started
from tests.bot.stand_in import Sandbox

WRONG = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB"
PROMPT = "(it does not show): "

Called: TypeAlias = Callable[[str, str], Awaitable[tuple[int, str, str]]]
"""Runs `parlour setup` with what is typed, at a URL; returns the exit code and what it said."""


class Terminal:
    """A terminal with a program in it: its screen, and its input."""

    def __init__(self, master: int, process: asyncio.subprocess.Process) -> None:
        self.shown = ""
        self.process = process
        self._master = master
        self._news = asyncio.Event()
        asyncio.get_running_loop().add_reader(master, self._read)

    def _read(self) -> None:
        try:
            self.shown += os.read(self._master, 4096).decode().replace("\r\n", "\n")
        except OSError:  # the program has ended
            asyncio.get_running_loop().remove_reader(self._master)
        self._news.set()

    def type(self, text: str, end: str = "\n") -> None:
        os.write(self._master, f"{text}{end}".encode())

    async def until(self, text: str, times: int = 1) -> None:
        async with asyncio.timeout(60):
            while self.shown.count(text) < times:
                self._news.clear()
                await self._news.wait()


def take_terminal() -> None:
    """Make standard input the terminal of a new session, as a login does."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@asynccontextmanager
async def terminal(folder: Path, *words: str, **settings: str) -> AsyncIterator[Terminal]:
    master, slave = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *words,
        cwd=folder, env=environment(**settings),
        stdin=slave, stdout=slave, stderr=slave, preexec_fn=take_terminal,
    )  # fmt: skip
    os.close(slave)
    shown = Terminal(master, process)
    try:
        yield shown
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        asyncio.get_running_loop().remove_reader(master)
        os.close(master)


async def ended(screen: Terminal) -> int:
    async with asyncio.timeout(60):
        return await screen.process.wait()


async def test_from_nothing_to_a_bot_in_a_server(tmp_path: Path, sandbox: Sandbox) -> None:
    """The screen says enough: the token is stored, the link works, Parlour starts."""
    async with terminal(tmp_path, "setup", DISCORD_API=sandbox.url) as screen:
        await screen.until(PROMPT)
        assert "press New Application" in screen.shown
        screen.type(sandbox.token)
        await screen.until("Start Parlour")
        assert await ended(screen) == 0
    assert sandbox.token not in screen.shown
    file = tmp_path / ".env"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_settings({}, file).token == sandbox.token
    link = re.search(r"https://\S+", screen.shown.partition("choose your server")[2])
    assert link is not None
    asked = parse_qs(urlsplit(link[0]).query)
    assert asked["client_id"] == [str(sandbox.person("Parlour").id)]
    assert {*asked["scope"][0].split()} == {"bot", "applications.commands"}
    assert sandbox.application.installs["0"]["scopes"] == ["applications.commands", "bot"]
    async with started(tmp_path, DISCORD_API=sandbox.url):
        await sandbox.bot_ready()


async def test_a_token_that_is_wrong_is_asked_for_again(tmp_path: Path, sandbox: Sandbox) -> None:
    async with terminal(tmp_path, "setup", DISCORD_API=sandbox.url) as screen:
        await screen.until(PROMPT)
        screen.type("hunter2")
        await screen.until("three parts joined by dots")
        await screen.until(PROMPT, times=2)
        screen.type(WRONG)
        await screen.until("rejects the token that you typed")
        await screen.until(PROMPT, times=3)
        screen.type("")
        assert await ended(screen) == 2
        await screen.until("Nothing was written")
    assert not (tmp_path / ".env").exists()
    assert "Traceback" not in screen.shown
    assert WRONG not in screen.shown


async def test_ctrl_c_ends_it_without_a_word(tmp_path: Path, sandbox: Sandbox) -> None:
    async with terminal(tmp_path, "setup", DISCORD_API=sandbox.url) as screen:
        await screen.until(PROMPT)
        screen.type("", end="\x03")
        assert await ended(screen) == 130
    assert not (tmp_path / ".env").exists()
    assert "Traceback" not in screen.shown


async def piped(folder: Path, typed: str, **settings: str) -> subprocess.CompletedProcess[str]:
    words = (sys.executable, "-m", "bot", "setup")
    return await asyncio.to_thread(
        subprocess.run, words, cwd=folder, env=environment(**settings),
        input=typed, capture_output=True, text=True, check=False,
    )  # fmt: skip


async def test_other_lines_stay_and_an_old_token_goes(tmp_path: Path, sandbox: Sandbox) -> None:
    file = tmp_path / ".env"
    before = f"# mine\nDISCORD_TOKEN={WRONG}\nPARLOUR_LOG_LEVEL=DEBUG\nDISCORD_API={sandbox.url}"
    file.write_text(before, encoding="utf-8")
    file.chmod(0o644)
    done = await piped(tmp_path, f"{sandbox.token}\n")
    assert done.returncode == 0, done.stderr
    assert file.read_text("utf-8") == before.replace(WRONG, sandbox.token)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.fixture
def called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Called:
    """`parlour setup` in this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)

    async def called(typed: str, url: str) -> tuple[int, str, str]:
        monkeypatch.setenv("DISCORD_API", url)
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        code = await asyncio.to_thread(main, ["setup"])
        return code, *capsys.readouterr()

    return called


async def test_a_setting_of_the_environment_that_wins_is_named(
    called: Called, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", WRONG)
    code, out, errors = await called(f"{sandbox.token}\n", sandbox.url)
    assert code == 0, errors
    assert "DISCORD_TOKEN is set in this environment and wins" in out


async def test_nothing_typed_is_explained(called: Called, sandbox: Sandbox) -> None:
    code, _, errors = await called("", sandbox.url)
    assert code == 2
    assert errors.startswith("parlour: Nothing was written;")


def test_what_is_piped_in_and_is_no_text_is_no_token(tmp_path: Path) -> None:
    words = (sys.executable, "-m", "bot", "setup")
    done = subprocess.run(
        words, cwd=tmp_path, env=environment(PYTHONIOENCODING="utf-8:strict"), input=b"\xff\xfe\n",
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert b"three parts joined by dots" in done.stdout
    assert done.stderr.startswith(b"parlour: Nothing was written;")


async def test_a_folder_in_place_of_the_file_is_explained(
    called: Called, sandbox: Sandbox, tmp_path: Path
) -> None:
    (tmp_path / ".env").mkdir()
    code, out, errors = await called(f"{sandbox.token}\n", sandbox.url)
    assert code == 2
    assert "cannot be" in out + errors


async def test_a_server_that_is_not_there_is_explained(called: Called, sandbox: Sandbox) -> None:
    code, out, errors = await called(f"{sandbox.token}\n", "http://127.0.0.1:9")
    assert code == 2
    assert "speaks Discord's protocol" in out + errors
