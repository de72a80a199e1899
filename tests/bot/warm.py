"""A process that has imported the bot and forks: each fork is `python -m bot`, begun at once.

Imports, catalogues and the pictures of emoji are nine tenths of what a start takes.
`python -m tests.bot.warm SOCKET` is asked over the socket of that number: a JSON object with the
folder, the environment, the module that is run and its arguments, and the files that are to be the
output, the errors, and where the number of the process is written, and at its end the exit code. It
ends when the socket is closed. Modules named after the socket are imported instead of the bot.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import runpy
import selectors
import signal
import socket
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from io import FileIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from bot.locales import Language

ROOT: Final = Path(__file__).parents[2]
MODULE: Final = "bot"
LONGEST_REQUEST: Final = 100_000
FILES: Final = 3

FORK_SEED: Final = "TESTS_FORK_SEED"
"""The variable that has the seed of a fork; nothing outside the tests knows it."""


FORK_DEFERS_AFTER: Final = "TESTS_FORK_DEFERS_AFTER"
"""The variable that has the seconds after which a fork defers its answers."""

LATE: Final = 20.0
"""Seconds after which other forks do, however busy the machine is."""


class Fork(Process):
    """A process that a `Warm` one has begun, as `asyncio` gives those that it begins itself."""

    def __init__(self) -> None:
        self.stdin = None
        self._code: int | None = None

    async def read(self, files: list[int]) -> None:
        """Reads the number of the process, and from now on what it writes."""
        self.stdout, self.stderr, status = [await _reader(file) for file in files]
        self.pid = int(await status.readline())
        self._ended = asyncio.create_task(self._note(status))

    async def _note(self, status: asyncio.StreamReader) -> int:
        self._code = int(await status.read())
        return self._code

    @property
    def returncode(self) -> int | None:
        return self._code

    async def wait(self) -> int:
        return await asyncio.shield(self._ended)

    async def communicate(self, input: Any = None) -> tuple[bytes, bytes]:  # noqa: A002, ARG002
        assert self.stdout is not None
        assert self.stderr is not None
        out, errors, _ = await asyncio.gather(self.stdout.read(), self.stderr.read(), self.wait())
        return out, errors

    def send_signal(self, signal: int) -> None:
        if self._code is None:
            with suppress(ProcessLookupError):  # it has ended, and the word of it is on its way
                os.kill(self.pid, signal)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


async def _reader(file: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, os.fdopen(file, "rb", 0))
    return reader


class Warm:
    """A process that has imported the bot, seen from the tests."""

    def __init__(self, environment: dict[str, str], *modules: str) -> None:
        self._socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            number = other.fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-m", __spec__.name, str(number), *modules],
                cwd=ROOT,
                env=environment,
                pass_fds=[number],
            )

    async def start(self, folder: Path, environment: dict[str, str], *words: str) -> Process:
        """Begins `python -m` with some words, or `bot`, in a folder, with an environment."""
        pipes = [os.pipe() for _ in range(FILES)]
        asked = {"folder": str(folder), "environment": environment, "words": words or [MODULE]}
        request = json.dumps(asked).encode()
        socket.send_fds(self._socket, [request], [theirs for _, theirs in pipes])
        for _, theirs in pipes:
            os.close(theirs)
        fork = Fork()
        await fork.read([ours for ours, _ in pipes])
        return fork

    def close(self) -> None:
        """Ends the process; its forks go on."""
        self._socket.close()
        self._process.wait()


class Forking:
    """The process that forks, in its own eyes."""

    def __init__(self, number: int) -> None:
        self._socket = socket.socket(fileno=number)
        self._files: dict[int, int] = {}  # where the exit code of each fork is written
        self._waking, self._woken = socket.socketpair()
        for each in (self._waking, self._woken):
            each.setblocking(False)  # noqa: FBT003
        signal.set_wakeup_fd(self._woken.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> str | None:
        """Forks when asked to; returns the module to run in each fork, and None at the end."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ, self._asked)
            selector.register(self._waking, selectors.EVENT_READ, self._reap)
            while True:
                for key, _ in selector.select():
                    answer: Callable[[], str | None] = key.data
                    if (module := answer()) is not None:
                        return module or None

    def _asked(self) -> str | None:
        """Forks, unless the socket is closed; returns the module to run in the fork."""
        request, files, *_ = socket.recv_fds(self._socket, LONGEST_REQUEST, FILES)
        if not request:
            return ""
        if pid := os.fork():
            *streams, self._files[pid] = files
            for stream in streams:
                os.close(stream)
            os.write(self._files[pid], f"{pid}\n".encode())
            return None
        self._become(files, **json.loads(request))
        return sys.argv[0]

    def _become(
        self, files: list[int], folder: str, environment: dict[str, str], words: list[str]
    ) -> None:
        """Makes a fork look like a process of its own."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDONLY)
        for file, number in ((nothing, 0), (files[0], 1), (files[1], 2)):
            os.dup2(file, number)
        for file in (nothing, *files, *self._files.values()):
            os.close(file)
        sys.stdout, sys.stderr = (
            TextIOWrapper(FileIO(number, "wb", closefd=False), "utf-8", write_through=True)
            for number in (1, 2)
        )
        for each in (self._socket, self._waking, self._woken):
            each.close()
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        _seed(environment.get(FORK_SEED))
        if response := sys.modules.get("bot.ui.response"):
            seconds = environment.get(FORK_DEFERS_AFTER, LATE)
            vars(response)["DEFER_AFTER"] = float(seconds)
        sys.path[0] = folder
        sys.argv = words

    def _reap(self) -> None:
        self._waking.recv(1000)
        for pid in [*self._files]:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                file = self._files.pop(pid)
                os.write(file, str(os.waitstatus_to_exitcode(status)).encode())
                os.close(file)


def _seed(seed: str | None) -> None:
    """Has the bot take its dice from the seed of a test, in this fork alone."""
    if seed is None:
        return
    random.seed(seed)
    if run := sys.modules.get("bot.cli.run"):
        vars(run)["SystemRandom"] = partial(random.Random, seed)


def prepare() -> list[Language]:
    """Do what takes time at each start and comes to the same.

    Languages are kept while somebody has them.
    """
    import alembic.command  # noqa: F401, PLC0415

    import bot.cli.run  # noqa: PLC0415
    import bot.sandbox  # noqa: PLC0415
    import bot.ui.health  # noqa: PLC0415
    from bot import locales  # noqa: PLC0415
    from bot.ui import client, emojis  # noqa: PLC0415

    languages = [*locales.shipped().values()]
    drawn = {name: partial(bytes, draw()) for name, draw in emojis.shipped().items()}
    vars(client)["shipped"] = lambda: drawn
    vars(bot.cli.run)["SETTLED_AFTER"] = 0.0  # people of tests press at once
    gc.freeze()
    return languages


if __name__ == "__main__":
    number, *modules = sys.argv[1:]
    held = [*map(import_module, modules)] or prepare()
    if module := Forking(int(number)).serve():
        runpy.run_module(module, run_name="__main__", alter_sys=True)
