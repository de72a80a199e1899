"""A database of the baseline goes on: its games, its people, its settings, its records."""

from __future__ import annotations

import logging
from base64 import b64decode
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Connection, delete, insert, select, update

from bot.games.catalogue import CATALOGUE
from bot.games.ludo.feats import THREE_CAPTURES
from bot.storage import migrate
from bot.storage.choices import GuildId, Guilds, People, Reminding
from bot.storage.dialect import backend_at
from bot.storage.errors import StorageError
from bot.storage.migrate import BASELINE, LAST_OF_OLD, configuration
from bot.storage.news import NewsStore
from bot.storage.opening import opened, sole_transaction
from bot.storage.records import write
from bot.storage.records.queries import Records
from bot.storage.schema.choice_tables import notes
from bot.storage.schema.game_tables import RECORDED, reviews, seats, sessions
from bot.storage.schema.record_tables import badges, level_records, results
from bot.storage.shards import WHOLE
from bot.storage.tables import Tables
from bot.storage.tournaments import TournamentStore
from bot.storage.values import EPOCH, day_of
from bot.table.seats import Computer, Level
from bot.table.session import Phase, SessionId
from bot.tournaments import progress
from bot.tournaments.tournament import Stage, TournamentId
from engine.game import Move
from tests.bot.clock import ManualClock
from tests.bot.databases import NewDatabase, faults
from tests.bot.storage.everything import ANN, CLEO
from tests.bot.storage.export_lines import Export, Row, exported, imported
from tests.bot.storage.record_tables import dump

pytestmark = pytest.mark.both_databases

OF_BASELINE = Path(__file__).parent / "exports" / f"{BASELINE}.jsonl"
"""`everything` with something of all that was stored, written by the code of the baseline."""

OLD_HARD = "old_hard"
"""The level that the baseline still knew beside `hard`."""

STATES = select(sessions.c.state).order_by(sessions.c.id)


@pytest.fixture
def before() -> Export:
    """What the database held before its upgrade."""
    return Export.of(OF_BASELINE.read_bytes())


@pytest.fixture
def upgraded(before: Export, new_database: NewDatabase) -> str:
    """The database after its upgrade."""
    address = new_database()
    imported(address, before.sealed())
    return address


BEFORE_STATES = OF_BASELINE.with_stem("0036")
"""What the code wrote whose sessions had a column for each field, with games of all kinds."""


def test_a_session_keeps_every_field_as_it_becomes_one_state(
    address: str,
) -> None:
    """Its seats, its dice and what its moves have shown as well."""
    before = Export.of(BEFORE_STATES.read_bytes())
    imported(address, before.sealed())
    assert faults(address) == []
    after = {row["id"]: row for row in Export.of(exported(address)).tables["session"]}
    assert {row["game"] for row in after.values()} == {"tictactoe", "connectfour", "ludo"}
    for row in before.tables["session"]:
        state, seated = after[row["id"]]["state"], before.rows("seat", partial(_of, row["id"]))
        session, chosen = state["session"], state["session"]["preferences"]
        for name in (
            "options",
            "pace",
            *("offer", "take_back", "lapsed", "hints", "tried", "hint"),
        ):
            assert session[name] == row[name]
        assert chosen["board"] == row["board"]
        assert chosen["auto_roll"] == (row["auto_roll"] if row["roll_chosen"] else None)
        over = row["phase"] == "finished"
        assert session["payoff"] == ([seat["payoff"] for seat in seated] if over else None)
        assert state["feats"] == [
            [*filter(None, (seat["feats"] or "").split(","))] for seat in seated if over
        ]
        assert state["locale"] == row["locale"]
        opened_at = datetime.fromisoformat(state["opened_at"])
        assert opened_at == EPOCH + timedelta(milliseconds=row["opened_at"])
        secret = None if state["dice"] is None else b64decode(state["dice"]["secret"]).hex()
        assert secret == row["dice_secret"]
        levels = [seat.get("level") for seat in state["seats"]]
        assert levels == [seat["level"] for seat in seated]
        digests = [(seat.get("word") or {}).get("digest") for seat in state["seats"]]
        assert digests == [seat["word_digest"] for seat in seated]


BEFORE_CALLS = OF_BASELINE.with_stem("0038")
"""What the code wrote that knew of a leg only that its players were called."""


