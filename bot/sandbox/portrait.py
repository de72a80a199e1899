"""The world in words, for the readers of a failed test."""

from __future__ import annotations

from collections.abc import Iterator

from bot.sandbox.model.controls import Select
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
    yield f"  {message.author.name}{thinking}{reader}, revision {message.revision}"
    for line in message.text.splitlines():
        yield f"    | {line}"
    rows: dict[int, list[str]] = {}
    for button in message.buttons:
        emoji = "" if button.emoji is None else button.emoji.name
        shown = f"{emoji}{button.label}".strip("\u200b") or "·"
        rows.setdefault(button.position[0], []).append(
            f"({shown})" if button.disabled else f"[{shown}]"
        )
    yield from (f"    {' '.join(row)}" for row in rows.values())
    yield from (f"    {_menu(select)}" for select in message.selects)


def _menu(select: Select) -> str:
    shown = select.placeholder or select.custom_id
    choices = " | ".join(choice.label for choice in select.choices)
    return f"({shown} ▾ {choices})" if select.disabled else f"[{shown} ▾ {choices}]"
