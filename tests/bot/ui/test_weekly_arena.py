"""Weekly arenas as people play them in the sandbox, with those who go, and what is taken away."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Final

import pytest

from bot.sandbox.model.accounts import Permission
from bot.sandbox.model.news import ChannelChange
from bot.screens.tournament_controls import TournamentAction, TournamentControl
from bot.service.weekly_arenas import SIGN_UP_AHEAD
from bot.storage.check.games import false_tournaments
from bot.storage.choices import QUIET_WEEKS, GuildId
from bot.table.seats import FORMER_PLAYERS, PersonId
from bot.tournaments.progress import standings
from bot.tournaments.tournament import Stage, Tournament
from bot.ui import retries, router
from bot.ui.custom_ids import page_id
from bot.ui.errors import UNKNOWN_MEMBER
from bot.ui.tournament_messages import EDITED_EVERY
from tests.bot.english import like, piece, says
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import EDIT, MESSAGES, Fault, Gate
from tests.bot.ui import panels
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.hall import (
    LASTS,
    NONE_YET,
    Hall,
    agreed,
    all_is_told,
    guests,
    meant,
    sign_up_comes,
    start_comes,
    weekly,
)

MEMBER: Final = "/guilds/{guild_id}/members/{user_id}"
A_MINUTE: Final = timedelta(minutes=1)

REQUESTS: Final = {
    "sign-up": ("POST", MESSAGES, ":join:"),
    "start": ("PATCH", EDIT, ":table:"),
    "thread": ("POST", f"{EDIT}/threads", ""),
    "board": ("POST", MESSAGES, "p1:1:"),
    "call": ("POST", MESSAGES, ":here:"),
    "later board": ("POST", MESSAGES, "p1:2:"),
    "podium": ("POST", MESSAGES, ":share:"),
}
"""The requests of an arena by name, in order: method, path, and a part of what they send."""

pytestmark = pytest.mark.both_databases


def here(running_bot: RunningBot) -> GuildId:
    return GuildId(int(running_bot.games.guild_id or 0))


async def begun(running_bot: RunningBot, many: int) -> Hall:
    """An arena that has started with a number of people."""
    hall = await weekly(running_bot, many)
    for person in hall.people:
        await hall.press(person, TournamentAction.JOIN)
    await start_comes(hall)
    return hall


async def times_up(hall: Hall, ago: timedelta = timedelta()) -> Tournament:
    ends_at = (await hall.hosted()).ends_at
    assert ends_at is not None
    await hall.later(ends_at + ago - hall.bot.clock.now())
    await hall.later()
    await hall.later()
    return await agreed(hall)


async def listed(hall: Hall, person: Person) -> bool:
    """Whether a person is on the list."""
    found = (await hall.tournament()).entry_of(PersonId(int(person.id)))
    assert found is not None
    return not found.away


async def test_a_server_sets_an_arena_once_and_it_comes_each_week(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    second = (await panels.use(running_bot, ann, "settings more")).message
    page = (await panels.used(ann, second, "settings arena")).message
    assert "settings arena_day" not in panels.offered(page)
    page = (await panels.used(ann, page, "settings arena_channel", running_bot.games)).message
    chosen = {"game": "tictactoe-4", "day": "2", "hour": "19", "minutes": "45"}
    for name, value in chosen.items():
        page = (await panels.used(ann, page, f"settings arena_{name}", value)).message
        assert panels.held(page, f"settings arena_{name}") == [value]
    guilds = running_bot.parlour.stores.guilds
    at = guilds.of(here(running_bot)).arena_next
    assert at is not None
    assert (at.weekday(), at.hour, at.minute) == (2, 19, 0)
    assert f"<t:{int(at.timestamp())}:F>" in page.text

    hall = Hall(running_bot, guests(running_bot.sandbox, 3))
    for week in range(2):
        await sign_up_comes(hall)
        hosted = await hall.hosted()
        assert hosted.starts_at == at + timedelta(7 * week)
        assert hosted.ends_at == at + timedelta(7 * week, minutes=45)
        assert like("tournament.arena.lasts").search(hall.message.text)
        assert not like("tournament.host").search(hall.message.text)
        assert (await hall.tournament()).options["size"] == 4

    back = (await panels.used(ann, page, "settings more")).message
    assert "settings role" in panels.offered(back)


async def test_people_play_until_time_is_up_and_the_winner_has_the_role(
    running_bot: RunningBot,
) -> None:
    hall = await begun(running_bot, 4)
    champion = running_bot.sandbox.world.guild.roles[0]
    await hall.honour_winners(champion.id)
    assert hall.thread is not None
    assert len(hall.boards()) == 2
    for _ in range(4):
        await hall.play_boards()
        await hall.later()
    assert like("tournament.arena.on").search(hall.message.text)

    found = await times_up(hall)

    assert found.stage is Stage.OVER
    winner = standings(found)[0]
    assert found.champion == winner
    assert like("tournament.won", winner=f"<@{winner.person}>").search(hall.message.text)
    podium = hall.told("games")[-1].text
    assert like("tournament.podium", winner=f"<@{winner.person}>").search(podium)
    assert running_bot.sandbox.world.accounts[winner.person].roles == {champion.id}  # type: ignore[index]
    assert len(hall.messages) == 1
    pairs = [frozenset(leg.entries) for leg in found.legs]
    assert len({*pairs}) > 2
    assert not [*(await hall.hosted()).to_tell], "its standings have told how its games ended"


async def test_a_game_that_is_open_when_time_is_up_is_done_with(running_bot: RunningBot) -> None:
    hall = await begun(running_bot, 2)
    await hall.later()
    assert hall.calls()

    found = await times_up(hall, ago=timedelta(seconds=1))

    await all_is_told(hall)
    assert [leg.void for leg in found.legs] == [True]
    assert hall.calls() == []


async def test_with_one_it_says_so_and_with_two_it_is_a_duel_without_a_title(
    running_bot: RunningBot,
) -> None:
    hall = await begun(running_bot, 1)
    ann, ben, *_ = running_bot.people
    assert like("tournament.arena.alone", player=ann.mention).search(hall.message.text)
    hall.people.append(ben)
    await hall.press(ben, TournamentAction.JOIN)
    await hall.later()
    assert like("tournament.arena.duel").search(hall.message.text)
    await hall.play_boards()

    found = await times_up(hall)

    front = standings(found)[0].person
    assert found.champion is None
    told = like("tournament.arena.no_champion", winner=f"<@{front}>")
    assert told.search(hall.message.text)
    assert told.search(hall.told("games")[-1].text)


async def test_an_arena_to_which_nobody_comes_is_called_off(running_bot: RunningBot) -> None:
    hall = await begun(running_bot, 0)
    assert like("tournament.arena.nobody").search(hall.message.text)

    found = await times_up(hall)

    assert found.stage is Stage.CALLED_OFF
    assert like("tournament.called_off.nobody_came").search(hall.message.text)
    assert len(hall.told("games")) == 1


async def test_who_does_not_come_presses_i_am_back(running_bot: RunningBot) -> None:
    hall = await begun(running_bot, 2)
    (board,) = hall.boards()
    assert "back" not in [button.custom_id.split(":")[2] for button in hall.message.buttons]
    await hall.later(A_MINUTE)
    await hall.later()
    there = [person for person in hall.people if await listed(hall, person)]
    (other,) = there
    (late,) = (person for person in hall.people if person is not other)
    assert like("tournament.arena.away", people=late.mention).search(hall.message.text)
    refused = await hall.press(other, TournamentAction.BACK)
    assert says("refusal.tournament_joined") in await running_bot.sentence(refused)

    await hall.press(late, TournamentAction.BACK)

    assert await listed(hall, late)
    await hall.later(timedelta(seconds=20))
    await hall.later()
    assert board not in hall.boards()
    assert len(hall.boards()) == 1


async def test_who_leaves_gives_up_the_game_and_is_back_with_the_points(
    running_bot: RunningBot,
) -> None:
    hall = await begun(running_bot, 2)
    await hall.play_boards()
    await hall.later()
    (made,) = [line for line in hall.message.text.splitlines() if line.endswith(" · 2")]
    for person in hall.people:
        await hall.press(person, TournamentAction.LEAVE)
    refused = await hall.press(hall.host, TournamentAction.LEAVE)
    assert says("refusal.tournament_not_yours") in await running_bot.sentence(refused)
    await hall.later()
    assert hall.boards() == []

    await hall.press(hall.host, TournamentAction.JOIN)
    await hall.later()

    assert made in hall.message.text


async def test_presses_that_come_twice_join_and_leave_once(running_bot: RunningBot) -> None:
    hall = await weekly(running_bot, 2)
    for person in hall.people:
        running_bot.sandbox.redeliver(await hall.press(person, TournamentAction.JOIN))
    await start_comes(hall)
    assert len((await hall.tournament()).entries) == 2
    left = await hall.press(hall.host, TournamentAction.LEAVE)
    back = await hall.press(hall.host, TournamentAction.BACK)
    for interaction in (left, back):
        running_bot.sandbox.redeliver(interaction)
    await hall.later()

    assert len((await hall.tournament()).entries) == 2


async def test_controls_that_are_not_offered_do_nothing(running_bot: RunningBot) -> None:
    hall = await begun(running_bot, 2)
    _, ben, cleo, _ = running_bot.people
    before = await hall.tournament()
    private = (await (await cleo.type(running_bot.games, "help")).answered()).message
    forged = {
        TournamentAction.START: (ben, hall.message),
        TournamentAction.AGAIN: (ben, hall.message),
        TournamentAction.BACK: (cleo, private),
    }
    for action, (person, message) in forged.items():
        control = page_id(TournamentControl(hall.number, action))
        pressed = await person.forge(message, control).answered()
        assert piece("refusal.unknown_control") in await running_bot.sentence(pressed)

    assert await hall.tournament() == before


async def test_only_managers_who_do_not_play_have_power(running_bot: RunningBot) -> None:
    hall = await begun(running_bot, 3)
    ann, ben, *_ = hall.people
    refused = await hall.press(ben, TournamentAction.MANAGE)
    assert says("refusal.tournament_not_host") in refused.message.text
    panel = (await hall.press(ann, TournamentAction.MANAGE)).message
    (picker,) = panel.menus
    used = await running_bot.done(ann.use(panel, picker, [str(ben.id)]))
    assert says("refusal.tournament_own_rival") in await running_bot.sentence(used)

    dan = guests(running_bot.sandbox, 4)[3]
    dan.account.granted |= Permission.MANAGE_GUILD
    panel = (await hall.press(dan, TournamentAction.MANAGE)).message
    (picker,) = panel.menus
    await running_bot.done(dan.use(panel, picker, [str(ben.id)]))
    await hall.later()

    refused = await hall.press(ben, TournamentAction.JOIN)
    assert says("refusal.tournament_left") in await running_bot.sentence(refused)


async def test_the_standings_are_edited_every_few_seconds_at_most(
    running_bot: RunningBot,
) -> None:
    hall = await begun(running_bot, 6)
    await hall.later(EDITED_EVERY)
    edits = hall.message.edits
    for _ in range(3):
        await hall.play_boards()
        await running_bot.client.router.closed()
        assert hall.message.edits <= edits + 1
        await hall.later(EDITED_EVERY)
        assert edits < hall.message.edits <= edits + 2
        edits = hall.message.edits


async def test_who_was_kicked_is_off_the_list_and_gets_no_role_and_the_others_play_on(
    running_bot: RunningBot,
) -> None:
    """Who is not in the server any more presses nothing, and Discord knows no such member."""
    hall = await begun(running_bot, 4)
    champion = running_bot.sandbox.world.guild.roles[0]
    await hall.honour_winners(champion.id)
    for _ in range(3):
        await hall.play_boards()
        await hall.later()
    front = standings(await hall.tournament())[0].person
    kicked = next(person for person in hall.people if int(person.id) == front)
    hall.away.add(kicked.name)
    running_bot.sandbox.fail_next("GET", MEMBER, 404, code=UNKNOWN_MEMBER)
    for _ in range(2):
        await hall.play_boards()
        await hall.later(A_MINUTE)
        await hall.later()

    assert not await listed(hall, kicked)
    before = len((await hall.tournament()).legs)
    await hall.play_boards()
    await hall.later()
    assert len((await hall.tournament()).legs) > before
    await times_up(hall)
    assert not kicked.account.roles


async def test_two_people_do_not_make_a_champion_by_one_being_forgotten_in_between(
    running_bot: RunningBot,
) -> None:
    hall = await begun(running_bot, 2)
    await hall.later()
    await hall.play_boards()
    await hall.later()
    _, ben = hall.people
    await running_bot.parlour.use_cases.privacy.forget(PersonId(int(ben.id)))
    await hall.later()
    await hall.press(ben, TournamentAction.JOIN)
    for _ in range(4):
        await hall.later()
        await hall.play_boards()

    found = await times_up(hall)

    winner, *_ = standings(found)
    met = {other for leg in found.legs for other in leg.met_by(winner.number)}
    assert len(met) == len(found.entries) - 1 == 2
    assert found.champion is None


async def test_a_person_who_is_forgotten_leaves_the_arena(running_bot: RunningBot) -> None:
    hall = await begun(running_bot, 3)
    ann, *_ = hall.people
    await hall.play_boards()
    await hall.later()
    await running_bot.parlour.use_cases.privacy.forget(PersonId(int(ann.id)))
    await hall.later()
    hall.people.remove(ann)
    await hall.play_boards()

    found = await times_up(hall)

    (former,) = [each for each in found.entries if each.person in FORMER_PLAYERS]
    assert former.left
    assert former.place == 3
    assert ann.mention not in hall.message.text


@pytest.mark.parametrize("when", ["before", "meanwhile"])
async def test_a_lost_channel_ends_the_weekly_arena_and_managers_are_told(
    running_bot: RunningBot, when: str
) -> None:
    ann, *_ = running_bot.people
    guilds, guild = running_bot.parlour.stores.guilds, here(running_bot)
    lounge = running_bot.sandbox.channel("lounge")
    arenas = running_bot.parlour.use_cases.weekly_arenas
    await arenas.choose(guild, arena_channel=int(lounge.id), arena_game="tictactoe-3")
    hall = Hall(running_bot, guests(running_bot.sandbox, 2))
    if when == "before":
        running_bot.sandbox.deny(lounge, Permission.SEND_MESSAGES)
        await sign_up_comes(hall)
    else:
        await sign_up_comes(hall)
        running_bot.sandbox.remove_channel(lounge)
    while guilds.of(guild).arena_channel is not None:
        await hall.later()
    while (found := await hall.tournament()).stage is Stage.SIGN_UP:  # each is saved by itself
        await hall.later()

    assert found.stage is Stage.CALLED_OFF
    typed = await running_bot.type(ann)
    (message,) = await running_bot.sandbox.until(lambda: typed.followups)
    assert like("arena.lost", channel=f"<#{lounge.id}>").search(message.text)
    told = await running_bot.say(ann, "settings")
    assert like("settings.arena.lost", channel=f"<#{lounge.id}>").search(told)
    while guilds.of(guild).arena_lost is not None:
        await running_bot.say(ann, "help")
    assert piece("settings.arena.lost") not in await running_bot.say(ann, "settings")


async def test_an_arena_whose_old_channel_is_lost_goes_on_in_the_one_chosen_since(
    running_bot: RunningBot,
) -> None:
    guilds, guild = running_bot.parlour.stores.guilds, here(running_bot)
    games, lounge = running_bot.games, int(running_bot.sandbox.channel("lounge").id)
    arenas = running_bot.parlour.use_cases.weekly_arenas
    await arenas.choose(guild, arena_channel=int(games.id), arena_game="tictactoe-3")
    hall = Hall(running_bot, guests(running_bot.sandbox, 2))
    await sign_up_comes(hall)
    await arenas.choose(guild, arena_channel=lounge)
    running_bot.sandbox.deny(games, Permission.SEND_MESSAGES)
    hall.host.delete(hall.message)
    while (await hall.tournament()).stage is Stage.SIGN_UP:
        await hall.later()

    assert (await hall.tournament()).stage is Stage.CALLED_OFF
    found = guilds.of(guild)
    assert (found.arena_channel, found.arena_lost) == (lounge, None)


async def test_managers_are_told_that_nobody_played_and_how_the_arena_starts_again(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    guilds, guild = running_bot.parlour.stores.guilds, here(running_bot)
    hall = await weekly(running_bot, 2)
    await guilds.choose(guild, arena_quiet=QUIET_WEEKS)
    await hall.later(timedelta(hours=4))
    await hall.later()
    at = guilds.of(guild).arena_next
    assert at is not None
    await hall.later(at - SIGN_UP_AHEAD - running_bot.clock.now())
    while guilds.of(guild).arena_channel is not None:
        await hall.later()

    typed = await running_bot.type(ann)
    (message,) = await running_bot.sandbox.until(lambda: typed.followups)
    assert like("arena.quiet", channel=f"<#{running_bot.games.id}>").search(message.text)
    told = await running_bot.say(ann, "settings")
    assert like("settings.arena.quiet", channel=f"<#{running_bot.games.id}>").search(told)
    second = (await panels.use(running_bot, ann, "settings more")).message
    page = (await panels.used(ann, second, "settings arena")).message
    await panels.used(ann, page, "settings arena_channel", running_bot.games)
    assert guilds.of(guild).arena_channel == int(running_bot.games.id)
    assert not guilds.of(guild).quiet


async def test_without_its_thread_the_arena_goes_on_in_the_channel(
    running_bot: RunningBot,
) -> None:
    hall = await begun(running_bot, 2)
    thread = hall.thread
    assert thread is not None
    del running_bot.sandbox.world.channels[thread.id]
    running_bot.sandbox.world.news.tell(ChannelChange(thread, removed=True))
    await hall.later()
    await hall.later()

    assert {board.channel for board in hall.boards()} == {running_bot.games}


async def test_when_the_bot_leaves_the_server_its_arena_is_called_off(
    running_bot: RunningBot,
) -> None:
    hall = await begun(running_bot, 2)
    await running_bot.guild_data.leave(here(running_bot), running_bot.clock.now())

    assert (await hall.tournament()).stage is Stage.CALLED_OFF


async def played(hall: Hall) -> None:
    """Play an arena of three to its end, from wherever it is."""
    if hall.number is NONE_YET:
        hall.number = (await weekly(hall.bot, 3)).number
    while not hall.messages:
        await hall.later()
    for person in hall.people:
        if (await hall.tournament()).entry_of(PersonId(int(person.id))) is None:
            await hall.press(person, TournamentAction.JOIN)
    if (await hall.tournament()).stage is Stage.SIGN_UP:
        await start_comes(hall)
    while (hosted := await hall.hosted()).tournament.stage is Stage.RUNNING:
        if not hosted.to_call and len(hosted.tournament.legs) < 6:
            await hall.play_boards()
        if len(hosted.tournament.legs) < 6:
            await hall.later()
        else:
            await hall.later(A_MINUTE * LASTS)
    while (hosted := await hall.hosted()).shown < hosted.revision:
        await hall.later()


@pytest.mark.sampled(5)
@pytest.mark.parametrize("request_", REQUESTS)
async def test_a_process_killed_at_any_stage_goes_on_once(
    open_bot: Open, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, request_: str
) -> None:
    monkeypatch.setattr(router, "LAST_ANSWERS", 0.0)
    monkeypatch.setattr(retries, "TRIED_FOR", 0.0)
    method, path, of = meant(*REQUESTS[request_])
    gate = Gate()
    sandbox.trouble(Fault(method, path, gate=gate, of=of))
    async with open_bot() as bot:
        hall = Hall(bot, guests(sandbox, 3))
        playing = asyncio.create_task(played(hall))
        await gate.reached()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        latest = bot.clock.now()
        number = hall.number
    await gate.passed()
    async with open_bot(later=latest - sandbox.clock.now()) as bot:
        hall = Hall(bot, guests(sandbox, 3), number=number)
        if number is NONE_YET:
            await hall.later()
            await sign_up_comes(hall)
        await played(hall)

        found = await hall.tournament()
        assert found.stage is Stage.OVER
        assert len(hall.messages) == 1
        podium = like("tournament.podium")
        assert sum(podium.search(each.text) is not None for each in hall.told("games")) == 1
        assert hall.thread is not None
        boards = Counter(
            button.custom_id.split(":")[1]
            for message in hall.told(hall.thread.name)
            for button in message.buttons[:1]
            if button.custom_id.startswith("p1")
        )
        assert {*boards.values()} == {1}
        assert await bot.store.database.run(lambda c: [*false_tournaments(c)]) == []
