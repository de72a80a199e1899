"""`/me export` and `/me forget`: what Parlour keeps about whoever asks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from io import BytesIO
from typing import Final

from discord import File

from bot.message.text import text
from bot.screens.forget import Decision, answered, question
from bot.service.personal_data_file import written
from bot.service.privacy import Privacy
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.ui.answer import Answer
from bot.ui.asking import Answering, Asked, Speaking
from bot.ui.view import page_view
from bot.ui.words import Words

log = logging.getLogger(__name__)

MEGABYTE: Final = 1 << 20

GoOn = Callable[[SessionId], Awaitable[None]]
"""Has a table go on that somebody has left, and shows it."""


class OwnData:
    """Gives people what is stored about them, and forgets them."""

    def __init__(
        self, privacy: Privacy, answering: Answering, words: Speaking, go_on: GoOn
    ) -> None:
        self._privacy = privacy
        self._answering = answering
        self._words = words
        self._go_on = go_on

    async def export(self, interaction: Asked) -> None:
        """`/me export` was typed."""
        async with self._answering(interaction) as answer:
            words, most = self._words(interaction), interaction.filesize_limit
            dossier = await self._privacy.dossier(PersonId(interaction.user.id))
            write = partial(written, dossier, interaction.created_at, _about(words), most=most)
            file = await asyncio.to_thread(write)
            if file is None:
                await answer.say(words.of(text("me.export.too_large", most=most // MEGABYTE)))
                return
            said = text("me.export.nothing") if dossier.empty else text("me.export")
            await answer.say(words.of(said), File(BytesIO(file.content), filename=file.name))

    async def ask(self, interaction: Asked) -> None:
        """`/me forget` was typed."""
        async with self._answering(interaction) as answer:
            words = self._words(interaction)
            if await self._privacy.knows(PersonId(interaction.user.id)):
                await answer.say(page_view(question(), words))
            else:
                await answer.say(words.of(text("me.forget.nothing")))

    async def decide(self, interaction: Asked, decision: Decision) -> None:
        """A button of the question was pressed.

        Whoever presses again, or has nothing left to forget, hears that all is done.
        """
        async with self._answering(interaction) as answer:
            words = self._words(interaction)  # before their language is forgotten
            if decision is Decision.KEEP:
                await _show(answer, "me.forget.kept", words)
                return
            left = await self._privacy.forget(PersonId(interaction.user.id))
            log.info("somebody forgotten tables=%d", len(left))
            await _show(answer, "me.forgotten", words)
            await self._tell(left)

    async def _tell(self, left: Sequence[SessionId]) -> None:
        """Has the tables go on; what fails there, the next round mends."""
        for session in left:
            try:
                await self._go_on(session)
            except Exception:
                log.exception("table not told of a departure session=%s", session)


async def _show(answer: Answer, key: str, words: Words) -> None:
    await answer.show(page_view(answered(text(key)), words))


def _about(words: Words) -> Mapping[str, str]:
    """What is in the file, for whoever reads it."""
    parts = {
        "file": text("me.export.about.file"),
        "ids": text("me.export.about.ids"),
        "statistics": text("me.export.about.statistics"),
        "games": text("me.export.about.games"),
        "not_here": text("me.export.about.not_here"),
    }
    return {name: words.of(part) for name, part in parts.items()}
