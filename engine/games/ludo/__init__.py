"""Ludo for two to four seats, with house rules, teams and the presets people play by."""

from __future__ import annotations

from typing import Final

from engine.game import Game, InvalidOptions, Options, Seat
from engine.games.ludo.board import YARD
from engine.games.ludo.events import concerned
from engine.games.ludo.position import TO_ROLL, LudoPosition
from engine.games.ludo.rules import OPTIONS, PRESETS, Begins, rules, settle
from engine.games.ludo.table import table

__all__ = ["GAME", "LudoPosition"]


def _first(seats: int, options: Options) -> LudoPosition:
    house = rules(options)
    if house.teams and seats != 4:
        raise InvalidOptions(f"teams needs seats to be 4, not {seats}", key="teams")
    rolled_off = options["begins"] == Begins.HIGHEST_ROLL
    return LudoPosition(
        table(seats, house),
        ((YARD,) * house.tokens,) * seats,
        Seat(0),
        opening=(TO_ROLL,) * seats if rolled_off else (),
    )


def _allied(seats: int, options: Options) -> tuple[int, ...]:
    return tuple(seat % 2 if rules(options).teams else seat for seat in range(seats))


def _decided(position: LudoPosition) -> tuple[Seat, ...]:
    return () if position.table.rules.teams else position.placed


GAME: Final = Game(
    key="ludo",
    seats=(2, 3, 4),
    options=OPTIONS,
    first=_first,
    settle=settle,
    presets=PRESETS,
    dice=True,
    draws=False,
    allied=_allied,
    concerned=concerned,
    decided=_decided,
    alone={"begins": str(Begins.FIRST_SEAT)},
    added={"begins": str(Begins.HIGHEST_ROLL)},
)
