"""Tables of Ludo in any state, for tests of messages and boards."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from bot.table.seat_log import Preferences
from bot.table.seats import Computer, Human, Level, Occupant, Pace, PersonId
from bot.table.session import Ending, Phase, Session
from engine.game import Move, Options, Seat
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.board import STARS, STARTS, YARD, progress_on
from engine.games.ludo.rules import Lane

TABLES: Final[tuple[tuple[int, Options], ...]] = (
    *((seats, preset) for preset in GAME.presets.values() for seats in GAME.seats),
    (4, {"teams": "yes"}),
    (4, {"finish": "places", "stars_safe": "no", "third_six": "token back"}),
    (3, {"tokens": 1, "third_six": "allowed", "home": "overshooting"}),
)
"""Every preset with every number of seats, teams, and house rules that nothing else has."""

ANN: Final = Human(PersonId(9_000_000_000_000_000_001))
BEN: Final = Human(PersonId(9_000_000_000_000_000_002))
ROBOT: Final = Computer(Level.MEDIUM)


def table(
    seats: int, options: Options, moves: tuple[Move, ...] = (), *, people: int = 4
) -> Session:
    """A table after some moves; the first seats are people's, the others the computer's."""
    position = GAME.replay(seats, options, moves)
    occupants: tuple[Occupant, ...] = (
        *(Human(PersonId(9_000_000_000_000_000_001 + seat)) for seat in range(people)),
        *(ROBOT for _ in range(seats - people)),
    )
    return standing_at(position, occupants[:seats], options, moves)


def standing_at(
    position: LudoPosition,
    occupants: tuple[Occupant, ...],
    options: Options,
    moves: tuple[Move, ...] = (),
) -> Session:
    """A table in a position, which need not follow from its moves; its dice are pressed."""
    over = position.payoff() is not None
    return Session(
        game=GAME,
        options=GAME.settled(options),
        pace=Pace.LIVE,
        host=ANN.person,
        seats=occupants,
        phase=Phase.FINISHED if over else Phase.RUNNING,
        moves=moves,
        position=position,
        preferences=Preferences(auto_roll=False),
        ending=Ending.PLAYED if over else None,
        payoff=position.payoff(),
    )


def random_positions(
    seats: int, options: Options, number: int, *, seed: int = 0
) -> Iterator[LudoPosition]:
    """Positions of random games, every fourth with tokens crowded on safe squares."""
    rng = Random(seed)
    position = GAME.start(seats, options)
    for count in range(number):
        for _ in range(rng.randint(1, 12)):
            if position.payoff() is not None:
                position = GAME.start(seats, options)
            position = position.play(rng.choice(position.moves()))
        yield crowded(position, rng) if count % 4 == 0 else position


def crowded(position: LudoPosition, rng: Random) -> LudoPosition:
    """A position at the same table with tokens at random in yards, on safe squares, in lanes."""
    corners, rules = position.table.corners, position.table.rules
    safe = sorted(STARTS | STARS if rules.stars_safe else STARTS)
    lane = [] if rules.lane is Lane.SLOTS else [53]
    tokens = []
    for corner in corners:
        steps = [progress_on(corner, square) for square in safe[:3]]
        reachable = [step for step in steps if step is not None]
        tokens.append(tuple(rng.choice([YARD, *reachable, *lane]) for _ in range(rules.tokens)))
    seat = Seat(rng.randrange(len(corners)))
    crowd = LudoPosition(position.table, tuple(tokens), seat)
    return crowd.play(Move(rng.randint(1, 6))) if rng.random() < 0.7 else crowd


def random_moves(seats: int, options: Options, plies: int, *, seed: int) -> tuple[Move, ...]:
    """The first moves of a random game, `plies` at most."""
    rng = Random(seed)
    moves: list[Move] = []
    position = GAME.start(seats, options)
    while len(moves) < plies and position.payoff() is None:
        moves.append(rng.choice(position.moves()))
        position = position.play(moves[-1])
    return tuple(moves)
