"""Manners of people and of the bot: closing, leaving, taking back, sharing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.games.catalogue import CATALOGUE
from bot.games.command import OPPONENT
from bot.sandbox import Message, Permission
from bot.table.seats import Computer, Level, PersonId
from bot.table.session import Phase, Session
from bot.ui import router
from bot.ui.handlers import SHARE
from bot.ui.router import COMMAND, PRESS
from engine.game import Seat
from tests.bot.english import like, mover_in, piece, says
from tests.bot.people import Person, has_won
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import ludo, panels
from tests.bot.ui.conftest import A, B, E, Open, RunningBot, marks
from tests.bot.ui.ludo import labels

DUELS = [key for key, entry in CATALOGUE.items() if OPPONENT in entry.command.fields]


async def typed(
    person: Person, running_bot: RunningBot, command: str, **options: object
) -> Message:
    """The answer to a command in the channel."""
    message = (await (await person.type(running_bot.games, command, **options)).answered()).message  # type: ignore[arg-type]
    assert message is not None
    return message


class TestGamesAgainstComputers:
    """They are a person's own: few in a channel, gone when nobody cares for them."""

    async def test_the_third_asks_to_close_the_oldest_and_opens_in_its_place(
        self, running_bot: RunningBot
    ) -> None:
        ann, *_ = running_bot.people
        first, _ = await self.begun(running_bot), await self.begun(running_bot)
        asked = (await running_bot.type(ann, size=4)).message
        assert asked is not None
        assert asked.ephemeral
        assert str(first.id) in asked.text
        assert f"{says('game.tictactoe')} (<t:" in asked.text
        assert ":R>)" in asked.text
        board = (await running_bot.press(ann, asked, says("control.close_oldest"))).message
        assert board is not None
        assert "4x4" in board.text
        assert not board.ephemeral
        await running_bot.sandbox.until(
            lambda: like("closed.closed", "closed.cancelled").search(first.text)
        )

    async def begun(self, running_bot: RunningBot) -> Message:
        """A game in which Ann has moved once."""
        board = await running_bot.opened(running_bot.people[0])
        await running_bot.turn(board)
        return board

    async def test_a_game_in_which_the_person_has_not_moved_makes_room_without_a_question(
        self, running_bot: RunningBot
    ) -> None:
        ann, *_ = running_bot.people
        first, second = await self.begun(running_bot), await running_bot.opened(ann)
        board = (await running_bot.type(ann, size=4)).message
        assert "4x4" in board.text
        assert not board.ephemeral
        await running_bot.sandbox.until(lambda: like("closed.closed").search(second.text))
        assert not like("closed.closed", "closed.cancelled").search(first.text)
        table = await ludo.opened(running_bot.sandbox, ann)
        await running_bot.press(ann, table, says("control.fill"))
        await running_bot.press(ann, table, says("control.start"))
        await running_bot.sandbox.until(lambda: like("closed.closed").search(board.text))
        assert says("control.more") in labels(table)

    async def test_a_game_closed_for_another_after_two_moves_each_is_lost_and_that_is_said_before(
        self, running_bot: RunningBot
    ) -> None:
        ann, *_ = running_bot.people
        first, _ = await self.begun(running_bot), await self.begun(running_bot)
        asked = (await running_bot.type(ann)).message
        assert like("refusal.too_many_alone").fullmatch(asked.text)
        await running_bot.turn(first)
        assert like("more.lost").search((await running_bot.more(ann, first)).text)
        asked = (await running_bot.type(ann)).message
        assert like("refusal.too_many_alone.lost").fullmatch(asked.text)
        await running_bot.press(ann, asked, says("control.close_oldest"))
        await running_bot.sandbox.until(lambda: like("won.resigned").search(first.text))
        record = await running_bot.parlour.stores.records.stats(PersonId(ann.id), "tictactoe")
        assert [each.tally.losses for each in record.levels] == [1]

    async def test_a_table_filled_with_computers_starts_in_the_place_of_the_oldest_too(
        self, running_bot: RunningBot
    ) -> None:
        ann, *_ = running_bot.people
        first, _ = await self.begun(running_bot), await self.begun(running_bot)
        table = await ludo.opened(running_bot.sandbox, ann)
        await running_bot.press(ann, table, says("control.fill"))
        asked = (await running_bot.press(ann, table, says("control.start"))).message
        assert asked is not None
        await running_bot.press(ann, asked, says("control.close_oldest"))
        await running_bot.sandbox.until(lambda: says("control.more") in labels(table))
        await running_bot.sandbox.until(
            lambda: like("closed.closed", "closed.cancelled").search(first.text)
        )

    async def test_they_do_not_fill_a_channel_for_others(self, running_bot: RunningBot) -> None:
        ann, ben, cleo, dan = running_bot.people
        await panels.choose(running_bot, ann, "settings games", "1")
        for person in (ann, ann, ben, ben):
            await running_bot.opened(person)
        board = await running_bot.opened(cleo, opponent=dan)
        refused = (await running_bot.type(ann, opponent=ben)).message
        assert refused is not None
        assert refused.ephemeral
        assert str(board.id) in refused.text
        assert cleo.mention in refused.text
        assert dan.mention in refused.text

    async def test_they_close_after_three_hours_without_a_move_say_why_and_offer_another(
        self, running_bot: RunningBot
    ) -> None:
        ann, *_ = running_bot.people
        board = await running_bot.opened(ann)
        await running_bot.later(timedelta(hours=2, minutes=59))
        await running_bot.clock.waited_for()
        assert not like("closed.closed", "closed.cancelled").search(board.text)
        await running_bot.later(timedelta(minutes=1))
        await running_bot.sandbox.until(lambda: like("closed.silent").search(board.text))
        assert ann.sees(running_bot.games) == [board]
        again = (await running_bot.press(ann, board, says("control.play_again"))).message
        assert again is not board
        assert (await running_bot.session(again)).phase is Phase.RUNNING

    async def test_one_whose_message_is_deleted_is_closed_at_once(
        self, running_bot: RunningBot
    ) -> None:
        ann, ben, *_ = running_bot.people
        ben.grant(Permission.MANAGE_MESSAGES)
        board = await running_bot.opened(ann)
        ben.delete(board)
        channel = int(running_bot.games.id)
        async with asyncio.timeout(60):
            while await running_bot.store.unfinished(channel):
                pass

    async def test_from_a_command_to_a_game_of_ludo_it_takes_two_presses_then_one_a_choice_or_stop(
        self, running_bot: RunningBot
    ) -> None:
        ann, *_ = running_bot.people
        board = await typed(ann, running_bot, "ludo", rules="quick")
        await running_bot.press(ann, board, says("control.fill"))
        await running_bot.press(ann, board, says("control.start"))
        presses = await ludo.to_the_end(running_bot.sandbox, board)
        assert presses == decisions((await ludo.table_of(running_bot, board)).session, Seat(0))


