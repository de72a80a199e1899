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

from bot.sandbox import Membership
from bot.storage.choices import GuildId
from bot.storage.errors import StorageError
from bot.storage.messages import Messages
from bot.storage.migrate import downgrade, revisions
from bot.storage.opening import opened, reading_transaction, sole_transaction
from bot.storage.processes import APPLICATION, Notes, let_start
from bot.table.seats import Pace, PersonId
from bot.table.session import Ending, Phase
from tests.bot import kit
from tests.bot.databases import NewDatabase
from tests.bot.english import like, says
from tests.bot.people import button_on
from tests.bot.stand_in import Sandbox
from tests.bot.storage.export_lines import exported, imported
from tests.bot.storage.record_tables import dump, rebuilt
from tests.bot.thinkers import Gated
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import finished, ludo, panels
from tests.bot.ui.conftest import A, B, E, Open, RunningBot
from tests.bot.ui.hall import started

MONTH = timedelta(days=30)
ANOTHER = 1 << 60
"""The id of another application than the sandbox's."""


class Requests:
    """The requests about channels that the bot sends."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, observed: Observed) -> None:
        if isinstance(observed, Exchange) and observed.path.startswith("/channels/"):
            self.seen.append(f"{observed.method} {observed.path}")


def server(running_bot: RunningBot) -> GuildId:
    return GuildId(running_bot.games.guild_id or 0)


async def until(condition: Callable[[], Awaitable[object]]) -> None:
    """Returns when a condition holds; each look at it goes through the database."""
    async with asyncio.timeout(60):
        while not await condition():
            pass


async def nothing_runs(running_bot: RunningBot) -> bool:
    return not await running_bot.store.unfinished(running_bot.games.id)


async def left(running_bot: RunningBot) -> bool:
    return (await running_bot.guild_data.known()).get(server(running_bot)) is not None


async def forgotten(running_bot: RunningBot) -> bool:
    return server(running_bot) not in await running_bot.guild_data.known()


async def removed(running_bot: RunningBot) -> None:
    """Takes the bot out of the server, and returns when it has closed the games there."""
    running_bot.sandbox.move(Membership.LEFT)
    await until(partial(left, running_bot))


async def brought_back(running_bot: RunningBot) -> None:
    """Brings the bot into the server again, and returns when it knows."""
    running_bot.sandbox.move(Membership.JOINED)

    async def here() -> bool:
        return not await left(running_bot)

    await until(here)


async def untold(_: object) -> None:
    """What becomes of an event that is lost."""


async def all_placed(running_bot: RunningBot) -> bool:
    """Whether the messages of all boards are saved, which people can see before."""
    tables = await running_bot.service.boards(running_bot.games.id)
    return all(table.place.message is not None for table in tables)


async def passed(running_bot: RunningBot, time: timedelta) -> None:
    """Lets time pass, and returns when all has been done that it brings with it."""
    await running_bot.later(time)
    await running_bot.clock.waited_for()


def named(running_bot: RunningBot, folder: Path) -> list[str]:
    """The ids of the server and its channels that a dump of the database has."""
    with closing(sqlite3.connect(folder / "parlour.db")) as database:
        dumped = "\n".join(database.iterdump())
    names = ("games", "lounge", "games-thread")
    ids = [server(running_bot), *(running_bot.sandbox.channel(name).id for name in names)]
    return [str(each) for each in ids if str(each) in dumped]


async def handed(database: str, application: int) -> None:
    """Has a database belong to an application's bot."""
    async with opened(database) as kept:
        await Notes(kept).write(APPLICATION, str(application))


@pytest.mark.both_databases
async def test_a_bot_closes_nothing_in_the_database_of_another_and_is_not_started(
    open_bot: Open, sandbox: Sandbox, database: str
) -> None:
    """As one for tests, which is in no server."""
    own = sandbox.world.bot.id
    async with open_bot() as running_bot:
        board = await running_bot.friends()
    await handed(database, ANOTHER)
    sandbox.world.guild.membership = Membership.LEFT
    with pytest.raises(StorageError, match=rf"another bot \(application {ANOTHER}, .* {own}\)"):
        async with open_bot() as running_bot:
            await until(partial(left, running_bot))
    await handed(database, own)
    sandbox.world.guild.membership = Membership.JOINED
    async with open_bot() as running_bot:
        assert not await left(running_bot)
        assert (await running_bot.session(board)).phase is Phase.RUNNING


