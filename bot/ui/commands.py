"""The slash commands: those of the games, from the catalogue, and Parlour's own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from discord import Interaction, Locale, Member, User, app_commands
from discord.app_commands import Choice, TranslationContext, locale_str

from bot.games.catalogue import CATALOGUE
from bot.games.command import Field, Filled, Kind, Named, Request
from bot.games.entry import Entry
from bot.locales import Language
from bot.service.people import Form
from bot.table.seats import PersonId
from bot.ui.records_commands import records_commands
from bot.ui.slash import Slash, slash

if TYPE_CHECKING:
    from bot.ui.client import ParlourClient

GAME: Final = Field("game", Kind.TABLE)
PLAYER: Final = Field("player", Kind.PERSON)
FORM: Final = Field("form", Kind.CHOICE, choices=tuple(Form))

MOST_CHOICES: Final = 25
"""How many suggestions Discord shows while somebody types."""

MOST_OF_A_NAME: Final = 100
"""How many characters each may have: Discord refuses all of them for one that is longer."""

Offered = Callable[["Interaction[ParlourClient]"], Awaitable[list[tuple[str, str]]]]
"""Finds games to suggest, each by a name to choose it by and its number."""


class Translator(app_commands.Translator):
    """Gives Discord each name and description in every language there is a catalogue for."""

    def __init__(self, languages: Mapping[str, Language]) -> None:
        self._languages = languages

    async def translate(
        self,
        string: locale_str,
        locale: Locale,
        context: TranslationContext[Any, Any],  # noqa: ARG002
    ) -> str | None:
        """The text of a key in one language; None where there is no catalogue of it."""
        language = self._languages.get(locale.value)
        key = string.extras.get("key")
        return None if language is None or key is None else language.template(key)


def slash_commands(english: Language) -> list[Slash]:
    """Every slash command but those for settings, with English names and keys of translations."""
    games = (_game_command(entry, english) for entry in CATALOGUE)
    return [
        *games,
        _games_command(english),
        _board_command(english),
        _replay_command(english),
        *records_commands(english),
        _help_command(english),
    ]


def _game_command(entry: Entry, english: Language) -> Slash:
    async def callback(interaction: Interaction[ParlourClient], **options: Any) -> None:  # noqa: ANN401
        await interaction.client.desk.proposed(interaction, entry, _request(interaction, options))

    return slash(f"command.{entry.command.name}", callback, entry.command.fields, english)


def _board_command(english: Language) -> Slash:
    async def callback(interaction: Interaction[ParlourClient], **options: Any) -> None:  # noqa: ANN401
        asked = options[FORM.key]
        form = None if asked is None else Form(asked)
        await interaction.client.desk.reminded(interaction, options[GAME.key], form)

    command = slash("command.board", callback, (GAME, FORM), english)
    return _suggesting(command, lambda interaction: interaction.client.desk.games(interaction))


def _replay_command(english: Language) -> Slash:
    async def callback(interaction: Interaction[ParlourClient], **options: Any) -> None:  # noqa: ANN401
        await interaction.client.desk.replayed(interaction, options[GAME.key])

    command = slash("command.replay", callback, (GAME,), english)
    return _suggesting(command, lambda interaction: interaction.client.desk.finished(interaction))


def _suggesting(command: Slash, offered: Offered) -> Slash:
    """The command, with games suggested while somebody types which one they mean."""

    async def games(interaction: Interaction[ParlourClient], typed: str) -> list[Choice[str]]:
        return [
            Choice(name=_short(name), value=value)
            for name, value in await offered(interaction)
            if typed.casefold() in name.casefold()
        ][:MOST_CHOICES]

    command.autocomplete(GAME.key)(games)
    return command


def _short(name: str) -> str:
    return name if len(name) <= MOST_OF_A_NAME else f"{name[: MOST_OF_A_NAME - 1]}…"


def _games_command(english: Language) -> Slash:
    async def callback(interaction: Interaction[ParlourClient], **options: Any) -> None:  # noqa: ANN401
        player = options[PLAYER.key]
        by = None if player is None else PersonId(player.id)
        await interaction.client.desk.listings.open(interaction, by)

    return slash("command.games", callback, (PLAYER,), english)


def _help_command(english: Language) -> Slash:
    async def callback(interaction: Interaction[ParlourClient]) -> None:
        await interaction.client.desk.helped(interaction)

    return slash("command.help", callback, (), english)


def _request(interaction: Interaction[ParlourClient], options: Mapping[str, Any]) -> Request:
    bot = interaction.client.user
    assert bot is not None, "commands come to a bot that is logged in"
    values = {key: _filled(value, bot.id) for key, value in options.items() if value is not None}
    private = interaction.guild_id is None
    return Request(PersonId(interaction.user.id), PersonId(bot.id), values, private=private)


def _filled(value: Any, own: int) -> Filled:  # noqa: ANN401
    if isinstance(value, User | Member):
        return Named(PersonId(value.id), robot=value.bot and value.id != own)
    filled: Filled = value
    return filled
