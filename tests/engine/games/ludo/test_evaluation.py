"""Evaluations of Ludo: the report's sums, the race, the features and the weights."""

from __future__ import annotations

import gc
import json
import weakref
from bisect import bisect_right
from datetime import date
from importlib import resources
from math import exp
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import CHANCE, Move, Options, Seat
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.evaluation.features import (
    COUNT,
    FIRST,
    SIZES,
    features,
    hunt,
    pair,
    yard_hunt,
)
from engine.games.ludo.evaluation.race import STEPS_A_TURN, nearest, packed, race, solve
from engine.games.ludo.evaluation.report import StudentReport
from engine.games.ludo.evaluation.trained import (
    FEWER,
    JUDGES_KEPT,
    SIDES_KEPT,
    Judge,
    TrainingRecord,
    WrongFeatures,
    judge,
    read,
    sharpness,
    shipped,
    weights_for,
    written,
)
from engine.games.ludo.rules import rules
from tests.engine.games.ludo.positions import TABLES, random_game, standing, to_roll

PRESETS = list(GAME.presets)
every_preset = pytest.mark.parametrize("preset", PRESETS)


def test_what_is_kept_for_house_rules_is_bounded_and_the_rest_let_go() -> None:
    assert len(TABLES) > JUDGES_KEPT
    judges = []
    for seats, options in TABLES:
        state = GAME.start(seats, options)
        judges.append(weakref.ref(judge(state.table)))
    gc.collect()
    assert judge.cache_info().currsize == JUDGES_KEPT
    assert [each() is not None for each in judges].count(True) == JUDGES_KEPT


def test_what_a_judge_keeps_of_the_sides_it_has_seen_is_bounded() -> None:
    rng, judging = Random(1), judge(GAME.start(4, {}).table)
    seen: set[tuple[int, ...]] = set()
    while len(seen) <= SIDES_KEPT:
        for position in random_game(4, {}, rng):
            if position.payoff() is None:
                judging.worth(position)
                seen.update(position.tokens)
    assert judging.side.cache_info().currsize == SIDES_KEPT


def worth(position: LudoPosition, *plies: int) -> tuple[float, ...]:
    """The report's value of the way through `plies`, by seat."""
    way, judged = StudentReport().begin(position)
    for ply in plies:
        way = way.play(Move(ply))
    return tuple(judged(way))


# -- the report


def test_the_report_values_a_move_by_its_pips() -> None:
    assert worth(standing((10, 0, 0, 0), (0, 0, 0, 0)), 4, 0) == (4, -4)


def test_the_report_values_leaving_the_yard_at_seven() -> None:
    assert worth(standing((10, 0, 0, 0), (0, 0, 0, 0)), 6, 1) == (7, -7)


def test_the_report_values_a_token_that_comes_home_at_25_whatever_its_pips() -> None:
    for pips in (1, 3, 5):
        assert worth(standing((57 - pips, 0, 0, 0), (0, 0, 0, 0)), pips, 0) == (25, -25)


def test_the_report_values_a_capture_at_half_the_victims_steps_and_costs_it_them_and_nine() -> None:
    # b's token has walked 3 steps: it stands on ring square 28, a's progress 29.
    position = standing((25, 0, 0, 0), (3, 0, 0, 0))
    gained, lost = 4 + 3 / 2, 3 + 9
    assert worth(position, 4, 0) == (gained + lost, -gained - lost)


def test_the_report_values_add_up_along_the_way() -> None:
    # a moves 4, b leaves its yard on a 6 and moves 3 on the roll that earns it.
    assert worth(standing((10, 0, 0, 0), (0, 0, 0, 0)), 4, 0, 6, 0, 3, 0) == (4 - 10, 10 - 4)


def test_with_three_seats_the_report_values_each_gain_for_itself() -> None:
    # b captures c's token, which stands on ring square 28: 16 steps of b, 3 of c.
    position = standing((10, 0, 0, 0), (12, 0, 0, 0), (3, 0, 0, 0), to_roll=1)
    assert worth(position, 4, 0) == (0, 4 + 1.5, -12)


def test_in_teams_the_report_values_what_partners_gain_together() -> None:
    position = standing(
        (10, 0, 0, 0), (12, 0, 0, 0), (3, 0, 0, 0), (0, 0, 0, 0), to_roll=1, teams="yes"
    )
    lead = 4 + 1.5 + 12
    assert worth(position, 4, 0) == (-lead, lead, -lead, lead)


# -- the race


