"""REST: the bot's application, as it reads and changes it itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.sandbox.model.guild import Membership
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.rules.forms import JsonForm
from bot.sandbox.web.calls import Call, Reply, Route

KINDS: Final = ("0", "1")
MOST_SCOPES: Final = 20


class ApplicationRoutes:
    """Looking at the application, and setting how it is installed."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[Route]:
        """The routes of this part of the API."""
        return [
            Route("GET", "/applications/@me", self._show),
            Route("PATCH", "/applications/@me", self._change),
            Route("GET", "/oauth2/applications/@me", self._show),
        ]

    def _show(self, _: Call) -> Reply:
        return Reply(200, application(self._world))

    def _change(self, call: Call) -> Reply:
        form = call.form()
        installs = form.part("integration_types_config")
        read = {} if installs is None else dict(_installs(installs))
        form.problems.check()
        if installs is not None:
            self._world.application.installs = read
        return Reply(200, application(self._world))


def _installs(form: JsonForm) -> Iterator[tuple[str, Payload]]:
    """The kinds of install that are on from now; those that are not named are off."""
    for kind in form.keys() & {*KINDS}:
        given = form.part(kind)
        params = None if given is None else given.part("oauth2_install_params")
        if params is None:
            continue
        scopes = params.texts("scopes", most=MOST_SCOPES)
        permissions = params.number("permissions", default=0)
        if permissions and "bot" not in scopes:
            params.fail("permissions", "BASE_TYPE_CHOICES", "Permissions need the scope bot.")
        yield kind, {"scopes": scopes, "permissions": str(permissions)}


def application(world: World) -> Payload:
    """The application whose bot is under test."""
    return {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "icon": None,
        "description": "The bot under test.",
        "type": None,
        "bot": world.bot.payload(),
        "bot_public": True,
        "verify_key": "0" * 64,
        "redirect_uris": [],
        "role_connections_verification_url": None,
        "owner": world.guild.owner.payload(),
        "approximate_guild_count": int(world.guild.membership is not Membership.LEFT),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
        **world.application.payload(),
    }
