"""Forgetting a person: asked once, then nothing names the person, in any row, byte or message."""

from __future__ import annotations

import asyncio
import logging
import re
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.records.summaries import Stats
from bot.sandbox import Message
from bot.screens.board import AWAY
from bot.service.tables import Press
from bot.storage.choices import People
from bot.storage.messages import Messages
from bot.table.seats import PersonId
from bot.table.session import Phase, SessionId
from bot.table.table import InteractionId, Place
from bot.ui import response
from tests.bot.english import like, says
from tests.bot.people import Person
from tests.bot.refused import refused
from tests.bot.trouble import Observed
from tests.bot.ui import ludo, panels
from tests.bot.ui.conftest import A, B, D, E, Open, RunningBot
from tests.bot.ui.finished import resigned, store
from tests.bot.ui.own_data import (
    FORMER,
    export,
    forget,
    is_on_the_disk,
    question,
    rows,
    tables_with,
)


async def round_made(running_bot: RunningBot) -> None:
    """Lets what is due be looked for once, and waits until that is done."""
    await running_bot.later(timedelta(seconds=10))
    await running_bot.clock.waited_for()


def public(person: Person, running_bot: RunningBot) -> list[Message]:
    """The messages in the channel that everybody sees."""
    return [message for message in person.sees(running_bot.games) if not message.ephemeral]


async def record_of(running_bot: RunningBot, person: Person) -> Stats:
    return await running_bot.parlour.stores.records.stats(PersonId(int(person.id)), "tictactoe")


