"""What Ludo positions are worth: the report's sums, the race, the features and the weights."""

from __future__ import annotations

import json
from datetime import date
from importlib import resources
from math import exp
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.evaluations.features import NAMES, features
from engine.evaluations.race import STEPS_A_TURN, nearest, packed, race, solve
from engine.evaluations.report import Report
from engine.evaluations.trained import Judge, sharpness
from engine.evaluations.weights import Record, WrongFeatures, read, shipped, weights_for, written
from engine.game import CHANCE, Move, Options, Seat
from engine.games.ludo import GAME, Position, rules
from tests.engine.ludo_positions import standing, to_roll

PRESETS = list(GAME.presets)
every_preset = pytest.mark.parametrize("preset", PRESETS)


def worth(position: Position, *plies: int) -> tuple[float, ...]:
    """What the report values the way through `plies` at, by seat."""
    way, judged = Report().begin(position)
    for ply in plies:
        way = way.play(Move(ply))
    return tuple(judged(way))


# -- the report


def test_the_report_values_a_move_by_its_pips() -> None:
    assert worth(standing((10, 0, 0, 0), (0, 0, 0, 0)), 4, 0) == (4, -4)


def test_the_report_values_leaving_the_yard_at_seven() -> None:
    assert worth(standing((10, 0, 0, 0), (0, 0, 0, 0)), 6, 1) == (7, -7)


def test_the_report_values_a_token_that_comes_home_at_its_pips_and_25() -> None:
    assert worth(standing((54, 0, 0, 0), (0, 0, 0, 0)), 3, 0) == (28, -28)


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

    It plays for whichever token is foremost, which is best where one token is left.
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
def test_one_token_races_as_long_as_in_a_simulation(tokens: tuple[int], leave_on: str) -> None:
    options: Options = {"tokens": 1, "leave_on": leave_on}
    table = race(rules(GAME.settled(options)))
    assert table.expected(tokens) == pytest.approx(
        simulated(tokens, options, 4000, Random(1)), rel=0.06
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

    def after(a: int, b: int, die: int) -> float:
        ways = [(stepped(a, die), b), (a, stepped(b, die))]
        reached = [turns[max(way), min(way)] for way in ways if sum(way) > a + b]
        return min(reached, default=turns[a, b])

    for _ in range(2000):
        change = 0.0
        for (a, b), before in turns.items():
            if (a, b) != (57, 57):
                turns[a, b] = 1 + sum(after(a, b, die) for die in range(1, 7)) / 6
                change = max(change, turns[a, b] - before)
        if change < 1e-9:
            break
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


def scored(position: Position, weights: list[float]) -> list[float]:
    """The score of each seat from the definition: its features times the weights."""
    table = position.table
    turns = [race(table.rules).expected(own) for own in position.tokens]
    scale = sharpness(sum(turns) / len(turns))
    rows = (features(position, Seat(seat)) for seat in range(table.seats))
    return [scale * sum(map(float.__mul__, row, weights)) for row in rows]


@settings(max_examples=150, deadline=None)
@given(position=to_roll(), seed=st.integers(0, 9))
def test_the_judge_scores_every_seat_by_its_features_times_the_weights(
    position: Position, seed: int
) -> None:
    rng = Random(seed)
    weights = [rng.gauss(0, 1) for _ in NAMES]
    assert Judge(position.table, weights).scores(position) == pytest.approx(
        scored(position, weights)
    )


@settings(max_examples=150, deadline=None)
@given(position=to_roll())
def test_what_seats_win_on_average_sums_to_zero_and_follows_their_scores(
    position: Position,
) -> None:
    judge = Judge(position.table, weights_for(position.table.rules).values)
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
    judge = Judge(position.table, weights_for(position.table.rules).values)
    assert tuple(judge.worth(position)) == position.payoff() == (1, -1)


def seen(position: Position, seat: int) -> dict[str, float]:
    """The features of a seat that are not 0, without those that count tokens and their steps."""
    values = dict(zip(NAMES, features(position, Seat(seat)), strict=True))
    kept = (
        "near",
        "far",
        "blocks",
        "to roll",
        "2 in",
        "3 in",
        "4 in",
        "1 home",
        "2 home",
        "3 home",
    )
    return {name: value for name, value in values.items() if value and name.startswith(kept)}


def test_a_token_four_squares_before_a_rival_is_near_it_and_its_steps_count() -> None:
    # b on ring square 28 (its progress 3) and a on 32 (a's progress 33); a has one chance in six
    # to be captured by the next roll, which is b's.
    position = standing((33, 0, 0, 57), (3, 57, 57, 57), to_roll=1)
    assert seen(position, 0) == {
        "2 in yard": 1,
        "1 home": 1,
        "near now": pytest.approx(1 / 6),
        "near now steps": pytest.approx(33 / 51 / 6),
    }
    assert "near later" in seen(position._replace(seat=Seat(0)), 0)


def test_a_token_ten_squares_before_a_rival_or_four_after_its_start_is_far_from_it() -> None:
    ten_before = standing((39, 57, 57, 57), (3, 57, 57, 57), to_roll=1)
    assert seen(ten_before, 0)["far"] == pytest.approx(1 / 36)
    after_its_start = standing((31, 57, 57, 57), (0, 0, 57, 57), to_roll=1)
    assert seen(after_its_start, 0)["far"] == pytest.approx(1 / 36)
    assert "near now" not in seen(after_its_start, 0)


def test_safe_squares_blocks_and_tokens_that_a_rival_has_passed_are_not_exposed() -> None:
    star = standing((35, 57, 57, 57), (5, 57, 57, 57), to_roll=1)
    block = standing((33, 33, 57, 57), (3, 57, 57, 57), to_roll=1)
    passed = standing((33, 57, 57, 57), (10, 57, 57, 57), to_roll=1)
    for position in (star, block, passed):
        assert not {"near now", "far"} & set(seen(position, 0))
    assert seen(block, 0)["blocks"] == 1
    without_blocks = standing((33, 33, 57, 57), (3, 57, 57, 57), to_roll=1, blocks="off")
    assert seen(without_blocks, 0)["near now"] == pytest.approx(2 / 6)


@every_preset
def test_every_preset_has_weights_of_its_own_with_a_record_of_how_they_were_made(
    preset: str,
) -> None:
    weights = weights_for(rules(GAME.settled(GAME.presets[preset])))
    assert (weights.preset, weights.exact) == (preset, True)
    assert len(weights.values) == len(NAMES)
    file = resources.files("engine.evaluations") / "data" / f"trained-{preset}.json"
    made = Record(**json.loads(file.read_text(encoding="utf-8"))["made"])
    assert made.preset == preset
    assert f"engine train {preset} --seats {made.seats}" in made.command
    assert made.positions > 1000
    assert 0 < made.error < 0.1
    assert date.fromisoformat(made.date).isoformat() == made.date


def test_rules_without_weights_of_their_own_say_whose_they_use() -> None:
    weights = weights_for(rules(GAME.settled({"stars_safe": "no"})))
    assert str(weights) == "trained for classic, the preset nearest to these rules"
    assert weights.values == shipped("classic")


def test_weights_are_read_as_they_were_written_and_only_for_the_same_features() -> None:
    record = Record("command", "classic", 2, 1, 1, 0.8, 0.1, 1, 10, 0.1, "2026-01-01")
    text = written([index / 4 for index in range(len(NAMES))], record)
    assert list(read(text)) == [index / 4 for index in range(len(NAMES))]
    other = json.loads(text)
    other["made"]["features"] = 0
    with pytest.raises(WrongFeatures, match="weights for features 0"):
        read(json.dumps(other))
