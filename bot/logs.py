"""One line a fact, `key=value` where it has values, on standard error; never a token."""

from __future__ import annotations

import logging
import re
from typing import Final

SECRET: Final = re.compile(
    r"[\w-]{18,}\.[\w-]{5,}\.[\w-]{25,}"  # a bot's token, and an interaction's in an address:
    r"|(?<=/webhooks/)\d+/[^\s/?]+|(?<=/interactions/)\d+/[^\s/?]+"
)


class Redacting(logging.Formatter):
    """Formats records, tracebacks included, without the tokens that may stand in them."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        return SECRET.sub("[secret]", super().format(record))


def set_up(level: str) -> None:
    """Logs to standard error from `level` on; the libraries only what is wrong.

    discord.py is never asked for DEBUG, where it prints the tokens of interactions.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(Redacting("%(asctime)s %(levelname)s %(name)s %(message)s"))
    quiet = max(logging.WARNING, logging.getLevelNamesMapping()[level])
    logging.basicConfig(level=quiet, handlers=[handler], force=True)
    for name in ("bot", "engine"):
        logging.getLogger(name).setLevel(level)
