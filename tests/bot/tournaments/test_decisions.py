"""What decided a match or broke a tie, as the table and the last message tell it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from bot.screens.tournament import places, score_of, tie_break, time_of
from bot.tournaments import progress
from bot.tournaments.decisions import CRITERIA, Decider, numbers, of_match, tie_breaks
from bot.tournaments.progress import standings
from bot.tournaments.scores import TournamentScores
from bot.tournaments.tournament import Format, Tournament
from tests.bot.tournaments.test_tournaments import begun, played_out


def final(*, thought: tuple[float, float], legs: int = 2) -> Tournament:
    """A knockout of four whose final is level, with the thinking of its two."""
    tournament = progress.advanced(begun(Format.KNOCKOUT, 4))
    while tournament.round == 1:
        for leg in [*tournament.open_legs()]:
            first = min(leg.entries, key=tournament.seed)
            ranks = [int(number != first) for number in leg.entries]
            tournament = progress.decided(tournament, leg, ranks, played=(True, True))
        tournament = progress.advanced(tournament)
    for _ in range(legs):
        for leg in [*tournament.open_legs()]:
            spent = [thought[number != leg.entries[0]] for number in leg.entries]
            if leg.number % 2:
                spent.reverse()
            tournament = progress.decided(tournament, leg, [0, 0], thought=spent)
        tournament = progress.advanced(tournament)
    return tournament


def test_a_level_final_is_told_by_the_time_of_both() -> None:
    over = final(thought=(36.0, 80.0))
    (match,) = [legs for legs in over.round_of(2) if legs[0].match == 0]

    decision = of_match(over, match)

    assert decision is not None
    assert decision.ground is Decider.TIME
    assert decision.own < decision.other
    (told,) = tie_break(over)
    assert told.values["why"].values == {  # type: ignore[union-attr]
        "own": time_of(decision.own),
        "other": time_of(decision.other),
    }


@pytest.mark.parametrize(
    ("thought", "told"),
    [
        ((8.4, 8.3), {"0:08.4", "0:08.3"}),
        ((60.0, 59.998), {"1:00.000", "0:59.998"}),
        ((3600.8, 3620.8), {"1:00:01", "1:00:21"}),
    ],
)
def test_two_times_are_told_so_that_they_differ(
    thought: tuple[float, float], told: set[str]
) -> None:
    (why,) = (each.values["why"] for each in tie_break(final(thought=thought)))
    assert {*why.values.values()} == told  # type: ignore[union-attr]


def test_with_equal_times_the_seed_decides() -> None:
    over = final(thought=(40.0, 40.0))
    assert {each.ground for each in tie_breaks(over)} == {Decider.SEED}


@pytest.mark.parametrize("format_", [Format.SWISS, Format.ALL_PLAY_ALL])
@pytest.mark.parametrize("people", [4, 5, 8])
def test_ties_are_broken_as_the_order_says(format_: Format, people: int) -> None:
    over = played_out(begun(format_, people))
    scores, ordered = TournamentScores(over), [each.number for each in standings(over)]

    found = {(each.first, each.second): each for each in tie_breaks(over)}

    for first, second in pairwise(ordered):
        level = scores.points[first] == scores.points[second]
        assert ((first, second) in found) == level
        if level and found[first, second].ground is not Decider.SEED:
            assert found[first, second].own > found[first, second].other
    alike = [n for n in ordered if [*scores.points.values()].count(scores.points[n]) > 1]
    for number in ordered:
        assert bool(numbers(TournamentScores(over), number)) == (number in alike)
    assert len(CRITERIA[format_]) > 1


def test_the_table_has_the_numbers_of_ties_and_the_message_for_all_has_none() -> None:
    over = played_out(begun(Format.SWISS, 5))
    assert [each.values["points"] for each in places(over)] != [
        each.values["points"] for each in places(over, tie_breaks=True)
    ]


def test_second_and_third_are_those_who_really_played() -> None:
    over = final(thought=(1.0, 2.0))
    unplayed = replace(
        over,
        legs=tuple(
            replace(leg, parts=tuple(replace(part, played=False) for part in leg.parts))
            for leg in over.legs
        ),
    )
    assert unplayed.champion is None


def test_times_and_scores_are_written_as_in_tables() -> None:
    assert [time_of(each) for each in (0, 59.6, 72, 3725)] == ["0:00", "1:00", "1:12", "1:02:05"]
    assert [score_of(each) for each in (5.5, 4.0, 4.25, 0.5)] == ["5½", "4", "4.25", "½"]
