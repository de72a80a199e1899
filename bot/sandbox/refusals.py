"""The page's own words, and refusals: of a person at the page, and of the bot's requests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from bot.locales import ENGLISH, known, one_of
from bot.locales.pages import PageTexts, filled, page_texts
from bot.sandbox.payload import Payload

_PAGE: Final = files("bot.sandbox").joinpath("page")


@cache
def words(locale: str) -> PageTexts:
    """The page's texts in a language, or in English where that has no catalogue."""
    return page_texts("page", one_of(locale) or known()[ENGLISH])


@cache
def index() -> str:
    """The page, with the English that it needs while the sandbox cannot be reached."""
    english = {ENGLISH: known()[ENGLISH]}
    return filled(_PAGE.joinpath("index.html").read_text("utf-8"), "page", english)


@cache
def verify_page() -> str:
    """The page that checks dice, in every language."""
    return filled(_PAGE.joinpath("verify.html").read_text("utf-8"), "verify", known())


class Impossible(ValueError):
    """Discord's client does not let a person do that; the sentence says why not."""


class ActRefused(Impossible):
    """An act that the page refuses in its reader's language: a text's key and its values."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(words(ENGLISH)["texts"][key].format_map(values))
        self.key = key
        self.values = {name: str(value) for name, value in values.items()}


class NotAnswered(AssertionError):
    """The bot did not acknowledge an interaction within three seconds."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of Discord's that a request can break: HTTP status, JSON error code, words."""

    status: int
    code: int
    words: str


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
        return body if self.errors is None else body | {"errors": self.errors}


UNKNOWN_CHANNEL: Final = Rule(404, 10003, "Unknown Channel")
UNKNOWN_GUILD: Final = Rule(404, 10004, "Unknown Guild")
UNKNOWN_MEMBER: Final = Rule(404, 10007, "Unknown Member")
UNKNOWN_MESSAGE: Final = Rule(404, 10008, "Unknown Message")
UNKNOWN_ROLE: Final = Rule(404, 10011, "Unknown Role")
UNKNOWN_USER: Final = Rule(404, 10013, "Unknown User")
UNKNOWN_EMOJI: Final = Rule(404, 10014, "Unknown Emoji")
UNKNOWN_WEBHOOK: Final = Rule(404, 10015, "Unknown Webhook")
UNKNOWN_INTERACTION: Final = Rule(404, 10062, "Unknown interaction")
ALREADY_ACKNOWLEDGED: Final = Rule(400, 40060, "Interaction has already been acknowledged.")
NO_DIRECT_MESSAGES: Final = Rule(403, 50007, "Cannot send messages to this user")
INVALID_WEBHOOK_TOKEN: Final = Rule(401, 50027, "Invalid Webhook Token")
INVALID_FORM: Final = Rule(400, 50035, "Invalid JsonForm Body")
NOT_JSON: Final = Rule(400, 50109, "The request body contains invalid JSON.")
THREAD_THERE: Final = Rule(400, 160004, "A thread has already been created for this message")
