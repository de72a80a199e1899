"""`parlour doctor` on this machine: each planted fault is named, with its remedy."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, BaseServer, TCPServer
from threading import Thread
from typing import TypeAlias

import pytest
from PIL import features

from bot.cli import main
from tests.bot.process import ROOT, environment
from tests.bot.storage.everything import filled

Doctor: TypeAlias = Callable[..., tuple[int, dict[str, str]]]
"""Runs the doctor; returns the exit code, and the lines by subject."""


@pytest.fixture
def doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Doctor:
    """The doctor in an empty folder, without a token."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "DISCORD_API"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///parlour.db")

    def call(*words: str) -> tuple[int, dict[str, str]]:
        capsys.readouterr()
        code = main(["doctor", *words])
        out, errors = capsys.readouterr()
        assert not errors
        *findings, _ = out.splitlines()
        return code, {line.split()[1].rstrip(":"): line for line in findings}

    return call


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("used") / "parlour.db"
    filled(f"sqlite:///{file}", 5)
    return file


@pytest.fixture
def played(tmp_path: Path, used: Path) -> Path:
    """A folder with a used database, and a backup of it."""
    for name in ("parlour.db", "copy.db"):
        shutil.copy(used, tmp_path / name)
    return tmp_path


def aged(file: Path, days: int) -> None:
    then = (datetime.now(UTC) - timedelta(days=days)).timestamp()
    os.utime(file, (then, then))


def test_a_machine_with_nothing_on_it_has_nothing_wrong(doctor: Doctor) -> None:
    code, lines = doctor()
    assert code == 0
    assert lines["token"].startswith("– token: There is none, so Parlour plays in its sandbox")
    assert lines["database"].startswith("– database: There is none yet")
    assert "backup" not in lines
    assert lines["fonts"].startswith("✓")
    assert lines["disk"].startswith("✓")


