"""Ludo against a second implementation that was written from the text alone."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import CHANCE, InvalidOptions, Move, Options
from engine.games.ludo import GAME, LudoPosition
from tests.engine.games.ludo.drawing import drawn
from tests.engine.games.ludo.naive_ludo import NaiveLudo

PRESETS = list(GAME.presets)

AFTER_PLIES = {
    ("classic", 2): [6, 3, 10, 7, 24, 33, 82, 175, 308],
    ("classic", 4): [6, 36, 216, 15, 74, 198, 298],
    ("quick", 2): [6, 3, 12, 11, 34, 51, 132, 265, 540],
    ("quick", 4): [6, 36, 216, 15, 78, 206, 318],
    ("damascus", 2): [6, 3, 10, 7, 24, 33, 82, 175, 308],
    ("damascus", 4): [6, 36, 216, 15, 74, 198, 298],
}
"""Different positions after 1, 2, 3 … plies from the start: both implementations count these."""

MIDDLE = {
    "captures and blocks": (
        """
        ..a...A....b.
        ....b........
        b............
        .....a...b...
        """,
        {},
    ),
    "the way home": (
        """
        .............
        ..b.......b..
        .............
        ........a..a.
        """,
        {"a": (55,), "b": (53,)},
    ),
}


def legal_options() -> st.SearchStrategy[tuple[int, Options]]:
    """Every number of seats with every set of options that is not refused."""

    def fits(table: tuple[int, Options]) -> bool:
        try:
            GAME.start(*table)
        except InvalidOptions:
            return False
        return True

    chosen = st.fixed_dictionaries(
        {option.key: st.sampled_from(option.values) for option in GAME.options}
    )
    return st.tuples(st.sampled_from(GAME.seats), chosen).filter(fits)


def naive_of(position: LudoPosition, options: Options) -> NaiveLudo:
    """The naive game in a position at which a seat is to roll."""
    naive = NaiveLudo(position.table.seats, dict(GAME.settled(options)))
    naive.phase = "roll"
    naive.turn = position.seat
    naive.finished = list(position.placed)
    for seat, own in enumerate(position.tokens):
        for token, progress in enumerate(own):
            if progress == 57:
                naive.place[seat, token] = "home"
            elif progress > 51:
                naive.place[seat, token] = ("lane", progress - 52)
            elif progress:
                square = (13 * naive.corner[seat] + progress - 1) % 52
                naive.place[seat, token] = ("ring", square)
    return naive


def counts(position: LudoPosition, plies: int) -> list[int]:
    found = []
    level = {position}
    for _ in range(plies):
        level = {before.play(move) for before in level for move in before.moves()}
        found.append(len(level))
    return found


def naive_counts(game: NaiveLudo, plies: int) -> list[int]:
    found = []
    level = {game.snapshot(): game}
    for _ in range(plies):
        after = [before.after(move) for before in level.values() for move in before.moves()]
        level = {naive.snapshot(): naive for naive in after}
        found.append(len(level))
    return found


def assert_alike(position: LudoPosition, naive: NaiveLudo) -> None:
    assert list(position.moves()) == naive.moves()
    assert position.tokens == naive.snapshot()[1]
    assert position.placed == tuple(naive.finished)
    assert (position.turn == CHANCE) == (naive.phase != "move") or naive.phase == "over"
    assert position.seat == naive.turn or naive.phase == "over"
    assert position.payoff() == pytest.approx(naive.payoff())


@pytest.mark.parametrize(("preset", "seats"), AFTER_PLIES)
def test_both_count_the_same_positions_from_the_start(preset: str, seats: int) -> None:
    options = GAME.presets[preset]
    expected = AFTER_PLIES[preset, seats]
    assert counts(GAME.start(seats, options), len(expected)) == expected
    assert naive_counts(NaiveLudo(seats, dict(GAME.settled(options))), len(expected)) == expected


@pytest.mark.parametrize("name", MIDDLE)
@pytest.mark.parametrize("preset", ["classic", "damascus"])
def test_both_count_the_same_positions_from_the_middle(name: str, preset: str) -> None:
    ring, lanes = MIDDLE[name]
    options = GAME.presets[preset]
    position = drawn(ring, lanes=lanes, options=options)
    assert counts(position, 5) == naive_counts(naive_of(position, options), 5)


def test_both_count_the_same_positions_from_the_middle_of_a_quick_game() -> None:
    position = drawn(
        """
        .a..b........
        .............
        .............
        .a.........b.
        """,
        options=GAME.presets["quick"],
    )
    naive = naive_of(position, GAME.presets["quick"])
    assert counts(position, 6) == naive_counts(naive, 6)


@given(table=legal_options(), seed=st.integers(0, 2**32))
def test_both_play_the_same_game_under_all_options(table: tuple[int, Options], seed: int) -> None:
    seats, options = table
    rng = random.Random(seed)
    position = GAME.start(seats, options)
    naive = NaiveLudo(seats, dict(GAME.settled(options)))
    assert_alike(position, naive)
    while position.moves():
        move = Move(rng.choice(naive.moves()))
        position = position.play(move)
        naive.play(move)
        assert_alike(position, naive)


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("preset", PRESETS)
def test_random_games_come_to_their_end(preset: str, seats: int, exhaustive: bool) -> None:
    rng = random.Random(f"{preset} {seats}")
    for _ in range(334 if exhaustive else 40):
        position = GAME.start(seats, GAME.presets[preset])
        while moves := position.moves():
            position = position.play(rng.choice(moves))
        payoff = position.payoff()
        assert payoff is not None
        assert sum(payoff) == pytest.approx(0)
