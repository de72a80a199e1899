"""Keep translations up to date: `python -m bot.locales [--report] [LOCALE ...]`.

A changed English text changes `en-US.po` alone. Each translation carries the English that it was
made from as a comment, so that a comparison finds the outdated ones. `--report` counts by language
and lists what is missing or out of date, with exit code 1 if anything is. Without it the catalogues
named, or all, are prepared for a translator: new messages are added, and outdated translations get
the new English beside the old and gettext's flag `fuzzy`, which the translator removes. The same
command copies the texts of `verify.html` into it, so that it works as a single file. The list
leaves out a language with fewer than half of the texts, which players are not offered yet.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from bot.locales import ENGLISH, FOLDER, Catalogues, offered
from bot.locales.pages import filled

NOW, BEFORE = "English: ", "English before: "

PLACES: Final = {
    r"(command|field)\..*\.description": "What a command or option is for, at most 100 characters",
    r"(command|field)\..*": (
        "Name of a command or option: small letters, digits, - and _, at most 32"
    ),
    r"choice\..*": "Choice of an option, at most 100 characters",
    r"control\..*": "Label of a button, short enough for a phone, at most 80 characters",
    r"menu\.(person|message)\..*": (
        "Entry in the menu of a person or message, at most 32 characters"
    ),
    r"(menu|preset)\..*": "Entry in a menu, at most 100 characters",
    r"rule\..*": "A rule of the table and its values, in a menu, at most 100 characters",
    r"refusal\..*|failure|outdated": "Why something cannot be done, for one reader alone",
    r".*\.words\..*": "The board for a screen reader",
    r"page\..*": "On the page of the sandbox",
    r"verify\..*": "On the page that checks dice",
}
"""The purposes of messages, by patterns of their keys; the first that fits holds."""


def key(message: Message) -> str:
    """The key of a message, with plural forms or without."""
    return message.id if isinstance(message.id, str) else message.id[0]


def missing(catalogue: Catalog, english: Catalog) -> Iterator[str]:
    """The keys of messages without a translation."""
    for message in _messages(english):
        translation = catalogue.get(key(message))
        if translation is None or not _is_translated(translation):
            yield key(message)


def outdated(catalogue: Catalog, english: Catalog) -> Iterator[str]:
    """The keys of translations that nobody has looked at since the English changed."""
    for message in _messages(english):
        translation = catalogue.get(key(message))
        if translation is not None and _is_outdated(translation, message):
            yield key(message)


def prepared(locale: str, catalogue: Catalog, english: Catalog) -> Catalog:
    """A catalogue with all English messages; outdated translations are marked as fuzzy.

    A catalogue that was begun keeps its rule of plural forms, whatever Babel's is by now.
    """
    made = Catalog(locale=Locale.parse(locale, sep="-"))
    if len(catalogue):
        made.mime_headers = [("Plural-Forms", catalogue.plural_forms)]
    for message in _messages(english):
        old = catalogue.get(key(message))
        comments, flags = [*_remarks(message)], set()
        if old is not None and _is_outdated(old, message):
            flags.add("fuzzy")
            comments.append(BEFORE + (_made_from(old, BEFORE) or _made_from(old, NOW)))
        comments.append(NOW + _english(message))
        kept = _in_forms_of(message, old, made.num_plurals) if old else ""
        made.add(message.id, kept, auto_comments=comments, flags=flags)
    return made


def written(locale: str, catalogue: Catalog) -> bytes:
    """The file of a catalogue, without headers that change from one writing to the next."""
    file = BytesIO()
    write_po(file, catalogue, width=0, omit_header=True)
    head = f"""# The texts of Parlour in {locale}.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: {catalogue.plural_forms}\\n"

