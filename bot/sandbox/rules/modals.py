"""Reading the modals that a bot opens, with Discord's rules for them."""

from __future__ import annotations

from typing import Final

from bot.sandbox.model.components import ComponentType, TextDisplay
from bot.sandbox.model.emojis import ApplicationEmojis
from bot.sandbox.model.modals import Label, Modal, ModalField, TextInput
from bot.sandbox.rules.components import ComponentTally, read_select, type_of
from bot.sandbox.rules.forms import JsonForm

_ON_TOP: Final = frozenset({ComponentType.LABEL, ComponentType.TEXT})
_FIELDS: Final = frozenset({ComponentType.SELECT, ComponentType.TEXT_INPUT})


def read_modal(form: JsonForm, emojis: ApplicationEmojis) -> Modal:
    """The modal in the data of a callback."""
    tally = ComponentTally(form.value("components"), emojis)
    form.require("components")
    parts = form.parts("components", fewest=1, most=5)
    kinds = ((part, type_of(part, _ON_TOP)) for part in parts)
    return Modal(
        form.required_text("custom_id", longest=100),
        form.required_text("title", longest=45),
        tuple(_component(part, kind, tally) for part, kind in kinds if kind is not None),
    )


def _component(form: JsonForm, kind: ComponentType, tally: ComponentTally) -> Label | TextDisplay:
    component_id = tally.id(form)
    if kind is ComponentType.TEXT:
        return TextDisplay(component_id, form.required_text("content", longest=4000))
    form.require("component")
    part = form.part("component") or JsonForm({"type": 4}, form.problems)
    return Label(
        component_id,
        form.required_text("label", longest=45),
        form.text("description", longest=100),
        _field(part, tally),
    )


def _field(form: JsonForm, tally: ComponentTally) -> ModalField:
    if type_of(form, _FIELDS) is ComponentType.SELECT:
        return read_select(form, tally)
    longest = form.number("max_length", default=4000, least=1, most=4000)
    shortest = form.number("min_length", default=0, most=4000)
    if shortest > longest:
        words = f"Must not be greater than {longest}."
        form.fail("min_length", "TEXT_INPUT_LENGTHS_OUT_OF_ORDER", words)
    form.require("style")
    return TextInput(
        tally.id(form),
        tally.custom_id(form),
        style=form.one_of("style", (1, 2), default=1),
        value=form.text("value", longest=longest),
        placeholder=form.text("placeholder", longest=100),
        shortest=shortest,
        longest=longest,
        required=form.flag("required", default=True),
    )
