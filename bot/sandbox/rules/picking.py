"""Checking what a person picks from a menu or fills into a modal, as Discord's clients do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.sandbox.impossible import Impossible
from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import Channel, Place
from bot.sandbox.model.components import Text
from bot.sandbox.model.controls import Choice, Kind, Select
from bot.sandbox.model.modals import Field, Labelled, Modal, TextInput, Tick
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.rules.forms import is_array
from bot.sandbox.rules.resolved import Resolved
from bot.sandbox.snowflakes import Snowflake


class Picking:
    """Makes the data of an interaction of what a person picks in `channel`."""

    def __init__(self, world: World, channel: Channel) -> None:
        self._world = world
        self._resolved = Resolved(guild=channel.place is not Place.DIRECT)

    def menu(self, select: Select, values: Sequence[object]) -> Payload:
        """The data for a menu of a message.

        Raises:
            Impossible: The menu does not allow these values.
        """
        told: Payload = {
            "id": select.id,
            "component_type": select.kind.value,
            "custom_id": select.custom_id,
            "values": self._picked(select, values),
        }
        return self._with_resolved(told)

    def modal(self, modal: Modal, fields: Mapping[str, object]) -> Payload:
        """The data for a modal; `fields` are what is filled in, by custom id.

        Raises:
            Impossible: There is no such field, or it does not allow what is filled in.
        """
        known = {field.custom_id for field in modal.fields()}
        for name in fields.keys() - known:
            raise Impossible(f"The modal has no field {name!r}; it has {', '.join(known)}.")
        components = [self._part(part, fields) for part in modal.components]
        return self._with_resolved({"custom_id": modal.custom_id, "components": components})

    def _with_resolved(self, told: Payload) -> Payload:
        resolved = self._resolved.payload()
        return told | {"resolved": resolved} if resolved else told

    def _part(self, part: Labelled | Text, fields: Mapping[str, object]) -> Payload:
        told: Payload = {"type": part.kind.value, "id": part.id}
        if isinstance(part, Text):
            return told
        inner = self._filled(part.field, fields.get(part.field.custom_id))
        return told | ({"components": [inner]} if part.kind is Kind.ROW else {"component": inner})

    def _filled(self, field: Field, value: object) -> Payload:
        told: Payload = {"type": field.kind.value, "id": field.id, "custom_id": field.custom_id}
        match field:
            case TextInput():
                return told | {"value": _written(field, value)}
            case Select():
                values = () if value is None else value if is_array(value) else (value,)
                if not values and not field.required:
                    return told | {"values": []}
                return told | {"values": self._picked(field, values)}
            case Tick(kind=Kind.CHECKBOX):
                return told | {"value": field.default if value is None else bool(value)}
            case Tick(kind=Kind.RADIO_GROUP):
                ticked = _ticked(field, () if value is None else (value,))
                return told | {"value": ticked[0] if ticked else None}
            case Tick():
                return told | {"values": _ticked(field, value if is_array(value) else ())}

    def _picked(self, select: Select, values: Sequence[object]) -> list[str]:
        if not select.fewest <= len(values) <= select.most:
            count = f"between {select.fewest} and {select.most}"
            raise Impossible(f"One picks {count} values here, not {len(values)}.")
        if select.kind is Kind.STRING_SELECT:
            picked = _among(select.choices, values)
        else:
            picked = [self._resolve(select, value) for value in values]
        if len(set(picked)) < len(values):
            raise Impossible("Nothing can be picked twice.")
        return picked

    def _resolve(self, select: Select, value: object) -> str:
        found = self._found(value)
        if isinstance(found, Account) and select.kind in {
            Kind.USER_SELECT,
            Kind.MENTIONABLE_SELECT,
        }:
            self._resolved.add_account(found)
        elif isinstance(found, Channel) and select.kind is Kind.CHANNEL_SELECT:
            self._resolved.add_channel(found)
        else:
            raise Impossible(f"{value!r} cannot be picked from this menu.")
        return str(found.id)

    def _found(self, value: object) -> Account | Channel | None:
        if isinstance(value, Account | Channel):
            return value
        if not str(value).isdecimal():
            return None
        snowflake = Snowflake(int(str(value)))
        return self._world.accounts.get(snowflake) or self._world.channels.get(snowflake)


def _written(field: TextInput, value: object) -> str:
    text = field.value if value is None else str(value)
    if not text and not field.required:
        return ""
    least = max(field.shortest, 1 if field.required else 0)
    if not least <= len(text) <= field.longest:
        size = f"between {least} and {field.longest} characters"
        raise Impossible(f"{field.custom_id!r} must have {size}, not {len(text)}.")
    return text


def _ticked(field: Tick, values: Sequence[object]) -> list[str]:
    if not field.fewest <= len(values) <= field.most:
        count = f"between {field.fewest} and {field.most}"
        raise Impossible(f"{field.custom_id!r} takes {count} values, not {len(values)}.")
    return _among(field.choices, values)


def _among(choices: Sequence[Choice], values: Sequence[object]) -> list[str]:
    picked = {_meant(choices, value).value for value in values}
    return [choice.value for choice in choices if choice.value in picked]


def _meant(choices: Sequence[Choice], value: object) -> Choice:
    for choice in choices:
        if value == choice.value:
            return choice
    labelled = [choice for choice in choices if value == choice.label]
    if len(labelled) != 1:
        shown = ", ".join(repr(choice.value) for choice in choices)
        raise Impossible(f"{value!r} is not among {shown}.")
    return labelled[0]
