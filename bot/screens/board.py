"""The message of a table: what everyone in the channel sees, whatever the game.

The game's presenter draws the board. What surrounds it is the same for all games: whose turn it is
and until when, buttons besides moves, what happened, and how the game ended. A message fits the
screen of a phone 360 pixels wide, so that a board is always visible with its buttons; heights are
in the pixels of such a phone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from bot.games.catalogue import CATALOGUE, presenter_of
from bot.games.entry import Presenter
from bot.message.blocks import (
    PAIR,
    WITH_WORDS,
    Block,
    Brief,
    Control,
    Grid,
    Prose,
    Row,
    Screen,
    Style,
    Tone,
    rows,
)
from bot.message.text import (
    Moment,
    Separator,
    Text,
    TextList,
    TextValue,
    joined,
    named,
    player,
    text,
)
from bot.records.results import AmongPeople, result
from bot.screens.badges import awarded
from bot.screens.buttons import control, lit, offered
from bot.screens.dice import named_game, small_line
from bot.screens.in_words import afterwards, outcome, since, tone
from bot.screens.lobby import gathering, invited, is_wide, pace, title, waiting
from bot.screens.table_panel import besides
from bot.table.actions import Action
from bot.table.seats import Absent, Computer, Human, Occupant
from bot.table.session import Phase, Session
from bot.table.table import Table
from bot.table.waiting import turn_limit
from engine.game import Seat

AWAY: Final = "💤"
"""The sign of a person for whom the computer plays, as a word is too long for small phones."""

CROWDED: Final = 2
"""With this many lines of buttons, only one small line fits below a board."""
PACKED: Final = 3
"""The most lines of buttons below a board; then no small line fits."""
TURNS_TOLD: Final = 2
"""The lines of what happened in a dice game of one person, before whose turn much happens.

With several people, their names below the board need the room.
"""
MANY_ROWS: Final = 5
"""A board with this many rows of buttons has room for two more, or for one and three texts."""

ANSWERS: Final = {
    Action.CLAIM: Style.GOOD,
    Action.ALLOW_TAKE_BACK: Style.GOOD,
    Action.REFUSE_TAKE_BACK: Style.PLAIN,
    Action.AGREE: Style.GOOD,
    Action.REFUSE: Style.PLAIN,
    Action.COME_BACK: Style.PLAIN,
}
"""The buttons that answer something: time that is up, a question, a seat left to the computer."""

LOOK: Final = (
    "cross 7, 3 and 7 high, emoji named in words, hints lit, More, rolls beside names, "
    "short labels, players by colour, heights kept, free cells named, marks beside players, "
    "buttons of moves last, away by a sign"
)
"""The version of the boards' look; when it changes, running boards are drawn again."""

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
    blocks = body(session, buttons, below(table, lines))
    if session.hint is not None:
        blocks = (*lit(blocks, session.hint),)
    return Prose(tuple(above(table, lines))), *blocks


def body(session: Session, buttons: tuple[Row, ...], small: tuple[Text, ...]) -> tuple[Block, ...]:
    """The board, what happened, the buttons, and the small lines.

    A third line of buttons replaces the small line and a line of what happened, so that the message
    keeps its height. Buttons of moves are at the end of the message, so that nothing else ever
    appears where a move was. If the board itself consists of buttons, the small lines come last.
    """
    board, packed = presenter_of(session).board(session), len(buttons) >= PACKED
    alone = session.game.dice and session.solo and session.phase is Phase.RUNNING
    told = since(session, TURNS_TOLD if alone and not packed else 1)
    if is_wide(board) and not session.moves:
        told = Brief((text("board.narrow"),), told.lines)
    if len(board) >= MANY_ROWS and len(buttons) > 1:
        return *board, *buttons, Prose((told, *small))
    *above, last = board
    if small and isinstance(last, Row):
        return *board, Prose((told,)), *buttons, Prose(small)
    if small:
        return *board, Prose((told,)), Prose(small), *buttons
    if isinstance(last, Grid):
        return *above, replace(last, caption=told), *buttons
    return *board, Prose((told,)), *buttons


def _buttons(session: Session, choices: tuple[Control, ...]) -> tuple[Row, ...]:
    """The choices of the player to move, and below or beside them other buttons."""
    room = PACKED * PAIR - len(choices) - 1
    answers = offered(ANSWERS, session)[:room]
    return in_lines(choices, besides(session, (*map(answer, answers),)))


def in_lines(choices: tuple[Control, ...], others: tuple[Control, ...]) -> tuple[Row, ...]:
    """The choices of a move, and below them other buttons, in two lines or else three.

    A single choice has a line of its own, like two, so that the board keeps its height.
    """
    if not choices:
        return (*rows(others, WITH_WORDS),)
    together = (*choices, *others)
    for most in (CROWDED, PACKED):
        for groups in ((choices, others), (together,)):
            lines = [row for group in groups for row in rows(group, PAIR)]
            if len(lines) <= most:
                return tuple(lines)
    raise AssertionError("there are more buttons than lines for them")


