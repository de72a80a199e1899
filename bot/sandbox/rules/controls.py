"""Reading buttons and menus, with Discord's rules for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.sandbox.model.controls import (
    SELECTS,
    Button,
    Choice,
    Control,
    Emoji,
    Kind,
    Position,
    Select,
)
from bot.sandbox.model.emojis import Emojis
from bot.sandbox.rules.emoji import is_emoji
from bot.sandbox.rules.forms import Form, is_array, is_object
from bot.sandbox.snowflakes import Snowflake

_LINK: Final = 5
_PREMIUM: Final = 6
_CHANNEL_TYPES: Final = frozenset({0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16})


def kind_of(form: Form, allowed: frozenset[Kind]) -> Kind | None:
    """The type of the component, if it is one that may stand here."""
    value = form.number("type", default=0) if form.require("type") else 0
    if value in allowed:
        return Kind(value)
    if form.given("type"):
        choices = ", ".join(str(kind.value) for kind in sorted(allowed))
        form.fail("type", "UNION_TYPE_CHOICES", f"Value of field must be one of ({choices}).")
    return None


class Tally:
    """What must be unique or counted over a whole message or modal: ids, custom ids, rows.

    `emojis` are those of the application, which buttons and menus may carry.
    """

    def __init__(self, components: object, emojis: Emojis) -> None:
        self.emojis = emojis
        self._taken = set(_chosen_ids(components))
        self._seen: set[int] = set()
        self._custom_ids: set[str] = set()
        self._last = 0
        self.components = 0
        self.rows = 0

    def id(self, form: Form) -> int:
        """The component's own id, or the next free number."""
        self.components += 1
        chosen = form.number("id", default=0, most=2**31 - 1)
        if chosen:
            if chosen in self._seen:
                form.fail("id", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
            self._seen.add(chosen)
            return chosen
        self._last += 1
        while self._last in self._taken:
            self._last += 1
        return self._last

    def custom_id(self, form: Form) -> str:
        """The component's custom id, which nothing else here may have."""
        custom_id = form.required_text("custom_id", longest=100)
        if custom_id and custom_id in self._custom_ids:
            code = "COMPONENT_CUSTOM_ID_DUPLICATED"
            form.fail("custom_id", code, "Component custom id cannot be duplicated")
        self._custom_ids.add(custom_id)
        return custom_id


def _chosen_ids(value: object) -> Iterator[int]:
    if is_array(value):
        for item in value:
            yield from _chosen_ids(item)
    elif is_object(value):
        chosen = value.get("id")
        if isinstance(chosen, int) and chosen > 0 and "type" in value:
            yield chosen
        for key in ("components", "accessory", "component"):
            yield from _chosen_ids(value.get(key))


def read_row(form: Form, tally: Tally) -> tuple[Control, ...]:
    """The buttons, or the menu, of an action row."""
    row, tally.rows = tally.rows, tally.rows + 1
    parts = form.parts("components", fewest=1, most=5)
    kinds = [kind_of(part, SELECTS | {Kind.BUTTON}) for part in parts]
    if len(parts) > 1 and any(kind in SELECTS for kind in kinds):
        code = "COMPONENT_LAYOUT_WIDTH_EXCEEDED"
        form.fail("components", code, "The specified component exceeds the maximum width")
    found: list[Control] = []
    for column, (part, kind) in enumerate(zip(parts, kinds, strict=True)):
        if kind is Kind.BUTTON:
            found.append(read_button(part, tally, (row, column)))
        elif kind is not None:
            found.append(read_select(part, kind, tally))
    return tuple(found)


def read_button(form: Form, tally: Tally, position: Position | None) -> Button:
    """A button of a row, or (`position` None) beside a section."""
    button_id = tally.id(form)
    style = form.one_of("style", range(1, 7), default=0) if form.require("style") else 0
    label = form.text("label", longest=80)
    emoji = read_emoji(form, tally.emojis)
    sku_id = form.snowflake("sku_id")
    if style == _PREMIUM:
        form.require("sku_id")
        _refuse(form, "label", "emoji", "custom_id", "url")
    elif not label.strip() and emoji is None:
        code = "BUTTON_COMPONENT_EMPTY"
        form.fail("label", code, "A button must have a label or an emoji.")
    return Button(
        button_id,
        style,
        label,
        emoji,
        custom_id=_custom_id(form, style, tally),
        url=_url(form, style),
        sku_id=sku_id,
        disabled=form.flag("disabled"),
        position=position,
    )


def _custom_id(form: Form, style: int, tally: Tally) -> str:
    if style in {_LINK, _PREMIUM}:
        _refuse(form, "custom_id")
        return ""
    return tally.custom_id(form)


def _url(form: Form, style: int) -> str:
    if style != _LINK:
        _refuse(form, "url")
        return ""
    url = form.required_text("url", longest=512)
    if url and not url.startswith(("http://", "https://", "discord://")):
        code = "URL_TYPE_INVALID_SCHEME"
        words = f'Scheme "{url.partition(":")[0]}" is not supported.'
        form.fail("url", code, f"{words} Scheme must be one of ('http', 'https', 'discord').")
    return url


def _refuse(form: Form, *keys: str) -> None:
    for key in keys:
        if form.given(key):
            code = "BUTTON_COMPONENT_FIELD_MUTUALLY_EXCLUSIVE"
            form.fail(key, code, f"A button of this style cannot have a {key}.")


def read_emoji(form: Form, emojis: Emojis) -> Emoji | None:
    """The emoji of a button or of a line of a menu; one of the application's own by its id."""
    part = form.part("emoji")
    if part is None:
        return None
    name = part.text("name", longest=32)
    emoji_id = part.snowflake("id")
    if emoji_id is not None:
        own = emojis.get(emoji_id)
        if own is None:
            part.fail("id", "COMPONENT_INVALID_EMOJI", "Invalid emoji")
            return None
        return Emoji(own.name, own.id, own.image.animated)
    if name and not is_emoji(name):
        part.fail("name", "COMPONENT_INVALID_EMOJI", "Invalid emoji")
    return Emoji(name) if name else None


def read_select(form: Form, kind: Kind, tally: Tally) -> Select:
    """A menu."""
    fewest = form.number("min_values", default=1, most=25)
    most = form.number("max_values", default=1, least=1, most=25)
    # Discord tells of too high a `max_values` as of too few options.
    written = kind is Kind.STRING_SELECT
    choices = read_choices(form, tally, fewest=min(most, 25), most=25) if written else ()
    if fewest > most:
        code = "SELECT_COMPONENT_VALUES_OUT_OF_RANGE"
        form.fail("max_values", code, f"Must not be less than min_values ({fewest}).")
    if sum(choice.default for choice in choices) > most:
        code = "SELECT_COMPONENT_MAX_DEFAULTS"
        form.fail("options", code, f"Must not have more than {most} default options.")
    types = [form_type for form_type in _channel_types(form) if kind is Kind.CHANNEL_SELECT]
    return Select(
        tally.id(form),
        kind,
        tally.custom_id(form),
        placeholder=form.text("placeholder", longest=150),
        fewest=fewest,
        most=most,
        choices=choices,
        defaults=tuple(_defaults(form, most)),
        channel_types=tuple(types),
        disabled=form.flag("disabled"),
        required=form.flag("required", default=True),
    )


def read_choices(form: Form, tally: Tally, *, most: int, fewest: int) -> tuple[Choice, ...]:
    """The lines of a menu, or the boxes of a group, each with a value of its own."""
    form.require("options")
    choices: list[Choice] = []
    for part in form.parts("options", fewest=fewest, most=most):
        value = part.required_text("value", longest=100)
        if any(value == choice.value for choice in choices):
            code = "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"
            part.fail("value", code, "The specified option value is already used")
        choices.append(
            Choice(
                part.required_text("label", longest=100),
                value,
                part.text("description", longest=100),
                read_emoji(part, tally.emojis),
                part.flag("default"),
            )
        )
    return tuple(choices)


def _defaults(form: Form, most: int) -> Iterator[tuple[str, Snowflake]]:
    for part in form.parts("default_values", most=most):
        snowflake = part.snowflake("id") if part.require("id") else None
        if snowflake is not None:
            yield part.required_text("type", longest=20), snowflake


def _channel_types(form: Form) -> Iterator[int]:
    for value in form.items("channel_types", most=len(_CHANNEL_TYPES)):
        if isinstance(value, int) and value in _CHANNEL_TYPES:
            yield value
        else:
            form.fail("channel_types", "BASE_TYPE_CHOICES", "Unknown channel type.")