def decisions(session: Session, seat: Seat) -> int:
    """Count the times a seat had a choice of moves, or its dice waited for a press."""
    running = replace(session, phase=Phase.RUNNING)
    stops = (running.at(ply) for ply in range(session.ply))
    return sum(stop.turn == seat and not stop.unattended for stop in stops)


async def test_a_challenge_withdrawn_by_the_hosts_own_decline(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.opened(ann, opponent=ben)
    await running_bot.press(ann, board, says("control.decline"))
    assert like("closed.withdrawn", person=ann.mention).search(board.text)


async def test_a_person_invited_to_ludo_declines(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben, player3=cleo)
    await running_bot.press(ben, board, says("control.decline"))
    assert ben.mention not in board.text
    await running_bot.press(cleo, board, says("control.join"))
    assert says("control.decline") not in labels(board)


async def test_until_both_have_moved_a_game_is_cancelled_and_counts_for_nothing(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.mark(ann, board, A)
    await running_bot.press(ann, board, says("control.cancel"))
    assert like("closed.closed", "closed.cancelled").search(board.text)
    assert like("stats.begin").search(await running_bot.say(ann, "stats"))


async def test_the_last_at_a_table_that_others_have_left_resigns_and_does_not_cancel(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.seated(running_bot.sandbox, (ann, ben, cleo))
    await running_bot.press(ann, board, says("control.start"))
    for leaver in (ann, ben):
        await running_bot.resign(leaver, board)
    offered = labels(await running_bot.more(cleo, board))
    assert says("control.resign") in offered
    assert says("control.cancel") not in offered
    await running_bot.resign(cleo, board)
    assert not like("closed.closed", "closed.cancelled").search(board.text)


async def test_resigning_is_asked_once_and_only_the_answer_resigns(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.play(board, A, E)
    asked = (await running_bot.press(ann, board, says("control.resign"))).message
    assert asked is not None
    assert asked.ephemeral
    assert says("control.resign") in labels(board)
    await running_bot.mark(ann, board, B)  # what is played meanwhile does not matter
    await running_bot.press(ann, asked, says("control.resign"))
    await running_bot.sandbox.until(lambda: has_won(ben, board.text))
    assert not asked.buttons


async def test_who_gives_up_before_both_have_moved_is_asked_in_private_and_cancels(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.begun(running_bot.sandbox, (ann, ben))
    offered = await ludo.forged(running_bot, board, "resign")
    asked = (await running_bot.press(ann, offered, "resign")).message
    assert asked.ephemeral
    assert says("resign.cancel") in asked.text
    assert labels(asked) == [says("control.cancel")]
    pressed = await running_bot.press(ann, asked, says("control.cancel"))
    await running_bot.sandbox.until(lambda: says("closed.cancelled") in board.text)
    assert pressed.message is asked
    assert not asked.buttons
    record = await running_bot.parlour.stores.records.stats(PersonId(ann.id), "ludo")
    assert record.tally.games == 0


async def test_onlookers_are_not_asked_whether_they_resign(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    await running_bot.play(board, A, E)
    *_, dan = running_bot.people
    assert like("refusal.not_at_table").search(
        await running_bot.told(dan, board, says("control.resign"))
    )


async def test_auto_roll_is_switched_during_the_game(running_bot: RunningBot) -> None:
    board = await ludo.begun(running_bot.sandbox, running_bot.people[:2])
    ann, _, cleo, _ = running_bot.people
    assert says("control.ludo.roll") in labels(board)
    onlooking = labels(await running_bot.more(cleo, board))
    assert onlooking == [*map(says, ("control.view", "control.rules", "control.proof"))]
    panel = (await running_bot.press(ann, board, says("control.auto_roll.on"))).message
    assert says("more.auto_roll.off") in panel.text
    await running_bot.sandbox.until(lambda: says("control.ludo.roll") not in labels(board))
    await running_bot.press(ann, panel, says("control.auto_roll.off"))
    assert says("more.auto_roll.on") in panel.text
    await ludo.until(running_bot.sandbox, board, lambda: says("control.ludo.roll") in labels(board))


@pytest.mark.parametrize(("roll", "by_hand"), [("hand", True), ("auto", False)])
async def test_the_command_says_who_rolls(
    running_bot: RunningBot, roll: str, by_hand: bool
) -> None:
    ann, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, computers=1, roll=roll)
    assert (says("control.ludo.roll") in labels(board)) is by_hand


async def test_ludo_in_direct_messages_offers_computers_and_starts_at_once(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    asked = (await (await ann.type(ann.dm, "ludo", rules="quick")).answered()).message
    assert asked is not None
    assert says("refusal.computers_alone") in asked.text
    board = (await running_bot.press(ann, asked, says("control.computers", count=3))).message
    assert board is not None
    (number,) = await running_bot.store.unfinished(int(ann.dm.id))
    session = (await running_bot.store.table(number)).session
    assert session.seats[1:] == (Computer(Level.MEDIUM),) * 3
    assert session.options["tokens"] == 2, "as quick has it"


async def test_an_expired_challenge_is_asked_again_by_its_host(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.opened(ann, opponent=ben)
    await running_bot.later(timedelta(minutes=15))
    await running_bot.sandbox.until(lambda: labels(board) == [says("control.ask_again")])
    assert says("refusal.not_host") in await running_bot.told(ben, board, says("control.ask_again"))
    again = (await running_bot.press(ann, board, says("control.ask_again"))).message
    assert again is not None
    assert again.pinged == {"Ben"}
    await running_bot.press(ben, again, says("control.accept"))
    assert like("board.turn").search(again.text)


async def test_a_move_against_the_computer_is_taken_back_at_once(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.opened(ann, level="easy")
    assert says("control.take_back") not in labels(board)
    await running_bot.mark(ann, board, E)
    await running_bot.press(ann, board, says("control.take_back"))
    await running_bot.sandbox.until(
        lambda: not [button for button in board.buttons if button.emoji]
    )
    await running_bot.mark(ann, board, A)


async def test_between_people_a_move_is_taken_back_by_agreement(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.play(board, A, E, B)
    await running_bot.press(ann, board, says("control.take_back"))
    assert like("board.take_back").search(board.text)
    await running_bot.press(ben, board, says("control.refuse_take_back"))
    await running_bot.press(ann, board, says("control.take_back"))
    await running_bot.press(ben, board, says("control.allow_take_back"))
    assert sorted(b.position for b in board.buttons if b.emoji) == [A, E]
    assert mover_in(board.text) == str(ann.id)


async def test_those_who_manage_the_server_close_a_game(running_bot: RunningBot) -> None:
    ann, _, cleo, dan = running_bot.people
    board = await running_bot.friends()
    cleo.grant(Permission.MANAGE_GUILD)
    panel = await panels.opened(running_bot, cleo, "settings")
    stale = await panels.opened(running_bot, cleo, "settings")
    (offered,) = (choice.value for choice in panel.selects[-1].choices)
    await panels.used(cleo, panel, "settings close", offered)
    await running_bot.sandbox.until(lambda: like("settings.closed").search(panel.text))
    assert "settings close" not in panels.offered(panel)
    await running_bot.sandbox.until(
        lambda: like("closed.closed", "closed.cancelled").search(board.text)
    )
    again = await running_bot.sentence(await panels.used(cleo, stale, "settings close", offered))
    assert like("refusal.closed").search(again)
    assert "settings close" not in panels.offered(stale), "it shows what holds"
    cleo.revoke(Permission.MANAGE_GUILD)
    assert dan.sees(running_bot.games)
    assert ann.sees(running_bot.games)


async def test_a_manager_closes_no_game_of_their_own(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.friends()
    panel = await panels.opened(running_bot, ann, "settings")
    assert "settings close" not in panels.offered(panel)
    number = str((await running_bot.service.boards(board.channel.id))[0].id)
    told = await ann.press_drawn(panel, panels.control("settings close"), number).answered()
    assert says("refusal.own_game") in await running_bot.sentence(told)


async def test_the_servers_look_of_boards_is_that_of_new_tables(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    await panels.choose(running_bot, ann, "settings boards", "picture")
    board = await ludo.opened(running_bot.sandbox, ann)
    offered = [choice.label for choice in board.selects[0].choices]
    assert says("menu.board.emoji") in offered
    await ludo.set_up(ann, board, says("menu.board.emoji"))
    assert says("menu.board.picture") in [choice.label for choice in board.selects[0].choices]


class TestSharing:
    """A private screen can be posted for all, without its controls."""

    async def test_statistics(self, running_bot: RunningBot) -> None:
        ann, ben, *_ = running_bot.people
        board = await running_bot.friends()
        await running_bot.resign(ann, board)
        for command in ("stats", "leaderboard"):
            seen = await typed(ann, running_bot, command)
            assert seen.ephemeral
            shared = (await running_bot.press(ann, seen, says("control.share"))).message
            assert shared in ben.sees(running_bot.games)
            assert not shared.controls
            assert shared.pinged == frozenset()

    async def test_a_closer_look_and_a_replay(self, running_bot: RunningBot) -> None:
        ann, ben, *_ = running_bot.people
        board = await ludo.begun(running_bot.sandbox, (ann, ben))
        look = (await running_bot.press(ann, board, says("control.view"))).message
        shared = (await running_bot.press(ann, look, says("control.share"))).message
        assert shared in ben.sees(running_bot.games)
        assert shared.attachments
        duel = await running_bot.friends()
        await running_bot.resign(ann, duel)
        replay = (await running_bot.press(ann, duel, says("control.replay"))).message
        asked = (await running_bot.press(ann, replay, says("control.share"))).message
        shown = (await running_bot.press(ann, asked, says("control.share_board"))).message
        assert shown in ben.sees(running_bot.games)
        assert labels(shown) == [says("control.replay")]
        assert (await running_bot.press(ben, shown, says("control.replay"))).message.ephemeral

    @pytest.mark.parametrize(
        ("channel", "needed", "another"),
        [
            ("games", Permission.SEND_MESSAGES, Permission.SEND_MESSAGES_IN_THREADS),
            ("games-thread", Permission.SEND_MESSAGES_IN_THREADS, Permission.SEND_MESSAGES),
        ],
    )
    async def test_is_for_those_who_may_write_there(
        self, running_bot: RunningBot, channel: str, needed: Permission, another: Permission
    ) -> None:
        _, ben, *_ = running_bot.people
        there = running_bot.sandbox.channel(channel)
        seen = await (await ben.type(there, "leaderboard")).answered()
        ben.revoke(needed)
        told = (await running_bot.press(ben, seen.message, says("control.share"))).message
        assert told.ephemeral
        assert told.text == says("refusal.cannot_share")
        ben.grant(needed)
        ben.revoke(another)
        shared = (await running_bot.press(ben, seen.message, says("control.share"))).message
        assert shared in running_bot.people[0].sees(there)

    async def test_by_all_their_ways_is_for_those_who_may_write(
        self, running_bot: RunningBot
    ) -> None:
        ann, ben, *_ = running_bot.people
        board = await running_bot.friends()
        await running_bot.play(board, (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
        seen = await typed(ben, running_bot, "stats")
        replay = (await running_bot.press(ben, board, says("control.replay"))).message
        offer = (await running_bot.press(ben, replay, says("control.share"))).message
        before = ann.sees(running_bot.games)
        ben.revoke(Permission.SEND_MESSAGES)
        ways = [(seen, says("control.share")), (board, says("control.share"))]
        for shown, way in [*ways, *((offer, label) for label in labels(offer))]:
            pressed = await running_bot.press(ben, shown, way)
            assert await running_bot.sentence(pressed) == says("refusal.cannot_share")
        assert ann.sees(running_bot.games) == before

    async def test_costs_as_much_as_many_presses(
        self, open_bot: Open, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(router, "REFILL", 0.0)
        two = COMMAND + 2 * (PRESS + SHARE) + PRESS
        async with open_bot(PARLOUR_PRESS_LIMIT=str(int(two))) as running_bot:
            ann, ben, *_ = running_bot.people
            seen = await typed(ann, running_bot, "leaderboard")
            told = [
                (await running_bot.press(ann, seen, says("control.share"))).message
                for _ in range(3)
            ]
            assert [each in ben.sees(running_bot.games) for each in told] == [True, True, False]
            assert told[-1].text == says("refusal.too_fast")


class TestMenuOfAPerson:
    """Commands on a person, without typing."""

    @pytest.mark.parametrize("game", DUELS)
    async def test_a_challenge(self, running_bot: RunningBot, game: str) -> None:
        ann, ben, *_ = running_bot.people
        entry = says(f"menu.person.challenge.{game}")
        board = (await (await ann.choose(running_bot.games, entry, ben)).answered()).message
        assert board is not None
        assert board.pinged == {"Ben"}
        assert says(f"game.{game}") in board.text
        await running_bot.press(ben, board, says("control.accept"))
        assert like("board.turn").search(board.text)

    async def test_statistics(self, running_bot: RunningBot) -> None:
        ann, ben, *_ = running_bot.people
        seen = (
            await (await ann.choose(running_bot.games, says("menu.person.stats"), ben)).answered()
        ).message
        assert seen is not None
        assert seen.ephemeral
        assert ben.mention in seen.text


async def test_a_board_can_be_a_picture_that_is_drawn_anew_with_each_turn(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    typed = await ann.type(running_bot.games, "ludo", computers=1, board="picture", roll="hand")
    board = (await typed.answered()).message
    await ludo.bound(running_bot.sandbox, board)
    (first,) = board.attachments
    (shown,) = board.pictures
    assert piece("ludo.words.seat") in str(shown.description)
    await running_bot.press(ann, board, says("control.ludo.roll"))
    await running_bot.sandbox.until(lambda: first not in board.attachments)
    assert tuple(item.file for item in board.pictures) == board.attachments
    assert says("control.view") in labels(await running_bot.more(ann, board))


async def test_a_flood_of_presses_is_refused_in_a_sentence_and_slows_nobody_else(
    open_bot: Open,
) -> None:
    async with open_bot(PARLOUR_PRESS_LIMIT="10") as running_bot:
        board = await running_bot.friends()
        ann, ben, *_ = running_bot.people
        flood = [await ann.press(board, position=(0, 0)) for _ in range(30)]
        await running_bot.mark(ben, board, (0, 0))
        told = [(await press.answered()).message for press in flood]
        refused = [each for each in told if says("refusal.too_fast") in each.text]
        assert len(refused) >= 15
        assert all(each.ephemeral for each in refused)
        await running_bot.mark(ben, board, (1, 1))
        assert marks(board) == {(0, 0): "❌", (1, 1): "⭕"}


class TestLeaver:
    """A person who leaves the server leaves no game against computers behind."""

    async def test_an_idle_game_closes_when_its_only_person_is_no_member_any_more(
        self, running_bot: RunningBot
    ) -> None:
        ann, *_ = running_bot.people
        board = await running_bot.opened(ann, level="easy")
        await running_bot.mark(ann, board, A)
        running_bot.sandbox.fail_next("GET", "/guilds/*/members/*", 404, 10007, "Unknown Member")
        await running_bot.later(timedelta(minutes=9))
        await running_bot.clock.waited_for()
        assert not like("closed.closed", "closed.cancelled").search(board.text)
        await running_bot.later(timedelta(minutes=2))
        await running_bot.sandbox.until(
            lambda: like("closed.closed", "closed.cancelled").search(board.text)
        )

    async def test_trouble_of_discord_only_puts_off_what_is_asked(
        self, running_bot: RunningBot
    ) -> None:
        ann, *_ = running_bot.people
        board = await running_bot.opened(ann, level="easy")
        await running_bot.mark(ann, board, A)
        running_bot.sandbox.fail_next("GET", "/guilds/*/members/*", 503)
        await running_bot.later(timedelta(minutes=11))
        await running_bot.clock.waited_for()
        running_bot.sandbox.fail_next("GET", "/guilds/*/members/*", 404, 10007, "Unknown Member")
        await running_bot.later(timedelta(seconds=5))
        await running_bot.sandbox.until(lambda: says("closed.closed") in board.text)

    @pytest.mark.usefixtures("a_round_before_the_gateway")
    async def test_after_a_start_who_left_is_asked_about_once_the_bot_sees_the_server(
        self, open_bot: Open, sandbox: Sandbox
    ) -> None:
        async with open_bot() as running_bot:
            ann, *_ = running_bot.people
            board = await running_bot.opened(ann, level="easy")
            await running_bot.mark(ann, board, A)
        sandbox.fail_next("GET", "/guilds/*/members/*", 404, 10007, "Unknown Member")
        async with open_bot(later=timedelta(minutes=11)) as running_bot:
            await running_bot.client.wait_until_ready()
            for _ in range(2):
                await running_bot.later(timedelta(seconds=5))
                await running_bot.clock.waited_for()
            assert not sandbox.troubled, "Discord was asked"
            assert says("closed.closed") in board.text

    @pytest.mark.parametrize("status", [None, 403])
    async def test_the_game_of_a_member_goes_on_and_discord_is_asked_once(
        self, running_bot: RunningBot, status: int | None
    ) -> None:
        ann, *_ = running_bot.people
        asked: list[str] = []

        def note(seen: Observed) -> None:
            if isinstance(seen, Exchange) and "/members/" in seen.path:
                asked.append(seen.path)

        running_bot.sandbox.observe(note)
        await running_bot.friends()
        board = await running_bot.opened(ann, level="easy")
        if status is not None:
            running_bot.sandbox.fail_next("GET", "/guilds/*/members/*", status, 50001, "No")
        for _ in range(3):
            await running_bot.later(timedelta(minutes=11))
            await running_bot.clock.waited_for()
        assert asked == ["/guilds/{guild_id}/members/{user_id}"]
        await running_bot.mark(ann, board, A)
        assert marks(board)
