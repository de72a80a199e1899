"""A session's life, from the challenge to the rematch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.records.results import AmongPeople, result
from bot.table import ending, lobby
from bot.table.actions import Action, press
from bot.table.refusals import Refusal
from bot.table.rights import may_cancel, may_resign, would_lose
from bot.table.seats import Computer, Human, Invited, Level, Pace, PersonId, Vacant
from bot.table.session import Ending, Phase, Session
from bot.table.waiting import time_limit
from engine.game import IllegalMove, Move, Seat
from engine.games.tictactoe import GAME
from tests.bot.kit import ANN, BEN, CLEO, after_moves, new_game
from tests.bot.refused import refused


def running() -> Session:
    """Ann plays X against Ben."""
    return new_game("tictactoe", ANN, BEN)


def played(session: Session, *moves: int) -> Session:
    for move in moves:
        turn = session.turn
        assert turn is not None
        session = session.play(session.people[turn], Move(move), ply=session.ply)
    return session


def test_a_challenge_waits_in_the_lobby_and_begins_when_it_is_accepted() -> None:
    challenge = new_game("tictactoe", Human(ANN), Invited(BEN))
    assert challenge.phase is Phase.LOBBY
    assert challenge.position is None
    begun = press(challenge, Action.ACCEPT, BEN)
    assert begun.phase is Phase.RUNNING
    assert begun.people == (ANN, BEN)
    assert begun.turn == 0


def test_a_table_with_every_seat_taken_begins_at_once() -> None:
    assert new_game("tictactoe", Human(ANN), Computer(Level.EASY)).phase is Phase.RUNNING


def test_a_challenge_can_be_accepted_by_the_person_challenged_alone() -> None:
    challenge = new_game("tictactoe", Human(ANN), Invited(BEN))
    with refused("not_invited"):
        press(challenge, Action.ACCEPT, CLEO)
    with refused("already_seated"):
        press(challenge, Action.ACCEPT, ANN)
    with refused("not_invited"):
        press(challenge, Action.JOIN, CLEO)


def test_a_challenge_can_be_declined_by_the_person_challenged_alone() -> None:
    challenge = new_game("tictactoe", Human(ANN), Invited(BEN))
    with refused("not_invited"):
        press(challenge, Action.DECLINE, CLEO)
    declined = press(challenge, Action.DECLINE, BEN)
    assert (declined.phase, declined.ending) == (Phase.ABANDONED, Ending.DECLINED)


def test_a_table_can_be_withdrawn_by_its_host_alone() -> None:
    challenge = new_game("tictactoe", Human(ANN), Invited(BEN))
    with refused("not_host"):
        press(challenge, Action.WITHDRAW, BEN)
    withdrawn = press(challenge, Action.WITHDRAW, ANN)
    assert (withdrawn.phase, withdrawn.ending) == (Phase.ABANDONED, Ending.WITHDRAWN)
    with refused("not_waiting"):
        press(withdrawn, Action.ACCEPT, BEN)


def test_the_first_to_join_an_open_table_plays_and_the_second_comes_too_late() -> None:
    begun = press(new_game("tictactoe", Vacant(), Human(ANN)), Action.JOIN, BEN)
    assert begun.seats == (Human(BEN), Human(ANN))
    with refused("not_waiting"):
        press(begun, Action.JOIN, CLEO)


def test_a_lobby_expires_after_fifteen_minutes() -> None:
    challenge = new_game("tictactoe", Human(ANN), Invited(BEN))
    assert time_limit(challenge) == timedelta(minutes=15)
    expired = ending.time_out(challenge)
    assert (expired.phase, expired.ending) == (Phase.ABANDONED, Ending.EXPIRED)
    assert time_limit(expired) is None


def test_a_move_is_for_the_player_whose_turn_it_is() -> None:
    with refused("not_your_turn"):
        running().play(BEN, Move(0), ply=0)
    with refused("not_at_table"):
        running().play(CLEO, Move(0), ply=0)


def test_a_move_for_an_older_board_is_refused_before_anything_else_about_it() -> None:
    session = played(running(), 0)
    with refused("stale_control"):
        session.play(BEN, Move(0), ply=0)
    with refused("stale_control"):
        session.play(ANN, Move(1), ply=0)


def test_a_move_onto_a_taken_cell_is_refused_by_the_rules() -> None:
    with pytest.raises(IllegalMove):
        played(running(), 4, 4)


def test_a_line_of_three_wins_and_nothing_can_be_played_after_it() -> None:
    won = played(running(), 0, 3, 1, 4, 2)
    assert (won.phase, won.ending, won.payoff) == (Phase.FINISHED, Ending.PLAYED, (1.0, -1.0))
    with refused("not_running"):
        won.play(BEN, Move(5), ply=5)


def test_a_full_board_without_a_line_is_a_draw() -> None:
    drawn = played(running(), 0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert (drawn.ending, drawn.payoff) == (Ending.PLAYED, (0.0, 0.0))


def test_a_player_may_resign_in_the_opponents_turn_and_the_opponent_wins() -> None:
    resigned = press(running(), Action.RESIGN, BEN, ply=0)
    assert (resigned.ending, resigned.payoff) == (Ending.RESIGNED, (1.0, -1.0))
    with refused("not_at_table"):
        press(running(), Action.RESIGN, CLEO, ply=0)


def test_a_draw_is_agreed_by_the_one_who_did_not_offer_it() -> None:
    offered = press(played(running(), 4), Action.OFFER, ANN, ply=1)
    with refused("own_offer"):
        press(offered, Action.AGREE, ANN, ply=1)
    drawn = press(offered, Action.AGREE, BEN, ply=1)
    assert (drawn.phase, drawn.ending, drawn.payoff) == (Phase.FINISHED, Ending.AGREED, (0.0, 0.0))


def test_a_draw_offer_falls_when_it_is_declined_or_answered_by_a_move() -> None:
    offered = press(played(running(), 4), Action.OFFER, ANN, ply=1)
    assert press(offered, Action.REFUSE, BEN, ply=1).offer is None
    assert played(offered, 0).offer is None
    with refused("no_draw_offered"):
        press(played(running(), 4), Action.AGREE, BEN, ply=1)


def test_a_draw_offer_stands_while_its_maker_moves() -> None:
    offered = press(played(running(), 4), Action.OFFER, BEN, ply=1)
    assert played(offered, 0).offer == 1


def test_no_draw_is_offered_before_the_first_move_or_twice_or_to_the_computer() -> None:
    with refused("no_draw_to_offer"):
        press(running(), Action.OFFER, ANN, ply=0)
    offered = press(played(running(), 4), Action.OFFER, ANN, ply=1)
    with refused("no_draw_to_offer"):
        press(offered, Action.OFFER, BEN, ply=1)
    alone = new_game("tictactoe", Human(ANN), Computer(Level.EASY)).play(ANN, Move(4), ply=0)
    with refused("no_draw_to_offer"):
        press(alone, Action.OFFER, ANN, ply=1)


@pytest.mark.parametrize(
    ("pace", "limit"), [(Pace.LIVE, timedelta(minutes=5)), (Pace.CORRESPONDENCE, timedelta(days=3))]
)
def test_when_time_is_up_the_opponent_may_claim_the_win_and_the_player_may_still_move(
    pace: Pace, limit: timedelta
) -> None:
    session = new_game("tictactoe", Human(ANN), Human(BEN), pace=pace)
    assert time_limit(session) == limit
    with refused("time_remains"):
        press(session, Action.CLAIM, BEN, ply=0)
    lapsed = ending.time_out(session)
    assert lapsed.phase is Phase.RUNNING
    with refused("own_time_up"):
        press(lapsed, Action.CLAIM, ANN, ply=0)
    claimed = press(lapsed, Action.CLAIM, BEN, ply=0)
    assert (claimed.ending, claimed.payoff) == (Ending.TIME, (-1.0, 1.0))
    moved = played(lapsed, 4)
    assert not moved.lapsed
    assert time_limit(moved) == limit


def test_a_table_where_nobody_moves_for_thirty_days_is_closed_without_a_result() -> None:
    for silent in (
        new_game("tictactoe", Human(ANN), Human(BEN), pace=Pace.RELAXED),
        new_game("tictactoe", Human(ANN), Computer(Level.EASY), pace=Pace.RELAXED),
        ending.time_out(running()),
    ):
        assert time_limit(silent) == timedelta(days=30)
        closed = ending.time_out(silent)
        assert (closed.phase, closed.ending, closed.payoff) == (
            Phase.ABANDONED,
            Ending.SILENT,
            None,
        )


def test_a_game_against_the_computer_lasts_three_hours_without_a_move() -> None:
    solo = new_game("tictactoe", Human(ANN), Computer(Level.EASY), pace=Pace.CORRESPONDENCE)
    assert time_limit(solo) == timedelta(hours=3)
    assert ending.time_out(solo).ending is Ending.SILENT


@pytest.mark.parametrize("pace", [Pace.LIVE, Pace.RELAXED])
def test_a_game_against_the_computer_that_closes_is_lost_once_both_have_made_two_moves(
    pace: Pace,
) -> None:
    solo = new_game("tictactoe", Human(ANN), Computer(Level.EASY), pace=pace)
    for ply, (moves, lost) in enumerate([((4, 0), False), ((8,), False), ((1,), True)]):
        for move in moves:
            solo = solo.go_on(Move(move))
        assert would_lose(solo) is lost, ply
        for closed, why in (
            (ending.time_out(solo), Ending.TIME),
            (ending.close_alone(solo), Ending.RESIGNED),
        ):
            unlost = Ending.SILENT if why is Ending.TIME else Ending.CLOSED
            assert closed.ending is (why if lost else unlost)
            assert closed.payoff == ((-1.0, 1.0) if lost else None)
            if lost:
                assert closed.payoff in list(ending.payoffs(closed))


def test_a_game_against_the_computer_is_cancelled_until_leaving_it_would_lose_it() -> None:
    solo = new_game("tictactoe", Human(ANN), Computer(Level.EASY))
    for moves in ((), (4,), (4, 0), (4, 0, 8)):
        early = after_moves(solo, *moves)
        assert (may_cancel(early), may_resign(early)) == (True, False), moves
        cancelled = press(early, Action.CANCEL, ANN, ply=early.ply)
        assert (cancelled.phase, result(cancelled)) == (Phase.ABANDONED, None)
    late = after_moves(solo, 4, 0, 8, 1)
    assert (may_cancel(late), may_resign(late)) == (False, True)
    with refused("not_cancellable"):
        press(late, Action.CANCEL, ANN, ply=late.ply)


def test_moves_taken_back_to_the_beginning_are_no_way_out_of_a_game() -> None:
    session = new_game("tictactoe", Human(ANN), Computer(Level.EASY)).play(ANN, Move(4), ply=0)
    back = press(session.answer(Move(0), ply=1), Action.TAKE_BACK, ANN, ply=2)
    assert not may_cancel(back)
    with refused("not_cancellable"):
        press(back, Action.CANCEL, ANN, ply=0)
    assert ending.time_out(back).payoff == (-1.0, 1.0)


def test_until_both_have_moved_a_game_is_cancelled_and_not_resigned() -> None:
    begun = running()
    for session in (begun, played(begun, 4)):
        assert may_cancel(session)
        cancelled = press(session, Action.CANCEL, BEN, ply=session.ply)
        assert (cancelled.phase, cancelled.ending) == (Phase.ABANDONED, Ending.CANCELLED)
    both = played(begun, 4, 0)
    assert not may_cancel(both)
    with refused("not_cancellable"):
        press(both, Action.CANCEL, ANN, ply=2)


def test_a_game_is_rated_only_after_two_plies_of_each_side() -> None:
    for moves, is_rated in (((4, 0, 8), False), ((4, 0, 8, 1), True)):
        session = played(running(), *moves)
        verdict = result(press(session, Action.RESIGN, ANN, ply=session.ply))
        assert isinstance(verdict, AmongPeople)
        assert verdict.is_rated is is_rated


def test_a_move_against_the_computer_is_taken_back_at_once() -> None:
    session = new_game("tictactoe", Human(ANN), Computer(Level.EASY)).play(ANN, Move(4), ply=0)
    answered = session.answer(Move(0), ply=1)
    back = press(answered, Action.TAKE_BACK, ANN, ply=2)
    assert (back.moves, back.turn) == ((), 0)
    assert back == replace(new_game("tictactoe", Human(ANN), Computer(Level.EASY)), tried=True)
    with refused("nothing_to_take_back"):
        press(back, Action.TAKE_BACK, ANN, ply=0)


def test_between_people_a_move_is_taken_back_once_the_other_agrees() -> None:
    session = played(running(), 4, 0, 8)
    asked = press(session, Action.TAKE_BACK, ANN, ply=3)
    assert (asked.moves, asked.take_back) == (session.moves, 0)
    with refused("own_offer"):
        press(asked, Action.ALLOW_TAKE_BACK, ANN, ply=3)
    allowed = press(asked, Action.ALLOW_TAKE_BACK, BEN, ply=3)
    assert (allowed.moves, allowed.turn, allowed.take_back) == ((4, 0), 0, None)
    kept = press(asked, Action.REFUSE_TAKE_BACK, BEN, ply=3)
    assert kept == session
    with refused("no_take_back_asked"):
        press(kept, Action.ALLOW_TAKE_BACK, BEN, ply=3)


def test_a_move_answers_the_wish_to_take_one_back() -> None:
    asked = press(played(running(), 4), Action.TAKE_BACK, ANN, ply=1)
    assert played(asked, 0).take_back is None


def test_who_has_not_moved_has_nothing_to_take_back() -> None:
    with refused("nothing_to_take_back"):
        press(played(running(), 4), Action.TAKE_BACK, BEN, ply=1)


def test_in_a_match_nothing_is_taken_back() -> None:
    match = replace(played(running(), 4, 0, 8), match=True)
    with refused("nothing_to_take_back"):
        press(match, Action.TAKE_BACK, ANN, ply=3)
    asked = replace(match, take_back=Seat(0))
    assert press(asked, Action.ALLOW_TAKE_BACK, BEN, ply=3).moves == (4, 0), "asked for before"


def test_a_computers_answer_counts_for_the_ply_it_was_thought_for_alone() -> None:
    session = new_game("tictactoe", Human(ANN), Computer(Level.EASY)).play(ANN, Move(4), ply=0)
    assert session.answer(Move(0), ply=1).ply == 2
    with refused("stale_control"):
        session.answer(Move(0), ply=0)
    with refused("stale_control"):
        session.answer(Move(0), ply=1).answer(Move(1), ply=2)


def test_a_rematch_swaps_the_sides_and_asks_the_other_person_first() -> None:
    won = played(running(), 0, 3, 1, 4, 2)
    again = lobby.rematch(won, BEN)
    assert again.seats == (Human(BEN), Invited(ANN))
    assert (again.phase, again.host) == (Phase.LOBBY, BEN)
    with refused("not_finished"):
        lobby.rematch(running(), ANN)
    with refused("not_at_table"):
        lobby.rematch(won, CLEO)


def test_a_rematch_against_the_computer_begins_at_once() -> None:
    won = press(new_game("tictactoe", Human(ANN), Computer(Level.EASY)), Action.RESIGN, ANN, ply=0)
    again = lobby.rematch(won, ANN)
    assert again.seats == (Computer(Level.EASY), Human(ANN))
    assert again.phase is Phase.RUNNING


Act = Callable[[Session, PersonId, Move], Session]

ACTS: list[Act] = [
    lambda session, by, cell: session.play(by, cell, ply=session.ply),
    lambda session, by, _: press(session, Action.RESIGN, by, ply=session.ply),
    lambda session, by, _: press(session, Action.OFFER, by, ply=session.ply),
    lambda session, by, _: press(session, Action.AGREE, by, ply=session.ply),
    lambda session, by, _: press(session, Action.REFUSE, by, ply=session.ply),
    lambda session, by, _: press(session, Action.CLAIM, by, ply=session.ply),
    lambda session, _by, _cell: (
        session if time_limit(session) is None else ending.time_out(session)
    ),
]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(ACTS), st.sampled_from([ANN, BEN, CLEO]), st.integers(0, 8).map(Move)
        ),
        max_size=40,
    )
)
def test_whatever_people_press_a_session_stays_consistent(
    acts: list[tuple[Act, PersonId, Move]],
) -> None:
    session = running()
    for act, by, cell in acts:
        try:
            session = act(session, by, cell)
        except (Refusal, IllegalMove):
            continue
        assert (session.payoff is not None) == (session.phase is Phase.FINISHED)
        assert (session.ending is None) == (session.phase is Phase.RUNNING)
        assert session.position == GAME.replay(2, {}, session.moves)
        assert session.payoff is None or sum(session.payoff) == 0
