"""REST: the bot's commands, global and of a server."""

from __future__ import annotations

from bot.sandbox.model.accounts import BOT
from bot.sandbox.model.changes import CommandsChanged
from bot.sandbox.model.commands import Command
from bot.sandbox.model.world import World
from bot.sandbox.rules.commands import check_count, read_command, read_commands
from bot.sandbox.rules.refusals import Refused, Rule
from bot.sandbox.snowflakes import Snowflake
from bot.sandbox.web.calls import NOTHING, Call, Reply, Route, check_application


class CommandRoutes:
    """Registering commands."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[Route]:
        """The routes of this part of the API."""
        application = "/applications/{application_id}"
        found: list[Route] = []
        for place in (application, f"{application}/guilds/{{guild_id}}"):
            one = f"{place}/commands/{{command_id}}"
            found += [
                Route("GET", f"{place}/commands", self._list),
                Route("PUT", f"{place}/commands", self._put_all),
                Route("POST", f"{place}/commands", self._put),
                Route("GET", one, self._get),
                Route("PATCH", one, self._change),
                Route("DELETE", one, self._delete),
            ]
        return found

    def _guild(self, call: Call) -> Snowflake | None:
        check_application(call, BOT)
        if "guild_id" not in call.params:
            return None
        if call.id("guild_id") != self._world.guild.id:
            raise Refused(Rule.MISSING_ACCESS)
        return self._world.guild.id

    def _command(self, call: Call) -> Command:
        guild_id = self._guild(call)
        command = self._world.commands.get(call.id("command_id"), guild_id)
        if command is None:
            raise Refused(Rule.UNKNOWN_COMMAND)
        return command

    def _list(self, call: Call) -> Reply:
        translated = call.wants("with_localizations")
        commands = self._world.commands.within(self._guild(call))
        return Reply(200, [command.payload(translated=translated) for command in commands])

    def _put_all(self, call: Call) -> Reply:
        guild_id = self._guild(call)
        commands = read_commands(call.body, guild_id)
        stored = self._world.commands.put_all(commands, guild_id)
        self._world.news.tell(CommandsChanged())
        return Reply(200, [command.payload() for command in stored])

    def _put(self, call: Call) -> Reply:
        guild_id = self._guild(call)
        command = read_command(call.body, guild_id)
        there = self._world.commands.within(guild_id)
        old = next((each for each in there if each.same_place(command)), None)
        check_count([command, *(each for each in there if each is not old)])
        stored = self._world.commands.put(command)
        self._world.news.tell(CommandsChanged())
        return Reply(201 if old is None else 200, stored.payload())

    def _get(self, call: Call) -> Reply:
        return Reply(200, self._command(call).payload())

    def _change(self, call: Call) -> Reply:
        old = self._command(call)
        changed = self._world.commands.replace(old, read_command(call.body, old.guild_id, old))
        self._world.news.tell(CommandsChanged())
        return Reply(200, changed.payload())

    def _delete(self, call: Call) -> Reply:
        self._world.commands.remove(self._command(call))
        self._world.news.tell(CommandsChanged())
        return NOTHING
