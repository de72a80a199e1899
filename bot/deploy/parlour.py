"""The command `parlour`, as a module whose name no other package has.

It looks which package Python finds before it imports Parlour's.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path


def main() -> int:
    """Run the command line and return its exit code."""
    spec = find_spec("bot")
    places = [] if spec is None else spec.submodule_search_locations or []
    if not any((Path(place) / "games/catalogue.py").is_file() for place in places):
        found = spec.origin if spec is not None else None
        sys.stderr.write(
            f"parlour: Python finds {found or 'nothing'} for Parlour's package bot; "
            "install Parlour apart from other packages, with pipx or uv tool.\n"
        )
        return 2
    code: int = import_module("bot.__main__").main()
    return code
