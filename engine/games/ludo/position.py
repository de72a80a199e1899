"""A position of Ludo, and the changes that plies make.

At `CHANCE` a move is the pips rolled, 1-6; otherwise it is the token that moves, 0-3. Of tokens of
one seat that stand together only the first is offered: they are alike. Nobody decides to pass: a
roll with which nothing can move hands the dice on in the same ply, even if it is a 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.game import CHANCE, Move, Seat
from engine.games.ludo.board import HOME, LAST_ON_RING, YARD, Square, ring_square
from engine.games.ludo.rules import Finish, Lane, ThirdSix
from engine.games.ludo.table import LudoTable, blocks

ALL_PIPS: Final = tuple(Move(pips) for pips in range(1, 7))
FAIR: Final = (1 / 6,) * 6

NOBODY: Final = -1
"""No token has moved yet in this turn, or none that could be sent back."""

TO_ROLL: Final = 0
OUT: Final = -1


class LudoPosition(NamedTuple):
    """A position of Ludo.

    `tokens[seat][token]` is a progress (see `board`). `seat` is whose turn it is, `die` the pips it
    has to move, 0 before it has rolled; `sixes` how many 6 in a row it has rolled in this turn, and
    `last` the token it has moved last in this turn: both 0 and `NOBODY` where the rules do not ask.
    `placed` has the seats that brought all tokens home, first to last. `opening` has the roll of
    each seat in the roll-off for who begins, `TO_ROLL` or `OUT`; it is empty once that is decided.
    """

    table: LudoTable
    tokens: tuple[tuple[int, ...], ...]
    seat: Seat
    die: int = 0
    legal: tuple[Move, ...] = ALL_PIPS
    sixes: int = 0
    last: int = NOBODY
    placed: tuple[Seat, ...] = ()
    opening: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The progress of the tokens, a line for each seat."""
        return "\n".join(" ".join(map(str, own)) for own in self.tokens)

    @property
    def turn(self) -> Seat:
        """The seat that chooses a token, or `CHANCE` where `seat` has to roll."""
        return self.seat if self.die else CHANCE

    @property
    def owner(self) -> Seat:
        """The seat whose tokens move: the one whose turn it is, or its partner if it is done."""
        return _owner(self.table, self.seat, self.placed)

    def moves(self) -> Sequence[Move]:
        """The pips, or the tokens that can move, ascending; empty when the game is over."""
        return self.legal

    def odds(self) -> Sequence[float]:
        """The odds of a fair die."""
        return FAIR

    def play(self, move: Move) -> LudoPosition:
        """The position after `move`, which is not checked for legality."""
        if self.die:
            return self._moved(move)
        if self.opening:
            return self._opened(move)
        return self._rolled(move)

    def payoff(self) -> tuple[float, ...] | None:
        """1 for winners, -1 shared by the others, or each in teams; by places, from 1 to -1."""
        if self.legal:
            return None
        table, placed = self.table, self.placed
        last = table.seats - 1
        if table.rules.finish is Finish.PLACES:
            rank = {seat: place for place, seat in enumerate(placed)}
            return tuple(1 - 2 * rank.get(Seat(seat), last) / last for seat in range(table.seats))
        winners = {placed[-1], table.partners[placed[-1]]}
        lost = -1.0 if table.rules.teams else -1 / last
        return tuple(1.0 if seat in winners else lost for seat in range(table.seats))

    def square(self, seat: Seat, token: int) -> Square | None:
        """The ring square a token stands on; None in the yard, the lane and at home."""
        return ring_square(self.table.corners[seat], self.tokens[seat][token])

    def is_home(self, seat: Seat, token: int) -> bool:
        """Whether a token has reached home (or, where lanes have slots, its slot)."""
        return self.tokens[seat][token] >= self.table.home_from

    def squares_left(self, seat: Seat, token: int) -> int:
        """The squares from a token to home; where lanes have slots, to the deepest free one."""
        rules = self.table.rules
        slots = LAST_ON_RING + rules.tokens - self.homes(seat)
        home = slots if rules.lane is Lane.SLOTS else HOME
        return home - self.tokens[seat][token]

    def homes(self, seat: Seat) -> int:
        """The number of tokens of `seat` that are home."""
        return _homes(self.table, self.tokens[seat])

    def target(self, token: int) -> int:
        """The progress that `token` reaches if it moves by the die; 0 if no step is possible."""
        own = self.tokens[self.owner]
        return self.table.steps[_homes(self.table, own)][self.die][own[token]]

    def victims(self, token: int) -> tuple[tuple[Seat, int], ...]:
        """The seat and number of each token that is captured if `token` moves by the die."""
        return tuple(
            (rival, other)
            for rival, progress in self.table.prey[self.owner][self.target(token)]
            for other, theirs in enumerate(self.tokens[rival])
            if theirs == progress
        )

    def _opened(self, pips: int) -> LudoPosition:
        """The position after a roll of the roll-off: the highest die begins, ties roll again."""
        rolls = (*self.opening[: self.seat], pips, *self.opening[self.seat + 1 :])
        if TO_ROLL not in rolls:
            highest = max(rolls)
            if rolls.count(highest) == 1:
                return self._replace(seat=Seat(rolls.index(highest)), opening=())
            rolls = tuple(TO_ROLL if roll == highest else OUT for roll in rolls)
        return self._replace(seat=Seat(rolls.index(TO_ROLL)), opening=rolls)

    def _rolled(self, pips: int) -> LudoPosition:
        table, tokens, seat, _, _, sixes, last, placed, _ = self
        if table.rules.third_six is not ThirdSix.ALLOWED:
            sixes = sixes + 1 if pips == 6 else 0
            if sixes == 3:
                return self._third_six()
        owner = _owner(table, seat, placed) if placed else seat
        legal = _legal(table, tokens, owner, pips)
        if not legal:
            return LudoPosition(table, tokens, _after(table, seat, placed), placed=placed)
        return LudoPosition(table, tokens, seat, pips, legal, sixes, last, placed)

    def _third_six(self) -> LudoPosition:
        table, tokens, seat, placed = self.table, self.tokens, self.seat, self.placed
        if table.rules.third_six is ThirdSix.SENT_BACK and self.last != NOBODY:
            tokens = _with(tokens, self.owner, self.last, YARD)
        return LudoPosition(table, tokens, _after(table, seat, placed), placed=placed)

    def _moved(self, token: int) -> LudoPosition:
        table, tokens, seat, die, _, sixes, last, placed, _ = self
        rules = table.rules
        owner = _owner(table, seat, placed) if placed else seat
        own = tokens[owner]
        target = table.steps[_homes(table, own)][die][own[token]]
        tokens = _with(tokens, owner, token, target)
        again = rules.extra_six and die == 6
        for rival, progress in table.prey[owner][target]:
            if progress in tokens[rival]:
                tokens = _captured(tokens, rival, progress)
                again = again or rules.extra_capture
        if target >= table.home_from:
            again = again or rules.extra_home
            if _homes(table, tokens[owner]) == rules.tokens:
                placed = (*placed, owner)
                if _over(table, placed):
                    return LudoPosition(table, tokens, seat, 0, (), placed=placed)
                again = again and rules.teams
        if not again:
            return LudoPosition(table, tokens, _after(table, seat, placed), placed=placed)
        if rules.third_six is ThirdSix.SENT_BACK:
            last = token if target < table.home_from else NOBODY
        return LudoPosition(table, tokens, seat, 0, ALL_PIPS, sixes, last, placed)


