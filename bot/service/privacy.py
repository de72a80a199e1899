"""What Parlour keeps about a person: shown to that person, and forgotten if they want it.

Whoever is forgotten leaves every table first, as its own controls let them, so that games end or go
on as for anybody who leaves. Then all that names the person goes in one transaction: what others
need, results and moves, stays under a former player of whom nothing else is known.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Final

from bot.service.personal_data import PersonalData
from bot.service.ports import PersonalDataStore, StillSeated
from bot.table.refusals import Refusal
from bot.table.seats import PersonId, former_player
from bot.table.session import SessionId
from bot.table.table import Table

MOST_TRIES: Final = 20
"""How often somebody leaves whom others seat again in the same moment."""

Depart = Callable[[SessionId, PersonId], Awaitable[Table]]


class Privacy:
    """The use cases of `/me export` and `/me forget`."""

    def __init__(self, dossiers: PersonalDataStore, depart: Depart, rng: Random) -> None:
        self._dossiers = dossiers
        self._depart = depart
        self._rng = rng

    async def knows(self, person: PersonId) -> bool:
        """Whether there is anything to show or to forget."""
        return await self._dossiers.knows(person)

    async def dossier(self, person: PersonId) -> PersonalData:
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
