"""Caches: values that one can do without or have again, kept within a budget of bytes.

Each cache has a name, by which the metrics show its bytes beside its budget.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

KB: Final = 1 << 10
MB: Final = 1 << 20


class Cache(Mapping[K, V]):
    """Values by their keys; those kept longest ago come first, and make room for others.

    `weigh` estimates the bytes of a value with its key, rather too many than too few, by what never
    changes in it. Reading a value does not make it younger.
    """

    def __init__(self, name: str, budget: int, weigh: Callable[[V], int]) -> None:
        self.name = name
        self.budget = budget
        self._weigh = weigh
        self._kept: dict[K, V] = {}
        self._size = 0

    @property
    def size(self) -> int:
        """The bytes that it holds."""
        return self._size

    def __getitem__(self, key: K) -> V:
        return self._kept[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)

    def keep(self, key: K, value: V) -> V:
        """Keep a value as the youngest, in place of the key's earlier one, and return it.

        One that is larger than the budget is not kept.
        """
        self.drop(key)
        weight = self._weigh(value)
        if weight <= self.budget:
            self._kept[key] = value
            self._size += weight
            while self._size > self.budget:
                self.drop(next(iter(self._kept)))
        return value

    def replace(self, key: K, value: V) -> None:
        """Put another value of the same weight in the place of one that is kept, at its age."""
        assert self._weigh(value) == self._weigh(self._kept[key]), "else it might be too much"
        self._kept[key] = value

    def drop(self, key: K) -> V | None:
        """Drop a value; return it if it was kept."""
        if key not in self._kept:
            return None
        dropped = self._kept.pop(key)
        self._size -= self._weigh(dropped)
        return dropped

    def clear(self) -> None:
        """Drop all values."""
        self._kept.clear()
        self._size = 0


@dataclass(frozen=True, slots=True)
class Memo:
    """The results that a function remembers by `lru_cache`, each of at most `each` bytes."""

    name: str
    function: _lru_cache_wrapper[Any]
    each: int

    @property
    def budget(self) -> int:
        """The bytes of as many results as the function remembers at most."""
        most = self.function.cache_info().maxsize
        assert most is not None, "a cache without end has no budget"
        return most * self.each

    @property
    def size(self) -> int:
        """The bytes of the results that it remembers now."""
        return self.function.cache_info().currsize * self.each


Budgeted: TypeAlias = Cache[Any, Any] | Memo
"""A cache as the metrics see it: its `name` is that of no other, `size` and `budget` are bytes."""
