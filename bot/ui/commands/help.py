"""`/help`: the games and the commands."""

from __future__ import annotations

from bot.screens.help import HelpPage, help_screen
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.handlers import Context, answers
from bot.ui.invitations import to_account, to_server
from bot.ui.render import Drawing, page_view


class HelpCommand:
    """Shows help, with links to add the bot, and to its source if that has an address."""

    def __init__(self, source: str | None) -> None:
        self._source = source

    def command(self, slash: SlashCommands) -> Slash:
        """The command."""
        return slash.command("help", self.show)

    async def show(self, ctx: Context) -> None:
        """Shows the first page."""
        await ctx.response.say(self._page(ctx, HelpPage()))

    @answers(HelpPage)
    async def turn(self, ctx: Context, page: HelpPage) -> None:
        """Shows another page in place of the one before."""
        await ctx.response.show(self._page(ctx, page))

    def _page(self, ctx: Context, page: HelpPage) -> Drawing:
        own = ctx.interaction.application_id
        links = {"help.invite": to_server(own), "help.account": to_account(own)}
        if self._source is not None:
            links["help.source"] = self._source
        manages = ctx.manages and ctx.place.home is not None
        return page_view(help_screen(links, page, manages=manages), ctx.words)
