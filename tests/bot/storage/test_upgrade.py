"""A database of the version before goes on: its games, its people, its settings, its records."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import shlex
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import select
from sqlalchemy.engine import make_url

from bot.games.catalogue import CATALOGUE
from bot.records.seasons import ALL_TIME, Season
from bot.screens.dice import dice_proof
from bot.storage.check.database import check
from bot.storage.dialect import backend_at
from bot.storage.guild_settings import GuildId, Guilds, GuildSettings
from bot.storage.messages import Messages
from bot.storage.migrate import configuration
from bot.storage.news import NewsStore
from bot.storage.opening import opened, reading_transaction
from bot.storage.people import Choices, Form, People
from bot.storage.records import write
from bot.storage.records.queries import Records
from bot.storage.schema.game_tables import seats
from bot.storage.shards import WHOLE
from bot.storage.sqlite import sqlite_engine
from bot.storage.tables import Tables
from bot.storage.tournaments import TournamentStore
from bot.storage.values import EPOCH
from bot.table import lobby
from bot.table.dice import PLAIN
from bot.table.seats import Computer, Level, Pace, PersonId, player_of
from bot.table.session import Phase, SessionId
from bot.tournaments import progress
from bot.tournaments.event import Event
from bot.tournaments.tournament import Format, Stage, Tournament, TournamentId
from engine.game import Move
from tests.bot.clock import ManualClock
from tests.bot.databases import NewDatabase
from tests.bot.storage.everything import ANN, BEN, CLEO
from tests.bot.storage.export_lines import Export, imported
from tests.bot.storage.record_tables import dump
from tests.bot.ui import fairness

DUMP = Path(__file__).parent / "databases" / "0008.sql"
"""`everything` with 32 games, written by the code of schema 0008."""

BEFORE_BOUND_DICE = Path(__file__).parent / "exports" / "0016.jsonl"
BEFORE_THREADS = Path(__file__).parent / "exports" / "0026.jsonl"
BEFORE_TOURNAMENTS = Path(__file__).parent / "exports" / "0025.jsonl"
BEFORE_WINNERS_ROLES = Path(__file__).parent / "exports" / "0029.jsonl"
BEFORE_NEWS = Path(__file__).parent / "exports" / "0024.jsonl"
BEFORE_SECOND_TRIES = Path(__file__).parent / "exports" / "0022.jsonl"

IN_SEATS = select(seats).order_by(seats.c.session, seats.c.seat)

BEFORE_TRIED_MOVES = Path(__file__).parent / "exports" / "0020.jsonl"

TWO_GAMES = ["connectfour", "ludo"]

PER_LEVEL = (
    "SELECT sum(wins), sum(draws), sum(losses) FROM level_record WHERE game = ? AND level = ?"
)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The database as it was."""
    file = tmp_path / "parlour.db"
    restore(file)
    return file


@pytest.fixture(scope="module")
def once_upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("upgraded") / "parlour.db"
    restore(file)
    asyncio.run(upgraded(file))
    return file


@pytest.fixture
def new(once_upgraded: Path, tmp_path: Path) -> Path:
    """The database after its upgrade."""
    return Path(shutil.copy(once_upgraded, tmp_path / "upgraded.db"))


def restore(file: Path) -> None:
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.executescript(DUMP.read_text("utf-8"))


def numbers(file: Path, query: str, *values: object) -> list[int]:
    with closing(sqlite3.connect(file)) as raw:
        return [int(value) for row in raw.execute(query, values) for value in row]


async def upgraded(file: Path) -> None:
    async with opened(f"sqlite:///{file}"):
        pass


def faults(file: Path) -> list[str]:
    told: list[str] = []
    with reading_transaction(f"sqlite:///{file}") as connection:
        check(connection, told.append, lambda *_: None)
    return told


def test_a_check_finds_nothing_wrong_and_every_game_replays(new: Path) -> None:
    assert faults(new) == []


