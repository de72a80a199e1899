"""`/games`: what waits and runs in a channel, with links to the boards."""

from __future__ import annotations

from bot.sandbox import Channel, Person
from tests.bot.ui import ludo
from tests.bot.ui.conftest import House


async def games(
    house: House, person: Person, *, of: Person | None = None, channel: Channel | None = None
) -> str:
    """What `/games` answers, without what isolates names."""
    typed = await person.type(channel or house.games, "games", player=of)
    message = (await typed.answered()).message
    assert message.ephemeral
    return message.text.translate({0x2068: None, 0x2069: None})


async def test_every_game_of_the_channel_is_told_with_a_link_the_latest_first(
    house: House,
) -> None:
    ann, ben, cleo, _ = house.people
    board = await house.friends()
    challenge = await house.opened(cleo, opponent=ben)
    table = await ludo.opened(house.sandbox, ann, computers=1, level="easy")
    here = f"https://discord.com/channels/{house.games.guild_id}/{house.games.id}"
    assert (await games(house, ben)).split("\n") == [
        "### Games in this channel",
        f"**Ludo** · classic · {here}/{table.id}",
        f"🔴 {ann.mention}, 🟡 Computer (easy)",
        f"-# 🔴 {ann.mention} to roll.",
        f"**Tic-tac-toe** · 3x3, 3 in a row wins · {here}/{challenge.id}",
        f"❌ {cleo.mention}, ⭕ {ben.mention}",
        "-# Waits for players",
        f"**Tic-tac-toe** · 3x3, 3 in a row wins · {here}/{board.id}",
        f"❌ {ann.mention}, ⭕ {ben.mention}",
        f"-# ❌ {ann.mention} to move.",
    ]


async def test_the_games_of_one_player_are_those_that_wait_for_them_too(house: House) -> None:
    ann, ben, cleo, dan = house.people
    await house.friends()
    await house.opened(cleo, opponent=ben)
    assert (await games(house, ann, of=ann)).count("Tic-tac-toe") == 1
    assert (await games(house, ann, of=ben)).count("Tic-tac-toe") == 2
    assert "</tictactoe:" in (none := await games(house, ann, of=dan))
    assert none.startswith(f"{dan.mention} plays no game in this channel. Begin one with ")


async def test_where_nothing_runs_it_is_said_how_to_begin(house: House) -> None:
    ann, *_ = house.people
    lounge = house.sandbox.channel("lounge")
    board = await house.friends()
    for channel in (lounge, ann.dm):
        told = await games(house, ann, channel=channel)
        assert told.startswith("No game runs in this channel. Begin one with </tictactoe:")
    await house.press(ann, board, "Resign")
    assert (await games(house, ann)).startswith("No game runs in this channel.")


async def test_more_games_than_a_message_holds_are_counted(house: House) -> None:
    ann, *_ = house.people
    await (await ann.type(house.games, "settings limit", games=30)).answered()
    for _ in range(30):
        await house.opened(ann, level="easy")
    told = await games(house, ann)
    assert len(told) < 4000
    left_out = 30 - told.count("**Tic-tac-toe**")
    assert 0 < left_out < 20
    assert told.endswith(
        f"-# More of them do not fit here: {left_out}. Name a player to see only theirs."
    )
