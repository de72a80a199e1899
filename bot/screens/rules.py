"""The rules of a table, for one reader: as a list, for its host with a menu of changes."""

from __future__ import annotations

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Block, Choice, Menu, Prose, Screen, Tone
from bot.message.text import CommandMention, Text, text
from bot.screens.lobby import what
from bot.table.actions import Action, numbered, setting
from bot.table.refusals import UnknownControl
from bot.table.seats import PersonId
from bot.table.session import Phase, Session
from bot.table.table import Table
from engine.game import Option, Value


def rules(table: Table, reader: PersonId) -> Screen:
    """The rules; the host may change them until the game begins.

    Raises:
        UnknownControl: The table gathers nobody, and says all of its rules itself.
    """
    session = table.session
    if not session.has_lobby:
        raise UnknownControl
    heading = what(session)
    lines = [_line(session, option) for option in session.game.options]
    blocks: tuple[Block, ...]
    if session.phase is Phase.LOBBY and reader == session.host:
        blocks = (Prose((heading, *lines, text("rules.choose"))), _menu(table))
    else:
        blocks = (Prose((heading, *lines)),)
    return Screen(blocks, Tone.WAITING)


def how_to_play(game: str, *, brief: bool = False) -> Text:
    """The rules of a game in a few lines; its command is `brief` where room is scarce."""
    command = CommandMention(CATALOGUE[game].command.name, brief=brief)
    return text(f"how.{game}", command=command)


def _line(session: Session, option: Option) -> Text:
    chosen = session.options[option.key]
    return text("rules.line", rule=_rule(session, option), value=_value(session, option, chosen))


def _menu(table: Table) -> Menu:
    session = table.session
    choices = (
        Choice(
            setting(option.key, value),
            text("rules.line", rule=_rule(session, option), value=_value(session, option, value)),
        )
        for option in session.game.options
        for value in option.values
        if session.options[option.key] != value
    )
    return Menu(numbered(Action.RULE, table.revision), text("menu.change_rule"), tuple(choices))


def _rule(session: Session, option: Option) -> Text:
    return text(f"rule.{session.game.key}.{option.key}")


def _value(session: Session, option: Option, value: Value) -> Text:
    return text(f"rule.{session.game.key}.{option.key}.{str(value).replace(' ', '_')}")
