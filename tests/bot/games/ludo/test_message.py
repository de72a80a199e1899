"""The whole message of a Ludo table, as it is sent to Discord: it fits, in longer languages too."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import pytest

from bot.games.catalogue import CATALOGUE
from bot.games.ludo.board.spots import colour_of
from bot.games.ludo.presenter import LudoPresenter
from bot.locales import ENGLISH, Language, shipped
from bot.message.blocks import PAIR
from bot.screens.board import PACKED, screen
from bot.screens.replay import Replay
from bot.table.actions import Action
from bot.table.seat_log import BoardLook, Preferences
from bot.table.seats import Absent, Human, Level
from bot.table.session import Session
from bot.ui.render import board_view
from bot.ui.words import Words
from engine.game import Options, Seat
from tests.bot.english import mover_in, pattern, says
from tests.bot.games.ludo.ludo_tables import TABLES, random_moves, table
from tests.bot.kit import stored
from tests.samples import Sample

MOST_CHARACTERS: Final = 4_000
MOST_COMPONENTS: Final = 40
MOST_EMOJI: Final = 199
MOST_OPTIONS: Final = 25
LONGER: Final = 1.4
"""The factor by which other languages may be longer than English."""

FAR_FROM_ANY_PRESET: Final[Options] = {
    "tokens": 2, "extra_six": "no", "extra_capture": "no", "extra_home": "no", "stars_safe": "no",
    "blocks": "walls", "home": "overshooting", "finish": "places",
}  # fmt: skip

SPRITES: Final = [name for entry in CATALOGUE.values() for name in entry.sprites]
WORDS: Final = Words(
    shipped()[ENGLISH],
    emojis={name: 9_000_000_000_000_000_000 + number for number, name in enumerate(SPRITES)},
)


class Longer(Language):
    """English with more words."""

    def template(self, key: str, count: int | None = None) -> str:
        said = shipped()[ENGLISH].template(key, count)
        return said + "x" * math.ceil((LONGER - 1) * plain(re.sub("{[^}]*}", "", said)))


LONGER_WORDS: Final = replace(WORDS, language=Longer(ENGLISH, {}))
NUMBERED: Final = {"game": says("game.ludo"), "number": "123456"}
SMALL_PRINT: Final = "|".join(
    (
        pattern("board.number", rules=".+", **NUMBERED),
        pattern("board.with_number", line=".+", **NUMBERED),
        "-# <:red_token:.+",
    )
)
EMOJI: Final = re.compile("<:[^>]+>|[\U0001f300-\U0001faff⬛⬜⭐⚪]")

every_table = pytest.mark.parametrize(
    ("seats", "options"), [*TABLES, (4, FAR_FROM_ANY_PRESET)], ids=str
)


def components(session: Session, words: Words = WORDS) -> list[dict[str, Any]]:
    table = stored(session)
    return [*nested(board_view(screen(table), table, words).to_components())]


def nested(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in found:
        yield component
        yield from nested(component.get("components", []))


def units(text: str) -> int:
    """The length as JavaScript counts it, with two units for an emoji."""
    return len(text.encode("utf-16-le")) // 2


def plain(text: str) -> int:
    """The length of the translatable part: all but emoji and mentions."""
    return units(re.sub(r"<[:@t][^>]+>", "", EMOJI.sub("", text)))


@pytest.mark.sampled(3)
@every_table
def test_a_message_stays_within_discords_limits(
    seats: int, options: Options, sample: Sample
) -> None:
    for seed in sample(range(12), 5):
        for people in (0, 1, seats):
            moves = random_moves(seats, options, 10 + 40 * seed, seed=seed)
            session = table(seats, options, moves, people=people)
            assert_fits(components(session))
            assert_fits(components(away(session), LONGER_WORDS))


def away(session: Session) -> Session:
    """The session with all players away except the last."""
    gone = [
        Absent(seat.person, Level.EXPERT) if isinstance(seat, Human) else seat
        for seat in session.seats[:-1]
    ]
    return replace(session, seats=(*gone, session.seats[-1]))


def assert_fits(parts: list[dict[str, Any]]) -> None:
    """Check a message against Discord's limits."""
    texts = [part["content"] for part in parts if "content" in part]
    assert len(parts) <= MOST_COMPONENTS
    assert sum(map(units, texts)) <= MOST_CHARACTERS
    assert max(len(EMOJI.findall(text)) for text in texts) <= MOST_EMOJI
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    assert len(ids) == len(set(ids))
    labels = [f"{part.get('label')} {part.get('emoji')}" for part in parts if "custom_id" in part]
    assert len(labels) == len(set(labels))


