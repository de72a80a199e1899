"""`parlour systemd` prints a unit that systemd accepts, in any folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli import main


@pytest.mark.parametrize("name", ["plain", "with a space", "100%"])
def test_the_unit_is_one_that_systemd_takes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("systemd-analyze is not installed")
    (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / name)
    assert main(["systemd"]) == 0
    unit = tmp_path / "parlour.service"
    unit.write_text(capsys.readouterr().out, encoding="utf-8")
    done = subprocess.run(
        [verify, "verify", unit], capture_output=True, text=True, timeout=30, check=False
    )
    complaints = [line for line in done.stderr.splitlines() if "parlour.service" in line]
    assert complaints == []
    assert done.returncode == 0, done.stderr


def test_the_unit_starts_this_python_here_and_leaves_what_a_restart_cannot_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["systemd"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"ExecStart={sys.executable} -m bot" in lines
    assert f"WorkingDirectory={tmp_path}" in lines
    assert "RestartPreventExitStatus=2" in lines
