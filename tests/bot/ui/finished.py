"""Finished games, stored by the bot's own store without being played, and their files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random, getrandbits

from bot.sandbox import Message
from bot.sandbox.model.files import MessageFile
from bot.storage.messages import Messages
from bot.table.ending import agree_draw, offer_draw, resign
from bot.table.seats import Level, Pace, PersonId
from bot.table.session import Phase, Session, SessionId
from bot.table.table import InteractionId, Place, Table
from engine.game import Move, Options
from tests.bot.english import says
from tests.bot.kit import at_random, new_game
from tests.bot.people import Person
from tests.bot.ui import ludo
from tests.bot.ui.conftest import RunningBot

ELSEWHERE = 77
"""A server that is not the sandbox's."""


def resigned(game: str, *occupants: int | Level, leaving: Sequence[int]) -> Session:
    """A game in which people leave, one after the other, until it is over.

    One of tic-tac-toe is rated, since both have moved twice.
    """
    session = new_game(game, *occupants, pace=Pace.RELAXED)
    for cell in (0, 3, 1, 4) if game == "tictactoe" else ():
        session = session.go_on(Move(cell))
    for person in leaving:
        session = resign(session, PersonId(person))
    assert session.phase is Phase.FINISHED
    return session


def won(winner: Person | int, loser: Person | int, game: str = "tictactoe") -> Session:
    """A game that the second player resigned."""
    first, second = (each if isinstance(each, int) else each.id for each in (winner, loser))
    return resigned(game, first, second, leaving=[second])


def played(
    game: str, *occupants: int | Level, rng: Random, options: Options | None = None
) -> Session:
    """A game played to its end at random, by the computers too."""
    return at_random(new_game(game, *occupants, pace=Pace.RELAXED, options=options), rng)


def agreed(*people: int) -> Session:
    """A game of tic-tac-toe that two people agree to be a draw once both have moved twice."""
    first, second = map(PersonId, people)
    session = new_game("tictactoe", *people, pace=Pace.RELAXED)
    for cell in (4, 0, 1, 7):
        session = session.go_on(Move(cell))
    return agree_draw(offer_draw(session, second), first)


async def store(
    running_bot: RunningBot, *sessions: Session, guild: int | None = None
) -> list[SessionId]:
    """Finished games, an hour from each to the next, the last an hour ago, in a server.

    That is the sandbox's own unless `guild` says another.
    """
    where = int(running_bot.games.guild_id or 0) if guild is None else guild
    ages = range(len(sessions), 0, -1)
    return [
        await _stored(running_bot, session, Place(where, 1), timedelta(hours=age))
        for session, age in zip(sessions, ages, strict=True)
    ]


async def _stored(
    running_bot: RunningBot, session: Session, place: Place, age: timedelta
) -> SessionId:
    running = replace(session, phase=Phase.RUNNING, ending=None, payoff=None)
    at = running_bot.clock.now() - age
    new = Table(SessionId(0), 1, running, place, "en-US", moved_at=at, due=None)
    before = await running_bot.store.open(new, InteractionId(getrandbits(62)))
    after = replace(before, revision=before.revision + 1, session=session)
    saved = await running_bot.store.save(before, after, None)
    await Messages(running_bot.store).save_shown(
        {saved.id: saved.revision}
    )  # there is no message to mend
    return saved.id


async def files_of(
    running_bot: RunningBot, person: Person, shown: Message, label: str
) -> Sequence[MessageFile]:
    """The files of a replay that a button gives, or the menu of a long game."""
    if label in {button.label for button in shown.buttons}:
        message = (await running_bot.press(person, shown, label)).message
    else:
        message = (await ludo.pick(person, shown, label, menu=says("menu.go_to"))).message
    assert message.ephemeral
    return message.attachments
