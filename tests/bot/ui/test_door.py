"""The door: what no message and no command offers is refused in a sentence, whatever it says."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from random import randbytes
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.games.catalogue import CATALOGUE
from bot.sandbox import Button, Channel, Interaction, Message, Payload
from bot.sandbox.client import modal_data
from bot.sandbox.model.commands import CommandOption, CommandType, OptionType
from bot.sandbox.model.components import ChannelSelect, Control, Select
from bot.sandbox.model.interactions import Act
from bot.screens.dice import WordForm
from bot.screens.me import ForgetAnswer
from bot.screens.pager import RecordKind, Scope
from bot.screens.tournament_controls import TournamentAction, TournamentControl, Who
from bot.table.actions import Action, parsed
from bot.table.session import SessionId
from bot.table.variation import Variation
from bot.tournaments.tournament import TournamentId
from bot.ui.custom_ids import BoardControl, page_id, read
from tests import samples
from tests.bot.conftest import Opening
from tests.bot.english import piece, says
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.bot.ui import ludo, panels
from tests.bot.ui.conftest import RunningBot
from tests.bot.ui.hall import Hall, guests
from tests.bot.ui.hall import form as form_of_tournament
from tests.samples import Sample

A: Final = (0, 0)
GONE: Final = piece("refusal.unknown_control")
SOME_TRIES: Final = 60
"""The tries of a kind that are made in an ordinary run."""
KINDS: Final = (
    *("running", "waiting", "gathering", "rolling", "over", "plain"),
    *("stats", "history", "leaderboard", "games", "forget", "replay", "rules", "resign", "help"),
    "puzzle",
)

numbers = st.one_of(st.integers(0, 6), st.integers(0, 10**20)).map(str)
games = st.sampled_from([*CATALOGUE, "-", "chess"])
actions = st.one_of(
    st.sampled_from([*Action, "rule-1", "table-1", "rule-"]),
    numbers.map("m{}".format),
    st.from_regex("[a-z0-9_-]{1,48}", fullmatch=True),
)
days = st.one_of(
    st.integers(-2, 2).map(lambda ahead: str(samples.moment().date() + timedelta(ahead))),
    st.dates().map(str),
)
lines = st.builds(
    Variation, st.integers(0, 9), st.integers(0, 9), st.just(7), st.integers(0, 1 << 40)
).map(lambda variation: variation.line)
pages = st.tuples(
    st.sampled_from([*RecordKind, "moves"]), games, st.sampled_from(Scope), numbers, numbers
)
grammar = st.one_of(
    st.tuples(st.just("p1"), numbers, numbers, actions).map(":".join),
    pages.map(lambda parts: ":".join(("s1", *parts))),
    pages.map(lambda parts: ":".join(("h1", *parts))),
    st.tuples(st.just("g1"), st.one_of(numbers, st.just("-")), numbers).map(":".join),
    st.sampled_from(["s1:replay", *(f"f1:{each}" for each in ForgetAnswer)]),
    st.tuples(st.just("o1"), numbers, games, st.from_regex("[0-9-]{1,25}", fullmatch=True)).map(
        ":".join
    ),
    st.tuples(st.just("r1"), numbers, numbers, st.sampled_from(["start", "rematch"])).map(":".join),
    st.tuples(st.just("d1"), days, actions).map(":".join),
    st.tuples(st.just("v1"), numbers, lines, actions).map(":".join),
    st.text(min_size=1, max_size=100),
)


def mutated(custom_id: str, at: int, char: str) -> str:
    """An id with one character replaced."""
    place = at % len(custom_id)
    return f"{custom_id[:place]}{char}{custom_id[place + 1 :]}"[:100]


custom_ids = st.one_of(
    grammar, st.builds(mutated, grammar, st.integers(0, 99), st.characters(codec="utf-8"))
).filter(lambda custom_id: 1 <= len(custom_id) <= 100)
choices = st.one_of(
    st.none(), st.sampled_from(["rules", "size:4", "add:easy", "board:picture"]), numbers
)


@pytest.fixture
async def sandbox(open_sandbox: Opening) -> Sandbox:
    """A Discord where the bot is in two servers."""
    return await open_sandbox(guilds=2)


async def private(
    person: Person, running_bot: RunningBot, command: str, at: Channel | None = None
) -> Message:
    """The message that a command answers with, for its reader alone."""
    return (await (await person.type(at or running_bot.games, command)).answered()).message


async def every_kind(running_bot: RunningBot) -> Mapping[str, Message]:
    """A message of each kind, all of which Ann sees."""
    ann, ben, *_ = running_bot.people
    over = await running_bot.friends()
    await running_bot.resign(ann, over)
    running, waiting = await running_bot.friends(), await running_bot.opened(ann, opponent=ben)
    gathering = await ludo.seated(running_bot.sandbox, (ann, ben))
    rolling = await ludo.begun(running_bot.sandbox, (ann, ben))
    channel = running_bot.client.get_partial_messageable(int(running_bot.games.id))
    await channel.send("Hello", nonce=randbytes(12).hex())
    found = {
        "running": running,
        "waiting": waiting,
        "gathering": gathering,
        "rolling": rolling,
        "over": over,
        "plain": ann.sees(running_bot.games)[-1],
        "replay": (await running_bot.press(ann, over, says("control.replay"))).message,
        "rules": (await running_bot.press(ann, rolling, says("control.rules"))).message,
        "resign": (await ann.press(running, says("control.cancel"))).source,
        "forget": (await panels.use(running_bot, ann, "me forget")).message,
    }
    for command in ("me", "settings", "stats", "history", "leaderboard", "games", "help", "puzzle"):
        found[command] = await private(ann, running_bot, command)
    return {kind: message for kind, message in found.items() if message is not None}


def tables(message: Message) -> set[str]:
    """The numbers of the tables that the controls of a message belong to."""
    ids = [control.custom_id.split(":") for control in message.controls]
    return {parts[1] for parts in ids if parts[0] == "p1"}


def may_have_had(message: Message, custom_id: str) -> bool:
    """Whether another version of the bot may have drawn a control on a message."""
    ids = read(custom_id)
    if not isinstance(ids, BoardControl) or str(ids.session) not in tables(message):
        return False
    action, _ = parsed(ids.action)
    return action is None or action.button.private in {None, message.ephemeral}


async def test_whatever_is_pressed_on_whatever_message_is_answered(
    running_bot: RunningBot, caplog: pytest.LogCaptureFixture, exhaustive: bool
) -> None:
    ann, *_ = running_bot.people
    messages = await every_kind(running_bot)
    public = {m: tables(m) for m in messages.values() if not m.ephemeral}
    loop = asyncio.get_running_loop()

    async def press(custom_id: str, kind: str, value: str | None) -> None:
        caplog.clear()
        chosen, message = () if value is None else (value,), messages[kind]
        use = ann.press_drawn if may_have_had(message, custom_id) else ann.forge
        await use(message, custom_id, *chosen).answered()
        await running_bot.client.router.closed()
        errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert not errors, errors
        for message, own in public.items():
            assert tables(message) <= own, message.text
            assert message.deleted or message.text

    @settings(
        max_examples=150 if exhaustive else 60,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(custom_ids, st.sampled_from(sorted(messages)), choices)
    def forged(custom_id: str, kind: str, value: str | None) -> None:
        if custom_id.startswith("f1:forget") and kind == "forget":
            return  # it is what it says
        asyncio.run_coroutine_threadsafe(press(custom_id, kind, value), loop).result(20)

    await asyncio.to_thread(forged)


OUT_OF_PLACE = (
    ("s1:stats:tictactoe:here:1:0", "running"),
    ("h1:stats:tictactoe:here:1:0", "running"),
    ("g1:-:0", "running"),
    ("f1:keep", "running"),
    ("f1:forget", "stats"),
    ("s1:stats:tictactoe:here:9999999999999999999:0", "stats"),
    ("g1:9999999999999999999:0", "games"),
    ("p1:2:0:first", "over"),
    ("p1:2:0:rule-1", "waiting"),
    ("p1:1:4:next", "over"),
    ("p1:5:0:m4", "running"),
    ("p1:2:0:m4", "stats"),
    ("p1:2:0:rules", "running"),
    ("o1:0:ludo:1", "running"),
    ("r1:0:1:rematch", "over"),
    ("d1:2026-05-01:m0", "running"),
    ("d1:2026-05-01:share", "stats"),
    (f"v1:1:{Variation(0, 0, 7, 0).line}:m4", "over"),
    ("c1:forget", "settings"),
    ("k1:games", "me"),
    ("c1:colour", "me"),
)
"""Controls of other messages, tables or times, and the messages on which they are forged."""


async def test_a_control_out_of_place_is_refused_in_a_sentence(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    messages = await every_kind(running_bot)
    for custom_id, kind in OUT_OF_PLACE:
        before = messages[kind].text, messages[kind].edits
        pressed = await ann.forge(messages[kind], custom_id).answered()
        assert GONE in await running_bot.sentence(pressed), (custom_id, kind)
        assert (messages[kind].text, messages[kind].edits) == before, (custom_id, kind)


async def test_a_control_of_a_tournament_answers_in_its_server_alone(
    running_bot: RunningBot,
) -> None:
    hall = Hall(running_bot, guests(running_bot.sandbox, 3))
    ann, ben, cleo = hall.people
    await hall.sign_up()
    await hall.press(ben, TournamentAction.JOIN)
    before, elsewhere = await hall.tournament(), running_bot.sandbox.channel("games-2")
    message = await private(ann, running_bot, "help", elsewhere)
    for person, action in (
        (cleo, TournamentAction.JOIN),
        (ben, TournamentAction.LEAVE),
        (ann, TournamentAction.END),
    ):
        custom_id = page_id(TournamentControl(hall.number, action))
        for pressed in (person.forge(message, custom_id), ann.press_drawn(message, custom_id)):
            assert GONE in await running_bot.sentence(await pressed.answered())
    assert await hall.tournament() == before


@pytest.mark.parametrize(
    ("command", "option", "value"),
    [
        *(("tictactoe", "level", "godlike"), ("tictactoe", "size", 99), ("ludo", "computers", -3)),
        *(("ludo", "rules", "unknown"), ("ludo", "pace", "endless"), ("leaderboard", "game", "go")),
    ],
)
async def test_an_option_takes_no_value_that_it_does_not_declare(
    running_bot: RunningBot, command: str, option: str, value: object
) -> None:
    ann, *_ = running_bot.people
    declared = running_bot.sandbox.command(command)
    kind = next(each.type for each in declared.options if each.name == option)
    data: Payload = {"id": str(declared.id), "name": command, "type": 1}
    data |= {"options": [{"type": kind.value, "name": option, "value": value}]}
    sent = await ann.send(Act.COMMAND, running_bot.games, data).answered()
    assert await running_bot.sentence(sent) == says("refusal.outdated")
    assert not await running_bot.service.boards(running_bot.games.id)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("value", ["abc", str(10**25), "9" * 40, "another server"])
@pytest.mark.parametrize("what", ["settings channels", "settings news", "me blocked", "remove"])
async def test_a_menu_takes_nobody_and_no_channel_that_it_does_not_list(
    running_bot: RunningBot, what: str, value: str
) -> None:
    ann, *_ = running_bot.people
    if value == "another server":
        value = str(running_bot.sandbox.channel("games-2").id)
    if what == "remove":
        hall = Hall(running_bot, [ann])
        await hall.sign_up()
        panel = (await hall.press(ann, TournamentAction.MANAGE)).message
        menu = panel.menus[0]
    else:
        panel = await panels.opened(running_bot, ann, what.split(maxsplit=1)[0])
        menu = next(each for each in panel.menus if each.custom_id == panels.control(what))
    await running_bot.clock.waited_for()  # the first rounds leave notes
    before = await running_bot.rows()
    pressed = await ann.send(Act.COMPONENT, panel.channel, used(menu, [value]), panel).answered()
    assert await running_bot.sentence(pressed) == says("refusal.not_offered")
    assert await running_bot.rows() == before


Send: TypeAlias = Callable[[], Interaction]

MISSING: Final = object()
ABSURD: Final[tuple[object, ...]] = (
    *(MISSING, None, "", {}, "x", 5, True, -3, 1.5, 10**25, [], [""], ["x"], ["-1"], ["0"], [5]),
    *([None], [["x"]], ["\u2603"], [str(10**25)], ["9" * 40], ["x", "x"], ["a" * 101]),
    [str(number) for number in range(1, 27)],
)
"""Values that nothing offers, if they are values at all."""


def of_data(data: Payload, name: str, value: object) -> Payload:
    """Data with a field of another value, or without it."""
    kept = {key: each for key, each in data.items() if key != name}
    return kept if value is MISSING else {**kept, name: value}


def used(control: Control, values: object = MISSING) -> Payload:
    """The data of a control's use with some values."""
    told = {"component_type": control.type.value, "custom_id": control.custom_id}
    return of_data(told, "values", values)


