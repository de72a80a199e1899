"""Matches of tournaments as people meet them: called once, told once, timed fairly."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.sandbox import Message, Permission
from bot.sandbox.web.calls import Reply
from bot.screens.tournament_controls import TournamentAction
from bot.service.due_work import ASLEEP_AFTER, NOTED_EVERY
from bot.table.seat_log import Preferences
from bot.tournaments.progress import standings
from bot.tournaments.tournament import Leg, Stage
from bot.ui import retries
from tests.bot.english import like, mover_in, says
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import EDIT, Exchange, Fault, Observed
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.hall import Hall, agreed, all_is_told, guests, over, started
from tests.bot.ui.scripted_dice import ScriptedDice


def there(hall: Hall, control: str = "") -> list[Message]:
    """The messages of the thread with a control."""
    assert hall.thread is not None
    told = hall.told(hall.thread.name)
    return [m for m in told if any(f":{control}:" in b.custom_id for b in m.buttons)]


async def test_a_call_is_taken_away_once_both_have_moved_or_nobody_can_come_any_more(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, format="swiss")
    await hall.later()
    assert len(there(hall, "here")) == 2
    board, other = hall.boards()

    await hall.move(board)
    await hall.later()
    assert len(there(hall, "here")) == 2, "one of them has not come yet"
    await hall.move(board)
    await hall.later()
    assert len(there(hall, "here")) == 1
    hall.away |= {person.name for person in hall.people if person.mention in other.text}
    await hall.later(timedelta(minutes=10))
    await hall.later()

    assert there(hall, "here") == []


async def test_a_board_deleted_before_its_players_were_called_does_not_keep_its_match_open(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "TRIED_FOR", 0.0)
    gone = Reply(503, {"message": "Made to fail", "code": 0})
    for _ in range(2):
        call = Fault("POST", "/channels/*/messages", gone, of=lambda it: ":here:" in str(it.sent))
        running_bot.sandbox.trouble(call)
    hall = await started(running_bot, 4, format="swiss")
    await running_bot.sandbox.until(lambda: not running_bot.sandbox.troubled)
    boards = hall.boards()
    for board in boards:
        hall.host.delete(board)
    await running_bot.sandbox.until(lambda: len(there(hall, "here")) == len(boards))
    calls = there(hall, "here")
    assert all(like("refusal.board_deleted").search(each.text) for each in calls)

    hall.away |= {person.name for person in hall.people}
    for _ in range(2):
        await hall.later(timedelta(minutes=11))
    assert len(await over_legs(hall)) == len(boards)


async def test_a_match_of_two_games_has_one_call(running_bot: RunningBot) -> None:
    hall = await started(running_bot, 4, format="knockout")
    await hall.later()
    pinged = [each for each in there(hall) if each.pinged]
    await hall.play_boards()
    await hall.later()

    assert len(hall.boards()) == 2, "the second games"
    assert [each for each in there(hall, "here") if each not in pinged] == []


async def test_a_match_that_is_cut_off_between_its_games_is_done_with(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, format="knockout")
    await hall.later()
    await hall.press(hall.host, TournamentAction.PAUSE, await panel(hall))
    await hall.play_boards()
    while len(await over_legs(hall)) < 2:
        await hall.later()
    await hall.press(hall.host, TournamentAction.END, await panel(hall))

    await all_is_told(hall)
    assert (await hall.tournament()).cut
    assert there(hall, "here") == []


async def test_a_final_that_a_manager_ends_has_no_winner(running_bot: RunningBot) -> None:
    """Its title would be the third's, who had lost to one of the two in it."""
    manager, *people = guests(running_bot.sandbox, 5)
    hall = Hall(running_bot, people)
    await hall.open(format="knockout")
    await hall.press(hall.host, TournamentAction.START)
    while (await hall.tournament()).round == 1:
        await hall.play_boards()
        await hall.later()
    opened = (await hall.press(manager, TournamentAction.MANAGE)).message
    await hall.press(manager, TournamentAction.END, opened)

    await all_is_told(hall)
    ended = await agreed(hall)
    assert (ended.stage, ended.champion) == (Stage.OVER, None)


async def test_each_match_is_told_once_in_the_thread_with_who_goes_on(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, format="knockout")
    while (await hall.tournament()).round == 1:
        await hall.play_boards()
        await hall.later()
    await hall.later()

    ends = there(hall, "standings")
    assert len(ends) == 2
    for end in ends:
        assert like("tournament.goes_on").search(end.text)
        assert like("tournament.games").search(end.text)
        assert not end.pinged
    table = await hall.told_by(hall.host, TournamentAction.STANDINGS, ends[0])
    assert table.ephemeral
    assert like("tournament.title").search(table.text)