def test_a_reader_that_has_seen_enough_ends_it_without_a_traceback(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bot", "doctor"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_what_takes_no_ticks_gets_plain_signs(tmp_path: Path) -> None:
    """As a file that output goes to on Windows."""
    words = [sys.executable, "-m", "bot", "doctor"]
    given = environment(PYTHONIOENCODING="cp1252")
    done = subprocess.run(words, cwd=tmp_path, env=given, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode("cp1252").splitlines()
    assert {"+", "–"} == {line[0] for line in lines[:-1]}


@pytest.mark.usefixtures("played")
def test_a_database_with_a_backup_is_well(doctor: Doctor) -> None:
    code, lines = doctor()
    assert code == 0
    assert {line[0] for about, line in lines.items() if about != "token"} == {"✓"}


def test_a_setting_that_cannot_be_used_is_the_only_line(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "hunter2")
    code, lines = doctor()
    assert code == 1
    assert lines.keys() == {"settings"}
    assert "three parts" in lines["settings"]


def test_a_damaged_database_is_wrong(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / "parlour.db").write_bytes(b"no database" * 1000)
    code, lines = doctor()
    assert code == 1
    assert lines["database"].startswith("✗")
    assert "damaged" in lines["database"]


def test_a_folder_that_is_missing_is_wrong(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:///nowhere/parlour.db")
    code, lines = doctor()
    assert code == 1
    assert "does not exist" in lines["database"]


def test_a_database_that_waits_for_migrations_is_wrong(doctor: Doctor, played: Path) -> None:
    migrating = (sys.executable, "-m", "alembic", "downgrade", "-1")
    settings = environment(DATABASE_URL=f"sqlite:///{played}/parlour.db")
    root = Path(__file__).parents[3]
    subprocess.run(migrating, cwd=root, env=settings, check=True, capture_output=True)
    code, lines = doctor()
    assert code == 1
    assert "older version" in lines["database"]


def test_a_database_without_a_backup_is_wrong(doctor: Doctor, played: Path) -> None:
    (played / "copy.db").unlink()
    (played / "notes.txt").write_text("no backup", encoding="utf-8")
    code, lines = doctor()
    assert code == 1
    assert "make one with parlour backup FILE" in lines["backup"]


def test_an_old_backup_is_wrong(doctor: Doctor, played: Path) -> None:
    aged(played / "copy.db", days=9)
    code, lines = doctor()
    assert code == 1
    assert "9 days old" in lines["backup"]


def test_an_export_is_a_backup_too_wherever_it_is(doctor: Doctor, played: Path) -> None:
    aged(played / "copy.db", days=9)
    (played / "kept").mkdir()
    assert main(["export", "kept/all.jsonl"]) == 0
    assert doctor()[0] == 1
    code, lines = doctor("--backups", "kept")
    assert code == 0
    assert lines["backup"].startswith("✓ backup: The newest in kept is of ")


def test_another_database_in_use_is_no_backup(doctor: Doctor, played: Path) -> None:
    (played / "copy.db").rename(played / "other.db")
    (played / "other.db.lock").touch()
    code, lines = doctor()
    assert code == 1
    assert "There is none" in lines["backup"]


@pytest.mark.parametrize(
    "name",
    [
        ".2026-11-26.db.k3_x9v0a",
        "parlour-replaced-20261126-120000.db",
        "sandbox.db",
        "sandbox-2026-11-26.db",
    ],
)
def test_a_draft_a_replaced_database_and_that_of_a_sandbox_are_no_backups(
    doctor: Doctor, played: Path, name: str
) -> None:
    (played / "copy.db").rename(played / name)
    code, lines = doctor()
    assert code == 1
    assert "There is none" in lines["backup"]


@pytest.mark.usefixtures("played")
def test_a_folder_of_backups_that_cannot_be_read_is_wrong(doctor: Doctor) -> None:
    """Nobody can look into a folder of such a name, which stands for one of another user."""
    code, lines = doctor("--backups", "n" * 300)
    assert code == 1
    assert lines["database"].startswith("✓")
    assert "cannot be looked through for backups (File name too long)" in lines["backup"]


def test_a_full_disk_is_wrong(doctor: Doctor, played: Path) -> None:
    os.truncate(played / "parlour.db", shutil.disk_usage(played).free)  # a file with a hole
    code, lines = doctor()
    assert code == 1
    assert "make room for" in lines["disk"]


def test_a_folder_that_takes_a_file_is_well_and_keeps_nothing_of_it(
    doctor: Doctor, played: Path
) -> None:
    before = sorted(played.iterdir())
    _, lines = doctor()
    assert lines["folder"] == f"✓ folder: {played} can be written."
    assert sorted(played.iterdir()) == before


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder is read-only for all")
def test_a_folder_that_cannot_be_written_is_wrong(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can write in `/proc`, which stands for a read-only disk and another's folder."""
    monkeypatch.setenv("DATABASE_URL", "sqlite:////proc/parlour.db")
    code, lines = doctor()
    assert code == 1
    assert lines["folder"].startswith("✗ folder: /proc cannot be written (")


def test_a_folder_whose_disk_takes_no_more_is_wrong(doctor: Doctor, tmp_path: Path) -> None:
    """No file can grow, which the system says as it says that a disk is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        code, lines = doctor()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert code == 1
    assert lines["folder"].startswith(f"✗ folder: {tmp_path} cannot be written (")
    assert [*tmp_path.iterdir()] == []


class Check(BaseHTTPRequestHandler):
    """The health check of a bot that is connected, or not."""

    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status if self.path == "/health" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Iterator[HTTPServer]:
    """A server of that health check, where a proxy is named that is not there."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with HTTPServer(("127.0.0.1", 0), Check) as server:
        monkeypatch.setenv("PARLOUR_METRICS_PORT", str(server.server_port))
        yield server


@contextmanager
def answering_once(server: BaseServer) -> Iterator[None]:
    answering = Thread(target=server.handle_request, daemon=True)
    answering.start()
    yield
    answering.join(60)
    assert not answering.is_alive(), "nobody asked"


@pytest.mark.parametrize(("status", "said"), [(200, "✓ connection"), (503, "✗ connection")])
def test_the_doctor_asks_what_the_health_check_of_a_container_asks(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch, checked: HTTPServer, status: int, said: str
) -> None:
    monkeypatch.setattr(Check, "status", status)
    with answering_once(checked):
        code, lines = doctor()
    checked.server_close()
    assert code == (status != 200)
    assert lines["connection"].startswith(said)
    code, lines = doctor()
    assert lines["connection"].startswith("– connection: Nothing answers")


@pytest.mark.parametrize(("status", "code"), [(200, 0), (503, 1)])
@pytest.mark.parametrize("name", ["Dockerfile", "compose.yaml"])
def test_the_health_check_of_a_container_asks_through_no_proxy(
    monkeypatch: pytest.MonkeyPatch, checked: HTTPServer, name: str, status: int, code: int
) -> None:
    monkeypatch.setattr(Check, "status", status)
    file = ROOT / "bot" / "deploy" / name
    (asked,) = re.findall(r'"(import os, urllib[^"]*)"', file.read_text("utf-8"))
    with answering_once(checked):
        done = subprocess.run((sys.executable, "-c", asked), capture_output=True, check=False)
    assert done.returncode == code, done.stderr


class Other(BaseRequestHandler):
    """What answers with something else than HTTP."""

    def handle(self) -> None:
        self.request.sendall(b"SSH-2.0-other\r\n")
        self.request.recv(1 << 16)


def test_a_port_where_something_else_answers_is_not_taken_for_parlour(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TCPServer(("127.0.0.1", 0), Other) as server:
        monkeypatch.setenv("PARLOUR_METRICS_PORT", str(server.server_address[1]))
        with answering_once(server):
            code, lines = doctor()
    assert code == 0
    assert lines["connection"].endswith("so Parlour does not run here now.")


WITHOUT_FREETYPE = """
import sys
sys.modules["PIL._imagingft"] = None
from bot.__main__ import main
sys.exit(main())
"""


def test_pictures_without_letters_are_wrong(tmp_path: Path) -> None:
    script = tmp_path / "doctor.py"
    script.write_text(WITHOUT_FREETYPE, encoding="utf-8")
    done = subprocess.run(
        (sys.executable, script, "doctor"),
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "✗ fonts: Pictures get no letters; install Pillow again" in done.stdout


def test_languages_that_pictures_have_no_words_in_are_named(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    has = features.check
    monkeypatch.setattr(features, "check", lambda name: name != "raqm" and has(name))
    code, lines = doctor()
    assert code == 0
    line = lines["fonts"]
    named = re.fullmatch("✓ fonts: Pictures get their letters, but no words in ([^;]*); (.*)", line)
    assert named is not None, line
    assert {"ar", "hi", "th"} <= set(named[1].split(", "))
    assert named[2].startswith("install the library FriBiDi")
