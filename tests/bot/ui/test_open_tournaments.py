"""`/tournament`: the open tournaments of a server, who manages them from there, and a new one."""

from __future__ import annotations

import pytest

from bot.sandbox import Interaction, Message, Permission
from bot.screens.tournament_controls import TournamentAction, TournamentControl
from bot.screens.tournament_panel import NewTournament
from bot.table.table import Place
from bot.tournaments.hosted import MOST_AT_ONCE
from bot.tournaments.tournament import Stage
from bot.ui.custom_ids import page_id, read
from bot.ui.words import link
from tests.bot.conftest import Opening
from tests.bot.english import like, piece, says
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.bot.ui import panels
from tests.bot.ui.conftest import RunningBot
from tests.bot.ui.hall import Hall, form, weekly

NEW = page_id(NewTournament())


@pytest.fixture
async def sandbox(open_sandbox: Opening) -> Sandbox:
    """A Discord where the bot is in two servers."""
    return await open_sandbox(guilds=2)


async def typed(running_bot: RunningBot, person: Person, at: str = "games") -> Interaction:
    """`/tournament`, answered."""
    return await (await person.type(running_bot.sandbox.channel(at), "tournament")).answered()


async def listed(running_bot: RunningBot, person: Person) -> Message:
    """The list of the open tournaments."""
    message = (await typed(running_bot, person)).message
    assert message.ephemeral
    return message


def managed(message: Message) -> set[int]:
    """The tournaments that the reader of a list is offered to manage."""
    ids = [read(each.custom_id) for each in message.buttons]
    found = [each for each in ids if isinstance(each, TournamentControl)]
    assert {each.action for each in found} <= {TournamentAction.MANAGE}
    return {each.tournament for each in found}


async def test_without_an_open_tournament_the_form_is_asked_for_at_once(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    assert (await typed(running_bot, ann)).modal is not None
    hall = Hall(running_bot, [ann])
    await hall.sign_up()
    panel = (await hall.press(ann, TournamentAction.MANAGE)).message
    await hall.press(ann, TournamentAction.END, panel)

    assert (await typed(running_bot, ann)).modal is not None, "one that was called off is not open"


async def test_open_tournaments_are_listed_with_the_way_to_their_messages(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    halls = [Hall(running_bot, [ann]), Hall(running_bot, [ben])]
    for hall in halls:
        await hall.sign_up(format="swiss")

    shown = await listed(running_bot, cleo)

    for hall in halls:
        hosted = await hall.hosted()
        way = link(Place(hosted.guild, hosted.channel, int(hall.message.id)))
        assert like("tournament.listed", way=way).search(shown.text)
    assert managed(shown) == set()
    opened = await (await cleo.press(shown, custom_id=NEW)).answered()
    await running_bot.done(await cleo.fill(opened, {"game": "tictactoe-3"}))
    assert len(managed(await listed(running_bot, ann))) == 3


async def test_hosts_and_managers_manage_from_the_list_and_nobody_else(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    first, second = Hall(running_bot, [ben]), Hall(running_bot, [cleo])
    await first.sign_up()
    await second.sign_up()
    dan.grant(Permission.MANAGE_GUILD)
    both = {first.number, second.number}
    assert managed(await listed(running_bot, ben)) == {first.number}
    assert managed(await listed(running_bot, cleo)) == {second.number}
    assert managed(await listed(running_bot, dan)) == both
    assert managed(await listed(running_bot, ann)) == both, "she owns the server"

    own = await listed(running_bot, cleo)
    manage = page_id(TournamentControl(first.number, TournamentAction.MANAGE))
    forged = await cleo.forge(own, manage).answered()
    assert piece("refusal.unknown_control") in await running_bot.sentence(forged)
    refused = await first.press(cleo, TournamentAction.MANAGE)
    assert says("refusal.tournament_not_host") in await running_bot.sentence(refused)
    theirs = await listed(running_bot, dan)
    dan.revoke(Permission.MANAGE_GUILD)
    late = await (await dan.press(theirs, custom_id=manage)).answered()
    assert says("refusal.tournament_not_host") in await running_bot.sentence(late)
    assert managed(await listed(running_bot, dan)) == set()


async def test_a_weekly_arena_is_managed_by_managers_alone_and_takes_no_place(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    arena = await weekly(running_bot, 1)
    halls = [Hall(running_bot, [ben]) for _ in range(MOST_AT_ONCE)]
    for hall in halls:
        assert NEW in [each.custom_id for each in (await listed(running_bot, ben)).buttons]
        await hall.sign_up()

    own = {hall.number for hall in halls}
    assert managed(await listed(running_bot, ben)) == own
    assert managed(await listed(running_bot, ann)) == {arena.number, *own}
    assert says("tournament.format.arena") in (await listed(running_bot, ben)).text


async def test_at_the_limit_the_list_says_so_and_offers_no_new_one(
    running_bot: RunningBot,
) -> None:
    _, ben, cleo, _ = running_bot.people
    before = await form(cleo, running_bot.games)
    halls = [Hall(running_bot, [ben]) for _ in range(MOST_AT_ONCE)]
    for hall in halls:
        await hall.sign_up()

    shown = await listed(running_bot, cleo)

    assert says("refusal.tournament_too_many") in shown.text
    assert NEW not in [each.custom_id for each in shown.buttons]
    late = await running_bot.done(await cleo.fill(before, {"game": "tictactoe-3"}))
    assert says("refusal.tournament_too_many") in await running_bot.sentence(late)


async def test_a_tournament_whose_message_was_deleted_is_managed_from_the_list(
    running_bot: RunningBot,
) -> None:
    _, ben, *_ = running_bot.people
    hall = Hall(running_bot, [ben])
    await hall.sign_up()
    ben.account.granted |= Permission.MANAGE_MESSAGES
    ben.delete(hall.message)
    for _ in range(2):
        await running_bot.clock.waited_for()

    shown = await listed(running_bot, ben)
    panel = await (await ben.press(shown, says("control.tournament.manage"))).answered()
    await hall.press(ben, TournamentAction.END, panel.message)

    assert (await hall.tournament()).stage is Stage.CALLED_OFF


async def test_other_servers_and_direct_messages_list_nothing_of_this_one(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    await Hall(running_bot, [ann]).sign_up()

    assert (await typed(running_bot, ann, "games-2")).modal is not None
    direct = await (await ann.type(ann.dm, "tournament")).answered()
    assert await running_bot.sentence(direct) == says("refusal.tournament_in_servers")


async def test_a_new_one_is_refused_where_no_games_may_be_played_and_the_list_is_not(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    await Hall(running_bot, [ann]).sign_up()
    lounge = running_bot.sandbox.channel("lounge")
    await panels.choose(running_bot, ann, "settings channels", lounge)

    shown = await listed(running_bot, ann)
    refused = await (await ann.press(shown, custom_id=NEW)).answered()

    assert like("refusal.games_elsewhere").search(await running_bot.sentence(refused))
