"""Reading the suggestions with which a bot answers an autocompletion."""

from __future__ import annotations

from bot.sandbox.model.interactions import Suggestion
from bot.sandbox.rules.command_options import read_names
from bot.sandbox.rules.forms import JsonForm


def read_suggestions(form: JsonForm, locale: str) -> tuple[Suggestion, ...]:
    """The suggestions, at most 25, as people with that language read them.

    Raises:
        RequestRefused: A rule is broken.
    """
    form.require("choices")
    found = tuple(_suggestion(part, locale) for part in form.parts("choices", most=25))
    form.problems.check()
    return found


def _suggestion(form: JsonForm, locale: str) -> Suggestion:
    names = read_names(form, "name", longest=100, plain=True)
    name = (names.localizations or {}).get(locale, names.text)
    value = form.value("value")
    if isinstance(value, str):
        return Suggestion(name, form.text("value", shortest=1, longest=100))
    if isinstance(value, int) and not isinstance(value, bool):
        return Suggestion(name, value)
    form.fail("value", "BASE_TYPE_REQUIRED", "This field is required")
    return Suggestion(name, "")
