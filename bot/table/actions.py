"""The words that the buttons of a table write into their ids, and that name their actions.

Most words are an `Action` alone; those of moves, and of menus and buttons drawn for one ply or
revision, end in a number: `m4`, `play-4`, `table-7`, `rule-7`, `show-12`, `on-3`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from engine.game import Move, Value


class Action(StrEnum):
    """A button's action, by its word in ids; boards in channels keep the words of their day."""

    MOVE = "m"
    ROLL = "roll"
    ACCEPT = "accept"
    DECLINE = "decline"
    JOIN = "join"
    LEAVE = "leave"
    WITHDRAW = "withdraw"
    TABLE = "table"
    ADD_COMPUTER = "add"
    REMOVE_COMPUTER = "remove"
    PRESET = "preset"
    RULES = "rules"
    RULE = "rule"
    AUTO_ROLL = "auto"
    PARTNERS = "partners"
    BOARD = "board"
    WORD = "word"
    FILL = "fill"
    START = "start"
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
    MORE = "more"
    BACK_TO_MORE = "to-more"
    VIEW = "view"
    IN_WORDS = "words"
    PLAY = "play"
    ROLL_IN_WORDS = "roll-words"
    HOW_TO = "how"
    SHARE = "share"
    SHARE_REPLAY = "share-replay"
    SHARE_STOP = "share-board"
    ANIMATE = "animate"
    PROOF = "proof"
    SEAL = "seal"
    REPLAY = "replay"
    FIRST = "first"
    PREVIOUS = "previous"
    NEXT = "next"
    LAST = "last"
    GO_TO = "go"
    SHOW = "show"
    HINT = "hint"
    SHOW_HINT = "show-hint"
    WHY = "why"
    WHY_THIS = "why-this"
    WHAT_IF = "what-if"
    TRY = "try"
    PLAY_ON = "on"
    REVIEW = "review"
    SHARE_REVIEW = "share-review"
    SHARE_GAME = "share-game"
    TREE = "tree"
    AS_TEXT = "text"
    AS_JSON = "json"


_NUMBERED: Final = re.compile(r"(m|(?:table|rule|show|play|on)-)([0-9]{1,18})")


def numbered(action: Action, number: int) -> str:
    """The word of a button for one number.

    A menu has the revision of its table: a client keeps what was chosen in a menu that stays the
    same, and cannot choose it twice.
    """
    return f"{action}-{number}"


def move_action(move: Move) -> str:
    """The word of a button that plays `move`."""
    return f"m{move}"


def parsed(word: str) -> tuple[str, int]:
    """A word's action and its number, -1 where it has none."""
    found = _NUMBERED.fullmatch(word)
    return (found[1].removesuffix("-"), int(found[2])) if found else (word, -1)


def setting(what: str, value: Value) -> str:
    """The value of a menu's choice that sets something, such as `preset:classic`."""
    return f"{what}:{value}"