async def test_people_and_servers_keep_their_choices(new: Path) -> None:
    async with opened(f"sqlite:///{new}") as database:
        people, guilds = await People.loaded(database), await Guilds.loaded(database)
    assert people.choices(CLEO) == Choices(form=Form.WORDS)
    ann = Choices(language="de", challenges=False, blocked=frozenset({BEN, CLEO}))
    assert people.choices(ANN) == ann
    chosen = GuildSettings(channels=frozenset({8}), games=3, language="pt-BR")
    assert guilds.settings_of(GuildId(72)) == chosen


def test_turns_under_way_are_reminded_of_and_nobody_is_told_of_anything_else(
    old: Path, new: Path
) -> None:
    limited = "phase = 'running' AND lapsed = 0 AND due IS NOT NULL AND pace <> 'relaxed'"
    running = numbers(old, f"SELECT id FROM session WHERE {limited} ORDER BY id")  # noqa: S608
    assert running
    reminded = "SELECT id FROM session WHERE remind_at < due ORDER BY id"
    assert numbers(new, reminded) == running
    assert numbers(new, "SELECT count(*) FROM session WHERE nudge IS NOT NULL") == [0]


async def test_games_that_wait_or_run_go_on_against_the_new_hard(old: Path, new: Path) -> None:
    running = numbers(old, "SELECT id FROM session WHERE game = 'ludo' AND ending IS NULL")
    assert len(running) == 3, "one of them waits"
    async with opened(f"sqlite:///{new}") as database:
        store = Tables(database, ManualClock())
        for number in running:
            session = (await store.table(SessionId(number))).session
            assert Computer(Level.HARD) in session.seats
            if session.phase is Phase.RUNNING:
                again = CATALOGUE["ludo"].game.replay(3, session.options, session.moves)
                assert session.position == again
                assert session.position.moves()


async def test_what_was_played_against_the_old_hard_stays_apart(old: Path, new: Path) -> None:
    (before, ours), elsewhere = (
        (numbers(old, PER_LEVEL, "ludo", "hard"), numbers(old, PER_LEVEL, "tictactoe", "hard")),
        numbers(old, "SELECT count(*) FROM result WHERE game = 'ludo' AND level = 'hard'"),
    )
    assert before == numbers(new, PER_LEVEL, "ludo", "old_hard")
    assert ours == numbers(new, PER_LEVEL, "tictactoe", "hard")
    assert elsewhere == numbers(new, "SELECT count(*) FROM result WHERE level = 'old_hard'")
    (person,) = numbers(
        new, "SELECT person FROM level_record WHERE level = 'old_hard' AND scope = 0"
    )
    async with opened(f"sqlite:///{new}") as database:
        stats = await Records(database).stats(PersonId(person), "ludo")
    tallies = {each.level: each.tally for each in stats.levels}
    assert tallies[Level.OLD_HARD].games == 1
    assert Level.HARD not in tallies


async def test_a_rematch_of_an_old_game_is_played_against_the_new_hard(new: Path) -> None:
    (number, *_) = numbers(new, "SELECT session FROM seat WHERE level = 'old_hard'")
    async with opened(f"sqlite:///{new}") as database:
        over = (await Tables(database, ManualClock()).table(SessionId(number))).session
    by = next(filter(None, map(player_of, over.seats)))
    levels = {seat.level for seat in lobby.rematch(over, by).seats if isinstance(seat, Computer)}
    assert levels <= set(CATALOGUE["ludo"].levels)


async def test_tables_are_within_reach_and_those_behind_are_mended(new: Path) -> None:
    lagging = "shown < revision AND lost = 0 AND shown >= 0"
    behind = numbers(new, f"SELECT id FROM session WHERE {lagging}")  # noqa: S608
    assert behind
    assert numbers(new, "SELECT count(*) FROM session WHERE unreachable <> 0") == [0]
    async with opened(f"sqlite:///{new}") as database:
        store = Tables(database, ManualClock())
        assert {*await Messages(store).behind()} == {*map(SessionId, behind)}
        assert not any([(await store.table(SessionId(each))).place.unreachable for each in behind])


