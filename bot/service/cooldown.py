"""How much a person may ask for in a short time: far more than anybody does who plays.

A person has an allowance that fills up again at a steady rate (a token bucket). A press costs one,
a command more, since it opens a message or reads many games. Eight
presses a second, which is all that fingers can do, go on for half a minute before it is used up.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from bot.table.refusals import TooFast
from bot.table.seats import PersonId

PRESS: Final = 1.0
COMMAND: Final = 4.0

FULL: Final = 120
"""An allowance that is not used, unless the owner sets another."""

REFILL: Final = 4.0
"""What comes back of it in a second."""

REMEMBERED: Final = 4096
"""So many people's allowances are kept, of those who asked for something last."""


class Cooldown:
    """The allowances of people, by a clock that only goes on, in seconds; 0 limits nobody."""

    def __init__(self, full: int = FULL) -> None:
        self._full = full
        self._left: OrderedDict[PersonId, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._left)

    def charge(self, person: PersonId, cost: float, now: float) -> None:
        """Takes the cost of something off a person's allowance.

        Raises:
            TooFast: Less than that is left.
        """
        if not self._full:
            return
        left, since = self._left.pop(person, (self._full, now))
        left = min(self._full, left + REFILL * max(0.0, now - since))
        allowed = left >= cost
        self._left[person] = (left - cost if allowed else left, max(now, since))
        if len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        if not allowed:
            raise TooFast
