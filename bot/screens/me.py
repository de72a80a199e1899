"""The panel of `/me`: a person's own choices and data, and the question of forgetting them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import chain
from typing import Final

from bot.message.blocks import Control, Entities, Picker, Prose, Row, Screen, Style, Tone, id_kind
from bot.message.text import text
from bot.screens.panel import (
    AUTOMATIC,
    FewValues,
    OnOff,
    PanelControl,
    chosen_one,
    labelled,
    languages,
)
from bot.storage.choices import Choices, Form, Reminding

STREAKS: Final = {OnOff.ON: Reminding.DIRECT, OnOff.OFF: Reminding.OFF}
"""The ways of being told that a streak of puzzles breaks, as of other reminders."""


@id_kind("c1")
class OwnSetting(PanelControl):
    """The controls of the panel, in their order."""

    LANGUAGE = "language"
    CHALLENGES = (
        "challenges",
        FewValues(
            "challenges",
            text("me.challenges"),
            {each: text(f"me.challenged.{each}") for each in OnOff},
        ),
    )
    REMINDERS = (
        "reminders",
        FewValues(
            "reminders",
            text("me.reminders"),
            {each: text(f"me.reminded.{each}") for each in Reminding},
        ),
    )
    STREAKS = (
        "streaks",
        FewValues(
            "streaks",
            text("me.streaks"),
            {each: text(f"me.reminded.{told}") for each, told in STREAKS.items()},
        ),
    )
    BOARDS = (
        "boards",
        FewValues(
            "form",
            text("me.boards", board=text("command.board")),
            {each: text(f"me.boards.{each}") for each in Form},
        ),
    )
    BLOCKED = "blocked"
    EXPORT = "export"
    FORGET = "forget"


@id_kind("f1")
class ForgetAnswer(StrEnum):
    """The answers to the question of forgetting."""

    FORGET = "forget"
    KEEP = "keep"
    EXPORT = "export"


def me(choices: Choices, locales: Sequence[str]) -> Screen:
    """The choices of a person, each in a menu, and what can be done with their data."""
    blocking, blocked = text("me.blocking"), tuple(sorted(choices.blocked))
    title = blocking if blocked else text("me.blocking.nobody")
    blocks = (
        *chosen_one(
            OwnSetting.LANGUAGE,
            text("me.language"),
            languages(locales, text("me.language.discord")),
            choices.language or AUTOMATIC,
        ),
        *chain.from_iterable(each.menu(choices) for each in OwnSetting),
        *labelled(blocking, Picker(OwnSetting.BLOCKED, title, Entities.PEOPLE, blocked)),
        Row(
            (
                Control(OwnSetting.EXPORT, text("control.export")),
                Control(OwnSetting.FORGET, text("control.forget_me"), style=Style.DANGEROUS),
            )
        ),
    )
    return Screen(blocks, Tone.WAITING)


def question() -> Screen:
    """The consequences of forgetting a person, and the choice."""
    lines = (
        text("me.forget.title"),
        text("me.forget.games"),
        text("me.forget.people"),
        text("me.forget.undo"),
    )
    controls = (
        Control(ForgetAnswer.FORGET, text("control.forget"), style=Style.DANGEROUS),
        Control(ForgetAnswer.KEEP, text("control.keep")),
        Control(ForgetAnswer.EXPORT, text("control.export")),
    )
    return Screen((Prose(lines), Row(controls)), Tone.WAITING)
