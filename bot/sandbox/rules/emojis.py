"""Reading the application's own emoji, with Discord's rules for their names and pictures."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from collections.abc import Iterable
from typing import Final

from bot.sandbox.model.emojis import Image, OwnEmoji
from bot.sandbox.rules.forms import Form
from bot.sandbox.rules.refusals import Refused, Rule

MOST_EMOJI: Final = 2000
"""So many emoji an application may have."""

_LARGEST_IMAGE: Final = 256 * 1024
_NAME: Final = re.compile(r"\w*", re.ASCII)
_DATA_URI: Final = re.compile(r"data:image/[\w.+-]+;base64,(.*)", re.DOTALL)
# As Discord does, by what the file is and not by what it is said to be.
_SIGNATURES: Final = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp"),
)


def read_new_emoji(form: Form, others: Iterable[OwnEmoji]) -> tuple[str, Image]:
    """The name and the picture of an emoji to be made beside the `others`.

    Raises:
        Refused: A rule is broken.
    """
    form.require("name")
    name = _name(form, others)
    data = _data(form)
    form.problems.check()
    if len(data) > _LARGEST_IMAGE:
        raise Refused(Rule.ASSET_TOO_LARGE)
    kinds = (kind for signature, kind in _SIGNATURES if signature.match(data))
    kind = next(kinds, None)
    if kind is None:
        raise Refused(Rule.INVALID_ASSET)
    return name, Image(data, kind)


def read_new_name(form: Form, emoji: OwnEmoji, others: Iterable[OwnEmoji]) -> str:
    """The name that the emoji shall have.

    Raises:
        Refused: A rule is broken.
    """
    name = _name(form, (other for other in others if other is not emoji))
    form.problems.check()
    return name or emoji.name


def _name(form: Form, others: Iterable[OwnEmoji]) -> str:
    name = form.text("name", shortest=2, longest=32)
    if not _NAME.fullmatch(name):
        form.fail("name", "STRING_TYPE_REGEX", "String value did not match validation regex.")
    if any(name == other.name for other in others):
        code = "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"
        form.fail("name", code, "This name is already taken by another emoji")
    return name


def _data(form: Form) -> bytes:
    if not form.require("image"):
        return b""
    value = form.value("image")
    found = _DATA_URI.fullmatch(value) if isinstance(value, str) else None
    try:
        return b64decode(found[1], validate=True) if found else _not_encoded(form)
    except binascii.Error:
        return _not_encoded(form)


def _not_encoded(form: Form) -> bytes:
    form.fail("image", "BINARY_TYPE_INVALID_DATA_URI", "Only data uri strings can be used.")
    return b""
