"""Modals: what they may ask, and how they may be filled in."""

from __future__ import annotations

from typing import Any

import pytest

from bot.sandbox import Interaction, Payload
from tests.bot.sandbox.raw import Answered, Raw

MODAL = 9


def labelled(component: Payload, label: str = "Label") -> Payload:
    return {"type": 18, "label": label, "component": component}


def field(**more: object) -> Payload:
    return {"type": 4, "custom_id": "name", "style": 1, **more}


async def opened(api: Raw, *components: Payload, **more: object) -> tuple[Interaction, Answered]:
    typed = await api.typed()
    form = {"custom_id": "form", "title": "Form", "components": list(components), **more}
    return typed, await api.respond(typed, MODAL, form)


WRONG = {
    "no components": ([], "components", "BASE_TYPE_BAD_LENGTH"),
    "six components": (
        [labelled(field(custom_id=str(n))) for n in range(6)],
        "components",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "a button": ([{"type": 2}], "components.0.type", "UNION_TYPE_CHOICES"),
    "a label of 46": ([labelled(field(), "x" * 46)], "components.0.label", "BASE_TYPE_BAD_LENGTH"),
    "a label around nothing": (
        [{"type": 18, "label": "Label"}],
        "components.0.component",
        "BASE_TYPE_REQUIRED",
    ),
    "a row": ([{"type": 1, "components": [field()]}], "components.0.type", "UNION_TYPE_CHOICES"),
    "the same custom id twice": (
        [labelled(field()), labelled(field())],
        "components.1.component.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "lengths out of order": (
        [labelled(field(min_length=5, max_length=4))],
        "components.0.component.min_length",
        "TEXT_INPUT_LENGTHS_OUT_OF_ORDER",
    ),
    "a style of 3": (
        [labelled(field(style=3))],
        "components.0.component.style",
        "BASE_TYPE_CHOICES",
    ),
    "a menu": (
        [labelled({"type": 3, "custom_id": "menu", "options": [{"label": "A", "value": "a"}]})],
        "components.0.component.type",
        "UNION_TYPE_CHOICES",
    ),
    "a text": (
        [{"type": 10, "content": "Pick."}],
        "components.0.type",
        "UNION_TYPE_CHOICES",
    ),
}


@pytest.mark.parametrize(("components", "at", "code"), WRONG.values(), ids=WRONG.keys())
async def test_what_discord_does_not_open_is_refused_at_its_place(
    api: Raw, components: list[Payload], at: str, code: str
) -> None:
    _, answer = await opened(api, *components)

    assert answer.refusal == (400, 50035)
    assert code in answer.faults()[f"data.{at}"]


async def test_a_title_of_46_is_refused(api: Raw) -> None:
    _, answer = await opened(api, labelled(field()), title="x" * 46)

    assert answer.faults() == {"data.title": ["BASE_TYPE_BAD_LENGTH"]}


async def test_what_is_asked_is_told_to_the_page_as_discord_was_told(api: Raw) -> None:
    components = [
        labelled(field(value="x", placeholder="y", min_length=1, max_length=9, required=False)),
        labelled(field(custom_id="why", style=2)),
    ]
    typed, _ = await opened(api, *components)
    assert typed.modal is not None
    told: Any = typed.modal.payload()["components"]

    for sent, shown in zip(components, told, strict=True):
        asked: Any = sent["component"]
        inner = shown["component"]
        assert shown["label"] == sent["label"]
        assert {key: inner.get(key) for key in asked} == asked


async def test_a_field_may_stay_empty_only_if_it_is_not_required(api: Raw) -> None:
    ann = api.sandbox.person("Ann")
    needed, _ = await opened(api, labelled(field()))
    free, _ = await opened(api, labelled(field(required=False, min_length=3)))

    with pytest.raises(ValueError, match="'name' must have between 1 and 4000 characters, not 0"):
        await ann.fill(needed)
    with pytest.raises(ValueError, match="'name' must have between 3 and 4000 characters, not 2"):
        await ann.fill(free, name="xx")
    sent: Any = (await ann.fill(free)).data["components"]
    assert sent[0]["component"]["value"] == ""
