"""Screens as Discord's components."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import partial
from io import BytesIO
from typing import Any, Final, Self, TypeAlias

import discord
from discord import ButtonStyle, ComponentType, ui

from bot.message.blocks import (
    Answer,
    AnyOf,
    Block,
    Brief,
    Choice,
    Control,
    Entities,
    FormScreen,
    Grid,
    Menu,
    OneFile,
    OneLine,
    OneOf,
    Picker,
    Picture,
    Pictures,
    Prose,
    Row,
    Screen,
    Style,
    Tone,
)
from bot.message.canvas import Paint
from bot.message.text import Text
from bot.service.variations import Trial
from bot.table.actions import Action
from bot.table.refusals import Refusal
from bot.table.seats import FORMER_PLAYERS, PersonId
from bot.table.table import Table
from bot.ui.custom_ids import board_id, page_id, puzzle_id, variation_id
from bot.ui.words import Words, brief

Component: TypeAlias = dict[str, Any]
Identify: TypeAlias = Callable[[object], str]
"""Gives the id of the control that does an action."""

BLANK: Final = "\u200b"
"""The label of a button without text, as Discord accepts no empty label."""

LEFT_TO_RIGHT: Final = "\u2066{}\u2069"
"""Keeps the squares of a row in order within text written from right to left."""

MOST_ALTERNATIVE: Final = 1024
"""The most characters of a picture's alternative text."""

STYLES: Final = {
    Style.PLAIN: ButtonStyle.secondary.value,
    Style.PROMINENT: ButtonStyle.primary.value,
    Style.GOOD: ButtonStyle.success.value,
    Style.DANGEROUS: ButtonStyle.danger.value,
}

COLOURS: Final = {
    Tone.WAITING: discord.Colour.gold().value,
    Tone.RUNNING: discord.Colour.blurple().value,
    Tone.OVER: discord.Colour.light_grey().value,
    Tone.WON: discord.Colour.gold().value,
}

MOST_LETTERS: Final = 4000
"""The letters that Discord takes in all texts of a message, as `letters` counts them."""

BUTTON: Final = ComponentType.button.value

LONGEST_ID: Final = 100
"""The most characters of a control's id."""

MOST_PICKED: Final = 25
"""The most people or channels that can be chosen in a menu that Discord fills."""

MOST_OF_A_CHOICE: Final = 100
"""The most characters of a line of a menu."""

ENTITIES: Final[Mapping[Entities, tuple[ComponentType, str, int]]] = {
    Entities.PEOPLE: (ComponentType.user_select, "user", MOST_PICKED),
    Entities.CHANNELS: (ComponentType.channel_select, "channel", MOST_PICKED),
    Entities.ONE_CHANNEL: (ComponentType.channel_select, "channel", 1),
}
"""The menus that Discord fills: component type, type of default values, most choices."""

MEETING_PLACES: Final = [
    kind.value
    for kind in (
        *(discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.voice),
        *(discord.ChannelType.stage_voice, discord.ChannelType.forum),
    )
]
"""The types of channels where people can type commands, or whose threads they can."""

CHANNEL_TYPES: Final = {
    Entities.CHANNELS: MEETING_PLACES,
    Entities.ONE_CHANNEL: [discord.ChannelType.text.value, discord.ChannelType.news.value],
}
"""The types of channels that a menu offers."""


class Drawing(ui.LayoutView):
    """A view that is written out directly as components; discord.py stores nothing of it.

    Presses reach the router by themselves (see `custom_ids`), so there is nothing to dispatch or to
    time out. Drawing a board this way takes a fifth of the time.
    """

    def __init__(self, screen: Screen, identify: Identify, words: Words) -> None:
        super().__init__(timeout=None)
        self._screen = screen
        self._identify = identify
        self._words = words

    def to_components(self) -> list[Component]:
        """The components for Discord's API, with the bot's own emoji.

        If one of them is still to be uploaded, or their ids make the message too long for Discord,
        all are common ones: a board never mixes the two.
        """
        words = self._words
        words.missed.clear()
        drawn = _components(self._screen, self._identify, words)
        texts = (each["content"] for each in _every(drawn) if "content" in each)
        fits = sum(map(letters, texts)) <= MOST_LETTERS
        if fits and words.missed.isdisjoint(words.uploading):
            return drawn
        return _components(self._screen, self._identify, words.spoken())

    def has_components_v2(self) -> bool:
        """True: the message always needs Discord's flag for Components V2."""
        return True

    def is_dispatchable(self) -> bool:
        """False: discord.py need not dispatch presses of these components."""
        return False


