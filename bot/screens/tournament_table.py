"""The table of a tournament: its places and matches in pages, and its picture.

The picture of a knockout is its bracket, that of any other format a table of its rounds. Entries
have the number of their place, and names and avatars as far as known. A box of the bracket is a
match with the points made, the winner's half in the colour of a win. The table has a row for each
entry; a cell has the opponent's place, or at a table of three or four the points, and the colour
of a win, a draw or a loss. For an arena it has the last games of each entry with the points made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import ceil
from typing import Final

from bot.message.blocks import Picture, Prose, Screen, Tone, rows
from bot.message.canvas import Canvas, Collage, Paint, Point
from bot.message.fonts import Lettering
from bot.message.text import Text, joined, text
from bot.screens.pager import turns, which_page
from bot.screens.profiles import NOBODY_KNOWN, Profile, Profiles
from bot.screens.stats import DRAWN, GRID, GROUND, INK, LETTERS, LOST, WON
from bot.screens.tournament import MOST_PLACES, match_line, places, tie_break, title_of, winner_line
from bot.screens.tournament_controls import TournamentAction, TournamentControl, control_of
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.knockout import winner
from bot.tournaments.progress import standings
from bot.tournaments.scores import TournamentScores, match_points
from bot.tournaments.tournament import EntryNumber, Format, Leg, Stage, Tournament

PICTURE: Final = "table.png"
A_PAGE: Final = 8
"""The most places and matches on a page of the table."""
BESIDE: Final = 5
"""The most places listed with a picture that is higher than wide, so that both fit a phone."""

CELL: Final = 64
ROW: Final = 48
EDGE: Final = 12

LAST_GAMES: Final = 12
"""The most games of an entry in the picture of an arena."""

WIDEST: Final = 816
"""The most pixels of a bracket's width, even with 64 entries, so that it is readable on a phone."""
WIDEST_BOX, GAP = 240, 24
"""The most pixels of a match's width in the bracket, and the width of lines to the next round."""
HALF: Final = 40
"""The height of an entry in the bracket."""
NUMBER: Final = 34
"""The width of a place or of points beside a name."""
NAME, NAMES = 24, 176
"""The size of a name, and the width of the column of names in the table."""
AVATAR: Final = 32


def table(hosted: HostedTournament, page: int) -> Screen:
    """All places, then all matches, the latest first, in pages; the first has the picture.

    Buttons that lead nowhere are left out, as there is only room for one row below the picture.
    """
    tournament = hosted.tournament
    lines = [
        *places(tournament, tie_breaks=True),
        *(match_line(tournament, legs) for legs in reversed(tournament.matches)),
    ]
    first = _beside(tournament)
    pages = 1 + max(0, ceil((len(lines) - first) / A_PAGE))
    page = min(page, pages - 1)
    begin = first + (page - 1) * A_PAGE
    shown = lines[begin : begin + A_PAGE] if page else lines[:first]
    pictured = () if page else (_picture(tournament),)
    told = (title_of(tournament), *shown, *(which_page(page, pages) if page else ()))
    leading = partial(TournamentControl, hosted.id, TournamentAction.TABLE)
    ways = [each for each in turns(page, pages, leading) if each.enabled]
    if tournament.stage is Stage.OVER:
        ways.append(control_of(hosted, TournamentAction.SHARE))
    return Screen((Prose(told), *pictured, *rows(ways)), Tone.OVER)


def shared(hosted: HostedTournament) -> Screen:
    """The first places with the picture, for all."""
    tournament = hosted.tournament
    lines = (
        title_of(tournament),
        winner_line(tournament),
        *tie_break(tournament),
        *places(tournament)[: _beside(tournament)],
    )
    return Screen((Prose(lines), _picture(tournament)), Tone.WON)


def _beside(tournament: Tournament) -> int:
    """The number of places listed on the page with the picture."""
    return MOST_PLACES if len(tournament.entries) <= MOST_PLACES else BESIDE


def _picture(tournament: Tournament) -> Picture:
    return Picture(PICTURE, (*described(tournament),))


