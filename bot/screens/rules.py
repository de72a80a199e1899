"""The rules of a table, for one reader: as a list, or for its host as menus to choose from."""

from __future__ import annotations

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Block, Choice, Menu, Prose, Screen, Tone
from bot.message.text import Text, text
from bot.screens.title import what
from bot.table.actions import rule_action
from bot.table.seats import PersonId
from bot.table.session import Phase, Session
from bot.table.table import Table
from engine.game import Option, Value


def rules(table: Table, reader: PersonId) -> Screen:
    """The rules; the host may change them until the game begins."""
    session = table.session
    presenter = CATALOGUE[session.game.key].presenter
    blocks: tuple[Block, ...]
    if session.phase is Phase.LOBBY and reader == session.host:
        heading = Prose((what(session, presenter), text("rules.choose")))
        blocks = (heading, *(_menu(session, option) for option in session.game.options))
    else:
        lines = (_line(session, option) for option in session.game.options)
        blocks = (Prose((what(session, presenter), *lines)),)
    return Screen(blocks, Tone.WAITING)


def _line(session: Session, option: Option) -> Text:
    chosen = session.options[option.key]
    return text("rules.line", rule=_rule(session, option), value=_value(session, option, chosen))


def _menu(session: Session, option: Option) -> Menu:
    rule = _rule(session, option)
    choices = (
        Choice(
            str(value),
            text("rules.line", rule=rule, value=_value(session, option, value)),
            chosen=session.options[option.key] == value,
        )
        for value in option.values
    )
    return Menu(rule_action(option.key), rule, tuple(choices))


def _rule(session: Session, option: Option) -> Text:
    return text(f"rule.{session.game.key}.{option.key}")


def _value(session: Session, option: Option, value: Value) -> Text:
    return text(f"rule.{session.game.key}.{option.key}.{str(value).replace(' ', '_')}")
