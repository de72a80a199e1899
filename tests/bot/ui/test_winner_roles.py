"""The role for winners of tournaments: nobody gets power by it, whatever they choose and win."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from discord import Permissions

from bot.sandbox import Membership, Message, Permission
from bot.sandbox.model.accounts import Role
from bot.sandbox.model.components import Select
from bot.sandbox.model.news import ChannelChange
from bot.sandbox.payload import fixed
from bot.screens.settings import NO_ROLE
from bot.storage.choices import GuildId
from bot.ui.winner_roles import POWERS
from tests.bot.english import like, says
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import EDIT
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.hall import SOON, Hall, over, started
from tests.bot.ui.panels import control, held, opened, used

CHAMPION, MODS, ADMINS, BOTS = ("Champion", "Mods", "Admins", "Parlour")


def with_roles(sandbox: Sandbox, *more: Role) -> dict[str, Role]:
    """The roles of the server by name, from the lowest: Champion, Mods, Admins, then the bot's."""
    champion, own = sandbox.world.guild.roles
    mods = Role(fixed(41), MODS, 2, Permission.MANAGE_ROLES)
    admins = Role(fixed(42), ADMINS, 3, Permission.ADMINISTRATOR)
    own.position = 50
    sandbox.world.guild.roles[:] = [champion, mods, admins, *more, own]
    return {role.name: role for role in sandbox.world.guild.roles}


def regrant(bot: RunningBot, role: Role, granted: Permission) -> None:
    """Give a role other permissions, of which the bot is told."""
    role.granted = granted
    bot.sandbox.change_roles()


async def second_page(bot: RunningBot, person: Person) -> Message:
    panel = await opened(bot, person, "settings")
    return (await used(person, panel, "settings more")).message


def offered(panel: Message, roles: Collection[Role]) -> set[str]:
    """The names of the roles that the menu offers."""
    menu = next(each for each in panel.menus if each.custom_id == control("settings role"))
    assert isinstance(menu, Select)
    names = {str(role.id): role.name for role in roles}
    return {names[choice.value] for choice in menu.choices if choice.value != NO_ROLE}


def chosen_role(bot: RunningBot) -> int | None:
    guild = GuildId(bot.sandbox.world.guild.id)
    return bot.parlour.use_cases.stores.guilds.of(guild).winner_role


async def podium(hall: Hall) -> str:
    """The last message of a tournament played to its end."""
    await over(hall)
    return hall.told("games")[-1].text


async def test_a_manager_of_the_server_becomes_no_administrator_by_winning(
    open_bot: Open, sandbox: Sandbox
) -> None:
    roles = with_roles(sandbox)
    champion, admins = roles[CHAMPION], roles[ADMINS]
    async with open_bot() as bot:
        ann, ben, *_ = bot.people
        everybody = [person.account for person in bot.people]

        # 1. With Manage Server alone there is nothing to choose, and a line says why.
        ben.grant(Permission.MANAGE_GUILD)
        panel = await second_page(bot, ben)
        assert offered(panel, roles.values()) == set()
        assert says("refusal.role_not_given") in panel.text

        # 2. A forged choice is refused.
        forged = await ben.forge(panel, control("settings role"), str(admins.id)).answered()
        refused = like("refusal.role_not_given", "refusal.not_offered")
        assert refused.search(await bot.sentence(forged))
        assert chosen_role(bot) is None

        # 3. With Manage Roles there are the roles below one's own; Admins is not even the owner's.
        ben.account.roles.add(roles[MODS].id)
        panel = await second_page(bot, ben)
        assert offered(panel, roles.values()) == {CHAMPION}
        assert offered(await second_page(bot, ann), roles.values()) == {CHAMPION}
        await used(ben, panel, "settings role", str(champion.id))
        assert chosen_role(bot) == champion.id

        # 4. Three friends who join and never come make nobody champion.
        hall = await started(bot, 4, format="knockout")
        hall.away |= {person.name for person in hall.people}
        told = await podium(hall)
        assert like("tournament.no_champion").search(told)
        assert not like("tournament.podium").search(told)
        assert not any(champion.id in account.roles for account in everybody)

        # 5. The role becomes powerful after it was chosen, and is not given any more.
        regrant(bot, champion, Permission.ADMINISTRATOR)
        hall = await started(bot, 3, format="all_play_all", places="3")
        told = await podium(hall)
        assert like("tournament.podium").search(told)
        assert like("tournament.role.unsafe", host=ann.mention).search(told)
        assert not any(champion.id in account.roles for account in everybody)
        assert (
            says("settings.role.held", role=f"<@&{champion.id}>")
            in (await second_page(bot, ben)).text
        )

        # 6. Harmless again it is given to who really won, and the audit log names the tournament.
        regrant(bot, champion, Permission(0))
        hall = await started(bot, 3, format="all_play_all", places="3")
        told = await podium(hall)
        winner = (await hall.tournament()).champion
        assert winner is not None
        assert like("tournament.role.given", winner=f"<@{winner.person}>").search(told)
        assert [int(a.id) for a in everybody if champion.id in a.roles] == [winner.person]
        (reason,) = sandbox.world.guild.audit_log
        assert like("tournament.role.reason", number=str(hall.number)).search(reason)
        assert not any(admins.id in account.roles for account in everybody)


