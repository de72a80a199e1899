"""Tic-tac-toe as people play it: real discord.py, real traffic, a real database."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from discord import ButtonStyle

from bot.sandbox import Answer, Message
from bot.ui import response
from tests.bot.english import like, mover_in, says
from tests.bot.people import has_won
from tests.bot.ui.conftest import UPDATES, A, B, C, D, E, F, RunningBot, Square, marks

G, H, K = (2, 0), (2, 1), (2, 2)


def green(board: Message) -> list[Square | None]:
    """The squares of a line that has won."""
    return [b.position for b in board.buttons if b.style == ButtonStyle.success.value]


@pytest.mark.both_databases
async def test_x_wins_and_the_winning_line_is_marked(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    await running_bot.play(board, A, D, B, E, C)
    ann, *_ = running_bot.people
    assert has_won(ann, board.text, emblem="❌")
    assert marks(board) == {A: "❌", B: "❌", C: "❌", D: "⭕", E: "⭕"}
    assert green(board) == [A, B, C]
    assert [button.label for button in board.buttons][9:] == [
        says("control.rematch"),
        says("control.replay"),
        says("control.review"),
        says("control.share"),
    ]


async def test_o_wins(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    await running_bot.play(board, A, C, B, E, K, G)
    _, ben, *_ = running_bot.people
    assert has_won(ben, board.text, emblem="⭕")
    assert green(board) == [C, E, G]


async def test_a_full_board_is_a_draw(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    await running_bot.play(board, A, B, C, E, D, F, H, G, K)
    assert says("drawn.played") in board.text


async def test_a_player_resigns(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await running_bot.play(board, A)
    await running_bot.resign(ann, board)
    assert like("won.resigned", loser=ann.mention).search(board.text)
    assert has_won(ben, board.text)


async def test_a_draw_is_offered_and_accepted(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    assert says("control.offer") not in [button.label for button in board.buttons]
    await running_bot.play(board, A)
    await running_bot.press(ben, board, says("control.offer"))
    assert like("board.offer", player=ben.mention).search(board.text)
    assert says("refusal.own_offer") in await running_bot.told(ben, board, says("control.agree"))
    await running_bot.press(ann, board, says("control.agree"))
    assert says("drawn.agreed") in board.text


async def test_a_draw_offer_is_declined_and_the_game_goes_on(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await running_bot.play(board, A)
    await running_bot.press(ann, board, says("control.offer"))
    await running_bot.press(ben, board, says("control.refuse"))
    assert not like("board.offer").search(board.text)
    await running_bot.mark(ben, board, E)
    assert marks(board)[E] == "⭕"


async def test_a_challenge_notifies_the_person_challenged_and_nobody_else(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.opened(ann, opponent=ben)
    assert board.pinged == {"Ben"}
    assert like("lobby.challenge", host=ann.mention, person=ben.mention).search(board.text)


async def test_a_board_too_wide_for_a_narrow_phone_says_so_before_it_is_accepted(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    for size in (4, 5):
        challenge = await running_bot.opened(ann, opponent=ben, size=size)
        assert (says("lobby.narrow") in challenge.text) == (size == 5)


async def test_a_challenge_is_declined(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.opened(ann, opponent=ben)
    await running_bot.press(ben, board, says("control.decline"))
    assert like("closed.declined", person=ben.mention).search(board.text)
    assert not board.buttons


async def test_a_challenge_is_withdrawn_by_its_maker_alone(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.opened(ann, opponent=ben)
    assert says("refusal.not_host") in await running_bot.told(ben, board, says("control.withdraw"))
    await running_bot.press(ann, board, says("control.withdraw"))
    assert like("closed.withdrawn", person=ann.mention).search(board.text)


async def test_a_challenge_expires_after_fifteen_minutes(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.opened(ann, opponent=ben)
    await running_bot.later(timedelta(minutes=15))
    await running_bot.sandbox.until(
        lambda: like("closed.expired", "closed.gathering.expired").search(board.text)
    )
    assert [button.label for button in board.buttons] == [says("control.ask_again")]


async def test_a_challenge_is_for_the_person_challenged(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await running_bot.opened(ann, opponent=ben)
    assert says("refusal.already_seated") in await running_bot.told(
        ann, board, says("control.accept")
    )
    assert like("refusal.not_invited").search(
        await running_bot.told(cleo, board, says("control.accept"))
    )
    assert like("lobby.challenge").search(board.text)


async def test_at_an_open_table_the_first_to_join_plays(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await running_bot.opened(ann, anyone=True)
    assert board.pinged == frozenset()
    both = [
        await ben.press(board, says("control.join")),
        await cleo.press(board, says("control.join")),
    ]
    first, second = [await joined.answered() for joined in both]
    assert first.response in UPDATES
    assert like("refusal.not_waiting").search(await running_bot.sentence(second))
    await running_bot.mark(ann, board, A)
    await running_bot.mark(ben, board, B)


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "perfect"])
@pytest.mark.both_databases
async def test_the_computers_answer_comes_in_the_same_update_as_the_move(
    running_bot: RunningBot, level: str
) -> None:
    ann, ben, *_ = running_bot.people
    first = await running_bot.opened(ben, level=level)
    await running_bot.mark(ben, first, E)
    await running_bot.sandbox.until(lambda: len(marks(first)) == 2)  # a process has begun
    board = await running_bot.opened(ann, level=level)
    moved = await running_bot.mark(ann, board, E)
    assert moved.response in UPDATES
    assert board.edits == 1
    assert sorted(marks(board).values()) == ["❌", "⭕"]
    assert says(f"choice.level.{level}") in board.text


async def test_the_computer_moves_first_where_it_has_x(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.opened(ann, mark="o", level="easy")
    assert [*marks(board).values()] == ["❌"]
    assert board.edits == 0


async def test_the_bot_itself_as_opponent_is_the_computer(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.opened(ann, opponent=running_bot.sandbox.person("Parlour"))
    assert says("choice.level.medium") in board.text


async def test_the_perfect_computer_is_never_beaten_by_pressing_at_random(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.opened(ann, level="perfect")
    while says("control.rematch") not in [button.label for button in board.buttons]:
        free = [button for button in board.buttons if button.label == "\u200b"]
        await (await ann.press(board, custom_id=free[0].custom_id)).answered()
    assert not has_won(ann, board.text)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"opponent": "Ann"}, says("refusal.opponent_is_self")),
        ({"opponent": "Robot"}, says("refusal.opponent_is_bot")),
        ({"opponent": "Ben", "anyone": True}, says("refusal.opponent_and_anyone")),
        ({"size": 3, "line": 4}, says("refusal.option_refused.tictactoe.line")),
    ],
)
async def test_a_table_that_cannot_be_is_refused_with_the_reason(
    running_bot: RunningBot, options: dict[str, object], sentence: str
) -> None:
    ann, *_ = running_bot.people
    if isinstance(options.get("opponent"), str):
        options = {**options, "opponent": running_bot.sandbox.person(str(options["opponent"]))}
    answer = await running_bot.type(ann, **options)
    assert answer.message is not None
    assert answer.message.ephemeral
    assert sentence in answer.message.text
    assert len(running_bot.people[1].sees(running_bot.games)) == 0


async def test_the_largest_board_fits_into_a_message(running_bot: RunningBot) -> None:
    board = await running_bot.friends(size=5)
    await running_bot.play(board, *((row, column) for row in range(2) for column in range(5)))
    await running_bot.later(timedelta(minutes=5))
    _, ben, *_ = running_bot.people
    await running_bot.sandbox.until(lambda: like("board.lapsed", "won.time").search(board.text))
    await running_bot.press(ben, board, says("control.offer"))
    below = [*map(says, ("control.claim", "control.agree", "control.refuse", "control.more"))]
    await running_bot.sandbox.until(
        lambda: [button.label for button in board.buttons][-4:] == below
    )
    assert says("board.in_a_row", size="5x5", line="4") in board.text


async def test_whoever_does_not_play_is_told_so_and_the_board_stays(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    *_, dan = running_bot.people
    told = await running_bot.told(dan, board, A)
    assert like("refusal.not_at_table").search(told)
    assert "</tictactoe:" in told
    assert board.edits == 1


async def test_the_wrong_player_is_told_to_wait(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    assert await running_bot.told(running_bot.people[1], board, A) == says("refusal.not_your_turn")


@pytest.mark.both_databases
async def test_of_two_simultaneous_presses_one_counts_and_the_other_is_told_why(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    both = {square: await ann.press(board, position=square) for square in (A, E)}
    for press in both.values():
        await press.answered()
    [counted] = marks(board)
    assert counted is not None
    assert both[counted].response in UPDATES
    assert says("refusal.stale_control") in await running_bot.sentence(
        both[E if counted == A else A]
    )


async def test_a_press_on_a_board_that_has_moved_on_is_refused(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await running_bot.friends()
    monkeypatch.setattr(response, "DEFER_AFTER", 0.1)
    ann, ben, *_ = running_bot.people
    gate = running_bot.sandbox.hold_next("POST", "/interactions/*/*/callback")
    moving = await ann.press(board, position=A)
    await gate.reached()
    stale = await ben.press(board, says("control.cancel"))
    refused = await stale.answered()
    gate.open()
    await moving.answered()
    told = await running_bot.sentence(refused)
    assert says("refusal.stale_control") in told
    assert "https://" not in told
    assert says("closed.cancelled") not in board.text


async def test_a_press_on_a_taken_square_or_a_finished_game_gets_a_sentence_alone(
    running_bot: RunningBot,
) -> None:
    """The board is not drawn again, as it is after a press on an older one."""
    ann, ben, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.play(board, A)
    edits = board.edits
    pressed = await running_bot.mark(ben, board, A)
    assert (pressed.message.text, board.edits) == (says("refusal.square_taken"), edits)
    assert not pressed.followups
    await running_bot.mark(ben, board, D)
    await running_bot.play(board, B, E, C)
    await running_bot.client.boards.save_shown()
    edits = board.edits
    pressed = await running_bot.mark(ann, board, A)
    assert like("refusal.not_running").fullmatch(pressed.message.text)
    assert board.edits == edits
    assert not pressed.followups


@pytest.mark.both_databases
async def test_the_same_interaction_delivered_twice_is_one_move(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    press = await ann.press(board, position=A)
    running_bot.sandbox.redeliver(press)
    await press.answered()
    running_bot.sandbox.redeliver(press)
    await running_bot.mark(ben, board, E)
    assert [*marks(board)] == [A, E]
    assert not [m for m in ann.sees(running_bot.games) if m.ephemeral]


@pytest.mark.both_databases
async def test_a_command_delivered_twice_opens_one_table(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    typed = await ann.type(running_bot.games, "tictactoe", mark="x")
    running_bot.sandbox.redeliver(typed)
    await typed.answered()
    await running_bot.opened(ann)
    assert len(ann.sees(running_bot.games)) == 2


async def test_a_rematch_between_friends_is_a_challenge_with_sides_swapped(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await running_bot.resign(ann, board)
    asked = await running_bot.press(ann, board, says("control.rematch"))
    assert asked.response is Answer.MESSAGE
    again = asked.message
    assert again is not None
    assert again.id != board.id
    assert again.pinged == {"Ben"}
    assert like("rematch.asked").search(await running_bot.told(ann, board, says("control.rematch")))
    assert str(again.id) in await running_bot.told(ben, board, says("control.rematch"))
    await running_bot.sandbox.until(lambda: mover_in(again.text) == str(ben.id))
    await running_bot.mark(ben, again, A)


@pytest.mark.both_databases
async def test_a_rematch_that_the_other_asked_for_meanwhile_shows_the_game_at_once(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await running_bot.resign(ann, board)
    gate = running_bot.sandbox.hold_next("POST", "/interactions/*/*/callback")
    asked = await ann.press(board, says("control.rematch"))
    await gate.reached()
    await running_bot.press(ben, board, says("control.rematch"))
    gate.open()
    again = (await asked.answered()).message
    assert again is not None
    await running_bot.sandbox.until(lambda: mover_in(again.text) == str(ben.id))


async def test_a_rematch_that_was_played_is_linked_from_the_first_game(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await running_bot.resign(ann, board)
    again = (await running_bot.press(ann, board, says("control.rematch"))).message
    assert again is not None
    await running_bot.press(ben, again, says("control.accept"))
    await running_bot.resign(ben, again)
    for person in (ann, ben):
        assert like("rematch.over").search(
            await running_bot.told(person, board, says("control.rematch"))
        )


async def test_people_cannot_be_challenged_where_they_cannot_see_it(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    for options in ({"opponent": ben}, {"anyone": True}):
        typed = await (await ann.type(ann.dm, "tictactoe", **options)).answered()
        assert typed.message is not None
        assert says("refusal.nobody_else_here") in typed.message.text


async def test_a_command_of_another_version_gets_a_sentence(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    running_bot.client.tree.remove_command("help")
    answer = await (await ann.type(running_bot.games, "help")).answered()
    assert answer.message is not None
    assert says("refusal.outdated") in answer.message.text


async def test_a_rematch_against_the_computer_begins_at_once(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.opened(ann, level="easy")
    await running_bot.resign(ann, board)
    again = (await running_bot.press(ann, board, says("control.rematch"))).message
    assert again is not None
    assert [*marks(again).values()] == ["❌"]


async def test_time_runs_out_and_the_opponent_claims_the_win(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(lambda: like("board.lapsed", "won.time").search(board.text))
    assert says("refusal.own_time_up") in await running_bot.told(ann, board, says("control.claim"))
    await running_bot.press(ben, board, says("control.claim"))
    assert like("board.lapsed", "won.time", player=ann.mention, loser=ann.mention).search(
        board.text
    )
    assert has_won(ben, board.text)


async def test_games_are_played_in_direct_messages_too(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    typed = await (await ann.type(ann.dm, "tictactoe", mark="x", level="easy")).answered()
    assert typed.message is not None
    await running_bot.mark(ann, typed.message, E)
    assert [cell for cell, mark in marks(typed.message).items() if mark == "❌"] == [E]


async def test_games_are_played_in_threads_too(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    thread = running_bot.sandbox.channel("games-thread")
    typed = await (await ann.type(thread, "tictactoe", mark="x", level="easy")).answered()
    assert typed.message is not None
    await running_bot.mark(ann, typed.message, E)
    assert len(marks(typed.message)) == 2


async def test_help_fits_one_screen_for_its_reader_alone(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    answer = await (await ann.type(running_bot.games, "help")).answered()
    assert answer.message is not None
    assert answer.message.ephemeral
    assert "</tictactoe:" in answer.message.text
    invite = says("help.invite")
    assert re.search(rf"\[{invite}\]\(https://\S+client_id=", answer.message.text)
