"""Sign-ups that nobody will start: their host has left the server, or seven days have passed.

Discord reports a member's leaving only to bots with a privileged intent, so the bot asks about each
host once an hour.
"""

from __future__ import annotations

import logging
from collections import deque
from contextlib import suppress
from typing import Final

from bot.clock import Clock
from bot.service.guilds import LOOKED_EVERY, HasLeft
from bot.service.jobs import apart
from bot.service.tournaments import Tournaments
from bot.storage.choices import GuildId
from bot.table.refusals import Refusal
from bot.table.seats import FORMER_PLAYERS
from bot.tournaments.event import Event
from bot.tournaments.tournament import CalledOff, TournamentId

log = logging.getLogger(__name__)

ASKED_TOGETHER: Final = 10
"""The most sign-ups that a round looks at, since boards are drawn by the same budget."""


class StaleSignUps:
    """Calls off the sign-ups that nobody will start."""

    def __init__(self, tournaments: Tournaments, clock: Clock) -> None:
        self._tournaments = tournaments
        self._clock = clock
        self._looked = clock.now()
        self._ahead: deque[TournamentId] = deque()

    async def run_due(self, has_left: HasLeft) -> None:
        """Look at the next sign-ups, at each once an hour.

        Raises:
            ExceptionGroup: What went wrong with some of them.
        """
        now = self._clock.now()
        if not self._ahead and now - self._looked >= LOOKED_EVERY:
            self._ahead.extend(await self._tournaments.stored.signing_up())
            self._looked = now
        with apart() as items:
            for _ in range(min(ASKED_TOGETHER, len(self._ahead))):
                number = self._ahead[0]
                await items.do(self._look_at(number, has_left), f"tournament {number}")
                if items.away:  # the next round asks again
                    return
                self._ahead.popleft()

    async def _look_at(self, number: TournamentId, has_left: HasLeft) -> None:
        with suppress(Refusal):  # it has begun or gone meanwhile
            event = await self._tournaments.event(number)
            why = CalledOff.NOT_STARTED
            if event.sign_up_ends > self._clock.now():
                if not await _hostless(event, has_left):
                    return
                why = CalledOff.HOST_LEFT
            await self._tournaments.call_off(number, why)
            log.info("sign-up called off id=%s why=%s", number, why)


async def _hostless(event: Event, has_left: HasLeft) -> bool:
    host = event.tournament.host
    return host in FORMER_PLAYERS or await has_left(GuildId(event.guild), host)
