"""What can stand between Parlour and its database."""

from __future__ import annotations


class StorageError(Exception):
    """The database cannot be used; the message is a sentence that says what to do about it."""
