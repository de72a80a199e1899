"""A hall where people play a tournament in the sandbox, by what they see there."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from random import Random, getrandbits
from typing import Final

from sqlalchemy import func, select

from bot.sandbox import Channel, Interaction, Message
from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import ChannelKind
from bot.sandbox.payload import fixed
from bot.sandbox.web.calls import Call
from bot.screens.tournament_controls import TournamentAction, TournamentControl
from bot.service.weekly_arenas import SIGN_UP_AHEAD
from bot.storage.check.games import false_tournaments
from bot.storage.choices import GuildId
from bot.storage.records.badges import titles
from bot.storage.schema.tournament_tables import tournaments
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.tournament import Format, Stage, Tournament, TournamentId
from bot.ui.custom_ids import read
from tests.bot.english import mover_in, says
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import OFFER, RunningBot, marked

FIRST_GUEST: Final = 5_000
SOON: Final = timedelta(seconds=5)
LASTS: Final = 20
"""The minutes of an arena."""

ROUNDS_UNTIL_ALL_IS_THERE: Final = 5
MOST_PRESSES: Final = 25
"""The most presses of one control, each of which would have been enough."""
NONE_YET: Final = TournamentId(0)
A_DRAW: Final = ((0, 0), (1, 1), (2, 2), (0, 1), (2, 1), (2, 0), (0, 2), (1, 2), (1, 0))
"""The squares of a game of tic-tac-toe that nobody wins."""


def guests(sandbox: Sandbox, many: int) -> list[Person]:
    """A number of people of the server: its residents first, then others."""
    world = sandbox.world
    people = [sandbox.person(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    for number in range(many - len(people)):
        account = Account(fixed(FIRST_GUEST + number), f"Guest{number}", "#888888")
        if account.id not in world.accounts:
            world.accounts[account.id] = account
            world.people.append(account)
        people.append(Person(world.accounts[account.id], world, sandbox.interactions))
    return people[:many]


def boards(sandbox: Sandbox, *kinds: ChannelKind) -> list[Message]:
    """The boards in all channels of these kinds where somebody is to move."""
    return [
        each
        for channel in sandbox.world.channels.values()
        if channel.kind in kinds
        for each in sandbox.world.messages(channel)
        if not each.ephemeral and mover_in(each.text) is not None
    ]


async def form(person: Person, at: Channel) -> Interaction:
    """The form for a new tournament: at once, or by the button of the list of those open."""
    typed = await (await person.type(at, "tournament")).answered()
    if typed.modal is not None:
        return typed
    return await (await person.press(typed.message, says("control.tournament.new"))).answered()


@dataclass
class Hall:
    """A tournament at which `people` play; those `away` do nothing at all.

    Who begins a game of tic-tac-toe wins it with the third mark. With `draws` every other game of
    those who are there is one, and the rest are played at random, by a seed. With `twice` one press
    in eight comes a second time.
    """

    bot: RunningBot
    people: list[Person]
    rng: Random = field(default_factory=lambda: Random(getrandbits(64)))
    away: set[str] = field(default_factory=set)
    number: TournamentId = NONE_YET
    draws: bool = False
    twice: bool = False
    begun: int = 0
    pressed: Counter[str] = field(default_factory=Counter)

    @property
    def host(self) -> Person:
        return self.people[0]

    @property
    def message(self) -> Message:
        """The message for all."""
        return self.messages[0]

    @property
    def messages(self) -> list[Message]:
        """The messages for all, of which there should be one."""
        return [each for each in self.told("games") if self._controls(each, "rules")]

    @property
    def thread(self) -> Channel | None:
        """The thread of the tournament."""
        channels = self.bot.sandbox.world.channels.values()
        return next((each for each in channels if each.id == self.message.id), None)

    def told(self, channel: str) -> list[Message]:
        """The messages of a channel that everybody can read."""
        return [each for each in self.bot.sandbox.messages(channel) if not each.ephemeral]

    async def honour_winners(self, role: int) -> None:
        """The server's choice of a role for winners."""
        guild = GuildId(int(self.bot.games.guild_id or 0))
        await self.bot.parlour.stores.guilds.choose(guild, winner_role=role)

    async def open(self, **choices: str) -> Message:
        """A tournament opened by the host by the form, which everybody else joins."""
        await self.sign_up(**choices)
        for person in self.people[1:]:
            await self.press(person, TournamentAction.JOIN)
        return self.message

    async def sign_up(self, **choices: str) -> Interaction:
        """The form that opens the sign-up, sent and answered."""
        choices = {"game": "tictactoe-3", **choices}
        opened = await self.host.fill(await form(self.host, self.bot.games), choices)
        self.number = TournamentId(int(opened.id))
        return await self.bot.done(opened)

    async def press(
        self, person: Person, action: TournamentAction, on: Message | None = None
    ) -> Interaction:
        """A control of the tournament pressed, and answered."""
        message = on or self.message
        own = next(
            button.custom_id for button in message.buttons if f":{action}:" in button.custom_id
        )
        return await self._pressed(person, message, own)

    async def told_by(
        self, person: Person, action: TournamentAction, on: Message | None = None
    ) -> Message:
        """The answer to a control that asks Discord for something first."""
        pressed = await self.press(person, action, on)
        return pressed.followups[-1] if pressed.followups else pressed.message

    async def hosted(self) -> HostedTournament:
        """The tournament as it is stored."""
        return await self.bot.parlour.use_cases.tournaments.hosted(self.number)

    async def tournament(self) -> Tournament:
        return (await self.hosted()).tournament

    async def later(self, by: timedelta = SOON) -> None:
        """Time that passed, the round after it, and what matches that have ended led to."""
        await self.bot.later(by)
        await self.bot.clock.waited_for()
        ended = {each for each in asyncio.all_tasks() if each.get_name() == "match ended"}
        await asyncio.gather(*ended)

    def calls(self) -> list[Message]:
        """The messages in the thread that call players to their tables."""
        assert self.thread is not None
        return [each for each in self.told(self.thread.name) if ":here:" in str(each.buttons)]

    def boards(self) -> list[Message]:
        """The boards of matches that are played, wherever they are."""
        return boards(self.bot.sandbox, ChannelKind.THREAD, ChannelKind.TEXT)

    async def move(self, board: Message) -> bool:
        """One move; False if the game is over, who moves is away, or the press is refused."""
        found = mover_in(board.text)
        mover = next((each for each in self.people if str(each.id) == found), None)
        if mover is None or mover.name in self.away:
            return False
        offered = [
            button
            for button in board.buttons
            if OFFER.fullmatch(button.custom_id) and not (button.disabled or marked(button))
        ]
        chosen = offered[0 if len(offered) % 2 else -1]
        if self.draws:
            chosen = self.rng.choice(offered)
            squares = {each.position: each for each in offered}
            here = {each.name for each in self.people if str(each.id) in board.text}
            self.begun += len(squares) == len(A_DRAW) and here.isdisjoint(self.away)
            if self.begun % 2:
                chosen = next(squares[each] for each in A_DRAW if each in squares)
        told = await self._pressed(mover, board, chosen.custom_id)
        self.pressed[chosen.custom_id] += 1
        if self.pressed[chosen.custom_id] > MOST_PRESSES:
            raise AssertionError(f"presses change nothing: {board.text} {told.message.text}")
        return not told.message.ephemeral  # as a board that a killed process had just sent

    async def play_boards(self) -> int:
        """Every board played as far as it goes, and the number of moves."""
        moves = 0
        for board in self.boards():
            while await self.move(board):
                moves += 1
        return moves

    async def play(self, most: int = 200) -> Tournament:
        """The tournament played to its end; where nothing moves time passes until it does.

        Before that the bot has some rounds, and what it needs to send boards once more.
        """
        idle = 0
        for _ in range(most):
            hosted = await self.hosted()
            if hosted.tournament.stage not in {Stage.SIGN_UP, Stage.RUNNING}:
                return hosted.tournament
            idle = 0 if await self.play_boards() else idle + 1
            over = self.away and idle > ROUNDS_UNTIL_ALL_IS_THERE
            if over and await self._lacks_boards(hosted):
                await self.bot.sandbox.until(partial(self._more_than, len(self.boards())))
            else:
                await self.later(timedelta(minutes=5) if over else SOON)
            idle = 0 if over else idle
        raise AssertionError(f"not over after {most} rounds: {await self.tournament()}")

    def _more_than(self, boards: int) -> bool:
        return len(self.boards()) > boards

    async def _lacks_boards(self, hosted: HostedTournament) -> bool:
        """Whether a match has no board yet."""
        tables = [leg.table for leg in hosted.to_call if leg.table is not None]
        places = [(await self.bot.store.table(each)).place for each in tables]
        return any(place.message is None for place in places)

    async def _pressed(self, person: Person, message: Message, control: str) -> Interaction:
        pressed = await self.bot.done(await person.press(message, custom_id=control))
        if self.twice and self.rng.random() < 1 / 8:
            self.bot.sandbox.redeliver(pressed)
        return pressed

    def _controls(self, message: Message, action: str) -> bool:
        found = (read(button.custom_id) for button in message.buttons)
        return any(
            isinstance(ids, TournamentControl)
            and ids.action == action
            and ids.tournament == self.number
            for ids in found
        )


