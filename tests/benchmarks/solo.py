"""One person's view of Ludo against three computers: what is told, and what moves under a finger.

    python -m tests.benchmarks.solo [--games 150] [--seed 1]

The person chooses by the rules agent, like the computers, and presses Roll where the dice wait; the
dice are otherwise rolled as by default. A board is drawn whenever the table waits for the person,
and at the end. Printed are

- the presses in a game and the plies before the first of them, both as medians, and the longest
  stretch of the person's own rolls without a press;
- the person's tokens that were captured, how many of them the very next board tells by their
  numbers, and how many a later board tells again;
- the boards that are more than a few pixels higher or lower than the one before, on a phone of 360
  pixels, by the lines that they take;
- the buttons that stand under the finger after a press, if it is another one: the second tap of
  two meets them, and is not carried out (`bot/ui/door.py`).
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from random import Random
from statistics import median
from typing import Final, TypeVar

from bot.message.blocks import Block, Brief, Grid, Prose, Row, Screen
from bot.message.text import Sprite, Text
from bot.screens.board import screen
from bot.table.actions import Action, parsed
from bot.table.dice import Dice
from bot.table.seats import Computer, Human, Level, Occupant, Pace, PersonId
from bot.table.session import Phase, Session, SessionId
from bot.table.table import Place, Table
from bot.ui.words import ROOM, brief, width
from engine.game import CHANCE, Move, Seat
from engine.games.ludo import GAME
from engine.games.ludo.agents import LudoRules
from engine.games.ludo.board import YARD
from tests.bot.english import ENGLISH_WORDS as WORDS

OWN: Final = Seat(0)
LINE, SMALL, BUTTONS, GAP = 19.25, 17.0, 40.0, 8.0
"""Heights of a line, a small one, a row of buttons, and between the parts, in pixels."""
SMALLER: Final = 0.8
"""The width of small letters beside others."""
FEW_PIXELS: Final = 8.0

Found = TypeVar("Found")


@dataclass
class Played:
    """One game: presses, captures and the boards that told them, and what a finger met."""

    presses: int = 0
    before: int | None = None
    captured: int = 0
    told: int = 0
    again: int = 0
    rolls: int = 0
    boards: int = 0
    moved: int = 0
    taps: Counter[str] = field(default_factory=Counter)


def play(seed: int) -> Played:
    """A whole game."""
    rng, agent = Random(seed), LudoRules(Random(seed))
    seats: tuple[Occupant, ...] = (Human(PersonId(1)), *[Computer(Level.MEDIUM)] * 3)
    options = GAME.settled(GAME.presets["classic"])
    session = Session(GAME, options, Pace.LIVE, PersonId(1), seats).start()
    found, rolls, lost = Played(), 0, list[int]()
    last: Screen | None = None
    pressed = ""
    while True:
        if session.phase is not Phase.RUNNING or not session.unattended:
            shown = screen(_table(session))
            told = _told(shown)
            found.captured += len(lost)
            found.told += sum(number in told for number in lost)
            found.again += len(told - {*lost})
            if session.phase is not Phase.RUNNING:
                return found
            if last is not None:
                _compare(found, last, shown, pressed)
            found.before = session.ply if found.before is None else found.before
            found.presses += 1
            rolls, lost, last = 0, [], shown
            pressed = Action.ROLL if session.rolling else ""
        elif session.rolling and session.turn == OWN and not session.position.opening:
            rolls += 1
            found.rolls = max(found.rolls, rolls)
        before = session.position.tokens[OWN]
        move = _move(session, rng, agent)
        pressed = pressed or (f"m{move}" if session.turn == OWN else "")
        session = session.go_on(move)
        after = session.position.tokens[OWN]
        lost += [token + 1 for token in range(4) if before[token] != YARD == after[token]]


def _move(session: Session, rng: Random, agent: LudoRules) -> Move:
    if session.position.turn == CHANCE:
        return rng.choice(session.legal)
    return agent.think(session.position).move


def _table(session: Session) -> Table:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    place, dice = Place(guild=1, channel=2, message=3), Dice.drawn(Random(1))
    return Table(SessionId(1), 1, session, place, "en-US", now, None, dice=dice)


def _told(shown: Screen) -> set[int]:
    """The person's tokens that a board says were captured."""
    lost = [each for each in _found(shown, Text) if each.key == "ludo.since.lost"]
    tokens = [each.fallback for each in _found(lost, Sprite) if each.fallback[-1].isdigit()]
    return {int(token[-1]) for token in tokens}


