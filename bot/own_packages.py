"""Parlour's packages and no others of these names.

`engine` and `migrations` are names that other packages have too. One of those that Python finds
first would be imported in place of Parlour's, so the command looks before it imports any. What it
looks at for `bot` itself is `deploy/parlour.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

PARTS: Final[Mapping[str, str]] = {
    "engine": "roster.py",
    "migrations": "versions/0001_sessions.py",
}
"""A file that Parlour's package of that name has."""


def shadowed() -> str | None:
    """Which package is not Parlour's, and what to do about it, in a sentence."""
    for name, part in PARTS.items():
        spec = find_spec(name)
        places = (
            [] if spec is None else [Path(place) for place in spec.submodule_search_locations or ()]
        )
        if not any((place / part).is_file() for place in places):
            found = spec.origin if spec is not None and spec.origin else "nothing"
            return (
                f"Python finds {found} for Parlour's package {name}; install Parlour apart from "
                "other packages, with pipx or uv tool, and start it in a folder without that name."
            )
    return None


def main() -> int:
    """Carries out the command line, and gives the exit code."""
    if (fault := shadowed()) is not None:
        sys.stderr.write(f"parlour: {fault}\n")
        return 2
    code: int = import_module("bot.__main__").main()
    return code
