"""Other languages than English, from the message catalogues of a package that has some.

The engine knows of none: a package says by the entry point `parlour.languages` how it finds the
catalogue of a language by its name, such as `ar` or `zh-CN`.
"""

from __future__ import annotations

import sys
from importlib.metadata import entry_points
from typing import Final, Protocol

GROUP: Final = "parlour.languages"
ENGLISH: Final = ("en", "en-US", "en-GB")


class OtherLanguage(Protocol):
    """A message catalogue, and the way its language writes numbers."""

    locale: str

    @property
    def direction(self) -> str:
        """`ltr` or `rtl`."""

    def template(self, key: str, count: int | None = None) -> str:
        """The message of a key, for a count if it has plural forms; `KeyError` if there is none."""

    def number(self, value: float) -> str:
        """A number."""

    def percent(self, share: float, *, signed: bool = False) -> str:
        """A share of 1 in whole percent."""


def language(name: str | None) -> OtherLanguage | None:
    """Find a language by its name; None for English, and where there is no such catalogue."""
    if name is None or name in ENGLISH:
        return None
    for entry in entry_points(group=GROUP):
        found: OtherLanguage | None = entry.load()(name)
        if found is not None:
            return found
    sys.stderr.write(f"There are no words in {name!r} here, so these are in English.\n")
    return None
