"""Components of messages, at Discord's limits and beyond them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.sandbox import Payload
from tests.bot.people import button_on
from tests.bot.sandbox.raw import V2, Answered, Raw


def button(number: int = 0, **more: object) -> Payload:
    return {"type": 2, "style": 1, "label": "Up", "custom_id": f"up-{number}", **more}


def row(*inner: Payload) -> Payload:
    return {"type": 1, "components": list(inner)}


def text(content: str = "Hello") -> Payload:
    return {"type": 10, "content": content}


def container(*inner: Payload, **more: object) -> Payload:
    return {"type": 17, "components": list(inner), **more}


def choice(number: int, **more: object) -> Payload:
    return {"label": f"Choice {number}", "value": str(number), **more}


def menu(choices: Sequence[Payload], **more: object) -> Payload:
    return {"type": 3, "custom_id": "menu", "options": list(choices), **more}


async def sent(
    api: Raw, *components: Payload, flags: int = V2, content: str | None = None
) -> Answered:
    body = {"components": list(components), "flags": flags, "content": content}
    return await api.post("games", body)


def entity(kind: int, of: str, *chosen: str, **more: object) -> Payload:
    """A menu of people or channels of which some are chosen, one unless said otherwise."""
    defaults = [{"id": each, "type": of} for each in chosen or ("11",)]
    return {"type": kind, "custom_id": f"menu-{kind}", "default_values": defaults, **more}


RIGHT = {
    "a full grid and a row below it": [
        container(
            text(),
            *(row(*(button(5 * r + c) for c in range(5))) for r in range(5)),
            row(button(99)),
        )
    ],
    "forty components": [text("x") for _ in range(40)],
    "4000 characters": [text("x" * 2000), container(text("x" * 2000))],
    "the longest label and custom id": [row(button(label="x" * 80, custom_id="y" * 100))],
    "an emoji and no label": [row(button(label=None, emoji={"name": "❌"}))],
    "an invisible label": [row(button(label="\u200b"))],
    "a link": [row({"type": 2, "style": 5, "label": "Go", "url": "https://example.org"})],
    "a menu of 25": [row(menu([choice(n) for n in range(25)], max_values=25))],
    "a menu at its longest": [
        row(
            menu(
                [{"label": "x" * 100, "value": "y" * 100, "description": "z" * 100}],
                placeholder="p" * 150,
                min_values=0,
            )
        )
    ],
    "twenty menus in their rows": [
        row(menu([choice(1)], custom_id=f"menu-{n}")) for n in range(20)
    ],
    "menus of people and of channels": [
        row(entity(5, "user", placeholder="Who", min_values=0, max_values=25)),
        row(entity(8, "channel", channel_types=[0, 5])),
    ],
    "colour": [container(text(), accent_color=0xFFFFFF)],
    "ids of one's own": [text() | {"id": 2}, text(), text()],
}

WRONG = {
    "forty-one components": (
        [container(*(text("x") for _ in range(40)))],
        {"components": ["COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"]},
    ),
    "4001 characters": (
        [text("x" * 2000), container(text("x" * 2001))],
        {"components": ["COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"]},
    ),
    "an empty text": ([text("")], {"components.0.content": ["BASE_TYPE_BAD_LENGTH"]}),
    "no components": ([], {"components": ["BASE_TYPE_REQUIRED"]}),
    "an unknown type": ([{"type": 99}], {"components.0.type": ["UNION_TYPE_CHOICES"]}),
    "a button outside a row": ([button()], {"components.0.type": ["UNION_TYPE_CHOICES"]}),
    "a container in a container": (
        [container(container(text()))],
        {"components.0.components.0.type": ["UNION_TYPE_CHOICES"]},
    ),
    "an empty container": ([container()], {"components.0.components": ["BASE_TYPE_BAD_LENGTH"]}),
    "an empty row": ([row()], {"components.0.components": ["BASE_TYPE_BAD_LENGTH"]}),
    "six buttons in a row": (
        [row(*(button(n) for n in range(6)))],
        {"components.0.components": ["BASE_TYPE_BAD_LENGTH"]},
    ),
    "a text in a row": (
        [row(text())],
        {"components.0.components.0.type": ["UNION_TYPE_CHOICES"]},
    ),
    "a menu beside a button": (
        [row(menu([choice(1)]), button())],
        {"components.0.components": ["COMPONENT_LAYOUT_WIDTH_EXCEEDED"]},
    ),
    "the same custom id twice": (
        [row(button()), container(row(button()))],
        {"components.1.components.0.components.0.custom_id": ["COMPONENT_CUSTOM_ID_DUPLICATED"]},
    ),
    "the same id twice": (
        [text() | {"id": 7}, text() | {"id": 7}],
        {"components.1.id": ["COMPONENT_ID_DUPLICATED"]},
    ),
    "a label of 81": (
        [row(button(label="x" * 81))],
        {"components.0.components.0.label": ["BASE_TYPE_MAX_LENGTH"]},
    ),
    "an empty label": (
        [row(button(label=" "))],
        {"components.0.components.0.label": ["BUTTON_COMPONENT_EMPTY"]},
    ),
    "a custom id of 101": (
        [row(button(custom_id="x" * 101))],
        {"components.0.components.0.custom_id": ["BASE_TYPE_BAD_LENGTH"]},
    ),
    "no custom id": (
        [row(button(custom_id=None))],
        {"components.0.components.0.custom_id": ["BASE_TYPE_REQUIRED"]},
    ),
    "an unknown style": (
        [row(button(style=9))],
        {"components.0.components.0.style": ["BASE_TYPE_CHOICES"]},
    ),
    "a link with a custom id": (
        [row(button(style=5, url="https://example.org"))],
        {"components.0.components.0.custom_id": ["BUTTON_COMPONENT_FIELD_MUTUALLY_EXCLUSIVE"]},
    ),
    "a link to nowhere": (
        [row(button(style=5, custom_id=None))],
        {"components.0.components.0.url": ["BASE_TYPE_REQUIRED"]},
    ),
    "a link with code": (
        [row(button(style=5, custom_id=None, url="javascript:alert(1)"))],
        {"components.0.components.0.url": ["URL_TYPE_INVALID_SCHEME"]},
    ),
    "an address on a plain button": (
        [row(button(url="https://example.org"))],
        {"components.0.components.0.url": ["BUTTON_COMPONENT_FIELD_MUTUALLY_EXCLUSIVE"]},
    ),
    "a die face, which is no emoji": (
        [row(button(emoji={"name": "⚀"}))],
        {"components.0.components.0.emoji.name": ["COMPONENT_INVALID_EMOJI"]},
    ),
    "an emoji that the application does not have": (
        [row(button(label=None, emoji={"name": "x", "id": "5"}))],
        {"components.0.components.0.emoji.id": ["COMPONENT_INVALID_EMOJI"]},
    ),
    "a choice with an emoji that the application does not have": (
        [row(menu([choice(1, emoji={"name": "x", "id": "5"})]))],
        {"components.0.components.0.options.0.emoji.id": ["COMPONENT_INVALID_EMOJI"]},
    ),
    "a menu of 26": (
        [row(menu([choice(n) for n in range(26)]))],
        {"components.0.components.0.options": ["BASE_TYPE_BAD_LENGTH"]},
    ),
    "a menu of none": (
        [row(menu([]))],
        {"components.0.components.0.options": ["BASE_TYPE_BAD_LENGTH"]},
    ),
    "the same value twice": (
        [row(menu([choice(1), choice(1)]))],
        {"components.0.components.0.options.1.value": ["SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"]},
    ),
    "more values than choices": (
        [row(menu([choice(1)], max_values=2))],
        {"components.0.components.0.options": ["BASE_TYPE_BAD_LENGTH"]},
    ),
    "more values at least than at most": (
        [row(menu([choice(1), choice(2)], min_values=2))],
        {"components.0.components.0.max_values": ["SELECT_COMPONENT_VALUES_OUT_OF_RANGE"]},
    ),
    "more than 25 values": (
        [row(menu([choice(n) for n in range(25)], max_values=26))],
        {"components.0.components.0.max_values": ["NUMBER_TYPE_MAX"]},
    ),
    "a menu with the custom id of a button": (
        [row(button(custom_id="menu")), row(menu([choice(1)]))],
        {"components.1.components.0.custom_id": ["COMPONENT_CUSTOM_ID_DUPLICATED"]},
    ),
    "forty-one components, menus and their rows among them": (
        [text("x"), *(row(menu([choice(1)], custom_id=f"menu-{n}")) for n in range(20))],
        {"components": ["COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"]},
    ),
    "a choice without a value": (
        [row(menu([{"label": "One"}]))],
        {"components.0.components.0.options.0.value": ["BASE_TYPE_REQUIRED"]},
    ),
    "a choice that is described in 101 characters": (
        [row(menu([choice(1, description="x" * 101)]))],
        {"components.0.components.0.options.0.description": ["BASE_TYPE_MAX_LENGTH"]},
    ),
    "a choice whose emoji is none": (
        [row(menu([choice(1, emoji={"name": "x"})]))],
        {"components.0.components.0.options.0.emoji.name": ["COMPONENT_INVALID_EMOJI"]},
    ),
    "two defaults where one is picked": (
        [row(menu([choice(1, default=True), choice(2, default=True)]))],
        {"components.0.components.0.options": ["SELECT_COMPONENT_MAX_DEFAULTS"]},
    ),
    "more chosen than may be": (
        [row(entity(5, "user", "11", "12"))],
        {"components.0.components.0.default_values": ["BASE_TYPE_BAD_LENGTH"]},
    ),
    "a channel chosen among people": (
        [row(entity(5, "channel"))],
        {"components.0.components.0.default_values.0.type": ["BASE_TYPE_CHOICES"]},
    ),
    "a placeholder of 151": (
        [row(menu([choice(1)], placeholder="x" * 151))],
        {"components.0.components.0.placeholder": ["BASE_TYPE_MAX_LENGTH"]},
    ),
    "a separator": ([{"type": 14}], {"components.0.type": ["UNION_TYPE_CHOICES"]}),
    "a section": (
        [{"type": 9, "components": [text()], "accessory": button()}],
        {"components.0.type": ["UNION_TYPE_CHOICES"]},
    ),
    "a picture from elsewhere": (
        [{"type": 12, "items": [{"media": {"url": "https://example.org/a.png"}}]}],
        {"components.0.items.0.media.url": ["UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"]},
    ),
    "a picture that was not sent": (
        [{"type": 12, "items": [{"media": {"url": "attachment://board.png"}}]}],
        {"components.0.items.0.media.url": ["UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"]},
    ),
    "a colour beyond white": (
        [container(text(), accent_color=0x1000000)],
        {"components.0.accent_color": ["NUMBER_TYPE_MAX"]},
    ),
}


@pytest.mark.parametrize("components", RIGHT.values(), ids=RIGHT.keys())
async def test_what_discord_shows_is_shown(api: Raw, components: list[Payload]) -> None:
    answer = await sent(api, *components)

    assert (answer.status, answer.faults()) == (200, {})


@pytest.mark.parametrize(("components", "faults"), WRONG.values(), ids=WRONG.keys())
async def test_what_discord_refuses_is_refused_at_its_place(
    api: Raw, components: list[Payload], faults: dict[str, list[str]]
) -> None:
    answer = await sent(api, *components)

    assert answer.refusal == (400, 50035)
    for path, codes in faults.items():
        assert answer.faults().get(path) == codes


async def test_the_second_version_excludes_content(api: Raw) -> None:
    body = {"flags": V2, "components": [text()], "content": "Hello"}
    code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"

    assert (await api.post("games", body)).faults() == {"content": [code]}


async def test_without_the_flag_only_rows_may_follow_the_content(api: Raw) -> None:
    assert (await sent(api, row(button()), flags=0, content="Hello")).status == 200
    refused = await sent(api, text(), flags=0, content="Hello")
    assert refused.faults() == {"components.0.type": ["UNION_TYPE_CHOICES"]}
    rows = [row(button(n)) for n in range(6)]
    assert (await sent(api, *rows, flags=0)).faults() == {"components": ["BASE_TYPE_MAX_LENGTH"]}


async def test_the_flag_cannot_be_taken_back(api: Raw) -> None:
    posted = await sent(api, text())
    path = f"/channels/{posted.body['channel_id']}/messages/{posted.body['id']}"

    assert (await api.send("PATCH", path, {"flags": 0})).body["flags"] == V2
    legacy = await api.send("PATCH", path, {"content": "x", "components": [], "flags": 0})
    assert legacy.refusal == (400, 50035)
    assert (await api.send("PATCH", path, {"components": []})).refusal == (400, 50035)


async def test_components_get_ids_in_order_around_those_chosen(api: Raw) -> None:
    answer = await sent(api, text() | {"id": 2}, container(text(), row(button())))
    first, box = answer.body["components"]
    inner, buttons = box["components"]

    ids = [first["id"], box["id"], inner["id"], buttons["id"], buttons["components"][0]["id"]]
    assert ids == [2, 1, 3, 4, 5]


async def test_buttons_have_positions_by_rows_of_the_whole_message(api: Raw) -> None:
    posted = await sent(
        api,
        text(),
        container(row(button(1), button(2)), text(), row(button(3))),
        row(button(4)),
    )
    (message,) = api.sandbox.messages("games")

    assert posted.status == 200
    assert [(found.custom_id, found.position) for found in message.buttons] == [
        ("up-1", (0, 0)),
        ("up-2", (0, 1)),
        ("up-3", (1, 0)),
        ("up-4", (2, 0)),
    ]
    assert button_on(message, position=(1, 0)).custom_id == "up-3"
    assert message.text == "Hello\nHello"
