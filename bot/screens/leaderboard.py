"""The screen of `/leaderboard`: the best of a game, page by page, and the reader's own place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Prose, Screen, Tone
from bot.message.text import CommandMention, Month, Text, named, text
from bot.records.puzzles import League, LeagueLine
from bot.records.rating import ALL_TIME, Season, first_day
from bot.records.summaries import Leaderboard, Ranked
from bot.screens.pager import PUZZLE, RecordsPage, When, ways_on, which_page
from bot.screens.stats import score
from bot.table.seats import PersonId

MEDALS: Final = ("🥇", "🥈", "🥉")


def leaderboard(
    board: Leaderboard, page: RecordsPage, season: Season, *, reader: PersonId, private: bool
) -> Screen:
    """A page of a season's leaderboard; in `private` there is no server to count apart."""
    assert page.game is not None, "a leaderboard is of one game"
    key, page = page.game, replace(page, number=board.page)
    title = _title(page, season)
    over = page.when is When.LAST
    own = () if over and board.own is None else _own(board, key, reader)
    below = [Prose(lines)] if (lines := (*own, *_notes(board, key))) else []
    if board.lines:
        best = Prose((title, *(ranked_line(each, key, reader) for each in board.lines)))
    else:
        empty = "leaderboard.empty.last" if over else "leaderboard.empty"
        best = Prose((title, text(empty, game=text(f"game.{key}.within"))))
    ways = ways_on(page, board.pages, private=private)
    return Screen((best, *below, *ways), Tone.OVER)


def league(
    best: League, page: RecordsPage, season: Season, *, reader: PersonId, private: bool
) -> Screen:
    """A page of the puzzle's league in a season."""
    page, over = replace(page, number=best.page), page.when is When.LAST
    lines = [_title(page, season), *(_solver(each, reader) for each in best.lines)]
    if not best.lines:
        lines.append(text("league.empty.last" if over else "league.empty"))
    own = () if over and best.own is None else _own_place(best, reader)
    legend = (text("league.legend"),) if best.lines else ()
    below = Prose((*own, *which_page(best.page, best.pages), *legend))
    blocks = (Prose(tuple(lines)), *([below] if below.lines else []))
    return Screen((*blocks, *ways_on(page, best.pages, private=private)), Tone.OVER)


def points(line: LeagueLine) -> int | float:
    """The points of a line, with a fraction only if there is one."""
    return int(line.points) if line.points.is_integer() else line.points


def _solver(line: LeagueLine, reader: PersonId) -> Text:
    return text(
        "league.own" if line.person == reader else "league.line",
        place=_place(line.place),
        person=named(line.person),
        points=points(line),
        solved=line.solved,
    )


def _own_place(best: League, reader: PersonId) -> Iterator[Text]:
    if best.own is None:
        yield text("league.begin", command=CommandMention(PUZZLE))
        return
    if best.own not in best.lines:
        yield _solver(best.own, reader)
    yield text("leaderboard.standing", place=best.own.place, people=best.people)


def _title(page: RecordsPage, season: Season) -> Text:
    when = text("season.ever") if season == ALL_TIME else Month(first_day(season))
    game = text(f"game.{page.game}")
    return text("leaderboard.title", game=game, where=page.where, when=when)


def ranked_line(ranked: Ranked, game: str, reader: PersonId | None = None) -> Text:
    """A person's line, marked if it is the reader's own."""
    keys = {
        (False, False): "leaderboard.line",
        (False, True): "leaderboard.line.provisional",
        (True, False): "leaderboard.own",
        (True, True): "leaderboard.own.provisional",
    }
    return text(
        keys[ranked.person == reader, ranked.provisional],
        place=_place(ranked.place, medals=ranked.tally.wins > 0),
        person=named(ranked.person),
        rating=str(ranked.rating.points),
        score=score(ranked.tally, game),
    )


def _place(place: int, *, medals: bool = True) -> Text:
    if medals and place <= len(MEDALS):
        return text("leaderboard.medal", medal=MEDALS[place - 1])
    return text("leaderboard.place", place=place)


def _own(board: Leaderboard, game: str, reader: PersonId) -> Iterator[Text]:
    if board.own is None:
        yield text("leaderboard.begin", command=CommandMention(CATALOGUE[game].command.name))
        return
    if board.own.person not in {each.person for each in board.lines}:
        yield ranked_line(board.own, game, reader)
    yield text("leaderboard.standing", place=board.own.place, people=board.people)


def _notes(board: Leaderboard, game: str) -> Iterator[Text]:
    yield from which_page(board.page, board.pages)
    if board.lines:
        draws = CATALOGUE[game].game.draws
        yield text("leaderboard.legend" if draws else "leaderboard.legend.decided")
