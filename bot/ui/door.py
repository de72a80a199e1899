"""The door between Discord and the handlers: what was never offered is refused before they run.

A press is checked against its message as Discord sends it: the control must be there and enabled,
and the values among those it offers, as many as it allows. An ephemeral message accepts presses
of its reader only. A form is checked against the questions of its id, and a command against its
declaration: options by name, type, choices and bounds.

A press right after a change of the board may be a slip, meant for what was there before.

Handlers check only what depends on stored data: rights, turns, and a tournament's server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import discord
from discord import (
    AppCommandOptionType,
    AppCommandType,
    Button,
    ComponentType,
    Interaction,
    InteractionType,
    Message,
    SelectMenu,
)
from discord.app_commands import Command, CommandTree, ContextMenu, Parameter

from bot.cache import KB, Cache
from bot.message.blocks import Answer, AnyOf, FormIds, FormQuestion, OneFile, OneLine, OneOf
from bot.screens.dice import WordForm
from bot.table.refusals import Refusal, UnknownControl
from bot.ui.custom_ids import control_on, is_snowflake, layout_on, places, read, table_on

Data: TypeAlias = Mapping[str, Any]

LONGEST_TEXT: Final = 6_000
"""The most characters of a text option, unless it declares fewer."""


def contents(interaction: Interaction[Any]) -> object | None:
    """The parsed id of a control or a form; None if this version does not know it."""
    data: Data = interaction.data or {}
    custom_id = data.get("custom_id")
    return read(custom_id) if isinstance(custom_id, str) else None


def values(interaction: Interaction[Any], ids: object | None) -> tuple[str, ...]:
    """The values that were chosen at a control.

    Raises:
        UnknownControl: The message has no such control, or is not for this person.
        Refusal: The control is disabled, or does not offer these values.
    """
    data: Data = interaction.data or {}
    message = interaction.message
    if ids is None or message is None or not _is_reader(interaction.user.id, message):
        raise UnknownControl
    control = control_on(message, str(data["custom_id"]))
    if control is None or data.get("component_type") != control.type.value:
        raise UnknownControl
    if control.disabled:
        raise Refusal("not_offered")
    return () if isinstance(control, Button) else _chosen(interaction, control)


def filled(interaction: Interaction[Any], ids: object | None) -> Mapping[str, tuple[str, ...]]:
    """The answers of a form by the names of its questions; for a file, its attachment's id.

    Raises:
        UnknownControl: There is no such form, or its message is not for this person.
        Refusal: The form asks other questions, or does not accept these answers.
    """
    message = interaction.message
    if not isinstance(ids, FormIds) or (message and not _is_reader(interaction.user.id, message)):
        raise UnknownControl
    session = ids.session if isinstance(ids, WordForm) else None
    if session != (None if message is None else table_on(message)):
        raise UnknownControl
    data: Data = interaction.data or {}
    questions, given = ids.form().questions, _given(data.get("components"))
    if {*given} != {each.name for each in questions}:
        raise Refusal("not_offered")
    files = data.get("resolved", {}).get("attachments", {})
    return {each.name: _answer(each, given[each.name], files) for each in questions}


def _given(components: object) -> Mapping[str, Data]:
    """The components of a submitted form by their ids.

    Raises:
        Refusal: They do not have the form in which Discord sends them.
    """
    given: dict[str, Data] = {}
    for label in components if isinstance(components, list) else [None]:
        match label:
            case {"component": {"custom_id": str(name)} as component} if name not in given:
                given[name] = component
            case _:
                raise Refusal("not_offered")
    return given


def _answer(question: FormQuestion, given: Data, files: Data) -> tuple[str, ...]:
    """The checked answer to a question; `files` are the attachments of the form.

    Raises:
        Refusal: The answer is of another kind, or not allowed by the question.
    """
    asked = question.answer
    match asked, given:
        case OneLine(), {"value": str(line)} if len(line) <= asked.most:
            found = [line]
        case OneOf(), ({"values": [str(value)]} | {"value": str(value)}) if _has(asked, value):
            found = [value]
        case AnyOf(), {"values": [*values]} if all(_has(asked, value) for value in values):
            found = values
        case OneFile(), {"values": [str(file)]} if file in files:
            found = [file]
        case _:
            raise Refusal("not_offered")
    if given.get("type") != _kind(asked).value or len({*found}) < len(found):
        raise Refusal("not_offered")
    return tuple(found)


def _has(asked: OneOf | AnyOf, value: object) -> bool:
    return any(value == choice.value for choice in asked.choices)


def _kind(asked: Answer) -> ComponentType:
    """The type of the modal's component that takes an answer."""
    match asked:
        case OneLine():
            return ComponentType.text_input
        case OneOf():
            return ComponentType.select if asked.menu else ComponentType.radio_group
        case AnyOf():
            return ComponentType.checkbox_group
        case OneFile():
            return ComponentType.file_upload


