"""Modals: what they may ask, and how they may be filled in."""

from __future__ import annotations

from typing import Any

import pytest

from bot.sandbox import Interaction, Payload
from tests.bot.people import upload
from tests.bot.sandbox.raw import Answered, Raw

MODAL = 9


def labelled(component: Payload, label: str = "Label") -> Payload:
    return {"type": 18, "label": label, "component": component}


def field(**more: object) -> Payload:
    return {"type": 4, "custom_id": "name", "style": 1, **more}


def choice(kind: int, options: int, chosen: int = 0, **more: object) -> Payload:
    """A menu, radio buttons or checkboxes, the first ones chosen."""
    lines = [{"label": f"{n}", "value": f"{n}", "default": n < chosen} for n in range(options)]
    return {"type": kind, "custom_id": "choice", "options": lines, **more}


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
    "a button in a label": (
        [labelled({"type": 2, "custom_id": "press", "style": 1, "label": "Press"})],
        "components.0.component.type",
        "UNION_TYPE_CHOICES",
    ),
    "a menu that is closed": (
        [labelled(choice(3, 2, disabled=True))],
        "components.0.component.disabled",
        "BASE_TYPE_CHOICES",
    ),
    "one radio button": (
        [labelled(choice(21, 1))],
        "components.0.component.options",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "eleven radio buttons": (
        [labelled(choice(21, 11))],
        "components.0.component.options",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "two radio buttons chosen": (
        [labelled(choice(21, 3, chosen=2))],
        "components.0.component.options",
        "SELECT_COMPONENT_MAX_DEFAULTS",
    ),
    "more checkboxes chosen than there are": (
        [labelled(choice(22, 2, max_values=3))],
        "components.0.component.options",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "checkboxes of which none is required": (
        [labelled(choice(22, 2, min_values=0, max_values=2))],
        "components.0.component.min_values",
        "SELECT_COMPONENT_VALUES_OUT_OF_RANGE",
    ),
    "eleven files": (
        [labelled({"type": 19, "custom_id": "file", "max_values": 11})],
        "components.0.component.max_values",
        "NUMBER_TYPE_MAX",
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


async def test_what_is_chosen_and_handed_in_is_sent_as_a_client_sends_it(api: Raw) -> None:
    ann = api.sandbox.person("Ann")
    file = {"type": 19, "custom_id": "file"}
    typed, answer = await opened(
        api,
        labelled(choice(3, 3) | {"custom_id": "menu"}),
        labelled(choice(21, 3, chosen=1) | {"custom_id": "radio"}),
        labelled(choice(22, 3, max_values=3) | {"custom_id": "boxes"}),
        labelled(choice(22, 3, chosen=2, min_values=0, max_values=3, required=False)),
        labelled(file),
    )
    assert answer.status == 204

    right: dict[str, object] = {"menu": "1", "boxes": ["2", "0"], "file": upload("b2", "game.txt")}
    sent: Any = (await ann.fill(typed, right)).data
    fields = [each["component"] for each in sent["components"]]
    assert [each["type"] for each in fields] == [3, 21, 22, 22, 19]
    assert [each.get("values", each.get("value")) for each in fields[:-1]] == [
        *(["1"], "0", ["0", "2"], ["0", "1"]),
    ]
    (kept,) = sent["resolved"]["attachments"].values()
    assert fields[-1]["values"] == [kept["id"]]
    assert (kept["filename"], kept["size"]) == ("game.txt", 2)

    for wrong, sentence in (
        ({"menu": "7"}, "'7' is not among"),
        ({"menu": []}, "One picks between 1 and 1 values here, not 0"),
        ({"radio": []}, "One of 'radio' must be chosen, not 0"),
        ({"boxes": ["1", "1"]}, "Nothing can be picked twice"),
        ({"file": None}, "takes between 1 and 1 files, not 0"),
        ({"file": "b2"}, "'file' takes files"),
    ):
        with pytest.raises(ValueError, match=sentence):
            await ann.fill(typed, {**right, **wrong})
