"""The buttons of a table's messages, each with a record, and the function that presses them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import attrgetter
from typing import Final, Self, TypeAlias

from bot.table import ending, lobby
from bot.table.refusals import Outdated, UnknownControl
from bot.table.rights import (
    Right,
    absent_player,
    anyone,
    anyone_in_lobby,
    has_dice,
    host_at_setup,
    host_in_lobby,
    host_or_player,
    is_asked_to_take_back,
    is_finished,
    is_offered_draw,
    learner,
    may_ask_why,
    may_cancel,
    may_come_back,
    may_have_hint,
    may_offer_draw,
    may_resign,
    may_take_back,
    mover,
    player_in_game,
    player_in_lobby,
    player_still_in,
    roller,
)
from bot.table.seats import Invited, PersonId
from bot.table.session import Phase, Session
from engine.game import Move, Value


@dataclass(frozen=True, slots=True)
class Use:
    """One press: by whom, the number in the button's word, and the value chosen in a menu.

    `pips` is the roll of the dice if they roll now.
    """

    by: PersonId
    number: int
    value: str
    pips: Move


NO_ROLL: Final = Move(0)

Step: TypeAlias = Callable[[Session, Use], Session]
"""Computes the session after a press; the right to press was checked before."""

_has_lobby: Final = attrgetter("has_lobby")


def never(_session: Session) -> bool:
    """Marks a button that is not offered in general, but placed by a certain screen."""
    return False


@dataclass(frozen=True, slots=True)
class TableButton:
    """A button: its word in ids, who may press it and when, what it does, and its label.

    `right` refuses a press by person and phase. `step` changes the table; a button without one is
    answered by a handler of its own. `label` is a key of the catalogues. `offered` says when it is
    below a running board or behind *More*; if it `explains`, only in games that the computer can
    explain. A `private` button is on messages for one reader; None means on both kinds.
    """

    word: str
    right: Right = anyone
    step: Step | None = None
    label: str = ""
    offered: Callable[[Session], bool] = never
    private: bool | None = False
    explains: bool = False


def _itself(step: Callable[[Session], Session]) -> Step:
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


def _shown(
    word: str,
    label: str = "",
    *,
    right: Right = anyone,
    offered: Callable[[Session], bool] = never,
    private: bool | None = True,
    explains: bool = False,
) -> TableButton:
    """A button that shows something, by default to one reader."""
    return TableButton(word, right, None, label, offered, private, explains)


class Action(StrEnum):
    """The buttons by their words, which never change, as they are in the ids of old boards."""

    # Before the game
    ACCEPT = TableButton("accept", anyone_in_lobby, _by(lobby.accept), "control.accept")
    DECLINE = TableButton("decline", anyone_in_lobby, _by(lobby.decline), "control.decline")
    JOIN = TableButton("join", anyone_in_lobby, _by(lobby.join), "control.join")
    LEAVE = TableButton("leave", anyone_in_lobby, _by(lobby.leave), "control.leave")
    WITHDRAW = TableButton("withdraw", host_in_lobby, _itself(lobby.withdraw), "control.withdraw")
    START = TableButton("start", host_in_lobby, _itself(lobby.begin), "control.start")
    FILL = TableButton("fill", host_in_lobby, _itself(lobby.fill), "control.fill")
    WORD = TableButton("word", player_in_lobby, _word, "control.word", private=None)
    TABLE = TableButton("table")
    ADD_COMPUTER = TableButton("add", host_at_setup, _chosen(lobby.add_computer))
    REMOVE_COMPUTER = TableButton("remove", host_at_setup, _itself(lobby.remove_computer))
    PRESET = TableButton("preset", host_at_setup, _chosen(lobby.choose_preset))
    RULE = TableButton("rule", host_at_setup, _chosen(lobby.choose_rule), private=True)
    PARTNERS = TableButton("partners", host_at_setup, _itself(lobby.change_partners))
    BOARD = TableButton("board", host_at_setup, _chosen(lobby.choose_board))

    # The game
    MOVE = TableButton("m", mover, _move)
    ROLL = TableButton("roll", roller, _roll)
    PLAY = TableButton("play", mover, _move, private=True)
    ROLL_IN_WORDS = TableButton("roll-words", roller, _roll, private=True)
    AUTO_ROLL = TableButton(
        "auto", host_or_player, _itself(lobby.switch_auto_roll), offered=has_dice, private=None
    )
    CANCEL = TableButton(
        "cancel", player_in_game, _itself(ending.cancel), "control.cancel", may_cancel, private=None
    )
    ASK_TO_RESIGN = _shown(
        "resign", "control.resign", right=player_still_in, offered=may_resign, private=None
    )
    RESIGN = TableButton(
        "give-up", player_still_in, _by(ending.resign), "control.resign", private=True
    )
    TAKE_BACK = TableButton(
        "undo",
        player_in_game,
        _by(ending.take_back),
        "control.take_back",
        may_take_back,
        private=None,
    )
    ALLOW_TAKE_BACK = TableButton(
        "undo-yes",
        player_in_game,
        _by(ending.allow_take_back),
        "control.allow_take_back",
        is_asked_to_take_back,
        private=None,
    )
    REFUSE_TAKE_BACK = TableButton(
        "undo-no",
        player_in_game,
        _by(ending.refuse_take_back),
        "control.refuse_take_back",
        is_asked_to_take_back,
        private=None,
    )
    OFFER = TableButton(
        "offer",
        player_in_game,
        _by(ending.offer_draw),
        "control.offer",
        may_offer_draw,
        private=None,
    )
    AGREE = TableButton(
        "agree",
        player_in_game,
        _by(ending.agree_draw),
        "control.agree",
        is_offered_draw,
        private=None,
    )
    REFUSE = TableButton(
        "refuse",
        player_in_game,
        _by(ending.refuse_draw),
        "control.refuse",
        is_offered_draw,
        private=None,
    )
    CLAIM = TableButton(
        "claim",
        player_in_game,
        _by(ending.claim),
        "control.claim",
        attrgetter("lapsed"),
        private=None,
    )
    COME_BACK = TableButton(
        "back",
        absent_player,
        _by(ending.come_back),
        "control.come_back",
        may_come_back,
        private=None,
    )

    # Looking at a table
    MORE = _shown("more", "control.more", private=False)
    BACK_TO_MORE = _shown("to-more", "control.back_to_more")
    VIEW = _shown("view", "control.view", offered=_has_lobby, private=None)
    IN_WORDS = _shown("words", "control.look_again")
    RULES = _shown("rules", "control.rules", offered=_has_lobby, private=None)
    HOW_TO = _shown("how", "control.how_to", private=None)
    SHARE = _shown("share", "control.share", private=None)
    PROOF = _shown("proof", "control.proof", offered=has_dice, private=None)
    SEAL = _shown("seal", "control.seal")
    REMATCH = _shown("rematch", "control.rematch", private=False)

    TOURNAMENT = _shown("tournament", "control.to_tournament", private=False)

    # Looking back at a game
    REPLAY = _shown("replay", "control.replay", offered=is_finished, private=None)
    FIRST = _shown("first", "control.first")
    PREVIOUS = _shown("previous", "control.previous")
    NEXT = _shown("next", "control.next")
    LAST = _shown("last", "control.last")
    GO_TO = _shown("go")
    SHOW = _shown("show")
    SHARE_REPLAY = _shown("share-replay", "control.share")
    SHARE_STOP = _shown("share-board", "control.share_board")
    ANIMATE = _shown("animate", "control.animate")
    AS_FILES = _shown("text", "control.as_files", private=None)

    # What the computer explains
    HINT = _shown(
        "hint", "control.hint", right=learner, offered=may_have_hint, private=None, explains=True
    )
    SHOW_HINT = _shown("show-hint", "control.show_hint", right=learner)
    WHY = _shown("why", "control.why", offered=may_ask_why, private=None, explains=True)
    WHY_THIS = _shown("why-this", "control.why_this")
    WHAT_IF = _shown("what-if", "control.what_if")
    TRY = _shown("try")
    PLAY_ON = _shown("on", "control.play_on")
    REVIEW = _shown("review", "control.review", offered=is_finished, private=None, explains=True)
    SHARE_REVIEW = _shown("share-review", "control.share")
    SHARE_GAME = _shown(
        "share-game", "control.share", offered=is_finished, private=None, explains=True
    )
    TREE = _shown("tree", "control.tree")

    button: TableButton

    def __new__(cls, button: TableButton) -> Self:
        """Make a member whose value is its word, with its record as `button`."""
        self = str.__new__(cls, button.word)
        self._value_ = button.word
        self.button = button
        return self


ACTIONS: Final = {str(action): action for action in Action}

_NUMBERED: Final = re.compile(r"(m|(?:table|rule|show|play|on)-)([0-9]{1,18})")


def numbered(action: Action, number: int) -> str:
    """The word of a button with a number, such as `rule-7`.

    A menu has its table's revision as number: otherwise a client would keep the last choice
    selected, and could not choose it again.
    """
    return f"{action}-{number}"


def move_action(move: Move) -> str:
    """The word of a button that plays `move`."""
    return f"m{move}"


def parsed(word: str) -> tuple[Action | None, int]:
    """The action of a word, such as `m4`, `rule-7` or `more`, and its number.

    The action is None for an unknown word; the number is -1 if there is none.
    """
    found = _NUMBERED.fullmatch(word)
    if found is None:
        return ACTIONS.get(word), -1
    return ACTIONS[found[1].removesuffix("-")], int(found[2])


def setting(what: str, value: Value) -> str:
    """The value of a menu's choice that sets an option, such as `preset:classic`."""
    return f"{what}:{value}"


