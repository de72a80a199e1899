"""The limits of Discord's clients, held against every message that the bot sends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.bot.trouble import Exchange, Observed

MOST_COMPONENTS: Final = 40
MOST_CHARACTERS: Final = 4_000
MOST_EMOJI: Final = 199
"""A client cuts off what follows in a text."""
WIDEST_ROW: Final = 13
"""More emoji in a row wrap on a phone."""

ROW, BUTTON = 1, 2
MOST_CONTROLS, MOST_CHOICES = 5, 25
MOST_WITH_WORDS: Final = 3
"""More buttons with words in a row are too many for a phone."""
LONGEST: Final = {"label": 80, "custom_id": 100, "placeholder": 150, "description": 100}
LONGEST_LABEL_OF_A_CHOICE: Final = 100
LONGEST_ALTERNATIVE: Final = 1_024

CREATE_MESSAGE: Final = "/channels/{channel_id}/messages"
OWN_NONCE: Final = re.compile(r"[0-9a-f]{24}")
"""A nonce of Parlour's; discord.py gives a message without one a new number at each call."""

EMOJI: Final = re.compile(
    "<a?:\\w+:\\d+>|[\U0001f300-\U0001faff\u2600-\u27bf\u231b\u2b05-\u2b55]\ufe0f?"
)


class Limits:
    """Looks at everything that goes over the wire, and notes what is too much of something."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.messages = 0

    def __call__(self, seen: Observed) -> None:
        if isinstance(seen, Exchange) and isinstance(seen.request, Mapping):
            if (seen.method, seen.path) == ("POST", CREATE_MESSAGE):
                self.faults += sent_once(seen.request)
            body = seen.request.get("data", seen.request)
            if isinstance(body, Mapping) and body.get("components"):
                self.messages += 1
                self.faults += too_much(body["components"])
            is_form = isinstance(body, Mapping) and "title" in body
            if (
                isinstance(body, Mapping)
                and {"components", "content"} & body.keys()
                and not is_form
            ):
                self.faults += notified(seen.method, body.get("allowed_mentions"))


def notified(method: str, allowed: object) -> Iterator[str]:
    """That a new message leaves it to its text whom it notifies: only people who are named may be.

    A change of a message notifies nobody.
    """
    if method == "POST" and (not isinstance(allowed, Mapping) or allowed.get("parse")):
        yield f"allowed mentions {allowed}"


def sent_once(body: Mapping[str, Any]) -> Iterator[str]:
    """That a message which is sent to a channel can come twice if its request is repeated."""
    if not body.get("enforce_nonce") or not OWN_NONCE.fullmatch(str(body.get("nonce"))):
        yield f"a message with the nonce {body.get('nonce')}"


def too_much(components: list[dict[str, Any]]) -> Iterator[str]:
    """The limits that a message's components break."""
    parts = [*nested(components)]
    for part in parts:
        yield from too_long(part)
    if len(parts) > MOST_COMPONENTS:
        yield f"{len(parts)} components"
    texts = [part["content"] for part in parts if "content" in part]
    characters = sum(len(text.encode("utf-16-le")) // 2 for text in texts)
    if characters > MOST_CHARACTERS:
        yield f"{characters} characters: {texts}"
    for text in texts:
        if len(EMOJI.findall(text)) > MOST_EMOJI:
            yield f"{len(EMOJI.findall(text))} emoji in {text}"
        for row in map(str.strip, text.split("\n")):
            wide = len(EMOJI.findall(row)) > WIDEST_ROW
            if wide and not EMOJI.sub("", row).strip("\u2066\u2069"):
                yield f"{len(EMOJI.findall(row))} emoji in the row {row}"


def too_long(part: Mapping[str, Any]) -> Iterator[str]:
    """The texts of a component that are longer than Discord takes, or empty."""
    for name, most in LONGEST.items():
        yield from long(name, part.get(name), most)
    for option in part.get("options", ()):
        yield from long("choice", option["label"], LONGEST_LABEL_OF_A_CHOICE)
        yield from long("description", option.get("description"), LONGEST["description"])
        yield from long("value", option["value"], LONGEST["custom_id"])
    for item in part.get("items", ()):
        yield from long("alternative", item.get("description") or "", LONGEST_ALTERNATIVE)
    yield from long("content", part.get("content"), MOST_CHARACTERS)
    if part["type"] == ROW and not 1 <= len(part["components"]) <= MOST_CONTROLS:
        yield f"{len(part['components'])} controls in a row"
    words = [control["label"] for control in part.get("components", ()) if with_words(control)]
    if len(words) > MOST_WITH_WORDS:
        yield f"more words than a row of buttons has room for: {words}"
    if len(part.get("options", ())) > MOST_CHOICES:
        yield f"{len(part['options'])} choices"


def with_words(part: Mapping[str, Any]) -> bool:
    """Whether a part is a button on which more stands than a square's coordinates, such as b2."""
    label = part.get("label", "")
    return part["type"] == BUTTON and any(map(str.isalnum, label)) and len(label) > 2


def long(name: str, text: str | None, most: int) -> Iterator[str]:
    """That a text is too long, or that there is nothing in it."""
    if text is not None and not 1 <= len(text) <= most:
        yield f"a {name} of {len(text)} characters: {text!r}"


def nested(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All components, those too that others hold."""
    for component in components:
        yield component
        yield from nested(component.get("components", []))