def reviewed(old: Path, revision: str, *sessions: int) -> None:
    """Bring a database to a revision, in which these games have reviews."""
    engine = sqlite_engine(make_url(f"sqlite:///{old}"))
    with engine.begin() as connection:
        command.upgrade(configuration(connection), revision)
        for number in sessions:
            connection.exec_driver_sql(
                f"INSERT INTO review (session, found) VALUES ({number}, '{{}}')"  # noqa: S608
            )
    engine.dispose()


async def test_reviews_of_games_of_three_and_four_are_made_anew(old: Path) -> None:
    of_two, of_more = (
        numbers(old, f"SELECT session FROM seat GROUP BY session HAVING count(*) {count}")  # noqa: S608
        for count in ("= 2", "> 2")
    )
    reviewed(old, "0017", *of_two, *of_more)
    await upgraded(old)
    assert of_two
    assert of_more
    assert numbers(old, "SELECT session FROM review ORDER BY session") == of_two


@pytest.mark.parametrize("before", ["0018", "0021"])
async def test_reviews_of_games_with_dice_are_outdated(old: Path, before: str) -> None:
    with_dice = numbers(old, "SELECT id FROM session WHERE game = 'ludo' ORDER BY id")
    without = numbers(old, "SELECT id FROM session WHERE game = 'tictactoe' ORDER BY id")
    reviewed(old, before, *with_dice, *without)
    await upgraded(old)
    assert without
    assert with_dice
    async with opened(f"sqlite:///{old}") as database:
        assert await Records(database).outdated_reviews() == with_dice


@pytest.mark.parametrize(("version", "games"), [("0031", ["connectfour"]), ("0032", TWO_GAMES)])
def test_reviews_of_games_whose_chances_changed_are_outdated(
    old: Path, version: str, games: list[str]
) -> None:
    sessions = numbers(old, "SELECT id FROM session WHERE game = 'tictactoe' ORDER BY id LIMIT 3")
    reviewed(old, f"{int(version) - 1:04}", *sessions)
    with closing(sqlite3.connect(old)) as raw, raw:
        for number, game in zip(sessions, TWO_GAMES, strict=False):
            raw.execute("UPDATE session SET game = ? WHERE id = ?", (game, number))
    reviewed(old, version)
    assert numbers(old, "SELECT session FROM review WHERE outdated") == sessions[: len(games)]


async def test_taken_back_it_is_as_it_was(old: Path) -> None:
    query = "SELECT * FROM level_record"
    seats = "SELECT session, seat, level FROM seat WHERE level IS NOT NULL"
    with closing(sqlite3.connect(old)) as raw:
        before = raw.execute(query).fetchall(), raw.execute(seats).fetchall()
    await upgraded(old)
    engine = sqlite_engine(make_url(f"sqlite:///{old}"))
    with engine.begin() as connection:
        command.downgrade(configuration(connection), "0008")
    engine.dispose()
    with closing(sqlite3.connect(old)) as raw:
        assert (raw.execute(query).fetchall(), raw.execute(seats).fetchall()) == before


@pytest.mark.both_databases
async def test_games_against_computers_under_way_are_marked_whose_moves_were_taken_back(
    new_database: NewDatabase,
) -> None:
    before = Export.of(BEFORE_TRIED_MOVES.read_bytes())
    squares = before.rows("session", lambda row: row["game"] == "tictactoe")
    running = {row["id"] for row in squares if row["phase"] == "running"}
    back = {"number": 1, "ply": 0, "move": 0, "played_at": before.tables["move"][0]["played_at"]}
    before.tables["taken_back"] = [{"session": each, **back} for each in sorted(running)]
    address = new_database()
    imported(address, before.sealed())
    async with opened(address) as database:
        store = Tables(database, ManualClock())
        tables = [await store.table(SessionId(each)) for each in sorted(running)]
    marked = [table.session.solo for table in tables]
    assert [table.session.tried for table in tables] == marked
    assert {*marked} == {True, False}


