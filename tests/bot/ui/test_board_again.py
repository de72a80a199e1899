"""`/board`: a table's board once more, and what becomes of the message it had before."""

from __future__ import annotations

import asyncio

from bot.sandbox import Message
from bot.storage.messages import Messages
from bot.table.actions import Action
from bot.table.seats import PersonId
from tests.bot.english import like, says
from tests.bot.ui.conftest import House, control, marks
from tests.bot.ui.ludo import RULES, opened, pick, seated, set_up

OLD_MESSAGE = "/channels/{channel_id}/messages/{message_id}"


async def again(house: House, **options: str) -> Message:
    """What Ann gets to see for `/board`."""
    ann, *_ = house.people
    return (await (await ann.type(house.games, "board", **options)).answered()).message


def turn_of(board: Message) -> str:
    """The line that says whose turn it is."""
    return next(line for line in board.text.splitlines() if like("board.turn").search(line))


async def test_the_board_goes_on_at_the_end_and_the_old_message_is_deleted(house: House) -> None:
    ann, ben, *_ = house.people
    old = await house.friends()
    new = await again(house)
    await house.sandbox.until(lambda: old not in ann.sees(house.games))
    await house.mark(ann, new, (0, 0))
    await house.mark(ben, new, (1, 1))
    assert "❌" in turn_of(new)


async def test_a_press_on_the_old_message_counts_and_leads_to_the_new_one(house: House) -> None:
    ann, ben, *_ = house.people
    old = await house.friends()
    house.sandbox.fail_next("DELETE", OLD_MESSAGE, 403, 50013, "Missing Permissions")
    new = await again(house)
    await house.mark(ann, old, (0, 0))
    assert str(new.id) in old.text
    assert not old.buttons
    await house.sandbox.until(lambda: "⭕" in turn_of(new))
    await house.mark(ben, new, (1, 1))
    assert "❌" in turn_of(new)


async def test_a_press_while_the_old_message_is_being_deleted_leaves_one_board(
    house: House,
) -> None:
    ann, ben, *_ = house.people
    old = await house.friends()
    gate = house.sandbox.hold_next("DELETE", OLD_MESSAGE)
    asked = asyncio.create_task(again(house))
    await gate.reached()
    await house.mark(ann, old, (0, 0))
    gate.open()
    new = await asked
    await house.sandbox.until(lambda: "⭕" in turn_of(new))
    await house.mark(ben, new, (1, 1))
    assert "❌" in turn_of(new)
    await house.sandbox.until(lambda: old not in ann.sees(house.games))


async def behind(house: House, *squares: tuple[int, int]) -> tuple[Message, Message]:
    """An old board that the row still names, and the one that `/board` has posted since."""
    ann, *_ = house.people
    old = await house.friends()
    await house.play(old, *squares)
    table = await house.service.board(int(house.games.id), None, PersonId(int(ann.id)))
    house.sandbox.fail_next("DELETE", OLD_MESSAGE, 403, 50013, "Missing Permissions")
    new = await again(house)
    await house.client.router.closed()
    await Messages(house.store).save_message(table.id, int(old.id))
    return old, new


async def test_a_press_on_a_board_newer_than_the_stored_one_is_played_there(house: House) -> None:
    ann, ben, *_ = house.people
    old, new = await behind(house)
    await house.mark(ann, new, (0, 0))
    await house.mark(ben, new, (1, 1))
    assert marks(new) == {(0, 0): "❌", (1, 1): "⭕"}
    assert str(new.id) in await house.told(ann, old, (0, 1))


async def test_a_newer_board_that_is_looked_at_catches_up(house: House) -> None:
    ann, ben, *_ = house.people
    old, new = await behind(house, (0, 0), (1, 1))
    await house.mark(ann, old, (0, 1))
    assert len(marks(new)) == 2
    await (await ben.press(new, custom_id=control(new, Action.ASK_TO_RESIGN))).answered()
    await house.sandbox.until(lambda: len(marks(new)) == 3)


async def test_a_refused_press_on_a_newer_board_leaves_it_the_board(house: House) -> None:
    ann, ben, *_ = house.people
    _, new = await behind(house)
    assert says("refusal.not_your_turn") in await house.told(ben, new, (0, 0))
    await house.mark(ann, new, (0, 0))
    assert marks(new) == {(0, 0): "❌"}


async def test_a_picture_shared_after_the_board_is_not_the_board(house: House) -> None:
    ann, ben, *_ = house.people
    board = await house.friends()
    await house.resign(ann, board)
    looked_at = (await house.press(ben, board, says("control.replay"))).message
    shared = (await house.press(ben, looked_at, says("control.share"))).message
    assert not shared.ephemeral
    await house.press(ann, shared, says("control.replay"))
    await house.press(ann, board, says("control.rematch"))
    assert not like("board.moved").search(board.text)


async def test_tables_with_many_house_rules_are_suggested_by_names_that_discord_takes(
    house: House,
) -> None:
    ann, *_ = house.people
    board = await opened(house.sandbox, ann)
    panel = (await set_up(ann, board, says("menu.house_rules"))).message
    for choice in (
        "A 6 rolls again: no",
        "Stars are safe: no",
        "Two tokens together: mean nothing",
        "Reaching home: more is fine",
        "The game ends: when all places are played out",
    ):
        await pick(ann, panel, choice, menu=RULES)
    (offered,) = await ann.complete(house.games, "board", "game", "")
    assert len(offered.name) == 100
    assert offered.name.startswith("1 · Ludo · classic, but: ")


async def test_without_a_number_board_shows_the_game_whose_seat_one_may_take_back(
    house: House,
) -> None:
    ann, ben, cleo, _ = house.people
    board = await seated(house.sandbox, (ann, ben, cleo))
    await house.press(ann, board, says("control.start"))
    await house.resign(ann, board)
    await house.opened(ben, level="easy")
    assert says("game.ludo") in (await again(house, **{"as": "message"})).text


async def test_who_has_won_is_said_when_everybody_has_left(house: House) -> None:
    ann, ben, cleo, _ = house.people
    board = await seated(house.sandbox, (ann, ben, cleo))
    await house.press(ann, board, says("control.start"))
    for person in (ann, cleo, ben):
        await house.resign(person, board)
    assert says("everybody_left") in board.text
    assert like(
        "won.played",
        "won.resigned",
        "won.time",
        "place.first",
        winner=f"<@{ben.id}>",
        player=f"<@{ben.id}>",
        emblem="🟢",
    ).search(board.text)
