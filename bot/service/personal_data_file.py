"""A person's data as the file that they get: JSON, and compressed where it would be too large.

The file itself says what its keys mean. Ids are text: JavaScript's numbers are too small for them.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from bot.games.catalogue import CATALOGUE
from bot.records.queries import Tally
from bot.records.rating import Rating
from bot.service.people import Choices
from bot.service.personal_data import Kept, Mark, PersonalData, Summary
from bot.table.seats import (
    FORMER_PLAYERS,
    Absent,
    Computer,
    Human,
    Invited,
    Occupant,
    PersonId,
    word_of,
)
from engine.files import json_text
from engine.files.record import Record, exact

FORMAT: Final = "Parlour person"
VERSION: Final = 1

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file by its name."""

    name: str
    content: bytes


def written(
    data: PersonalData, at: datetime, about: Mapping[str, str], *, most: int
) -> Attachment | None:
    """The file, in at most so many bytes; None if it does not fit, however it is written.

    `about` says to its reader what is in the file.
    """
    told = _told(data, at, about)
    content = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    name = f"parlour-{at:%Y-%m-%d}.json"
    if len(content) > most:
        name, content = f"{name}.gz", gzip.compress(content, mtime=0)
    return Attachment(name, content) if len(content) <= most else None


def _told(data: PersonalData, at: datetime, about: Mapping[str, str]) -> Json:
    return {
        "format": FORMAT,
        "version": VERSION,
        "about": dict(about),
        "made_at": _moment(at),
        "person": _person(data.person),
        "choices": _choices(data.choices),
        "statistics": [_summary(summary) for summary in data.summaries],
        "games": [_game(game, data.person) for game in data.games],
        "puzzles": [
            {"day": day.isoformat(), "solved": solved} for day, solved in data.puzzles.items()
        ],
    }


def _choices(choices: Choices) -> Json:
    return {
        "board": choices.form,
        "language": choices.language,
        "challenges": choices.challenges,
        "reminders": choices.reminders,
        "blocked": [_person(other) for other in sorted(choices.blocked)],
    }


def _summary(summary: Summary) -> Json:
    standing = summary.standing
    people: Json | None = None
    if standing is not None:
        people = {
            **_tally(standing.tally),
            "streak": standing.streak,
            "best_streak": standing.best_streak,
            "rating": _rating(standing.rating),
        }
    return {
        "game": summary.game,
        "server": _id(summary.guild),
        "people": people,
        "computers": [{"level": each.level, **_tally(each.tally)} for each in summary.levels],
        "opponents": [
            {"person": _person(each.person), **_tally(each.tally)} for each in summary.opponents
        ],
    }


def _game(game: Kept, person: PersonId) -> Json:
    own = [index for index, seat in enumerate(game.seats) if _holder(seat) == person]
    return {
        "number": game.number,
        "state": game.phase,
        "server": _id(game.place.guild),
        "channel": _id(game.place.channel),
        "message": _id(game.place.message),
        "language": game.locale,
        "pace": game.pace,
        "rolls_by_itself": game.auto_roll,
        "opened_at": _moment(game.opened_at),
        "moved_at": _moment(game.moved_at),
        "opened_by": _person(game.host),
        "seats": [_seat(seat) for seat in game.seats],
        "own_seat": own[0] if own else None,
        "own_dice_word": next(
            (word.text for index in own if (word := word_of(game.seats[index]))), None
        ),
        "result": None if game.mark is None else _mark(game.mark),
        "record": _record(game),
        "taken_back": [list(move) for move in game.taken_back],
        "played_after": [
            (moment - game.opened_at) // timedelta(milliseconds=1) for moment in game.moments
        ],
    }


def _record(game: Kept) -> Json:
    """The game in the form of `engine.records`; without ending and result as long as it has none.

    Options of a game that this version does not know are told as they are stored.
    """
    entry = CATALOGUE.get(game.game)
    if entry is None:
        options, moves = dict(game.options), list(game.moves)
        return {"number": game.number, "game": game.game, "options": options, "moves": moves}
    told = json_text.told(
        Record(
            game=entry.game,
            seats=len(game.seats),
            options=game.options,
            moves=game.moves,
            ending=game.ending or "",
            result=exact(game.payoff or ()),
            number=game.number,
        )
    )
    return told | {"ending": game.ending, "result": told["result"] or None}


def _seat(occupant: Occupant) -> Json:
    match occupant:
        case Human(person):
            return {"kind": "person", "person": _person(person)}
        case Invited(person):
            return {"kind": "invited", "person": _person(person)}
        case Absent(person, level):
            return {"kind": "away", "person": _person(person), "level": level}
        case Computer(level):
            return {"kind": "computer", "level": level}
        case _:
            return {"kind": "free"}


def _mark(mark: Mark) -> Json:
    return {
        "outcome": mark.outcome,
        "level": mark.level,
        "rating": _rating(mark.everywhere),
        "rating_in_server": _rating(mark.here),
        "at": _moment(mark.at),
    }


def _rating(rating: Rating | None) -> Json | None:
    return None if rating is None else {"mu": rating.mu, "sigma": rating.sigma}


def _tally(tally: Tally) -> Json:
    return {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses}


def _holder(occupant: Occupant) -> PersonId | None:
    return occupant.person if isinstance(occupant, Human | Invited | Absent) else None


def _person(person: PersonId) -> str | None:
    return None if person in FORMER_PLAYERS else str(person)


def _id(number: int | None) -> str | None:
    return None if number is None else str(number)


def _moment(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")
