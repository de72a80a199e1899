"""Ludo positions for tests of players: reached by any moves, in which a seat has to move."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from engine.game import CHANCE, Options, Seat
from engine.games.ludo import GAME, LudoPosition

TABLES: list[tuple[int, Options]] = [
    *((seats, preset) for preset in GAME.presets.values() for seats in GAME.seats),
    (4, {"teams": "yes"}),
    (4, {"teams": "yes", "tokens": 2, "leave_on": "1 or 6"}),
    (3, {"finish": "places", "tokens": 2, "blocks": "off"}),
    (2, {"third_six": "token back", "home": "overshooting", "stars_safe": "no"}),
]
"""Seats and options: every preset at every number of seats, teams, places, and other rules."""


def random_game(seats: int, options: Options, rng: Random) -> Iterator[LudoPosition]:
    """The positions of a game of any moves, up to its end."""
    state = GAME.start(seats, options)
    yield state
    while state.moves():
        state = state.play(rng.choice(state.moves()))
        yield state


def choices(seats: int, options: Options, seed: int) -> list[LudoPosition]:
    """The positions of one game in which a seat has more than one move."""
    game = random_game(seats, options, Random(seed))
    return [p for p in game if p.moves() and p.turn != CHANCE and len(p.moves()) > 1]


@st.composite
def to_move(draw: st.DrawFn) -> LudoPosition:
    """A position at any table in which a seat has more than one move."""
    seats, options = draw(st.sampled_from(TABLES))
    found = choices(seats, options, draw(st.integers(0, 10**6)))
    return found[draw(st.integers(0, len(found) - 1))]


@st.composite
def to_roll(draw: st.DrawFn) -> LudoPosition:
    """A position at any table in which a seat is to roll, after the roll-off."""
    seats, options = draw(st.sampled_from(TABLES))
    game = random_game(seats, options, Random(draw(st.integers(0, 10**6))))
    found = [p for p in game if p.moves() and p.turn == CHANCE and not p.opening]
    return found[draw(st.integers(0, len(found) - 1))]


def standing(*tokens: tuple[int, ...], to_roll: int = 0, **options: str | int) -> LudoPosition:
    """The position in which every seat's tokens have that progress."""
    first = GAME.start(len(tokens), options)
    return first._replace(tokens=tokens, seat=Seat(to_roll), opening=())