def _owner(table: LudoTable, seat: Seat, placed: tuple[Seat, ...]) -> Seat:
    partner = table.partners[seat]
    return partner if partner is not None and seat in placed else seat


def _after(table: LudoTable, seat: Seat, placed: tuple[Seat, ...]) -> Seat:
    """The seat that rolls next; without teams, seats that are home already are passed over."""
    following = (seat + 1) % table.seats
    while placed and following in placed and not table.rules.teams:
        following = (following + 1) % table.seats
    return Seat(following)


def _over(table: LudoTable, placed: tuple[Seat, ...]) -> bool:
    if table.rules.teams:
        return table.partners[placed[-1]] in placed
    return table.rules.finish is Finish.FIRST or len(placed) == table.seats - 1


def _homes(table: LudoTable, own: tuple[int, ...]) -> int:
    home_from = table.home_from
    if home_from == HOME:
        return own.count(HOME)
    return sum([progress >= home_from for progress in own])


def _legal(
    table: LudoTable, tokens: tuple[tuple[int, ...], ...], owner: Seat, die: int
) -> tuple[Move, ...]:
    own = tokens[owner]
    steps = table.steps[_homes(table, own)][die]
    closed = 0
    if table.has_blocks:
        for rival in table.rivals[owner]:
            closed |= blocks(table.corners[rival], tokens[rival])
    paths = table.paths[owner][die]
    return tuple(
        [
            Move(token)
            for token, progress in enumerate(own)
            if steps[progress] and not closed & paths[progress] and own.index(progress) == token
        ]
    )


def _with(
    tokens: tuple[tuple[int, ...], ...], seat: int, token: int, progress: int
) -> tuple[tuple[int, ...], ...]:
    own = tokens[seat]
    own = (*own[:token], progress, *own[token + 1 :])
    return (*tokens[:seat], own, *tokens[seat + 1 :])


def _captured(
    tokens: tuple[tuple[int, ...], ...], rival: int, progress: int
) -> tuple[tuple[int, ...], ...]:
    sent_back = tuple([YARD if theirs == progress else theirs for theirs in tokens[rival]])
    return (*tokens[:rival], sent_back, *tokens[rival + 1 :])
