"""Weekly arenas in a database: they come by themselves, whatever becomes of the bot meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import median

import pytest

from bot.service.due_work import DueWork
from bot.service.weekly_arenas import LATE_SIGN_UP, SIGN_UP_AHEAD, WeeklyArenas
from bot.storage.check.games import false_tournaments
from bot.storage.choices import ARENA_MINUTES, Guilds
from bot.storage.shards import Share, shard_of
from bot.storage.stores import stores
from bot.table.refusals import Refusal
from bot.table.seats import PersonId
from bot.table.session import Ending, Phase
from bot.table.table import Table
from bot.tournaments import progress
from bot.tournaments.progress import standings
from bot.tournaments.scores import TournamentScores
from bot.tournaments.tournament import CalledOff, Format, Leg, Stage, Tournament, TournamentId
from tests.benchmarks.weekly import CHANNEL, HERE, SECOND, THREAD, Evening, evening
from tests.bot.clock import ManualClock

ANN, BEN, CLEO = map(PersonId, (100, 101, 102))
A_MINUTE = timedelta(minutes=1)
A_WEEK = timedelta(7)

pytestmark = pytest.mark.both_databases


@pytest.fixture
async def arena(address: str) -> AsyncIterator[Evening]:
    """A server whose sign-up has just come."""
    clock = ManualClock(datetime(2026, 5, 1, 12, tzinfo=UTC))
    async with stores(address, clock) as kept:
        found = Evening(kept, clock, Random(1))
        await found.sign_up(arena_game="tictactoe-3", arena_minutes=20)
        yield found
        assert await kept.database.run(lambda c: [*false_tournaments(c)]) == []


async def now(arena: Evening) -> Tournament:
    return (await arena.tournaments.hosted(arena.number)).tournament


async def begun(arena: Evening, *people: PersonId, late: timedelta = timedelta()) -> Tournament:
    """The arena begun with people, perhaps late."""
    for person in people:
        await arena.take(progress.join, person)
    starts_at = (await arena.tournaments.hosted(arena.number)).starts_at
    assert starts_at is not None
    arena.clock.advance(starts_at + late - arena.clock.now())
    await arena.start()
    return await now(arena)


async def table_of(arena: Evening, person: PersonId) -> tuple[Leg, Table]:
    tournament = await now(arena)
    entry = tournament.entry_of(person)
    assert entry is not None
    leg = next(leg for leg in tournament.open_legs() if entry.number in leg.entries)
    assert leg.table is not None
    return leg, await arena.tables.table(leg.table)


async def plies(arena: Evening, person: PersonId, many: int) -> Table:
    """So many plies at the table of a person, after which nothing has gone on."""
    _, table = await table_of(arena, person)
    for _ in range(many):
        table = await arena.move(table)
    return table


async def won(arena: Evening, person: PersonId) -> None:
    """A game that a person wins, since the other one gives it up after four plies."""
    table = await plies(arena, person, 4)
    (other,) = {*table.session.people} - {person}
    await arena.tables.depart(table.id, other)


async def made(arena: Evening) -> dict[PersonId, float]:
    tournament = await now(arena)
    scores = TournamentScores(tournament).points
    return {entry.person: scores[entry.number] for entry in tournament.entries}


@pytest.mark.sqlite_alone
@pytest.mark.parametrize(
    ("game", "minutes", "games"),
    [
        pytest.param("tictactoe-3", 8, 24, id="eight minutes"),
        pytest.param("tictactoe-3", 20, 60, id="twenty minutes", marks=pytest.mark.exhaustive),
        pytest.param("connectfour-7x6", 30, 60, id="thirty minutes", marks=pytest.mark.exhaustive),
    ],
)
async def test_twelve_who_come_and_go_wait_for_seconds_and_meet_others(
    address: str, game: str, minutes: int, games: int
) -> None:
    """Four of them leave and come back, half of these without a word."""
    found, over = await evening(address, people=12, minutes=minutes, game=game, seed=1)

    assert over.stage is Stage.OVER
    assert found.while_free == 0
    assert found.games > games
    assert median(each.total_seconds() for each in found.waits) < 20
    assert over.champion == standings(over)[0]
    assert not any(entry.away for entry in over.entries)


async def test_the_sign_up_comes_each_week(arena: Evening) -> None:
    first = await arena.tournaments.hosted(arena.number)
    assert first.starts_at is not None
    assert first.starts_at == arena.clock.now() + SIGN_UP_AHEAD
    assert first.tournament.stage is Stage.SIGN_UP
    await arena.arenas.run_due(lambda _: "en-US")
    assert len(await arena.kept.tournaments.behind()) == 1

    arena.clock.advance(A_WEEK)
    await arena.arenas.run_due(lambda _: "en-US")

    _, other = await arena.kept.tournaments.behind()
    assert (await arena.tournaments.hosted(other)).starts_at == first.starts_at + A_WEEK


async def test_what_is_chosen_with_a_clock_that_was_set_back_brings_no_second_one(
    arena: Evening,
) -> None:
    """Seed 405 of the simulation."""
    first = await arena.tournaments.hosted(arena.number)
    assert first.starts_at is not None
    arena.clock.advance(-timedelta(hours=1))
    await arena.arenas.choose(HERE, arena_minutes=ARENA_MINUTES[0])
    assert arena.kept.guilds.of(HERE).arena_next == first.starts_at + A_WEEK


async def test_of_a_day_and_an_hour_chosen_at_once_the_next_start_has_both(
    arena: Evening,
) -> None:
    day, hour = 5, 20
    await asyncio.gather(
        arena.arenas.choose(HERE, arena_day=day), arena.arenas.choose(HERE, arena_hour=hour)
    )
    held = arena.kept.guilds.of(HERE)
    assert (held.arena_day, held.arena_hour) == (day, hour)
    assert held.arena_next is not None
    assert (held.arena_next.weekday(), held.arena_next.hour) == (day, hour)


async def next_week(arena: Evening, *people: PersonId) -> bool:
    """An arena played by people to its end; return whether that of the week after it comes."""
    await begun(arena, *people)
    if len(people) > 1:
        await won(arena, people[0])
    hosted = await arena.tournaments.hosted(arena.number)
    assert hosted.ends_at is not None
    arena.clock.advance(hosted.ends_at - arena.clock.now())
    await arena.go_on()
    return await opened(arena)


async def opened(arena: Evening) -> bool:
    """Whether the next arena comes when it is due."""
    at = arena.kept.guilds.of(HERE).arena_next
    assert at is not None
    arena.clock.advance(at - SIGN_UP_AHEAD - arena.clock.now())
    await arena.arenas.run_due(lambda _: "en-US")
    last = await arena.kept.tournaments.last_arena(HERE)
    assert last is not None
    comes, arena.number = last != arena.number, last
    return comes


async def test_after_four_weeks_in_which_nobody_played_it_comes_no_more(arena: Evening) -> None:
    assert await next_week(arena, ANN, BEN), "two played"
    for people in ((), (ANN,), (), (BEN,)):
        comes = await next_week(arena, *people)
        assert comes == (people != (BEN,)), "the fourth quiet one was the last"

    held = arena.kept.guilds.of(HERE)
    assert (held.arena_channel, held.arena_lost) == (None, CHANNEL)
    assert held.quiet
    loaded = await Guilds.loaded(arena.kept.database)
    assert loaded.of(HERE) == held

    await arena.arenas.choose(HERE, arena_channel=CHANNEL)
    await opened(arena)

    assert not arena.kept.guilds.of(HERE).quiet
    for _ in range(3):
        assert await next_week(arena)
    assert not await next_week(arena)


async def test_a_week_with_two_who_play_counts_anew(arena: Evening) -> None:
    for people in ((), (), (), (ANN, BEN), (), (), ()):
        assert await next_week(arena, *people)


async def test_of_two_processes_one_opens_it(arena: Evening) -> None:
    """Both have read the settings before; afterwards both know the next week's."""
    kept, clock = arena.kept, arena.clock
    clock.advance(A_WEEK)
    memories = [kept.guilds, await Guilds.loaded(kept.database)]
    for guilds in memories:
        process = WeeklyArenas(guilds, arena.tournaments, clock, Random(2), kept.share)
        await process.run_due(lambda _: "en-US")

    assert len(await kept.tournaments.behind()) == 2  # last week's and this one's
    one, other = (guilds.of(HERE).arena_next for guilds in memories)
    assert one == other
    assert one is not None
    assert one > clock.now()


