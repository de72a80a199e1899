"""The error codes of Discord that Parlour expects."""

from __future__ import annotations

from typing import Final

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
TOKEN_DEAD: Final = 10062
ALREADY_ACKNOWLEDGED: Final = 40060
TOKEN_EXPIRED: Final = 50027
