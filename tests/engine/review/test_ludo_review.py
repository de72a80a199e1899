"""Reviews of Ludo: sums of luck and loss, and reasons by definitions of their own."""

from __future__ import annotations

import itertools
import math
import pickle
from collections.abc import Callable
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import CHANCE, Budget, Move, Options, Seat, review, roster
from engine.game import Reason
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.board import ring_square
from engine.games.ludo.review import FITTED, TokenReason, against, hunters, reasons, takes
from engine.games.ludo.rules import Blocks, Finish
from engine.review.reviewer import Correction, correction
from tests.engine.games.ludo.positions import TABLES, standing, to_move
from tests.samples import Sample

QUICK = GAME.presets["quick"]

Dice = Callable[[LudoPosition, Random], Move]


def fair(state: LudoPosition, rng: Random) -> Move:
    return rng.choice(state.moves())


def game(
    agent: str,
    seats: int,
    options: Options,
    seed: int,
    dice: Dice = fair,
    *,
    rivals: str | None = None,
) -> list[Move]:
    """The moves of a game of an agent against `rivals`, or else against itself."""
    rng, moves, state = Random(seed), list[Move](), GAME.start(seats, options)
    names = [agent, *[rivals or agent] * (seats - 1)]
    players = [roster.entrant(GAME, name).agent(rng) for name in names]
    while state.moves():
        at_chance = state.turn == CHANCE
        moves.append(dice(state, rng) if at_chance else players[state.turn].think(state).move)
        state = state.play(moves[-1])
    return moves


def adds_up(told: review.Review, seats: int) -> None:
    """The luck of one side is the bad luck of the others, roll by roll and in the whole game."""
    for luck in (
        *(roll.luck for roll in told.rolls),
        [told.luck(Seat(seat)) for seat in range(seats)],
    ):
        assert sum(luck) == pytest.approx(0, abs=1e-9)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_in_every_game_the_luck_of_all_seats_adds_up_to_nothing(
    seats: int, options: Options
) -> None:
    moves = game("random", seats, options, seed=5)
    told = review.review("ludo", seats, options, moves[:120])
    adds_up(told, seats)
    assert all(move.loss >= 0 for move in told.moves)
    sides = len(set(GAME.sides(seats, options)))
    for chances in told.chances:
        assert sum(chances) == pytest.approx(seats / sides, abs=1e-9)


def test_a_whole_game_ends_with_its_result_and_begins_nearly_even() -> None:
    moves = game("rules", 2, QUICK, seed=2)
    told = review.review("ludo", 2, QUICK, moves)
    winner = GAME.replay(2, QUICK, moves).payoff().index(1.0)  # type: ignore[union-attr]
    assert told.chances[-1][winner] == 1
    assert 0.4 < told.chances[0][0] < 0.6
    adds_up(told, 2)
    assert told.first == 0
    assert len(told.plies) == len(moves)
    assert any(move.loss > 0.02 for move in told.moves)
    assert told == review.review("ludo", 2, QUICK, moves)
    assert pickle.loads(pickle.dumps(told)) == told  # noqa: S301


def test_the_first_home_keeps_its_win_while_the_others_play_on_for_places() -> None:
    options: Options = {**QUICK, "finish": "places"}
    moves = game("rules", 3, options, seed=2)
    found = review.review("ludo", 3, options, moves)
    path = GAME.path(3, options, moves)
    first = next(ply for ply, position in enumerate(path) if position.placed)
    assert first < len(moves) - 2, "others play on"
    won = tuple(float(seat == path[first].placed[0]) for seat in range(3))
    for chances in found.chances[first:]:
        assert chances == pytest.approx(won)
    for behind in found.plies[first:]:
        changed = behind.luck if isinstance(behind, review.RollReview) else (behind.loss,)
        assert changed == pytest.approx([0] * len(changed))
    assert all(sum(chances) == pytest.approx(1) for chances in found.chances)


