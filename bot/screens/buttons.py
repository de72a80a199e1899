"""The buttons that show something, and every button as a control."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Block, Control, Style, with_controls
from bot.message.text import text
from bot.table.actions import Action, parsed
from bot.table.buttons import STEPS, TableButton
from bot.table.rights import anyone, has_dice, learner, may_resign, player
from bot.table.seats import Computer
from bot.table.session import Phase, Session
from engine.game import Move

_has_lobby: Final = attrgetter("has_lobby")


def may_have_hint(session: Session) -> bool:
    """Whether the computer explains the game to a person who plays against computers alone."""
    explained = CATALOGUE[session.game.key].explainer is not None
    return explained and session.solo and not session.rolling


def may_ask_why(session: Session) -> bool:
    """Whether a computer has made a choice in a game of one person against computers alone."""
    explained = CATALOGUE[session.game.key].explainer is not None
    if not explained or session.phase is not Phase.RUNNING or not session.solo:
        return False
    choices = zip(session.seats, session.seat_logs, strict=True)
    return any(isinstance(seat, Computer) and log.choice is not None for seat, log in choices)


def is_finished(session: Session) -> bool:
    """Whether the game has a result."""
    return session.phase is Phase.FINISHED


def may_review(session: Session) -> bool:
    """Whether the computer explains a game that has a result."""
    return is_finished(session) and CATALOGUE[session.game.key].explainer is not None


_SHOWN: Final = (
    TableButton(Action.TABLE, anyone),
    TableButton(Action.MORE, anyone, None, "control.more"),
    TableButton(Action.BACK_TO_MORE, anyone, None, "control.back_to_more", private=True),
    TableButton(Action.VIEW, anyone, None, "control.view", _has_lobby, private=None),
    TableButton(Action.IN_WORDS, anyone, None, "control.look_again", private=True),
    TableButton(Action.RULES, anyone, None, "control.rules", _has_lobby, private=None),
    TableButton(Action.PROOF, anyone, None, "control.proof", has_dice, private=None),
    TableButton(Action.SEAL, anyone, None, "control.seal", private=True),
    TableButton(Action.HINT, learner, None, "control.hint", may_have_hint, private=None),
    TableButton(Action.SHOW_HINT, learner, None, "control.show_hint", private=True),
    TableButton(Action.ASK_TO_RESIGN, player, None, "control.resign", may_resign, private=None),
    TableButton(Action.HOW_TO, anyone, None, "control.how_to", private=None),
    TableButton(Action.SHARE, anyone, None, "control.share", private=None),
    TableButton(Action.REMATCH, anyone, None, "control.rematch"),
    TableButton(Action.REPLAY, anyone, None, "control.replay", is_finished, private=None),
    TableButton(Action.FIRST, anyone, None, "control.first", private=True),
    TableButton(Action.PREVIOUS, anyone, None, "control.previous", private=True),
    TableButton(Action.NEXT, anyone, None, "control.next", private=True),
    TableButton(Action.LAST, anyone, None, "control.last", private=True),
    TableButton(Action.GO_TO, anyone, private=True),
    TableButton(Action.SHOW, anyone, private=True),
    TableButton(Action.SHARE_REPLAY, anyone, None, "control.share", private=True),
    TableButton(Action.SHARE_STOP, anyone, None, "control.share_board", private=True),
    TableButton(Action.ANIMATE, anyone, None, "control.animate", private=True),
    TableButton(Action.AS_TEXT, anyone, None, "control.as_text", private=None),
    TableButton(Action.AS_JSON, anyone, None, "control.as_json", private=None),
    TableButton(Action.WHY, anyone, None, "control.why", may_ask_why, private=None),
    TableButton(Action.WHY_THIS, anyone, None, "control.why_this", private=True),
    TableButton(Action.WHAT_IF, anyone, None, "control.what_if", private=True),
    TableButton(Action.TRY, anyone, private=True),
    TableButton(Action.PLAY_ON, anyone, None, "control.play_on", private=True),
    TableButton(Action.REVIEW, anyone, None, "control.review", may_review, private=None),
    TableButton(Action.SHARE_REVIEW, anyone, None, "control.share", private=True),
    TableButton(Action.SHARE_GAME, anyone, None, "control.share", may_review, private=None),
    TableButton(Action.TREE, anyone, None, "control.tree", private=True),
)

BUTTONS: Final[Mapping[str, TableButton]] = {**STEPS, **{each.action: each for each in _SHOWN}}
"""Every button of a table's messages, by its action."""


def lit(blocks: Iterable[Block], move: Move) -> Iterator[Block]:
    """Blocks with the button that plays a move in green, and no other button of a move."""
    return with_controls(blocks, lambda button: _lit(button, move))


def _lit(button: Control, move: Move) -> Control:
    action, number = parsed(str(button.action))
    if action != Action.MOVE:
        return button
    if number == move:
        return replace(button, style=Style.GOOD)
    return replace(button, style=Style.PROMINENT) if button.style is Style.GOOD else button


def control(action: Action, style: Style = Style.PLAIN, *, enabled: bool = True) -> Control:
    """A button as its record says."""
    button = BUTTONS[action]
    return Control(action, text(button.label), style=style, enabled=enabled)