async def test_calls_that_were_made_stay_made_and_decided_matches_are_told(address: str) -> None:
    """Those of legs that are decided are not told once more; feats of connect four are found."""
    before = Export.of(BEFORE_CALLS.read_bytes())
    imported(address, before.sealed())
    assert faults(address) == []
    called = before.rows("tournament_leg", lambda row: row["called"])
    assert called
    async with opened(address) as kept:
        store = TournamentStore(Tables(kept, ManualClock()), WHOLE)
        for row in called:
            hosted = await store.hosted(TournamentId(row["tournament"]))
            assert hosted.called[row["number"]] == EPOCH
            assert (row["number"] in hosted.told) == (not row["undecided"])
            assert not hosted.calls


async def games_run_on(before: Export, kept: Tables) -> None:
    """Whether the games that ran before the upgrade run after it."""
    for row in before.rows("session", lambda row: row["phase"] == "running"):
        session = (await kept.table(SessionId(row["id"]))).session
        assert session.phase is Phase.RUNNING


def _of(session: int, row: Row) -> bool:
    return bool(row["session"] == session)


async def test_tables_are_what_they_were_after_a_way_down_and_up(
    everything: str, new_database: NewDatabase
) -> None:
    copy = new_database(of=everything)
    seen = []
    for _ in range(2):
        async with opened(copy) as database:
            numbers = await database.run(lambda c: c.execute(select(sessions.c.id)).scalars().all())
            store = Tables(database, ManualClock())
            seen.append([await store.table(SessionId(number)) for number in sorted(numbers)])
        engine = backend_at(copy).engine()
        with engine.begin() as connection:
            command.downgrade(configuration(connection), "0036")
        engine.dispose()
    one, other = seen
    assert one == other
    assert {table.session.game.key for table in one} == {*CATALOGUE}
    assert {table.session.phase for table in one} == {*Phase}


def forget_versions(connection: Connection, schema: str) -> None:
    connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{schema}'")  # noqa: S608


def test_a_check_finds_nothing_wrong(upgraded: str) -> None:
    assert faults(upgraded) == []


async def test_games_that_run_are_the_same_positions_and_can_be_played_on(
    before: Export, upgraded: str
) -> None:
    running = {
        row["id"]: row for row in before.rows("session", lambda row: row["phase"] == "running")
    }
    moves = before.tables["move"]
    assert {row["game"] for row in running.values()} == {"tictactoe", "ludo"}
    async with opened(upgraded) as database:
        store = Tables(database, ManualClock())
        for number, row in running.items():
            session = (await store.table(SessionId(number))).session
            played = [each["move"] for each in moves if each["session"] == number]
            assert session.phase is Phase.RUNNING
            assert [*session.moves] == played
            game = CATALOGUE[row["game"]].game
            again = game.replay(len(session.seats), session.options, session.moves)
            assert session.position == again
            assert session.position.moves()


async def test_games_from_before_a_person_began_keep_their_roll_off(
    before: Export, upgraded: str
) -> None:
    games = before.rows("session", lambda row: row["game"] == "ludo" and row["phase"] != "lobby")
    assert any(row["phase"] == "running" for row in games)
    async with opened(upgraded) as database:
        store = Tables(database, ManualClock())
        for row in games:
            session = (await store.table(SessionId(row["id"]))).session
            assert session.options == {**row["options"], "begins": "highest roll"}
            assert not session.moves or session.at(0).position.opening


async def test_people_and_servers_keep_their_choices(before: Export, upgraded: str) -> None:
    async with opened(upgraded) as database:
        people, guilds = await People.loaded(database), await Guilds.loaded(database)
    chosen = {row["id"]: row for row in before.tables["person"]}
    assert {ANN, CLEO} <= chosen.keys()
    assert people.of(ANN).language == chosen[ANN]["language"] == "de"
    assert people.of(ANN).reminders == Reminding(chosen[ANN]["reminders"])
    blocked = {row["blocked"] for row in before.tables["block"] if row["person"] == ANN}
    assert people.of(ANN).blocked == blocked != set()
    settings = guilds.of(GuildId(72))
    assert (settings.games, settings.language, settings.channels) == (3, "pt-BR", frozenset({8}))
    assert guilds.of(GuildId(71)).winner_role == 6


