"""Tournaments as people play them in the sandbox, with those who do not come and those who go."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Final, NoReturn

import pytest

from bot.sandbox import Message
from bot.sandbox.model.accounts import Permission
from bot.sandbox.web.calls import Call, Reply
from bot.screens.tournament_controls import TournamentAction
from bot.screens.tournament_table import PICTURE
from bot.service.due_work import NOTED_EVERY
from bot.service.tournaments import Step, Tournaments
from bot.storage.errors import Unavailable
from bot.table.seats import FORMER_PLAYERS, PersonId
from bot.table.session import Ending, Phase
from bot.table.table import Place
from bot.tournaments.hosted import PAUSE_LASTS, HostedTournament
from bot.tournaments.progress import standings
from bot.tournaments.swiss import LONGER
from bot.tournaments.tournament import Leg, Stage, Tournament, TournamentId
from bot.ui.postman import SHORTEST_PAUSE
from tests.bot.english import like, mover_in, says
from tests.bot.kit import at_random
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import EDIT, MESSAGES, Fault, Gate
from tests.bot.ui import panels
from tests.bot.ui.conftest import OFFER, Open, RunningBot
from tests.bot.ui.hall import SOON, Hall, agreed, guests, meant, over, started

TROUBLE: Final = Reply(503, {"message": "Made to fail", "code": 0})
LARGE: Final = pytest.mark.exhaustive

pytestmark = pytest.mark.both_databases


async def test_a_knockout_is_played_to_its_end_in_a_thread(running_bot: RunningBot) -> None:
    hall = await started(running_bot, 5, format="knockout")

    found = await over(hall)

    winner = f"<@{standings(found)[0].person}>"
    assert hall.thread is not None
    assert like("tournament.won", winner=winner).search(hall.message.text)
    podium = running_bot.sandbox.messages("games")[-1]
    assert like("tournament.podium", winner=winner).search(podium.text)
    for place, entry in enumerate(standings(found)[1:3], 2):
        told = like(f"tournament.podium.{place}", player=f"<@{entry.person}>")
        assert told.search(podium.text)
    third = next(leg for leg in found.legs if (leg.round, leg.match) == (found.rounds, 1))
    assert {entry.number for entry in standings(found)[2:4]} == {*third.entries}


@pytest.mark.parametrize(
    ("people", "choices"),
    [
        pytest.param(5, {"format": "knockout"}, id="knockout of 5"),
        pytest.param(8, {"format": "knockout"}, id="knockout of 8"),
        pytest.param(13, {"format": "knockout", "places": "16"}, id="knockout of 13", marks=LARGE),
        pytest.param(6, {"format": "swiss"}, id="Swiss of 6"),
        pytest.param(
            32, {"format": "swiss", "more": "longer", "places": "32"}, id="Swiss of 32", marks=LARGE
        ),
        pytest.param(5, {"format": "all_play_all"}, id="all-play-all of 5"),
        pytest.param(10, {"game": "ludo-classic", "places": "12"}, id="heats of 10", marks=LARGE),
    ],
)
@pytest.mark.sampled(1)
async def test_tournaments_end_whatever_people_and_the_bot_do(
    open_bot: Open, sandbox: Sandbox, people: int, choices: dict[str, str]
) -> None:
    """One person stays away, another leaves; presses come twice, and the bot stops in mid-request.

    Of two people some games are drawn.
    """
    gate, heats = Gate(), "ludo" in choices.get("game", "")
    async with open_bot() as first:
        hall = await started(first, people, **choices)
        hall.draws, hall.twice = not heats, True
        *_, away, leaver = hall.people
        hall.away.add(away.name)
        await hall.play_boards()
        await hall.press(leaver, TournamentAction.LEAVE)
        sandbox.trouble(Fault("POST", MESSAGES, gate=gate))
        playing = asyncio.create_task(hall.play())
        await gate.reached()
        playing.cancel()
        before = await hall.tournament()
    await gate.passed()
    async with open_bot(later=first.clock.now() - sandbox.clock.now()) as hall.bot:
        found = await over(hall)

    assert found.stage is Stage.OVER
    assert [leg.entries for leg in found.legs[: len(before.legs)]] == [
        leg.entries for leg in before.legs
    ]
    entry, gone = (found.entry_of(PersonId(int(each.id))) for each in (away, leaver))
    assert entry is not None
    assert entry.place != 1
    assert [each for each in found.entries if each.left] == [gone]
    played = [part for leg in found.legs if leg.table for part in leg.parts]
    assert heats or any(part.absent for part in played if part.entry == entry.number)
    assert heats or any(part.points == 0.5 for part in played)
    everything_is_there_once(hall, champion=found.champion is not None)


def everything_is_there_once(hall: Hall, *, champion: bool = True) -> None:
    """One message for all, one podium if there is a champion, no call, and each match's end."""
    assert hall.thread is not None
    assert len(hall.messages) == 1
    podiums = [m for m in hall.told("games") if like("tournament.podium").search(m.text)]
    assert len(podiums) == champion
    there = [b.custom_id for m in hall.told(hall.thread.name) for b in m.buttons]
    assert not any(":here:" in each for each in there), "calls are taken away"
    ends = [each for each in there if ":standings:" in each]
    assert len({*ends}) == len(ends) > 0