def tournament_picture(
    tournament: Tournament, lettering: Lettering, profiles: Profiles = NOBODY_KNOWN
) -> bytes:
    """The picture, as PNG."""
    own = {Format.KNOCKOUT: _bracket, Format.ARENA: _sheets}
    names = Names(tournament, lettering, profiles)
    return own.get(tournament.format, _table)(tournament, names).png()


def box_of(rounds: int) -> int:
    """The width of a match in a bracket, by its number of rounds."""
    return min(WIDEST_BOX, (WIDEST - 2 * EDGE - (rounds - 1) * GAP) // rounds)


class Names:
    """Writes the entries of a tournament on a canvas, and keeps their avatars for the end."""

    def __init__(self, tournament: Tournament, lettering: Lettering, profiles: Profiles) -> None:
        ordered = [entry.number for entry in standings(tournament)]
        self.places = {number: str(place) for place, number in enumerate(ordered, 1)}
        self._people = {number: tournament.by_number[number].person for number in ordered}
        self._lettering = lettering
        self._profiles = profiles
        self._avatars: list[tuple[Profile, Point]] = []

    def write(
        self, canvas: Canvas, number: EntryNumber, at: Point, ink: Paint, *, wide: float
    ) -> None:
        """Write an entry from `at`, the middle of its left side, on `wide` pixels.

        It has its place first, and its avatar where there is room for a name as well.
        """
        (left, y), profile = at, self._profiles.get(self._people[number])
        captions = () if profile is None else profile.captions(self._lettering)
        if profile is None or not captions:
            canvas.write((left + min(NUMBER, wide / 2), y), self.places[number], ink, size=LETTERS)
            return
        if wide > 2 * NUMBER + NAMES / 2:
            canvas.write((left + NUMBER / 2, y), self.places[number], ink, size=0.8 * LETTERS)
            left, wide = left + NUMBER, wide - NUMBER
            if profile.avatar is not None:
                self._avatars.append((profile, (left, y - AVATAR / 2)))
                left, wide = left + AVATAR + 4, wide - AVATAR - 4
        for caption in captions:
            canvas.write((left + wide / 2, y), caption, ink, size=NAME, within=wide - 8)

    def finished(self, canvas: Canvas) -> Collage:
        """The picture with the avatars."""
        drawn = canvas.collage()
        for profile, at in self._avatars:
            profile.put_avatar(drawn, at, AVATAR)
        return drawn


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


def _bracket(tournament: Tournament, names: Names) -> Collage:
    rounds = tournament.rounds or 1
    wide = box_of(rounds)
    left, top = _corner(rounds, 0, wide)
    below = (left, top + 3 * HALF)  # the final stands the match for the third place
    across = 2 * EDGE + rounds * wide + (rounds - 1) * GAP
    high = 2 * EDGE + (1 << (rounds - 1)) * (2 * HALF + EDGE) - EDGE
    canvas = Canvas(across, max(high, int(below[1] + 2 * HALF + EDGE)), GROUND)
    for round_ in range(1, rounds + 1):
        legs_of = {legs[0].match: legs for legs in tournament.round_of(round_)}
        matches = 1 << (rounds - round_)
        for match in range(matches):
            at = _corner(round_, match, wide)
            if round_ < rounds:
                _line(canvas, at, _corner(round_ + 1, match // 2, wide), wide)
            _box(canvas, at, wide, _halves(tournament, legs_of.get(match, ())), names)
    last = {legs[0].match: legs for legs in tournament.round_of(rounds)}
    _box(canvas, below, wide, _halves(tournament, last.get(1, ())), names)
    return names.finished(canvas)


def _corner(round_: int, match: int, wide: int) -> Point:
    """The upper left corner of a match's box."""
    step = (2 * HALF + EDGE) << (round_ - 1)
    left = EDGE + (round_ - 1) * (wide + GAP)
    return left, EDGE + (match + 0.5) * step - HALF - EDGE / 2


def _line(canvas: Canvas, at: Point, to: Point, wide: int) -> None:
    """The line from a match to the one that its winner goes on to."""
    (left, top), (right, bottom) = (at[0] + wide, at[1] + HALF), (to[0], to[1] + HALF)
    middle = (left + right) / 2
    way = [(left, top), (middle, top), (middle, bottom), (right, bottom)]
    canvas.line(way, GRID, width=4)


def _box(
    canvas: Canvas,
    at: Point,
    wide: int,
    halves: Sequence[tuple[EntryNumber, str, Paint]],
    names: Names,
) -> None:
    left, top = at
    canvas.rectangle(at, (left + wide, top + 2 * HALF), GRID, radius=8)
    for index, (number, made, paint) in enumerate(halves):
        middle = top + (index + 0.5) * HALF
        corner = (left + wide - 2, middle + HALF / 2 - 2)
        canvas.rectangle((left + 2, middle - HALF / 2 + 2), corner, paint, radius=6)
        ink = INK if paint == GRID else GROUND
        names.write(canvas, number, (left + 4, middle), ink, wide=wide - NUMBER - 8)
        if made:
            canvas.write((left + wide - NUMBER / 2 - 4, middle), made, ink, size=LETTERS)


def _halves(
    tournament: Tournament, legs: Sequence[Leg]
) -> Sequence[tuple[EntryNumber, str, Paint]]:
    """Each entry of a match with its points and its colour, as far as they are known."""
    if not legs:
        return ()
    decided = not any(leg.open for leg in legs)
    won = winner(tournament, legs) if decided else None
    made = match_points(legs)
    return [
        (
            number,
            "" if legs[0].open or len(made) == 1 else f"{made[number]:g}",
            GRID if not decided else WON if number == won else LOST,
        )
        for number in legs[0].entries
    ]


def _table(tournament: Tournament, names: Names) -> Collage:
    rounds = [tournament.round_of(round_) for round_ in range(1, tournament.round + 1)]
    rows = {
        number: [_cell(matches, number, names.places) for matches in rounds]
        for number in names.places
    }
    return _grid(rows, names)


def _sheets(tournament: Tournament, names: Names) -> Collage:
    sheets = TournamentScores(tournament).sheets
    rows = {
        number: [
            (f"{worth:g}", WON if made == 1 else DRAWN if made else LOST)
            for made, worth in sheets[number].games[-LAST_GAMES:]
        ]
        for number in names.places
    }
    return _grid(rows, names)


def _grid(rows: Mapping[EntryNumber, Sequence[tuple[str, Paint]]], names: Names) -> Collage:
    """A row for each entry: its place and name, then cells by their words and colours."""
    first = 2 * NUMBER + NAMES
    wide = 2 * EDGE + first + max(map(len, rows.values()), default=0) * CELL
    canvas = Canvas(wide, 2 * EDGE + max(1, len(rows)) * ROW, GROUND)
    for row, (number, cells) in enumerate(rows.items()):
        middle = EDGE + (row + 0.5) * ROW
        names.write(canvas, number, (EDGE, middle), INK, wide=first - 4)
        for column, (said, paint) in enumerate(cells):
            left = EDGE + first + column * CELL
            at, to = (left + 2, middle - ROW / 2 + 2), (left + CELL - 2, middle + ROW / 2 - 2)
            canvas.rectangle(at, to, paint, radius=8)
            if said:
                ink = INK if paint == GRID else GROUND
                canvas.write((left + CELL / 2, middle), said, ink, size=LETTERS)
    return names.finished(canvas)


def _cell(
    matches: Sequence[Sequence[Leg]], number: EntryNumber, places: Mapping[EntryNumber, str]
) -> tuple[str, Paint]:
    """The words and the colour of a cell; none if the entry did not play in the round."""
    legs = next((legs for legs in matches if number in legs[0].entries), None)
    if legs is None:
        return "", GROUND
    made = match_points(legs)
    others = [entry for entry in made if entry != number]
    met = "".join(places[other] for other in others)
    said = met if len(others) < 2 else f"{made[number]:g}"
    if any(leg.open for leg in legs):
        return said, GRID
    best = max((made[other] for other in others), default=0.0)
    if made[number] == best:
        return said or "+", DRAWN
    return said or "+", WON if made[number] > best else LOST
