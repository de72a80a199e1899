"""Parlour's own emoji: uploaded once, shown as soon as they are there, done without until then."""

from __future__ import annotations

import re
from typing import Final

import pytest

from bot.games.catalogue import CATALOGUE
from bot.sandbox import Message
from tests.bot.english import like
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import ludo
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.scripted_dice import ScriptedDice

SPRITES: Final = CATALOGUE["ludo"].sprites
FEW: Final = {
    name: paint
    for name, paint in SPRITES.items()
    if re.fullmatch("(red|green|yellow|blue)_(token|[1-4](_[a-z]+)?)", name)
}
"""One for each token alone, on every ground."""
OWN: Final = re.compile(r"<:(\w+):(\d+)>")
EMOJIS: Final = "/applications/*/emojis"
LEFT: Final = like("ludo.story.left_yard")


@pytest.fixture
def uploaded(sandbox: Sandbox) -> list[str]:
    """The names of all emoji that the bot uploads, in order."""
    names: list[str] = []

    def listen(seen: Observed) -> None:
        if isinstance(seen, Exchange) and seen.path.endswith("/emojis") and seen.method == "POST":
            assert isinstance(seen.request, dict)
            names.append(seen.request["name"])

    sandbox.observe(listen)
    return names


async def playing(running_bot: RunningBot) -> Message:
    """A board on which Ann is to roll, and others have tokens too."""
    ann, *_ = running_bot.people
    return await ludo.opened(running_bot.sandbox, ann, computers=3, level="easy")


async def test_every_emoji_is_uploaded_at_the_first_start_and_none_at_the_second(
    open_bot: Open, uploaded: list[str]
) -> None:
    async with open_bot(sprites=SPRITES) as running_bot:
        await running_bot.client.own_emojis.complete.wait()
    assert sorted(uploaded) == sorted(SPRITES)
    async with open_bot(sprites=SPRITES) as running_bot:
        await running_bot.client.own_emojis.complete.wait()
        assert running_bot.client.own_emojis.ids.keys() == SPRITES.keys()
    assert len(uploaded) == len(SPRITES)


async def test_only_what_is_missing_is_uploaded(open_bot: Open, uploaded: list[str]) -> None:
    async with open_bot(sprites=FEW) as running_bot:
        await running_bot.client.own_emojis.complete.wait()
        first, *_ = await running_bot.client.fetch_application_emojis()
        await first.delete()
    uploaded.clear()
    async with open_bot(sprites=FEW) as running_bot:
        await running_bot.client.own_emojis.complete.wait()
    assert uploaded == [first.name]


async def test_boards_show_the_bots_own_emoji_once_it_has_them_and_common_ones_before(
    open_bot: Open, sandbox: Sandbox, dice: ScriptedDice
) -> None:
    dice.fall(6, 6)  # Ann chooses between two tokens at once
    gate = sandbox.hold_next("POST", EMOJIS)
    async with open_bot(sprites=FEW) as running_bot:
        await gate.reached()
        board = await playing(running_bot)
        assert not OWN.search(board.text)
        assert board.text.count("🔴") >= 4
        gate.open()
        await running_bot.client.own_emojis.complete.wait()
        await ludo.until(running_bot.sandbox, board, lambda: len(ludo.offers(board)) > 1)
        ids = {name: str(number) for name, number in running_bot.client.own_emojis.ids.items()}
        shown = dict(OWN.findall(board.text))
        assert shown.items() <= ids.items()
        assert {name[0] for name in shown} == {*"rgyb"}


async def test_without_them_games_are_played_all_the_same_and_the_next_start_tries_again(
    open_bot: Open, sandbox: Sandbox, uploaded: list[str], dice: ScriptedDice
) -> None:
    dice.fall(6)  # Ann leaves her yard
    sandbox.fail_next("POST", EMOJIS, 400, 30008, "Maximum number of emojis reached")
    async with open_bot(sprites=FEW) as running_bot:
        board = await playing(running_bot)
        await ludo.until(running_bot.sandbox, board, lambda: LEFT.search(board.text) is not None)
        assert not OWN.search(board.text)
        assert not running_bot.client.own_emojis.complete.is_set()
    uploaded.clear()
    async with open_bot(sprites=FEW) as running_bot:
        await running_bot.client.own_emojis.complete.wait()
    assert sorted(uploaded) == sorted(FEW)
