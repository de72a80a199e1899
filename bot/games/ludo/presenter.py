"""Ludo's looks: the parts of a table's message, its picture and its words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.entry import Happening, Thrown
from bot.games.ludo.board.drawing import grids, picture
from bot.games.ludo.board.spots import colour_of
from bot.games.ludo.game_log import GameLog
from bot.games.ludo.words.description import choices, description, house, house_in_brief
from bot.games.ludo.words.since import sentence, since
from bot.games.ludo.words.turns import story
from bot.message.blocks import BOARD_FILE, Block, Picture
from bot.message.text import Cell, Text
from bot.table.seat_log import BoardLook
from bot.table.session import Session
from engine.game import Options, Seat


class LudoPresenter:
    """Draws the board as emoji or a picture, tells the game and offers the moves."""

    choices = staticmethod(choices)
    words = staticmethod(description)

    def emblem(self, seats: int, seat: Seat) -> Cell:
        """The token of a seat."""
        return colour_of(seats, seat).emblem

    def rules(self, session: Session) -> Text:
        """The house rules."""
        return house(_chosen(session))

    def rules_in_brief(self, session: Session) -> Text:
        """The preset, and how many rules differ from it if those are many."""
        return house_in_brief(_chosen(session))

    def board(self, session: Session) -> tuple[Block, ...]:
        """The board in two grids, or as a picture that is described in words."""
        if session.preferences.board is BoardLook.PICTURE:
            return (Picture(BOARD_FILE, self.words(session)),)
        return self.drawing(session)

    def drawing(self, session: Session) -> tuple[Block, ...]:
        """The board in two grids."""
        record = GameLog(session)
        return grids(record.position, record.last_moves(session))

    def thrown(self, session: Session) -> Thrown | None:
        """The roll to play, or the one with which the last turn of the person ended."""
        return GameLog(session).thrown(session)

    def story(self, session: Session) -> tuple[Text, ...]:
        """The turns since the reader's last decision."""
        return story(session, GameLog(session))

    def since(self, session: Session, ply: int, reader: Seat | None) -> Sequence[Happening]:
        """Everything that happened from a ply on, what one seat did of a kind as one."""
        return since(GameLog(session).since(ply), reader)

    def sentence(self, session: Session) -> Text | None:
        """Tell how close it was, or what the winner rolled."""
        return sentence(session, GameLog(session))

    def picture(self, session: Session) -> bytes:
        """The board as PNG."""
        record = GameLog(session)
        return picture(record.position, record.last_moves(session))


def _chosen(session: Session) -> Options:
    """The options that people chose; one person who plays computers has some without choosing."""
    usual = session.game.alone if session.solo else {}
    return {key: value for key, value in session.options.items() if key not in usual}