def simulated(tokens: tuple[int, ...], options: Options, games: int, rng: Random) -> float:
    """The turns that a seat needs on average to bring `tokens` home, its rival rolling in vain.

    It moves the foremost token, which is best where one token is left.
    """
    turns = 0
    for _ in range(games):
        idle = (0,) * len(tokens)
        state = GAME.start(2, options)._replace(tokens=(tokens, idle), seat=Seat(0), opening=())
        turns += 1
        while state.moves():
            if state.turn == CHANCE:
                after = state.play(Move(rng.randint(1, 6)))
            else:
                after = state.play(max(state.moves(), key=lambda m: state.tokens[0][m]))
            if after.moves() and after.seat == 1:
                after = after._replace(seat=Seat(0))
                turns += 1
            state = after
    return turns / games


@pytest.mark.parametrize("tokens", [(0,), (30,), (52,), (56,)])
@pytest.mark.parametrize("leave_on", ["6", "1 or 6"])
def test_one_token_races_as_long_as_in_a_simulation(
    tokens: tuple[int], leave_on: str, exhaustive: bool
) -> None:
    options: Options = {"tokens": 1, "leave_on": leave_on}
    table = race(rules(GAME.settled(options)))
    games, near = (4_000, 0.06) if exhaustive else (1_000, 0.12)
    assert table.expected(tokens) == pytest.approx(
        simulated(tokens, options, games, Random(1)), rel=near
    )


@every_preset
def test_a_finished_race_takes_no_turn_and_its_last_step_an_exact_number(preset: str) -> None:
    house = rules(GAME.settled(GAME.presets[preset]))
    table = race(house)
    if preset == "damascus":  # four slots, 52 to 55; the last token needs the one next to the ring
        assert table.expected((55, 54, 53, 52)) == 0
        assert table.expected((55, 54, 53, 51)) == pytest.approx(6, abs=0.05)
        return
    done = (57,) * (house.tokens - 1)
    assert table.expected((*done, 57)) == 0
    # One step short: only a 1 does, and every other roll waits; a 6 that cannot move ends the turn.
    assert table.expected((*done, 56)) == pytest.approx(6, abs=1 / STEPS_A_TURN)


def test_two_tokens_race_as_value_iteration_says() -> None:
    # Two tokens without any extra roll, leaving on 6: the turns t(a, b) fulfil
    # t = 1 + mean over the dice of the best t that a step leads to, or t itself.
    house = rules(
        GAME.settled({"tokens": 2, "extra_six": "no", "extra_home": "no", "blocks": "off"})
    )
    turns = {(a, b): 0.0 for a in range(58) for b in range(a + 1)}

    def stepped(progress: int, die: int) -> int:
        if progress == 0:
            return 1 if die == 6 else 0
        return progress + die if progress + die <= 57 else 0

    def best(a: int, b: int, die: int) -> float | None:
        ways = [(stepped(a, die), b), (a, stepped(b, die))]
        return min((turns[max(way), min(way)] for way in ways if sum(way) > a + b), default=None)

    for a, b in reversed(turns):  # nearer to home first, so that only `t` itself is not known yet
        if (a, b) != (57, 57):
            ahead = [best(a, b, die) for die in range(1, 7)]
            before, now = -1.0, 0.0
            while now - before > 1e-12:
                before, now = now, 1 + sum(now if t is None else t for t in ahead) / 6
            turns[a, b] = now
    table = race(house)
    for (a, b), expected in turns.items():
        assert table.expected((a, b)) == pytest.approx(expected, abs=1e-6)


def test_the_order_of_the_tokens_does_not_matter_to_a_race() -> None:
    table, rng = race(rules(GAME.settled({}))), Random(1)
    for _ in range(300):
        own = [rng.randint(0, 57) for _ in range(4)]
        assert table.expected(tuple(own)) == table.expected(tuple(sorted(own)))


def test_four_tokens_of_which_two_are_home_race_like_two() -> None:
    # Nothing in the rules of classic depends on how many tokens are home already.
    four = race(rules(GAME.settled({})))
    two = race(rules(GAME.settled({"tokens": 2})))
    rng = Random(2)
    for _ in range(200):
        own = (rng.randint(0, 57), rng.randint(0, 57))
        assert four.expected((57, 57, *own)) == pytest.approx(two.expected(own), abs=0.01)


def test_a_packed_table_is_smaller_than_its_numbers_and_solving_is_reproducible() -> None:
    house = rules(GAME.settled(GAME.presets["quick"]))
    assert solve(house) == solve(house)
    assert len(packed(solve(house))) < 2 * len(solve(house).turns)


