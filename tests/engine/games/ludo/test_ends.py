"""No set of options allows a position from which a game of Ludo can never end.

The proof stands in `engine.games.ludo.rules`; here its dice and moves are played from positions
drawn at random, many of which no game would reach.
"""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from engine.game import Move, Options
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.board import HOME, LAST_ON_RING, YARD
from tests.engine.games.ludo.test_oracle import legal_options


def scattered(seats: int, options: Options, rng: random.Random) -> LudoPosition:
    """A position with tokens anywhere, crowded so that blocks meet; nobody has finished."""
    first = GAME.start(seats, options)
    slots = first.table.home_from <= LAST_ON_RING + 1
    crowded = rng.random() < 0.5
    tokens = []
    for corner in first.table.corners:
        offset = 13 * corner
        spots = [1 + (rng.randrange(6) - offset) % 52 if crowded else rng.randint(0, HOME)] * 2
        spots += [rng.randint(0, LAST_ON_RING) for _ in range(2)]
        top = LAST_ON_RING if slots else HOME - 1
        tokens.append(tuple(min(spot, top) for spot in spots[: first.table.rules.tokens]))
    return first._replace(tokens=tuple(tokens), opening=())


def led(position: LudoPosition) -> LudoPosition:
    """The position after one roll, and a move if there is one, on the way of the proof."""
    own = position.tokens[position.owner]
    out = [p for p in own if YARD < p < position.table.home_from]
    for pips in (1, 2, 3, 4):
        after = position.play(Move(pips))
        for move in after.moves() if after.die else ():
            if own[move] in out:
                return after.play(move)
    return position.play(Move(2))


def finishing(position: LudoPosition, favourite: int) -> LudoPosition:
    """The position after a roll and a move where all tokens but the favourite's are put away."""
    if position.owner != favourite:
        return position.play(Move(2))
    own = position.tokens[favourite]
    out = [token for token, p in enumerate(own) if YARD < p < position.table.home_from]
    if not out:
        after = position.play(Move(6))
        return after.play(after.moves()[0]) if after.die else after
    for pips in (1, 2, 3, 4, 5):
        after = position.play(Move(pips))
        if after.die and out[0] in after.moves():
            return after.play(Move(out[0]))
    raise AssertionError(f"a lone token is stuck in {position}")


@given(table=legal_options(), seed=st.integers(0, 2**32))
def test_some_dice_and_moves_end_the_game_from_everywhere(
    table: tuple[int, Options], seed: int
) -> None:
    position = scattered(*table, random.Random(seed))
    home_from = position.table.home_from
    for _ in range(10_000):
        if not position.moves() or not any(
            YARD < p < home_from for t in position.tokens for p in t
        ):
            break
        position = led(position)
    while position.moves():
        waiting = [s for s in range(position.table.seats) if s not in position.placed]
        position = finishing(position, favourite=waiting[0])
    assert position.payoff() is not None