async def weekly(running_bot: RunningBot, many: int) -> Hall:
    """A weekly arena of tic-tac-toe, whose sign-up has come, for a number of people."""
    hall = Hall(running_bot, guests(running_bot.sandbox, many))
    guild = GuildId(int(running_bot.games.guild_id or 0))
    arenas = running_bot.parlour.use_cases.weekly_arenas
    channel = int(running_bot.games.id)
    await arenas.choose(guild, arena_channel=channel, arena_game="tictactoe-3", arena_minutes=LASTS)
    await sign_up_comes(hall)
    return hall


async def sign_up_comes(hall: Hall) -> None:
    """Time that passes until the sign-up of the next arena comes."""
    guild = GuildId(int(hall.bot.games.guild_id or 0))
    at = hall.bot.parlour.stores.guilds.of(guild).arena_next
    assert at is not None
    await hall.later(at - SIGN_UP_AHEAD - hall.bot.clock.now())
    await hall.later()
    database = hall.bot.store.database
    latest = select(func.max(tournaments.c.id)).where(tournaments.c.format == Format.ARENA)
    hall.number = TournamentId(await database.run(lambda c: c.execute(latest).scalar_one()))


async def start_comes(hall: Hall) -> None:
    """Time that passes until an arena has started and its first boards are there."""
    starts_at = (await hall.hosted()).starts_at
    assert starts_at is not None
    await hall.later(starts_at - hall.bot.clock.now())
    while (await hall.hosted()).thread is None:
        await hall.later()
    await hall.later()


