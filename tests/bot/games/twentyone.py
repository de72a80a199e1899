"""Twenty-one in a channel: a small game to be played, looked up and replayed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from babel.messages.catalog import Catalog

from bot.games.command import PACE, Command, Request, level_field
from bot.games.entry import Entry, Happening, Strength, Thrown, everywhere
from bot.message.blocks import Block, Control, Prose
from bot.message.canvas import Canvas
from bot.message.text import Text, text
from bot.table.actions import move_action
from bot.table.seats import Human, Level, Pace
from bot.table.session import Phase, Session
from engine.game import Seat
from engine.search.players import RandomAgent
from tests.toy import GAME

EMBLEMS: Final = ("🟥", "🟦", "🟨")

TEXTS: Final = {
    "game.twentyone": "Twenty-one",
    "how.twentyone": "{command}: count on by one to three; say 21 and you win.",
    "command.twentyone": "twentyone",
    "command.twentyone.description": "Count to 21",
    "twentyone.rules": "count to 21",
    "twentyone.said": "Said last: {number}",
    "twentyone.step": "+{step}",
}


class TwentyOnePresenter:
    """Shows the last number, and a button for each way to count on."""

    def emblem(self, seats: int, seat: Seat) -> str:  # noqa: ARG002 - always the same
        return EMBLEMS[seat]

    def rules(self, session: Session) -> Text:  # noqa: ARG002 - always the same
        return text("twentyone.rules")

    def rules_in_brief(self, session: Session) -> Text:
        return self.rules(session)

    def board(self, session: Session) -> tuple[Block, ...]:
        return self.drawing(session)

    def drawing(self, session: Session) -> tuple[Block, ...]:
        return (Prose(self.words(session)),)

    def choices(self, session: Session) -> tuple[Control, ...]:
        if session.phase is not Phase.RUNNING:
            return ()
        steps = session.position.moves()
        return tuple(Control(move_action(s), text("twentyone.step", step=s)) for s in steps)

    def thrown(self, session: Session) -> Thrown | None:  # noqa: ARG002
        return None

    def story(self, session: Session) -> tuple[Text, ...]:  # noqa: ARG002
        return ()

    def since(
        self,
        session: Session,
        ply: int,
        reader: Seat | None,  # noqa: ARG002
    ) -> Sequence[Happening]:
        return [
            Happening(text("twentyone.step", step=session.moves[at]), frozenset({at}))
            for at in range(ply, session.ply)
        ]

    def sentence(self, session: Session) -> Text | None:  # noqa: ARG002
        return None

    def words(self, session: Session) -> tuple[Text, ...]:
        return (text("twentyone.said", number=session.position.said),)

    def picture(self, session: Session) -> bytes:
        canvas = Canvas(64, 64, "#ffffff")
        canvas.write((32, 32), str(session.position.said), "#000000", size=30)
        return canvas.png()


def propose(request: Request, rng: Random) -> Session:  # noqa: ARG001 - the host begins
    pace = Pace(request.choice("pace", Pace.LIVE))
    return Session(GAME, {}, pace, host=request.by, seats=(Human(request.by),))


LEVELS: Final = {
    level: Strength(RandomAgent, inline=everywhere) for level in (Level.EASY, Level.MEDIUM)
}

ENTRY: Final = Entry(
    game=GAME,
    presenter=TwentyOnePresenter(),
    levels=LEVELS,
    command=Command("twentyone", (level_field(*LEVELS), PACE), propose),
)


def added(english: Catalog) -> Catalog:
    """The English catalogue with the game's texts."""
    for key, written in TEXTS.items():
        english.add(key, written)
    return english
