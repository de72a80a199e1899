"""The bot's memory ends: each cache at its budget, each press with its answer."""

from __future__ import annotations

import gc
import math
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from functools import partial
from itertools import islice, product
from random import Random
from typing import Any, Final

import discord
import pytest

from bot import locales
from bot.cache import Cache, Memo
from bot.games.catalogue import CACHES
from bot.games.connectfour import sprites as connectfour
from bot.games.tictactoe import sprites as tictactoe
from bot.message.canvas import A_PALETTE
from bot.message.text import Percent
from bot.metrics import PrometheusMeter
from bot.table.dice import Dice
from bot.table.seats import Computer, Human, Level, Occupant, Pace, PersonId
from bot.table.session import Ending, Session, SessionId
from bot.table.table import Place, Table
from bot.ui.board_memory import LiveReply
from bot.ui.words import Words
from engine.games.ludo import GAME as LUDO
from engine.games.ludo.rules import PRESETS, rules, settle
from engine.review.puzzles import FIRST_DAY, puzzle
from tests.bot.budgets import over_budget
from tests.bot.clock import ManualClock
from tests.bot.kit import at_random
from tests.bot.trouble import CALLBACK
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.test_metrics import figure

A_NUMBER_OF_DISCORD: Final = 1 << 60
PLIES: Final = 150
SQUARES: Final = "\n".join(" ".join(f"m{5 * row + each}" for each in range(5)) for row in range(5))
"""The layout of a board of 5x5."""
COLOUR_TYPE, PALETTED = 25, 3
"""Where a PNG says whether its pixels are colours, and that they are numbers of a palette."""
LOCALES: Final = ("de", "fr", "ja", "ar")

NAMES: Final = (
    *("tables", "tables_over", "shown_revisions", "replies", "allowances", "deleted_messages"),
    *("left_messages", "unpictured", "layouts", "puzzles", "languages"),
)


def table(number: int, *, plies: int = PLIES, over: bool = False) -> Table:
    """A table of Ludo after some plies, none of whose parts another table has."""
    rng, place = Random(number), A_NUMBER_OF_DISCORD + 4 * number
    people = [PersonId(place + each) for each in range(2)]
    computers = Computer(Level.HARD), Computer(Level.EASY)
    seats: tuple[Occupant, ...] = (*[Human(each) for each in people], *computers)
    begun = Session(LUDO, {**LUDO.settled({})}, Pace.LIVE, people[0], seats).start()
    session = at_random(begun, rng, plies)
    if over:
        session = session.abandon(Ending.CLOSED)
    assert session.unattended in {True, False}, "a press asks for most of what follows"
    at = ManualClock().now()
    return Table(
        SessionId(number),
        revision=1000 + number,
        session=session,
        place=Place(place, place + 1, place + 2),
        locale="en-US",
        moved_at=at.replace(microsecond=number),
        due=at.replace(microsecond=number),
        dice=Dice(rng.randbytes(32), board=place + 2),
        opened_at=at.replace(microsecond=number),
    )


def entry(name: str, number: int, client: discord.Client) -> tuple[object, object]:
    """A key and a value of a cache, whose parts no other entry has."""
    match name:
        case "tables" | "tables_over":
            return SessionId(number), table(number, over=name == "tables_over")
        case "replies":
            webhook = discord.Webhook.partial(number, f"{number:0200}", client=client)
            until = ManualClock().now().replace(microsecond=number)
            return SessionId(number), LiveReply(webhook, number, 1000 + number, until)
        case "allowances" | "puzzles":
            person, day = PersonId(A_NUMBER_OF_DISCORD + number), FIRST_DAY + timedelta(number)
            allowance = (number / 7, number / 3)
            return (day, puzzle(day)) if name == "puzzles" else (person, allowance)
        case "deleted_messages" | "layouts":
            message = A_NUMBER_OF_DISCORD + number
            return message, f"{SQUARES}\nmore {number}" if name == "layouts" else -message
        case "shown_revisions" | "left_messages" | "unpictured":
            session, left = SessionId(1000 + number), A_NUMBER_OF_DISCORD + number
            others = {"left_messages": ((session, left), left), "unpictured": (session, session)}
            return others.get(name, (session, left))
        case _:
            locale = LOCALES[number % len(LOCALES)]
            words = Words(locales.one_of(locale) or locales.shipped()[locales.ENGLISH])
            measured = (1234.5, Percent(0.5), date(2026, 5, 1))
            written = [words.spelled(each) for each in measured]
            assert all(written), "so that it has learned to write them"
            return f"{locale} {number}", words


def caches(running_bot: RunningBot) -> Mapping[str, Cache[Any, Any]]:
    """The bot's caches by their names, without the results that functions remember."""
    return {each.name: each for each in running_bot.parlour.caches if isinstance(each, Cache)}