def test_the_accuracy_leaves_out_choices_made_after_another_has_won() -> None:
    """As if the game was broken off when the first seat came home."""
    options: Options = {**QUICK, "finish": "places"}
    moves = game("random", 4, options, seed=4)
    found = review.review("ludo", 4, options, moves)
    path = GAME.path(4, options, moves)
    first = next(ply for ply, position in enumerate(path) if position.placed)
    until_then = review.review("ludo", 4, options, moves[:first])
    graded = {move.grade for move in found.moves if move.ply >= first}
    assert graded == {review.Grade.BEST}, "nothing is lost there"
    for seat in map(Seat, range(4)):
        accuracy = until_then.accuracy(seat)
        assert found.accuracy(seat) == accuracy != 1


@pytest.mark.parametrize("seats", [3, 4])
def test_where_all_play_for_places_the_first_home_wins_and_nobody_after_it(seats: int) -> None:
    options: Options = {**QUICK, "finish": "places"}
    moves = game("rules", seats, options, seed=2)
    found = [
        TokenReason.WINS in {reason.kind for reason in reasons(position, move)}
        for position, move in zip(GAME.path(seats, options, moves)[:-1], moves, strict=True)
        if position.turn != CHANCE and position.play(move).placed != position.placed
    ]
    assert found == [True, *[False] * (seats - 2)]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("rivals", ["rules", "random"])
def test_luck_is_nothing_on_average_however_much_better_a_player_is(
    rivals: str, exhaustive: bool
) -> None:
    wanted, widest = (10_000, 0.002) if exhaustive else (400, 0.01)
    rolls: list[review.RollReview] = []
    for seed in itertools.count():
        moves = game("rules", 2, QUICK, seed, rivals=rivals)
        rolls += review.review("ludo", 2, QUICK, moves).rolls
        if len(rolls) >= wanted:
            break
    for lucks in ([roll.luck[roll.seat] for roll in rolls], [roll.luck[0] for roll in rolls]):
        reach = 3.29 * stdev(lucks) / len(lucks) ** 0.5  # of 999 in 1,000 samples
        assert abs(fmean(lucks)) < reach < widest


def test_luck_does_not_depend_on_how_the_game_went_on() -> None:
    moves = game("rules", 2, QUICK, seed=3)
    whole = {roll.ply: roll.luck for roll in review.review("ludo", 2, QUICK, moves).rolls}
    begun = {roll.ply: roll.luck for roll in review.review("ludo", 2, QUICK, moves[:60]).rolls}
    assert len(begun) > 20
    assert begun == {ply: luck for ply, luck in whole.items() if ply < 60}


def test_the_expert_loses_nothing_at_its_own_depth(sample: Sample) -> None:
    all_games: tuple[tuple[int, Options, int], ...] = (
        (2, {}, 1),
        (2, QUICK, 2),
        (3, QUICK, 3),
        (4, QUICK, 4),
    )
    for seats, options, seed in sample(all_games, 1):
        told = review.review("ludo", seats, options, game("expectiminimax:3", seats, options, seed))
        assert told.moves
        assert {move.loss for move in told.moves} == {0.0}
        assert all(told.accuracy(Seat(seat)) == 1 for seat in range(seats))


def test_a_seat_that_rolls_sixes_is_lucky_and_plays_no_better() -> None:
    options: Options = {**QUICK, "third_six": "allowed", "home": "overshooting"}

    def loaded(state: LudoPosition, rng: Random) -> Move:
        return Move(6) if state.seat == 0 and not state.opening else fair(state, rng)

    for seed in range(3):
        told = review.review("ludo", 2, options, game("expectiminimax:3", 2, options, seed, loaded))
        assert told.chances[-1] == (1, 0)
        assert told.lost(Seat(0)) == 0
        assert told.luck(Seat(0)) > 0.25
        sixes = [roll.luck[0] for roll in told.rolls if roll.seat == 0 and roll.pips == 6]
        assert fmean(sixes) > 0


