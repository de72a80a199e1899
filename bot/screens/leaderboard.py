"""The screen of `/leaderboard`: the best of a game, page by page, and the reader's own place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Prose, Screen, Tone
from bot.message.text import CommandMention, Text, named, text
from bot.records.summaries import Leaderboard, Ranked
from bot.screens.pager import RecordsPage, ways_on, which_page
from bot.screens.stats import score
from bot.table.seats import PersonId

MEDALS: Final = ("🥇", "🥈", "🥉")


def leaderboard(
    board: Leaderboard, page: RecordsPage, *, reader: PersonId, private: bool
) -> Screen:
    """A page of the leaderboard; in `private` there is no server to count apart."""
    assert page.game is not None, "a leaderboard is of one game"
    key, page = page.game, replace(page, number=board.page)
    game = text(f"game.{key}")
    title = text("leaderboard.title", game=game, where=page.where)
    below = Prose((*_own(board, key, reader), *_notes(board, key)))
    if board.lines:
        lines = Prose((title, *(_line(each, key, reader) for each in board.lines)))
    else:
        lines = Prose((title, text("leaderboard.empty", game=text(f"game.{key}.within"))))
    ways = ways_on(page, board.pages, private=private)
    return Screen((lines, below, *ways), Tone.OVER)


def _line(ranked: Ranked, game: str, reader: PersonId) -> Text:
    keys = {
        (False, False): "leaderboard.line",
        (False, True): "leaderboard.line.provisional",
        (True, False): "leaderboard.own",
        (True, True): "leaderboard.own.provisional",
    }
    return text(
        keys[ranked.person == reader, ranked.tally.provisional],
        place=_place(ranked),
        person=named(ranked.person),
        rating=str(ranked.rating.points),
        score=score(ranked.tally, game),
    )


def _place(ranked: Ranked) -> Text:
    if ranked.place <= len(MEDALS) and ranked.tally.wins:
        return text("leaderboard.medal", medal=MEDALS[ranked.place - 1])
    return text("leaderboard.place", place=ranked.place)


def _own(board: Leaderboard, game: str, reader: PersonId) -> Iterator[Text]:
    if board.own is None:
        yield text("leaderboard.begin", command=CommandMention(CATALOGUE[game].command.name))
        return
    if board.own.person not in {each.person for each in board.lines}:
        yield _line(board.own, game, reader)
    yield text("leaderboard.standing", place=board.own.place, people=board.people)


def _notes(board: Leaderboard, game: str) -> Iterator[Text]:
    yield from which_page(board.page, board.pages)
    if board.lines:
        draws = CATALOGUE[game].game.draws
        yield text("leaderboard.legend" if draws else "leaderboard.legend.decided")
