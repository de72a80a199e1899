"""The panel of `/me`: a person's own choices and data, and the question of forgetting them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from bot.message.blocks import Choice, Control, Entities, Picker, Prose, Row, Screen, Style, Tone
from bot.message.text import text
from bot.screens.panel import OnOff, chosen_one, labelled, languages
from bot.storage.people import Choices, Form, Reminding


class OwnSetting(StrEnum):
    """The controls of the panel."""

    LANGUAGE = "language"
    CHALLENGES = "challenges"
    REMINDERS = "reminders"
    STREAKS = "streaks"
    BOARDS = "boards"
    BLOCKED = "blocked"
    EXPORT = "export"
    FORGET = "forget"


STREAKS: Final = {OnOff.ON: Reminding.DIRECT, OnOff.OFF: Reminding.OFF}
"""The ways of being told that a streak of puzzles breaks, as of other reminders."""


class ForgetAnswer(StrEnum):
    """The answers to the question of forgetting."""

    FORGET = "forget"
    KEEP = "keep"
    EXPORT = "export"


def me(choices: Choices, locales: Sequence[str]) -> Screen:
    """The choices of a person, each in a menu, and what can be done with their data."""
    challenges = OnOff.ON if choices.challenges else OnOff.OFF
    form = choices.form or Form.MESSAGE
    blocks = (
        Prose((text("me.title"),)),
        *chosen_one(
            OwnSetting.LANGUAGE,
            text("me.language"),
            languages(locales, choices.language, text("me.language.discord")),
        ),
        *chosen_one(
            OwnSetting.CHALLENGES,
            text("me.challenges"),
            (
                Choice(each, text(f"me.challenged.{each}"), chosen=each is challenges)
                for each in OnOff
            ),
        ),
        *chosen_one(
            OwnSetting.REMINDERS,
            text("me.reminders"),
            (
                Choice(each, text(f"me.reminded.{each}"), chosen=each is choices.reminders)
                for each in Reminding
            ),
        ),
        *chosen_one(
            OwnSetting.STREAKS,
            text("me.streaks"),
            (
                Choice(
                    each, text(f"me.reminded.{told}"), chosen=choices.streaks is (each is OnOff.ON)
                )
                for each, told in STREAKS.items()
            ),
        ),
        *chosen_one(
            OwnSetting.BOARDS,
            text("me.boards"),
            (Choice(each, text(f"me.boards.{each}"), chosen=each is form) for each in Form),
        ),
        *labelled(
            text("me.blocking"),
            Picker(
                OwnSetting.BLOCKED,
                text("me.blocking.nobody"),
                Entities.PEOPLE,
                tuple(sorted(choices.blocked)),
            ),
        ),
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
