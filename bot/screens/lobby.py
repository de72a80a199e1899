"""The messages of tables that wait: a challenge, and a lobby with its seats, start and rules."""

from __future__ import annotations

from collections.abc import Iterable

from bot.games.catalogue import CATALOGUE, presenter_of
from bot.games.entry import Entry
from bot.message.blocks import (
    BESIDE,
    Block,
    Choice,
    Control,
    Menu,
    Prose,
    Row,
    Screen,
    Style,
    Tone,
    rows,
)
from bot.message.text import Cell, CommandMention, Moment, Text, TextValue, named, player, text
from bot.screens.buttons import control
from bot.screens.dice import small_line, word_shown
from bot.table.actions import Action, numbered, setting
from bot.table.refusals import UnknownControl
from bot.table.seat_log import BoardLook
from bot.table.seats import Computer, Invited, Pace, PersonId
from bot.table.session import Phase, Session
from bot.table.table import Table
from engine.game import Option, Options, Seat, Value


def pace(chosen: Pace) -> Text:
    """The pace in words."""
    if chosen.turn is None:
        return text("pace.relaxed")
    return text("pace.limited", limit=chosen.turn)


def what(session: Session) -> Text:
    """The game and its rules."""
    rules = presenter_of(session).rules(session)
    return text("board.title", game=text(f"game.{session.game.key}"), rules=rules)


def variant_named(entry: Entry, options: Options) -> Text:
    """The name and the rules of a game in a variant, as a menu lists it."""
    session = Session(entry.game, options, Pace.LIVE, PersonId(0), ())
    game, rules = text(f"game.{entry.game.key}"), entry.presenter.rules(session)
    return text("tournament.game", game=game, rules=rules)


def emblem(session: Session, seat: int) -> Cell:
    """The sign of a seat."""
    return presenter_of(session).emblem(len(session.seats), Seat(seat))


def who(session: Session, seat: int) -> dict[str, TextValue]:
    """The sign of a seat and its player, as the values of a text."""
    return {"emblem": emblem(session, seat), "player": player(session.seats[seat])}


def title(session: Session) -> tuple[Text, ...]:
    """The game, its rules, and the players of its sides."""
    sides = (text("board.side", **who(session, seat)) for seat in range(len(session.seats)))
    return (what(session), *sides)


def invited(session: Session) -> tuple[PersonId, ...]:
    """The people whose answer a lobby waits for."""
    return tuple(seat.person for seat in session.seats if isinstance(seat, Invited))


def waiting(table: Table) -> tuple[Block, ...]:
    """The challenge, and how to answer it."""
    session = table.session
    asked = invited(session)
    host = named(session.host)
    if asked:
        call = text("lobby.challenge", host=host, person=named(asked[0]))
        answers: tuple[Control, ...] = (
            control(Action.ACCEPT, Style.GOOD),
            control(Action.DECLINE, Style.DANGEROUS),
        )
    else:
        call = text("lobby.open", host=host)
        answers = (control(Action.JOIN, Style.GOOD),)
    lines = [call, *title(session), pace(session.pace)]
    if table.due is not None:
        lines.append(text("lobby.until", deadline=Moment(table.due)))
    if table.dice is not None:
        lines.append(small_line(table))
    if is_wide(presenter_of(session).board(session.at(0))):
        lines.append(text("lobby.narrow"))
    more = [control(Action.WITHDRAW), control(Action.HOW_TO)]
    if table.dice is not None:
        more.append(control(Action.PROOF))
    return Prose(tuple(lines)), *rows((*answers, *more))


def is_wide(board: Iterable[Block]) -> bool:
    """Whether a board's rows would be broken on the narrowest phones, such as with five squares."""
    return any(
        isinstance(each, Row) and each.wide and len(each.controls) == BESIDE for each in board
    )


def gathering(table: Table, entry: Entry) -> tuple[Block, ...]:
    """The seats, and the buttons of everybody and of the host."""
    session = table.session
    lines = [
        text("gathering.open", host=named(session.host)),
        what(session),
        *_seats(session),
    ]
    if not _enough(session):
        lines.append(text("gathering.few", fewest=min(session.game.seats)))
    lines.append(pace(session.pace))
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


def _enough(session: Session) -> bool:
    return _seated(session) >= min(session.game.seats)


def _doors(session: Session) -> Iterable[Control]:
    invited = _seated(session) < len(session.seats)
    room = _free(session) > 0 or invited
    yield control(Action.JOIN, Style.GOOD, enabled=room)
    if invited:
        yield control(Action.DECLINE)
    yield control(Action.LEAVE)


def _start(table: Table) -> Iterable[Control]:
    session = table.session
    yield control(Action.START, Style.PROMINENT, enabled=_enough(session))
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


def rules(table: Table, reader: PersonId) -> Screen:
    """The rules; the host may change them until the game begins.

    Raises:
        UnknownControl: The table is no lobby; its message has all rules.
    """
    session = table.session
    if not session.has_lobby:
        raise UnknownControl
    heading = what(session)
    lines = [_rule_line(session, option) for option in session.game.options]
    blocks: tuple[Block, ...]
    if session.phase is Phase.LOBBY and reader == session.host:
        blocks = (Prose((heading, *lines, text("rules.choose"))), _rules_menu(table))
    else:
        blocks = (Prose((heading, *lines)),)
    return Screen(blocks, Tone.WAITING)


def how_to_play(game: str, *, brief: bool = False) -> Text:
    """The rules of a game in a few lines; its command is `brief` where room is scarce."""
    command = CommandMention(CATALOGUE[game].command.name, brief=brief)
    return text(f"how.{game}", command=command)


def _rule_line(session: Session, option: Option) -> Text:
    chosen = session.options[option.key]
    return text("rules.line", rule=_rule(session, option), value=_value(session, option, chosen))


def _rules_menu(table: Table) -> Menu:
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