async def test_roles_with_power_and_those_that_nobody_gives_are_not_offered(
    open_bot: Open, sandbox: Sandbox
) -> None:
    powers = [name for name, granted in POWERS if granted]
    powerful = [
        Role(fixed(50 + n), name, 4 + n, Permission(getattr(Permissions, name).flag))
        for n, name in enumerate(powers)
    ]
    roles = with_roles(
        sandbox,
        *powerful,
        Role(fixed(80), "Robot", 45, managed=True),
        Role(fixed(81), "Linked", 46, linked=True),
        Role(fixed(82), "Guards", 47),
        Role(fixed(83), "Above", 60),
        Role(fixed(84), "Talkers", 48, Permission.SEND_MESSAGES),
    )
    sandbox.channel("games").granted[fixed(82)] = Permission.MANAGE_MESSAGES
    async with open_bot() as bot:
        ann, ben, *_ = bot.people

        assert offered(await second_page(bot, ann), roles.values()) == {CHAMPION, "Talkers"}

        ben.grant(Permission.MANAGE_GUILD)
        ben.account.roles.add(roles["Above"].id)
        assert offered(await second_page(bot, ben), roles.values()) == set(), "no Manage Roles"


async def test_a_right_in_a_channel_is_no_right_to_give_roles(
    open_bot: Open, sandbox: Sandbox
) -> None:
    roles = with_roles(sandbox, Role(fixed(43), "Hosts", 4))
    async with open_bot() as bot:
        _, ben, *_ = bot.people
        ben.grant(Permission.MANAGE_GUILD, Permission.MANAGE_ROLES)  # by no role of theirs
        ben.account.roles.add(roles["Hosts"].id)

        assert offered(await second_page(bot, ben), roles.values()) == set()


async def test_a_role_that_one_may_not_choose_can_be_taken_away_by_who_manages_the_server(
    open_bot: Open, sandbox: Sandbox
) -> None:
    roles = with_roles(sandbox)
    async with open_bot() as bot:
        ann, ben, *_ = bot.people
        await used(ann, await second_page(bot, ann), "settings role", str(roles[CHAMPION].id))
        ben.grant(Permission.MANAGE_GUILD)
        panel = await second_page(bot, ben)
        assert held(panel, "settings role") == []
        assert like("settings.role.held", role=f"<@&{roles[CHAMPION].id}>").search(panel.text)

        await used(ben, panel, "settings role", NO_ROLE)

        assert chosen_role(bot) is None


