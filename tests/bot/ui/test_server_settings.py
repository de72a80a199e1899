"""A server's settings: who may change them, and what they do to games."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest

from bot.sandbox import Channel, ChannelKind, Message, Permission
from bot.sandbox.payload import Snowflake
from bot.screens.panel import AUTOMATIC
from bot.storage.choices import MOST_CHANNELS, GuildId
from bot.ui.render import MOST_PICKED
from tests.bot.english import like, piece, says
from tests.bot.people import Person, button_on
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.panels import choose, control, held, offered, opened, used
from tests.bot.ui.tongues import english_and_german

E = (1, 1)


def linked(channel: Channel) -> str:
    return f"<#{channel.id}>"


async def limited(running_bot: RunningBot, games: int) -> None:
    ann, *_ = running_bot.people
    await choose(running_bot, ann, "settings games", str(games))


async def listed(running_bot: RunningBot, *channels: str) -> Message:
    ann, *_ = running_bot.people
    found = map(running_bot.sandbox.channel, channels)
    return await choose(running_bot, ann, "settings channels", *found)


async def refused(running_bot: RunningBot, person: Person, **options: object) -> str:
    given = options if "opponent" in options else {"anyone": True, **options}
    return await running_bot.say(person, "tictactoe", **given)


def boards(running_bot: RunningBot, person: Person) -> list[Message]:
    return [message for message in person.sees(running_bot.games) if not message.ephemeral]


async def test_a_server_that_has_chosen_nothing_has_games_everywhere(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    shown = await opened(running_bot, ann, "settings")
    assert says("settings.where") in shown.text
    assert held(shown, "settings channels") == []
    assert held(shown, "settings games") == ["5"]
    assert held(shown, "settings language") == [AUTOMATIC]
    assert held(shown, "settings boards") == ["usual"]
    assert "settings close" not in offered(shown)


async def test_a_role_for_winners_is_one_that_the_bot_may_give(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    champion, own = running_bot.sandbox.world.guild.roles
    panel = await choose(running_bot, ann, "settings role", str(champion.id))
    assert held(panel, "settings role") == [str(champion.id)]
    assert says("refusal.role_not_given") in panel.text

    own.granted = Permission(0)
    running_bot.sandbox.change_roles()
    used_ = await used(ann, panel, "settings role", str(champion.id))

    assert like("refusal.role_not_given").search(await running_bot.sentence(used_))
    assert like("settings.role.held", role=f"<@&{champion.id}>").search(panel.text)
    first = (await used(ann, panel, "settings back")).message
    assert "settings games" in offered(first)


async def test_settings_are_for_those_who_may_manage_the_server(running_bot: RunningBot) -> None:
    _, ben, *_ = running_bot.people
    with pytest.raises(ValueError, match="Ben may not use /settings here"):
        await ben.type(running_bot.games, "settings")
    ben.grant(Permission.MANAGE_GUILD)
    shown = await choose(running_bot, ben, "settings games", "3")
    assert held(shown, "settings games") == ["3"]


async def test_help_names_them_to_those_who_may_manage_the_server_and_to_nobody_else(
    running_bot: RunningBot,
) -> None:
    _, ben, *_ = running_bot.people
    told = piece("help.managed")
    assert told not in await running_bot.say(ben, "help")
    ben.grant(Permission.MANAGE_GUILD)
    assert told in await running_bot.say(ben, "help")
    assert told not in await running_bot.say(ben, "help", ben.dm)


async def test_who_may_not_is_refused_even_where_the_server_offers_the_command_to_everybody(
    running_bot: RunningBot,
) -> None:
    _, ben, *_ = running_bot.people
    running_bot.sandbox.offer_to_everybody("settings")
    assert says("refusal.not_manager") in await running_bot.say(ben, "settings")


@pytest.mark.parametrize(
    ("setting", "value"),
    [("games", "8"), ("channels", None), ("language", "en-US"), ("boards", "picture")],
)
async def test_a_panel_of_one_who_may_no_longer_manage_the_server_changes_nothing(
    running_bot: RunningBot, setting: str, value: str | None
) -> None:
    ann, ben, *_ = running_bot.people
    ben.grant(Permission.MANAGE_GUILD)
    panel = await opened(running_bot, ben, "settings")
    ben.revoke(Permission.MANAGE_GUILD)
    chosen = running_bot.games if value is None else value
    told = await used(ben, panel, f"settings {setting}", chosen)
    assert says("refusal.not_manager") in await running_bot.sentence(told)
    held_now = held(await opened(running_bot, ann, "settings"), f"settings {setting}")
    assert held_now == held(panel, f"settings {setting}")


async def test_the_same_panel_is_used_again_and_again_and_shows_what_holds(
    open_bot: Open,
) -> None:
    languages = english_and_german()
    async with open_bot(languages=languages) as running_bot:
        ann, *_ = running_bot.people
        panel = await opened(running_bot, ann, "settings")
        for setting, value in (("games", "10"), ("boards", "picture"), ("language", "de")):
            pressed = await used(ann, panel, f"settings {setting}", value)
            assert pressed.message is panel
            assert held(panel, f"settings {setting}") == [value]
    async with open_bot(languages=languages) as running_bot:  # the panel outlives a restart
        ann, *_ = running_bot.people
        await used(ann, panel, "settings games", "1")
        assert held(panel, "settings games") == ["1"]
        assert held(panel, "settings boards") == ["picture"]
        await used(ann, panel, "settings boards", "usual")
        assert held(panel, "settings boards") == ["usual"]


async def test_a_choice_that_is_no_longer_offered_is_refused_kindly(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    panel = await opened(running_bot, ann, "settings")
    for setting, value in (("games", "51"), ("language", "xx"), ("boards", "wood")):
        forged = await ann.forge(panel, control(f"settings {setting}"), value).answered()
        assert says("refusal.not_offered") in await running_bot.sentence(forged)
    gone = await ann.forge(panel, "k1:colours", "red").answered()
    assert piece("refusal.unknown_control") in await running_bot.sentence(gone)


async def test_two_who_manage_the_server_lose_nothing_of_each_others_channels(
    running_bot: RunningBot,
) -> None:
    _, ben, *_ = running_bot.people
    ben.grant(Permission.MANAGE_GUILD)
    games, lounge = map(running_bot.sandbox.channel, ("games", "lounge"))
    before = await opened(running_bot, ben, "settings")
    await listed(running_bot, "games")
    await used(ben, before, "settings channels", lounge)
    both = sorted(str(channel.id) for channel in (games, lounge))
    assert held(before, "settings channels") == both


async def test_direct_messages_have_no_settings(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    with pytest.raises(ValueError, match="cannot be used in direct messages"):
        await ann.type(ann.dm, "settings")


async def test_games_are_played_in_listed_channels_alone_and_the_refusal_names_them(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    lounge = running_bot.sandbox.channel("lounge")
    assert held(await listed(running_bot, "lounge"), "settings channels") == [str(lounge.id)]
    said = await refused(running_bot, ben, opponent=ann)
    assert said == says("refusal.games_elsewhere", channels=linked(lounge))
    typed = await (await ben.type(lounge, "tictactoe", opponent=ann)).answered()
    assert like("lobby.challenge").search(typed.message.text)


async def test_two_listed_channels_are_both_shown(running_bot: RunningBot) -> None:
    both = held(await listed(running_bot, "games", "lounge"), "settings channels")
    names = ("games", "lounge")
    assert both == sorted(str(running_bot.sandbox.channel(name).id) for name in names)


async def test_a_thread_counts_as_the_channel_that_it_is_in(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    thread = running_bot.sandbox.channel("games-thread")
    await listed(running_bot, "lounge")
    assert like("refusal.games_elsewhere").search(await running_bot.say(ann, "tictactoe", thread))
    await listed(running_bot, "games")
    typed = await (await ann.type(thread, "tictactoe", level="easy", mark="x")).answered()
    await running_bot.resign(ann, typed.message)
    again = (await running_bot.press(ann, typed.message, says("control.rematch"))).message
    assert again.buttons


async def test_the_last_channel_taken_off_the_list_opens_them_all(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    await listed(running_bot, "lounge")
    assert held(await choose(running_bot, ann, "settings channels"), "settings channels") == []
    assert (await running_bot.opened(ben)).buttons


def furnished(sandbox: Sandbox, ids: Iterable[int]) -> list[Channel]:
    """Channels added to the sandbox before a bot connects."""
    guild = sandbox.channel("games").guild_id
    made = [Channel(Snowflake(i), f"room-{i}", ChannelKind.TEXT, guild, position=9) for i in ids]
    sandbox.world.channels.update({channel.id: channel for channel in made})
    return made


async def test_a_list_that_no_message_can_hold_any_more_is_refused(
    open_bot: Open, sandbox: Sandbox
) -> None:
    first = 2_000_000_000_000_000_000
    *rooms, last = furnished(sandbox, range(first, first + MOST_CHANNELS + 1))
    guild = GuildId(last.guild_id or 0)
    async with open_bot() as running_bot:
        ann, ben, *_ = running_bot.people
        panel = await opened(running_bot, ann, "settings")
        guilds = running_bot.parlour.use_cases.stores.guilds
        await guilds.list_channels(guild, listed=[room.id for room in rooms])
        told = await running_bot.sentence(await used(ann, panel, "settings channels", last))
        assert says("refusal.too_many_channels", count=MOST_CHANNELS) in told
        assert len(held(panel, "settings channels")) == MOST_PICKED, "a menu holds no more"
        await used(ann, panel, "settings channels", *rooms[1:MOST_PICKED], last)
        assert str(rooms[0].id) not in held(panel, "settings channels")
        assert (await refused(running_bot, ben)).count("<#") == MOST_CHANNELS


async def test_a_listed_channel_that_is_gone_is_dropped_with_the_next_choice(
    open_bot: Open, sandbox: Sandbox
) -> None:
    lounge = sandbox.channel("lounge")
    guild = GuildId(lounge.guild_id or 0)
    async with open_bot() as running_bot:
        ann, *_ = running_bot.people
        guilds = running_bot.parlour.use_cases.stores.guilds
        await guilds.list_channels(guild, listed=[lounge.id, 77])
        panel = await opened(running_bot, ann, "settings")
        assert held(panel, "settings channels") == [str(lounge.id)]
        await used(ann, panel, "settings channels", lounge, running_bot.games)
        assert guilds.of(guild).channels == {lounge.id, running_bot.games.id}


async def test_a_rematch_is_refused_where_no_games_may_be_played_any_more(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.opened(ann, level="easy")
    await running_bot.resign(ann, board)
    await listed(running_bot, "lounge")
    assert like("refusal.games_elsewhere").search(
        await running_bot.told(ann, board, says("control.rematch"))
    )


async def test_a_game_that_runs_goes_on_where_no_new_ones_may_begin(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.opened(ann, level="easy")
    await listed(running_bot, "lounge")
    await running_bot.mark(ann, board, E)
    assert button_on(board, "❌").position == E


async def test_a_full_channel_shows_whoever_asks_their_own_games_to_finish(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    await limited(running_bot, 2)
    first = await running_bot.opened(ann, anyone=True)
    second = await running_bot.opened(ben, anyone=True)
    to_ben, to_cleo = await refused(running_bot, ben), await refused(running_bot, cleo)
    assert like("refusal.channel_full").search(to_ben)
    assert str(second.id) in to_ben
    assert str(first.id) not in to_ben
    assert str(first.id) in to_cleo
    assert ann.mention in to_cleo, "it says whose games they are"
    assert ben.mention in to_cleo
    assert str(second.id) in to_cleo

    await running_bot.press(ann, first, says("control.withdraw"))
    assert (await running_bot.opened(cleo, anyone=True)).buttons


async def test_a_full_channel_leaves_others_and_direct_messages_alone(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    await limited(running_bot, 1)
    await running_bot.opened(ann)
    for channel in (
        running_bot.sandbox.channel("lounge"),
        running_bot.sandbox.channel("games-thread"),
        ann.dm,
    ):
        assert (await (await ann.type(channel, "tictactoe")).answered()).message.buttons
    assert (await (await ann.type(ann.dm, "tictactoe")).answered()).message.buttons


async def test_a_rematch_is_refused_in_a_full_channel(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    await limited(running_bot, 1)
    over = await running_bot.friends()
    await running_bot.resign(ann, over)
    taken = await running_bot.opened(ben, anyone=True)
    assert str(taken.id) in await running_bot.told(ann, over, says("control.rematch"))
    await running_bot.press(ben, taken, says("control.withdraw"))
    again = (await running_bot.press(ann, over, says("control.rematch"))).message
    assert not again.ephemeral


async def test_of_two_who_ask_at_once_for_the_last_place_one_gets_it(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    await limited(running_bot, 3)
    await running_bot.opened(ann, anyone=True)
    await running_bot.opened(ben, anyone=True)
    typed = [
        await by.type(running_bot.games, "tictactoe", anyone=True) for by in running_bot.people
    ]
    answers = await asyncio.gather(*(each.answered() for each in typed))
    assert sorted(answer.message.ephemeral for answer in answers) == [False, True, True, True]
    assert len(boards(running_bot, ann)) == 3


async def test_five_games_fit_a_channel_unless_its_server_says_otherwise(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    for _ in range(5):
        await running_bot.opened(ann, anyone=True)
    assert like("refusal.channel_full").search(await refused(running_bot, ann))


async def test_the_language_of_the_server_is_that_of_its_boards(open_bot: Open) -> None:
    async with open_bot(languages=english_and_german()) as running_bot:
        ann, ben, *_ = running_bot.people
        said = await choose(running_bot, ann, "settings language", "de")
        assert held(said, "settings language") == ["de"]
        assert "sucht jemanden" in (await running_bot.opened(ben, anyone=True)).text
        assert like("refusal.no_games_here").search(await running_bot.say(ben, "board", ben.dm))
        await choose(running_bot, ann, "settings language", AUTOMATIC)
        assert like("lobby.open").search((await running_bot.opened(ben, anyone=True)).text)


async def test_a_rematch_speaks_the_language_that_the_server_has_chosen_since(
    open_bot: Open,
) -> None:
    async with open_bot(languages=english_and_german()) as running_bot:
        ann, *_ = running_bot.people
        board = await running_bot.friends()
        await running_bot.resign(ann, board)
        await choose(running_bot, ann, "settings language", "de")
        await running_bot.press(ann, board, says("control.rematch"))
        table = (await running_bot.service.boards(running_bot.games.id))[0]
        assert table.locale == "de"


async def test_settings_outlive_a_restart(open_bot: Open) -> None:
    languages = english_and_german()
    async with open_bot(languages=languages) as running_bot:
        ann, *_ = running_bot.people
        await listed(running_bot, "lounge", "games")
        await limited(running_bot, 8)
        before = await choose(running_bot, ann, "settings language", "de")
    async with open_bot(languages=languages) as running_bot:
        ann, *_ = running_bot.people
        after = await opened(running_bot, ann, "settings")
        for setting in ("channels", "games", "language"):
            what = f"settings {setting}"
            assert held(after, what) == held(before, what)
        assert held(after, "settings games") == ["8"]


async def test_whose_own_language_there_is_not_is_answered_in_that_of_the_server(
    open_bot: Open,
) -> None:
    async with open_bot(languages=english_and_german()) as running_bot:
        ann, ben, *_ = running_bot.people
        ben.locale = "ja"
        assert like("refusal.no_games_here").search(await running_bot.say(ben, "board"))
        await choose(running_bot, ann, "settings language", "de")
        assert await running_bot.say(ben, "board") == "Hier läuft kein Spiel."
        assert like("refusal.no_games_here").search(await running_bot.say(ann, "board"))
