"""A game of each kind on SimCord, a Discord that others wrote for tests: a second opinion.

Parlour needs three things that SimCord lacks; `simulated` adds them, each with its reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random, getrandbits
from typing import Any, Final

import discord
import pytest

from bot import app
from bot.settings import read_settings
from tests.bot.english import like, mover_in, says
from tests.bot.thinkers import Gated
from tests.bot.ui.conftest import MARKS, OFFER

simcord = pytest.importorskip("simcord", reason="SimCord comes with the extra `test`")

PATIENCE: Final = 60.0
LATER: Final = 3600.0
"""Seconds that SimCord waits for what a press sets off, and seconds that it does not wait."""

MOST_PRESSES: Final = 400

LISTS: Final = (
    discord.ComponentType.select.value,
    discord.ComponentType.checkbox_group.value,
)
"""The fields of a form whose answers are lists."""


class StoppedClock:
    """The clock of these games. SimCord wants every endless wait to be declared."""

    env: Any

    def now(self) -> datetime:
        return datetime(2026, 5, 1, 12, tzinfo=UTC)

    async def until(self, moment: datetime) -> None:
        if moment > self.now():
            await self.env.external_wait(asyncio.Event().wait(), reason="the next round")


@dataclass(frozen=True)
class Room:
    """A channel on SimCord, and the people in it."""

    env: Any
    guild: Any
    channel: Any
    ann: Any
    ben: Any
    others: tuple[Any, ...] = ()
    controls: str = ""
    """How the ids of a board's controls begin."""

    @property
    def board(self) -> discord.Message:
        """The last message of the channel that has buttons."""
        messages: list[discord.Message] = self.channel.history()
        return [each for each in messages if any(map(self._on_board, buttons(each)))][-1]

    def _on_board(self, button: discord.Button) -> bool:
        return (button.custom_id or "").startswith(self.controls)

    async def play(self) -> int:
        """Play a game to its end with the first offer of each board; return the presses."""
        for presses in range(MOST_PRESSES):
            found = mover_in(text(self.board))
            if found is None:
                return presses
            mover = next(
                each for each in (self.ann, self.ben, *self.others) if str(each.id) == found
            )
            await mover.click(self.board, custom_id=offers(self.board)[0])
        raise AssertionError(text(self.board))


def parts(component: Any) -> Iterator[Any]:
    """A component and all that are in it."""
    yield component
    for child in (*getattr(component, "children", ()), getattr(component, "accessory", None)):
        if child is not None:
            yield from parts(child)


def inside(message: discord.Message) -> list[Any]:
    """All components of a message."""
    return [part for top in message.components for part in parts(top)]


def text(message: discord.Message) -> str:
    texts = (each for each in inside(message) if isinstance(each, discord.TextDisplay))
    return "\n".join(each.content for each in texts)


def buttons(message: discord.Message) -> list[discord.Button]:
    return [each for each in inside(message) if isinstance(each, discord.Button)]


def offers(board: discord.Message) -> list[str]:
    """The ids of the moves on a board, whose marked squares can be pressed too."""
    return [
        each.custom_id
        for each in buttons(board)
        if each.custom_id and OFFER.fullmatch(each.custom_id) and not each.disabled
        if not (each.emoji and each.emoji.name in MARKS)
    ]


