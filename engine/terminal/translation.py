"""A review in the words of a message catalogue, without the signs that Discord reads in them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import entry_points
from typing import Any, Final, Protocol

from engine.files.record import Record
from engine.game import CHANCE, Game, Move, Reason, Seat
from engine.games import part
from engine.notation import Notation
from engine.review import MoveReview, PlyReview, Review, WeighedMove

GROUP: Final = "parlour.languages"
ENGLISH: Final = ("en", "en-US", "en-GB")


class OtherLanguage(Protocol):
    """A message catalogue, and the way its language writes numbers."""

    locale: str

    @property
    def direction(self) -> str:
        """`ltr` or `rtl`."""

    def template(self, key: str, count: int | None = None) -> str:
        """The message of a key, for a count if it has plural forms; `KeyError` if there is none."""

    def number(self, value: float) -> str:
        """A number."""

    def percent(self, share: float, *, signed: bool = False) -> str:
        """A share of 1 in whole percent."""


def language(name: str | None) -> OtherLanguage | None:
    """Find a language by its name; None for English, and where there is no such catalogue."""
    if name is None or name in ENGLISH:
        return None
    for entry in entry_points(group=GROUP):
        found: OtherLanguage | None = entry.load()(name)
        if found is not None:
            return found
    sys.stderr.write(f"There are no words in {name!r} here, so these are in English.\n")
    return None


MARKDOWN: Final = re.compile(r"\*\*|^(?:#+|-#) ", re.MULTILINE)


LEAST_TOLD: Final = 0.005
"""The smallest loss that is not written as nothing."""


@dataclass(frozen=True, slots=True)
class Translation:
    """A review of one game in another language."""

    language: OtherLanguage
    game: Game[Any]
    notes: Notation

    def say(self, key: str, *, count: int | None = None, **values: object) -> str:
        """A message with its values in it."""
        if count is not None:
            values["count"] = self.language.number(count)
        written = self.language.template(key, count).format_map(values)
        return re.sub(" +", " ", MARKDOWN.sub("", written)).strip()

    def heading(self, record: Record) -> str:
        """The game's name and number."""
        game = self.say(f"game.{self.game.key}")
        if record.number is None:
            return game
        return f"{self.say('review.title', number=record.number)} · {game}"

    def skipped(self, plies: int) -> str:
        """A sentence on plies without a review."""
        return self.say("engine.review.skipped", number=self.language.number(plies))

    def seat(self, seat: Seat) -> str:
        """A mark, or a colour by its name."""
        name = self.notes.seat(seat)
        try:
            return self.say(f"side.{name}")
        except KeyError:
            return name

    def ply(self, ply: PlyReview, state: Any) -> str:  # noqa: ANN401 - any game's position
        """A roll with its luck; or a move with what it lost, reasons, result, and a better one."""
        percent = self.language.percent
        if not isinstance(ply, MoveReview):
            change = percent(ply.luck[ply.seat], signed=True)
            return self._told(ply, "review.rolled", pips=str(ply.pips), change=change)
        names = {choice.move: self.notes.names(state, choice.move)[0] for choice in ply.choices}
        moved = "review.moved" if ply.sure else "review.moved.about"
        if ply.loss >= LEAST_TOLD:
            change = percent(-ply.loss, signed=True)
            parts = [self._told(ply, moved, move=names[ply.move], change=change)]
        else:
            parts = [self._told(ply, "why.move", move=names[ply.move])]
        if ply.played.reasons:
            parts.append(self.say("why.reasons", reasons=self._reasons(state, ply.played.reasons)))
        if ply.played.proven:
            parts.append(self._outcome(ply.played, ply.seat))
        if ply.move not in ply.bests:
            better = "why.better" if ply.sure else "why.perhaps"
            parts.append(self.say(better, move=names[ply.best.move]))
            if ply.reply:
                reply = self._line(state.play(ply.move), ply.reply)
                parts.append(self.say("why.line", moves=" ".join(reply)))
        return " · ".join(parts)

    def _outcome(self, choice: WeighedMove, seat: Seat) -> str:
        """The proven result of a choice for its seat, and with how many of its moves."""
        chance = choice.chances[seat]
        if choice.moves is None:
            return self.say({0.0: "why.loses", 0.5: "why.drawn", 1.0: "why.wins"}[chance])
        return self.say("why.won" if chance else "why.lost", count=choice.moves)

    def _line(self, state: Any, moves: Iterable[Move]) -> Iterator[str]:  # noqa: ANN401
        for move in moves:
            rolled = state.turn == CHANCE
            yield self._roll(move) if rolled else self.notes.names(state, move)[0]
            state = state.play(move)

    def _roll(self, pips: int) -> str:
        return self.say(f"{self.game.key}.words.rolled", pips=pips)

    def _told(self, ply: PlyReview, key: str, **values: str) -> str:
        """A numbered sentence on a seat, whose name its text has as `player` or as `emblem`."""
        seat = self.seat(ply.seat)
        named = {"emblem": "", "player": seat} if key == "why.move" else {"emblem": seat}
        told = self.say(key, count=None, **named, **values)
        return self.say("review.point", number=ply.ply + 1, told=told)

    def _reasons(self, state: Any, reasons: tuple[Reason, ...]) -> str:  # noqa: ANN401
        comma = self.language.template("list.comma")
        return comma.join(self._reason(state, reason, comma) for reason in reasons)

    def _reason(self, state: Any, reason: Reason, comma: str) -> str:  # noqa: ANN401
        meanings: Mapping[StrEnum, tuple[str, ...]] = part(self.game, "review.ABOUT", {})
        own = f"{self.game.key}." if meanings else ""
        key = f"{own}reason.{reason.kind.value.replace(' ', '_')}"
        meaning = meanings.get(reason.kind)
        if meaning is None:
            cells = (self._cell(state, cell) for cell in reason.about)
            return self.say(key, cells=comma.join(cells))
        about = dict(zip(meaning, reason.about, strict=True))
        values: dict[str, object] = {"token": about.get("token", 0) + 1}
        if "seat" in about:
            colour, number = self.seat(Seat(about["seat"])), values["token"]
            values["whom"] = self.say(f"{self.game.key}.captive", colour=colour, number=number)
        return self.say(key, count=about.get("count"), **values)

    def _cell(self, state: Any, cell: int) -> str:  # noqa: ANN401
        """The name of a cell, which is that of a move unless the game's notation has others."""
        name: Callable[[Any, int], str] = part(
            self.game, "notation.CELL_NAME", lambda at, move: self.notes.names(at, Move(move))[0]
        )
        return name(state, cell)

    def about(self) -> str:
        """A sentence on a table where chances do not come true."""
        return self.say("review.about")

    def outcome(self, record: Record) -> Iterator[str]:
        """A sentence on each winner, or on the draw; none on a game that is not over."""
        if not record.is_over:
            return
        best = max(record.result)
        winners = [Seat(seat) for seat, won in enumerate(record.result) if won == best]
        if len(winners) == record.seats:
            yield self.say("drawn.played")
        else:
            for winner in winners:
                yield self.say("won.played", emblem="", winner=self.seat(winner))

    def summary(self, found: Review, seat: Seat, faults: int) -> Iterator[str]:
        """A seat's play and luck in numbers."""
        percent, accuracy = self.language.percent, found.accuracy(seat)
        shown = percent(1.0 if accuracy is None else accuracy)
        yield self.say("review.seat", emblem="", player=self.seat(seat), accuracy=shown)
        yield self.say("review.play", share=percent(found.lost(seat)), count=faults)
        if found.rolls:
            luck = percent(found.luck(seat), signed=True)
            yield self.say("review.luck", share=luck, chance=percent(found.adjusted(seat)))
