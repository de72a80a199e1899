"""Every rule of Ludo as a drawn position; `drawing` says how to read one."""

from __future__ import annotations

from random import Random

import pytest

from engine.game import CHANCE, InvalidOptions, Move, Options, Seat
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.events import Again, OpeningRoll, Roll, RollOutcome, Step, event_of
from engine.games.ludo.table import table
from tests.engine.games.ludo.drawing import drawing, drawn, homes, rolled

EMPTY = """
    .............
    .............
    .............
    .............
"""


def start(seats: int = 2, options: Options | None = None, *, begins: int = 0) -> LudoPosition:
    """A fresh game in which `begins` won the roll-off."""
    position = GAME.start(seats, options or {})
    for seat in range(seats):
        position = position.play(Move(6 if seat == begins else 1))
    return position


def assert_turn_passed(position: LudoPosition, to: str) -> None:
    assert position.turn == CHANCE
    assert position.seat == "abcd".index(to)
    assert position.sixes == 0


# The roll-off


def test_the_highest_die_of_the_roll_off_begins() -> None:
    position = GAME.start(3, {})
    for pips in (2, 5, 4):
        assert position.turn == CHANCE
        position = position.play(Move(pips))
    assert_turn_passed(position, to="b")
    assert position.opening == ()


def test_only_those_who_tied_roll_again() -> None:
    position = GAME.start(4, {})
    for pips in (5, 2, 5, 5):
        position = position.play(Move(pips))
    rollers = []
    for pips in (3, 6, 6, 1, 4):
        rollers.append(position.seat)
        position = position.play(Move(pips))
    assert rollers == [0, 2, 3, 2, 3]
    assert_turn_passed(position, to="d")


def test_the_roll_off_is_told_with_who_begins_or_who_tied() -> None:
    first = GAME.start(2, {})
    second = first.play(Move(4))
    assert event_of(first, Move(4)) == OpeningRoll(Seat(0), 4, None, ())
    assert event_of(second, Move(4)) == OpeningRoll(Seat(1), 4, None, (Seat(0), Seat(1)))
    assert event_of(second, Move(5)) == OpeningRoll(Seat(1), 5, Seat(1), ())


# Leaving the yard


@pytest.mark.parametrize("pips", [1, 2, 3, 4, 5])
def test_without_a_six_nobody_leaves_the_yard_and_the_turn_passes(pips: int) -> None:
    position = start()
    assert event_of(position, Move(pips)) == Roll(Seat(0), pips, RollOutcome.NO_LEGAL_MOVE, None)
    assert_turn_passed(position.play(Move(pips)), to="b")


@pytest.mark.parametrize(("seats", "seat", "square"), [(2, 1, 26), (4, 1, 13), (4, 3, 39)])
def test_a_six_brings_a_token_onto_its_own_start(seats: int, seat: int, square: int) -> None:
    position = rolled(start(seats, begins=seat), 6).play(Move(0))
    assert position.square(Seat(seat), 0) == square


def test_a_one_leaves_the_yard_where_one_or_six_does() -> None:
    quick = GAME.presets["quick"]
    assert rolled(start(options=quick), 1).play(Move(0)).square(Seat(0), 0) == 0
    assert rolled(start(options=quick), 6).play(Move(0)).square(Seat(0), 0) == 0
    assert_turn_passed(rolled(start(options=quick), 2), to="b")


def test_of_tokens_that_stand_together_only_the_first_is_offered() -> None:
    position = drawn("""
        ....A........
        .............
        .............
        .............
    """)
    assert rolled(position, 6).moves() == (0, 2)


# Walking and capturing


def test_a_token_walks_by_the_pips_and_the_turn_passes() -> None:
    position = drawn("""
        ....a........
        .............
        .............
        .............
    """)
    after = rolled(position, 5).play(Move(0))
    assert drawing(after).split() == [".........a...", *["............."] * 3]
    assert_turn_passed(after, to="b")


def test_the_ring_goes_on_from_square_51_to_square_0() -> None:
    position = drawn(
        """
        .............
        .............
        .............
        ...........b.
        """,
        to_roll="b",
    )
    assert rolled(position, 3).play(Move(0)).square(Seat(1), 0) == 1


