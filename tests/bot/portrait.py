"""The world in words, for the readers of a failed test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from bot.sandbox.model.components import Button, Control, Select
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import World


def portrait(world: World) -> str:
    """All channels with their messages, buttons and menus, a line each."""
    return "\n".join(_lines(world))


def _lines(world: World) -> Iterator[str]:
    commands = ", ".join(f"/{command.name}" for command in world.commands)
    yield f"commands: {commands or 'none'}"
    for channel in world.channels.values():
        messages = world.messages(channel)
        if messages:
            yield f"#{channel.name}"
        for message in messages:
            yield from _message(message)


def _message(message: Message) -> Iterator[str]:
    reader = "" if message.reader is None else f" (only {message.reader.name} sees it)"
    thinking = " is thinking" if message.thinking else ""
    yield f"  {message.author.name}{thinking}{reader}, revision {message.edits}"
    for line in message.text.splitlines():
        yield f"    | {line}"
    for _, row in groupby(message.buttons, key=lambda button: button.position[0]):
        yield f"    {' '.join(map(_control, row))}"
    yield from (f"    {_control(select)}" for select in message.menus)


def _control(control: Control) -> str:
    if not isinstance(control, Button):
        choices = [each.label for each in control.choices] if isinstance(control, Select) else []
        shown = f"{control.placeholder or control.custom_id} ▾ {' | '.join(choices)}"
    else:
        emoji = "" if control.emoji is None else control.emoji.name
        shown = f"{emoji}{control.label}".strip("\u200b") or "·"
    return f"({shown})" if control.disabled else f"[{shown}]"
