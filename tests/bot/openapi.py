"""Requests, responses and events, held against Discord's own OpenAPI description.

Requests of the bot are held against the body of their operation, unless they were refused; all
responses of the sandbox against those of their operation; events against the schema of what they
carry. The description is not part of the repository: it lies beside it, in `shared/discord`.
"""

from __future__ import annotations

import copy
import gc
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from jsonschema_rs import Draft202012, Draft202012Validator, Registry

from tests.bot.trouble import Event, Exchange, Observed

DESCRIPTION: Final = Path(__file__).parents[3] / "shared" / "discord" / "openapi.json"

SCHEMA_OF_EVENT: Final[Mapping[str, Mapping[str, str]]] = {
    "READY": {"user": "UserResponse"},
    "GUILD_CREATE": {
        "": "GuildResponse",
        "members/*": "GuildMemberResponse",
        "channels/*": "GuildChannelResponse",
        "threads/*": "ThreadResponse",
        "roles/*": "GuildRoleResponse",
    },
    "MESSAGE_CREATE": {"": "MessageResponse"},
    "MESSAGE_UPDATE": {"": "MessageResponse"},
    "INTERACTION_CREATE": {
        "message": "MessageResponse",
        "member": "PrivateGuildMemberResponse",
        "user": "UserResponse",
        "data/resolved/users/*": "UserResponse",
    },
}
"""Which parts of an event have a schema; `*` is each of an array or object."""


FORM: Final = "multipart/form-data"
FILES: Final = frozenset(f"files[{index}]" for index in range(10))
"""The fields a form may have besides its `payload_json`."""


def _exceptions(schemas: dict[str, Any], *, requests: bool) -> None:
    """Where the description is narrower than what is really sent."""
    if requests:
        # discord.py writes ids as numbers in places; Discord takes both.
        schemas["SnowflakeType"] = {"type": ["string", "integer"], "pattern": "^(0|[1-9][0-9]*)$"}
        # `attachment://board.png` is how a message names its own files.
        schemas["UnfurledMediaRequest"]["properties"]["url"].pop("format")
        schemas["UnfurledMediaRequestWithAttachmentReferenceRequired"]["properties"]["url"].pop(
            "format"
        )
        schemas["RichEmbedImage"]["properties"]["url"].pop("format", None)
    else:
        # The faults of single fields have words as codes: BASE_TYPE_REQUIRED.
        faults = schemas["InnerErrors"]["properties"]["_errors"]
        faults["items"] = {"type": "object", "properties": {"code": {"type": "string"}}}


def _told_apart(schemas: dict[str, Any], part: Any) -> None:
    """Unions of components and options are told apart by `type`, so that a fault is the member's.

    Otherwise it would say only that none of up to eleven schemas fits.
    """
    for inner in part.values() if isinstance(part, dict) else part:
        if isinstance(inner, dict | list):
            _told_apart(schemas, inner)
    for union in (part.get("oneOf"),) if isinstance(part, dict) else ():
        members = union if isinstance(union, list) else []
        types = [_types(schemas, member) for member in members]
        if not members or not all(types):
            continue
        chosen: Any = {"oneOf": part.pop("oneOf")}
        for member, each in zip(members, types, strict=True):
            fits = {"required": ["type"], "properties": {"type": {"enum": each}}}
            chosen = {"if": fits, "then": member, "else": chosen}
        part["allOf"] = [*part.get("allOf", ()), chosen]


def _types(schemas: dict[str, Any], member: Any) -> list[Any]:
    """The types by which a member of a union is known."""
    name = member.get("$ref", "").removeprefix("#/components/schemas/")
    found = schemas.get(name, {}).get("properties", {}).get("type", {}).get("enum", ())
    return [*found]


