"""Where interactions come in: each goes to the service, and its outcome back to the person.

Nothing leaves here unanswered. A refusal becomes a sentence for the one who asked; a fault is
logged and becomes a sentence too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from discord import Interaction, Thread
from discord.app_commands import AppCommandError

from bot.games.command import Request
from bot.games.entry import Entry
from bot.message.text import text
from bot.screens.forget import decision_of
from bot.screens.games import listing_of
from bot.screens.look_closer import asked_again, choice_of
from bot.screens.pager import REPLAY, page_of
from bot.service.people import Form
from bot.service.ports import Guilds, InteractionId, People, Records
from bot.service.privacy import Privacy
from bot.service.tables import Press, Service
from bot.table.actions import Action, is_rule
from bot.table.refusals import Refusal, UnknownControl
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.table.table import Place
from bot.ui.answer import Answer, Deferrals
from bot.ui.asking import Asked, action_of, chosen
from bot.ui.boards import Boards
from bot.ui.codes import UNDELIVERED
from bot.ui.controls import game_number, pressed
from bot.ui.explaining import Explaining
from bot.ui.help import help_view
from bot.ui.listing import Listings
from bot.ui.own_data import OwnData
from bot.ui.preferences import Preferences
from bot.ui.readings import Readings
from bot.ui.record_book import RecordBook
from bot.ui.replays import ANSWERED, Replays
from bot.ui.server_settings import ServerSettings
from bot.ui.speech import Speech
from bot.ui.words import Words, link
from engine.game import IllegalMove

if TYPE_CHECKING:
    from bot.ui.client import ParlourClient

log = logging.getLogger(__name__)

LAST_ANSWERS: Final = 3.0
"""Seconds for which answers under way are waited for at the end."""


class Desk:
    """Carries out interactions; commands go to these parts of it directly."""

    listings: Listings
    record_book: RecordBook
    preferences: Preferences
    server_settings: ServerSettings
    own_data: OwnData

    def __init__(
        self,
        client: ParlourClient,
        service: Service,
        people: People,
        servers: Guilds,
        boards: Boards,
        *,
        records: Records,
        privacy: Privacy,
    ) -> None:
        self._client = client
        self._service = service
        self._people = people
        self._boards = boards
        self._readings = Readings(people)
        self._replays = Replays(service.archive)
        self._deferrals = Deferrals()
        self._speech = Speech(client, people, servers)
        self._explaining = Explaining(service, self._speech)
        self.listings = Listings(service, self._answering, self._words)
        self.record_book = RecordBook(records, self._answering, self._words)
        self.preferences = Preferences(people, self._answering, self._words)
        self.server_settings = ServerSettings(servers, self._answering, self._words)
        self.own_data = OwnData(privacy, self._answering, self._words, self._go_on)
        self._at_work: set[asyncio.Task[Any]] = set()

    async def closed(self) -> None:
        """Returns when everybody who waits has been answered, or has waited for long."""
        if self._at_work:
            await asyncio.wait(self._at_work, timeout=LAST_ANSWERS)

    async def pressed(self, interaction: Asked) -> None:
        """A control was used: of a board, of a page, or one that nothing answers to any more."""
        action = action_of(interaction)
        if page := page_of(action):
            await self.record_book.turn(interaction, page)
        elif listing := listing_of(action):
            await self.listings.turn(interaction, listing)
        elif decision := decision_of(action):
            await self.own_data.decide(interaction, decision)
        elif action == REPLAY:
            await self.replayed(interaction, chosen(interaction))
        else:
            await self._board_pressed(interaction)

    async def _board_pressed(self, interaction: Asked) -> None:
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
                    case Action.RULES | Action.VIEW | Action.PROOF:
                        await self._read(answer, interaction, press)
                    case action if action in ANSWERED:
                        words, channel = self._words(interaction), _place(interaction).channel
                        await self._replays.pressed(answer, words, press, channel=channel)
                    case _:
                        await self._play(answer, interaction, press)

    async def proposed(self, interaction: Asked, entry: Entry, request: Request) -> None:
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

    async def reminded(self, interaction: Asked, game: str | None, form: Form | None) -> None:
        """`/board` was typed: the board again, in a form of the reader's choice."""
        async with self._answering(interaction) as answer:
            by = PersonId(interaction.user.id)
            table = await self._service.board(_place(interaction).channel, game_number(game), by)
            form = form or self._people.choices(by).form or Form.MESSAGE
            if form is Form.MESSAGE:
                await self._boards.repost(answer, table)
            else:
                await self._readings.board(answer, self._words(interaction), table, form)

    async def games(self, interaction: Asked) -> list[tuple[str, str]]:
        """The games of a channel, each by a name to choose it by and its number."""
        words = self._words(interaction)
        return [
            (words.of(choice_of(table)), str(table.id))
            for table in await self._service.boards(_place(interaction).channel)
        ]

    async def replayed(self, interaction: Asked, game: str | None) -> None:
        """`/replay` was typed, or a game chosen from a history."""
        async with self._answering(interaction) as answer:
            words, channel = self._words(interaction), _place(interaction).channel
            by = PersonId(interaction.user.id)
            await self._replays.open(answer, words, game_number(game), channel=channel, by=by)

    async def finished(self, interaction: Asked) -> list[tuple[str, str]]:
        """The games that may be replayed, each by a name to choose it by and its number."""
        words, channel = self._words(interaction), _place(interaction).channel
        return await self._replays.offered(words, channel=channel, by=PersonId(interaction.user.id))

    async def outdated(self, interaction: Asked, error: AppCommandError) -> None:
        """A command was typed that this version does not have in that form."""
        log.info("command not known interaction=%s error=%s", interaction.id, error)
        async with self._answering(interaction) as answer:
            await answer.say(self._words(interaction).of(text("outdated")))

    async def helped(self, interaction: Asked) -> None:
        """`/help` was typed."""
        async with self._answering(interaction) as answer:
            await answer.say(help_view(self._words(interaction), self._client.links))

    async def _play(self, answer: Answer, interaction: Asked, press: Press) -> None:
        table = await self._service.press(press)
        assert interaction.message is not None, "a press is on a message"
        await self._boards.show(answer, table, message=interaction.message.id)

    async def _go_on(self, session: SessionId) -> None:
        """Has a table go on that somebody has left, and shows it."""
        table = await self._service.table(session)
        await self._boards.mend(await self._service.answered(table))

    async def _rule_chosen(self, answer: Answer, interaction: Asked, press: Press) -> None:
        words = self._words(interaction)
        try:
            table = await self._service.press(press)
        except Refusal:  # a client goes on showing what was refused, unless it is drawn again
            table = await self._service.table(press.session)
            await answer.show(self._readings.rules(words, table, press.by))
            raise
        await answer.show(self._readings.rules(words, table, press.by))
        await self._boards.mend(table)

    async def _read(self, answer: Answer, interaction: Asked, press: Press) -> None:
        words, table = self._words(interaction), await self._service.table(press.session)
        match press.action:
            case Action.RULES:
                await answer.say(self._readings.rules(words, table, press.by))
            case Action.VIEW:
                await self._readings.closer(answer, words, table, press.by)
            case _:
                await self._readings.proof(answer, words, table)

    async def _rematch(self, answer: Answer, interaction: Asked, press: Press) -> None:
        with self._boards.opening():
            place, parent = _place(interaction), _parent(interaction)
            rematch = await self._service.rematch(press, place, parent=parent)
            if rematch.new:
                before = await self._service.table(press.session)
                await self._boards.post(answer, rematch.table)
                self._boards.settled(before)
                return
        said = asked_again(rematch.table.session, press.by, link(rematch.table.place))
        await answer.say(self._words(interaction).of(said))
        await self._boards.mend(rematch.table)

    @asynccontextmanager
    async def _answering(
        self, interaction: Asked, session: SessionId | None = None
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

    def _words(self, interaction: Asked) -> Words:
        return self._speech.to(interaction)


def _parent(interaction: Interaction[Any]) -> int | None:
    """The channel that a command or a press comes from a thread of, if it does."""
    return interaction.channel.parent_id if isinstance(interaction.channel, Thread) else None


def _place(interaction: Interaction[Any]) -> Place:
    assert interaction.channel_id is not None, "a command is typed in a channel"
    return Place(interaction.guild_id, interaction.channel_id)
