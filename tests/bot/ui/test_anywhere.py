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
from bot.storage.guild_settings import GuildId
from bot.storage.messages import Messages
from bot.table.seats import PersonId
from bot.table.session import Ending, Phase, SessionId
from bot.ui import router
from tests.bot.english import like, piece, says
from tests.bot.people import Person, Value
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import ludo
from tests.bot.ui.conftest import House, Open, marks
from tests.bot.ui.test_recovery import Gated

PLACES = ["another-server", "group-chat", "ann-and-ben"]
SERVER = "another-server"
A, B, C, D, E, F = (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)
DIRECT: set[str] = set()
LATE = piece("board.lapsed")
COMMANDS = [
    *("tictactoe", "ludo", "games", "board", "replay", "puzzle"),
    *("stats", "leaderboard", "history", "help", "me"),
]
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
    house: House, person: Person, place: str, command: str = "tictactoe", /, **options: Value
) -> Interaction:
    """A command typed in a place, and answered."""
    channel = house.sandbox.channel(place)
    answered = await (await person.type(channel, command, **options)).answered()
    await house.sandbox.until(lambda: bool(answered.message.text))
    await ludo.bound(house.sandbox, person, answered.message)
    return answered


async def opened(house: House, person: Person, place: str, /, **options: Value) -> Message:
    """The board of a game of tic-tac-toe, whose opener has X."""
    given: dict[str, Value] = {"mark": "x", **options}
    return (await typed(house, person, place, **given)).message


async def friends(house: House, place: str = SERVER, /, **options: Value) -> Message:
    """A board on which Ann, with X, plays Ben, who has not added the bot."""
    ann, ben, *_ = house.people
    board = await opened(house, ann, place, opponent=ben, **options)
    await house.press(ben, board, says("control.accept"))
    return board


async def won(house: House, place: str = SERVER) -> Message:
    """A game that Ann has won against Ben."""
    board = await friends(house, place)
    await house.play(board, A, D, B, E, C)
    return board


def boards(person: Person, place: Channel) -> list[Message]:
    """The messages with controls that a person sees in a place."""
    return [message for message in person.sees(place) if message.buttons]


@pytest.mark.parametrize("place", PLACES)
async def test_two_people_play_a_whole_game_and_it_counts(house: House, place: str) -> None:
    ann, ben, *_ = house.people
    board = await won(house, place)
    assert like(
        "won.played",
        "won.resigned",
        "won.time",
        "place.first",
        winner=f"<@{ann.id}>",
        player=f"<@{ann.id}>",
    ).search(board.text)
    for person, wins in ((ann, 1), (ben, 0)):
        stats = await house.parlour.kept.records.stats(PersonId(person.id), "tictactoe")
        assert (stats.tally.games, stats.tally.wins) == (1, wins)
    here = house.sandbox.channel(place).guild_id
    stats = await house.parlour.kept.records.stats(PersonId(ann.id), "tictactoe", here or 1)
    assert stats.empty


@pytest.mark.parametrize("place", PLACES)
async def test_ludo_is_played_to_its_end_with_people_and_computers(
    house: House, place: str
) -> None:
    ann, ben, *_ = house.people
    board = (await typed(house, ann, place, "ludo", roll="auto", rules="quick")).message
    await house.press(ben, board, says("control.join"))
    await ludo.set_up(ann, board, says("menu.add_computer", level=says("choice.level.easy")))
    await house.press(ann, board, says("control.start"))
    await ludo.to_the_end(house.sandbox, board)
    assert ludo.winners(board)
    table = await ludo.table_of(house, board)
    assert table.place.unreachable
    assert table.session.phase is Phase.FINISHED


async def test_ludo_against_computers_alone_begins_at_once(house: House) -> None:
    ann, *_ = house.people
    given: dict[str, Value] = {"computers": 3, "level": "easy", "rules": "quick", "roll": "auto"}
    board = (await typed(house, ann, "group-chat", "ludo", **given)).message
    await ludo.to_the_end(house.sandbox, board)
    assert ludo.over(board)


async def test_a_slow_computer_answers_by_the_token_of_the_press(
    open_house: Open, monkeypatch: pytest.MonkeyPatch, requests: Requests
) -> None:
    thinker = Gated()
    async with open_house(thinker=thinker) as house:
        ann, *_ = house.people
        board = await opened(house, ann, SERVER, level="perfect")
        monkeypatch.setattr("bot.ui.response.DEFER_AFTER", 0.0)
        pressed = await house.mark(ann, board, E)
        assert pressed.response is Answer.LATER_UPDATE
        await thinker.asked.wait()
        thinker.allowed.set()
        await house.sandbox.until(lambda: len(marks(board)) == 2)
        assert requests.drawn_by_token == 1