async def test_a_process_opens_those_of_its_servers_that_it_sees(arena: Evening) -> None:
    arena.clock.advance(A_WEEK)
    other = Share(2, frozenset({1 - shard_of(HERE, 2)}))
    kept, tournaments = arena.kept, arena.tournaments
    elsewhere = WeeklyArenas(kept.guilds, tournaments, arena.clock, Random(3), other)
    await elsewhere.run_due(lambda _: "en-US")
    await arena.arenas.run_due(lambda _: None)
    assert len(await kept.tournaments.behind()) == 1

    await arena.arenas.run_due(lambda _: "en-US")

    assert len(await kept.tournaments.behind()) == 2


async def test_after_the_bot_was_away_the_sign_up_comes_late_and_the_start_after_it(
    arena: Evening,
) -> None:
    arena.clock.advance(A_WEEK + SIGN_UP_AHEAD + 10 * A_MINUTE)
    await arena.arenas.run_due(lambda _: "en-US")

    _, late = await arena.kept.tournaments.behind()
    hosted = await arena.tournaments.hosted(late)
    assert hosted.starts_at == arena.clock.now() + LATE_SIGN_UP
    assert hosted.ends_at == hosted.starts_at + 20 * A_MINUTE


async def test_an_arena_that_would_be_over_by_now_is_left_out(arena: Evening) -> None:
    arena.clock.advance(A_WEEK + SIGN_UP_AHEAD + 20 * A_MINUTE)
    await arena.arenas.run_due(lambda _: "en-US")

    assert len(await arena.kept.tournaments.behind()) == 1
    following = arena.kept.guilds.of(HERE).arena_next
    assert following is not None
    assert arena.clock.now() < following < arena.clock.now() + A_WEEK


