"""The panels of `/me` and `/settings`, as people open and use them."""

from __future__ import annotations

from bot.sandbox import Channel, Interaction, Message
from bot.sandbox.model.components import Button, Select
from bot.screens.me import OwnSetting
from bot.screens.settings import GuildSetting
from bot.ui.custom_ids import page_id
from tests.bot.people import Person
from tests.bot.ui.conftest import RunningBot

KINDS = {"me": OwnSetting, "settings": GuildSetting}


def control(what: str) -> str:
    """The id of a control, such as `me language`."""
    command, setting = what.split()
    return page_id(KINDS[command](setting))


async def opened(
    running_bot: RunningBot, person: Person, command: str, at: Channel | None = None
) -> Message:
    """The panel that a command shows to the person alone."""
    message = (await (await person.type(at or running_bot.games, command)).answered()).message
    assert message.ephemeral
    return message


async def use(
    running_bot: RunningBot,
    person: Person,
    what: str,
    *values: str | Person | Channel,
    at: Channel | None = None,
) -> Interaction:
    """A control of a panel newly opened, used: a menu with its values, or a button."""
    command, _ = what.split()
    panel = await opened(running_bot, person, command, at)
    if control(what) not in [each.custom_id for each in panel.controls]:
        panel = (await used(person, panel, f"{command} more")).message
    return await used(person, panel, what, *values)


async def used(
    person: Person, panel: Message, what: str, *values: str | Person | Channel
) -> Interaction:
    """A control of a panel, used."""
    found = next(each for each in panel.controls if each.custom_id == control(what))
    picked = [str(each.id) if isinstance(each, Person | Channel) else each for each in values]
    return await person.use(panel, found, picked).answered()


async def choose(
    running_bot: RunningBot,
    person: Person,
    what: str,
    *values: str | Person | Channel,
    at: Channel | None = None,
) -> Message:
    """The panel after something was chosen in it, such as `me language`, and was saved."""
    chosen = await use(running_bot, person, what, *values, at=at)
    assert chosen.message is chosen.source
    return chosen.message


def held(panel: Message, what: str) -> list[str]:
    """The values that a menu of a panel shows as chosen."""
    menu = next(each for each in panel.controls if each.custom_id == control(what))
    assert not isinstance(menu, Button)
    if isinstance(menu, Select):
        return [each.value for each in menu.choices if each.default]
    return [str(each.id) for each in menu.chosen]


def offered(panel: Message) -> list[str]:
    """The controls of a panel, by the names of what they set."""
    named = (f"{command} {each}" for command, kind in KINDS.items() for each in kind)
    names = {control(what): what for what in named}
    return [names[each.custom_id] for each in panel.controls]