def takes(option: CommandOption, value: object) -> bool:
    """Whether an option takes a value that is no person."""
    if option.choices:
        return value in [choice.value for choice in option.choices]
    least, most = option.bounds
    match option.type, value:
        case OptionType.BOOLEAN, bool():
            return True
        case OptionType.INTEGER, int(number) if not isinstance(value, bool):
            return (least or 0) <= number <= (number if most is None else most)
        case OptionType.STRING, str(line):
            return len(line) <= 6_000
    return False


def usual(control: Control) -> object:
    """Values that a menu offers; nothing for a button."""
    if isinstance(control, Button):
        return MISSING
    return [control.choices[0].value] if isinstance(control, Select) else []


@dataclass
class Intruders:
    """People who send what was never offered, in a house where much is going on."""

    bot: RunningBot
    messages: Mapping[str, Message]
    tournament: TournamentId
    form: Interaction
    opening: Interaction

    @property
    def controls(self) -> Iterator[tuple[Message, Control]]:
        """Each control of each message."""
        for message in self.messages.values():
            for control in message.controls:
                if control.custom_id and not control.disabled:
                    yield message, control

    def press(self, person: Person, message: Message, data: Payload) -> Send:
        return partial(person.send, Act.COMPONENT, message.channel, data, source=message)

    def out_of_place(self) -> Iterator[Send]:
        """Each control on each message that does not have it, in its channel and elsewhere."""
        ann, ben, *_ = self.bot.people
        for _, control in self.controls:
            for message in self.messages.values():
                if control.custom_id not in [each.custom_id for each in message.controls]:
                    yield self.press(ann, message, used(control, usual(control)))
                    yield self.press(ben, message, used(control, usual(control)))

    def of_others(self) -> Iterator[Send]:
        """Each control of a message for one reader, used by others; boards, by who may not."""
        *_, cleo, dan = self.bot.people
        for message, control in self.controls:
            match read(control.custom_id):
                case BoardControl(action=word) if word != Action.JOIN:
                    pressed, _ = parsed(word)
                    changes = pressed is not None and pressed.button.step is not None
                    kept = changes or pressed is Action.TABLE
                case TournamentControl(action=action):
                    kept = action.button.who is not Who.ANYONE
                case _:
                    kept = False
            if message.ephemeral or kept:
                yield self.press(dan, message, used(control, usual(control)))
                yield self.press(cleo, message, used(control, usual(control)))

    def altered(self) -> Iterator[Send]:
        """Each control with each part of its id altered, on its own message."""
        ann, *_ = self.bot.people
        others = ("", "-1", "0", "3", "x", "\u2603", str(10**25), "9" * 40, str(self.tournament))
        for message, control in self.controls:
            word, *parts = control.custom_id.split(":")
            found = [[word, *parts[:-1]], [word, *parts, "0"], ["x1", *parts], [word]]
            for place in range(len(parts)):
                found += [[word, *parts[:place], each, *parts[place + 1 :]] for each in others]
            for custom_id in map(":".join, found):
                if custom_id not in [each.custom_id for each in message.controls]:
                    data = used(control, usual(control)) | {"custom_id": custom_id}
                    yield self.press(ann, message, data)

    def menus(self) -> Iterator[Send]:
        """Each menu with absurd values, with those of other menus, and as a button."""
        ann, *_ = self.bot.people
        abroad = self.bot.sandbox.channel("games-2"), self.bot.sandbox.channel("games-thread")
        foreign = [[str(each.id)] for each in (*abroad, ann.dm, ann, self.bot.games)]
        menus = [(at, each) for at, each in self.controls if not isinstance(each, Button)]
        for message, menu in menus:
            offered = {each.value for each in menu.choices} if isinstance(menu, Select) else set()
            fits: list[object] = [] if isinstance(menu, Select) else [[]]
            if isinstance(menu, ChannelSelect):
                fits.append([str(self.bot.games.id)])
            for values in (*ABSURD, *foreign, *([each] * 2 for each in offered)):
                if values not in fits and values not in [[each] for each in offered]:
                    yield self.press(ann, message, used(menu, values))
            for kind in {2, 3, 5, 6, 7, 8} - {menu.type.value}:
                yield self.press(ann, message, used(menu, usual(menu)) | {"component_type": kind})

    def questions(self) -> Iterator[Send]:
        """The form of a tournament, each of its answers absurd, missing, of another kind, twice."""
        ann, *_ = self.bot.people
        assert self.opening.modal is not None
        usual: Any = modal_data(self.opening.modal, {}, self.bot.sandbox.world)
        labels = usual["components"]

        def send(components: object, source: Message | None = None) -> Send:
            data = {**usual, "components": components}
            at, trigger = self.bot.games, self.opening
            return partial(ann.send, Act.MODAL, at, data, source=source, trigger=trigger)

        for place, label in enumerate(labels):
            asked = label["component"]
            several, named = asked["type"] == 22, "value" if asked["type"] == 21 else "values"
            absurd = [
                of_data(asked, named, each) for each in ABSURD if not (several and each == [])
            ]
            absurd += [
                of_data(asked, "type", kind) for kind in {3, 4, 19, 21, 22} - {asked["type"]}
            ]
            absurd += [of_data(asked, "custom_id", each) for each in (MISSING, "", "other", None)]
            for each in absurd:
                yield send([*labels[:place], {**label, "component": each}, *labels[place + 1 :]])
            yield send([*labels[:place], *labels[place + 1 :]])
            yield send([*labels, label])
        yield send(labels, self.messages["running"])

    def forms(self) -> Iterator[Send]:
        """The form of a word, filled in absurdly or for another table."""
        ann, *_ = self.bot.people
        gathering = self.messages["gathering"]
        word = page_id(WordForm(SessionId(0))).removesuffix("0")
        own = f"{word}{ludo.number_of(gathering)}"
        line: Payload = {"type": 4, "id": 2, "custom_id": "word", "value": "hello"}

        def send(at: Message, custom_id: str, components: object) -> Send:
            data: Payload = {"custom_id": custom_id, "components": components}
            return partial(ann.send, Act.MODAL, at.channel, data, source=at, trigger=self.form)

        for kind in ("running", "help", "plain"):
            yield send(self.messages[kind], own, [{"type": 18, "component": line}])
        for number in ("", "0", "99", "x", 10**25):
            yield send(gathering, f"{word}{number}", [{"type": 18, "component": line}])
        values: tuple[object, ...] = (MISSING, None, 5, [], {}, ["x"], "x" * 33)
        absurd = [of_data(line, "value", value) for value in values]
        for each in (*absurd, of_data(line, "custom_id", "other"), {}, None):
            yield send(gathering, own, [{"type": 18, "component": each}])
        lists: tuple[object, ...] = ([{}], [5], [], None)
        for components in lists:
            yield send(gathering, own, components)

    def commands(self) -> Iterator[Send]:
        """Each option of each command with absurd values, in each kind of channel."""
        ann, *_ = self.bot.people
        channels = [self.bot.games, self.bot.sandbox.channel("games-2"), ann.dm]
        for command in self.bot.sandbox.world.commands:
            told: Payload = {"id": str(command.id), "name": command.name}
            told |= {"type": command.type.value}
            lists: tuple[object, ...] = (None, "x", {}, 5)
            absurd = [of_data(told, "options", each) for each in lists]
            absurd += [told | {"name": "nothing"}]
            if command.type is not CommandType.SLASH:
                targets: tuple[object, ...] = (
                    MISSING,
                    None,
                    "",
                    "0",
                    "x",
                    str(10**25),
                    str(self.bot.games.id),
                )
                absurd = [of_data(told, "target_id", each) for each in targets]
            else:
                absurd.append(told | {"options": [{"type": 3, "name": "nothing", "value": "x"}]})
                absurd.append(told | {"options": [{"type": 1, "name": "nothing", "options": []}]})
            absurd += [
                told | {"options": [option]}
                for each in command.options
                for option in self.options(each)
            ]
            for place, data in enumerate(absurd):
                yield partial(ann.send, Act.COMMAND, channels[place % len(channels)], data)

    def options(self, option: CommandOption) -> Iterator[Payload]:
        """An option with values that it does not take."""
        told: Payload = {"type": option.type.value, "name": option.name}
        people = tuple(str(each.id) for each in self.bot.people)
        for value in (*ABSURD, *people, "godlike", "\u2603", "x" * 6_001, "-3", str(10**25), 99):
            if not takes(option, value):
                yield of_data(told, "value", value)
        for kind in {3, 4, 5, 6, 7, 10} - {option.type.value}:
            usual = option.choices[0].value if option.choices else "1"
            yield told | {"type": kind, "value": usual}

    def suggestions(self) -> Iterator[Send]:
        """Each option that suggests values, and each that does not, with absurd text so far."""
        ann, *_ = self.bot.people
        for command in self.bot.sandbox.world.commands:
            told: Payload = {"id": str(command.id), "name": command.name, "type": 1}
            for option in command.options:
                being: Payload = {"type": option.type.value, "name": option.name, "focused": True}
                texts = (*ABSURD, "\u2603" * 6_000)
                found = [[of_data(being, "value", each)] for each in texts if each not in ("", "x")]
                found += [[{**being, "value": "", "focused": False}], [{**being, "value": "x"}] * 2]
                for options in found:
                    data = told | {"options": options}
                    yield partial(ann.send, Act.AUTOCOMPLETE, self.bot.games, data)


