"""A game is added by its entry and its texts; it needs no options, presets or dice."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from importlib.resources import files
from io import BytesIO

import pytest
from babel.messages.pofile import read_po

from bot import locales
from bot.games.catalogue import CATALOGUE
from bot.locales import ENGLISH, Language
from bot.sandbox import Message
from tests.bot.catalogues import languages as made_languages
from tests.bot.english import like, piece, says
from tests.bot.games import twentyone
from tests.bot.people import Person
from tests.bot.ui.conftest import Open, RunningBot
from tests.toy import GAME, LAST


def languages(*, lacking: str | None = None) -> Mapping[str, Language]:
    """English with the game's texts, but for one."""
    shipped = (files(locales) / f"{ENGLISH}.po").read_bytes()
    catalogue = twentyone.added(read_po(BytesIO(shipped)))
    if lacking is not None:
        catalogue.delete(lacking)
    return made_languages({ENGLISH: catalogue})


@pytest.fixture
async def running_bot(open_bot: Open, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningBot]:
    """A bot whose catalogue has one game more."""
    monkeypatch.setitem(CATALOGUE, GAME.key, twentyone.ENTRY)
    async with open_bot(languages=languages()) as running_bot:
        yield running_bot


async def opened(running_bot: RunningBot, person: Person) -> Message:
    """The table that `/twentyone` opens."""
    typed = await person.type(running_bot.games, "twentyone")
    message = (await typed.answered()).message
    assert not message.ephemeral, message.text
    return message


async def count(running_bot: RunningBot, board: Message, *people: Person) -> None:
    """The game counted to its end by threes, each person in turn."""
    for ply in range(LAST // 3):
        await running_bot.press(people[ply % len(people)], board, "+3")


@pytest.mark.parametrize("others", [1, 2])
async def test_a_game_without_options_presets_and_dice_is_played_to_its_end(
    running_bot: RunningBot, others: int
) -> None:
    ann, *rest = running_bot.people[: others + 1]
    board = await opened(running_bot, ann)
    assert "Twenty-one" in board.text
    for other in rest:
        await running_bot.press(other, board, says("control.join"))
    await running_bot.press(ann, board, says("control.start"))
    await count(running_bot, board, ann, *rest)
    winner = (ann, *rest)[(LAST // 3 - 1) % (others + 1)]
    key = "won.played" if others == 1 else "place.first"
    assert like(key, winner=winner.mention, player=winner.mention).search(board.text)
    told = await running_bot.say(winner, "stats", game="twentyone")
    assert like("records.tally.decided", wins="1").search(told)
    assert "Twenty-one" in await running_bot.say(ann, "history")
    assert "say 21 and you win" in await running_bot.say(ann, "help")


async def test_help_with_a_game_more_has_the_commands_on_a_page_of_their_own(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    shown = (await (await ann.type(running_bot.games, "help")).answered()).message
    assert "say 21 and you win" in shown.text
    assert piece("help.managed") not in shown.text
    await running_bot.press(ann, shown, says("control.page_after"))
    await running_bot.sandbox.until(lambda: piece("help.managed") in shown.text)
    assert "say 21 and you win" not in shown.text
    await running_bot.press(ann, shown, says("control.page_before"))
    await running_bot.sandbox.until(lambda: "say 21 and you win" in shown.text)


async def test_it_is_played_against_the_computer_and_replayed(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await opened(running_bot, ann)
    await running_bot.press(ann, board, says("control.fill"))
    await running_bot.press(ann, board, says("control.start"))
    while playable := [button for button in board.buttons if (button.label or "").startswith("+")]:
        await running_bot.press(ann, board, str(playable[-1].label))
    assert "21" in board.text
    replay = (await running_bot.press(ann, board, says("control.replay"))).message
    assert "Said last: 0" in replay.text
    await running_bot.press(ann, replay, says("control.last"))
    assert "Said last: 21" in replay.text
    asked = (await running_bot.press(ann, replay, says("control.share"))).message
    assert [button.label for button in asked.buttons] == [says("control.share_board")]
    explained = await ann.on_message(says("menu.message.explain"), board).answered()
    assert "Said last: 0" in explained.message.text, "without reviews it is replayed"


async def test_a_game_whose_command_has_no_text_is_named_at_the_start(
    open_bot: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CATALOGUE, GAME.key, twentyone.ENTRY)
    with pytest.raises(locales.MissingText, match=r"no text for 'command\.twentyone\.description'"):
        async with open_bot(languages=languages(lacking="command.twentyone.description")):
            pass
