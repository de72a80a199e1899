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


class Observers:
    """All who want to see what goes over the wire."""

    def __init__(self) -> None:
        self._observers: list[Observer] = []

    def __bool__(self) -> bool:
        return bool(self._observers)

    def add(self, observer: Observer) -> None:
        """Show everything to `observer` from now on."""
        self._observers.append(observer)

    def show(self, observed: Observed) -> None:
        """Show it to all."""
        for observer in self._observers:
            observer(observed)