def answer(action: Action) -> Control:
    """The button of one of the `ANSWERS`."""
    return control(action, ANSWERS[action])


def _ended(table: Table) -> tuple[Block, ...]:
    session = table.session
    lines = Prose((*end(table),))
    if session.position is None:
        return lines, Prose(title(session)), *rows(afterwards(table))
    buttons = (*rows(afterwards(table), PAIR),)
    small = below(table, len(buttons))
    return lines, *body(session, buttons, small)


def end(table: Table) -> Iterator[Text]:
    """The lines above the board of a table that is over: how it ended, and what else to say."""
    session = table.session
    yield from outcome(session)
    if session.phase is Phase.FINISHED:
        told = _uncounted(session) or awarded(table) or presenter_of(session).sentence(session)
        if told:
            yield told


def _uncounted(session: Session) -> Text | None:
    """The notice that a game between people is too short to count."""
    over = result(session)
    return text("board.short") if isinstance(over, AmongPeople) and over.short else None


def above(table: Table, buttons: int = 0) -> list[Text]:
    """The lines above a board: whose turn it is and until when, and open questions.

    `buttons` is the number of lines of buttons, with which there is less room.
    """
    session = table.session
    timed = table.due is not None and not session.lapsed and turn_limit(session) is not None
    turn = whose_turn(session, brief=timed and buttons >= PACKED)
    if turn is None:
        return []
    if table.due is not None and timed:
        turn = text("board.until", turn=turn, deadline=Moment(table.due))
    lines = [turn]
    asked = session.offer is not None or session.take_back is not None
    if session.pace.turn is None and len(session.people) > 1 and not asked and buttons < CROWDED:
        lines.append(pace(session.pace))
    if session.offer is not None:
        lines.append(text("board.offer", player=player(session.seats[session.offer])))
    if session.take_back is not None:
        lines.append(text("board.take_back", player=player(session.seats[session.take_back])))
    return lines


def whose_turn(session: Session, *, brief: bool = False) -> Text | None:
    """The line that names the player to move; if `brief`, nothing else; None if not running."""
    if session.turn is None or session.mover is None:
        return None
    emblem = CATALOGUE[session.game.key].presenter.emblem(len(session.seats), session.turn)
    named = {"emblem": emblem, "player": _named(session.mover)}
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
    """The small lines below a board: its players; its number and rules, or the mark of a game.

    With `CROWDED` lines of buttons in Ludo, there is one line: the players with the mark, or with
    the number if one person plays; *More* has the rest. With `PACKED` lines there is none.
    """
    session = table.session
    if lines >= PACKED:
        return ()
    marked = session.tried or session.hints
    if lines < CROWDED or not session.has_lobby:
        return _marked(session, sides(session)), small_line(table)
    line = sides(session)
    if session.solo and not marked:
        line = text("board.with_number", line=line, **named_game(table))
    return (_marked(session, line),)


def _marked(session: Session, line: Text) -> Text:
    """A small line, marked if moves were taken back or hints given."""
    if session.tried:
        return text("board.with_tries", line=line)
    return text("board.with_hints", line=line) if session.hints else line


def sides(session: Session) -> Text:
    """The small line of the players with their signs, in order of seats, partners together."""
    presenter, seats = presenter_of(session), len(session.seats)
    partners = session.game.sides(seats, session.options)
    teams: dict[int, dict[Occupant, list[Seat]]] = {}
    for seat, held in enumerate(session.seats):
        team = partners[seat] if len({*partners}) < seats else 0
        teams.setdefault(team, {}).setdefault(held, []).append(Seat(seat))
    told = [
        joined(
            [
                text("board.side", emblem=emblems(presenter, seats, held), player=_called(occupant))
                for occupant, held in team.items()
            ],
            Separator.DOT if len(teams) == 1 else Separator.AND,
        )
        for team in teams.values()
    ]
    return text("board.sides", sides=joined(told, Separator.DOT))


def _called(occupant: Occupant) -> TextValue:
    """A player's name in the small line; a computer's is its level."""
    if isinstance(occupant, Computer):
        return text(f"choice.level.{occupant.level}")
    return _named(occupant)


def _named(occupant: Occupant) -> TextValue:
    """A player's name on a board, marked `AWAY` if the computer plays for them."""
    if isinstance(occupant, Absent):
        return joined((named(occupant.person), AWAY), Separator.SPACE)
    return player(occupant)


def emblems(presenter: Presenter, seats: int, held: Iterable[Seat]) -> TextList:
    """The signs of some seats of a table, side by side."""
    return joined(map(partial(presenter.emblem, seats), held), Separator.NOTHING)
