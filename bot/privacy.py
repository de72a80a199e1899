"""What Parlour keeps about a person: shown to that person, and forgotten if they want it.

Whoever is forgotten leaves every table first, as its own controls let them, so that games end or go
on as for anybody who leaves. Then all that names the person goes in one transaction: what others
need, results and moves, stays under a former player of whom nothing else is known.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Final, Protocol

from bot.dossier import Dossier
from bot.refusals import Refusal
from bot.seats import PersonId, former_player
from bot.session import SessionId
from bot.store import Table

MOST_TRIES: Final = 20
"""How often somebody leaves whom others seat again in the same moment."""

Depart = Callable[[SessionId, PersonId], Awaitable[Table]]


class StillSeated(Exception):
    """The person has a seat at a table that waits or runs."""


class Dossiers(Protocol):
    """Finds and gives up what is stored about a person."""

    async def knows(self, person: PersonId) -> bool:
        """Whether anything is stored."""

    async def dossier(self, person: PersonId) -> Dossier:
        """All that is stored."""

    async def seated(self, person: PersonId) -> Sequence[SessionId]:
        """The tables that wait or run where the person has a seat, or one is kept for them."""

    async def forget(self, person: PersonId, former: PersonId) -> None:
        """Puts a former player in the place of the person wherever others need one.

        Everything else about the person is deleted.

        Raises:
            StillSeated: They have not left all tables.
        """


class Privacy:
    """The use cases of `/me export` and `/me forget`."""

    def __init__(self, dossiers: Dossiers, depart: Depart, rng: Random) -> None:
        self._dossiers = dossiers
        self._depart = depart
        self._rng = rng

    async def knows(self, person: PersonId) -> bool:
        """Whether there is anything to show or to forget."""
        return await self._dossiers.knows(person)

    async def dossier(self, person: PersonId) -> Dossier:
        """All that is stored about the person."""
        return await self._dossiers.dossier(person)

    async def forget(self, person: PersonId) -> Sequence[SessionId]:
        """Forgets the person, and gives the tables that they left for it.

        Raises:
            StillSeated: Others have seated them again and again meanwhile.
        """
        left: dict[SessionId, None] = {}
        for _ in range(MOST_TRIES):
            left |= dict.fromkeys(await self._leave(person))
            with suppress(StillSeated):
                await self._dossiers.forget(person, former_player(self._rng))
                return [*left]
        raise StillSeated

    async def _leave(self, person: PersonId) -> Sequence[SessionId]:
        seated = await self._dossiers.seated(person)
        for session in seated:
            with suppress(Refusal):  # it has come to its end meanwhile
                await self._depart(session, person)
        return seated
