"""Errands of a round: requests to Discord, a few at once, and put off while it has trouble."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Final, NamedTuple

from bot.service.jobs import Items, apart
from bot.service.ports import Unreachable

log = logging.getLogger(__name__)

TOGETHER: Final = 4
"""The most errands at once."""


class Errand(NamedTuple):
    """A piece of work at an item, which says whether it has sent a message."""

    item: object
    work: Callable[[], Awaitable[bool]]


class Errands:
    """Carries out errands in rounds, each of which sends at most so many messages.

    While Discord has trouble a round ends with the errands under way, and the next begins with one
    alone; all others wait until it is done.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._trouble = False
        self._left = 0

    async def carry_out(self, errands: Iterable[Errand], name: str) -> None:
        """Carry out one round; an error at one errand holds no other up.

        Raises:
            ExceptionGroup: What went wrong at some of them.
        """
        at_once = 1 if self._trouble else TOGETHER
        self._trouble, self._left = False, self._most
        left = iter(errands)
        with apart() as items:
            await asyncio.gather(*(self._work(left, items) for _ in range(at_once)))
        if self._trouble:
            log.warning("%s put off, since Discord has trouble", name)

    async def _work(self, errands: Iterator[Errand], items: Items) -> None:
        """Carry out errands until Discord has trouble or enough was sent."""
        for errand in errands:
            await items.do(self._sent(errand), errand.item)
            if self._trouble or self._left <= 0:
                return

    async def _sent(self, errand: Errand) -> None:
        try:
            sent = await errand.work()
            self._left -= sent  # read after the wait: others count down meanwhile
        except Unreachable:
            self._trouble = True
