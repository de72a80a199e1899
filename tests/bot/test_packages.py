"""Parlour starts with packages of its own, or says which is not; and it says its version."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bot.process import ROOT, environment

VERSION = "--version"


def called(
    folder: Path, *words: str, first: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Python in a folder, which finds packages in `first` before others."""
    settings = environment()
    settings["PYTHONPATH"] = f"{first}:{ROOT}" if first else str(ROOT)
    return subprocess.run(
        (sys.executable, *words), cwd=folder, env=settings,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def command(folder: Path) -> Path:
    """The module that the wheel has as the command, which no other package is called like."""
    copied = folder / "parlour.py"
    shutil.copy(ROOT / "bot" / "deploy" / "parlour.py", copied)
    copied.write_text(f"{copied.read_text('utf-8')}\nsys.exit(main())\n", encoding="utf-8")
    return copied


@pytest.mark.parametrize("name", ["bot", "engine", "migrations"])
def test_a_package_in_place_of_parlours_is_named(tmp_path: Path, name: str) -> None:
    other = tmp_path / "other" / name
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    done = called(tmp_path, str(command(tmp_path)), VERSION, first=other.parent)
    assert done.returncode == 2, done.stdout
    assert done.stderr.startswith(f"parlour: Python finds {other}/__init__.py for Parlour's")
    assert len(done.stderr.splitlines()) == 1


def test_a_folder_with_such_a_package_is_named(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").touch()
    done = called(tmp_path, "-m", "bot", VERSION)
    assert done.returncode == 2
    assert "start it in a folder without that name" in done.stderr


def test_a_folder_that_is_no_package_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / "migrations").mkdir()
    done = called(tmp_path, "-m", "bot", VERSION)
    assert done.returncode == 0, done.stderr


def test_the_version_is_that_of_the_project(tmp_path: Path) -> None:
    done = called(tmp_path, str(command(tmp_path)), VERSION)
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert f'version = "{done.stdout.removeprefix("parlour ").strip()}"' in project


ENDING = """
import atexit, signal, sys
from bot.__main__ import ENDS, main

atexit.register(lambda: print(*map(signal.getsignal, ENDS)))
sys.exit(main())
"""


def test_a_command_that_ends_by_itself_does_not_complain_of_being_ended(tmp_path: Path) -> None:
    done = called(tmp_path, "-c", ENDING, VERSION)
    assert done.stdout.split()[-2:] == [str(signal.SIG_DFL)] * 2, done.stderr