async def test_a_press_delivered_twice_opens_one_tournament_and_joins_once(
    running_bot: RunningBot,
) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 4))
    opened = await hall.sign_up()
    joined = await hall.press(hall.people[1], TournamentAction.JOIN)
    for interaction in (opened, joined):
        running_bot.sandbox.redeliver(interaction)
    await hall.later()

    messages = [m for m in running_bot.sandbox.messages("games") if not m.ephemeral]
    assert len(messages) == 1
    assert len((await hall.tournament()).entries) == 2


@pytest.mark.sqlite_alone
async def test_joining_at_a_sign_up_that_is_deleted_in_that_moment_counts_and_says_so(
    running_bot: RunningBot,
) -> None:
    """Seed 56 of the simulation."""
    hall = Hall(running_bot, guests(running_bot.sandbox, 4))
    await hall.sign_up()
    gate = running_bot.sandbox.hold_next("POST", "/interactions/*/*/callback")
    joining = asyncio.create_task(hall.press(hall.people[1], TournamentAction.JOIN))
    await gate.reached()
    hall.people[0].account.granted |= Permission.MANAGE_MESSAGES
    hall.people[0].delete(hall.message)
    gate.open()

    assert (await joining).message.text == says("message_deleted")
    assert len((await hall.tournament()).entries) == 2


@pytest.mark.sqlite_alone
@pytest.mark.parametrize(
    "missing", [Permission.CREATE_PUBLIC_THREADS, Permission.SEND_MESSAGES_IN_THREADS]
)
async def test_without_a_thread_of_its_own_matches_are_played_in_the_channel(
    running_bot: RunningBot, missing: Permission
) -> None:
    running_bot.sandbox.deny(running_bot.games, missing)
    hall = await started(running_bot, 3, format="all_play_all", places="3")
    await hall.later()

    assert hall.thread is None
    assert {board.channel for board in hall.boards()} == {running_bot.games}
    assert (await over(hall)).champion


@pytest.mark.sqlite_alone
async def test_in_trouble_the_message_of_a_tournament_waits_and_rounds_go_on(
    running_bot: RunningBot,
) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 4))
    await hall.open(format="swiss")
    for _ in range(4):
        running_bot.sandbox.fail_next("PATCH", "/channels/*/messages/*", 503)

    await hall.press(hall.host, TournamentAction.START)
    await hall.later()
    await hall.later()

    await running_bot.sandbox.until(lambda: hall.thread)


async def test_a_match_that_ends_is_told_to_its_tournament_at_once(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 3, format="all_play_all")
    (board,) = await running_bot.sandbox.until(hall.boards)
    while await hall.move(board):
        pass

    def called() -> bool:
        thread = hall.thread
        assert thread is not None
        there = hall.told(thread.name)
        ends = [each for each in there if ":standings:" in str(each.buttons)]
        return bool(ends) and any(each.pinged and ":here:2" in str(each.buttons) for each in there)

    await running_bot.sandbox.until(called)  # without another round
    assert hall.boards() != [board]


