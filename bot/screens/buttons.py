"""The buttons of a table's messages as controls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Block, Control, Row, Style, with_controls
from bot.message.text import text
from bot.table.actions import Action, parsed
from bot.table.session import Session
from bot.table.table import Table
from engine.game import Move


def control(action: Action, style: Style = Style.PLAIN, *, enabled: bool = True) -> Control:
    """The button of an action, with the label of its record."""
    return Control(action, text(action.button.label), style=style, enabled=enabled)


def offered(actions: Iterable[Action], session: Session) -> list[Action]:
    """The actions whose records offer them at a table now."""
    explained = CATALOGUE[session.game.key].explainer is not None
    return [
        action
        for action in actions
        if (explained or not action.button.explains) and action.button.offered(session)
    ]


def for_all(table: Table, channel: int, *ways: Action) -> tuple[Row, ...]:
    """A row of buttons below a shared game, if it was played in this `channel`, else nothing."""
    return (Row(tuple(map(control, ways))),) if table.place.channel == channel else ()


def lit(blocks: Iterable[Block], move: Move) -> Iterator[Block]:
    """Blocks in which the button of a move is green, and no other move's button is."""
    return with_controls(blocks, lambda button: _lit(button, move))


def struck(blocks: Iterable[Block], move: Move) -> Iterator[Block]:
    """Blocks in which the button of a wrong move is red and disabled."""
    return with_controls(blocks, lambda button: _struck(button, move))


def _struck(button: Control, move: Move) -> Control:
    if parsed(str(button.action)) != (Action.MOVE, move):
        return button
    return replace(button, style=Style.DANGEROUS, enabled=False)


def _lit(button: Control, move: Move) -> Control:
    action, number = parsed(str(button.action))
    if action is not Action.MOVE:
        return button
    if number == move:
        return replace(button, style=Style.GOOD)
    return replace(button, style=Style.PROMINENT) if button.style is Style.GOOD else button
