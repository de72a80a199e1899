"""`/ludo`: its options, and the table they ask for."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Final

from bot.games.command import BOARD, PACE, Command, Field, Kind, Request, invitable, level_field
from bot.table.refusals import Refusal, Unseen
from bot.table.seat_log import BoardLook, Preferences
from bot.table.seats import Computer, Human, Invited, Level, Occupant, Pace, PersonId
from bot.table.session import Session
from engine.games.ludo import GAME

OTHERS: Final = tuple(Field(f"player{seat}", Kind.PERSON) for seat in (2, 3, 4))
COMPUTERS: Final = Field("computers", Kind.NUMBER, least=0, most=3)
RULES: Final = Field("rules", Kind.CHOICE, choices=tuple(GAME.presets))
AUTO, HAND = "auto", "hand"
ROLL: Final = Field("roll", Kind.CHOICE, choices=(AUTO, HAND))


def propose(request: Request, rng: Random) -> Session:  # noqa: ARG001 - the dice choose who begins
    """The table that a `/ludo` asks for; against computers alone it begins at once.

    Raises:
        Refusal: A person is not `invitable`, or there are too few seats.
        Unseen: Nobody else can see the table, and a person or nobody at all is asked for.
    """
    level = Level(request.choice("level", Level.MEDIUM))
    people, computers = _others(request)
    if people and request.private:
        raise Unseen("nobody_else_here")
    computers += int(request.choice(COMPUTERS.key, "0"))
    if request.private and not computers:
        raise Unseen("computers_alone")
    if 1 + len(people) + computers > max(GAME.seats):
        raise Refusal("too_many_seats")
    seats: tuple[Occupant, ...] = (
        Human(request.by),
        *map(Invited, people),
        *[Computer(level)] * computers,
    )
    preset = request.choice(RULES.key, RULES.choices[0])
    session = Session(
        game=GAME,
        options=GAME.settled(GAME.presets[preset]),
        pace=Pace(request.choice("pace", Pace.LIVE)),
        host=request.by,
        seats=seats,
        preferences=Preferences(
            auto_roll=request.values[ROLL.key] == AUTO if ROLL.key in request.values else None,
            board=BoardLook(request.choice(BOARD.key, BoardLook.EMOJI)),
        ),
    )
    return session.start() if len(seats) > 1 else session


def _others(request: Request) -> tuple[list[PersonId], int]:
    """The people asked for, each once, and the number of computers."""
    people: dict[PersonId, None] = {}
    computers = 0
    for named in filter(None, (request.named(field.key) for field in OTHERS)):
        if named.person == request.bot:
            computers += 1
        else:
            people[invitable(request, named)] = None
    return list(people), computers


def command(levels: Iterable[Level]) -> Command:
    """The slash command, with a choice of these levels."""
    fields = (*OTHERS, COMPUTERS, level_field(*levels), RULES, PACE, BOARD, ROLL)
    return Command(name="ludo", fields=fields, propose=propose)
