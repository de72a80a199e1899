"""Texts that owners publish and build from are true of Parlour's data and packages."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.deploy import pictures
from bot.games.catalogue import CATALOGUE
from bot.storage.schema.base import metadata
from tests.bot.english import says
from tests.bot.process import ROOT, environment
from tests.bot.storage.everything import filled

DEPLOY = ROOT / "bot" / "deploy"

KEPT = {
    "session": "where a game is: server, channel, the bot's message",
    "seat": "who sat where",
    "move": "every move and roll with its time",
    "taken_back": "moves taken back",
    "review": "what a review found",
    "reminder": "reminders that stand in a channel",
    "interaction": "the numbers of your last presses",
    "puzzle_answer": "which days' puzzles you answered, how, and whether you solved them",
    "person": "your choices with `/me`",
    "block": "whom you block",
    "server": "a server's choices with `/settings`, and when the bot left it",
    "server_channel": "a server's choices with `/settings`",
    "result": "your results",
    "standing": "ratings, streaks",
    "badge": "badges",
    "level_record": "level of the computer",
    "pairing": "opponent",
    "puzzle_server": "in which servers you asked for the day's puzzle",
    "puzzle_points": "your points there",
    "news": "which day's news were posted in which server",
    "frozen_day": "on which days they could not be",
    "tournament": "which tournaments you opened or joined",
    "tournament_entry": "your seed",
    "tournament_leg": "which tournaments you opened or joined",
    "tournament_part": "your points, how long you thought",
}
"""Where the privacy policy tells of each table; notes and absences are of no person or server."""


def test_the_privacy_policy_tells_of_everything_that_is_kept() -> None:
    kept = (DEPLOY / "privacy.md").read_text("utf-8").partition("## What is kept")[2]
    table = "\n".join(line for line in kept.splitlines() if line.startswith("|"))
    assert KEPT.keys() == metadata.tables.keys() - {"absence", "note"}
    assert [words for words in KEPT.values() if words not in table] == []


PROMISED = {
    "Export my data": "control.export",
    "Forget me…": "control.forget_me",
    "When it's my turn": "me.reminders",
    "Challenges and invitations": "me.challenges",
    "Blocked people": "me.blocking",
}
"""The texts of `/me` that the privacy policy names, in its words."""


def test_the_privacy_policy_promises_what_there_is() -> None:
    page = (DEPLOY / "privacy.md").read_text("utf-8")
    assert set(re.findall(r"\*([^*]+)\* in `/me`", page)) == PROMISED.keys()
    assert all(map(says, PROMISED.values()))


def test_the_words_for_the_directory_fit_where_discord_takes_them() -> None:
    page = (DEPLOY / "discovery.md").read_text("utf-8")
    quoted = [
        " ".join(line.removeprefix("> ") for line in each.splitlines())
        for each in re.findall(r"(?:^> .*\n)+", page, re.MULTILINE)
    ]
    assert [len(words) <= most for words, most in zip(quoted, (200, 400), strict=True)] == [
        True
    ] * 2
    (tags,) = re.findall(r"\*\*Tags\*\* \(five\): (.*)", page)
    assert len(re.findall(r"`[^`]{1,20}`", tags)) == 5


@pytest.mark.parametrize("game", CATALOGUE)
def test_the_pages_and_the_words_for_the_directory_name_every_game(game: str) -> None:
    assert f"`/{game}" in (ROOT / "README.md").read_text("utf-8")
    summary, description, *_ = (DEPLOY / "discovery.md").read_text("utf-8").split("**Description**")
    assert game in re.sub(r"[^a-z]", "", summary.casefold())
    assert f"/{game}" in description


@pytest.mark.parametrize(
    ("name", "drawn", "size"),
    [("icon", pictures.icon, (1024, 1024)), ("banner", pictures.banner, (1360, 480))],
)
def test_the_pictures_for_the_directory_are_those_that_are_drawn(
    name: str, drawn: Callable[[], bytes], size: tuple[int, int]
) -> None:
    kept, now = (
        Image.open(each).convert("L") for each in (DEPLOY / f"{name}.png", BytesIO(drawn()))
    )
    assert kept.size == now.size == size
    assert ImageStat.Stat(ImageChops.difference(kept, now)).mean[0] < 1, (
        "draw them again: python -m bot.deploy.pictures"
    )


def test_the_printed_line_of_a_crontab_copies_the_database(tmp_path: Path) -> None:
    """Cron takes a bare percent sign for the end of the line, and has no folder but one's own."""
    page = (DEPLOY / "README.md").read_text("utf-8")
    (line,) = re.findall(r"^```cron\n(?:\S+ ){5}(.*)\n```$", page, re.MULTILINE)
    line, *rest = re.split(r"(?<!\\)%", line)
    assert not rest
    filled(f"sqlite:///{tmp_path}/parlour.db", 1)
    command = line.replace("\\%", "%").replace("/home/you/parlour", str(tmp_path))
    command = command.replace("/home/you/.local/bin/parlour", f"{sys.executable} -m bot")
    given = environment(DATABASE_URL="sqlite:///parlour.db")
    subprocess.run(["/bin/sh", "-c", command], cwd="/", env=given, check=True, capture_output=True)
    (copy,) = (tmp_path / "backups").iterdir()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d\.db", copy.name)