async def test_players_are_called_once_and_who_does_not_come_loses_the_match(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4)
    await hall.later()
    await hall.later()
    assert hall.thread is not None
    calls = [m for m in running_bot.sandbox.world.messages(hall.thread) if m.pinged]
    assert sorted(name for call in calls for name in call.pinged) == ["Ann", "Ben", "Cleo", "Dan"]
    legs = (await hall.tournament()).legs
    waiting = hall.people[legs[0].entries[1] - 1]  # and not to move, so that the other one is late
    here = next(call for call in calls if waiting.name in call.pinged)
    await hall.press(waiting, TournamentAction.HERE, here)

    for _ in range(2):  # the host has more time, if it is their move
        await hall.later(timedelta(minutes=10))
        await hall.later()

    found = await hall.tournament()
    assert all(any(part.absent for part in leg.parts) for leg in found.legs[:2])
    tables = [await running_bot.store.table(leg.table) for leg in found.legs[:2] if leg.table]
    assert {table.session.ending for table in tables} <= {Ending.TIME, Ending.MISSED}
    assert found.round == 2


async def test_nobody_is_champion_of_a_tournament_to_which_nobody_comes(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 5, format="knockout")
    hall.away |= {person.name for person in hall.people}

    found = await over(hall)

    assert found.champion is None
    front = standings(found)[0].person
    told = like("tournament.no_champion", winner=f"<@{front}>")
    assert told.search(hall.message.text)
    podium = hall.told("games")[-1].text
    assert told.search(podium)
    assert not like("tournament.podium").search(podium)
    assert not like("board.badge", badge=says("badge.title")).search(podium)
    first = next(person for person in hall.people if int(person.id) == front)
    assert not like("stats.titles").search(await running_bot.say(first, "stats"))


def found_leg(tournament: Tournament, person: Person) -> Leg:
    """The first leg of a person."""
    entry = tournament.entry_of(PersonId(int(person.id)))
    assert entry is not None
    return next(leg for leg in tournament.legs if entry.number in leg.entries)


def waiting_and_mover(hall: Hall) -> tuple[Message, Person, Person]:
    """A board of the first round, the one who waits there, and the one to move."""
    board = hall.boards()[0]
    there = [person for person in hall.people if person.mention in board.text]
    (mover,) = [person for person in there if str(person.id) == mover_in(board.text)]
    (waiting,) = [person for person in there if person is not mover]
    return board, waiting, mover


async def test_who_pressed_anything_has_come_and_whose_move_it_was_loses_alone(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4)
    await hall.later()
    board, waiting, mover = waiting_and_mover(hall)
    square = next(each for each in board.buttons if OFFER.fullmatch(each.custom_id))
    refused = await (await waiting.press(board, custom_id=square.custom_id)).answered()
    assert says("refusal.not_your_turn") in await running_bot.sentence(refused)

    await hall.later(timedelta(minutes=10))
    await hall.later()

    found = await hall.tournament()
    lost = found_leg(found, mover)
    assert lost == found_leg(found, waiting)
    assert [part.points for part in lost.parts] == [0, 1], "the first seat begins"
    assert [part.absent for part in lost.parts] == [True, False]
    table = await hall.told_by(hall.host, TournamentAction.TABLE)
    told = like("tournament.walkover", winner=waiting.mention, others=mover.mention)
    assert told.search(table.text)
    assert like("tournament.unplayed").search(table.text), "to the other match nobody came"


async def test_whose_move_it_is_has_more_time_having_pressed_something(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4)
    await hall.later()
    board, _, mover = waiting_and_mover(hall)
    await running_bot.press(mover, board, says("control.resign"))  # it asks once more

    await hall.later(timedelta(minutes=10))
    await hall.later()
    assert found_leg(await hall.tournament(), mover).open

    await hall.later(timedelta(minutes=5))
    await hall.later()
    lost = found_leg(await hall.tournament(), mover)
    assert not any(part.absent for part in lost.parts)
    assert [part.points for part in lost.parts] == [0, 1], "the first seat begins"


async def test_a_first_move_is_waited_for_anew_when_the_bot_was_away(open_bot: Open) -> None:
    async with open_bot() as first:
        hall = await started(first, 4)
        await hall.later()
    async with open_bot(later=timedelta(hours=1)) as hall.bot:
        await hall.later()
        await hall.later()
        assert all(leg.open for leg in (await hall.tournament()).legs)

        await hall.later(timedelta(minutes=10) + NOTED_EVERY)
        await hall.later()

        legs = (await hall.tournament()).legs
        assert all(part.absent for leg in legs[:2] for part in leg.parts)


