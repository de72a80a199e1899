"""The bot is taken out of a server: its games close, and 30 days later nothing is left of it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from bot.sandbox import Membership, Message
from bot.storage.guild_settings import GuildId
from bot.storage.messages import Messages
from bot.storage.records.write import rebuild
from bot.table.seats import PersonId
from bot.table.session import Ending, Phase
from tests.bot.english import like, says
from tests.bot.people import button_on
from tests.bot.stand_in import Sandbox
from tests.bot.storage.record_tables import dump
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import finished, ludo
from tests.bot.ui.conftest import House, Open
from tests.bot.ui.test_recovery import Gated

A, B, C, D, E = (0, 0), (0, 1), (0, 2), (1, 0), (1, 1)
MONTH = timedelta(days=30)


class Requests:
    """The requests about channels that the bot sends."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, observed: Observed) -> None:
        if isinstance(observed, Exchange) and observed.path.startswith("/channels/"):
            self.seen.append(f"{observed.method} {observed.path}")


def server(house: House) -> GuildId:
    return GuildId(house.games.guild_id or 0)


async def until(condition: Callable[[], Awaitable[object]]) -> None:
    """Returns when a condition holds; each look at it goes through the database."""
    async with asyncio.timeout(60):
        while not await condition():
            pass


async def nothing_runs(house: House) -> bool:
    return not await house.store.unfinished(house.games.id)


async def left(house: House) -> bool:
    return (await house.guild_data.known()).get(server(house)) is not None


async def forgotten(house: House) -> bool:
    return server(house) not in await house.guild_data.known()


async def removed(house: House) -> None:
    """Takes the bot out of the server, and returns when it has closed the games there."""
    house.sandbox.move(Membership.LEFT)
    await until(partial(left, house))


async def brought_back(house: House) -> None:
    """Brings the bot into the server again, and returns when it knows."""
    house.sandbox.move(Membership.JOINED)

    async def here() -> bool:
        return not await left(house)

    await until(here)


async def passed(house: House, time: timedelta) -> None:
    """Lets time pass, and returns when all has been done that it brings with it."""
    await house.later(time)
    await house.clock.waited_for()


async def won(house: House) -> Message:
    """A game that Ann has won against Ben."""
    board = await house.friends()
    await house.play(board, A, D, B, E, C)
    return board


def named(house: House, folder: Path) -> list[str]:
    """The ids of the server and its channels that a dump of the database has."""
    with closing(sqlite3.connect(folder / "parlour.db")) as database:
        dumped = "\n".join(database.iterdump())
    names = ("games", "lounge", "games-thread")
    ids = [server(house), *(house.sandbox.channel(name).id for name in names)]
    return [str(each) for each in ids if str(each) in dumped]


@pytest.mark.both_databases
async def test_what_runs_in_a_server_closes_without_a_result_when_the_bot_is_removed(
    open_house: Open,
) -> None:
    thinker = Gated()
    async with open_house(thinker=thinker) as house:
        ann, ben, cleo, dan = house.people
        running, _ = await house.friends(), await house.opened(cleo, opponent=dan)
        await house.play(running, A, B)
        await ludo.begun(house.sandbox, (ann, ben, cleo), rules="quick")
        await ludo.opened(house.sandbox, dan)
        slow = await house.opened(ann, level="perfect")
        await ann.press(slow, position=E)
        await thinker.asked.wait()
        tables = [table.id for table in await house.service.boards(house.games.id)]
        assert len(tables) == 5

        requests = Requests()
        house.sandbox.observe(requests)
        await removed(house)
        thinker.allowed.set()
        await passed(house, timedelta(days=1))
        await passed(house, timedelta(days=20))
        for number in tables:
            session = (await house.service.table(number)).session
            assert session.phase is Phase.ABANDONED
            assert session.ending in {Ending.CLOSED, Ending.EXPIRED}
        assert not await Messages(house.store).behind()
        assert not await house.store.unattended()
        for person in house.people:
            assert not (await house.parlour.kept.records.history(PersonId(person.id))).entries
        assert requests.seen == []


