"""The picture of a tournament's table: who met whom in each round, and how it went.

A row for each entry, by its place in the list beside it; a cell has the opponent's place, or at a
table of three or four the points, and the colour of a win, a draw or a loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.message.canvas import Canvas, Paint
from bot.screens.stats_picture import DRAWN, GRID, GROUND, INK, LETTERS, LOST, WON
from bot.tournaments.progress import standings
from bot.tournaments.tournament import EntryNumber, Leg, Tournament

CELL: Final = 64
ROW: Final = 48
EDGE: Final = 12


def table_picture(tournament: Tournament) -> bytes:
    """The picture, as PNG."""
    ordered = [entry.number for entry in standings(tournament)]
    wide = 2 * EDGE + (1 + tournament.round) * CELL
    canvas = Canvas(wide, 2 * EDGE + len(ordered) * ROW, GROUND)
    for row, number in enumerate(ordered):
        middle = EDGE + (row + 0.5) * ROW
        canvas.write((EDGE + CELL / 2, middle), str(row + 1), INK, size=LETTERS)
        for round_ in range(1, tournament.round + 1):
            left = EDGE + round_ * CELL
            said, paint = _cell(tournament.round_of(round_), number, ordered)
            at, to = (left + 2, middle - ROW / 2 + 2), (left + CELL - 2, middle + ROW / 2 - 2)
            canvas.rectangle(at, to, paint, radius=8)
            if said:
                ink = INK if paint == GRID else GROUND
                canvas.write((left + CELL / 2, middle), said, ink, size=LETTERS)
    return canvas.png()


def _cell(
    matches: Sequence[Sequence[Leg]], number: EntryNumber, ordered: Sequence[EntryNumber]
) -> tuple[str, Paint]:
    """The words and the colour of a cell; none if the entry did not play in the round."""
    legs = next((legs for legs in matches if number in legs[0].entries), None)
    if legs is None:
        return "", GROUND
    made = dict.fromkeys(legs[0].entries, 0.0)
    for part in (part for leg in legs for part in leg.parts):
        made[part.entry] += part.points or 0
    others = [entry for entry in made if entry != number]
    said = (
        f"{made[number]:g}"
        if len(others) > 1
        else "".join(str(ordered.index(other) + 1) for other in others)
    )
    if any(leg.open for leg in legs):
        return said, GRID
    best = max((made[other] for other in others), default=0.0)
    if made[number] == best:
        return said or "+", DRAWN
    return said or "+", WON if made[number] > best else LOST
