"""Other moves to try in a replay, and its game shown to everybody."""

from __future__ import annotations

import re
from random import Random

from bot.locales import shipped
from bot.message.text import text
from bot.sandbox import Message
from bot.screens.lobby import what
from bot.storage.choices import GuildId
from bot.table.seats import Level, PersonId
from bot.ui.words import Words
from engine.games.ludo.rules import PRESETS
from tests.bot.english import ENGLISH_WORDS, like, says
from tests.bot.people import Person
from tests.bot.ui.conftest import RunningBot
from tests.bot.ui.finished import played, store
from tests.bot.ui.test_replay import replay


async def answered(running_bot: RunningBot, by: Person, shown: Message, label: str) -> Message:
    """The message that a press brings, once the computer has worked it out."""
    pressed = await running_bot.press(by, shown, label)
    await running_bot.sandbox.until(lambda: pressed.original is not None or pressed.followups)
    message = pressed.followups[-1] if pressed.followups else pressed.message
    await running_bot.sandbox.until(lambda: not message.thinking)
    return message


async def finished(running_bot: RunningBot) -> Message:
    """A game that O lost by its first move, which the centre would have held."""
    board = await running_bot.friends()
    await running_bot.play(board, (0, 0), (0, 1), (1, 1), (2, 2), (1, 0), (1, 2), (2, 0))
    return board


async def test_another_move_is_tried_in_the_place_of_one_as_often_as_one_likes(
    running_bot: RunningBot,
) -> None:
    ben = running_bot.people[1]
    await finished(running_bot)
    shown = await replay(ben, running_bot.games)
    for _ in range(2):
        await running_bot.press(ben, shown, says("control.next"))
    tried = await answered(running_bot, ben, shown, says("control.what_if"))
    assert tried.ephemeral
    played = "b3"
    assert like("why.move", move=played, emblem="⭕").search(tried.text)
    [menu] = tried.selects
    assert len(menu.choices) == 8, "all that could be played there"
    assert not any(each.default for each in menu.choices), "what the menu is for is read on it"
    centre = next(each for each in menu.choices if each.value == "4")
    assert centre.description == says("why.drawn")
    await ben.pick(tried, centre.value)
    await running_bot.sandbox.until(lambda: says("why.drawn") in tried.text)
    better = "b2"
    assert like("why.move", move=better, emblem="⭕").search(tried.text)
    assert like("why.line").search(tried.text), "how it would go on"
    await ben.pick(tried, "1")
    await running_bot.sandbox.until(lambda: says("why.drawn") not in tried.text)
    assert like("why.move", move=played, emblem="⭕").search(tried.text)


async def test_a_replay_is_shared_as_a_board_or_in_motion(running_bot: RunningBot) -> None:
    cleo = running_bot.people[2]
    await finished(running_bot)
    shown = await replay(cleo, running_bot.games)
    await running_bot.press(cleo, shown, says("control.next"))
    asked = await answered(running_bot, cleo, shown, says("control.share"))
    assert (asked.ephemeral, asked.text) == (True, says("share.what"))
    board = await answered(running_bot, cleo, asked, says("control.share_board"))
    assert [file.filename for file in board.attachments] == ["board.png"]
    moved = await answered(running_bot, cleo, asked, says("control.animate"))
    assert not moved.ephemeral
    assert like("won.played", emblem="❌").search(moved.text)
    [picture] = moved.pictures
    assert like("won.played", emblem="❌").search(str(picture.description))
    [file] = moved.attachments
    assert file.size == (480, 520)
    assert (file.filename, file.content_type) == ("game.gif", "image/gif")


async def test_a_shared_game_leads_others_to_its_replay_where_it_was_played_alone(
    running_bot: RunningBot,
) -> None:
    ann, _, cleo, _ = running_bot.people
    await finished(running_bot)
    ways = {says("control.replay"), says("control.review")}
    for channel in (running_bot.games, running_bot.sandbox.channel("lounge")):
        asked = await answered(running_bot, ann, await replay(ann, channel), says("control.share"))
        for form in ("share_board", "animate"):
            shown = await answered(running_bot, ann, asked, says(f"control.{form}"))
            assert not shown.ephemeral
            offered = {button.label for button in shown.buttons}
            assert bool(offered & ways) == (channel is running_bot.games)
            for way in offered & ways:
                opened = await answered(running_bot, cleo, shown, way)
                assert like("replay.start", "review.title").search(opened.text)


async def test_what_is_shared_is_in_the_language_of_its_channel_and_not_in_the_sharers(
    running_bot: RunningBot,
) -> None:
    ann = running_bot.people[0]
    ended, arabic = await finished(running_bot), Words(shipped()["ar"])
    await running_bot.parlour.stores.people.choose(PersonId(int(ann.id)), language="ar")

    async def shared(shown: Message, *ways: str) -> Message:
        for way in ways:
            assert shown.ephemeral
            shown = await answered(running_bot, ann, shown, arabic.of(text(f"control.{way}")))
        return shown

    look = await replay(ann, running_bot.games)
    review = await answered(running_bot, ann, ended, says("control.review"))
    stats = (await (await ann.type(running_bot.games, "stats")).answered()).message
    for post in (
        await shared(look, "share", "share_board"),
        await shared(review, "share"),
        await shared(stats, "share"),
    ):
        assert not post.ephemeral
        assert not re.search("[\u0621-\u064a]", post.text)


async def test_a_game_shared_to_another_channel_is_in_its_servers_language(
    running_bot: RunningBot,
) -> None:
    """The board was in English where it was played, and whoever shares it reads Arabic."""
    ann, lounge = running_bot.people[0], running_bot.sandbox.channel("lounge")
    session = await running_bot.session(await finished(running_bot))
    arabic, german = Words(shipped()["ar"]), Words(shipped()["de"])
    stores, guild = running_bot.parlour.stores, GuildId(int(lounge.guild_id or 0))
    await stores.people.choose(PersonId(int(ann.id)), language="ar")
    await stores.guilds.choose(guild, language="de")
    looked = await replay(ann, lounge)
    asked = await answered(running_bot, ann, looked, arabic.of(text("control.share")))
    told = german.of(what(session))
    assert told != ENGLISH_WORDS.of(what(session))
    for form in ("share_board", "animate"):
        post = await answered(running_bot, ann, asked, arabic.of(text(f"control.{form}")))
        assert not post.ephemeral
        assert told in post.text
        [picture] = post.pictures
        assert not re.search("[\u0621-\u064a]", f"{post.text} {picture.description}")


async def test_ludo_moves_by_its_turning_points(running_bot: RunningBot) -> None:
    ann = running_bot.people[0]
    quick = PRESETS["quick"]
    await store(running_bot, played("ludo", ann.id, Level.EASY, rng=Random(1), options=quick))
    shown = await replay(ann, running_bot.games)
    asked = await answered(running_bot, ann, shown, says("control.share"))
    moved = await answered(running_bot, ann, asked, says("control.animate"))
    [picture] = moved.pictures
    told = like("review.rolled.moved", "review.took", "review.moved")
    assert told.search(str(picture.description))
