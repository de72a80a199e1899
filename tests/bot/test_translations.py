"""Translations whose English text has changed, and the tool that lists them."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from bot.locales import ENGLISH
from bot.locales.__main__ import main
from tests.bot.catalogues import languages

TEXTS = {
    ENGLISH: (("control.accept", "Accept"), ("control.decline", "Decline"), ("failure", "Oops")),
    "de": (("control.accept", "Annehmen"), ("control.decline", "Ablehnen"), ("failure", "Hoppla")),
}

COUNTED = """
msgid "turns"
msgid_plural "turns"
msgstr[0] "{count} turn"
msgstr[1] "{count} turns"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small catalogue in English and German."""
    for locale, texts in TEXTS.items():
        (tmp_path / f"{locale}.po").write_text('msgid ""\nmsgstr ""\n', "utf-8")
        for key, written in texts:
            add(tmp_path, key, written, locale)
    main(["de"], tmp_path)
    german = tmp_path / "de.po"
    german.write_text(german.read_text("utf-8").replace("#, fuzzy\n", ""), "utf-8")
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


def add(folder: Path, key: str, written: str, locale: str = ENGLISH) -> None:
    with (folder / f"{locale}.po").open("a", encoding="utf-8") as file:
        file.write(f'\nmsgid "{key}"\nmsgstr "{written}"\n')


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
    table, _, listed = capsys.readouterr().out.partition("\n\n")
    assert table.splitlines()[1].split() == ["de", "100%", "0", "0"]
    assert listed == "No translation is missing or out of date.\n"
    change(folder, "control.accept", "All right")
    add(folder, "greeting", "Hello")
    assert main(["--report"], folder) == 1
    expected = "de: 1 missing: greeting\nde: 1 out of date: control.accept\n"
    table, _, listed = capsys.readouterr().out.partition("\n\n")
    assert table.splitlines()[1].split()[2:] == ["1", "1"]
    assert listed == expected


def test_a_text_that_has_plural_forms_no_longer_keeps_one_form_of_its_translation(
    folder: Path,
) -> None:
    file = folder / f"{ENGLISH}.po"
    file.write_text(file.read_text("utf-8") + COUNTED, "utf-8")
    main(["de"], folder)
    german = folder / "de.po"
    translated = (
        german.read_text("utf-8").replace('[0] ""', '[0] "Zug"').replace('[1] ""', '[1] "Züge"')
    )
    german.write_text(translated, "utf-8")
    one = '\nmsgid "turns"\nmsgstr "Turns"\n'
    file.write_text(file.read_text("utf-8").replace(COUNTED, one), "utf-8")
    main(["de"], folder)
    assert text(folder, "turns", "de") == "Züge"


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


def test_a_catalogue_that_was_begun_keeps_its_rule_of_plural_forms(folder: Path) -> None:
    with (folder / f"{ENGLISH}.po").open("a", encoding="utf-8") as file:
        file.write(COUNTED)
    begun, rule = folder / "pl.po", "nplurals=2; plural=(n != 1);"
    begun.write_text(
        f'msgid ""\nmsgstr ""\n"Plural-Forms: {rule}\\n"\n\nmsgid "a"\nmsgstr "b"\n', "utf-8"
    )
    main(["pl"], folder)
    assert rule in begun.read_text("utf-8")
    assert "msgstr[2]" not in begun.read_text("utf-8")


def test_a_new_language_begins_with_all_messages_and_its_own_plural_forms(folder: Path) -> None:
    with (folder / f"{ENGLISH}.po").open("a", encoding="utf-8") as file:
        file.write(COUNTED)
    main(["de", "pl"], folder)
    polish = (folder / "pl.po").read_text("utf-8")
    assert polish.count("\nmsgid ") == (folder / "de.po").read_text("utf-8").count("\nmsgid ")
    assert 'msgstr[2] ""' in polish
    assert text(folder, "control.accept", "pl") == text(folder, "control.accept", ENGLISH)
