"""Reading the application's own emoji, with Discord's rules for their names and pictures."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from typing import Final

from bot.sandbox.model.emojis import ApplicationEmojis
from bot.sandbox.model.files import PNG
from bot.sandbox.rules.forms import JsonForm
from bot.sandbox.rules.refusals import RequestRefused, Rule

_MOST_EMOJI: Final = 2000
_LARGEST_IMAGE: Final = 256 * 1024
_NAME: Final = re.compile(r"\w*", re.ASCII)
_DATA_URI: Final = re.compile(r"data:image/[\w.+-]+;base64,(.*)", re.DOTALL)


def read_new_emoji(form: JsonForm, others: ApplicationEmojis) -> tuple[str, bytes]:
    """The name and the picture of an emoji to be made beside the `others`.

    Raises:
        RequestRefused: A rule is broken.
    """
    name = form.required_text("name", shortest=2, longest=32)
    if not _NAME.fullmatch(name):
        form.fail("name", "STRING_TYPE_REGEX", "String value did not match validation regex.")
    if any(name == other.name for other in others):
        code = "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"
        form.fail("name", code, "This name is already taken by another emoji")
    image = _image(form)
    form.problems.check()
    if len(image) > _LARGEST_IMAGE:
        raise RequestRefused(Rule.ASSET_TOO_LARGE)
    if not image.startswith(PNG):
        raise RequestRefused(Rule.INVALID_ASSET)
    if len(others) >= _MOST_EMOJI:
        raise RequestRefused(Rule.TOO_MANY_EMOJI)
    return name, image


def _image(form: JsonForm) -> bytes:
    if not form.require("image"):
        return b""
    value = form.value("image")
    found = _DATA_URI.fullmatch(value) if isinstance(value, str) else None
    try:
        if found is not None:
            return b64decode(found[1], validate=True)
    except binascii.Error:
        pass
    form.fail("image", "BINARY_TYPE_INVALID_DATA_URI", "Only data uri strings can be used.")
    return b""