def test_the_loss_is_what_the_search_gives_the_best_move_above_the_one_played() -> None:
    moves = game("random", 2, QUICK, seed=4)
    told = review.review("ludo", 2, QUICK, moves)
    expert = roster.entrant(GAME, "expectiminimax:3").agent(Random(0))
    for move in told.moves[:20]:
        values = expert.think(GAME.replay(2, QUICK, moves[: move.ply])).values
        best, played = ((worth + 1) / 2 for worth in (max(values.values()), values[move.move]))
        lost = curve(best, "quick", 2) - curve(played, "quick", 2)
        assert move.loss == pytest.approx(lost, abs=1e-12)


def curve(chance: float, preset: str, seats: int) -> float:
    """The correction of a search's chances that the page describes, written apart."""
    steep, bend = FITTED[preset][seats]
    odds = chance / (1 - chance) * (seats - 1)
    apart = math.log(odds)
    bent: float = odds**steep * math.exp(bend * apart * min(apart**2, 4.5**2)) / (seats - 1)
    return bent / (1 + bent)


@pytest.mark.parametrize("preset", GAME.presets)
def test_chances_of_two_sides_keep_their_sum_and_their_order_when_calibrated(preset: str) -> None:
    options = GAME.presets[preset]
    teams = correction(GAME, 4, {**options, "teams": "yes"})
    for corrected in (correction(GAME, 2, options), teams):
        assert corrected.sides == 2
        told = [corrected.of(number / 100) for number in range(101)]
        assert told == sorted(set(told))
        assert (told[0], told[50], told[-1]) == (0, 0.5, 1)
        for one, other in zip(told, reversed(told), strict=True):
            assert one + other == pytest.approx(1, abs=1e-12)
    for seat in map(Seat, range(4)):
        found = teams.among((0.3, 0.7, 0.3, 0.7), seat)
        assert found == pytest.approx([teams.of(0.3), teams.of(0.7)] * 2)


@st.composite
def shares(draw: st.DrawFn) -> tuple[float, ...]:
    """Chances of three or four seats that sum to 1."""
    parts = draw(st.lists(st.floats(1e-6, 1), min_size=3, max_size=4))
    return tuple(part / sum(parts) for part in parts)


@given(shares(), st.sampled_from(sorted(GAME.presets)))
def test_chances_of_three_and_four_are_calibrated_by_what_the_page_says(
    told: tuple[float, ...], preset: str
) -> None:
    corrected = correction(GAME, len(told), GAME.presets[preset])
    for seat, chance in enumerate(told):
        found = corrected.among(told, Seat(seat))
        assert sum(found) == pytest.approx(1, abs=1e-12)
        assert min(found) >= 0
        assert found[seat] == pytest.approx(curve(chance, preset, len(told)))
    sure = (0, 1, *[0] * (len(told) - 2))
    assert corrected.among(sure, Seat(1)) == sure
    assert corrected.among(sure, Seat(0)) == sure


@given(shares(), shares(), st.floats(0.5, 3), st.floats(0, 0.1))
def test_what_is_better_for_a_seat_stays_better_when_calibrated(
    one: tuple[float, ...], other: tuple[float, ...], steep: float, bend: float
) -> None:
    corrected = Correction(len(one), steep, bend)
    for seat in map(Seat, range(3)):
        if len(one) == len(other) and one[seat] > other[seat]:
            better, worse = (corrected.among(each, seat) for each in (one, other))
            assert better[seat] >= worse[seat]


def test_chances_are_calibrated_by_the_rules_of_a_preset_alone_or_in_teams() -> None:
    for options in GAME.presets.values():
        assert review.calibrated(GAME, options)
        assert review.calibrated(GAME, {**options, "teams": "yes"})
        assert not review.calibrated(GAME, {**options, "finish": "places"})
        assert not review.calibrated(GAME, {**options, "extra_capture": "no"})
    moves = game("rules", 2, QUICK, seed=6)[:21]
    assert review.hint("ludo", 2, QUICK, moves).calibrated
    assert not review.hint("ludo", 2, {**QUICK, "stars_safe": "no"}, moves).calibrated


