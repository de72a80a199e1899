"""The processes that play a match: this one, as many as cores, or a Dask cluster.

All three yield the same scores. A cluster yields them as they come in; with a `size`, as a test
that may end the match needs it, the parts and their order are the same too.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import reduce
from importlib import import_module
from itertools import repeat
from multiprocessing import get_context
from time import perf_counter
from typing import Any, Final

from engine.arena import Clock, Match, Score, play_all, play_parts

PARTS_PER_CORE: Final = 16
MOST_GAMES_IN_A_PART: Final = 50
FEWEST: Final = 2
"""The games in each part of a match that a test may end: each of two agents begins one."""


class NoCluster(RuntimeError):
    """The cluster cannot be used: a package is missing, or nobody answers at the address."""


def total(match: Match, games: int, *, cores: int = 1, clock: Clock = perf_counter) -> Score:
    """Play `games` of the match in `cores` processes; return the first agent's score.

    More than one process needs a match that can be pickled, and is started from under
    `if __name__ == "__main__":`, since each process imports the program's main module.
    """
    return reduce(Score.joined, played(match, games, clock, cores=cores))


def played(
    match: Match, games: int, clock: Clock, *, cores: int, size: int | None = None
) -> Generator[Score]:
    """Play all games in `cores` processes, and yield a score for every `size` of them.

    By default parts are small enough to keep all cores busy. Closing the generator waits until the
    parts in progress are played.
    """
    parts = _parts(match, games, cores, size)
    if cores == 1:
        yield from play_parts(match, parts, clock)
        return
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        yield from pool.map(play_all, repeat(match), parts, repeat(clock))


def played_on_cluster(
    match: Match, games: int, clock: Clock, *, address: str, size: int | None = None
) -> Generator[Score]:
    """Play all games on the Dask scheduler at `address`, and yield scores as they come in.

    With a `size` there is a score for every `size` games, in the order of the games.

    Raises:
        NoCluster: Dask or the scheduler cannot be used.
    """
    with client_of(address) as client:
        cores = sum(client.ncores().values())
        parts = [[match, part, clock] for part in _parts(match, games, cores, size)]
        futures = client.map(play_all, *zip(*parts, strict=True), pure=False)
        come = futures if size else import_module("distributed").as_completed(futures)
        for future in come:
            yield future.result()


def client_of(address: str, *, seconds: float = 10.0) -> Any:  # noqa: ANN401 - Dask has no types
    """Connect to the Dask scheduler at `address`, which must answer within `seconds`.

    Raises:
        NoCluster: The address is invalid, Dask is not installed, or no scheduler with a worker
            answers.
    """
    if not re.fullmatch(r"(tcp|tls|ws|wss|ucx|inproc)://.+", address):
        raise NoCluster(f"a scheduler's address is tcp://HOST:PORT, not {address!r}")
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise NoCluster(
            "a cluster needs the package distributed; "
            "install it in Parlour's folder with pip install -e '.[cluster]'"
        ) from None
    try:
        client = distributed.Client(address, timeout=seconds)
    except (OSError, ValueError) as error:
        raise NoCluster(f"no Dask scheduler answers at {address}: {error}") from None
    if not client.ncores():
        client.close()
        raise NoCluster(f"the Dask scheduler at {address} has no workers")
    return client


def _parts(match: Match, games: int, cores: int, size: int | None) -> list[Sequence[int]]:
    """The numbers of the games, in parts of `size`, or of one that keeps all cores busy."""
    # Each part starts the processes of one's own agents anew, so those get fewer parts.
    wanted = cores * (PARTS_PER_CORE if match.trusted else 1)
    size = size or max(1, min(MOST_GAMES_IN_A_PART, games // wanted))
    return [range(first, min(first + size, games)) for first in range(0, games, size)]
