"""The attachments of messages, kept in memory and served by address."""

from __future__ import annotations

from collections.abc import Callable
from mimetypes import guess_type
from urllib.parse import quote

from aiohttp import web

from bot.sandbox.model.files import MessageFile, Upload
from bot.sandbox.snowflakes import Snowflake


class FileRoutes:
    """All files that the bot has sent; `address` is that of the sandbox."""

    def __init__(self, address: Callable[[], str], mint: Callable[[], Snowflake]) -> None:
        self._address = address
        self._mint = mint
        self._kept: dict[str, MessageFile] = {}

    def mount(self, app: web.Application) -> None:
        """Serve the files in `app`."""
        app.router.add_get("/attachments/{id}/{filename}", self._serve)

    def keep(self, upload: Upload, description: str) -> MessageFile:
        """The file as an attachment with an address."""
        attachment_id = self._mint()
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

    async def _serve(self, request: web.Request) -> web.Response:
        attachment = self._kept.get(request.match_info["id"])
        if attachment is None or attachment.filename != request.match_info["filename"]:
            raise web.HTTPNotFound(text="There is no such attachment.")
        return served(attachment.data, attachment.content_type)


def served(data: bytes, content_type: str) -> web.Response:
    """The bytes as an answer; a file is never allowed to act as a page of the sandbox."""
    headers = {
        "Content-Type": content_type,
        "Cache-Control": "max-age=31536000, immutable",
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "X-Content-Type-Options": "nosniff",
    }
    return web.Response(body=data, headers=headers)
