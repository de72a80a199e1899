"""Errors of the people in the sandbox: acts that their client forbids, and silence of the bot."""

from bot.locales import ENGLISH
from bot.sandbox.words import words


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