async def test_a_level_match_says_by_what_it_was_decided_with_both_times(
    running_bot: RunningBot,
) -> None:
    """Whoever begins wins here, so that each match is level; the thinking of one is longer."""
    hall = await started(running_bot, 4, format="knockout")
    await hall.later()
    await running_bot.later(timedelta(seconds=72))
    while (await hall.tournament()).round == 1:
        await hall.play_boards()
        await hall.later()
    await hall.later()

    ends = [each.text for each in there(hall, "standings")]
    level = [each for each in ends if like("tournament.by").search(each)]
    assert level
    assert all(re.search(r"0:0\d to 1:[12]\d", each) for each in level), level


async def test_boards_of_matches_offer_no_rematch_and_lead_to_the_tournament(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, format="swiss")
    await hall.later()
    board = hall.boards()[0]
    while await hall.move(board):
        pass

    labels = [each.label for each in board.buttons]
    assert says("control.rematch") not in labels
    pressed = await running_bot.done(await hall.host.press(board, says("control.to_tournament")))
    table = pressed.followups[-1] if pressed.followups else pressed.message
    assert table.ephemeral
    assert like("tournament.title").search(table.text)


@pytest.mark.parametrize("came", [False, True])
async def test_a_heat_ends_in_which_computers_play_for_all_but_one_who_does_not_move(
    running_bot: RunningBot, came: bool
) -> None:
    hall = await started(running_bot, 4, game="ludo-classic")
    await hall.later()
    first = mover_in(hall.boards()[0].text)
    while came and mover_in(hall.boards()[0].text) == first:  # to the end of a whole turn
        await hall.move(hall.boards()[0])
    for _ in range(8):
        await hall.later(timedelta(minutes=16))
    await hall.later()

    ended = await hall.tournament()
    assert ended.stage is Stage.OVER
    assert [leg.void for leg in ended.legs] == [False]
    assert ended.champion is None
    made = [part.points for part in ended.legs[0].parts]
    assert max(made) == (3.0 if came else 0.0)  # type: ignore[type-var]


async def test_from_a_heat_nobody_goes_on_who_never_came_though_a_computer_played_for_them(
    running_bot: RunningBot,
) -> None:
    """Of five the first seed has a bye; of the others one comes, plays a turn, and outlasts all."""
    hall = await started(running_bot, 5, game="ludo-classic")
    await hall.later()
    (board,) = hall.boards()
    first = mover_in(board.text)
    while mover_in(board.text) == first:  # to the end of a whole turn
        await hall.move(board)
    while (await hall.tournament()).round == 1:
        await hall.later(timedelta(minutes=16))

    found = await hall.tournament()
    table = next(leg for leg in found.legs if len(leg.parts) == 4)
    (bye,) = next(leg for leg in found.legs if len(leg.parts) == 1).entries
    (came,) = [e.number for e in found.entries if str(e.person) == first]
    assert {part.entry for part in table.parts if not part.absent} == {came}
    (final,) = found.open_legs()
    assert {*final.entries} == {bye, came}


async def test_who_chose_moves_after_dice_that_rolled_by_themselves_came_even_if_they_gave_up(
    running_bot: RunningBot, dice: ScriptedDice
) -> None:
    dice.fall(6, 5, 4, 3)  # who begins
    dice.fall(*(6, 6, 1) * 4)  # everybody takes a token out, and has a choice
    hall = await started(running_bot, 4, game="ludo-classic")
    await hall.later()
    (leg,) = (await hall.tournament()).legs
    assert leg.table is not None
    before = await running_bot.store.table(leg.table)
    rolling = replace(before.session, preferences=Preferences(auto_roll=True))
    again = replace(before, revision=before.revision + 1, session=rolling)
    await running_bot.store.save(before, again, None)
    await hall.later()
    session = (await running_bot.store.table(leg.table)).session
    while any(log.choice is None for log in session.seat_logs):
        assert await hall.move(hall.boards()[0])
        session = (await running_bot.store.table(leg.table)).session
    for person in session.people:
        await running_bot.parlour.use_cases.tables.depart(leg.table, person)
    await hall.later()

    (ended,) = (await hall.tournament()).legs
    assert not ended.open
    assert [part.absent for part in ended.parts] == [False] * 4


