"""The message of a table: what everyone in the channel sees, whatever the game.

The game's presenter draws the board; what surrounds it is the same for all games: whose turn it is
and until when, what may be done besides moving, what happened, and how it ended. A message is as
high as a phone 360 pixels wide shows at once, so that a board is never without its buttons; heights
are in the pixels of such a phone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Final

from bot.games.catalogue import CATALOGUE, presenter_of
from bot.games.entry import Presenter
from bot.message.blocks import (
    WITH_WORDS,
    Block,
    Control,
    Grid,
    Prose,
    Row,
    Screen,
    Style,
    Tone,
    rows,
)
from bot.message.text import Moment, Separator, Text, TextList, joined, player, side, text
from bot.records.results import AmongPeople, result
from bot.screens.badges import awarded
from bot.screens.buttons import control, is_offered, lit
from bot.screens.challenge import invited, pace, title, waiting
from bot.screens.dice import small_line
from bot.screens.happenings import ROOM, since
from bot.screens.lobby import gathering
from bot.screens.outcome import afterwards, outcome, tone
from bot.screens.table_panel import besides
from bot.table.actions import Action
from bot.table.seats import Absent, Human
from bot.table.session import Phase, Session
from bot.table.table import Table
from bot.table.time_limits import turn_limit
from engine.game import Seat

CROWDED: Final = 2
"""With so many lines of buttons, what happened has one line, and the line below them is short."""
PACKED: Final = 3
"""The most lines of buttons below a board; then what happened is the only other line there."""
PARTNERS: Final = 2
"""The most players of a game without partners."""
FEW_SIDES: Final = 2
"""The most sides whose players are named below a board."""
PAIR: Final = 2
"""The buttons that fit a line of a phone in every language; three fit if their words are short."""

MANY_ROWS: Final = 5
"""A board with so many rows of buttons has room for two more rows, or for one and three texts."""

ANSWERS: Final = {
    Action.CLAIM: Style.GOOD,
    Action.ALLOW_TAKE_BACK: Style.GOOD,
    Action.REFUSE_TAKE_BACK: Style.PLAIN,
    Action.AGREE: Style.GOOD,
    Action.REFUSE: Style.PLAIN,
    Action.COME_BACK: Style.PLAIN,
}
"""The answers to what is open, as far as they are offered: a claim, a question, a seat."""

LOOK: Final = (
    "cross 7, 3 and 7 high, emoji named in words, hints lit, More, rolls beside names, short labels"
)
"""The version of the boards' look: after a change running boards are drawn again."""

TONES: Final = {
    Phase.LOBBY: Tone.WAITING,
    Phase.RUNNING: Tone.RUNNING,
}


def screen(table: Table) -> Screen:
    """The message of a table."""
    session = table.session
    entry = CATALOGUE[session.game.key]
    match session.phase:
        case Phase.LOBBY if session.has_lobby:
            blocks = gathering(table, entry)
        case Phase.LOBBY:
            blocks = waiting(table)
        case Phase.RUNNING:
            blocks = _playing(table)
        case _:
            blocks = _ended(table)
    waits = session.phase is Phase.LOBBY and not session.has_former_players
    notifies = invited(session) if waits else ()
    return Screen(blocks, TONES.get(session.phase) or tone(session), notifies=notifies)


def moved(link: str) -> Text:
    """The notice on a message that the table has left for another."""
    return text("board.moved", link=link)


def forgotten() -> Text:
    """The notice on a board whose player is forgotten."""
    return text("board.forgotten")


def _playing(table: Table) -> tuple[Block, ...]:
    session = table.session
    buttons = _buttons(session, presenter_of(session).choices(session))
    lines = len(buttons)
    room = ROOM if lines < CROWDED else 1 if lines < PACKED and _teams(session) is None else 0
    blocks = body(session, buttons, below(table, lines), room)
    if session.hint is not None:
        blocks = (*lit(blocks, session.hint),)
    return Prose(tuple(_news(table, lines))), *blocks


def body(
    session: Session, buttons: tuple[Row, ...], small: tuple[Text, ...], room: int
) -> tuple[Block, ...]:
    """The board, what happened, the buttons, and the small lines below them."""
    board, told = presenter_of(session).board(session), since(session, room)
    if len(board) >= MANY_ROWS and len(buttons) > 1:
        return *board, *buttons, Prose((told, *small))
    if small:
        return *board, Prose((told,)), *buttons, Prose(small)
    *above, last = board
    if isinstance(last, Grid):
        return *above, replace(last, caption=told), *buttons
    return *board, Prose((told,)), *buttons


def _buttons(session: Session, choices: tuple[Control, ...]) -> tuple[Row, ...]:
    """The choices of the player to move, and below or beside them what else one can do."""
    room = PACKED * PAIR - len(choices) - 1
    answers = [action for action in ANSWERS if is_offered(action, session)][:room]
    return in_lines(choices, besides(session, (*map(_answer, answers),)), beside=not answers)


def in_lines(
    choices: tuple[Control, ...], others: tuple[Control, ...], *, beside: bool = True
) -> tuple[Row, ...]:
    """The choices of a move, and below them what else one can do, or if it may be `beside` them."""
    together = (*choices, *others)
    if not choices or len(together) <= PAIR:
        return (*rows(together, WITH_WORDS),)
    for most in (CROWDED, PACKED):
        for groups in ((choices, others), (together,)):
            lines = [row for group in groups for row in rows(group, PAIR)]
            if len(lines) <= most:
                return tuple(lines)
        if beside and len(choices) == WITH_WORDS:
            return Row(choices[:PAIR]), Row((*choices[PAIR:], *others))
    raise AssertionError("there are more buttons than lines for them")


