"""The way from a control to its handler.

A handler says itself which controls it answers:

    @answers(Action.FIRST, Action.LAST)     by their members of the enum of their kind
    @answers(RecordsPage)                   all of a kind, by the type of their ids

Ids that are a member go to its handler, others to that of their kind. The handler of a kind whose
ids hold more than a member, such as the table of a button, finds that, and goes on to the member's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any, Final, TypeAlias, TypeVar

from bot.ui.context import Context

Handler: TypeAlias = Callable[[Context, Any], Awaitable[Any]]
"""Answers a control, as its ids or its kind say."""

Method = TypeVar("Method", bound=Callable[..., Awaitable[Any]])

_MARK: Final = "answered_controls"


def answers(*controls: StrEnum | type[Any]) -> Callable[[Method], Method]:
    """Mark a method as the handler of controls, or of all controls of a kind."""

    def marked(method: Method) -> Method:
        setattr(method, _MARK, controls)
        return method

    return marked


class Handlers:
    """The handlers of controls, gathered from the objects whose methods they are."""

    def __init__(self) -> None:
        self._by_control: dict[object, Handler] = {}

    def add(self, *owners: object) -> None:
        """Gather the marked methods of objects.

        Raises:
            ValueError: Two of them answer the same control.
        """
        for owner in owners:
            for name, method in vars(type(owner)).items():
                for control in getattr(method, _MARK, ()):
                    if _key(control) in self._by_control:
                        raise ValueError(f"{control!r} has two handlers.")
                    self._by_control[_key(control)] = getattr(owner, name)

    def get(self, control: object) -> Handler | None:
        """The handler of a member or a kind, if it has one of its own."""
        return self._by_control.get(_key(control))

    def __getitem__(self, ids: object) -> Handler:
        """The handler of ids that were read from a control.

        Raises:
            KeyError: Neither the member nor its kind has one.
        """
        return self.get(ids) or self._by_control[type(ids)]


def _key(control: object) -> object:
    """Members of two enums are equal if their words are; with their types they are not."""
    return (type(control), control) if isinstance(control, StrEnum) else control
