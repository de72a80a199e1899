"""Dice that are bound before anybody can know what they will show, and stay bound."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from secrets import token_hex
from typing import Any

import pytest
from sqlalchemy import update

from bot.games.catalogue import CATALOGUE
from bot.games.command import Request
from bot.locales import ENGLISH, shipped
from bot.sandbox import Message
from bot.screens.board import screen
from bot.storage.messages import Messages
from bot.storage.schema.game_tables import sessions
from bot.table.dice import Dice
from bot.table.seats import PersonId
from bot.table.table import InteractionId, Place, Table
from bot.ui.client import ROUND_EVERY
from bot.ui.render import board_view
from bot.ui.words import Words
from tests.bot.english import like, says
from tests.bot.people import Person
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import fairness, ludo
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.own_data import export, forget, rows

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
FIELD = "field"
SILENT = 1 << 12


async def dice_of(running_bot: RunningBot, board: Message) -> Dice:
    dice = (await ludo.table_of(running_bot, board)).dice
    assert dice is not None
    return dice


async def say(person: Person, board: Message, word: str) -> None:
    """Gives the dice a word."""
    asked = await ludo.press(person, board, says("control.word"))
    await (await person.fill(asked, {FIELD: word})).answered()


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
        self.silent: list[str] = []
        self.edited: list[str] = []

    def __call__(self, seen: Observed) -> None:
        if not isinstance(seen, Exchange) or not isinstance(seen.request, Mapping):
            return
        body: Any = seen.request.get("data", seen.request)
        if seen.method == "PATCH":
            self.edited.append(str(body))
        elif isinstance(body, Mapping):
            self.texts.append(str(body))
            if int(body.get("flags", 0)) & SILENT:
                self.silent.append(str(body.get("content")))


@pytest.mark.both_databases
async def test_what_dice_are_bound_to_stands_in_the_lobby_and_never_changes(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    running_bot.sandbox.observe(sent := Sent())
    board = await ludo.opened(running_bot.sandbox, ann)
    bound = await dice_of(running_bot, board)
    commitment = f"2:{hashlib.sha256(bound.secret).hexdigest()}"
    first = next(text for text in sent.texts if like("gathering.open").search(text))
    assert commitment in first, "the first revision has it"

    await running_bot.press(ben, board, says("control.join"))
    await say(ben, board, "apple")
    await running_bot.press(ann, board, says("control.start"))
    await ludo.to_the_end(running_bot.sandbox, board)
    after = await dice_of(running_bot, board)
    assert after == replace(bound, promise=after.promise)
    [kept] = ludo_promises(running_bot, commitment)
    assert kept.edits == 0
    assert kept.id == after.promise
    assert like("dice.kept", game=ludo.LUDO, number=str(ludo.number_of(board))).search(kept.text)
    assert not kept.pinged
    assert len([text for text in sent.silent if commitment in text]) == 1
    assert [text for text in sent.texts if like("dice.kept").search(text)]
    assert not [text for text in sent.edited if like("dice.kept").search(text)]
    await assert_fair(running_bot, board, board, ["", "apple"])


def ludo_promises(running_bot: RunningBot, commitment: str) -> list[Message]:
    seen = running_bot.people[0].sees(running_bot.games)
    return [
        each for each in seen if like("dice.kept").search(each.text) and commitment in each.text
    ]


async def test_a_word_stands_for_all_to_see_as_plain_text(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    await running_bot.press(ben, board, says("control.join"))
    await say(ben, board, " **bold** `code`   @everyone ")
    assert "`**bold** 'code' @everyone`" in board.text
    await say(ben, board, ann.mention)
    assert f"`{ann.mention}`" in board.text
    assert not board.pinged
    assert like("refusal.not_at_table").search(
        await running_bot.told(cleo, board, says("control.word"))
    )
    await say(ben, board, "pear")
    assert "`pear`" in board.text
    assert "bold" not in board.text
    asked = await ludo.press(ben, board, says("control.word"))
    assert asked.modal is not None
    assert "pear" in str(asked.modal.payload()), "the form begins with the word"
    await (await ben.fill(asked, {FIELD: "  "})).answered()
    assert "pear" not in board.text
    await running_bot.press(ann, board, says("control.start"))
    told = (await running_bot.press(ben, board, says("control.proof"))).message.text
    assert not like("dice.words").search(told)
    assert str(board.id) in told


async def test_words_are_frozen_by_the_start_and_told_behind_dice(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    await running_bot.press(ben, board, says("control.join"))
    await running_bot.press(cleo, board, says("control.join"))
    await say(cleo, board, "it's 5, #1!")
    late = await ludo.press(ben, board, says("control.word"))
    await running_bot.press(ann, board, says("control.start"))
    filled = await (await ben.fill(late, {FIELD: "durian"})).answered()
    assert filled.message.ephemeral
    told = (await running_bot.press(ben, board, says("control.proof"))).message.text
    assert "`it's 5, #1!`" in told
    assert "durian" not in told
    await ludo.to_the_end(running_bot.sandbox, board)
    await assert_fair(running_bot, board, board, ["", "", "it's 5, #1!"])


async def test_a_word_goes_with_its_player(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    await running_bot.press(ben, board, says("control.join"))
    await say(ben, board, "apple")
    await running_bot.press(ben, board, says("control.leave"))
    await running_bot.press(ben, board, says("control.join"))
    assert "apple" not in board.text


async def test_a_game_that_starts_at_once_shows_its_board_before_the_first_roll(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    running_bot.sandbox.observe(sent := Sent())
    board = await ludo.opened(running_bot.sandbox, ann, computers=2, level="easy")
    assert ludo.ABOUT_TO_ROLL in sent.texts[0]
    assert board.edits == 1, "and then what was rolled, in one change"
    dice = await dice_of(running_bot, board)
    assert dice.board == board.id
    assert dice.digest[:8] in sent.texts[0]
    assert dice.promise is None, "nobody else is there to take the bot at its word"
    await ludo.to_the_end(running_bot.sandbox, board)
    await assert_fair(running_bot, board, board, ["", "", ""])
    shown = (await running_bot.press(ann, board, says("control.proof"))).message.text
    assert f"{running_bot.sandbox.url}/verify.html?language=en-US" in shown


async def test_a_board_sent_again_leaves_the_dice_with_the_first(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    first = await ludo.opened(running_bot.sandbox, ann, computers=1, level="easy", rules="quick")
    await (await ann.type(running_bot.games, "board", game="1")).answered()
    again = (await (await ann.type(running_bot.games, "board", game="1")).answered()).message
    assert again.id != first.id
    await ludo.to_the_end(running_bot.sandbox, again)
    assert (await dice_of(running_bot, again)).board == first.id
    await assert_fair(running_bot, again, first, ["", ""])


@dataclass
class Crash:
    """How far a new table came before the bot was gone."""

    sent: bool
    noted: bool


CRASHES = {
    "before its message was sent": Crash(sent=False, noted=False),
    "before the message's id was noted": Crash(sent=True, noted=False),
    "before the first roll": Crash(sent=True, noted=True),
}


async def proposed(running_bot: RunningBot, **options: int) -> Table:
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


async def begun_and_cut(open_bot: Open, crash: Crash, **options: int) -> int | None:
    """Opens a table, up to a crash; the id of its message, if that was sent."""
    async with open_bot() as running_bot:
        table = await proposed(running_bot, **options)
        assert table.session.ply == 0
        if not crash.sent:
            return None
        view = board_view(screen(table), table, Words(shipped()[ENGLISH]))
        channel = running_bot.client.get_partial_messageable(int(running_bot.games.id))
        sent = await channel.send(view=view, nonce=token_hex(12))
        if crash.noted:
            await Messages(running_bot.store).save_message(table.id, sent.id)
        return sent.id


@pytest.mark.both_databases
@pytest.mark.parametrize("crash", CRASHES.values(), ids=CRASHES.keys())
async def test_after_a_crash_before_the_first_roll_a_game_goes_on_by_its_first_message(
    open_bot: Open, crash: Crash
) -> None:
    message = await begun_and_cut(open_bot, crash, computers=1)
    async with open_bot() as running_bot:
        ann, *_ = running_bot.people
        await running_bot.later(ROUND_EVERY)
        await running_bot.sandbox.until(lambda: len(ludo.public(ann, running_bot.games)) == 1)
        [board] = ludo.public(ann, running_bot.games)
        await running_bot.sandbox.until(lambda: ludo.ABOUT_TO_ROLL not in board.text)
        assert message in {None, board.id}
        assert (await dice_of(running_bot, board)).board == board.id
        await ludo.to_the_end(running_bot.sandbox, board)
        await assert_fair(running_bot, board, board, ["", ""])


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


@pytest.mark.parametrize("crash", CRASHES.values(), ids=CRASHES.keys())
async def test_after_a_crash_what_dice_are_bound_to_is_sent_once(
    open_bot: Open, crash: Crash
) -> None:
    await begun_and_cut(open_bot, crash)
    for _ in range(2):
        async with open_bot() as running_bot:
            await running_bot.later(ROUND_EVERY)
            await running_bot.sandbox.until(lambda: ludo_promises(running_bot, "2:"))
            await running_bot.later(ROUND_EVERY)
            assert len(ludo_promises(running_bot, "2:")) == 1


async def test_a_promise_that_was_sent_and_not_noted_is_found_again(open_bot: Open) -> None:
    unnoted = update(sessions).values(dice_promise=None, shown=0)
    async with open_bot() as running_bot:
        ann, *_ = running_bot.people
        board = await ludo.opened(running_bot.sandbox, ann)
        [kept] = ludo_promises(running_bot, "2:")
        await running_bot.client.boards.save_shown()
        await running_bot.parlour.kept.database.run(lambda c: c.execute(unnoted))
    async with open_bot() as running_bot:
        await running_bot.later(ROUND_EVERY)
        ann, ben, *_ = running_bot.people
        await running_bot.press(ben, board, says("control.join"))
        assert ludo_promises(running_bot, "2:") == [kept]
        await running_bot.press(ann, board, says("control.start"))
        assert (await dice_of(running_bot, board)).promise == kept.id


@pytest.mark.both_databases
async def test_a_word_is_told_to_its_player_alone_and_forgotten_with_them(
    running_bot: RunningBot, database: str
) -> None:
    """The rolls verify afterwards by its hash."""
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, rules="quick")
    await running_bot.press(ben, board, says("control.join"))
    await running_bot.press(cleo, board, says("control.join"))
    await say(ben, board, "quince")
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
    assert f"--words=,sha256:{hashed}," in proof
    await assert_fair(running_bot, board, board, ["", "quince", ""])