async def over(hall: Hall) -> Tournament:
    """The tournament played to its end, where everything agrees with its tables."""
    await hall.play()
    await hall.later()
    found = await agreed(hall)
    assert found.stage is Stage.OVER
    tables = [leg.table for leg in found.legs if leg.table is not None]
    assert len({*tables}) == len(tables)
    return found


async def agreed(hall: Hall) -> Tournament:
    """The tournament, which agrees with its tables, and its champion with the titles."""
    database = hall.bot.store.database
    assert await database.run(lambda c: [*false_tournaments(c)]) == []
    found = await hall.tournament()
    for entry in found.entries:
        own = titles(entry.person, found.game)
        won = await database.run(lambda c, own=own: c.execute(own).scalars().all())  # type: ignore[misc]
        assert (hall.number in won) == (entry == found.champion)
    return found


async def all_is_told(hall: Hall) -> None:
    """The rounds after which none of those that read a tournament whole finds anything to do."""
    while await hall.bot.parlour.use_cases.tournaments.stored.untold():
        await hall.later()


async def started(running_bot: RunningBot, many: int, **choices: str) -> Hall:
    """A tournament that a number of people have begun."""
    hall = Hall(running_bot, guests(running_bot.sandbox, many))
    await hall.open(**choices)
    await hall.press(hall.host, TournamentAction.START)
    return hall


def meant(method: str, path: str, part: str) -> tuple[str, str, Callable[[Call], bool]]:
    """A request by its method, its path, and what is in it."""
    return method, path, lambda call: part in json.dumps(call.sent.body)