"""
    return head.encode() + file.getvalue()


def _messages(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def _in_forms_of(message: Message, old: Message, plurals: int) -> str | tuple[str, ...]:
    """An old translation, with plural forms exactly if the English message has some now."""
    forms = (old.string,) if isinstance(old.string, str) else tuple(old.string or ("",))
    if isinstance(message.id, str):
        return forms[-1]
    return forms if len(forms) == plurals else forms[-1:] * plurals


def _remarks(message: Message) -> Iterator[str]:
    if purpose := _purpose(key(message)):
        yield purpose
    if message.user_comments:
        yield " ".join(message.user_comments)


@cache
def _purpose(name: str) -> str | None:
    """The purpose of a message by its key; None if `PLACES` has no pattern that the key fits."""
    return next((purpose for keys, purpose in PLACES.items() if re.fullmatch(keys, name)), None)


def _english(message: Message) -> str:
    forms = (message.string,) if isinstance(message.string, str) else message.string or ()
    return " | ".join(forms).replace("\n", "\\n")


def _is_translated(message: Message) -> bool:
    return bool(message.string and all(message.string))


def _is_outdated(translation: Message, message: Message) -> bool:
    if not _is_translated(translation):
        return False
    return translation.fuzzy or _made_from(translation, NOW).split() != _english(message).split()


def _made_from(translation: Message, label: str) -> str:
    """The English behind a label in a translation's comments, which a file has wrapped."""
    _, found, english = " ".join(translation.auto_comments).partition(label)
    return english.partition(NOW)[0].strip() if found else ""


def main(arguments: Sequence[str] | None = None, folder: Path = FOLDER) -> int:
    """Report on catalogues or prepare them; 1 if a report lists anything."""
    parser = argparse.ArgumentParser(prog="python -m bot.locales", description=__doc__)
    parser.add_argument("--report", action="store_true", help="list what is missing or out of date")
    parser.add_argument("locales", nargs="*", metavar="LOCALE", help="Discord's name, such as nl")
    given = parser.parse_args(arguments)
    english = _read(folder / f"{ENGLISH}.po")
    catalogues: dict[str, Catalog] = {}
    for locale in given.locales or _others(folder):
        file = folder / f"{locale}.po"
        catalogues[locale] = _read(file) if file.exists() else Catalog()
        if not given.report:
            catalogues[locale] = prepared(locale, catalogues[locale], english)
            file.write_bytes(written(locale, catalogues[locale]))
    if not given.report:
        _fill_page(folder)
    if given.report:
        print(*_table(catalogues, english), "", sep="\n")
    faults = [*_faults(folder, catalogues, english)]
    print(*faults or ["No translation is missing or out of date."], sep="\n")
    return int(given.report and bool(faults))


def _table(catalogues: Mapping[str, Catalog], english: Catalog) -> Iterator[str]:
    """A line for each language: its share of all texts, and how many it lacks or has outdated."""
    texts = sum(1 for _ in _messages(english))
    yield f"{'language':<10}{'translated':>12}{'missing':>9}{'out of date':>13}"
    for locale, catalogue in sorted(catalogues.items()):
        lacking = sum(1 for _ in missing(catalogue, english))
        old = sum(1 for _ in outdated(catalogue, english))
        share = (texts - lacking) / texts if texts else 1
        yield f"{locale:<10}{share:>12.0%}{lacking:>9}{old:>13}"


def _faults(folder: Path, catalogues: Mapping[str, Catalog], english: Catalog) -> Iterator[str]:
    for locale in sorted({*catalogues} & {*offered(folder)}):
        for keys, fault in ((missing, "missing"), (outdated, "out of date")):
            found = [*keys(catalogues[locale], english)]
            if found:
                yield " ".join((f"{locale}: {len(found)} {fault}:", *found))
    if _page(folder).exists() and _page(folder).read_text("utf-8") != _filled_page(folder):
        yield f"{_page(folder).name}: out of date"


def _fill_page(folder: Path) -> None:
    if _page(folder).exists():
        _page(folder).write_text(_filled_page(folder), "utf-8")


def _filled_page(folder: Path) -> str:
    found = Catalogues({name: folder / f"{name}.po" for name in (ENGLISH, *_others(folder))})
    return filled(_page(folder).read_text("utf-8"), "verify", found)


def _page(folder: Path) -> Path:
    return folder.parent / "sandbox" / "page" / "verify.html"


def _others(folder: Path) -> list[str]:
    return sorted(file.stem for file in folder.glob("*.po") if file.stem != ENGLISH)


def _read(file: Path) -> Catalog:
    return read_po(BytesIO(file.read_bytes()))


if __name__ == "__main__":
    sys.exit(main())
