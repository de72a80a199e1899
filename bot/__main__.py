"""Parlour's command line: `parlour`, or `python -m bot`."""

from __future__ import annotations

import signal
import sys
from importlib import import_module

from bot import own_packages


def main() -> int:
    """Carries out the command line, and gives the exit code."""
    words = sys.argv[1:]
    for wish in (signal.SIGINT, signal.SIGTERM):
        # Parlour may be ended at any time, but a command then has not done what it was for.
        signal.signal(wish, lambda number, _: sys.exit(128 + number if words else 0))
    # Only now: what follows takes a second to import, and may be interrupted.
    code: int = import_module("bot.cli").main(words)
    return code


if __name__ == "__main__":
    sys.exit(own_packages.main())
