"""Work on files that is killed at each of its steps: `python -m tests.bot.storage.killed`.

Each step is a call by which Python opens, renames or removes a file of a folder, and the process
ends by SIGKILL just before it. What happens within SQLite is SQLite's own to survive.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from typing import Final

from bot.storage.backup import DailyBackups, restore
from tests.bot.process import ROOT, environment

DAY: Final = date(2026, 11, 26)
COPY: Final = "parlour-2026-11-25.db"
NOW: Final = datetime(2026, 11, 26, 12, tzinfo=UTC)


def back_up(folder: Path) -> None:
    DailyBackups(f"sqlite:///{folder}/parlour.db").make(DAY)


def put_back(folder: Path) -> None:
    restore(f"sqlite:///{folder}/parlour.db", folder / COPY, NOW)


ACTS: Final[Mapping[str, Callable[[Path], None]]] = {"backup": back_up, "restore": put_back}


def kill_at(number: int, folder: Path) -> None:
    """Has this process end before its step of a number."""
    steps = count()

    def step(_: str, arguments: tuple[object, ...]) -> None:
        if any(str(each).startswith(str(folder)) for each in arguments) and next(steps) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(step)


def leave_remains(act: str, before: Path, remains: Path) -> None:
    """Copies a folder for each step, and does the work there until it is killed at that step."""
    for number in count():
        folder = remains / f"{number}"
        shutil.copytree(before, folder)
        child = os.fork()
        if not child:
            kill_at(number, folder)
            ACTS[act](folder)
            os._exit(0)
        _, ending = os.waitpid(child, 0)
        if not os.WIFSIGNALED(ending):
            assert ending == 0
            return


def killed(before: Path, remains: Path) -> Mapping[str, list[Path]]:
    """The folders after a kill at each step, and last the one in which the work was done.

    They are listed by the name of the work.
    """
    words = [sys.executable, "-m", __name__, str(before), str(remains)]
    subprocess.run(words, cwd=ROOT, env=environment(), check=True)
    return {act: sorted((remains / act).iterdir(), key=lambda each: int(each.name)) for act in ACTS}


if __name__ == "__main__":
    for name in ACTS:
        leave_remains(name, Path(sys.argv[1]), Path(sys.argv[2]) / name)
