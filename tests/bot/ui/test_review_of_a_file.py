"""*Review a file*: a game handed in as a file, and the forms as they are filled in on a phone."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from selenium.webdriver import Chrome

from bot.locales import shipped
from bot.sandbox import Interaction, Payload
from bot.sandbox.model.files import MessageFile, Upload
from bot.screens.history import HistoryControl
from bot.service.explanations import StudyPool
from bot.ui.custom_ids import page_id
from bot.ui.emojis import LARGEST
from tests.bot.english import like, says
from tests.bot.people import Person, upload
from tests.bot.ui.conftest import RunningBot
from tests.bot.ui.finished import files_of
from tests.browser import Window

REVIEW = page_id(HistoryControl.REVIEW)
WON = "a3 b2 b3 a1 c3"
Keep: TypeAlias = Callable[[Upload, str], MessageFile]
FIVE = ("en-US", "de", "ar", "ja", "th")
"""Long words, another direction, other scripts."""


async def handing_in(
    running_bot: RunningBot, person: Person, file: Payload, **more: str
) -> Interaction:
    """A file that a person hands in at their history."""
    history = (await (await person.type(running_bot.games, "history")).answered()).message
    asked = await (await person.press(history, custom_id=REVIEW)).answered()
    return await person.fill(asked, file=file, **more)


async def handed_in(
    running_bot: RunningBot, person: Person, file: Payload, **more: str
) -> Interaction:
    """A file that a person has handed in, once all that anybody asked for is answered."""
    return await running_bot.done(await handing_in(running_bot, person, file, **more))


async def test_a_game_of_a_file_is_reviewed_for_its_person_alone(running_bot: RunningBot) -> None:
    _, ben, *_ = running_bot.people
    before = len(running_bot.sandbox.messages("games"))
    sent = await handed_in(running_bot, ben, upload(WON), game="tictactoe")

    told = await running_bot.sentence(sent)
    title = says("review.file.title", game=says("game.tictactoe"))
    assert told.startswith(title)
    (review,) = sent.followups or [sent.message]
    assert review.ephemeral
    assert [each.filename for each in review.body.attachments] == ["review.png"]
    assert not review.buttons, "its buttons would lead to boards"
    public = [each for each in running_bot.sandbox.messages("games") if not each.ephemeral]
    assert len(public) == before


async def test_no_file_tells_what_to_play_in_a_running_game(running_bot: RunningBot) -> None:
    """The moves so far in another order, and one to try."""
    ann, ben, cleo, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.play(board, (0, 0), (1, 0), (0, 1), (1, 1))
    moves = "b3 b2 a3 a2"
    for person in (ann, ben):
        sent = await handed_in(running_bot, person, upload(f"{moves} c1"), game="tictactoe")
        assert await running_bot.sentence(sent) == says("refusal.still_playing")
    sent = await handed_in(running_bot, cleo, upload(f"{moves} c1"), game="tictactoe")
    assert like("review.file.title").search(await running_bot.sentence(sent))
    await running_bot.play(board, (0, 2))
    sent = await handed_in(running_bot, ann, upload(f"{moves} c1"), game="tictactoe")
    assert like("review.file.title").search(await running_bot.sentence(sent))


async def test_a_file_from_replay_is_reviewed_again(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.play(board, (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
    replay = (await (await ann.type(running_bot.games, "replay")).answered()).message
    files = await files_of(running_bot, ann, replay, says("control.as_files"))
    assert len(files) == 2
    for file in files:
        data: Payload = {"name": file.filename, "data": b64encode(file.data).decode()}
        told = await running_bot.sentence(await handed_in(running_bot, ann, data, game="ludo"))
        assert told.startswith(says("review.file.title", game=says("game.tictactoe")))


@pytest.mark.parametrize(
    ("written", "fact", "line", "what"),
    [
        ("a3 b2\nb3\na3\n", "move", 3, "a3"),
        ("game: chess\ne4", "unclear", 1, "chess"),
        ("a3\ngame: tictactoe", "second", 2, None),
        ('{\n"format": "Parlour game"\n"x"}', "unclear", 3, '"x"}'),
        ('{"format": 1e999}', "unclear", 1, "1e999"),
        ("`@everyone`\n", "move", 1, "'@everyone'"),
        ("", "empty", None, None),
        ("x" * (LARGEST + 1), "large", None, None),
    ],
)
async def test_a_wrong_file_is_refused_with_its_line_and_the_reason(
    running_bot: RunningBot, written: str, fact: str, line: int | None, what: str | None
) -> None:
    ann, *_ = running_bot.people
    sent = await handed_in(running_bot, ann, upload(written), game="tictactoe")
    values = {"line": str(line), "what": f"\u2068`{what}`\u2069"}
    known = {key: value for key, value in values.items() if f"{{{key}}}" in text_of(fact)}
    assert await running_bot.sentence(sent) == says(f"refusal.file.{fact}", **known)


def text_of(fact: str) -> str:
    """The English of a refusal, with its placeholders."""
    return shipped()["en-US"].template(f"refusal.file.{fact}")


async def test_a_second_file_of_a_person_is_told_to_wait_for_the_first_and_for_no_game(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, *_ = running_bot.people
    begun, free, explain = asyncio.Event(), asyncio.Event(), StudyPool.explain

    async def slowly(*about: Any) -> Any:
        begun.set()
        await free.wait()
        return await explain(*about)

    monkeypatch.setattr(StudyPool, "explain", slowly)
    first = asyncio.create_task(handed_in(running_bot, ann, upload(WON), game="tictactoe"))
    await begun.wait()
    second = await handing_in(running_bot, ann, upload(WON), game="tictactoe")
    assert await running_bot.sentence(await second.answered()) == says("refusal.file_waiting")
    free.set()
    told = await running_bot.sentence(await first)
    assert told.startswith(says("review.file.title", game=says("game.tictactoe")))


async def test_a_file_that_is_no_text_is_refused_at_its_line(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    data: Payload = {"name": "game.png", "data": b64encode(b"a3\n\xff\xfe").decode()}
    told = await running_bot.sentence(await handed_in(running_bot, ann, data))
    assert like("refusal.file.unclear", line="2").search(told)


async def test_a_file_that_discord_does_not_give_is_told_as_its_trouble(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    history = (await (await ann.type(running_bot.games, "history")).answered()).message
    asked = await (await ann.press(history, custom_id=REVIEW)).answered()
    running_bot.sandbox.world.keep = gone(running_bot)
    sent = await running_bot.done(await ann.fill(asked, file=upload(WON)))
    assert await running_bot.sentence(sent) == says("unreachable")


def gone(running_bot: RunningBot) -> Keep:
    """Keeps files at an address where there is none."""
    keep = running_bot.sandbox.world.keep

    def kept(each: Upload, description: str) -> MessageFile:
        file = keep(each, description)
        return replace(file, url=f"{file.url}.gone")

    return kept


@pytest.mark.parametrize("locale", FIVE)
@pytest.mark.sampled(2)
async def test_the_forms_fit_a_phone_and_can_be_filled_in(
    running_bot: RunningBot, browser: Chrome, tmp_path: Path, locale: str
) -> None:
    running_bot.sandbox.person("Ann").account.locale = locale
    language = shipped()[locale]
    window = Window(browser, running_bot.sandbox.url)
    await window.resize(360, 740)
    await window.open(person="Ann")
    await window.enter("#line", typed(running_bot, "tournament", locale))
    await window.sees("dialog h2", language.template("tournament.panel"))
    await fits(window)
    await window.screenshot(tmp_path / f"tournament-{locale}.png")
    await window.click("dialog [value=swiss]")
    await window.click("dialog [value=longer]")
    await window.run("document.querySelector('dialog form').requestSubmit()")
    await window.sees("#history .message", language.template("tournament.opened"))
    await window.misses("dialog")

    await window.enter("#line", typed(running_bot, "history", locale))
    await window.click(f"[data-custom-id='{REVIEW}']")
    await window.sees("dialog h2", language.template("control.review_file"))
    await fits(window)
    file = tmp_path / "game.txt"
    file.write_text(WON)
    await window.type("dialog input[type=file]", str(file))
    await window.screenshot(tmp_path / f"review-{locale}.png")
    await window.run("document.querySelector('dialog form').requestSubmit()")
    await window.sees("#history .message", language.template("game.tictactoe"))
    await window.sees("#history .message img")
    await window.misses("dialog")
    assert await window.complaints() == []
    await window.close()


def typed(running_bot: RunningBot, command: str, locale: str) -> str:
    """A command by its name in a language."""
    names = running_bot.sandbox.command(command).name_localizations or {}
    return f"/{names.get(locale, command)}"


async def fits(window: Window) -> None:
    """Nothing in the form is wider than the form, nor the form than the page."""
    wide = """
        const form = document.querySelector("dialog form");
        return [document.documentElement, ...form.querySelectorAll("*"), form]
            .filter((each) => each.clientWidth && each.scrollWidth > each.clientWidth + 1)
            .map((each) => each.outerHTML.slice(0, 80));
    """
    assert await window.run(wide) == []