@pytest.mark.sampled(3)
@every_table
def test_no_stop_of_a_replay_exceeds_discords_limits(
    seats: int, options: Options, sample: Sample
) -> None:
    for people in (0, 1, seats):
        played = random_moves(seats, options, 100_000, seed=people)
        replay = Replay(stored(table(seats, options, played, people=people)))
        stops = replay.led(Action.LAST, 0)
        for stop in {*sample(range(0, stops, 7), 8), stops}:
            view = board_view(replay.screen(stop), replay.board(stop), LONGER_WORDS)
            parts = [*nested(view.to_components())]
            assert_fits(parts)
            (menu,) = (part for part in parts if "options" in part)
            assert len(menu["options"]) <= MOST_OPTIONS
            offered = (option["value"] for option in menu["options"])
            values = [value for value in offered if value.isdigit()]
            assert values[0] == "0"
            assert values[-1] == str(stops)
            assert values == sorted(set(values), key=int)


@every_table
def test_a_replay_leads_through_the_whole_game_and_back(seats: int, options: Options) -> None:
    played = random_moves(seats, options, 100_000, seed=5)
    replay = Replay(stored(table(seats, options, played)))
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
def test_the_drawn_board_has_17_rows_of_13(seats: int, options: Options) -> None:
    parts = components(table(seats, options, random_moves(seats, options, 77, seed=1)))
    rows = [row for part in parts for row in part.get("content", "").split("\n") if "\u2066" in row]
    assert len(rows) == 17
    assert {len(EMOJI.findall(row)) for row in rows} == {13}
    assert {EMOJI.sub("", row) for row in rows} == {"\u2066\u2069"}


def small_print(session: Session) -> list[str]:
    """The lines right above the buttons."""
    *_, last = [part["content"] for part in components(session) if "content" in part]
    lines: list[str] = last.split("\n")
    return lines


@every_table
def test_a_running_board_is_below_the_turn_and_its_buttons_come_last(
    seats: int, options: Options
) -> None:
    for seed in range(8):
        moves = random_moves(seats, options, 30 + 10 * seed, seed=seed)
        session = table(seats, options, moves, people=seats)
        if session.payoff is not None:
            continue
        kinds = [part["type"] for part in components(session)]
        texts, controls = kinds[1:].count(10), [kind for kind in kinds if kind in {1, 2}]
        assert texts == 5 + (controls.count(1) < PACKED), "turn, board, what happened, small print"
        assert kinds == [17, *[10] * texts, *controls], "rows and their buttons"
        first = components(session)[1]["content"]
        assert mover_in(first)
        assert "\n" not in first


@every_table
def test_the_small_print_is_above_the_buttons_and_says_who_plays_which_colour(
    seats: int, options: Options
) -> None:
    for seed in range(8):
        for people in (1, seats):
            moves = random_moves(seats, options, 30 + 10 * seed, seed=seed)
            session = table(seats, options, moves, people=people)
            if len(LudoPresenter().choices(session)) > PAIR:
                continue  # its buttons leave no room
            first, *others = small_print(session)
            assert first.startswith("-# <:red_token:")
            signs = {colour_of(seats, Seat(seat)).emblem.name for seat in range(seats)}
            assert all(f"<:{sign}:" in first for sign in signs)
            assert all(re.fullmatch(SMALL_PRINT, line) for line in (first, *others))


def test_a_board_can_be_a_picture_told_in_words_with_its_buttons_below() -> None:
    session = table(4, {}, random_moves(4, {}, 61, seed=1))
    session = replace(session, preferences=Preferences(board=BoardLook.PICTURE))
    drawn = board_view(screen(stored(session)), stored(session), WORDS)
    parts = [*nested(drawn.to_components())]
    gallery = next(place for place, part in enumerate(parts) if part["type"] == 12)
    assert [part["type"] for part in parts[: gallery + 2]] == [17, 10, 12, 10]
    (item,) = parts[gallery]["items"]
    assert item["media"]["url"] == "attachment://board.png"
    words = "\n".join(WORDS.of(line) for line in LudoPresenter().words(session))
    assert item["description"] == words[:1024]
    assert not any("\u2066" in part.get("content", "") for part in parts)