async def test_news_of_the_version_before_show_all_that_is_known(
    before: Export, upgraded: str
) -> None:
    (sent,) = before.rows("news", lambda row: row["message"] is not None)
    async with opened(upgraded) as database:
        store = NewsStore(database)
        assert await store.stale(day_of(0)) == []
        guild, day = GuildId(sent["server"]), day_of(sent["day"])
        assert await store.last(guild, day + timedelta(1)) == day
        records = Records(database)
        await records.count_puzzle(ANN, day, guild)
        await records.answer_puzzle(ANN, day, Move(0), solved=True, at=EPOCH)
        assert [each.message for each in await store.stale(day_of(0))] == [sent["message"]]


async def test_reminders_that_stand_are_still_known(before: Export, upgraded: str) -> None:
    standing = {row["session"] for row in before.tables["reminder"]}
    assert standing
    async with opened(upgraded) as database:
        nudged = select(sessions.c.id).where(sessions.c.nudge.is_not(None))
        found = await database.run(lambda c: {*c.execute(nudged).scalars()})
    assert found == {
        row["id"] for row in before.rows("session", lambda row: row["nudge"] is not None)
    }


BEFORE_ARENAS = OF_BASELINE.with_stem("0037")
"""What the code wrote when no server had a weekly arena."""


async def test_tournaments_and_servers_from_before_arenas_have_none(address: str) -> None:
    """Their entries are there, they have no end by the clock, and games run on."""
    before = Export.of(BEFORE_ARENAS.read_bytes())
    imported(address, before.sealed())
    assert faults(address) == []
    async with opened(address) as database:
        assert not (await Guilds.loaded(database)).with_arena()
        store = TournamentStore(Tables(database, ManualClock()), WHOLE)
        for row in before.tables["tournament"]:
            hosted = await store.hosted(TournamentId(row["id"]))
            assert hosted.ends_at is None
            assert hosted.tournament.stage == row["stage"]
            assert not any(entry.away for entry in hosted.tournament.entries)
        await games_run_on(before, Tables(database, ManualClock()))


BEFORE_QUIET_ARENAS = OF_BASELINE.with_stem("0039")
"""What the code wrote that did not count the weekly arenas to which nobody came."""


async def test_weekly_arenas_from_before_quiet_ones_were_counted_go_on(address: str) -> None:
    """Their servers have none counted yet, and games run on."""
    before = Export.of(BEFORE_QUIET_ARENAS.read_bytes())
    imported(address, before.sealed())
    assert faults(address) == []
    chosen = {row["id"] for row in before.rows("server", lambda row: row["arena_channel"])}
    async with opened(address) as database:
        arenas = (await Guilds.loaded(database)).with_arena()
        assert {*arenas} == chosen != set()
        assert not any(each.quiet or each.arena_quiet for each in arenas.values())
        await games_run_on(before, Tables(database, ManualClock()))


BEFORE_PAUSES_ENDED = OF_BASELINE.with_stem("0040")
"""What the code wrote when a paused tournament waited for its host for ever."""


async def test_tournaments_paused_before_go_on_within_a_week(address: str) -> None:
    """They are as they were, and due when their pauses end; games run on."""
    before = Export.of(BEFORE_PAUSES_ENDED.read_bytes())
    imported(address, before.sealed())
    assert faults(address) == []
    paused = {row["id"] for row in before.rows("tournament", lambda row: row["paused"])}
    assert paused
    async with opened(address) as database:
        kept = Tables(database, ManualClock())
        store = TournamentStore(kept, WHOLE)
        for row in before.tables["tournament"]:
            hosted = await store.hosted(TournamentId(row["id"]))
            assert (
                hosted.tournament.paused == (hosted.pause_ends is not None) == (row["id"] in paused)
            )
            assert hosted.id not in paused or hosted.due is not None
        await games_run_on(before, kept)


BEFORE_RESULTS = OF_BASELINE.with_stem("0041")
"""What the code wrote when nobody knew by which message the end of a match was told."""


async def test_matches_told_before_their_messages_were_known_are_not_told_again(
    address: str,
) -> None:
    """They stay told, and games run on."""
    before = Export.of(BEFORE_RESULTS.read_bytes())
    imported(address, before.sealed())
    assert faults(address) == []
    told = before.rows("tournament_leg", lambda row: row["told"])
    assert told
    async with opened(address) as database:
        kept = Tables(database, ManualClock())
        for row in told:
            hosted = await TournamentStore(kept, WHOLE).hosted(TournamentId(row["tournament"]))
            assert row["number"] in hosted.told
            assert not hosted.results
        await games_run_on(before, kept)


