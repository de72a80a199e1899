"""Discord's rules for the application's own emoji: their names and pictures."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from typing import Annotated, Final

from pydantic import AfterValidator, PlainValidator, ValidationInfo

from bot.sandbox.model.components import JsonForm
from bot.sandbox.model.files import PNG, ApplicationEmojis
from bot.sandbox.refusals import RequestRefused
from tests.discord.forms import fault, read, sized
from tests.discord.rules import ASSET_TOO_LARGE, INVALID_ASSET, TOO_MANY_EMOJI

_MOST_EMOJI: Final = 2000
_LARGEST_IMAGE: Final = 256 * 1024
_NAME: Final = re.compile(r"\w*", re.ASCII)
_DATA_URI: Final = re.compile(r"data:image/[\w.+-]+;base64,(.*)", re.DOTALL)


def _free_name(name: str, info: ValidationInfo[ApplicationEmojis]) -> str:
    if not _NAME.fullmatch(name):
        raise fault("STRING_TYPE_REGEX", "String value did not match validation regex.")
    if any(name == other.name for other in info.context.values()):
        code = "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"
        raise fault(code, "This name is already taken by another emoji")
    return name


def _image(value: object) -> bytes:
    found = _DATA_URI.fullmatch(value) if isinstance(value, str) else None
    try:
        if found is not None:
            return b64decode(found[1], validate=True)
    except binascii.Error:
        pass
    raise fault("BINARY_TYPE_INVALID_DATA_URI", "Only data uri strings can be used.")


class NewEmoji(JsonForm):
    """An emoji to be made."""

    name: Annotated[str, sized(2, 32), AfterValidator(_free_name)]
    image: Annotated[bytes, PlainValidator(_image)]


def check_emoji(data: object, others: ApplicationEmojis) -> None:
    """Check an emoji to be made beside the `others`.

    Raises:
        RequestRefused: A rule is broken.
    """
    new = read(NewEmoji, data, context=others)
    if len(new.image) > _LARGEST_IMAGE:
        raise RequestRefused(ASSET_TOO_LARGE)
    if not new.image.startswith(PNG):
        raise RequestRefused(INVALID_ASSET)
    if len(others) >= _MOST_EMOJI:
        raise RequestRefused(TOO_MANY_EMOJI)