class Description:
    """Discord's description, ready to hold values against it."""

    def __init__(self, document: dict[str, Any], *, requests: bool) -> None:
        document = copy.deepcopy(document)
        schemas = document["components"]["schemas"]
        _exceptions(schemas, requests=requests)
        _told_apart(schemas, document)
        self._paths = document["paths"]
        self._registry = Registry([("urn:discord", document)], draft=Draft202012)
        self._validators: dict[tuple[str, ...], Draft202012Validator] = {}

    def faults(self, value: object, *pointer: str) -> Iterator[str]:
        """The faults of a value by the schema at a pointer."""
        if pointer not in self._validators:
            steps = (quote(step.replace("~", "~0").replace("/", "~1")) for step in pointer)
            self._validators[pointer] = Draft202012Validator(
                {"$ref": "urn:discord#/" + "/".join(steps)},
                registry=self._registry,
                validate_formats=True,
            )
        validator = self._validators[pointer]
        if validator.is_valid(value):  # found out in a third of the time
            return
        for error in validator.iter_errors(value):
            where = "/".join(map(str, error.instance_path))
            yield f"/{where}: {error.message[:300]}"

    def operation(self, exchange: Exchange) -> Mapping[str, Any] | None:
        """The description of an exchange's operation."""
        found: Mapping[str, Any] | None = self._paths.get(exchange.path, {}).get(
            exchange.method.lower()
        )
        return found


@lru_cache
def descriptions() -> tuple[Description, Description]:
    """The description for requests, and that for responses and events."""
    document = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    both = Description(document, requests=True), Description(document, requests=False)
    gc.freeze()  # they stay
    return both


class Conformance:
    """Looks at what goes over the wire; `faults` are what it has found wrong."""

    def __init__(self) -> None:
        self._requests, self._responses = descriptions()
        self.faults: list[str] = []
        self.looked_at = 0

    def __call__(self, observed: Observed) -> None:
        """Look at an exchange or event."""
        self.looked_at += 1
        if isinstance(observed, Event):
            self.faults += self._event(observed)
        else:
            about = f"{observed.method} {observed.path} ({observed.status})"
            self.faults += [f"{about}: {fault}" for fault in self._exchange(observed)]

    def _exchange(self, exchange: Exchange) -> Iterator[str]:
        operation = self._requests.operation(exchange)
        if operation is None:
            yield "Discord has no such operation"
            return
        at = ("paths", exchange.path, exchange.method.lower())
        if exchange.status < 400:
            yield from self._request(exchange, operation, at)
        if exchange.status < 500:
            yield from self._response(exchange, operation, at)

    def _request(
        self, exchange: Exchange, operation: Mapping[str, Any], at: tuple[str, ...]
    ) -> Iterator[str]:
        body = operation.get("requestBody")
        if exchange.request is None:
            if body is not None and body.get("required"):
                yield "the request has no body"
        elif body is None:
            yield "the request has a body"
        elif exchange.files and FORM not in body["content"]:
            yield "the request is a form"
        else:
            kind = FORM if exchange.files else "application/json"
            schema = ("requestBody", "content", kind, "schema")
            yield from self._requests.faults(exchange.request, *at, *schema)
            strange = sorted(set(exchange.files) - FILES)
            yield from (f"the form has a field {name}" for name in strange)

    def _response(
        self, exchange: Exchange, operation: Mapping[str, Any], at: tuple[str, ...]
    ) -> Iterator[str]:
        status = str(exchange.status)
        if status not in operation["responses"]:
            status = f"{status[0]}XX"
        described = operation["responses"].get(status)
        if described is None:
            yield "Discord never answers so"
        elif "$ref" in described:
            where = described["$ref"].removeprefix("#/").split("/")
            schema = ("content", "application/json", "schema")
            yield from self._responses.faults(exchange.response, *where, *schema)
        elif "content" in described:
            at = (*at, "responses", status, "content", "application/json", "schema")
            yield from self._responses.faults(exchange.response, *at)
        elif exchange.response is not None:
            yield "the response has a body"

    def _event(self, event: Event) -> Iterator[str]:
        for where, schema in SCHEMA_OF_EVENT.get(event.name, {}).items():
            for part in _parts(event.data, where.split("/") if where else []):
                for fault in self._responses.faults(part, "components", "schemas", schema):
                    yield f"{event.name} {where}: {fault}"


def _parts(value: Any, path: list[str]) -> Iterator[object]:
    if not path:
        yield value
    elif path[0] == "*":
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _parts(inner, path[1:])
    elif path[0] in value:
        yield from _parts(value[path[0]], path[1:])
