"""Results of finished games: H a person, A an absent one, C a computer."""

from __future__ import annotations

import pytest

from bot.records.rating import NEWCOMER, Rating, rated
from bot.records.results import AgainstComputers, AmongPeople, Outcome, Verdict, judged, result
from bot.table.seats import Absent, Computer, Human, Level, Occupant, Pace, PersonId
from bot.table.session import Ending, Session
from engine.game import Options, Seat
from engine.games.ludo import GAME as LUDO
from engine.games.tictactoe import GAME as TICTACTOE
from tests.bot.kit import ANN, BEN, CLEO, DAN

H1, H2, H3, H4 = map(Human, (ANN, BEN, CLEO, DAN))
A1 = Absent(ANN, Level.MEDIUM)
EASY, HARD = Computer(Level.EASY), Computer(Level.HARD)
ALONE, TEAMS = (0, 1, 2, 3), (0, 1, 0, 1)
WIN, DRAW, LOSS = Outcome

PLACES = (1.0, 1 / 3, -1 / 3, -1.0)
"""The payoffs of the seats from first place to last."""


def among(
    *seats: Occupant, payoff: tuple[float, ...], sides: tuple[int, ...] = ALONE
) -> AmongPeople:
    found = judged(seats, sides[: len(seats)], payoff)
    assert isinstance(found, AmongPeople)
    return found


def told(game: AmongPeople | AgainstComputers) -> list[tuple[int, Outcome, int]]:
    """Each person with outcome and rank."""
    return [(verdict.person, verdict.outcome, verdict.rank) for verdict in game.verdicts]


def rated_in_full(game: AmongPeople) -> dict[PersonId, Rating]:
    """The ratings of newcomers after a game of full weight."""
    return game.ratings(newcomers(game), dict.fromkeys(newcomers(game), 1.0))


def newcomers(game: AmongPeople) -> dict[PersonId, Rating]:
    return {verdict.person: NEWCOMER for verdict in game.verdicts}


def test_of_two_people_one_wins_and_the_other_loses() -> None:
    assert told(among(H1, H2, payoff=(-1, 1))) == [(ANN, LOSS, 1), (BEN, WIN, 0)]


def test_equal_payoffs_are_a_draw() -> None:
    assert told(among(H1, H2, payoff=(0, 0))) == [(ANN, DRAW, 0), (BEN, DRAW, 0)]


def test_with_places_the_first_wins_and_the_others_are_ranked() -> None:
    game = among(H1, H2, H3, H4, payoff=(PLACES[2], PLACES[0], PLACES[3], PLACES[1]))
    assert told(game) == [(ANN, LOSS, 2), (BEN, WIN, 0), (CLEO, LOSS, 3), (DAN, LOSS, 1)]


def test_partners_win_together() -> None:
    game = among(H1, H2, H3, H4, payoff=(-1, 1, -1, 1), sides=TEAMS)
    assert [verdict.outcome for verdict in game.verdicts] == [LOSS, WIN, LOSS, WIN]
    assert [[member.person for member in side] for side in game.sides] == [[ANN, CLEO], [BEN, DAN]]


def test_whoever_left_has_lost_and_comes_last_whatever_the_seat_won() -> None:
    game = among(A1, H2, H3, payoff=(PLACES[0], -1, 0))
    assert told(game) == [(ANN, LOSS, 2), (BEN, LOSS, 1), (CLEO, LOSS, 0)]


def test_whoever_left_has_lost_a_game_that_the_others_won_or_drew() -> None:
    assert told(among(A1, H2, H3, payoff=(-0.5, -0.5, 1)))[0] == (ANN, LOSS, 2)
    assert told(among(A1, H2, H3, payoff=(0, 0, 0))) == [
        (ANN, LOSS, 2),
        (BEN, DRAW, 0),
        (CLEO, DRAW, 0),
    ]


def test_people_who_all_come_behind_a_computer_have_lost_but_are_ranked() -> None:
    game = among(H1, EASY, H3, payoff=(-1, 1, 0))
    assert told(game) == [(ANN, LOSS, 1), (CLEO, LOSS, 0)]


