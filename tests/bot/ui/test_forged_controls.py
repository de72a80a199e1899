"""Controls on messages that they are not made for: refused in a sentence, whatever they say."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.games.catalogue import CATALOGUE
from bot.sandbox import Message
from bot.screens.me import ForgetAnswer
from bot.screens.pager import RecordKind, Scope
from bot.table.actions import Action
from bot.table.variation import Variation
from tests.bot.english import piece, says
from tests.bot.people import Person
from tests.bot.ui import ludo, panels
from tests.bot.ui.conftest import RunningBot

A: Final = (0, 0)
GONE: Final = piece("refusal.unknown_control")
KINDS: Final = (
    *("running", "waiting", "gathering", "rolling", "over", "plain"),
    *("stats", "history", "leaderboard", "games", "forget", "replay", "rules", "resign", "help"),
    "puzzle",
)

numbers = st.one_of(st.integers(0, 6), st.integers(0, 10**20)).map(str)
games = st.sampled_from([*CATALOGUE, "-", "chess"])
actions = st.one_of(
    st.sampled_from([*Action, "rule-1", "table-1", "rule-"]),
    numbers.map("m{}".format),
    st.from_regex("[a-z0-9_-]{1,48}", fullmatch=True),
)
days = st.one_of(
    st.integers(-2, 2).map(lambda ahead: str(datetime.now(UTC).date() + timedelta(ahead))),
    st.dates().map(str),
)
lines = st.builds(
    Variation, st.integers(0, 9), st.integers(0, 9), st.just(7), st.integers(0, 1 << 40)
).map(lambda variation: variation.line)
pages = st.tuples(
    st.sampled_from([*RecordKind, "moves"]), games, st.sampled_from(Scope), numbers, numbers
)
grammar = st.one_of(
    st.tuples(st.just("p1"), numbers, numbers, actions).map(":".join),
    pages.map(lambda parts: ":".join(("s1", *parts))),
    pages.map(lambda parts: ":".join(("h1", *parts))),
    st.tuples(st.just("g1"), st.one_of(numbers, st.just("-")), numbers).map(":".join),
    st.sampled_from(["s1:replay", *(f"f1:{each}" for each in ForgetAnswer)]),
    st.tuples(st.just("o1"), numbers, games, st.from_regex("[0-9-]{1,25}", fullmatch=True)).map(
        ":".join
    ),
    st.tuples(st.just("r1"), numbers, numbers, st.sampled_from(["start", "rematch"])).map(":".join),
    st.tuples(st.just("d1"), days, actions).map(":".join),
    st.tuples(st.just("v1"), numbers, lines, actions).map(":".join),
    st.text(min_size=1, max_size=100),
)


def mutated(custom_id: str, at: int, char: str) -> str:
    """An id with one character replaced."""
    place = at % len(custom_id)
    return f"{custom_id[:place]}{char}{custom_id[place + 1 :]}"[:100]


custom_ids = st.one_of(
    grammar, st.builds(mutated, grammar, st.integers(0, 99), st.characters(codec="utf-8"))
).filter(lambda custom_id: 1 <= len(custom_id) <= 100)
choices = st.one_of(
    st.none(), st.sampled_from(["rules", "size:4", "add:easy", "board:picture"]), numbers
)


async def private(
    person: Person, running_bot: RunningBot, command: str, **options: object
) -> Message:
    """The message that a command answers with, for its reader alone."""
    typed = await person.type(running_bot.games, command, **options)  # type: ignore[arg-type]
    return (await typed.answered()).message


async def every_kind(running_bot: RunningBot) -> Mapping[str, Message]:
    """A message of each kind, all of which Ann sees."""
    ann, ben, *_ = running_bot.people
    over = await running_bot.friends()
    await running_bot.resign(ann, over)
    running, waiting = await running_bot.friends(), await running_bot.opened(ann, opponent=ben)
    gathering = await ludo.seated(running_bot.sandbox, (ann, ben))
    rolling = await ludo.begun(running_bot.sandbox, (ann, ben))
    channel = running_bot.client.get_partial_messageable(int(running_bot.games.id))
    await channel.send("Hello", nonce=token_hex(12))
    found = {
        "running": running,
        "waiting": waiting,
        "gathering": gathering,
        "rolling": rolling,
        "over": over,
        "plain": ann.sees(running_bot.games)[-1],
        "replay": (await running_bot.press(ann, over, says("control.replay"))).message,
        "rules": (await running_bot.press(ann, rolling, says("control.rules"))).message,
        "resign": (await ann.press(running, says("control.cancel"))).source,
        "forget": (await panels.use(running_bot, ann, "me forget")).message,
    }
    for command in ("me", "settings", "stats", "history", "leaderboard", "games", "help", "puzzle"):
        found[command] = await private(ann, running_bot, command)
    return {kind: message for kind, message in found.items() if message is not None}


def tables(message: Message) -> set[str]:
    """The numbers of the tables that the controls of a message belong to."""
    ids = [control.custom_id.split(":") for control in message.controls]
    return {parts[1] for parts in ids if parts[0] == "p1"}


async def test_whatever_is_pressed_on_whatever_message_is_answered(
    running_bot: RunningBot, caplog: pytest.LogCaptureFixture
) -> None:
    ann, *_ = running_bot.people
    messages = await every_kind(running_bot)
    public = {m: tables(m) for m in messages.values() if not m.ephemeral}
    loop = asyncio.get_running_loop()

    async def press(custom_id: str, kind: str, value: str | None) -> None:
        caplog.clear()
        chosen = () if value is None else (value,)
        await ann.forge(messages[kind], custom_id, *chosen).answered()
        await running_bot.client.router.closed()
        errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert not errors, errors
        for message, own in public.items():
            assert tables(message) <= own, message.text
            assert message.deleted or message.text

    @settings(
        max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    @given(custom_ids, st.sampled_from(sorted(messages)), choices)
    def forged(custom_id: str, kind: str, value: str | None) -> None:
        if custom_id.startswith("f1:forget") and kind == "forget":
            return  # it is what it says
        asyncio.run_coroutine_threadsafe(press(custom_id, kind, value), loop).result(20)

    await asyncio.to_thread(forged)


OUT_OF_PLACE = (
    ("s1:stats:tictactoe:here:1:0", "running"),
    ("h1:stats:tictactoe:here:1:0", "running"),
    ("g1:-:0", "running"),
    ("f1:keep", "running"),
    ("f1:forget", "stats"),
    ("s1:stats:tictactoe:here:9999999999999999999:0", "stats"),
    ("g1:9999999999999999999:0", "games"),
    ("p1:2:0:first", "over"),
    ("p1:2:0:rule-1", "waiting"),
    ("p1:1:4:next", "over"),
    ("p1:5:0:m4", "running"),
    ("p1:2:0:m4", "stats"),
    ("p1:2:0:rules", "running"),
    ("o1:0:ludo:1", "running"),
    ("r1:0:1:rematch", "over"),
    ("d1:2026-05-01:m0", "running"),
    ("d1:2026-05-01:share", "stats"),
    (f"v1:1:{Variation(0, 0, 7, 0).line}:m4", "over"),
    ("c1:forget", "settings"),
    ("k1:games", "me"),
    ("c1:colour", "me"),
)
"""Controls of other messages, tables or times, and the messages on which they are forged."""


async def test_a_control_out_of_place_is_refused_in_a_sentence(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    messages = await every_kind(running_bot)
    for custom_id, kind in OUT_OF_PLACE:
        before = messages[kind].text, messages[kind].edits
        pressed = await ann.forge(messages[kind], custom_id).answered()
        assert GONE in await running_bot.sentence(pressed), (custom_id, kind)
        assert (messages[kind].text, messages[kind].edits) == before, (custom_id, kind)
