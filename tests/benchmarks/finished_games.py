"""A database of finished games, written in bulk as the bot would have written them one by one.

Every game is played: moves at random, the dice from a secret of its own, so that each replays and
its rolls can be checked. Ludo has one token a seat here, to be short; whoever wants to know what a
game takes on the disk asks for bytes per move. People differ widely in how much they play, and meet
those of their own server. Records are entered game by game through `bot.records.standings`, in
memory; results reach the disk in the order of the games, so that their pages are as full as a bot's
would be.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, Final

from sqlalchemy.engine import make_url

from bot.games.catalogue import CATALOGUE
from bot.records.rating import season_of
from bot.records.results import judged
from bot.records.standings import Pair, RecordEntry, Standing, StandingKey, entered
from bot.records.summaries import Finished
from bot.storage.migrate import upgrade
from bot.storage.records.badges import BadgeBook
from bot.storage.records.finished import (
    level_values,
    pairing_values,
    result_values,
    standing_values,
)
from bot.storage.sqlite_file import sqlite_engine
from bot.storage.table_rows import state_value
from bot.storage.values import EPOCH
from bot.table.dice import SECRET_BYTES, Dice
from bot.table.seat_log import Preferences
from bot.table.seats import Computer, Human, Level, Occupant, Pace, PersonId
from bot.table.session import Ending, Phase, Session, SessionId
from bot.table.table import Place, Table
from engine.game import CHANCE, Game, Move, Options
from engine.games.ludo import GAME as LUDO
from engine.games.tictactoe import GAME as TICTACTOE

FIRST_GAME: Final = datetime(2025, 1, 1, tzinfo=UTC)
BETWEEN_GAMES: Final = timedelta(seconds=30)
LUDO_SHARE, DIRECT_SHARE, COMPUTER_SHARE, RESIGNED_SHARE = 0.2, 0.1, 0.4, 0.1
PEOPLE_A_GUILD: Final = 100
SNOWFLAKE: Final = 10**18
"""About how large Discord's ids are."""

SHORT: Final[Options] = {"tokens": 1, "leave_on": "1 or 6", "home": "overshooting"}
LEVELS: Final = {
    TICTACTOE.key: (Level.EASY, Level.MEDIUM, Level.HARD, Level.PERFECT),
    LUDO.key: (Level.EASY, Level.MEDIUM, Level.HARD, Level.EXPERT),
}


