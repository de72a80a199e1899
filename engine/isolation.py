"""Agents in processes of their own, which a match can stop, and which cannot see its dice.

A process knows the rules and its agent. It is sent the moves of a game, rolls among them, never the
match's seed or a future position, and answers with a move's number. A wrong or missing answer is a
`Foul`. An agent from a module or a file starts in a fresh process. An agent from the main program
is forked, where the system can: it has a copy of the parent's memory, with the match's seed.
"""

from __future__ import annotations

import contextlib
import json
import math
import operator
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from threading import Timer
from time import perf_counter
from types import ModuleType
from typing import Any, Final

from engine.game import Game, Move, Options
from engine.search.agent import Agent, Budget

ALLOWANCE: Final = 0.1
"""Seconds by which an answer may be late, as the system may be busy."""

START: Final = 30.0
"""Seconds to begin a process, or to make an agent."""

LONGEST_WAIT: Final = 1e6
"""Seconds, eleven days: longer limits count as none, as system calls do not accept them."""

LONGEST_REASON: Final = 200
"""The most characters of a foul's reason; an exception's message may be longer."""

MEGABYTE: Final = 1 << 20

Make = Callable[[Random], Agent[Any]]


class Foul(Exception):
    """An agent chose no legal move in time; the message says why."""


class NotImportable(ValueError):
    """The agent cannot be imported by another process, and this system cannot fork."""


@dataclass(frozen=True, slots=True)
class AgentFile:
    """An agent's class or function in a file, which only the agent's own process imports."""

    path: str
    name: str

    def __call__(self, rng: Random) -> Agent[Any]:
        """Make the agent."""
        spec = spec_from_file_location("agent_of_ones_own", self.path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{self.path} is no Python file")
        module = sys.modules[spec.name] = module_from_spec(spec)  # where dataclasses look it up
        if (folder := str(Path(self.path).resolve().parent)) not in sys.path:
            sys.path.insert(0, folder)
        spec.loader.exec_module(module)
        made: Agent[Any] = getattr(module, self.name)(rng)
        return made

    def __str__(self) -> str:
        """The agent as it is asked for."""
        return f"{self.path}:{self.name}"


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """The table at which an isolated agent plays, without the match's seed."""

    rules: Game[Any] | Callable[[], Game[Any]]
    seats: int
    options: Options


class Isolated:
    """An agent in a process of its own, begun with its first game, and anew if a foul ended it."""

    def __init__(self, table: PlayedTable, make: Make, memory: float) -> None:
        self._table, self._make, self._memory = table, make, memory
        self._process: Any = None
        self._connection: Connection | None = None
        self._told = 0

    def begin(self, seed: int) -> None:
        """Begin a game, with a fresh agent whose random source has this seed.

        Raises:
            Foul: The agent cannot be made.
            NotImportable: Another process cannot import the agent, and this system cannot fork.
        """
        if self._connection is None:
            self._start()
            self._answer(START, "did not begin")
        self._told = 0
        self._send({"seed": seed})
        self._answer(START, "was not made")

    def choice(self, moves: Sequence[Move], *, seconds: float, nodes: float, left: float) -> int:
        """The agent's move after `moves`, which are all of the game so far; it may be illegal.

        It may think for `seconds`, but no longer than the seconds `left` for the whole game.

        Raises:
            Foul: It chose no whole number in time, raised an error, or its process ended.
        """
        news, self._told = moves[self._told :], len(moves)
        allowed = min(seconds, left)
        self._send({"moves": list(news), "seconds": allowed, "nodes": nodes})
        late = f"took more than its {seconds:g} s for a move"
        if left < seconds:
            late = "took more than its time for a game"
        answer = self._answer(allowed + ALLOWANCE, late)
        move = answer.get("move")
        if type(move) is not int:  # no truth value either
            self.close()
            raise Foul("answered nothing that can be read")
        return move

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None

    def _start(self) -> None:
        method = self._method()
        context: Any = get_context(method)
        if method == "forkserver":
            context.set_forkserver_preload(["engine.roster", __name__])
        self._connection, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, self._table, self._make, self._memory), daemon=True
        )
        hidden = contextlib.nullcontext() if method == "fork" else _program_out_of_sight()
        with warnings.catch_warnings(), hidden:
            warnings.simplefilter("ignore", DeprecationWarning)  # a fork beside threads, asked for
            self._process.start()
        theirs.close()

    def _method(self) -> str:
        known = get_all_start_methods()
        try:
            importable = b"__main__" not in pickle.dumps((self._table, self._make))
        except (pickle.PicklingError, AttributeError, TypeError):
            importable = False
        if not importable and "fork" in known:
            return "fork"
        if not importable:
            raise NotImportable("an agent of one's own has to stand in a module on this system")
        return "forkserver" if "forkserver" in known else "spawn"

    def _send(self, told: dict[str, Any]) -> None:
        assert self._connection is not None
        with contextlib.suppress(OSError):  # an ended process is found out by its missing answer
            self._connection.send_bytes(json.dumps(told).encode())

    def _answer(self, seconds: float, late: str) -> dict[str, Any]:
        """The next answer; anything but a dictionary is a foul, as the process is not trusted."""
        deadline = perf_counter() + (seconds if seconds <= LONGEST_WAIT else math.inf)
        try:
            answer = json.loads(self._received(deadline))
        except TimeoutError:
            self.close()
            raise Foul(late) from None
        except (EOFError, OSError):
            self._process.join(1)
            code = self._process.exitcode
            self.close()
            raise Foul(f"ended its process, with code {code}") from None
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self.close()
            raise Foul("answered nothing that can be read")
        if "foul" in answer:
            raise Foul(str(answer["foul"])[:LONGEST_REASON])
        return answer

    def _received(self, deadline: float) -> bytes:
        """The next message.

        Raises:
            TimeoutError: It was not complete by the deadline.
            EOFError, OSError: The process has ended, or its message is longer than 64 KiB.
        """
        assert self._connection is not None
        if math.isinf(deadline):
            return self._connection.recv_bytes(1 << 16)
        if not self._connection.poll(max(0.0, deadline - perf_counter())):
            raise TimeoutError
        # The message's length may come without its bytes: killing the process ends the wait.
        timer = Timer(max(0.0, deadline - perf_counter()), self._process.kill)
        timer.start()
        try:
            return self._connection.recv_bytes(1 << 16)
        finally:
            timer.cancel()
            timer.join()
            if perf_counter() >= deadline:
                raise TimeoutError from None