def test_a_token_turns_into_its_lane_instead_of_passing_its_own_start() -> None:
    position = drawn("""
        .............
        .............
        .............
        ...........a.
    """)
    after = rolled(position, 1).play(Move(0))
    assert after.tokens[0][0] == 52
    assert after.square(Seat(0), 0) is None
    assert drawing(after).split() == ["............."] * 4


def test_landing_on_a_rival_sends_it_back_to_its_yard() -> None:
    position = rolled(
        drawn("""
        .a..b........
        .............
        .............
        .............
        """),
        3,
    )
    assert position.victims(0) == ((1, 0),)
    after = position.play(Move(0))
    assert drawing(after).split()[0] == "....a........"
    assert after.tokens[1] == (0, 0, 0, 0)


def test_on_a_star_nobody_is_captured() -> None:
    position = drawn("""
        .....a..b....
        .............
        .............
        .............
    """)
    after = rolled(position, 3).play(Move(0))
    assert after.square(Seat(0), 0) == after.square(Seat(1), 0) == 8
    assert_turn_passed(after, to="b")


@pytest.mark.parametrize("options", [{}, {"stars_safe": "no"}])
def test_on_a_start_nobody_is_captured_even_where_nobody_sits(options: Options) -> None:
    position = drawn(
        """
        ............a
        b............
        .............
        .............
        """,
        options=options,
    )
    after = rolled(position, 1).play(Move(0))
    assert after.square(Seat(0), 0) == after.square(Seat(1), 0) == 13


def test_on_a_star_that_is_not_safe_a_rival_is_captured() -> None:
    position = drawn(
        """
        .....a..b....
        .............
        .............
        .............
        """,
        options={"stars_safe": "no"},
    )
    assert rolled(position, 3).play(Move(0)).tokens[1] == (0, 0, 0, 0)


def test_tokens_of_one_seat_do_not_capture_each_other() -> None:
    position = drawn("""
        ..a.a........
        .............
        .............
        .............
    """)
    after = rolled(position, 2).play(Move(1))
    assert drawing(after).split()[0] == "....A........"


def test_a_lane_belongs_to_its_seat_alone() -> None:
    position = drawn(EMPTY, lanes={"a": (52,), "b": (55,)})
    after = rolled(position, 3).play(Move(0))
    assert after.tokens == ((55, 0, 0, 0), (55, 0, 0, 0))


# Rolling again

HUNTER = """
    .a..b........
    .............
    .............
    .............
"""


def test_a_six_gives_another_roll() -> None:
    position = rolled(start(), 6)
    after = position.play(Move(0))
    assert (after.turn, after.seat) == (CHANCE, 0)
    step = event_of(position, Move(0))
    assert isinstance(step, Step)
    assert step.left_yard
    assert step.again == (Again.SIX,)


def test_a_capture_gives_another_roll() -> None:
    position = rolled(drawn(HUNTER), 3)
    assert position.play(Move(0)).seat == 0
    step = event_of(position, Move(0))
    assert isinstance(step, Step)
    assert (step.again, step.captured) == ((Again.CAPTURE,), ((1, 0),))


def test_a_token_that_comes_home_gives_another_roll() -> None:
    position = rolled(drawn(EMPTY, lanes={"a": (54,)}), 3)
    assert position.play(Move(0)).seat == 0
    step = event_of(position, Move(0))
    assert isinstance(step, Step)
    assert (step.again, step.came_home) == ((Again.HOME,), True)


@pytest.mark.parametrize(
    ("option", "position", "pips"),
    [
        ("extra_six", EMPTY, 6),
        ("extra_capture", HUNTER, 3),
        ("extra_home", EMPTY, 3),
    ],
)
def test_what_gives_no_other_roll_by_the_rules_passes_the_turn(
    option: str, position: str, pips: int
) -> None:
    lanes = {"a": (54,)} if option == "extra_home" else {}
    before = drawn(position, lanes=lanes, options={option: "no"})
    assert_turn_passed(rolled(before, pips).play(Move(0)), to="b")


def test_a_six_with_which_nothing_can_move_passes_the_turn() -> None:
    position = drawn("""
        B............
        .............
        .............
        .............
    """)
    assert_turn_passed(rolled(position, 6), to="b")


# The third six