@pytest.mark.parametrize("stars", ["yes", "no"])
def test_a_review_of_a_game_and_of_its_move_say_alike_whether_chances_come_true(stars: str) -> None:
    options = {**QUICK, "stars_safe": stars}
    moves = game("rules", 2, options, seed=6)[:40]
    found = review.review("ludo", 2, options, moves)
    alone = review.why("ludo", 2, options, moves[: found.moves[-1].ply + 1])
    assert found.moves[-1].calibrated == alone.calibrated == (stars == "yes")


def test_the_reply_is_the_roll_and_the_move_that_hurt_most() -> None:
    # Red may stop three squares before yellow, or go on with the token in front.
    start = GAME.start(2, {"tokens": 2})
    moves = [Move(6), Move(1)]
    assert start.play(moves[0]).play(moves[1]).seat == 0
    told = review.review("ludo", 2, {"tokens": 2}, game("random", 2, {"tokens": 2}, seed=8))
    hit = [move for move in told.moves if len(move.reply) == 2 and move.loss > 0.05]
    assert hit
    for move in hit:
        state = GAME.replay(2, {"tokens": 2}, told_moves(told)[: move.ply + 1])
        rolled = state.play(move.reply[0])
        assert state.seat != move.seat
        assert move.reply[1] in rolled.moves()


def told_moves(told: review.Review) -> list[Move]:
    return [ply.pips if isinstance(ply, review.RollReview) else ply.move for ply in told.plies]


def test_a_hint_of_a_position_is_the_experts_move() -> None:
    moves = game("rules", 3, QUICK, seed=6)
    for ply in range(40, 80):
        state = GAME.replay(3, QUICK, moves[:ply])
        if state.moves() and state.turn != CHANCE and len(state.moves()) > 1:
            told = review.hint("ludo", 3, QUICK, moves[:ply])
            values = roster.entrant(GAME, "expectiminimax:3").agent(Random(0)).think(state).values
            assert values[told.move] == max(values.values())
            assert review.why("ludo", 3, QUICK, moves[: ply + 1]).move == moves[ply]


def spending(looks: int) -> Budget:
    """A budget of a number of looks at the clock."""
    ticks = itertools.count()
    return Budget(deadline=looks, clock=lambda: next(ticks))


def test_a_budget_is_spent_on_the_whole_game_before_it_is_on_what_matters_most() -> None:
    moves = game("rules", 2, QUICK, seed=6)
    told = review.review("ludo", 2, QUICK, moves, spending(3_000))
    assert told.first == 0
    assert len(told.plies) == len(moves)
    adds_up(told, 2)
    assert told.plies != review.review("ludo", 2, QUICK, moves).plies


def test_a_spent_budget_leaves_the_last_plies() -> None:
    moves = game("rules", 2, QUICK, seed=6)
    told = review.review("ludo", 2, QUICK, moves, spending(300))
    assert 0 < len(told.plies) < len(moves)
    assert told.first == len(moves) - len(told.plies)
    adds_up(told, 2)


@given(to_move())
def test_hunters_are_the_tokens_that_walk_onto_a_token_with_one_die(position: LudoPosition) -> None:
    table = position.table
    for seat in map(Seat, range(table.seats)):
        for token, at in enumerate(position.tokens[seat]):
            square = ring_square(table.corners[seat], at)
            walls = {s for s in range(52) if blocked(position, seat, s)}
            closed = table.rules.blocks is Blocks.CLOSED
            hit = square in table.safe or (closed and square in walls)
            found = {
                (rival, other)
                for rival in table.rivals[seat]
                for other, theirs in enumerate(position.tokens[rival])
                if square is not None and not hit and rival not in position.placed
                for pips in range(1, 7)
                if 0 < theirs < theirs + pips <= 51
                and ring_square(table.corners[rival], theirs + pips) == square
                and not passes(position, rival, theirs, pips)
            }
            assert set(hunters(position, seat, token)) == found


def blocked(position: LudoPosition, seat: Seat, square: int) -> bool:
    own = position.tokens[seat]
    return [ring_square(position.table.corners[seat], at) for at in own].count(square) > 1  # type: ignore[arg-type]


