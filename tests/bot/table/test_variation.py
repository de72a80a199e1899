"""Other ways that games might have gone on: written in few characters, and played again."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.catalogue import CATALOGUE
from bot.table.refusals import Refusal
from bot.table.seats import Computer, Human, Level, Occupant, Pace, PersonId
from bot.table.session import Phase, Session
from bot.table.variation import PLY_BITS, SEED_BITS, Variation
from engine.game import Move, Options

ANN: Final = PersonId(11)
plies = st.integers(0, (1 << PLY_BITS) - 1)
variations = st.builds(
    Variation, plies, plies, st.integers(0, (1 << SEED_BITS) - 1), st.integers(0, 1 << 1_000)
)
LUDO: Final[Options] = {**CATALOGUE["ludo"].game.presets["damascus"], "finish": "places"}


def played(game: str, seats: int, options: Options, line: Variation, seed: int) -> Session:
    """A whole game at random, with the dice of a line."""
    rules, rng = CATALOGUE[game].game, Random(seed)
    held: list[Occupant] = [Human(ANN), *(Computer(Level.HARD) for _ in range(seats - 1))]
    session = Session(rules, rules.settled(options), Pace.RELAXED, ANN, (*held,)).start()
    while session.phase is Phase.RUNNING:
        move = line.pips(session.ply) if session.rolling else rng.choice(session.legal)
        session = session.go_on(move)
    return session


@given(variations)
def test_what_is_written_is_read_again(variation: Variation) -> None:
    assert Variation.read(variation.line) == variation


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [("tictactoe", 2, {"size": 5}), ("connectfour", 2, {}), ("ludo", 2, {}), ("ludo", 4, LUDO)],
)
def test_a_line_leads_to_the_same_moves_and_dice(game: str, seats: int, options: Options) -> None:
    for seed in range(4):
        session = played(game, seats, options, Variation(0, 0, seed, 0), seed)
        for ply in (session.ply - 1, session.ply // 2, 0):
            line = Variation.read(Variation.of(session, ply, seed).line)
            begun = replace(session, phase=Phase.RUNNING).at(ply)
            before = replace(line, plies=line.plies - 1).played(begun)
            assert before.moves == session.moves[:-1]
            assert len(line.line) <= 80, "it fits the id of a button"
            for over in (line.plies, line.plies + 1):
                with pytest.raises(Refusal):
                    replace(line, plies=over).played(begun)


def test_dice_of_lines_are_fair_and_differ() -> None:
    rolls = [Variation(0, 0, seed, 0).pips(ply) for seed in range(60) for ply in range(100)]
    counts = [rolls.count(Move(pips)) for pips in range(1, 7)]
    assert sum(counts) == len(rolls)
    assert all(900 < count < 1_100 for count in counts)
    assert rolls[:100] != rolls[100:200]
