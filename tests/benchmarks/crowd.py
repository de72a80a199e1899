"""Many people at one moment: the time until Discord has an answer to each, and to others.

    python -m tests.benchmarks.crowd [PEOPLE] [--games 1000] [--rounds N]

The sandbox and the people run in this process, the bot in one of its own, whose database holds so
many open games of two people. Printed are the start of the bot, the presses of two people who play
alone there, one after the other, and then `/tictactoe level:hard` on 5x5 by all people at once: the
time to the acknowledgement, to the board, and the number of those that were deferred; Discord gives
a command up after 3 s. The two go on playing meanwhile. Then everybody's first move comes at once.
A figure is the median of the rounds, each with a new bot, and the slowest of all.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from bot.clock import SystemClock
from bot.sandbox import Answer, Interaction, Message
from bot.sandbox.model import registry
from bot.storage.stores import stores
from bot.table.seats import Human, Pace, PersonId
from bot.table.session import Session, SessionId
from bot.table.table import InteractionId, Place, Table
from engine.games.tictactoe import GAME
from tests.benchmarks.clicks import PARLOUR, game, running
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import OFFER, marked
from tests.bot.ui.hall import guests

ALONE = 10
"""Games of the two who play alone, before the crowd comes and while it is there."""

LONG = timedelta(days=1)
PATIENCE = 60.0
"""Seconds that people wait here instead of three, so that a late answer is measured too."""


@dataclass
class Times:
    """Seconds to an answer, in all rounds, and the median of each round."""

    all: list[float] = field(default_factory=list)
    medians: list[float] = field(default_factory=list)

    def add(self, seconds: Iterable[float]) -> None:
        """Adds a round."""
        taken = [*seconds]
        if taken:
            self.all += taken
            self.medians.append(statistics.median(taken))

    def row(self) -> str:
        """The median of the rounds' medians, the 95th percentile and the slowest, in ms."""
        late = sorted(self.all)[19 * (len(self.all) - 1) // 20]
        figures = (statistics.median(self.medians), late, max(self.all))
        return " ".join(f"{1e3 * each:>9.0f}" for each in figures)


@dataclass
class Crowd:
    """The figures of all rounds."""

    start: Times = field(default_factory=Times)
    alone: Times = field(default_factory=Times)
    acknowledged: Times = field(default_factory=Times)
    opened: Times = field(default_factory=Times)
    moved: Times = field(default_factory=Times)
    drawn: Times = field(default_factory=Times)
    beside: Times = field(default_factory=Times)
    deferred: list[int] = field(default_factory=list)

    async def round(self, people: int, games: int) -> None:
        """Measures a new bot."""
        prepared = 0.0

        async def prepare(sandbox: Sandbox, folder: Path) -> None:
            nonlocal prepared
            await open_games(sandbox, folder, games)
            prepared = time.perf_counter()

        async with running(PARLOUR, prepare) as sandbox:
            self.start.add([time.perf_counter() - prepared])
            self.alone.add(await played(sandbox, lambda: False))
            self.alone.add(await played(sandbox, lambda: False))
            crowd = guests(sandbox, people + 4)[4:]
            over = asyncio.Event()
            others = asyncio.create_task(played(sandbox, over.is_set))
            games_ = sandbox.channel("games")

            def typed(person: Person) -> Awaitable[Interaction]:
                return person.type(games_, "tictactoe", level="hard", size=5)

            boards = await self._together(sandbox, crowd, typed, self.acknowledged, self.opened)
            over.set()
            self.beside.add(await others)

            def moved(person: Person) -> Awaitable[Interaction]:
                board = boards[person]
                free = (each for each in board.buttons if OFFER.fullmatch(each.custom_id))
                return person.press(
                    board, custom_id=next(each.custom_id for each in free if not marked(each))
                )

            await self._together(sandbox, crowd, moved, self.moved, self.drawn)

    async def _together(
        self,
        sandbox: Sandbox,
        people: list[Person],
        act: Callable[[Person], Awaitable[Interaction]],
        acknowledged: Times,
        shown: Times,
    ) -> dict[Person, Message]:
        """Has everybody do something at once; returns the messages once they are drawn."""
        begun = time.perf_counter()
        acts = {each: await act(each) for each in people}
        edits = {each: done.source.edits for each, done in acts.items() if done.source}
        answered: dict[Person, float] = {}
        drawn: dict[Person, float] = {}

        def look() -> bool:
            now = time.perf_counter()
            for person, done in acts.items():
                if person not in answered and done.response is not None:
                    answered[person] = now - begun
                if person in answered and person not in drawn and _drawn(done, edits.get(person)):
                    drawn[person] = now - begun
            return len(drawn) == len(acts)

        await sandbox.until(look, within=PATIENCE)
        acknowledged.add(answered.values())
        shown.add(drawn.values())
        late = {Answer.THINKING, Answer.LATER_UPDATE}
        self.deferred.append(sum(done.response in late for done in acts.values()))
        return {person: done.message for person, done in acts.items()}


def _drawn(done: Interaction, edits: int | None) -> bool:
    message = done.message
    return bool(message.buttons) if edits is None else message.edits > edits


async def played(sandbox: Sandbox, over: Callable[[], bool]) -> list[float]:
    """Seconds to the board after each press of two people, one after the other, games long."""
    taken: list[float] = []
    for _ in range(ALONE):
        for press in await game(sandbox):
            begun = time.perf_counter()
            pressed = await press()
            assert pressed.source is not None
            await drawn_again(sandbox, pressed.source)
            taken.append(time.perf_counter() - begun)
        if over():
            break
    return taken


async def drawn_again(sandbox: Sandbox, board: Message) -> None:
    """Waits until a board has been drawn once more."""
    before = board.edits
    await sandbox.until(lambda: board.edits > before, within=PATIENCE)


async def open_games(sandbox: Sandbox, folder: Path, many: int) -> None:
    """Puts so many open games of two people into the database, as their messages show them."""
    people, channel = guests(sandbox, 4), sandbox.channel("lounge")
    ann, ben = (PersonId(int(each.id)) for each in people[2:])
    clock = SystemClock()
    async with stores(f"sqlite:///{folder}/parlour.db", clock) as kept:
        begun = Session(
            GAME, GAME.settled({}), Pace.LIVE, host=ann, seats=(Human(ann), Human(ben))
        ).start()
        guild, now = int(channel.guild_id or 0), clock.now()
        places = (Place(guild, int(channel.id), number + 1) for number in range(many))
        tables = await asyncio.gather(
            *(
                kept.tables.open(
                    Table(SessionId(0), 1, begun, place, "en-US", now, due=now + LONG),
                    InteractionId(number),
                )
                for number, place in enumerate(places, 1)
            )
        )
        await kept.messages.save_shown({table.id: table.revision for table in tables})


async def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description="Many people at one moment.")
    parser.add_argument("people", type=int, nargs="?", default=200)
    parser.add_argument("--games", type=int, default=1_000, help="open meanwhile")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    setattr(registry, "TIME_TO_ANSWER", PATIENCE)  # noqa: B010 - it is a constant
    found = Crowd()
    for _ in range(given.rounds):
        await found.round(given.people, given.games)
    print("                                           median ms    p95 ms    max ms")
    print(f"start with {given.games:>5} open games              {found.start.row()}")
    print(f"two people alone, a press                 {found.alone.row()}")
    print(f"{given.people:>4} commands at once, acknowledged       {found.acknowledged.row()}")
    print(f"{given.people:>4} commands at once, on the board       {found.opened.row()}")
    print(f"two people meanwhile, a press             {found.beside.row()}")
    print(f"{given.people:>4} moves at once, acknowledged          {found.moved.row()}")
    print(f"{given.people:>4} moves at once, on the board          {found.drawn.row()}")
    print(f"deferred: {found.deferred} (commands and moves, round by round)")


if __name__ == "__main__":
    asyncio.run(main())
