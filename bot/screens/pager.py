"""Pages of what is remembered of games: which page it is, and the controls that lead to others.

A control's action names the whole page that it leads to, so nothing is stored of who reads what:
`s1:<what>:<game>:<scope>:<person>:<number>`, where `-` stands for all games.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.games.catalogue import BY_KEY, CATALOGUE
from bot.message.blocks import Control, Row
from bot.message.text import Text, text
from bot.table.seats import PersonId

ROW: Final = 5
"""How many controls stand side by side at most."""

ALL_GAMES: Final = "-"

REPLAY: Final = "s1:replay"
"""What a menu does that offers games to step through."""


class What(StrEnum):
    """What can be read."""

    STATS = "stats"
    LEADERBOARD = "leaderboard"
    HISTORY = "history"


class Scope(StrEnum):
    """Which games count: those of this server, or all."""

    HERE = "here"
    EVERYWHERE = "everywhere"


@dataclass(frozen=True, slots=True)
class Page:
    """A page to read: `game` is None for all games, `number` counts from 0."""

    what: What
    game: str | None
    scope: Scope
    person: PersonId
    number: int = 0

    @property
    def action(self) -> str:
        """What a control does that leads here."""
        game = self.game or ALL_GAMES
        return f"s1:{self.what}:{game}:{self.scope}:{self.person}:{self.number}"

    @property
    def where(self) -> Text:
        """In words, which games count."""
        return text(f"scope.{self.scope}")


_ACTION: Final = re.compile(
    rf"s1:({'|'.join(What)}):([a-z0-9_-]+):({'|'.join(Scope)}):(\d{{1,19}}):(\d{{1,6}})"
)


def page_of(action: str) -> Page | None:
    """The page that a control leads to; None for a control of another kind, or a game unknown."""
    found = _ACTION.fullmatch(action)
    if found is None:
        return None
    what, game, scope, person, number = found.groups()
    every = game == ALL_GAMES and what == What.HISTORY
    if not every and game not in BY_KEY:
        return None
    chosen = None if every else game
    return Page(What(what), chosen, Scope(scope), PersonId(int(person)), int(number))


def ways_on(page: Page, pages: int = 1, *, private: bool) -> tuple[Row, ...]:
    """The controls that lead from a page: to other games, the other scope, and the pages beside.

    In `private` there is no server whose games could be counted apart.
    """
    aside = [*_games(page), *([] if private else [_scope(page)])]
    rows = [Row(tuple(aside[start : start + ROW])) for start in range(0, len(aside), ROW)]
    if pages > 1:
        rows.append(beside(page.number, pages, lambda number: replace(page, number=number).action))
    return tuple(rows)


def _games(page: Page) -> Iterator[Control]:
    first = replace(page, number=0)
    if page.what is What.HISTORY and page.game is not None:
        yield Control(replace(first, game=None).action, text("control.all_games"))
    for entry in CATALOGUE:
        if entry.game.key != page.game:
            leading = replace(first, game=entry.game.key)
            yield Control(leading.action, text(f"game.{entry.game.key}"))


def _scope(page: Page) -> Control:
    other = Scope.EVERYWHERE if page.scope is Scope.HERE else Scope.HERE
    leading = replace(page, scope=other, number=0)
    return Control(leading.action, text(f"control.scope.{other}"))


def beside(number: int, pages: int, action: Callable[[int], str]) -> Row:
    """To the page before and the page after; the controls stay in their places at both ends.

    `action` leads to the page of a number, the first being 0.
    """
    before, after = number - 1, number + 1
    return Row(
        (
            Control(action(before), text("control.page_before"), enabled=number > 0),
            Control(action(after), text("control.page_after"), enabled=after < pages),
        )
    )


def which_page(number: int, pages: int) -> Text:
    """Which page it is, the first being 0, of how many."""
    return text("records.page", page=number + 1, pages=pages)
