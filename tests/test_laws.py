"""The laws that every game obeys, whatever its options, on plays that Hypothesis chooses."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.catalogue import CATALOGUE
from engine.game import CHANCE, Game, IllegalMove, InvalidOptions, Move, Options, checked
from engine.roster import games
from tests import toy

GAMES = [*games().values(), toy.GAME]

Play: TypeAlias = tuple[int, Options, list[Move]]

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


def tables_of(game: Game[Any]) -> st.SearchStrategy[tuple[int, Options]]:
    """Any seats and choice of options, some of them left out, that the game accepts."""
    chosen = st.fixed_dictionaries(
        {}, optional={option.key: st.sampled_from(option.values) for option in game.options}
    )
    tables = st.tuples(st.sampled_from(game.seats), chosen)
    return tables.filter(lambda table: accepted(game, *table))


def accepted(game: Game[Any], seats: int, options: Options) -> bool:
    try:
        game.start(seats, options)
    except InvalidOptions:
        return False
    return True


@st.composite
def plays(draw: st.DrawFn, game: Game[Any]) -> Play:
    """Seats, options and the moves of a play that stops anywhere, often at the game's end."""
    seats, options = draw(tables_of(game))
    random = draw(st.randoms(use_true_random=False))
    state, moves = game.start(seats, options), []
    for _ in range(draw(st.integers(0, 400))):
        if state.payoff() is not None:
            break
        moves.append(random.choice(state.moves()))
        state = state.play(moves[-1])
    return seats, options, moves


def states(game: Game[Any], play: Play) -> list[Any]:
    seats, options, moves = play
    found = [game.start(seats, options)]
    for move in moves:
        found.append(found[-1].play(move))
    return found


def test_every_game_that_the_bot_hosts_is_among_them() -> None:
    assert set(CATALOGUE) <= set(games())


@every_game
@given(data=st.data())
def test_moves_are_ascending_and_empty_exactly_when_the_game_is_over(
    game: Game[Any], data: st.DataObject
) -> None:
    for state in states(game, data.draw(plays(game))):
        moves = list(state.moves())
        assert moves == sorted(set(moves))
        assert (not moves) == (state.payoff() is not None)


@every_game
@given(data=st.data())
def test_payoffs_lie_between_minus_one_and_one_and_sum_to_zero(
    game: Game[Any], data: st.DataObject
) -> None:
    play = data.draw(plays(game))
    payoff = states(game, play)[-1].payoff()
    if payoff is not None:
        assert len(payoff) == play[0]
        assert all(-1 <= won <= 1 for won in payoff)
        assert sum(payoff) == pytest.approx(0)


@every_game
@given(data=st.data())
def test_chance_has_odds_that_sum_to_one_and_every_other_turn_is_a_seats(
    game: Game[Any], data: st.DataObject
) -> None:
    play = data.draw(plays(game))
    for state in states(game, play):
        if state.payoff() is not None:
            continue
        if state.turn == CHANCE:
            odds = list(state.odds())
            assert len(odds) == len(state.moves())
            assert all(chance > 0 for chance in odds)
            assert sum(odds) == pytest.approx(1)
        else:
            assert 0 <= state.turn < play[0]


@every_game
@given(data=st.data())
def test_a_replay_is_the_play_and_equal_states_hash_equal(
    game: Game[Any], data: st.DataObject
) -> None:
    seats, options, moves = play = data.draw(plays(game))
    played, replayed = states(game, play)[-1], game.replay(seats, options, moves)
    assert replayed == played
    assert hash(replayed) == hash(played)
    assert game.replay(seats, game.settled(options), moves) == played


@every_game
@given(data=st.data())
def test_play_leaves_the_position_it_started_from_as_it_was(
    game: Game[Any], data: st.DataObject
) -> None:
    state = states(game, data.draw(plays(game)))[-1]
    before = pickle.dumps(state)
    for move in state.moves():
        state.play(move)
    assert pickle.dumps(state) == before


@every_game
@given(data=st.data())
def test_a_state_survives_pickling(game: Game[Any], data: st.DataObject) -> None:
    state = states(game, data.draw(plays(game)))[-1]
    again = pickle.loads(pickle.dumps(state))  # noqa: S301 - it was made in this line
    assert again == state
    assert hash(again) == hash(state)
    assert list(again.moves()) == list(state.moves())


@every_game
@given(data=st.data())
def test_a_move_that_is_not_listed_is_refused(game: Game[Any], data: st.DataObject) -> None:
    state = states(game, data.draw(plays(game)))[-1]
    move = Move(data.draw(st.integers(-2, 30)))
    if move in state.moves():
        assert checked(state, move) == state.play(move)
    else:
        with pytest.raises(IllegalMove):
            checked(state, move)


@every_game
@given(data=st.data())
def test_settled_options_are_complete_and_settle_to_themselves(
    game: Game[Any], data: st.DataObject
) -> None:
    _, options = data.draw(tables_of(game))
    settled = game.settled(options)
    assert set(settled) == {option.key for option in game.options}
    assert options.items() <= settled.items()
    assert game.settled(settled) == settled


@every_game
def test_every_preset_is_playable(game: Game[Any]) -> None:
    for preset in ({}, *game.presets.values()):
        for seats in game.seats:
            assert game.start(seats, preset).moves()


@every_game
def test_an_unknown_option_an_unknown_value_and_too_many_seats_are_refused(
    game: Game[Any],
) -> None:
    with pytest.raises(InvalidOptions) as unknown:
        game.settled({"flavour": "sour"})
    assert unknown.value.key == "flavour"
    for option in game.options:
        with pytest.raises(InvalidOptions) as value:
            game.settled({option.key: "no such value"})
        assert value.value.key == option.key
    with pytest.raises(InvalidOptions) as seats:
        game.start(max(game.seats) + 1, {})
    assert seats.value.key == "seats"


@every_game
@given(data=st.data())
def test_every_seat_has_a_side_and_partners_win_alike(game: Game[Any], data: st.DataObject) -> None:
    seats, options = data.draw(tables_of(game))
    sides = game.sides(seats, options)
    assert len(sides) == seats
    assert len(set(sides)) > 1
    random = Random(data.draw(st.integers(0, 10**6)))
    state = game.start(seats, options)
    while (payoff := state.payoff()) is None:
        state = state.play(random.choice(state.moves()))
    for side in set(sides):
        assert len({payoff[seat] for seat in range(seats) if sides[seat] == side}) == 1