@dataclass(frozen=True, slots=True)
class Crowd:
    """The players: people by how much they play, each with a server and its other members."""

    people: Sequence[PersonId]
    activity: Sequence[float]
    guilds: Sequence[Sequence[PersonId]]
    home: dict[PersonId, int]

    @classmethod
    def of(cls, size: int, rng: Random, *, a_guild: int = PEOPLE_A_GUILD) -> Crowd:
        """A crowd of that many, whose most active member plays hundreds of times the median.

        `a_guild` are the people of a server, more or less.
        """
        people = [PersonId(SNOWFLAKE + rng.randrange(SNOWFLAKE)) for _ in range(size)]
        activity = list(accumulate((rank + 1) ** -0.7 for rank in range(size)))
        home = {person: rng.randrange(-(-size // a_guild)) for person in people}
        guilds: list[list[PersonId]] = [[] for _ in range(-(-size // a_guild))]
        for person, guild in home.items():
            guilds[guild].append(person)
        return cls(people, activity, guilds, home)

    def guild_of(self, person: PersonId) -> int:
        """The id of a person's server."""
        return SNOWFLAKE + self.home[person]

    def host(self, rng: Random) -> PersonId:
        """Somebody who opens a table."""
        return rng.choices(self.people, cum_weights=self.activity)[0]

    def table(self, host: PersonId, seats: int, rng: Random) -> list[Occupant]:
        """The host with people of the same server, or with computers where there are too few."""
        others = [person for person in self.guilds[self.home[host]] if person != host]
        if rng.random() < COMPUTER_SHARE or len(others) < seats:
            return [Human(host)]
        return [Human(host), *map(Human, rng.sample(others, seats - 1))]


@dataclass(slots=True)
class Books:
    """The content of the records: badges, standings by game, and counts by their row's key."""

    badges: BadgeBook
    standings: dict[str, dict[StandingKey, Standing]] = field(default_factory=dict)
    levels: dict[tuple[Any, ...], list[int]] = field(default_factory=dict)
    pairings: dict[tuple[Any, ...], list[int]] = field(default_factory=dict)
    met: dict[str, dict[Pair, int]] = field(default_factory=dict)

    def enter(self, game: Finished) -> RecordEntry:
        """Enters a game, and gives what it added."""
        assert game.result is not None
        known = self.standings.setdefault(game.game, {})
        met = self.met.setdefault(game.game, {})
        entry = entered(game.result, game.guild, season_of(game.at), known, met)
        met.update(entry.met)
        self.badges.enter(game, entry, known)
        known.update(entry.standings)
        for counts, rows in (
            (self.levels, level_values(game.game, entry)),
            (self.pairings, pairing_values(game.game, entry)),
        ):
            for row in rows:
                *key, wins, draws, losses = row.values()
                count = counts.setdefault(tuple(key), [0, 0, 0])
                for index, one in enumerate((wins, draws, losses)):
                    count[index] += one
        return entry


@dataclass(slots=True)
class Rows:
    """Rows of the tables that grow with every game, until they are written."""

    session: list[tuple[Any, ...]] = field(default_factory=list)
    seat: list[tuple[Any, ...]] = field(default_factory=list)
    move: list[tuple[Any, ...]] = field(default_factory=list)
    result: list[tuple[Any, ...]] = field(default_factory=list)

    def write(self, connection: sqlite3.Connection) -> None:
        """Writes them."""
        insert(connection, f"session ({', '.join(SESSION_COLUMNS)})", self.session)
        for table in ("seat", "move", "result"):
            insert(connection, table, getattr(self, table))


SESSION_COLUMNS: Final = (
    *("id", "game", "host", "phase", "ending", "dice_version", "dice_message", "plies", "revision"),
    *("shown", "unattended", "guild", "channel", "message", "moved_at", "finish", "state"),
)


def insert(connection: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Writes rows that have a value for each column."""
    rows = list(rows)
    if rows:
        places = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({places})", rows)  # noqa: S608


def write(
    file: Path, games: int, people: int, rng: Random, *, a_guild: int = PEOPLE_A_GUILD
) -> Iterator[int]:
    """Writes a database; yields how many games it has so far."""
    engine = sqlite_engine(make_url(f"sqlite:///{file}"))
    with engine.begin() as connection:
        upgrade(connection)
        books = Books(BadgeBook(connection, ()))
    engine.dispose()
    crowd = Crowd.of(people, rng, a_guild=a_guild)
    with sqlite3.connect(file) as raw:
        raw.execute("PRAGMA synchronous=OFF")
        raw.execute("PRAGMA cache_size=-1000000")
        rows = Rows()
        for number in range(1, games + 1):
            add(rows, books, SessionId(number), crowd, rng)
            if number % 2000 == 0 or number == games:
                rows.write(raw)
                raw.commit()
                rows = Rows()
                yield number
        write_books(raw, books)
        raw.execute("INSERT INTO server (id) SELECT DISTINCT guild FROM session WHERE guild > 0")
    raw.close()


def write_books(connection: sqlite3.Connection, books: Books) -> None:
    """Writes the standings, the badges and the counts."""
    earned = ({**row, "at": stamp(row["at"])} for row in books.badges.rows)
    insert(connection, "badge", (tuple(row.values()) for row in earned))
    for game, standings in books.standings.items():
        rows = standing_values(game, standings)
        if rows:
            named = f"standing ({', '.join(rows[0])})"
            insert(connection, named, (tuple(row.values()) for row in rows))
    for table, counts in (("level_record", books.levels), ("pairing", books.pairings)):
        insert(connection, table, ((*key, *count) for key, count in counts.items()))


def add(rows: Rows, books: Books, number: SessionId, crowd: Crowd, rng: Random) -> None:
    """Plays a game and adds its rows."""
    game = LUDO if rng.random() < LUDO_SHARE else TICTACTOE
    host = crowd.host(rng)
    occupants = crowd.table(host, rng.choice(game.seats), rng)
    while len(occupants) < min(game.seats):
        occupants.append(Computer(rng.choice(LEVELS[game.key])))
    options = game.settled(SHORT if game is LUDO else {})
    dice = Dice(rng.randbytes(SECRET_BYTES), board=3 * SNOWFLAKE + number)
    at = FIRST_GAME + number * BETWEEN_GAMES
    ending, payoff, moves = played(
        game,
        len(occupants),
        options,
        partial(dice.pips, number, words=(None,) * len(occupants)),
        rng,
    )
    sides = game.sides(len(occupants), options)
    guild = None if rng.random() < DIRECT_SHARE else crowd.guild_of(host)
    over = Finished(
        number, game.key, guild, 0, at, ending, tuple(occupants), sides,
        judged(occupants, sides, payoff),
    )  # fmt: skip
    entry = books.enter(over)
    rows.session.append(
        session_row(over, host, options, dice if game.dice else None, payoff, plies=len(moves))
    )
    rows.seat += [
        (number, seat, *occupant_columns(who), None) for seat, who in enumerate(occupants)
    ]
    rows.move += [(number, ply, move, stamp(at)) for ply, move in enumerate(moves)]
    rows.result += [
        tuple({**row, "at": stamp(at)}.values()) for row in result_values(over, entry, number)
    ]


def played(
    game: Game[Any], seats: int, options: Options, roll: Callable[[int], int], rng: Random
) -> tuple[Ending, Sequence[float], list[Move]]:
    """Play a game of random moves; return its ending, payoff and moves. `roll` rolls at a ply."""
    state, moves = game.start(seats, options), list[Move]()
    gives_up = rng.random() < RESIGNED_SHARE
    while (payoff := state.payoff()) is None:
        if gives_up and seats == 2 and len(moves) == 4:
            return Ending.RESIGNED, (-1.0, 1.0), moves
        rolls = state.turn == CHANCE
        moves.append(Move(roll(len(moves))) if rolls else rng.choice(state.moves()))
        state = state.play(moves[-1])
    return Ending.PLAYED, payoff, moves


def session_row(
    over: Finished,
    host: PersonId,
    options: Options,
    dice: Dice | None,
    payoff: Sequence[float],
    *,
    plies: int,
) -> tuple[Any, ...]:
    """The row of a session, by `SESSION_COLUMNS`."""
    bound = (None, None) if dice is None else (dice.version, dice.board)
    channel, message = 2 * SNOWFLAKE + (over.guild or host) % 1000, 3 * SNOWFLAKE + over.session
    session = Session(
        CATALOGUE[over.game].game,
        options,
        Pace.LIVE,
        host,
        over.occupants,
        Phase.FINISHED,
        preferences=Preferences(auto_roll=True),
        payoff=tuple(payoff),
    )
    place = Place(over.guild, channel, message)
    table = Table(
        over.session,
        plies + 1,
        session,
        place,
        "en-US",
        over.at,
        None,
        dice=dice,
        opened_at=over.at,
    )
    feats = over.feats or (frozenset(),) * len(over.occupants)
    return (
        *(over.session, over.game, host, "finished", over.ending, *bound, plies, plies + 1),
        *(plies + 1, False, over.guild, channel, message, stamp(over.at), over.session),
        json.dumps(state_value(table, feats)),
    )


def occupant_columns(occupant: Occupant) -> tuple[Any, ...]:
    """Kind and person of a seat."""
    if isinstance(occupant, Human):
        return "human", occupant.person
    return "computer", None


def stamp(at: datetime) -> int:
    """A time as the database has it."""
    return (at - EPOCH) // timedelta(milliseconds=1)