async def test_host_and_managers_pause_and_end_a_tournament(running_bot: RunningBot) -> None:
    hall = await started(running_bot, 4, format="swiss")
    await hall.later()
    ann, ben, *_ = hall.people
    refused = await hall.press(ben, TournamentAction.MANAGE)
    assert says("refusal.tournament_not_host") in refused.message.text
    panel = (await hall.press(ann, TournamentAction.MANAGE)).message
    refused = await hall.press(ann, TournamentAction.END, panel)
    assert says("refusal.tournament_own_match") in await running_bot.sentence(refused)
    await hall.press(ann, TournamentAction.PAUSE, panel)
    await hall.later()
    await hall.play_boards()
    await hall.later()
    paused = await hall.tournament()
    assert (paused.round, [*paused.open_legs()]) == (1, [])

    panel = (await hall.press(ann, TournamentAction.MANAGE)).message
    await hall.press(ann, TournamentAction.END, panel)
    await hall.later()

    assert (await hall.tournament()).stage is Stage.OVER
    assert not (await hall.tournament()).champion
    assert like("tournament.ended").search(hall.message.text)
    podium = hall.told("games")[-1].text
    assert like("tournament.podium.2").search(podium)
    assert not like("tournament.podium").search(podium)


async def test_a_tournament_whose_host_pauses_it_and_stays_away_goes_on_after_a_week(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, format="swiss")
    await hall.later()
    panel = (await hall.press(hall.host, TournamentAction.MANAGE)).message
    await hall.press(hall.host, TournamentAction.PAUSE, panel)
    await hall.play_boards()
    await hall.later(PAUSE_LASTS - timedelta(hours=1))
    await hall.later()
    assert (await hall.tournament()).round == 1
    assert like("tournament.pause_ends").search(hall.message.text)

    await hall.later(timedelta(hours=1))
    await hall.later()

    found = await hall.tournament()
    assert (found.paused, found.round) == (False, 2)
    assert not like("tournament.pause_ends").search(hall.message.text)


async def test_again_starts_as_before_and_where_games_may_be_played(
    running_bot: RunningBot,
) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 1))
    await hall.sign_up(start="15")
    first = (await hall.hosted()).starts_at
    panel = (await hall.press(hall.host, TournamentAction.MANAGE)).message
    await hall.press(hall.host, TournamentAction.END, panel)
    await hall.later()

    again = await hall.press(hall.host, TournamentAction.AGAIN)

    hosted = await running_bot.parlour.use_cases.tournaments.hosted(TournamentId(int(again.id)))
    assert hosted.starts_at == first + SOON  # type: ignore[operator]
    await panels.choose(
        running_bot, hall.host, "settings channels", running_bot.sandbox.channel("lounge")
    )
    refused = await hall.press(hall.host, TournamentAction.AGAIN)
    assert like("refusal.games_elsewhere").search(await running_bot.sentence(refused))


async def test_two_who_press_again_meet_in_one_sign_up(running_bot: RunningBot) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 2))
    _, ben = hall.people
    await hall.sign_up()
    panel = (await hall.press(hall.host, TournamentAction.MANAGE)).message
    await hall.press(hall.host, TournamentAction.END, panel)
    await hall.later()
    old = hall.message

    again, also = await asyncio.gather(
        *(hall.press(person, TournamentAction.AGAIN, old) for person in hall.people)
    )
    twice = await hall.press(ben, TournamentAction.AGAIN, old)

    for told in (again, also):
        assert says("tournament.opened") in await running_bot.sentence(told)
    assert says("refusal.tournament_joined") in await running_bot.sentence(twice)
    where = Place(int(running_bot.games.guild_id or 0), int(running_bot.games.id))
    (hosted,) = await running_bot.parlour.use_cases.tournaments.open_in(where)
    people = {entry.person for entry in hosted.tournament.entries}
    assert people == {PersonId(int(person.id)) for person in hall.people}


