"""Matches of tournaments as people meet them: called once, told once, timed fairly."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from bot.sandbox import Message
from bot.screens.tournament import TournamentAction
from bot.tournaments.tournament import Leg
from tests.bot.english import like, says
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.hall import Hall, started


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


async def test_a_match_of_two_games_has_one_call(running_bot: RunningBot) -> None:
    hall = await started(running_bot, 4, format="knockout")
    await hall.later()
    pinged = [each for each in there(hall) if each.pinged]
    await hall.play_boards()
    await hall.later()

    assert len(hall.boards()) == 2, "the second games"
    assert [each for each in there(hall, "here") if each not in pinged] == []


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


async def over_legs(hall: Hall) -> list[Leg]:
    return [leg for leg in (await hall.tournament()).legs if not leg.open]
