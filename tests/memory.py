"""The file system without a disk, where there is one: databases of tests have nothing to outlive.

A run has a hundred thousand transactions, which each wait for the disk otherwise.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

MEMORY: Final = Path("/dev/shm")  # noqa: S108 - whoever writes there makes a folder of their own
NEEDED: Final = 2 << 30  # bytes


def roomy() -> Path | None:
    """The folder of Linux's file system in memory, if it has room for a run."""
    return MEMORY if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > NEEDED else None
