"""The people of a simulation, who act by habit on what they see."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any, Final

from bot.games.variants import duels
from bot.sandbox import Channel, Impossible, Interaction, Message
from bot.sandbox.model.commands import (
    INNER,
    CommandOption,
    CommandType,
    OptionType,
    RegisteredCommand,
)
from bot.sandbox.model.components import Button, ComponentType, Control, Select
from bot.sandbox.refusals import NotAnswered
from bot.screens.me import ForgetAnswer, OwnSetting
from bot.screens.settings import GuildSetting
from bot.screens.tournament_panel import NewTournament
from bot.ui.custom_ids import page_id
from tests.bot.english import mover_in
from tests.bot.people import Person, answers

if TYPE_CHECKING:
    from tests.simulation.world import World

LOOKED_AT: Final = 40
"""The messages at the end of a channel that are read."""

TURN: Final = re.compile(r"p1:\d+:\d+:(?:roll|m\d+)")
INVITED: Final = re.compile(
    r"p1:\d+:\d+:(?:accept|join|start|fill|claim|agree|rematch)|t1:\d+:(?:join|here|start|back).*"
)
GATHERING: Final = re.compile(r"t1:\d+:(?:join|here|start).*")
WANDERING: Final = re.compile(r"t1:\d+:(?:join|leave|back).*")
NUMBER: Final = re.compile(r"\d+")

Habit = Callable[["Dweller"], "asyncio.Future[None] | Any"]


@dataclass(frozen=True, slots=True)
class Read:
    """A message as people read it: whose turn it is, and what they can use."""

    edits: int
    mover: str | None
    controls: tuple[Control, ...]

    @classmethod
    def of(cls, message: Message) -> Read:
        """A message, read."""
        offered = (each for each in message.controls if not each.disabled and each.custom_id)
        return cls(message.edits, mover_in(message.text), tuple(offered))


class Dweller:
    """A person who lives in the simulation: their kind, and how often they act, in seconds."""

    def __init__(self, world: World, person: Person, kind: str, every: float, rng: Random) -> None:
        self.world = world
        self.person = person
        self.kind = kind
        self.every = every
        self.rng = rng
        self.away_until = 0.0

    async def live(self) -> None:
        """Act now and then, until cancelled."""
        habits = {"sensible": self._sensibly, "careless": self._carelessly, "hostile": self._badly}
        habit = habits[self.kind]
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self.rng.expovariate(1 / self.every))
            if not self.world.lively or loop.time() < self.away_until:
                continue
            try:
                await habit()
            except (Impossible, NotAnswered, LookupError):
                continue

    async def _sensibly(self) -> None:
        if self.rng.random() < 0.01:
            await self._ask_to_be_forgotten()
            return
        if self.rng.random() < 0.1 and await self._do_as_others():
            return
        if self.rng.random() < 0.15 and await self._come(GATHERING):
            return
        if await self._take_turn() or (self.rng.random() < 0.7 and await self._come()):
            return
        if self.rng.random() < 0.07:
            await self._organise()
        elif self.rng.random() < 0.3:
            await self._type_something()
        elif self.rng.random() < 0.15:
            await self._press_anything()

    async def _carelessly(self) -> None:
        drawn = self.rng.random()
        if drawn < 0.1:
            self.away_until = asyncio.get_running_loop().time() + self.rng.uniform(20, 400)
        elif drawn < 0.5:
            await self._take_turn(twice=self.rng.random() < 0.4)
        elif drawn < 0.6:
            await self._come()
        elif drawn < 0.65:
            await self._come(WANDERING)
        elif drawn < 0.75:
            await self._do_as_others()
        elif drawn < 0.92:
            await self._press_anything(twice=self.rng.random() < 0.3)
        else:
            await self._type_something()

    async def _badly(self) -> None:
        drawn = self.rng.random()
        if drawn < 0.45:
            await self._forge()
        elif drawn < 0.55:
            self._delete_something()
        elif drawn < 0.62:
            self._spoil_a_channel()
        elif drawn < 0.8:
            await self._press_anything(twice=True)
        else:
            await self._type_something()

    @property
    def _channels(self) -> list[Channel]:
        there = [each for each in self.world.channels if each.open_to(self.person.account)]
        if self.person.id in self.world.wire.left:
            there = [each for each in there if each.guild_id is None]
        return [*there, self.person.dm]

    def _messages(self, channel: Channel | None = None, *, private: bool = True) -> list[Message]:
        channel = channel or self.rng.choice(self._channels)
        there = self.world.sandbox.world.messages(channel)[-LOOKED_AT:]
        sees = self.world.sandbox.world.sees
        account = self.person.account
        return [each for each in there if sees(account, each) and (private or not each.ephemeral)]

    async def _take_turn(self, *, twice: bool = False) -> bool:
        own = str(self.person.id)
        channels = self._channels
        self.rng.shuffle(channels)
        for channel in channels:
            for message in reversed(self._messages(channel, private=False)):
                read = self.world.read(message)
                if read.mover != own:
                    continue
                offered = [each for each in read.controls if TURN.fullmatch(each.custom_id)]
                if offered:
                    await self._use(message, self.rng.choice(offered), twice=twice)
                    return True
        return False

    async def _organise(self) -> None:
        """Open a tournament, as the form asks."""
        channels = [each for each in self._channels if each.guild_id is not None]
        typed = await (await self.person.type(self.rng.choice(channels), "tournament")).answered()
        if typed.modal is None:  # some are open, and listed
            typed = await self.person.press(typed.message, custom_id=page_id(NewTournament()))
        await self._followed(typed)

    async def _ask_to_be_forgotten(self) -> None:
        """Have all that is known about oneself deleted, as the panel of `/me` does."""
        panel = await (await self.person.type(self.rng.choice(self._channels), "me")).answered()
        for control in (OwnSetting.FORGET, ForgetAnswer.FORGET):
            await (await self.person.press(panel.message, custom_id=page_id(control))).answered()

    async def _come(self, invited: re.Pattern[str] = INVITED) -> bool:
        offers = [
            (message, button)
            for message in self._messages(private=False)
            for button in self.world.read(message).controls
            if invited.fullmatch(button.custom_id)
        ]
        if not offers:
            return False
        await self._use(*self.rng.choice(offers[-8:]))
        return True

    async def _do_as_others(self) -> bool:
        """Use something of the message that was used last, perhaps while it is being answered."""
        message = self.world.used
        if message is None or message not in self._messages(message.channel, private=False):
            return False
        offered = self.world.read(message).controls
        if not offered:
            return False
        coming = [each for each in offered if INVITED.fullmatch(each.custom_id)]
        await self._use(message, self.rng.choice(coming or offered))
        return True

    async def _press_anything(self, *, twice: bool = False) -> None:
        found = [
            (message, control)
            for message in self._messages()
            for control in self.world.read(message).controls
        ]
        if found:
            await self._use(*self.rng.choice(found), twice=twice)

    async def _use(self, message: Message, control: Control, *, twice: bool = False) -> None:
        values = self._values(control)
        pressed = self.person.use(message, control, values)
        if twice:
            await asyncio.sleep(self.rng.choice((0.0, 0.01, 0.15)))
            self.person.use(message, control, values)
        await self._followed(pressed)

    async def _followed(self, pressed: Interaction) -> None:
        """Wait for the answer, and fill in a form if that is one."""
        await pressed.answered()
        if pressed.modal is not None and self.rng.random() < 0.8:
            self.person.fill_in(pressed, answers(pressed.modal, self._word(), self.rng))

    def _word(self) -> str:
        return self.rng.choice(("7", "hello", "1", "Ω ☃", "12345678901", "a" * 30))

    def _values(self, control: Control) -> list[object]:
        if isinstance(control, Button):
            return []
        least, most = max(1, control.min_values), max(1, control.max_values)
        count = self.rng.randint(least, max(least, min(most, 3)))
        if isinstance(control, Select):
            there = [each.value for each in control.choices]
            return list(self.rng.sample(there, min(count, len(there))))
        if control.type is ComponentType.USER_SELECT:
            return [str(self.rng.choice(self.world.dwellers).person.id)]
        return [str(self.rng.choice(self.world.channels).id)]

    async def _forge(self) -> None:
        """Use a control that is elsewhere, or nowhere, on a message that is here."""
        here = [each for each in self._messages() if each.author is self.world.sandbox.world.bot]
        elsewhere = [
            control
            for channel in self.world.channels
            for message in self.world.sandbox.world.messages(channel)[-LOOKED_AT:]
            for control in self.world.read(message).controls
        ]
        if not here or not elsewhere:
            return
        control = self.rng.choice(elsewhere)
        custom_id = control.custom_id
        if self.rng.random() < 0.5:
            custom_id = NUMBER.sub(
                lambda found: str(max(0, int(found[0]) + self.rng.choice((-1, 0, 1)))), custom_id
            )
        values = [] if isinstance(control, Button) else ["forged", "1"][: self.rng.randint(1, 2)]
        if isinstance(control, Select) and self.rng.random() < 0.5:
            values = [control.choices[0].value]
        forged = self.person.forge(self.rng.choice(here), custom_id[:100], *values)
        self.world.chronicle.note("forged", f"{self.person.name} {custom_id}")
        self.world.holds.forged.add(int(forged.id))
        await forged.answered()

    def _delete_something(self) -> None:
        there = self._messages(private=False)
        if there:
            self.person.delete(self.rng.choice(there))

    def _spoil_a_channel(self) -> None:
        self.world.spoil(self.rng.choice(self.world.channels))

    async def _type_something(self) -> None:
        world = self.world
        channel = self.rng.choice(self._channels)
        playing = self.rng.random() < 0.55
        commands = world.sandbox.world.commands
        if not commands:
            return
        if playing:
            games = [each for each in commands if each.name in PLAYED]
            command = self.rng.choice(games)
        else:
            command = self.rng.choice(commands)
        if command.type is CommandType.USER:
            other = self.rng.choice(world.dwellers).person
            typed = await self.person.choose(channel, command.name, other)
        elif command.type is CommandType.MESSAGE:
            target = self.rng.choice(self._messages(private=False))
            typed = self.person.on_message(command.name, target)
        else:
            path, options = self._typed(command)
            typed = await self.person.type(channel, path, **options)
        await self._followed(typed)

    def _typed(self, command: RegisteredCommand) -> tuple[str, dict[str, Any]]:
        path, options = [command.name], command.options
        while options and options[0].type in INNER:
            inner = self.rng.choice(options)
            path.append(inner.name)
            options = inner.options
        given: dict[str, Any] = {}
        for option in options:
            if option.required or self.rng.random() < OFTEN.get(option.name, 0.2):
                given[option.name] = self._option(option)
        return " ".join(path), given

    def _option(self, option: CommandOption) -> Any:
        match option.type:
            case OptionType.BOOLEAN:
                return self.rng.random() < 0.5
            case OptionType.USER:
                return self.rng.choice(self.world.dwellers).person
            case OptionType.CHANNEL:
                return self.rng.choice(self.world.channels)
            case _ if option.choices:
                thought = option.name == "level"  # the last ones take a process that thinks
                choices = (
                    option.choices[-self.rng.choice((1, 2, 2, 4)) :] if thought else option.choices
                )
                return self.rng.choice(choices).value
            case OptionType.INTEGER:
                least, most = option.min_value or 0, option.max_value or 99
                return self.rng.randint(least, min(most, least + 12))
            case _:
                return self._word()


PLAYED: Final = {"tictactoe", "connectfour", "ludo", "tournament"}
OFTEN: Final = {"opponent": 0.4, "anyone": 0.3, "computers": 0.4, "size": 0.1, "level": 0.7}


async def furnish(owner: Person, channel: Channel, now: float, rng: Random) -> None:
    """Have a server's owner choose its news, its weekly arena and the role of its winners."""
    panel = (await (await owner.type(channel, "settings")).answered()).message

    async def choose(setting: str, *values: object) -> None:
        nonlocal panel
        custom_id = page_id(GuildSetting(setting))
        control = next((each for each in panel.controls if each.custom_id == custom_id), None)
        if control is not None and (values or isinstance(control, Button)):
            panel = (await owner.use(panel, control, [*map(str, values)]).answered()).message

    moment = datetime.fromtimestamp(now, UTC)
    await choose("news", channel.id)
    await choose("hour", rng.choice((moment.hour, moment.hour + 1, moment.hour + 5)) % 24)
    await choose("more")
    await choose("role", *roles(panel))
    await choose("arena")
    starts = moment + timedelta(hours=rng.randint(5, 40))
    await choose("arena_channel", channel.id)
    await choose("arena_game", rng.choice([*duels()]))
    await choose("arena_day", starts.weekday())
    await choose("arena_hour", starts.hour)
    await choose("arena_minutes", 20)


def roles(panel: Message) -> list[str]:
    """The role that a panel offers first for winners, if it offers any."""
    menus = (each for each in panel.selects if each.custom_id == page_id(GuildSetting.ROLE))
    return [each.value for menu in menus for each in menu.choices if each.value.isdecimal()][:1]
