"""The reasons for a move of a token in words of the game, the strongest first; chances; puzzles.

A hunter of a token is a rival's token that could capture it with some roll of one die if it was the
rival's turn. Tables on the engine's page show how well corrected chances come true. The answer of a
puzzle is the move that both a search and games played to the end find best.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final

from engine.game import CHANCE, Move, Options, Reason, Seat
from engine.games.ludo.board import HOME, LAST_ON_RING, YARD, progress_on, ring_square
from engine.games.ludo.evaluation.features import exposed
from engine.games.ludo.evaluation.race import nearest
from engine.games.ludo.position import ALL_PIPS, LudoPosition
from engine.games.ludo.rules import PRESETS, Finish, rules, settle


class TokenReason(StrEnum):
    """A kind of reason."""

    WINS = "wins"
    CAPTURES = "captures"  # one reason for each token captured
    COMES_HOME = "comes home"
    LEAVES_YARD = "leaves yard"
    FLEES = "flees"  # from all the hunters it had
    GETS_SAFE = "gets safe"
    MAKES_BLOCK = "makes block"  # with the token that it joins
    ROLLS_AGAIN = "rolls again"
    HUNTS = "hunts"  # one reason for each token that has a hunter more
    ADVANCES = "advances"  # by steps
    EXPOSES = "exposes"  # one reason for each own token that has more hunters than before
    KEEPS_SAFE = "keeps safe"  # a token from a rival, who would take it with n rolls of six
    RISKS = "risks"  # a token, which a rival takes with n rolls of six


ABOUT: Final[Mapping[StrEnum, tuple[str, ...]]] = {
    TokenReason.CAPTURES: ("seat", "token"),
    TokenReason.FLEES: ("count",),
    TokenReason.MAKES_BLOCK: ("token",),
    TokenReason.HUNTS: ("seat", "token"),
    TokenReason.ADVANCES: ("count",),
    TokenReason.EXPOSES: ("token", "count"),
    TokenReason.KEEPS_SAFE: ("token", "seat", "count"),
    TokenReason.RISKS: ("token", "seat", "count"),
}
"""The meaning of the numbers in `about`, by the kind of the reason."""


def reasons(position: LudoPosition, move: Move) -> Iterator[Reason]:
    """The reasons for the move of a token, a legal one."""
    after = position.play(move)
    owner, table = position.owner, position.table
    own, moved = position.tokens[owner], after.tokens[owner]
    if _wins(position, after):
        yield Reason(TokenReason.WINS)
    for victim in position.victims(move):
        yield Reason(TokenReason.CAPTURES, victim)
    if after.is_home(owner, move):
        yield Reason(TokenReason.COMES_HOME)
    elif own[move] == YARD:
        yield Reason(TokenReason.LEAVES_YARD)
    yield from _safer(position, move, after)
    if table.has_blocks and YARD < moved[move] <= LAST_ON_RING and moved[move] in own:
        yield Reason(TokenReason.MAKES_BLOCK, (own.index(moved[move]),))
    if after.moves() and after.turn == CHANCE and after.seat == position.seat:
        yield Reason(TokenReason.ROLLS_AGAIN)
    yield from _hunts(position, move, after)
    if own[move] != YARD and not after.is_home(owner, move):
        yield Reason(TokenReason.ADVANCES, (moved[move] - own[move],))
    for token in range(len(own)):
        found = hunters(after, owner, token)
        if len(found) > len(hunters(position, owner, token)):
            yield Reason(TokenReason.EXPOSES, (token, len(found)))


ALONE: Final = frozenset(
    {TokenReason.FLEES, TokenReason.GETS_SAFE, TokenReason.ADVANCES, TokenReason.EXPOSES}
)
"""The kinds that are left out when two moves are compared: `against` has its own for safety."""


def against(position: LudoPosition, move: Move, other: Move) -> Iterator[Reason]:
    """The gains and risks of a token's move that the other move does not have."""
    theirs = {*reasons(position, other)}
    for reason in reasons(position, move):
        if reason.kind not in ALONE and reason not in theirs:
            yield reason
    own, after, instead = position.owner, position.play(move), position.play(other)
    changes = [
        (token, rival, takes(after, rival, own, token), takes(instead, rival, own, token))
        for token in range(len(position.tokens[own]))
        for rival in position.table.rivals[own]
    ]
    for token, rival, now, then in sorted(changes, key=lambda change: change[2] - change[3]):
        if now < then and not now:
            yield Reason(TokenReason.KEEPS_SAFE, (token, rival, then))
        elif now > then:
            yield Reason(TokenReason.RISKS, (token, rival, now))


def takes(position: LudoPosition, rival: Seat, seat: Seat, token: int) -> int:
    """The number of die faces, 0-6, with which a rival could capture a token if it rolled now."""
    return len({pips for pips, _ in _captures(position, rival, seat, token)})


def _wins(position: LudoPosition, after: LudoPosition) -> bool:
    """Whether a move ends the game, or brings the first seat home where others go on for places."""
    if position.table.rules.finish is Finish.PLACES:
        return winner(position) is None and winner(after) is not None
    return not after.moves()


