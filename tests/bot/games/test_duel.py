"""What games for two have in common."""

from __future__ import annotations

from random import Random

from bot.games.tictactoe.presenter import TicTacToePresenter
from bot.message.text import text
from tests.bot.kit import at_random, new_game


def test_a_win_counts_the_moves_of_its_winner_though_a_seat_moves_twice_in_a_row(
    rng: Random,
) -> None:
    game = at_random(new_game("ludo", 1, 2), rng)
    path = game.game.path(len(game.seats), game.options, game.moves)
    assert game.payoff is not None
    winner = game.payoff.index(1.0)
    own = sum(position.turn == winner for position in path[:-1])
    assert TicTacToePresenter().sentence(game) == text("sentence.moves", count=own)
