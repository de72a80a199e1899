"""Arenas as values: free people meet at once, nobody waits for one who has gone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.table.refusals import Refusal
from bot.table.seats import Pace, PersonId
from bot.tournaments import arena
from bot.tournaments.decisions import Decider, tie_breaks
from bot.tournaments.progress import (
    advanced,
    closed,
    decided,
    end,
    join,
    leave,
    pause,
    remove,
    standings,
    start,
    time_up,
)
from bot.tournaments.scores import Sheet, TournamentScores
from bot.tournaments.tournament import (
    THE_SERVER,
    CalledOff,
    EntryNumber,
    Format,
    Leg,
    Stage,
    Tournament,
)
from tests.bot.kit import ANN, BEN, CLEO


def signed_up(people: int) -> Tournament:
    found = Tournament("twenty", {}, Format.ARENA, Pace.BLITZ, 64, THE_SERVER)
    for person in range(1, people + 1):
        found = join(found, PersonId(person))
    return found


def begun(people: int) -> Tournament:
    gathered = signed_up(people)
    return advanced(start(gathered, {entry.number: entry.number for entry in gathered.entries}))


def leg_of(tournament: Tournament, person: PersonId) -> Leg:
    entry = tournament.entry_of(person)
    assert entry is not None
    return next(leg for leg in tournament.open_legs() if entry.number in leg.entries)


def won(tournament: Tournament, person: PersonId, *, draw: bool = False) -> Tournament:
    """The arena after the game of a person, which they win, before anybody is paired."""
    leg = leg_of(tournament, person)
    entry = tournament.entry_of(person)
    assert entry is not None
    ranks = [0 if draw or number == entry.number else 1 for number in leg.entries]
    return decided(tournament, leg, ranks, played=[True] * 2)


def pairs(tournament: Tournament) -> set[frozenset[EntryNumber]]:
    return {frozenset(leg.entries) for leg in tournament.open_legs()}


def points(tournament: Tournament) -> dict[EntryNumber, float]:
    return dict(TournamentScores(tournament).points)


@pytest.mark.parametrize(
    ("made", "worth"),
    [
        pytest.param((1, 1, 0.5), 6, id="two wins and a draw"),
        pytest.param((1, 1, 1, 1, 0, 1), 14, id="doubled from the third win on, until a loss"),
        pytest.param((1, 1, 0.5, 1, 1, 1), 14, id="a doubled draw ends the row"),
        pytest.param((0.5, 0.5, 1, 0), 4, id="draws begin none"),
    ],
)
def test_points_are_those_of_lichess(made: Sequence[float], worth: float) -> None:
    sheet = Sheet()
    for each in made:
        sheet = sheet.after(each)
    assert sheet.points == worth


def test_with_one_nobody_plays_and_with_two_it_is_a_duel() -> None:
    alone = begun(1)
    assert not alone.legs
    assert alone.stage is Stage.RUNNING

    both = advanced(join(alone, BEN))
    again = advanced(won(both, ANN))

    assert pairs(both) == pairs(again) == {frozenset((1, 2))}
    assert [leg.entries[0] for leg in again.legs] == [1, 2]


def test_of_three_the_one_who_waited_plays_next() -> None:
    after = advanced(won(begun(3), ANN))

    assert 3 in next(after.open_legs()).entries


def test_two_who_have_just_met_wait_for_others_until_they_have_rested() -> None:
    four = begun(4)
    waiting = advanced(won(four, ANN))
    assert len(pairs(waiting)) == 1

    rested = advanced(waiting, rested=arena.free(waiting))
    assert len(pairs(rested)) == 2
    again = won(rested, ANN)
    assert advanced(again, rested=arena.free(again)) is again, "not for a third time"

    others = advanced(won(waiting, PersonId(next(iter(*pairs(waiting))))))
    assert pairs(others).isdisjoint(pairs(four))
    assert len(pairs(others)) == 2


def test_those_near_in_points_meet() -> None:
    found = begun(8)
    while any(found.open_legs()):
        leg = next(found.open_legs())
        found = decided(found, leg, [0, 1], played=[True, True])

    made = points(after := advanced(found))

    assert all(made[one] == made[other] for one, other in map(tuple, pairs(after)))


def test_a_person_who_leaves_is_away_and_keeps_the_points_when_they_come_back() -> None:
    found = won(begun(3), ANN)
    found = advanced(leave(found, ANN))
    assert all(1 not in pair for pair in pairs(found))
    with pytest.raises(Refusal, match="tournament_not_yours"):
        leave(found, ANN)
    with pytest.raises(Refusal, match="tournament_joined"):
        join(found, BEN)

    back = join(found, ANN)

    assert points(back)[EntryNumber(1)] == 2
    assert arena.free(back) == [1]


def test_a_person_who_was_removed_does_not_come_back_and_is_behind_the_others() -> None:
    found = won(begun(3), ANN)
    found = remove(found, [ANN], by=PersonId(99))

    with pytest.raises(Refusal, match="tournament_left"):
        join(found, ANN)
    assert [each.person for each in standings(found)][-1] == ANN


@pytest.mark.parametrize("resting", [False, True])
def test_a_manager_who_plays_removes_nobody_else(resting: bool) -> None:
    found = won(begun(3), ANN)
    if resting:
        found = leave(found, ANN)
    with pytest.raises(Refusal, match="tournament_own_rival"):
        remove(found, [CLEO], by=ANN)


def test_who_does_not_come_is_away_and_gives_nobody_points() -> None:
    found = begun(2)
    leg = leg_of(found, ANN)
    found = decided(found, leg, [1, 0], absent=[True, False])

    assert points(found) == {1: 0, 2: 0}
    assert [entry.person for entry in found.there] == [leg_person(found, leg, 1)]
    assert not any(advanced(found).open_legs())


def leg_person(tournament: Tournament, leg: Leg, seat: int) -> PersonId:
    return tournament.by_number[leg.entries[seat]].person


def test_who_runs_out_of_time_later_has_lost_and_is_away_too() -> None:
    found = begun(2)
    leg = leg_of(found, ANN)
    found = decided(found, leg, [1, 0], played=[True, True], gone=[True, False])

    assert points(found)[leg.entries[1]] == 2
    assert [entry.number for entry in found.there] == [leg.entries[1]]


def test_games_given_up_at_once_are_worth_nothing_and_break_the_row_of_who_gives_up() -> None:
    """Two accounts cannot feed each other points in seconds."""
    found = begun(2)
    for _ in range(2):
        found = advanced(won(found, ANN))
    for _ in range(5):
        leg = leg_of(found, BEN)
        lost = [int(number == 2) for number in leg.entries]
        found = decided(found, leg, lost, absent=[bool(each) for each in lost])
        assert 2 not in [entry.number for entry in found.there]
        found = advanced(join(found, BEN))
    assert points(found) == {1: 4, 2: 0}

    leg = leg_of(found, ANN)
    lost = [int(number == 1) for number in leg.entries]
    found = decided(found, leg, lost, absent=[bool(each) for each in lost])
    found = won(advanced(join(found, ANN)), ANN)
    assert points(found) == {1: 6, 2: 0}


def test_a_closed_table_frees_its_players() -> None:
    found = begun(2)
    found = advanced(closed(found, leg_of(found, ANN)))

    assert len([*found.open_legs()]) == 1
    assert points(found) == {1: 0, 2: 0}


def test_while_it_is_paused_nobody_is_paired() -> None:
    found = pause(won(begun(2), ANN), paused=True)
    assert advanced(found) is found
    assert advanced(pause(found, paused=False)) is not found


def test_when_time_is_up_open_games_do_not_count() -> None:
    found = advanced(won(begun(3), ANN))
    over = time_up(found)

    assert over.stage is Stage.OVER
    assert not any(over.open_legs())
    assert standings(over)[0].person == ANN
    assert {entry.place for entry in over.entries} == {1, 2, 3}


def test_without_entries_it_is_called_off_in_the_end() -> None:
    assert time_up(begun(0)).why is CalledOff.NOBODY_CAME


def test_the_winner_of_a_duel_is_no_champion_and_who_has_met_two_is() -> None:
    two = won(begun(2), ANN)
    assert time_up(two).champion is None

    found = begun(3)
    for _ in range(4):
        person = ANN if any(1 in pair for pair in pairs(found)) else BEN
        found = advanced(won(found, person))
    champion = time_up(found).champion
    assert champion is not None
    assert champion.person == ANN
    assert end(found).champion is None


class Evening:
    """An arena in which people come, go and play as drawn, and what holds of it at any time."""

    def __init__(self, people: int) -> None:
        self.now = begun(people)
        self.rests: set[EntryNumber] = set()

    def step(self, data: st.DataObject) -> None:
        acts = ["join", "leave", "rest"] + ["play"] * 5 * any(self.now.open_legs())
        match data.draw(st.sampled_from(acts)):
            case "play":
                leg = data.draw(st.sampled_from([*self.now.open_legs()]))
                ranks = data.draw(st.sampled_from([(0, 1), (1, 0), (0, 0)]))
                self.now = decided(self.now, leg, ranks, played=[True, True])
            case "rest":
                self.rests = {*arena.free(self.now)}
            case "join":
                person = PersonId(data.draw(st.integers(1, 9)))
                entry = self.now.entry_of(person)
                if entry is None or entry.away:
                    self.now = join(self.now, person)
            case _ if self.now.there:
                self.away(data.draw(st.sampled_from(self.now.there)).person)
        self.advance()

    def away(self, person: PersonId) -> None:
        """A person leaves, and loses the game that they play."""
        self.now = leave(self.now, person)
        for leg in [*self.now.open_legs()]:
            gone = [leg_person(self.now, leg, seat) == person for seat in range(2)]
            if any(gone):
                self.now = decided(self.now, leg, [*map(int, gone)], absent=gone)

    def advance(self) -> None:
        before, last = self.now, arena.last_legs(self.now)
        waiting = {*arena.free(before)}
        self.now = advanced(before, self.rests)
        new = self.now.legs[len(before.legs) :]
        left = waiting.difference(*(leg.entries for leg in new))

        def met(one: EntryNumber, other: EntryNumber) -> bool:
            """Whether two have just met, for one of them at least."""
            return any(
                {one, other} <= {*last[each].entries} for each in (one, other) if each in last
            )

        for leg in new:
            assert waiting >= {*leg.entries}
            if met(*leg.entries):
                assert len(before.there) == 2 or self.rests >= {*leg.entries}
                assert not left
        assert all(met(one, other) for one in left for other in left - {one})
        self.rests -= {number for leg in new for number in leg.entries}


@given(st.integers(0, 9), st.data())
def test_nobody_meets_the_same_twice_in_a_row_while_another_is_free(
    people: int, data: st.DataObject
) -> None:
    evening = Evening(people)
    for _ in range(data.draw(st.integers(1, 30))):
        evening.step(data)


def test_sides_are_balanced() -> None:
    found = begun(7)
    for _ in range(60):
        found = advanced(won(found, found.by_number[next(found.open_legs()).entries[0]].person))
    for entry in found.entries:
        sides = [
            leg.entries.index(entry.number) for leg in found.legs if entry.number in leg.entries
        ]
        assert abs(2 * sum(sides) - len(sides)) <= 3


def test_a_tie_at_the_end_is_told_with_what_broke_it() -> None:
    tournament = begun(4)
    for leg in [*tournament.open_legs()]:
        tournament = decided(tournament, leg, [0, 0], played=[True, True])

    over = time_up(tournament)

    first, second, *_ = standings(over)
    tie = next(tie_breaks(over))
    assert (tie.first, tie.second, tie.ground) == (first.number, second.number, Decider.SEED)


def test_a_manager_who_plays_does_not_stop_the_others_while_the_clock_goes_on() -> None:
    arena_ = begun(4)
    with pytest.raises(Refusal, match="tournament_own_match"):
        pause(arena_, paused=True, by=PersonId(1))
    assert pause(arena_, paused=True, by=PersonId(9)).paused
    removed = remove(arena_, [PersonId(1)], by=PersonId(9))
    assert pause(removed, paused=True, by=PersonId(1)).paused
    with pytest.raises(Refusal, match="tournament_own_match"):
        pause(leave(arena_, PersonId(1)), paused=True, by=PersonId(1))
