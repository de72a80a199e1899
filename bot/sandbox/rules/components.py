"""Reading buttons and menus, with Discord's rules for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.sandbox.model.components import (
    Button,
    ButtonPosition,
    ComponentType,
    Control,
    Emoji,
    MenuOption,
    Select,
)
from bot.sandbox.model.emojis import ApplicationEmojis
from bot.sandbox.rules.forms import JsonForm, is_array, is_object
from bot.sandbox.rules.unicode_emoji import is_emoji

_LINK: Final = 5
_IN_ROW: Final = frozenset({ComponentType.BUTTON, ComponentType.SELECT})


def type_of(form: JsonForm, allowed: frozenset[ComponentType]) -> ComponentType | None:
    """The type of the component, if it is one that may stand here."""
    value = form.number("type", default=0) if form.require("type") else 0
    if value in allowed:
        return ComponentType(value)
    if form.given("type"):
        choices = ", ".join(str(kind.value) for kind in sorted(allowed))
        form.fail("type", "UNION_TYPE_CHOICES", f"Value of field must be one of ({choices}).")
    return None


class ComponentTally:
    """What must be unique or counted over a whole message or modal: ids, custom ids, rows.

    `emojis` are those of the application, which buttons and menus may carry.
    """

    def __init__(self, components: object, emojis: ApplicationEmojis) -> None:
        self.emojis = emojis
        self._taken = set(_chosen_ids(components))
        self._seen: set[int] = set()
        self._custom_ids: set[str] = set()
        self._last = 0
        self.components = 0
        self.rows = 0

    def id(self, form: JsonForm) -> int:
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

    def custom_id(self, form: JsonForm) -> str:
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
        for key in ("components", "component"):
            yield from _chosen_ids(value.get(key))


def read_row(form: JsonForm, tally: ComponentTally) -> tuple[Control, ...]:
    """The buttons, or the menu, of an action row."""
    row, tally.rows = tally.rows, tally.rows + 1
    parts = form.parts("components", fewest=1, most=5)
    kinds = [type_of(part, _IN_ROW) for part in parts]
    if len(parts) > 1 and ComponentType.SELECT in kinds:
        code = "COMPONENT_LAYOUT_WIDTH_EXCEEDED"
        form.fail("components", code, "The specified component exceeds the maximum width")
    found: list[Control] = []
    for column, (part, kind) in enumerate(zip(parts, kinds, strict=True)):
        if kind is ComponentType.BUTTON:
            found.append(_read_button(part, tally, (row, column)))
        elif kind is ComponentType.SELECT:
            found.append(read_select(part, tally))
    return tuple(found)


def _read_button(form: JsonForm, tally: ComponentTally, position: ButtonPosition) -> Button:
    button_id = tally.id(form)
    style = form.one_of("style", range(1, 6), default=0) if form.require("style") else 0
    label = form.text("label", longest=80)
    emoji = _read_emoji(form, tally.emojis)
    if not label.strip() and emoji is None:
        code = "BUTTON_COMPONENT_EMPTY"
        form.fail("label", code, "A button must have a label or an emoji.")
    return Button(
        button_id,
        style,
        label,
        emoji,
        custom_id=_refused(form, "custom_id") if style == _LINK else tally.custom_id(form),
        url=_read_url(form) if style == _LINK else _refused(form, "url"),
        disabled=form.flag("disabled"),
        position=position,
    )


def _read_url(form: JsonForm) -> str:
    url = form.required_text("url", longest=512)
    if url and not url.startswith(("http://", "https://", "discord://")):
        code = "URL_TYPE_INVALID_SCHEME"
        words = f'Scheme "{url.partition(":")[0]}" is not supported.'
        form.fail("url", code, f"{words} Scheme must be one of ('http', 'https', 'discord').")
    return url


def _refused(form: JsonForm, key: str) -> str:
    if form.given(key):
        code = "BUTTON_COMPONENT_FIELD_MUTUALLY_EXCLUSIVE"
        form.fail(key, code, f"A button of this style cannot have a {key}.")
    return ""


def _read_emoji(form: JsonForm, emojis: ApplicationEmojis) -> Emoji | None:
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
        return Emoji(own.name, own.id)
    if name and not is_emoji(name):
        part.fail("name", "COMPONENT_INVALID_EMOJI", "Invalid emoji")
    return Emoji(name) if name else None


def read_select(form: JsonForm, tally: ComponentTally) -> Select:
    """A menu."""
    fewest = form.number("min_values", default=1, most=25)
    most = form.number("max_values", default=1, least=1, most=25)
    # Discord tells of too high a `max_values` as of too few options.
    choices = _read_choices(form, tally, fewest=min(most, 25))
    if fewest > most:
        code = "SELECT_COMPONENT_VALUES_OUT_OF_RANGE"
        form.fail("max_values", code, f"Must not be less than min_values ({fewest}).")
    if sum(choice.default for choice in choices) > most:
        code = "SELECT_COMPONENT_MAX_DEFAULTS"
        form.fail("options", code, f"Must not have more than {most} default options.")
    return Select(
        tally.id(form),
        tally.custom_id(form),
        placeholder=form.text("placeholder", longest=150),
        fewest=fewest,
        most=most,
        choices=choices,
        disabled=form.flag("disabled"),
        required=form.flag("required", default=True),
    )


def _read_choices(form: JsonForm, tally: ComponentTally, *, fewest: int) -> tuple[MenuOption, ...]:
    form.require("options")
    choices: list[MenuOption] = []
    for part in form.parts("options", fewest=fewest, most=25):
        value = part.required_text("value", longest=100)
        if any(value == choice.value for choice in choices):
            code = "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"
            part.fail("value", code, "The specified option value is already used")
        choices.append(
            MenuOption(
                part.required_text("label", longest=100),
                value,
                part.text("description", longest=100),
                _read_emoji(part, tally.emojis),
                part.flag("default"),
            )
        )
    return tuple(choices)
