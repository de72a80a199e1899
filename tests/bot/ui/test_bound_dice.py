"""Dice that are bound before anybody can know what they will show, and stay bound."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import randbytes
from typing import Any

import pytest

from bot.games.catalogue import CATALOGUE
from bot.games.command import Request
from bot.locales import ENGLISH
from bot.sandbox import Interaction, Message, Permission
from bot.sandbox.refusals import verify_page
from bot.screens.board import screen
from bot.service.jobs import ROUND_EVERY
from bot.storage.messages import Messages
from bot.table.dice import Dice
from bot.table.seats import PersonId
from bot.table.table import InteractionId, Place, Table
from bot.ui import retries, router
from bot.ui.render import board_view
from tests.bot.english import ENGLISH_WORDS, like, says
from tests.bot.people import Person, Value
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import fairness, ludo
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.own_data import export, forget, rows

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
FIELD = "word"


async def dice_of(running_bot: RunningBot, board: Message) -> Dice:
    dice = (await ludo.table_of(running_bot, board)).dice
    assert dice is not None
    return dice


async def panel(person: Person, board: Message) -> Message:
    """The panel about the dice."""
    return (await ludo.press(person, board, says("control.proof"))).message


async def say(sandbox: Sandbox, person: Person, board: Message, word: str) -> Message:
    """Gives the dice a word that the board shows; the panel afterwards."""
    asked = await ludo.press(person, await panel(person, board), says("control.word"))
    before = board.edits
    filled = await (await person.fill(asked, {FIELD: word})).answered()
    await sandbox.until(lambda: board.edits > before)
    return filled.message


async def assert_fair(
    running_bot: RunningBot, board: Message, message: Message, words: list[str]
) -> None:
    """Every roll follows from the secret, the message and the words, as worked out outside."""
    proof = await ludo.proof(running_bot.people[0], board)
    secret, number = ludo.secret_in(proof), ludo.number_of(board)
    session = (await ludo.table_of(running_bot, board)).session
    shown = fairness.rolls(len(session.seats), session.options, session.moves)
    assert shown == {
        ply: fairness.due(secret, fairness.label(number, message.id, words, ply)) for ply in shown
    }
    told = " ".join(f"{ply}={pips}" for ply, pips in shown.items())
    assert told in proof


class Sent:
    """The first texts of messages, as they went over the wire."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, seen: Observed) -> None:
        if isinstance(seen, Exchange) and isinstance(seen.request, Mapping):
            body: Any = seen.request.get("data", seen.request)
            if seen.method != "PATCH" and isinstance(body, Mapping):
                self.texts.append(str(body))


