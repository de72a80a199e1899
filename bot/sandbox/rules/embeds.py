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
    told |= _edges(form, read)
    told |= _pictures(form, files)
    if len(told) == 1:
        form.fail("description", "BASE_TYPE_REQUIRED", "This field is required")
    return Embed(told, "\n".join(text for text in read if text))


def _field(form: Form, read: list[str]) -> Payload:
    name = form.required_text("name", longest=256)
    value = form.required_text("value", longest=1024)
    read += [name, value]
    return {"name": name, "value": value, "inline": form.flag("inline")}


def _edges(form: Form, read: list[str]) -> Payload:
    told: Payload = {}
    for key, name, longest in (("author", "name", 256), ("footer", "text", 2048)):
        part = form.part(key)
        if part is not None:
            text = part.required_text(name, longest=longest)
            read.append(text)
            links = ("url", "icon_url") if key == "author" else ("icon_url",)
            told[key] = {name: text} | {
                link: part.text(link, longest=2048) for link in links if part.given(link)
            }
    return told


def _pictures(form: Form, files: Mapping[str, Attachment]) -> Payload:
    told: Payload = {}
    for key in ("image", "thumbnail"):
        part = form.part(key)
        if part is not None:
            url = part.required_text("url", longest=2048)
            attachment = files.get(url.removeprefix("attachment://"))
            address = url if attachment is None else attachment.url
            told[key] = {"url": address, "proxy_url": address}
            if not address.startswith(("http://", "https://")):
                words = "Not a well formed URL."
                part.fail("url", "URL_TYPE_INVALID_URL", words)
    return told
