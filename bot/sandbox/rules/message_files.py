"""Reading which files a message shall have: those that come with a request, and those it keeps.

What an edit does not name stays, unless the edit has a list of attachments: then what is not in
the list goes. Files are kept, and count, whether or not anything shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Final, TypeAlias

from bot.sandbox.model.files import MessageFile, Upload
from bot.sandbox.model.forms import Id, JsonForm, sized
from bot.sandbox.rules.forms import Path, invalid
from bot.sandbox.rules.refusals import RequestRefused, Rule

_MOST_FILES: Final = 10
LARGEST_FILE: Final = 10 * 1024 * 1024
"""Bytes that one attachment may have."""

Keep: TypeAlias = Callable[[Upload, str], MessageFile]
"""Puts a file where it can be fetched, with its description."""


class AttachmentForm(JsonForm):
    """A file that the message keeps, or one that comes with the request."""

    id: Id
    filename: Annotated[str, sized(0, 1024)] = ""
    description: Annotated[str, sized(0, 1024)] | None = None


Attachments: TypeAlias = Annotated[tuple[AttachmentForm, ...], sized(0, _MOST_FILES)]


def read_files(
    listed: Sequence[AttachmentForm] | None,
    uploads: Sequence[Upload],
    before: Sequence[MessageFile],
    keep: Keep,
    *,
    at: Path,
) -> tuple[tuple[MessageFile, ...], Mapping[str, MessageFile]]:
    """The files of a message after the request, and those it can refer to as `attachment://name`.

    `before` are those it had.

    Raises:
        RequestRefused: One of them is too large or missing, or there are too many.
    """
    if any(len(upload.data) > LARGEST_FILE for upload in uploads):
        raise RequestRefused(Rule.TOO_LARGE)
    old = {file.id: file for file in before}
    kept, named = ([], []) if listed is not None else (list(before), list(before))
    descriptions: dict[int, str] = {}
    for part in listed or ():
        if part.id not in old:
            descriptions[part.id] = part.description or ""
            continue
        stays = old[part.id]
        if part.description is not None:
            stays = replace(stays, description=part.description)
        kept.append(stays)
        # Discord resolves references to what stays only where the list names it in full.
        named += [stays] if part.filename == stays.filename else []
    missing = descriptions.keys() - {upload.index for upload in uploads}
    if missing:
        words = f"No attachment or file has the id {min(missing)}"
        raise invalid("ATTACHMENT_NOT_FOUND", words, at=(*at, "attachments"))
    new = [keep(upload, descriptions.get(upload.index, "")) for upload in uploads]
    if len(kept) + len(new) > _MOST_FILES:
        words = f"Must be {_MOST_FILES} or fewer in length."
        raise invalid("BASE_TYPE_MAX_LENGTH", words, at=(*at, "attachments"))
    return (*kept, *new), {each.filename: each for each in (*named, *new)}
