"""How a table of two to four gathers its players: the seats, the host, the rules, the start."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.table import ending, lobby
from bot.table.refusals import (
    AlreadySeated,
    NoComputer,
    NotAtTable,
    NotFinished,
    NotHost,
    NotInvited,
    NotWaiting,
    OptionRefused,
    Refusal,
    TableFull,
    TooFewPlayers,
    UnknownControl,
)
from bot.table.seats import BoardLook, Computer, Human, Invited, Level, Occupant, Pace, PersonId
from bot.table.session import Ending, Phase, Session
from engine.games.ludo import GAME
from engine.games.tictactoe import GAME as TICTACTOE

ANN, BEN, CLEO, DAN, EVE = map(PersonId, range(1, 6))
MEDIUM = Computer(Level.MEDIUM)


def table(*seats: Occupant, **options: str | int) -> Session:
    """A table that Ann opened."""
    return Session(GAME, GAME.settled(options), Pace.LIVE, host=ANN, seats=seats)


def test_whoever_joins_takes_the_next_seat() -> None:
    joined = lobby.join(lobby.join(table(Human(ANN)), BEN), CLEO)
    assert joined.seats == (Human(ANN), Human(BEN), Human(CLEO))
    assert joined.phase is Phase.LOBBY


def test_the_person_invited_takes_the_seat_that_was_kept() -> None:
    joined = lobby.join(table(Human(ANN), Invited(BEN), Human(CLEO)), BEN)
    assert joined.seats == (Human(ANN), Human(BEN), Human(CLEO))


def test_of_two_who_want_the_last_seat_the_first_has_it() -> None:
    full = lobby.join(table(Human(ANN), Human(BEN), MEDIUM), CLEO)
    with pytest.raises(TableFull):
        lobby.join(full, DAN)


def test_a_seat_kept_for_somebody_is_not_free_for_others() -> None:
    kept = table(Human(ANN), Invited(BEN), Invited(CLEO), MEDIUM)
    with pytest.raises(TableFull):
        lobby.join(kept, DAN)
    assert lobby.join(kept, CLEO).people == (ANN, CLEO)


def test_nobody_takes_two_seats() -> None:
    with pytest.raises(AlreadySeated):
        lobby.join(table(Human(ANN)), ANN)


def test_whoever_leaves_makes_room() -> None:
    left = lobby.leave(table(Human(ANN), Human(BEN), Invited(CLEO)), BEN)
    assert left.seats == (Human(ANN), Invited(CLEO))
    assert left.host == ANN


def test_an_invitation_is_turned_down_by_leaving() -> None:
    assert lobby.leave(table(Human(ANN), Invited(BEN)), BEN).seats == (Human(ANN),)


def test_the_host_who_leaves_hands_the_table_on() -> None:
    left = lobby.leave(table(Human(ANN), Invited(BEN), MEDIUM, Human(CLEO)), ANN)
    assert left.host == CLEO
    assert left.seats == (Invited(BEN), MEDIUM, Human(CLEO))
    assert lobby.start(left, CLEO).phase is Phase.RUNNING


def test_the_table_goes_with_the_last_person() -> None:
    left = lobby.leave(table(Human(ANN), Invited(BEN), MEDIUM), ANN)
    assert (left.phase, left.ending) == (Phase.ABANDONED, Ending.WITHDRAWN)


def test_only_those_at_the_table_can_leave_it() -> None:
    with pytest.raises(NotAtTable):
        lobby.leave(table(Human(ANN)), BEN)


def test_the_host_adds_and_removes_computers() -> None:
    added = lobby.add_computer(table(Human(ANN)), ANN, Level.EASY)
    added = lobby.add_computer(lobby.join(added, BEN), ANN, Level.EXPERT)
    assert added.seats == (Human(ANN), Computer(Level.EASY), Human(BEN), Computer(Level.EXPERT))
    removed = lobby.remove_computer(added, ANN)
    assert removed.seats == (Human(ANN), Computer(Level.EASY), Human(BEN))
    with pytest.raises(NoComputer):
        lobby.remove_computer(lobby.remove_computer(removed, ANN), ANN)
    with pytest.raises(TableFull):
        lobby.add_computer(added, ANN, Level.HARD)


@pytest.mark.parametrize(
    "act",
    [
        lobby.start,
        lobby.withdraw,
        lobby.remove_computer,
        lobby.fill,
        lobby.change_partners,
        lambda session, by: lobby.choose_board(session, by, BoardLook.PICTURE),
        lambda session, by: lobby.add_computer(session, by, Level.EASY),
        lambda session, by: lobby.choose_preset(session, by, "quick"),
        lambda session, by: lobby.choose_rule(session, by, "tokens", "2"),
    ],
)
def test_the_table_is_the_hosts(act: lobby.Step) -> None:
    with pytest.raises(NotHost):
        act(table(Human(ANN), Human(BEN), MEDIUM), BEN)
    begun = lobby.start(table(Human(ANN), Human(BEN), MEDIUM), ANN)
    with pytest.raises(NotWaiting):
        act(begun, ANN)


def test_a_host_fills_every_free_seat_with_computers_as_strong_as_the_last() -> None:
    filled = lobby.fill(table(Human(ANN), Invited(BEN)), ANN)
    assert filled.seats == (Human(ANN), Invited(BEN), MEDIUM, MEDIUM)
    hard = Computer(Level.HARD)
    assert lobby.fill(table(Human(ANN), MEDIUM, hard), ANN).seats[-1] == hard
    with pytest.raises(TableFull):
        lobby.fill(filled, ANN)


def test_whoever_is_invited_can_decline_and_the_others_wait_on() -> None:
    invited = table(Human(ANN), Invited(BEN), MEDIUM)
    assert lobby.decline(invited, BEN).seats == (Human(ANN), MEDIUM)
    with pytest.raises(NotInvited):
        lobby.decline(invited, CLEO)


def test_a_host_who_declines_withdraws() -> None:
    gathering = lobby.decline(table(Human(ANN), Invited(BEN)), ANN)
    challenge = Session(TICTACTOE, {}, Pace.LIVE, ANN, (Human(ANN), Invited(BEN)))
    for over in (gathering, lobby.decline(challenge, ANN)):
        assert (over.phase, over.ending) == (Phase.ABANDONED, Ending.WITHDRAWN)


def test_one_person_against_computers_has_dice_that_roll_by_themselves() -> None:
    assert lobby.start(table(Human(ANN), MEDIUM), ANN).auto_roll
    assert not lobby.start(table(Human(ANN), MEDIUM, Human(BEN)), ANN).auto_roll


def test_a_host_who_wants_to_roll_by_hand_does_so_against_computers_too() -> None:
    switched = lobby.switch_auto_roll(table(Human(ANN), MEDIUM), ANN)
    assert switched.auto_roll
    by_hand = lobby.start(lobby.switch_auto_roll(switched, ANN), ANN)
    assert not by_hand.auto_roll


def test_every_player_switches_auto_roll_during_the_game_and_nobody_else() -> None:
    begun = lobby.start(table(Human(ANN), Human(BEN)), ANN)
    assert lobby.switch_auto_roll(begun, BEN).auto_roll
    with pytest.raises(NotAtTable):
        lobby.switch_auto_roll(begun, CLEO)
    with pytest.raises(NotHost):
        lobby.switch_auto_roll(table(Human(ANN), Human(BEN)), BEN)


def test_a_table_for_which_nobody_came_is_asked_again_as_it_was() -> None:
    waiting = table(Human(ANN), Invited(BEN), MEDIUM)
    assert lobby.rematch(ending.time_out(waiting), ANN) == waiting
    with pytest.raises(NotHost):
        lobby.rematch(ending.time_out(waiting), BEN)
    with pytest.raises(NotFinished):
        lobby.rematch(lobby.withdraw(waiting, ANN), ANN)


def test_a_preset_changes_every_rule() -> None:
    chosen = lobby.choose_preset(table(Human(ANN), teams="yes"), ANN, "damascus")
    assert chosen.options == GAME.settled(GAME.presets["damascus"])
    with pytest.raises(UnknownControl):
        lobby.choose_preset(chosen, ANN, "paris")


def test_a_single_rule_changes_alone() -> None:
    chosen = lobby.choose_rule(table(Human(ANN), leave_on="1 or 6"), ANN, "tokens", "2")
    assert chosen.options == GAME.settled({"leave_on": "1 or 6", "tokens": 2})
    back = lobby.choose_rule(chosen, ANN, "tokens", "4")
    assert back.options == GAME.settled({"leave_on": "1 or 6"})


def test_rules_that_nobody_chose_give_way() -> None:
    chosen = lobby.choose_rule(table(Human(ANN)), ANN, "tokens", "1")
    assert chosen.options["blocks"] == "off"


def test_a_rule_that_contradicts_another_is_refused_by_name() -> None:
    slots = table(Human(ANN), lane="slots")
    with pytest.raises(OptionRefused) as refused:
        lobby.choose_rule(slots, ANN, "home", "overshooting")
    assert (refused.value.game, refused.value.option) == ("ludo", "home")
    for key, value in (("colour", "red"), ("tokens", "9")):
        with pytest.raises(UnknownControl):
            lobby.choose_rule(slots, ANN, key, value)


def test_the_start_leaves_out_who_has_not_answered() -> None:
    begun = lobby.start(table(Human(ANN), Invited(BEN), Human(CLEO)), ANN)
    assert begun.seats == (Human(ANN), Human(CLEO))
    assert begun.phase is Phase.RUNNING
    assert begun.rolls_by_itself


def test_nobody_starts_alone() -> None:
    with pytest.raises(TooFewPlayers):
        lobby.start(table(Human(ANN), Invited(BEN)), ANN)


def test_teams_start_with_four() -> None:
    three = table(Human(ANN), Human(BEN), Human(CLEO), teams="yes")
    with pytest.raises(OptionRefused) as refused:
        lobby.start(three, ANN)
    assert refused.value.option == "teams"
    assert lobby.start(lobby.join(three, DAN), ANN).phase is Phase.RUNNING


def test_partners_change_until_everybody_has_been_the_hosts() -> None:
    session = table(Human(ANN), Human(BEN), Human(CLEO), Human(DAN), teams="yes")
    partners = []
    for _ in range(3):
        partners.append(session.seats[2])
        session = lobby.change_partners(session, ANN)
    assert set(partners) == {Human(BEN), Human(CLEO), Human(DAN)}
    assert session.seats[0] == Human(ANN)


def test_the_table_closes_after_half_an_hour() -> None:
    waiting = table(Human(ANN), Human(BEN))
    assert waiting.time_limit == timedelta(minutes=30)
    closed = ending.time_out(waiting)
    assert (closed.phase, closed.ending) == (Phase.ABANDONED, Ending.EXPIRED)


STEPS = st.tuples(
    st.sampled_from(
        [
            lobby.join,
            lobby.leave,
            lobby.withdraw,
            lobby.remove_computer,
            lobby.change_partners,
            lambda session, by: lobby.add_computer(session, by, Level.EASY),
            lambda session, by: lobby.choose_rule(session, by, "teams", "yes"),
        ]
    ),
    st.sampled_from([ANN, BEN, CLEO, DAN, EVE]),
)


@given(st.lists(STEPS, max_size=30))
def test_whatever_people_do_the_table_has_a_host_and_at_most_four_seats(
    steps: list[tuple[lobby.Step, PersonId]],
) -> None:
    session = table(Human(ANN), Invited(BEN))
    for act, by in steps:
        try:
            session = act(session, by)
        except Refusal:
            continue
        assert len(session.seats) <= 4
        taken = [seat.person for seat in session.seats if isinstance(seat, Human | Invited)]
        assert len(taken) == len(set(taken))
        if session.phase is Phase.LOBBY:
            assert session.host in session.people