def _compare(found: Played, before: Screen, after: Screen, pressed: str) -> None:
    """Note whether the next board is as high, and what stands where the person pressed."""
    found.boards += 1
    found.moved += abs(_height(after) - _height(before)) > FEW_PIXELS
    for below, row in rows_of(before):
        words = [str(each.action) for each in row.controls if each.enabled]
        if pressed in words:
            met = _met(after, below + BUTTONS / 2, words.index(pressed))
            if met not in (None, pressed):
                action, _ = parsed(met)
                found.taps[str(action and action.name)] += 1


def _met(shown: Screen, at: float, place: int) -> str | None:
    """The button that can be pressed so far above a screen's end, by its place in its row."""
    for below, row in rows_of(shown):
        if below <= at < below + BUTTONS:
            words = [str(each.action) for each in row.controls if each.enabled]
            return words[place] if place < len(words) else None
    return None


def rows_of(shown: Screen) -> Iterator[tuple[float, Row]]:
    """The rows of buttons of a screen, the last one first, and how far above its end each ends."""
    below = 0.0
    for block in reversed(shown.blocks):
        if isinstance(block, Row):
            yield below, block
        below += _high(block) + GAP


def _height(shown: Screen) -> float:
    """The height of a screen's container, but for its edges."""
    return sum(map(_high, shown.blocks)) + GAP * (len(shown.blocks) - 1)


def _high(block: Block) -> float:
    match block:
        case Prose(lines):
            return sum(map(_line, written(lines)))
        case Grid(rows, caption):
            below = () if caption is None else (caption,)
            return LINE * len(rows) + sum(map(_line, written(below)))
        case Row():
            return BUTTONS
        case _:
            return 0.0


def written(lines: Iterable[Text | Brief]) -> Iterator[str]:
    """The lines of a text, those that are brief packed as on a phone."""
    for each in lines:
        yield from brief(each, WORDS) if isinstance(each, Brief) else [WORDS.of(each)]


def _line(said: str) -> float:
    small = said.startswith("-# ")
    wide = width(said.removeprefix("-# ")) * (SMALLER if small else 1)
    return max(1, math.ceil(wide / ROOM)) * (SMALL if small else LINE)


def _found(part: object, kind: type[Found]) -> Iterator[Found]:
    """Everything of a kind in a part of a screen."""
    if isinstance(part, kind):
        yield part
    if isinstance(part, Mapping):
        part = list(part.values())
    elif is_dataclass(part):
        part = [getattr(part, each.name) for each in fields(part)]
    if isinstance(part, tuple | list):
        for each in part:
            yield from _found(each, kind)


def main() -> None:
    """Plays, and prints a line for each figure."""
    parser = argparse.ArgumentParser(description="A person's view of Ludo against computers.")
    parser.add_argument("--games", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    games = [play(given.seed + number) for number in range(given.games)]
    captured, told = sum(game.captured for game in games), sum(game.told for game in games)
    boards, moved = sum(game.boards for game in games), sum(game.moved for game in games)
    taps = sum((game.taps for game in games), Counter[str]())
    print(f"presses in a game: {median(game.presses for game in games):.0f} (median)")
    print(
        f"plies before the first press: {median(game.before or 0 for game in games):.0f} (median)"
    )
    print(f"own rolls between two presses: at most {max(game.rolls for game in games)}")
    print(f"own tokens captured: {captured}, told on the next board: {told}")
    print(f"told again on a later board: {sum(game.again for game in games)}")
    often = f"1 in {boards / moved:.0f}" if moved else "none"
    print(f"boards of another height than the one before: {moved} of {boards} ({often})")
    print(f"other buttons under the finger after a press: {dict(taps) or 'none'}")


if __name__ == "__main__":
    main()
