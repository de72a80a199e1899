"""Games where the bot is no member: by people who have added it to their account, with others.

No request goes to a channel that the bot is not in, and none is refused, in any of these tests: a
sixth message that follows an interaction there would be.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from bot.sandbox import Answer, Channel, Impossible, Interaction, Membership, Message
from bot.service.due_work import NOTED_EVERY
from bot.storage.choices import GuildId
from bot.storage.messages import Messages
from bot.table.seats import Absent, PersonId
from bot.table.session import Ending, Phase, SessionId
from bot.ui import router
from bot.ui.checkup import command_names
from tests.bot.english import like, piece, says
from tests.bot.people import Person, Value, has_won
from tests.bot.stand_in import Sandbox
from tests.bot.thinkers import Gated
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import ludo, panels
from tests.bot.ui.conftest import A, B, C, D, E, Open, RunningBot, marks
from tests.bot.ui.scripted_dice import ScriptedDice

PLACES = ["another-server", "group-chat", "ann-and-ben"]
SERVER = "another-server"
DIRECT: set[str] = set()
LATE = piece("board.lapsed")
NOBODY_SEES = says("refusal.read_by_one")


class Requests:
    """The requests to the API, told apart by what they may be there.

    None may go to a channel by its id, but for new direct messages with the bot.
    """

    def __init__(self) -> None:
        self.forbidden: list[str] = []
        self.to_channels: list[str] = []
        self.drawn_by_token = 0

    def __call__(self, observed: Observed) -> None:
        if not isinstance(observed, Exchange):
            return
        request = f"{observed.method} {observed.path} {observed.status}"
        if observed.status >= 400:
            self.forbidden.append(request)
        elif observed.path.startswith("/channels/") and not _is_direct(observed):
            self.to_channels.append(request)
        elif observed.path.startswith("/guilds/"):
            self.forbidden.append(request)
        elif observed.method == "PATCH" and observed.path.startswith("/webhooks/"):
            self.drawn_by_token += 1


def _is_direct(sent: Exchange) -> bool:
    """Whether a message was sent to a person, and not to a place."""
    told: Any = sent.response
    return sent.method == "POST" and told["channel_id"] in DIRECT


@pytest.fixture(autouse=True)
def requests(sandbox: Sandbox) -> Iterator[Requests]:
    """Ann has added the bot to her account; at the end no request was one too many."""
    sandbox.person("Ann").add_app()
    DIRECT.update(str(sandbox.person(name).dm.id) for name in ludo.NAMES)
    seen = Requests()
    sandbox.observe(seen)
    yield seen
    assert seen.forbidden == []
    assert seen.to_channels == []


async def typed(
    running_bot: RunningBot,
    person: Person,
    place: str,
    command: str = "tictactoe",
    /,
    **options: Value,
) -> Interaction:
    """A command typed in a place, and answered."""
    channel = running_bot.sandbox.channel(place)
    answered = await (await person.type(channel, command, **options)).answered()
    await running_bot.sandbox.until(lambda: bool(answered.message.text))
    await ludo.bound(running_bot.sandbox, answered.message)
    return answered


async def opened(
    running_bot: RunningBot, person: Person, place: str, /, **options: Value
) -> Message:
    """The board of a game of tic-tac-toe, whose opener has X."""
    given: dict[str, Value] = {"mark": "x", **options}
    return (await typed(running_bot, person, place, **given)).message


async def friends(running_bot: RunningBot, place: str = SERVER, /, **options: Value) -> Message:
    """A board on which Ann, with X, plays Ben, who has not added the bot."""
    ann, ben, *_ = running_bot.people
    board = await opened(running_bot, ann, place, opponent=ben, **options)
    await running_bot.press(ben, board, says("control.accept"))
    return board


async def won(running_bot: RunningBot, place: str = SERVER) -> Message:
    """A game that Ann has won against Ben."""
    board = await friends(running_bot, place)
    await running_bot.play(board, A, D, B, E, C)
    return board


def boards(person: Person, place: Channel) -> list[Message]:
    """The messages with controls that a person sees in a place."""
    return [message for message in person.sees(place) if message.buttons]


@pytest.mark.parametrize("place", PLACES)
async def test_two_people_play_a_whole_game_and_it_counts(
    running_bot: RunningBot, place: str
) -> None:
    ann, ben, *_ = running_bot.people
    board = await won(running_bot, place)
    assert has_won(ann, board.text)
    for person, wins in ((ann, 1), (ben, 0)):
        stats = await running_bot.parlour.stores.records.stats(PersonId(person.id), "tictactoe")
        assert (stats.tally.games, stats.tally.wins) == (1, wins)
    here = running_bot.sandbox.channel(place).guild_id
    stats = await running_bot.parlour.stores.records.stats(PersonId(ann.id), "tictactoe", here or 1)
    assert stats.empty


@pytest.mark.parametrize("place", PLACES)
async def test_ludo_is_played_to_its_end_with_people_and_computers(
    running_bot: RunningBot, place: str
) -> None:
    ann, ben, *_ = running_bot.people
    board = (await typed(running_bot, ann, place, "ludo", roll="auto", rules="quick")).message
    await running_bot.press(ben, board, says("control.join"))
    await ludo.set_up(ann, board, says("menu.add_computer", level=says("choice.level.easy")))
    await running_bot.press(ann, board, says("control.start"))
    await ludo.to_the_end(running_bot.sandbox, board)
    assert ludo.winners(board)
    table = await ludo.table_of(running_bot, board)
    assert table.place.unreachable
    assert table.session.phase is Phase.FINISHED


async def test_ludo_against_computers_alone_begins_at_once(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    given: dict[str, Value] = {"computers": 3, "level": "easy", "rules": "quick", "roll": "auto"}
    board = (await typed(running_bot, ann, "group-chat", "ludo", **given)).message
    await ludo.to_the_end(running_bot.sandbox, board)
    assert ludo.over(board)


async def test_a_slow_computer_answers_by_the_token_of_the_press(
    open_bot: Open, monkeypatch: pytest.MonkeyPatch, requests: Requests
) -> None:
    thinker = Gated()
    async with open_bot(thinker=thinker) as running_bot:
        ann, *_ = running_bot.people
        board = await opened(running_bot, ann, SERVER, level="perfect")
        monkeypatch.setattr("bot.ui.response.DEFER_AFTER", 0.0)
        pressed = await running_bot.mark(ann, board, E)
        assert pressed.response is Answer.LATER_UPDATE
        await thinker.asked.wait()
        thinker.allowed.set()
        await running_bot.sandbox.until(lambda: len(marks(board)) == 2)
        assert requests.drawn_by_token == 1


async def test_what_a_computer_owes_after_a_restart_is_shown_by_the_next_press(
    open_bot: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinker = Gated()
    async with open_bot(thinker=thinker) as running_bot:
        ann, *_ = running_bot.people
        board = await opened(running_bot, ann, SERVER, level="perfect")
        await ann.press(board, position=E)
        await thinker.asked.wait()
        monkeypatch.setattr(router, "LAST_ANSWERS", 0.0)
    async with open_bot() as running_bot:
        number = SessionId(1)
        await running_bot.clock.waited_for()
        while (await running_bot.service.table(number)).session.ply < 2:
            await running_bot.later(timedelta(seconds=5))
        assert marks(board) == {}
        told = await running_bot.told(ann, board, E)
        assert says("refusal.stale_control") in told
        assert len(marks(board)) == 2
        assert marks(board)[E] == "❌"


async def test_a_rematch_is_asked_for_and_taken_up_on_the_old_board(
    running_bot: RunningBot, requests: Requests
) -> None:
    ann, ben, *_ = running_bot.people
    old = await won(running_bot)
    again = (await running_bot.press(ann, old, says("control.rematch"))).message
    assert again is not old
    assert not again.ephemeral
    before = requests.drawn_by_token
    linked = (await running_bot.press(ben, old, says("control.rematch"))).message
    assert str(again.id) in linked.text
    await running_bot.sandbox.until(lambda: len(again.buttons) > 8)
    assert requests.drawn_by_token == before + 1
    await running_bot.turn(again)
    await running_bot.turn(again)
    assert len(marks(again)) == 2


@pytest.mark.both_databases
async def test_a_game_goes_on_after_a_restart(open_bot: Open) -> None:
    async with open_bot() as running_bot:
        board = await friends(running_bot)
        await running_bot.play(board, A, D)
    async with open_bot() as running_bot:
        await running_bot.play(board, B, E, C)
        assert has_won(running_bot.people[0], board.text)


async def test_a_question_draws_the_board_that_only_a_press_can_draw(open_bot: Open) -> None:
    async with open_bot() as running_bot:
        ann, ben, *_ = running_bot.people
        board = (await typed(running_bot, ann, SERVER, "ludo", roll="hand")).message
        await running_bot.press(ben, board, says("control.join"))
        await running_bot.press(ann, board, says("control.start"))
        await running_bot.both_moved(board)
        mover = ludo.mover(running_bot.sandbox, board)
        assert mover is not None
    async with open_bot() as running_bot:
        for passed in (NOTED_EVERY, timedelta(minutes=6)):
            await running_bot.later(passed)
            await running_bot.clock.waited_for()
        assert LATE not in board.text
        asked = await running_bot.press(mover, board, says("control.more"))
        assert LATE in board.text
        await running_bot.sandbox.until(lambda: asked.followups)
        assert asked.followups[0].ephemeral


async def test_a_question_on_a_board_that_is_up_to_date_is_answered_at_once(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    opened = await typed(running_bot, ann, SERVER, "ludo", computers=1, roll="hand")
    board = (await running_bot.done(opened)).message  # once the bot has heard that it is there
    edits = board.edits
    asked = await running_bot.press(ann, board, says("control.rules"))
    assert asked.message.ephemeral
    assert board.edits == edits


async def test_a_seal_is_posted_by_a_press_and_not_looked_for(
    running_bot: RunningBot, requests: Requests
) -> None:
    ann, *_ = running_bot.people
    board = (await typed(running_bot, ann, "group-chat", "ludo")).message
    panel = (await ludo.press(ann, board, says("control.proof"))).message
    await running_bot.done(await ann.press(panel, says("control.seal")))

    again = await running_bot.done(await ludo.press(ann, board, says("control.proof")))

    told = again.followups[-1] if again.followups else again.message
    assert like("dice.there").search(told.text)
    assert requests.forbidden == []


async def test_time_that_runs_out_shows_while_the_token_lives(
    running_bot: RunningBot, requests: Requests
) -> None:
    board = await friends(running_bot)
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(lambda: LATE in board.text)
    assert requests.drawn_by_token == 1


@pytest.mark.both_databases
async def test_a_token_that_is_too_old_is_not_used(
    running_bot: RunningBot, requests: Requests
) -> None:
    ann, ben, *_ = running_bot.people
    board = await opened(running_bot, ann, "group-chat", opponent=ben)
    await running_bot.later(timedelta(minutes=15))
    await running_bot.clock.waited_for()
    assert (await running_bot.service.table(SessionId(1))).session.ending is Ending.EXPIRED
    assert requests.drawn_by_token == 0
    told = await running_bot.told(ben, board, says("control.accept"))
    assert like("refusal.not_waiting").search(told)
    assert [button.label for button in board.buttons] == [says("control.ask_again")]
    assert not await Messages(running_bot.store).behind()


async def test_a_token_lives_no_longer_because_the_board_was_drawn_by_it(
    running_bot: RunningBot, requests: Requests
) -> None:
    ann, *others = running_bot.people
    board = (await typed(running_bot, ann, SERVER, "ludo", roll="hand")).message
    for person in others:
        await running_bot.press(person, board, says("control.join"))
    await running_bot.press(ann, board, says("control.start"))
    before = requests.drawn_by_token
    for drawn, taken_over in ((1, 1), (2, 2), (2, 3)):
        await running_bot.later(timedelta(minutes=5))
        await running_bot.clock.waited_for()
        table = await running_bot.service.table(SessionId(1))
        assert sum(isinstance(seat, Absent) for seat in table.session.seats) == taken_over
        assert requests.drawn_by_token == before + drawn


async def test_the_board_again_is_a_new_message_and_the_old_one_leads_to_it(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    old = await friends(running_bot)
    new = (await typed(running_bot, ann, SERVER, "board")).message
    await running_bot.sandbox.until(lambda: not old.buttons)
    assert str(new.id) in old.text
    await running_bot.mark(ann, new, A)
    await running_bot.mark(ben, new, E)
    assert len(marks(new)) == 2


async def test_a_press_on_an_old_board_counts_and_leads_to_the_new_one(open_bot: Open) -> None:
    async with open_bot() as running_bot:
        ann, ben, *_ = running_bot.people
        old = await friends(running_bot)
    async with open_bot() as running_bot:
        new = (await typed(running_bot, ann, SERVER, "board")).message
        assert old.buttons, "the token is gone"
        await running_bot.mark(ann, old, A)
        assert str(new.id) in old.text
        assert not old.buttons
        await running_bot.sandbox.until(lambda: marks(new) == {A: "❌"})
        await running_bot.mark(ben, new, E)


async def test_where_all_answers_are_for_one_reader_no_table_is_opened_for_others(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    channel = running_bot.sandbox.channel(SERVER)
    running_bot.sandbox.allow_external_apps(channel, allowed=False)
    for options in ({"opponent": ben}, {"anyone": True}):
        told = (await typed(running_bot, ann, SERVER, **options)).message
        assert told.ephemeral
        assert NOBODY_SEES in told.text
    challenge = await (
        await ann.choose(channel, says("menu.person.challenge.tictactoe"), ben)
    ).answered()
    assert NOBODY_SEES in challenge.message.text
    assert not await running_bot.service.boards(channel.id)
    assert not ben.sees(channel)


async def test_where_all_answers_are_for_one_reader_games_against_computers_are_played(
    running_bot: RunningBot, dice: ScriptedDice
) -> None:
    dice.fall(6, 6, 2)  # Ann takes a token out, then another, and chooses between both
    ann, ben, *_ = running_bot.people
    channel = running_bot.sandbox.channel(SERVER)
    running_bot.sandbox.allow_external_apps(channel, allowed=False)
    board = await opened(running_bot, ann, SERVER, level="easy")
    assert board.ephemeral
    assert (await running_bot.press(ann, board, says("control.hint"))).message.ephemeral
    while says("control.rematch") not in ludo.labels(board):
        await running_bot.turn(board)
    offer = (await typed(running_bot, ann, SERVER, "ludo", roll="auto")).message
    assert NOBODY_SEES in offer.text
    race = (await running_bot.press(ann, offer, says("control.computers", count=1))).message
    assert race.ephemeral
    await ludo.bound(running_bot.sandbox, race)
    await ludo.take(running_bot.sandbox, race, lambda offered: offered[-1])
    again = (await typed(running_bot, ann, SERVER, "board")).message
    assert again.ephemeral
    await ludo.take(running_bot.sandbox, again, lambda offered: offered[0])
    assert not ben.sees(channel)


async def test_a_table_that_turns_out_to_be_for_one_reader_is_called_off(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    channel = running_bot.sandbox.channel(SERVER)
    asked = await ann.type(channel, "tictactoe", opponent=ben)
    running_bot.sandbox.allow_external_apps(channel, allowed=False)
    await asked.answered()
    await running_bot.sandbox.until(lambda: asked.followups)
    (told,) = asked.followups
    assert NOBODY_SEES in told.text
    assert ann.sees(channel) == [told]
    assert not await running_bot.service.boards(channel.id)


async def test_a_rematch_that_turns_out_to_be_for_one_reader_is_called_off(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await won(running_bot)
    running_bot.sandbox.allow_external_apps(board.channel, allowed=False)
    pressed = await running_bot.press(ben, board, says("control.rematch"))
    await running_bot.sandbox.until(lambda: pressed.followups)
    assert NOBODY_SEES in pressed.followups[-1].text
    assert not await running_bot.service.boards(board.channel.id)
    running_bot.sandbox.allow_external_apps(board.channel)
    again = (await running_bot.press(ann, board, says("control.rematch"))).message
    await running_bot.press(ben, again, says("control.accept"))


async def test_a_player_whose_answers_are_private_gets_a_look_and_the_board_stays(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    board = await friends(running_bot)
    running_bot.sandbox.allow_external_apps(board.channel, allowed=False)
    look = (await typed(running_bot, ann, SERVER, "board")).message
    assert look.ephemeral
    await running_bot.play(board, A, D)
    assert len(marks(board)) == 2


@pytest.mark.both_databases
async def test_absence_is_not_removal(open_bot: Open) -> None:
    async with open_bot() as running_bot:
        board = await friends(running_bot, pace="relaxed")
        running = SessionId(1)
        running_bot.sandbox.move(Membership.LEFT)
        running_bot.sandbox.move(Membership.JOINED)
    async with open_bot(later=timedelta(days=6)) as running_bot:
        await running_bot.later(timedelta(hours=2))
        await running_bot.clock.waited_for()
        assert (await running_bot.service.table(running)).session.phase is Phase.RUNNING
        known = await running_bot.guild_data.known()
        assert GuildId(board.channel.guild_id or 0) not in known
        await running_bot.play(board, A, D)
        assert len(marks(board)) == 2


@pytest.mark.both_databases
async def test_what_is_played_in_a_server_that_the_bot_has_left_outlives_the_servers_data(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    await panels.choose(running_bot, ann, "settings games", "4")
    running_bot.sandbox.move(Membership.LEFT)
    guild = GuildId(running_bot.games.guild_id or 0)
    while (await running_bot.guild_data.known())[guild] is None:
        pass
    board = await won(running_bot, "games")
    running = await friends(running_bot, "games", pace="relaxed")
    await running_bot.later(timedelta(days=29))
    await running_bot.play(running, A, D)
    await running_bot.later(timedelta(days=2))
    await running_bot.clock.waited_for()
    while guild in await running_bot.guild_data.known():
        await running_bot.later(timedelta(hours=1))
        await running_bot.clock.waited_for()
    for number, phase in ((1, Phase.FINISHED), (2, Phase.RUNNING)):
        table = await running_bot.service.table(SessionId(number))
        assert (table.session.phase, table.place.channel) == (phase, board.channel.id)
    pressed = await running_bot.press(ann, board, says("control.rematch"))
    await running_bot.sandbox.until(lambda: pressed.followups)
    await running_bot.press(ben, pressed.followups[0], says("control.accept"))


async def test_nobody_is_reminded_there_but_by_direct_message(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await friends(running_bot, "group-chat", pace="correspondence")
    await running_bot.later(timedelta(hours=2))
    await running_bot.clock.waited_for()
    panel = (await typed(running_bot, ann, "group-chat", "me")).message
    await panels.used(ann, panel, "me reminders", "direct")
    await running_bot.play(board, A, D)
    assert not running_bot.sandbox.messages(ann.dm.name)
    await running_bot.later(timedelta(hours=2))
    await running_bot.sandbox.until(lambda: ann.sees(ann.dm))
    (reminder,) = ann.sees(ann.dm)
    assert f"https://discord.com/channels/@me/{board.channel.id}/{board.id}" in reminder.text
    assert [message for message in ben.sees(board.channel) if not message.ephemeral] == [board]


async def test_the_settings_of_servers_are_for_servers_with_the_bot(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    for place in PLACES:
        with pytest.raises(Impossible):
            await ann.type(running_bot.sandbox.channel(place), "settings")


@pytest.mark.parametrize("command", ["stats", "leaderboard", "history"])
async def test_records_are_those_of_everywhere_and_offer_no_others(
    running_bot: RunningBot, command: str
) -> None:
    ann, *_ = running_bot.people
    await won(running_bot)
    page = (await typed(running_bot, ann, SERVER, command)).message
    at_home = await (await ann.type(running_bot.games, command)).answered()
    assert says("control.scope.everywhere") in ludo.labels(at_home.message)
    assert not {says("control.scope.everywhere"), says("control.scope.here")} & set(
        ludo.labels(page)
    )
    assert says("scope.everywhere") in page.text


async def test_as_many_games_are_played_there_as_in_servers_that_have_set_nothing(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    for _ in range(5):
        await opened(running_bot, ann, "group-chat", opponent=ben)
    told = (await typed(running_bot, ann, "group-chat", opponent=ben)).message
    assert told.ephemeral
    assert like("refusal.channel_full").search(told.text)
    assert len(boards(ben, running_bot.sandbox.channel("group-chat"))) == 5


@pytest.mark.both_databases
async def test_who_is_forgotten_leaves_a_group_to_go_on_without_them(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = (await typed(running_bot, ann, "group-chat", "ludo", roll="auto")).message
    for person in (ben, cleo):
        await running_bot.press(person, board, says("control.join"))
    await running_bot.press(ann, board, says("control.start"))
    asked = (await typed(running_bot, ann, "group-chat", "me")).message
    await panels.used(ann, asked, "me forget")
    await running_bot.press(ann, asked, says("control.forget"))
    await running_bot.sandbox.until(lambda: str(ann.id) not in board.text)
    table = await ludo.table_of(running_bot, board)
    assert (table.place.channel, table.place.message) == (board.channel.id, board.id)
    await ludo.take(running_bot.sandbox, board, lambda offered: offered[0])
    again = (await typed(running_bot, ann, "group-chat", "games")).message
    assert str(board.id) in again.text


async def test_every_command_is_offered_everywhere_but_the_settings_of_servers(
    running_bot: RunningBot,
) -> None:
    everywhere = ([0, 1, 2], [0, 1])
    for name in command_names() - {"settings"}:
        assert offered(running_bot, name) == everywhere, name
    assert offered(running_bot, "settings") == ([0], [0])


def offered(running_bot: RunningBot, name: str) -> tuple[object, object]:
    """Where a command can be used, and by whom it may have been added."""
    payload = running_bot.sandbox.command(name).payload()
    return payload["contexts"], payload["integration_types"]
