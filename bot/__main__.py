"""Parlour's command line: `parlour`, or `python -m bot`."""

from __future__ import annotations

import signal
import sys
from importlib import import_module


def main() -> int:
    """Carries out the command line, and gives the exit code."""
    for wish in (signal.SIGINT, signal.SIGTERM):
        signal.signal(wish, lambda *_: sys.exit(0))
    # Only now: what follows takes a second to import, and may be interrupted.
    code: int = import_module("bot.command_line").main(sys.argv[1:])
    return code


if __name__ == "__main__":
    sys.exit(main())
