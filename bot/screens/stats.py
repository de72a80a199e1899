"""The screen of `/stats`: how a person has played one game, in words and with a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Block, Picture, Prose, Screen, Tone
from bot.message.text import CommandMention, Percent, Text, TextList, joined, named, text
from bot.records.puzzle_record import PuzzleRecord
from bot.records.rating import PROVISIONAL_BELOW
from bot.records.summaries import Opponent, Stats, Tally
from bot.screens.pager import RecordsPage, ways_on
from bot.screens.stats_picture import ladder
from bot.table.seats import Level, PersonId

PICTURE: Final = "stats.png"


def stats(
    record: Stats, puzzles: PuzzleRecord, page: RecordsPage, *, reader: PersonId, private: bool
) -> Screen:
    """A person's record; in `private` there is no server to count apart.

    Whom another person has met in all servers is not for the reader to know.
    """
    blocks: list[Block] = [Prose((*_people(record, page, reader), *_puzzles(puzzles)))]
    if record.can_be_drawn:
        blocks.append(Picture(PICTURE, tuple(described(record))))
        blocks.append(Prose(tuple(_below(record))))
    return Screen((*blocks, *ways_on(page, private=private)), Tone.OVER)


def _people(record: Stats, page: RecordsPage, reader: PersonId) -> Iterator[Text]:
    game, within = text(f"game.{record.game}"), text(f"game.{record.game}.within")
    person, command = named(record.person), CommandMention(CATALOGUE[record.game].command.name)
    yield text("stats.title", game=game, person=person, where=page.where)
    if record.empty and record.person == reader:
        yield text("stats.begin", game=within, command=command)
    elif record.empty:
        yield text("stats.empty", person=person, game=within, command=command)
    elif not record.tally.games:
        yield text("stats.nobody_met", command=command)
    else:
        yield from _rating(record)
        yield from _tallied(record)
        if record.guild is not None or record.person == reader:
            yield from _met(record)


def _rating(record: Stats) -> Iterator[Text]:
    if record.rating is not None:
        yield text(
            "stats.rating.provisional" if record.tally.provisional else "stats.rating",
            rating=str(record.rating.points),
            spread=record.rating.spread,
            games=record.tally.games,
            count=PROVISIONAL_BELOW,
        )


def _tallied(record: Stats) -> Iterator[Text]:
    share = Percent(record.tally.win_rate or 0)
    yield text("stats.people", tally=tallied(record.tally, record.game), share=share)
    yield text(_streak(record.streak), count=abs(record.streak), best=record.best_streak)


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
    if record.toughest:
        yield text("stats.toughest", people=_listed(record.toughest, record.game))


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


def _below(record: Stats) -> Iterator[Text]:
    if record.curve:
        yield text("stats.curve")
    if record.levels:
        yield text(
            "stats.computer" if CATALOGUE[record.game].game.draws else "stats.computer.decided"
        )
        levels = ladder(record.game, record.levels)
        for each in record.levels:
            yield text(
                "stats.level",
                sign=_sign(each.level, levels),
                level=text(f"choice.level.{each.level}"),
                tally=tallied(each.tally, record.game),
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
