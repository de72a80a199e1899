"""A second Ludo, written from the text of the rules alone: slow, plain, and an oracle.

It shares nothing with `engine.games.ludo` but the option keys. Tokens stand on named places, a step
is walked square by square, and everything is looked up by searching all tokens.

    place: "yard", ("ring", 0-51), ("lane", 0-4), "home"
"""

from __future__ import annotations

import copy
from typing import Any

SAFE_STARTS = [0, 13, 26, 39]
STARS = [8, 21, 34, 47]


class NaiveLudo:
    """A game in progress, changed in place by `play`."""

    def __init__(self, seats: int, options: dict[str, Any]) -> None:
        self.options = options
        self.seats = list(range(seats))
        self.corner = {0: 0, 1: 2} if seats == 2 else {seat: seat for seat in self.seats}
        self.tokens = list(range(options["tokens"]))
        self.place: dict[tuple[int, int], Any] = {
            (seat, token): "yard" for seat in self.seats for token in self.tokens
        }
        self.phase = "opening" if options["begins"] == "highest roll" else "roll"
        self.contenders = list(self.seats)
        self.opening_rolls: dict[int, int] = {}
        self.turn = 0
        self.die: int | None = None
        self.sixes = 0
        self.moved_last: tuple[int, int] | None = None
        self.finished: list[int] = []

    # -- who and where

    def partner(self, seat: int) -> int | None:
        return (seat + 2) % 4 if self.options["teams"] == "yes" else None

    def opponents(self, seat: int) -> list[int]:
        return [other for other in self.seats if other not in (seat, self.partner(seat))]

    def hand(self) -> int:
        """The seat whose tokens the seat to move may move."""
        if self.options["teams"] == "yes" and self.turn in self.finished:
            partner = self.partner(self.turn)
            assert partner is not None
            return partner
        return self.turn

    def is_home(self, seat: int, token: int) -> bool:
        place = self.place[seat, token]
        if self.options["lane"] == "slots":
            return bool(place != "yard" and place[0] == "lane")
        return bool(place == "home")

    def standing_on(self, seat: int, square: int) -> list[int]:
        return [token for token in self.tokens if self.place[seat, token] == ("ring", square)]

    def is_safe(self, square: int) -> bool:
        if square in SAFE_STARTS:
            return True
        return square in STARS and self.options["stars_safe"] == "yes"

    # -- steps

    def walk(self, seat: int, place: Any, pips: int) -> list[Any] | None:
        """The places entered one after another; None if the step leads nowhere."""
        start = 13 * self.corner[seat]
        if place == "yard":
            may_leave = [6] if self.options["leave_on"] == "6" else [1, 6]
            return [("ring", start)] if pips in may_leave else None
        entered = []
        for _ in range(pips):
            if place == "home":
                if self.options["home"] == "overshooting":
                    break
                return None
            kind, where = place
            if kind == "lane":
                place = "home" if where == 4 else ("lane", where + 1)
            elif (where + 2) % 52 == start:
                place = ("lane", 0)
            else:
                place = ("ring", (where + 1) % 52)
            entered.append(place)
        return entered

    def can_move(self, token: int) -> bool:
        seat = self.hand()
        place = self.place[seat, token]
        if self.is_home(seat, token):
            return False
        if any(self.place[seat, other] == place for other in range(token)):
            return False
        assert self.die is not None
        entered = self.walk(seat, place, self.die)
        if entered is None:
            return False
        if self.options["lane"] == "slots":
            last = entered[-1]
            if last == "home":
                return False
            if last[0] == "lane":
                homes = sum(self.is_home(seat, other) for other in self.tokens)
                return bool(last[1] == len(self.tokens) - homes - 1 and self.open(seat, entered))
        return self.open(seat, entered)

    def open(self, seat: int, entered: list[Any]) -> bool:
        """Whether the way is free of opponents' blocks."""
        rule = self.options["blocks"]
        for number, place in enumerate(entered, start=1):
            if rule == "off" or place == "home" or place[0] == "lane":
                continue
            block = any(len(self.standing_on(o, place[1])) >= 2 for o in self.opponents(seat))
            if not block:
                continue
            landing = number == len(entered)
            if rule == "walls" and landing and not self.is_safe(place[1]):
                continue
            return False
        return True

    # -- the game

    def moves(self) -> list[int]:
        if self.phase == "over":
            return []
        if self.phase in ("opening", "roll"):
            return [1, 2, 3, 4, 5, 6]
        return [token for token in self.tokens if self.can_move(token)]

    def play(self, move: int) -> None:
        if self.phase == "opening":
            self.roll_off(move)
        elif self.phase == "roll":
            self.roll(move)
        else:
            self.step(move)

    def roll_off(self, pips: int) -> None:
        self.opening_rolls[self.turn] = pips
        waiting = [seat for seat in self.contenders if seat not in self.opening_rolls]
        if not waiting:
            best = max(self.opening_rolls.values())
            self.contenders = [s for s in self.contenders if self.opening_rolls[s] == best]
            self.opening_rolls = {}
            waiting = self.contenders
            if len(waiting) == 1:
                self.phase = "roll"
        self.turn = waiting[0]

    def roll(self, pips: int) -> None:
        self.sixes = self.sixes + 1 if pips == 6 else 0
        if self.sixes == 3 and self.options["third_six"] != "allowed":
            back = self.options["third_six"] == "token back"
            if back and self.moved_last is not None and not self.is_home(*self.moved_last):
                self.place[self.moved_last] = "yard"
            self.next_turn()
            return
        self.die = pips
        self.phase = "move"
        if not self.moves():
            self.next_turn()

    def next_turn(self) -> None:
        self.phase = "roll"
        self.die = None
        self.sixes = 0
        self.moved_last = None
        self.turn = (self.turn + 1) % len(self.seats)
        if self.options["teams"] == "no":
            while self.turn in self.finished:
                self.turn = (self.turn + 1) % len(self.seats)

    def step(self, token: int) -> None:
        seat = self.hand()
        assert self.die is not None
        entered = self.walk(seat, self.place[seat, token], self.die)
        assert entered is not None
        place = entered[-1]
        self.place[seat, token] = place
        self.moved_last = (seat, token)
        captured = False
        if place != "home" and place[0] == "ring" and not self.is_safe(place[1]):
            for opponent in self.opponents(seat):
                for victim in self.standing_on(opponent, place[1]):
                    self.place[opponent, victim] = "yard"
                    captured = True
        came_home = self.is_home(seat, token)
        again = (
            (self.die == 6 and self.options["extra_six"] == "yes")
            or (captured and self.options["extra_capture"] == "yes")
            or (came_home and self.options["extra_home"] == "yes")
        )
        if all(self.is_home(seat, other) for other in self.tokens):
            self.finished.append(seat)
            if self.game_over():
                self.phase = "over"
                self.die = None
                return
            if self.options["teams"] == "no":
                again = False
        if again:
            self.phase = "roll"
            self.die = None
        else:
            self.next_turn()

    def game_over(self) -> bool:
        if self.options["teams"] == "yes":
            return any({0, 2} <= set(done) or {1, 3} <= set(done) for done in [self.finished])
        if self.options["finish"] == "places":
            return len(self.finished) == len(self.seats) - 1
        return len(self.finished) == 1

    def payoff(self) -> list[float] | None:
        if self.phase != "over":
            return None
        if self.options["teams"] == "yes":
            winners = {0, 2} if {0, 2} <= set(self.finished) else {1, 3}
            return [1.0 if seat in winners else -1.0 for seat in self.seats]
        others = len(self.seats) - 1
        if self.options["finish"] == "places":
            last = [seat for seat in self.seats if seat not in self.finished]
            order = self.finished + last
            return [1 - 2 * order.index(seat) / others for seat in self.seats]
        return [1.0 if seat in self.finished else -1 / others for seat in self.seats]

    # -- comparing

    def progress(self, seat: int, token: int) -> int:
        place = self.place[seat, token]
        if place == "yard":
            return 0
        if place == "home":
            return 57
        kind, where = place
        if kind == "lane":
            return 52 + int(where)
        return int(where - 13 * self.corner[seat]) % 52 + 1

    def snapshot(self) -> tuple[Any, ...]:
        """The part of the game that may matter to the rest of it."""
        third = self.options["third_six"]
        last = None
        if third == "token back" and self.moved_last and not self.is_home(*self.moved_last):
            last = self.moved_last
        return (
            self.phase,
            tuple(tuple(self.progress(s, t) for t in self.tokens) for s in self.seats),
            None if self.phase == "over" else self.turn,
            self.die,
            0 if third == "allowed" or self.phase == "over" else self.sixes,
            last if self.phase != "over" else None,
            tuple(self.finished),
            tuple(self.contenders) if self.phase == "opening" else (),
            tuple(sorted(self.opening_rolls.items())),
        )

    def after(self, move: int) -> NaiveLudo:
        copied = copy.copy(self)
        copied.place = dict(self.place)
        copied.contenders = list(self.contenders)
        copied.opening_rolls = dict(self.opening_rolls)
        copied.finished = list(self.finished)
        copied.play(move)
        return copied