def _answer(action: Action) -> Control:
    return control(action, ANSWERS[action])


def _ended(table: Table) -> tuple[Block, ...]:
    session = table.session
    lines = (*outcome(session),)
    if session.position is None:
        return Prose(lines), Prose(title(session)), *rows(afterwards(table))
    told = _uncounted(session) or awarded(table) or presenter_of(session).sentence(session)
    if session.phase is Phase.FINISHED and told:
        lines = (*lines, told)
    buttons = (*rows(afterwards(table), PAIR),)
    small = below(table, len(buttons))
    return Prose(lines), *body(session, buttons, small, 0)


def _uncounted(session: Session) -> Text | None:
    """The notice that a game between people is too short to count."""
    over = result(session)
    return text("board.short") if isinstance(over, AmongPeople) and over.short else None


def _news(table: Table, buttons: int) -> list[Text]:
    """The lines above a board with so many lines of buttons: whose turn it is, and what is open."""
    session = table.session
    timed = table.due is not None and not session.lapsed and turn_limit(session) is not None
    turn = whose_turn(session, brief=timed and buttons >= PACKED)
    if turn is None:
        return []
    if table.due is not None and timed:
        turn = text("board.until", turn=turn, deadline=Moment(table.due))
    lines = [turn]
    if session.pace.turn is None and len(session.people) > 1 and buttons < CROWDED:
        lines.append(pace(session.pace))
    if session.offer is not None:
        lines.append(text("board.offer", player=player(session.seats[session.offer])))
    if session.take_back is not None:
        lines.append(text("board.take_back", player=player(session.seats[session.take_back])))
    return lines


def whose_turn(session: Session, *, brief: bool = False) -> Text | None:
    """The line that names the player to move, alone if `brief`; None unless the game runs."""
    if session.turn is None or session.mover is None:
        return None
    emblem = CATALOGUE[session.game.key].presenter.emblem(len(session.seats), session.turn)
    named = {"emblem": emblem, "player": player(session.mover)}
    thrown = None if session.lapsed else presenter_of(session).thrown(session)
    waits = session.solo and not session.rolls_by_itself
    if thrown is not None and not brief and (thrown.playable or waits):
        key = "board.rolled" if thrown.playable else "board.stuck"
        return text(key, die=thrown.die, **named)
    return text("board.mover" if brief else _turn_key(session), **named)


def _turn_key(session: Session) -> str:
    if not isinstance(session.mover, Human):
        return "board.thinking"
    if session.lapsed:
        return "board.lapsed"
    if session.rolls_by_itself:
        return "board.rolls"
    return "board.roll" if session.rolling else "board.turn"


def below(table: Table, lines: int = 0) -> tuple[Text, ...]:
    """The lines below a board and so many lines of buttons, the game's number last.

    They name the players of two sides, the teams, and the rules. Where many buttons leave little
    room, players and rules are left out: *More* has the rules. Then the teams take the place of the
    number, signs of those who are away that of the teams, and marks of the game that of the dice.
    Below the most buttons there is nothing.
    """
    session, crowded = table.session, lines >= CROWDED
    if lines >= PACKED:
        return ()
    room = not crowded and len(list(groupby(session.seats))) <= FEW_SIDES
    told = not session.has_lobby or (len(session.people) > 1 and room)
    away = session.phase is Phase.RUNNING and Absent in map(type, session.seats)
    teams = None if away else _teams(session)
    if crowded and teams is not None:
        return (teams,)
    away &= not told
    marked = away or session.tried or session.hints
    rules, digits = not crowded and teams is None, not (crowded and marked)
    number = small_line(table, rules=rules, digits=digits)
    if session.tried:
        number = text("board.with_tries", line=number)
    elif session.hints:
        number = text("board.with_hints", line=number)
    if away:
        number = text("board.with_away", line=number, emblems=_away(session))
    shown = (sides(session) if told else None, teams, number)
    return tuple(filter(None, shown))


def _away(session: Session) -> TextList:
    """The signs of the seats whose players are away."""
    gone = [Seat(seat) for seat, held in enumerate(session.seats) if isinstance(held, Absent)]
    return emblems(presenter_of(session), len(session.seats), gone)


def _teams(session: Session) -> Text | None:
    """The partners, by their signs; None where everybody plays alone."""
    seats = len(session.seats)
    if seats <= PARTNERS:
        return None
    partners = session.game.sides(seats, session.options)
    if len({*partners}) == seats:
        return None
    presenter = presenter_of(session)
    held = [
        emblems(presenter, seats, [Seat(seat) for seat in range(seats) if partners[seat] == team])
        for team in sorted({*partners})
    ]
    return text("board.teams", teams=joined(held))


def sides(session: Session) -> Text:
    """The sides and their players, in small print."""
    presenter, seats, held = CATALOGUE[session.game.key].presenter, len(session.seats), []
    for occupant, indices in groupby(enumerate(session.seats), key=itemgetter(1)):
        signs = emblems(presenter, seats, map(itemgetter(0), indices))
        held.append(side(signs, occupant))
    return text("board.sides", sides=joined(held))


def emblems(presenter: Presenter, seats: int, held: Iterable[Seat]) -> TextList:
    """The signs of some of so many seats, side by side."""
    return joined(map(partial(presenter.emblem, seats), held), Separator.NOTHING)
