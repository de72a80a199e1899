"""The rules of a table in a few words: the nearest preset, and its differences."""

from __future__ import annotations

from bot.message.text import Text, joined, text
from engine.game import Options
from engine.games.ludo import GAME


def house(options: Options) -> Text:
    """The name of the nearest preset, and the options that differ from it."""
    preset, changes = _nearest(options)
    return text("ludo.rules.changed", preset=preset, changes=joined(changes)) if changes else preset


def house_in_brief(options: Options) -> Text:
    """The same, but only the number of several options that differ."""
    preset, changes = _nearest(options)
    return text("ludo.rules.several", preset=preset, count=len(changes)) if changes else preset


def option(key: str, value: object) -> Text:
    """The value of an option in words."""
    return text(f"ludo.option.{key}.{str(value).replace(' ', '_')}")


def _nearest(options: Options) -> tuple[Text, list[Text]]:
    changes = {name: _changes(options, preset) for name, preset in GAME.presets.items()}
    nearest = min(changes, key=lambda name: len(changes[name]))
    return text(f"preset.{GAME.key}.{nearest}"), changes[nearest]


def _changes(options: Options, preset: Options) -> list[Text]:
    """The options that differ from a preset's, without those that follow from others."""
    mine, usual = GAME.settled(options), GAME.settled(preset)
    single = mine["tokens"] == 1
    return [
        option(key, value)
        for key, value in mine.items()
        if value != usual[key] and not (single and key == "blocks")
    ]
