"""An event loop in virtual time: where nothing is ready, its clock jumps to the next timer.

All of a simulation is one thread. What asyncio would hand to threads the loop carries out itself,
at a later virtual moment, and connections are pairs of ends in memory (`network.py`). So the order
of everything follows from what is drawn of the seed.

A callback belongs to the process in whose context it was made. A killed process is never run again:
its tasks stay where they are, as those of a program that SIGKILL ends.
"""

from __future__ import annotations

import asyncio
import contextvars
import heapq
import socket
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar
from itertools import count
from random import Random
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from tests.simulation.network import Listener, Network, Server, Socket

T = TypeVar("T")


class Stuck(Exception):
    """Nothing is ready, and no timer is set: what is waited for cannot come."""


class Process:
    """A program of the simulation: it runs until its main task ends, or it is killed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.alive = True
        self.tasks: WeakKeyDictionary[asyncio.Task[Any], None] = WeakKeyDictionary()
        """Those that are kept, in the order in which they began."""
        self._left: list[asyncio.Task[Any]] = []
        self._adapter: AsyncWebhookAdapter = AsyncWebhookAdapter()  # type: ignore[no-untyped-call]

    def context(self) -> Context:
        """A context in which all that begins is this process's."""
        context = contextvars.copy_context()
        context.run(_belong, self, self._adapter)
        return context

    def spawn(self, work: Coroutine[Any, Any, T], *, name: str) -> asyncio.Task[T]:
        """A task of this process."""
        context = self.context()
        return asyncio.get_running_loop().create_task(work, name=name, context=context)

    async def run(self, main: Coroutine[Any, Any, None]) -> None:
        """Run a main task, and cancel what it leaves behind, as `asyncio.run` does."""
        own = asyncio.current_task()
        try:
            await main
        finally:
            left = [task for task in self.tasks if task is not own and not task.done()]
            for task in left:
                task.cancel()
            if left:
                await asyncio.wait(left)

    def unread(self) -> list[str]:
        """The exceptions of its tasks that nobody has read, and that are still kept."""
        ended = [task for task in self.tasks if task.done() and task._log_traceback]
        return [f"{task.get_coro()} {task.exception()!r}" for task in ended]

    def kill(self) -> None:
        """End it between two steps, without a word to any of its tasks."""
        self.alive = False
        self._left = [*self.tasks]  # or their ends would be run when they are collected
        for task in self._left:
            task._log_destroy_pending = False  # type: ignore[attr-defined]


PROCESS: Final[ContextVar[Process | None]] = ContextVar("process", default=None)


class Pace:
    """The seconds that things take, drawn of a seed; without one the least, and nothing dies."""

    def __init__(self, rng: Random | None) -> None:
        self.rng = rng
        self.long_searches = 0.08
        """The part of searches that may take as long as they are allowed to, and longer."""

    def wire(self) -> float:
        """Seconds until bytes arrive at the other end of a connection."""
        return self._mostly(0.001, 0.04, seldom=0.4)

    def thread(self) -> float:
        """Seconds until a thread has done what it was given."""
        return self._mostly(0.001, 0.03, seldom=0.5)

    def commit(self) -> float:
        """Seconds until a transaction is on the disk."""
        return self._mostly(0.001, 0.02, seldom=0.3)

    def search(self) -> float:
        """Seconds until a computer has chosen."""
        return self._mostly(0.01, 0.8, seldom=16.0, part=self.long_searches)

    def dies(self) -> bool:
        """Whether a process that thinks dies over its work."""
        return self.rng is not None and self.rng.random() < 0.01

    def _mostly(self, least: float, most: float, *, seldom: float, part: float = 0.02) -> float:
        if self.rng is None:
            return least
        longest = seldom if self.rng.random() < part else most
        return least + (longest - least) * self.rng.random()


