"""The whole message of a Ludo table, as it is sent to Discord: it fits, in longer languages too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any, Final

import pytest

from bot.games.ludo.board.sprites import SPRITES
from bot.locales import ENGLISH, shipped
from bot.screens import screen
from bot.screens.replay import Replay
from bot.table.actions import Action
from bot.table.dice import Dice
from bot.table.session import Session, SessionId
from bot.table.table import Place, Table
from bot.ui.render import board_view
from bot.ui.words import Words
from engine.game import Options
from tests.bot.games.ludo.ludo_tables import TABLES, random_moves, table

MOST_CHARACTERS: Final = 4_000
MOST_COMPONENTS: Final = 40
MOST_EMOJI: Final = 199
MOST_OPTIONS: Final = 25
LONGER: Final = 1.4
"""So much longer than English the texts of a language may be."""

FAR_FROM_ANY_PRESET: Final[Options] = {
    "tokens": 2, "extra_six": "no", "extra_capture": "no", "extra_home": "no", "stars_safe": "no",
    "blocks": "walls", "home": "overshooting", "finish": "places",
}  # fmt: skip

WORDS: Final = Words(
    shipped()[ENGLISH],
    emojis={name: 9_000_000_000_000_000_000 + number for number, name in enumerate(SPRITES)},
)
EMOJI: Final = re.compile("<:[^>]+>|[\U0001f300-\U0001faff⬛⬜⭐⚪]")

every_table = pytest.mark.parametrize(
    ("seats", "options"), [*TABLES, (4, FAR_FROM_ANY_PRESET)], ids=str
)


def components(session: Session) -> list[dict[str, Any]]:
    table = kept(session)
    return [*nested(board_view(screen(table), table, WORDS).to_components())]


def kept(session: Session) -> Table:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Table(
        id=SessionId(123_456),
        revision=1,
        session=session,
        place=Place(guild=1, channel=2, message=3),
        locale=ENGLISH,
        moved_at=now,
        due=now,
        dice=Dice.drawn(Random(1)),
    )


def nested(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in found:
        yield component
        yield from nested(component.get("components", []))


def units(text: str) -> int:
    """The length as JavaScript counts it, where an emoji has two; Discord may count fewer."""
    return len(text.encode("utf-16-le")) // 2


@every_table
def test_a_message_stays_within_discords_limits(seats: int, options: Options) -> None:
    for seed in range(12):
        for people in (0, 1, seats):
            moves = random_moves(seats, options, 10 + 40 * seed, seed=seed)
            parts = components(table(seats, options, moves, people=people))
            assert_fits(parts)


def assert_fits(parts: list[dict[str, Any]]) -> None:
    """Holds a message against Discord's limits."""
    texts = [part["content"] for part in parts if "content" in part]
    assert len(parts) <= MOST_COMPONENTS
    drawn = sum(units(text) for text in texts if "⬛" in text)
    told = sum(units(text) for text in texts if "⬛" not in text)
    assert drawn + LONGER * told <= MOST_CHARACTERS
    assert max(len(EMOJI.findall(text)) for text in texts) <= MOST_EMOJI
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    assert len(ids) == len(set(ids))
    labels = [str(part.get("label", "")) for part in parts if "custom_id" in part]
    assert len(labels) == len(set(labels))


@every_table
def test_no_stop_of_a_replay_exceeds_discords_limits(seats: int, options: Options) -> None:
    for people in (0, 1, seats):
        played = random_moves(seats, options, 100_000, seed=people)
        replay = Replay(kept(table(seats, options, played, people=people)))
        stops = replay.led(Action.LAST, 0)
        for stop in {*range(0, stops, 7), stops}:
            view = board_view(replay.screen(stop), replay.board(stop), WORDS)
            parts = [*nested(view.to_components())]
            assert_fits(parts)
            (menu,) = (part for part in parts if "options" in part)
            assert len(menu["options"]) <= MOST_OPTIONS
            values = [option["value"] for option in menu["options"]]
            assert values[0] == "0"
            assert values[-1] == str(stops)
            assert values == sorted(set(values), key=int)


@every_table
def test_a_replay_leads_through_the_whole_game_and_back(seats: int, options: Options) -> None:
    played = random_moves(seats, options, 100_000, seed=5)
    replay = Replay(kept(table(seats, options, played)))
    stop = ply = replay.led(Action.FIRST, 77)
    plies = []
    while (following := replay.led(Action.NEXT, ply)) != stop:
        assert following == stop + 1
        stop, ply = following, replay.board(following).session.ply
        assert replay.led(Action.PREVIOUS, ply) == stop - 1
        assert replay.board(stop).session.moves == played[:ply]
        plies.append(ply)
    assert plies == sorted(set(plies))
    assert plies[-1] == len(played)
    assert stop == replay.led(Action.LAST, 0) == replay.led(Action.GO_TO, 0, "999999")
    assert replay.led(Action.GO_TO, 0, "rubbish") == 0


@every_table
def test_no_row_of_the_drawn_board_is_wider_than_eleven(seats: int, options: Options) -> None:
    parts = components(table(seats, options, random_moves(seats, options, 77, seed=1)))
    grids = [part["content"] for part in parts if "⬛" in part.get("content", "")]
    rows = [row for grid in grids for row in grid.split("\n")]
    assert len(rows) == 19
    assert {len(EMOJI.findall(row)) for row in rows} == {11}
    assert {EMOJI.sub("", row) for row in rows} == {"\u2066\u2069"}
