"""The screen of `/stats`: how a person has played one game, in words and with a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Block, Picture, Prose, Screen, Tone
from bot.message.text import CommandMention, Percent, Text, TextList, joined, named, text
from bot.records.puzzles import PuzzleRecord
from bot.records.rating import AGAINST, PROVISIONAL_BELOW
from bot.records.standings import Tally
from bot.records.summaries import Opponent, Stats
from bot.screens.badges import badges, badges_to_come, pages_to_come
from bot.screens.pager import RecordsPage, ways_on
from bot.screens.stats_picture import ladder
from bot.table.seats import Level, PersonId

PICTURE: Final = "stats.png"


def stats(
    record: Stats,
    puzzles: PuzzleRecord,
    page: RecordsPage,
    *,
    reader: PersonId,
    private: bool,
    lettered: bool,
) -> Screen:
    """A page of a person's record; in `private` there is no server to count apart.

    Whom another person has met in all servers is not for the reader to know. `lettered` is whether
    the picture names what it shows.
    """
    count = pages(record, puzzles)
    page = replace(page, number=min(page.number, count - 1))
    shown, past_games = on_page(record, page.number), page.number - _of_games(record)
    if past_games >= 0:
        told = badges_to_come(record, puzzles, past_games - 1) if past_games else None
        earned = Prose((_title(record, page), *(told or badges(record, puzzles))))
        return Screen((earned, *ways_on(page, count, private=private)), Tone.OVER)
    lines = [*_people(shown, page, reader, alone=shown is record)]
    if page.number == _of_games(record) - 1:
        lines += _puzzles(puzzles)
    if shown.levels:
        lines.append(text("stats.levels"))
    blocks: list[Block] = [Prose(tuple(lines))]
    if shown.can_be_drawn:
        blocks.append(Picture(PICTURE, tuple(described(shown))))
        if below := tuple(_below(shown, lettered=lettered)):
            blocks.append(Prose(below))
    return Screen((*blocks, *ways_on(page, count, private=private)), Tone.OVER)


def pages(record: Stats, puzzles: PuzzleRecord) -> int:
    """The number of pages: one for games against people, one for those against computers.

    The badges of the person have one more, and those still to come one or more.
    """
    return _of_games(record) + (0 if record.empty else 1 + pages_to_come(record, puzzles))


def _of_games(record: Stats) -> int:
    return 2 if record.tally.games and record.levels else 1


def on_page(record: Stats, number: int) -> Stats:
    """The part of a record that a page shows."""
    if number >= _of_games(record):
        return Stats(record.person, record.game, record.guild)
    if _of_games(record) == 1:
        return record
    if number == 0:
        return replace(record, levels=(), played=None)
    return Stats(
        record.person, record.game, record.guild, levels=record.levels, played=record.played
    )


def _people(record: Stats, page: RecordsPage, reader: PersonId, *, alone: bool) -> Iterator[Text]:
    within = text(f"game.{record.game}.within")
    person, command = named(record.person), CommandMention(CATALOGUE[record.game].command.name)
    yield _title(record, page)
    if record.empty and record.person == reader:
        yield text("stats.begin", game=within, command=command)
    elif record.empty:
        yield text("stats.empty", person=person, game=within, command=command)
    elif record.tally.games:
        yield from _rating(record)
        yield from _tallied(record)
    elif alone:
        yield text("stats.nobody_met", command=command)
    if record.guild is not None or record.person == reader:
        yield from _met(record)


def _title(record: Stats, page: RecordsPage) -> Text:
    game = text(f"game.{record.game}")
    return text("stats.title", game=game, person=named(record.person), where=page.where)


def _rating(record: Stats) -> Iterator[Text]:
    if record.rating is not None:
        yield text(
            "stats.rating.provisional" if record.standing.provisional() else "stats.rating",
            rating=str(record.rating.points),
            spread=record.rating.spread,
            games=record.standing.rated,
            count=PROVISIONAL_BELOW,
            people=record.standing.opponents,
            least=AGAINST,
        )


def _tallied(record: Stats) -> Iterator[Text]:
    if record.titles:
        yield text("stats.titles", titles=record.titles)
    share = Percent(record.tally.win_rate or 0)
    yield text("stats.people", tally=tallied(record.tally, record.game), share=share)
    streak, best = record.standing.streak, record.standing.best_streak
    yield text(_streak(streak), count=abs(streak), best=best)


def _met(record: Stats) -> Iterator[Text]:
    if record.played is not None:
        yield text(
            "stats.played",
            accuracy=Percent(record.played.accuracy),
            luck=Percent(record.played.luck, signed=True),
            count=record.played.games,
        )
    if record.favourites:
        yield text("stats.favourites", people=_listed(record.favourites, record.game))
    named_before = {each.person for each in record.favourites}
    if toughest := [each for each in record.toughest if each.person not in named_before]:
        yield text("stats.toughest", people=_listed(toughest, record.game))


def _puzzles(record: PuzzleRecord) -> Iterator[Text]:
    if record.answers:
        yield text(
            "stats.puzzles",
            solved=record.solved,
            answered=len(record.answers),
            streak=record.streak,
            best=record.best_streak,
        )


def _streak(streak: int) -> str:
    if streak > 0:
        return "stats.streak.won"
    return "stats.streak.lost" if streak < 0 else "stats.streak.none"


def _listed(opponents: Sequence[Opponent], game: str) -> TextList:
    return joined(
        text("stats.opponent", person=named(each.person), score=score(each.tally, game))
        for each in opponents
    )


def _below(record: Stats, *, lettered: bool) -> Iterator[Text]:
    if record.curve:
        yield text("stats.curve")
    if record.levels and not lettered:
        yield text("stats.legend" if CATALOGUE[record.game].game.draws else "stats.legend.decided")
        levels = ladder(record.game, record.levels)
        for each in record.levels:
            yield text(
                "stats.step",
                sign=_sign(each.level, levels),
                level=text(f"choice.level.{each.level}"),
            )


def _sign(level: Level, levels: Sequence[Level]) -> str:
    step = levels.index(level) + 1
    return "●" * step + "○" * (len(levels) - step)


def described(record: Stats) -> Iterator[Text]:
    """The picture in words, for those who cannot see it."""
    if record.curve:
        strengths = [point.rating.points for point in record.curve]
        yield text(
            "stats.picture.curve" if len(strengths) > 1 else "stats.picture.point",
            count=len(strengths),
            first=str(strengths[0]),
            last=str(strengths[-1]),
            lowest=str(min(strengths)),
            highest=str(max(strengths)),
        )
    for each in record.levels:
        level = text(f"choice.level.{each.level}")
        yield text("stats.picture.level", level=level, tally=tallied(each.tally, record.game))


def tallied(tally: Tally, game: str) -> Text:
    """A tally in words; draws only of a game that has some."""
    key = "records.tally" if CATALOGUE[game].game.draws else "records.tally.decided"
    return text(key, wins=tally.wins, draws=tally.draws, losses=tally.losses)


def score(tally: Tally, game: str) -> Text:
    """A tally in numbers alone; draws only of a game that has some."""
    key = "records.score" if CATALOGUE[game].game.draws else "records.score.decided"
    return text(key, wins=tally.wins, draws=tally.draws, losses=tally.losses)
