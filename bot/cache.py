"""Caches: values that can be computed or loaded again, kept within a budget of bytes.

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
    """Values by their keys, the oldest first; when the budget is exceeded the oldest are dropped.

    `weigh` estimates the bytes of a value and its key, rather too high than too low; its result for
    a value must never change. Reading a value does not make it younger.
    """

    def __init__(self, name: str, budget: int, weigh: Callable[[V], int]) -> None:
        self.name = name
        self.budget = budget
        self._weigh = weigh
        self._kept: dict[K, V] = {}
        self._size = 0

    @property
    def size(self) -> int:
        """The estimated bytes of the kept values."""
        return self._size

    def __getitem__(self, key: K) -> V:
        return self._kept[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)

    def keep(self, key: K, value: V) -> V:
        """Keep a value as the youngest, in place of the key's earlier one, and return it.

        A value larger than the budget is returned but not kept.
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
        """Replace a kept value by one of the same weight, without making it younger."""
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
    """The results in a function's `lru_cache` as a cache, counted as `each` bytes per result."""

    name: str
    function: _lru_cache_wrapper[Any]
    each: int

    @property
    def budget(self) -> int:
        """The bytes of the most results that the function remembers."""
        most = self.function.cache_info().maxsize
        assert most is not None, "a cache without end has no budget"
        return most * self.each

    @property
    def size(self) -> int:
        """The bytes of the results that it remembers now."""
        return self.function.cache_info().currsize * self.each


Budgeted: TypeAlias = Cache[Any, Any] | Memo
"""A cache as the metrics see it: with a unique `name`, its `size` and `budget` in bytes."""