def test_the_third_six_in_a_row_is_not_played_and_the_turn_is_over() -> None:
    before = rolled(start(), 6, 6).play(Move(0))
    after = before.play(Move(6))
    assert_turn_passed(after, to="b")
    assert after.tokens == before.tokens
    assert event_of(before, Move(6)) == Roll(Seat(0), 6, RollOutcome.THIRD_SIX, None)


def test_sixes_count_only_in_a_row() -> None:
    position = drawn("""
        a....b.......
        .............
        .............
        .............
    """)
    position = rolled(position, 6).play(Move(1))
    position = rolled(position, 5).play(Move(0))
    assert position.seat == 0
    position = rolled(position, 6).play(Move(0))
    assert rolled(position, 6).die == 6


def test_a_third_six_is_played_where_it_is_allowed() -> None:
    position = rolled(start(options={"third_six": "allowed"}), 6, 6, 6, 6, 6)
    assert (position.seat, position.die) == (0, 6)


def test_the_third_six_sends_the_last_moved_token_back_where_the_rules_say_so() -> None:
    position = drawn(
        """
        ..a..........
        .............
        .............
        .............
        """,
        options={"third_six": "token back"},
    )
    position = rolled(position, 6).play(Move(1))
    position = rolled(position, 6).play(Move(0))
    assert event_of(position, Move(6)) == Roll(Seat(0), 6, RollOutcome.THIRD_SIX, (Seat(0), 0))
    after = position.play(Move(6))
    assert after.tokens[0] == (0, 1, 0, 0)
    assert_turn_passed(after, to="b")


def test_a_token_that_is_home_is_not_sent_back() -> None:
    position = drawn(EMPTY, lanes={"a": (53,)}, options={"third_six": "token back"})
    position = rolled(position, 6, 6).play(Move(1))
    position = position._replace(tokens=((51, 1, 0, 0), position.tokens[1]), sixes=1)
    position = rolled(position, 6).play(Move(0))
    assert homes(position) == "a1 b0"
    assert homes(position.play(Move(6))) == "a1 b0"


# Blocks


@pytest.mark.parametrize("pips", [3, 4, 5])
def test_no_rival_lands_on_a_block_or_passes_it(pips: int) -> None:
    position = drawn("""
        ...a..B......
        .............
        .............
        .............
    """)
    assert_turn_passed(rolled(position, pips), to="b")
    assert rolled(position, 2).moves() == (0,)


def test_a_block_on_a_start_keeps_the_yard_closed() -> None:
    position = drawn("""
        B............
        ....a........
        .............
        .............
    """)
    assert rolled(position, 6).moves() == (0,)


def test_a_seat_passes_its_own_block() -> None:
    position = drawn("""
        ...a..A......
        .............
        .............
        .............
    """)
    walker = position.tokens[0].index(4)
    for pips in (3, 5):
        assert walker in rolled(position, pips).moves()


def test_two_seats_on_a_safe_square_are_no_block() -> None:
    position = drawn(
        """
        ......a.b....
        .............
        .............
        .............
        """,
        seats=3,
    )
    shared = position._replace(tokens=(*position.tokens[:2], (35, 0, 0, 0)))
    assert shared.square(Seat(2), 0) == shared.square(Seat(1), 0) == 8
    assert rolled(shared, 2).moves() == rolled(shared, 3).moves() == (0,)


def test_where_blocks_are_off_two_rivals_are_passed_or_captured_together() -> None:
    position = drawn(
        """
        ...a..B......
        .............
        .............
        .............
        """,
        options={"blocks": "off"},
    )
    assert drawing(rolled(position, 5).play(Move(0))).split()[0] == "......B.a...."
    after = rolled(position, 3).play(Move(0))
    assert drawing(after).split()[0] == "......a......"
    assert after.tokens[1] == (0, 0, 0, 0)


def test_a_wall_is_not_passed_but_landing_on_it_captures_both() -> None:
    position = drawn(
        """
        ...a..B......
        .............
        .............
        .............
        """,
        options=GAME.presets["damascus"],
    )
    assert_turn_passed(rolled(position, 5), to="b")
    after = rolled(position, 3).play(Move(0))
    assert after.tokens[1] == (0, 0, 0, 0)
    assert after.seat == 0


def test_on_a_safe_square_nobody_lands_on_a_wall() -> None:
    position = drawn(
        """
        ...a....B....
        .............
        .............
        .............
        """,
        options=GAME.presets["damascus"],
    )
    assert_turn_passed(rolled(position, 5), to="b")