@pytest.mark.parametrize(
    ("options", "preset"),
    [
        ({}, "classic"),
        ({"home": "overshooting", "stars_safe": "no"}, "classic"),
        ({"tokens": 2}, "quick"),
        ({"tokens": 1}, "quick"),
        ({"lane": "slots"}, "damascus"),
    ],
)
def test_other_rules_are_nearest_to_the_preset_they_share_most_with(
    options: Options, preset: str
) -> None:
    assert nearest(rules(GAME.settled(options)), PRESETS) == preset


# -- the features and the weights


def scored(position: LudoPosition, weights: list[float]) -> list[float]:
    """The score of each seat from the definition: its features times the weights."""
    table = position.table
    turns = [race(table.rules).expected(own) for own in position.tokens]
    scale = sharpness(sum(turns) / len(turns))
    rows = (features(position, Seat(seat)) for seat in range(table.seats))
    return [scale * sum(weights[number] * value for number, value in row) for row in rows]


@given(position=to_roll(), seed=st.integers(0, 9))
def test_the_judge_scores_every_seat_by_its_features_times_the_weights(
    position: LudoPosition, seed: int
) -> None:
    rng = Random(seed)
    weights = [rng.gauss(0, 1) for _ in range(COUNT)]
    judge = Judge(position.table, weights)
    assert judge.scores(position) == pytest.approx(scored(position, weights))


@given(position=to_roll())
def test_what_seats_win_on_average_sums_to_zero_and_follows_their_scores(
    position: LudoPosition,
) -> None:
    judge = Judge(
        position.table, weights_for(position.table.rules, seats=position.table.seats).values
    )
    worth, scores = judge.worth(position), judge.scores(position)
    assert sum(worth) == pytest.approx(0)
    assert all(-1 <= share <= 1 for share in worth)
    if position.table.rules.teams:
        assert worth[0] == worth[2]
        assert worth[0] == pytest.approx(
            2 / (1 + exp(scores[1] + scores[3] - scores[0] - scores[2])) - 1
        )
    else:
        by_score = sorted(range(len(scores)), key=scores.__getitem__)
        assert sorted(worth) == pytest.approx([worth[seat] for seat in by_score])


def test_the_judge_of_an_ended_game_says_what_it_has_brought() -> None:
    position = standing((57, 57, 57, 56), (0, 0, 0, 0)).play(Move(1)).play(Move(3))
    judge = Judge(
        position.table, weights_for(position.table.rules, seats=position.table.seats).values
    )
    assert tuple(judge.worth(position)) == position.payoff() == (1, -1)


def seen(position: LudoPosition, seat: int) -> dict[int, float]:
    """The sum of each feature of a seat, by its number."""
    sums: dict[int, float] = {}
    for number, value in features(position, Seat(seat)):
        sums[number] = sums.get(number, 0.0) + value
    return sums


def kinds(position: LudoPosition, seat: int) -> set[str]:
    """The kinds of features that a seat has."""
    numbers = [number for number, _ in features(position, Seat(seat))]
    first = list(FIRST.values())
    return {list(FIRST)[bisect_right(first, number) - 1] for number in numbers}


NEAR_NOW, NEAR_NOW_STEPS, NEAR_LATER, NEAR_LATER_STEPS = range(FIRST["near"], FIRST["near"] + 4)
FAR, FAR_STEPS = range(FIRST["far"], FIRST["far"] + 2)


def test_tokens_are_counted_where_they_stand_and_in_pairs() -> None:
    found = seen(standing((33, 33, 0, 57), (0, 0, 0, 0)), 0)
    assert found[FIRST["at"] + 33] == 2
    assert found[pair(33, 33)] == found[pair(57, 0)] == 1
    assert found[pair(33, 0)] == found[pair(0, 33)] == found[pair(33, 57)] == 2
    assert found[FIRST["in yard"] + 1] == found[FIRST["home"] + 1] == 1
    assert found[FIRST["to roll"]] == 1


def test_every_pair_and_every_hunt_has_a_number_of_its_own() -> None:
    pairs = {pair(one, other) for one in range(58) for other in range(one + 1)}
    assert pairs == set(range(FIRST["pair"], FIRST["pair"] + SIZES["pair"]))
    hunts = {
        hunt(prey, distance, later=later)
        for prey in range(1, 52)
        for distance in range(1, 52)
        for later in (False, True)
    }
    yards = {yard_hunt(d, later=later) for d in range(1, 52) for later in (False, True)}
    assert sorted(hunts | yards) == list(range(FIRST["hunt now"], COUNT))
    assert len(hunts) + len(yards) == COUNT - FIRST["hunt now"]


