"""Attachments of messages and pictures of emoji, kept in memory and served by address."""

from __future__ import annotations

from collections.abc import Callable
from mimetypes import guess_type
from urllib.parse import quote

from aiohttp import web

from bot.sandbox.model.files import MessageFile, Upload
from bot.sandbox.model.world import World
from bot.sandbox.snowflakes import Snowflake


class FileRoutes:
    """All files that the bot has sent; `address` is that of the sandbox."""

    def __init__(self, world: World, address: Callable[[], str]) -> None:
        self._world = world
        self._address = address
        self._kept: dict[str, MessageFile] = {}

    def mount(self, app: web.Application) -> None:
        """Serve the files in `app`, by paths like those of Discord's own."""
        app.router.add_get("/attachments/{id}/{filename}", self._attachment)
        app.router.add_get(r"/emojis/{id:\d+}.{kind:png|webp}", self._emoji)

    def keep(self, upload: Upload, description: str) -> MessageFile:
        """The file as an attachment with an address."""
        attachment_id = self._world.mint()
        # Like Discord by the name: discord.py declares every file as octets.
        kind = guess_type(upload.filename)[0] or upload.content_type
        attachment = MessageFile(
            attachment_id,
            upload.filename,
            description,
            kind,
            f"{self._address()}/attachments/{attachment_id}/{quote(upload.filename)}",
            upload.data,
        )
        self._kept[str(attachment_id)] = attachment
        return attachment

    async def _attachment(self, request: web.Request) -> web.Response:
        attachment = self._kept.get(request.match_info["id"])
        if attachment is None or attachment.filename != request.match_info["filename"]:
            raise web.HTTPNotFound(text="There is no such attachment.")
        return _served(attachment.data, attachment.content_type)

    async def _emoji(self, request: web.Request) -> web.Response:
        emoji = self._world.emojis.get(Snowflake(int(request.match_info["id"])))
        if emoji is None:
            raise web.HTTPNotFound(text="There is no such emoji.")
        return _served(emoji.image, "image/png")


def _served(data: bytes, content_type: str) -> web.Response:
    """The bytes as an answer; a file is never allowed to act as a page of the sandbox."""
    headers = {
        "Content-Type": content_type,
        "Cache-Control": "max-age=31536000, immutable",
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "X-Content-Type-Options": "nosniff",
    }
    return web.Response(body=data, headers=headers)
