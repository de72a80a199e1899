"""Reading which files a message shall have: those that come with a request, and those it keeps.

What an edit does not name stays, unless the edit has a list of attachments: then what is not in
the list goes. Files are kept, and count, whether or not anything shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.sandbox.model.files import MessageFile, Upload
from bot.sandbox.rules.forms import JsonForm
from bot.sandbox.rules.refusals import RequestRefused, Rule

_MOST_FILES: Final = 10
LARGEST_FILE: Final = 10 * 1024 * 1024
"""Bytes that one attachment may have."""

Keep: TypeAlias = Callable[[Upload, str], MessageFile]
"""Puts a file where it can be fetched, with its description."""


@dataclass(frozen=True, slots=True)
class MessageFiles:
    """All files of a message, and those that it can refer to as `attachment://name`."""

    all: tuple[MessageFile, ...]
    named: Mapping[str, MessageFile]


def read_files(
    form: JsonForm, uploads: Sequence[Upload], before: Sequence[MessageFile], keep: Keep
) -> MessageFiles:
    """The files that the message has after the request; `before` are those it had.

    Raises:
        RequestRefused: One of them is too large.
    """
    if any(len(upload.data) > LARGEST_FILE for upload in uploads):
        raise RequestRefused(Rule.TOO_LARGE)
    old = {file.id: file for file in before}
    kept, named = ([], []) if "attachments" in form else (list(before), list(before))
    descriptions: dict[int, str] = {}
    for part in form.parts("attachments", most=_MOST_FILES):
        number = part.snowflake("id") if part.require("id") else None
        filename = part.text("filename", longest=1024)
        description = part.text("description", longest=1024)
        if number in old:
            stays = old[number].described(description) if "description" in part else old[number]
            kept.append(stays)
            # Discord resolves references to what stays only where the list names it in full.
            named += [stays] if filename == stays.filename else []
        elif number is not None:
            descriptions[number] = description
    _check_indices(form, descriptions, uploads)
    new = [keep(upload, descriptions.get(upload.index, "")) for upload in uploads]
    if len(kept) + len(new) > _MOST_FILES:
        words = f"Must be {_MOST_FILES} or fewer in length."
        form.fail("attachments", "BASE_TYPE_MAX_LENGTH", words)
    return MessageFiles((*kept, *new), {each.filename: each for each in (*named, *new)})


def _check_indices(form: JsonForm, named: Mapping[int, str], uploads: Sequence[Upload]) -> None:
    missing = named.keys() - {upload.index for upload in uploads}
    if missing:
        words = f"No attachment or file has the id {min(missing)}"
        form.fail("attachments", "ATTACHMENT_NOT_FOUND", words)