# Home


@pytest.mark.parametrize(("pips", "moves"), [(2, (0,)), (3, (0,)), (4, ()), (5, ())])
def test_home_needs_the_exact_number(pips: int, moves: tuple[int, ...]) -> None:
    position = rolled(drawn(EMPTY, lanes={"a": (54,)}), pips)
    assert position.moves() == (moves if position.die else tuple(range(1, 7)))
    assert bool(position.die) == bool(moves)


def test_a_token_overshoots_home_where_that_is_allowed() -> None:
    position = drawn(EMPTY, lanes={"a": (54,)}, options={"home": "overshooting"})
    assert homes(rolled(position, 5).play(Move(0))) == "a1 b0"


@pytest.mark.parametrize(
    ("taken", "slot"), [((), 55), ((55,), 54), ((55, 54), 53), ((55, 54, 53), 52)]
)
def test_a_slot_is_entered_only_if_it_is_the_deepest_free_one(
    taken: tuple[int, ...], slot: int
) -> None:
    position = drawn(
        """
        .............
        .............
        .............
        ..........a..
        """,
        lanes={"a": taken},
        options=GAME.presets["damascus"],
    )
    for pips in range(1, 6):
        at = rolled(position, pips)
        reached = [at.target(token) for token in at.moves()] if at.die else []
        target = 50 + pips
        assert reached == ([target] if target in {51, slot} else [])


def test_a_token_in_its_slot_is_home_and_moves_no_more() -> None:
    position = drawn(EMPTY, lanes={"a": (55, 54, 53)}, options=GAME.presets["damascus"])
    assert homes(position) == "a3 b0"
    for pips in range(1, 6):
        assert_turn_passed(rolled(position, pips), to="b")


# The end


def test_the_first_to_bring_all_tokens_home_wins() -> None:
    position = rolled(drawn(EMPTY, lanes={"a": (57, 57, 57, 56)}), 1)
    step = event_of(position, Move(3))
    over = position.play(Move(3))
    assert over.moves() == ()
    assert over.payoff() == (1.0, -1.0)
    assert isinstance(step, Step)
    assert (step.place, step.again) == (1, ())


def test_the_losers_share_the_loss() -> None:
    over = rolled(drawn(EMPTY, seats=4, lanes={"a": (57, 57, 57, 56)}), 1).play(Move(3))
    assert over.payoff() == pytest.approx((1.0, -1 / 3, -1 / 3, -1 / 3))


def test_the_others_play_on_for_the_places() -> None:
    ends = {"a": (57, 57, 57, 56), "b": (57, 57, 57, 56), "c": (57, 57, 57, 56)}
    position = drawn(EMPTY, seats=4, lanes=ends, options={"finish": "places"})
    position = rolled(position, 1).play(Move(3))
    assert_turn_passed(position, to="b")
    position = rolled(position, 2)
    assert_turn_passed(position, to="c")
    position = rolled(position, 1).play(Move(3))
    assert_turn_passed(position, to="d")
    position = rolled(position, 5)
    assert_turn_passed(position, to="b")
    over = rolled(position, 1).play(Move(3))
    assert over.placed == (0, 2, 1)
    assert over.payoff() == pytest.approx((1.0, -1 / 3, 1 / 3, -1.0))


# Teams

TEAMS: Options = {"teams": "yes"}


@pytest.mark.parametrize("options", [{"finish": "places"}, {"teams": "yes"}, {}])
def test_a_seat_whose_place_is_decided_has_no_more_turns_and_keeps_its_payoff(
    options: Options,
) -> None:
    rng, position = Random(1), GAME.start(4, {"tokens": 1, **options})
    decided: list[Seat] = []
    while position.legal:
        assert position.seat not in GAME.decided(position)
        decided = [*GAME.decided(position)]
        position = position.play(rng.choice(position.legal))
    payoff = position.payoff()
    assert payoff is not None
    assert [round(3 * payoff[seat]) for seat in decided] == ([3, 1] if "finish" in options else [])


def test_partners_do_not_capture_each_other() -> None:
    position = drawn(
        """
        .a..c........
        .............
        .............
        .............
        """,
        seats=4,
        options=TEAMS,
    )
    after = rolled(position, 3).play(Move(0))
    assert after.square(Seat(0), 0) == after.square(Seat(2), 0) == 4


