"""Tic-tac-toe as people play it: real discord.py, real traffic, a real database."""

from __future__ import annotations

from datetime import timedelta

import pytest
from discord import ButtonStyle

from bot.sandbox import Answer, Message
from tests.bot.people import button_on
from tests.bot.ui.conftest import House, Square, marks

A, B, C = (0, 0), (0, 1), (0, 2)
D, E, F = (1, 0), (1, 1), (1, 2)
G, H, K = (2, 0), (2, 1), (2, 2)


def green(board: Message) -> list[Square | None]:
    """The squares of a line that has won."""
    return [b.position for b in board.buttons if b.style == ButtonStyle.success.value]


@pytest.mark.both_databases
async def test_x_wins_and_the_winning_line_is_marked(house: House) -> None:
    board = await house.friends()
    await house.play(board, A, D, B, E, C)
    ann, *_ = house.people
    assert f"❌ \u2068{ann.mention}\u2069 wins" in board.text
    assert marks(board) == {A: "❌", B: "❌", C: "❌", D: "⭕", E: "⭕"}
    assert green(board) == [A, B, C]
    assert [button.label for button in board.buttons][9:] == ["Rematch", "Replay", "Review"]


async def test_o_wins(house: House) -> None:
    board = await house.friends()
    await house.play(board, A, C, B, E, K, G)
    _, ben, *_ = house.people
    assert f"⭕ \u2068{ben.mention}\u2069 wins" in board.text
    assert green(board) == [C, E, G]


async def test_a_full_board_is_a_draw(house: House) -> None:
    board = await house.friends()
    await house.play(board, A, B, C, E, D, F, H, G, K)
    assert "a draw" in board.text


async def test_a_player_resigns(house: House) -> None:
    board = await house.friends()
    ann, ben, *_ = house.people
    await house.play(board, A)
    await house.resign(ann, board)
    assert f"{ann.mention}\u2069 resigned" in board.text
    assert f"{ben.mention}\u2069 wins" in board.text


async def test_a_draw_is_offered_and_accepted(house: House) -> None:
    board = await house.friends()
    ann, ben, *_ = house.people
    assert "Offer draw" not in [button.label for button in board.buttons]
    await house.play(board, A)
    await house.press(ben, board, "Offer draw")
    assert f"{ben.mention}\u2069 offers a draw" in board.text
    assert "your own question" in await house.told(ben, board, "Accept draw")
    await house.press(ann, board, "Accept draw")
    assert "agreed on a draw" in board.text


async def test_a_draw_offer_is_declined_and_the_game_goes_on(house: House) -> None:
    board = await house.friends()
    ann, ben, *_ = house.people
    await house.play(board, A)
    await house.press(ann, board, "Offer draw")
    await house.press(ben, board, "Decline draw")
    assert "offers a draw" not in board.text
    await house.mark(ben, board, E)
    assert marks(board)[E] == "⭕"


async def test_a_challenge_notifies_the_person_challenged_and_nobody_else(house: House) -> None:
    ann, ben, *_ = house.people
    board = await house.opened(ann, opponent=ben)
    assert board.pinged == {"Ben"}
    assert f"{ann.mention}\u2069 challenges \u2068{ben.mention}" in board.text


async def test_a_challenge_is_declined(house: House) -> None:
    ann, ben, *_ = house.people
    board = await house.opened(ann, opponent=ben)
    await house.press(ben, board, "Decline")
    assert f"{ben.mention}\u2069 declined" in board.text
    assert not board.buttons


async def test_a_challenge_is_withdrawn_by_its_maker_alone(house: House) -> None:
    ann, ben, *_ = house.people
    board = await house.opened(ann, opponent=ben)
    assert "Only the host" in await house.told(ben, board, "Withdraw")
    await house.press(ann, board, "Withdraw")
    assert f"{ann.mention}\u2069 took the challenge back" in board.text


async def test_a_challenge_expires_after_fifteen_minutes(house: House) -> None:
    ann, ben, *_ = house.people
    board = await house.opened(ann, opponent=ben)
    await house.later(timedelta(minutes=15))
    await house.sandbox.until(lambda: "in time" in board.text)
    assert [button.label for button in board.buttons] == ["Ask again"]


async def test_a_challenge_is_for_the_person_challenged(house: House) -> None:
    ann, ben, cleo, _ = house.people
    board = await house.opened(ann, opponent=ben)
    assert "already at this table" in await house.told(ann, board, "Accept")
    assert "for someone else" in await house.told(cleo, board, "Accept")
    assert "challenges" in board.text


