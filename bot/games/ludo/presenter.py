"""How Ludo looks: everything that the table's message, its picture and its words are made of."""

from __future__ import annotations

from bot.games.ludo.board.colours import colour_of
from bot.games.ludo.board.emoji_grid import grids
from bot.games.ludo.board.picture import picture
from bot.games.ludo.game_log import GameLog
from bot.games.ludo.words.buttons import choices
from bot.games.ludo.words.caption import legend, tally
from bot.games.ludo.words.position import description
from bot.games.ludo.words.rules import house
from bot.games.ludo.words.turn_log import story
from bot.message.blocks import Block, Prose
from bot.message.text import Text
from bot.table.session import Session
from engine.game import Seat


class LudoPresenter:
    """Draws the board as emoji, tells what happened, and offers what can be done."""

    def emblem(self, session: Session, seat: Seat) -> str:
        """The colour of a seat."""
        return colour_of(len(session.seats), seat).token

    def rules(self, session: Session) -> Text:
        """The house rules."""
        return house(session.options)

    def board(self, session: Session) -> tuple[Block, ...]:
        """The board in two grids, what happened, how far everybody is, and the choices."""
        record = GameLog(session)
        lines = (*legend(record.position), *story(session, record), *tally(record.position))
        return *grids(record.position, record.last_move()), Prose(lines), *choices(session)

    def words(self, session: Session) -> tuple[Text, ...]:
        """The position for a screen reader."""
        return description(session)

    def picture(self, session: Session) -> bytes:
        """The usual square board as PNG."""
        record = GameLog(session)
        return picture(record.position, record.last_move())
