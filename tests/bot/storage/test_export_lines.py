"""What a line of an export may say where its checks fit: what an export would have written."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.storage.export import WrongExport
from bot.storage.export.chain import Chain, body, unchained
from bot.storage.export.loading import load
from bot.storage.export.writing import write
from bot.storage.filling import filling
from bot.storage.reading import reading
from tests.bot.storage.everything import filled

Line: TypeAlias = dict[str, Any]
Taken: TypeAlias = Callable[[bytes], bytes]
Change: TypeAlias = Callable[[Line], object]


class Undone(Exception):
    """Takes back what was done with a database."""


def sealed(lines: list[Line]) -> bytes:
    chain = Chain()
    return b"".join(chain.line(body(line)) for line in lines)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> list[Line]:
    """The lines of an export with few games."""
    file = tmp_path_factory.mktemp("small") / "parlour.db"
    filled(file, 6)
    written = BytesIO()
    with reading(f"sqlite:///{file}") as connection:
        write(connection, written)
    written.seek(0)
    return [*unchained(written)]


@pytest.fixture
def lines(good: list[Line]) -> list[Line]:
    return copy.deepcopy(good)


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Taken:
    """What is exported again after an import, which is then undone."""
    address = f"sqlite:///{tmp_path_factory.mktemp('empty') / 'parlour.db'}"

    def taken(export: bytes) -> bytes:
        again = BytesIO()
        with suppress(Undone), filling(address) as connection:
            load(connection, BytesIO(export))
            write(connection, again)
            raise Undone
        return again.getvalue()

    return taken


def session(lines: list[Line], **members: Any) -> Line:
    """The first session with these members."""
    return next(
        line
        for line in lines
        if "session" in line and all(line[name] == value for name, value in members.items())
    )


def refusal(taken: Taken, lines: list[Line], line: Line) -> str:
    """What is said of a line, which must be the one that is named."""
    number = next(index for index, each in enumerate(lines, 1) if each is line)
    with pytest.raises(WrongExport) as error:
        taken(sealed(lines))
    said = str(error.value)
    assert "\n" not in said
    assert said.startswith(f"line {number} is "), said
    assert said.endswith(".")
    return said


def to(**members: Any) -> Change:
    """Gives members other values."""
    return lambda line: line.update(members)


def put(member: str, index: int, value: Any) -> Change:
    """Gives an item of a list another value."""
    return lambda line: line[member].__setitem__(index, value)


PLAYED = {"game": "tictactoe", "ending": "played"}
RUNNING = {"game": "tictactoe", "phase": "running"}
LUDO = {"game": "ludo", "phase": "running"}
CHALLENGE = {"game": "tictactoe", "phase": "lobby"}


@pytest.mark.parametrize(
    ("which", "change", "said"),
    [
        (PLAYED, to(game="chess"), 'game is "chess", but must be one of tictactoe, ludo'),
        (PLAYED, to(game=["ludo"]), "game is"),
        (PLAYED, to(options={"line": 3, "size": 6}), "size must be one of 3, 4, 5, not 6"),
        (PLAYED, to(options={"line": 5, "size": 3}), "5 in a row do not fit"),
        (PLAYED, to(options={"size": 3}), "options lacks line"),
        (PLAYED, to(options={"size": 3, "line": 3}), "order of the alphabet"),
        (PLAYED, to(options={"line": 3.0, "size": 3}), "whole numbers and texts"),
        (LUDO, lambda line: line["options"].update(tokens=True), "whole numbers and texts"),
        (PLAYED, to(pace="fast"), "one of live, correspondence, relaxed"),
        (PLAYED, to(locale="not a language"), "Discord's name of a language"),
        (PLAYED, to(guild=0), "whole number from 1 to"),
        (PLAYED, to(guild="71"), 'guild is "71", but must be a whole number'),
        (PLAYED, to(channel=1 << 63), "channel is"),
        (PLAYED, to(message=-5), "message is"),
        (PLAYED, to(host=None), "host is null"),
        (PLAYED, to(host=True), "host is true"),
        (PLAYED, to(opened_at=1.5), "opened_at is 1.5"),
        (PLAYED, to(moved_at=-1), "moved_at is -1"),
        (PLAYED, to(moved_at=253402300800000), "moved_at is"),
        (PLAYED, to(due="soon"), "due is"),
        (PLAYED, to(phase="over"), "one of lobby, running, finished, abandoned"),
        (PLAYED, to(phase="running"), "there is a payoff"),
        (RUNNING, to(phase="finished"), "there is no payoff"),
        (PLAYED, to(ending=None), "phase is finished, but ending is null"),
        (PLAYED, to(ending="closed"), "phase is finished, but ending is closed"),
        (PLAYED, to(ending="resigned"), "the moves lead to the end"),
        (RUNNING, to(ending="played"), "phase is running, but ending is played"),
        (RUNNING, to(finish=900), "phase is running, but finish is 900"),
        (PLAYED, to(finish=0), "finish is 0"),
        (PLAYED, to(revision=-1), "revision is -1"),
        (PLAYED, to(shown=10**6), "but the revision is"),
        (PLAYED, to(lapsed=True), "lapsed is true"),
        (PLAYED, to(lapsed=0), "must be true or false"),
        (PLAYED, to(offer=0), "offer is 0"),
        (RUNNING, to(offer=2), "offer is 2"),
        (LUDO, to(dice_secret="ab"), "64 hexadecimal digits"),
        (LUDO, to(dice_secret="AB" * 32), "lower case"),
        (PLAYED, to(seats=None), "a list of seats"),
        (PLAYED, to(seats=[{"kind": "ghost"}]), "one of the kinds human"),
        (PLAYED, to(seats=[{"kind": []}]), "one of the kinds human"),
        (PLAYED, lambda line: line["seats"].pop(), "2 shares for 1 seats"),
        (RUNNING, lambda line: line["seats"].append({"kind": "vacant"}), "for 2 seats, not 3"),
        (RUNNING, put("seats", 0, {"kind": "vacant"}), "has come"),
        (RUNNING, lambda line: line["seats"].__setitem__(0, line["seats"][1]), "two seats"),
        (CHALLENGE, lambda line: line["seats"].append({"kind": "vacant"}), "there are 3 seats"),
        (LUDO, lambda line: line["seats"][1].update(level="best"), 'level is "best"'),
        (LUDO, lambda line: line["seats"][1].pop("level"), "level is missing"),
        (LUDO, lambda line: line["seats"][1].update(person=5), 'has "person"'),
        (PLAYED, to(payoff=[1, -1]), "decimal point"),
        (PLAYED, to(payoff=[2.0, -2.0]), "from -1.0 to 1.0"),
        (PLAYED, to(payoff=[0.25, -0.25]), "the moves lead to payoff"),
        (LUDO, to(payoff=[0.0] * 3), "there is a payoff"),
        (PLAYED, lambda line: line["times"].pop(), "times for"),
        (PLAYED, lambda line: (line["moves"].pop(), line["times"].pop()), "lead to no end"),
        (PLAYED, put("moves", 0, 9), "ply 0: 9 is not among the legal"),
        (PLAYED, lambda line: line["moves"].__setitem__(1, line["moves"][0]), "ply 1:"),
        (PLAYED, to(moves=[True]), "moves is"),
        (PLAYED, put("moves", 0, 0.0), "moves is"),
        (LUDO, put("moves", 0, 7), "ply 0: 7 is not among the legal"),
        (CHALLENGE, lambda line: (line["moves"].append(0), line["times"].append(0)), "are moves"),
        (PLAYED, put("times", 0, -(10**15)), "a move was played at"),
        (PLAYED, lambda line: line.pop("pace"), "pace is missing"),
        (PLAYED, to(mood="good"), 'has "mood", which is not known here'),
        (PLAYED, lambda line: line.update(pace=line.pop("pace")), "another order"),
        (PLAYED, to(rematch=1), "a rematch has a greater number"),
        (PLAYED, to(rematch=10**6), "there is no session 1000000"),
    ],
)
def test_a_session_that_cannot_be_is_refused(
    lines: list[Line], taken: Taken, which: Line, change: Change, said: str
) -> None:
    line = session(lines, **which)
    change(line)
    assert said in refusal(taken, lines, line)


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        ("person", to(person=1.0), "person is 1.0, but must be a whole number"),
        ("person", to(form="opera"), "one of message, words, image"),
        ("person", to(language=""), "Discord's name of a language, or null"),
        ("person", to(challenges=None), "true or false"),
        ("person", to(blocked=[3, 2]), "ascending"),
        ("person", to(blocked=[3, 3]), "ascending"),
        ("person", to(blocked=["3"]), "a list of people"),
        (
            "person",
            to(form=None, language=None, challenges=True, blocked=[]),
            "it says nothing",
        ),
        ("server", to(server=0), "server is 0, but must be"),
        ("server", to(games=51), "a whole number from 1 to 50"),
        ("server", to(left_at=-1), "left_at is -1"),
        ("server", to(channels=[5, 5]), "ascending"),
        ("end", lambda line: line["end"].update(moves=0), "it counts"),
        ("end", lambda line: line["end"].pop("moves"), "moves is missing"),
        ("end", to(end=[]), "an object of counts"),
        ("format", to(format="Parlour game"), 'reads "Parlour export" of version 1'),
        ("format", to(version=2), "of version 2, but this version"),
        ("format", to(next_session=0), "next_session is 0"),
        ("format", to(app="parlour"), 'has "app"'),
    ],
)
def test_choices_settings_and_frame_are_held_against_types_and_ranges(
    lines: list[Line], taken: Taken, kind: str, change: Change, said: str
) -> None:
    line = next(line for line in lines if kind in line)
    change(line)
    assert said in refusal(taken, lines, line)


def test_lines_come_in_order_and_once(lines: list[Line], taken: Taken) -> None:
    for index, line in enumerate(lines):
        again = copy.deepcopy(line)
        assert " come" in refusal(taken, [*lines[: index + 1], again, *lines[index + 1 :]], again)
    assert "the first line names the format" in refusal(taken, lines[1:], lines[1])
    swapped = [lines[0], lines[2], lines[1], *lines[3:]]
    assert "does not come after" in refusal(taken, swapped, lines[1])


def test_what_one_line_says_of_another_is_held_against_it(lines: list[Line], taken: Taken) -> None:
    last = session(lines, session=lines[-2]["session"])
    lines[0]["next_session"] = last["session"]
    assert "next_session was" in refusal(taken, lines, last)


def test_two_sessions_have_neither_one_finish_nor_one_rematch(
    good: list[Line], taken: Taken
) -> None:
    for member in ("finish", "rematch"):
        lines = copy.deepcopy(good)
        one, other = [line for line in lines if line.get("finish")][:2]
        value = lines[-2]["session"] if member == "rematch" else one["finish"]
        one[member] = other[member] = value
        assert f"{member} is {value}, which another session has" in refusal(taken, lines, other)


@pytest.mark.parametrize(
    "written",
    [
        b'{"person":5, "form":null',
        b'{"person":5,"person":6',
        b'{"person":5e0',
        b'{"person":NaN',
        b'{"person":"\xc3\xa4"',
        b'{"person":"\xff"',
        b'{"person":' + b"9" * 5000,
        b'{"person":' + b"[" * 100_000,
        b"[5",
        b"",
    ],
)
def test_a_line_has_one_way_to_be_written(lines: list[Line], taken: Taken, written: bytes) -> None:
    chain = Chain()
    export = chain.line(body(lines[0])) + chain.line(written)
    with pytest.raises(WrongExport, match="line 2 is not written as lines of an export are"):
        taken(export)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 120)
    | st.sampled_from([-(1 << 63), 1 << 31, (1 << 63) - 1, 1 << 63, 1 << 70])
    | st.floats(-1, 1)
    | st.sampled_from(["", "human", "vacant", "finished", "played", "closed", "de", "\ud800", "x"]),
    lambda values: st.lists(values, max_size=3),
    max_leaves=4,
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in a value with each of its keys."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_whatever_is_taken_is_exported_again_byte_for_byte(
    good: list[Line], taken: Taken, data: st.DataObject
) -> None:
    lines = copy.deepcopy(good)
    number = data.draw(st.integers(0, len(lines) - 1))
    around, key = data.draw(st.sampled_from([*places(lines[number])]))
    around[key] = data.draw(VALUES)
    export = sealed(lines)
    with suppress(WrongExport):
        assert taken(export) == export
