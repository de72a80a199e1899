"""Checking what a person picks from a menu or fills into a modal, as Discord's clients do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.sandbox.model.controls import Button, Control, MenuOption, Select
from bot.sandbox.model.errors import Impossible
from bot.sandbox.model.modals import Label, Modal, TextInput
from bot.sandbox.payload import Payload


def control_data(control: Control, values: Sequence[object]) -> Payload:
    """The data of a press on a button, or of `values` picked from a menu.

    Raises:
        Impossible: The button is a link, or the menu does not allow these values.
    """
    if not control.custom_id:
        raise Impossible(f"{control_name(control)} is a link; pressing it tells the bot nothing.")
    picked = {"values": _picked(control, values)} if isinstance(control, Select) else {}
    about: Payload = {"id": control.id, "component_type": control.type.value}
    return about | {"custom_id": control.custom_id} | picked


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


def _picked(select: Select, values: Sequence[object]) -> list[str]:
    if not select.min_values <= len(values) <= select.max_values:
        count = f"between {select.min_values} and {select.max_values}"
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
