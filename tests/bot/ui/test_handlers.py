"""The way from a control to its handler: one for each, found by its kind or its word."""

from __future__ import annotations

from enum import StrEnum
from types import SimpleNamespace
from typing import Any

import pytest

from bot.message.blocks import PREFIXES
from bot.screens.puzzle import PuzzleAction
from bot.screens.tournament_controls import TournamentAction
from bot.table.actions import Action
from bot.table.refusals import Refusal
from bot.ui.handlers import SHARE, Context, Handlers, answers, shares
from tests.bot.ui.conftest import RunningBot


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Fruit(StrEnum):
    RED = "red"


class Answering:
    @answers(Colour.RED, Colour.BLUE)
    async def _colour(self, _: Context, colour: Colour) -> str:
        return f"colour {colour}"

    @answers(Fruit)
    async def _fruit(self, _: Context, fruit: Fruit) -> str:
        return f"fruit {fruit}"


class Twice:
    @answers(Colour.RED)
    async def _again(self, _: Context, __: Colour) -> None:
        """Answers what is answered already."""


def test_a_word_leads_to_the_handler_of_its_own_kind() -> None:
    handlers = Handlers()
    handlers.add(Answering())
    assert handlers[Colour.RED] == handlers[Colour.BLUE]
    assert handlers[Fruit.RED] != handlers[Colour.RED]


def test_a_control_with_two_handlers_is_a_fault_of_the_program() -> None:
    handlers = Handlers()
    handlers.add(Answering())
    with pytest.raises(ValueError, match="two handlers"):
        handlers.add(Twice())


async def test_what_is_shared_is_worked_out_only_for_who_may_share_it() -> None:
    worked_out: list[Colour] = []

    class Sharing:
        @answers(Colour.RED)
        @shares
        async def _share(self, _: Context, colour: Colour) -> None:
            worked_out.append(colour)

    def too_often(cost: float) -> None:
        assert cost == SHARE
        raise Refusal("too_fast")

    handlers, mute = Handlers(), SimpleNamespace(writes=False)
    flooding = SimpleNamespace(writes=True, charge=too_often)
    handlers.add(Sharing())
    ctx: Any
    for ctx, reason in ((mute, "cannot_share"), (flooding, "too_fast")):
        with pytest.raises(Refusal, match=reason):
            await handlers[Colour.RED](ctx, Colour.RED)
    assert not worked_out


async def test_each_kind_of_controls_and_each_button_has_a_handler(
    running_bot: RunningBot,
) -> None:
    handlers = running_bot.client.router.handlers
    for kind in PREFIXES:
        members = [*kind] if issubclass(kind, StrEnum) else []
        assert handlers.get(kind) or (members and all(map(handlers.get, members))), kind
    for action in Action:
        if action is not Action.TABLE:  # each choice in its menu is an action of its own
            assert action.button.step or handlers.get(action), action
    assert all(map(handlers.get, (*TournamentAction, *PuzzleAction)))
