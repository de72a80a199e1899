"""What becomes of translations when an English text changes, and the tool that tells."""

from __future__ import annotations

import re
import shutil
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from bot import locales
from bot.locales import ENGLISH, languages
from bot.locales.__main__ import main


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A catalogue in English and German."""
    for locale in (ENGLISH, "de"):
        shutil.copy(Path(locales.__file__).parent / f"{locale}.po", tmp_path)
    assert main([], tmp_path) == 0
    return tmp_path


def text(folder: Path, key: str, locale: str) -> str:
    catalogues = {file.stem: read_po(BytesIO(file.read_bytes())) for file in folder.glob("*.po")}
    return languages(catalogues)[locale].template(key)


def change(folder: Path, key: str, now: str) -> None:
    """Change an English text."""
    file = folder / f"{ENGLISH}.po"
    changed, found = re.subn(
        rf'(?<=msgid "{re.escape(key)}"\nmsgstr )".*"', f'"{now}"', file.read_text("utf-8")
    )
    assert found == 1
    file.write_text(changed, "utf-8")


def add(folder: Path, key: str, english: str) -> None:
    with (folder / f"{ENGLISH}.po").open("a", encoding="utf-8") as file:
        file.write(f'\nmsgid "{key}"\nmsgstr "{english}"\n')


def test_a_changed_english_text_leaves_its_translations_shown(folder: Path) -> None:
    before = text(folder, "control.accept", "de")
    change(folder, "control.accept", "All right")
    assert text(folder, "control.accept", ENGLISH) == "All right"
    assert text(folder, "control.accept", "de") == before
    assert main(["de"], folder) == 0
    assert text(folder, "control.accept", "de") == before


def test_a_new_english_text_is_shown_until_it_is_translated(folder: Path) -> None:
    add(folder, "greeting", "Hello")
    assert text(folder, "greeting", "de") == "Hello"
    main(["de"], folder)
    assert text(folder, "greeting", "de") == "Hello"


def test_the_report_names_what_is_missing_or_out_of_date(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["--report"], folder) == 0
    assert capsys.readouterr().out == "No translation is missing or out of date.\n"
    change(folder, "control.accept", "All right")
    add(folder, "greeting", "Hello")
    assert main(["--report"], folder) == 1
    expected = "de: 1 missing: greeting\nde: 1 out of date: control.accept\n"
    assert capsys.readouterr().out == expected


def test_a_translation_is_up_to_date_when_its_translator_says_so(folder: Path) -> None:
    german = folder / "de.po"
    change(folder, "control.accept", "All right")
    main(["de"], folder)
    prepared = german.read_text("utf-8")
    assert "#. English: All right\n#, fuzzy\n" in prepared
    main(["de"], folder)
    assert german.read_text("utf-8") == prepared
    german.write_text(prepared.replace("#, fuzzy\n", ""), "utf-8")
    assert main(["--report"], folder) == 0


def test_a_new_language_begins_with_all_messages_and_its_own_plural_forms(folder: Path) -> None:
    main(["pl"], folder)
    polish = (folder / "pl.po").read_text("utf-8")
    assert polish.count("\nmsgid ") == (folder / "de.po").read_text("utf-8").count("\nmsgid ")
    assert 'msgstr[2] ""' in polish
    assert text(folder, "control.accept", "pl") == text(folder, "control.accept", ENGLISH)
