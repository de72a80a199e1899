"""First, second and third place, whoever stays away: places, the title, what the messages say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

import pytest

from bot.message.blocks import Prose
from bot.message.text import Mention, Text
from bot.screens.tournament import match_line, message, podium
from bot.table.refusals import Refusal
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.progress import advanced, closed, decided, leave, standings
from bot.tournaments.tournament import EntryNumber, Format, Leg, Stage, Tournament, TournamentId
from tests.bot.tournaments.test_tournaments import OF_ROUNDS, begun, played, seated

HABITS: Final = ("comes", "comes", "comes", "never", "leaves", "sometimes")
"""Half of the people come to all their matches; of the others some leave for good."""

EACH: Final = [
    pytest.param(format_, people, id=f"{format_} of {people}")
    for format_ in OF_ROUNDS
    for people in range(format_.fewest, min(format_.most, 16) + 1)
]


def spoilt(tournament: Tournament, habits: dict[EntryNumber, str], rng: Random) -> Tournament:
    """A tournament played to its end by people with habits; some tables are closed."""
    while tournament.stage is Stage.RUNNING:
        leaving = [n for n, each in habits.items() if each == "leaves" and rng.random() < 0.1]
        for number in leaving:
            tournament = left(tournament, number)
        leg = rng.choice([*tournament.open_legs()]) if any(tournament.open_legs()) else None
        if leg is None:
            break
        if rng.random() < 0.05:
            tournament = seated(advanced(closed(tournament, leg)))
            continue
        there = [_comes(tournament, habits, number, rng) for number in leg.entries]
        tournament = seated(advanced(_ended(tournament, leg, there, rng)))
    return tournament


def left(tournament: Tournament, number: EntryNumber) -> Tournament:
    try:
        return seated(advanced(leave(tournament, tournament.by_number[number].person)))
    except Refusal:  # before, or it is over
        return tournament


def _comes(
    tournament: Tournament, habits: dict[EntryNumber, str], number: EntryNumber, rng: Random
) -> bool:
    habit = habits[number]
    away = habit == "never" or (habit == "sometimes" and rng.random() < 0.5)
    return not (away or tournament.by_number[number].left)


def _ended(tournament: Tournament, leg: Leg, there: list[bool], rng: Random) -> Tournament:
    """A leg as its table would end: drawn, won, or without those who did not come."""
    ranks = rng.sample(range(len(there)), len(there))
    if len(there) == 2 and all(there) and rng.random() < 0.3:
        ranks = [0, 0]
    if not all(there):
        ranks = [
            2 * (not came) * len(there) + rank for came, rank in zip(there, ranks, strict=True)
        ]
    absent = [not came for came in there]
    enough = sum(there) > 1
    thought = [float(rng.randrange(100)) for _ in there]
    known = {"thought": thought, "absent": absent, "played": [enough and came for came in there]}
    return decided(tournament, leg, ranks, **known)  # type: ignore[arg-type]


def lines(hosted: HostedTournament) -> list[Text]:
    """The lines of the podium."""
    shown = podium(hosted, None, first_title=False)
    return [
        line
        for block in shown.blocks
        if isinstance(block, Prose)
        for line in block.lines
        if isinstance(line, Text)
    ]


def named_at(told: list[Text], key: str) -> list[object]:
    return [
        each.values.get("player", each.values.get("winner")) for each in told if each.key == key
    ]


def met(tournament: Tournament, number: EntryNumber) -> bool:
    return any(leg.met_by(number) for leg in tournament.legs)


@pytest.mark.parametrize(("format_", "people"), EACH)
def test_the_podium_names_only_people_who_really_played_in_the_order_of_their_places(
    format_: Format, people: int
) -> None:
    for seed in range(4):
        rng = Random(1000 * people + seed)
        start = begun(format_, people)
        habits = {entry.number: rng.choice(HABITS) for entry in start.entries}
        found = spoilt(start, habits, rng)

        assert found.stage is Stage.OVER
        order = standings(found)
        assert [entry.place for entry in order] == [*range(1, people + 1)]
        hosted = HostedTournament(TournamentId(1), replace(found, game="tictactoe"), 1, 2, "en-US")
        told, first = lines(hosted), order[0]
        assert (found.champion == first) == met(found, first.number)
        if found.champion is None:
            assert [each.key for each in told] == ["tournament.no_champion"]
            continue
        assert named_at(told, "tournament.podium") == [Mention(first.person)]
        for place in (2, 3):
            at = order[place - 1]
            expected = [Mention(at.person)] if met(found, at.number) else []
            assert named_at(told, f"tournament.podium.{place}") == expected
        assert message(hosted).blocks


@pytest.mark.parametrize("format_", OF_ROUNDS)
@pytest.mark.parametrize("habit", ["never", "leaves", "sometimes"])
def test_where_all_have_the_same_bad_habit_nobody_is_champion_without_a_match(
    format_: Format, habit: str
) -> None:
    for people in range(format_.fewest, min(format_.most, 16) + 1):
        start = begun(format_, people)
        found = spoilt(start, dict.fromkeys(start.by_number, habit), Random(people))
        assert found.stage is Stage.OVER
        first = standings(found)[0]
        assert (found.champion is not None) == met(found, first.number)
        assert habit != "never" or found.champion is None


def third_places(found: Tournament) -> Iterator[Leg]:
    """The legs of the match for the third place."""
    return (leg for leg in found.legs if leg.round == found.rounds and leg.match == 1)


@pytest.mark.parametrize("people", range(4, 17))
def test_from_four_on_the_losers_of_the_semifinals_play_for_the_third_place(people: int) -> None:
    found = begun(Format.KNOCKOUT, people)
    while found.stage is Stage.RUNNING:
        leg = next(found.open_legs())
        seeds = [found.seed(number) for number in leg.entries]
        found = played(found, leg, *(sorted(seeds).index(seed) for seed in seeds))

    (first, second), *_ = [leg.entries for leg in found.legs if leg.round == found.rounds]
    third, fourth = next(third_places(found)).entries
    assert [found.seed(number) for number in (first, second, third, fourth)] == [1, 2, 3, 4]
    assert [entry.number for entry in standings(found)[:4]] == [first, second, third, fourth]
    told = lines(HostedTournament(TournamentId(1), found, 1, 2, "en-US"))
    assert named_at(told, "tournament.podium.3") == [Mention(found.by_number[third].person)]


@pytest.mark.parametrize("gone", [(3,), (4,), (3, 4)])
def test_a_semifinalist_who_does_not_come_for_the_third_place_is_behind_the_one_who_does(
    gone: tuple[int, ...],
) -> None:
    found = begun(Format.KNOCKOUT, 4)
    while found.stage is Stage.RUNNING:
        leg = next(found.open_legs())
        seeds = [found.seed(number) for number in leg.entries]
        away = [leg.round == found.rounds and seed in gone for seed in seeds]
        if any(away):
            found = seated(advanced(decided(found, leg, [int(each) for each in away], absent=away)))
        else:
            found = played(found, leg, *(sorted(seeds).index(seed) for seed in seeds))

    order = [found.seed(entry.number) for entry in standings(found)]
    assert order == ([1, 2, 4, 3] if gone == (3,) else [1, 2, 3, 4])


@pytest.mark.parametrize(("there", "told"), [(3, "tournament.match"), (1, "tournament.walkover")])
def test_a_heat_to_which_two_came_is_told_with_its_points(there: int, told: str) -> None:
    found = begun(Format.HEATS, 4)
    (leg,) = found.open_legs()
    found = decided(found, leg, range(4), absent=[place >= there for place in range(4)])
    assert match_line(found, found.matches[0]).key == told
