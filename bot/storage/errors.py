"""What can stand between Parlour and its database."""

from __future__ import annotations


class StorageError(Exception):
    """The database cannot be used; the message is a sentence that says what to do about it."""


class FileGone(StorageError):
    """The file that is written to is not the one at its path: what is written would be lost."""