@contextlib.contextmanager
def _program_out_of_sight() -> Iterator[None]:
    """Hide the main program and its arguments from a process that is started meanwhile."""
    program, words = sys.modules["__main__"], sys.argv
    sys.modules["__main__"], sys.argv = ModuleType("__main__"), words[:1]
    try:
        yield
    finally:
        sys.modules["__main__"], sys.argv = program, words


def _serve(connection: Connection, table: PlayedTable, make: Make, memory: float) -> None:
    """Answer with an agent's moves until the process is killed or the connection closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the match's process ends this one
    os.dup2(2, 1)  # standard output is the match's alone
    rules = table.rules if isinstance(table.rules, Game) else table.rules()
    first = rules.start(table.seats, table.options)
    _bound(memory)
    _reply(connection, {})
    state, agent = first, None
    while True:
        try:
            told = json.loads(connection.recv_bytes())
        except EOFError:
            return
        try:
            if "seed" in told:
                state, agent = first, make(Random(told["seed"]))
                _reply(connection, {})
                continue
            for move in told["moves"]:
                state = state.play(move)
            budget = Budget.within(told["seconds"], perf_counter, nodes=told["nodes"])
            assert agent is not None
            _reply(connection, {"move": _number(agent.think(state, budget))})
        except MemoryError:
            _reply(connection, {"foul": f"took more than its {memory:g} MB of memory"})
        except BaseException as error:  # noqa: BLE001 - whatever an agent does is its own foul
            reason = f"raised {type(error).__name__}: {error}"
            _reply(connection, {"foul": reason[:LONGEST_REASON]})


def _number(thought: Any) -> int:  # noqa: ANN401 - whatever an agent returns
    """The move of a thought.

    Raises:
        TypeError: It has no move, or the move is not a whole number.
    """
    if not hasattr(thought, "move"):
        raise TypeError(f"a Thought was expected, not {type(thought).__name__}")
    if isinstance(thought.move, bool | float):
        raise TypeError(f"a move is a whole number, not {thought.move!r}")
    return operator.index(thought.move)


def _reply(connection: Connection, answer: dict[str, Any]) -> None:
    connection.send_bytes(json.dumps(answer).encode())


def _bound(memory: float) -> None:
    """Limit the memory that this process may take in addition, in MB; not on Windows."""
    if math.isinf(memory) or sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - which Windows has not

    own = Path("/proc/self/statm")
    pages = int(own.read_text(encoding="ascii").split()[0]) if own.exists() else 0
    most = pages * resource.getpagesize() + int(memory * MEGABYTE)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
