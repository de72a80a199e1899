"""Reading the modals that a bot opens, with Discord's rules for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.sandbox.model.components import Text
from bot.sandbox.model.controls import SELECTS, Kind
from bot.sandbox.model.emojis import Emojis
from bot.sandbox.model.modals import Field, Labelled, Modal, TextInput, Tick
from bot.sandbox.rules.controls import Tally, kind_of, read_choices, read_select
from bot.sandbox.rules.forms import Form

_ON_TOP: Final = frozenset({Kind.ROW, Kind.LABEL, Kind.TEXT})
_TICKS: Final = frozenset({Kind.RADIO_GROUP, Kind.CHECKBOX_GROUP, Kind.CHECKBOX})
_FIELDS: Final = SELECTS | _TICKS | {Kind.TEXT_INPUT}
_INPUT: Final = frozenset({Kind.TEXT_INPUT})


def read_modal(form: Form, emojis: Emojis) -> Modal:
    """The modal in the data of a callback."""
    tally = Tally(form.value("components"), emojis)
    form.require("components")
    readers: dict[Kind, Callable[[Form, Tally], Labelled | Text]] = {
        Kind.ROW: _row,
        Kind.LABEL: _label,
        Kind.TEXT: _text,
    }
    parts = form.parts("components", fewest=1, most=5)
    kinds = ((part, kind_of(part, _ON_TOP)) for part in parts)
    return Modal(
        form.required_text("custom_id", longest=100),
        form.required_text("title", longest=45),
        tuple(readers[kind](part, tally) for part, kind in kinds if kind is not None),
    )


def _text(form: Form, tally: Tally) -> Text:
    return Text(tally.id(form), form.required_text("content", longest=4000))


def _row(form: Form, tally: Tally) -> Labelled:
    row_id = tally.id(form)
    parts = form.parts("components", fewest=1, most=1)
    part = parts[0] if parts else Form({"type": Kind.TEXT_INPUT.value}, form.problems)
    kind_of(part, _INPUT)
    part.require("label")
    field = _input(part, tally)
    return Labelled(row_id, Kind.ROW, field.label, "", field)


def _label(form: Form, tally: Tally) -> Labelled:
    label_id = tally.id(form)
    form.require("component")
    part = form.part("component") or Form({"type": Kind.TEXT_INPUT.value}, form.problems)
    return Labelled(
        label_id,
        Kind.LABEL,
        form.required_text("label", longest=45),
        form.text("description", longest=100),
        _field(part, kind_of(part, _FIELDS), tally),
    )


def _field(form: Form, kind: Kind | None, tally: Tally) -> Field:
    if kind in _TICKS:
        return _tick(form, kind, tally)
    if kind in SELECTS:
        return read_select(form, kind, tally)
    return _input(form, tally)


def _input(form: Form, tally: Tally) -> TextInput:
    longest = form.number("max_length", default=4000, least=1, most=4000)
    shortest = form.number("min_length", default=0, most=4000)
    if shortest > longest:
        words = f"Must not be greater than {longest}."
        form.fail("min_length", "TEXT_INPUT_LENGTHS_OUT_OF_ORDER", words)
    form.require("style")
    return TextInput(
        tally.id(form),
        tally.custom_id(form),
        label=form.text("label", longest=45),
        style=form.one_of("style", (1, 2), default=1),
        value=form.text("value", longest=longest),
        placeholder=form.text("placeholder", longest=100),
        shortest=shortest,
        longest=longest,
        required=form.flag("required", default=True),
    )


def _tick(form: Form, kind: Kind, tally: Tally) -> Tick:
    fewest_choices = 2 if kind is Kind.RADIO_GROUP else 1
    one = kind is Kind.CHECKBOX
    boxes = () if one else read_choices(form, tally, fewest=fewest_choices, most=10)
    required = form.flag("required", default=True)
    group = kind is Kind.CHECKBOX_GROUP
    return Tick(
        tally.id(form),
        kind,
        tally.custom_id(form),
        boxes,
        fewest=form.number("min_values", default=int(required), most=10)
        if group
        else int(required),
        most=form.number("max_values", default=len(boxes), most=10) if group else 1,
        default=form.flag("default"),
    )
