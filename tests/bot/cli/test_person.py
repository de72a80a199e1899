"""`parlour person`: the file of `/me`, for a person whose data is too large for a message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from tests.bot.storage.everything import ANN, filled
from tests.bot.storage.test_marks import file_of

STRANGER = 999


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a full database, which is the one in the settings."""
    address = f"sqlite:///{tmp_path}/parlour.db"
    filled(address, 20)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", address)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    return address


async def test_the_owner_can_write_the_file_that_is_too_large_to_send(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["person", str(ANN), "ann.json"]) == 0
    assert capsys.readouterr().out.startswith(f"ann.json has all that is stored about {ANN} in ")
    told: dict[str, Any] = json.loads(Path("ann.json").read_bytes())
    assert told.pop("about")["file"].startswith("Everything")
    expected = await file_of(database, ANN)
    for each in ("about", "made_at"):
        expected.pop(each)
    told.pop("made_at")
    assert told == expected
    assert told["games"]


def test_a_file_of_somebody_unknown_says_that_nothing_is_stored(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert database
    assert main(["person", str(STRANGER), "nobody.json"]) == 0
    assert capsys.readouterr().out.startswith(f"Nothing is stored about {STRANGER}")
    assert json.loads(Path("nobody.json").read_bytes())["games"] == []


@pytest.mark.parametrize("wrong", ["ann", "-7", "0", str(1 << 63)])
def test_what_is_no_id_of_a_person_is_refused(wrong: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["person", wrong, "FILE"])
    assert ended.value.code == 2
