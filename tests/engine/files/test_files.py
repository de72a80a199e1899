"""Finished games as text and JSON: written, read back from JSON, refused if not played so."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import roster
from engine.__main__ import COMMANDS, parser
from engine.files import json_text, text
from engine.files.record import PLAYED, UNFINISHED, NotARecord, Record, RecordFault, exact, verified
from engine.files.text import turns
from engine.game import Game, InvalidOptions, Move, Options
from engine.games import ludo, tictactoe
from engine.terminal.console import BadCommand, InputEnded, Outside
from engine.terminal.replay import QUESTION
from tests import toy

ROOT = Path(__file__).parents[3]

TABLES = [
    (game, seats, name)
    for game in roster.games().values()
    for seats in game.seats
    for name in ("", *game.presets)
]

WON = Record(
    tictactoe.GAME, 2, {}, tuple(map(Move, (0, 4, 1, 6, 2))), PLAYED,
    (Fraction(1), Fraction(-1)), 17,
)  # fmt: skip
TOLD = """\
Parlour game 1
number: 17
game: tictactoe
seats: 2
ending: played
result: 1 -1

1. X a3
2. O b2
3. X b3
4. O a1
5. X c3
"""


def random_record(game: Game[Any], seats: int, options: Options, seed: int) -> Record:
    """A random game to its end; of odd seeds one that ended before by a resignation."""
    rng = Random(seed)
    moves: list[Move] = []
    state = game.start(seats, options)
    while (payoff := state.payoff()) is None:
        moves.append(rng.choice(state.moves()))
        state = state.play(moves[-1])
    played, ending = tuple(moves), PLAYED
    if seed % 2:
        played, ending = played[: rng.randrange(len(played))], "resigned"
        payoff = (-1.0, *[1 / (seats - 1)] * (seats - 1))
    settled = game.settled(options)
    return Record(game, seats, settled, played, ending, exact(payoff), rng.choice([None, seed]))


@pytest.mark.parametrize(("game", "seats", "preset"), TABLES)
def test_every_preset_is_read_as_it_was_written(game: Game[Any], seats: int, preset: str) -> None:
    for seed in range(6):
        record = random_record(game, seats, game.presets.get(preset, {}), seed)
        assert verified(record) == record
        assert json_text.read(json_text.written(record)) == record
        assert not record.moves or text.read(text.written(record)) == record


@given(st.data(), st.sampled_from(list(roster.games().values())), st.integers(0, 99))
def test_any_options_are_read_as_they_were_written(
    data: st.DataObject, game: Game[Any], seed: int
) -> None:
    chosen = {option.key: data.draw(st.sampled_from(option.values)) for option in game.options}
    seats = data.draw(st.sampled_from(game.seats))
    try:
        game.start(seats, chosen)
    except InvalidOptions:
        return
    record = random_record(game, seats, chosen, 2 * seed + 1)
    assert json_text.read(json_text.written(record)) == record
    assert not record.moves or text.read(text.written(record)) == record


def test_a_game_reads_as_one_would_tell_it() -> None:
    assert text.written(WON) == TOLD


def test_the_dice_stand_in_brackets_and_a_turn_has_all_of_its_rolls() -> None:
    moves = (4, 2, 6, 0, 3, 0, 5)
    record = Record(
        ludo.GAME, 2, {"tokens": 2}, tuple(map(Move, moves)), "resigned",
        (Fraction(1), Fraction(-1)),
    )  # fmt: skip
    assert text.written(record).splitlines()[3:] == [
        "options: tokens=2",
        "ending: resigned",
        "result: 1 -1",
        "",
        "1. red (4)",
        "2. green (2)",
        "3. red (6) 1 (3) 1",
        "4. green (5)",
    ]


def test_a_game_that_the_first_seat_began_says_so() -> None:
    moves = (4, 2, 6, 0, 3)
    record = Record(
        ludo.GAME, 2, {"begins": "first seat"}, tuple(map(Move, moves)), "resigned",
        (Fraction(1), Fraction(-1)),
    )  # fmt: skip
    written = text.written(record)
    assert written.splitlines()[3:] == [
        "options: begins=first seat",
        "ending: resigned",
        "result: 1 -1",
        "",
        "1. red (4)",
        "2. green (2)",
        "3. red (6) 1 (3)",
    ]
    assert text.read(written).chosen == {"begins": "first seat"}


def test_a_game_without_options_and_names_is_told_by_numbers() -> None:
    thirds = (Fraction(-1, 2), Fraction(1), Fraction(-1, 2))
    record = Record(toy.GAME, 3, {}, (Move(3), Move(1)), "resigned", thirds)
    assert text.written(record).splitlines()[1:] == [
        "game: twentyone",
        "seats: 3",
        "ending: resigned",
        "result: -1/2 1 -1/2",
        "",
        "1. player 1 3",
        "2. player 2 1",
    ]


def test_only_options_are_written_that_do_not_follow_from_others() -> None:
    def chosen(**options: int) -> Options:
        return random_record(tictactoe.GAME, 2, options, 0).chosen

    assert chosen() == {}
    assert chosen(size=4) == {"size": 4}
    assert chosen(size=4, line=3) == {"size": 4, "line": 3}


def test_the_thirds_that_a_payoff_was_rounded_from_are_found() -> None:
    assert exact((2 / 3 - 1, 1 - 2 / 3)) == (Fraction(-1, 3), Fraction(1, 3))


def test_the_roll_off_and_the_first_turn_are_apart_though_the_same_seat_rolls() -> None:
    played = turns(ludo.GAME, 2, {}, [*map(Move, (2, 5, 3, 1))])
    assert [(turn.seat, turn.moves) for turn in played] == [
        (0, (2,)),
        (1, (5,)),
        (1, (3,)),
        (0, (1,)),
    ]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": "PGN"}, "has the format 'Parlour game'"),
        ({"version": 2}, "version must be 1, not 2"),
        ({"game": "go"}, "no game called 'go'"),
        ({"game": 3}, "'game' must be a text, not 3"),
        ({"seats": True}, "'seats' must be a whole number, not true"),
        ({"moves": [0, 4.5]}, r"'moves' has 4\.5"),
        ({"moves": [0, 0]}, "ply 1: 0 is not among the legal moves"),
        ({"options": {"size": 9}}, "size must be one of"),
        ({"options": {"size": 3.0}}, "size must be a whole number or a text, not 3.0"),
        ({"result": [1, "-1"]}, "'result' has \"-1\""),
        ({"number": "17"}, "'number' must be a whole number"),
        ({"seats": 3}, "tictactoe is for 2 seats, not 3"),
        ({"moves": [0, 4, 1, 6]}, "the moves do not lead to the end of the game, but"),
        ({"ending": "resigned"}, "the moves lead to the end of the game, but"),
        ({"result": [-1, 1]}, "the moves lead to another result"),
        ({"result": [1, 1]}, "adds up to 0"),
        ({"result": [2, -2]}, "between -1 and 1"),
        ({"result": [0]}, "2 seats, but results of 1"),
    ],
)
def test_json_of_another_kind_is_refused_with_a_sentence(
    changes: dict[str, object], sentence: str
) -> None:
    values = json.loads(json_text.written(WON))
    with pytest.raises(NotARecord, match=sentence):
        json_text.read(json.dumps(values | changes))


def test_what_is_no_json_at_all_is_refused_with_its_line() -> None:
    with pytest.raises(NotARecord, match="line 2: this is not JSON"):
        json_text.read('{\n"format": }')
    with pytest.raises(NotARecord, match="NaN is not a number"):
        json_text.read('{"result": [NaN]}')
    with pytest.raises(NotARecord, match="has the format"):
        json_text.read("[]")
    with pytest.raises(NotARecord):  # how deep lists may be differs by version of Python
        json_text.read("[" * 100_000)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "9" * 5_000])
@pytest.mark.parametrize("key", ["result", "moves", "seats", "number", "version"])
def test_json_with_a_number_beyond_all_games_is_refused(key: str, number: str) -> None:
    values = json.loads(json_text.written(WON))
    values[key] = [777] if isinstance(values[key], list) else 777
    changed = json.dumps(values).replace("777", number)
    with pytest.raises(NotARecord, match="no game has"):
        json_text.read(changed)


def test_a_fault_of_json_is_found_at_its_line() -> None:
    written = json.dumps(json.loads(json_text.written(WON)) | {"moves": [0, 4, 4, 6]}, indent=0)
    for changed, place in ((written, "4,\n6"), (written.replace('"tictactoe"', '"go"'), '"game"')):
        with pytest.raises(NotARecord) as refused:
            text.read(changed)
        assert refused.value.line == changed.count("\n", 0, changed.index(place)) + 1


def test_a_fault_of_moves_whose_key_has_escapes_is_refused_too() -> None:
    written = json.dumps(json.loads(json_text.written(WON)) | {"moves": [0, 4, 4]})
    changed = written.replace('"moves"', '"mov\\u0065s"')[:-1] + ', "z": {"moves": []}}'
    with pytest.raises(NotARecord, match="line 1: ply 2: 4 is not among the legal moves"):
        json_text.read(changed)


@pytest.mark.parametrize(
    ("written", "game", "moves"),
    [
        ("a3 b2\nb3\na1 c3\n", "tictactoe", (0, 4, 1, 6, 2)),
        ("\n1. X a3 \n2. o B2", "tictactoe", (0, 4)),
        ("options: size=5, line=4\na5 e1", "tictactoe", (0, 24)),
        ("443526", "connectfour", (3, 3, 2, 4, 1, 5)),
        ("1. 4 4\n2... 3 5", "connectfour", (3, 3, 2, 4)),
        ("game: connectfour\noptions: size=9x7\n9 1", "tictactoe", (8, 0)),
    ],
)
def test_a_list_of_moves_is_a_game(written: str, game: str, moves: tuple[int, ...]) -> None:
    record = text.read(written, roster.game(game))
    assert record.moves == moves
    assert record.ending == (PLAYED if len(moves) == 5 else UNFINISHED)


@pytest.mark.parametrize(
    ("written", "line", "fault", "about"),
    [
        ("a3\na3", 2, RecordFault.MOVE, "a3"),
        ("a3\n\nhello", 3, RecordFault.MOVE, "hello"),
        ("a3 a2\nb3 b2\nc3\nc1", 4, RecordFault.MOVE, "c1"),
        ("game: go\na3", 1, RecordFault.UNCLEAR, "go"),
        ("options: size=3\nseats: 3\na3", 2, RecordFault.UNCLEAR, "3"),
        ("seats: two\na3", 1, RecordFault.UNCLEAR, "two"),
        ("\noptions: size=9\na3", 2, RecordFault.UNCLEAR, "size"),
        ("options: large\na3", 1, RecordFault.UNCLEAR, "large"),
        ("colour: red\na3", 1, RecordFault.UNCLEAR, "colour"),
        ("Parlour game 2\na3", 1, RecordFault.UNCLEAR, "Parlour game 2"),
        (TOLD + TOLD, 13, RecordFault.SECOND, ""),
        ("a3\ngame: tictactoe\na3", 2, RecordFault.SECOND, ""),
        (TOLD.replace("1 -1", "-1 1"), 6, RecordFault.END, ""),
        (TOLD.replace("1 -1", "1"), 6, RecordFault.END, ""),
        (TOLD.replace("1 -1", "x"), 6, RecordFault.UNCLEAR, "x"),
        (TOLD.replace("played", "resigned"), 5, RecordFault.END, ""),
        ("", 1, RecordFault.EMPTY, ""),
        ("game: tictactoe\n", 1, RecordFault.EMPTY, ""),
    ],
)
def test_a_wrong_text_is_refused_with_its_line_and_the_reason(
    written: str, line: int, fault: RecordFault, about: str
) -> None:
    with pytest.raises(NotARecord, match=f"^line {line}: ") as refused:
        text.read(written, tictactoe.GAME)
    assert (refused.value.fault, refused.value.about) == (fault, about)


@given(st.text(max_size=80) | st.text("123456789abc .:=()\n", max_size=80))
def test_any_text_is_a_game_or_is_refused_with_a_line(written: str) -> None:
    for game in (tictactoe.GAME, ludo.GAME):
        found: int | None = None
        try:
            found = len(text.read(written, game).moves)
        except NotARecord as refused:
            found = refused.line
        assert found


class Reader:
    """A console with a list of answers, after which its input ends."""

    def __init__(self, answers: Iterable[str]) -> None:
        self.answers = iter(answers)
        self.lines: list[str] = []

    def say(self, line: str = "") -> None:
        self.lines.append(line)

    def ask(self, prompt: str) -> str:
        assert prompt == QUESTION
        for answer in self.answers:
            return answer
        raise InputEnded

    def note(self, line: str) -> None:
        """Drop the passing line."""


def replayed(file: Path, *words: str, answers: Iterable[str] = ()) -> list[str]:
    console = Reader(answers)
    arguments = parser().parse_args(["replay", str(file), *words])
    COMMANDS["replay"].run(arguments, Outside(console, lambda: 0.0, Random(1), cores=1))
    return console.lines


@pytest.fixture
def won(tmp_path: Path) -> Path:
    file = tmp_path / "game-17.json"
    file.write_text(json_text.written(WON))
    return file


def test_the_process_answers_what_is_no_game_with_one_sentence_and_code_2(won: Path) -> None:
    won.write_text("e4 e5")
    command = [sys.executable, "-m", "engine", "replay", str(won), "--end"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert ended.returncode == 2
    assert ended.stderr == "line 1: it names no game: a line such as game: tictactoe is missing\n"


BOARD = {
    0: "\n 7 | 8 | 9\n---+---+---\n 4 | 5 | 6\n---+---+---\n 1 | 2 | 3\n",
    1: "\n X | 8 | 9\n---+---+---\n 4 | 5 | 6\n---+---+---\n 1 | 2 | 3\n",
    5: "\n X | X | X\n---+---+---\n 4 | O | 6\n---+---+---\n O | 2 | 3\n",
}


def test_the_terminal_shows_how_a_game_ended(won: Path) -> None:
    heading = "Game 17: tictactoe (size=3, line=3), 2 seats"
    assert replayed(won, "--end") == [heading, "\n5. X c3", BOARD[5], "X has won."]


def test_the_terminal_steps_through_a_game(won: Path) -> None:
    shown = replayed(won, answers=["", "b", "B", "what", "e", ""])[1:]
    assert shown == [
        BOARD[0], "\n1. X a3", BOARD[1], BOARD[0], BOARD[0], "'what' is none of these.",
        "\n5. X c3", BOARD[5], "X has won.",
    ]  # fmt: skip


def test_every_turn_of_ludo_is_one_step(tmp_path: Path) -> None:
    record = random_record(ludo.GAME, 4, ludo.GAME.presets["quick"], 1)
    file = tmp_path / "game.json"
    file.write_text(json_text.written(record))
    shown = replayed(file, answers=itertools.repeat(""))
    told = [line.strip() for line in shown if line.startswith("\n") and line[1].isdigit()]
    written = [line for line in text.written(record).splitlines() if line[:1].isdigit()]
    assert told == written
    assert shown[-1] == "green and yellow and blue have won (resigned)."


@pytest.mark.parametrize(
    ("result", "sentence"),
    [((0, 0), "The game is a draw (agreed)."), ((-1, 1), "O has won (agreed).")],
)
def test_an_ending_that_was_not_played_out_is_told(
    tmp_path: Path, result: tuple[int, int], sentence: str
) -> None:
    shares = tuple(map(Fraction, result))
    record = Record(tictactoe.GAME, 2, {}, (Move(4),), "agreed", shares)
    (tmp_path / "game").write_text(json_text.written(record))
    assert replayed(tmp_path / "game", "--end")[-1] == sentence


def test_a_file_that_cannot_be_read_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadCommand, match="nothing cannot be read: No such file"):
        replayed(tmp_path / "nothing")
    (tmp_path / "picture").write_bytes(b"\x89PNG\xff")
    with pytest.raises(BadCommand, match="it is not text"):
        replayed(tmp_path / "picture")


@pytest.mark.parametrize("written", [text.written(WON), json_text.written(WON)])
def test_a_file_with_a_mark_of_its_byte_order_is_read(tmp_path: Path, written: str) -> None:
    (tmp_path / "game").write_text(written, encoding="utf-8-sig")
    assert replayed(tmp_path / "game", "--end")[-1] == "X has won."
