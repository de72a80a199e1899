"""Connect four's message on a phone: the board and its columns are seen at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from selenium.webdriver import Chrome

from bot.games.catalogue import CATALOGUE
from bot.games.connectfour.sprites import BOARD_WIDE, WIDE
from bot.locales import shipped
from bot.storage.choices import GuildId
from bot.table.seat_log import BoardLook
from bot.table.seats import Computer, Human, Level, Pace, PersonId
from bot.table.session import Session
from bot.ui.words import Words
from engine.game import Move, Seat
from engine.games.connectfour import GAME, SIZES
from tests.bot.english import piece
from tests.bot.kit import stored
from tests.bot.ui.conftest import Open
from tests.bot.ui.test_in_the_browser import BOARD, HEIGHT
from tests.bot.ui.test_ludo_on_a_phone import NAMES, NUMBER, too_high
from tests.browser import Window
from tests.samples import Sample

MOST: Final = {320: 636, 360: 620}
USUAL: Final = {360: 520}
"""The height of a message at most by the width of a phone, in pixels; of 7x6 in English."""
SOME: Final = 1
"""The languages that are tried of each size in a run."""
EACH: Final = 12
"""The boards that are tried in each language."""
GAMES: Final = ("", "4", "44444432", "1122334")
"""Columns from 1: a start, the first disc, a full column, a win."""
CELLS: Final = f"""
    return [...document.querySelectorAll("{BOARD} .container .emoji")].slice(0, 49).map((each) => {{
        const {{left, top, width}} = each.getBoundingClientRect();
        return [Math.round(left), Math.round(top), Math.round(width)];
    }});
"""
PICTURE_WIDE: Final = f"""
    return document.querySelector("{BOARD} .gallery img").getBoundingClientRect().width;
"""
BUTTONS: Final = f"""
    return [...document.querySelectorAll("{BOARD} .row")].slice(0, 2).map((row) =>
        [...new Set([...row.children].map((each) => each.getBoundingClientRect().top))].length
    );
"""


def sessions(size: str, people: list[PersonId]) -> Iterator[Session]:
    """Games of two people and of one with all that takes room."""
    ann, ben = map(Human, people[:2])
    options = GAME.settled({"size": size})
    for columns in GAMES:
        for other in (ben, Computer(Level.EXPERT)):
            for pace in (Pace.LIVE, Pace.RELAXED):
                game = Session(GAME, options, pace, people[0], (ann, other)).start()
                for column in columns:
                    game = game.go_on(Move(int(column) - 1))
                yield game
                if columns and game.turn is not None and other == ben:
                    yield replace(game, offer=Seat(1 - game.turn), lapsed=pace is Pace.LIVE)
                if other != ben:
                    yield replace(game, hints=True)


def drawn(size: str, people: list[PersonId]) -> Iterator[Session]:
    """The same in either look, a picture more often than not."""
    for session in sessions(size, people):
        yield session
        pictured = replace(session.preferences, board=BoardLook.PICTURE)
        yield replace(session, preferences=pictured)


@pytest.mark.parametrize("size", SIZES)
async def test_every_board_fits_a_phone_in_any_language(
    open_bot: Open, browser: Chrome, sample: Sample, size: str
) -> None:
    async with open_bot(sprites=CATALOGUE["connectfour"].sprites) as running_bot:
        await running_bot.client.own_emojis.complete.wait()
        for person, name in zip(running_bot.people, NAMES, strict=True):
            person.account.name = name
        people = [PersonId(person.id) for person in running_bot.people]
        window = Window(browser, running_bot.sandbox.url)
        await window.resize(360, 740)
        await window.open(person=NAMES[0])
        await window.enter("#line", "/connectfour level:medium")
        await window.sees(BOARD, piece("board.turn"))
        due = running_bot.clock.now() + timedelta(hours=23)
        emojis, faults = running_bot.client.own_emojis.ids, list[str]()
        for language in sample([*shipped().values()], SOME):
            boards = [
                replace(stored(session), id=NUMBER, due=due)
                for session in sample(drawn(size, people), EACH)
            ]
            words = Words(language, emojis=emojis)
            faults += await too_high(running_bot, window, boards, words, MOST)
        assert not faults, "\n\n".join(faults)
        await window.close()


async def test_a_board_fills_most_of_a_phone(open_bot: Open, browser: Chrome) -> None:
    async with open_bot() as running_bot:
        window = Window(browser, running_bot.sandbox.url)
        for wide in MOST:
            await window.resize(wide, 740)
            await window.open(person="Ann")
            await window.enter("#line", "/connectfour level:medium colour:red (first)")
            await window.sees(BOARD, piece("board.turn"))
            await window.until(f"return document.querySelector('{BOARD} .gallery img').complete")
            shown = await window.run(PICTURE_WIDE) * BOARD_WIDE / WIDE
            assert shown > 0.6 * wide
            assert await window.run(BUTTONS) == [1, 1]
            assert await window.run(HEIGHT) <= MOST[wide]
        await window.close()


async def test_the_cells_stand_in_columns_and_the_buttons_in_two_lines(
    open_bot: Open, browser: Chrome, tmp_path: Path
) -> None:
    async with open_bot(sprites=CATALOGUE["connectfour"].sprites) as running_bot:
        await running_bot.client.own_emojis.complete.wait()
        guild = GuildId(running_bot.games.guild_id or 0)
        await running_bot.parlour.use_cases.stores.guilds.choose(guild, board=BoardLook.EMOJI)
        window = Window(browser, running_bot.sandbox.url)
        await window.resize(360, 740)
        await window.open(person="Ann")
        await window.enter("#line", "/connectfour level:medium colour:red (first)")
        await window.sees(BOARD, piece("board.turn"))
        await window.until(f"return document.querySelectorAll('{BOARD} .emoji img').length > 48")
        await window.screenshot(tmp_path / "start.png")
        emblem, *cells = await window.run(CELLS.replace("slice(0, 49)", "slice(0, 50)"))
        lefts, tops = {left for left, _, _ in cells}, {top for _, top, _ in cells}
        assert (len(lefts), len(tops)) == (7, 7), "numbers, and six rows of seven"
        assert len({width for _, _, width in cells}) == 1
        assert emblem[1] < min(tops)
        assert await window.run(BUTTONS) == [1, 1]
        assert await window.run(HEIGHT) <= USUAL[360]
        await window.close()
