"""A board in words, for a reader who has chosen that: read out, and played from there.

Its buttons stand on a message for one reader, so they have words of their own in their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.games.catalogue import presenter_of
from bot.message.blocks import (
    WITH_WORDS,
    Block,
    Control,
    Prose,
    Row,
    Screen,
    Tone,
    rows,
    with_controls,
)
from bot.message.text import Sprite, Text, text
from bot.screens.buttons import control
from bot.screens.happenings import since_in_words
from bot.table.actions import Action, numbered, parsed
from bot.table.seats import Human, PersonId
from bot.table.session import Phase, Session
from bot.table.table import Table
from engine.game import Move
from engine.notation import notation


def in_words(table: Table, reader: PersonId) -> Screen:
    """The position line by line, what happened, and the reader's moves if it is their turn."""
    session = table.session
    if session.position is None:
        return Screen((Prose((text("board.not_begun"),)), Row((control(Action.SHARE),))), Tone.OVER)
    lines: tuple[Text, ...] = presenter_of(session).words(session)
    ways = (control(Action.IN_WORDS), control(Action.SHARE))
    if session.phase is not Phase.RUNNING:
        return Screen((Prose(lines), Row(ways[1:])), Tone.OVER)
    told = Prose((*lines, since_in_words(session)))
    return Screen((told, *_play(session, reader), Row(ways)), Tone.RUNNING)


def board_in_words(session: Session) -> tuple[Block, ...]:
    """The position line by line, and while the game runs the squares of its board, named."""
    presenter = presenter_of(session)
    board = presenter.board(session) if session.phase is Phase.RUNNING else ()
    squares = (block for block in board if isinstance(block, Row))
    return (Prose(presenter.words(session)), *with_names(squares, session))


def with_names(blocks: Iterable[Block], session: Session) -> Iterator[Block]:
    """Blocks whose buttons of moves without words are named as the game's notation does."""
    names = notation(session.game).names

    def named(button: Control) -> Control:
        action, number = parsed(str(button.action))
        if action != Action.MOVE or button.label is not None:
            return button
        *_, move = names(session.position, Move(number))
        named = isinstance(button.emoji, Sprite) and button.emoji.name == move
        label = text("move.named", move=move)
        return replace(button, label=label, emoji=None if named else button.emoji)

    return with_controls(blocks, named)


def _play(session: Session, reader: PersonId) -> Iterator[Block]:
    if session.mover != Human(reader):
        return
    presenter = presenter_of(session)
    board = (block for block in presenter.board(session) if isinstance(block, Row))
    played = (*board, *rows(presenter.choices(session), WITH_WORDS))
    yield from with_controls(with_names(played, session), _for_one)


def _for_one(button: Control) -> Control:
    """A button that plays as the board's does, from a message for one reader."""
    action, number = parsed(str(button.action))
    if action == Action.MOVE:
        return replace(button, action=numbered(Action.PLAY, number))
    return replace(button, action=Action.ROLL_IN_WORDS)
