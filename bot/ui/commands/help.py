"""`/help`: the commands in one screen."""

from __future__ import annotations

from typing import Final

from discord import Permissions, ui
from discord.utils import oauth_url

from bot.games.catalogue import CATALOGUE
from bot.message.text import CommandMention, text
from bot.screens.rules import how_to_play
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.context import Context

PERMISSIONS: Final = Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True
)


OF_ACCOUNT: Final = ("applications.commands",)
"""The scopes of a bot in a person's own account."""


class HelpCommand:
    """Shows the screen, with links to add the bot, and to its source, if that is anywhere."""

    def __init__(self, source: str | None) -> None:
        self._source = source

    def command(self, slash: SlashCommands) -> Slash:
        """The command."""
        return slash.command("help", self.show)

    async def show(self, ctx: Context) -> None:
        """Shows the screen."""
        words = ctx.words
        paragraphs = [
            text("help.title"),
            *map(how_to_play, CATALOGUE),
            text("help.play"),
            text("puzzle.help", puzzle=CommandMention("puzzle")),
            text("board.help", board=CommandMention("board")),
            text("games.help", games=CommandMention("games"), replay=CommandMention("replay")),
            text(
                "records.help",
                stats=CommandMention("stats"),
                leaderboard=CommandMention("leaderboard"),
                history=CommandMention("history"),
            ),
            text("me.help", me=CommandMention("me")),
        ]
        own = ctx.interaction.application_id
        links = {
            "help.invite": oauth_url(own, permissions=PERMISSIONS),
            "help.account": f"{oauth_url(own, scopes=OF_ACCOUNT)}&integration_type=1",
        }
        if self._source is not None:
            links["help.source"] = self._source
        buttons = (
            ui.Button[ui.LayoutView](label=words.of(text(key)), url=url)
            for key, url in links.items()
        )
        view = ui.LayoutView(timeout=None)
        row = ui.ActionRow[ui.LayoutView](*buttons)
        view.add_item(ui.Container(ui.TextDisplay("\n".join(map(words.line, paragraphs))), row))
        await ctx.response.say(view)
