"""Tournaments as values: whatever is won, drawn, left or missed, somebody has won in the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bot.table.refusals import Refusal
from bot.table.seats import Pace, PersonId
from bot.table.session import SessionId
from bot.tournaments.all_play_all import berger
from bot.tournaments.knockout import bracket, winner
from bot.tournaments.matching import perfect
from bot.tournaments.progress import (
    advanced,
    closed,
    decided,
    end,
    go_on,
    join,
    leave,
    pause,
    remove,
    standings,
    start,
)
from bot.tournaments.scores import TournamentScores, buchholz, head_to_head, sonneborn_berger, wins
from bot.tournaments.tournament import (
    POINTS,
    Competitor,
    EntryNumber,
    Format,
    Leg,
    Part,
    Stage,
    Tournament,
)


def gathered(format_: Format, people: int) -> Tournament:
    tournament = Tournament("twenty", {}, format_, Pace.LIVE, format_.most, PersonId(1))
    for person in range(1, people + 1):
        tournament = join(tournament, PersonId(person))
    return tournament


def begun(format_: Format, people: int, rounds: int | None = None) -> Tournament:
    tournament = replace(gathered(format_, people), rounds=rounds)
    seeds = {entry.number: entry.number for entry in tournament.entries}
    return seated(advanced(start(tournament, {n: int(seed) for n, seed in seeds.items()})))


def seated(tournament: Tournament) -> Tournament:
    """The tournament in which every leg that is to be played has a table."""
    for leg in [*tournament.open_legs()]:
        if leg.table is None:
            tournament = tournament.with_leg(replace(leg, table=SessionId(leg.number)))
    return tournament


def played(tournament: Tournament, leg: Leg, *ranks: int) -> Tournament:
    there = (True,) * len(leg.parts)
    return seated(advanced(decided(tournament, leg, ranks, played=there)))


def played_out(tournament: Tournament) -> Tournament:
    """The tournament to its end, in which the better seed wins."""
    while tournament.stage is Stage.RUNNING:
        leg = next(tournament.open_legs())
        seeds = [tournament.seed(number) for number in leg.entries]
        tournament = played(tournament, leg, *(sorted(seeds).index(seed) for seed in seeds))
    return tournament


OF_ROUNDS = [each for each in Format if each is not Format.ARENA]
FORMATS = st.sampled_from(OF_ROUNDS)


class Tournaments(RuleBasedStateMachine):
    """A tournament in which anything may happen, and what holds of it at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.now: Tournament | None = None

    @property
    def tournament(self) -> Tournament:
        assert self.now is not None
        return self.now

    @precondition(lambda self: self.now is None)
    @rule(format_=FORMATS, data=st.data())
    def begin(self, format_: Format, data: st.DataObject) -> None:
        people = data.draw(st.integers(format_.fewest, min(format_.most, 16)))
        self.now = begun(format_, people)

    def running(self) -> bool:
        return self.now is not None and self.now.stage is Stage.RUNNING

    @precondition(running)
    @rule(data=st.data())
    def finish_leg(self, data: st.DataObject) -> None:
        leg = data.draw(st.sampled_from([*self.tournament.open_legs()]))
        sides = len(leg.parts)
        ranks = data.draw(st.permutations(range(sides)))
        if sides == 2 and data.draw(st.booleans()):
            ranks = [0, 0]
        self.now = played(self.tournament, leg, *ranks)

    @precondition(running)
    @rule(data=st.data())
    def miss_leg(self, data: st.DataObject) -> None:
        leg = data.draw(st.sampled_from([*self.tournament.open_legs()]))
        absent = data.draw(st.lists(st.booleans(), min_size=2, max_size=2))
        if len(leg.parts) == 2 and any(absent):
            after = decided(self.tournament, leg, [int(away) for away in absent], absent=absent)
            self.now = seated(advanced(after))

    @precondition(running)
    @rule(data=st.data())
    def close_leg(self, data: st.DataObject) -> None:
        leg = data.draw(st.sampled_from([*self.tournament.open_legs()]))
        self.now = seated(advanced(closed(self.tournament, leg)))

    @precondition(running)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(self.tournament.active))
        after = leave(self.tournament, entry.person)
        for leg in [*after.open_legs()]:
            if entry.number in leg.entries:  # what the table says of who resigns
                rest = [number for number in leg.entries if number != entry.number]
                ranks = [len(rest) if n == entry.number else rest.index(n) for n in leg.entries]
                after = decided(after, leg, ranks)
        self.now = seated(advanced(after))

    @precondition(running)
    @rule(person=st.integers(100, 200))
    def join_late(self, person: int) -> None:
        try:
            self.now = join(self.tournament, PersonId(person))
        except Refusal:
            return

    @precondition(running)
    @rule()
    def pause_and_go_on(self) -> None:
        paused = pause(self.tournament, paused=True)
        assert advanced(paused) is paused
        self.now = seated(advanced(pause(paused, paused=False)))

    @precondition(lambda self: self.now is not None and not self.running())
    @rule()
    def nothing_more_happens(self) -> None:
        assert advanced(self.tournament) is self.tournament

    @invariant()
    def a_running_tournament_can_go_on(self) -> None:
        if self.running():
            assert any(self.tournament.open_legs())

    @invariant()
    def there_is_a_winner(self) -> None:
        if self.now is not None and self.now.stage is Stage.OVER:
            places = sorted(entry.place or 0 for entry in self.now.entries)
            assert places == [*range(1, len(places) + 1)]

    @invariant()
    def nobody_plays_twice_at_once(self) -> None:
        if self.now is not None:
            busy = Counter(n for leg in self.now.open_legs() for n in leg.entries)
            assert set(busy.values()) <= {1}

    @invariant()
    def each_entry_has_one_match_in_a_round(self) -> None:
        if self.now is not None:
            for round_ in range(1, self.now.round + 1):
                matches = self.now.round_of(round_)
                found = Counter(n for legs in matches for n in legs[0].entries)
                assert set(found.values()) <= {1}

    @invariant()
    def nobody_meets_twice_or_rests_twice_unless_all_others_have_left(self) -> None:
        if self.now is not None and self.now.format in {Format.SWISS, Format.ALL_PLAY_ALL}:
            met = Counter(frozenset(legs[0].entries) for legs in self.now.matches)
            again = [len(meeting) for meeting, times in met.items() if times > 1]
            assert not again or (again == [1] and len(self.now.active) == 1)

    @invariant()
    def points_are_shared_out(self) -> None:
        for leg in self.now.legs if self.now is not None else ():
            if not leg.open and not leg.void and len(leg.parts) > 1:
                worth = POINTS if self.tournament.format is Format.HEATS else (1.0, 0.0)
                away = all(part.absent for part in leg.parts)
                due = 0 if away else sum(worth[: len(leg.parts)])
                assert sum(part.points or 0 for part in leg.parts) == pytest.approx(due)