async def test_who_comes_back_to_a_seat_that_the_computer_has_played_came(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, game="ludo-classic")
    await hall.later()
    late = mover_in(hall.boards()[0].text)
    (person,) = [each for each in hall.people if str(each.id) == late]
    await hall.later(timedelta(minutes=16))
    (board,) = hall.boards()
    (leg,) = (await hall.tournament()).legs
    assert not any(part.present for part in leg.parts)
    await running_bot.press(person, board, says("control.come_back"))

    found = await hall.tournament()
    (leg,) = found.legs
    (came,) = [part.entry for part in leg.parts if part.present]
    assert found.by_number[came].person == int(person.id)


@pytest.mark.sqlite_alone
async def test_clocks_of_matches_stand_still_while_the_bot_is_away(
    open_bot: Open, sandbox: Sandbox
) -> None:
    away = timedelta(hours=2)
    async with open_bot() as bot:
        hall = await started(bot, 4, format="knockout")
        await hall.later()
        for board in hall.boards():
            await hall.move(board)
        await hall.later(timedelta(seconds=40))
    async with open_bot(later=bot.clock.now() - sandbox.clock.now() + away) as hall.bot:
        await hall.later()
        await hall.later()
        assert not any(like("board.lapsed").search(board.text) for board in hall.boards())
        while (await hall.tournament()).round == 1 and not await over_legs(hall):
            await hall.play_boards()
            await hall.later()

        legs = await over_legs(hall)
        assert legs
        assert all(40 <= sum(part.thought for part in leg.parts) < 200 for leg in legs), legs


@pytest.mark.sqlite_alone
async def test_clocks_of_matches_stand_still_while_the_machine_sleeps(
    running_bot: RunningBot,
) -> None:
    """Woken, it takes a while to see that its connection is dead."""
    hall = await under_way(running_bot)
    running_bot.parlour.use_cases.absences.asleep_after = ASLEEP_AFTER
    await hall.later(2 * NOTED_EVERY)
    told = [len(hall.told(board.channel.name)) for board in hall.boards()]
    await hall.later(timedelta(hours=8))
    await hall.later()
    await nobody_is_late(hall)
    again = [len(hall.told(board.channel.name)) for board in hall.boards()]
    assert again == told, "nobody is told that a minute is left"


@pytest.mark.sqlite_alone
async def test_a_turn_during_which_the_bot_was_away_is_reminded_of_once(
    open_bot: Open, sandbox: Sandbox
) -> None:
    """Seed 122 of the simulation: told on the return that a minute was left, and when it was."""
    away = timedelta(minutes=3, seconds=30)
    async with open_bot() as bot:
        hall = await under_way(bot)
        await hall.later(2 * NOTED_EVERY)
        boards = hall.boards()
    async with open_bot(later=bot.clock.now() - sandbox.clock.now() + away) as hall.bot:
        reminders: list[set[int]] = []
        for seconds in (0, 30, *(60,) * 8, 30, 10):
            await hall.later(timedelta(seconds=seconds))
            told = [each for board in boards for each in hall.told(board.channel.name)]
            found = [each.id for each in told if like("reminder.turn").search(each.text)]
            reminders.append({int(each) for each in found})
    assert reminders[0] == set(), "its time is prolonged"
    assert len(set[int]().union(*reminders)) == len(boards), reminders


@pytest.mark.sqlite_alone
@pytest.mark.usefixtures("connected_at_once")
async def test_clocks_of_matches_stand_still_while_the_gateway_is_gone(
    running_bot: RunningBot,
) -> None:
    hall = await under_way(running_bot)
    sandbox, shards = running_bot.sandbox, running_bot.client.shards
    sandbox.drop_gateway(refuse=True)
    while not any(shard.is_closed() for shard in shards.values()):
        await hall.later(timedelta(seconds=1))
    await hall.later(NOTED_EVERY)

    await hall.later(timedelta(hours=2))
    await hall.later()
    await nobody_is_late(hall)
    sandbox.drop_gateway()
    await sandbox.bot_ready()
    while any(shard.is_closed() for shard in shards.values()):
        await hall.later(timedelta(seconds=1))
    await hall.later(NOTED_EVERY)

    await nobody_is_late(hall)
    await hall.later(timedelta(minutes=16))
    await hall.later()
    assert len(await over_legs(hall)) == 2, "their clocks go on"