@pytest.mark.parametrize("power", ["in the server", "in a channel", "linked", "above the bot"])
async def test_a_role_that_has_changed_since_it_was_chosen_is_not_given(
    open_bot: Open, sandbox: Sandbox, power: str
) -> None:
    champion = with_roles(sandbox)[CHAMPION]
    async with open_bot() as bot:
        ann, *_ = bot.people
        await used(ann, await second_page(bot, ann), "settings role", str(champion.id))
        hall = await started(bot, 3, format="all_play_all", places="3")
        if power == "in the server":
            champion.granted = Permission.MANAGE_MESSAGES
        elif power == "in a channel":
            bot.games.granted[champion.id] = Permission.MANAGE_ROLES
            sandbox.world.news.tell(ChannelChange(bot.games))
        elif power == "linked":
            champion.linked = True
        else:
            champion.position = 99
        sandbox.change_roles()

        told = await podium(hall)

        key = "tournament.role.refused" if power == "above the bot" else "tournament.role.unsafe"
        assert like(key, host=ann.mention).search(told)
        assert not any(champion.id in person.account.roles for person in bot.people)


@pytest.mark.usefixtures("a_round_before_the_gateway")
@pytest.mark.parametrize("seen", ["not yet", "not in an outage"])
async def test_a_podium_that_is_due_before_the_bot_sees_the_server_waits_for_the_role(
    open_bot: Open, sandbox: Sandbox, seen: str
) -> None:
    champion, games = with_roles(sandbox)[CHAMPION], sandbox.channel("games")
    async with open_bot() as bot:
        hall = await over_out_of_reach(bot, champion)
    sandbox.deny(games)
    if seen == "not in an outage":
        sandbox.move(Membership.UNAVAILABLE)
    async with open_bot(later=SOON) as bot:
        hall = Hall(bot, hall.people, number=hall.number)
        await bot.client.wait_until_ready()
        if seen == "not in an outage":
            await hall.later()
            back = bot.client.wait_for("guild_available", timeout=60)
            sandbox.move(Membership.JOINED)
            await back

        await the_role_is_given(hall, champion)


@pytest.mark.usefixtures("connected_at_once")
async def test_a_podium_waits_for_the_role_if_the_server_is_lost_from_sight_just_before_it(
    open_bot: Open, sandbox: Sandbox
) -> None:
    champion = with_roles(sandbox)[CHAMPION]
    async with open_bot() as bot:
        hall = await over_out_of_reach(bot, champion)
        end = sandbox.hold_next("PATCH", EDIT)
        sandbox.deny(bot.games)
        await hall.bot.later(SOON * 2)
        await end.reached()
        sandbox.move(Membership.UNAVAILABLE)
        begun = bot.client.wait_for("shard_connect", timeout=60)
        sandbox.drop_gateway(forget=True)
        await begun
        end.open()
        await hall.later()
        back = bot.client.wait_for("guild_available", timeout=60)
        sandbox.move(Membership.JOINED)
        await back

        await the_role_is_given(hall, champion)


async def over_out_of_reach(bot: RunningBot, champion: Role) -> Hall:
    """A tournament that is over, of which the bot may not tell yet, and the role for its winner."""
    hall = await started(bot, 3, format="all_play_all", places="3")
    await hall.later()
    bot.sandbox.deny(bot.games, Permission.VIEW_CHANNEL)
    await hall.play()
    await hall.later()
    await hall.honour_winners(champion.id)
    return hall


async def the_role_is_given(hall: Hall, champion: Role) -> None:
    """The winner of a tournament gets the role, and its podium says so."""
    told = await podium(hall)
    winner = (await hall.tournament()).champion
    assert winner is not None
    assert like("tournament.role.given", winner=f"<@{winner.person}>").search(told)
    assert [int(p.id) for p in hall.people if champion.id in p.account.roles] == [winner.person]


def test_every_permission_to_manage_is_a_power() -> None:
    managing = {name for name in Permissions.VALID_FLAGS if name.startswith("manage_")}

    assert all(getattr(POWERS, name) for name in managing)