async def test_again_leaves_the_sign_up_of_others_open_though_its_message_is_out_of_reach(
    running_bot: RunningBot,
) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 3))
    await hall.sign_up()
    panel = (await hall.press(hall.host, TournamentAction.MANAGE)).message
    await hall.press(hall.host, TournamentAction.END, panel)
    await hall.later()
    old = hall.message
    hall.number = TournamentId(int((await hall.press(hall.host, TournamentAction.AGAIN, old)).id))
    await hall.press(hall.people[1], TournamentAction.JOIN)
    running_bot.sandbox.deny(running_bot.games, Permission.VIEW_CHANNEL)

    again = await hall.press(hall.people[2], TournamentAction.AGAIN, old)

    assert says("tournament.opened") in await running_bot.sentence(again)
    found = await hall.tournament()
    assert found.stage is Stage.SIGN_UP
    people = {entry.person for entry in found.entries}
    assert people == {PersonId(int(person.id)) for person in hall.people}
    running_bot.sandbox.deny(running_bot.games)
    await hall.later()
    await hall.later()
    assert hall.people[2].mention in hall.message.text


async def test_matches_are_rated_and_a_winner_has_a_title_and_keeps_the_place_when_forgotten(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, format="swiss")
    found = await over(hall)
    people = {entry.person for entry in found.entries}
    guild = int(running_bot.games.guild_id or 0)
    ratings = running_bot.parlour.stores.tournaments.ratings
    assert (await ratings(people, "tictactoe", guild)).keys() == people
    winner = next(p for p in hall.people if int(p.id) == standings(found)[0].person)

    assert says("stats.titles", titles=1) in await running_bot.say(winner, "stats")
    told = like("board.badge", person=winner.mention, badge=says("badge.title"))
    assert [bool(told.search(each.text)) for each in hall.told("games")].count(True) == 1
    stats = await (await winner.type(running_bot.games, "stats")).answered()
    await running_bot.press(winner, stats.message, says("control.next"))
    assert like("stats.badge", badge=says("badge.title")).search(stats.message.text)
    another = replace(await hall.hosted(), id=TournamentId(1))
    assert not await running_bot.parlour.use_cases.tournaments.stored.first_title(another)
    await running_bot.parlour.use_cases.privacy.forget(standings(found)[0].person)
    await hall.later()

    assert like("tournament.won", winner=says("player.former")).search(hall.message.text)
    assert winner.mention not in hall.message.text


@pytest.mark.parametrize("forgotten", [False, True])
async def test_who_is_home_first_in_a_final_of_heats_has_won_it_though_they_leave_it_then(
    running_bot: RunningBot, *, forgotten: bool
) -> None:
    hall = await started(running_bot, 4, game="ludo-quick", places="4")
    await hall.later()
    (leg,) = (await hall.tournament()).legs
    assert leg.table is not None
    store, rng = running_bot.store, Random(1)
    table = await store.table(leg.table)
    session = table.session
    while not session.position.placed:
        session = at_random(session, rng, session.ply + 1)
    (home,) = session.position.placed
    winner = session.people[home]
    table = await store.save(table, replace(table, revision=2, session=session), None)
    if forgotten:
        await running_bot.parlour.use_cases.privacy.forget(winner)
    else:
        (person,) = [each for each in hall.people if int(each.id) == winner]
        await hall.press(person, TournamentAction.LEAVE)
    await hall.later()

    table = await store.table(leg.table)
    assert table.session.phase is Phase.RUNNING
    last = session = table.session
    while session.phase is Phase.RUNNING:
        last, session = session, at_random(session, rng, session.ply + 1)
    before = replace(table, revision=table.revision + 1, session=last)
    await store.save(table, before, None)
    await hall.later()
    await hall.later()

    found = await agreed(hall)
    assert found.stage is Stage.OVER
    assert found.champion is not None
    assert found.champion.number == leg.entries[home]
    assert (found.champion.person in FORMER_PLAYERS) is forgotten
    name = says("player.former") if forgotten else f"<@{winner}>"
    assert like("tournament.won", winner=name).search(hall.message.text)


