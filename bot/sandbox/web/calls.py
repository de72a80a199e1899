"""A request to the REST API and its reply, free of HTTP, its route, and the world it is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from bot.sandbox.model.accounts import BOT, Account, Permission
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.files import Upload
from bot.sandbox.model.world import World
from bot.sandbox.rules.bodies import Draft, MessageContext
from bot.sandbox.rules.callbacks import Callbacks
from bot.sandbox.rules.forms import invalid
from bot.sandbox.rules.interactions import Interactions
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.snowflakes import Snowflake


@dataclass(frozen=True, slots=True)
class Api:
    """The world that requests are about; `gateway` is the address of the websocket."""

    world: World
    interactions: Interactions
    context: MessageContext
    callbacks: Callbacks
    gateway: Callable[[], str]

    def account(self, user: Snowflake, otherwise: Rule = Rule.UNKNOWN_USER) -> Account:
        """The account with that id.

        Raises:
            RequestRefused: There is none.
        """
        account = self.world.accounts.get(user)
        if account is None:
            raise RequestRefused(otherwise)
        return account

    def channel(self, channel_id: Snowflake, *needed: Permission) -> Channel:
        """The channel with that id, where the bot has the permissions that are `needed`.

        Raises:
            RequestRefused: There is none, or the bot may not do that there.
        """
        channel = self.world.channels.get(channel_id)
        if channel is None:
            raise RequestRefused(Rule.UNKNOWN_CHANNEL)
        if not self.world.shown(channel):
            raise RequestRefused(Rule.MISSING_ACCESS)
        if not all(channel.bot_may(permission) for permission in needed):
            raise RequestRefused(Rule.MISSING_PERMISSIONS)
        return channel


@dataclass(frozen=True, slots=True)
class Sent:
    """The JSON of a request (None where there was none) and the files that came with it.

    `fields` are the names of a form's fields other than `payload_json`.
    """

    body: object = None
    uploads: tuple[Upload, ...] = ()
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A request to a route at `path`: `params` are the variable parts of that.

    The `reason` is for the audit log of a server.
    """

    route: Route
    path: str
    token: str | None
    params: Mapping[str, str]
    query: Mapping[str, str]
    sent: Sent
    reason: str = ""

    def id(self, name: str) -> Snowflake:
        """The id in the path.

        Raises:
            RequestRefused: It is not an id.
        """
        value = self.params[name]
        if not value.isdecimal():
            raise invalid("NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.', at=(name,))
        return Snowflake(int(value))

    def draft(self) -> Draft:
        """The message that the call sends."""
        return Draft(self.sent.body, self.sent.uploads)

    def wants(self, name: str) -> bool:
        """Whether the query says yes to `name`."""
        return self.query.get(name, "").lower() in {"1", "true"}

    def reply(self, api: Api) -> Reply:
        """The reply of the route.

        Raises:
            RequestRefused: The call has not the bot's token or breaks a rule, or its path names
                another application.
        """
        if not self.route.tokenless and self.token != f"Bot {api.world.application.token}":
            raise RequestRefused(Rule.UNAUTHORIZED)
        if "application_id" in self.params and self.id("application_id") != BOT:
            raise RequestRefused(Rule.UNKNOWN_APPLICATION)
        body = self.route.handler(api, self)
        return Reply(204 if body is None else self.route.status, body)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer; without a body it has no content."""

    status: int
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def to(cls, refused: RequestRefused) -> Reply:
        """The answer to a refused request."""
        return cls(refused.status, refused.body)


Handler: TypeAlias = Callable[[Api, Call], object]
"""Carries out a request; what it returns is the body of the reply, and None that there is none."""

H = TypeVar("H", bound=Handler)


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path as in Discord's OpenAPI description, and what carries it out.

    A `tokenless` route needs none of the bot: what stands in its path is secret enough.
    """

    method: str
    path: str
    handler: Handler
    tokenless: bool = False
    status: int = 200


class Routes(list[Route]):
    """The routes of a part of the API."""

    def __call__(
        self, method: str, *paths: str, tokenless: bool = False, status: int = 200
    ) -> Callable[[H], H]:
        """Let the decorated handler carry out requests to the paths."""

        def add(handler: H) -> H:
            self.extend(Route(method, path, handler, tokenless, status) for path in paths)
            return handler

        return add