async def test_at_an_open_table_the_first_to_join_plays(house: House) -> None:
    ann, ben, cleo, _ = house.people
    board = await house.opened(ann, anyone=True)
    assert board.pinged == frozenset()
    both = [await ben.press(board, "Join"), await cleo.press(board, "Join")]
    first, second = [await joined.answered() for joined in both]
    assert first.response is Answer.UPDATE
    assert "isn't waiting any more" in await house.sentence(second)
    await house.mark(ann, board, A)
    await house.mark(ben, board, B)


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "perfect"])
@pytest.mark.both_databases
async def test_the_computers_answer_comes_in_the_same_update_as_the_move(
    house: House, level: str
) -> None:
    ann, *_ = house.people
    board = await house.opened(ann, level=level)
    moved = await house.mark(ann, board, E)
    assert moved.response is Answer.UPDATE
    assert board.edits == 1
    assert sorted(marks(board).values()) == ["❌", "⭕"]
    assert f"Computer ({level})" in board.text


async def test_the_computer_moves_first_where_it_has_x(house: House) -> None:
    ann, *_ = house.people
    board = await house.opened(ann, mark="o", level="easy")
    assert [*marks(board).values()] == ["❌"]
    assert board.edits == 0


async def test_the_bot_itself_as_opponent_is_the_computer(house: House) -> None:
    ann, *_ = house.people
    board = await house.opened(ann, opponent=house.sandbox.person("Parlour"))
    assert "Computer (medium)" in board.text


async def test_the_perfect_computer_is_never_beaten_by_pressing_at_random(house: House) -> None:
    ann, *_ = house.people
    board = await house.opened(ann, level="perfect")
    while "Rematch" not in [button.label for button in board.buttons]:
        free = [button for button in board.buttons if button.label == "\u200b"]
        await (await ann.press(board, custom_id=free[0].custom_id)).answered()
    assert f"{ann.mention}\u2069 wins" not in board.text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"opponent": "Ann"}, "can't challenge yourself"),
        ({"opponent": "Robot"}, "Other bots can't play"),
        ({"opponent": "Ben", "anyone": True}, "an opponent or anyone"),
        ({"size": 3, "line": 4}, "can't be longer than the board"),
    ],
)
async def test_a_table_that_cannot_be_is_refused_with_the_reason(
    house: House, options: dict[str, object], sentence: str
) -> None:
    ann, *_ = house.people
    if isinstance(options.get("opponent"), str):
        options = {**options, "opponent": house.sandbox.person(str(options["opponent"]))}
    answer = await house.type(ann, **options)
    assert answer.message is not None
    assert answer.message.ephemeral
    assert sentence in answer.message.text
    assert len(house.people[1].sees(house.games)) == 0


async def test_the_largest_board_fits_into_a_message(house: House) -> None:
    board = await house.friends(size=5)
    await house.play(board, *((row, column) for row in range(2) for column in range(5)))
    await house.later(timedelta(minutes=5))
    _, ben, *_ = house.people
    await house.sandbox.until(lambda: "ran out of time" in board.text)
    await house.press(ben, board, "Offer draw")
    labels = [button.label for button in board.buttons][-4:]
    assert labels == ["Claim win", "Accept draw", "Decline draw", "Resign"]
    assert "5x5, 4 in a row" in board.text


async def test_whoever_does_not_play_is_told_so_and_the_board_stays(house: House) -> None:
    board = await house.friends()
    *_, dan = house.people
    told = await house.told(dan, board, A)
    assert "You're not in this game" in told
    assert "</tictactoe:" in told
    assert board.edits == 1


async def test_the_wrong_player_is_told_to_wait(house: House) -> None:
    board = await house.friends()
    assert await house.told(house.people[1], board, A) == "It's not your turn yet."


@pytest.mark.both_databases
async def test_of_two_simultaneous_presses_one_counts_and_the_other_is_told_why(
    house: House,
) -> None:
    board = await house.friends()
    ann, *_ = house.people
    both = {square: await ann.press(board, position=square) for square in (A, E)}
    for press in both.values():
        await press.answered()
    [counted] = marks(board)
    assert counted is not None
    assert both[counted].response is Answer.UPDATE
    assert "out of date" in await house.sentence(both[E if counted == A else A])


async def test_a_press_on_a_board_that_has_moved_on_is_refused(house: House) -> None:
    board = await house.friends()
    ann, ben, *_ = house.people
    gate = house.sandbox.hold_next("POST", "/interactions/*/*/callback")
    moving = await ann.press(board, position=A)
    await gate.reached()
    stale = await ben.press(board, "Cancel")
    refused = await stale.answered()
    gate.open()
    await moving.answered()
    told = await house.sentence(refused)
    assert "out of date" in told
    assert "https://" not in told
    assert "Cancelled" not in board.text


@pytest.mark.both_databases
async def test_the_same_interaction_delivered_twice_is_one_move(house: House) -> None:
    board = await house.friends()
    ann, ben, *_ = house.people
    press = await ann.press(board, position=A)
    house.sandbox.redeliver(press)
    await press.answered()
    house.sandbox.redeliver(press)
    await house.mark(ben, board, E)
    assert [*marks(board)] == [A, E]
    assert not [m for m in ann.sees(house.games) if m.ephemeral]