@pytest.mark.parametrize("deleted", [False, True])
async def test_no_message_of_a_tournament_names_a_person_who_is_forgotten(
    running_bot: RunningBot, *, deleted: bool
) -> None:
    """Podium and ends of matches are drawn anew where they are, and none is sent again."""
    champion, _ = running_bot.sandbox.world.guild.roles
    hall = await started(running_bot, 4, format="knockout")
    await hall.honour_winners(champion.id)
    found = await over(hall)
    winner, second = (
        next(person for person in hall.people if int(person.id) == entry.person)
        for entry in standings(found)[:2]
    )
    assert hall.thread is not None
    places = "games", hall.thread.name
    before = {int(each.id): each.text for place in places for each in hall.told(place)}
    named = {each for each, text in before.items() if winner.mention in text}
    podium = (await hall.hosted()).podium
    assert podium is not None
    assert podium in named
    assert len(named) > 4
    if deleted:
        (told,) = (each for each in hall.told("games") if each.id == podium)
        running_bot.sandbox.world.delete(told)
        del before[podium]
    winner.account.roles.clear()  # a moderator has taken it away
    await running_bot.parlour.use_cases.privacy.forget(PersonId(int(second.id)))
    await hall.later()
    await hall.later()
    assert not winner.account.roles, "it was given once"
    await running_bot.parlour.use_cases.privacy.forget(PersonId(int(winner.id)))
    await hall.later()
    await hall.later()

    after = {int(each.id): each.text for place in places for each in hall.told(place)}
    assert after.keys() == before.keys()
    gone = {person.mention for person in (winner, second)}
    assert not [text for text in after.values() if any(each in text for each in gone)]
    unnamed = {each for each, text in before.items() if not any(who in text for who in gone)}
    assert {each: after[each] for each in unnamed} == {each: before[each] for each in unnamed}
    assert deleted or like("tournament.podium", winner=says("player.former")).search(after[podium])


async def test_messages_in_a_thread_that_has_archived_itself_forget_a_person_too(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, format="knockout")
    winner = standings(await over(hall))[0].person
    thread = hall.thread
    assert thread is not None
    named = [each for each in hall.told(thread.name) if f"<@{winner}>" in each.text]
    assert named
    running_bot.sandbox.archive(thread)
    await running_bot.parlour.use_cases.privacy.forget(winner)
    await hall.later()
    await hall.later()

    assert not [each.text for each in named if f"<@{winner}>" in each.text]
    await running_bot.sandbox.until(lambda: thread.archived)


@pytest.mark.parametrize("locked", [False, True])
async def test_results_out_of_reach_forget_a_person_once_the_bot_can_edit_them(
    running_bot: RunningBot, *, locked: bool
) -> None:
    hall = await started(running_bot, 4, format="knockout")
    winner = standings(await over(hall))[0].person
    sandbox, thread = running_bot.sandbox, hall.thread
    assert thread is not None
    results = [each for each in hall.told(thread.name) if ":standings:" in str(each.buttons)]
    named = [each for each in results if f"<@{winner}>" in each.text]
    assert named
    if locked:
        sandbox.archive(thread, locked=True)
    else:
        sandbox.deny(thread, Permission.VIEW_CHANNEL)
    await running_bot.parlour.use_cases.privacy.forget(winner)
    await hall.later()
    await hall.later()
    assert all(f"<@{winner}>" in each.text for each in named)

    if locked:
        sandbox.archive(thread, archived=False)
    else:
        sandbox.deny(thread)
    await sandbox.until(lambda: not [e for e in named if f"<@{winner}>" in e.text])
    await hall.later()
    assert not (await hall.hosted()).stale


async def test_a_needless_call_out_of_reach_is_deleted_once_the_bot_can_do_so(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 4, game="ludo-classic", places="4")
    await hall.later()
    (call,) = hall.calls()
    assert hall.thread is not None
    running_bot.sandbox.deny(hall.thread, Permission.VIEW_CHANNEL)
    for person in hall.people:
        await hall.press(person, TournamentAction.HERE, call)
    await hall.later()
    assert not call.deleted

    running_bot.sandbox.deny(hall.thread)
    await running_bot.sandbox.until(lambda: call.deleted)


async def test_a_call_that_stands_names_nobody_who_is_forgotten(running_bot: RunningBot) -> None:
    hall = await started(running_bot, 4, game="ludo-classic", places="4")
    await hall.later()
    (call,) = hall.calls()
    *others, gone = hall.people
    assert gone.mention in call.text
    until = call.text.partition("<t:")[2]
    await running_bot.parlour.use_cases.privacy.forget(PersonId(int(gone.id)))
    await hall.later()
    await hall.later()

    (still,) = hall.calls()
    assert still is call
    assert gone.mention not in call.text
    assert all(each.mention in call.text for each in others)
    assert call.text.partition("<t:")[2] == until
    assert not (await hall.hosted()).stale


