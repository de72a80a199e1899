"""A session of a game with dice: rolls, plies that nobody decides, ending and coming back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.records.results import Outcome, result
from bot.table import ending, lobby
from bot.table.actions import Action, leave_for_good, press
from bot.table.dice import PLAIN, Dice
from bot.table.ending import STAND_IN
from bot.table.rights import may_come_back, may_take_back, would_lose
from bot.table.seat_log import Preferences
from bot.table.seats import Absent, Computer, Human, Invited, Level, Occupant, Pace
from bot.table.session import Ending, Phase, Session
from bot.table.waiting import time_limit
from engine.game import Move
from engine.games.ludo import GAME
from tests.bot.kit import ANN, BEN, CLEO, DAN, at_random
from tests.bot.refused import refused

MEDIUM = Computer(Level.MEDIUM)


def table(*seats: Occupant, preset: str = "classic", auto_roll: bool = False) -> Session:
    """A game that has begun, before anybody has rolled."""
    options = GAME.settled(GAME.presets[preset])
    return Session(
        GAME, options, Pace.LIVE, ANN, seats, preferences=Preferences(auto_roll=auto_roll)
    ).start()


def rolled(session: Session, *pips: int) -> Session:
    for shown in pips:
        session = session.go_on(Move(shown))
    return session


def one_is_home(*seats: Occupant, **options: str) -> Session:
    """A game, for places unless `options` say otherwise, in which the first seat alone is home."""
    rules = GAME.settled({"tokens": 1, **(options or {"finish": "places"})})
    begun = Session(GAME, rules, Pace.LIVE, ANN, seats).start()
    for seed in range(100):
        session, rng = begun, Random(seed)
        while session.legal and not session.position.placed:
            session = session.go_on(rng.choice(session.legal))
        if session.position.placed == (0,) and session.legal and session.all_have_moved(2):
            return session
    raise AssertionError("the first seat was never home first")


def begun(*seats: Occupant) -> Session:
    """A game in which the first seat has won the roll-off."""
    return rolled(table(*seats), 6, *[1] * (len(seats) - 1))


def test_it_is_rolled_off_who_begins_without_anybody_pressing() -> None:
    session = table(Human(ANN), Human(BEN))
    assert session.rolls_by_itself
    session = rolled(session, 2, 2)  # a tie: both roll again
    assert session.rolls_by_itself
    session = rolled(session, 3, 5)
    assert session.turn == 1
    assert session.rolling
    assert not session.rolls_by_itself
    assert not session.unattended


def test_one_person_among_computers_begins_without_a_roll_off_and_again_in_the_next_game() -> None:
    session = table(Human(ANN), MEDIUM, MEDIUM)
    assert (session.turn, session.rolling, session.unattended) == (0, True, False)
    assert session.at(0).position == session.position
    resigned = ending.resign(rolled(session, 1, 1, 1), ANN)
    again = lobby.rematch(resigned, ANN)
    assert (again.options, again.turn) == (session.options, 0)
    several = table(Human(ANN), Human(BEN), MEDIUM)
    assert several.position.opening


def test_a_person_rolls_at_their_own_turn_alone() -> None:
    session = begun(Human(ANN), Human(BEN))
    with refused("not_your_turn"):
        press(session, Action.ROLL, BEN, ply=2, pips=Move(6))
    with refused("stale_control"):
        press(session, Action.ROLL, ANN, ply=1, pips=Move(6))
    with refused("not_at_table"):
        press(session, Action.ROLL, CLEO, ply=2, pips=Move(6))
    after = press(session, Action.ROLL, ANN, ply=2, pips=Move(6))
    assert after.position.die == 6
    assert not after.rolling


def test_nobody_chooses_what_the_die_shows() -> None:
    with refused("not_your_turn"):
        begun(Human(ANN), Human(BEN)).play(ANN, Move(6), ply=2)


def test_nobody_rolls_twice() -> None:
    session = rolled(begun(Human(ANN), Human(BEN)), 6, 0)
    two_choices = press(session, Action.ROLL, ANN, ply=4, pips=Move(6))
    assert two_choices.forced is None
    with refused("not_your_turn"):
        press(two_choices, Action.ROLL, ANN, ply=5, pips=Move(6))


def test_the_only_legal_move_is_played_by_itself() -> None:
    session = press(begun(Human(ANN), Human(BEN)), Action.ROLL, ANN, ply=2, pips=Move(6))
    assert session.forced == 0
    assert session.unattended
    assert session.go_on(Move(0)).forced is None


def test_a_roll_with_which_nothing_moves_passes_the_dice_on() -> None:
    assert press(begun(Human(ANN), Human(BEN)), Action.ROLL, ANN, ply=2, pips=Move(3)).turn == 1


def test_dice_that_roll_by_themselves_wait_for_nobody() -> None:
    session = rolled(table(Human(ANN), Human(BEN), auto_roll=True), 6, 1)
    assert session.rolls_by_itself
    assert rolled(session, 3).rolls_by_itself


def test_the_dice_of_a_computer_roll_by_themselves() -> None:
    session = rolled(table(MEDIUM, Human(ANN), Human(BEN)), 6, 1, 1)
    assert session.mover == MEDIUM
    assert session.rolls_by_itself
    assert not session.thinking
    thinking = rolled(session, 6, 0, 6)
    assert thinking.thinking
    assert not thinking.rolls_by_itself


def test_no_draw_is_offered_where_dice_decide() -> None:
    session = begun(Human(ANN), Human(BEN))
    with refused("no_draw_to_offer"):
        press(session, Action.OFFER, ANN, ply=2)


def test_of_two_the_one_who_resigns_loses() -> None:
    session = press(begun(Human(ANN), Human(BEN)), Action.RESIGN, BEN, ply=2)
    assert (session.ending, session.payoff) == (Ending.RESIGNED, (1.0, -1.0))


def test_of_three_the_one_who_resigns_hands_the_seat_to_the_computer() -> None:
    session = press(begun(Human(ANN), Human(BEN), Human(CLEO)), Action.RESIGN, ANN, ply=3)
    assert session.phase is Phase.RUNNING
    assert session.seats == (Absent(ANN, STAND_IN), Human(BEN), Human(CLEO))
    assert session.rolls_by_itself
    with refused("seat_handed_over"):
        press(session, Action.ROLL, ANN, ply=3, pips=Move(6))


def test_whoever_comes_back_takes_the_seat_back() -> None:
    session = press(begun(Human(ANN), Human(BEN), Human(CLEO)), Action.RESIGN, ANN, ply=3)
    back = press(session, Action.COME_BACK, ANN)
    assert back.seats[0] == Human(ANN)
    assert press(back, Action.ROLL, ANN, ply=3, pips=Move(6)).ply == 4
    for stranger in (BEN, DAN):
        with refused("not_handed_over"):
            press(session, Action.COME_BACK, stranger)


def test_a_seat_is_taken_back_from_a_computer_in_the_middle_of_its_search() -> None:
    session = rolled(begun(Human(ANN), Human(BEN), Human(CLEO)), 6, 0, 6)
    searching = press(session, Action.RESIGN, ANN, ply=6)
    assert searching.thinking
    back = press(searching, Action.COME_BACK, ANN)
    with refused("stale_control"):
        back.answer(Move(0), ply=6)
    assert back.play(ANN, Move(1), ply=6).ply == 7


def test_of_three_the_one_whose_time_is_up_hands_the_seat_over() -> None:
    session = begun(Human(ANN), Human(BEN), Human(CLEO))
    assert time_limit(session) == timedelta(minutes=5)
    out = ending.time_out(session)
    assert out.seats == (Absent(ANN, STAND_IN), Human(BEN), Human(CLEO))
    assert out.phase is Phase.RUNNING
    assert not out.lapsed


def test_nobody_times_a_computer() -> None:
    session = rolled(table(MEDIUM, Human(ANN), Human(BEN)), 6, 1, 1)
    assert session.mover == MEDIUM
    assert time_limit(session) == timedelta(days=30)
    handed_over = ending.time_out(begun(Human(ANN), Human(BEN), Human(CLEO)))
    assert time_limit(handed_over) == timedelta(days=30)


def test_of_two_the_one_whose_time_is_up_may_lose_to_the_other() -> None:
    session = ending.time_out(begun(Human(ANN), Human(BEN)))
    assert session.lapsed
    assert press(session, Action.CLAIM, BEN, ply=2).payoff == (-1.0, 1.0)


def test_the_last_person_to_leave_ends_the_game() -> None:
    session = begun(Human(ANN), Human(BEN), MEDIUM)
    session = press(session, Action.RESIGN, BEN, ply=3)
    ended = press(session, Action.RESIGN, ANN, ply=3)
    assert (ended.phase, ended.ending) == (Phase.FINISHED, Ending.RESIGNED)
    assert ended.payoff == (-0.5, -0.5, 1.0)
    with refused("not_running"):
        press(ended, Action.COME_BACK, BEN)


def test_among_people_alone_the_last_to_leave_has_outlasted_the_others() -> None:
    session = press(
        press(begun(Human(ANN), Human(BEN), Human(CLEO)), Action.RESIGN, CLEO, ply=3),
        Action.RESIGN,
        ANN,
        ply=3,
    )
    ended = press(session, Action.RESIGN, BEN, ply=3)
    assert ended.payoff == (-0.5, 1.0, -0.5)


def test_a_person_alone_among_computers_loses_by_leaving() -> None:
    ended = press(table(Human(ANN), MEDIUM, MEDIUM, MEDIUM), Action.RESIGN, ANN, ply=0)
    assert ended.payoff == (-1.0, *[pytest.approx(1 / 3)] * 3)


@pytest.mark.parametrize("others", [(Human(BEN), Human(CLEO)), (Human(BEN), MEDIUM)])
def test_nobody_resigns_whose_place_is_certain_while_others_play_on(
    others: tuple[Occupant, ...],
) -> None:
    session = one_is_home(Human(ANN), *others)
    (home,) = session.position.placed
    assert home == 0
    for action in (Action.RESIGN, Action.ASK_TO_RESIGN):
        with refused("not_running"):
            action.button.right(session, ANN, session.ply)
    with refused("not_running"):
        leave_for_good(session, ANN)
    left = leave_for_good(session, BEN)
    assert (left.seats[0], left.seats[1]) == (Human(ANN), Absent(BEN, STAND_IN))
    found = result(at_random(left, Random(1)))
    assert found is not None
    assert (found.verdicts[0].outcome, found.verdicts[0].rank) == (Outcome.WIN, 0)


def test_nobody_takes_a_seat_back_whose_place_is_certain_while_others_play_on() -> None:
    session = one_is_home(Absent(ANN, STAND_IN), Human(BEN), Human(CLEO))
    with refused("not_running"):
        press(session, Action.COME_BACK, ANN)
    assert not may_come_back(session)
    with_ben = replace(session, seats=(*session.seats[:1], Absent(BEN, STAND_IN), Human(CLEO)))
    assert may_come_back(with_ben)
    assert press(with_ben, Action.COME_BACK, BEN).seats == session.seats
    found = result(at_random(session, Random(1)))
    assert found is not None
    assert (found.verdicts[0].outcome, found.verdicts[0].rank) == (Outcome.LOSS, 2)


def test_a_partner_whose_tokens_are_home_still_resigns() -> None:
    people = (Human(ANN), Human(BEN), Human(CLEO), Human(DAN))
    session = one_is_home(*people, teams="yes")
    left = leave_for_good(session, ANN)
    assert left.seats[0] == Absent(ANN, STAND_IN)
    assert press(left, Action.COME_BACK, ANN).seats == session.seats


def test_a_person_who_was_home_before_the_computers_does_not_lose_by_leaving() -> None:
    session = one_is_home(Human(ANN), MEDIUM, MEDIUM)
    assert not would_lose(session)
    assert ending.close_alone(session).payoff is None


def test_a_table_that_was_closed_gives_no_seat_back() -> None:
    session = press(begun(Human(ANN), Human(BEN), Human(CLEO)), Action.RESIGN, ANN, ply=3)
    with refused("closed"):
        press(session.abandon(Ending.CLOSED), Action.COME_BACK, ANN)


def test_a_rematch_asks_everybody_who_played_to_the_same_seats() -> None:
    session = press(begun(Human(ANN), Human(BEN), MEDIUM), Action.RESIGN, BEN, ply=3)
    again = lobby.rematch(press(session, Action.RESIGN, ANN, ply=3), BEN)
    assert again.seats == (Invited(ANN), Human(BEN), MEDIUM)
    assert (again.host, again.phase) == (BEN, Phase.LOBBY)


def test_a_rematch_against_computers_begins_at_once() -> None:
    again = lobby.rematch(press(table(Human(ANN), MEDIUM), Action.RESIGN, ANN, ply=0), ANN)
    assert again.phase is Phase.RUNNING
    assert again.seats == (Human(ANN), MEDIUM)


@given(
    st.lists(st.sampled_from([Human, Computer]), min_size=2, max_size=4),
    st.sampled_from(sorted(GAME.presets)),
    st.randoms(use_true_random=False),
)
def test_a_game_goes_on_by_itself_or_waits_for_one_person(
    kinds: list[type], preset: str, random: Random
) -> None:
    people = iter((ANN, BEN, CLEO, DAN))
    seats = [Human(next(people)) if kind is Human else MEDIUM for kind in kinds]
    session = table(*seats, preset=preset)
    for _ in range(200):
        if session.phase is not Phase.RUNNING:
            break
        move = random.choice(session.position.moves())
        session = session.go_on(move)
    assert (session.payoff is not None) == (session.phase is Phase.FINISHED)


def test_a_take_back_reaches_the_last_real_choice_and_the_same_dice_follow() -> None:
    dice = Dice(Random(7).randbytes(32), PLAIN)
    session = table(Human(ANN), MEDIUM)

    def gone_on(session: Session) -> Session:
        while session.rolling or session.forced is not None or session.turn != 0:
            move = session.forced
            if session.rolling:
                move = Move(dice.pips(1, session.ply))
            session = session.go_on(move or session.position.moves()[0])
        return session

    session = gone_on(session)
    choice = session.ply
    after = gone_on(session.play(ANN, session.position.moves()[0], ply=choice))
    back = press(after, Action.TAKE_BACK, ANN, ply=after.ply)
    assert (back.moves, back.position) == (session.moves, session.position)
    again = gone_on(back.play(ANN, back.position.moves()[0], ply=choice))
    assert again.moves == after.moves


def test_between_people_dice_are_never_taken_back() -> None:
    session = begun(Human(ANN), Human(BEN))
    assert not may_take_back(session)
    with refused("nothing_to_take_back"):
        press(session, Action.TAKE_BACK, ANN, ply=session.ply)
