"""Pages of records: their contents, and the buttons that lead to others.

A control's id has the whole page to which it leads, so nothing is stored about readers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Block, Choice, Control, Menu, Row, id_kind, rows
from bot.message.text import Text, text
from bot.records.rating import ALL_TIME, Season, season_before, season_of
from bot.table.refusals import Refusal
from bot.table.seats import PersonId

EVERY_GAME: Final = "-"
"""Stands for all games in a menu."""


class RecordKind(StrEnum):
    """The kinds of pages."""

    STATS = "stats"
    LEADERBOARD = "leaderboard"
    HISTORY = "history"


class Scope(StrEnum):
    """The games that count: those of this guild, or all."""

    HERE = "here"
    EVERYWHERE = "everywhere"


class When(StrEnum):
    """The games that count: those of this season, of the one before, or all."""

    SEASON = "season"
    LAST = "last"
    EVER = "ever"

    def season(self, now: datetime) -> Season:
        """The season at a moment."""
        this = season_of(now)
        return {When.SEASON: this, When.LAST: season_before(this), When.EVER: ALL_TIME}[self]


PUZZLE: Final = "puzzle"
"""The puzzle of the day, which has a leaderboard beside the games."""


def games_of(what: RecordKind) -> list[str]:
    """The games that have pages of a kind."""
    return [*CATALOGUE, PUZZLE] if what is RecordKind.LEADERBOARD else [*CATALOGUE]


@id_kind("s1")
@dataclass(frozen=True, slots=True)
class RecordsPage:
    """A page to read: `game` is None for all games, `number` counts from 0.

    A leaderboard without `when` is of this season as soon as that has some games, else of all time.
    """

    what: RecordKind
    game: str | None
    scope: Scope
    person: PersonId
    number: int = 0
    when: When | None = None

    def __post_init__(self) -> None:
        of_all = self.game is None and self.what is RecordKind.HISTORY
        if not of_all and self.game not in games_of(self.what):
            raise ValueError(f"There are no {self.what} of {self.game}.")

    @property
    def where(self) -> Text:
        """The scope in words."""
        return text(f"scope.{self.scope}")


@id_kind("h1")
@dataclass(frozen=True, slots=True)
class SharedRecords(RecordsPage):
    """A page that its reader shows to everybody."""


def ways_on(
    page: RecordsPage, pages: int = 1, also: Sequence[Control] = (), *, private: bool
) -> Iterator[Block]:
    """The controls of a page: to other games, the other scope, seasons, `also` and other pages.

    `private` places have no server with a scope of its own.
    """
    yield _games(page)
    aside = [*([] if private else [_scope(page)]), *_seasons(page)]
    if page.what is not RecordKind.HISTORY and not private:
        aside.append(Control(SharedRecords(*astuple(page)), text("control.share")))
    yield from rows((*aside, *also))
    yield from beside(page.number, pages, lambda number: replace(page, number=number))


def _games(page: RecordsPage) -> Menu:
    """The menu of games; its action is the present page, which `with_game` changes."""
    found = [
        Choice(key, text(f"game.{key}"), chosen=key == page.game) for key in games_of(page.what)
    ]
    every = text("control.all_games")
    if page.what is RecordKind.HISTORY:
        found.insert(0, Choice(EVERY_GAME, every, chosen=page.game is None))
    return Menu(page, every, tuple(found))


def with_game(page: RecordsPage, chosen: str) -> RecordsPage:
    """The first page of the game that was chosen in the menu of a page.

    Raises:
        Refusal: There is no such choice.
    """
    try:
        return replace(page, game=None if chosen == EVERY_GAME else chosen, number=0)
    except ValueError:
        raise Refusal("not_offered") from None


def _scope(page: RecordsPage) -> Control:
    other = Scope.EVERYWHERE if page.scope is Scope.HERE else Scope.HERE
    leading = replace(page, scope=other, number=0)
    return Control(leading, text(f"control.scope.{other}"))


def _seasons(page: RecordsPage) -> Iterator[Control]:
    """The control that switches a leaderboard to the next of this season, the last, all time."""
    if page.what is RecordKind.LEADERBOARD:
        every = [*When]
        when = every[(every.index(page.when or When.EVER) + 1) % len(every)]
        yield Control(replace(page, when=when, number=0), text(f"control.when.{when}"))


def beside(number: int, pages: int, leading: Callable[[int], object]) -> Iterator[Row]:
    """The row of buttons to the previous and the next page, if there are several pages."""
    if controls := turns(number, pages, leading):
        yield Row(controls)


def turns(number: int, pages: int, leading: Callable[[int], object]) -> tuple[Control, ...]:
    """The buttons to the previous and the next page, if there are several pages.

    Both keep their places: one that leads nowhere is disabled. `leading` makes the action for a
    page's number, which counts from 0.
    """
    if pages < 2:
        return ()
    last = number + 1 == pages
    return (
        Control(leading(number - 1), text("control.page_before"), enabled=number > 0),
        Control(leading(number + 1), text("control.page_after"), enabled=not last),
    )


def which_page(number: int, pages: int) -> Iterator[Text]:
    """The line with a page's `number`, which counts from 0, if there are several."""
    if pages > 1:
        yield text("records.page", page=number + 1, pages=pages)