def ids_of(components: Iterable[Component]) -> Iterator[str]:
    """The ids of the controls among components."""
    return (each["custom_id"] for each in _every(components) if "custom_id" in each)


def _every(components: Iterable[Component]) -> list[Component]:
    """Components, and all that they hold."""
    every = [*components]
    for each in every:
        every += each.get("components", ())
    return every


def letters(text: str) -> int:
    """The letters of a text as Discord counts them: most emoji are two."""
    return len(text.encode("utf-16-le")) // 2


def board_view(screen: Screen, table: Table, words: Words) -> Drawing:
    """The message of a table."""
    return Drawing(screen, board_id(table.id, table.session.ply, "{}").format, words)


def puzzle_view(screen: Screen, day: date, words: Words) -> Drawing:
    """The message of the puzzle of a day."""
    return Drawing(screen, partial(puzzle_id, day), words)


def variation_view(screen: Screen, tried: Trial, words: Words) -> Drawing:
    """The message of a try at a finished game.

    Raises:
        Refusal: Its line is too long for the ids of its buttons.
    """
    identify = partial(variation_id, tried.table.id, tried.line.line)
    if len(identify(Action.WHAT_IF)) > LONGEST_ID:
        raise Refusal("variation_over")
    return Drawing(screen, identify, words)


def page_view(screen: Screen, words: Words) -> Drawing:
    """A message whose controls' actions are complete ids, to be written by `page_id`."""
    return Drawing(screen, page_id, words)


def notice_view(line: Text, words: Words) -> Drawing:
    """A message of one line, without controls."""
    return page_view(Screen((Prose((line,)),), Tone.OVER), words)


async def picture_file(
    name: str, paint: Callable[..., bytes], *about: object, described: str = ""
) -> discord.File:
    """Paint a picture in a worker thread, and return its file."""
    png = await asyncio.to_thread(paint, *about)
    return discord.File(BytesIO(png), name, description=described[:MOST_ALTERNATIVE] or None)


class FormModal(ui.Modal):
    """A form as a modal, which discord.py does not store."""

    def __init__(self, form: FormScreen, words: Words) -> None:
        super().__init__(title=words.of(form.title), custom_id=page_id(form.action))
        for each in form.questions:
            about = None if each.about is None else words.of(each.about)
            asked = _input(each.name, each.answer, words)
            label = ui.Label[Self](text=words.of(each.label), description=about, component=asked)
            self.add_item(label)
        self.stop()


def _input(name: str, answer: Answer, words: Words) -> ui.Item[Any]:
    """The component of a modal for a kind of answer."""
    match answer:
        case OneLine(most, value):
            return ui.TextInput(custom_id=name, default=value, max_length=most, required=False)
        case OneOf(choices) if answer.menu:
            lines = [discord.SelectOption(**_line(each, words)) for each in choices]
            return ui.Select(custom_id=name, options=lines, required=True)
        case OneOf(choices):
            radios = [discord.RadioGroupOption(**_line(each, words)) for each in choices]
            return ui.RadioGroup(custom_id=name, options=radios, required=True)
        case AnyOf(choices):
            boxes = [discord.CheckboxGroupOption(**_line(each, words)) for each in choices]
            return ui.CheckboxGroup(
                custom_id=name, options=boxes, min_values=0, max_values=len(boxes), required=False
            )
        case OneFile():
            return ui.FileUpload(custom_id=name, min_values=1, max_values=1, required=True)


