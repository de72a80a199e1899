"""Reading the options of a command, their names and their translations."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from bot.sandbox.model.commands import CommandOption, Names, OptionChoice, OptionType
from bot.sandbox.rules.forms import JsonForm

# fmt: off
LOCALES: Final = frozenset({
    "ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi",
    "hr", "hu", "id", "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th",
    "tr", "uk", "vi", "zh-CN", "zh-TW",
})
# fmt: on
"""The languages of Discord's clients."""

_INNER: Final = frozenset({OptionType.SUBCOMMAND, OptionType.GROUP})
_WITH_CHOICES: Final = frozenset({OptionType.STRING, OptionType.INTEGER})
_PLAIN: Final = frozenset(OptionType) - _INNER
_LARGEST: Final = 2**53


def is_command_name(text: str) -> bool:
    """Whether a slash command, or an option, can be called that."""
    return text == text.lower() and all(map(_is_name_character, text))


def _is_name_character(character: str) -> bool:
    # Devanagari and Thai write vowels as marks, which are neither letters nor numbers.
    marks = "\u0900" <= character <= "\u097f" or "\u0e00" <= character <= "\u0e7f"
    return character in "-_'" or marks or unicodedata.category(character)[0] in "LN"


def read_names(form: JsonForm, key: str, *, longest: int, plain: bool) -> Names:
    """The name or description, with its translations; any characters will do if `plain`."""
    text = form.required_text(key, longest=longest)
    _check_name(form, key, text, plain=plain)
    part = form.part(f"{key}_localizations")
    if part is None:
        return Names(text)
    for locale in part.keys() - LOCALES:
        part.fail(locale, "APPLICATION_COMMAND_INVALID_LOCALE", f'Unknown locale "{locale}"')
    translations = {
        locale: part.text(locale, shortest=1, longest=longest)
        for locale in part.keys() & LOCALES
        if part.given(locale)
    }
    for locale, translation in translations.items():
        _check_name(part, locale, translation, plain=plain)
    return Names(text, translations)


def _check_name(form: JsonForm, key: str, text: str, *, plain: bool) -> None:
    if not plain and not is_command_name(text):
        code = "APPLICATION_COMMAND_INVALID_NAME"
        form.fail(key, code, "Command name is invalid")


def read_options(form: JsonForm, *, depth: int = 0) -> tuple[CommandOption, ...]:
    """The options of a command, or (`depth` 1) of a group, or (2) of a subcommand."""
    allowed = frozenset(OptionType) if depth == 0 else _PLAIN
    parts = form.parts("options", most=25)
    options = tuple(_option(part, allowed, depth) for part in parts)
    _check_together(form, parts, options)
    return options


def _check_together(
    form: JsonForm, parts: Sequence[JsonForm], options: Sequence[CommandOption]
) -> None:
    if len({option.kind in _INNER for option in options}) > 1:
        code = "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"
        words = "Sub-command and sub-command group option types are mutually exclusive to others"
        form.fail("options", code, words)
    for index, (part, option) in enumerate(zip(parts, options, strict=True)):
        before = options[:index]
        if any(option.name.text == other.name.text for other in before):
            code = "APPLICATION_COMMAND_OPTIONS_NAME_INVALID"
            part.fail("name", code, "Option names must be unique")
        if option.required and not all(other.required for other in before):
            code = "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"
            words = "Required options must be placed before non-required options"
            form.fail("options", code, words)


def _option(form: JsonForm, allowed: frozenset[OptionType], depth: int) -> CommandOption:
    form.require("type")
    kind = OptionType(form.one_of("type", allowed, default=OptionType.STRING))
    bounds = _bounds(form, kind)
    option = CommandOption(
        kind,
        read_names(form, "name", longest=32, plain=False),
        read_names(form, "description", longest=100, plain=True),
        required=form.flag("required"),
        autocomplete=form.flag("autocomplete"),
        choices=_choices(form, kind),
        options=_inner_options(form, kind, depth),
        least=bounds[0],
        most=bounds[1],
        channel_types=tuple(
            value for value in form.items("channel_types", most=20) if isinstance(value, int)
        ),
    )
    if option.autocomplete and (option.choices or kind not in _WITH_CHOICES):
        code = "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID"
        form.fail("autocomplete", code, "Autocomplete cannot be set here or beside choices")
    return option


def _inner_options(form: JsonForm, kind: OptionType, depth: int) -> tuple[CommandOption, ...]:
    if kind is OptionType.SUBCOMMAND:
        return read_options(form, depth=2)
    if kind is OptionType.GROUP and depth == 0:
        return tuple(
            _option(part, frozenset({OptionType.SUBCOMMAND}), 1)
            for part in form.parts("options", most=25)
        )
    return ()


def _bounds(form: JsonForm, kind: OptionType) -> tuple[int | None, int | None]:
    if kind is OptionType.STRING:
        keys, least, most = ("min_length", "max_length"), 0, 6000
    elif kind is OptionType.INTEGER:
        keys, least, most = ("min_value", "max_value"), -_LARGEST, _LARGEST
    else:
        return None, None
    low, high = (_bound(form, key, least, most) for key in keys)
    if low is not None and high is not None and low > high:
        form.fail(keys[1], "NUMBER_TYPE_MIN", f"Must not be less than {low}.")
    return low, high


def _bound(form: JsonForm, key: str, least: int, most: int) -> int | None:
    value = form.value(key)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        form.fail(key, "NUMBER_TYPE_COERCE", f"Must be a number between {least} and {most}.")
        return None
    return value


def _choices(form: JsonForm, kind: OptionType) -> tuple[OptionChoice, ...]:
    if not form.given("choices"):
        return ()
    if kind not in _WITH_CHOICES:
        words = "Choices are only available for string, integer and number options"
        form.fail("choices", "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", words)
    found: list[OptionChoice] = []
    for part in form.parts("choices", most=25):
        name = read_names(part, "name", longest=100, plain=True)
        if any(name.text == choice.name.text for choice in found):
            code = "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS"
            part.fail("name", code, "Option choice name already exists")
        found.append(OptionChoice(name, read_value(part, kind)))
    return tuple(found)


def read_value(form: JsonForm, kind: OptionType) -> str | int:
    """The value of a choice of an option of that kind."""
    value = form.value("value")
    if kind is OptionType.STRING and isinstance(value, str):
        return form.text("value", shortest=1, longest=100)
    if kind is OptionType.INTEGER and isinstance(value, int) and not isinstance(value, bool):
        return value
    form.fail("value", "BASE_TYPE_CONVERT", f"Must be a value of type {kind.name.lower()}.")
    return ""
