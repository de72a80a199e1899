"""One request to the REST API and its reply, free of HTTP."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.sandbox.model.files import Upload
from bot.sandbox.rules.forms import JsonForm, Problems
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.snowflakes import Snowflake


@dataclass(frozen=True, slots=True)
class Call:
    """A request: `params` are the variable parts of its path."""

    params: Mapping[str, str]
    query: Mapping[str, str]
    body: object = None
    uploads: tuple[Upload, ...] = ()

    def id(self, name: str) -> Snowflake:
        """The id in the path.

        Raises:
            RequestRefused: It is not an id.
        """
        value = self.params[name]
        if not value.isdecimal():
            problems = Problems()
            problems.note((name,), "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
            problems.check()
        return Snowflake(int(value))

    def form(self) -> JsonForm:
        """The body, to be read field by field.

        Raises:
            RequestRefused: It is not a JSON object.
        """
        form = JsonForm(self.body, Problems())
        form.problems.check()
        return form

    def wants(self, name: str) -> bool:
        """Whether the query says yes to `name`."""
        return self.query.get(name, "").lower() in {"1", "true"}


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered; no body is no content."""

    status: int
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def to(cls, refused: RequestRefused) -> Reply:
        """The answer to a refused request."""
        return cls(refused.status, refused.body)


NOTHING = Reply(204)
"""Done, and nothing to say."""

Handler: TypeAlias = Callable[[Call], Reply]


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path as in Discord's OpenAPI description, and what carries it out.

    An `open` route needs no bot token: what stands in its path is secret enough.
    """

    method: str
    path: str
    handler: Handler
    open: bool = False


def check_application(call: Call, application: Snowflake) -> None:
    """Go on only if the path names this application.

    Raises:
        RequestRefused: It names another.
    """
    if call.id("application_id") != application:
        raise RequestRefused(Rule.UNKNOWN_APPLICATION)