def test_a_game_of_one_person_counts_at_the_highest_level_met() -> None:
    game = judged((EASY, H1, HARD), (0, 1, 2), (-0.5, 1, -0.5))
    assert game == AgainstComputers(
        (Verdict(ANN, Seat(1), side=1, outcome=WIN, rank=0),), HARD.level
    )


def test_the_level_of_a_partner_is_not_met() -> None:
    game = judged((H1, EASY, HARD, EASY), TEAMS, (1, -1, 1, -1))
    assert isinstance(game, AgainstComputers)
    assert game.level is Level.EASY


def test_two_people_on_one_side_play_against_the_computers() -> None:
    game = judged((H1, EASY, H3, EASY), TEAMS, (-1, 1, -1, 1))
    assert isinstance(game, AgainstComputers)
    assert told(game) == [(ANN, LOSS, 0), (CLEO, LOSS, 0)]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [((1, 0), (0, 1), WIN), ((0, 1), (1, 0), LOSS), ((0,), (0,), DRAW)],
)
def test_who_of_two_came_before_the_other(
    one: tuple[int, ...], other: tuple[int, ...], expected: Outcome
) -> None:
    payoff = (float(one[0]), float(other[0]))
    game = among(H1, H2, payoff=payoff)
    assert game.verdicts[0].against(game.verdicts[1]) is expected


def test_two_who_lost_to_a_third_did_not_beat_each_other() -> None:
    _, ben, cleo = among(H1, H2, H3, payoff=(1, -0.5, -0.5)).verdicts
    assert ben.against(cleo) is DRAW


def test_whoever_leaves_a_partner_behind_is_rated_as_one_of_a_side_that_lost() -> None:
    game = among(A1, H2, H3, H4, payoff=(1, -1, 1, -1), sides=TEAMS)
    assert game.is_rated
    after = rated_in_full(game)
    teams = [[NEWCOMER] * 2] * 2
    (_, cleo), (ben, dan) = rated(teams, [0, 1])
    (ann, _), _ = rated(teams, [1, 0])
    assert after == {ANN: ann, BEN: ben, CLEO: cleo, DAN: dan}
    assert ann.ordinal < cleo.ordinal


def test_computers_change_nobodys_rating() -> None:
    with_computer = among(H1, HARD, H3, payoff=(-1, 1, 0))
    without = among(H1, H3, payoff=(-1, 1))
    assert rated_in_full(with_computer) == rated_in_full(without)


def test_a_person_with_a_computer_is_not_rated_against_two_people() -> None:
    game = among(H1, H2, EASY, H4, payoff=(1, -1, 1, -1), sides=TEAMS)
    assert not game.is_rated
    assert rated_in_full(game) == newcomers(game)


def finished(options: Options, payoff: tuple[float, ...], *seats: Occupant) -> Session:
    game = LUDO if len(seats) > 2 else TICTACTOE
    session = Session(game, game.settled(options), Pace.LIVE, ANN, seats).start()
    return session.finish(Ending.RESIGNED, payoff)


def test_a_sessions_game_says_who_are_partners() -> None:
    teams = finished({"teams": "yes"}, (1, -1, 1, -1), H1, H2, H3, H4)
    alone = finished({}, (1, -1, 1, -1), H1, H2, H3, H4)
    for session, sides in ((teams, 2), (alone, 4)):
        game = result(session)
        assert isinstance(game, AmongPeople)
        assert len(game.sides) == sides


def test_a_game_that_was_won_on_the_board_counts_though_another_hardly_moved() -> None:
    """One token each: 7 in 100 such games end before the rival has rolled a six."""
    options = LUDO.settled({"tokens": 1})
    session = Session(LUDO, options, Pace.LIVE, ANN, (H1, H2)).start()
    for ending, short in ((Ending.PLAYED, False), (Ending.RESIGNED, True), (Ending.TIME, True)):
        game = result(session.finish(ending, (1, -1)))
        assert isinstance(game, AmongPeople)
        assert game.short is short


def test_a_table_that_runs_or_was_closed_counts_for_nothing() -> None:
    running = Session(TICTACTOE, TICTACTOE.settled({}), Pace.LIVE, ANN, (H1, H2)).start()
    assert result(running) is None
    assert result(running.abandon(Ending.CLOSED)) is None
