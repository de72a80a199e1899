"""The tests with every English text altered: `python -m tests.altered_english [ARGUMENT ...]`.

Arguments are pytest's. A test that goes red has English words in it, and would go red when a text
is reworded. The tests run in a copy of the checkout whose `en-US.po` has other vowels: texts as
long as before, and nearly none the same. Names of commands, options and choices stay, since people
(and tests) type them.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

CHECKOUT: Final = Path(__file__).parents[1]
TYPED: Final = re.compile(r"(command|field)\.(?!.*description$)|choice\.")
VOWELS: Final = str.maketrans("aeiouAEIOU", "eiouaEIOUA")
LEFT_OUT: Final = shutil.ignore_patterns(".git", ".venv", ".mypy_cache", "__pycache__")


def altered(catalogue: str) -> str:
    """An English catalogue with other vowels, but for names that are typed, and placeholders."""
    messages = catalogue.split("\n\n")
    return "\n\n".join(map(_altered_message, messages))


def _altered_message(message: str) -> str:
    key = re.search(r'^msgid "(.+)"$', message, re.MULTILINE)
    if key is None or TYPED.match(key[1]):
        return message
    texts = re.compile(r'(?<=msgstr )".*"|(?<=msgstr\[\d\] )".*"|^".*"$', re.MULTILINE)
    return texts.sub(lambda text: _altered_text(text[0]), message)


def _altered_text(text: str) -> str:
    kept = re.split(r"(\{\w+\}|\\n)", text)
    return "".join(each if odd % 2 else each.translate(VOWELS) for odd, each in enumerate(kept))


def main(arguments: Sequence[str]) -> int:
    """Run the tests in the copy; its exit code is pytest's."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "parlour"
        shutil.copytree(CHECKOUT, copy, ignore=LEFT_OUT)
        english = copy / "bot" / "locales" / "en-US.po"
        english.write_text(altered(english.read_text("utf-8")), "utf-8")
        command = (sys.executable, "-m", "pytest", *arguments)
        return subprocess.run(command, cwd=copy, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
