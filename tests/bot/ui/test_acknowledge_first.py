"""Every control while Discord has trouble with all requests but answers.

A press is acknowledged before its handler makes any other request, so that nobody reads "This
interaction failed" for what happens to that one; and what Discord has taken is known, and there
once. The controls are those on the messages that people reach by commands and presses, and all that
are declared besides, forged onto messages of their kind.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any, Final

import pytest
from sqlalchemy import Connection, Row, Table, select

from bot.message.blocks import KINDS
from bot.sandbox import Answer, Interaction, Message
from bot.sandbox.model.commands import CommandType
from bot.sandbox.model.components import Button, Select
from bot.sandbox.web.calls import Call, Reply
from bot.screens.games import GamesPage
from bot.screens.help import HelpPage
from bot.screens.me import ForgetAnswer, OwnSetting
from bot.screens.settings import GuildSetting
from bot.screens.tournament_controls import TournamentAction, TournamentControl
from bot.storage.schema.base import metadata
from bot.table.actions import Action
from bot.ui.custom_ids import BoardControl, board_id, page_id, read
from tests.bot.english import says
from tests.bot.people import Person, answers
from tests.bot.trouble import Fault
from tests.bot.ui import ludo
from tests.bot.ui.conftest import RunningBot, marked
from tests.bot.ui.hall import Hall
from tests.samples import Sample

ANSWERS: Final = ("/interactions/", "/webhooks/")
ANSWERED: Final = {Answer.MESSAGE, Answer.UPDATE, Answer.MODAL}
BESIDES: Final = {"waiting posts", "match ended", "thread"}
"""The names of tasks that a press leaves behind, whose requests are not its own."""

TRIED_AGAIN: Final = timedelta(seconds=1)
WITH_THE_ROUND: Final = 2
"""The waits for the clock while a handler waits too, since the next round always does."""

FORGET: Final = page_id(ForgetAnswer.FORGET)
"""It takes away what else there is to press, so that it comes last."""

MOST_FORGED: Final = 25
"""The controls that are forged in each run, but in an exhaustive one."""

Key = tuple[str, str]
"""A control without its numbers, and what a choice in a menu is about."""


class ByChannel(Fault):
    """A fault of the next request that is no answer, whatever its method and path."""

    __slots__ = ()

    def meets(self, call: Call) -> bool:
        return not call.path.startswith(ANSWERS) and self.of(call)


def _fails(status: int) -> Callable[..., Fault]:
    reply = Reply(status, {"message": "Made to fail", "code": 0})
    return partial(ByChannel, "*", "*", reply)


TROUBLE: Final[Mapping[str, Callable[..., Fault]]] = {
    "503": _fails(503),
    "500": _fails(500),
    "cut before": partial(ByChannel, "*", "*"),
    "cut after": partial(ByChannel, "*", "*", carried_out=True),
}


@dataclass
class Tour:
    """People who use each control that they see once, each time with trouble at hand."""

    bot: RunningBot
    trouble: Callable[..., Fault]
    faults: list[list[str]] = field(default_factory=list)
    """Of each fault that was met, the interactions that nobody had acknowledged then."""

    used: dict[Key, str] = field(default_factory=dict)
    seen: list[Message] = field(default_factory=list)

    def _met(self, _: Call) -> bool:
        self.faults.append([each.name for each in self.bot.sandbox.pending])
        return True

    async def done(self, act: Interaction) -> None:
        """What somebody does, which leads to an answer or a sentence, whatever happens besides."""
        met, before = len(self.faults), act.source.edits if act.source else 0
        await self._carried_out(act)
        await asyncio.gather(*(each for each in asyncio.all_tasks() if each.get_name() in BESIDES))
        found = [each for each in (act.original, *act.followups) if each is not None]
        assert not any(each.thinking for each in found), act.name
        told = act.response in ANSWERED or bool(act.followups)
        edited = act.source is not None and act.source.edits > before
        assert len(self.faults) == met or told or edited or act.source is None, act.name
        self.seen += [each for each in found if each not in self.seen]
        if act.modal is not None:
            person = self.person(act.person.name)
            await self.use(person.fill_in(act, answers(act.modal)))
            self.used[_key(act.modal.custom_id, "")] = act.modal.custom_id

    async def _carried_out(self, act: Interaction) -> None:
        """The answer, and all that its handler does besides, which may be tried again later."""
        clock, doing = self.bot.clock, asyncio.create_task(self.bot.done(act))
        while not doing.done():
            later = asyncio.create_task(clock.waited_for(WITH_THE_ROUND))
            await asyncio.wait({doing, later}, return_when=asyncio.FIRST_COMPLETED)
            later.cancel()
            if not doing.done():
                clock.advance(TRIED_AGAIN)
        await doing
        await clock.waited_for()

    async def use(self, act: Interaction) -> None:
        """As `done`, with a fault prepared."""
        if not self.bot.sandbox.troubled:
            self.bot.sandbox.trouble(self.trouble(of=self._met))
        await self.done(act)

    def person(self, name: str) -> Person:
        return self.bot.sandbox.person(name)

    async def press(self, message: Message, custom_id: str, value: str = "") -> None:
        """A control used by its reader, or by its host's friend, and by others by the seed."""
        reader = message.reader.name if message.reader else "Ann"
        self.used[_key(custom_id, value)] = custom_id
        values = (value,) if value else ()
        await self.use(self.person(reader).forge(message, custom_id, *values))

    async def explore(self, message: Message) -> None:
        """Each control of a message that is new, and first those of the messages it leads to."""
        while (offered := self._unused(message)) is not None:
            known = len(self.seen)
            await self.press(message, *offered)
            for led_to in self.seen[known:]:
                await self.explore(led_to)

    def _unused(self, message: Message) -> tuple[str, str] | None:
        offered = () if message.deleted else _offered(message)
        return next((each for each in offered if _key(*each) not in self.used), None)

    def undrawn(self) -> Iterator[tuple[Message, str]]:
        """The declared controls that stood nowhere, each on every message of their kind."""
        for message in self.seen:
            for ids in {type(each): each for each in _read(message)}.values():
                yield from ((message, each) for each in _declared(ids) if not message.deleted)


