"""The event of one ply, made from the position before it: for records, displays and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from engine.game import CHANCE, Move, Seat
from engine.games.ludo.board import YARD
from engine.games.ludo.position import NOBODY, LudoPosition
from engine.games.ludo.rules import ThirdSix


class RollOutcome(StrEnum):
    """The outcome of a roll."""

    TO_MOVE = "to move"
    NO_LEGAL_MOVE = "no legal move"
    THIRD_SIX = "third six"


class Again(StrEnum):
    """A reason for another roll."""

    SIX = "six"
    CAPTURE = "capture"
    HOME = "home"


@dataclass(frozen=True, slots=True)
class OpeningRoll:
    """A roll for who begins: `begins` once that is decided, `tied` when these roll again."""

    seat: Seat
    pips: int
    begins: Seat | None
    tied: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll in a turn; `sent_back` is the token that a third 6 in a row sent to its yard."""

    seat: Seat
    pips: int
    outcome: RollOutcome
    sent_back: tuple[Seat, int] | None


@dataclass(frozen=True, slots=True)
class Step:
    """A token's step from progress to progress; `seat` moved it, `owner` is whose token it is.

    `again` has every reason for another roll, and is empty where the turn or the game is over.
    `place` is the owner's, 1 for the first, if this token was its last to come home.
    """

    seat: Seat
    owner: Seat
    token: int
    before: int
    after: int
    captured: tuple[tuple[Seat, int], ...]
    came_home: bool
    again: tuple[Again, ...]
    place: int | None

    @property
    def left_yard(self) -> bool:
        """Whether the token came out of the yard."""
        return self.before == YARD


Event: TypeAlias = OpeningRoll | Roll | Step


def event_of(position: LudoPosition, move: Move) -> Event:
    """The event of `move`, a legal one, played in `position`."""
    if position.turn != CHANCE:
        return _step(position, move)
    if position.opening:
        return _opening_roll(position, move)
    return _roll(position, move)


def concerned(before: LudoPosition, after: LudoPosition) -> set[Seat]:
    """The seats that a ply touches, and those of partners who move their tokens for them.

    A token of theirs was sent back or came home, or a rival has only one more to bring home.
    """
    if before.tokens == after.tokens:
        return set()
    table, owner = before.table, before.owner
    pairs = enumerate(zip(before.tokens, after.tokens, strict=True))
    touched = {Seat(seat) for seat, (was, own) in pairs if sum(own) < sum(was)}
    if after.homes(owner) > before.homes(owner):
        touched.add(owner)
        if after.homes(owner) == table.rules.tokens - 1:
            touched.update(table.rivals[owner])
    return touched | {seat for seat in after.placed if table.partners[seat] in touched}


def _opening_roll(position: LudoPosition, pips: int) -> OpeningRoll:
    after = position.play(Move(pips))
    begins = None if after.opening else after.seat
    again = tuple(Seat(seat) for seat, roll in enumerate(after.opening) if roll == 0)
    all_rolled = position.opening.count(0) == 1
    tied = again if all_rolled else ()
    return OpeningRoll(position.seat, pips, begins, tied)


def _roll(position: LudoPosition, pips: int) -> Roll:
    if position.play(Move(pips)).die:
        return Roll(position.seat, pips, RollOutcome.TO_MOVE, None)
    rule = position.table.rules.third_six
    if pips != 6 or position.sixes != 2 or rule is ThirdSix.ALLOWED:
        return Roll(position.seat, pips, RollOutcome.NO_LEGAL_MOVE, None)
    sent_back = None
    if rule is ThirdSix.SENT_BACK and position.last != NOBODY:
        sent_back = position.owner, position.last
    return Roll(position.seat, pips, RollOutcome.THIRD_SIX, sent_back)


def _step(position: LudoPosition, token: int) -> Step:
    after = position.play(Move(token))
    seat, owner, rules = position.seat, position.owner, position.table.rules
    captured = position.victims(token)
    came_home = after.is_home(owner, token)
    earned = {
        Again.SIX: rules.extra_six and position.die == 6,
        Again.CAPTURE: rules.extra_capture and bool(captured),
        Again.HOME: rules.extra_home and came_home,
    }
    rolls_again = bool(after.legal) and after.seat == seat
    return Step(
        seat=seat,
        owner=owner,
        token=token,
        before=position.tokens[owner][token],
        after=after.tokens[owner][token],
        captured=captured,
        came_home=came_home,
        again=tuple(why for why, holds in earned.items() if holds and rolls_again),
        place=after.placed.index(owner) + 1 if after.placed != position.placed else None,
    )
