"""Order in tournaments: who is seeded first, who may come and go, who may send people away."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlalchemy import case, update

from bot.sandbox import Message, Permission
from bot.screens.tournament_controls import TournamentAction
from bot.storage.schema.tournament_tables import entries
from bot.table.seats import PersonId
from bot.tournaments.progress import standings
from bot.tournaments.tournament import Leg, Stage, Tournament
from tests.bot.databases import faults, raw
from tests.bot.english import like, says
from tests.bot.people import Person
from tests.bot.trouble import EDIT
from tests.bot.ui import panels
from tests.bot.ui.conftest import RunningBot
from tests.bot.ui.crowd import Requests
from tests.bot.ui.finished import resigned, store
from tests.bot.ui.hall import Hall, form, guests, over, started


def number(person: Person) -> PersonId:
    return PersonId(int(person.id))


def people_of(tournament: Tournament, leg: Leg) -> set[PersonId]:
    return {tournament.by_number[entry].person for entry in leg.entries}


async def remove(hall: Hall, by: Person, person: Person) -> Message:
    """The message about the removal of a person."""
    panel = (await hall.press(by, TournamentAction.MANAGE)).message
    (menu,) = panel.menus
    used = await by.use(panel, menu, [str(person.id)]).answered()
    return used.followups[-1] if used.followups else used.message


async def test_the_seeds_follow_the_ratings_in_the_server(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    games = [resigned("tictactoe", cleo.id, ben.id, leaving=[ben.id])] * 3
    await store(running_bot, *games)
    hall = await started(running_bot, 4)

    seeds = {entry.person: entry.seed for entry in (await hall.tournament()).entries}

    assert seeds[number(cleo)] == 1
    assert sorted(seeds.values(), key=str) == [1, 2, 3, 4]
    assert number(ann) in seeds


async def test_who_has_left_does_not_come_back(running_bot: RunningBot) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 4))
    await hall.open(format="swiss", places="6")
    await hall.press(hall.host, TournamentAction.START)
    _, ben, *_ = hall.people
    await hall.press(ben, TournamentAction.LEAVE)

    again = await hall.press(ben, TournamentAction.JOIN)

    assert says("refusal.tournament_left") in await running_bot.sentence(again)


async def test_who_was_removed_before_the_start_does_not_come_back_and_counts_for_nothing(
    running_bot: RunningBot,
) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 4))
    await hall.open(places="4")
    _, ben, cleo, troll = hall.people
    await remove(hall, hall.host, troll)
    await hall.press(ben, TournamentAction.LEAVE)

    refused = await hall.press(troll, TournamentAction.JOIN)
    assert len((await hall.tournament()).entries) == 2
    assert says("refusal.tournament_left") in await running_bot.sentence(refused)
    hall.people = [hall.host, cleo, ben, guests(running_bot.sandbox, 5)[-1]]
    for back in hall.people[2:]:
        await hall.press(back, TournamentAction.JOIN)
    await hall.press(hall.host, TournamentAction.START)

    found = await over(hall)
    assert sorted(entry.place or 0 for entry in found.entries) == [1, 2, 3, 4]
    assert found.entry_of(number(troll)) is None
    assert troll.mention not in hall.message.text


@pytest.mark.parametrize(("format_", "named"), [("knockout", False), ("all_play_all", True)])
async def test_a_tournament_stays_as_it_ended_though_this_version_breaks_ties_otherwise(
    running_bot: RunningBot, database: str, format_: str, named: bool
) -> None:
    hall = await started(running_bot, 4, format=format_)
    found = await over(hall)
    second = next(entry for entry in found.entries if entry.place == 2)
    with raw(database) as rows:
        own = entries.c.tournament == hall.number
        changed = case((entries.c.place == 1, 2), (entries.c.place == 2, 1), else_=entries.c.place)
        rows.execute(update(entries).where(own).values(place=changed))
    assert standings(await hall.tournament())[0].person == second.person
    assert any("its matches give" in fault for fault in faults(database)) is named


async def test_a_full_tournament_takes_nobody(running_bot: RunningBot) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 4))
    await hall.open(places="4")

    assert hall.message.buttons[0].label == says("control.join")
    assert hall.message.buttons[0].disabled


async def test_a_server_has_three_tournaments_at_once(running_bot: RunningBot) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 1))
    opened_before = await form(hall.host, running_bot.games)
    for _ in range(3):
        await hall.sign_up()

    sent = await hall.host.fill(opened_before, {"game": "tictactoe-3"})
    refused = await sent.answered()

    assert says("refusal.tournament_too_many") in await running_bot.sentence(refused)


async def test_a_host_who_plays_removes_no_rival_and_another_manager_anybody(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, format="swiss")
    manager = guests(running_bot.sandbox, 5)[-1]
    manager.grant(Permission.MANAGE_GUILD)
    await hall.later()
    rival = hall.people[3]

    told = await remove(hall, hall.host, rival)
    assert says("refusal.tournament_own_rival") in told.text
    await remove(hall, manager, rival)
    await hall.later()

    after = await hall.tournament()
    assert [entry.person for entry in after.entries if entry.left] == [number(rival)]
    lost = next(leg for leg in after.legs if number(rival) in people_of(after, leg))
    assert {p.entry: p.points for p in lost.parts}[after.entry_of(number(rival)).number] == 0  # type: ignore[union-attr]


async def test_a_table_closed_by_a_manager_is_played_again_once(running_bot: RunningBot) -> None:
    hall = await started(running_bot, 4, format="swiss")
    manager = guests(running_bot.sandbox, 5)[-1]
    manager.grant(Permission.MANAGE_GUILD)
    await hall.later()
    now = await hall.tournament()
    first = next(leg for leg in now.open_legs() if number(hall.host) not in people_of(now, leg))
    for _ in range(2):
        now = await hall.tournament()
        leg = next(each for each in now.open_legs() if each.entries == first.entries)
        where = hall.thread
        assert where is not None
        await panels.choose(running_bot, manager, "settings close", str(leg.table), at=where)
        await hall.later()

    legs = [leg for leg in (await hall.tournament()).legs if leg.entries == first.entries]
    assert [leg.void for leg in legs] == [True, False]
    assert [part.points for part in legs[1].parts] == [0.5, 0.5]


async def test_a_manager_who_plays_closes_no_match_of_their_rivals(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, format="swiss")
    await hall.later()
    now = await hall.tournament()
    rivals = next(leg for leg in now.open_legs() if number(hall.host) not in people_of(now, leg))
    assert hall.thread is not None

    panel = await panels.opened(running_bot, hall.host, "settings", at=hall.thread)
    told = await panels.used(hall.host, panel, "settings close", str(rivals.table))

    assert says("refusal.tournament_own_rival") in await running_bot.sentence(told)
    await hall.later()
    assert await hall.tournament() == now


async def test_in_correspondence_a_first_move_is_waited_for_a_day(running_bot: RunningBot) -> None:
    hall = await started(running_bot, 4, format="swiss", more="correspondence")
    await hall.later()
    until = {int(at) for board in hall.boards() for at in re.findall(r"<t:(\d+)", board.text)}
    day = timedelta(days=1).total_seconds()
    assert [round((at - running_bot.clock.now().timestamp()) / day, 2) for at in until] == [1.0]
    await hall.later(timedelta(hours=23))
    await hall.later()
    assert (await hall.tournament()).round == 1

    await hall.later(timedelta(hours=1))
    await hall.later()

    now = await hall.tournament()
    assert [part.points for leg in now.legs[:2] for part in leg.parts] == [0, 0, 0, 0]
    assert all(part.absent for leg in now.legs[:2] for part in leg.parts)


async def test_thinking_is_counted_from_the_board_to_the_move(running_bot: RunningBot) -> None:
    hall = await started(running_bot, 4)
    await hall.later()
    board = hall.boards()[0]
    await running_bot.later(timedelta(seconds=90))
    await hall.move(board)
    await hall.play_boards()
    await hall.later()

    first = (await hall.tournament()).legs[0]

    assert [part.thought >= 90 for part in first.parts] == [True, False]


async def test_who_is_forgotten_in_mid_tournament_has_left_it(running_bot: RunningBot) -> None:
    hall = await started(running_bot, 4, format="swiss")
    await hall.later()
    *_, dan = hall.people

    await running_bot.parlour.use_cases.privacy.forget(number(dan))
    await hall.later()
    hall.people.remove(dan)

    found = await over(hall)
    assert found.entry_of(number(dan)) is None
    (former,) = [entry for entry in found.entries if entry.left]
    assert former.place == 4
    assert like("tournament.won").search(hall.message.text)
    assert dan.mention not in hall.message.text


@pytest.mark.parametrize("stage", [Stage.SIGN_UP, Stage.RUNNING])
async def test_in_a_deleted_channel_a_tournament_is_called_off(
    running_bot: RunningBot, stage: Stage
) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 4))
    await hall.open(format="swiss")
    if stage is Stage.RUNNING:
        await hall.press(hall.host, TournamentAction.START)
        await hall.later()

    running_bot.sandbox.remove_channel(running_bot.games)
    while (await hall.tournament()).stage is stage:
        await hall.later()

    assert (await hall.tournament()).stage is Stage.CALLED_OFF


async def test_the_message_of_a_tournament_in_a_deleted_channel_is_not_asked_for_again(
    running_bot: RunningBot,
) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 2))
    await hall.open()
    edits = Requests("PATCH", EDIT)
    running_bot.sandbox.observe(edits)
    running_bot.sandbox.remove_channel(running_bot.games)
    while (await hall.tournament()).stage is Stage.SIGN_UP:
        await hall.later()

    for _ in range(3):
        await hall.later(timedelta(hours=1))
        await hall.later()
    assert edits.statuses.count(404) <= 1
    assert not await running_bot.parlour.use_cases.tournaments.stored.behind()
