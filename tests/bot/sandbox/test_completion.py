"""discord.py completes on the sandbox what a person types."""

from __future__ import annotations

import asyncio

import discord
import pytest
from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.sandbox import NotAnswered
from tests.bot.connection import connected
from tests.bot.sandbox.tiny import Interaction, TinyBot, data
from tests.bot.stand_in import ManualClock, Sandbox


async def test_options_are_completed_while_they_are_typed(sandbox: Sandbox) -> None:
    @app_commands.command(description="Show the board.")
    async def board(interaction: Interaction, game: str, size: int = 3) -> None:
        await interaction.response.send_message(f"{game} {size}")

    @board.autocomplete("game")
    async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        size = interaction.namespace.size
        return [app_commands.Choice(name=f"{current}{n} of {size}", value=f"g{n}") for n in (1, 2)]

    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    async with connected(TinyBot(commands=[board]), sandbox):
        choices = await ann.complete(games, "board", "game", "ab", size=4)
        typed = await (await ann.type(games, "board", game=choices[1].value)).answered()

    assert [(choice.name, choice.value) for choice in choices] == [
        ("ab1 of 4", "g1"),
        ("ab2 of 4", "g2"),
    ]
    assert typed.message.text == "g2 3"


class Me(app_commands.Group):
    """Subcommands with an option that is completed."""

    def __init__(self) -> None:
        super().__init__(name="me", description="Your own.")

    @app_commands.command(description="Take your data.")
    async def export(self, interaction: Interaction, year: int) -> None:
        await interaction.response.send_message(f"Of {year}")

    @export.autocomplete("year")
    async def years(self, interaction: Interaction, current: str) -> list[Choice[int]]:
        assert interaction.command is not None
        found = [year for year in (2024, 2025) if str(year).startswith(current)]
        return [Choice(name=f"{interaction.command.name} {year}", value=year) for year in found]


async def test_a_number_of_a_subcommand_is_completed_from_what_is_typed_of_it(
    sandbox: Sandbox,
) -> None:
    ann, games, bot = sandbox.person("Ann"), sandbox.channel("games"), TinyBot(commands=[Me()])
    async with connected(bot, sandbox):
        some = await ann.complete(games, "me export", "year", "20")
        one = await ann.complete(games, "me export", "year", "2025")
        none = await ann.complete(games, "me export", "year", "1")
        typed = await (await ann.type(games, "me export", year=one[0].value)).answered()

    assert [(choice.name, choice.value) for choice in some] == [
        ("export 2024", 2024),
        ("export 2025", 2025),
    ]
    assert (len(one), none, typed.message.text) == (1, (), "Of 2025")
    heard = bot.heard[0]
    assert heard.type is discord.InteractionType.autocomplete
    (subcommand,) = data(heard)["options"]
    assert subcommand["options"] == [{"type": 4, "name": "year", "value": "20", "focused": True}]


class German(app_commands.Translator):
    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        here = context.location is app_commands.TranslationContextLocation.choice_name
        known = here and locale is discord.Locale.german
        return {"Morris": "Mühle"}.get(string.message) if known else None


async def test_everybody_reads_suggestions_in_the_own_language(sandbox: Sandbox) -> None:
    @app_commands.command(description="Show the rules.")
    async def rules(interaction: Interaction, game: str) -> None:
        await interaction.response.send_message(game)

    @rules.autocomplete("game")
    async def complete(_: Interaction, current: str) -> list[Choice[str]]:
        return [Choice(name=locale_str("Morris"), value=f"morris{current}")]

    ann, ben, games = *map(sandbox.person, ("Ann", "Ben")), sandbox.channel("games")
    ben.locale = "de"
    bot = TinyBot(commands=[rules])
    async with connected(bot, sandbox):
        await bot.tree.set_translator(German())
        (english,) = await ann.complete(games, "rules", "game", "")
        (german,) = await ben.complete(games, "rules", "game", "")

    assert (english.name, german.name) == ("Morris", "Mühle")
    assert english.value == german.value == "morris"


async def test_twenty_five_suggestions_are_the_most(sandbox: Sandbox) -> None:
    refusals: list[int] = []

    @app_commands.command(description="Count.")
    async def count(interaction: Interaction, to: str) -> None:
        await interaction.response.send_message(to)

    @count.autocomplete("to")
    async def complete(interaction: Interaction, current: str) -> list[Choice[str]]:
        choices = [Choice(name=str(number), value=str(number)) for number in range(26)]
        try:
            await interaction.response.autocomplete(choices)
        except discord.HTTPException as refused:
            refusals.append(refused.code)
        return choices[: int(current)]

    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    async with connected(TinyBot(commands=[count]), sandbox):
        assert len(await ann.complete(games, "count", "to", "25")) == 25

    assert refusals == [50035]


async def test_suggestions_that_come_too_late_are_none(
    timed_sandbox: Sandbox, manual_clock: ManualClock
) -> None:
    @app_commands.command(description="Wait.")
    async def wait(interaction: Interaction, how_long: str) -> None:
        await interaction.response.send_message(how_long)

    @wait.autocomplete("how_long")
    async def complete(_: Interaction, current: str) -> list[Choice[str]]:
        await asyncio.Event().wait()
        return [Choice(name=current, value=current)]

    ann, games = timed_sandbox.person("Ann"), timed_sandbox.channel("games")
    async with connected(TinyBot(commands=[wait]), timed_sandbox):
        asking = asyncio.create_task(ann.complete(games, "wait", "how_long", "x"))
        await timed_sandbox.until(lambda: timed_sandbox.pending)
        manual_clock.advance(3)
        with pytest.raises(NotAnswered, match="Ann's autocomplete wait"):
            await asking
