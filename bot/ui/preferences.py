"""`/me`: a person's own choices, as they come in."""

from __future__ import annotations

from typing import Final

from discord import Member, User

from bot.locales import own_name
from bot.message.text import Mention, text
from bot.service.people import Form
from bot.service.ports import People
from bot.table.refusals import NotBlockable
from bot.table.seats import PersonId
from bot.ui.asking import Answering, Asked, Speaking

AUTOMATIC: Final = "automatic"
"""Stands for a language that is nobody's choice but Discord's."""

ON, OFF = "on", "off"


class Preferences:
    """Carries out what somebody chooses for themselves, and says what holds from now on."""

    def __init__(self, people: People, answering: Answering, words: Speaking) -> None:
        self._people = people
        self._answering = answering
        self._words = words

    async def choose_form(self, interaction: Asked, *, form: str) -> None:
        """`/me board` was typed."""
        async with self._answering(interaction) as answer:
            await self._people.choose_form(_asker(interaction), Form(form))
            await answer.say(self._words(interaction).of(text(f"me.board.{form}")))

    async def choose_language(self, interaction: Asked, *, language: str) -> None:
        """`/me language` was typed; the answer is in the new language already."""
        async with self._answering(interaction) as answer:
            chosen = None if language == AUTOMATIC else language
            await self._people.choose_language(_asker(interaction), chosen)
            if chosen is None:
                said = text("me.language.automatic")
            else:
                said = text("me.language.chosen", language=own_name(chosen))
            await answer.say(self._words(interaction).of(said))

    async def take_challenges(self, interaction: Asked, *, accept: str) -> None:
        """`/me challenges` was typed."""
        async with self._answering(interaction) as answer:
            await self._people.take_challenges(_asker(interaction), wanted=accept == ON)
            await answer.say(self._words(interaction).of(text(f"me.challenges.{accept}")))

    async def block(self, interaction: Asked, *, user: User | Member) -> None:
        """`/me block` was typed."""
        async with self._answering(interaction) as answer:
            by, other = _asker(interaction), PersonId(user.id)
            if other == by or user.bot:
                raise NotBlockable
            await self._people.block(by, other)
            words = self._words(interaction)
            unblock = words.command("me unblock")
            await answer.say(words.of(text("me.blocked", person=Mention(other), unblock=unblock)))

    async def unblock(self, interaction: Asked, *, user: User | Member) -> None:
        """`/me unblock` was typed."""
        async with self._answering(interaction) as answer:
            other = PersonId(user.id)
            await self._people.unblock(_asker(interaction), other)
            said = text("me.unblocked", person=Mention(other))
            await answer.say(self._words(interaction).of(said))


def _asker(interaction: Asked) -> PersonId:
    return PersonId(interaction.user.id)
