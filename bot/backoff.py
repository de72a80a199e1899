"""Pauses between tries of what fails for now and may succeed later."""

from __future__ import annotations

from random import uniform


class Backoff:
    """Pauses in seconds that double from `first` to `longest`, or stay, until `reset`."""

    def __init__(self, first: float, longest: float | None = None) -> None:
        self._first = self._next = first
        self._longest = first if longest is None else longest

    def pause(self) -> float:
        """The seconds until the next try."""
        pause, self._next = self._next, min(2 * self._next, self._longest)
        return pause

    def uneven_pause(self) -> float:
        """A pause that is varied, so that requests are not all repeated at once."""
        return self.pause() * uniform(0.5, 1.5)

    def reset(self) -> None:
        """Begin anew, since a try has succeeded."""
        self._next = self._first