def passes(position: LudoPosition, rival: Seat, progress: int, pips: int) -> bool:
    """Whether a rival's token would have to pass a block, before the square where it lands."""
    table = position.table
    if table.rules.blocks is Blocks.OFF:
        return False
    way = {ring_square(table.corners[rival], progress + step) for step in range(1, pips)}
    others = [seat for seat in map(Seat, range(table.seats)) if seat in table.rivals[rival]]
    return any(blocked(position, seat, s) for seat in others for s in way if s is not None)


@given(to_move())
def test_the_reasons_of_a_move_are_what_it_does(position: LudoPosition) -> None:
    for move in position.moves():
        kinds = {reason.kind for reason in reasons(position, move)}
        owner, after = position.owner, position.play(move)
        own, moved = position.tokens[owner], after.tokens[owner]
        yards = [sum(map((0).__eq__, tokens)) for tokens in (own, moved)]
        lost = [
            (seat, token)
            for seat, tokens in enumerate(position.tokens)
            for token, at in enumerate(tokens)
            if at and not after.tokens[seat][token]
        ]
        told = [
            reason.about
            for reason in reasons(position, move)
            if reason.kind == TokenReason.CAPTURES
        ]
        assert told == lost
        first_home = bool(after.placed) and not position.placed
        for_places = position.table.rules.finish is Finish.PLACES
        wins = first_home if for_places else after.payoff() is not None
        assert (TokenReason.WINS in kinds) == wins
        assert (TokenReason.LEAVES_YARD in kinds) == (yards[1] < yards[0])
        assert (TokenReason.COMES_HOME in kinds) == (after.homes(owner) > position.homes(owner))
        again = after.payoff() is None and after.seat == position.seat
        assert (TokenReason.ROLLS_AGAIN in kinds) == again
        exposes = {
            r.about[0]: r.about[1] for r in reasons(position, move) if r.kind == TokenReason.EXPOSES
        }
        for token in range(len(own)):
            before, now = (len(hunters(each, owner, token)) for each in (position, after))
            assert exposes.get(token) == (now if now > before else None)
        assert (TokenReason.FLEES in kinds) == (
            bool(hunters(position, owner, move)) and not hunters(after, owner, move)
        )
        meets = moved[move] in own and 0 < moved[move] < 52 and position.table.has_blocks
        assert (TokenReason.MAKES_BLOCK in kinds) == meets
        safe = [ring_square(position.table.corners[owner], at[move]) for at in (own, moved)]
        if TokenReason.GETS_SAFE in kinds:
            assert safe[0] is not None
            assert safe[1] is None or safe[1] in position.table.safe or meets


def test_a_token_in_front_of_two_rivals_is_exposed_to_two_hunters() -> None:
    position = standing((0, 9, 0, 0), (35, 33, 0, 0), to_roll=0).play(Move(3))
    assert ring_square(0, 12) == ring_square(2, 38)
    (told,) = [r for r in reasons(position, Move(1)) if r.kind == TokenReason.EXPOSES]
    assert told.about == (1, 2)


def test_beside_another_move_a_reason_is_what_it_avoids_and_risks() -> None:
    """Yellow 1 takes red 1 with a three, unless that walks on."""
    position = standing((12, 3, 0, 0), (35, 0, 0, 0), to_roll=0).play(Move(5))
    assert takes(position, Seat(1), Seat(0), 0) == 1
    assert [*against(position, Move(0), Move(1))] == [Reason(TokenReason.KEEPS_SAFE, (0, 1, 1))]
    assert [*against(position, Move(1), Move(0))] == [Reason(TokenReason.RISKS, (0, 1, 1))]


@given(to_move())
def test_what_both_of_two_moves_do_is_no_reason_for_either(position: LudoPosition) -> None:
    for move, other in itertools.permutations(position.moves(), 2):
        told = {*against(position, move, other)}
        assert not told & {*against(position, other, move)}
        safe = {r.about for r in told if r.kind == TokenReason.KEEPS_SAFE}
        for token, rival, faces in safe:
            owner = position.owner
            assert takes(position.play(move), Seat(rival), owner, token) == 0
            assert takes(position.play(other), Seat(rival), owner, token) == faces > 0
