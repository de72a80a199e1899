"""The pages: short, linked, and true of the files that they name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    page
    for folder in (".", "bot", "engine", "tests", ".github", "migrations")
    for page in (ROOT / folder).glob("*.md" if folder == "." else "**/*.md")
)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)|src(?:set)?=\"([^\"]+)\"")
SHOWN = re.compile(r"<picture>(.*?)</picture>", re.DOTALL)
MOST_LINES = 120
MOST_BYTES = 400_000
"""The most that a moving picture may have, so that a phone shows it at once."""
NAMED = re.compile(r"`(?:[\w./]+/)?(test_\w+(?:\.py|…)?)`")
FILE = re.compile(r"`([\w/]+(?:\.py|/))`")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}


def astray(page: Path) -> Iterator[str]:
    """The links of a page that lead nowhere."""
    for target, anchor, picture in LINK.findall(page.read_text("utf-8")):
        file = (page.parent / (target or picture)) if target or picture else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            yield f"{page.relative_to(ROOT)}: {file}#{anchor}"


def test_every_link_of_a_page_leads_somewhere() -> None:
    lost = [link for page in PAGES for link in astray(page)]
    assert not lost, "\n".join(lost)


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= MOST_LINES


def test_the_readme_shows_three_moving_pictures_light_and_dark_with_words_for_each() -> None:
    pictures = SHOWN.findall((ROOT / "README.md").read_text("utf-8"))
    assert len(pictures) == 3
    for each in pictures:
        assert 'media="(prefers-color-scheme: dark)"' in each
        assert re.search('alt="[^"]{40,}"', each)
        dark, light = (ROOT / file for file in re.findall('src(?:set)?="([^"]+)"', each))
        with Image.open(dark) as shown, Image.open(light) as other:
            assert getattr(shown, "n_frames", 1) == getattr(other, "n_frames", 1) > 1
        assert max(dark.stat().st_size, light.stat().st_size) <= MOST_BYTES


def test_the_files_where_things_are_found_exist() -> None:
    table = (ROOT / "bot/README.md").read_text("utf-8").partition("## Architecture")[0]
    named = FILE.findall(table)
    assert len(named) >= 10
    for file in named:
        assert (ROOT / "bot" / file).exists(), file


def test_every_test_that_the_page_of_tests_names_is_in_the_file_named_before_it() -> None:
    tests: defaultdict[str, str] = defaultdict(str)
    for test in (ROOT / "tests").rglob("test_*.py"):
        tests[test.name] += test.read_text("utf-8")
    named = NAMED.findall((ROOT / "tests/README.md").read_text("utf-8"))
    assert len(named) >= 50
    file = ""
    for name in named:
        if name.endswith(".py"):
            assert name in tests
            file = tests[name]
        else:
            assert f"def {name.removesuffix('…')}" in file, name


def test_every_page_beside_the_readme_is_linked_from_it() -> None:
    linked = {target for target, _, _ in LINK.findall((ROOT / "README.md").read_text("utf-8"))}
    assert {str(page.relative_to(ROOT)) for page in PAGES} - {"README.md"} <= linked