@pytest.mark.both_databases
async def test_a_command_delivered_twice_opens_one_table(house: House) -> None:
    ann, *_ = house.people
    typed = await ann.type(house.games, "tictactoe", mark="x")
    house.sandbox.redeliver(typed)
    await typed.answered()
    await house.opened(ann)
    assert len(ann.sees(house.games)) == 2


async def test_a_rematch_between_friends_is_a_challenge_with_sides_swapped(house: House) -> None:
    board = await house.friends()
    ann, ben, *_ = house.people
    await house.resign(ann, board)
    asked = await house.press(ann, board, "Rematch")
    assert asked.response is Answer.MESSAGE
    again = asked.message
    assert again is not None
    assert again.id != board.id
    assert again.pinged == {"Ben"}
    assert "already asked for a rematch" in await house.told(ann, board, "Rematch")
    assert str(again.id) in await house.told(ben, board, "Rematch")
    await house.sandbox.until(lambda: f"{ben.mention}\u2069, your move" in again.text)
    await house.mark(ben, again, A)


@pytest.mark.both_databases
async def test_a_rematch_that_the_other_asked_for_meanwhile_shows_the_game_at_once(
    house: House,
) -> None:
    board = await house.friends()
    ann, ben, *_ = house.people
    await house.resign(ann, board)
    gate = house.sandbox.hold_next("POST", "/interactions/*/*/callback")
    asked = await ann.press(board, "Rematch")
    await gate.reached()
    await house.press(ben, board, "Rematch")
    gate.open()
    again = (await asked.answered()).message
    assert again is not None
    await house.sandbox.until(lambda: f"{ben.mention}\u2069, your move" in again.text)


async def test_a_rematch_that_was_played_is_linked_from_the_first_game(house: House) -> None:
    board = await house.friends()
    ann, ben, *_ = house.people
    await house.resign(ann, board)
    again = (await house.press(ann, board, "Rematch")).message
    assert again is not None
    await house.press(ben, again, "Accept")
    await house.resign(ben, again)
    for person in (ann, ben):
        assert "is already over" in await house.told(person, board, "Rematch")


async def test_people_cannot_be_challenged_where_they_cannot_see_it(house: House) -> None:
    ann, ben, *_ = house.people
    for options in ({"opponent": ben}, {"anyone": True}):
        typed = await (await ann.type(ann.dm, "tictactoe", **options)).answered()
        assert typed.message is not None
        assert "Nobody else can see this chat" in typed.message.text


async def test_a_command_of_another_version_gets_a_sentence(house: House) -> None:
    ann, *_ = house.people
    house.client.tree.remove_command("help")
    answer = await (await ann.type(house.games, "help")).answered()
    assert answer.message is not None
    assert "has changed" in answer.message.text


async def test_a_rematch_against_the_computer_begins_at_once(house: House) -> None:
    ann, *_ = house.people
    board = await house.opened(ann, level="easy")
    await house.resign(ann, board)
    again = (await house.press(ann, board, "Rematch")).message
    assert again is not None
    assert [*marks(again).values()] == ["❌"]


async def test_time_runs_out_and_the_opponent_claims_the_win(house: House) -> None:
    board = await house.friends()
    ann, ben, *_ = house.people
    await house.later(timedelta(minutes=5))
    await house.sandbox.until(lambda: "ran out of time" in board.text)
    assert "can't claim the win" in await house.told(ann, board, "Claim win")
    await house.press(ben, board, "Claim win")
    assert f"{ann.mention}\u2069 ran out of time" in board.text
    assert f"{ben.mention}\u2069 wins" in board.text


async def test_games_are_played_in_direct_messages_too(house: House) -> None:
    ann, *_ = house.people
    typed = await (await ann.type(ann.dm, "tictactoe", mark="x", level="easy")).answered()
    assert typed.message is not None
    await house.mark(ann, typed.message, E)
    assert [cell for cell, mark in marks(typed.message).items() if mark == "❌"] == [E]


async def test_games_are_played_in_threads_too(house: House) -> None:
    ann, *_ = house.people
    thread = house.sandbox.channel("games-thread")
    typed = await (await ann.type(thread, "tictactoe", mark="x", level="easy")).answered()
    assert typed.message is not None
    await house.mark(ann, typed.message, E)
    assert len(marks(typed.message)) == 2


async def test_help_fits_one_screen_for_its_reader_alone(house: House) -> None:
    ann, *_ = house.people
    answer = await (await ann.type(house.games, "help")).answered()
    assert answer.message is not None
    assert answer.message.ephemeral
    assert "</tictactoe:" in answer.message.text
    invite = button_on(answer.message, "Invite")
    assert "client_id=" in invite.url