class VirtualLoop(asyncio.BaseEventLoop):
    """An event loop that reads no clock, sleeps never and opens no socket."""

    def __init__(self, pace: Pace | None = None, *, begins: float = 1000.0) -> None:
        super().__init__()
        self.pace = pace or Pace(Random(0))
        self.network = Network(self)
        self.steps = 0
        self.after_step: Callable[[], None] | None = None
        self._now = begins
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = count()
        self.set_task_factory(_owned)  # type: ignore[arg-type]

    def time(self) -> float:
        """The virtual time in seconds."""
        return self._now

    def jump(self, seconds: float) -> None:
        """Let time pass in which nothing of this loop runs, as of a machine that sleeps."""
        self._now += seconds

    def call_at(  # type: ignore[override]
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """A timer; those of one moment ring in the order in which they were set."""
        self._check_closed()  # type: ignore[attr-defined]
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), timer))
        return timer

    def call_soon_threadsafe(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """A callback; there is no other thread."""
        return self.call_soon(callback, *args, context=context)

    def run_in_executor(  # type: ignore[override]
        self, executor: object, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """The result of a function that the loop calls itself, later."""
        del executor
        waiting: asyncio.Future[T] = self.create_future()

        def carry_out() -> None:
            if waiting.done():
                return
            try:
                result = func(*args)
            except Exception as error:  # noqa: BLE001 - who waits is told, whatever it is
                waiting.set_exception(error)
            else:
                waiting.set_result(result)

        self.call_later(self.pace.thread(), carry_out)
        return waiting

    async def getaddrinfo(self, host: Any, port: Any, **_: Any) -> list[tuple[Any, ...]]:
        """The address of a host, which is its name."""
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port))]

    async def create_server(  # type: ignore[override]
        self,
        protocol_factory: Callable[[], asyncio.BaseProtocol],
        host: Any = None,
        port: int | None = None,
        *,
        sock: Any = None,
        **_: Any,
    ) -> Server:
        """A server in memory, on the port of its listener or on a given one."""
        del host
        listener = sock if isinstance(sock, Listener) else self.network.listener(port or 0)
        return self.network.serve(listener, protocol_factory)

    async def create_connection(  # type: ignore[override]
        self,
        protocol_factory: Callable[[], asyncio.BaseProtocol],
        host: Any = None,
        port: int | None = None,
        *,
        sock: Any = None,
        **_: Any,
    ) -> tuple[asyncio.Transport, asyncio.BaseProtocol]:
        """A connection in memory to the server that listens on a port."""
        del host
        return self.network.connect(
            sock if isinstance(sock, Socket) else Socket(port or 0), protocol_factory
        )

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Leave a cancelled timer in its place."""

    def _write_to_self(self) -> None:
        """Wake nothing: the loop never sleeps."""

    def _process_events(self, event_list: Any) -> None:
        """Expect none: there is no selector."""

    def _run_once(self) -> None:
        ready, timers = self._ready, self._timers  # type: ignore[attr-defined]
        if not ready and not self._stopping:  # type: ignore[attr-defined]
            while timers and timers[0][2]._cancelled:
                heapq.heappop(timers)
            if not timers:
                raise Stuck("nothing is ready, and no timer is set")
            self._now = max(self._now, timers[0][0])
        while timers and timers[0][0] <= self._now:
            ready.append(heapq.heappop(timers)[2])
        for _ in range(len(ready)):
            handle = ready.popleft()
            if handle._cancelled:
                continue
            process = handle._context.get(PROCESS)
            if process is not None and not process.alive:
                continue
            self.steps += 1
            handle._run()


def _owned(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T], **how: Any
) -> asyncio.Task[T]:
    """A task that its process knows, be it in a context without one."""
    context = how.get("context")
    if context is not None and PROCESS not in context:
        context.run(_belong, PROCESS.get(), async_context.get())
    task = asyncio.Task(work, loop=loop, **how)
    process = PROCESS.get() if context is None else context.get(PROCESS)
    if process is not None:
        process.tasks[task] = None
    return task


def _belong(process: Process | None, adapter: AsyncWebhookAdapter) -> None:
    """Have what begins from here be a process's, with discord.py's locks of that process."""
    PROCESS.set(process)
    async_context.set(adapter)
