"""A file that is there whole or not at all, and for its owner alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp

from bot.storage.errors import StorageError


@contextmanager
def new_file(file: Path) -> Iterator[Path]:
    """An empty file beside `file` to write to, which takes its name when all is on the disk.

    Raises:
        StorageError: `file` exists, or cannot be written.
    """
    try:
        _check_name(file)
        draft = _draft(file)
        try:
            yield draft
            _sync(draft)
            _check_name(file)
            draft.rename(file)
            _sync(file.parent)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(
            f"{file} cannot be written ({error.strerror or error}); "
            "check that its folder belongs to this user and the disk has room."
        ) from None


def _draft(file: Path) -> Path:
    descriptor, name = mkstemp(dir=file.parent, prefix=f".{file.name[:100]}.")
    os.close(descriptor)
    return Path(name)


def _check_name(file: Path) -> None:
    if file.is_dir():
        raise StorageError(f"{file} is a folder; name a file in it.")
    if file.exists() or file.is_symlink():
        raise StorageError(f"{file} exists and is left as it is; name a new file.")
    if not file.parent.is_dir():
        raise StorageError(
            f"The folder {file.parent} does not exist; create it, or name a file in another one."
        )


def _sync(path: Path) -> None:
    """Returns when a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
