"""A finished game in one sentence: how close it was, or the winner's sixes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.ludo.game_log import GameLog
from bot.games.ludo.words.since import CLOSE, sentence
from bot.table.session import Ending, Phase, Session
from engine.game import Options
from engine.games.ludo.board import HOME
from tests.bot.english import ENGLISH_WORDS, says
from tests.bot.games.ludo.ludo_tables import TABLES, random_moves, table

SIGNS = {2: "🔴🟡", 3: "🔴🟢🟡", 4: "🔴🟢🟡🔵"}


def finished(seats: int, options: Options, seed: int) -> Session:
    session = table(seats, options, random_moves(seats, options, 100_000, seed=seed))
    assert session.phase is Phase.FINISHED
    return session


def written(session: Session) -> str | None:
    told = sentence(session, GameLog(session))
    return None if told is None else ENGLISH_WORDS.of(told)


def test_a_close_game_tells_the_squares_that_the_next_had_to_go() -> None:
    games = [finished(4, {}, seed) for seed in range(40)]
    behind = [
        min(
            (sum(HOME - at for at in own), seat)
            for seat, own in enumerate(each.position.tokens)
            if {*own} != {HOME}
        )
        for each in games
    ]
    close = [(game, *last) for game, last in zip(games, behind, strict=True) if last[0] <= CLOSE]
    assert close
    for game, left, seat in close:
        told = says("ludo.sentence.margin", emblem=SIGNS[4][seat], count=left)
        assert written(game) == told


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)
def test_other_games_tell_the_tokens_home_of_the_best_who_lost_or_the_winners_sixes(
    seats: int, options: Options
) -> None:
    for seed in range(6):
        session = finished(seats, options, seed)
        margins = {
            says("ludo.sentence.margin", emblem=sign, count=left)
            for sign in SIGNS[seats]
            for left in range(1, CLOSE + 1)
        }
        close = {
            says("ludo.sentence.close", emblem=sign, count=session.position.homes(seat))
            for seat, sign in enumerate(SIGNS[seats])
        }
        sixes = {
            says("ludo.sentence.sixes", emblem=sign, count=number)
            for sign in SIGNS[seats]
            for number in range(200)
        }
        assert written(session) in margins | close | sixes


def test_a_game_that_was_broken_off_has_none() -> None:
    session = finished(2, {}, 1)
    assert written(replace(session, ending=Ending.RESIGNED)) is None