async def test_who_is_forgotten_while_a_call_is_drawn_without_another_is_named_no_more(
    running_bot: RunningBot, sandbox: Sandbox
) -> None:
    """Seed 1557 of the simulation."""
    hall = await started(running_bot, 4, game="ludo-classic", places="4")
    await hall.later()
    gate = Gate()
    method, path, of = meant("PATCH", EDIT, ":here:")
    sandbox.trouble(Fault(method, path, gate=gate, of=of))
    first, second, *_ = hall.people
    forget = running_bot.parlour.use_cases.privacy.forget
    await forget(PersonId(int(first.id)))
    drawn = asyncio.create_task(hall.later())
    await gate.reached()
    await forget(PersonId(int(second.id)))
    await gate.passed()
    await drawn
    await hall.later()
    await hall.later()

    (call,) = hall.calls()
    assert not [each for each in (first, second) if each.mention in call.text]
    assert not (await hall.hosted()).stale


async def test_who_is_forgotten_while_the_board_of_their_match_is_sent_is_named_no_more(
    running_bot: RunningBot, sandbox: Sandbox
) -> None:
    """Seed 1055 of the simulation: the game was over before its board was there."""
    gate = Gate()
    method, path, of = meant("POST", MESSAGES, '"p1:')
    sandbox.trouble(Fault(method, path, gate=gate, of=of))
    hall = Hall(running_bot, guests(sandbox, 4))
    await hall.open(format="knockout")
    starting = asyncio.create_task(hall.press(hall.host, TournamentAction.START))
    await gate.reached()
    found = await hall.tournament()
    (leg, *_) = found.legs
    one = PersonId(found.by_number[leg.entries[0]].person)
    await running_bot.parlour.use_cases.privacy.forget(one)
    await gate.passed()
    await starting
    await hall.later()
    await hall.later()

    assert hall.thread is not None
    told = hall.told(hall.thread.name)
    boards = [each for each in told if f"p1:{leg.table}:" in str(each.buttons)]
    assert boards
    assert not [each.text for each in boards if f"<@{one}>" in each.text]


async def test_a_match_of_which_a_player_is_forgotten_before_its_call_is_called_and_ends(
    running_bot: RunningBot, sandbox: Sandbox
) -> None:
    """Seed 119 of the simulation: the call was to notify the former player, which no call can."""
    method, path, of = meant("POST", MESSAGES, ":here:")
    lasts, tried = True, list[Call]()

    def in_vain(call: Call) -> bool:
        if lasts and of(call):
            tried.append(call)
        return lasts and of(call)

    for _ in range(60):
        sandbox.trouble(Fault(method, path, TROUBLE, of=in_vain))
    hall = await started(running_bot, 4, game="ludo-quick", places="4")
    await hall.later()
    *others, forgotten = hall.people
    await running_bot.parlour.use_cases.privacy.forget(PersonId(int(forgotten.id)))
    many = len(tried) + 2  # the first may have been drawn before
    while len(tried) < many:
        await hall.later(SHORTEST_PAUSE)
    lasts = False

    while not hall.calls():  # a post that met trouble as others got through is left alone a while
        await hall.later(SHORTEST_PAUSE)
    assert [each.pinged for each in hall.calls()] == [{each.name for each in others}]
    hall.away.update(each.name for each in others)
    await hall.play()


async def test_the_end_of_a_match_told_while_a_player_is_forgotten_names_them_no_more(
    running_bot: RunningBot, sandbox: Sandbox
) -> None:
    gate = Gate()
    method, path, of = meant("POST", MESSAGES, ":standings:")
    sandbox.trouble(Fault(method, path, gate=gate, of=of))
    hall = await started(running_bot, 4, format="knockout")
    playing = asyncio.create_task(hall.play())
    await gate.reached()
    playing.cancel()
    found = await hall.tournament()
    (one, other, *_) = next(legs for legs in found.matches if not legs[-1].open)[0].entries
    people = [found.by_number[each].person for each in (one, other)]
    forgotten = next(person for person in hall.people if int(person.id) in people)
    await running_bot.parlour.use_cases.privacy.forget(PersonId(int(forgotten.id)))
    await gate.passed()
    await hall.later()  # the round that tells it is over
    await hall.later()
    assert hall.thread is not None
    told = [each for each in hall.told(hall.thread.name) if ":standings:" in str(each.buttons)]
    assert told
    assert not [each.text for each in told if forgotten.mention in each.text]


