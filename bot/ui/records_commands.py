"""`/stats`, `/leaderboard` and `/history`: what is remembered of finished games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from discord import Interaction

from bot.games.catalogue import BY_KEY
from bot.games.command import Field, Kind
from bot.locales import Language
from bot.screens.pager import Scope, What
from bot.ui.slash import Slash, slash

if TYPE_CHECKING:
    from bot.ui.client import ParlourClient

WHOSE: Final = Field("whose", Kind.PERSON)
WHICH: Final = Field("which", Kind.CHOICE, choices=tuple(BY_KEY))
SCOPE: Final = Field("scope", Kind.CHOICE, choices=tuple(Scope))

FIELDS: Final = {
    What.STATS: (WHOSE, WHICH),
    What.LEADERBOARD: (WHICH, SCOPE),
    What.HISTORY: (WHOSE, WHICH),
}


def records_commands(english: Language) -> list[Slash]:
    """The commands, with English names and the keys of the translations."""
    return [_command(what, english) for what in What]


def _command(what: What, english: Language) -> Slash:
    async def callback(interaction: Interaction[ParlourClient], **options: Any) -> None:  # noqa: ANN401
        await interaction.client.desk.record_book.open(interaction, what, **options)

    return slash(f"command.{what}", callback, FIELDS[what], english)