async def test_games_elsewhere_go_on(house: House) -> None:
    ann, ben, *_ = house.people
    await house.friends()
    typed = await (await ann.type(ann.dm, "tictactoe", level="easy", mark="x")).answered()
    (elsewhere,) = await finished.store(
        house, finished.table("tictactoe", ann.id, ben.id), guild=finished.ELSEWHERE
    )
    await removed(house)
    await house.mark(ann, typed.message, E)
    assert button_on(typed.message, "❌").position == E
    assert (await house.service.table(elsewhere)).session.phase is Phase.RUNNING


@pytest.mark.both_databases
async def test_a_server_that_brings_the_bot_back_in_time_finds_all_but_what_was_running(
    house: House,
) -> None:
    ann, ben, cleo, _ = house.people
    await won(house)
    running = await house.friends()
    await house.say(ann, "settings limit", games=7)
    standing = await house.parlour.kept.records.stats(PersonId(ann.id), "tictactoe", server(house))
    await removed(house)
    await passed(house, MONTH - timedelta(hours=1))
    await brought_back(house)
    assert like("refusal.closed").search(await house.told(ann, running, A))
    assert "channel: 7" in await house.say(ann, "settings show")
    await passed(house, MONTH)
    again = await house.parlour.kept.records.stats(PersonId(ann.id), "tictactoe", server(house))
    assert again == standing
    assert again.tally.wins == 1
    await house.press(ben, await house.opened(cleo, opponent=ben), says("control.accept"))


async def test_after_thirty_days_nothing_names_the_server_and_players_keep_their_games(
    house: House, tmp_path: Path
) -> None:
    ann, ben, cleo, _ = house.people
    board = await won(house)
    await house.opened(cleo, opponent=ben)
    await house.say(ann, "settings channels", channel=house.sandbox.channel("games"), games="yes")
    everywhere = await house.parlour.kept.records.stats(PersonId(ann.id), "tictactoe")
    await removed(house)
    assert named(house, tmp_path)
    await passed(house, MONTH)
    assert await forgotten(house)
    assert named(house, tmp_path) == []
    assert await house.parlour.kept.records.stats(PersonId(ann.id), "tictactoe") == everywhere
    assert (await house.parlour.kept.records.history(PersonId(ben.id))).entries

    left = await house.guild_data._database.run(dump)
    await house.guild_data._database.run(rebuild)
    assert await house.guild_data._database.run(dump) == left

    house.sandbox.move(Membership.JOINED)
    await until(partial(told_of, house))
    shown = await (await ann.type(ann.dm, "replay", game="1")).answered()
    assert "0 of 5" in shown.message.text
    assert like("refusal.nothing_to_replay", "refusal.no_game_here").search(
        await house.told(cleo, board, says("control.replay"))
    )
    assert says("settings.everywhere") in await house.say(ann, "settings show")
    again = (await house.press(ann, board, says("control.rematch"))).message
    await house.press(ben, again, says("control.accept"))
    assert (await house.service.boards(house.games.id))[0].place.guild == server(house)


async def told_of(house: House) -> bool:
    """Whether discord.py knows the server."""
    await house.guild_data.known()
    return house.client.get_guild(server(house)) is not None


async def test_a_removal_while_the_bot_was_off_is_noticed_when_it_starts(
    open_house: Open, sandbox: Sandbox, tmp_path: Path
) -> None:
    async with open_house() as house:
        await won(house)
        await house.friends()
    sandbox.move(Membership.LEFT)
    async with open_house() as house:
        await until(partial(left, house))
        assert await nothing_runs(house)
    async with open_house() as house:
        await house.clock.waited_for()
        assert await left(house)
        await passed(house, MONTH)
        await until(partial(forgotten, house))
        assert named(house, tmp_path) == []


async def test_a_return_while_the_bot_was_off_is_noticed_before_its_data_goes(
    open_house: Open, sandbox: Sandbox
) -> None:
    async with open_house() as house:
        ann, *_ = house.people
        await won(house)
        await removed(house)
        await passed(house, MONTH - timedelta(hours=1))
    sandbox.move(Membership.JOINED)
    async with open_house(later=MONTH) as house:
        await until(partial(stays, house))
        await passed(house, MONTH)
        stats = await house.parlour.kept.records.stats(PersonId(ann.id), "tictactoe", server(house))
        assert stats.tally.wins == 1


