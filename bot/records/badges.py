"""Badges: what a person has done in a game for the first time, found in finished games.

A person earns a badge once for each kind of game, at the end of the first game that fulfils it; the
same games always give the same badges. Its key is stored and never renamed; its texts have the keys
`badge.<key>` and `badge.<key>.how`. A game adds its own badges to the catalogue.

The badges for titles and puzzles are not stored: they are computed from tournaments and answers
when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from bot.records.rating import season_of
from bot.records.results import AgainstComputers, AmongPeople, Outcome, Verdict
from bot.records.standings import EVERYWHERE, Standing, StandingKey, Standings
from bot.records.summaries import Finished
from bot.table.seats import Human, Level, PersonId

GIANT: Final = 200
"""How many points of rating a giant must have more than the winner."""


@dataclass(frozen=True, slots=True)
class GamePart:
    """A person's part in a finished game, with the standings of its people `before` and `after`."""

    game: Finished
    verdict: Verdict
    before: Standings = field(default_factory=dict)
    after: Standings = field(default_factory=dict)

    @property
    def won(self) -> bool:
        """Whether the person has won without help."""
        return self.verdict.outcome is Outcome.WIN and not self.helped

    @property
    def helped(self) -> bool:
        """Whether it was a game against computers with hints, or with moves taken back."""
        return self.level is not None and self.level.helped

    @property
    def level(self) -> Level | None:
        """The level of the computer; None in a game between people."""
        result = self.game.result
        return result.level if isinstance(result, AgainstComputers) else None

    @property
    def beaten(self) -> tuple[Verdict, ...]:
        """The people whom this person has beaten; empty unless they have won."""
        result = self.game.result
        if not isinstance(result, AmongPeople) or not self.won:
            return ()
        return result.opponents(self.verdict)

    @property
    def partners(self) -> int:
        """The number of people on the person's side, themselves included."""
        result = self.game.result
        verdicts = result.verdicts if result else ()
        return sum(each.side == self.verdict.side for each in verdicts)

    @property
    def standing(self) -> Standing:
        """The person's standing after the game."""
        return self.after.get(StandingKey(self.verdict.person, EVERYWHERE), Standing())

    @property
    def season(self) -> Standing:
        """The person's standing in the game's season after it."""
        key = StandingKey(self.verdict.person, EVERYWHERE, season_of(self.game.at))
        return self.after.get(key, Standing())

    def before_of(self, person: PersonId) -> Standing:
        """A person's standing before the game."""
        return self.before.get(StandingKey(person, EVERYWHERE), Standing())

    def did(self, feat: str) -> bool:
        """Whether the person has done a feat of the game, without help.

        Feats do not count if a computer has taken over the person's seat.
        """
        seat = self.verdict.seat
        feats = self.game.feats[seat] if self.game.feats else frozenset()
        stayed = isinstance(self.game.occupants[seat], Human)
        return feat in feats and stayed and not self.helped


@dataclass(frozen=True, slots=True)
class Badge:
    """A badge; a `hidden` one is not shown in servers where nobody has it.

    It exists for games with at least `seats` seats and, if it has one, with its `level`.
    """

    key: str
    emblem: str
    earned: Callable[[GamePart], bool] = lambda _: False
    hidden: bool = False
    seats: int = 1
    level: Level | None = None


def _against(level: Level, emblem: str) -> Badge:
    return Badge(f"beat_{level}", emblem, lambda p: p.won and p.level is level, level=level)


def _giant(part: GamePart) -> bool:
    """A win over a person whose settled rating was better by 200 points."""
    own = part.before_of(part.verdict.person).rating.points
    rivals = (part.before_of(each.person) for each in part.beaten)
    return any(not rival.provisional() and rival.rating.points >= own + GIANT for rival in rivals)


def _back_again(part: GamePart) -> bool:
    """A win after five losses in a row."""
    return bool(part.beaten) and part.before_of(part.verdict.person).streak <= -5


def _lucky_friday(part: GamePart) -> bool:
    """A win on a Friday the 13th."""
    return part.won and (part.game.at.day, part.game.at.isoweekday()) == (13, 5)


TITLE: Final = Badge("title", "🏆")
PUZZLE_WEEK: Final = Badge("puzzle_week", "🧩")
MANY_OPPONENTS: Final = Badge("ten_opponents", "🤝", lambda p: p.standing.opponents >= 10)

GENERAL: Final = (
    Badge("first_win", "🏅", lambda p: bool(p.beaten)),
    Badge("ten_wins", "🎖️", lambda p: p.standing.tally.wins >= 10),
    Badge("hundred_wins", "💯", lambda p: p.standing.tally.wins >= 100),
    Badge("three_in_a_row", "🔥", lambda p: p.standing.streak >= 3),
    Badge("ten_in_a_row", "🌋", lambda p: p.standing.streak >= 10),
    MANY_OPPONENTS,
    Badge("busy_season", "📅", lambda p: p.season.tally.games >= 20),
    Badge("giant_killer", "🪓", _giant),
    Badge("full_table", "👑", lambda p: len(p.beaten) >= 3, seats=4),
    Badge("partners", "👯", lambda p: bool(p.beaten) and p.partners > 1, seats=4),
    _against(Level.MEDIUM, "🤖"),
    _against(Level.HARD, "🦾"),
    _against(Level.EXPERT, "🧠"),
    TITLE,
    PUZZLE_WEEK,
    Badge("back_again", "🌈", _back_again, hidden=True),
    Badge("new_year", "🎆", lambda p: (p.game.at.month, p.game.at.day) == (1, 1), hidden=True),
    Badge("round_number", "🎱", lambda p: p.game.session % 1000 == 0, hidden=True),
    Badge("friday_13", "🍀", _lucky_friday, hidden=True),
)
"""The badges that can be earned in any game."""


def offered(own: Iterable[Badge], seats: int, levels: Iterable[Level]) -> tuple[Badge, ...]:
    """The badges that exist for a game with these seats and levels, its own ones first."""
    there = {None, *levels}
    return tuple(
        badge for badge in (*own, *GENERAL) if badge.seats <= seats and badge.level in there
    )
