"""Parlour at work, as Linux sees its process."""

from __future__ import annotations

import platform
import re
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from tests.bot.process import started
from tests.bot.stand_in import Sandbox
from tests.bot.test_main import reached

HEAP: Final = 64 << 20
"""Bytes that glibc reserves for a heap of a thread."""


@pytest.mark.skipif("glibc" not in platform.libc_ver(), reason="only glibc gives threads heaps")
async def test_threads_share_a_heap(folder: Path, sandbox: Sandbox) -> None:
    settings = {"DISCORD_TOKEN": sandbox.token, "PARLOUR_DISCORD_URL": sandbox.url}
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
