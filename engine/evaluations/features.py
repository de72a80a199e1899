"""What the trained evaluation sees of a position: the features of each seat, by name.

Asked where a seat is to roll. `at 0` … `at 57` count the tokens at each progress; `2 in yard` and
the like are 1 where exactly so many are there, since four idle tokens are more than four times as
bad as one; `1st` … `4th` is the share of the ring that the foremost token, the second and so on
have walked, as long as they are not home; `race` is the expected turns to finish, in tens, if
nobody interferes; `blocks` counts the squares with two or more own tokens.

A token that a rival could capture is exposed. `near` is the chance that a rival's next roll does
it, `later` if the seat itself rolls first, else `now`; `far` counts, out of 36, the ways to reach
it after a 6, also from the yard. `… steps` weighs them by the share of the ring that would be lost.

Left out because they brought nothing (measured on 698,000 positions): threats from 13-18 squares,
each distance on its own, threats to safe tokens, and the rolls that a rival's block forbids.
"""

from __future__ import annotations

from typing import Final

from engine.evaluations.race import race
from engine.game import Seat
from engine.games.ludo.board import HOME, LAST_ON_RING, RING, START, YARD
from engine.games.ludo.position import Position
from engine.games.ludo.rules import Blocks
from engine.games.ludo.table import Table, blocks

NAMES: Final = (
    *(f"at {progress}" for progress in range(HOME + 1)),
    *("2 in yard", "3 in yard", "4 in yard", "1 home", "2 home", "3 home"),
    *("1st", "2nd", "3rd", "4th", "1st squared", "2nd squared", "3rd squared", "4th squared"),
    *("race", "blocks", "to roll"),
    *("near now", "near now steps", "near later", "near later steps", "far", "far steps"),
)
"""The features, in order."""

VERSION: Final = 1
"""Counted up whenever a feature comes, goes or changes its meaning: weights are for one version."""

RANKED: Final = ("1st", "2nd", "3rd", "4th")


def features(position: Position, seat: Seat) -> list[float]:
    """The features of one seat, in the order of `NAMES`."""
    values = dict.fromkeys(NAMES, 0.0)
    own = position.tokens[seat]
    for progress in own:
        values[f"at {progress}"] += 1
    for counted in (f"{own.count(YARD)} in yard", f"{position.homes(seat)} home"):
        if counted in values:
            values[counted] = 1.0
    for rank, share in zip(RANKED, ranked(position.table, own), strict=False):
        values[rank] = share
        values[f"{rank} squared"] = share * share
    values["race"] = race(position.table.rules).expected(own) / 10
    if position.table.has_blocks:
        values["blocks"] = float(blocks(0, own).bit_count())
    values["to roll"] = float(position.seat == seat)
    when = "near later" if position.seat == seat else "near now"
    for rival in position.table.rivals[seat]:
        for progress in exposed(position.table, own):
            near, far = _threats(position, seat, rival, progress)
            steps = progress / LAST_ON_RING
            values[when] += near / 6
            values[f"{when} steps"] += near / 6 * steps
            values["far"] += far / 36
            values["far steps"] += far / 36 * steps
    return list(values.values())


def ranked(table: Table, own: tuple[int, ...]) -> list[float]:
    """How much of the ring each token that is not home has walked, the foremost first."""
    walked = [progress / LAST_ON_RING for progress in own if progress < table.home_from]
    return sorted(walked, reverse=True)


def exposed(table: Table, own: tuple[int, ...]) -> list[int]:
    """The progress of each token of a seat that a rival captures if it gets there."""
    alone = table.rules.blocks is Blocks.CLOSED
    return [
        progress
        for progress in own
        if YARD < progress <= LAST_ON_RING
        and progress - 1 not in table.safe  # the safe squares repeat with every quarter turn
        and not (alone and own.count(progress) > 1)
    ]


def seen_from(quarters: int, progress: int) -> int:
    """The square at `progress`, as the progress of a rival that starts so many quarters before.

    52 is the one square on the ring that the rival never visits.
    """
    return (progress - 1 + 13 * quarters) % RING + 1


def _threats(position: Position, seat: Seat, rival: Seat, progress: int) -> tuple[int, int]:
    """How many squares within 1-6, and within 7-12 or in the yard, the rival can come from."""
    corners = position.table.corners
    target = seen_from(corners[seat] - corners[rival], progress)
    theirs = set(position.tokens[rival])
    if target > LAST_ON_RING:
        return 0, 0
    near = sum(target - pips >= START and target - pips in theirs for pips in range(1, 7))
    far = sum(target - pips >= START and target - pips in theirs for pips in range(7, 13))
    from_yard = YARD in theirs and 1 <= target - START <= 6
    return near, far + from_yard