async def stays(house: House) -> bool:
    return not await left(house) and not await forgotten(house)


@pytest.fixture
def hasty(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """The house, without the 5 s that discord.py waits for Discord's sake before it begins anew."""

    async def at_once(*_: object, **__: object) -> None:
        pass

    monkeypatch.setattr(house.client, "before_identify_hook", at_once)
    return house


async def test_a_removal_is_noticed_by_a_bot_that_was_cut_off_and_has_to_begin_anew(
    hasty: House,
) -> None:
    await hasty.friends()
    hasty.sandbox.drop_gateway(forget=True)
    await hasty.sandbox.bot_gone()
    hasty.sandbox.move(Membership.LEFT)
    await until(partial(left, hasty))
    assert await nothing_runs(hasty)


async def test_a_bot_that_has_to_begin_anew_closes_nothing_where_it_still_is(hasty: House) -> None:
    ann, *_ = hasty.people
    board = await hasty.friends()
    connected = hasty.client.wait_for("shard_connect", timeout=60)
    hasty.sandbox.drop_gateway(forget=True)
    await connected
    await passed(hasty, timedelta(minutes=1))
    await hasty.mark(ann, board, E)
    assert not await left(hasty)


async def test_an_outage_closes_nothing(house: House) -> None:
    ann, *_ = house.people
    board = await house.friends()
    gone = house.client.wait_for("guild_unavailable", timeout=60)
    house.sandbox.move(Membership.UNAVAILABLE)
    await gone
    back = house.client.wait_for("guild_available", timeout=60)
    house.sandbox.move(Membership.JOINED)
    await back
    await passed(house, timedelta(minutes=1))
    await house.mark(ann, board, E)
    assert not await left(house)


async def test_an_outage_at_the_start_closes_nothing(open_house: Open, sandbox: Sandbox) -> None:
    async with open_house() as house:
        board = await house.friends()
    sandbox.move(Membership.UNAVAILABLE)
    async with open_house() as house:
        ann, *_ = house.people
        ready = house.client.wait_for("shard_ready", timeout=60)
        await ready
        back = house.client.wait_for("guild_available", timeout=60)
        sandbox.move(Membership.JOINED)
        await back
        await house.mark(ann, board, E)
        assert not await left(house)


async def test_a_server_that_discord_fails_to_list_but_shows_is_not_taken_for_left(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """As if another version of discord.py had no list yet when it says that it is connected."""
    await house.friends()
    await house.client.presence.connected(0)
    assert not await left(house)
    house.sandbox.fail_next("GET", "/guilds/*", 400)
    await house.client.presence.connected(0)
    assert "server not found out about" in caplog.text
    assert not await left(house)


async def test_trouble_of_discord_is_waited_out_before_a_server_is_taken_for_left(
    house: House,
) -> None:
    await house.friends()
    await house.client.presence.connected(0)
    await house.clock.waited_for()
    house.sandbox.fail_next("GET", "/guilds/*", 503)
    house.sandbox.fail_next("GET", "/guilds/*", 403, 50001, "Missing Access")
    compared = asyncio.create_task(house.client.presence.connected(0))
    await house.clock.waited_for(by=2)  # the rounds wait too
    assert not await left(house)
    house.clock.advance(timedelta(seconds=30))
    await compared
    assert await left(house)


async def test_a_sandbox_of_ones_own_closes_nothing_of_servers_on_discord(
    open_house: Open,
) -> None:
    async with open_house(new_sandbox=True) as house:
        ann, ben, *_ = house.people
        running = finished.table("tictactoe", ann.id, ben.id)
        (elsewhere,) = await finished.store(house, running, guild=finished.ELSEWHERE)
        await house.sandbox.bot_ready()
    async with open_house(new_sandbox=True) as house:
        await house.clock.waited_for()
        await passed(house, MONTH)
        assert (await house.service.table(elsewhere)).session.phase is Phase.RUNNING
