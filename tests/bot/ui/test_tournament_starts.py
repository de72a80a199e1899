"""Tournaments that begin, or do not, and what takes them away: channels, servers, faults."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import update

from bot.games.catalogue import CATALOGUE
from bot.games.variants import offered, variants
from bot.sandbox import Message, Permission
from bot.sandbox.model.news import ChannelChange
from bot.screens.tournament_controls import TournamentAction
from bot.storage.check.games import false_tournaments
from bot.storage.choices import GuildId
from bot.storage.schema.tournament_tables import parts
from bot.table.refusals import UnknownControl
from bot.table.seats import PersonId
from bot.tournaments.tournament import Stage
from bot.ui.errors import UNKNOWN_MEMBER
from tests.bot.english import like, says
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.hall import Hall, guests, over, started


async def test_a_full_tournament_begins_by_itself(running_bot: RunningBot) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 4))
    await hall.open(places="4", start="full", format="all_play_all")
    await hall.later()

    assert (await hall.tournament()).round == 1


async def test_at_its_time_a_tournament_begins_or_is_called_off(running_bot: RunningBot) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 4))
    await hall.open(start="15")
    alone = Hall(running_bot, hall.people[:1])
    await alone.sign_up(start="15")
    await hall.later(timedelta(minutes=14))
    assert (await hall.tournament()).stage is Stage.SIGN_UP
    await hall.later(timedelta(minutes=1))
    await hall.later()

    assert (await hall.tournament()).stage is Stage.RUNNING
    assert (await alone.tournament()).stage is Stage.CALLED_OFF
    assert like("tournament.called_off.too_few").search(alone.message.text)


@pytest.mark.usefixtures("a_round_before_the_gateway")
async def test_a_tournament_that_is_due_before_the_bot_sees_its_server_is_played_in_a_thread(
    open_bot: Open, sandbox: Sandbox
) -> None:
    async with open_bot() as running_bot:
        hall = Hall(running_bot, guests(sandbox, 4))
        await hall.open(start="15")
    async with open_bot(later=timedelta(minutes=15)) as running_bot:
        hall = Hall(running_bot, hall.people, number=hall.number)
        assert (await hall.hosted()).thread is None
        await running_bot.client.wait_until_ready()
        while not hall.boards():
            await hall.later()

        assert {board.channel for board in hall.boards()} == {hall.thread}


async def test_a_sign_up_without_a_start_is_called_off_after_seven_days(
    running_bot: RunningBot,
) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 4))
    await hall.open(start="full", places="6")
    assert like("tournament.sign_up_ends").search(hall.message.text)
    await hall.later(timedelta(days=6, hours=23))
    await hall.later()
    assert (await hall.tournament()).stage is Stage.SIGN_UP

    await hall.later(timedelta(hours=2))
    await hall.later()

    assert (await hall.tournament()).stage is Stage.CALLED_OFF
    assert like("tournament.called_off.not_started").search(hall.message.text)


@pytest.mark.parametrize("set_back", [timedelta(), timedelta(days=1)])
async def test_a_sign_up_is_called_off_when_its_host_has_left_the_server(
    running_bot: RunningBot, set_back: timedelta
) -> None:
    ann, ben, *_ = running_bot.people
    hall, other = Hall(running_bot, [ben]), Hall(running_bot, [ann])
    await hall.sign_up()
    await other.sign_up()
    member = "/guilds/{guild_id}/members/{user_id}"
    # Discord is in trouble first, and is asked again by the next round.
    running_bot.sandbox.fail_next("GET", member, 503)
    running_bot.sandbox.fail_next("GET", member, 404, code=UNKNOWN_MEMBER)

    running_bot.clock.advance(-set_back)
    await hall.later(timedelta(hours=1))
    await hall.later()
    await hall.later()

    assert (await hall.tournament()).stage is Stage.CALLED_OFF
    assert like("tournament.called_off.host_left").search(hall.message.text)
    assert (await other.tournament()).stage is Stage.SIGN_UP


async def test_people_join_a_swiss_tournament_late_and_no_other(running_bot: RunningBot) -> None:
    hall = await started(running_bot, 4, format="swiss")
    late = guests(running_bot.sandbox, 5)[4]
    await hall.later()
    await hall.press(late, TournamentAction.JOIN)
    hall.people.append(late)

    found = await over(hall)

    entry = found.entry_of(PersonId(int(late.id)))
    assert entry is not None
    assert entry.since == 2


async def test_without_its_thread_the_rest_is_played_in_the_channel(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, format="swiss")
    await hall.later()
    assert hall.thread is not None
    thread = hall.thread
    del running_bot.sandbox.world.channels[thread.id]
    running_bot.sandbox.world.news.tell(ChannelChange(thread, removed=True))
    await hall.later()
    await hall.later()

    assert {board.channel for board in hall.boards()} == {running_bot.games}
    assert (await over(hall)).champion


async def test_when_the_bot_leaves_the_server_its_tournaments_are_called_off(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, format="swiss")
    guild = GuildId(int(running_bot.games.guild_id or 0))

    await running_bot.guild_data.leave(guild, running_bot.clock.now())
    assert (await hall.tournament()).stage is Stage.CALLED_OFF
    await running_bot.guild_data.clear(guild)

    with pytest.raises(UnknownControl):
        await hall.hosted()


async def test_check_tells_points_and_places_that_the_tables_do_not_give(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 3, format="all_play_all", places="3")
    await over(hall)
    database = running_bot.store.database

    await database.run(lambda c: c.execute(update(parts).where(parts.c.leg == 1).values(points=1)))

    told = await database.run(lambda c: [*false_tournaments(c)])
    assert any("leg 1 has points [1.0, 1.0]" in sentence for sentence in told)


async def test_players_are_reminded_once_before_a_chosen_start_and_not_after_it(
    running_bot: RunningBot,
) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 4))
    await hall.open(start="60", format="swiss")

    def reminders() -> list[Message]:
        return [each for each in hall.told("games") if each.pinged]

    await hall.later(timedelta(minutes=49))
    assert reminders() == []
    for _ in range(3):
        await hall.later(timedelta(minutes=1))
    (reminder,) = reminders()
    assert sorted(reminder.pinged) == ["Ann", "Ben", "Cleo", "Dan"]
    assert like("tournament.starts_soon").search(reminder.text)
    assert str(hall.message.id) in reminder.text, "a link to the sign-up"

    await hall.later(timedelta(minutes=10))
    await hall.later()

    assert (await hall.tournament()).stage is Stage.RUNNING
    assert reminders() == []


async def test_a_deleted_message_is_posted_again_within_a_round(running_bot: RunningBot) -> None:
    hall = await started(running_bot, 4, format="swiss")
    await hall.later()
    thread = hall.thread
    for _ in range(2):
        await delete(hall, hall.message)
        assert len(hall.messages) == 1

    await delete(hall, hall.message)

    assert hall.messages == [], "nobody fights about it"
    hosted = await hall.hosted()
    assert hosted.live
    assert thread is not None
    assert hosted.thread == int(thread.id)

    await over(hall)
    assert len(podiums(hall)) == 1


async def test_a_message_that_is_deleted_as_it_is_edited_is_posted_again(
    running_bot: RunningBot,
) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 3))
    await hall.open()
    await hall.later()
    shown = await hall.hosted()
    assert shown.message is not None
    hall.host.account.granted |= Permission.MANAGE_MESSAGES
    hall.host.delete(hall.message)
    while (await hall.hosted()).message == shown.message:
        pass
    tournaments = running_bot.parlour.use_cases.stores.tournaments
    await tournaments.show(shown.id, shown.message, shown.revision)
    await hall.later()
    assert (await hall.hosted()).message not in {None, shown.message}


async def test_a_podium_without_the_message_waits_until_it_may_be_sent(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 3, format="all_play_all", places="3")
    for _ in range(3):
        await delete(hall, hall.message)
    running_bot.sandbox.deny(running_bot.games, Permission.SEND_MESSAGES)
    await hall.play()
    await hall.later()

    assert not running_bot.client.postman.in_trouble, "that is no trouble of Discord's own"
    assert not podiums(hall)

    running_bot.sandbox.deny(running_bot.games)
    await running_bot.sandbox.until(lambda: len(podiums(hall)) == 1)


def podiums(hall: Hall) -> list[Message]:
    return [each for each in hall.told("games") if like("tournament.podium").search(each.text)]


async def test_a_sign_up_whose_message_is_deleted_again_and_again_is_called_off_with_a_word(
    running_bot: RunningBot,
) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 4))
    await hall.open()
    for _ in range(3):
        await delete(hall, hall.message)

    assert (await hall.tournament()).stage is Stage.CALLED_OFF
    told = hall.told("games")[-1]
    assert like("tournament.called_off.unseen").search(told.text)
    assert told.pinged == {hall.host.name}


async def delete(hall: Hall, message: Message) -> None:
    """A message that its host deletes, and the rounds in which the bot hears of that."""
    hall.host.account.granted |= Permission.MANAGE_MESSAGES
    hall.host.delete(message)
    while (hosted := await hall.hosted()).message == int(message.id) and hosted.live:
        await hall.later()
    await hall.later()


async def test_a_sign_up_to_a_knockout_of_3x3_says_that_draws_are_decided_by_time(
    running_bot: RunningBot,
) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 1))
    assert offered()[0].game.key == "connectfour"
    await hall.sign_up()
    assert says("tournament.often_drawn.live") in hall.message.text
    other = Hall(running_bot, hall.people)
    await other.sign_up(game="tictactoe-4")
    assert next(iter(variants(CATALOGUE["tictactoe"]))) == "4"
    assert says("tournament.often_drawn.live") not in other.message.text
