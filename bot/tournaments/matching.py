"""Whether people can all be paired: a maximum matching of a graph.

Jack Edmonds, "Paths, Trees, and Flowers" (1965): a matching grows along augmenting paths between
two unmatched vertices, and odd cycles on the way (blossoms) are contracted into one vertex.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

ALONE: Final = -1


def perfect(size: int, may_meet: Callable[[int, int], bool]) -> bool:
    """Whether all of `size` people, counted from 0, can be paired so that each pair may meet."""
    if size % 2:
        return False
    near = [[o for o in range(size) if o != one and may_meet(one, o)] for one in range(size)]
    mates = [ALONE] * size
    for one in range(size):  # a greedy start matches most of them
        if mates[one] == ALONE:
            free = next((other for other in near[one] if mates[other] == ALONE), ALONE)
            if free != ALONE:
                mates[one], mates[free] = free, one
    return all(mate != ALONE or Blossoms(near, mates).grow(one) for one, mate in enumerate(mates))


class Blossoms:
    """One search for an augmenting path, along which `mates` are changed."""

    def __init__(self, near: Sequence[Sequence[int]], mates: list[int]) -> None:
        self._near, self._mates = near, mates
        self._parent = [ALONE] * len(mates)
        self._base = list(range(len(mates)))
        self._seen = [False] * len(mates)

    def grow(self, root: int) -> bool:
        """Match `root` by an augmenting path; False if there is none."""
        if self._mates[root] != ALONE:  # an earlier path has matched it
            return True
        self._seen[root] = True
        ahead = deque([root])
        while ahead:
            here = ahead.popleft()
            for there in self._near[here]:
                if self._base[here] == self._base[there] or self._mates[here] == there:
                    continue
                mate = self._mates[there]
                if there == root or (mate != ALONE and self._parent[mate] != ALONE):
                    self._contract(here, there, ahead)
                elif self._parent[there] == ALONE:
                    self._parent[there] = here
                    if mate == ALONE:
                        self._turn(there)
                        return True
                    self._seen[mate] = True
                    ahead.append(mate)
        return False

    def _contract(self, one: int, other: int, ahead: deque[int]) -> None:
        """Contract a blossom, an odd cycle."""
        base = self._meeting(one, other)
        circle: set[int] = set()
        self._mark(one, base, other, circle)
        self._mark(other, base, one, circle)
        for each in range(len(self._base)):
            if self._base[each] in circle:
                self._base[each] = base
                if not self._seen[each]:
                    self._seen[each] = True
                    ahead.append(each)

    def _meeting(self, one: int, other: int) -> int:
        above: set[int] = set()
        while True:
            one = self._base[one]
            above.add(one)
            if self._mates[one] == ALONE:
                break
            one = self._parent[self._mates[one]]
        while self._base[other] not in above:
            other = self._parent[self._mates[self._base[other]]]
        return self._base[other]

    def _mark(self, one: int, base: int, child: int, circle: set[int]) -> None:
        while self._base[one] != base:
            circle |= {self._base[one], self._base[self._mates[one]]}
            self._parent[one] = child
            child = self._mates[one]
            one = self._parent[child]

    def _turn(self, end: int) -> None:
        """Swap matched and unmatched edges along the path that ends here."""
        while end != ALONE:
            before = self._parent[end]
            following = self._mates[before]
            self._mates[end], self._mates[before] = before, end
            end = following
