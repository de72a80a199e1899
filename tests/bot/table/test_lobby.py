"""A table of two to four before the game: the seats, the host, the rules, the start."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.table import ending, lobby
from bot.table.actions import Action, press
from bot.table.refusals import Refusal, UnknownControl
from bot.table.seat_log import BoardLook, Rolls
from bot.table.seats import Computer, Human, Invited, Level, Occupant, Pace, PersonId
from bot.table.session import Ending, Phase, Session
from bot.table.waiting import time_limit
from engine.games.ludo import GAME
from engine.games.tictactoe import GAME as TICTACTOE
from tests.bot.kit import ANN, BEN, CLEO, DAN, EVE
from tests.bot.refused import refused

MEDIUM = Computer(Level.MEDIUM)


def table(*seats: Occupant, **options: str | int) -> Session:
    """A table that Ann opened."""
    return Session(GAME, GAME.settled(options), Pace.LIVE, host=ANN, seats=seats)


def test_whoever_joins_takes_the_next_seat() -> None:
    joined = press(press(table(Human(ANN)), Action.JOIN, BEN), Action.JOIN, CLEO)
    assert joined.seats == (Human(ANN), Human(BEN), Human(CLEO))
    assert joined.phase is Phase.LOBBY


def test_the_person_invited_takes_the_seat_that_was_kept() -> None:
    joined = press(table(Human(ANN), Invited(BEN), Human(CLEO)), Action.JOIN, BEN)
    assert joined.seats == (Human(ANN), Human(BEN), Human(CLEO))


def test_of_two_who_want_the_last_seat_the_first_has_it() -> None:
    full = press(table(Human(ANN), Human(BEN), MEDIUM), Action.JOIN, CLEO)
    with refused("table_full"):
        press(full, Action.JOIN, DAN)


def test_a_seat_kept_for_somebody_is_not_free_for_others() -> None:
    kept = table(Human(ANN), Invited(BEN), Invited(CLEO), MEDIUM)
    with refused("table_full"):
        press(kept, Action.JOIN, DAN)
    assert press(kept, Action.JOIN, CLEO).people == (ANN, CLEO)


def test_nobody_takes_two_seats() -> None:
    with refused("already_seated"):
        press(table(Human(ANN)), Action.JOIN, ANN)


def test_whoever_leaves_makes_room() -> None:
    left = press(table(Human(ANN), Human(BEN), Invited(CLEO)), Action.LEAVE, BEN)
    assert left.seats == (Human(ANN), Invited(CLEO))
    assert left.host == ANN


def test_an_invitation_is_turned_down_by_leaving() -> None:
    assert press(table(Human(ANN), Invited(BEN)), Action.LEAVE, BEN).seats == (Human(ANN),)


def test_the_host_who_leaves_hands_the_table_on() -> None:
    left = press(table(Human(ANN), Invited(BEN), MEDIUM, Human(CLEO)), Action.LEAVE, ANN)
    assert left.host == CLEO
    assert left.seats == (Invited(BEN), MEDIUM, Human(CLEO))
    assert press(left, Action.START, CLEO).phase is Phase.RUNNING


def test_the_table_goes_with_the_last_person() -> None:
    left = press(table(Human(ANN), Invited(BEN), MEDIUM), Action.LEAVE, ANN)
    assert (left.phase, left.ending) == (Phase.ABANDONED, Ending.WITHDRAWN)


def test_only_those_at_the_table_can_leave_it() -> None:
    with refused("not_at_table"):
        press(table(Human(ANN)), Action.LEAVE, BEN)


def test_the_host_adds_and_removes_computers() -> None:
    added = press(table(Human(ANN)), Action.ADD_COMPUTER, ANN, value=Level.EASY)
    added = press(press(added, Action.JOIN, BEN), Action.ADD_COMPUTER, ANN, value=Level.EXPERT)
    assert added.seats == (Human(ANN), Computer(Level.EASY), Human(BEN), Computer(Level.EXPERT))
    removed = press(added, Action.REMOVE_COMPUTER, ANN)
    assert removed.seats == (Human(ANN), Computer(Level.EASY), Human(BEN))
    with refused("no_computer"):
        press(press(removed, Action.REMOVE_COMPUTER, ANN), Action.REMOVE_COMPUTER, ANN)
    with refused("table_full"):
        press(added, Action.ADD_COMPUTER, ANN, value=Level.HARD)


@pytest.mark.parametrize(
    ("action", "value"),
    [
        (Action.START, ""),
        (Action.WITHDRAW, ""),
        (Action.REMOVE_COMPUTER, ""),
        (Action.FILL, ""),
        (Action.PARTNERS, ""),
        (Action.BOARD, BoardLook.PICTURE),
        (Action.ADD_COMPUTER, Level.EASY),
        (Action.PRESET, "quick"),
        (Action.RULE, "tokens:2"),
    ],
)
def test_the_table_is_the_hosts(action: Action, value: str) -> None:
    with refused("not_host"):
        press(table(Human(ANN), Human(BEN), MEDIUM), action, BEN, value=value)
    begun = press(table(Human(ANN), Human(BEN), MEDIUM), Action.START, ANN)
    with refused("not_waiting"):
        press(begun, action, ANN, value=value)


def test_only_a_lobby_is_set_up_after_it_was_opened() -> None:
    challenge = Session(TICTACTOE, {}, Pace.LIVE, ANN, (Human(ANN), Invited(BEN)))
    for action, value in ((Action.RULE, "size:4"), (Action.BOARD, "picture")):
        with pytest.raises(UnknownControl):
            press(challenge, action, ANN, value=value)


def test_a_host_fills_every_free_seat_with_computers_as_strong_as_the_last() -> None:
    filled = press(table(Human(ANN), Invited(BEN)), Action.FILL, ANN)
    assert filled.seats == (Human(ANN), Invited(BEN), MEDIUM, MEDIUM)
    hard = Computer(Level.HARD)
    assert press(table(Human(ANN), MEDIUM, hard), Action.FILL, ANN).seats[-1] == hard
    with refused("table_full"):
        press(filled, Action.FILL, ANN)


def test_whoever_is_invited_can_decline_and_the_others_wait_on() -> None:
    invited = table(Human(ANN), Invited(BEN), MEDIUM)
    assert press(invited, Action.DECLINE, BEN).seats == (Human(ANN), MEDIUM)
    with refused("not_invited"):
        press(invited, Action.DECLINE, CLEO)


def test_a_host_who_declines_withdraws() -> None:
    gathering = press(table(Human(ANN), Invited(BEN)), Action.DECLINE, ANN)
    challenge = Session(TICTACTOE, {}, Pace.LIVE, ANN, (Human(ANN), Invited(BEN)))
    for over in (gathering, press(challenge, Action.DECLINE, ANN)):
        assert (over.phase, over.ending) == (Phase.ABANDONED, Ending.WITHDRAWN)


def test_one_person_against_computers_has_dice_that_roll_by_themselves() -> None:
    assert press(table(Human(ANN), MEDIUM), Action.START, ANN).rolls is Rolls.WITH_STOPS
    several = press(table(Human(ANN), MEDIUM, Human(BEN)), Action.START, ANN)
    assert several.rolls is Rolls.BY_HAND


def test_dice_that_a_host_has_switched_never_stop_or_always_do() -> None:
    by_hand = press(table(Human(ANN), MEDIUM), Action.AUTO_ROLL, ANN)
    assert press(by_hand, Action.START, ANN).rolls is Rolls.BY_HAND
    by_themselves = press(by_hand, Action.AUTO_ROLL, ANN)
    assert press(by_themselves, Action.START, ANN).rolls is Rolls.BY_THEMSELVES


def test_every_player_switches_auto_roll_during_the_game_and_nobody_else() -> None:
    begun = press(table(Human(ANN), Human(BEN)), Action.START, ANN)
    assert press(begun, Action.AUTO_ROLL, BEN).preferences.auto_roll
    with refused("not_at_table"):
        press(begun, Action.AUTO_ROLL, CLEO)
    with refused("not_host"):
        press(table(Human(ANN), Human(BEN)), Action.AUTO_ROLL, BEN)


def test_a_table_for_which_nobody_came_is_asked_again_as_it_was() -> None:
    waiting = table(Human(ANN), Invited(BEN), MEDIUM)
    assert lobby.rematch(ending.time_out(waiting), ANN) == waiting
    with refused("not_host"):
        lobby.rematch(ending.time_out(waiting), BEN)
    with refused("not_finished"):
        lobby.rematch(press(waiting, Action.WITHDRAW, ANN), ANN)


def test_a_preset_changes_every_rule() -> None:
    chosen = press(table(Human(ANN), teams="yes"), Action.PRESET, ANN, value="damascus")
    assert chosen.options == GAME.settled(GAME.presets["damascus"])
    with pytest.raises(UnknownControl):
        press(chosen, Action.PRESET, ANN, value="paris")


def test_a_single_rule_changes_alone() -> None:
    chosen = press(table(Human(ANN), leave_on="1 or 6"), Action.RULE, ANN, value="tokens:2")
    assert chosen.options == GAME.settled({"leave_on": "1 or 6", "tokens": 2})
    back = press(chosen, Action.RULE, ANN, value="tokens:4")
    assert back.options == GAME.settled({"leave_on": "1 or 6"})


def test_rules_that_nobody_chose_give_way() -> None:
    chosen = press(table(Human(ANN)), Action.RULE, ANN, value="tokens:1")
    assert chosen.options["blocks"] == "off"
    back = press(chosen, Action.RULE, ANN, value="tokens:4")
    assert back.options == GAME.settled({})


def test_a_rule_that_contradicts_another_is_refused_by_name() -> None:
    slots = table(Human(ANN), lane="slots")
    with refused("option_refused.ludo.home"):
        press(slots, Action.RULE, ANN, value="home:overshooting")
    for key, value in (("colour", "red"), ("tokens", "9")):
        with pytest.raises(UnknownControl):
            press(slots, Action.RULE, ANN, value=f"{key}:{value}")


def test_the_start_leaves_out_who_has_not_answered() -> None:
    begun = press(table(Human(ANN), Invited(BEN), Human(CLEO)), Action.START, ANN)
    assert begun.seats == (Human(ANN), Human(CLEO))
    assert begun.phase is Phase.RUNNING
    assert begun.rolls_by_itself


def test_one_person_left_among_computers_takes_the_first_seat_and_begins() -> None:
    hard = Computer(Level.HARD)
    begun = press(table(hard, Invited(BEN), Human(ANN), MEDIUM), Action.START, ANN)
    assert begun.seats == (Human(ANN), MEDIUM, hard)
    assert (begun.turn, begun.rolling, begun.unattended) == (0, True, False)


def test_nobody_starts_alone() -> None:
    with refused("too_few_players"):
        press(table(Human(ANN), Invited(BEN)), Action.START, ANN)


def test_teams_start_with_four() -> None:
    three = table(Human(ANN), Human(BEN), Human(CLEO), teams="yes")
    with refused("option_refused.ludo.teams"):
        press(three, Action.START, ANN)
    assert press(press(three, Action.JOIN, DAN), Action.START, ANN).phase is Phase.RUNNING


def test_partners_change_until_everybody_has_been_the_hosts() -> None:
    session = table(Human(ANN), Human(BEN), Human(CLEO), Human(DAN), teams="yes")
    partners = []
    for _ in range(3):
        partners.append(session.seats[2])
        session = press(session, Action.PARTNERS, ANN)
    assert set(partners) == {Human(BEN), Human(CLEO), Human(DAN)}
    assert session.seats[0] == Human(ANN)


def test_the_table_closes_after_half_an_hour() -> None:
    waiting = table(Human(ANN), Human(BEN))
    assert time_limit(waiting) == timedelta(minutes=30)
    closed = ending.time_out(waiting)
    assert (closed.phase, closed.ending) == (Phase.ABANDONED, Ending.EXPIRED)


STEPS = st.tuples(
    st.sampled_from(
        [
            (Action.JOIN, ""),
            (Action.LEAVE, ""),
            (Action.WITHDRAW, ""),
            (Action.REMOVE_COMPUTER, ""),
            (Action.PARTNERS, ""),
            (Action.ADD_COMPUTER, Level.EASY),
            (Action.RULE, "teams:yes"),
        ]
    ),
    st.sampled_from([ANN, BEN, CLEO, DAN, EVE]),
)


@given(st.lists(STEPS, max_size=30))
def test_whatever_people_do_the_table_has_a_host_and_at_most_four_seats(
    steps: list[tuple[tuple[Action, str], PersonId]],
) -> None:
    session = table(Human(ANN), Invited(BEN))
    for (action, value), by in steps:
        try:
            session = press(session, action, by, value=value)
        except Refusal:
            continue
        assert len(session.seats) <= 4
        taken = [seat.person for seat in session.seats if isinstance(seat, Human | Invited)]
        assert len(taken) == len(set(taken))
        if session.phase is Phase.LOBBY:
            assert session.host in session.people