def _safer(position: LudoPosition, move: Move, after: LudoPosition) -> Iterator[Reason]:
    """The reasons that the moved token has become safe: no more hunters, or a safe square."""
    owner, table = position.owner, position.table
    own, moved = position.tokens[owner], after.tokens[owner]
    before = len(hunters(position, owner, move))
    if before and not hunters(after, owner, move):
        yield Reason(TokenReason.FLEES, (before,))
    if own[move] in exposed(table, own) and moved[move] not in exposed(table, moved):
        yield Reason(TokenReason.GETS_SAFE)


def _hunts(position: LudoPosition, move: Move, after: LudoPosition) -> Iterator[Reason]:
    owner = position.owner
    for rival in position.table.rivals[owner]:
        for token in range(len(position.tokens[rival])):
            hunts = [(owner, move) in hunters(at, rival, token) for at in (position, after)]
            if hunts == [False, True]:
                yield Reason(TokenReason.HUNTS, (rival, token))


def hunters(position: LudoPosition, seat: Seat, token: int) -> list[tuple[Seat, int]]:
    """The rivals' tokens (seat, number) that could capture a token with a roll of one die."""
    found: set[tuple[Seat, int]] = set()
    for rival in position.table.rivals[seat]:
        theirs = position.tokens[rival]
        for _, mover in _captures(position, rival, seat, token):
            alike = (n for n, at in enumerate(theirs) if at == theirs[mover])
            found |= {(rival, other) for other in alike}
    return sorted(found)


def _captures(
    position: LudoPosition, rival: Seat, seat: Seat, token: int
) -> Iterator[tuple[int, Move]]:
    """The rolls with which a rival could capture a token now, each with its token that does."""
    table, theirs = position.table, position.tokens[rival]
    own = position.tokens[seat]
    square = ring_square(table.corners[seat], own[token])
    if rival in position.placed or own[token] not in exposed(table, own) or square is None:
        return
    there = progress_on(table.corners[rival], square)
    steps = table.steps[position.homes(rival)]
    for pips in ALL_PIPS:
        if there in [steps[pips][progress] for progress in theirs]:
            rolled = LudoPosition(table, position.tokens, rival).play(pips)
            for mover in rolled.moves() if rolled.die else ():
                if rolled.target(mover) == there:
                    yield pips, mover


FITTED: Final[dict[str, dict[int, tuple[float, float]]]] = {
    "classic": {2: (1.0, 0.01), 3: (0.834, 0.045), 4: (0.8, 0.12)},
    "quick": {2: (1.003, 0.009), 3: (1.009, 0.016), 4: (1.069, 0.005)},
    "damascus": {2: (0.641, 0.0), 3: (0.88, 0.02), 4: (0.88, 0.04)},
}
"""`steep` and `bend` of the correction (see `Correction`), by preset and number of seats."""

TEAMS: Final[dict[str, tuple[float, float]]] = {
    "classic": (0.26, 0.0095),
    "quick": (0.52, 0.0),
    "damascus": (0.24, 0.0195),
}
"""The same where four play in teams."""


def fitted(seats: int, options: Options) -> tuple[float, float]:
    """`steep` and `bend` for the preset nearest to a table's options."""
    house = rules(settle(options))
    preset = nearest(house, list(PRESETS))
    return TEAMS[preset] if house.teams else FITTED[preset][seats]


def checked(options: Options) -> bool:
    """Whether chances were checked against games by the same rules, teams aside."""
    alone = replace(rules(settle(options)), teams=False)
    return alone in [rules(settle(preset)) for preset in PRESETS.values()]


DAYS: Final[Mapping[int, tuple[tuple[str, Options], ...]]] = {2: (("best", {}),)}
"""The tasks and boards of each day of the week, Monday is 0."""

CARELESS: Final = "rules"
"""The agent that plays a game until a puzzle is found, with random moves in between."""

LEVELS: Final = ("rules", "expectiminimax:1")
"""The agents of Parlour's middle levels, between random and the strongest play."""

MOST_STEPS: Final = 140
"""The most steps that both seats together have left, for a position to be easy to survey."""


def fits(position: LudoPosition) -> bool:
    """Whether few enough steps are left for a puzzle."""
    left = (HOME - progress for own in position.tokens for progress in own)
    return sum(left) <= MOST_STEPS


def winner(position: LudoPosition) -> Seat | None:
    """The seat that was home first, where the others play on for places; else None."""
    for_places = position.table.rules.finish is Finish.PLACES
    return position.placed[0] if for_places and position.placed else None


def placed(options: Options) -> bool:
    """Whether seats play for places, so that a payoff ranks them all."""
    return options["finish"] == Finish.PLACES


def canonical(position: LudoPosition) -> object:
    """A key of the position that does not depend on the numbers of tokens."""
    own, rival = position.tokens[position.seat], position.tokens[1 - position.seat]
    return sorted(own), sorted(rival), position.die
