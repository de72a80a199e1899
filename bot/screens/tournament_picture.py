"""The picture of a tournament: a knockout as its bracket, any other as a table of its rounds.

Entries have their places in the list beside it. A box of the bracket is a match, the winner's half
in the colour of a win, with the points made. The table has a row for each entry; a cell has the
opponent's place, or at a table of three or four the points, and the colour of a win, a draw or a
loss. Of an arena it has the last games of each entry, with the points made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.message.canvas import Canvas, Paint, Point
from bot.message.text import Text, joined, text
from bot.screens.stats_picture import DRAWN, GRID, GROUND, INK, LETTERS, LOST, WON
from bot.tournaments.knockout import winner
from bot.tournaments.progress import standings
from bot.tournaments.scores import TournamentScores, match_points
from bot.tournaments.tournament import EntryNumber, Format, Leg, Tournament

CELL: Final = 64
ROW: Final = 48
EDGE: Final = 12

LAST_GAMES: Final = 12
"""The most games of an entry in the picture of an arena."""

BOX, GAP = 108, 24
"""The width of a match in the bracket, and of the lines to the next one; 64 entries fit a phone."""
HALF: Final = 40
"""The height of an entry in the bracket."""


def tournament_picture(tournament: Tournament) -> bytes:
    """The picture, as PNG."""
    own = {Format.KNOCKOUT: _bracket, Format.ARENA: _sheets}
    return own.get(tournament.format, _table)(tournament).png()


def described(tournament: Tournament) -> Iterator[Text]:
    """The picture in words, for those who cannot see it."""
    yield text("tournament.picture")
    if tournament.format is Format.ARENA:
        return
    ordered = [entry.number for entry in standings(tournament)]
    for round_ in range(1, tournament.round + 1):
        matches = joined(_said(legs, ordered) for legs in tournament.round_of(round_))
        yield text("tournament.picture.round", round=round_, matches=matches)


def _said(legs: Sequence[Leg], ordered: Sequence[EntryNumber]) -> str:
    """A match by the places of its entries, and the points made: 1–8 2:0."""
    made = match_points(legs)
    places = "–".join(str(ordered.index(number) + 1) for number in made)
    points = ":".join(f"{each:g}" for each in made.values())
    return places if legs[0].open or len(made) == 1 else f"{places} {points}"


def _bracket(tournament: Tournament) -> Canvas:
    ordered = [entry.number for entry in standings(tournament)]
    rounds = tournament.rounds or 1
    left, top = _corner(rounds, 0)
    below = (left, top + 3 * HALF)  # the final stands the match for the third place
    wide = 2 * EDGE + rounds * BOX + (rounds - 1) * GAP
    high = 2 * EDGE + (1 << (rounds - 1)) * (2 * HALF + EDGE) - EDGE
    canvas = Canvas(wide, max(high, int(below[1] + 2 * HALF + EDGE)), GROUND)
    for round_ in range(1, rounds + 1):
        legs_of = {legs[0].match: legs for legs in tournament.round_of(round_)}
        matches = 1 << (rounds - round_)
        for match in range(matches):
            at = _corner(round_, match)
            if round_ < rounds:
                _line(canvas, at, _corner(round_ + 1, match // 2))
            _box(canvas, at, _halves(tournament, legs_of.get(match, ()), ordered))
    last = {legs[0].match: legs for legs in tournament.round_of(rounds)}
    _box(canvas, below, _halves(tournament, last.get(1, ()), ordered))
    return canvas


def _corner(round_: int, match: int) -> Point:
    """The upper left corner of a match's box."""
    step = (2 * HALF + EDGE) << (round_ - 1)
    left = EDGE + (round_ - 1) * (BOX + GAP)
    return left, EDGE + (match + 0.5) * step - HALF - EDGE / 2


def _line(canvas: Canvas, at: Point, to: Point) -> None:
    """The line from a match to the one that its winner goes on to."""
    (left, top), (right, bottom) = (at[0] + BOX, at[1] + HALF), (to[0], to[1] + HALF)
    middle = (left + right) / 2
    way = [(left, top), (middle, top), (middle, bottom), (right, bottom)]
    canvas.line(way, GRID, width=4)


def _box(canvas: Canvas, at: Point, halves: Sequence[tuple[str, str, Paint]]) -> None:
    left, top = at
    canvas.rectangle(at, (left + BOX, top + 2 * HALF), GRID, radius=8)
    for number, (said, made, paint) in enumerate(halves):
        middle = top + (number + 0.5) * HALF
        corner = (left + BOX - 2, middle + HALF / 2 - 2)
        canvas.rectangle((left + 2, middle - HALF / 2 + 2), corner, paint, radius=6)
        ink = INK if paint == GRID else GROUND
        canvas.write((left + BOX / 4, middle), said, ink, size=LETTERS)
        if made:
            canvas.write((left + 3 * BOX / 4, middle), made, ink, size=LETTERS)


def _halves(
    tournament: Tournament, legs: Sequence[Leg], ordered: Sequence[EntryNumber]
) -> Sequence[tuple[str, str, Paint]]:
    """The place, the points and the colour of each entry of a match, as far as they are known."""
    if not legs:
        return ()
    decided = not any(leg.open for leg in legs)
    won = winner(tournament, legs) if decided else None
    made = match_points(legs)
    return [
        (
            str(ordered.index(number) + 1),
            "" if legs[0].open or len(made) == 1 else f"{made[number]:g}",
            GRID if not decided else WON if number == won else LOST,
        )
        for number in legs[0].entries
    ]


def _table(tournament: Tournament) -> Canvas:
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
    return canvas


def _sheets(tournament: Tournament) -> Canvas:
    ordered, sheets = standings(tournament), TournamentScores(tournament).sheets
    games = [sheets[entry.number].games[-LAST_GAMES:] for entry in ordered]
    wide = 2 * EDGE + (1 + max(map(len, games), default=0)) * CELL
    canvas = Canvas(wide, 2 * EDGE + max(1, len(ordered)) * ROW, GROUND)
    for row, played in enumerate(games):
        middle = EDGE + (row + 0.5) * ROW
        canvas.write((EDGE + CELL / 2, middle), str(row + 1), INK, size=LETTERS)
        for column, (made, worth) in enumerate(played, 1):
            left, paint = EDGE + column * CELL, WON if made == 1 else DRAWN if made else LOST
            at, to = (left + 2, middle - ROW / 2 + 2), (left + CELL - 2, middle + ROW / 2 - 2)
            canvas.rectangle(at, to, paint, radius=8)
            canvas.write((left + CELL / 2, middle), f"{worth:g}", GROUND, size=LETTERS)
    return canvas


def _cell(
    matches: Sequence[Sequence[Leg]], number: EntryNumber, ordered: Sequence[EntryNumber]
) -> tuple[str, Paint]:
    """The words and the colour of a cell; none if the entry did not play in the round."""
    legs = next((legs for legs in matches if number in legs[0].entries), None)
    if legs is None:
        return "", GROUND
    made = match_points(legs)
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