def _components(screen: Screen, identify: Identify, words: Words) -> list[Component]:
    """The components: blocks in containers, wide rows outside, as containers are narrower."""
    drawn: list[Component] = []
    inside: list[Component] | None = None
    for block in screen.blocks:
        component = _component(block, identify, words)
        if isinstance(block, Row) and block.wide:
            drawn.append(component)
            inside = None
        elif inside is None:
            inside = [component]
            drawn.append(
                {
                    "type": ComponentType.container.value,
                    "accent_color": _colour(screen.tone),
                    "components": inside,
                }
            )
        else:
            inside.append(component)
    return drawn


def _colour(tone: Tone | Paint) -> int:
    return COLOURS[tone] if isinstance(tone, Tone) else discord.Colour.from_str(tone).value


def mentions(notified: Iterable[PersonId]) -> discord.AllowedMentions:
    """The permission to notify these people and nobody else; former players are left out."""
    people = [discord.Object(person) for person in notified if person not in FORMER_PLAYERS]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=people)


def _component(block: Block, identify: Identify, words: Words) -> Component:
    match block:
        case Prose() | Grid():
            return _text(_lines(block, words))
        case Row(controls):
            buttons = list(map(partial(_button, identify=identify, words=words), controls))
            return {"type": ComponentType.action_row.value, "components": buttons}
        case Menu():
            menu = _menu(block, identify(block.action), words)
            return {"type": ComponentType.action_row.value, "components": [menu]}
        case Picker():
            picker = _picker(block, identify(block.action), words)
            return {"type": ComponentType.action_row.value, "components": [picker]}
        case Picture() | Pictures():
            return _gallery(block, words)


def _lines(block: Prose | Grid, words: Words) -> Iterator[str]:
    told: tuple[Text | Brief, ...]
    if isinstance(block, Prose):
        told = block.lines
    else:
        for row in block.rows:
            yield LEFT_TO_RIGHT.format("".join(map(words.cell, row)))
        told = () if block.caption is None else (block.caption,)
    for each in told:
        if isinstance(each, Brief):
            yield from brief(each, words)
        else:
            yield words.line(each)


def _text(lines: Iterable[str]) -> Component:
    return {"type": ComponentType.text_display.value, "content": "\n".join(lines)}


def _gallery(shown: Picture | Pictures, words: Words) -> Component:
    pictures = (shown,) if isinstance(shown, Picture) else shown.pictures
    words = words.spoken()
    items = [
        {
            "media": {"url": f"attachment://{picture.file}"},
            "description": "\n".join(map(words.of, picture.words))[:MOST_ALTERNATIVE],
            "spoiler": picture.spoiler,
        }
        for picture in pictures
    ]
    return {"type": ComponentType.media_gallery.value, "items": items}


def _button(control: Control, identify: Identify, words: Words) -> Component:
    button: Component = {
        "type": BUTTON,
        "style": STYLES[control.style],
        "custom_id": identify(control.action),
        "disabled": not control.enabled,
    }
    sign = control.emoji or ""
    emoji = {"name": sign} if isinstance(sign, str) else words.emoji(sign)
    if emoji["name"]:
        button["emoji"] = emoji
    if control.label is not None or not emoji["name"]:
        button["label"] = BLANK if control.label is None else words.of(control.label)
    return button


def _menu(menu: Menu, custom_id: str, words: Words) -> Component:
    return {
        "type": ComponentType.select.value,
        "custom_id": custom_id,
        "placeholder": words.of(menu.title),
        "options": [_line(choice, words) for choice in menu.choices],
    }


def _line(choice: Choice, words: Words) -> Component:
    """A line of a menu, a radio button, or a checkbox."""
    label = words.of(choice.label)[:MOST_OF_A_CHOICE]
    line: Component = {"label": label, "value": choice.value, "default": choice.chosen}
    if choice.description is not None:
        line["description"] = words.of(choice.description)
    return line


def _picker(picker: Picker, custom_id: str, words: Words) -> Component:
    kind, of, most = ENTITIES[picker.entities]
    shown, types = picker.chosen[:most], CHANNEL_TYPES.get(picker.entities)
    return {
        "type": kind.value,
        "custom_id": custom_id,
        "placeholder": words.of(picker.title),
        "min_values": 0,
        "max_values": most,
        "default_values": [{"id": str(each), "type": of} for each in shown],
        **({"channel_types": types} if types else {}),
    }
