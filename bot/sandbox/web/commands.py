"""REST: the bot's commands."""

from __future__ import annotations

from bot.sandbox.model.accounts import BOT
from bot.sandbox.model.news import CommandsChanged
from bot.sandbox.model.world import World
from bot.sandbox.rules.commands import read_commands
from bot.sandbox.web.calls import Call, Reply, Route, check_application


class CommandRoutes:
    """Registering commands."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[Route]:
        """The routes of this part of the API."""
        path = "/applications/{application_id}/commands"
        return [Route("GET", path, self._list), Route("PUT", path, self._replace)]

    def _list(self, call: Call) -> Reply:
        check_application(call, BOT)
        translated = call.wants("with_localizations")
        commands = self._world.commands
        return Reply(200, [command.payload(translated=translated) for command in commands])

    def _replace(self, call: Call) -> Reply:
        check_application(call, BOT)
        stored = self._world.commands.replace(read_commands(call.body))
        self._world.news.tell(CommandsChanged())
        return Reply(200, [command.payload() for command in stored])
