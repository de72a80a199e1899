"""Discord's refusals, with HTTP status, JSON error code and words."""

from __future__ import annotations

from enum import Enum

from bot.sandbox.payload import Payload


class Rule(Enum):
    """A rule of Discord's that a request can break: status, code, words."""

    UNAUTHORIZED = (401, 0, "401: Unauthorized")
    NO_SUCH_ROUTE = (404, 0, "404: Not Found")
    WRONG_METHOD = (405, 0, "405: Method Not Allowed")
    UNKNOWN_APPLICATION = (404, 10002, "Unknown Application")
    UNKNOWN_CHANNEL = (404, 10003, "Unknown Channel")
    UNKNOWN_GUILD = (404, 10004, "Unknown Guild")
    UNKNOWN_MEMBER = (404, 10007, "Unknown Member")
    UNKNOWN_MESSAGE = (404, 10008, "Unknown Message")
    UNKNOWN_ROLE = (404, 10011, "Unknown Role")
    UNKNOWN_USER = (404, 10013, "Unknown User")
    UNKNOWN_EMOJI = (404, 10014, "Unknown Emoji")
    UNKNOWN_WEBHOOK = (404, 10015, "Unknown Webhook")
    UNKNOWN_INTERACTION = (404, 10062, "Unknown interaction")
    TOO_MANY_EMOJI = (400, 30008, "Maximum number of emojis reached (2000)")
    TOO_MANY_COMMANDS = (400, 30032, "Maximum number of application commands reached (100)")
    TOO_LARGE = (413, 40005, "Request entity too large")
    ALREADY_ACKNOWLEDGED = (400, 40060, "Interaction has already been acknowledged.")
    TOO_MANY_FOLLOW_UPS = (400, 40094, "Maximum number of follow up messages reached (5)")
    MISSING_ACCESS = (403, 50001, "Missing Access")
    NOT_IN_DIRECT_MESSAGES = (403, 50003, "Cannot execute action on a DM channel")
    NOT_YOUR_MESSAGE = (403, 50005, "Cannot edit a message authored by another user")
    EMPTY_MESSAGE = (400, 50006, "Cannot send an empty message")
    NO_DIRECT_MESSAGES = (403, 50007, "Cannot send messages to this user")
    MISSING_PERMISSIONS = (403, 50013, "Missing Permissions")
    NOT_IN_THIS_CHANNEL = (400, 50024, "Cannot execute action on this channel type")
    INVALID_WEBHOOK_TOKEN = (401, 50027, "Invalid Webhook Token")
    INVALID_FORM = (400, 50035, "Invalid JsonForm Body")
    INVALID_ASSET = (400, 50046, "Invalid Asset")
    THREAD_ARCHIVED = (400, 50083, "Thread is archived")
    THREAD_THERE = (400, 160004, "A thread has already been created for this message")
    NOT_JSON = (400, 50109, "The request body contains invalid JSON.")
    ASSET_TOO_LARGE = (400, 50138, "Failed to resize asset below the maximum size: 262144")

    def __init__(self, status: int, code: int, words: str) -> None:
        self.status = status
        self.code = code
        self.words = words


class RequestRefused(Exception):
    """A request that Discord would not carry out, and the answer it would give."""

    def __init__(
        self, rule: Rule, errors: Payload | None = None, *, words: str | None = None
    ) -> None:
        super().__init__(words or rule.words)
        self.status = rule.status
        self.code = rule.code
        self.errors = errors

    @property
    def body(self) -> Payload:
        """The JSON object that Discord answers with."""
        body: Payload = {"message": str(self), "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        return body