def test_a_token_four_squares_before_a_rival_is_its_prey_and_near_it() -> None:
    # b's progress 3 is ring square 28, a's 33 is 32; b hits it with a 4.
    position = standing((33, 0, 0, 57), (3, 57, 57, 57), to_roll=1)
    now = seen(position, 0)
    assert now[hunt(33, 4, later=False)] == 1
    assert now[NEAR_NOW] == pytest.approx(1 / 6)
    assert now[NEAR_NOW_STEPS] == pytest.approx(33 / 51 / 6)
    later = seen(position._replace(seat=Seat(0)), 0)
    assert later[hunt(33, 4, later=True)] == 1
    assert later[NEAR_LATER] == pytest.approx(1 / 6)
    assert later[NEAR_LATER_STEPS] == pytest.approx(33 / 51 / 6)


def test_a_token_ten_squares_before_a_rival_or_four_after_its_start_is_far_from_it() -> None:
    ten_before = seen(standing((39, 57, 57, 57), (3, 57, 57, 57), to_roll=1), 0)
    assert ten_before[FAR] == pytest.approx(1 / 36)
    assert ten_before[FAR_STEPS] == pytest.approx(39 / 51 / 36)
    after_its_start = seen(standing((31, 57, 57, 57), (0, 0, 57, 57), to_roll=1), 0)
    assert after_its_start[yard_hunt(5, later=False)] == 2
    assert after_its_start[FAR] == pytest.approx(2 / 36)


def test_on_a_safe_square_a_token_is_prey_but_near_nobody() -> None:
    star = standing((35, 57, 57, 57), (5, 57, 57, 57), to_roll=1)
    assert hunt(35, 4, later=False) in seen(star, 0)
    assert not {"near", "far"} & kinds(star, 0)


def test_blocks_that_close_and_tokens_that_a_rival_has_passed_are_no_prey() -> None:
    block = standing((33, 33, 57, 57), (3, 57, 57, 57), to_roll=1)
    passed = standing((33, 57, 57, 57), (10, 57, 57, 57), to_roll=1)
    for position in (block, passed):
        assert not {"hunt now", "near", "far"} & kinds(position, 0)
    without_blocks = standing((33, 33, 57, 57), (3, 57, 57, 57), to_roll=1, blocks="off")
    assert seen(without_blocks, 0)[NEAR_NOW] == pytest.approx(2 / 6)


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("preset", GAME.presets)
def test_every_table_of_a_preset_has_weights_of_its_own_with_a_record_of_how_they_were_made(
    preset: str, seats: int
) -> None:
    weights = weights_for(rules(GAME.settled(GAME.presets[preset])), seats=seats)
    assert (weights.preset, weights.exact) == (preset, True)
    assert len(weights.values) == COUNT
    seats = FEWER.get((preset, seats), seats)
    data = resources.files("engine.games.ludo.evaluation") / "data"
    file = data / f"trained-{preset}-{seats}.json"
    assert weights.values == read(file.read_text(encoding="utf-8"))
    made = TrainingRecord(**json.loads(file.read_text(encoding="utf-8"))["made"])
    assert (made.preset, made.seats) == (preset, seats)
    assert f"engine train {preset} --seats {seats}" in made.command
    assert made.positions > 1000
    assert 0 < made.error < 0.1
    assert date.fromisoformat(made.date).isoformat() == made.date


def test_rules_without_weights_of_their_own_say_whose_they_use() -> None:
    weights = weights_for(rules(GAME.settled({"stars_safe": "no"})), seats=2)
    assert str(weights) == "trained for classic, the preset nearest to these rules"
    assert weights.values == shipped("classic", 2)


RECORD = TrainingRecord(
    command="python -m engine train classic",
    preset="classic",
    seats=2,
    generations=1,
    games=1,
    trace=0.8,
    rate=0.1,
    seed=1,
    positions=10,
    error=0.1,
    date="2026-01-01",
)


def test_weights_are_read_as_they_were_written_and_only_for_the_same_features() -> None:
    text = written([index / 4 for index in range(COUNT)], RECORD)
    assert list(read(text)) == [index / 4 for index in range(COUNT)]
    other = json.loads(text)
    other["made"]["features"] = 0
    with pytest.raises(WrongFeatures, match="weights for features 0"):
        read(json.dumps(other))
