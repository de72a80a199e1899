"""Feats of Ludo, held against the events of its moves."""

from __future__ import annotations

from itertools import groupby
from random import Random

import pytest

from bot.games.ludo.feats import feats
from bot.table.seats import Pace
from bot.table.session import Session
from engine.game import Seat
from engine.games.ludo import GAME
from engine.games.ludo.events import Step, event_of
from tests.bot.kit import at_random, new_game


def played(seed: int, seats: int) -> Session:
    """A game played to its end at random."""
    return at_random(new_game("ludo", *range(1, 1 + seats), pace=Pace.RELAXED), Random(seed))


def told(session: Session) -> list[set[str]]:
    """The same, read off the events."""
    seats = range(len(session.seats))
    found: list[set[str]] = [set() for _ in seats]
    position = GAME.start(len(seats), session.options)
    turns: list[tuple[Seat, int]] = []
    for move in session.moves:
        event = event_of(position, move)
        captured = len(event.captured) if isinstance(event, Step) else 0
        turns.append((position.seat, captured))
        position = position.play(move)
        homes = [position.homes(Seat(seat)) for seat in seats]
        if isinstance(event, Step) and event.came_home:
            for rival in {*seats} - {event.owner}:
                if homes[event.owner] == 3 and homes[rival] == 0:
                    found[rival].add("from_behind")
            if sorted(homes)[-2] < 2 and homes[event.owner] == 4:
                found[event.owner].add("home_alone")
    for seat, turn in groupby(turns, key=lambda each: each[0]):
        if sum(captured for _, captured in turn) >= 3:
            found[seat].add("three_captures")
    return found


@pytest.mark.parametrize(
    ("seed", "seats", "feat"),
    [(0, 2, "home_alone"), (1, 4, "from_behind"), (7, 4, "three_captures")],
)
def test_feats_are_those_of_the_events(seed: int, seats: int, feat: str) -> None:
    session = played(seed, seats)
    path = session.game.path(seats, session.options, session.moves)
    found = [{*own} for own in feats(path)]
    assert found == told(session)
    assert any(feat in own for own in found)
