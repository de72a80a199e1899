"""Parlour's command line: `parlour`, or `python -m bot`.

`engine` and `migrations` are names that other packages have too. The command looks which ones
Python finds before it imports any of them; `deploy/parlour.py` does so for `bot`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

PARTS: Final[Mapping[str, str]] = {
    "engine": "roster.py",
    "migrations": "versions/0032_baseline.py",
}
"""A file of Parlour's package of each name."""

ENDS: Final = (signal.SIGINT, signal.SIGTERM)
"""The signals that end Parlour."""


def main() -> int:
    """Run the command line and return its exit code."""
    for name, part in PARTS.items():
        if (found := _other_package(name, part)) is not None:
            sys.stderr.write(
                f"parlour: Python finds {found} for Parlour's package {name}; install Parlour "
                "apart from other packages, with pipx or uv tool, and start it in a folder without "
                "that name.\n"
            )
            return 2
    words = sys.argv[1:]
    for end in ENDS:
        # Parlour may be ended at any time; a command that is ended has failed.
        signal.signal(end, lambda number, _: sys.exit(128 + number if words else 0))
    # Imported last: it takes a second, which the signals above may interrupt.
    try:
        code: int = import_module("bot.cli").main(words)
        sys.stdout.flush()
    except BrokenPipeError:  # as of parlour doctor | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + 13
    finally:  # a handler in Python is gone while Python ends, which a signal then complains of
        for end in ENDS:
            signal.signal(end, signal.SIG_DFL)
    return code


def _other_package(name: str, part: str) -> str | None:
    """The file that Python would import in place of Parlour's package, or "nothing"."""
    spec = find_spec(name)
    folders = spec.submodule_search_locations if spec is not None else None
    if any((Path(folder) / part).is_file() for folder in folders or ()):
        return None
    return spec.origin if spec is not None and spec.origin else "nothing"


if __name__ == "__main__":
    sys.exit(main())
