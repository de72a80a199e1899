"""What a test waits for in the log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager


class _Listener(logging.Handler):
    """Counts the lines that begin with some words."""

    def __init__(self, words: str, times: int) -> None:
        super().__init__(logging.INFO)
        self.heard = asyncio.Event()
        self._words = words
        self._left = times

    def emit(self, record: logging.LogRecord) -> None:
        self._left -= record.msg.startswith(self._words)
        if self._left <= 0:
            self.heard.set()


@contextmanager
def heard(logger: str, words: str, times: int = 1) -> Iterator[asyncio.Event]:
    """An event that is set once a logger has said a number of lines that begin with some words."""
    of, listener = logging.getLogger(logger), _Listener(words, times)
    before = of.level
    of.addHandler(listener)
    of.setLevel(logging.INFO)
    try:
        yield listener.heard
    finally:
        of.setLevel(before)
        of.removeHandler(listener)
