"""A table for one reader: in a list to choose from, in words, and as a picture."""

from __future__ import annotations

from bot.games.catalogue import presenter_of
from bot.message.blocks import BOARD_FILE, Block, Picture, Prose, Row, Screen, Tone
from bot.message.text import Text, text
from bot.screens.board import sides
from bot.screens.buttons import control, for_all
from bot.screens.dice import named_game
from bot.screens.lobby import title
from bot.table.actions import Action
from bot.table.seats import PersonId
from bot.table.session import Phase, Session
from bot.table.table import EndedTable, Table


def choice_of(table: Table) -> Text:
    """A table in a list of suggestions, without players, as mentions do not work there."""
    rules = presenter_of(table.session).rules(table.session)
    return text("board.choice", **named_game(table), rules=rules)


def ended_choice(ended: EndedTable) -> Text:
    """A finished game in a list of suggestions."""
    rules = presenter_of(ended.session).rules(ended.session)
    return text("replay.choice", **named_game(ended), date=ended.at.date(), rules=rules)


def asked_again(rematch: Session, by: PersonId, link: str) -> Text:
    """The answer to a request for a rematch that exists already."""
    if rematch.phase is Phase.LOBBY and by == rematch.host:
        return text("rematch.asked", link=link)
    if rematch.phase is Phase.LOBBY:
        return text("rematch.joined", link=link)
    if rematch.phase is Phase.RUNNING:
        return text("rematch.on", link=link)
    return text("rematch.over", link=link)


def board_words(table: Table) -> tuple[Text, ...]:
    """The position, line by line, for a screen reader."""
    if table.session.position is None:
        return (text("board.not_begun"),)
    return presenter_of(table.session).words(table.session)


def board_story(table: Table) -> tuple[Text, ...]:
    """The latest turns, of which a board shows the end, and the players."""
    session = table.session
    if session.position is None:
        return ()
    return *presenter_of(session).story(session), sides(session)


def closer(table: Table, story: tuple[Text, ...]) -> Screen:
    """The position as a picture for one reader, its story, and the way to share it."""
    told = (Prose(story),) if story else ()
    picture = Picture(BOARD_FILE, board_words(table))
    return Screen((picture, *told, Row((control(Action.SHARE),))), Tone.OVER)


def shared(table: Table, channel: int, *, drawn: bool) -> Screen:
    """The position for everybody in a channel: what is played, and the board."""
    heading = Prose(title(table.session))
    again: tuple[Block, ...] = ()
    if table.session.phase is Phase.FINISHED:
        again = for_all(table, channel, Action.REPLAY)
    return Screen((heading, *_position(table, drawn=drawn), *again), Tone.OVER)


def _position(table: Table, *, drawn: bool) -> tuple[Block, ...]:
    words = board_words(table)
    return (Picture(BOARD_FILE, words),) if drawn else (Prose(words),)


def board_picture(table: Table) -> bytes:
    """The position as a PNG."""
    return presenter_of(table.session).picture(table.session)