def allowed(path: str) -> bool:
    """Whether a build of the image may see a path of the checkout."""
    seen = True
    for line in (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines():
        rule = line.removeprefix("!")
        if line.startswith("#") or not line:
            continue
        if rule in {"*", path} or path.startswith(f"{rule}/"):
            seen = line.startswith("!")
    return seen


def test_the_image_is_built_of_what_the_wheel_is_built_of_and_nothing_secret() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")
    copied = re.findall(r"^COPY (?!--)(.*) \S+$", dockerfile, re.MULTILINE)
    sources = {path for line in copied for path in line.split()}
    assert sources == {"pyproject.toml", "README.md", "LICENSE", *wheel["packages"]}
    needed = {*sources, *wheel["force-include"]}
    assert [path for path in needed if not (ROOT / path).exists() or not allowed(path)] == []
    assert [path for path in (".env", "parlour.db", "tests", ".git") if allowed(path)] == []


NOT_COMPOSED = {
    "DISCORD_TOKEN_FILE": "names a file that the container does not have",
    "SHARD_COUNT": "is of several processes",
    "SHARD_IDS": "is of several processes",
    "PARLOUR_SEARCH_CLUSTER": "needs an extra that the image does not have",
    "PARLOUR_SANDBOX_PORT": "is of a start without a token",
    "PARLOUR_METRICS_PORT": "is the image's own, by which its health is asked for",
    "DISCORD_API": "is of another server than Discord",
}
"""The settings that Compose hands on none of, and why."""


def test_compose_hands_on_the_settings_that_make_sense_there() -> None:
    example = (ROOT / ".env.example").read_text("utf-8")
    composed = (DEPLOY / "compose.yaml").read_text("utf-8").partition("  postgres:\n")[0]
    names = {*re.findall(r"^# ?([A-Z_]+)=", example, re.MULTILINE)}
    handed_on = re.findall(r"^      ([A-Z_]+): \$\{\1:", composed, re.MULTILINE)
    assert {*handed_on} == names - NOT_COMPOSED.keys()
    assert NOT_COMPOSED.keys() <= names


def test_the_image_has_a_python_that_is_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    file = (DEPLOY / "Dockerfile").read_text("utf-8")
    (python,) = re.findall(r"^ARG PYTHON=3\.(\d+)$", file, re.MULTILINE)
    least = project["requires-python"].removeprefix(">=3.")
    workflow = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    assert int(python) >= int(least)
    assert f'"3.{python}"' in workflow
    assert f'["3.{least}"' in workflow