BEFORE_CHANNELS_OF_NEWS = OF_BASELINE.with_stem("0042")
"""What the code wrote when nobody knew the channel that news were sent to."""


async def test_news_sent_before_are_edited_in_the_channel_that_has_them_now(address: str) -> None:
    """Games run on."""
    before = Export.of(BEFORE_CHANNELS_OF_NEWS.read_bytes())
    imported(address, before.sealed())
    assert faults(address) == []
    (row,) = before.rows("news", lambda row: row["message"])
    (server,) = before.rows("server", lambda each: each["id"] == row["server"])
    async with opened(address) as database:
        (shown,) = await NewsStore(database).stale(day_of(row["day"]))
        assert (shown.channel, shown.message) == (server["news_channel"], row["message"])
        await games_run_on(before, Tables(database, ManualClock()))


async def test_badges_for_what_a_computer_did_after_its_person_left_go(
    everything: str, new_database: NewDatabase
) -> None:
    """Where somebody has left a game the records are made anew."""
    address = new_database(of=everything)
    with sole_transaction(address) as connection:
        made = dump(connection)
        command.downgrade(configuration(connection), "0043")
        played = select(seats.c.person, seats.c.session).join(sessions)
        row = connection.execute(played.where(RECORDED, sessions.c.game == "ludo")).first()
        assert row is not None
        given = {"game": "ludo", "badge": THREE_CAPTURES, **row._asdict()}
        connection.execute(insert(badges), given | {"guild": None, "at": EPOCH})
        connection.execute(delete(notes).where(notes.c.key == write.RECOUNT))
    async with opened(address) as database:
        assert await database.run(dump) == made
    assert faults(address) == []


@pytest.mark.parametrize("version", ["0043", "0044"])
def test_reviews_of_games_for_places_are_made_anew(
    everything: str, new_database: NewDatabase, version: str
) -> None:
    address = new_database(of=everything)
    with sole_transaction(address) as connection:
        command.downgrade(configuration(connection), version)
        games = select(sessions.c.id, sessions.c.state).where(sessions.c.game == "ludo").limit(2)
        (places, state), (first, _) = connection.execute(games).all()
        state["session"]["options"]["finish"] = "places"
        connection.execute(update(sessions).where(sessions.c.id == places).values(state=state))
        found = [{"session": each, "found": {}, "outdated": False} for each in (places, first)]
        connection.execute(delete(reviews))
        connection.execute(insert(reviews), found)
        command.upgrade(configuration(connection), "head")
        kept = connection.execute(select(reviews.c.session, reviews.c.outdated)).all()
    assert {*kept} == {(places, True), (first, False)}


async def test_running_games_of_ludo_are_looked_at_as_their_dice_stop_elsewhere_now(
    everything: str, new_database: NewDatabase
) -> None:
    """A game whose person had to roll stood still if its dice roll by themselves now."""
    address = new_database(of=everything)
    with sole_transaction(address) as connection:
        command.downgrade(configuration(connection), "0045")
        connection.execute(update(sessions).values(unattended=False))
        command.upgrade(configuration(connection), "head")
        running = select(sessions.c.id).where(sessions.c.phase == Phase.RUNNING)
        ludo = {*connection.scalars(running.where(sessions.c.game == "ludo"))}
        marked = {*connection.scalars(select(sessions.c.id).where(sessions.c.unattended))}
    assert marked == ludo != set()
    async with opened(address) as database:
        owed = {*await Tables(database, ManualClock()).unattended()}
    assert owed <= ludo  # but those whose first message is still to be sent
    assert owed


async def test_a_tournament_under_way_goes_on(upgraded: str) -> None:
    """Its results, its tables and the calls that are still to be made are what they were."""
    async with opened(upgraded) as kept:
        store = TournamentStore(Tables(kept, ManualClock()), WHOLE)
        hosted = await store.hosted(TournamentId(1 << 52))
        assert hosted.tournament.stage is Stage.RUNNING
        assert hosted.called == {1: EPOCH}
        after = progress.pause(hosted.tournament, paused=False)
        while any(after.open_legs()):
            leg = next(after.open_legs())
            after = progress.decided(after, leg, [0] * len(leg.parts))
        after = progress.advanced(after)
        assert after.round == hosted.tournament.round + 1
        saved = await store.save(hosted, replace(hosted, tournament=after))
        assert await store.hosted(saved.id) == saved


