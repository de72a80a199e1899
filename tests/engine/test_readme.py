"""The engine's page: its Python runs, its commands are understood, its names are on the roster."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from engine import roster
from engine.__main__ import parser

HERE = Path(engine.__file__).parent
PAGE = (HERE / "README.md").read_text(encoding="utf-8")

COMMANDS = [
    *re.findall(r"^python -m engine (.*?) *(?:#.*)?$", PAGE, flags=re.MULTILINE),
    *re.findall(r"`python -m engine (.*?)`", PAGE),
]


def test_the_python_of_the_page_prints_what_the_page_says() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=HERE.parent, check=True
    )
    (told,) = re.findall(r"It prints `(.*?)`", PAGE)
    assert ran.stdout == f"{told}\n"


def test_everything_that_the_engine_exports_is_there_and_has_a_home() -> None:
    assert sorted(engine.__all__) == sorted(set(engine.__all__))
    for name in engine.__all__:
        assert getattr(engine, name) is not None


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_page_are_understood(command: str) -> None:
    placeholders = {"PRESET": "quick", "A": "rules", "B": "random", "N": "10"}
    words = [placeholders.get(word, word) for word in shlex.split(command)]
    assert parser().parse_args(words).command == words[0]


def test_the_table_of_algorithms_has_every_agent_and_its_module() -> None:
    table = PAGE.partition("## The algorithms")[2].partition("\n## ")[0]
    rows = [row.split("|")[1:3] for row in table.splitlines() if row.startswith("| `")]
    named = {name for names, _ in rows for name in re.findall(r"`(.*?)`", names)}
    assert named == {name for game in roster.games().values() for name in roster.players(game)}
    for _, modules in rows:
        for path in re.findall(r"`(.*?)`", modules):
            assert (HERE / path).exists(), path
