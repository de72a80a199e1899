"""The acts of people as Discord's clients send them: commands typed, controls used, forms filled.

A client lets nobody send what the command, the control or the form does not allow.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.sandbox.model.accounts import NONE, Account, Permission
from bot.sandbox.model.channels import Channel, ChannelKind
from bot.sandbox.model.commands import (
    INNER,
    CommandOption,
    CommandType,
    OptionType,
    RegisteredCommand,
)
from bot.sandbox.model.components import (
    Button,
    ChannelSelect,
    CheckboxGroup,
    Control,
    FileUpload,
    FormMenu,
    MenuComponent,
    MenuOption,
    Modal,
    RadioGroup,
    Select,
    TextInput,
    UserSelect,
)
from bot.sandbox.model.files import LARGEST_FILE, MessageFile, Upload
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload, is_array, snowflake
from bot.sandbox.refusals import ActRefused, Impossible

_YES_OR_NO: Final = {"true": True, "false": False}
_WANTED: Final = {
    OptionType.STRING: "text",
    OptionType.INTEGER: "a whole number",
    OptionType.BOOLEAN: "true or false",
    OptionType.USER: "a person or bot",
    OptionType.CHANNEL: "a channel",
}
_LONGEST_NUMBER: Final = 20


class _Resolved:
    """The people, channels and messages that an interaction from `channel` names."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._found: dict[str, Payload] = {}

    def add(self, named: Account | Channel | Message) -> str:
        """Describe an account, a channel or a message with all its content, and return its id."""
        if isinstance(named, Account):
            found = [("users", named.payload(), NONE)]
            if self._channel.guild_id is not None:
                found.append(("members", named.member(), named.permissions))
        elif isinstance(named, Channel):
            found = [("channels", named.payload(), Permission.VIEW_CHANNEL)]
        else:
            found = [("messages", named.payload(), NONE)]
        for kind, told, permissions in found:
            more = {"permissions": str(permissions.value)} if permissions else {}
            self._found.setdefault(kind, {})[str(named.id)] = told | more
        return str(named.id)

    def payload(self) -> Payload:
        """The `resolved` part of the interaction: empty if nothing is named."""
        return {"resolved": self._found} if self._found else {}


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command as a person types it: its words, `settings show`, and its options by name."""

    command: str
    options: Mapping[str, object]
    focused: str | None = None
    """The option that is still being typed, of an autocompletion."""


class CommandInput:
    """Makes the data of an interaction of a command that `person` uses in `channel`.

    Raises:
        Impossible: The command is not there, or not for this person or place, or an option is
            missing, unknown, or not as it must be.
    """

    def __init__(self, world: World, person: Account, channel: Channel) -> None:
        self._world = world
        self._person = person
        self._channel = channel
        self._resolved = _Resolved(channel)

    def typed(self, typed: TypedCommand) -> Payload:
        """The data of a slash command."""
        name, *path = typed.command.removeprefix("/").split() or [""]
        command = self._world.commands.named(name, CommandType.SLASH)
        if command is None:
            raise Impossible(f"There is no command /{name}.")
        return self._data(command, options=self._nested(command.options, path, typed))

    def in_menu(self, name: str, target: Account | Message) -> Payload:
        """The data of a command that is chosen in the context menu of `target`."""
        of_person = isinstance(target, Account)
        kind = CommandType.USER if of_person else CommandType.MESSAGE
        command = self._world.commands.named(name, kind)
        if command is None:
            of = "person" if of_person else "message"
            raise Impossible(f"There is no command {name!r} in the menu of a {of}.")
        self._resolved.add(target)
        return self._data(command, target_id=str(target.id))

    def _data(self, command: RegisteredCommand, **more: object) -> Payload:
        name, person, place = command.name, self._person, self._channel
        if command.contexts is not None and place.context not in command.contexts:
            raise Impossible(f"/{name} cannot be used in {place.name}.")
        by_server = self._world.inside(place) and 0 in command.integration_types
        if not by_server and not (person.has_app and 1 in command.integration_types):
            raise Impossible(f"/{name} is not offered to {person.name} in {place.name}.")
        if place.context == 0 and not command.allowed_to(person):
            raise Impossible(f"{person.name} may not use /{name} here.")
        told: Payload = {"id": str(command.id), "name": name, "type": command.type.value, **more}
        return told | self._resolved.payload()

    def _nested(
        self, options: Sequence[CommandOption], path: list[str], typed: TypedCommand
    ) -> list[Payload]:
        inner = {option.name: option for option in options if option.type in INNER}
        if not inner:
            if path:
                raise Impossible(f"/{typed.command} has no subcommand {path[0]!r}.")
            return list(self._values(options, typed))
        if not path or path[0] not in inner:
            raise Impossible(f"/{typed.command} needs one of the subcommands {', '.join(inner)}.")
        chosen = inner[path[0]]
        below = self._nested(chosen.options, path[1:], typed)
        return [{"type": chosen.type.value, "name": path[0], "options": below}]

    def _values(self, options: Sequence[CommandOption], typed: TypedCommand) -> Iterator[Payload]:
        known = {option.name: option for option in options}
        for name in {*typed.options, typed.focused} - {*known, None}:
            raise Impossible(f"/{typed.command} has no option {name!r}.")
        for name, option in known.items():
            value = typed.options.get(name)
            told: Payload = {"type": option.type.value, "name": name}
            if name == typed.focused:
                if not option.autocomplete:
                    raise Impossible(f"The option {name!r} is not autocompleted.")
                yield told | {"value": "" if value is None else str(value), "focused": True}
            elif value is not None:
                yield told | {"value": self._value(option, value)}
            elif option.required and typed.focused is None:
                raise Impossible(f"/{typed.command} needs its option {name!r}.")

    def _value(self, option: CommandOption, value: object) -> object:
        match option.type:
            case OptionType.STRING:
                found: object = _string(option, value)
            case OptionType.INTEGER:
                found = _integer(option, value)
            case OptionType.BOOLEAN:
                found = _YES_OR_NO.get(str(value).lower())
            case OptionType.USER:
                found = self._account(value)
            case _:
                found = self._channel_named(option, value)
        if found is None:
            raise Impossible(f"{option.name!r} must be {_WANTED[option.type]}, not {value!r}.")
        if option.choices and found not in {choice.value for choice in option.choices}:
            choices = ", ".join(repr(choice.value) for choice in option.choices)
            raise Impossible(f"{option.name!r} must be one of {choices}, not {value!r}.")
        return found

    def _account(self, value: object) -> str | None:
        account = self._world.accounts.get(snowflake(value))
        return None if account is None else self._resolved.add(account)

    def _channel_named(self, option: CommandOption, value: object) -> str | None:
        channel = self._world.channels.get(snowflake(value))
        if channel is None or channel.guild_id is None:
            return None
        number = 0 if channel.kind is ChannelKind.TEXT else 11
        if option.channel_types and number not in option.channel_types:
            raise ActRefused("refused.channel_kind", option=option.name)
        return self._resolved.add(channel)


def _string(option: CommandOption, value: object) -> str | None:
    if not isinstance(value, str):
        return None
    if out := _out_of_bounds(option, len(value)):
        raise ActRefused("refused.length", **out)
    return value


def _integer(option: CommandOption, value: object) -> int | None:
    if isinstance(value, str) and value.lstrip("-").isdecimal() and len(value) <= _LONGEST_NUMBER:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    if out := _out_of_bounds(option, value):
        raise ActRefused("refused.bounds", **out)
    return value


def _out_of_bounds(option: CommandOption, size: int) -> Mapping[str, object]:
    """The values of the sentence that says so; none of a size that is allowed."""
    least, most = option.bounds
    if (least is None or size >= least) and (most is None or size <= most):
        return {}
    bounds = f"{least}–{most}"
    if least is None or most is None:
        bounds = f"≤ {most}" if least is None else f"≥ {least}"
    return {"option": option.name, "bounds": bounds, "size": size}


def control_data(
    control: Control, values: Sequence[object], world: World, channel: Channel
) -> Payload:
    """The data of a press on a button, or of `values` picked from a menu in `channel`.

    Raises:
        Impossible: The control is disabled or a link, or the menu does not allow these values.
    """
    if control.disabled:
        raise Impossible(f"{_name(control)} is disabled.")
    if not control.custom_id:
        raise Impossible(f"{_name(control)} is a link; pressing it tells the bot nothing.")
    about: Payload = {"id": control.id, "component_type": control.type.value}
    about |= {"custom_id": control.custom_id}
    match control:
        case Button():
            return about
        case Select():
            return about | {"values": _picked(control, values)}
        case _:
            _check_count(control, values, {*map(str, values)})
            resolved = _Resolved(channel)
            found = [resolved.add(_entity(control, each, world, channel)) for each in values]
            return about | {"values": found} | resolved.payload()


def _name(control: Control) -> str:
    if not isinstance(control, Button):
        return f"The menu {control.placeholder or control.custom_id!r}"
    emoji = "" if control.emoji is None else control.emoji.name
    shown = control.label.strip("\u200b") or emoji or control.custom_id
    return f"The button {shown!r}"


def _picked(menu: Select | CheckboxGroup, values: Sequence[object]) -> list[str]:
    """The values that were picked among the lines of a menu, or of checkboxes, in their order."""
    picked = {_meant(menu.choices, value).value for value in values}
    _check_count(menu, values, picked)
    return [each.value for each in menu.choices if each.value in picked]


def _check_count(
    menu: MenuComponent | CheckboxGroup, values: Sequence[object], picked: Collection[object]
) -> None:
    if not menu.min_values <= len(values) <= menu.max_values:
        count = f"between {menu.min_values} and {menu.max_values}"
        raise Impossible(f"One picks {count} values here, not {len(values)}.")
    if len(picked) < len(values):
        raise Impossible("Nothing can be picked twice.")


def _meant(choices: Sequence[MenuOption], value: object) -> MenuOption:
    labelled = [choice for choice in choices if value == choice.label]
    found = [choice for choice in choices if value == choice.value] or labelled
    if len(found) != 1:
        shown = ", ".join(repr(choice.value) for choice in choices)
        raise Impossible(f"{value!r} is not among {shown}.")
    return found[0]


def _entity(
    menu: UserSelect | ChannelSelect, value: object, world: World, here: Channel
) -> Account | Channel:
    if isinstance(menu, UserSelect):
        account = world.accounts.get(snowflake(value))
        if account is None:
            raise Impossible(f"{value!r} is no person or bot.")
        return account
    found = world.channels.get(snowflake(value))
    if found is None or found.guild_id is None or found.guild_id != here.guild_id:
        raise Impossible(f"{value!r} is no channel of this server.")
    if menu.channel_types and found.payload()["type"] not in menu.channel_types:
        raise Impossible(f"#{found.name} is no channel of a kind that this menu offers.")
    return found


def modal_data(modal: Modal, fields: Mapping[str, object], world: World) -> Payload:
    """The data of a modal sent back; `fields` are what is filled in, by custom id.

    A file is `{"name": …, "data": …}`, its data in base 64, and is kept in the world.

    Raises:
        Impossible: There is no such field, or it does not allow what is filled in.
    """
    known = {label.component.custom_id for label in modal.components}
    for name in fields.keys() - known:
        raise Impossible(f"The modal has no field {name!r}; it has {', '.join(known)}.")
    components: list[Payload] = []
    files: list[MessageFile] = []
    for label in modal.components:
        field = label.component
        about: Payload = {"type": field.type.value, "id": field.id, "custom_id": field.custom_id}
        if isinstance(field, FileUpload):
            uploads = _uploads(field, fields.get(field.custom_id))
            files += (kept := [world.keep(each, "") for each in uploads])
            about["values"] = [str(each.id) for each in kept]
        else:
            about |= _answer(field, fields.get(field.custom_id))
        components.append({"type": label.type.value, "id": label.id, "component": about})
    told: Payload = {"custom_id": modal.custom_id, "components": components}
    if files:
        told["resolved"] = {"attachments": {str(each.id): each.payload() for each in files}}
    return told


def _answer(field: TextInput | FormMenu | RadioGroup | CheckboxGroup, value: object) -> Payload:
    """What is filled in, or what stands there already."""
    if isinstance(field, TextInput):
        return {"value": _written(field, value)}
    chosen: list[object] = [each.value for each in field.choices if each.default]
    if value is not None:
        chosen = [*value] if is_array(value) else [value]
    if not chosen and not field.required:
        return {"value": None} if isinstance(field, RadioGroup) else {"values": []}
    if isinstance(field, FormMenu | CheckboxGroup):
        return {"values": _picked(field, chosen)}
    if len(chosen) != 1:
        raise Impossible(f"One of {field.custom_id!r} must be chosen, not {len(chosen)}.")
    return {"value": _meant(field.choices, chosen[0]).value}


def _uploads(field: FileUpload, value: object) -> list[Upload]:
    uploads: list[Upload] = []
    for each in value if is_array(value) else [] if value is None else [value]:
        match each:
            case {"name": str(name), "data": str(data)}:
                uploads.append(Upload(0, name, "application/octet-stream", b64decode(data)))
            case _:
                raise Impossible(f"{field.custom_id!r} takes files.")
    if not (uploads or field.required):
        return []
    if not field.min_values <= len(uploads) <= field.max_values:
        count = f"between {field.min_values} and {field.max_values}"
        raise Impossible(f"{field.custom_id!r} takes {count} files, not {len(uploads)}.")
    if any(len(each.data) > LARGEST_FILE for each in uploads):
        raise Impossible("A file has at most 10 MiB.")
    return uploads


def _written(field: TextInput, value: object) -> str:
    text = field.value if value is None else str(value)
    if not text and not field.required:
        return ""
    least = max(field.min_length, 1 if field.required else 0)
    if not least <= len(text) <= field.max_length:
        size = f"between {least} and {field.max_length} characters"
        raise Impossible(f"{field.custom_id!r} must have {size}, not {len(text)}.")
    return text
