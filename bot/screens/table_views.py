"""A table for one reader: in a list to choose from, in words, and as a picture.

A board in words is for a reader who has chosen that, such as for a screen reader, and can be played
from. It is a message for one reader, so the actions of its moves differ from those of boards.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from bot.games.catalogue import presenter_of
from bot.message.blocks import (
    BOARD_FILE,
    WITH_WORDS,
    Block,
    Control,
    Picture,
    Prose,
    Row,
    Screen,
    Tone,
    rows,
    with_controls,
)
from bot.message.text import Text, text
from bot.screens.board import ANSWERS, above, answer, end, screen, sides
from bot.screens.buttons import control, for_all, offered
from bot.screens.dice import named_game
from bot.screens.in_words import since_in_words, with_names
from bot.screens.lobby import title
from bot.table.actions import Action, numbered, parsed, press
from bot.table.refusals import Refusal
from bot.table.seats import Human, PersonId
from bot.table.session import Phase, Session
from bot.table.table import EndedTable, Table

LOOKING_BACK: Final = (Action.REPLAY, Action.REVIEW)
"""The buttons of a finished board in words, besides the one that shares it."""


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


def in_words(table: Table, reader: PersonId, story: tuple[Text, ...], link: str) -> Screen:
    """The lines above the board, the position, what happened, its story, and what to press.

    That is the reader's moves if it is their turn, and the answers that they may give. These come
    last, so that they never appear where another button was. Unless the game runs, a `link` leads
    to the board, which has the buttons for all; before it, there is what the board says.
    """
    session = table.session
    here = text("refusal.board_moved", link=link)
    if session.position is None:
        waits = screen(table)
        said = [block for block in waits.blocks if isinstance(block, Prose)]
        return Screen((*said, Prose((here,))), waits.tone)
    lines = (*board_words(table), *since_in_words(session), *story)
    if session.phase is not Phase.RUNNING:
        ways = (*offered(LOOKING_BACK, session), Action.SHARE)
        told = Prose((*end(table), *lines, here))
        return Screen((told, *rows(map(control, ways))), Tone.OVER)
    buttons = (control(Action.IN_WORDS), control(Action.SHARE), *_answers(session, reader))
    told = Prose((*above(table), *lines))
    return Screen((told, *_moves(session, reader), *rows(buttons)), Tone.RUNNING)


def _moves(session: Session, reader: PersonId) -> Iterator[Block]:
    mover = session.mover
    if not isinstance(mover, Human) or mover.person != reader:
        return
    presenter = presenter_of(session)
    board = (block for block in presenter.board(session) if isinstance(block, Row))
    played = (*board, *rows(presenter.choices(session), WITH_WORDS))
    yield from with_controls(with_names(played, session), partial(_for_one, session))


def _for_one(session: Session, button: Control) -> Control:
    """A board's button with the action for a message for one reader.

    Nobody draws it again when a move is taken back, so it counts only after the same moves.
    """
    action, number = parsed(str(button.action))
    word = numbered(Action.PLAY, number) if action == Action.MOVE else Action.ROLL_IN_WORDS
    return replace(button, action=f"{word}:{session.line}")


def _answers(session: Session, reader: PersonId) -> Iterator[Control]:
    """The answers of the board that this reader may give."""
    for action in offered(ANSWERS, session):
        with suppress(Refusal):
            press(session, action, reader, ply=session.ply)
            yield answer(action)


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
