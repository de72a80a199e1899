"""Where buttons stand from board to board: none that costs something lies in wait for a finger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest

from bot.games.variants import games
from bot.message.blocks import Screen
from bot.screens.board import screen
from bot.table.actions import Action, parsed
from bot.table.seat_log import BoardLook, Preferences
from bot.table.seats import Computer, Human, Level, Occupant, Pace, PersonId
from bot.table.session import Phase, Session
from engine.game import Game, Options
from tests.benchmarks.solo import BUTTONS, rows_of
from tests.bot.kit import stored
from tests.samples import Sample

COURSES: Final = 40
SOME: Final = 3
"""Games of each kind that are played: all, and those of a sample."""
PLIES: Final = 400


def boards(game: Game[Any], options: Options, rng: Random) -> Iterator[Screen]:
    """The boards of a game against computers, drawn as its person sees them."""
    ann, computer = Human(PersonId(1)), Computer(Level.MEDIUM)
    seats: tuple[Occupant, ...] = (ann, *[computer] * (rng.choice([*game.seats]) - 1))
    look = Preferences(rng.random() < 0.5, board=rng.choice([*BoardLook]))
    begun = Session(game, game.settled(options), Pace.LIVE, ann.person, seats, preferences=look)
    session = begun.start()
    while session.phase is Phase.RUNNING and session.ply < PLIES:
        if not session.unattended:
            yield screen(stored(session))
            if not session.rolling:
                yield screen(stored(replace(session, hints=True, hint=session.legal[0])))
        session = session.go_on(rng.choice(session.legal))


@pytest.mark.parametrize("word", games())
def test_a_hint_is_never_where_a_move_or_the_dice_were(word: str, sample: Sample) -> None:
    entry, options = games()[word]
    for seed in sample(range(COURSES), SOME):
        ends = defaultdict[Action | None, set[float]](set)
        for shown in boards(entry.game, options, Random(seed)):
            for below, row in rows_of(shown):
                for each in row.controls:
                    ends[parsed(str(each.action))[0]].add(below)
        lowest = min(ends[Action.MOVE] | ends[Action.ROLL])
        assert max(ends[Action.HINT]) + BUTTONS <= lowest
