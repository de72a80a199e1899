"""One line a fact, `key=value` where it has values, on standard error; never a token."""

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
"""How discord.py begins what it says, with a traceback, of every connection that was lost."""


class Redacting(logging.Formatter):
    """Formats records, tracebacks included, without the tokens that may stand in them."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record; of a lost connection, which discord.py restores, nothing more."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and str(record.msg).startswith(RECONNECTING):
            record = copy(record)
            record.msg, record.args = f"{record.getMessage()} ({error!r})", ()
            record.exc_info = record.exc_text = None
        return SECRET.sub("[secret]", super().format(record))


class JsonLines(Redacting):
    """Formats records as one JSON object a line, for what collects logs."""

    def format(self, record: logging.LogRecord) -> str:
        """The object: the time in UTC, the level, the logger, and the line that else is logged."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fact = {"at": at, "level": record.levelname, "logger": record.name}
        return json.dumps({**fact, "message": super().format(record)}, ensure_ascii=False)


def set_up(level: str, *, as_json: bool = False) -> None:
    """Logs to standard error from `level` on; the libraries only what is wrong.

    discord.py is never asked for DEBUG, where it prints the tokens of interactions.
    """
    handler = logging.StreamHandler()
    text = Redacting("%(asctime)s %(levelname)s %(name)s %(message)s")
    handler.setFormatter(JsonLines("%(message)s") if as_json else text)
    quiet = max(logging.WARNING, logging.getLevelNamesMapping()[level])
    logging.basicConfig(level=quiet, handlers=[handler], force=True)
    for name in ("bot", "engine"):
        logging.getLogger(name).setLevel(level)
