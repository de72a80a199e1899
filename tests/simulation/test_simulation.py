"""The simulation itself: a seed repeats, what must hold does, and what is planted is found."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DIGEST: Final = re.compile(r"real +[\d.]+ s ([0-9a-f]{16})")


def simulated(*given: str) -> subprocess.CompletedProcess[str]:
    """A run of the command, with a hash seed of its own choice."""
    others = {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}
    command = [sys.executable, "-m", "tests.simulation", *given]
    return subprocess.run(
        command, cwd=ROOT, env=others, capture_output=True, text=True, check=False
    )


def test_twenty_short_lives_hold_and_one_of_them_goes_the_same_way_again() -> None:
    short = "--days", "0.5", "--busy", "25"
    lives = simulated("--seeds", "1-20", *short)
    assert lives.returncode == 0, lives.stdout + lives.stderr
    digests = DIGEST.findall(lives.stdout)
    assert len({*digests}) == 20
    assert DIGEST.findall(simulated("--seeds", "10", *short).stdout) == digests[9:10]


def test_a_planted_fault_is_found() -> None:
    run = simulated("--seeds", "1-20", "--days", "0.5", "--first", "--plant", "reminders_stay")
    assert "BROKEN" in run.stdout, run.stdout + run.stderr
