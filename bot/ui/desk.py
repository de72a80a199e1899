"""Where interactions come in: each goes to the service, and its outcome back to the person.

Nothing leaves here unanswered. A refusal becomes a sentence for the one who asked; a fault is
logged and becomes a sentence too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from discord import File, Interaction, Thread
from discord.app_commands import AppCommandError
from discord.ui import LayoutView

from bot.actions import Action, is_rule
from bot.command import Request
from bot.people import Form, People
from bot.presenter import Entry, text
from bot.refusals import Refusal, UnknownControl
from bot.screens.again import board_picture, board_words, choice_of
from bot.screens.proof import dice_proof
from bot.screens.rules import rules
from bot.seats import PersonId
from bot.servers import Servers
from bot.service import Press, Service
from bot.session import Phase, SessionId
from bot.store import InteractionId, Place, Table
from bot.ui.answer import Answer, Deferrals
from bot.ui.boards import Boards
from bot.ui.codes import UNDELIVERED
from bot.ui.controls import pressed
from bot.ui.explaining import Explaining
from bot.ui.help import help_view
from bot.ui.preferences import Preferences
from bot.ui.server_settings import ServerSettings
from bot.ui.speech import Speech
from bot.ui.view import board_view
from bot.ui.words import Words, link
from engine.game import IllegalMove

if TYPE_CHECKING:
    from bot.ui.client import ParlourClient

log = logging.getLogger(__name__)

MOST_ALTERNATIVE: Final = 1024
"""How many characters Discord takes for a picture's alternative text."""

LAST_ANSWERS: Final = 3.0
"""Seconds for which answers under way are waited for at the end."""


