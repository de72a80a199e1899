"""Whole games of Ludo, from the table to the proof of its dice."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import Final

import pytest

from bot.sandbox import Message
from bot.table.seats import Computer, Level
from bot.table.session import Ending
from tests.bot.english import says
from tests.bot.ui import fairness, ludo
from tests.bot.ui.conftest import RunningBot

EASY, MEDIUM, HARD, EXPERT = Level.EASY, Level.MEDIUM, Level.HARD, Level.EXPERT


@dataclass(frozen=True)
class Setting:
    """A table: its preset, how many people and which computers play, and rules besides."""

    preset: str
    people: int
    computers: tuple[Level, ...] = ()
    rules: dict[str, str] = field(default_factory=dict)
    presses_to_roll: bool = False

    def __str__(self) -> str:
        return " ".join([self.preset, str(self.people), *self.computers])


SETTINGS: Final = (
    Setting("quick", 2, presses_to_roll=True),
    Setting("quick", 3),
    Setting("quick", 1, (EXPERT, HARD, EXPERT)),
    Setting("classic", 1, (EASY,)),
    Setting("classic", 1, (MEDIUM, EXPERT)),
    Setting("classic", 1, (EASY, MEDIUM, HARD)),
    Setting("damascus", 1, (HARD,)),
    Setting("damascus", 1, (EASY, EXPERT)),
    Setting("damascus", 1, (EASY, MEDIUM, MEDIUM)),
)
"""Every preset with two, three and four seats, and every level among them."""

TEAMS: Final = {says("rule.ludo.teams"): says("rule.ludo.teams.yes")}
PLACES: Final = {says("rule.ludo.finish"): says("rule.ludo.finish.places")}


async def begun(running_bot: RunningBot, setting: Setting) -> Message:
    """A table set up by its host with what the message offers, and begun."""
    ann, *others = running_bot.people[: setting.people]
    board = await ludo.seated(running_bot.sandbox, (ann, *others), rules=setting.preset)
    for level in setting.computers:
        await ludo.set_up(
            ann, board, says("menu.add_computer", level=says(f"choice.level.{level}"))
        )
    if not setting.presses_to_roll:
        await ludo.set_up(ann, board, says("control.auto_roll.on"))
    for rule, value in setting.rules.items():
        panel = (await ludo.set_up(ann, board, says("menu.house_rules"))).message
        await ludo.pick(ann, panel, f"{rule}: {value}", menu=ludo.RULES)
    await running_bot.press(ann, board, says("control.start"))
    await running_bot.sandbox.until(lambda: says("control.start") not in ludo.labels(board))
    return board


async def assert_fair(running_bot: RunningBot, board: Message, commitment: str) -> None:
    """The secret is that of the commitment, and the file says how to check every roll."""
    words = await ludo.proof(running_bot.people[0], board)
    assert words[1] == "verify.html", "the file names the page that checks it"
    secret = ludo.secret_in(words)
    assert hashlib.sha256(secret).hexdigest() == commitment

    number, session = ludo.number_of(board), (await ludo.table_of(running_bot, board)).session
    shown = fairness.rolls(len(session.seats), session.options, session.moves)
    assert shown == {
        ply: fairness.due(secret, fairness.label(number, board.id, [], ply)) for ply in shown
    }

    rolls = words[words.index("--rolls") + 1]
    assert rolls == " ".join(f"{ply}={pips}" for ply, pips in shown.items())
    assert {f"3:{commitment}", str(number), str(board.id)} <= {*words}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
async def test_a_game_is_played_to_its_end_and_its_dice_can_be_checked(
    running_bot: RunningBot, setting: Setting
) -> None:
    board = await begun(running_bot, setting)
    commitment = await ludo.commitment(running_bot.people[0], board)
    await ludo.to_the_end(running_bot.sandbox, board)
    assert len(ludo.winners(board)) == 1
    session = (await ludo.table_of(running_bot, board)).session
    assert session.ending is Ending.PLAYED
    assert tuple(s.level for s in session.seats if isinstance(s, Computer)) == setting.computers
    await assert_fair(running_bot, board, commitment)


@pytest.mark.both_databases
async def test_partners_win_together(running_bot: RunningBot) -> None:
    board = await begun(running_bot, Setting("quick", 2, (MEDIUM, HARD), TEAMS))
    commitment = await ludo.commitment(running_bot.people[0], board)
    assert re.search("🔴 .+ 🟡 [^·]+ · 🟢", board.text)
    await ludo.to_the_end(running_bot.sandbox, board)
    assert ludo.winners(board) in (["🔴", "🟡"], ["🟢", "🔵"])
    await assert_fair(running_bot, board, commitment)


async def test_places_are_played_for_until_one_is_left(running_bot: RunningBot) -> None:
    board = await begun(running_bot, Setting("quick", 2, (EASY, MEDIUM), PLACES))
    commitment = await ludo.commitment(running_bot.people[0], board)
    await ludo.to_the_end(running_bot.sandbox, board)
    places = re.findall(r"^(🏆|\d\.) (🔴|🟢|🟡|🔵)", board.text, re.MULTILINE)
    assert [place for place, _ in places] == ["🏆", "2.", "3."]
    assert len({emblem for _, emblem in places}) == 3
    await assert_fair(running_bot, board, commitment)
