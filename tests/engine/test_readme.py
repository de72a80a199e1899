"""The engine's page: its Python runs, and its names are on the roster."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import engine
from engine import roster

HERE = Path(engine.__file__).parent
PAGE = (HERE / "README.md").read_text(encoding="utf-8")


PROGRAMS = re.findall(
    r"```python\n(.*?)```\n\n(?:It prints `(.*?)`|```text\n(.*?)```)", PAGE, flags=re.DOTALL
)
"""Each program of the page, and the line or the lines that it prints."""


@pytest.mark.parametrize(("program", "line", "lines"), PROGRAMS)
def test_the_python_of_the_page_prints_what_the_page_says(
    program: str, line: str, lines: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(program, {"__name__": "__main__"})  # noqa: S102 - it stands on the page
    assert capsys.readouterr().out == (lines or f"{line}\n")


def test_all_python_of_the_page_is_run() -> None:
    assert len(PROGRAMS) == PAGE.count("```python\n") == 4


def test_everything_that_the_engine_exports_is_there_and_has_a_home() -> None:
    assert sorted(engine.__all__) == sorted(set(engine.__all__))
    for name in engine.__all__:
        assert getattr(engine, name) is not None


def test_the_table_of_algorithms_has_every_agent_and_its_module() -> None:
    table = PAGE.partition("## The algorithms")[2].partition("\n## ")[0]
    rows = [row.split("|")[1:3] for row in table.splitlines() if row.startswith("| `")]
    named = {name for names, _ in rows for name in re.findall(r"`(.*?)`", names)}
    assert named == {name for game in roster.games().values() for name in roster.players(game)}
    for _, modules in rows:
        for path in re.findall(r"`(.*?)`", modules):
            assert (HERE / path).exists(), path
