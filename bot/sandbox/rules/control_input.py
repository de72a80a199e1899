"""Checking what a person picks from a menu or fills into a modal, as Discord's clients do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.sandbox.model.components import (
    Button,
    ComponentType,
    Control,
    MenuOption,
    Select,
    TextDisplay,
)
from bot.sandbox.model.errors import Impossible
from bot.sandbox.model.modals import Label, Modal, TextInput
from bot.sandbox.payload import Payload
from bot.sandbox.rules.forms import is_array


def control_data(control: Control, values: Sequence[object]) -> Payload:
    """The data of a press on a button, or of `values` picked from a menu.

    Raises:
        Impossible: The button is a link, or the menu does not allow these values.
    """
    if isinstance(control, Select):
        kind, more = ComponentType.SELECT, {"values": _picked(control, values)}
    elif control.custom_id:
        kind, more = ComponentType.BUTTON, {}
    else:
        raise Impossible(f"{control_name(control)} is a link; pressing it tells the bot nothing.")
    about: Payload = {"id": control.id, "component_type": kind.value}
    return about | {"custom_id": control.custom_id} | more


def control_name(control: Control) -> str:
    """What the control is called in a sentence for people."""
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
    known = {field.custom_id for field in modal.fields()}
    for name in fields.keys() - known:
        raise Impossible(f"The modal has no field {name!r}; it has {', '.join(known)}.")
    components = [_part(part, fields) for part in modal.components]
    return {"custom_id": modal.custom_id, "components": components}


def _part(part: Label | TextDisplay, fields: Mapping[str, object]) -> Payload:
    if isinstance(part, TextDisplay):
        return {"type": ComponentType.TEXT.value, "id": part.id}
    field = part.field
    value = fields.get(field.custom_id)
    filled: Payload = {"id": field.id, "custom_id": field.custom_id}
    if isinstance(field, TextInput):
        filled |= {"type": ComponentType.TEXT_INPUT.value, "value": _written(field, value)}
    else:
        filled |= {"type": ComponentType.SELECT.value, "values": _chosen(field, value)}
    return {"type": ComponentType.LABEL.value, "id": part.id, "component": filled}


def _written(field: TextInput, value: object) -> str:
    text = field.value if value is None else str(value)
    if not text and not field.required:
        return ""
    least = max(field.shortest, 1 if field.required else 0)
    if not least <= len(text) <= field.longest:
        size = f"between {least} and {field.longest} characters"
        raise Impossible(f"{field.custom_id!r} must have {size}, not {len(text)}.")
    return text


def _chosen(field: Select, value: object) -> list[str]:
    if value is None:
        values: Sequence[object] = [choice.value for choice in field.choices if choice.default]
    else:
        values = value if is_array(value) else (value,)
    return _picked(field, values) if values or field.required else []


def _picked(select: Select, values: Sequence[object]) -> list[str]:
    if not select.fewest <= len(values) <= select.most:
        count = f"between {select.fewest} and {select.most}"
        raise Impossible(f"One picks {count} values here, not {len(values)}.")
    picked = {_meant(select.choices, value).value for value in values}
    if len(picked) < len(values):
        raise Impossible("Nothing can be picked twice.")
    return [choice.value for choice in select.choices if choice.value in picked]


def _meant(choices: Sequence[MenuOption], value: object) -> MenuOption:
    for choice in choices:
        if value == choice.value:
            return choice
    labelled = [choice for choice in choices if value == choice.label]
    if len(labelled) != 1:
        shown = ", ".join(repr(choice.value) for choice in choices)
        raise Impossible(f"{value!r} is not among {shown}.")
    return labelled[0]
