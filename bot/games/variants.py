"""The variants of a game that tournaments are played in, and the formats that fit it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.games.entry import Entry
from bot.table.refusals import UnknownControl
from bot.tournaments.tournament import Format
from engine.game import Options

USUAL: Final = "usual"
"""The variant of a game without options."""

OF: Final = "-"
"""Separates a game and its variant in the value of a menu's option."""

ARENA_SEATS: Final = 2


def formats(entry: Entry) -> Sequence[Format]:
    """The formats in which a game can be played, the default first."""
    if max(entry.game.seats) > 2:
        return (Format.HEATS,)
    return (Format.KNOCKOUT, Format.SWISS, Format.ALL_PLAY_ALL)


def variants(entry: Entry) -> Mapping[str, Options]:
    """The options of each variant: the game's presets, or the values of its first option.

    Variants that are often drawn, such as 3x3, come last.
    """
    game = entry.game
    chosen: dict[str, Options] = {USUAL: {}}
    if game.presets:
        chosen = {**game.presets}
    elif game.options:
        first = game.options[0]
        chosen = {str(value): {first.key: value} for value in first.values}
    settled = {
        name: game.settled({**options, **entry.all_places}) for name, options in chosen.items()
    }
    return dict(sorted(settled.items(), key=lambda each: entry.often_drawn(each[1])))


def offered() -> Sequence[Entry]:
    """The games in the order in which tournaments offer them, those with many draws last."""

    def often_drawn(entry: Entry) -> bool:
        return any(map(entry.often_drawn, variants(entry).values()))

    return sorted(CATALOGUE.values(), key=often_drawn)


def usual_duel() -> str:
    """The menu value of an arena's default game: the first offered."""
    return next(iter(duels()))


def games() -> Mapping[str, tuple[Entry, Options]]:
    """Each game in each of its variants, with its options, by the menu's values."""
    return {
        f"{entry.game.key}{OF}{variant}": (entry, options)
        for entry in offered()
        for variant, options in variants(entry).items()
    }


def duels() -> Mapping[str, tuple[Entry, Options]]:
    """The games for two, in which arenas are played, as in `games`."""
    return {word: game for word, game in games().items() if max(game[0].game.seats) == ARENA_SEATS}


def options_of(entry: Entry, variant: str) -> Options:
    """The options of a variant, or of the first one if the name is empty.

    Raises:
        UnknownControl: The game has no such variant.
    """
    found = variants(entry)
    if variant and variant not in found:
        raise UnknownControl
    return found[variant or next(iter(found))]
