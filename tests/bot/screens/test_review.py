"""Turning points as sentences: who did what, and how it changed a chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from bot.games.ludo.board.spots import COLOURS
from bot.games.ludo.words.description import effect
from bot.message.text import Percent, Separator, TextList, TextValue, joined, text
from bot.records.reviewed import ReviewedGame, SeatReview, TurningPoint
from bot.screens.lobby import emblem
from bot.screens.review import points_in_words
from bot.table.seats import PersonId
from bot.table.session import Session
from engine.game import Move, Options, Seat
from engine.games.ludo.events import Roll, RollOutcome, Step, event_of
from engine.games.tictactoe.position import cell_name
from tests.bot.english import ENGLISH_WORDS, says
from tests.bot.screens.test_animation import at_random
from tests.bot.screens.test_share import at_a_table

CHANCES = tuple((share / 4000, 1 - share / 4000) for share in range(4001))
"""A chance that grows by a quarter of a thousandth a ply."""
CHANGE = 0.3
PEOPLE = (PersonId(1), PersonId(2))
"""The players of a game at random, by seat."""


def told(session: Session, point: TurningPoint, reader: PersonId | None = None) -> str:
    """The sentence of a turning point, for a reader or for all."""
    seats = (SeatReview(0.9, 12, 0.3, -0.1, 0.2),) * 2
    found = ReviewedGame(0, CHANCES, seats, (point,))
    [line] = points_in_words(at_a_table(session), found, reader)
    return ENGLISH_WORDS.of(line)


def expected(session: Session, key: str, seat: Seat, change: float, **values: TextValue) -> str:
    """The sentence of a key, with the values that all have."""
    return says(key, emblem=emblem(session, seat), change=Percent(change, signed=True), **values)


def turns(session: Session) -> Iterator[tuple[int, Roll, Step | None]]:
    """The rolls of a game of Ludo by their plies, each with the step that was made with it."""
    path = session.game.path(len(session.seats), session.options, session.moves)
    events = [event_of(at, move) for at, move in zip(path, session.moves, strict=False)]
    for ply, (event, following) in enumerate(zip(events, (*events[1:], None), strict=True)):
        if isinstance(event, Roll):
            yield ply, event, following if isinstance(following, Step) else None


def rolled(ply: int, roll: Roll) -> TurningPoint:
    return TurningPoint(ply, roll.seat, Move(roll.pips), CHANGE, None)


def captives(session: Session, captured: Sequence[tuple[Seat, int]]) -> TextList:
    """Captured tokens by colour and number."""
    corners = session.position.table.corners
    names = [
        text("ludo.captive", colour=COLOURS[corners[seat]].name, number=token + 1)
        for seat, token in captured
    ]
    return joined(names, Separator.AND)


@pytest.mark.parametrize(
    ("rules", "together"), [({}, {1}), ({"lane": "slots", "blocks": "walls"}, {1, 2})]
)
def test_a_capture_says_which_token_and_how_far_from_home_it_was(
    rules: Options, together: set[int]
) -> None:
    session = at_random("ludo", seed=1, **rules)
    seen = set[int]()
    for ply, roll, step in turns(session):
        if step is None or not step.captured:
            continue
        before = session.at(ply + 1).position
        (owner, token), *others = step.captured
        left = before.squares_left(owner, token)
        home = 55 - before.homes(owner) if rules else 57
        assert before.tokens[owner][token] + left == home
        seen.add(len(step.captured))
        values: dict[str, TextValue] = {"pips": roll.pips, "count": left}
        whom = captives(session, step.captured)
        taken = expected(session, "review.took", roll.seat, CHANGE, whom=whom, **values)
        point = rolled(ply, roll)
        assert told(session, point) == told(session, point, PEOPLE[roll.seat]) == taken
        change = CHANCES[ply + 1][owner] - CHANCES[ply][owner]
        if others:
            continue
        assert told(session, point, PEOPLE[owner]) == expected(
            session, "review.took.yours", roll.seat, change, token=str(token + 1), **values
        )
    assert seen == together


@pytest.mark.parametrize("third_six", ["turn over", "token back"])
def test_a_roll_says_what_was_done_with_it(third_six: str) -> None:
    session = at_random("ludo", seed=2, third_six=third_six)
    seen = set[str]()
    for ply, roll, step in turns(session):
        values: dict[str, TextValue] = {"pips": roll.pips}
        if step is not None and not step.captured:
            key = "review.rolled.moved"
            position = session.at(ply + 1).position
            values["move"] = effect(position, session.moves[ply + 1]).told
        elif roll.outcome is RollOutcome.NO_LEGAL_MOVE:
            key = "review.rolled.stuck"
        elif roll.sent_back is not None:
            key = "review.rolled.third_six_back"
            values["token"] = str(roll.sent_back[1] + 1)
        elif roll.outcome is RollOutcome.THIRD_SIX:
            key = "review.rolled.third_six"
        else:
            continue
        seen.add(key)
        assert told(session, rolled(ply, roll)) == expected(
            session, key, roll.seat, CHANGE, **values
        )
    assert len(seen) == 3


def test_the_roll_of_a_game_that_was_broken_off_is_told_by_itself() -> None:
    session = at_random("ludo")
    ply, roll = next((ply, roll) for ply, roll, step in turns(session) if step is not None)
    assert told(session.at(ply + 1), rolled(ply, roll)) == expected(
        session, "review.rolled", roll.seat, CHANGE, pips=roll.pips
    )


def test_a_move_is_told_with_its_words() -> None:
    session = at_random("tictactoe")
    move = session.moves[2]
    said = cell_name(move, 3)
    point = TurningPoint(2, Seat(0), move, -0.3, move)
    assert told(session, point) == expected(session, "review.moved", Seat(0), -0.3, move=said)
