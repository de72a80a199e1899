"""What a test does follows from the run's seed and the test's name, to the last request."""

from __future__ import annotations

import random
from pathlib import Path
from shutil import copy

import pytest

from bot.sandbox import RealClock
from tests import samples
from tests.bot.conftest import Opening
from tests.bot.databases import template
from tests.bot.lent_processes import Lender
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import ludo
from tests.bot.ui.conftest import opening

GAMES = "/channels/", "/interactions/"


@pytest.mark.sqlite_alone
async def test_a_seed_repeats_a_game_to_the_last_request_and_another_plays_another(
    open_sandbox: Opening,
    lender: Lender,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    exhaustive: bool,
) -> None:
    level = "expert" if exhaustive else "medium"

    async def game(seed: int, folder: str) -> tuple[list[object], object]:
        """What the bot asks of Discord in a quick game against two computers, and its dice."""
        monkeypatch.setenv(samples.SEED, str(seed))
        rng, seen = samples.source("a test"), list[object]()
        random.seed(rng.getrandbits(64))
        sandbox = await open_sandbox(clock=RealClock(samples.moment.__wrapped__().timestamp))
        (tmp_path / folder).mkdir()
        copy(template(), tmp_path / folder / "parlour.db")

        def note(each: Observed) -> None:
            if isinstance(each, Exchange) and each.path.startswith(GAMES):
                seen.append((each.method, each.path, each.request, each.status))

        sandbox.observe(note)
        address = f"sqlite:///{tmp_path / folder}/parlour.db"
        async with opening(sandbox, address, lender, rng)() as running_bot:
            ann, *_ = running_bot.people
            board = await ludo.opened(sandbox, ann, computers=2, level=level, rules="quick")
            await ludo.to_the_end(sandbox, board)
            table = await ludo.table_of(running_bot, board)
        assert table.dice is not None
        return seen, (table.dice.secret, table.dice.board, table.session.moves)

    first, again, other = [await game(seed, f"{turn}") for turn, seed in enumerate((5, 5, 6))]
    assert first == again
    assert first[1] != other[1]
    assert len(first[0]) > 10