@pytest.mark.both_databases
@pytest.mark.parametrize("new_sandbox", [False, True])
async def test_a_start_that_is_refused_as_another_bots_does_not_upgrade_the_database(
    open_bot: Open, sandbox: Sandbox, database: str, new_sandbox: bool
) -> None:
    await handed(database, ANOTHER)
    with sole_transaction(database) as connection:
        downgrade(connection, revisions()[1])
    with pytest.raises(StorageError, match=f"application {ANOTHER}"):
        async with open_bot(new_sandbox=new_sandbox, DISCORD_TOKEN=sandbox.token):
            pass
    with pytest.raises(StorageError, match="older version"), reading_transaction(database):
        pass


async def test_the_bot_of_an_old_application_starts_although_its_token_has_another_id(
    sandbox: Sandbox, database: str
) -> None:
    """Whose database it is, the login tells."""
    await handed(database, 207_734_961_686_577_154)
    with sole_transaction(database) as connection:
        let_start(connection, sandbox.world.bot.id)
    await handed(database, ANOTHER)
    with (
        pytest.raises(StorageError, match="another bot"),
        sole_transaction(database) as connection,
    ):
        let_start(connection, sandbox.world.bot.id)


@pytest.mark.both_databases
async def test_an_import_belongs_to_the_bot_that_is_started_next(
    open_bot: Open, database: str, new_database: NewDatabase
) -> None:
    """So it is handed over on purpose to one that was made anew."""
    async with open_bot() as running_bot:
        board = await running_bot.friends()
    await handed(database, ANOTHER)
    copy = new_database()
    imported(copy, exported(database))
    async with open_bot(DATABASE_URL=copy) as running_bot:
        assert (await running_bot.session(board)).phase is Phase.RUNNING
    with pytest.raises(StorageError, match="another bot"):
        async with open_bot():
            pass
    new_database.drop(copy)


@pytest.mark.both_databases
async def test_what_runs_in_a_server_closes_without_a_result_when_the_bot_is_removed(
    open_bot: Open,
) -> None:
    thinker = Gated()
    async with open_bot(thinker=thinker) as running_bot:
        ann, ben, cleo, dan = running_bot.people
        running, _ = await running_bot.friends(), await running_bot.opened(cleo, opponent=dan)
        await running_bot.play(running, A, B)
        await ludo.begun(running_bot.sandbox, (ann, ben, cleo), rules="quick")
        await ludo.opened(running_bot.sandbox, dan)
        slow = await running_bot.opened(ann, level="perfect")
        await ann.press(slow, position=E)
        await thinker.asked.wait()
        await until(partial(all_placed, running_bot))
        tables = [table.id for table in await running_bot.service.boards(running_bot.games.id)]
        assert len(tables) == 5

        requests = Requests()
        running_bot.sandbox.observe(requests)
        await removed(running_bot)
        thinker.allowed.set()
        await passed(running_bot, timedelta(days=1))
        await passed(running_bot, timedelta(days=20))
        for number in tables:
            session = (await running_bot.service.table(number)).session
            assert session.phase is Phase.ABANDONED
            assert session.ending in {Ending.CLOSED, Ending.EXPIRED}
        assert not await Messages(running_bot.store).behind()
        assert not await running_bot.store.unattended()
        for person in running_bot.people:
            assert not (
                await running_bot.parlour.stores.records.history(PersonId(person.id))
            ).entries
        assert requests.seen == []


async def test_games_elsewhere_go_on(open_bot: Open) -> None:
    async with open_bot(new_sandbox=True) as running_bot:
        ann, ben, *_ = running_bot.people
        await running_bot.friends()
        typed = await (await ann.type(ann.dm, "tictactoe", level="easy", mark="x")).answered()
        (elsewhere,) = await finished.store(
            running_bot,
            kit.new_game("tictactoe", ann.id, ben.id, pace=Pace.RELAXED),
            guild=finished.ELSEWHERE,
        )
        await removed(running_bot)
        await running_bot.mark(ann, typed.message, E)
        assert button_on(typed.message, "❌").position == E
        assert (await running_bot.service.table(elsewhere)).session.phase is Phase.RUNNING


