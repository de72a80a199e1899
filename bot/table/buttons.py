"""The buttons that change a table: a record each, and the one way to press them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final, TypeAlias

from bot.table import ending, lobby
from bot.table.actions import Action, parsed
from bot.table.refusals import UnknownControl
from bot.table.rights import (
    Right,
    absent_player,
    anyone_in_lobby,
    has_dice,
    host_at_setup,
    host_in_lobby,
    host_or_player,
    is_asked_to_take_back,
    is_offered_draw,
    learner,
    may_cancel,
    may_come_back,
    may_offer_draw,
    may_take_back,
    mover,
    player,
    player_in_game,
    player_in_lobby,
    roller,
)
from bot.table.seats import Invited, PersonId
from bot.table.session import Phase, Session
from engine.game import Move


@dataclass(frozen=True, slots=True)
class Use:
    """One press: by whom, with the number in its word, and the value chosen in a menu.

    `pips` is what the dice show if they roll now.
    """

    by: PersonId
    number: int
    value: str
    pips: Move


NO_ROLL: Final = Move(0)

Step: TypeAlias = Callable[[Session, Use], Session]
"""The session after a press, once the right to it is checked."""


def never(_session: Session) -> bool:
    """Marks a button that stands where a screen of its own puts it."""
    return False


@dataclass(frozen=True, slots=True)
class TableButton:
    """A button: its action, who may press it and when, what it does, and what stands on it.

    `right` refuses a press, by the person and by the phase. `step` changes the table; without one
    the button only shows something. `label` is a key of the catalogues. `offered` says when it
    stands below a running board or behind *More*. A `private` button stands on a message for one
    reader, None is for both kinds.
    """

    action: Action
    right: Right
    step: Step | None = None
    label: str = ""
    offered: Callable[[Session], bool] = never
    private: bool | None = False


def _alone(step: Callable[[Session], Session]) -> Step:
    return lambda session, _: step(session)


def _by(step: Callable[[Session, PersonId], Session]) -> Step:
    return lambda session, use: step(session, use.by)


def _chosen(step: Callable[[Session, str], Session]) -> Step:
    return lambda session, use: step(session, use.value)


def _word(session: Session, use: Use) -> Session:
    return lobby.choose_word(session, use.by, use.value)


def _move(session: Session, use: Use) -> Session:
    return session.go_on(Move(use.number))


def _roll(session: Session, use: Use) -> Session:
    return session.go_on(use.pips)


_LOBBY: Final = (
    TableButton(Action.ACCEPT, anyone_in_lobby, _by(lobby.accept), "control.accept"),
    TableButton(Action.DECLINE, anyone_in_lobby, _by(lobby.decline), "control.decline"),
    TableButton(Action.JOIN, anyone_in_lobby, _by(lobby.join), "control.join"),
    TableButton(Action.LEAVE, anyone_in_lobby, _by(lobby.leave), "control.leave"),
    TableButton(Action.WITHDRAW, host_in_lobby, _alone(lobby.withdraw), "control.withdraw"),
    TableButton(Action.START, host_in_lobby, _alone(lobby.begin), "control.start"),
    TableButton(Action.FILL, host_in_lobby, _alone(lobby.fill), "control.fill"),
    TableButton(Action.WORD, player_in_lobby, _word, "control.word", private=None),
    TableButton(Action.ADD_COMPUTER, host_at_setup, _chosen(lobby.add_computer)),
    TableButton(Action.REMOVE_COMPUTER, host_at_setup, _alone(lobby.remove_computer)),
    TableButton(Action.PRESET, host_at_setup, _chosen(lobby.choose_preset)),
    TableButton(Action.RULE, host_at_setup, _chosen(lobby.choose_rule), private=True),
    TableButton(Action.PARTNERS, host_at_setup, _alone(lobby.change_partners)),
    TableButton(Action.BOARD, host_at_setup, _chosen(lobby.choose_board)),
)

_GAME: Final = (
    TableButton(Action.MOVE, mover, _move),
    TableButton(Action.ROLL, roller, _roll),
    TableButton(Action.PLAY, mover, _move, private=True),
    TableButton(Action.ROLL_IN_WORDS, roller, _roll, private=True),
    TableButton(
        Action.AUTO_ROLL,
        host_or_player,
        _alone(lobby.switch_auto_roll),
        offered=has_dice,
        private=None,
    ),
    TableButton(
        Action.CANCEL,
        player_in_game,
        _alone(ending.cancel),
        "control.cancel",
        may_cancel,
        private=None,
    ),
    TableButton(Action.RESIGN, player, _by(ending.resign), "control.resign", private=True),
    TableButton(
        Action.TAKE_BACK,
        player_in_game,
        _by(ending.take_back),
        "control.take_back",
        may_take_back,
        private=None,
    ),
    TableButton(
        Action.ALLOW_TAKE_BACK,
        player_in_game,
        _by(ending.allow_take_back),
        "control.allow_take_back",
        is_asked_to_take_back,
    ),
    TableButton(
        Action.REFUSE_TAKE_BACK,
        player_in_game,
        _by(ending.refuse_take_back),
        "control.refuse_take_back",
        is_asked_to_take_back,
    ),
    TableButton(
        Action.OFFER,
        player_in_game,
        _by(ending.offer_draw),
        "control.offer",
        may_offer_draw,
        private=None,
    ),
    TableButton(
        Action.AGREE, player_in_game, _by(ending.agree_draw), "control.agree", is_offered_draw
    ),
    TableButton(
        Action.REFUSE, player_in_game, _by(ending.refuse_draw), "control.refuse", is_offered_draw
    ),
    TableButton(
        Action.CLAIM, player_in_game, _by(ending.claim), "control.claim", attrgetter("lapsed")
    ),
    TableButton(
        Action.COME_BACK,
        absent_player,
        _by(ending.come_back),
        "control.come_back",
        may_come_back,
        private=None,
    ),
)

STEPS: Final[Mapping[str, TableButton]] = {button.action: button for button in (*_LOBBY, *_GAME)}
"""The buttons that change a table, by their actions."""


def press(
    session: Session,
    word: str,
    by: PersonId,
    *,
    ply: int = 0,
    value: str = "",
    pips: Move = NO_ROLL,
) -> Session:
    """The session after `by` has pressed a button that was drawn for the board of `ply`.

    Raises:
        Refusal: The person has no right to it, or the session says no.
        IllegalMove: The rules do not allow the move.
        UnknownControl: No such button changes a table.
    """
    action, number = parsed(word)
    button = STEPS.get(action)
    if button is None or button.step is None:
        raise UnknownControl
    button.right(session, by, ply)
    return button.step(session, Use(by, number, value, pips))


def give_hint(session: Session, by: PersonId, move: Move, *, ply: int) -> Session:
    """The session with a hint for `by` that names a move on the board of `ply`; marked for good.

    Raises:
        Refusal: As in `rights.learner`, or the board has moved on.
    """
    learner(session, by, ply)
    return replace(session, hints=True, hint=move)


def leave_for_good(session: Session, by: PersonId) -> Session:
    """The session after `by` has left it, as the button that is there for it does.

    Raises:
        Refusal: The person has no seat, the computer plays it already, or the table has ended.
    """
    if session.phase is not Phase.LOBBY:
        action = Action.CANCEL if may_cancel(session) else Action.RESIGN
    elif session.has_lobby:
        action = Action.LEAVE
    else:
        action = Action.DECLINE if Invited(by) in session.seats else Action.WITHDRAW
    return press(session, action, by, ply=session.ply)
