"""Where the dice of one person among computers stop, and from where on a board has news."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from bot.table.seat_log import ROLLS_BEFORE_A_STOP, Preferences
from bot.table.seats import Computer, Human, Level, Occupant, Pace, PersonId
from bot.table.session import Ending, Phase, Session
from bot.table.waiting import reader, unread
from engine.game import Options, Seat
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.rules import rules
from engine.games.ludo.table import table as kind_of
from engine.games.tictactoe import GAME as TICTACTOE
from tests.bot.kit import after_moves

ANN, BEN = Human(PersonId(1)), Human(PersonId(2))
COMPUTER: Final = Computer(Level.MEDIUM)
RED, YELLOW = Seat(0), Seat(1)

Tokens = tuple[int, int, int, int]


def table(
    red: Tokens,
    yellow: Tokens,
    *,
    seat: Seat = YELLOW,
    seats: tuple[Occupant, ...] = (ANN, COMPUTER),
    auto_roll: bool | None = None,
    options: Options | None = None,
) -> Session:
    """Two seats with tokens at these steps, and one to roll."""
    settled = GAME.settled(options or {})
    position = LudoPosition(kind_of(2, rules(settled)), (red, yellow), seat)
    preferences = Preferences(auto_roll=auto_roll)
    return Session(
        GAME,
        settled,
        Pace.LIVE,
        ANN.person,
        seats,
        Phase.RUNNING,
        position=position,
        preferences=preferences,
    )


def waits(session: Session) -> bool:
    """Whether the dice wait for Ann."""
    return session.rolling and session.turn == RED and not session.rolls_by_itself


CAPTURED: Final = table((30, 0, 0, 0), (0, 0, 0, 3)), (1, 3, 5, 3)
HOME: Final = table((56, 0, 0, 0), (0, 0, 0, 0), seat=RED), (1, 0)
ONE_TO_GO: Final = table((1, 0, 0, 0), (57, 57, 56, 0)), (1, 2, 5)
news = pytest.mark.parametrize(
    ("start", "moves"), [CAPTURED, HOME, ONE_TO_GO], ids=["captured", "home", "one to go"]
)
"""Turns of yellow or red that end with a roll of red's, who should look before it."""


@news
def test_dice_stop_where_the_reader_should_look(start: Session, moves: tuple[int, ...]) -> None:
    assert waits(after_moves(start, *moves))


@news
def test_dice_that_a_person_set_rolling_never_stop(start: Session, moves: tuple[int, ...]) -> None:
    chosen = replace(start, preferences=Preferences(auto_roll=True))
    session = after_moves(chosen, *moves)
    assert session.turn == RED
    assert session.rolls_by_itself


def test_dice_wait_for_the_first_press_and_go_on_while_nothing_concerns_the_reader() -> None:
    session = table((0, 0, 0, 0), (57, 56, 0, 0), seat=RED)
    assert waits(session)
    session = after_moves(session, 5, 1, 1, 5)
    assert session.turn == RED
    assert session.rolls_by_itself


def test_dice_stop_after_three_rolls_of_ones_own_and_count_anew_after_a_press() -> None:
    session = after_moves(table((0, 0, 0, 0), (0, 0, 0, 0), seat=RED), 5, 5)
    for _ in range(2):
        for _ in range(ROLLS_BEFORE_A_STOP):
            assert not waits(session)
            session = after_moves(session, 5, 5)
        assert waits(session)
        session = after_moves(session, 5, 5)


def test_a_choice_counts_as_a_press() -> None:
    session = table((1, 3, 0, 0), (0, 0, 0, 0), seat=RED)
    session = after_moves(session, *(2, 0, 5) * 4)
    assert not waits(session)
    assert session.seat_logs[RED].rolls == 0


def test_turns_that_played_themselves_passes_and_hints_erase_no_news() -> None:
    session = table((0, 0, 0, 0), (0, 0, 0, 0), seat=RED)
    session = after_moves(session, 5, 5, 6, 0, 4, 0, 5)
    assert unread(session, reader(session)) == 0, "the roll that was pressed"
    played = Session(GAME, GAME.settled({}), Pace.LIVE, ANN.person, (ANN, COMPUTER))
    played = replace(played, phase=Phase.RUNNING, position=GAME.start(2, {}))
    played = after_moves(played, 6, 1, 5, 5, 6, 0, 4, 0, 5)
    assert unread(played, RED) == unread(replace(played, hints=True), RED) == 2


def test_news_begin_after_the_last_choice() -> None:
    session = after_moves(table((1, 3, 0, 0), (0, 0, 0, 0), seat=RED), 2, 0, 5, 5)
    assert unread(session, RED) == 2


def test_a_press_of_the_dice_is_remembered_when_the_turn_is_over() -> None:
    session = table((0, 0, 0, 0), (0, 0, 0, 0), seat=RED, auto_roll=False)
    assert waits(session)
    session = after_moves(session, 5, 5)
    assert unread(session, reader(session)) == 0
    assert unread(after_moves(session, 6), RED) == 0, "its turn goes on"
    assert unread(after_moves(session, 6, 0, 4, 0), RED) == 2 + 2
    assert unread(after_moves(session, 5), RED) == 2


def test_a_board_speaks_to_the_person_to_move_or_the_only_one_and_after_a_game_to_all() -> None:
    solo = table((0, 0, 0, 0), (0, 0, 0, 0))
    assert reader(solo) == RED
    several = replace(solo, seats=(ANN, BEN))
    assert reader(several) == YELLOW
    assert reader(after_moves(several, 5)) == RED
    over = several.finish(Ending.RESIGNED, (1.0, -1.0))
    assert reader(over) is None


def test_after_a_game_there_is_news_since_the_first_of_the_last_decisions() -> None:
    game = Session(TICTACTOE, TICTACTOE.settled({}), Pace.LIVE, ANN.person, (ANN, BEN)).start()
    game = after_moves(game, 0, 3, 1, 4)
    assert unread(game, reader(game)) == 3
    over = after_moves(game, 2)
    assert over.phase is Phase.FINISHED
    assert unread(over, reader(over)) == 4


def test_while_a_computer_among_several_people_thinks_there_is_news_since_any_decision() -> None:
    session = table((1, 3, 0, 0), (1, 3, 0, 0), seat=RED)
    session = replace(session, seats=(ANN, replace(ANN, person=BEN.person)))
    session = after_moves(session, 2, 0)
    assert unread(session, None) == 2
