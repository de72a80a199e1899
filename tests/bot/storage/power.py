"""The remains of a database after a kill or a power cut, made on this machine."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Final

from bot.storage.stores import stores
from bot.table.session import SessionId
from bot.table.table import InteractionId, Place, Table
from engine.game import Move
from tests.bot.clock import ManualClock
from tests.bot.kit import ANN, BEN, new_game
from tests.bot.process import ROOT, environment

SECTOR: Final = 512
DRAW: Final = (0, 1, 2, 4, 3, 5, 7, 6, 8)
WRITER: Final = """
import asyncio, sys
from pathlib import Path
from tests.bot.storage.power import write_for_ever
asyncio.run(write_for_ever(Path(sys.argv[1]), int(sys.argv[2])))
"""


def moved(table: Table) -> Table:
    """The table after the next move."""
    session, ply = table.session, table.session.ply
    after = session.play((ANN, BEN)[ply % 2], Move(DRAW[ply]), ply=ply)
    return Table(
        table.id, table.revision + 1, after, table.place, "en-US", table.moved_at, due=None
    )


async def write_for_ever(file: Path, first: int) -> None:
    """Plays game after game, eight at once, and says each move once it is acknowledged."""
    numbers = iter(range(first, first + 1_000_000))
    async with stores(f"sqlite:///{file}", ManualClock()) as kept:

        async def play() -> None:
            at = ManualClock().now()
            while True:
                draft = Table(
                    SessionId(0),
                    1,
                    new_game("tictactoe", ANN, BEN),
                    Place(7, 8),
                    "en-US",
                    at,
                    due=None,
                )
                table = await kept.tables.open(draft, InteractionId(next(numbers)))
                for ply in range(len(DRAW)):
                    interaction = InteractionId(next(numbers))
                    table = await kept.tables.save(table, moved(table), interaction)
                    sys.stdout.write(f"{table.id} {ply}\n")
                    sys.stdout.flush()

        await asyncio.gather(*(play() for _ in range(8)))


def acknowledged_before_a_kill(file: Path, rng: Random, first: int) -> set[tuple[int, int]]:
    """The moves that a process had acknowledged when it was killed, somewhere on its way."""
    program = (sys.executable, "-c", WRITER, str(file), str(first))
    with subprocess.Popen(program, stdout=subprocess.PIPE, cwd=ROOT, env=environment()) as writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(rng.randrange(1, 120))]
        writer.send_signal(signal.SIGKILL)
        lines += writer.stdout.readlines()
    whole = [line.split() for line in lines if line.endswith(b"\n")]
    return {(int(session), int(ply)) for session, ply in whole}


def copied(file: Path, to: Path) -> None:
    """A database as it is on the disk, with its log."""
    to.mkdir()
    for part in (file, file.with_name(f"{file.name}-wal")):
        if part.exists():
            shutil.copy(part, to / part.name)


def torn(before: Path, after: Path, to: Path, rng: Random) -> None:
    """A database where the power went while one state of it became another.

    Of what was written since, each sector may be there, be as it was, or hold nothing; the end of
    a file may be missing.
    """
    to.mkdir()
    for part in after.iterdir():
        old, new = (before / part.name).read_bytes(), part.read_bytes()
        sectors = []
        for start in range(
            0, rng.choice((len(new), max(len(old), rng.randrange(len(new))))), SECTOR
        ):
            here = slice(start, start + SECTOR)
            written = new[here]
            if written != old[here]:
                written = rng.choice((written, old[here].ljust(len(written), b"\0")))
            sectors.append(written)
        (to / part.name).write_bytes(b"".join(sectors))
