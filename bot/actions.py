"""What the controls of a board do to its session."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final, Protocol

from bot.refusals import UnknownControl
from bot.seats import PersonId
from bot.session import Session
from engine.game import Move


class Action(StrEnum):
    """What a control does, apart from the moves of a game; written into the control's id."""

    ACCEPT = "accept"
    DECLINE = "decline"
    JOIN = "join"
    WITHDRAW = "withdraw"
    RESIGN = "resign"
    OFFER = "offer"
    AGREE = "agree"
    REFUSE = "refuse"
    CLAIM = "claim"
    REMATCH = "rematch"


_MOVE: Final = re.compile(r"m(\d{1,9})")


def move_action(move: Move) -> str:
    """The action of a control that plays `move`."""
    return f"m{move}"


class _Timely(Protocol):
    def __call__(self, session: Session, by: PersonId, /, *, ply: int) -> Session: ...


_AT_THE_DOOR: Final[Mapping[str, Callable[[Session, PersonId], Session]]] = {
    Action.ACCEPT: Session.accept,
    Action.DECLINE: Session.decline,
    Action.JOIN: Session.join,
    Action.WITHDRAW: Session.withdraw,
}

_IN_THE_GAME: Final[Mapping[str, _Timely]] = {
    Action.RESIGN: Session.resign,
    Action.OFFER: Session.offer_draw,
    Action.AGREE: Session.agree_draw,
    Action.REFUSE: Session.refuse_draw,
    Action.CLAIM: Session.claim,
}


def acted(session: Session, action: str, *, by: PersonId, ply: int) -> Session:
    """The session after `by` has used a control that was drawn for the board of `ply`.

    Raises:
        Refusal: What the session says against it.
        IllegalMove: The rules do not allow the move.
        UnknownControl: No such action changes a session.
    """
    if move := _MOVE.fullmatch(action):
        return session.play(by, Move(int(move[1])), ply=ply)
    if enter := _AT_THE_DOOR.get(action):
        return enter(session, by)
    if act := _IN_THE_GAME.get(action):
        return act(session, by, ply=ply)
    raise UnknownControl