def press(
    session: Session,
    word: str,
    by: PersonId,
    *,
    ply: int = 0,
    line: str = "",
    value: str = "",
    pips: Move = NO_ROLL,
) -> Session:
    """The session after `by` has pressed a button that was drawn for the board of `ply`.

    With a `line` it counts only after the same moves.

    Raises:
        Refusal: The person has no right to it, or the session refuses it.
        IllegalMove: The rules do not allow the move.
        UnknownControl: No such button changes a table.
    """
    action, number = parsed(word)
    if action is None or action.button.step is None:
        raise UnknownControl
    action.button.right(session, by, ply)
    if line not in {"", session.line}:
        raise Outdated("stale_control")
    return action.button.step(session, Use(by, number, value, pips))


def give_hint(session: Session, by: PersonId, move: Move, *, ply: int) -> Session:
    """The session with a hint of `move` for `by` on the board of `ply`, marked as played with help.

    Raises:
        Refusal: As in `rights.learner`, or the board has moved on.
    """
    learner(session, by, ply)
    return replace(session, hints=True, hint=move)


def leave_for_good(session: Session, by: PersonId) -> Session:
    """The session after `by` has left it by the button for that: leave, cancel, resign and so on.

    Raises:
        Refusal: The person has no seat, the computer plays it already, the table has ended, or the
            others play on without the person, whose place is certain.
    """
    if session.phase is not Phase.LOBBY:
        action = Action.CANCEL if may_cancel(session) else Action.RESIGN
    elif session.has_lobby:
        action = Action.LEAVE
    else:
        action = Action.DECLINE if Invited(by) in session.seats else Action.WITHDRAW
    return press(session, action, by, ply=session.ply)
