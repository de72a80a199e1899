"""The rules of a table: house rules as options, their contradictions, and presets.

Whatever fits together ends: from every position some dice and some moves lead to the end of the
game. First let everybody roll 1, and move a token that is out of the yard. Such a token moves,
unless the next square is closed to it by a block of a rival. Follow these blocks around the ring:
at most eight fit on it, so the last of them has no block ahead and is free to move (under the rule
of slots with the pips that bring it home, if 1 does not). A seat that has nothing to move rolls a
number that moves nothing. Each of these moves shortens a way home or sends a captured token to
its yard, where it stays, so in the end every token is at home or in a yard. Now one seat alone
rolls a 6 to leave its yard and after that whatever brings its token home, while the others roll
numbers they cannot leave with; and so on, token by token and seat by seat, until the game is over.
`tests/engine/games/ludo/test_ends.py` walks this way from positions drawn at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.game import InvalidOptions, Option, Options, Value

YES: Final = "yes"
NO: Final = "no"
SIX: Final = "6"
ONE_OR_SIX: Final = "1 or 6"


class ThirdSix(StrEnum):
    """The effect of the third 6 in a row of one turn."""

    TURN_OVER = "turn over"
    ALLOWED = "allowed"
    SENT_BACK = "token back"


class Blocks(StrEnum):
    """The effect on rivals of two tokens of one seat on one square."""

    CLOSED = "closed"
    """Nobody lands on them or passes them."""
    OFF = "off"
    """They have no effect."""
    WALLS = "walls"
    """Nobody passes them; landing exactly captures both, unless the square is safe."""


class Home(StrEnum):
    """The pips that bring a token home along the lane."""

    EXACT = "exact"
    OVERSHOOTING = "overshooting"


class Lane(StrEnum):
    """The form of the home lane."""

    WALK = "walk"
    """Square by square to the one home."""
    SLOTS = "slots"
    """One slot a token; each enters only by reaching the deepest free slot exactly."""


class Finish(StrEnum):
    """The end of the game."""

    FIRST = "first"
    PLACES = "places"


class Begins(StrEnum):
    """The seat that begins."""

    HIGHEST_ROLL = "highest roll"
    """The one that wins the roll-off."""
    FIRST_SEAT = "first seat"


@dataclass(frozen=True, slots=True)
class Rules:
    """House rules that fit together. `leave_on` has pips; `extra_…` are reasons to roll again."""

    tokens: int
    leave_on: tuple[int, ...]
    extra_six: bool
    extra_capture: bool
    extra_home: bool
    third_six: ThirdSix
    stars_safe: bool
    blocks: Blocks
    home: Home
    lane: Lane
    finish: Finish
    teams: bool


OPTIONS: Final = (
    Option("tokens", (4, 2, 1)),
    Option("leave_on", (SIX, ONE_OR_SIX)),
    Option("extra_six", (YES, NO)),
    Option("extra_capture", (YES, NO)),
    Option("extra_home", (YES, NO)),
    Option("third_six", tuple(str(rule) for rule in ThirdSix)),
    Option("stars_safe", (YES, NO)),
    Option("blocks", tuple(str(rule) for rule in Blocks)),
    Option("home", tuple(str(rule) for rule in Home)),
    Option("lane", tuple(str(rule) for rule in Lane)),
    Option("finish", tuple(str(rule) for rule in Finish)),
    Option("teams", (NO, YES)),
    Option("begins", tuple(str(rule) for rule in Begins)),
)

PRESETS: Final[dict[str, Options]] = {
    "classic": {},
    "quick": {"tokens": 2, "leave_on": ONE_OR_SIX},
    "damascus": {"extra_home": NO, "blocks": str(Blocks.WALLS), "lane": str(Lane.SLOTS)},
}


def settle(chosen: Options) -> Options:
    """The full options: those chosen, and for every other the usual value that fits them.

    Raises:
        InvalidOptions: Two of the options contradict each other.
    """
    options: dict[str, Value] = {option.key: option.values[0] for option in OPTIONS}
    if chosen.get("tokens") == 1:
        options["blocks"] = str(Blocks.OFF)
    options.update(chosen)
    for key, sentence in _contradictions(options):
        raise InvalidOptions(sentence, key=key)
    return options


def _contradictions(options: Options) -> Iterator[tuple[str, str]]:
    if options["tokens"] == 1 and options["blocks"] != Blocks.OFF:
        yield "blocks", "blocks must be off when tokens is 1: a block takes two tokens"
    if options["extra_six"] == NO and options["third_six"] != ThirdSix.TURN_OVER:
        yield (
            "third_six",
            "third_six must be turn over when extra_six is no: a 6 earns no other roll",
        )
    if options["lane"] == Lane.SLOTS and options["home"] != Home.EXACT:
        yield "home", "home must be exact when lane is slots: a slot is reached exactly"
    if options["teams"] == YES and options["finish"] != Finish.FIRST:
        yield "finish", "finish must be first when teams is yes: there are no more places"


def rules(options: Options) -> Rules:
    """The rules that settled options stand for."""
    return Rules(
        tokens=int(options["tokens"]),
        leave_on=(1, 6) if options["leave_on"] == ONE_OR_SIX else (6,),
        extra_six=options["extra_six"] == YES,
        extra_capture=options["extra_capture"] == YES,
        extra_home=options["extra_home"] == YES,
        third_six=ThirdSix(str(options["third_six"])),
        stars_safe=options["stars_safe"] == YES,
        blocks=Blocks(str(options["blocks"])),
        home=Home(str(options["home"])),
        lane=Lane(str(options["lane"])),
        finish=Finish(str(options["finish"])),
        teams=options["teams"] == YES,
    )