TestTournaments = Tournaments.TestCase


@given(FORMATS, st.data())
def test_the_best_wins_and_the_next_are_behind(format_: Format, data: st.DataObject) -> None:
    people = data.draw(st.integers(format_.fewest, min(format_.most, 33)))

    over = played_out(begun(format_, people))

    first, second, *_ = standings(over)
    assert first.seed == 1
    if format_ in {Format.KNOCKOUT, Format.ALL_PLAY_ALL}:
        assert second.seed == 2
    assert over.champion == first
    assert first.place == 1


@settings(max_examples=5)
@given(st.integers(4, 20), st.randoms(use_true_random=False))
def test_one_round_more_than_usual_is_played_and_sides_are_balanced(
    people: int, rng: object
) -> None:
    tournament = begun(Format.SWISS, people, rounds=99)
    while tournament.stage is Stage.RUNNING:
        leg = next(tournament.open_legs())
        ranks = rng.choice([(0, 1), (1, 0), (0, 0)])  # type: ignore[attr-defined]
        tournament = played(tournament, leg, *ranks)

    usual = (people - 1).bit_length() + 1
    assert tournament.round == min(usual + 1, people - 1 + people % 2)
    for entry in tournament.entries:
        seats = [leg.entries.index(entry.number) for leg in tournament.legs if paired(entry, leg)]
        assert abs(seats.count(0) - seats.count(1)) <= 2


