"""What the controls of a board do to its session."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Protocol

from bot.table import ending, lobby
from bot.table.refusals import UnknownControl
from bot.table.seats import BoardLook, Invited, Level, PersonId
from bot.table.session import Phase, Session
from engine.game import Move, Value


class Action(StrEnum):
    """What a control does, apart from the moves of a game; written into the control's id."""

    ACCEPT = "accept"
    DECLINE = "decline"
    JOIN = "join"
    LEAVE = "leave"
    WITHDRAW = "withdraw"
    ADD_COMPUTER = "add"
    REMOVE_COMPUTER = "remove"
    PRESET = "preset"
    RULES = "rules"
    AUTO_ROLL = "auto"
    PARTNERS = "partners"
    BOARD = "board"
    TABLE = "table"
    WORD = "word"
    FILL = "fill"
    START = "start"
    ROLL = "roll"
    ASK_TO_RESIGN = "resign"
    RESIGN = "give-up"
    CANCEL = "cancel"
    TAKE_BACK = "undo"
    ALLOW_TAKE_BACK = "undo-yes"
    REFUSE_TAKE_BACK = "undo-no"
    COME_BACK = "back"
    OFFER = "offer"
    AGREE = "agree"
    REFUSE = "refuse"
    CLAIM = "claim"
    REMATCH = "rematch"
    VIEW = "view"
    HOW_TO = "how"
    SHARE = "share"
    SHARE_REPLAY = "share-replay"
    PROOF = "proof"
    REPLAY = "replay"
    FIRST = "first"
    PREVIOUS = "previous"
    NEXT = "next"
    LAST = "last"
    GO_TO = "go"
    HINT = "hint"
    WHY = "why"
    REVIEW = "review"
    SHARE_REVIEW = "share-review"
    TREE = "tree"
    AS_TEXT = "text"
    AS_JSON = "json"


EXPLAINED: Final = frozenset(
    {Action.HINT, Action.WHY, Action.REVIEW, Action.SHARE_REVIEW, Action.TREE}
)
"""The actions that ask the computer to explain something."""

_MOVE: Final = re.compile(r"m(\d{1,9})")
_RULE: Final = "rule-"
_SHOW: Final = "show-"
_TABLE: Final = f"{Action.TABLE}-"


def move_action(move: Move) -> str:
    """The action of a control that plays `move`."""
    return f"m{move}"


def played_move(action: str) -> Move | None:
    """The move that an action plays; None if it plays none."""
    found = _MOVE.fullmatch(action)
    return Move(int(found[1])) if found else None


def table_action(revision: int) -> str:
    """The action of the menu that sets a table up; another one for every revision.

    A client keeps what was chosen in a menu that stays the same, and one cannot choose it twice.
    """
    return f"{_TABLE}{revision}"


def is_table(action: str) -> bool:
    """Whether an action sets a table up by what was chosen in its menu."""
    return action.startswith(_TABLE)


def setting(what: str, value: Value) -> str:
    """What a menu's choice says that sets something, such as `preset:classic`."""
    return f"{what}:{value}"


def show_action(ply: int) -> str:
    """The action of a control that leads a reader to a ply of a finished game."""
    return f"{_SHOW}{ply}"


def shown_ply(action: str) -> int | None:
    """The ply to which an action leads; None if it leads to none."""
    found = action.removeprefix(_SHOW)
    return int(found) if found != action and found.isdecimal() else None


def rule_action(revision: int) -> str:
    """The action of the menu that changes a rule; another one for every revision."""
    return f"{_RULE}{revision}"


def is_rule(action: str) -> bool:
    """Whether an action changes a rule."""
    return action.startswith(_RULE)


class _Timely(Protocol):
    def __call__(self, session: Session, by: PersonId, /, *, ply: int) -> Session: ...


_AT_THE_DOOR: Final[Mapping[str, lobby.Step]] = {
    Action.ACCEPT: lobby.accept,
    Action.DECLINE: lobby.decline,
    Action.JOIN: lobby.join,
    Action.LEAVE: lobby.leave,
    Action.WITHDRAW: lobby.withdraw,
    Action.REMOVE_COMPUTER: lobby.remove_computer,
    Action.AUTO_ROLL: lobby.switch_auto_roll,
    Action.PARTNERS: lobby.change_partners,
    Action.FILL: lobby.fill,
    Action.START: lobby.start,
    Action.COME_BACK: ending.come_back,
}

_IN_THE_GAME: Final[Mapping[str, _Timely]] = {
    Action.RESIGN: ending.resign,
    Action.CANCEL: ending.cancel,
    Action.TAKE_BACK: ending.take_back,
    Action.ALLOW_TAKE_BACK: ending.allow_take_back,
    Action.REFUSE_TAKE_BACK: ending.refuse_take_back,
    Action.OFFER: ending.offer_draw,
    Action.AGREE: ending.agree_draw,
    Action.REFUSE: ending.refuse_draw,
    Action.CLAIM: ending.claim,
}


def apply_action(
    session: Session, action: str, *, by: PersonId, ply: int, pips: Move, value: str = ""
) -> Session:
    """The session after `by` has used a control that was drawn for the board of `ply`.

    `pips` is what the dice show if they roll now, `value` what was chosen in a menu.

    Raises:
        Refusal: What the session says against it.
        IllegalMove: The rules do not allow the move.
        UnknownControl: No such action changes a session.
    """
    if is_table(action):
        action, _, value = value.partition(":")
    if (move := played_move(action)) is not None:
        return session.play(by, move, ply=ply)
    if action == Action.ROLL:
        return session.roll(by, pips, ply=ply)
    if enter := _AT_THE_DOOR.get(action):
        return enter(session, by)
    if action == Action.WORD:
        return lobby.choose_word(session, by, value)
    if act := _IN_THE_GAME.get(action):
        return act(session, by, ply=ply)
    return _chosen(session, action, by, value)


def leave_for_good(session: Session, by: PersonId) -> Session:
    """The session after `by` has left it for good, as the control does that is there for it.

    Raises:
        NotAtTable: The person has no seat to leave.
        SeatHandedOver: The computer plays for the person already.
        NotRunning, Closed: The table has come to its end.
    """
    if session.phase is not Phase.LOBBY:
        leave = ending.cancel if session.cancellable else ending.resign
        return leave(session, by, ply=session.ply)
    if session.has_lobby:
        return lobby.leave(session, by)
    step = lobby.decline if Invited(by) in session.seats else lobby.withdraw
    return step(session, by)


def _chosen(session: Session, action: str, by: PersonId, value: str) -> Session:
    """The session after a choice in a menu, which only a table that gathers people has."""
    if not session.has_lobby:
        raise UnknownControl
    if action == Action.ADD_COMPUTER and value in set(Level):
        return lobby.add_computer(session, by, Level(value))
    if action == Action.BOARD and value in set(BoardLook):
        return lobby.choose_board(session, by, BoardLook(value))
    if action == Action.PRESET:
        return lobby.choose_preset(session, by, value)
    if is_rule(action):
        option, _, value = value.partition(":")
        return lobby.choose_rule(session, by, option, value)
    raise UnknownControl