async def test_each_cache_has_a_name_of_its_own(running_bot: RunningBot) -> None:
    names = [each.name for each in running_bot.parlour.caches]
    assert len(names) == len({*names})
    assert {*caches(running_bot)} == {*NAMES}, "a new cache is filled and weighed below too"


@pytest.mark.parametrize("name", NAMES)
async def test_a_cache_ends_at_its_budget(running_bot: RunningBot, name: str) -> None:
    cache = caches(running_bot)[name]
    cache.clear()
    _, value = entry(name, 1, running_bot.client)
    cache.keep(0, value)
    each = cache.size
    for number in range(2 * cache.budget // each):
        cache.keep(number, value)
    assert cache.budget - each < cache.size <= cache.budget
    assert over_budget(running_bot.parlour) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
async def test_what_a_cache_holds_takes_no_more_than_it_counts(
    running_bot: RunningBot, name: str
) -> None:
    many = {"languages": 3, "tables": 15, "tables_over": 15, "puzzles": 15}.get(name, 500)
    cache, few = caches(running_bot)[name], range(1, 1 + many)
    entries = partial(map, partial(entry, name, client=running_bot.client))
    if name != "languages":  # which share nothing
        assert all(entries(few)), "what all entries share is there from now on"
    weighed: list[int] = []
    for _ in range(3):  # of which the least has nothing of other threads
        cache.clear()
        with traced() as taken:
            for key, value in entries(few):
                cache.keep(key, value)
            weighed.append(taken())
    assert min(weighed) <= cache.size


def test_a_picture_that_is_remembered_takes_no_more_than_is_counted() -> None:
    painted = {
        "connectfour_tiles": (connectfour.BOARD_WIDE // 7,),
        "ludo_grounds": (rules(settle(PRESETS["classic"])),),
        "ludo_tiles": ("red_1_path", "path"),
        "tictactoe_tiles": (tictactoe.SIZE // 3,),
    }
    for name, about in painted.items():
        memo = remembered()[name]
        found = memo.function(*about)
        pictures = found.values() if isinstance(found, Mapping) else [found]
        assert all(each.png()[COLOUR_TYPE] == PALETTED for each in pictures)
        assert sum(A_PALETTE + math.prod(each.size) for each in pictures) <= memo.each


def test_rules_arrangements_and_logs_take_no_more_than_is_counted() -> None:
    kinds = [rules(settle({**PRESETS["classic"], "tokens": tokens})) for tokens in (2, 3, 4)]
    arrangements = list(islice(product(range(8, 50), repeat=4), 500))
    played = table(1, plies=2000).session
    options = tuple(played.options.items())
    given: Mapping[str, list[tuple[object, ...]]] = {
        "ludo_logs": [(len(played.seats), options, played.moves)],
        "ludo_rules": [*product((2, 3, 4), kinds)],
        "ludo_arrangements": [(1, tokens) for tokens in arrangements],
    }
    for name, every in given.items():
        memo = remembered()[name]
        for about in every:
            memo.function(*about)
        memo.function.cache_clear()
        with traced() as taken:
            for about in every:
                memo.function(*about)
            assert taken() <= memo.size


def remembered() -> Mapping[str, Memo]:
    """What functions of games remember, by its name."""
    return {each.name: each for each in CACHES if isinstance(each, Memo)}


async def test_the_metrics_show_each_cache_beside_its_budget(open_bot: Open) -> None:
    meter = PrometheusMeter()
    async with open_bot(meter=meter) as running_bot:
        board = await running_bot.friends()
        await running_bot.play(board, (0, 0), (0, 1))
        page = meter.exposition().decode()
        for each in running_bot.parlour.caches:
            assert figure(page, "cache_bytes", each.name) == each.size
            assert figure(page, "cache_budget_bytes", each.name) == each.budget > 0
        assert figure(page, "cache_bytes", "tables") > 0


async def test_a_press_leaves_nothing_to_the_garbage_collector(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.friends()
    with uncollected() as garbage:
        await running_bot.play(board, (0, 0), (0, 1))
        await running_bot.mark(ann, board, (0, 1))  # which is taken
        running_bot.sandbox.fail_next("POST", CALLBACK, 503)
        running_bot.sandbox.cut_next("POST", CALLBACK)
        await running_bot.mark(ann, board, (1, 1))
        await running_bot.client.router.closed()
    assert not [each for each in garbage if isinstance(each, discord.Interaction)]


@contextmanager
def uncollected() -> Iterator[Sequence[object]]:
    """The objects of which the collector had to let go, in the end; till then it rests."""
    found: list[object] = []
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found.extend(gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@contextmanager
def traced() -> Iterator[Callable[[], int]]:
    """Tells how many bytes more are in use than at the beginning."""
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()

        def taken() -> int:
            gc.collect()
            return tracemalloc.get_traced_memory()[0] - before

        yield taken
    finally:
        tracemalloc.stop()
