"""Parlour at work, as Linux sees its process."""

from __future__ import annotations

import platform
import re
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from tests.bot.process import outcome, started
from tests.bot.stand_in import Sandbox
from tests.bot.test_main import reached

HEAP: Final = 64 << 20
"""Bytes that glibc reserves for a heap of a thread."""


HOLES: Final = 32 << 20
HOLED: Final = f"""
import asyncio
from contextlib import suppress
from pathlib import Path
from bot.cli import run

def resident():
    return 4096 * int(Path("/proc/self/statm").read_text().split()[1])

async def main():
    heap = run.settled_heap()
    pieces = [bytes(8192) for _ in range({HOLES} // 8192)]
    kept = pieces[::8]
    del pieces
    before, run.RETURNED_EVERY = resident(), 0.0
    with suppress(TimeoutError):
        async with asyncio.timeout(0.2):
            await run.give_back(heap)
    print(before - resident(), len(kept))

asyncio.run(main())
"""
"""Leaves holes between pieces of memory that are kept, and prints how much of it goes back."""

only_glibc = pytest.mark.skipif("glibc" not in platform.libc_ver(), reason="of glibc's heap")


@only_glibc
async def test_the_pages_between_what_is_kept_go_back_to_the_machine(tmp_path: Path) -> None:
    async with started(tmp_path, "-c", HOLED) as process:
        code, said, errors = await outcome(process)
    assert code == 0, errors
    returned, _ = map(int, said.split())
    assert returned > HOLES / 2


@only_glibc
async def test_threads_share_a_heap(folder: Path, sandbox: Sandbox) -> None:
    settings = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    async with started(folder, **settings) as process:
        await reached(sandbox.bot_ready(), process)
        assert heaps_of_threads(Path(f"/proc/{process.pid}/maps").read_text("ascii")) == []


def heaps_of_threads(maps: str) -> list[str]:
    """Where glibc has reserved a heap, of which a part is in use."""
    lines = re.findall(r"^(\w+)-(\w+) (\S{4}) 0+ 00:00 0 *$", maps, re.MULTILINE)
    return [
        begin
        for (begin, middle, used), (after, end, reserved) in pairwise(lines)
        if (used, reserved, middle) == ("rw-p", "---p", after)
        and int(end, 16) - int(begin, 16) == HEAP
    ]
