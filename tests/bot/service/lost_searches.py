"""Searches that end otherwise than with an answer; a process imports little to begin one."""

from __future__ import annotations

import os
import resource
import signal
from pathlib import Path

from bot.service.search_processes import Question, think
from engine.game import Move


def fail(_: object) -> None:
    raise LookupError


def die(_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_if(victim: int, sent: signal.Signals, question: Question) -> Move:
    if os.getpid() == victim:
        os.kill(victim, sent)
    return think(question)


def hoard_once(hoarded: Path, question: Question) -> Move:
    """Takes more memory than a process may have (`RLIMIT_AS`), the first time."""
    if not hoarded.exists():
        hoarded.touch()
        before = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, before[1]))
        try:
            hoard = bytearray(1 << 32)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)
        raise AssertionError(len(hoard))
    return think(question)


def never_end_if(victim: int, begun: Path, question: Question) -> Move:
    if os.getpid() == victim:
        begun.touch()
        never_end(question)
    return think(question)


def never_end(_: object) -> None:
    while True:
        pass


def die_once(died: Path, question: Question) -> Move:
    """Ends the first process that it is called in."""
    if not died.exists():
        died.write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGKILL)
    return think(question)


def wait_in(begun: Path, end: Path, _: Question) -> None:
    """Says that it has begun, and ends when a test lets it."""
    begun.write_text("begun")
    end.read_text()
