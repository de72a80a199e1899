"""A request to the REST API and its reply, without HTTP; its route, and the wire it comes over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.files import Upload
from bot.sandbox.model.registry import Interactions
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload, Snowflake, snowflake
from bot.sandbox.refusals import UNKNOWN_CHANNEL, UNKNOWN_USER, RequestRefused, Rule


@dataclass(frozen=True, slots=True)
class Api:
    """The world that requests are about; `gateway` is the address of the websocket."""

    world: World
    interactions: Interactions
    gateway: Callable[[], str]

    def account(self, user: Snowflake, otherwise: Rule = UNKNOWN_USER) -> Account:
        """The account with that id.

        Raises:
            RequestRefused: There is none.
        """
        account = self.world.accounts.get(user)
        if account is None:
            raise RequestRefused(otherwise)
        return account

    def channel(self, channel_id: Snowflake) -> Channel:
        """The channel with that id.

        Raises:
            RequestRefused: There is none.
        """
        channel = self.world.channels.get(channel_id)
        if channel is None:
            raise RequestRefused(UNKNOWN_CHANNEL)
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
        """The id in the path; 0, which is nothing's, where that is no id."""
        return snowflake(self.params[name])

    def wants(self, name: str) -> bool:
        """Whether the query says yes to `name`."""
        return self.query.get(name, "").lower() in {"1", "true"}


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


class Wire:
    """Carries requests and events between the bot and the sandbox unchanged.

    Tests replace it by a strict Discord with outages.
    """

    def check(self, api: Api, call: Call) -> None:
        """Refuse a request that breaks a rule of Discord's; this wire refuses none.

        Raises:
            RequestRefused: A rule is broken.
        """

    async def carry(self, call: Call, serve: Callable[[Call], Reply]) -> Reply | None:
        """The reply to a request; None to cut the connection without an answer."""
        return serve(call)

    def told(self, name: str, data: Payload) -> None:
        """Note that an event is sent over the gateway."""


Handler: TypeAlias = Callable[[Api, Call], object]
"""Carries out a request; returns the body of the reply, or None for a reply without one."""

H = TypeVar("H", bound=Handler)


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path as in Discord's OpenAPI description, and what carries it out."""

    method: str
    path: str
    handler: Handler
    status: int


class Routes(list[Route]):
    """The routes of a part of the API."""

    def __call__(self, method: str, *paths: str, status: int = 200) -> Callable[[H], H]:
        """Let the decorated handler carry out requests to the paths."""

        def add(handler: H) -> H:
            self.extend(Route(method, path, handler, status) for path in paths)
            return handler

        return add
