"""A try at a finished game: its board for its player alone, and its end beside the real one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.games.catalogue import presenter_of
from bot.message.blocks import Block, Control, Prose, Screen, Tone
from bot.message.text import Separator, Text, joined, text
from bot.screens.board import PACKED, body, in_lines, whose_turn
from bot.screens.dice import named_game
from bot.screens.in_words import board_in_words
from bot.screens.outcome import outcome, tone
from bot.service.variations import Trial
from bot.table.actions import Action
from bot.table.session import Phase

BACK: Final = Control(Action.WHAT_IF, text("control.back_to_more"))
"""The way back to the choice where the try left the game."""


def trial(tried: Trial, *, in_words: bool = False) -> Screen:
    """The board where a try stands, with the player's moves; once it is over, how it ended."""
    session = tried.session
    choices = presenter_of(session).choices(session)
    lines, told = in_lines(choices, (BACK,)), (*_told(tried),)
    over = session.phase is Phase.FINISHED
    board: tuple[Block, ...]
    if in_words:
        board = *board_in_words(session), *lines, Prose((_small(tried),))
    else:
        small = () if over or len(lines) >= PACKED else (_small(tried),)
        board = body(session, lines, small)
    return Screen((Prose(told), *board), tone(session) if over else Tone.RUNNING)


def _told(tried: Trial) -> Iterator[Text]:
    turn = whose_turn(tried.session)
    if turn is not None:
        yield turn
        return
    yield text("variation.try", outcome=joined(outcome(tried.session), Separator.DOT))
    yield text("variation.game", outcome=joined(outcome(tried.table.session), Separator.DOT))


def _small(tried: Trial) -> Text:
    """The line below the board: of which game it is a try, and that it counts nowhere."""
    key = "variation.with_dice" if tried.session.game.dice else "variation.alone"
    return text(key, **named_game(tried.table))