@pytest.mark.sqlite_alone
@pytest.mark.parametrize("lost", ["right", "role", "winner"])
async def test_a_role_that_cannot_be_given_is_no_error(running_bot: RunningBot, lost: str) -> None:
    champion, own = running_bot.sandbox.world.guild.roles
    hall = await started(running_bot, 3, format="all_play_all", places="3")
    await hall.honour_winners(champion.id if lost != "role" else 1)
    if lost == "right":
        own.granted = Permission(0)
    if lost == "winner":
        member, gone = "/guilds/{guild_id}/members/{user_id}", {"status": 404, "code": 10007}
        running_bot.sandbox.fail_next("GET", member, **gone)  # type: ignore[arg-type]

    winner = standings(await over(hall))[0].person

    podium = hall.told("games")[-1].text
    assert like("tournament.podium", winner=f"<@{winner}>").search(podium)
    told = like("tournament.role.refused", host=hall.host.mention).search(podium)
    assert (told is not None) == (lost == "right")
    assert not any(person.account.roles for person in hall.people)


@pytest.mark.sqlite_alone
async def test_rules_and_table_are_private_until_shared_and_again_has_the_rounds_that_were_chosen(
    running_bot: RunningBot,
) -> None:
    hall = await started(running_bot, 5, format="swiss", more="longer")
    rules = (await hall.press(hall.host, TournamentAction.RULES)).message
    assert rules.ephemeral
    assert says("tournament.rules.swiss") in rules.text
    found = await over(hall)
    assert found.round == 5, "one more than usual"
    assert found.champion
    table = await hall.told_by(hall.host, TournamentAction.TABLE)
    assert table.ephemeral
    assert all(person.mention in table.text for person in hall.people)
    assert [each.filename for each in table.attachments] == [PICTURE]

    shared = await hall.told_by(hall.host, TournamentAction.SHARE, table)
    assert not shared.ephemeral
    winner = f"<@{standings(found)[0].person}>"
    assert like("tournament.won", winner=winner).search(shared.text)
    assert [each.filename for each in shared.attachments] == [PICTURE]
    (picture,) = shared.pictures
    told = [like("tournament.picture.round", round=str(each)) for each in range(1, 6)]
    assert all(each.search(picture.description) for each in told)

    again = await hall.press(hall.people[1], TournamentAction.AGAIN)

    assert says("tournament.opened") in await running_bot.sentence(again)
    hosted = await running_bot.parlour.use_cases.tournaments.hosted(TournamentId(int(again.id)))
    assert hosted.live
    assert hosted.tournament.rounds == LONGER


@pytest.mark.parametrize("action", [TournamentAction.JOIN, TournamentAction.START])
async def test_a_press_that_was_saved_counts_though_the_database_goes_away_after_it(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch, action: TournamentAction
) -> None:
    *_, late = people = guests(running_bot.sandbox, 5)
    hall = Hall(running_bot, people[:4])
    await hall.open()
    change = Tournaments.change

    async def away(*_: object) -> NoReturn:
        raise Unavailable

    with monkeypatch.context() as patched:

        async def last_change(
            tournaments: Tournaments, number: TournamentId, step: Step
        ) -> HostedTournament:
            saved = await change(tournaments, number, step)
            patched.setattr(Tournaments, "hosted", away)
            patched.setattr(Tournaments, "go_on", away)
            return saved

        patched.setattr(Tournaments, "change", last_change)
        by = hall.host if action is TournamentAction.START else late
        pressed = await hall.press(by, action)
        assert not pressed.followups
        assert pressed.message == hall.message
    found = await hall.tournament()
    assert (len(found.entries) == 5) is (action is TournamentAction.JOIN)
    assert (found.stage is Stage.RUNNING) is (action is TournamentAction.START)
