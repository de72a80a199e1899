"""`python -m bot.locales`: the template for translators and all catalogues, brought up to date.

Each message has a comment that says what it is, how long it may be and what it is in English. Where
the English has changed since, the translation is marked as fuzzy, and English is read until it is
looked over. With `--check` nothing is written; files that lag behind are named, and the exit code
is 1.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from bot.locales import ENGLISH

FOLDER: Final = Path(__file__).parent
TEMPLATE: Final = FOLDER / "parlour.pot"

PLACES: Final = {
    r"(command|field)\..*\.description": "What a command or option is for, at most 100 characters",
    r"(command|field)\..*": (
        "Name of a command or option: small letters, digits, - and _, at most 32"
    ),
    r"choice\..*": "Choice of an option, at most 100 characters",
    r"control\..*": "Label of a button, short enough for a phone, at most 80 characters",
    r"menu\.person\..*": "Entry in the menu of a person, at most 32 characters",
    r"(menu|preset)\..*": "Entry in a menu, at most 100 characters",
    r"rule\..*": "A rule of the table and its values, in a menu, at most 100 characters",
    r"refusal\..*|failure|outdated": "Why something cannot be done, for one reader alone",
    r".*\.words\..*": "The board for a screen reader",
}
"""What messages are, by their keys; the first that fits."""


def made(locale: str | None, before: Catalog | None, english: Catalog) -> Catalog:
    """The catalogue of a locale, or the template, with all messages of the English one."""
    catalogue = Catalog(
        locale=locale and Locale.parse(locale, sep="-"), project="Parlour", fuzzy=locale is None
    )
    catalogue.header_comment = f"# The texts of Parlour in {locale or 'a new language'}."
    for message in english:
        if not message.id:
            continue
        old = None if before is None else before.get(_key(message))
        comments = tuple(_comments(message))
        string = None if old is None else old.string
        stale = old is not None and _last_words(old.auto_comments) != _last_words(comments)
        flags = {"fuzzy"} if string and (stale or (old is not None and old.fuzzy)) else set()
        catalogue.add(message.id, string or "", auto_comments=comments, flags=flags)
    return catalogue


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _comments(message: Message) -> Iterator[str]:
    """What a message is, what its English author remarks, and what it is in English."""
    for pattern, place in PLACES.items():
        if re.fullmatch(pattern, _key(message)):
            yield place
            break
    if message.user_comments:
        yield " ".join(message.user_comments)
    forms = (message.string,) if isinstance(message.string, str) else message.string or ()
    yield "English: " + " | ".join(forms).replace("\n", "\\n")


def _last_words(comments: Iterable[str]) -> list[str]:
    """What a message is in English, by its comments, which a file has wrapped."""
    return " ".join(comments).rpartition("English: ")[2].split()


def written(catalogue: Catalog) -> bytes:
    """The file of a catalogue, without what changes from one writing to the next."""
    file = BytesIO()
    write_po(file, catalogue, width=0, omit_header=True)
    forms = "" if catalogue.locale is None else f'"Plural-Forms: {catalogue.plural_forms}\\n"\n'
    head = f"""{catalogue.header_comment}
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"""
    return f"{head}{forms}\n".encode() + file.getvalue()


def main() -> int:
    """Brings all files up to date, or with `--check` says which are not."""
    english = read_po(BytesIO((FOLDER / f"{ENGLISH}.po").read_bytes()))
    lagging = []
    for file in [TEMPLATE, *sorted(FOLDER.glob("*.po"))]:
        if file.stem == ENGLISH:
            continue
        locale = None if file == TEMPLATE else file.stem
        before = read_po(BytesIO(file.read_bytes())) if locale else None
        after = written(made(locale, before, english))
        if not file.exists() or file.read_bytes() != after:
            lagging.append(file.name)
            if "--check" not in sys.argv:
                file.write_bytes(after)
    if lagging:
        print("behind the English catalogue:" if "--check" in sys.argv else "written:", *lagging)
    return int(bool(lagging) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