async def test_games_against_the_old_hard_count_as_games_against_hard(
    before: Export, upgraded: str, new_database: NewDatabase
) -> None:
    """Those that run go on against it, and the records are made anew."""
    against = before.rows("seat", lambda row: row["level"] == Level.HARD)
    phases = {row["id"]: row["phase"] for row in before.tables["session"]}
    assert {"running", "finished"} <= {phases[row["session"]] for row in against}
    for row in against:
        row["level"] = OLD_HARD
    address = new_database()
    imported(address, before.sealed())
    tallies = select(level_records).order_by(*level_records.primary_key)
    async with opened(upgraded) as one, opened(address) as other:
        counted = await one.run(lambda c: c.execute(tallies).all())
        assert Level.HARD in {row.level for row in counted}
        assert await other.run(lambda c: c.execute(tallies).all()) == counted
        store = Tables(other, ManualClock())
        for row in against:
            if phases[row["session"]] == "running":
                session = (await store.table(SessionId(row["session"]))).session
                assert Computer(Level.HARD) in session.seats
    assert faults(address) == []


async def test_records_of_games_that_are_over_are_made_anew_with_word_of_how_far(
    everything: str,
    new_database: NewDatabase,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are what they were; the log says so before it begins, then how far it is."""
    caplog.set_level(logging.INFO, "bot")
    monkeypatch.setattr(write, "WORTH_TELLING", 5)
    monkeypatch.setattr(migrate, "TOLD_EVERY", 0.0)
    address = new_database(of=everything)
    engine = backend_at(address).engine()
    with engine.begin() as connection:
        made, taken = dump(connection), connection.execute(STATES).scalars().all()
        command.downgrade(configuration(connection), BASELINE)
        old = f"UPDATE seat SET level = '{OLD_HARD}' WHERE level = '{Level.HARD}'"  # noqa: S608
        assert connection.exec_driver_sql(old).rowcount
    engine.dispose()
    for _ in range(2):
        async with opened(address) as database:
            assert await database.run(dump) == made
            assert await database.run(lambda c: c.execute(STATES).scalars().all()) == taken
    assert faults(address) == []
    said = [each.getMessage() for each in caplog.records if each.name == migrate.__name__]
    converted = next(each for each in said if "converted" in each)
    assert converted.startswith("Upgrading the database: converted games=")
    counts = ("looked through", "counted of")
    told = [
        each.getMessage()
        for each in caplog.records
        if each.name == write.__name__ or any(words in each.getMessage() for words in counts)
    ]
    begun, *feats, counted, ended = told
    games = begun.rpartition("=")[2]
    assert begun.startswith("Upgrading the database: counting its finished games anew")
    looked = "Upgrading the database: looked through games="
    assert feats == [f"{looked}{count}" for count in range(1, len(feats) + 1)]
    assert feats
    assert counted == f"Upgrading the database: counted of={games} games={games}"
    assert ended.startswith("database upgraded ")
    assert any(any(state["feats"]) for state in taken)
    assert made["badge"]
    months = {100 * row.at.year + row.at.month for row in made["result"]}
    assert {row.season for row in made["standing"]} == {0, *months}


async def test_games_that_counted_in_full_are_weighed(
    everything: str, new_database: NewDatabase
) -> None:
    """The records of 0034 are made anew, whatever ratings it had."""
    address = new_database(of=everything)
    with sole_transaction(address) as connection:
        made = dump(connection)
        command.downgrade(configuration(connection), "0034")
        connection.execute(delete(results))
        connection.execute(update(sessions).where(sessions.c.plies < 4).values(short=False))
    async with opened(address) as database:
        assert await database.run(dump) == made
    assert faults(address) == []


@pytest.mark.parametrize("schema", ["0001", "0031"])
async def test_a_database_from_before_the_baseline_is_left_as_it_is_with_the_way_to_go(
    everything: str, new_database: NewDatabase, schema: str
) -> None:
    address = new_database(of=everything)
    with sole_transaction(address) as connection:
        forget_versions(connection, schema)
    with pytest.raises(StorageError, match=f"before version 0.4.0 .* commit {LAST_OF_OLD} "):
        async with opened(address):
            pass
    engine = backend_at(address).engine()
    with engine.connect() as connection:
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    engine.dispose()
    assert found == schema