@asynccontextmanager
async def simulated(client: Any, clock: StoppedClock) -> AsyncIterator[Any]:
    """SimCord, complete, with a client on it."""
    router = pytest.importorskip("simcord.http.router")

    @router.route("GET", "/gateway/bot")  # type: ignore[untyped-decorator]
    def gateway(_: object) -> dict[str, object]:
        # SimCord opens no connection; a start asks how many are left of the day's.
        left = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        return {"url": "wss://gateway", "shards": 1, "session_start_limit": left}

    env = clock.env = simcord.Env(client, shard_count=1, settle_timeout=PATIENCE)
    with pytest.MonkeyPatch.context() as patched:
        # SimCord does not tell whether a server has added the bot, or a person.
        patched.setattr(discord.Interaction, "is_guild_integration", lambda _: True)
        # SimCord waits for every task to end, and this one lasts as long as the bot.
        lost = client.own_emojis.lost
        patched.setattr(
            client.own_emojis, "lost", lambda: env.external_wait(lost(), reason="lost emoji")
        )
        patched.setattr("bot.ui.response.DEFER_AFTER", LATER)
        patched.setattr("bot.ui.board_memory.SAVED_AFTER", LATER)
        await env.start()
        try:
            yield env
        finally:
            await env.shutdown()
    env.raise_errors()


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    """The bot on SimCord, in a server with two people."""
    address = f"sqlite:///{tmp_path}/parlour.db"
    settings = read_settings(
        {"DATABASE_URL": address, "PARLOUR_PRESS_LIMIT": "0"}, dotenv=Path("there is none")
    )
    clock = StoppedClock()
    async with (
        app.open(
            settings,
            clock=clock,
            rng=Random(getrandbits(64)),
            thinker=Gated(inline=True),
            sprites={},
        ) as parlour,
        simulated(parlour.client, clock) as env,
    ):
        guild = env.create_guild()
        ann, ben = (guild.add_member(env.create_user(name)) for name in ("ann", "ben"))
        yield Room(env, guild, guild.create_text_channel("games"), ann, ben)


async def test_two_people_play_tictactoe(room: Room) -> None:
    await room.ann.slash(room.channel, "tictactoe", opponent=room.ben, mark="x")
    await room.ben.click(room.board, label=says("control.accept"))
    assert await room.play() == 7
    won = says("won.played", emblem="❌", winner=f"\u2068{room.ann.mention}\u2069")
    assert text(room.board).startswith(won)
    told = await room.ben.slash(room.channel, "stats")
    assert told.ephemeral
    assert like("records.tally", wins="0").search(text(told.response.message))


async def test_a_person_plays_tictactoe_against_the_computer(room: Room) -> None:
    await room.ann.slash(room.channel, "tictactoe", mark="x")
    assert await room.play() == 4
    assert like("won.played").match(text(room.board))


async def test_games_are_suggested_to_those_who_type(room: Room) -> None:
    await room.ann.slash(room.channel, "tictactoe", opponent=room.ben, mark="x")
    suggested = await room.ann.autocomplete(room.channel, "board", "game", "")
    assert [each["value"] for each in suggested] == ["1"]


async def test_two_people_and_two_computers_play_ludo(room: Room) -> None:
    await room.ann.slash(room.channel, "ludo", player2=room.ben, computers=2, rules="quick")
    await room.ben.click(room.board, label=says("control.join"))
    await room.ann.click(room.board, label=says("control.start"))
    assert await room.play() > 4
    assert like("place.first").match(text(room.board))


def filled(shown: Any, **chosen: object) -> dict[str, object]:
    """The answers to a form: those chosen, and what stands there."""
    values: dict[str, object] = {}
    for label in shown.modal["components"]:
        asked = label["component"]
        usual = [each["value"] for each in asked.get("options", ()) if each.get("default")]
        values[asked["custom_id"]] = usual if asked["type"] in LISTS else "".join(usual)
    return values | chosen


async def test_a_match_of_a_tournament_is_played_in_its_thread(room: Room) -> None:
    cleo = room.guild.add_member(room.env.create_user("cleo"))
    form = await room.ann.slash(room.channel, "tournament")
    await room.ann.submit_modal(form, filled(form, format="all_play_all", start="host"))
    for person in (room.ben, cleo):
        await person.click(room.board, label=says("control.join"))
    await room.ann.click(room.board, label=says("control.start"))
    (thread,) = room.channel.threads
    match = replace(room, channel=thread, others=(cleo,), controls="p1:")
    assert any(like("tournament.call").search(text(each)) for each in thread.history())
    assert await match.play() > 4
    assert like("won.played").match(text(match.board))


async def test_a_file_is_handed_in_and_reviewed(room: Room) -> None:
    history = await room.ann.slash(room.channel, "history")
    form = await room.ann.click(history.response.message, label=says("control.review_file"))
    file = ("game.txt", b"a3 b2 b3 a1 c3")
    sent = await room.ann.submit_modal(form, filled(form, file=file, game="tictactoe"))
    title = says("review.file.title", game=says("game.tictactoe"))
    assert sent.ephemeral
    assert text(sent.response.message).startswith(title)
