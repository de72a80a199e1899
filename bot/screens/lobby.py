"""The message of a table that gathers its players: its seats, its rules, and the start."""

from __future__ import annotations

from collections.abc import Iterable

from bot.games.entry import Entry
from bot.message.blocks import Block, Choice, Control, Menu, Prose, Style, rows
from bot.message.text import Moment, Text, named, text
from bot.screens.buttons import control
from bot.screens.challenge import pace, what, who
from bot.screens.dice import small_line, word_shown
from bot.table.actions import Action, numbered, setting
from bot.table.seat_log import BoardLook
from bot.table.seats import Computer, Invited
from bot.table.session import Session
from bot.table.table import Table


def gathering(table: Table, entry: Entry) -> tuple[Block, ...]:
    """The seats, and the buttons of everybody and of the host."""
    session = table.session
    lines = [
        text("gathering.open", host=named(session.host)),
        what(session),
        *_seats(session),
        pace(session.pace),
    ]
    if session.game.dice and session.rolls.automatic:
        lines.append(text("gathering.auto_roll"))
    if table.due is not None:
        lines.append(text("lobby.until", deadline=Moment(table.due)))
    lines.append(small_line(table))
    setup = Menu(
        numbered(Action.TABLE, table.revision), text("menu.table"), tuple(_choices(session, entry))
    )
    buttons = (*rows(_doors(session)), *rows(_start(table)), *rows(_about(table)))
    return Prose(tuple(lines)), *buttons, setup


def _seats(session: Session) -> Iterable[Text]:
    for index, occupant in enumerate(session.seats):
        word = word_shown(occupant)
        if word is not None:
            yield text("dice.word", word=word, **who(session, index))
            continue
        key = "gathering.invited" if isinstance(occupant, Invited) else "board.side"
        yield text(key, **who(session, index))
    for _ in range(_free(session)):
        yield text("gathering.free")


def _free(session: Session) -> int:
    return max(session.game.seats) - len(session.seats)


def _seated(session: Session) -> int:
    return sum(not isinstance(seat, Invited) for seat in session.seats)


def _doors(session: Session) -> Iterable[Control]:
    invited = _seated(session) < len(session.seats)
    room = _free(session) > 0 or invited
    yield control(Action.JOIN, Style.GOOD, enabled=room)
    if invited:
        yield control(Action.DECLINE)
    yield control(Action.LEAVE)


def _start(table: Table) -> Iterable[Control]:
    session = table.session
    enough = _seated(session) >= min(session.game.seats)
    yield control(Action.START, Style.PROMINENT, enabled=enough)
    yield control(Action.FILL, enabled=_free(session) > 0)


def _about(table: Table) -> Iterable[Control]:
    yield control(Action.HOW_TO)
    if table.dice is not None:
        yield control(Action.PROOF)


def _choices(session: Session, entry: Entry) -> Iterable[Choice]:
    if _free(session):
        for level in entry.levels:
            label = text("menu.add_computer", level=text(f"choice.level.{level}"))
            yield Choice(setting(Action.ADD_COMPUTER, level), label)
    if any(isinstance(seat, Computer) for seat in session.seats):
        yield Choice(Action.REMOVE_COMPUTER, text("menu.remove_computer"))
    yield from _presets(session)
    if session.game.options:
        yield Choice(Action.RULES, text("menu.house_rules"))
    if not _free(session) and _partners(session):
        yield Choice(Action.PARTNERS, text("menu.partners"))
    if session.game.dice:
        switched = "off" if session.rolls.automatic else "on"
        yield Choice(Action.AUTO_ROLL, text(f"control.auto_roll.{switched}"))
    for style in BoardLook:
        if style is not session.preferences.board:
            yield Choice(setting(Action.BOARD, style), text(f"menu.board.{style}"))
    yield Choice(Action.WITHDRAW, text("menu.cancel"))


def _presets(session: Session) -> Iterable[Choice]:
    game = session.game
    for name, options in game.presets.items():
        if session.options != game.settled(options):
            yield Choice(
                setting(Action.PRESET, name),
                text("menu.preset", preset=text(f"preset.{game.key}.{name}")),
                text(f"preset.{game.key}.{name}.description"),
            )


def _partners(session: Session) -> bool:
    sides = session.game.sides(len(session.seats), session.options)
    return len(set(sides)) < len(sides)