def paired(entry: Competitor, leg: Leg) -> bool:
    return entry.number in leg.entries and len(leg.entries) == 2


@settings(max_examples=5)
@given(st.integers(4, 64), st.randoms(use_true_random=False))
def test_sides_are_balanced_and_change_in_a_swiss_tournament(people: int, rng: object) -> None:
    tournament = begun(Format.SWISS, people)
    while tournament.stage is Stage.RUNNING:
        leg = next(tournament.open_legs())
        ranks = rng.choice([(0, 1), (1, 0), (0, 0)])  # type: ignore[attr-defined]
        tournament = played(tournament, leg, *ranks)

    assert tournament.round == tournament.rounds
    for entry in tournament.entries:
        sides = [leg.entries.index(entry.number) for leg in tournament.legs if paired(entry, leg)]
        assert abs(sides.count(0) - sides.count(1)) <= 2
        three = {len({*sides[at : at + 3]}) for at in range(len(sides) - 2)}
        assert 1 not in three


@pytest.mark.parametrize("people", range(3, 9))
def test_in_all_play_all_everybody_meets_everybody(people: int) -> None:
    over = played_out(begun(Format.ALL_PLAY_ALL, people))

    met = Counter(frozenset(leg.entries) for leg in over.legs)
    assert met == Counter(map(frozenset, combinations(range(1, people + 1), 2)))


@pytest.mark.parametrize("people", range(4, 9, 2))
def test_bergers_tables_balance_the_sides(people: int) -> None:
    firsts = Counter(first for round_ in range(people - 1) for first, _ in berger(people, round_))

    assert max(firsts.values()) - min(firsts.values()) <= 1