async def test_whoever_is_unknown_is_told_that_there_is_nothing_to_forget(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    panel = await panels.choose(running_bot, ann, "me forget")
    assert says("me.forget.nothing") in panel.text


async def test_the_question_says_what_will_happen_and_how_to_have_the_data_first(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    await panels.choose(running_bot, ann, "me challenges", "on")
    asked = await question(running_bot, ann)
    for words in (
        says("me.forget.games"),
        says("player.former"),
        says("me.forget.undo"),
    ):
        assert words in asked.text
    assert [button.label for button in asked.buttons] == [
        says("control.forget"),
        says("control.keep"),
        says("control.export"),
    ]
    told = (await running_bot.press(ann, asked, says("control.export"))).message
    assert told.attachments
    assert says("me.forget.title") in asked.text


async def test_whoever_keeps_everything_keeps_it(running_bot: RunningBot, database: str) -> None:
    board = await running_bot.won()
    ann, *_ = running_bot.people
    asked, before = await question(running_bot, ann), board.text
    kept = rows(database)
    await running_bot.press(ann, asked, says("control.keep"))
    assert says("me.forget.kept") in asked.text
    assert panels.held(asked, "me language"), "the panel is back"
    await round_made(running_bot)
    assert board.text == before
    stays = {row for row in kept if row[0] not in {"session", "reminder"}}
    assert stays <= set(rows(database))
    assert tables_with(ann, database) >= {"session", "seat", "result", "standing", "pairing"}


async def test_afterwards_the_id_is_in_no_row_and_in_no_byte(
    open_bot: Open, database: str, tmp_path: Path
) -> None:
    async with open_bot() as running_bot:
        ann, ben, cleo, _ = running_bot.people
        for _ in range(3):
            await running_bot.won()
        await running_bot.opened(ann, level="easy")
        await panels.choose(running_bot, ann, "me language", "en-US")
        await panels.choose(running_bot, ann, "me blocked", cleo)
        await panels.choose(running_bot, ben, "me blocked", ann)
        await (await ann.type(ann.dm, "tictactoe")).answered()
        assert tables_with(ann, database) - {"reminder"} == {
            *("session", "seat", "person", "block"),
            *("result", "standing", "pairing", "badge"),
        }
        await forget(running_bot, ann)
        assert not tables_with(ann, database)
        assert str(ann.dm.id) not in str(rows(database))
    assert not is_on_the_disk(ann, tmp_path)
    assert is_on_the_disk(ben, tmp_path)


async def test_no_line_of_the_log_has_the_id(
    running_bot: RunningBot, caplog: pytest.LogCaptureFixture
) -> None:
    ann, *_ = running_bot.people
    with caplog.at_level(logging.DEBUG, "bot"):
        await running_bot.won()
        await forget(running_bot, ann)
    assert "person forgotten" in caplog.text
    assert str(ann.id) not in caplog.text


@pytest.mark.both_databases
async def test_a_game_under_way_is_resigned_and_won_by_the_opponent(
    running_bot: RunningBot, database: str
) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await running_bot.play(board, A, D, B, E)
    await forget(running_bot, ann)
    await running_bot.sandbox.until(lambda: like("won.resigned", loser=FORMER).search(board.text))
    assert ann.mention not in board.text
    assert [button.label for button in board.buttons][9:] == [
        says("control.replay"),
        says("control.review"),
        says("control.share"),
    ]
    assert (await record_of(running_bot, ben)).tally.wins == 1
    assert (await record_of(running_bot, ann)).empty
    assert not tables_with(ann, database)


@pytest.mark.both_databases
async def test_at_a_table_of_four_the_others_play_on(
    running_bot: RunningBot, database: str
) -> None:
    ann, ben, cleo, dan = running_bot.people
    people = (ann, ben, cleo, dan)
    board = await ludo.begun(running_bot.sandbox, people, rules="quick", roll="auto")
    await forget(running_bot, ann)
    await running_bot.sandbox.until(lambda: ann.mention not in board.text)
    look = (await running_bot.press(ben, board, says("control.view"))).message
    away = f"{FORMER} {AWAY}"
    assert sum(away in line for line in ludo.seats(look)) == 1
    assert says("control.come_back") not in ludo.labels(board)
    assert not tables_with(ann, database)
    assert like("refusal.not_handed_over").search(await ludo.forge(running_bot, ann, board, "back"))
    board = await ludo.forged(running_bot, board, "more")  # a newer message, so it is the board
    await (await ben.press(board, "more")).answered()
    await running_bot.sandbox.until(lambda: board.edits)
    await running_bot.resign(ben, board)
    assert says("control.come_back") in ludo.labels(board)
    await ludo.until(
        running_bot.sandbox, board, lambda: says("control.review") in ludo.labels(board)
    )
    assert says("control.rematch") not in ludo.labels(board)
    assert not tables_with(ann, database)
    assert (
        await running_bot.parlour.stores.records.stats(PersonId(int(cleo.id)), "ludo")
    ).tally.games == 1


def withdrawn(table: Message) -> bool:
    return bool(like("closed.withdrawn", person=FORMER).search(table.text))


@pytest.mark.both_databases
async def test_tables_that_wait_are_left(running_bot: RunningBot, database: str) -> None:
    ann, ben, cleo, _ = running_bot.people
    hosted = await running_bot.opened(ann, opponent=cleo)
    received = await running_bot.opened(ben, opponent=ann)
    open_to_all = await running_bot.opened(ann, anyone=True)
    gathering = await ludo.seated(running_bot.sandbox, (ann, ben))
    alone = await ludo.opened(running_bot.sandbox, ann)
    await forget(running_bot, ann)
    await running_bot.sandbox.until(
        lambda: like("closed.declined", person=FORMER).search(received.text)
    )
    for table in (hosted, open_to_all):
        await running_bot.sandbox.until(partial(withdrawn, table))
    await running_bot.sandbox.until(
        lambda: like("gathering.open", host=ben.mention).search(gathering.text)
    )
    await running_bot.sandbox.until(lambda: says("closed.gathering.withdrawn") in alone.text)
    for table in (hosted, received, open_to_all, gathering, alone):
        assert ann.mention not in table.text
    assert not tables_with(ann, database)
    await running_bot.press(cleo, gathering, says("control.join"))
    await running_bot.press(ben, gathering, says("control.start"))
    assert ludo.offers(gathering)


async def test_old_boards_are_rewritten_a_few_a_round_and_not_sent_again(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    boards = [await running_bot.won() for _ in range(7)]
    await round_made(running_bot)
    gone = boards.pop(2)
    await running_bot.client.http.delete_message(int(running_bot.games.id), int(gone.id))
    shown = public(ann, running_bot)
    await forget(running_bot, ann)

    def named() -> int:
        return sum(ann.mention in board.text for board in boards)

    assert named() == 6
    await round_made(running_bot)
    assert named() in {2, 3}  # four, of which one may be the one that is gone
    await round_made(running_bot)
    assert named() == 0
    assert all(
        like(
            "won.played", "won.resigned", "won.time", "place.first", winner=FORMER, player=FORMER
        ).search(board.text)
        for board in boards
    )
    assert public(ann, running_bot) == shown
    await running_bot.client.boards.save_shown()
    assert not await Messages(running_bot.store).rewritten()


async def test_boards_that_are_played_come_before_old_ones(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    old = [await running_bot.won() for _ in range(3)]
    await round_made(running_bot)
    await forget(running_bot, ann)
    typed = await (await ben.type(running_bot.games, "tictactoe", opponent=cleo)).answered()
    await running_bot.press(cleo, typed.message, says("control.accept"))
    gate = running_bot.sandbox.hold_next("PATCH", "/channels/*/messages/*")
    await running_bot.later(timedelta(minutes=5))
    await gate.reached()
    assert all(ann.mention in board.text for board in old)
    gate.open()
    await running_bot.sandbox.until(
        lambda: like("board.lapsed", "won.time").search(typed.message.text)
    )
    await running_bot.sandbox.until(lambda: not any(ann.mention in board.text for board in old))


async def test_opponents_keep_their_numbers_against_a_former_player(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.won()
    ann, ben, cleo, _ = running_bot.people
    await store(
        running_bot,
        resigned("tictactoe", ben.id, cleo.id, leaving=[cleo.id]),
        resigned("tictactoe", ann.id, cleo.id, leaving=[ann.id]),
    )
    before = {person: await record_of(running_bot, person) for person in (ben, cleo)}
    await forget(running_bot, ann)
    for person, old in before.items():
        new = await record_of(running_bot, person)
        assert (new.tally, new.rating, new.curve) == (old.tally, old.rating, old.curve)
    assert f"{FORMER} (0‑0‑1)" in await running_bot.say(ben, "stats", game="tictactoe")
    lost = f"**{says('outcome.loss')}** · {says('game.tictactoe')} 1 · {FORMER}\n"
    assert lost in await running_bot.say(ben, "history")
    best = await running_bot.say(ben, "leaderboard", game="tictactoe")
    assert FORMER not in best
    assert ann.mention not in best
    assert says("leaderboard.standing", place="2", people="2") in best
    shown = (await running_bot.press(ben, board, says("control.replay"))).message
    await running_bot.press(ben, shown, says("control.last"))
    assert like(
        "won.played", "won.resigned", "won.time", "place.first", winner=FORMER, player=FORMER
    ).search(shown.text)
    assert ann.mention not in shown.text


async def test_nobody_asks_a_former_player_for_a_rematch(running_bot: RunningBot) -> None:
    board = await running_bot.won()
    ann, ben, *_ = running_bot.people
    await forget(running_bot, ann)
    press = Press(
        InteractionId(1),
        await running_bot.store.table(SessionId(1)),
        5,
        "rematch",
        PersonId(int(ben.id)),
    )
    with refused("player_forgotten"):
        await running_bot.service.rematch(press, Place(1, 2))
    assert like("refusal.player_forgotten").search(
        await running_bot.told(ben, board, says("control.rematch"))
    )
    assert like("refusal.not_at_table").search(
        await running_bot.told(ann, board, says("control.rematch"))
    )


async def test_whoever_plays_again_begins_as_somebody_new(running_bot: RunningBot) -> None:
    await running_bot.won()
    ann, ben, *_ = running_bot.people
    await forget(running_bot, ann)
    await running_bot.won()
    record = await record_of(running_bot, ann)
    assert (record.tally.games, len(record.curve)) == (1, 1)
    (entry,) = (await running_bot.parlour.stores.records.history(PersonId(int(ann.id)))).entries
    assert entry.finished.session == 2
    past = await running_bot.parlour.stores.records.stats(PersonId(int(ben.id)), "tictactoe")
    assert [each.tally.losses for each in past.favourites] == [1, 1]


async def test_a_second_yes_finds_nothing_and_says_the_same(
    running_bot: RunningBot, database: str
) -> None:
    await running_bot.won()
    ann, *_ = running_bot.people
    first, second = await question(running_bot, ann), await question(running_bot, ann)
    await running_bot.press(ann, first, says("control.forget"))
    kept = [row for row in rows(database) if row[0] not in {"session", "note"}]
    await running_bot.press(ann, second, says("control.forget"))
    assert second.text == first.text
    assert says("me.forgotten") in first.text
    assert [row for row in rows(database) if row[0] not in {"session", "note"}] == kept


@pytest.mark.both_databases
async def test_a_yes_that_is_delivered_twice_forgets_once(
    running_bot: RunningBot, database: str
) -> None:
    await running_bot.won()
    ann, *_ = running_bot.people
    asked = await question(running_bot, ann)
    press = await ann.press(asked, says("control.forget"))
    running_bot.sandbox.redeliver(press)
    await press.answered()
    assert says("me.forgotten") in asked.text
    assert not tables_with(ann, database)
    seats = [values for name, values in rows(database) if name == "seat"]
    assert len(set(re.findall(r",(-\d{9,}),", str(seats)))) == 1


async def test_what_a_person_asked_for_before_is_not_stored_after_they_are_forgotten(
    running_bot: RunningBot, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seed 231 of the simulation: a slow disk let a sign-up to a tournament come after it."""
    reached, go_on, save = asyncio.Event(), asyncio.Event(), People.choose

    async def slow(self: People, *given: Any, **chosen: Any) -> None:
        reached.set()
        await go_on.wait()
        await save(self, *given, **chosen)

    monkeypatch.setattr(People, "choose", slow)
    await running_bot.won()
    ann, *_ = running_bot.people
    asked = await question(running_bot, ann)
    choosing = asyncio.create_task(panels.choose(running_bot, ann, "me reminders", "off"))
    await reached.wait()
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    press = await (await ann.press(asked, says("control.forget"))).answered()
    assert tables_with(ann, database), "what comes before is waited for"
    go_on.set()
    await choosing
    await running_bot.done(press)
    assert says("me.forgotten") in asked.text
    assert not tables_with(ann, database)


async def test_the_question_is_answered_after_a_restart(open_bot: Open, tmp_path: Path) -> None:
    async with open_bot() as running_bot:
        board = await running_bot.won()
        asked = await question(running_bot, running_bot.people[0])
    async with open_bot() as running_bot:
        ann, *_ = running_bot.people
        await running_bot.press(ann, asked, says("control.forget"))
        assert says("me.forgotten") in asked.text
        await round_made(running_bot)
        await running_bot.sandbox.until(lambda: ann.mention not in board.text)
    assert not is_on_the_disk(ann, tmp_path)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
async def test_others_who_press_in_the_same_moment_write_nothing_back(
    running_bot: RunningBot, database: str, seed: int
) -> None:
    ann, ben, cleo, dan = running_bot.people
    four = await ludo.begun(running_bot.sandbox, (ann, ben, cleo, dan), rules="quick")
    running, challenge = await running_bot.friends(), await running_bot.opened(ann, opponent=ben)
    over = await running_bot.won()
    asked = await question(running_bot, ann)
    presses = [
        ann.press(asked, says("control.forget")),
        ann.press(running, position=A),
        ann.press(over, says("control.rematch")),
        ben.press(four, says("control.more")),
        ben.press(challenge, says("control.accept")),
        ben.press(over, says("control.rematch")),
        cleo.press(four, says("control.more")),
    ]
    Random(seed).shuffle(presses)
    for press in await asyncio.gather(*presses):
        await press.answered()
    assert not tables_with(ann, database)
    await running_bot.sandbox.until(lambda: ann.mention not in four.text + running.text)
    assert (await ludo.table_of(running_bot, four)).session.phase is not Phase.LOBBY


async def test_whoever_is_seated_again_meanwhile_leaves_again(
    running_bot: RunningBot, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await running_bot.friends()
    ann, _, cleo, _ = running_bot.people
    depart = running_bot.service.depart
    late: list[Message] = []

    async def departing(session: SessionId, by: PersonId) -> object:
        left = await depart(session, by)
        if not late:
            late.append(await running_bot.opened(cleo, opponent=ann))
        return left

    monkeypatch.setattr(running_bot.parlour.use_cases.privacy, "_depart", departing)
    await forget(running_bot, ann)
    await running_bot.sandbox.until(
        lambda: like("closed.declined", person=FORMER).search(late[0].text)
    )
    assert not tables_with(ann, database)


async def test_somebody_else_is_not_forgotten(running_bot: RunningBot, database: str) -> None:
    await running_bot.won()
    ann, ben, *_ = running_bot.people
    before = (await export(running_bot, ben))[1]
    await forget(running_bot, ann)
    after = (await export(running_bot, ben))[1]
    assert before["statistics"][0]["people"] == after["statistics"][0]["people"]
    assert before["games"][0]["record"] == after["games"][0]["record"]
    assert tables_with(ben, database)


async def test_boards_in_direct_messages_lose_their_buttons_or_answer_in_a_sentence(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    unknown: list[Observed] = []
    running_bot.sandbox.observe(
        lambda seen: unknown.append(seen) if getattr(seen, "status", 200) == 404 else None
    )
    over = (await (await ann.type(ann.dm, "tictactoe", level="easy", mark="x")).answered()).message
    await running_bot.both_moved(over)
    question_of = (await running_bot.press(ann, over, says("control.resign"))).message
    await running_bot.press(ann, question_of, says("control.resign"))
    await running_bot.sandbox.until(lambda: says("control.rematch") in ludo.labels(over))
    running = (await (await ann.type(ann.dm, "tictactoe", mark="x")).answered()).message
    await running_bot.sandbox.until(lambda: running.buttons)
    await forget(running_bot, ann)
    await running_bot.sandbox.until(lambda: not running.buttons)
    assert says("board.forgotten") in running.text
    told = await running_bot.sentence(await running_bot.press(ann, over, says("control.rematch")))
    assert "/channels/@me/0" not in told
    await round_made(running_bot)
    await round_made(running_bot)
    assert not await Messages(running_bot.store).behind()
    assert not unknown