def declares(tree: CommandTree[Any], interaction: Interaction[Any]) -> bool:
    """Whether a command, or a request for suggestions, fits its declaration in the tree."""
    data: Data = interaction.data or {}
    declared = tree.get_command(str(data.get("name")), type=_type(data))
    options, resolved = data.get("options", []), data.get("resolved", {})
    match declared:
        case ContextMenu():
            of = "users" if declared.type is AppCommandType.user else "messages"
            return data.get("target_id") in resolved.get(of, {})
        case Command() if interaction.type is InteractionType.autocomplete:
            return _is_typing(options, declared)
        case Command():
            return _fit(options, declared, resolved.get("users", {}))
        case _:
            return False


def _is_reader(person: int, message: Message) -> bool:
    """Whether a person can read a message: it is not ephemeral, or answers them."""
    asked = message.interaction_metadata
    return not message.flags.ephemeral or asked is None or asked.user.id == person


def _chosen(interaction: Interaction[Any], menu: SelectMenu) -> tuple[str, ...]:
    """The values chosen in a menu.

    Raises:
        Refusal: The menu does not offer these values, or does not allow that many at once.
    """
    data: Data = interaction.data or {}
    offers = OFFERS[menu.type](interaction, menu)
    match data.get("values"):
        case [*values] if (
            menu.min_values <= len(values) <= menu.max_values
            and all(isinstance(value, str) and offers(value) for value in values)
            and len({*values}) == len(values)
        ):
            return tuple(values)
    raise Refusal("not_offered")


def _lines(_: Interaction[Any], menu: SelectMenu) -> Callable[[str], bool]:
    return {option.value for option in menu.options}.__contains__


def _people(interaction: Interaction[Any], _: SelectMenu) -> Callable[[str], bool]:
    data: Data = interaction.data or {}
    known = data.get("resolved", {}).get("users", {})
    return lambda value: is_snowflake(value) and value in known


def _channels(interaction: Interaction[Any], menu: SelectMenu) -> Callable[[str], bool]:
    guild = interaction.guild

    def offers(value: str) -> bool:
        channel = guild.get_channel(int(value)) if guild and is_snowflake(value) else None
        return channel is not None and channel.type in menu.channel_types

    return offers


OFFERS: Final = {
    ComponentType.select: _lines,
    ComponentType.user_select: _people,
    ComponentType.channel_select: _channels,
}
"""Whether a menu offers a value, by its kind: a line of its own, a person, a channel of the server
of a type that it lists."""


def _type(data: Data) -> AppCommandType:
    kinds: Mapping[object, AppCommandType] = {kind.value: kind for kind in AppCommandType}
    return kinds.get(data.get("type"), AppCommandType.chat_input)


