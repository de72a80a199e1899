"""`python -m tests.simulation`: begun again with strings that hash the same in each run."""

from __future__ import annotations

import os
import sys
from typing import Final

HASHED: Final = "PYTHONHASHSEED"


def main() -> int:
    """Run the command, in a process in which sets of strings have one order."""
    if os.environ.get(HASHED) != "0":
        os.environ[HASHED] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.simulation", *sys.argv[1:]])  # noqa: S606 - itself
    from tests.simulation.command import run  # noqa: PLC0415 - where strings hash the same

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