@pytest.mark.both_databases
async def test_no_message_shows_the_seal_unless_asked_for(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    running_bot.sandbox.observe(sent := Sent())
    board = await ludo.opened(running_bot.sandbox, ann, rules="quick", roll="auto")
    bound = await dice_of(running_bot, board)
    digest = hashlib.sha256(bound.secret).hexdigest()
    assert sent.texts
    assert not any(digest[:8] in text for text in sent.texts)
    await running_bot.press(ben, board, says("control.join"))
    await say(running_bot.sandbox, ben, board, "apple")
    await running_bot.press(ann, board, says("control.start"))
    await ludo.to_the_end(running_bot.sandbox, board)
    assert digest[:8] not in board.text
    assert ludo.public(ann, running_bot.games) == [board], "dice have no message of their own"
    assert (await dice_of(running_bot, board)).secret == bound.secret
    await assert_fair(running_bot, board, board, ["apple"])


async def post(running_bot: RunningBot, person: Person, about: Message) -> Interaction:
    """*Post the seal* pressed in a panel about the dice, and done."""
    return await running_bot.done(await person.press(about, says("control.seal")))


def seals(running_bot: RunningBot) -> list[Message]:
    """The messages that say for good what dice are bound to."""
    seen = ludo.public(running_bot.people[0], running_bot.games)
    return [each for each in seen if like("dice.sealed").search(each.text)]


async def test_anybody_posts_the_seal_once_in_a_message_that_is_never_edited(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, rules="quick", roll="auto")
    told, other = await panel(cleo, board), await panel(ben, board)
    seal = f"3:{(await dice_of(running_bot, board)).digest}"
    assert told.ephemeral
    assert f"`{seal}`" in told.text
    await asyncio.gather(post(running_bot, cleo, told), post(running_bot, ben, other))
    [posted] = seals(running_bot)
    assert posted.text == says("dice.sealed", number="1", commitment=seal)
    assert not posted.pinged
    assert str(posted.id) in told.text
    assert says("control.seal") not in ludo.labels(told)
    assert (await dice_of(running_bot, board)).promise == posted.id

    await running_bot.press(ben, board, says("control.join"))
    await running_bot.press(ann, board, says("control.start"))
    about = await panel(ben, board)
    await running_bot.sandbox.until(lambda: like("dice.there").search(about.text))
    assert says("control.seal") not in ludo.labels(about)
    await ludo.to_the_end(running_bot.sandbox, board)
    assert posted.edits == 0


async def test_a_seal_whose_message_was_deleted_is_posted_again(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    told = await panel(ann, board)
    await post(running_bot, ann, told)
    [first] = seals(running_bot)
    ann.delete(first)
    pressed = await running_bot.done(await ludo.press(ben, board, says("control.proof")))
    [again] = pressed.followups
    assert not like("dice.there").search(again.text)
    await post(running_bot, ben, again)
    [second] = seals(running_bot)
    assert second.text == first.text
    assert str(second.id) in again.text
    assert (await dice_of(running_bot, board)).promise == second.id


async def test_a_seal_is_posted_where_the_bot_may_not_write_by_itself(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    running_bot.sandbox.deny(running_bot.games, Permission.SEND_MESSAGES)
    told = await panel(ann, board)
    await ludo.press(ann, told, says("control.seal"))
    await running_bot.sandbox.until(lambda: like("dice.there").search(told.text))
    [posted] = seals(running_bot)
    assert str(posted.id) in told.text


@pytest.mark.both_databases
async def test_a_seal_that_discord_took_in_trouble_is_found_by_the_next_press(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    told = await panel(ann, board)
    monkeypatch.setattr(retries, "TRIED_FOR", 0.0)
    running_bot.sandbox.cut_next("POST", "/channels/*/messages", carried_out=True)
    pressed = await post(running_bot, ann, told)
    assert says("unreachable") in await running_bot.sentence(pressed)
    assert says("control.seal") in ludo.labels(told)
    [posted] = seals(running_bot)
    assert (await dice_of(running_bot, board)).promise is None
    other = await panel(ben, board)
    await post(running_bot, ben, other)
    assert seals(running_bot) == [posted]
    assert (await dice_of(running_bot, board)).promise == posted.id
    assert str(posted.id) in other.text


async def test_a_form_that_cannot_be_opened_any_more_is_asked_for_again(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    told = await panel(ann, board)
    with pytest.MonkeyPatch.context() as crowded:
        crowded.setattr(router, "AT_ONCE", 0)
        pressed = await running_bot.done(await ann.press(told, says("control.word")))
    assert like("refusal.form_late").search(await running_bot.sentence(pressed))
    assert (await ludo.press(ann, told, says("control.word"))).modal is not None


async def test_teams_and_computers_chosen_after_the_words_change_no_roll(
    running_bot: RunningBot,
) -> None:
    """Else a host who knows the secret could draw anew by them."""
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, rules="quick", roll="auto")
    await running_bot.press(ben, board, says("control.join"))
    await say(running_bot.sandbox, ben, board, "apple")
    await say(running_bot.sandbox, ann, board, "pear")
    session, before = ludo.number_of(board), await rolls_of(running_bot, board)
    computer = says("menu.add_computer", level=says("choice.level.easy"))
    await ludo.set_up(ann, board, computer)
    assert await rolls_of(running_bot, board) == before
    table = await running_bot.store.table(session)
    swapped = replace(table, session=replace(table.session, seats=table.session.seats[::-1]))
    assert [swapped.pips(ply) for ply in range(50)] == before
    await running_bot.press(ann, board, says("control.start"))
    await ludo.to_the_end(running_bot.sandbox, board)
    await assert_fair(running_bot, board, board, ["pear", "apple"])


async def rolls_of(running_bot: RunningBot, board: Message) -> list[int]:
    table = await ludo.table_of(running_bot, board)
    return [table.pips(ply) for ply in range(50)]


async def test_a_word_stands_for_all_to_see_as_plain_text(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    await running_bot.press(ben, board, says("control.join"))
    await say(running_bot.sandbox, ben, board, " **bold** `code`   @everyone ")
    assert "`**bold** 'code' @everyone`" in board.text
    await say(running_bot.sandbox, ben, board, ann.mention)
    assert f"`{ann.mention}`" in board.text
    assert not board.pinged
    assert says("control.word") not in ludo.labels(await panel(cleo, board))
    told = await say(running_bot.sandbox, ben, board, "pear")
    assert "`pear`" in told.text, "the panel shows it at once"
    assert "`pear`" in board.text
    assert "bold" not in board.text
    asked = await ludo.press(ben, told, says("control.word"))
    assert asked.modal is not None
    assert "pear" in str(asked.modal.payload()), "the form begins with the word"
    await (await ben.fill(asked, {FIELD: "  "})).answered()
    await running_bot.sandbox.until(lambda: "pear" not in board.text)
    await running_bot.press(ann, board, says("control.start"))
    told = await panel(ben, board)
    assert not like("dice.words").search(told.text)
    assert str(board.id) in told.text


async def test_words_are_frozen_by_the_start_and_told_behind_dice(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, rules="quick", roll="auto")
    await running_bot.press(ben, board, says("control.join"))
    await running_bot.press(cleo, board, says("control.join"))
    await say(running_bot.sandbox, cleo, board, "it's 5, #1!")
    late = await ludo.press(ben, await panel(ben, board), says("control.word"))
    await running_bot.press(ann, board, says("control.start"))
    filled = await (await ben.fill(late, {FIELD: "durian"})).answered()
    assert filled.message.ephemeral
    told = await panel(ben, board)
    assert "`it's 5, #1!`" in told.text
    assert "durian" not in told.text
    assert says("control.word") not in ludo.labels(told)
    await ludo.to_the_end(running_bot.sandbox, board)
    await assert_fair(running_bot, board, board, ["it's 5, #1!"])


async def test_a_word_goes_with_its_player(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    await running_bot.press(ben, board, says("control.join"))
    await say(running_bot.sandbox, ben, board, "apple")
    await running_bot.press(ben, board, says("control.leave"))
    await running_bot.press(ben, board, says("control.join"))
    assert "apple" not in board.text


async def test_a_game_that_starts_at_once_shows_its_board_before_the_first_roll(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    running_bot.sandbox.observe(sent := Sent())
    board = await ludo.opened(
        running_bot.sandbox, ann, computers=2, level="easy", rules="quick", roll="auto"
    )
    assert ludo.ABOUT_TO_ROLL in sent.texts[0]
    assert board.edits == 1, "and then what was rolled, in one change"
    dice = await dice_of(running_bot, board)
    assert dice.board == board.id
    assert dice.digest[:8] not in sent.texts[0]
    await ludo.to_the_end(running_bot.sandbox, board)
    await assert_fair(running_bot, board, board, [])
    shown = (await running_bot.press(ann, board, says("control.proof"))).message.text
    assert f"{running_bot.sandbox.url}/verify.html?language=en-US" in shown


async def test_on_discord_the_page_that_checks_the_dice_comes_beside_what_to_paste_there(
    open_bot: Open,
) -> None:
    async with open_bot(checker=lambda: None) as running_bot:
        ann, ben, *_ = running_bot.people
        board = await ludo.begun(running_bot.sandbox, (ann, ben))
        await running_bot.both_moved(board)
        await running_bot.resign(ann, board)
        told = (await ludo.ask_of_dice(ben, board)).message
    proof, page = told.attachments
    assert (proof.filename, page.filename) == ("dice.txt", "verify.html")
    assert says("dice.check.page") in told.text
    assert proof.data.decode().startswith("Parlour verify.html --session ")
    assert page.data.decode() == verify_page(), "with the words of every language"


async def test_a_board_sent_again_leaves_the_dice_with_the_first(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    quick: dict[str, Value] = {"computers": 1, "level": "easy", "rules": "quick", "roll": "auto"}
    first = await ludo.opened(running_bot.sandbox, ann, **quick)
    await (await ann.type(running_bot.games, "board", game="1")).answered()
    again = (await (await ann.type(running_bot.games, "board", game="1")).answered()).message
    assert again.id != first.id
    await ludo.to_the_end(running_bot.sandbox, again)
    assert (await dice_of(running_bot, again)).board == first.id
    await assert_fair(running_bot, again, first, [])


@dataclass
class Crash:
    """The state of a new table when the bot was gone."""

    sent: bool
    noted: bool


CRASHES = {
    "before its message was sent": Crash(sent=False, noted=False),
    "before the message's id was noted": Crash(sent=True, noted=False),
    "before the first roll": Crash(sent=True, noted=True),
}


async def proposed(running_bot: RunningBot, **options: int | str) -> Table:
    """A table that is stored, and of which there is no message yet."""
    ann, *_ = running_bot.people
    entry = CATALOGUE["ludo"]
    request = Request(PersonId(int(ann.id)), PersonId(1), options)
    guild = int(running_bot.games.guild_id or 0)
    place = Place(guild, int(running_bot.games.id))
    interaction = InteractionId(int(running_bot.games.id) + 1)
    return await running_bot.service.openings.propose(
        entry, request, place=place, locale=ENGLISH, interaction=interaction
    )


async def begun_and_cut(open_bot: Open, crash: Crash, **options: int | str) -> int | None:
    """Opens a table, up to a crash; the id of its message, if that was sent."""
    async with open_bot() as running_bot:
        table = await proposed(running_bot, **options)
        assert table.session.ply == 0
        if not crash.sent:
            return None
        view = board_view(screen(table), table, ENGLISH_WORDS)
        channel = running_bot.client.get_partial_messageable(int(running_bot.games.id))
        sent = await channel.send(view=view, nonce=randbytes(12).hex())
        if crash.noted:
            await Messages(running_bot.store).save_message(table.id, sent.id)
        return sent.id


@pytest.mark.both_databases
@pytest.mark.sampled(3)
@pytest.mark.parametrize("crash", CRASHES.values(), ids=CRASHES.keys())
async def test_after_a_crash_before_the_first_roll_a_game_goes_on_by_its_first_message(
    open_bot: Open, crash: Crash
) -> None:
    message = await begun_and_cut(open_bot, crash, computers=1, rules="quick")
    async with open_bot() as running_bot:
        ann, *_ = running_bot.people
        await running_bot.later(ROUND_EVERY)
        await running_bot.sandbox.until(lambda: len(ludo.public(ann, running_bot.games)) == 1)
        [board] = ludo.public(ann, running_bot.games)
        await running_bot.sandbox.until(lambda: ludo.ABOUT_TO_ROLL not in board.text)
        assert message in {None, board.id}
        assert (await dice_of(running_bot, board)).board == board.id
        await ludo.to_the_end(running_bot.sandbox, board)
        await assert_fair(running_bot, board, board, [])


async def test_a_press_on_a_board_that_was_lost_track_of_makes_it_the_first(
    open_bot: Open,
) -> None:
    crash = CRASHES["before the message's id was noted"]
    message = await begun_and_cut(open_bot, crash)
    async with open_bot() as running_bot:
        ann, ben, *_ = running_bot.people
        [board] = ludo.public(ann, running_bot.games)
        await running_bot.press(ben, board, says("control.join"))
        await running_bot.press(ann, board, says("control.start"))
        assert ludo.ABOUT_TO_ROLL not in board.text
        assert (await dice_of(running_bot, board)).board == message


@pytest.mark.both_databases
async def test_a_word_is_told_to_its_player_alone_and_forgotten_with_them(
    running_bot: RunningBot, database: str
) -> None:
    """The rolls verify afterwards by its hash."""
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, rules="quick", roll="auto")
    await running_bot.press(ben, board, says("control.join"))
    await running_bot.press(cleo, board, says("control.join"))
    await say(running_bot.sandbox, ben, board, "quince")
    await running_bot.press(ann, board, says("control.start"))
    (_, own), (_, other) = await export(running_bot, ben), await export(running_bot, ann)
    assert own["games"][0]["own_dice_word"] == "quince"
    assert "quince" not in str(other)
    assert "quince" in str(rows(database))

    await forget(running_bot, ben)
    assert "quince" not in str(rows(database))
    await running_bot.sandbox.until(lambda: ben.mention not in board.text)
    await ludo.until(running_bot.sandbox, board, lambda: bool(ludo.winners(board)))
    proof = await ludo.proof(ann, board)
    hashed = hashlib.sha256(b"quince").hexdigest()
    assert f"--words=sha256:{hashed}" in proof
    await assert_fair(running_bot, board, board, ["quince"])