async def test_a_bot_that_was_away_at_the_start_begins_late_and_for_as_long(
    arena: Evening,
) -> None:
    await begun(arena, ANN, BEN, late=15 * A_MINUTE)
    assert len((await now(arena)).legs) == 1
    arena.clock.advance(19 * A_MINUTE)
    await arena.go_on()
    assert (await now(arena)).stage is Stage.RUNNING

    arena.clock.advance(A_MINUTE)
    await arena.go_on()

    assert (await now(arena)).stage is Stage.OVER


async def test_a_bot_that_was_away_for_all_of_it_calls_it_off(arena: Evening) -> None:
    await begun(arena, ANN, BEN, late=20 * A_MINUTE)

    assert (await now(arena)).why is CalledOff.BOT_AWAY


async def test_a_bot_that_was_away_over_the_end_counts_what_had_ended_before(
    arena: Evening,
) -> None:
    await begun(arena, ANN, BEN, CLEO, PersonId(103))
    arena.clock.advance(20 * A_MINUTE - SECOND)
    await won(arena, ANN)
    ahead, _ = await table_of(arena, ANN)
    others = [
        each for each in (BEN, CLEO, PersonId(103)) if each not in await people_at(arena, ahead)
    ]
    arena.clock.advance(10 * A_MINUTE)
    await won(arena, others[0])  # too late

    await arena.go_on()

    found = await now(arena)
    assert found.stage is Stage.OVER
    assert (await made(arena))[ANN] == 2
    assert sum((await made(arena)).values()) == 2


async def people_at(arena: Evening, leg: Leg) -> set[PersonId]:
    tournament = await now(arena)
    return {tournament.by_number[number].person for number in leg.entries}


async def test_games_that_are_on_at_the_end_can_be_played_on(arena: Evening) -> None:
    await begun(arena, ANN, BEN)
    table = await plies(arena, ANN, 1)
    arena.clock.advance(20 * A_MINUTE)
    # Nobody is to lose it, as the clock of a turn would have them.
    await arena.go_on()

    assert (await now(arena)).stage is Stage.OVER
    after = await arena.tables.table(table.id)
    assert after.session.phase is Phase.RUNNING or after.session.ending is Ending.TIME


async def test_who_does_not_come_is_off_the_list_after_a_minute_until_they_are_back(
    arena: Evening,
) -> None:
    await begun(arena, ANN, BEN)
    leg, table = await table_of(arena, ANN)
    arena.clock.advance(A_MINUTE - SECOND)
    await arena.go_on()
    assert (await arena.tables.table(table.id)).session.phase is Phase.RUNNING

    arena.clock.advance(SECOND)
    await arena.go_on()

    found = await now(arena)
    late = found.by_number[leg.entries[0]]
    assert [entry.number for entry in found.there] == [leg.entries[1]]
    assert not any(found.open_legs())
    assert set((await made(arena)).values()) == {0.0}

    await arena.take(progress.join, late.person)
    arena.clock.advance(20 * SECOND)
    await arena.go_on()
    assert len([*(await now(arena)).open_legs()]) == 1


async def test_a_minute_begins_once_the_board_can_be_seen(arena: Evening) -> None:
    """Whose move it is neither loses before, nor can the other one claim the win."""
    arena.shows = False
    await begun(arena, ANN, BEN)
    tables, stored = arena.tables, arena.kept.tables
    due_work = DueWork(tables, stored, arena.absences, arena.clock, arena.tournaments.seen)

    async def passes(seconds: int) -> Table:
        arena.clock.advance(timedelta(seconds=seconds))
        await due_work.run(unseen)
        await arena.go_on()
        (leg, *_) = (await now(arena)).legs
        assert leg.table is not None
        return await tables.table(leg.table)

    for _ in range(3):
        session = (await passes(70)).session
        assert session.phase is Phase.RUNNING
        assert not session.lapsed
    arena.shows = True
    await arena.go_on()
    session = (await passes(50)).session
    assert session.phase is Phase.RUNNING
    assert not session.lapsed

    assert (await passes(15)).session.phase is not Phase.RUNNING


