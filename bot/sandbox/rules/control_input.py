"""Checking what a person picks from a menu or fills into a modal, as Discord's clients do."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.controls import (
    Button,
    ChannelSelect,
    Control,
    MenuComponent,
    MenuOption,
    Select,
    UserSelect,
)
from bot.sandbox.model.errors import Impossible
from bot.sandbox.model.modals import Label, Modal, TextInput
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.rules.resolved import Resolved
from bot.sandbox.snowflakes import Snowflake


def control_data(
    control: Control, values: Sequence[object], world: World, channel: Channel
) -> Payload:
    """The data of a press on a button, or of `values` picked from a menu in `channel`.

    Raises:
        Impossible: The button is a link, or the menu does not allow these values.
    """
    if not control.custom_id:
        raise Impossible(f"{control_name(control)} is a link; pressing it tells the bot nothing.")
    about: Payload = {"id": control.id, "component_type": control.type.value}
    about |= {"custom_id": control.custom_id}
    match control:
        case Button():
            return about
        case Select():
            return about | {"values": _picked(control, values)}
        case _:
            return about | _named(control, values, world, channel)


def control_name(control: Control) -> str:
    """The name of a control in a sentence for people."""
    if not isinstance(control, Button):
        return f"The menu {control.placeholder or control.custom_id!r}"
    emoji = "" if control.emoji is None else control.emoji.name
    shown = control.label.strip("\u200b") or emoji or control.custom_id
    return f"The button {shown!r}"


def modal_data(modal: Modal, fields: Mapping[str, object]) -> Payload:
    """The data of a modal sent back; `fields` are what is filled in, by custom id.

    Raises:
        Impossible: There is no such field, or it does not allow what is filled in.
    """
    known = {label.component.custom_id for label in modal.components}
    for name in fields.keys() - known:
        raise Impossible(f"The modal has no field {name!r}; it has {', '.join(known)}.")
    components = [_filled(label, fields) for label in modal.components]
    return {"custom_id": modal.custom_id, "components": components}


def _filled(label: Label, fields: Mapping[str, object]) -> Payload:
    field = label.component
    written = _written(field, fields.get(field.custom_id))
    about: Payload = {"type": field.type.value, "id": field.id, "custom_id": field.custom_id}
    return {"type": label.type.value, "id": label.id, "component": about | {"value": written}}


def _written(field: TextInput, value: object) -> str:
    text = field.value if value is None else str(value)
    if not text and not field.required:
        return ""
    least = max(field.min_length, 1 if field.required else 0)
    if not least <= len(text) <= field.max_length:
        size = f"between {least} and {field.max_length} characters"
        raise Impossible(f"{field.custom_id!r} must have {size}, not {len(text)}.")
    return text


def _check_count(menu: MenuComponent, values: Sequence[object], picked: Collection[object]) -> None:
    if not menu.min_values <= len(values) <= menu.max_values:
        count = f"between {menu.min_values} and {menu.max_values}"
        raise Impossible(f"One picks {count} values here, not {len(values)}.")
    if len(picked) < len(values):
        raise Impossible("Nothing can be picked twice.")


def _picked(select: Select, values: Sequence[object]) -> list[str]:
    picked = {_meant(select.choices, value).value for value in values}
    _check_count(select, values, picked)
    return [choice.value for choice in select.choices if choice.value in picked]


def _named(
    menu: UserSelect | ChannelSelect, values: Sequence[object], world: World, channel: Channel
) -> Payload:
    """The people or channels picked, described for the bot."""
    _check_count(menu, values, {*map(str, values)})
    resolved = Resolved(channel)
    found = [resolved.add(_entity(menu, value, world, channel)) for value in values]
    return {"values": found, **resolved.payload()}


def _entity(
    menu: UserSelect | ChannelSelect, value: object, world: World, here: Channel
) -> Account | Channel:
    number = Snowflake(int(str(value)) if str(value).isdecimal() else 0)
    if isinstance(menu, UserSelect):
        account = world.accounts.get(number)
        if account is None:
            raise Impossible(f"{value!r} is no person or bot.")
        return account
    found = world.channels.get(number)
    if found is None or found.guild_id is None or found.guild_id != here.guild_id:
        raise Impossible(f"{value!r} is no channel of this server.")
    if menu.channel_types and found.payload()["type"] not in menu.channel_types:
        raise Impossible(f"#{found.name} is no channel of a kind that this menu offers.")
    return found


def _meant(choices: Sequence[MenuOption], value: object) -> MenuOption:
    for choice in choices:
        if value == choice.value:
            return choice
    labelled = [choice for choice in choices if value == choice.label]
    if len(labelled) != 1:
        shown = ", ".join(repr(choice.value) for choice in choices)
        raise Impossible(f"{value!r} is not among {shown}.")
    return labelled[0]
