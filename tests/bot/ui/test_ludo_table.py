"""A Ludo table before the game: who sits there, who may come, leave and begin."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.sandbox import Impossible
from bot.table.seats import Computer, Human, Level, PersonId
from tests.bot.english import like, says
from tests.bot.ui import ludo
from tests.bot.ui.conftest import UPDATES, RunningBot


async def test_the_message_shows_who_has_which_colour_and_what_is_free(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben, computers=1, level="hard")
    assert ludo.seats(board) == [
        f"🔴 {ann.mention}",
        ludo.invited("🟢", ben),
        ludo.computer("🟡", "hard"),
        says("gathering.free"),
    ]
    await running_bot.press(ben, board, says("control.join"))
    assert ludo.seats(board)[1] == f"🟢 {ben.mention}"


async def test_a_table_says_how_many_its_start_needs_until_they_are_there(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben)
    needed = says("gathering.few", fewest="2")
    [start] = [button for button in board.buttons if button.label == says("control.start")]
    assert start.disabled
    assert needed in board.text
    await running_bot.press(ben, board, says("control.join"))
    [start] = [button for button in board.buttons if button.label == says("control.start")]
    assert not start.disabled
    assert needed not in board.text


async def test_two_players_sit_opposite_each_other(running_bot: RunningBot) -> None:
    board = await ludo.seated(running_bot.sandbox, running_bot.people[:2])
    assert [line[0] for line in ludo.seats(board)] == ["🔴", "🟡", "⚪", "⚪"]


async def test_those_invited_are_notified_once_and_nobody_else_ever(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben, player3=cleo)
    assert board.pinged == {"Ben", "Cleo"}
    await running_bot.press(dan, board, says("control.join"))
    await running_bot.press(ben, board, says("control.join"))
    await (await ann.type(running_bot.games, "board")).answered()
    await running_bot.press(ann, ann.sees(running_bot.games)[-1], says("control.start"))
    [again] = [message for message in ann.sees(running_bot.games) if message is not board]
    assert not again.pinged


async def test_people_join_and_leave_an_open_table(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    assert ludo.seats(board) == [f"🔴 {ann.mention}", *[says("gathering.free")] * 3]
    await running_bot.press(ben, board, says("control.join"))
    await running_bot.press(cleo, board, says("control.join"))
    assert says("refusal.already_seated") in await running_bot.told(
        ben, board, says("control.join")
    )
    await running_bot.press(ben, board, says("control.leave"))
    assert ludo.seats(board)[:2] == [f"🔴 {ann.mention}", f"🟡 {cleo.mention}"]
    assert like("refusal.not_at_table").search(
        await running_bot.told(ben, board, says("control.leave"))
    )


async def test_an_invitation_is_turned_down_by_leaving(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben)
    await running_bot.press(ben, board, says("control.leave"))
    assert ludo.seats(board) == [f"🔴 {ann.mention}", *[says("gathering.free")] * 3]


async def test_when_the_host_leaves_the_next_person_has_the_table(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.seated(running_bot.sandbox, (ann, ben), computers=1)
    await running_bot.press(ann, board, says("control.leave"))
    assert like("gathering.open", host=ben.mention).search(board.text)
    assert says("refusal.not_host") in await running_bot.told(ann, board, says("control.start"))
    await running_bot.press(ben, board, says("control.start"))
    assert len(await ludo.occupants(running_bot, board)) == 2


async def test_the_table_goes_with_the_last_person(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben, computers=2)
    await running_bot.press(ann, board, says("control.leave"))
    assert says("closed.gathering.withdrawn") in board.text
    assert not board.controls


async def test_computers_of_any_level_are_added_and_removed_by_the_host(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben)
    with pytest.raises(Impossible):
        await ludo.set_up(ann, board, says("menu.remove_computer"))
    await ludo.set_up(ann, board, says("menu.add_computer", level=says("choice.level.expert")))
    await ludo.set_up(ann, board, says("menu.add_computer", level=says("choice.level.easy")))
    assert ludo.seats(board)[2:] == [ludo.computer("🟡", "expert"), ludo.computer("🔵", "easy")]
    with pytest.raises(Impossible):
        await ludo.set_up(ann, board, says("menu.add_computer", level=says("choice.level.easy")))
    refused = (await ludo.set_up(ben, board, says("menu.remove_computer"))).message
    assert says("refusal.not_host") in refused.text
    await ludo.set_up(ann, board, says("menu.remove_computer"))
    assert ludo.seats(board)[2:] == [ludo.computer("🟡", "expert"), says("gathering.free")]
    refused = (
        await ludo.set_up(ben, board, says("menu.add_computer", level=says("choice.level.easy")))
    ).message
    assert says("refusal.not_host") in refused.text


async def test_of_two_who_join_for_the_last_seat_one_has_it_and_the_other_is_told(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben, computers=2)
    await running_bot.press(ben, board, says("control.leave"))
    both = [
        await cleo.press(board, says("control.join")),
        await dan.press(board, says("control.join")),
    ]
    first, second = [await joined.answered() for joined in both]
    assert first.response in UPDATES
    assert second.message.ephemeral
    assert like("refusal.table_full").search(second.message.text)
    assert "</ludo:" in second.message.text
    assert f"🔵 {cleo.mention}" in ludo.seats(board)
    assert dan.mention not in board.text
    with pytest.raises(Impossible, match="disabled"):
        await dan.press(board, says("control.join"))


async def test_a_seat_kept_for_somebody_is_taken_by_nobody_else(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben, computers=2)
    assert like("refusal.table_full").search(
        await running_bot.told(cleo, board, says("control.join"))
    )
    await running_bot.press(ben, board, says("control.join"))
    assert f"🟢 {ben.mention}" in ludo.seats(board)


async def test_the_game_starts_with_two_to_four_and_without_those_who_have_not_come(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben, player3=cleo)
    with pytest.raises(Impossible, match="disabled"):
        await ann.press(board, says("control.start"))
    await running_bot.press(cleo, board, says("control.join"))
    assert says("refusal.not_host") in await running_bot.told(cleo, board, says("control.start"))
    await running_bot.press(ann, board, says("control.start"))
    assert ludo.seats(board)[:2] == [f"🔴 {ann.mention}", f"🟡 {cleo.mention}"]
    assert ben.mention not in board.text
    assert ludo.mover(running_bot.sandbox, board) in {ann, cleo}


async def test_whoever_joins_while_the_game_starts_is_told_that_it_has_begun(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.seated(running_bot.sandbox, (ann, ben))
    both = [
        await ann.press(board, says("control.start")),
        await cleo.press(board, says("control.join")),
    ]
    first, second = [await press.answered() for press in both]
    assert first.response in UPDATES
    assert like("refusal.not_waiting").search(await running_bot.sentence(second))


async def test_a_start_that_finds_the_others_gone_is_refused(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.seated(running_bot.sandbox, (ann, ben))
    both = [
        await ben.press(board, says("control.leave")),
        await ann.press(board, says("control.start")),
    ]
    _, start = [await press.answered() for press in both]
    assert says("refusal.too_few_players") in start.message.text


async def test_the_host_cancels_the_table(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben)
    refused = (await ludo.set_up(ben, board, says("menu.cancel"))).message
    assert says("refusal.not_host") in refused.text
    await ludo.set_up(ann, board, says("menu.cancel"))
    assert says("closed.gathering.withdrawn") in board.text
    assert not board.controls


async def test_a_table_closes_by_itself_after_thirty_minutes(running_bot: RunningBot) -> None:
    board = await ludo.seated(running_bot.sandbox, running_bot.people[:2])
    await running_bot.later(timedelta(minutes=30))
    await running_bot.sandbox.until(lambda: says("closed.gathering.expired") in board.text)
    assert ludo.labels(board) == [says("control.ask_again")]


async def test_the_host_lets_the_dice_roll_by_themselves(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.seated(running_bot.sandbox, (ann, ben))
    refused = (await ludo.set_up(ben, board, says("control.auto_roll.on"))).message
    assert says("refusal.not_host") in refused.text
    for rolls in (True, False, True):
        await ludo.set_up(ann, board, says(f"control.auto_roll.{'on' if rolls else 'off'}"))
        assert (says("gathering.auto_roll") in board.text) is rolls
    await running_bot.press(ann, board, says("control.start"))
    assert says("control.ludo.roll") not in ludo.labels(board)
    assert like("board.turn", "board.rolled").search(board.text)


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize(
    "options", [{"computers": 3}, {"computers": 1, "level": "expert", "rules": "damascus"}]
)
async def test_with_computers_alone_the_game_starts_at_once_in_direct_messages_too(
    running_bot: RunningBot, options: dict[str, str | int], private: bool
) -> None:
    ann, *_ = running_bot.people
    channel = ann.dm if private else running_bot.games
    board = (await (await ann.type(channel, "ludo", **options)).answered()).message
    await ludo.bound(running_bot.sandbox, board)
    assert len(await ludo.occupants(running_bot, board)) == 1 + int(options["computers"])
    assert ludo.mover(running_bot.sandbox, board) is ann or ludo.over(board), board.text
    await ludo.until(
        running_bot.sandbox,
        board,
        lambda: bool(like("ludo.story.left_yard").search(board.text)) or ludo.over(board),
    )


async def test_the_bot_itself_among_the_players_is_a_computer(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await ludo.opened(
        running_bot.sandbox, ann, player3=running_bot.sandbox.person("Parlour"), level="easy"
    )
    assert await ludo.occupants(running_bot, board) == (
        Human(PersonId(ann.id)),
        Computer(Level.EASY),
    )
    assert says("control.ludo.roll") in ludo.labels(board)


async def test_somebody_named_twice_has_one_seat(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben, player4=ben)
    assert len([line for line in ludo.seats(board) if ben.mention in line]) == 1


@pytest.mark.parametrize("pace", ["live", "correspondence", "relaxed"])
@pytest.mark.parametrize("rules", ["classic", "quick", "damascus"])
async def test_rules_and_pace_are_those_of_the_command(
    running_bot: RunningBot, rules: str, pace: str
) -> None:
    ann, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, rules=rules, pace=pace)
    assert ludo.title(rules) in board.text
    limit = {"live": "5 minutes", "correspondence": "3 days"}.get(pace)
    turn = says("pace.limited", limit=limit) if limit else says("pace.relaxed")
    assert turn in board.text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"player2": "Ann"}, says("refusal.opponent_is_self")),
        ({"player3": "Robot"}, says("refusal.opponent_is_bot")),
        ({"player2": "Ben", "computers": 3}, says("refusal.too_many_seats")),
        (
            {"player2": "Ben", "player3": "Cleo", "player4": "Dan", "computers": 1},
            says("refusal.too_many_seats"),
        ),
    ],
)
async def test_a_table_that_cannot_be_is_refused_with_the_reason(
    running_bot: RunningBot, options: dict[str, str | int], sentence: str
) -> None:
    ann, *_ = running_bot.people
    named = {
        key: running_bot.sandbox.person(value) if isinstance(value, str) else value
        for key, value in options.items()
    }
    refused = (await ludo.typed(running_bot.sandbox, ann, **named)).message
    assert refused.ephemeral
    assert sentence in refused.text
    assert says("field.opponent") not in refused.text, "a field that Ludo lacks"
    assert not running_bot.people[1].sees(running_bot.games)


async def test_people_cannot_be_invited_where_they_cannot_see_it(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    refused = (await (await ann.type(ann.dm, "ludo", player2=ben)).answered()).message
    assert says("refusal.nobody_else_here") in refused.text