@pytest.mark.both_databases
async def test_dice_from_before_they_were_bound_roll_and_verify_as_they_did(
    new_database: NewDatabase,
) -> None:
    """Of games that wait, run, are over and were closed; a table that waits has none as yet."""
    before = Export.of(BEFORE_BOUND_DICE.read_bytes())
    diced = [row for row in before.tables["session"] if row["game"] == "ludo"]
    for row in diced:
        if row["phase"] == "lobby":
            row["dice_secret"] = None
    address = new_database()
    imported(address, before.sealed())
    assert {row["phase"] for row in diced} == set(Phase)
    async with opened(address) as database:
        store = Tables(database, ManualClock())
        for row in diced:
            table = await store.table(SessionId(row["id"]))
            if row["phase"] == "abandoned" and table.dice is None:
                continue
            assert table.dice is not None
            assert table.dice.version == PLAIN
            assert not table.awaits_message
            if row["dice_secret"] is None:
                continue
            secret = bytes.fromhex(row["dice_secret"])
            assert table.dice.commitment == hashlib.sha256(secret).hexdigest()
            due = fairness.due(secret, f"{row['id']}:{table.session.ply}")
            assert table.pips(table.session.ply) == due
            if row["phase"] == "finished":
                proof = shlex.split(dice_proof(table))
                assert "--message" not in proof
                rolls = proof[proof.index("--rolls") + 1].split()
                for ply, pips in (roll.split("=") for roll in rolls):
                    assert fairness.due(secret, f"{row['id']}:{ply}") == int(pips)
    told: list[str] = []
    with reading_transaction(address) as connection:
        check(connection, told.append, lambda *_: None)
    assert told == []


