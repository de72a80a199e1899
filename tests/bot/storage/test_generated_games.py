"""The benchmark's database is what the bot would have written."""

from __future__ import annotations

from pathlib import Path
from random import Random

from bot.storage.messages import Messages
from bot.storage.opening import opened
from bot.storage.tables import Tables
from bot.table.session import Phase, Session, SessionId
from engine.game import CHANCE
from tests.benchmarks.finished_games import write
from tests.bot.clock import ManualClock
from tests.bot.storage.record_tables import dump, entered_again

GAMES = 300


def rolls(session: Session) -> list[tuple[int, int]]:
    """Each ply at which the dice rolled, and what they showed."""
    state = session.game.start(len(session.seats), session.options)
    found = []
    for ply, move in enumerate(session.moves):
        if state.turn == CHANCE:
            found.append((ply, int(move)))
        state = state.play(move)
    return found


async def test_generated_games_replay_and_their_records_are_those_the_bot_makes(
    file: Path, clock: ManualClock
) -> None:
    assert [*write(file, GAMES, people=40, rng=Random(1))] == [GAMES]

    async with opened(f"sqlite:///{file}") as database:
        store = Tables(database, clock)
        for number in range(1, GAMES + 1):
            table = await store.table(SessionId(number))
            session = table.session
            assert session.phase is Phase.FINISHED
            assert session.payoff is not None
            assert session.position.payoff() in {None, session.payoff}
            if table.dice is not None:
                assert rolls(session) == [(ply, table.pips(ply)) for ply, _ in rolls(session)]
        assert not [
            *await store.due(clock.now()),
            *await store.unattended(),
            *await Messages(store).behind(),
        ]
        before = await database.run(dump)
        assert all(before.values())
        assert await database.run(entered_again) == before
