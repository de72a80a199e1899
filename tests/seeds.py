"""Runs all tests several times, each with a new seed, and lists what failed with which.

`python -m tests.seeds 5` runs them five times; what comes after the number is passed on to pytest.
"""

from __future__ import annotations

import re
import subprocess
import sys
from random import SystemRandom
from typing import Final

from tests.samples import MOST_SEEDS

FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$", re.MULTILINE)


def failures(seed: int, options: list[str]) -> list[str]:
    """The tests that fail in a run with a seed, whose output goes to the errors."""
    words = [sys.executable, "-m", "pytest", "--seed", str(seed), *options]
    run = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    sys.stderr.write(run.stdout)
    found = FAILED.findall(run.stdout)
    return found or (["the run itself"] if run.returncode else [])


def main(times: int, *options: str) -> int:
    """Print the table of all runs; 1 if anything failed."""
    failed = False
    print("| seed | failed |\n|---|---|")
    for _ in range(times):
        seed = SystemRandom().randrange(MOST_SEEDS)
        found = failures(seed, [*options])
        failed |= bool(found)
        print(f"| {seed} | {'<br>'.join(f'`{each}`' for each in found) or 'none'} |", flush=True)
    if failed:
        print('\nA failure comes again with `python -m pytest --seed SEED "TEST"`.')
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), *sys.argv[2:]))