@pytest.mark.both_databases
async def test_seasons_and_badges_of_games_that_are_over_are_filled_in(
    everything: str,
    new_database: NewDatabase,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A database of the version before them gets the same as one that always had them.

    The log says so before it begins, then how far it is, since it takes a while with many games.
    """
    caplog.set_level(logging.INFO, "bot")
    monkeypatch.setattr(write, "WORTH_TELLING", 5)
    monkeypatch.setattr(write, "TOLD_EVERY", 0.0)
    address = new_database(of=everything)
    engine = backend_at(address).engine()
    with engine.begin() as connection:
        made, taken = dump(connection), connection.execute(IN_SEATS).all()
        command.downgrade(configuration(connection), "0023")
    engine.dispose()
    for _ in range(2):
        async with opened(address) as database:
            assert await database.run(dump) == made
            assert await database.run(lambda c: c.execute(IN_SEATS).all()) == taken
    with reading_transaction(address) as connection:
        faults: list[str] = []
        check(connection, faults.append, lambda *_: None)
    assert faults == []
    told = [each.getMessage() for each in caplog.records if each.name == write.__name__]
    begun, feats, counted, ended = told
    games = begun.rpartition("=")[2]
    assert begun.startswith("Upgrading the database: counting its finished games anew")
    assert feats.startswith("Upgrading the database: looked through games=")
    assert counted == f"Upgrading the database: counted of={games} games={games}"
    assert ended.startswith("database upgraded ")
    assert any(row.feats for row in taken)
    assert made["badge"]
    months = {100 * row.at.year + row.at.month for row in made["result"]}
    assert {row.season for row in made["standing"]} == {0, *months}


@pytest.mark.both_databases
async def test_an_answer_to_a_puzzle_from_before_second_tries_is_closed(
    new_database: NewDatabase,
) -> None:
    """It says of each whether it was right, and of which move nothing."""
    address = new_database()
    imported(address, BEFORE_SECOND_TRIES.read_bytes())
    async with opened(address) as kept:
        records = Records(kept)
        (ann,) = (await records.puzzle_answers(ANN)).values()
        (ben,) = (await records.puzzle_answers(BEN)).values()
        await records.answer_puzzle(BEN, date(2026, 5, 2), Move(7), solved=True, at=EPOCH)
        (again,) = (await records.puzzle_answers(BEN)).values()
    assert (ann.solved, ann.tried, ann.is_open) == (True, (), False)
    assert (ben.solved, ben.tried, ben.is_open) == (False, (), False)
    assert again == ben


@pytest.mark.both_databases
async def test_puzzles_of_before_there_were_news_count_everywhere_and_in_no_server(
    new_database: NewDatabase,
) -> None:
    """A server gets no news until it chooses a channel."""
    address = new_database()
    imported(address, BEFORE_NEWS.read_bytes())
    async with opened(address) as kept:
        records, guilds = Records(kept), await Guilds.loaded(kept)
        everywhere = await records.puzzle_league(season=Season(202605), asking=ANN)
        here = await records.puzzle_league(72, asking=ANN)
        edition = await NewsStore(kept).edition(GuildId(72), date(2026, 5, 2))
    assert [(line.person, line.points) for line in everywhere.lines] == [(ANN, 2.0)]
    assert not here.lines
    assert (edition.streak, edition.yesterday.answers) == (0, {})
    assert not guilds.with_news()


@pytest.mark.both_databases
async def test_puzzles_solved_before_points_were_summed_up_have_theirs(
    everything: str, new_database: NewDatabase
) -> None:
    """A database of the version before, with games running, has the league that it had."""
    address = new_database(of=everything)
    engine = backend_at(address).engine()
    with engine.begin() as connection:
        command.downgrade(configuration(connection), "0028")
    engine.dispose()
    for _ in range(2):
        async with opened(address) as kept:
            for season in (Season(202605), ALL_TIME):
                for guild in (None, 71):
                    league = await Records(kept).puzzle_league(guild, season, asking=ANN)
                    assert [tuple(line) for line in league.lines] == [(1, ANN, 2.0, 1)]
                    assert league.own == league.lines[0]
                there = await Records(kept).puzzle_league(72, season, asking=ANN)
                assert not there.lines, "Ben was wrong there"
            running = await Tables(kept, ManualClock()).unfinished(5)
            assert running
    with reading_transaction(address) as connection:
        told: list[str] = []
        check(connection, told.append, lambda *_: None)
    assert told == []


@pytest.mark.both_databases
async def test_games_under_way_before_there_were_threads_go_on_without_one(
    new_database: NewDatabase,
) -> None:
    """They have none, and may have one as soon as their server wants it."""
    address = new_database()
    imported(address, BEFORE_THREADS.read_bytes())
    async with opened(address) as kept:
        guilds, tables = await Guilds.loaded(kept), Tables(kept, ManualClock())
        running = [await tables.table(each) for each in await tables.unfinished(5)]
    assert running
    assert {table.place.thread for table in running} == {None}
    assert not guilds.settings_of(GuildId(72)).threads


@pytest.mark.both_databases
@pytest.mark.parametrize("before", [BEFORE_THREADS, BEFORE_WINNERS_ROLES])
async def test_a_tournament_under_way_goes_on_after_an_upgrade(
    new_database: NewDatabase, before: Path
) -> None:
    """Its results, its tables and those who are still to be called are what they were."""
    address = new_database()
    imported(address, before.read_bytes())
    async with opened(address) as kept:
        guilds = await Guilds.loaded(kept)
        store = TournamentStore(Tables(kept, ManualClock()), WHOLE)
        event = await store.event(TournamentId(1 << 52))
        assert event.tournament.stage is Stage.RUNNING
        assert event.called == {1}
        after = progress.pause(event.tournament, paused=False)
        while any(after.open_legs()):
            leg = next(after.open_legs())
            after = progress.decided(after, leg, [0] * len(leg.parts))
        after = progress.advanced(after)
        assert after.round == event.tournament.round + 1
        saved = await store.save(event, replace(event, tournament=after))
        assert await store.event(saved.id) == saved
        assert {guilds.settings_of(GuildId(each)).winner_role for each in (71, 72)} == {None}


@pytest.mark.both_databases
async def test_tournaments_begin_in_a_database_from_before_there_were_any(
    new_database: NewDatabase,
) -> None:
    address = new_database()
    imported(address, BEFORE_TOURNAMENTS.read_bytes())
    async with opened(address) as kept:
        store = TournamentStore(Tables(kept, ManualClock()), WHOLE)
        assert await store.behind() == await store.uncalled() == []
        first = Tournament("tictactoe", {}, Format.SWISS, Pace.LIVE, 8, ANN)
        event = await store.open(Event(TournamentId(5), progress.join(first, ANN), 71, 5, "de"))
        assert await store.event(event.id) == event
        assert await store.of_person(ANN) == [event.id]