async def unseen(_: Table) -> None:
    """Show a table to nobody."""


async def test_who_says_that_they_are_here_has_a_minute_more(arena: Evening) -> None:
    await begun(arena, ANN, BEN)
    leg, table = await table_of(arena, ANN)
    mover = table.session.people[0]
    await arena.tournaments.change(arena.number, lambda t: progress.present(t, leg.number, mover))
    arena.clock.advance(A_MINUTE)
    await arena.go_on()
    assert (await arena.tables.table(table.id)).session.phase is Phase.RUNNING

    arena.clock.advance(A_MINUTE)
    await arena.go_on()

    assert (await arena.tables.table(table.id)).session.ending is Ending.TIME


async def test_who_stops_in_the_middle_loses_within_a_minute_and_is_off_the_list(
    arena: Evening,
) -> None:
    await begun(arena, ANN, BEN)
    table = await plies(arena, ANN, 5)
    assert table.session.turn is not None
    slow = table.session.people[table.session.turn]
    (other,) = {ANN, BEN} - {slow}
    arena.clock.advance(A_MINUTE)
    await arena.go_on()

    entry = (await now(arena)).entry_of(slow)
    assert entry is not None
    assert entry.away
    assert (await made(arena)) == {slow: 0, other: 2}


async def test_a_game_given_up_at_once_gives_no_points_and_who_gives_up_has_to_come_back(
    arena: Evening,
) -> None:
    """Two accounts that feed each other points in seconds make none."""
    await begun(arena, ANN, BEN)
    for _ in range(3):
        _, table = await table_of(arena, ANN)
        await plies(arena, ANN, 1)
        await arena.tables.depart(table.id, BEN)
        await arena.go_on()
        await arena.take(progress.join, BEN)
    assert await made(arena) == {ANN: 0, BEN: 0}

    await won(arena, ANN)
    await arena.go_on()

    assert await made(arena) == {ANN: 2, BEN: 0}


async def test_who_leaves_in_a_game_loses_it_and_may_come_back(arena: Evening) -> None:
    await begun(arena, ANN, BEN)
    await plies(arena, ANN, 4)
    await arena.take(progress.leave, BEN)
    assert await made(arena) == {ANN: 2, BEN: 0}
    assert not any((await now(arena)).open_legs())

    await arena.take(progress.join, BEN)
    assert len([*(await now(arena)).open_legs()]) == 1


async def test_a_person_who_is_forgotten_has_left_for_good(arena: Evening) -> None:
    await begun(arena, ANN, BEN)
    await plies(arena, ANN, 4)
    await arena.tournaments.leave(BEN)

    assert await made(arena) == {ANN: 2, BEN: 0}
    with pytest.raises(Refusal, match="tournament_left"):
        await arena.take(progress.join, BEN)


async def test_a_table_that_a_manager_closes_does_not_count(arena: Evening) -> None:
    await begun(arena, ANN, BEN)
    table = await plies(arena, ANN, 4)
    await arena.tables.close(table.id, table.place.guild or 0)
    await arena.go_on()

    found = await now(arena)
    assert await made(arena) == {ANN: 0, BEN: 0}
    assert [leg.void for leg in found.legs] == [True, False]


async def test_a_process_that_stopped_goes_on_with_what_is_stored(arena: Evening) -> None:
    await begun(arena, ANN, BEN, CLEO)
    await won(arena, (await table_of(arena, ANN))[1].session.people[0])
    before = await now(arena)
    again = Evening(arena.kept, arena.clock, Random(4), number=arena.number)
    hosted = await again.tournaments.go_on(again.number)

    assert len(hosted.tournament.legs) == len(before.legs) + 1
    assert hosted.thread == THREAD
    assert (await again.tournaments.go_on(again.number)) == hosted


async def test_arenas_do_not_count_among_the_tournaments_of_a_server(arena: Evening) -> None:
    kept = arena.kept.tournaments
    for _ in range(3):
        arena.clock.advance(A_WEEK)
        await arena.arenas.run_due(lambda _: "en-US")
    assert len(await kept.behind()) == 4
    hosted = await arena.tournaments.hosted(arena.number)
    swiss = replace(
        hosted, id=TournamentId(5), tournament=replace(hosted.tournament, format=Format.SWISS)
    )

    assert (await kept.open(swiss)).id == 5
