"""Finished games of both kinds, played at random through sessions and saved like the bot's own.

The log has what the moves alone do not tell: who left, and how a game was cut short.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from random import Random
from typing import Any

from bot.storage.messages import Messages
from bot.storage.opening import opened
from bot.storage.tables import Tables
from bot.table import ending
from bot.table.actions import Action, press
from bot.table.dice import Dice
from bot.table.rights import may_offer_draw
from bot.table.seat_log import Preferences
from bot.table.seats import Absent, Computer, Human, Level, Occupant, Pace, PersonId
from bot.table.session import Ending, Phase, Session, SessionId
from bot.table.table import InteractionId, Place, Table
from bot.table.waiting import turn_limit
from engine.game import Game, Move, Options, Seat
from engine.games.ludo import GAME as LUDO
from engine.games.tictactoe import GAME as TICTACTOE
from tests.bot.clock import ManualClock

PEOPLE = tuple(PersonId(person) for person in range(101, 113))
PLACES = tuple(Place(guild, channel=5) for guild in (None, 71, 72))
LEVELS = tuple(level for level in Level if not level.helped)
TOGETHER = 10
"""The number of games that run at once, to finish in another order than they began."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game as it went: its seats as at the start, its moves, and what people did besides.

    `gone` are the seats whose people had left at the end, `last` the one that ended the game by
    resigning, or whose time was up.
    """

    session: SessionId
    guild: int | None
    at: datetime
    game: Game[Any]
    options: Options
    seats: tuple[Occupant, ...]
    moves: tuple[Move, ...]
    ending: Ending
    gone: frozenset[Seat]
    last: Seat | None
    hints: bool = False


def fill(address: str, games: int) -> None:
    """Plays so many games in a database, and some that are closed, as the bot writes them.

    Among the first 40 are some of each game that end in all ways but by agreement.
    """

    async def played() -> None:
        async with opened(address) as database:
            clock = ManualClock()
            await played_games(Tables(database, clock), clock, Random(25), games)

    asyncio.run(played())


async def played_games(
    store: Tables,
    clock: ManualClock,
    rng: Random,
    n: int,
    places: Sequence[Place] = PLACES,
    *,
    first: int = 1,
) -> list[Played]:
    """Play so many games, in the order in which they finish; a tenth more are closed.

    `first` is the id of the first interaction.
    """
    log: list[Played] = []
    interactions = map(InteractionId, count(first))
    while len(log) < n:
        opened = []
        for _ in range(min(TOGETHER, n - len(log))):
            place = rng.choice(places)
            session = _begun(rng)
            dice = Dice.drawn(rng) if session.game.dice else None
            draft = Table(SessionId(0), 1, session, place, "en-US", clock.now(), None, dice=dice)
            opened.append(await _shown(store, await store.open(draft, next(interactions))))
        rng.shuffle(opened)
        for table in opened:
            clock.advance(timedelta(seconds=rng.randrange(1, 100)))
            session, last = _to_the_end(table, rng)
            after = replace(table, revision=2, session=session, moved_at=clock.now(), due=None)
            await store.save(table, after, next(interactions))
            if session.phase is Phase.FINISHED:
                log.append(_told(table, session, last, clock.now()))
    return log


async def _shown(store: Tables, table: Table) -> Table:
    """A table whose message has been sent, which its dice wait for."""
    await Messages(store).save_message(table.id, (1 << 60) + table.id)
    return await store.table(table.id)


def _begun(rng: Random) -> Session:
    game = rng.choice((TICTACTOE, LUDO))
    seats = rng.choice(game.seats)
    people = [Human(person) for person in rng.sample(PEOPLE, rng.randint(1, seats))]
    levels = [Computer(rng.choice(LEVELS)) for _ in range(seats - len(people))]
    occupants: list[Occupant] = [*people, *levels]
    rng.shuffle(occupants)
    options = game.settled(_options(rng, seats)) if game is LUDO else game.settled({})
    return Session(
        game,
        options,
        Pace.LIVE,
        people[0].person,
        tuple(occupants),
        preferences=Preferences(auto_roll=True),
        hints=len(people) == 1 and people[0].person % 3 == 0,
    ).start()


def _options(rng: Random, seats: int) -> dict[str, int | str]:
    short: dict[str, int | str] = {"tokens": rng.choice((1, 2)), "leave_on": "1 or 6"}
    if seats == 4 and rng.random() < 0.5:
        return {**short, "teams": "yes"}
    return {**short, "finish": rng.choice(("first", "places"))}


def _to_the_end(table: Table, rng: Random) -> tuple[Session, Seat | None]:
    """The session played to its end, and the seat that lost by resigning or on time, if one did."""
    session = table.session
    restless = rng.choice((0.0, 0.0, 0.0, 0.03))
    while True:
        cut = rng.random() < restless
        before = session.turn
        if not cut and session.rolling and table.dice is not None:
            session = session.go_on(table.pips(session.ply))
        elif not cut:
            session = session.go_on(rng.choice(session.position.moves()))
        elif rng.random() < 0.4:
            by = rng.choice(session.people)
            if not session.has_place(by):
                before = session.seat_of(by)
                session = press(session, Action.RESIGN, by, ply=session.ply)
        else:
            session = _interrupted(session, rng)
        if session.phase is not Phase.RUNNING:
            return session, before if session.ending in {Ending.RESIGNED, Ending.TIME} else None


def _interrupted(session: Session, rng: Random) -> Session:
    """The session after a draw, a claim or a takeover, a return, or a close; often as it was."""
    certain = session.game.decided(session.position)
    away = [
        seat.person
        for index, seat in enumerate(session.seats)
        if isinstance(seat, Absent) and index not in certain
    ]
    match rng.randrange(4):
        case 0 if may_offer_draw(session):
            one, other = session.people
            offered = press(session, Action.OFFER, one, ply=session.ply)
            return press(offered, Action.AGREE, other, ply=session.ply)
        case 1 if turn_limit(session) is not None and session.turn is not None:
            mover = _person(session.seats[session.turn])
            late = ending.time_out(session)
            (by, *_) = (person for person in session.people if person != mover)
            return press(late, Action.CLAIM, by, ply=late.ply) if late.lapsed else late
        case 2 if away:
            return press(session, Action.COME_BACK, rng.choice(away))
        case 3 if rng.random() < 0.3:
            return session.abandon(Ending.CLOSED)
        case _:
            return session


def _person(occupant: Occupant) -> PersonId:
    assert isinstance(occupant, Human)
    return occupant.person


def _told(table: Table, session: Session, last: Seat | None, at: datetime) -> Played:
    assert session.ending is not None
    gone = (Seat(i) for i, seat in enumerate(session.seats) if isinstance(seat, Absent))
    return Played(
        session=table.id,
        guild=table.place.guild,
        at=at,
        game=session.game,
        options=session.options,
        seats=table.session.seats,
        moves=session.moves,
        ending=session.ending,
        gone=frozenset(gone),
        last=last,
        hints=session.hints,
    )
