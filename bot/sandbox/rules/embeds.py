"""Reading embeds, with Discord's limits for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.sandbox.model.attachments import Attachment
from bot.sandbox.model.embeds import Embed
from bot.sandbox.payload import Payload
from bot.sandbox.rules.forms import Form

_MOST_TEXT: Final = 6000


def read_embeds(form: Form, files: Mapping[str, Attachment]) -> tuple[Embed, ...]:
    """The embeds of a message; `files` are its attachments by name."""
    embeds = tuple(_embed(part, files) for part in form.parts("embeds", most=10))
    if sum(len(embed.text) for embed in embeds) > _MOST_TEXT:
        words = f"Embed size exceeds maximum size of {_MOST_TEXT}"
        form.fail("embeds", "MAX_EMBED_SIZE_EXCEEDED", words)
    return embeds


def _embed(form: Form, files: Mapping[str, Attachment]) -> Embed:
    told: Payload = {"type": "rich"}
    title = form.text("title", longest=256)
    description = form.text("description", longest=4096)
    told |= {key: text for key, text in (("title", title), ("description", description)) if text}
    told |= {key: value for key in ("url", "timestamp") if (value := form.value(key))}
    if form.given("color"):
        told["color"] = form.number("color", default=0, most=0xFFFFFF)
    read = [title, description]
    fields = [_field(part, read) for part in form.parts("fields", most=25)]
    if fields:
        told["fields"] = fields
    addresses = _Addresses(files)
    told |= _edges(form, read, addresses)
    told |= _pictures(form, addresses)
    if len(told) == 1:
        form.fail("description", "BASE_TYPE_REQUIRED", "This field is required")
    return Embed(told, "\n".join(text for text in read if text), tuple(addresses.used))


class _Addresses:
    """Reads addresses, of which `attachment://name` is a file of the message."""

    def __init__(self, files: Mapping[str, Attachment]) -> None:
        self._files = files
        self.used: list[Attachment] = []

    def read(self, form: Form, key: str) -> str:
        url = form.text(key, longest=2048)
        attachment = self._files.get(url.removeprefix("attachment://"))
        if attachment is not None and url.startswith("attachment://"):
            self.used.append(attachment)
            return attachment.url
        if url and not url.startswith(("http://", "https://")):
            form.fail(key, "URL_TYPE_INVALID_URL", "Not a well formed URL.")
        return url


def _field(form: Form, read: list[str]) -> Payload:
    name = form.required_text("name", longest=256)
    value = form.required_text("value", longest=1024)
    read += [name, value]
    return {"name": name, "value": value, "inline": form.flag("inline")}


def _edges(form: Form, read: list[str], addresses: _Addresses) -> Payload:
    told: Payload = {}
    for key, name, longest in (("author", "name", 256), ("footer", "text", 2048)):
        part = form.part(key)
        if part is not None:
            text = part.required_text(name, longest=longest)
            read.append(text)
            links = ("url", "icon_url") if key == "author" else ("icon_url",)
            told[key] = {name: text} | {
                link: addresses.read(part, link) for link in links if part.given(link)
            }
    return told


def _pictures(form: Form, addresses: _Addresses) -> Payload:
    told: Payload = {}
    for key in ("image", "thumbnail"):
        part = form.part(key)
        if part is not None and part.require("url"):
            address = addresses.read(part, "url")
            told[key] = {"url": address, "proxy_url": address}
    return told