def _fit(options: object, command: Command[Any, ..., Any], people: Data) -> bool:
    """Whether options are declared by a command, none twice or missing, with valid values."""
    declared = {each.display_name: each for each in command.parameters}
    if not isinstance(options, list):
        return False
    for option in options:
        match option:
            case {"name": str(name), "type": kind, "value": value} if name in declared:
                parameter = declared.pop(name)
                if kind != parameter.type.value or not _takes(parameter, value, people):
                    return False
            case _:
                return False
    return not any(left.required for left in declared.values())


def _is_typing(options: object, command: Command[Any, ..., Any]) -> bool:
    """Whether a person is typing the value of an option that has suggestions.

    The other options are not checked: they may be half typed, or lack the people they name.
    """
    suggesting = {each.display_name for each in command.parameters if each.autocomplete}
    if not isinstance(options, list):
        return False
    typed = [option for option in options if isinstance(option, dict) and option.get("focused")]
    match typed:
        case [{"name": str(name), "type": 3, "value": str()}]:
            return name in suggesting
    return False


def _takes(parameter: Parameter, value: object, people: Data) -> bool:
    """Whether an option accepts a value; `people` are the users resolved by Discord."""
    least, most = parameter.min_value, parameter.max_value
    if parameter.choices:
        return any(value == choice.value for choice in parameter.choices)
    match parameter.type, value:
        case AppCommandOptionType.integer, int(number) if not isinstance(number, bool):
            size = number
        case AppCommandOptionType.string, str(line):
            size, most = len(line), most or LONGEST_TEXT
        case AppCommandOptionType.user, str(person):
            return is_snowflake(person) and person in people
        case AppCommandOptionType.boolean, bool():
            return True
        case _:
            return False
    return (least is None or size >= least) and (most is None or size <= most)


SETTLED_AFTER: Final = 0.7
"""Seconds after a change in which nobody can have read the board; a double tap comes sooner."""


LAYOUTS: Final = 640 * KB
"""The bytes for the layouts of boards; others are not guarded against slips until drawn again."""

A_LAYOUT: Final = 512
"""The bytes of a layout, at most of a board of 25 squares."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a message from the layout `before`, by a press of its button `pressed`, if any.

    `at` is the event loop's time, in seconds.
    """

    at: float
    message: int
    before: str
    pressed: str | None


class Slips:
    """Recognises slips: presses within `lasting` seconds after a change of the board.

    Such a press is a slip on a button that was not in the same place before, and on the button
    that made the change (a double tap).
    """

    def __init__(self, lasting: float) -> None:
        self._lasting = lasting
        self._changes: list[Change] = []
        self.layouts: Cache[int, str] = Cache("layouts", LAYOUTS, lambda _: A_LAYOUT)
        """The layouts of running games' boards by their messages, as drawn last."""

    def drawn(self, message: int, layout: str, *, running: bool) -> None:
        """Note the layout of a board that was just drawn; unless `running`, it is not guarded."""
        if not self._lasting:
            return
        before = self.layouts.drop(message)
        if running:
            self.layouts.keep(message, layout)
        if before is not None:
            self._note(message, before, None)

    def changed(self, before: discord.Message, pressed: str) -> None:
        """Note that a press has just changed a message."""
        if self._lasting:
            self._note(before.id, layout_on(before), pressed)

    def _note(self, message: int, before: str, pressed: str | None) -> None:
        """Note a change of a board, and drop changes that are older than `lasting` seconds."""
        now = asyncio.get_running_loop().time()
        late = [each for each in self._changes if now - each.at < self._lasting]
        self._changes = [*late, Change(now, message, before, pressed)]

    def is_one(self, message: Message, word: str) -> bool:
        """Whether a press on a message as it is now is a slip."""
        since = asyncio.get_running_loop().time() - self._lasting
        late = [each for each in self._changes if each.message == message.id and each.at > since]
        if not late:
            return False
        now = places(layout_on(message)).get(word)
        befores = (places(each.before).get(word) for each in late)
        return any(each.pressed == word for each in late) or any(
            before is None or before != now for before in befores
        )
