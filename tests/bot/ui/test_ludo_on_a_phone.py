"""Ludo's message on a phone: whatever the dice show, the board and its buttons are seen at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from io import BytesIO
from itertools import product
from random import Random, randbytes
from typing import Final

import discord
import pytest
from selenium.webdriver import Chrome

from bot.games.catalogue import CATALOGUE
from bot.games.ludo.presenter import LudoPresenter
from bot.locales import shipped
from bot.screens.board import screen
from bot.screens.table_views import board_picture
from bot.table.seat_log import BoardLook, Preferences
from bot.table.seats import Absent, Computer, Human, Level, Pace, PersonId
from bot.table.session import Session, SessionId
from bot.table.table import Table
from bot.ui.render import board_view
from bot.ui.words import Words
from engine.game import Move, Options, Seat
from engine.games.ludo import GAME
from tests.bot.english import ENGLISH_WORDS
from tests.bot.games.ludo.ludo_tables import TABLES, random_moves, standing_at, table
from tests.bot.kit import stored
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.test_in_the_browser import BOARD, HEIGHT, LUDO_HIGH
from tests.browser import Window
from tests.samples import Sample

NAMES: Final = ("Maximilianus", "Wilhelmina", "Bartholomew", "Konstantinos")
"""People with longer names than most."""
BOARDS: Final = 500
SOME: Final = 40
"""Boards of random games: all, and those of a sample."""
EACH_WAY: Final = 5
"""Boards of a sample with common emoji and with own ones, in emoji and as a picture."""
BATCH: Final = 20
MOST: Final = {320: 636, 360: LUDO_HIGH}
"""The height of a message at most by the width of a small phone and of most, in pixels."""
NOBODY: Final = discord.AllowedMentions.none()
NUMBER: Final = SessionId(123_456)
CONTAINER: Final = f"return document.querySelector('{BOARD} .container').clientHeight"
CONTAINERS: Final = """
    const container = "#history > .message .container:not(.container .container)";
    return [...document.querySelectorAll(container)].map(
        (each) => [each.clientHeight, each.innerText]
    );
"""
IS_SHOWN: Final = "return document.querySelector(`[data-message-id='${arguments[0]}']`) !== null"
DRAWN: Final = """
    return [...document.querySelectorAll("#history .container img")].every((each) => each.complete)
"""

RULES: Final[tuple[tuple[int, Options], ...]] = (
    *TABLES,
    (4, {}),
    (4, {"teams": "yes", "blocks": "off"}),
    (4, {"third_six": "token back", "leave_on": "1 or 6"}),
    (4, {"blocks": "off", "finish": "places", "stars_safe": "no"}),
)


def seated(session: Session, people: Sequence[PersonId], turned: int) -> Session:
    """The session with these people at the table, as many as it has, all others being computers."""
    there = [isinstance(seat, Human) for seat in session.seats]
    levels = (Level.MEDIUM, Level.EXPERT, Level.EASY, Level.HARD)
    held = [
        Human(people[seat]) if person else Computer(levels[seat])
        for seat, person in enumerate(there)
    ]
    return replace(session, seats=(*held[turned:], *held[:turned]))


def played(people: Sequence[PersonId], seeds: Sequence[int]) -> Iterator[Session]:
    """Tables in the midst of random games, at any rules, with any people."""
    for seed in seeds:
        rng = Random(seed)
        seats, options = rng.choice(RULES)
        plies = rng.choice((rng.randint(0, 12), rng.randint(12, 400)))
        moves = random_moves(seats, options, plies, seed=seed)
        among = rng.randint(1, seats) if seed % 2 else 1
        session = table(seats, options, moves, people=among)
        yield from varied(seated(session, people, rng.randrange(seats)))


def varied(session: Session) -> Iterator[Session]:
    """The same table with all else that takes room."""
    if session.solo:
        yield session
        yield replace(session, hints=True)
        return
    for pace in (Pace.LIVE, Pace.RELAXED):
        yield (paced := replace(session, pace=pace))
        if session.turn is not None and isinstance(session.mover, Human) and pace is Pace.LIVE:
            yield replace(paced, lapsed=True)
        gone = next(seat for seat, held in enumerate(session.seats) if isinstance(held, Human))
        left = session.seats[gone]
        assert isinstance(left, Human)
        away = Absent(left.person, Level.EXPERT)
        held = (*session.seats[:gone], away, *session.seats[gone + 1 :])
        yield replace(paced, seats=held, lapsed=paced.lapsed and session.turn != gone)


def constructed(people: Sequence[PersonId]) -> Iterator[Session]:
    """Boards whose buttons and lines are as wide as they get."""
    for rolls in ((5, 5, 2, 5, 6, 6, 6, 3, 3, 6, 4), (2, 2, 1, 4), (5, 5, 2)):
        moves = tuple(map(Move, rolls))
        for among in (1, 4):
            yield from varied(seated(table(4, {}, moves, people=among), people, 0))
    prey: Options = {"blocks": "off", "stars_safe": "no"}
    ring = (3, 4, 10, 14)
    for options, ahead in (
        (prey, (42, 44, 46, 48)),
        (prey, ring),
        ({}, ring),
        ({}, (10, 10, 4, 4)),
    ):
        for number in (1, 2, 3, 4):
            own = (*ahead[:number], *(0 for _ in range(4 - number)))
            for captives in range(4):
                yield from choosing(options, own, captives, people)


def choosing(
    options: Options, own: tuple[int, ...], captives: int, people: Sequence[PersonId]
) -> Iterator[Session]:
    """The first seat's turn to move one of some tokens, each of which captures so many."""
    first = GAME.start(4, options)
    at = [token + 5 for token in own if token]
    rivals = [tuple((step - 13 * seat - 1) % 52 + 1 for step in at) for seat in (1, 2, 3)]
    tokens = [(*steps, 0, 0, 0, 0)[:4] for steps in rivals]
    for seat in range(captives, 3):
        tokens[seat] = (0, 0, 0, 0)
    position = first._replace(tokens=(own, *tokens), seat=Seat(0), opening=()).play(Move(5))
    moves = random_moves(4, options, 60, seed=1)
    for among in (1, 4):
        session = table(4, options, moves, people=among)
        session = standing_at(position, seated(session, people, 0).seats, options, moves)
        if position.die:
            yield from varied(session)


