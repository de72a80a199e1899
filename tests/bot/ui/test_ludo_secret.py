"""No computer can reach the secret of the dice."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable, Iterator
from random import Random
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import TypeVar

import pytest

from bot.service.search_pool import SearchPool
from bot.table.dice import Dice
from bot.table.session import Session
from bot.table.table import Table
from engine.game import Move
from tests.bot.english import says
from tests.bot.ui import ludo
from tests.bot.ui.conftest import Open
from tests.bot.ui.scripted_dice import ScriptedDice

T = TypeVar("T")
CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)


def reachable(start: object) -> Iterator[object]:
    """Everything that an object refers to, and what that refers to: all data, but no code."""
    seen: dict[int, object] = {}
    waiting = [start]
    while waiting:
        each = waiting.pop()
        if id(each) not in seen and not isinstance(each, CODE):
            seen[id(each)] = each
            waiting += gc.get_referents(each)
            yield each


def tells(each: object, secret: bytes) -> bool:
    """Whether an object is the secret, or anything that it could be read from."""
    match each:
        case Dice():
            return True
        case bytes() | bytearray():
            return secret in each
        case str():
            return secret.hex() in each
        case int():
            return each in {int.from_bytes(secret), int.from_bytes(secret, "little")}
    return False


class Watched:
    """A thinker, and all that it was ever given."""

    def __init__(self, thinking: SearchPool) -> None:
        self.thinking = thinking
        self.given: list[Session] = []

    async def move(self, session: Session) -> Move:
        self.given.append(session)
        return await self.thinking.move(session)

    def quick(self, session: Session) -> Move | None:
        self.given.append(session)
        return self.thinking.quick(session)


class Eavesdropped:
    """Workers that search at once, and keep what they were sent."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    async def answer(self, work: Callable[..., T], about: tuple[object, ...], allowed: float) -> T:
        assert allowed > 0
        self.sent.append(pickle.dumps((work, about)))
        return work(*about)

    def close(self) -> None:
        pass


async def test_nothing_that_a_computer_is_given_leads_to_the_secret(
    open_bot: Open, rng: Random, dice: ScriptedDice
) -> None:
    dice.fall(2, 6, 6)  # Ann has no move, and an expert a choice
    workers = Eavesdropped()
    watched = Watched(SearchPool(workers, rng))
    async with open_bot(thinker=watched) as running_bot:
        ann, *_ = running_bot.people
        board = await ludo.seated(running_bot.sandbox, (ann,), rules="quick")
        for level in ("expert", "medium", "expert"):
            await ludo.set_up(
                ann, board, says("menu.add_computer", level=says(f"choice.level.{level}"))
            )
        await ludo.set_up(ann, board, says("control.auto_roll.on"))
        await running_bot.press(ann, board, says("control.start"))
        await ludo.to_the_end(running_bot.sandbox, board)
        table = await ludo.table_of(running_bot, board)
    secret = secret_of(table)
    assert watched.given
    assert not [each for each in reachable(watched.given) if tells(each, secret)]
    assert workers.sent, "an expert had a choice"
    assert not [sent for sent in workers.sent if secret in sent or b"Dice" in sent]
    questions = [pickle.loads(sent)[1][0] for sent in workers.sent]  # noqa: S301 - our own
    assert not [each for each in reachable(questions) if tells(each, secret)]
    assert [each for each in reachable(table) if tells(each, secret)], "the table has the secret"
    with pytest.raises(TypeError, match="stay in the process"):
        pickle.dumps(table)


def secret_of(table: Table) -> bytes:
    assert table.dice is not None
    return table.dice.secret
