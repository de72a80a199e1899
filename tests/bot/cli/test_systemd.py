"""`parlour systemd` prints a unit that systemd accepts, in any folder."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest
from sqlalchemy.engine import URL

from bot.cli import main
from bot.settings import NAME
from tests.bot import confined
from tests.bot.english import like, mover_in, says
from tests.bot.process import outcome, started
from tests.bot.stand_in import Sandbox

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB"
NAMES = ["plain", "with a space", "100%", "an \"odd' one", "back\\slash"]


@pytest.mark.parametrize("name", NAMES)
def test_the_unit_is_one_that_systemd_takes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd-analyze is not installed")
    (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / name)
    assert main(["systemd"]) == 0
    unit = tmp_path / "parlour.service"
    unit.write_text(capsys.readouterr().out, encoding="utf-8")
    done = subprocess.run(
        [verify, "verify", unit], capture_output=True, text=True, timeout=30, check=False
    )
    complaints = [line for line in done.stderr.splitlines() if "parlour.service" in line]
    assert complaints == []
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_paths_are_written_as_systemd_reads_each_setting(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    """One folder is the rest of its line, several are words with quotes; all know specifiers."""
    (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / name)
    monkeypatch.setattr(sys, "executable", str(tmp_path / name / "$python"))
    assert main(["systemd"]) == 0
    unit = sections(capsys.readouterr().out)
    service = {key: value.replace("%%", "%") for key, value in unit["Service"].items()}
    assert service["WorkingDirectory"] == str(tmp_path / name)
    assert shlex.split(service["ReadWritePaths"]) == [str(tmp_path / name)]
    started = [word.replace("$$", "$") for word in shlex.split(service["ExecStart"])]
    assert started == [str(tmp_path / name / "$python"), "-m", "bot"]


def sections(unit: str) -> ConfigParser:
    """The sections of a unit, with the settings as they are written."""
    read = ConfigParser(interpolation=None, delimiters=("=",), strict=False)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read_string(unit)
    return read


@pytest.mark.parametrize("name", NAMES)
def test_a_database_elsewhere_is_waited_for_and_written_beside(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    """As on a USB disk; where it is, `.env` says, since the unit has none of this environment."""
    here, disk = tmp_path / "here", tmp_path / name
    for folder in (here, disk):
        folder.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/nowhere/parlour.db")
    url = str(URL.create("sqlite", database=f"../{name}/parlour.db"))
    Path(".env").write_text(f"DATABASE_URL='{url}'".replace("odd'", "odd\\'"), encoding="utf-8")
    assert main(["systemd"]) == 0
    unit = sections(capsys.readouterr().out)
    for written in (unit["Service"]["ReadWritePaths"], unit["Unit"]["RequiresMountsFor"]):
        assert shlex.split(written.replace("%%", "%")) == [str(here), str(disk)]


def test_a_database_in_this_folder_adds_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text("DATABASE_URL=sqlite:///data/parlour.db", encoding="utf-8")
    assert main(["systemd"]) == 0
    assert f"ReadWritePaths={tmp_path}\n" in capsys.readouterr().out


def test_the_unit_leaves_little_to_a_bot_that_was_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By systemd's own count, from 0 for nothing to 10 for everything, of any user's service."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed")
    monkeypatch.chdir(tmp_path)
    assert main(["systemd"]) == 0
    unit = tmp_path / "parlour.service"
    unit.write_text(capsys.readouterr().out, encoding="utf-8")
    command = [analyze, "security", "--offline=true", "--threshold=20", "--no-pager", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stdout or done.stderr


async def test_the_bot_thinks_and_explains_with_what_its_unit_leaves_it(
    folder: Path,
    sandbox: Sandbox,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if reason := confined.missing():
        pytest.skip(reason)
    monkeypatch.chdir(folder)
    assert main(["systemd"]) == 0
    unit = folder / "parlour.service"
    unit.write_text(capsys.readouterr().out, encoding="utf-8")
    command = ("-m", confined.__name__, str(unit), sys.executable, "-m", "bot")
    given = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    ann, channel = sandbox.person("Ann"), sandbox.channel("games")
    async with started(folder, *command, **given) as process:
        await sandbox.bot_ready()
        typed = await ann.type(channel, "connectfour", level="hard", colour="second")
        board = (await typed.answered()).message
        await sandbox.until(lambda: mover_in(board.text) == str(ann.id))
        why = await ann.on_message(says("menu.message.explain"), board).answered()
        await sandbox.until(lambda: not why.message.thinking)
        assert like("why.move").search(why.message.text)
        process.send_signal(signal.SIGTERM)
        code, _, errors = await outcome(process)
    assert code == 0
    assert not re.search("WARNING|ERROR|Traceback", errors), errors


def test_what_this_shell_sets_and_the_unit_will_not_have_is_said_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in os.environ if NAME.fullmatch(name)]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    assert main(["systemd"]) == 0
    unit, said = capsys.readouterr()
    assert (
        said
        == f"parlour: {tmp_path}/.env has no DISCORD_TOKEN, so the unit plays in its sandbox.\n"
    )
    kept = {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": "sqlite:///kept.db", "PARLOUR_BACKUP": "daily"}
    lines = [f"{name}={value}\n" for name, value in kept.items()]
    Path(".env").write_text("".join(lines), encoding="utf-8")
    for name, value in kept.items():
        monkeypatch.setenv(name, value)
    assert main(["systemd"]) == 0
    assert capsys.readouterr() == (unit, "")
    monkeypatch.setenv("DATABASE_URL", "postgresql://parlour:hunter2@localhost/parlour")
    monkeypatch.setenv("PARLOUR_PRESS_LIMIT", "9")
    assert main(["systemd"]) == 0
    printed, said = capsys.readouterr()
    assert printed == unit
    (line,) = said.splitlines()
    assert f"{tmp_path}/.env alone" in line
    assert "(DATABASE_URL, PARLOUR_PRESS_LIMIT)" in line
    assert "hunter2" not in line


@pytest.mark.parametrize("cache", [".cache/uv/archive-v0/x", ".local/share/pipx/.cache/x"])
def test_a_python_that_a_cache_holds_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache: str
) -> None:
    monkeypatch.setattr(sys, "executable", str(Path.home() / cache / "bin" / "python"))
    assert main(["systemd"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "install Parlour for good" in shown.err


def test_the_unit_is_never_given_up_and_connects_less_often_than_discord_allows_in_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As while a server of PostgreSQL is away for a night: each start ends at once."""
    monkeypatch.chdir(tmp_path)
    assert main(["systemd"]) == 0
    unit = sections(capsys.readouterr().out)
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert 24 * 60 * 60 / int(unit["Service"]["RestartSec"]) < 1000


def test_the_unit_starts_this_python_here_and_leaves_what_a_restart_cannot_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["systemd"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"ExecStart={sys.executable} -m bot" in lines
    assert f"WorkingDirectory={tmp_path}" in lines
    assert "RestartPreventExitStatus=2" in lines