def wordiest(sessions: Iterator[Session], words: Words) -> list[Session]:
    """Of all boards with as many choices, people and so on that with the most to say."""
    found: dict[object, tuple[int, Session]] = {}
    for session in sessions:
        board = stored(session)
        view = board_view(screen(board), board, words).to_components()
        styles = tuple(choice.style for choice in LudoPresenter().choices(session))
        offered = (styles if session.solo else len(styles), session.rolling, session.lapsed)
        there = (len(session.people), Absent in map(type, session.seats))
        kind = (offered, there, session.phase, session.pace, session.hints)
        size = len(str([part for part in view[0]["components"] if part["type"] != 12][1:]))
        if kind not in found or size > found[kind][0]:
            found[kind] = size, session
    return [session for _, session in found.values()]


async def too_high(
    running_bot: RunningBot,
    window: Window,
    boards: Sequence[Table],
    words: Words,
    most: Mapping[int, int] = MOST,
) -> list[str]:
    """The boards that are too high for a phone of either width, each with its height."""
    channel = running_bot.client.get_partial_messageable(int(running_bot.games.id))
    faults: list[str] = []
    for start in range(0, len(boards), BATCH):
        batch = boards[start : start + BATCH]
        sent = [await sending(channel, board, words) for board in batch]
        await window.until(IS_SHOWN, str(sent[-1]))
        await window.until(DRAWN)
        for wide, limit in most.items():
            await window.resize(wide, 740)
            frame = await window.run(HEIGHT) - await window.run(CONTAINER)
            found = (await window.run(CONTAINERS))[-len(batch) :]
            heights = [(round(frame + high), said) for high, said in found]
            faults += [f"{wide}: {high} {said}" for high, said in heights if high > limit]
        for message in sent:
            await channel.get_partial_message(message).delete()
    return faults


@cache
def a_picture() -> bytes:
    """The picture of one board; that of any other is as large (`test_picture.py`)."""
    return LudoPresenter().picture(table(4, {}, ()))


async def sending(channel: discord.PartialMessageable, board: Table, words: Words) -> int:
    """The id of a message that shows a board."""
    files = []
    if board.session.preferences.board is BoardLook.PICTURE:
        drawn = a_picture() if board.session.game is GAME else board_picture(board)
        files = [discord.File(BytesIO(drawn), "board.png")]
    view = board_view(screen(board), board, words)
    sent = await channel.send(
        view=view, files=files, allowed_mentions=NOBODY, nonce=randbytes(12).hex()
    )
    return sent.id


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", sorted(shipped()))
async def test_every_ludo_board_fits_a_phone_in_any_language_whatever_the_dice_show(
    open_bot: Open, browser: Chrome, sample: Sample, language: str, *, exhaustive: bool
) -> None:
    """Nor has a row of it more than three buttons with words, which is held of every message."""
    async with open_bot(sprites=CATALOGUE["ludo"].sprites) as running_bot:
        await running_bot.client.own_emojis.complete.wait()
        for person, name in zip(running_bot.people, NAMES, strict=True):
            person.account.name = name
        people = [PersonId(person.id) for person in running_bot.people]
        own = running_bot.client.own_emojis.ids
        window = Window(browser, running_bot.sandbox.url)
        await window.resize(min(MOST), 740)
        await window.open(person=NAMES[0])
        due = running_bot.clock.now() + timedelta(hours=23)
        found = [
            session
            for sessions in (played(people, sample(range(BOARDS), SOME)), constructed(people))
            for session in wordiest(sessions, ENGLISH_WORDS)
        ]
        assert len(found) > (100 if exhaustive else 50)
        faults = []
        for look, emojis in product(BoardLook, ({}, own)):
            boards = [
                replace(
                    stored(replace(session, preferences=Preferences(board=look))),
                    id=NUMBER,
                    due=due,
                )
                for session in sample(found, EACH_WAY)
            ]
            words = Words(shipped()[language], emojis=emojis)
            faults += await too_high(running_bot, window, boards, words)
        assert not faults, "\n\n".join(faults)
        await window.close()
