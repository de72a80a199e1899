"""What went over the wire, for those who check it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot.sandbox.payload import Payload


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request to the REST API and its response.

    `path` is the template of Discord's OpenAPI description. `request` is the JSON that came (of a
    form with files, its `payload_json`), `response` the JSON that was answered; None where there
    was none. `files` are the names of the form's other fields.
    """

    method: str
    path: str
    request: object
    status: int
    response: object
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """An event sent over the gateway."""

    name: str
    data: Payload


Observed: TypeAlias = Exchange | Event
Observer: TypeAlias = Callable[[Observed], None]
"""A listener that is shown everything that goes over the wire."""
