"""The steps of a tournament: joining and leaving, its start, its rounds, its end.

Each function returns the tournament that follows, or raises a `Refusal`. A step that has nothing to
do returns the tournament itself, so that it can be taken again at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from bot.table.refusals import Outdated, Refusal
from bot.table.seats import PersonId
from bot.tournaments import all_play_all, arena, heats, knockout, swiss
from bot.tournaments.tournament import (
    CalledOff,
    Competitor,
    EntryNumber,
    Format,
    Leg,
    Pairing,
    Stage,
    Tournament,
    points,
)


@dataclass(frozen=True, slots=True)
class System:
    """A format's rules: number of rounds, pairings of the next round, and order of entries.

    `rounds` returns None for an arena, which the clock ends.
    """

    rounds: Callable[[int], int | None]
    pairings: Callable[[Tournament], Sequence[Pairing]]
    order: Callable[[Tournament], Sequence[EntryNumber]]


SYSTEMS: Final = {
    Format.KNOCKOUT: System(knockout.rounds, knockout.pairings, knockout.order),
    Format.SWISS: System(swiss.rounds, swiss.pairings, swiss.order),
    Format.ALL_PLAY_ALL: System(all_play_all.rounds, all_play_all.pairings, all_play_all.order),
    Format.HEATS: System(heats.rounds, heats.pairings, heats.order),
    Format.ARENA: System(lambda _: None, arena.pairings, arena.order),
}


def standings(tournament: Tournament) -> Sequence[Competitor]:
    """The entries from first to last place, by what is decided so far.

    When it is over, the stored places count, even if this version would break ties differently.
    """
    if tournament.stage is Stage.OVER:
        return sorted(tournament.entries, key=lambda entry: entry.place or 0)
    return by_matches(tournament)


def by_matches(tournament: Tournament) -> Sequence[Competitor]:
    """The entries from first to last place, as this version computes it from the matches."""
    return [tournament.by_number[n] for n in SYSTEMS[tournament.format].order(tournament)]


def join(tournament: Tournament, person: PersonId) -> Tournament:
    """The tournament with one more person, or with one who was away from an arena and is back.

    People can join an arena at any time, and a Swiss tournament in its first half.

    Raises:
        Refusal: They are in it already, have left or were removed, or it is full or too late.
    """
    entry = tournament.entry_of(person)
    if any(each.person == person for each in tournament.removed):
        raise Refusal("tournament_left")
    if entry is not None and entry.away and not entry.left and joinable(tournament):
        return tournament.with_entry(replace(entry, away=False))
    if entry is not None:
        raise Refusal("tournament_left" if entry.left else "tournament_joined")
    if not joinable(tournament):
        raise Refusal("tournament_begun")
    if tournament.full:
        raise Refusal("tournament_full")
    number = EntryNumber(max((e.number for e in tournament.known), default=0) + 1)
    since = 1 if tournament.format is Format.ARENA else tournament.round + 1
    return tournament.with_entry(Competitor(number, person, since=since))


def joinable(tournament: Tournament) -> bool:
    """Whether it is not too late to join."""
    if tournament.stage is Stage.SIGN_UP:
        return True
    if tournament.stage is not Stage.RUNNING or tournament.format is Format.ARENA:
        return tournament.stage is Stage.RUNNING
    late = tournament.format is Format.SWISS
    return late and 2 * tournament.round <= (tournament.rounds or 0)


def leave(tournament: Tournament, person: PersonId) -> Tournament:
    """The tournament after a person has left it, and so loses their games to come.

    From a running arena they are only away, and may come back.

    Raises:
        Refusal: They are not in it, or it is over.
    """
    entry = tournament.entry_of(person)
    after = leave_for_good(tournament, person)
    if entry is None or tournament.stage is Stage.SIGN_UP or tournament.format is not Format.ARENA:
        return after
    if entry.away:
        raise Refusal("tournament_not_yours")
    return tournament.with_entry(replace(entry, away=True))


def leave_for_good(tournament: Tournament, person: PersonId) -> Tournament:
    """The tournament after a person has left it for good, and so loses their games to come.

    Raises:
        Refusal: They are not in it, or it is over.
    """
    entry = tournament.entry_of(person)
    if tournament.stage in {Stage.OVER, Stage.CALLED_OFF}:
        raise Refusal("tournament_over")
    if entry is None or entry.left:
        raise Refusal("tournament_not_yours")
    if tournament.stage is Stage.SIGN_UP:
        kept = tuple(each for each in tournament.entries if each is not entry)
        return replace(tournament, entries=kept)
    return tournament.with_entry(replace(entry, left=True))


def remove(tournament: Tournament, people: Sequence[PersonId], by: PersonId) -> Tournament:
    """The tournament after `by`, its host or a manager who may play in it too, removed people.

    People removed before the start cannot join again, unlike those who left.

    Raises:
        Refusal: One of them is not in it, or is a rival of `by`; or the tournament is over.
    """
    for person in people:
        if person != by and _are_rivals(tournament, by, person):
            raise Refusal("tournament_own_rival")
        entry, signs_up = tournament.entry_of(person), tournament.stage is Stage.SIGN_UP
        tournament = leave_for_good(tournament, person)
        if entry is not None and signs_up and person != by:
            kept = replace(entry, left=True, since=0)
            tournament = replace(tournament, removed=(*tournament.removed, kept))
    return tournament


def require_no_rival_at(tournament: Tournament, leg: Leg, by: PersonId) -> None:
    """Check that a manager, who may play in the tournament, may close the table of a leg.

    Raises:
        Refusal: One of its players is their rival.
    """
    people = (tournament.by_number[number].person for number in leg.entries)
    if any(_are_rivals(tournament, by, person) for person in people):
        raise Refusal("tournament_own_rival")


def _are_rivals(tournament: Tournament, one: PersonId, other: PersonId) -> bool:
    """Whether two people compete in a running tournament, neither of them knocked out.

    In formats without knocking out they compete for places even after they have met.
    """
    entries = tournament.entry_of(one), tournament.entry_of(other)
    if tournament.stage is not Stage.RUNNING or any(e is None or e.left for e in entries):
        return False
    pair = {entry.number for entry in entries if entry is not None}
    knocks_out = tournament.format in {Format.KNOCKOUT, Format.HEATS}
    return not knocks_out or pair <= _still_in(tournament)


def _still_in(tournament: Tournament) -> Set[EntryNumber]:
    """The entries not knocked out: those in undecided matches, and those who advance.

    All semifinalists are included, as are all entries of the present round of heats.
    """
    decided_ = replace(tournament, legs=tuple(leg for leg in tournament.legs if not leg.open))
    following = SYSTEMS[tournament.format].pairings(decided_)
    semifinal = tournament.round + 1 == tournament.rounds
    whole = semifinal or tournament.format is Format.HEATS
    return {number for _, seats in following for number in seats} | {
        number
        for legs in tournament.round_of(tournament.round)
        if whole or not is_decided(tournament, legs)
        for number in legs[0].entries
    }


def start(tournament: Tournament, seeds: Mapping[EntryNumber, int]) -> Tournament:
    """The tournament started, with these seeds of its entries.

    Raises:
        Refusal: It has begun, or there are too few.
    """
    if tournament.stage is not Stage.SIGN_UP:
        raise Outdated("tournament_begun")
    if len(tournament.entries) < tournament.format.fewest:
        raise Refusal("tournament_too_few", fewest=tournament.format.fewest)
    entries = tuple(replace(entry, seed=seeds[entry.number]) for entry in tournament.entries)
    rounds = SYSTEMS[tournament.format].rounds(len(entries))
    if rounds is None:
        return replace(tournament, stage=Stage.RUNNING, entries=entries, round=1)
    if tournament.rounds is not None:
        rounds = min(max(rounds, tournament.rounds), rounds + 1, all_play_all.rounds(len(entries)))
    return replace(tournament, stage=Stage.RUNNING, entries=entries, rounds=rounds)


def chosen_rounds(tournament: Tournament) -> int | None:
    """The chosen rounds: `LONGER`, or None if they depend on the number of entries."""
    first = [entry for entry in tournament.entries if entry.since == 1]
    usual = SYSTEMS[tournament.format].rounds(len(first)) or 0
    return swiss.LONGER if (tournament.rounds or usual) > usual else None


def call_off(tournament: Tournament, why: CalledOff = CalledOff.BY_HAND) -> Tournament:
    """The tournament called off before its start, for a reason.

    Raises:
        Refusal: It has begun.
    """
    if tournament.stage is not Stage.SIGN_UP:
        raise Outdated("tournament_begun")
    return replace(tournament, stage=Stage.CALLED_OFF, why=why)


def pause(tournament: Tournament, *, paused: bool, by: PersonId | None = None) -> Tournament:
    """The tournament paused, so that nothing is paired, or continued.

    Raises:
        Refusal: It does not run; or `by` plays in this arena, whose clock goes on during a pause.
    """
    _require_running(tournament)
    if paused and tournament.format is Format.ARENA and _plays(tournament, by):
        raise Refusal("tournament_own_match")
    return replace(tournament, paused=paused)


def end(tournament: Tournament, by: PersonId | None = None) -> Tournament:
    """The tournament ended with the standings so far; open legs are void.

    Raises:
        Refusal: It does not run; or `by` plays in it, and has a match under way themselves, or
            the last round is undecided.
    """
    _require_running(tournament)
    if by is not None and _plays(tournament, by):
        entry = tournament.entry_of(by)
        own = any(entry and entry.number in leg.entries for leg in tournament.open_legs())
        last = tournament.round == tournament.rounds
        matches = tournament.round_of(tournament.round)
        if own or (last and not all(is_decided(tournament, legs) for legs in matches)):
            raise Refusal("tournament_own_match")
    for leg in [*tournament.open_legs()]:
        tournament = tournament.with_leg(replace(leg, void=True))
    return _over(replace(tournament, cut=True, paused=False))


def _plays(tournament: Tournament, person: PersonId | None) -> bool:
    """Whether a person has an entry that has not left."""
    entry = None if person is None else tournament.entry_of(person)
    return entry is not None and not entry.left


def time_up(tournament: Tournament) -> Tournament:
    """The arena ended by the clock, open legs void; called off if it has no entries."""
    if not tournament.entries:
        return replace(tournament, stage=Stage.CALLED_OFF, why=CalledOff.NOBODY_CAME)
    return replace(end(tournament), cut=False)


def present(tournament: Tournament, number: int, person: PersonId) -> Tournament:
    """The tournament with a person marked as present at a leg.

    Raises:
        Refusal: They do not play in this leg, or it is decided.
    """
    if not 0 < number <= len(tournament.legs) or not tournament.leg(number).open:
        raise Outdated("tournament_over")
    leg, entry = tournament.leg(number), tournament.entry_of(person)
    if entry is None or entry.number not in leg.entries:
        raise Refusal("tournament_not_yours")
    parts = (replace(p, present=p.present or p.entry == entry.number) for p in leg.parts)
    return tournament.with_leg(replace(leg, parts=tuple(parts)))


def decided(
    tournament: Tournament,
    leg: Leg,
    ranks: Sequence[int],
    *,
    thought: Sequence[float] = (),
    absent: Sequence[bool] = (),
    played: Sequence[bool] = (),
    gone: Sequence[bool] = (),
) -> Tournament:
    """The tournament with the result of a leg: the ranks of its parts, 0 being the best.

    `thought` is in seconds. If all are `absent`, nobody gets points. `played` are those who really
    played, nobody by default. In an arena, those `absent` or `gone` are then away.
    """
    none, nobody = (0.0,) * len(leg.parts), (False,) * len(leg.parts)
    missing = absent or nobody
    made = points(tournament.format, ranks, short=not any(played))
    made = none if all(missing) else made
    parts = (
        replace(part, points=own, thought=seconds, absent=away, played=there)
        for part, own, seconds, away, there in zip(
            leg.parts, made, thought or none, missing, played or nobody, strict=True
        )
    )
    tournament = tournament.with_leg(replace(leg, parts=tuple(parts)))
    if tournament.format is Format.ARENA:
        for number, away, late in zip(leg.entries, missing, gone or nobody, strict=True):
            if away or late:
                entry = tournament.by_number[number]
                tournament = tournament.with_entry(replace(entry, away=True))
    return tournament


def closed(tournament: Tournament, leg: Leg) -> Tournament:
    """The tournament after a leg's table was closed: it is replayed, the second time a draw.

    In an arena it is void, and its players are free for others.
    """
    if tournament.format is Format.ARENA:
        return tournament.with_leg(replace(leg, void=True))
    match = (leg.round, leg.match)
    own = [each for each in tournament.legs if (each.round, each.match) == match]
    if any(each.void for each in own[-2:-1]):
        return decided(tournament, leg, [0] * len(leg.parts))
    voided = tournament.with_leg(replace(leg, void=True))
    return voided.with_legs([(leg.match, leg.entries)], round_=leg.round)


def advanced(tournament: Tournament, rested: Collection[EntryNumber] = ()) -> Tournament:
    """The tournament with all legs added that can be played now; over once nothing is left.

    An arena goes on; `rested` are its free entries whose pause after a game is over.
    """
    if tournament.format is Format.ARENA:
        running = tournament.stage is Stage.RUNNING and not tournament.paused
        begun = arena.pairings(tournament, rested) if running else ()
        return tournament.with_legs(begun, round_=tournament.round) if begun else tournament
    while tournament.stage is Stage.RUNNING and not tournament.paused:
        following = _walked_over(_further_legs(tournament))
        if following is tournament:
            if any(tournament.open_legs()):
                return tournament
            following = _next_round(tournament)
        tournament = following
    return tournament


def _further_legs(tournament: Tournament) -> Tournament:
    if tournament.format is not Format.KNOCKOUT:
        return tournament
    legs = [
        (match[0].match, seats)
        for match in tournament.round_of(tournament.round)
        if not any(leg.open for leg in match)
        and (seats := knockout.next_leg(tournament, match)) is not None
    ]
    return tournament.with_legs(legs, round_=tournament.round) if legs else tournament


def is_decided(tournament: Tournament, legs: Sequence[Leg]) -> bool:
    """Whether a match is over: its legs are decided, and no further one is needed."""
    if any(leg.open for leg in legs):
        return False
    knockout_ = tournament.format is Format.KNOCKOUT
    return not knockout_ or knockout.next_leg(tournament, legs) is None


def go_on(tournament: Tournament, legs: Sequence[Leg]) -> Sequence[EntryNumber]:
    """The entries that advance to the next round by a decided match."""
    if legs[0].round == tournament.rounds or tournament.stage is not Stage.RUNNING:
        return ()
    if tournament.format is Format.KNOCKOUT:
        won = knockout.winner(tournament, legs)
        return () if won is None else (won,)
    if tournament.format is Format.HEATS:
        last = len(tournament.round_of(legs[0].round)) == 1
        return () if last else heats.going_on(tournament, legs[-1])
    return ()


def _walked_over(tournament: Tournament) -> Tournament:
    """The tournament with legs decided without play because entries have left."""
    for leg in [*tournament.open_legs()]:
        left = [tournament.by_number[number].left for number in leg.entries]
        if leg.table is None and sum(left) >= len(left) - 1:
            tournament = decided(tournament, leg, [int(gone) for gone in left], absent=left)
    return tournament


def _next_round(tournament: Tournament) -> Tournament:
    pairings = SYSTEMS[tournament.format].pairings(tournament)
    if not pairings:
        return _over(tournament)
    round_ = tournament.round + 1
    return replace(tournament, round=round_).with_legs(pairings, round_=round_)


def _over(tournament: Tournament) -> Tournament:
    for place, entry in enumerate(standings(tournament), 1):
        tournament = tournament.with_entry(replace(entry, place=place))
    return replace(tournament, stage=Stage.OVER)


def _require_running(tournament: Tournament) -> None:
    if tournament.stage is not Stage.RUNNING:
        raise Outdated("tournament_over")
