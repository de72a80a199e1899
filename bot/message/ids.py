"""The kinds of ids by which controls are found again: a prefix, and a type for what follows it.

The grammar of a kind follows from the types of its fields; a StrEnum is one of its members. Ids
stand on messages in channels for months: a prefix is never given to other parts, and a field that
is added has a usual value, since older ids end before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

KINDS: Final[dict[str, list[type[Any]]]] = {}
"""The kinds by their prefixes. Two may share one if their grammars do not."""

PREFIXES: Final[dict[type[Any], str]] = {}

Kind = TypeVar("Kind", bound=type[Any])


def id_kind(prefix: str) -> Callable[[Kind], Kind]:
    """Have the instances of a type written into ids, and read from those with a prefix."""

    def declared(of: Kind) -> Kind:
        KINDS.setdefault(prefix, []).append(of)
        PREFIXES[of] = prefix
        return of

    return declared