@given(st.integers(1, 4), st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_people_can_be_paired_if_there_is_a_way(pairs: int, refused: set[tuple[int, int]]) -> None:
    def may_meet(one: int, other: int) -> bool:
        return not {(one, other), (other, one)} & refused

    def tried(rest: list[int]) -> bool:
        first, *others = rest or [0]
        return not rest or any(
            may_meet(first, other) and tried([each for each in others if each != other])
            for other in others
        )

    assert perfect(2 * pairs, may_meet) == tried([*range(2 * pairs)])


def test_the_bracket_keeps_the_best_apart() -> None:
    assert bracket(8) == [1, 8, 4, 5, 2, 7, 3, 6]


@pytest.mark.parametrize("people", range(4, 65))
def test_heats_have_three_or_four_at_a_table(people: int) -> None:
    over = played_out(begun(Format.HEATS, people))

    assert {len(leg.parts) for leg in over.legs if len(leg.parts) > 1} <= {3, 4}
    assert over.round == over.rounds


@pytest.mark.parametrize("people", [4, 5, 8])
def test_a_knockout_plays_for_the_third_place(people: int) -> None:
    over = played_out(begun(Format.KNOCKOUT, people))

    assert [legs[0].match for legs in over.round_of(over.rounds or 0)] == [0, 1]
    assert [entry.seed for entry in standings(over)][:4] == [1, 2, 3, 4]


def test_who_is_third_is_behind_the_finalists_and_wins_nothing_if_the_final_is_ended() -> None:
    tournament = begun(Format.KNOCKOUT, 4)
    while any(leg.round == 1 or leg.match == 1 for leg in tournament.open_legs()):
        leg = next(leg for leg in tournament.open_legs() if leg.round == 1 or leg.match == 1)
        ranks = [tournament.seed(number) for number in leg.entries]
        tournament = played(tournament, leg, *ranks)
    assert [entry.seed for entry in standings(tournament)] == [1, 2, 3, 4]

    ended = end(tournament)

    assert [entry.seed for entry in standings(ended)] == [1, 2, 3, 4]
    assert (ended.complete, ended.champion) == (False, None)


@pytest.mark.parametrize("format_", [Format.ALL_PLAY_ALL, Format.SWISS])
def test_the_last_one_who_is_there_wins_what_is_left_of_the_rounds(format_: Format) -> None:
    """Who won the first round leaves with the same points, and the better seed."""
    tournament = begun(format_, 4)
    first, other = tournament.open_legs()
    tournament = played(tournament, first, *range(2))
    won = tournament.by_number[first.entries[0]]
    assert won.seed == 1
    there = tournament.by_number[other.entries[0]]
    for entry in tournament.entries:
        if entry != there:
            tournament = leave(tournament, entry.person)

    over = played(tournament, other, *range(2))

    assert (over.round, over.rounds) == (3, 3)
    assert over.champion is not None
    assert over.champion.person == there.person


def test_a_level_match_of_slow_games_has_a_third_and_then_goes_to_the_higher_seed() -> None:
    tournament = replace(gathered(Format.KNOCKOUT, 4), pace=Pace.CORRESPONDENCE)
    seeds = {entry.number: int(entry.number) for entry in tournament.entries}
    tournament = seated(advanced(start(tournament, seeds)))
    for _ in range(3):
        leg = next(leg for leg in tournament.open_legs() if leg.match == 0)
        slow = [9.0 if tournament.seed(number) == 1 else 2.0 for number in leg.entries]
        tournament = seated(advanced(decided(tournament, leg, (0, 0), thought=slow)))
    (legs,) = (legs for legs in tournament.round_of(1) if legs[0].match == 0)

    assert len(legs) == 3
    assert legs[1].entries == legs[0].entries[::-1]
    assert tournament.seed(winner(tournament, legs) or legs[0].entries[1]) == 1


def test_a_level_match_goes_to_who_thought_less() -> None:
    tournament = begun(Format.KNOCKOUT, 4)
    for _ in range(2):
        leg = next(leg for leg in tournament.open_legs() if leg.match == 0)
        slow = [9.0 if tournament.seed(number) == 1 else 2.0 for number in leg.entries]
        tournament = seated(advanced(decided(tournament, leg, (0, 0), thought=slow)))
    while tournament.round == 1:
        leg = next(tournament.open_legs())
        tournament = played(tournament, leg, 0, 0)

    (final,) = (leg for leg in tournament.open_legs() if leg.match == 0)
    assert {tournament.seed(number) for number in final.entries} == {4, 2}


@pytest.mark.parametrize("spent", [(0.0, 0.0), (2.0, 5.0)], ids=["at once", "after two moves"])
def test_who_was_faster_in_a_game_they_won_gains_nothing_by_giving_up_the_next(
    spent: tuple[float, float],
) -> None:
    tournament = begun(Format.KNOCKOUT, 4)
    one, other = next(tournament.open_legs()).entries
    for rank, times in ((0, {one: 30.0, other: 40.0}), (1, {one: spent[0], other: spent[1]})):
        leg = next(leg for leg in tournament.open_legs() if leg.match == 0)
        ranks = [rank if number == one else 1 - rank for number in leg.entries]
        thought = [times[number] for number in leg.entries]
        tournament = seated(advanced(decided(tournament, leg, ranks, thought=thought)))

    (match,) = (legs for legs in tournament.round_of(1) if legs[0].match == 0)
    assert winner(tournament, match) == other


def test_nobody_is_champion_by_walkovers_and_byes_alone() -> None:
    """The first seed has a bye, and its opponents do not come; of the others two really play."""
    tournament = begun(Format.KNOCKOUT, 5)
    while tournament.stage is Stage.RUNNING:
        leg = next(tournament.open_legs())
        seeds = [tournament.seed(number) for number in leg.entries]
        if 1 in seeds:
            away = [seed != 1 for seed in seeds]
            tournament = seated(advanced(decided(tournament, leg, [*map(int, away)], absent=away)))
        else:
            tournament = played(tournament, leg, 0, 1)

    assert standings(tournament)[0].seed == 1
    assert tournament.complete
    assert tournament.champion is None


@pytest.mark.parametrize("there", [(True, False, False, False), (True, True, False, False)])
def test_at_a_table_of_heats_somebody_else_has_to_have_played(there: tuple[bool, ...]) -> None:
    tournament = begun(Format.HEATS, 4)
    (leg,) = tournament.open_legs()

    over = advanced(decided(tournament, leg, (0, 1, 2, 3), played=there))

    assert (over.champion is not None) == (sum(there) > 1)


def test_nobody_goes_on_from_a_table_of_heats_to_which_nobody_came() -> None:
    """Of two tables one is played; the first seed is at the other."""
    tournament = begun(Format.HEATS, 8)
    without, there = sorted(tournament.open_legs(), key=lambda leg: 1 not in leg.entries)
    tournament = decided(tournament, without, [0] * 4, absent=[True] * 4)
    tournament = decided(tournament, there, range(4), played=[True] * 4)

    (final,) = advanced(tournament).open_legs()

    assert {*final.entries} == {*there.entries[:2]}


def test_each_game_of_a_match_is_played_once_more_when_it_is_closed() -> None:
    tournament = begun(Format.KNOCKOUT, 4)

    def of_first() -> Leg:
        return next(leg for leg in tournament.open_legs() if leg.match == 0)

    for _ in range(2):
        tournament = seated(closed(tournament, of_first()))
        tournament = played(tournament, of_first(), 0, 0)
    (legs, _) = tournament.round_of(1)
    assert [part.points for leg in legs for part in leg.parts] == [0.5] * 4

    again = begun(Format.KNOCKOUT, 4)
    for _ in range(2):
        again = seated(closed(again, next(leg for leg in again.open_legs() if leg.match == 0)))
    assert [part.points for part in again.round_of(1)[0][0].parts] == [0.5, 0.5]


def test_a_game_that_was_closed_makes_nobody_champion() -> None:
    tournament = begun(Format.ALL_PLAY_ALL, 3)
    first = next(tournament.open_legs())
    tournament = decided(tournament, first, (0, 1), played=(True, True))
    winner = tournament.leg(first.number).entries[0]
    voided = replace(tournament.leg(first.number), void=True)

    assert tournament.leg(first.number).met_by(winner)
    assert not voided.met_by(winner)


@pytest.mark.parametrize("format_", OF_ROUNDS)
def test_a_host_who_plays_removes_nobody_they_could_still_meet(format_: Format) -> None:
    tournament = begun(format_, 4)

    with pytest.raises(Refusal, match="tournament_own_rival"):
        remove(tournament, [PersonId(4)], by=PersonId(1))
    assert remove(tournament, [PersonId(4)], by=PersonId(9)).by_number[EntryNumber(4)].left
    assert remove(tournament, [PersonId(1)], by=PersonId(1)).by_number[EntryNumber(1)].left


def test_a_host_who_is_in_front_does_not_end_the_final_between_its_games() -> None:
    """While it is paused no second game is paired, so that none of theirs is open."""
    tournament = begun(Format.KNOCKOUT, 4)
    while tournament.round < 2:
        leg = next(tournament.open_legs())
        tournament = played(tournament, leg, *(leg.entries.index(n) for n in sorted(leg.entries)))
    host = EntryNumber(1)
    tournament = pause(tournament, paused=True, by=PersonId(1))
    final = next(leg for leg in tournament.open_legs() if host in leg.entries)
    tournament = played(tournament, final, *(int(number != host) for number in final.entries))
    with pytest.raises(Refusal, match="tournament_own_match"):
        end(tournament, PersonId(1))
    assert end(tournament, PersonId(9)).stage is Stage.OVER


def test_a_host_who_is_behind_does_not_remove_their_rival_between_the_games_of_a_match() -> None:
    """While it is paused no second game is paired, so that nothing of theirs is open."""
    tournament = pause(begun(Format.KNOCKOUT, 8), paused=True)
    first = next(tournament.open_legs())
    ahead, host = (tournament.by_number[number].person for number in first.entries)
    tournament = played(tournament, first, 0, 1)

    with pytest.raises(Refusal, match="tournament_own_rival"):
        remove(tournament, [ahead], by=host)


@pytest.mark.parametrize("format_", [Format.SWISS, Format.ALL_PLAY_ALL])
def test_a_host_does_not_end_the_last_round_while_a_rival_could_overtake_them(
    format_: Format,
) -> None:
    tournament = begun(format_, 4)
    while tournament.round < (tournament.rounds or 0):
        tournament = played(tournament, next(tournament.open_legs()), 0, 1)
    own = next(leg for leg in tournament.open_legs() if EntryNumber(1) in leg.entries)
    tournament = played(tournament, own, 0, 1)
    assert [*tournament.open_legs()]
    with pytest.raises(Refusal, match="tournament_own_match"):
        end(tournament, PersonId(1))
    assert end(tournament, PersonId(9)).stage is Stage.OVER


def test_a_host_who_is_out_may_remove_and_one_whose_round_is_not_done_may_not() -> None:
    tournament = begun(Format.KNOCKOUT, 8)
    out = next(tournament.open_legs())
    for _ in range(2):  # the second seat of the first leg loses both games of the match
        leg = next(leg for leg in tournament.open_legs() if leg.match == out.match)
        tournament = played(tournament, leg, *(int(n == out.entries[1]) for n in leg.entries))
    through, beaten = (tournament.by_number[number].person for number in out.entries)
    third = next(tournament.open_legs()).entries[0]
    other = tournament.by_number[third].person

    assert remove(tournament, [other], by=beaten).by_number[third].left
    with pytest.raises(Refusal, match="tournament_own_rival"):
        remove(tournament, [other], by=through)


def without(tournament: Tournament, *numbers: EntryNumber) -> Tournament:
    """The tournament after some have left, before anything follows from that."""
    for number in numbers:
        tournament = leave(tournament, tournament.by_number[number].person)
    return tournament


@pytest.mark.parametrize("people", [4, 12])
def test_a_host_who_plays_in_heats_removes_nobody_of_the_last_round_before_all_is_over(
    people: int,
) -> None:
    """The host is third at their table, which is the final, or ends before the others."""
    tournament = pause(begun(Format.HEATS, people), paused=True)
    own = next(tournament.open_legs())
    *above, host, last = (tournament.by_number[number].person for number in own.entries)
    while any(tournament.open_legs()):
        tournament = played(tournament, next(tournament.open_legs()), 0, 1, 2, 3)
        for person in (*above, last):
            with pytest.raises(Refusal, match="tournament_own_rival"):
                remove(tournament, [person], by=host)
    following = seated(advanced(pause(tournament, paused=False)))
    if any(following.open_legs()):
        assert remove(following, above, by=host).active, "the host is out"


def test_a_decided_heat_keeps_its_places_whoever_leaves() -> None:
    final = pause(begun(Format.HEATS, 4), paused=True)
    (leg,) = final.open_legs()
    final = pause(played(final, leg, 0, 1, 2, 3), paused=False)

    over = advanced(without(final, *leg.entries[:2]))

    assert tuple(entry.number for entry in standings(over)) == leg.entries
    assert over.champion == over.by_number[leg.entries[0]]


def test_nobody_moves_up_in_a_heat_for_one_who_has_left_unless_all_have_who_go_on() -> None:
    tournament = pause(begun(Format.HEATS, 8), paused=True)
    legs = [*tournament.open_legs()]
    for leg in legs:
        tournament = played(tournament, leg, 0, 1, 2, 3)
    tournament = pause(tournament, paused=False)
    through = [number for leg in legs for number in leg.entries[:2]]

    assert {*go_on(without(tournament, through[0]), legs[:1])} == {through[1]}
    (final,) = advanced(without(tournament, through[0])).open_legs()
    assert {*final.entries} == {*through[1:]}
    (final,) = advanced(without(tournament, *through)).open_legs()
    assert {*final.entries} == {number for leg in legs for number in leg.entries[2:]}


@pytest.mark.parametrize(("format_", "people"), [(Format.KNOCKOUT, 4), (Format.HEATS, 8)])
def test_who_alone_is_left_for_the_final_is_champion(format_: Format, people: int) -> None:
    ended = tournament = begun(format_, people)
    while tournament.round == 1:
        leg = next(tournament.open_legs())
        ranks = [sorted(leg.entries, key=tournament.seed).index(n) for n in leg.entries]
        ended = decided(tournament, leg, ranks, played=[True] * len(ranks))
        tournament = seated(advanced(ended))
    (final, *_) = tournament.open_legs()
    alone = max(final.entries, key=tournament.seed)

    over = advanced(without(ended, *ended.by_number.keys() - {alone}))

    assert over.champion == over.by_number[alone]


@pytest.mark.parametrize("format_", [Format.SWISS, Format.ALL_PLAY_ALL])
def test_where_all_rounds_count_a_host_who_plays_removes_nobody_they_have_met(
    format_: Format,
) -> None:
    tournament = begun(format_, 4)
    host = PersonId(1)
    while tournament.stage is Stage.RUNNING:
        tournament = pause(tournament, paused=True, by=host)
        while any(tournament.open_legs()):
            tournament = played(tournament, next(tournament.open_legs()), 0, 1)
        for person in map(PersonId, (2, 3, 4)):
            with pytest.raises(Refusal, match="tournament_own_rival"):
                remove(tournament, [person], by=host)
            assert len(remove(tournament, [person], by=PersonId(9)).active) == 3
        tournament = seated(advanced(pause(tournament, paused=False)))


def test_who_does_not_come_loses_the_match() -> None:
    tournament = begun(Format.KNOCKOUT, 4)
    leg = next(tournament.open_legs())

    tournament = advanced(decided(tournament, leg, (1, 0), absent=(True, False)))

    assert [len(legs) for legs in tournament.round_of(1)] == [1, 1]


def test_of_two_who_do_not_come_none_goes_on_and_the_next_opponent_has_a_bye() -> None:
    tournament = begun(Format.KNOCKOUT, 8)
    leg = next(tournament.open_legs())
    missed = decided(tournament, leg, (0, 0), absent=(True, True))

    over = played_out(seated(advanced(missed)))

    (bye,) = (legs for legs in over.round_of(2) if len(legs[0].parts) == 1)
    assert bye[0].match == leg.match // 2
    assert not {n for each in over.legs[4:] for n in each.entries} & {*leg.entries}
    assert {entry.number for entry in standings(over)[-2:]} == {*leg.entries}


def test_a_closed_table_is_played_again_once() -> None:
    tournament = begun(Format.SWISS, 4)
    leg = next(tournament.open_legs())

    again = seated(closed(tournament, leg))
    (second,) = [each for each in again.open_legs() if each.entries == leg.entries]
    level = closed(again, second)

    assert second.number != leg.number
    assert [part.points for part in level.leg(second.number).parts] == [0.5, 0.5]


def test_a_late_joiner_has_half_a_point_for_each_round_missed() -> None:
    tournament = begun(Format.SWISS, 6)
    late = join(tournament, PersonId(99))
    while late.round == 1:
        leg = next(late.open_legs())
        late = played(late, leg, 0, 1)

    entry = late.entry_of(PersonId(99))
    assert entry is not None
    assert entry.since == 2
    assert any(entry.number in leg.entries for leg in late.legs if leg.round == 2)


def after(*games: tuple[int, int, float], people: int = 5) -> Tournament:
    """A Swiss tournament after games of a first and a second, with the points of the first."""
    tournament = begun(Format.SWISS, people)
    numbers = {tournament.seed(entry.number): entry.number for entry in tournament.entries}
    legs = tuple(
        Leg(
            number,
            number,
            0,
            (Part(numbers[first], made), Part(numbers[second], 1 - made)),
            SessionId(number),
        )
        for number, (first, second, made) in enumerate(games, 1)
    )
    return replace(tournament, round=len(legs), legs=legs)


def test_criteria_are_counted_from_the_opponents() -> None:
    """1 beat 2 and 3, 2 beat 3, 4 drew with 3 and beat 5: they have 2, 1, 0.5, 1.5 and 0 points."""
    scores = TournamentScores(after((1, 2, 1), (1, 3, 1), (2, 3, 1), (4, 3, 0.5), (4, 5, 1)))
    one, two, three, four, _ = sorted(scores.points, key=scores.tournament.seed)

    assert [scores.points[n] for n in (one, two, three, four)] == [2, 1, 0.5, 1.5]
    assert [buchholz(scores, (), n) for n in (one, two, three)] == [1, 2, 2 + 1.5]
    assert [sonneborn_berger(scores, (), n) for n in (one, two, four)] == [1.5, 0.5, 0.25]
    assert [head_to_head(scores, (two, three), n) for n in (two, three)] == [1, 0]
    assert [wins(scores, (), n) for n in (one, two, three, four)] == [2, 1, 0, 1]


def test_a_round_without_play_counts_as_one_against_an_equal() -> None:
    """By Buchholz whoever had the bye or a walkover is no longer behind all others alike.

    1 has the bye and beats 2; 2 loses to 1 and has beaten 3, who came late; 4 did not come to 5.
    """
    tournament = begun(Format.SWISS, 5)
    number = {tournament.seed(entry.number): entry.number for entry in tournament.entries}
    one, two, three, four, five = (number[seed] for seed in range(1, 6))
    entries = [
        replace(entry, since=2 if entry.number == three else 1) for entry in tournament.entries
    ]
    legs = (
        Leg(1, 1, 0, (Part(one, 1.0),)),
        Leg(2, 1, 1, (Part(five, 1.0), Part(four, 0.0, absent=True)), SessionId(2)),
        Leg(3, 2, 0, (Part(one, 1.0), Part(two, 0.0)), SessionId(3)),
        Leg(4, 3, 0, (Part(two, 1.0), Part(three, 0.0)), SessionId(4)),
    )
    scores = TournamentScores(replace(tournament, round=3, entries=tuple(entries), legs=legs))

    assert [each.opponent for each in scores.rounds[one]] == [None, two]
    assert [scores.points[n] for n in (one, two, three, four, five)] == [2, 1, 0.5, 0, 1]
    assert [scores.adjusted[n] for n in (one, three, four)] == [2, 0.5, 0.5]
    assert buchholz(scores, (), one) == 2, "the equal counts, and the points of two are left out"
    assert buchholz(scores, (), two) == 2, "who came late is the worst"
    assert buchholz(scores, (), three) == 1, "the round before joining is left out first"
    assert sonneborn_berger(scores, (), one) == 1 * 2 + 1 * 1
    assert sonneborn_berger(scores, (), five) == 1 * 1


@pytest.mark.parametrize("leaver", range(1, 6))
def test_where_all_play_all_the_rest_of_one_who_has_left_is_no_draw(leaver: int) -> None:
    tournament = begun(Format.ALL_PLAY_ALL, 5)
    while tournament.round == 1:
        tournament = played(tournament, next(tournament.open_legs()), 0, 1)
    left = leave(tournament, PersonId(leaver))
    for leg in [*left.open_legs()]:
        if EntryNumber(leaver) in leg.entries:
            left = decided(left, leg, [int(number == leaver) for number in leg.entries])
    scores = TournamentScores(played_out(seated(advanced(left))))
    assert scores.adjusted == scores.points


def test_equal_points_are_ordered_by_the_next_criterion() -> None:
    """Three have 1.5 points: one has less by Buchholz, two differ by Sonneborn-Berger."""
    tournament = after((4, 1, 1), (4, 2, 0.5), (3, 5, 1), (3, 1, 0.5), (2, 5, 1))

    assert [entry.seed for entry in standings(tournament)] == [4, 2, 3, 1, 5]


def test_those_who_are_alike_in_all_are_ordered_by_seed() -> None:
    tournament = after((1, 2, 0), (2, 3, 0), (1, 3, 1))

    assert [entry.seed for entry in standings(tournament)][:3] == [1, 2, 3]


def test_no_more_rounds_are_played_than_there_are_opponents() -> None:
    gathered_ = replace(gathered(Format.SWISS, 4), rounds=9)  # as could be chosen once
    running = start(gathered_, {entry.number: int(entry.number) for entry in gathered_.entries})

    assert played_out(seated(advanced(running))).round == running.rounds == 3


def test_too_few_do_not_begin() -> None:
    with pytest.raises(Refusal, match="tournament_too_few"):
        start(gathered(Format.KNOCKOUT, 3), {EntryNumber(n): n for n in (1, 2, 3)})
