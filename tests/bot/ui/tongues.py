"""German as far as a test needs it, and English for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from bot import locales
from bot.locales import ENGLISH, Language
from tests.bot.catalogues import languages

GERMAN = {
    "lobby.open": "{host} sucht jemanden.",
    "refusal.no_games_here": "Hier läuft kein Spiel.",
}


def english_and_german() -> Mapping[str, Language]:
    """Both languages."""
    file = Path(locales.__file__).parent / f"{ENGLISH}.po"
    german = Catalog()
    for key, translation in GERMAN.items():
        german.add(key, translation)
    return languages({ENGLISH: read_po(BytesIO(file.read_bytes())), "de": german})