async def intruders(running_bot: RunningBot) -> Intruders:
    """A house with a tournament and each kind of message, some of them in another server."""
    hall = Hall(running_bot, guests(running_bot.sandbox, 2))
    messages = dict(await every_kind(running_bot))
    ann, sandbox = hall.host, running_bot.sandbox
    await hall.sign_up()
    messages["sign-up"] = hall.message
    messages["manage"] = (await hall.press(ann, TournamentAction.MANAGE)).message
    panel = await panels.opened(running_bot, ann, "settings")
    messages["more settings"] = (await panels.used(ann, panel, "settings more")).message
    messages["elsewhere"] = await private(ann, running_bot, "help", sandbox.channel("games-2"))
    messages["direct"] = await private(ann, running_bot, "me", ann.dm)
    dice = (await running_bot.press(ann, messages["gathering"], says("control.proof"))).message
    form = await running_bot.press(ann, dice, says("control.word"))
    messages["tournaments"] = await private(ann, running_bot, "tournament")
    opening = await form_of_tournament(ann, running_bot.games)
    return Intruders(running_bot, {**messages, "dice": dice}, hall.number, form, opening)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "kind",
    [
        *("out_of_place", "of_others", "altered", "menus", "forms", "questions", "commands"),
        "suggestions",
    ],
)
async def test_nothing_that_was_never_offered_gets_through(
    running_bot: RunningBot,
    sample: Sample,
    caplog: pytest.LogCaptureFixture,
    kind: str,
) -> None:
    house = await intruders(running_bot)
    await running_bot.client.router.closed()
    before = await running_bot.rows()
    public = [each for each in house.messages.values() if not each.ephemeral]
    shown = [(each.text, each.deleted, len(each.controls)) for each in public]
    tries = [*getattr(house, kind)()]
    made = sample(tries, SOME_TRIES)
    for send in made:
        caplog.clear()
        sent = await send().answered()
        if sent.act is Act.AUTOCOMPLETE:
            assert sent.choices == (), sent.data
        else:
            assert await running_bot.sentence(sent), sent.data
        await running_bot.client.router.closed()
        errors = [each for each in caplog.records if each.levelno >= logging.ERROR]
        assert not errors, (sent.data, errors)
    print(f"{kind}: {len(made)} of {len(tries)} tries, all refused")  # noqa: T201 - by -rP
    assert await running_bot.rows() == before
    assert [(each.text, each.deleted, len(each.controls)) for each in public] == shown