def test_partners_pass_each_others_blocks() -> None:
    position = drawn(
        """
        .a..C........
        .............
        .............
        .............
        """,
        seats=4,
        options=TEAMS,
    )
    assert rolled(position, 5).moves() == (0,)


def test_a_rival_captures_both_partners_where_they_share_a_square() -> None:
    position = drawn(
        """
        .a..b........
        .............
        .............
        .............
        """,
        seats=4,
        options=TEAMS,
    )
    shared = position._replace(tokens=(*position.tokens[:3], (18, 0, 0, 0)))
    after = rolled(shared, 3).play(Move(0))
    assert after.tokens[1] == after.tokens[3] == (0, 0, 0, 0)


def test_a_finished_seat_rolls_for_its_partner() -> None:
    position = drawn(
        """
        .............
        .............
        ..c..........
        .............
        """,
        seats=4,
        lanes={"a": (57, 57, 57, 57)},
        options=TEAMS,
    )
    position = rolled(position, 5)
    assert (position.turn, position.owner) == (0, 2)
    after = position.play(Move(0))
    assert after.square(Seat(2), 0) == 33
    assert_turn_passed(after, to="b")


def test_the_roll_earned_by_the_last_token_home_is_for_the_partner() -> None:
    position = drawn(EMPTY, seats=4, lanes={"a": (57, 57, 57, 56)}, options=TEAMS)
    position = rolled(position, 1).play(Move(3))
    assert (position.turn, position.seat, position.owner) == (CHANCE, 0, 2)


def test_a_team_wins_when_both_are_home() -> None:
    done = (57, 57, 57, 57)
    lanes = {"a": done, "b": done, "c": (57, 57, 57, 56)}
    over = rolled(drawn(EMPTY, seats=4, lanes=lanes, options=TEAMS), 1).play(Move(3))
    assert over.moves() == ()
    assert over.payoff() == (1.0, -1.0, 1.0, -1.0)


# Options


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"tokens": 1, "blocks": "closed"}, ("tokens", "blocks")),
        ({"tokens": 1, "blocks": "walls"}, ("tokens", "blocks")),
        ({"extra_six": "no", "third_six": "allowed"}, ("extra_six", "third_six")),
        ({"extra_six": "no", "third_six": "token back"}, ("extra_six", "third_six")),
        ({"lane": "slots", "home": "overshooting"}, ("lane", "home")),
        ({"teams": "yes", "finish": "places"}, ("teams", "finish")),
    ],
)
def test_options_that_contradict_each_other_are_refused_with_both_named(
    options: Options, named: tuple[str, str]
) -> None:
    with pytest.raises(InvalidOptions) as refusal:
        GAME.settled(options)
    assert refusal.value.key in named
    assert all(name in str(refusal.value) for name in named)


def test_teams_take_four_seats() -> None:
    with pytest.raises(InvalidOptions, match="teams needs seats to be 4, not 3"):
        GAME.start(3, TEAMS)


def test_a_single_token_settles_on_no_blocks() -> None:
    assert GAME.settled({"tokens": 1})["blocks"] == "off"


def test_equal_positions_stay_equal_however_many_kinds_of_table_come_between() -> None:
    before = GAME.start(2, {})
    table.cache_clear()
    after = GAME.start(2, {})
    assert (after, hash(after)) == (before, hash(before))
    assert after not in {GAME.start(2, {"stars_safe": "no"}), GAME.start(3, {})}


@pytest.mark.parametrize("preset", GAME.presets)
def test_settling_a_preset_twice_changes_nothing(preset: str) -> None:
    once = GAME.settled(GAME.presets[preset])
    assert GAME.settled(once) == once


def test_damascus_is_the_game_of_the_student_report() -> None:
    assert GAME.settled(GAME.presets["damascus"]) == {
        "tokens": 4,
        "leave_on": "6",
        "extra_six": "yes",
        "extra_capture": "yes",
        "extra_home": "no",
        "third_six": "turn over",
        "stars_safe": "yes",
        "blocks": "walls",
        "home": "exact",
        "lane": "slots",
        "finish": "first",
        "teams": "no",
        "begins": "highest roll",
    }