async def test_what_a_computer_owes_after_a_restart_is_shown_by_the_next_press(
    open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinker = Gated()
    async with open_house(thinker=thinker) as house:
        ann, *_ = house.people
        board = await opened(house, ann, SERVER, level="perfect")
        await ann.press(board, position=E)
        await thinker.asked.wait()
        monkeypatch.setattr(router, "LAST_ANSWERS", 0.0)
    async with open_house() as house:
        number = SessionId(1)
        await house.clock.waited_for()
        while (await house.service.table(number)).session.ply < 2:
            await house.later(timedelta(seconds=5))
        assert marks(board) == {}
        told = await house.told(ann, board, E)
        assert says("refusal.stale_control") in told
        assert len(marks(board)) == 2
        assert marks(board)[E] == "❌"


async def test_a_rematch_is_asked_for_and_taken_up_on_the_old_board(
    house: House, requests: Requests
) -> None:
    ann, ben, *_ = house.people
    old = await won(house)
    again = (await house.press(ann, old, says("control.rematch"))).message
    assert again is not old
    assert not again.ephemeral
    before = requests.drawn_by_token
    linked = (await house.press(ben, old, says("control.rematch"))).message
    assert str(again.id) in linked.text
    await house.sandbox.until(lambda: len(again.buttons) > 8)
    assert requests.drawn_by_token == before + 1
    await house.turn(again)
    await house.turn(again)
    assert len(marks(again)) == 2


@pytest.mark.both_databases
async def test_a_game_goes_on_after_a_restart(open_house: Open) -> None:
    async with open_house() as house:
        board = await friends(house)
        await house.play(board, A, D)
    async with open_house() as house:
        await house.play(board, B, E, C)
        assert like(
            "won.played",
            "won.resigned",
            "won.time",
            "place.first",
            winner=f"<@{house.people[0].id}>",
            player=f"<@{house.people[0].id}>",
        ).search(board.text)


@pytest.mark.parametrize(
    "question", [says("control.rules"), says("control.view"), says("control.resign")]
)
async def test_a_question_draws_the_board_that_only_a_press_can_draw(
    open_house: Open, question: str
) -> None:
    async with open_house() as house:
        ann, ben, *_ = house.people
        board = (await typed(house, ann, SERVER, "ludo", roll="hand")).message
        await house.press(ben, board, says("control.join"))
        await house.press(ann, board, says("control.start"))
        await ludo.until(house.sandbox, board, lambda: says("control.resign") in ludo.labels(board))
        mover = ludo.mover(house.sandbox, board)
        assert mover is not None
    async with open_house(later=timedelta(minutes=6)) as house:
        await house.later(timedelta(seconds=5))
        await house.clock.waited_for()
        assert LATE not in board.text
        asked = await house.press(mover, board, question)
        assert LATE in board.text
        await house.sandbox.until(lambda: asked.followups)
        assert asked.followups[0].ephemeral


async def test_a_question_on_a_board_that_is_up_to_date_is_answered_at_once(house: House) -> None:
    ann, *_ = house.people
    board = (await typed(house, ann, SERVER, "ludo", computers=1, roll="hand")).message
    edits = board.edits
    asked = await house.press(ann, board, says("control.rules"))
    assert asked.message.ephemeral
    assert board.edits == edits


async def test_time_that_runs_out_shows_while_the_token_lives(
    house: House, requests: Requests
) -> None:
    board = await friends(house)
    await house.later(timedelta(minutes=5))
    await house.sandbox.until(lambda: LATE in board.text)
    assert requests.drawn_by_token == 1


@pytest.mark.both_databases
async def test_a_token_that_is_too_old_is_not_used(house: House, requests: Requests) -> None:
    ann, ben, *_ = house.people
    board = await opened(house, ann, "group-chat", opponent=ben)
    await house.later(timedelta(minutes=15))
    await house.clock.waited_for()
    assert (await house.service.table(SessionId(1))).session.ending is Ending.EXPIRED
    assert requests.drawn_by_token == 0
    told = await house.told(ben, board, says("control.accept"))
    assert like("refusal.not_waiting").search(told)
    assert [button.label for button in board.buttons] == [says("control.ask_again")]
    assert not await Messages(house.store).behind()


async def test_the_board_again_is_a_new_message_and_the_old_one_leads_to_it(house: House) -> None:
    ann, ben, *_ = house.people
    old = await friends(house)
    new = (await typed(house, ann, SERVER, "board")).message
    await house.sandbox.until(lambda: not old.buttons)
    assert str(new.id) in old.text
    await house.mark(ann, new, A)
    await house.mark(ben, new, E)
    assert len(marks(new)) == 2


async def test_a_press_on_an_old_board_counts_and_leads_to_the_new_one(open_house: Open) -> None:
    async with open_house() as house:
        ann, ben, *_ = house.people
        old = await friends(house)
    async with open_house() as house:
        new = (await typed(house, ann, SERVER, "board")).message
        assert old.buttons, "the token is gone"
        await house.mark(ann, old, A)
        assert str(new.id) in old.text
        assert not old.buttons
        await house.sandbox.until(lambda: marks(new) == {A: "❌"})
        await house.mark(ben, new, E)


async def test_where_all_answers_are_for_one_reader_no_table_is_opened_for_others(
    house: House,
) -> None:
    ann, ben, *_ = house.people
    channel = house.sandbox.channel(SERVER)
    house.sandbox.allow_external_apps(channel, allowed=False)
    for options in ({"opponent": ben}, {"anyone": True}):
        told = (await typed(house, ann, SERVER, **options)).message
        assert told.ephemeral
        assert NOBODY_SEES in told.text
    challenge = await (await ann.choose(channel, says("menu.person.challenge"), ben)).answered()
    assert NOBODY_SEES in challenge.message.text
    assert not await house.service.boards(channel.id)
    assert not ben.sees(channel)


async def test_where_all_answers_are_for_one_reader_games_against_computers_are_played(
    house: House,
) -> None:
    ann, ben, *_ = house.people
    channel = house.sandbox.channel(SERVER)
    house.sandbox.allow_external_apps(channel, allowed=False)
    board = await opened(house, ann, SERVER, level="easy")
    assert board.ephemeral
    assert (await house.press(ann, board, says("control.hint"))).message.ephemeral
    while says("control.rematch") not in ludo.labels(board):
        await house.turn(board)
    offer = (await typed(house, ann, SERVER, "ludo", roll="auto")).message
    assert NOBODY_SEES in offer.text
    race = (await house.press(ann, offer, "1 🤖")).message
    assert race.ephemeral
    await ludo.bound(house.sandbox, ann, race)
    await ludo.take(house.sandbox, race, lambda offered: offered[0])
    again = (await typed(house, ann, SERVER, "board")).message
    assert again.ephemeral
    await ludo.take(house.sandbox, again, lambda offered: offered[0])
    assert not ben.sees(channel)


async def test_a_table_that_turns_out_to_be_for_one_reader_is_called_off(house: House) -> None:
    ann, ben, *_ = house.people
    channel = house.sandbox.channel(SERVER)
    asked = await ann.type(channel, "tictactoe", opponent=ben)
    house.sandbox.allow_external_apps(channel, allowed=False)
    await asked.answered()
    await house.sandbox.until(lambda: asked.followups)
    (told,) = asked.followups
    assert NOBODY_SEES in told.text
    assert ann.sees(channel) == [told]
    assert not await house.service.boards(channel.id)


async def test_a_rematch_that_turns_out_to_be_for_one_reader_is_called_off(house: House) -> None:
    ann, ben, *_ = house.people
    board = await won(house)
    house.sandbox.allow_external_apps(board.channel, allowed=False)
    pressed = await house.press(ben, board, says("control.rematch"))
    await house.sandbox.until(lambda: pressed.followups)
    assert NOBODY_SEES in pressed.followups[-1].text
    assert not await house.service.boards(board.channel.id)
    house.sandbox.allow_external_apps(board.channel)
    again = (await house.press(ann, board, says("control.rematch"))).message
    await house.press(ben, again, says("control.accept"))


async def test_a_player_whose_answers_are_private_gets_a_look_and_the_board_stays(
    house: House,
) -> None:
    ann, *_ = house.people
    board = await friends(house)
    house.sandbox.allow_external_apps(board.channel, allowed=False)
    look = (await typed(house, ann, SERVER, "board")).message
    assert look.ephemeral
    await house.play(board, A, D)
    assert len(marks(board)) == 2


@pytest.mark.both_databases
async def test_absence_is_not_removal(open_house: Open) -> None:
    async with open_house() as house:
        board = await friends(house, pace="relaxed")
        running = SessionId(1)
        house.sandbox.move(Membership.LEFT)
        house.sandbox.move(Membership.JOINED)
    async with open_house(later=timedelta(days=6)) as house:
        await house.later(timedelta(hours=2))
        await house.clock.waited_for()
        assert (await house.service.table(running)).session.phase is Phase.RUNNING
        known = await house.guild_data.known()
        assert GuildId(board.channel.guild_id or 0) not in known
        await house.play(board, A, D)
        assert len(marks(board)) == 2


@pytest.mark.both_databases
async def test_what_is_played_in_a_server_that_the_bot_has_left_outlives_the_servers_data(
    house: House,
) -> None:
    ann, ben, *_ = house.people
    await house.say(ann, "settings limit", games=4)
    house.sandbox.move(Membership.LEFT)
    guild = GuildId(house.games.guild_id or 0)
    while (await house.guild_data.known())[guild] is None:
        pass
    board = await won(house, "games")
    running = await friends(house, "games", pace="relaxed")
    await house.later(timedelta(days=29))
    await house.play(running, A, D)
    await house.later(timedelta(days=2))
    await house.clock.waited_for()
    while guild in await house.guild_data.known():
        await house.later(timedelta(hours=1))
        await house.clock.waited_for()
    for number, phase in ((1, Phase.FINISHED), (2, Phase.RUNNING)):
        table = await house.service.table(SessionId(number))
        assert (table.session.phase, table.place.channel) == (phase, board.channel.id)
    pressed = await house.press(ann, board, says("control.rematch"))
    await house.sandbox.until(lambda: pressed.followups)
    await house.press(ben, pressed.followups[0], says("control.accept"))


async def test_nobody_is_reminded_there_but_by_direct_message(house: House) -> None:
    ann, ben, *_ = house.people
    board = await friends(house, "group-chat", pace="correspondence")
    await house.later(timedelta(hours=2))
    await house.clock.waited_for()
    await typed(house, ann, "group-chat", "me reminders", reminders="direct")
    await house.play(board, A, D)
    assert not house.sandbox.messages(ann.dm.name)
    await house.later(timedelta(hours=2))
    await house.sandbox.until(lambda: ann.sees(ann.dm))
    (reminder,) = ann.sees(ann.dm)
    assert f"https://discord.com/channels/@me/{board.channel.id}/{board.id}" in reminder.text
    assert [message for message in ben.sees(board.channel) if not message.ephemeral] == [board]


async def test_the_settings_of_servers_are_for_servers_with_the_bot(house: House) -> None:
    ann, *_ = house.people
    for place in PLACES:
        with pytest.raises(Impossible):
            await ann.type(house.sandbox.channel(place), "settings show")


@pytest.mark.parametrize("command", ["stats", "leaderboard", "history"])
async def test_records_are_those_of_everywhere_and_offer_no_others(
    house: House, command: str
) -> None:
    ann, *_ = house.people
    await won(house)
    page = (await typed(house, ann, SERVER, command)).message
    at_home = await (await ann.type(house.games, command)).answered()
    assert says("control.scope.everywhere") in ludo.labels(at_home.message)
    assert not {says("control.scope.everywhere"), says("control.scope.here")} & set(
        ludo.labels(page)
    )
    assert says("scope.everywhere") in page.text


async def test_as_many_games_are_played_there_as_in_servers_that_have_set_nothing(
    house: House,
) -> None:
    ann, ben, *_ = house.people
    for _ in range(5):
        await opened(house, ann, "group-chat", opponent=ben)
    told = (await typed(house, ann, "group-chat", opponent=ben)).message
    assert told.ephemeral
    assert like("refusal.channel_full").search(told.text)
    assert len(boards(ben, house.sandbox.channel("group-chat"))) == 5


@pytest.mark.both_databases
async def test_who_is_forgotten_leaves_a_group_to_go_on_without_them(house: House) -> None:
    ann, ben, cleo, _ = house.people
    board = (await typed(house, ann, "group-chat", "ludo", roll="auto")).message
    for person in (ben, cleo):
        await house.press(person, board, says("control.join"))
    await house.press(ann, board, says("control.start"))
    asked = (await typed(house, ann, "group-chat", "me forget")).message
    await house.press(ann, asked, says("control.forget"))
    await house.sandbox.until(lambda: str(ann.id) not in board.text)
    table = await ludo.table_of(house, board)
    assert (table.place.channel, table.place.message) == (board.channel.id, board.id)
    await ludo.take(house.sandbox, board, lambda offered: offered[0])
    again = (await typed(house, ann, "group-chat", "games")).message
    assert str(board.id) in again.text


async def test_every_command_is_offered_everywhere_but_the_settings_of_servers(
    house: House,
) -> None:
    everywhere = ([0, 1, 2], [0, 1])
    for name in (*COMMANDS, says("menu.person.challenge"), says("menu.person.stats")):
        assert offered(house, name) == everywhere, name
    assert offered(house, "settings") == ([0], [0])


def offered(house: House, name: str) -> tuple[object, object]:
    """Where a command can be used, and by whom it may have been added."""
    payload = house.sandbox.command(name).payload()
    return payload["contexts"], payload["integration_types"]
