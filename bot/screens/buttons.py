"""The buttons that show something, and every button as a control."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Control, Style
from bot.message.text import text
from bot.table.actions import Action
from bot.table.buttons import STEPS, TableButton
from bot.table.rights import anyone, has_dice, learner, may_resign, player
from bot.table.session import Session

_has_lobby: Final = attrgetter("has_lobby")


def may_have_hint(session: Session) -> bool:
    """Whether the computer explains the game to a person who plays against computers alone."""
    explained = CATALOGUE[session.game.key].explainer is not None
    return explained and session.solo and not session.rolling


_SHOWN: Final = (
    TableButton(Action.TABLE, anyone),
    TableButton(
        Action.VIEW, anyone, None, "control.view", _has_lobby, sign="🖼️", private=None, spared=4
    ),
    TableButton(
        Action.RULES, anyone, None, "control.rules", _has_lobby, sign="📖", private=None, spared=1
    ),
    TableButton(
        Action.PROOF, anyone, None, "control.proof", has_dice, sign="🎲", private=None, spared=3
    ),
    TableButton(Action.SEAL, anyone, None, "control.seal", private=True),
    TableButton(Action.HINT, learner, None, "control.hint", may_have_hint, sign="💡", helps=True),
    TableButton(Action.ASK_TO_RESIGN, player, None, "control.resign", may_resign, sign="🏳️"),
    TableButton(Action.HOW_TO, anyone, None, "control.how_to", private=None),
    TableButton(Action.SHARE, anyone, None, "control.share", private=None),
    TableButton(Action.REMATCH, anyone, None, "control.rematch"),
    TableButton(Action.REPLAY, anyone, None, "control.replay", private=None),
    TableButton(Action.FIRST, anyone, None, "control.first", private=True),
    TableButton(Action.PREVIOUS, anyone, None, "control.previous", private=True),
    TableButton(Action.NEXT, anyone, None, "control.next", private=True),
    TableButton(Action.LAST, anyone, None, "control.last", private=True),
    TableButton(Action.GO_TO, anyone, private=True),
    TableButton(Action.SHOW, anyone, private=True),
    TableButton(Action.SHARE_REPLAY, anyone, None, "control.share", private=True),
    TableButton(Action.AS_TEXT, anyone, None, "control.as_text", private=None),
    TableButton(Action.AS_JSON, anyone, None, "control.as_json", private=None),
    TableButton(Action.WHY, anyone, None, "control.why", private=None),
    TableButton(Action.REVIEW, anyone, None, "control.review", private=None),
    TableButton(Action.SHARE_REVIEW, anyone, None, "control.share", private=True),
    TableButton(Action.TREE, anyone, None, "control.tree", private=True),
)

BUTTONS: Final[Mapping[str, TableButton]] = {**STEPS, **{each.action: each for each in _SHOWN}}
"""Every button of a table's messages, by its action."""


def control(action: Action, style: Style = Style.PLAIN, *, enabled: bool = True) -> Control:
    """A button as its record says."""
    button = BUTTONS[action]
    return Control(action, text(button.label), style=style, enabled=enabled, sign=button.sign)