def _key(custom_id: str, value: str) -> Key:
    return re.sub(r"\d+", "", custom_id), value.partition(":")[0].rstrip("0123456789")


def _read(message: Message) -> Iterator[object]:
    return (read(each.custom_id) for each in message.controls)


def _offered(message: Message) -> Iterator[tuple[str, str]]:
    """The controls of a message as it is now, with a value of each kind in its menus."""
    for each in [*message.controls]:
        if each.disabled or each.custom_id == FORGET:
            continue
        if isinstance(each, Button):
            yield each.custom_id, ""
        elif isinstance(each, Select):
            yield from ((each.custom_id, choice.value) for choice in each.choices)
        else:
            yield each.custom_id, str(message.channel.id)


def _declared(ids: object) -> Iterator[str]:
    """The ids of all controls of the kind of one."""
    match ids:
        case BoardControl():
            for action in Action:
                word = "m0" if action is Action.MOVE else action
                yield board_id(ids.session, ids.ply, word)
        case TournamentControl():
            yield from (
                page_id(TournamentControl(ids.tournament, each, 0)) for each in TournamentAction
            )
        case GuildSetting() | OwnSetting() | ForgetAnswer():
            yield from map(page_id, type(ids))


async def reached(tour: Tour) -> None:
    """Messages of all kinds, and every command."""
    bot = tour.bot
    ann, ben, cleo, dan = bot.people
    over = await bot.friends()
    await bot.resign(ann, over)
    solo = [await bot.opened(cleo, level="easy"), await bot.opened(cleo)]
    for board in solo:  # a game that nobody has touched would make room without a question
        free = next(each for each in board.buttons if not marked(each))
        await bot.mark(cleo, board, free.position)
    full = await ludo.opened(bot.sandbox, cleo)
    await bot.press(cleo, full, says("control.fill"))
    lobby = await ludo.seated(bot.sandbox, (ann, ben))
    hall = Hall(bot, [ann, ben, dan])
    tour.seen += [
        (await ludo.press(ann, lobby, says("control.proof"))).message,
        lobby,
        over,
        await bot.friends(),
        await bot.opened(ann, opponent=ben),
        await ludo.begun(bot.sandbox, (ann, ben)),
        *solo,
        await hall.open(),
    ]
    await tour.use(await cleo.press(full, says("control.start")))
    await tour.use(await cleo.type(bot.games, "tictactoe"))
    for command in bot.sandbox.world.commands:
        if command.type is CommandType.USER:
            await tour.use(await ann.choose(bot.games, command.name, ben))
        elif command.type is CommandType.MESSAGE:
            await tour.use(ann.on_message(command.name, over))
        else:
            await tour.use(await ann.type(bot.games, command.name))
    told = next(each for each in reversed(tour.seen) if each.ephemeral)
    for page in (HelpPage(1), GamesPage(None, 1)):  # there is not so much to tell
        await tour.press(told, page_id(page))


def _rows(table: Table, connection: Connection) -> Sequence[Row[Any]]:
    return connection.execute(select(table)).all()


async def numbers(bot: RunningBot) -> set[int]:
    """All numbers that are stored."""
    found: set[int] = set()
    for table in metadata.sorted_tables:
        rows = await bot.store.database.run(partial(_rows, table))
        found.update(each for row in rows for each in row if isinstance(each, int))
    return found


@pytest.mark.sampled(1)
@pytest.mark.parametrize("trouble", TROUBLE)
async def test_whatever_is_pressed_is_acknowledged_before_any_other_request(
    running_bot: RunningBot, caplog: pytest.LogCaptureFixture, sample: Sample, trouble: str
) -> None:
    tour = Tour(running_bot, TROUBLE[trouble])
    await reached(tour)
    for message in [*tour.seen]:
        await tour.explore(message)
    used = {each.partition(":")[0] for each in tour.used.values()}
    assert used == {*KINDS}
    for message, custom_id in sample([*tour.undrawn()], MOST_FORGED):
        await tour.press(message, custom_id)

    assert tour.faults, "no handler has made another request"
    assert not any(tour.faults), tour.faults
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]
    known, world = await numbers(running_bot), running_bot.sandbox.world
    sent = [each for each in world.by_nonce.values() if not each.deleted]
    assert [each.text for each in sent if int(each.id) not in known] == []
