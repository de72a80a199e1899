"""Ludo survives: the same die, the same turn, nothing rolled twice, whenever the bot is killed."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from asyncio.subprocess import Process
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import choice

import pytest

from bot.sandbox import Answer, Interaction, Message
from engine.game import Move
from engine.games.ludo import GAME, LudoPosition
from tests.bot.english import says
from tests.bot.process import kill
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import CALLBACK
from tests.bot.ui import fairness, ludo
from tests.bot.ui.test_recovery import process
from tests.bot.warm import FORK_DEFERS_AFTER


@dataclass(frozen=True)
class Stored:
    """A game as the database has it."""

    position: LudoPosition
    moves: tuple[Move, ...]
    rolls: dict[int, int]
    due: dict[int, int]
    """The rolls that follow from the secret, computed outside of the bot."""


def stored(folder: Path, number: int = 1) -> Stored:
    """The stored game, read without the bot."""
    with closing(sqlite3.connect(folder / "parlour.db")) as database:
        [(written, first)] = database.execute(
            "SELECT state, dice_message FROM session WHERE id = ?", (number,)
        )
        [(seats,)] = database.execute("SELECT count(*) FROM seat WHERE session = ?", (number,))
        played = database.execute("SELECT move FROM move WHERE session = ? ORDER BY ply", (number,))
        moves = tuple(Move(move) for (move,) in played)
    state = json.loads(written)
    options, secret = state["session"]["options"], b64decode(state["dice"]["secret"])
    rolls = fairness.rolls(seats, options, moves)
    position = GAME.replay(seats, options, moves)
    labels = {ply: fairness.label(number, first, [], ply) for ply in rolls}
    due = {ply: fairness.due(secret, label) for ply, label in labels.items()}
    return Stored(position, moves, rolls, due)


async def friends(sandbox: Sandbox) -> Message:
    """A board on which Ann and Ben play, as soon as the bot is there."""
    await sandbox.bot_ready()
    people = [sandbox.person(name) for name in ("Ann", "Ben")]
    return await ludo.begun(sandbox, people, rules="quick")


async def on_and_on(sandbox: Sandbox, board: Message, folder: Path) -> None:
    """Plays some more of a game."""
    enough = len(stored(folder).moves) + 10
    await ludo.until(sandbox, board, lambda: ludo.over(board) or len(stored(folder).moves) > enough)


async def test_a_kill_between_roll_and_move_leaves_the_same_die_to_the_same_player(
    sandbox: Sandbox, folder: Path
) -> None:
    async with process(sandbox, folder) as first:
        board = await friends(sandbox)
        await ludo.until(sandbox, board, lambda: len(ludo.offers(board)) > 1)
        mover, shown, before = ludo.mover(sandbox, board), board.text, stored(folder)
        await kill(first)
        await sandbox.bot_gone()
    async with process(sandbox, folder):
        await sandbox.bot_ready()
        assert mover is not None
        assert stored(folder) == before
        assert (board.text, ludo.mover(sandbox, board)) == (shown, mover)
        await on_and_on(sandbox, board, folder)
    after = stored(folder)
    assert after.moves[: len(before.moves)] == before.moves
    assert after.rolls == after.due


async def test_a_roll_whose_answer_a_kill_cut_off_is_on_the_board_after_the_restart(
    sandbox: Sandbox, folder: Path
) -> None:
    async with process(sandbox, folder) as first:
        board = await friends(sandbox)
        mover, before = ludo.mover(sandbox, board), stored(folder)
        assert mover is not None
        gate = sandbox.hold_next("POST", CALLBACK)
        press = await mover.press(board, says("control.ludo.roll"))
        await gate.reached()
        rolled = stored(folder)
        assert len(rolled.rolls) == len(before.rolls) + 1
        shown = board.text
        await kill(first)
        await sandbox.bot_gone()
        gate.open()
    async with process(sandbox, folder):
        await sandbox.until(lambda: board.text != shown)
        await sandbox.bot_ready()  # which mends boards before it hears of presses
        sandbox.redeliver(press)
        await on_and_on(sandbox, board, folder)
    after = stored(folder)
    assert after.moves[: len(rolled.moves)] == rolled.moves
    assert after.rolls == after.due


async def test_a_roll_that_a_kill_forestalled_is_carried_out_when_it_comes_again(
    sandbox: Sandbox, folder: Path
) -> None:
    async with process(sandbox, folder) as first:
        board = await friends(sandbox)
        mover, before = ludo.mover(sandbox, board), stored(folder)
        assert mover is not None
        first.send_signal(signal.SIGSTOP)
        press = await mover.press(board, says("control.ludo.roll"))
        await kill(first)
        await sandbox.bot_gone()
        assert stored(folder) == before
    async with process(sandbox, folder):
        await sandbox.bot_ready()
        sandbox.redeliver(press)
        await sandbox.until(lambda: len(stored(folder).rolls) > len(before.rolls))
    after = stored(folder)
    assert len(after.rolls) == len(before.rolls) + 1
    assert after.rolls == after.due


def workers(bot: Process) -> list[int]:
    """The processes in which a bot's computers think."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
                command = (entry / "cmdline").read_text()
            except OSError:  # it has ended meanwhile
                continue
            if parent == str(bot.pid) and "spawn_main" in command:
                found.append(int(entry.name))
    return found


@contextmanager
def frozen(bot: Process) -> Iterator[None]:
    """Computers think without end meanwhile; their processes are gone afterwards."""
    pids = workers(bot)
    assert pids
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)


async def until_it_thinks(sandbox: Sandbox, board: Message, folder: Path) -> Interaction:
    """Plays until a computer does not answer in time, and gives the press that led there.

    On a busy machine the process itself may take as long.
    """
    while True:
        mover = ludo.mover(sandbox, board)
        assert mover is not None
        press = await mover.press(board, custom_id=choice(ludo.offers(board)).custom_id)
        if (await press.answered()).response is Answer.LATER_UPDATE:
            found = stored(folder).position
            if found.seat > 0 and found.die > 0:
                return press
            await sandbox.until(lambda: press.original is not None)  # noqa: B023 - awaited here


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")
async def test_a_kill_while_a_computer_thinks_leaves_the_same_die_to_the_same_computer(
    sandbox: Sandbox, folder: Path
) -> None:
    async with process(sandbox, folder, **{FORK_DEFERS_AFTER: "2"}) as first:
        await sandbox.bot_ready()
        ann = sandbox.person("Ann")
        board = await ludo.opened(sandbox, ann, computers=2, level="hard", rules="quick")
        with frozen(first):
            press = await until_it_thinks(sandbox, board, folder)
            before, shown = stored(folder), board.text
            assert before.position.seat > 0
            assert before.position.die > 0
            first.send_signal(signal.SIGKILL)
        await first.wait()
        await sandbox.bot_gone()
    async with process(sandbox, folder):
        await sandbox.until(lambda: board.text != shown and ludo.mover(sandbox, board) is ann)
        await sandbox.bot_ready()  # which mends boards before it hears of presses
        sandbox.redeliver(press)
        after = stored(folder)
        assert after.moves[: len(before.moves)] == before.moves
        await on_and_on(sandbox, board, folder)
    after = stored(folder)
    assert after.rolls == after.due
