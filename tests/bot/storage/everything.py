"""A database with something of everything that Parlour keeps.

`python -m tests.bot.storage.everything` writes its export in the schema of this version to
`exports/`, from which upgrades start: once, when the schema is new.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, select, text, update

from bot.games.catalogue import CATALOGUE
from bot.records.reviewed import ReviewedGame, SeatReview
from bot.records.standings import EVERYWHERE
from bot.service.updates import reminder_time
from bot.storage.choices import Form, GuildId, Guilds, People, Reminding
from bot.storage.database import Database
from bot.storage.messages import Messages, Posted, Reminders, StandingReminder
from bot.storage.migrate import head
from bot.storage.news import NewsStore
from bot.storage.opening import opened
from bot.storage.records.finished import feats_of
from bot.storage.records.queries import Records
from bot.storage.records.write import rebuild
from bot.storage.schema.choice_tables import news as sent
from bot.storage.schema.choice_tables import servers
from bot.storage.schema.game_tables import RECORDED, reviews, seats, sessions
from bot.storage.schema.tournament_tables import legs
from bot.storage.shards import WHOLE
from bot.storage.tables import Tables
from bot.storage.tournaments import TournamentStore
from bot.storage.values import EPOCH
from bot.table import lobby
from bot.table.actions import Action, press
from bot.table.dice import Dice
from bot.table.seat_log import BoardLook, Preferences
from bot.table.seats import Computer, Human, Invited, Level, Occupant, Pace, PersonId, Vacant, Word
from bot.table.session import Ending, Phase, Session, SessionId
from bot.table.table import InteractionId, Place, Table
from bot.table.waiting import Occasion, Reminder, time_limit
from bot.tournaments.hosted import PAUSE_LASTS, HostedTournament
from bot.tournaments.progress import (
    advanced,
    call_off,
    closed,
    decided,
    join,
    leave,
    pause,
    present,
    start,
)
from bot.tournaments.progress import end as tournament_end
from bot.tournaments.tournament import THE_SERVER, Format, Leg, Tournament, TournamentId
from engine.game import Game, Move
from engine.games.connectfour import GAME as CONNECTFOUR
from engine.games.ludo import GAME as LUDO
from engine.games.tictactoe import GAME as TICTACTOE
from tests.bot.clock import ManualClock
from tests.bot.storage.export_lines import exported
from tests.bot.storage.random_games import played_games

ANN, BEN, CLEO, FORMER = (PersonId(number) for number in (101, 102, 103, -7))
HERE = Place(guild=71, channel=5, message=1 << 60)
ELSEWHERE = Place(guild=73, channel=6, unreachable=True)

FEW = 6
"""The finished games of an export from which upgrades start."""

_INTERACTIONS = map(InteractionId, count(1 << 50))


def filled(address: str, games: int) -> None:
    """Makes a database with as many finished games, and tables in every other state."""
    asyncio.run(_filled(address, games))


async def _filled(address: str, games: int) -> None:
    clock, rng = ManualClock(), Random(5)
    async with opened(address) as database:
        store = Tables(database, clock)
        await _choose(database)
        await played_games(store, clock, rng, games)
        for table in _tables(clock, rng):
            kept = await store.open(table, next(_INTERACTIONS))
            await Messages(store).save_message(kept.id, kept.id + (1 << 61))
            if table.dice is not None:
                await Messages(store).save_commitment(kept.id, kept.id + (1 << 59))
            await Messages(store).save_thread(kept.id, kept.id + (1 << 58))
            await Messages(store).save_shown({kept.id: rng.randint(0, kept.revision)})
            clock.advance(timedelta(seconds=1, milliseconds=7))
        for leaves in (False, True):
            await _rolled(store, clock, rng, leaves=leaves)
        await _with_a_feat(store, clock, rng)
        await _followed(store, clock)
        await _reviewed(store, database)
        await _taken_back(store, clock)
        await _reminded(store, clock)
        await _out_of_reach(store, clock)
        await _competed(store, clock)
        await _gone(store, clock, database)
        await database.run(_forgotten)


async def _choose(database: Database) -> None:
    people, servers = await People.loaded(database), await Guilds.loaded(database)
    await people.choose(CLEO, form=Form.WORDS)
    await people.choose(ANN, language="de")
    await people.choose(ANN, challenges=False)
    for one, other in ((ANN, CLEO), (ANN, BEN), (BEN, ANN)):
        await people.block(one, other)
    await servers.list_channels(GuildId(71), listed={30, 5, 9})
    await servers.list_channels(GuildId(72), listed={8})
    await servers.choose(GuildId(72), games=3)
    await servers.choose(GuildId(72), language="pt-BR")
    await servers.choose(GuildId(72), board=BoardLook.PICTURE)
    await people.choose(ANN, reminders=Reminding.DIRECT)
    await _puzzles(database)


async def _puzzles(database: Database) -> None:
    """Answers to puzzles, where they count, and news of which one was not sent yet."""
    records, at = Records(database), datetime(2026, 5, 2, 9, tzinfo=UTC)
    for person, number, tried in ((ANN, 1, 5), (BEN, 2, 4), (BEN, 2, 3)):
        move, day, then = Move(tried), date(2026, 5, number), at + timedelta(number)
        await records.answer_puzzle(person, day, move, solved=person == ANN, at=then)
        await records.count_puzzle(person, day, 70 + number)
    people, servers, news = (
        await People.loaded(database),
        await Guilds.loaded(database),
        NewsStore(database),
    )
    await people.choose(ANN, streaks=True)
    await servers.choose(GuildId(72), news_channel=8, news_hour=7, news_since=at)
    await servers.choose(GuildId(71), news_lost=5, news_told=True, threads=True, winner_role=6)
    arena = {"channel": 8, "game": "connectfour-7x6", "day": 2, "hour": 19, "minutes": 45}
    chosen = {f"arena_{name}": value for name, value in arena.items()}
    await servers.choose(GuildId(72), **chosen, arena_next=at + timedelta(4), arena_quiet=2)
    await servers.choose(GuildId(71), arena_lost=9, arena_told=True)
    await news.claim(GuildId(72), date(2026, 5, 2))
    await database.run(lambda c: c.execute(update(sent).values(tries=2, wanted=2)))
    await news.finish(GuildId(72), date(2026, 5, 2), (8, 1 << 60), 1)
    await news.freeze(71, [date(2026, 5, 3), date(2026, 5, 4)])
    await news.freeze(EVERYWHERE, [date(2026, 4, 30)])
    await news.claim(GuildId(71), date(2026, 5, 3))
    for person, *_ in await news.in_danger(date(2026, 5, 3), 10):
        await news.warn(person, date(2026, 5, 3))


def _tables(clock: ManualClock, rng: Random) -> list[Table]:
    """Tables that wait, run or were closed."""
    computer = Computer(Level.HARD)
    challenge = _session(TICTACTOE, Human(ANN), Invited(BEN))
    running = _session(TICTACTOE, Human(ANN), Human(BEN)).start()
    moved = replace(running.play(ANN, Move(4), ply=0), lapsed=True)
    gathering = _session(LUDO, Human(BEN, Word.of("`?")), Invited(ANN), computer)
    states = (
        challenge,
        _session(TICTACTOE, Vacant(), Human(CLEO)),
        press(challenge, Action.WITHDRAW, ANN),
        gathering,
        replace(gathering, seats=()).abandon(Ending.WITHDRAWN),
        running,
        moved,
        press(running.play(ANN, Move(0), ply=0), Action.OFFER, ANN, ply=1),
        running.abandon(Ending.CLOSED),
        press(running.play(ANN, Move(0), ply=0), Action.TAKE_BACK, ANN, ply=1),
        replace(gathering, preferences=Preferences(auto_roll=True, board=BoardLook.PICTURE)),
        _session(TICTACTOE, computer, Human(ANN)).start(),
        _session(CONNECTFOUR, Human(BEN), computer).start().play(BEN, Move(3), ply=0),
        replace(_session(CONNECTFOUR, Human(ANN), Human(BEN)).start(), hint=Move(2), tried=True),
    )
    return [
        Table(
            SessionId(0),
            revision=3,
            session=session,
            place=HERE,
            locale="de",
            moved_at=clock.now(),
            due=clock.now() + limit if (limit := time_limit(session)) else None,
            remind_at=reminder_time(session, clock.now() + (limit or timedelta())),
            notice=ANN if session is moved else None,
            dice=Dice.drawn(rng) if session.game.dice else None,
        )
        for session in states
    ]


def _session(game: Game[Any], *occupants: Occupant) -> Session:
    return Session(game, game.settled({}), Pace.CORRESPONDENCE, ANN, occupants)


async def _rolled(store: Tables, clock: ManualClock, rng: Random, *, leaves: bool) -> None:
    """A game of Ludo that runs, with rolls that its secret gives."""
    seats = (Human(ANN, Word.of("it's 5 o'clock")), Computer(Level.HARD), Human(CLEO))
    begun = _session(LUDO, *seats).start()
    table = await store.open(
        Table(
            SessionId(0),
            1,
            begun,
            HERE,
            "de",
            clock.now(),
            due=None,
            dice=Dice.drawn(rng),
            opened_at=clock.now(),
        ),
        next(_INTERACTIONS),
    )
    await Messages(store).save_message(table.id, (1 << 60) + table.id)
    table = await store.table(table.id)
    played = begun
    while played.ply < 60:
        roll = table.pips(played.ply)
        played = played.go_on(roll if played.rolling else rng.choice(played.position.moves()))
    if leaves:
        played = press(played, Action.RESIGN, CLEO, ply=60)
    clock.advance(timedelta(seconds=1))
    after = replace(table, revision=2, session=played, moved_at=clock.now())
    await store.save(table, after, next(_INTERACTIONS))


async def _with_a_feat(store: Tables, clock: ManualClock, rng: Random) -> None:
    """A game played to its end that shows something badges are for; others are closed."""
    while True:
        session = _session(LUDO, Human(ANN), Human(BEN)).start()
        dice = Dice.drawn(rng)
        draft = Table(SessionId(0), 1, session, HERE, "de", clock.now(), None, dice=dice)
        begun = await store.open(draft, next(_INTERACTIONS))
        await Messages(store).save_message(begun.id, begun.id + (1 << 60))
        begun = await store.table(begun.id)
        session = begun.session
        while session.phase is Phase.RUNNING:
            choices = session.position.moves()
            move = begun.pips(session.ply) if session.rolling else rng.choice(choices)
            session = session.go_on(move)
        shown = any(feats_of(session))
        kept = session if shown else begun.session.abandon(Ending.CLOSED)
        await store.save(begun, replace(begun, revision=2, session=kept), None)
        if shown:
            return


async def _followed(store: Tables, clock: ManualClock) -> None:
    """A finished game with a rematch."""
    running = _session(TICTACTOE, Human(ANN), Human(BEN)).start()
    first = await store.open(
        Table(SessionId(0), 1, running, HERE, "de", clock.now(), due=None), next(_INTERACTIONS)
    )
    over = press(running, Action.RESIGN, BEN, ply=0)
    first = await store.save(first, replace(first, revision=2, session=over), next(_INTERACTIONS))
    again = replace(first, session=lobby.rematch(over, BEN), revision=1)
    await store.open(again, next(_INTERACTIONS), follows=first)


async def _reviewed(store: Tables, database: Database) -> None:
    """Reviews of the finished games; that of the first is outdated."""
    finished = select(sessions.c.id).where(RECORDED).order_by(sessions.c.finish)
    numbers = await database.run(lambda c: c.execute(finished).scalars().all())
    for number in map(SessionId, numbers):
        session = (await store.table(number)).session
        seat = SeatReview(0.5, slips=1, lost=0.25, luck=-0.125, adjusted=0.5)
        found = ReviewedGame(0, (), (seat,) * len(session.seats), ())
        await Records(database).keep_review(number, found)
    outdated = update(reviews).where(reviews.c.session == numbers[0]).values(outdated=True)
    await database.run(lambda c: c.execute(outdated))


async def _out_of_reach(store: Tables, clock: ManualClock) -> None:
    """Two games in a server that the bot is not in: one runs, one is over."""
    for leaves in (False, True):
        running = _session(TICTACTOE, Human(ANN), Human(BEN)).start()
        begun = Table(SessionId(0), 1, running, ELSEWHERE, "de", clock.now(), due=None)
        table = await store.open(begun, next(_INTERACTIONS))
        await Messages(store).save_message(table.id, (1 << 61) + table.id)
        await _saved(
            store, clock, table, press(running, Action.RESIGN, BEN, ply=0) if leaves else running
        )


async def _taken_back(store: Tables, clock: ManualClock) -> None:
    """Two games against the computer, with moves taken back up to twice, and a hint since."""
    for times in (1, 2):
        session = _session(TICTACTOE, Human(ANN), Computer(Level.EASY)).start()
        session = replace(session, hints=True)
        table = await store.open(
            Table(SessionId(0), 1, session, HERE, "de", clock.now(), due=None), next(_INTERACTIONS)
        )
        for time in range(times):
            for cell in (4 + time, 0):
                table = await _saved(store, clock, table, table.session.go_on(Move(cell)))
            back = press(table.session, Action.TAKE_BACK, ANN, ply=table.session.ply)
            table = await _saved(store, clock, table, replace(back, hint=Move(8)))
        await Messages(store).save_message(table.id, (1 << 62) + table.id)
        await Messages(store).mark_lost(HERE.channel, (1 << 62) + table.id)


async def _saved(store: Tables, clock: ManualClock, before: Table, session: Session) -> Table:
    clock.advance(timedelta(seconds=3))
    after = replace(before, revision=before.revision + 1, session=session, moved_at=clock.now())
    return await store.save(before, after, next(_INTERACTIONS))


async def _competed(store: Tables, clock: ManualClock) -> None:
    """Tournaments: one runs, one was ended before its end, one gathers its players; an arena.

    The last one was called off.
    """
    at = clock.now()
    swiss = _entered("tictactoe", Format.SWISS, Pace.LIVE, 8, ANN)
    heats = _entered("ludo", Format.HEATS, Pace.CORRESPONDENCE, 16, BEN)
    number = TournamentId(1 << 52)
    first = HostedTournament(number, swiss, 71, 5, "de", starts_at=at, due=at)
    later = at + timedelta(hours=1)
    for hosted in (
        first,
        replace(
            first,
            id=TournamentId(number + 1),
            tournament=heats,
            guild=72,
            channel=6,
            locale="it",
            starts_when_full=True,
            starts_at=later,
            due=later,
        ),
        replace(first, id=TournamentId(number + 2)),
        replace(
            first,
            id=TournamentId(number + 3),
            tournament=_entered("connectfour", Format.ARENA, Pace.BLITZ, 64, THE_SERVER),
            ends_at=later,
        ),
        replace(first, id=TournamentId(number + 4)),
    ):
        await _competition(TournamentStore(store, WHOLE), clock, hosted)


def _entered(game: str, format_: Format, pace: Pace, places: int, host: PersonId) -> Tournament:
    options = CATALOGUE[game].game.settled({})
    found = Tournament(game, options, format_, pace, places, host)
    for person in (ANN, BEN, CLEO, PersonId(104)):
        found = join(found, person)
    return found


async def _competition(kept: TournamentStore, clock: ManualClock, opened: HostedTournament) -> None:
    hosted = await kept.open(opened)
    if opened.id % 8 == 2:
        return
    if opened.id % 8 == 4:
        await kept.save(hosted, replace(hosted, tournament=call_off(hosted.tournament), due=None))
        await kept.place(hosted.id, reminder=101, deleted=1)
        return
    gathered = opened.tournament
    begun = advanced(start(gathered, {entry.number: entry.number for entry in gathered.entries}))
    tables = {leg.number: _match(begun, leg, clock) for leg in begun.open_legs()}
    hosted = await kept.save(hosted, replace(hosted, tournament=begun), tables)
    after = hosted.tournament
    if after.format is Format.SWISS:
        after = present(join(after, PersonId(105)), 2, BEN)
        after = decided(after, after.leg(1), (0, 1), thought=(2.5, 0), absent=(False, True))
        after = closed(after, after.leg(2))
        after = pause(leave(advanced(decided(after, after.leg(3), (0, 0))), BEN), paused=True)
    elif after.format is Format.ARENA:
        after = decided(after, after.leg(1), (1, 0), absent=(True, False))
    else:
        after = tournament_end(after)
    ends = clock.now() + PAUSE_LASTS if after.paused else None
    hosted = await kept.save(hosted, replace(hosted, tournament=after, pause_ends=ends))
    after_all = hosted.id - (1 << 52)
    await kept.place(hosted.id, message=61 + after_all, thread=71 + after_all)
    await kept.place(hosted.id, podium=81 + after_all, shown=1 + after_all)
    await kept.call(hosted.id, 1, clock.now(), 91 + after_all)
    if after.format is Format.SWISS:
        await kept.tell(hosted.id, [1], 111 + after_all)


def _match(tournament: Tournament, leg: Leg, clock: ManualClock) -> Table:
    people = [tournament.by_number[number].person for number in leg.entries]
    game = CATALOGUE[tournament.game].game
    session = replace(_session(game, *map(Human, people)), match=True).start()
    dice = Dice.drawn(Random(3)) if game.dice else None
    return Table(SessionId(0), 1, session, HERE, "de", clock.now(), due=None, dice=dice)


async def _reminded(store: Tables, clock: ManualClock) -> None:
    """Two reminders that stand."""
    for number, person, occasion in ((1, ANN, Occasion.TURN), (2, BEN, Occasion.CLAIM)):
        clock.advance(timedelta(seconds=1))
        posted = Posted(channel=40 + number, message=50 + number)
        reminder = Reminder(person, occasion)
        kept = StandingReminder(SessionId(number), reminder, posted, ply=number)
        await Reminders(store).keep(kept)


async def _gone(store: Tables, clock: ManualClock, database: Database) -> None:
    """A number that was given, and is never to be given again."""
    running = _session(TICTACTOE, Human(ANN), Human(BEN)).start()
    table = await store.open(
        Table(SessionId(0), 1, running, HERE, "de", clock.now(), due=None), next(_INTERACTIONS)
    )
    await database.run(
        lambda c: c.execute(text("DELETE FROM session WHERE id = :id"), {"id": table.id})
    )


def _forgotten(connection: Connection) -> None:
    """One of the people is a former player, and one of the games in a place that is no more."""
    known = PersonId(104)
    connection.execute(update(seats).where(seats.c.person == known).values(person=FORMER))
    connection.execute(update(sessions).where(sessions.c.host == known).values(host=FORMER))
    connection.execute(update(legs).where(legs.c.result.is_not(None)).values(stale=True))
    connection.execute(
        update(sessions).where(sessions.c.id == 3).values(claimed_by=1, claimed_until=timedelta())
    )
    place = {"guild": None, "channel": 0, "message": None}
    connection.execute(update(sessions).where(sessions.c.id == 2).values(**place))
    connection.execute(update(servers).where(servers.c.id == 71).values(left_at=EPOCH))
    rebuild(connection)


def main() -> None:
    """Write the export of this version's schema."""
    file = Path(__file__).parent / "exports" / f"{head()}.jsonl"
    with TemporaryDirectory() as folder:
        address = f"sqlite:///{folder}/parlour.db"
        filled(address, FEW)
        file.write_bytes(exported(address))
    print(file)  # noqa: T201 - a command


if __name__ == "__main__":
    main()
