"""The message of a table that gathers its players: its seats, its rules, and the start."""

from __future__ import annotations

from collections.abc import Iterable

from bot.games.entry import Entry
from bot.message.blocks import Block, Choice, Control, Menu, Prose, Row, Style
from bot.message.text import Moment, Text, named, player, text
from bot.screens.title import what
from bot.table.actions import Action, add_action
from bot.table.seats import Computer, Invited
from bot.table.session import Session
from bot.table.table import Table
from engine.game import Seat


def gathering(table: Table, entry: Entry) -> tuple[Block, ...]:
    """Who sits there, and what everybody and the host can do about it."""
    session = table.session
    lines = [
        text("gathering.open", host=named(session.host)),
        what(session, entry.presenter),
        *_seats(session, entry),
        text(f"pace.{session.pace}"),
    ]
    if session.auto_roll:
        lines.append(text("gathering.auto_roll"))
    if table.due is not None:
        lines.append(text("lobby.until", deadline=Moment(table.due)))
    return (
        Prose(tuple(lines)),
        Row(tuple(_doors(session))),
        Row(tuple(_switches(session))),
        *_menus(session, entry),
    )


def _seats(session: Session, entry: Entry) -> Iterable[Text]:
    for index, occupant in enumerate(session.seats):
        emblem = entry.presenter.emblem(session, Seat(index))
        if isinstance(occupant, Invited):
            yield text("gathering.invited", emblem=emblem, player=player(occupant))
        else:
            yield text("board.side", emblem=emblem, player=player(occupant))
    for _ in range(_free(session)):
        yield text("gathering.free")


def _free(session: Session) -> int:
    return max(session.game.seats) - len(session.seats)


def _doors(session: Session) -> Iterable[Control]:
    seated = sum(not isinstance(seat, Invited) for seat in session.seats)
    enough = seated >= min(session.game.seats)
    room = _free(session) > 0 or seated < len(session.seats)
    yield Control(Action.JOIN, text("control.join"), style=Style.GOOD, enabled=room)
    yield Control(Action.LEAVE, text("control.leave"))
    yield Control(Action.START, text("control.start"), style=Style.PROMINENT, enabled=enough)
    yield Control(Action.WITHDRAW, text("control.cancel"), style=Style.DANGEROUS)


def _switches(session: Session) -> Iterable[Control]:
    computers = any(isinstance(seat, Computer) for seat in session.seats)
    yield Control(Action.REMOVE_COMPUTER, text("control.remove_computer"), enabled=computers)
    if session.game.dice:
        style = Style.GOOD if session.auto_roll else Style.PLAIN
        yield Control(Action.AUTO_ROLL, text("control.auto_roll"), style=style)
    if session.game.options:
        yield Control(Action.RULES, text("control.house_rules"))
    if not _free(session) and _partners(session):
        yield Control(Action.PARTNERS, text("control.partners"))


def _partners(session: Session) -> bool:
    sides = session.game.sides(len(session.seats), session.options)
    return len(set(sides)) < len(sides)


def _menus(session: Session, entry: Entry) -> Iterable[Block]:
    game = session.game
    if _free(session):
        levels = (Choice(level, text(f"choice.level.{level}")) for level in entry.levels)
        yield Menu(add_action(session), text("menu.add_computer"), tuple(levels))
    presets = (
        Choice(
            name,
            text("menu.preset", preset=text(f"preset.{game.key}.{name}")),
            text(f"preset.{game.key}.{name}.description"),
            chosen=session.options == game.settled(options),
        )
        for name, options in game.presets.items()
    )
    if game.presets:
        yield Menu(Action.PRESET, text("menu.rules"), tuple(presets))
