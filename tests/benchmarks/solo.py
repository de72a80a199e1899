"""One person's view of Ludo against three computers, with the number of presses.

    python -m tests.benchmarks.solo [--games 150] [--seed 1]

The person chooses by the rules agent, like the computers, and presses Roll where the dice wait; the
dice are otherwise rolled as by default. A board is drawn whenever the table waits for the person,
and at the end. Printed are the median of presses in a game, how many of the person's tokens were
captured and how many of those the very next board tells by their numbers, and the longest stretch
of the person's own rolls without a press.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from random import Random
from statistics import median
from typing import Final, TypeVar

from bot.message.emoji import Sprite
from bot.message.text import Text
from bot.screens.board import screen
from bot.table.dice import Dice
from bot.table.seats import Computer, Human, Level, Occupant, Pace, PersonId
from bot.table.session import Phase, Session, SessionId
from bot.table.table import Place, Table
from engine.game import CHANCE, Move, Seat
from engine.games.ludo import GAME
from engine.games.ludo.board import YARD
from engine.games.ludo.rules_agent import LudoRules

OWN: Final = Seat(0)

Found = TypeVar("Found")


@dataclass
class Played:
    """One game: presses, tokens captured and told, and the most own rolls between two presses."""

    presses: int = 0
    captured: int = 0
    told: int = 0
    rolls: int = 0


def play(seed: int) -> Played:
    """A whole game."""
    rng, agent = Random(seed), LudoRules(Random(seed))
    seats: tuple[Occupant, ...] = (Human(PersonId(1)), *[Computer(Level.MEDIUM)] * 3)
    options = GAME.settled(GAME.presets["classic"])
    session = Session(GAME, options, Pace.LIVE, PersonId(1), seats).start()
    found, rolls, lost = Played(), 0, list[int]()
    while True:
        if session.phase is not Phase.RUNNING or not session.unattended:
            told = _told(session)
            found.captured += len(lost)
            found.told += sum(number in told for number in lost)
            if session.phase is not Phase.RUNNING:
                return found
            found.presses += 1
            rolls, lost = 0, []
        elif session.rolling and session.turn == OWN and not session.position.opening:
            rolls += 1
            found.rolls = max(found.rolls, rolls)
        before = session.position.tokens[OWN]
        session = session.go_on(_move(session, rng, agent))
        after = session.position.tokens[OWN]
        lost += [token + 1 for token in range(4) if before[token] != YARD == after[token]]


def _move(session: Session, rng: Random, agent: LudoRules) -> Move:
    if session.position.turn == CHANCE:
        return rng.choice(session.legal)
    return agent.think(session.position).move


def _told(session: Session) -> set[int]:
    """The person's tokens that the board says were captured."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    place, dice = Place(guild=1, channel=2, message=3), Dice.drawn(Random(1))
    table = Table(SessionId(1), 1, session, place, "en-US", now, None, dice=dice)
    lost = [each for each in _found(screen(table), Text) if each.key == "ludo.since.lost"]
    tokens = [each.fallback for each in _found(lost, Sprite) if each.fallback[-1].isdigit()]
    return {int(token[-1]) for token in tokens}


def _found(part: object, kind: type[Found]) -> Iterator[Found]:
    """Everything of a kind in a part of a screen."""
    if isinstance(part, kind):
        yield part
    if isinstance(part, Mapping):
        part = list(part.values())
    elif is_dataclass(part):
        part = [getattr(part, field.name) for field in fields(part)]
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
    print(f"presses in a game: {median(game.presses for game in games):.0f} (median)")
    print(f"own tokens captured: {captured}, told on the next board: {told}")
    print(f"own rolls between two presses: at most {max(game.rolls for game in games)}")


if __name__ == "__main__":
    main()
