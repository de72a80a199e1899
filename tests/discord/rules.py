"""The rules of Discord's that the sandbox alone does not hold a bot to: status, code, words."""

from __future__ import annotations

from typing import Final

from bot.sandbox.refusals import Rule

UNAUTHORIZED: Final = Rule(401, 0, "401: Unauthorized")
NO_SUCH_ROUTE: Final = Rule(404, 0, "404: Not Found")
WRONG_METHOD: Final = Rule(405, 0, "405: Method Not Allowed")
UNKNOWN_APPLICATION: Final = Rule(404, 10002, "Unknown Application")
TOO_MANY_EMOJI: Final = Rule(400, 30008, "Maximum number of emojis reached (2000)")
TOO_MANY_COMMANDS: Final = Rule(400, 30032, "Maximum number of application commands reached (100)")
TOO_LARGE: Final = Rule(413, 40005, "Request entity too large")
TOO_MANY_FOLLOW_UPS: Final = Rule(400, 40094, "Maximum number of follow up messages reached (5)")
MISSING_ACCESS: Final = Rule(403, 50001, "Missing Access")
NOT_IN_DIRECT_MESSAGES: Final = Rule(403, 50003, "Cannot execute action on a DM channel")
NOT_YOUR_MESSAGE: Final = Rule(403, 50005, "Cannot edit a message authored by another user")
EMPTY_MESSAGE: Final = Rule(400, 50006, "Cannot send an empty message")
MISSING_PERMISSIONS: Final = Rule(403, 50013, "Missing Permissions")
NOT_IN_THIS_CHANNEL: Final = Rule(400, 50024, "Cannot execute action on this channel type")
INVALID_ASSET: Final = Rule(400, 50046, "Invalid Asset")
THREAD_ARCHIVED: Final = Rule(400, 50083, "Thread is archived")
ASSET_TOO_LARGE: Final = Rule(400, 50138, "Failed to resize asset below the maximum size: 262144")