@pytest.mark.sqlite_alone
async def test_clocks_of_matches_stand_still_while_discord_takes_nothing(
    running_bot: RunningBot,
) -> None:
    hall, lasts = await under_way(running_bot), True
    for method in (*["DELETE"] * 60, *["PATCH"] * 60):
        away = Reply(503, {"message": "Made to fail", "code": 0})
        running_bot.sandbox.trouble(Fault(method, EDIT, away, of=lambda _: lasts))
    for board in hall.boards():
        await hall.move(board)
    await hall.later()  # the calls, which are to be deleted, wait

    await hall.later(NOTED_EVERY)
    await hall.later(timedelta(hours=2))
    await hall.later()
    await nobody_is_late(hall)
    lasts = False
    await running_bot.sandbox.until(lambda: not there(hall, "here"))
    await hall.later(NOTED_EVERY)

    await nobody_is_late(hall)


async def under_way(bot: RunningBot) -> Hall:
    """A knockout of four, of whom one at each board has moved."""
    hall = await started(bot, 4, format="knockout")
    await hall.later()
    for board in hall.boards():
        await hall.move(board)
    await hall.later()
    return hall


async def nobody_is_late(hall: Hall) -> None:
    """Nothing is lost, and nobody may claim anything."""
    assert await over_legs(hall) == []
    assert not any(like("board.lapsed").search(board.text) for board in hall.boards())


async def over_legs(hall: Hall) -> list[Leg]:
    return [leg for leg in (await hall.tournament()).legs if not leg.open]


async def test_an_edit_that_was_refused_is_made_once_the_permission_is_back(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, format="swiss")
    await hall.later()
    sandbox, games = running_bot.sandbox, running_bot.games
    refused = Counter[str]()

    def note(observed: Observed) -> None:
        if isinstance(observed, Exchange) and observed.status == 403:
            refused[observed.path] += 1

    sandbox.observe(note)
    before = hall.message.text
    sandbox.deny(games, Permission.VIEW_CHANNEL)
    await hall.press(hall.host, TournamentAction.PAUSE, await panel(hall))
    for _ in range(5):
        await hall.later()
    assert hall.message.text == before
    own = sum(count for path, count in refused.items() if str(hall.message.id) in path)
    assert own <= 2, "it is left alone for a while"

    sandbox.deny(games)
    for _ in range(2):
        await hall.later()

    assert says("tournament.paused") in hall.message.text


async def test_a_tournament_that_ends_out_of_reach_is_told_once_the_permission_is_back(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 3, format="all_play_all", places="3")
    await hall.later()
    message = hall.message
    running_bot.sandbox.deny(running_bot.games, Permission.VIEW_CHANNEL)
    found = await hall.play()
    await hall.later()
    assert not like("tournament.won").search(message.text)

    running_bot.sandbox.deny(running_bot.games)
    for _ in range(3):
        await hall.later()

    winner = f"<@{standings(found)[0].person}>"
    assert like("tournament.won", winner=winner).search(message.text)
    podiums = [each for each in hall.told("games") if like("tournament.podium").search(each.text)]
    assert len(podiums) == 1


async def test_the_byes_of_the_last_one_who_is_there_are_no_fault_of_the_tournament(
    running_bot: RunningBot,
) -> None:
    """Seed 212 of two days: *check* named them, as if an entry had met itself twice."""
    hall = await started(running_bot, 6, format="swiss")
    await hall.later()
    for person in hall.people[1:]:
        await hall.press(person, TournamentAction.LEAVE)
    found = await over(hall)
    assert [len(leg.entries) for leg in found.legs].count(1) > 1


async def panel(hall: Hall) -> Message:
    return (await hall.press(hall.host, TournamentAction.MANAGE)).message


async def test_nobody_claims_a_match_before_the_time_that_its_call_promises(
    running_bot: RunningBot,
) -> None:
    """For the first move it is ten minutes, though a turn of live games has five."""
    hall = await started(running_bot, 4)
    await hall.later()
    await hall.later(timedelta(minutes=9))
    assert len(hall.boards()) == 2
    assert not any(like("board.lapsed").search(board.text) for board in hall.boards())
    await hall.later(timedelta(minutes=1))
    await hall.later()
    assert not (await hall.tournament()).round_of(1)[0][0].open


async def test_a_match_does_not_wait_for_the_games_that_others_open(
    running_bot: RunningBot,
) -> None:
    with running_bot.client.boards.opening():
        hall = await started(running_bot, 4)
        await hall.later()
        assert len(hall.boards()) == 2
