"""Whether an acknowledged move is ever lost: a process that writes is killed, again and again.

python -m tests.benchmarks.kills [KILLS]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path
from random import Random

from tests.bot.storage.power import acknowledged_before_a_kill
from tests.bot.storage.test_storage_faults import found


def main() -> None:
    """Kills, and prints what was acknowledged, lost, and there besides."""
    parser = argparse.ArgumentParser(description="Acknowledged moves after kills.")
    parser.add_argument("kills", type=int, nargs="?", default=100)
    kills = parser.parse_args().kills
    rng, acknowledged = Random(1), set[tuple[int, int]]()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "parlour.db"
        for kill in range(kills):
            acknowledged |= acknowledged_before_a_kill(file, rng, first=1_000_000 * kill + 1)
        stored = asyncio.run(found(file))
    lost, besides = len(acknowledged - stored), len(stored - acknowledged)
    print(f"{kills} kills, {len(acknowledged)} moves acknowledged: {lost} lost; {besides} besides")


if __name__ == "__main__":
    main()