class Desk:
    """Carries out interactions."""

    def __init__(
        self,
        client: ParlourClient,
        service: Service,
        people: People,
        servers: Servers,
        boards: Boards,
    ) -> None:
        self._client = client
        self._service = service
        self._people = people
        self._boards = boards
        self._deferrals = Deferrals()
        self._speech = Speech(client, people, servers)
        self._explaining = Explaining(service, self._speech)
        self.preferences = Preferences(people, self._answering, self._words)
        self.server_settings = ServerSettings(servers, self._answering, self._words)
        self._at_work: set[asyncio.Task[Any]] = set()

    async def closed(self) -> None:
        """Returns when everybody who waits has been answered, or has waited for long."""
        if self._at_work:
            await asyncio.wait(self._at_work, timeout=LAST_ANSWERS)

    async def pressed(self, interaction: Interaction[ParlourClient]) -> None:
        """A control was used: a button of a board, or one that nothing answers to any more."""
        press = pressed(interaction)
        async with self._answering(interaction, press.session if press else None) as answer:
            if press is None:
                raise UnknownControl
            if is_rule(press.action):
                await self._rule_chosen(answer, interaction, press)
                return
            with self._boards.pressing(press.session):
                match press.action:
                    case Action.REMATCH:
                        await self._rematch(answer, interaction, press)
                    case Action.RULES:
                        await self._rules(answer, interaction, press)
                    case Action.VIEW:
                        await self._viewed(answer, interaction, press)
                    case Action.PROOF:
                        await self._proof(answer, interaction, press)
                    case _:
                        await self._play(answer, interaction, press)

    async def proposed(
        self, interaction: Interaction[ParlourClient], entry: Entry, request: Request
    ) -> None:
        """A game's slash command was typed."""
        async with self._answering(interaction) as answer:
            with self._boards.opening():
                table = await self._service.propose(
                    entry,
                    request,
                    place=_place(interaction),
                    parent=_parent(interaction),
                    locale=self._speech.board(interaction).language.locale,
                    interaction=InteractionId(interaction.id),
                )
                await self._boards.post(answer, table)

    async def reminded(
        self, interaction: Interaction[ParlourClient], game: str | None, form: Form | None
    ) -> None:
        """`/board` was typed: the board again, in a form of the reader's choice."""
        async with self._answering(interaction) as answer:
            by = PersonId(interaction.user.id)
            number = None if game is None else SessionId(int(game) if game.isdecimal() else 0)
            table = await self._service.board(_place(interaction).channel, number, by)
            form = form or self._people.choices(by).form or Form.MESSAGE
            if form is Form.MESSAGE:
                await self._boards.repost(answer, table)
            else:
                await self._tell(answer, interaction, table, form)

    async def games(self, interaction: Interaction[ParlourClient]) -> list[tuple[str, str]]:
        """The games of a channel, each by a name to choose it by and its number."""
        words = self._words(interaction)
        return [
            (words.of(choice_of(table)), str(table.id))
            for table in await self._service.boards(_place(interaction).channel)
        ]

    async def outdated(
        self, interaction: Interaction[ParlourClient], error: AppCommandError
    ) -> None:
        """A command was typed that this version does not have in that form."""
        log.info("command not known interaction=%s error=%s", interaction.id, error)
        async with self._answering(interaction) as answer:
            await answer.say(self._words(interaction).of(text("outdated")))

    async def helped(self, interaction: Interaction[ParlourClient]) -> None:
        """`/help` was typed."""
        async with self._answering(interaction) as answer:
            await answer.say(help_view(self._words(interaction), self._client.links))

    async def _play(
        self, answer: Answer, interaction: Interaction[ParlourClient], press: Press
    ) -> None:
        table = await self._service.press(press)
        assert interaction.message is not None, "a press is on a message"
        await self._boards.show(answer, table, message=interaction.message.id)

    async def _rule_chosen(
        self, answer: Answer, interaction: Interaction[ParlourClient], press: Press
    ) -> None:
        try:
            table = await self._service.press(press)
        except Refusal:  # a client goes on showing what was refused, unless it is drawn again
            table = await self._service.table(press.session)
            await answer.show(self._panel(interaction, table))
            raise
        await answer.show(self._panel(interaction, table))
        await self._boards.mend(table)

    async def _viewed(
        self, answer: Answer, interaction: Interaction[ParlourClient], press: Press
    ) -> None:
        table = await self._service.table(press.session)
        form = self._people.choices(press.by).form
        form = Form.WORDS if form is Form.WORDS else Form.IMAGE
        await self._tell(answer, interaction, table, form)

    async def _tell(
        self, answer: Answer, interaction: Interaction[ParlourClient], table: Table, form: Form
    ) -> None:
        """The board for one reader, in words or as a picture."""
        words = self._words(interaction)
        described = "\n".join(map(words.of, board_words(table)))
        picture = None
        if form is Form.IMAGE and table.session.position is not None:
            png = await asyncio.to_thread(board_picture, table)
            picture = File(BytesIO(png), "board.png", description=described[:MOST_ALTERNATIVE])
        await answer.say("" if picture else described, picture)

    async def _rules(
        self, answer: Answer, interaction: Interaction[ParlourClient], press: Press
    ) -> None:
        table = await self._service.table(press.session)
        await answer.say(self._panel(interaction, table))

    def _panel(self, interaction: Interaction[ParlourClient], table: Table) -> LayoutView:
        screen = rules(table, PersonId(interaction.user.id))
        return board_view(screen, table, self._words(interaction))

    async def _proof(
        self, answer: Answer, interaction: Interaction[ParlourClient], press: Press
    ) -> None:
        proof = dice_proof(await self._service.table(press.session))
        file = File(BytesIO(proof.encode()), filename="dice.txt")
        await answer.say(self._words(interaction).of(text("dice.proof")), file)

    async def _rematch(
        self, answer: Answer, interaction: Interaction[ParlourClient], press: Press
    ) -> None:
        with self._boards.opening():
            rematch = await self._service.rematch(press, parent=_parent(interaction))
            if rematch.new:
                await self._boards.post(answer, rematch.table)
                self._boards.settled(await self._service.table(press.session))
                return
        words, session = self._words(interaction), rematch.table.session
        where = link(rematch.table.place)
        if session.phase is Phase.LOBBY and press.by == session.host:
            said = text("rematch.asked", link=where)
        elif session.phase is Phase.LOBBY:
            said = text("rematch.joined", link=where)
        elif session.phase is Phase.RUNNING:
            said = text("rematch.on", link=where)
        else:
            said = text("rematch.over", link=where)
        await answer.say(words.of(said))
        await self._boards.mend(rematch.table)

    @asynccontextmanager
    async def _answering(
        self, interaction: Interaction[ParlourClient], session: SessionId | None = None
    ) -> AsyncIterator[Answer]:
        task = asyncio.current_task()
        assert task is not None, "interactions are carried out in tasks"
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        async with Answer(interaction, self._deferrals) as answer:
            try:
                yield answer
            except (Refusal, IllegalMove) as error:
                await answer.say(await self._explaining.sentence(interaction, error, session))
            except UNDELIVERED:
                raise
            except Exception:
                log.exception("interaction failed id=%s session=%s", interaction.id, session)
                await answer.say(self._words(interaction).of(text("failure")))

    def _words(self, interaction: Interaction[ParlourClient]) -> Words:
        return self._speech.to(interaction)


def _parent(interaction: Interaction[Any]) -> int | None:
    """The channel that a command or a press comes from a thread of, if it does."""
    return interaction.channel.parent_id if isinstance(interaction.channel, Thread) else None


def _place(interaction: Interaction[Any]) -> Place:
    assert interaction.channel_id is not None, "a command is typed in a channel"
    return Place(interaction.guild_id, interaction.channel_id)