@pytest.mark.both_databases
async def test_a_server_that_brings_the_bot_back_in_time_finds_all_but_what_was_running(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    await running_bot.won()
    running = await running_bot.friends()
    await panels.choose(running_bot, ann, "settings games", "8")
    standing = await running_bot.parlour.stores.records.stats(
        PersonId(ann.id), "tictactoe", server(running_bot)
    )
    await removed(running_bot)
    await passed(running_bot, MONTH - timedelta(hours=1))
    await brought_back(running_bot)
    assert like("refusal.closed").search(await running_bot.told(ann, running, A))
    panel = await panels.opened(running_bot, ann, "settings")
    assert panels.held(panel, "settings games") == ["8"]
    await passed(running_bot, MONTH)
    again = await running_bot.parlour.stores.records.stats(
        PersonId(ann.id), "tictactoe", server(running_bot)
    )
    assert again == standing
    assert again.tally.wins == 1
    await running_bot.press(
        ben, await running_bot.opened(cleo, opponent=ben), says("control.accept")
    )


async def test_after_thirty_days_nothing_names_the_server_and_players_keep_their_games(
    running_bot: RunningBot, tmp_path: Path
) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await running_bot.won()
    await running_bot.opened(cleo, opponent=ben)
    await panels.choose(running_bot, ann, "settings channels", running_bot.games)
    everywhere = await running_bot.parlour.stores.records.stats(PersonId(ann.id), "tictactoe")
    await removed(running_bot)
    assert named(running_bot, tmp_path)
    await passed(running_bot, MONTH)
    assert await forgotten(running_bot)
    assert named(running_bot, tmp_path) == []
    assert (
        await running_bot.parlour.stores.records.stats(PersonId(ann.id), "tictactoe") == everywhere
    )
    assert (await running_bot.parlour.stores.records.history(PersonId(ben.id))).entries

    left = await running_bot.guild_data._database.run(dump)
    assert await running_bot.guild_data._database.run(rebuilt) == left

    running_bot.sandbox.move(Membership.JOINED)
    await until(partial(told_of, running_bot))
    shown = await (await ann.type(ann.dm, "replay", game="1")).answered()
    assert says("replay.start", of="5") in shown.message.text
    assert like("refusal.nothing_to_replay", "refusal.no_game_here").search(
        await running_bot.told(cleo, board, says("control.replay"))
    )
    panel = await panels.opened(running_bot, ann, "settings")
    assert not panels.held(panel, "settings channels")
    again = (await running_bot.press(ann, board, says("control.rematch"))).message
    await running_bot.press(ben, again, says("control.accept"))
    assert (await running_bot.service.boards(running_bot.games.id))[0].place.guild == server(
        running_bot
    )


async def told_of(running_bot: RunningBot) -> bool:
    """Whether discord.py knows the server."""
    await running_bot.guild_data.known()
    return running_bot.client.get_guild(server(running_bot)) is not None


async def test_a_removal_while_the_bot_was_off_is_noticed_when_it_starts(
    open_bot: Open, sandbox: Sandbox, tmp_path: Path
) -> None:
    async with open_bot() as running_bot:
        await running_bot.won()
        await running_bot.friends()
    sandbox.move(Membership.LEFT)
    async with open_bot() as running_bot:
        await until(partial(left, running_bot))
        assert await nothing_runs(running_bot)
    async with open_bot() as running_bot:
        await running_bot.clock.waited_for()
        assert await left(running_bot)
        await passed(running_bot, MONTH)
        await until(partial(forgotten, running_bot))
        assert named(running_bot, tmp_path) == []


async def test_a_return_while_the_bot_was_off_is_noticed_before_its_data_goes(
    open_bot: Open, sandbox: Sandbox
) -> None:
    async with open_bot() as running_bot:
        ann, *_ = running_bot.people
        await running_bot.won()
        await removed(running_bot)
        await passed(running_bot, MONTH - timedelta(hours=1))
    sandbox.move(Membership.JOINED)
    async with open_bot(later=MONTH) as running_bot:
        await until(partial(stays, running_bot))
        await passed(running_bot, MONTH)
        stats = await running_bot.parlour.stores.records.stats(
            PersonId(ann.id), "tictactoe", server(running_bot)
        )
        assert stats.tally.wins == 1


async def stays(running_bot: RunningBot) -> bool:
    return not await left(running_bot) and not await forgotten(running_bot)


@pytest.fixture
def hasty(running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch) -> RunningBot:
    """The bot, without the 5 s that discord.py waits for Discord's sake before it begins anew."""

    async def at_once(*_: object, **__: object) -> None:
        pass

    monkeypatch.setattr(running_bot.client, "before_identify_hook", at_once)
    return running_bot


async def test_a_removal_is_noticed_by_a_bot_that_was_cut_off_and_has_to_begin_anew(
    hasty: RunningBot,
) -> None:
    await hasty.friends()
    hasty.sandbox.drop_gateway(forget=True)
    await hasty.sandbox.bot_gone()
    hasty.sandbox.move(Membership.LEFT)
    await until(partial(left, hasty))
    assert await nothing_runs(hasty)


async def test_a_bot_that_has_to_begin_anew_closes_nothing_where_it_still_is(
    hasty: RunningBot,
) -> None:
    ann, *_ = hasty.people
    board = await hasty.friends()
    connected = hasty.client.wait_for("shard_connect", timeout=60)
    hasty.sandbox.drop_gateway(forget=True)
    await connected
    await passed(hasty, timedelta(minutes=1))
    await hasty.mark(ann, board, E)
    assert not await left(hasty)


@pytest.mark.both_databases
async def test_a_tournament_asks_for_nothing_in_a_server_that_was_left_and_is_told_on_the_return(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, format="swiss")
    await hall.later()
    assert hall.boards()
    await removed(running_bot)
    requests = Requests()
    running_bot.sandbox.observe(requests)
    for _ in range(3):
        await hall.later(timedelta(hours=1))
        await hall.later()
    assert requests.seen == []

    await brought_back(running_bot)
    while await running_bot.parlour.use_cases.tournaments.stored.behind():
        await hall.later()
    assert like("tournament.called_off").search(hall.message.text)


async def test_an_outage_closes_nothing(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.client.wait_until_ready()  # or the event may be one that discord.py loses
    gone = running_bot.client.wait_for("guild_unavailable", timeout=60)
    running_bot.sandbox.move(Membership.UNAVAILABLE)
    await gone
    back = running_bot.client.wait_for("guild_available", timeout=60)
    running_bot.sandbox.move(Membership.JOINED)
    await back
    await passed(running_bot, timedelta(minutes=1))
    await running_bot.mark(ann, board, E)
    assert not await left(running_bot)


async def test_a_return_that_discord_py_loses_as_a_start_ends_is_found_all_the_same(
    open_bot: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_bot() as running_bot:
        await running_bot.friends()
        await removed(running_bot)
    async with open_bot() as running_bot:
        monkeypatch.setattr(running_bot.client, "on_guild_join", untold)
        monkeypatch.setattr(running_bot.client, "on_guild_available", untold)
        told = running_bot.client.wait_for("shard_ready", timeout=60)
        await brought_back(running_bot)
        await told


async def test_an_outage_at_the_start_closes_nothing(open_bot: Open, sandbox: Sandbox) -> None:
    async with open_bot() as running_bot:
        board = await running_bot.friends()
    sandbox.move(Membership.UNAVAILABLE)
    async with open_bot() as running_bot:
        ann, *_ = running_bot.people
        ready = running_bot.client.wait_for("shard_ready", timeout=60)
        await ready
        back = running_bot.client.wait_for("guild_available", timeout=60)
        sandbox.move(Membership.JOINED)
        await back
        await running_bot.mark(ann, board, E)
        assert not await left(running_bot)


async def test_a_server_that_discord_fails_to_list_but_shows_is_not_taken_for_left(
    running_bot: RunningBot, caplog: pytest.LogCaptureFixture
) -> None:
    """Another version of discord.py may have no list yet when it says that it is connected."""
    await running_bot.friends()
    await running_bot.client.presence.connected(0)
    assert not await left(running_bot)
    running_bot.sandbox.fail_next("GET", "/guilds/*", 400)
    await running_bot.client.presence.connected(0)
    assert "server not found out about" in caplog.text
    assert not await left(running_bot)


async def test_trouble_of_discord_is_waited_out_before_a_server_is_taken_for_left(
    running_bot: RunningBot,
) -> None:
    await running_bot.friends()
    await running_bot.client.presence.connected(0)
    await running_bot.clock.waited_for()
    running_bot.sandbox.fail_next("GET", "/guilds/*", 503)
    running_bot.sandbox.fail_next("GET", "/guilds/*", 403, 50001, "Missing Access")
    compared = asyncio.create_task(running_bot.client.presence.connected(0))
    await running_bot.clock.waited_for(by=2)  # the rounds wait too
    assert not await left(running_bot)
    running_bot.clock.advance(timedelta(seconds=30))
    await compared
    assert await left(running_bot)


async def test_a_sandbox_of_ones_own_closes_nothing_of_servers_on_discord(
    open_bot: Open,
) -> None:
    async with open_bot(new_sandbox=True) as running_bot:
        ann, ben, *_ = running_bot.people
        running = kit.new_game("tictactoe", ann.id, ben.id, pace=Pace.RELAXED)
        (elsewhere,) = await finished.store(running_bot, running, guild=finished.ELSEWHERE)
        await running_bot.sandbox.bot_ready()
    async with open_bot(new_sandbox=True) as running_bot:
        await running_bot.clock.waited_for()
        await passed(running_bot, MONTH)
        assert (await running_bot.service.table(elsewhere)).session.phase is Phase.RUNNING
