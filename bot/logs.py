"""Log lines on standard error, with `key=value` where there are values; never a token."""

from __future__ import annotations

import json
import logging
import re
from copy import copy
from datetime import UTC, datetime
from typing import Final

SECRET: Final = re.compile(
    r"[\w-]{18,}\.[\w-]{5,}\.[\w-]{25,}"  # a bot's token, and an interaction's in an address:
    r"|(?<=/webhooks/)\d+/[^\s/?]+|(?<=/interactions/)\d+/[^\s/?]+"
)


RECONNECTING: Final = "Attempting a reconnect"
"""The beginning of discord.py's message about a lost connection."""


class Redacting(logging.Formatter):
    """Formats records and tracebacks without the tokens in them."""

    def format(self, record: logging.LogRecord) -> str:
        """A record's line; for a lost connection, which discord.py restores, without traceback."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and str(record.msg).startswith(RECONNECTING):
            record = copy(record)
            record.msg, record.args = f"{record.getMessage()} ({error!r})", ()
            record.exc_info = record.exc_text = None
        return SECRET.sub("[secret]", super().format(record))


class JsonLines(Redacting):
    """Formats records as one JSON object a line, for log collectors."""

    def format(self, record: logging.LogRecord) -> str:
        """An object with the time in UTC, the level, the logger and the line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fact = {"at": at, "level": record.levelname, "logger": record.name}
        return json.dumps({**fact, "message": super().format(record)}, ensure_ascii=False)


def set_up(level: str, *, as_json: bool = False) -> None:
    """Log to standard error from `level` on, and only warnings from libraries.

    discord.py is never asked for DEBUG, where it prints the tokens of interactions.
    """
    handler = logging.StreamHandler()
    text = Redacting("%(asctime)s %(levelname)s %(name)s %(message)s")
    handler.setFormatter(JsonLines("%(message)s") if as_json else text)
    quiet = max(logging.WARNING, logging.getLevelNamesMapping()[level])
    logging.basicConfig(level=quiet, handlers=[handler], force=True)
    for name in ("bot", "engine"):
        logging.getLogger(name).setLevel(level)
