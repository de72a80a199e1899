"""The eight ways to turn and mirror a square board, and one name for all images of a position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

Image: TypeAlias = Callable[[int, int, int], tuple[int, int]]

IMAGES: Final[tuple[Image, ...]] = (
    lambda row, column, last: (row, last - column),
    lambda row, column, last: (last - row, column),
    lambda row, column, last: (last - row, last - column),
    lambda row, column, _: (column, row),
    lambda row, column, last: (column, last - row),
    lambda row, column, last: (last - column, row),
    lambda row, column, last: (last - column, last - row),
)


class Symmetry(NamedTuple):
    """The images of every half board: `halves` has a table for the low cells and one for the high.

    An image of a set of cells is then two look-ups, however many cells there are.
    """

    cells: int
    low: int
    halves: tuple[tuple[Sequence[int], Sequence[int]], ...]

    def canonical(self, own: int, other: int) -> int:
        """The smallest of the eight images of a position, as one number."""
        count, low, halves = self
        mask = (1 << low) - 1
        own_low, own_high = own & mask, own >> low
        other_low, other_high = other & mask, other >> low
        best = own | other << count
        for lows, highs in halves:
            image = lows[own_low] | highs[own_high] | (lows[other_low] | highs[other_high]) << count
            best = min(best, image)
        return best


@cache
def symmetry(size: int) -> Symmetry:
    """The symmetry of a square board."""
    count = size * size
    low = (count + 1) // 2

    def images(image: Image, cells: range) -> list[int]:
        table = [0]
        for cell in cells:
            row, column = image(*divmod(cell, size), size - 1)
            table += [taken | 1 << row * size + column for taken in table]
        return table

    halves = ((images(image, range(low)), images(image, range(low, count))) for image in IMAGES)
    return Symmetry(count, low, tuple((lows, highs) for lows, highs in halves))
