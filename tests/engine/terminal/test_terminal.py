"""The commands of `python -m engine`, with a typist who answers from lists."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
import termios
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from engine.__main__ import COMMANDS, parser
from engine.arena import NoLuck, WrongNumberOfAgents
from engine.files import json_text
from engine.files.record import PLAYED, UNFINISHED, Record
from engine.game import InvalidOptions, Move, Reason, Seat
from engine.games.connectfour import GAME as FOUR
from engine.games.ludo import GAME as LUDO
from engine.games.ludo.review import ABOUT, TokenReason
from engine.games.tictactoe import GAME
from engine.games.tictactoe.notation import TicTacToeNotation
from engine.games.tictactoe.review import MarkReason
from engine.notation import Plain, notation, value_name
from engine.review import MoveReview, WeighedMove
from engine.roster import Unknown
from engine.terminal.console import BadCommand, InputEnded, Outside, figure
from engine.terminal.review import English

ROOT = Path(__file__).parents[3]


CELLS = [f"{column}{row}" for column in "abcde" for row in "12345"]


class Typist:
    """A console with an answer to every kind of question until its lists end.

    When the moves on the list are used up, every cell is tried in turn.
    """

    def __init__(
        self, *, seat: Iterable[str] = (), moves: Iterable[str] = (), again: Iterable[str] = ("no",)
    ) -> None:
        self.answers = {
            "Who": iter(seat),
            "Your": itertools.chain(moves, itertools.cycle(CELLS)),
            "Play": iter(again),
        }
        self.lines: list[str] = []
        self.notes: list[str] = []

    def say(self, line: str = "") -> None:
        self.lines.append(line)

    def ask(self, prompt: str) -> str:
        self.lines.append(prompt)
        for answer in self.answers[prompt.split(maxsplit=1)[0]]:
            return answer
        raise InputEnded

    def note(self, line: str) -> None:
        self.notes.append(line)

    @property
    def seen(self) -> str:
        return "\n".join(self.lines)


def run(command: str, typist: Typist | None = None, *, seed: int = 1) -> Typist:
    console = typist or Typist()
    ticks = itertools.count()
    arguments = parser().parse_args(command.split())
    outside = Outside(console, lambda: next(ticks) / 1000, Random(seed), cores=1)
    COMMANDS[arguments.command].run(arguments, outside)
    return console


def test_a_game_is_won_with_keypad_digits_and_cell_names() -> None:
    # rules-centre takes 5; the opposite corners 7 and 3 and then 1 fork it.
    typist = Typist(seat=["x"], moves=["7", "c1", "A1", "4", "2"])
    seen = run("play tictactoe --against rules-centre", typist).seen
    assert "Who do you want to be: X, O, or random?" in seen
    assert "You are X." in seen
    assert "O plays 5." in seen
    assert "Your move (1-9 or a1-c3):" in seen
    assert re.search(r"(You have won!|O has won\.|The game is a draw\.)\nPlay again\?", seen)


def test_the_winner_is_named() -> None:
    lost = run("play tictactoe --against perfect --as O -o size=4 -o line=3", Typist(moves=["a1"]))
    assert "X has won." in lost.lines
    seen = [
        run("play tictactoe --against random --as X", Typist(moves="789"), seed=seed).seen
        for seed in range(10)
    ]
    assert any("You have won!" in lines for lines in seen)


def test_the_free_cells_show_their_keypad_digits() -> None:
    state = GAME.replay(2, {}, [Move(4), Move(0)])
    assert notation(GAME).drawing(state).splitlines() == [
        " O | 8 | 9",
        "---+---+---",
        " 4 | X | 6",
        "---+---+---",
        " 1 | 2 | 3",
    ]


def test_larger_boards_show_letters_and_numbers() -> None:
    state = GAME.start(2, {"size": 4})
    assert notation(GAME).drawing(state).splitlines()[0] == " a4 | b4 | c4 | d4"
    assert notation(GAME).how_to_move(state) == "a1-d4"


def test_bad_input_is_explained_and_asked_again() -> None:
    seen = run("play tictactoe --as X", Typist(moves=["12", "", "b2", "5"])).seen
    assert "You cannot play '12' here. You can play 7, 8, 9, 4, 5, 6, 1, 2, 3." in seen
    assert "You cannot play '' here." in seen
    assert "You cannot play '5' here." in seen


def test_the_last_free_cell_is_taken_without_a_question() -> None:
    seen = run("play tictactoe --against perfect --as X", Typist(moves=["5"]))
    draws = [line for line in seen.lines if line.startswith("You can only play")]
    assert len(draws) == ("The game is a draw." in seen.lines)


def test_a_seat_that_is_none_is_asked_again_and_an_empty_answer_takes_any() -> None:
    taken = set()
    for seed in range(8):
        seen = run("play tictactoe", Typist(seat=["Z", ""]), seed=seed)
        assert seen.lines[0] == seen.lines[1] == "Who do you want to be: X, O, or random? "
        taken.add(seen.lines[2])
    assert taken == {"You are X.", "You are O."}


def test_another_game_is_played_after_a_yes_alone() -> None:
    typist = Typist(seat=["X", "O"], again=["perhaps", "yes", "N"])
    seen = run("play tictactoe", typist).lines
    assert [line for line in seen if line.startswith("You are")] == ["You are X.", "You are O."]
    assert seen.count("Please answer yes or no.") == 1


def test_the_computer_tells_what_it_thinks_when_asked_to() -> None:
    seen = run("play tictactoe --as X --against alphabeta --think", Typist(moves=["5", "6"])).seen
    assert "  values  7: 0, 9: 0, 1: 0, 3: 0, 8: loses in 6" in seen
    assert re.search(r"  search  [\d,]+ nodes, [\d,]+ cut-offs, \d plies", seen)
    assert re.search(r"  expects [1-9]( [1-9])+", seen)


def test_means_of_playouts_are_told_as_means_however_much_like_a_proof() -> None:
    typist = Typist(seat=["O"])
    seen = run("play tictactoe --against mcts:60 --think", typist, seed=3).seen
    values = re.findall(r"  values  (.*)", seen)
    assert values
    for each in ", ".join(values).split(", "):
        assert re.fullmatch(r"\d: [+-]\d\.\d{3} of \d+ playouts?", each), each


def test_a_third_game_without_a_notation_is_shown_plainly() -> None:
    state = GAME.start(2, {})
    plain = Plain()
    assert plain.drawing(state) == str(state)
    assert plain.names(state, Move(3)) == ("3",)
    assert plain.how_to_move(state) == "0, 1, 2, 3, 4, 5, 6, 7, 8"


def test_a_match_shows_its_progress_and_then_every_share_with_its_interval() -> None:
    seen = run("arena rules-fork random --games 50 --cores 1")
    assert seen.notes[-1] == ""
    assert "50/50" in seen.notes[-2]
    assert seen.lines[0] == "rules-fork against random, tictactoe (size=3, line=3), 2 seats"
    assert "50 games, seats alternated, Wilson intervals of 95 %" in seen.lines[1]
    assert re.fullmatch(r"  lost +0 +0\.00%  \[ *0\.00%, +7\.13%\]", seen.lines[4])


def test_a_match_is_told_to_programs_as_json() -> None:
    seen = run("arena random perfect --games 20 --json --sprt 0 400")
    found = json.loads(seen.seen)
    assert found["agents"] == ["random", "perfect"]
    assert sum(found[each]["games"] for each in ("won", "drawn", "lost")) == found["games"] <= 20
    assert found["won"]["low"] <= found["won"]["share"] < found["won"]["high"]
    assert found["sprt"]["elo"] in {None, 0}


def test_a_match_ends_when_the_sequential_test_has_told() -> None:
    seen = run("arena perfect random --games 5000 --sprt 0 100").seen
    games = int(re.search(r"([\d,]+) games", seen)[1].replace(",", ""))  # type: ignore[index]
    assert games < 500
    assert "stronger by 100 Elo rather than by 0: log likelihood ratio" in seen


def test_a_sequential_test_ends_after_the_same_games_on_one_core_and_on_two() -> None:
    words = "arena perfect random --sprt 0 300 --games 60 --seed 3 --json --cores"
    one, two = (json.loads(started(*f"{words} {cores}".split()).stdout) for cores in (1, 2))
    assert one["games"] == two["games"] < 60
    assert one["won"] == two["won"]


def test_luck_is_taken_out_of_a_match_of_ludo() -> None:
    seen = run("arena rules random --game ludo --preset quick --games 20 --without-luck").seen
    plain, without = re.findall(r"\[ *(\d+\.\d+)%, +(\d+\.\d+)%\]", seen)[::3][:2]
    assert float(without[1]) - float(without[0]) < float(plain[1]) - float(plain[0])


@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "0"), (0.000123, "0.000123"), (1.5, "1.50"), (42.46, "42.5"), (12345.6, "12,300")],
)
def test_figures_have_no_exponent(number: float, told: str) -> None:
    assert figure(number) == told


def test_a_finished_game_is_saved_for_replay_and_review(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run(f"play tictactoe --against rules-corner --as X --save {file}")
    record = json_text.read(file.read_text("utf-8"))
    assert record.ending == PLAYED
    assert "Game: tictactoe" in run(f"replay {file} --end").seen


def test_a_game_can_be_left(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    seen = run(f"play tictactoe --as X --save {file}", Typist(moves=["5", "quit"]))
    assert not file.exists()
    assert "Play again" not in seen.seen


def test_output_that_nobody_reads_any_more_ends_the_process_quietly() -> None:
    words = [sys.executable, "-m", "engine", "compare", "tictactoe"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as ended:
        assert ended.stdout is not None
        ended.stdout.close()
        assert ended.stderr is not None
        assert not ended.stderr.read()
    assert ended.returncode == 141


def test_one_game_is_not_told_as_one_games() -> None:
    assert run("arena random random --games 1 --cores 1").lines[1].startswith("1 game, ")
    matrix = run("arena --matrix random perfect --games 1 --cores 1").lines
    assert matrix[0].startswith("| 1 game a pair |")


def test_fouls_of_an_agent_of_a_file_are_told_in_the_table_and_in_the_json(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from engine import Thought\n"
        "class Half:\n"
        "    def __init__(self, rng): pass\n"
        "    def think(self, state, budget): return Thought(state.moves()[0] + 0.5)\n"
    )
    mine = f"{file}:Half"
    seen = run(f"arena {mine} random --games 3 --cores 1")
    assert f"  {mine} lost 3 games by fouls" in seen.lines
    reason = "raised TypeError: a move is a whole number, not 0.5"
    assert re.search(rf"    \d times? it {reason}, first at ply 0 of game 0", seen.seen)
    found = json.loads(run(f"arena {mine} random --games 1 --cores 1 --json").seen)
    assert found["lost"]["games"] == 1
    assert found["fouls"] == [{"game": 0, "agent": mine, "ply": 0, "reason": reason}]
    with pytest.raises(BadCommand, match="there is no file"):
        run("arena nothing.py:Half random")


def test_words_of_an_agent_do_not_fall_into_the_json(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from engine import Thought\n"
        "class Chatty:\n"
        "    def __init__(self, rng): pass\n"
        "    def think(self, state, budget):\n"
        "        print('I think', flush=True)\n"
        "        return Thought(state.moves()[0])\n"
    )
    words = f"arena {file}:Chatty random --games 1 --cores 1 --json"
    seen = started(*words.split())
    assert json.loads(seen.stdout)["fouls"] == []
    assert "I think" in seen.stderr


def test_a_matrix_has_every_pair_from_both_sides() -> None:
    seen = run("arena --matrix random rules-corner perfect --games 40 --cores 1").lines
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in seen]
    assert rows[0] == ["40 games a pair", "random", "rules-corner", "perfect"]
    assert [row[0] for row in rows[2:]] == ["random", "rules-corner", "perfect"]
    random, perfect = rows[2], rows[4]
    assert random[3].split(" / ") == perfect[1].split(" / ")[::-1]
    assert random[3].startswith("0.0 / ")
    assert rows[3][2] == ""


def test_algorithms_are_compared_on_a_chosen_position() -> None:
    seen = run("compare tictactoe --moves 5 8 --agents negamax alphabeta perfect solver")
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in seen.lines[2:]]
    assert seen.lines[1] == "X is to move; numbers are for X.\n"
    assert rows[0] == ["agent", "value", "best moves", "nodes", "cut-offs", "ms"]
    assert [row[0] for row in rows[2:]] == ["negamax", "alphabeta", "perfect", "solver"]
    assert {row[1] for row in rows[2:]} == {"X wins in 5"}
    assert len({row[2] for row in rows[2:]}) == 1
    nodes = [int(row[3].replace(",", "")) for row in rows[2:]]
    assert nodes[0] > nodes[1] > nodes[3] > nodes[2] == 0


def test_by_default_all_agents_that_search_are_compared() -> None:
    seen = run("compare --moves 5 7 3")
    assert {"minimax", "minimax-in-one", "negamax", "alphabeta-negamax"} <= set(seen.seen.split())
    assert "random" not in seen.seen


def test_a_search_of_a_long_game_is_cut_short_and_marked_and_one_of_a_small_game_is_not() -> None:
    seen = run("compare connectfour --agents minimax alphabeta:1 mcts:9").lines
    minimax, depth, mcts = seen[-4:-1]
    assert minimax.startswith("| minimax ")
    assert minimax.endswith(" * |")
    assert "*" not in depth + mcts
    assert seen[-1] == "\n* cut short after 3 s; give more --seconds to go on"
    assert "*" not in run("compare connectfour --agents minimax@0.1").seen
    assert "549,945" in run("compare tictactoe --agents minimax").seen


@pytest.mark.parametrize(
    ("command", "error", "sentence"),
    [
        ("play go", Unknown, "no game called 'go'"),
        ("play tictactoe --as Z", BadCommand, "there is no seat 'Z'; there are X, O, or random"),
        ("play tictactoe --seats 3", InvalidOptions, "for 2 seats, not 3"),
        ("play tictactoe -o size=9", InvalidOptions, "size must be one of 3, 4, 5, not 9"),
        ("play tictactoe -o size", BadCommand, "typed as KEY=VALUE"),
        ("play tictactoe --preset quick", BadCommand, "no preset 'quick'"),
        ("compare --agents stockfish", Unknown, "no agent called 'stockfish'"),
        ("compare --moves 5 5", BadCommand, "'5' is not among the moves"),
        ("compare --moves 7 1 8 2 9", BadCommand, "the game is over"),
        ("arena random", WrongNumberOfAgents, "2 seats are for 2"),
        ("arena random random --without-luck", NoLuck, "out of tictactoe: it needs dice"),
        ("arena random random --sprt 10 0", BadCommand, "--sprt: of the two Elo the first"),
        ("arena random random random --game ludo --seats 3 --sprt 0 9", BadCommand, "two agents"),
        ("arena random random --matrix --json", BadCommand, "without --json and --sprt"),
        ("play tictactoe --save README.md", BadCommand, "README.md is there already"),
        ("play tictactoe --save none/game.json", BadCommand, "in no folder that there is"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(
    command: str, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        run(command)


@pytest.mark.parametrize("typed", ["0", "-1", "nan"])
@pytest.mark.parametrize(
    "command",
    [
        *(
            f"arena random random --{option}"
            for option in ("games", "nodes", "longest", "memory", "cores", "seats", "seconds")
        ),
        "review game.json --seconds",
        "train quick --cores",
        "puzzles --weeks",
    ],
)
def test_a_number_that_is_not_above_zero_is_refused(
    command: str, typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With nan seconds a search never ended, and fewer than no processes ended in a traceback."""
    with pytest.raises(SystemExit, match="2"):
        run(f"{command} {typed}")
    option = command.rpartition(" ")[2]
    last = capsys.readouterr().err.splitlines()[-1]
    assert re.search(
        rf"argument {option}: ('{typed}' has to be above 0|invalid int value: 'nan')", last
    )


@pytest.mark.parametrize(
    ("value", "name"),
    [(1 - 5 / 1024, "wins in 5"), (2 / 1024 - 1, "loses in 2"), (0.0, "0"), (0.25, "+0.250")],
)
def test_proven_ends_are_told_in_plies_and_guesses_in_numbers(value: float, name: str) -> None:
    assert value_name(value) == name


def started(*words: str, typed: str = "", **setting: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "engine", *words], input=typed, capture_output=True, text=True,
        errors="surrogateescape", cwd=ROOT, env={**os.environ, **setting}, check=False,
    )  # fmt: skip


def test_what_an_output_has_no_character_for_is_a_question_mark(tmp_path: Path) -> None:
    """As for a file that output goes to on Windows, or one in Japanese."""
    file = tmp_path / "game.json"
    moves = tuple(map(Move, (0, 3, 1, 4, 2)))
    record = Record(GAME, 2, GAME.settled({}), moves, PLAYED, (Fraction(1), Fraction(-1)))
    file.write_text(json_text.written(record), encoding="utf-8")
    ended = started("review", str(file), "--language", "ja", PYTHONIOENCODING="ascii")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "?" in ended.stdout


def test_the_process_answers_a_mistake_with_one_sentence_and_code_2() -> None:
    ended = started("arena", "perfct", "random")
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert ended.stderr.startswith("there is no agent called 'perfct'; there are ")
    assert not ended.stdout


def test_the_process_plays_on_real_input_and_ends_quietly_when_the_input_does() -> None:
    ended = started("play", "tictactoe", "--against", "perfect", typed="x\n5\n")
    assert ended.returncode == 130
    assert "You are X." in ended.stdout
    assert "O plays" in ended.stdout
    assert not ended.stderr


def test_a_passing_line_stays_on_one_row_of_a_narrow_terminal() -> None:
    terminal, stderr = os.openpty()
    termios.tcsetwinsize(stderr, (5, 20))
    words = ["arena", "random", "random", "--games", "2", "--cores", "1"]
    subprocess.run(
        [sys.executable, "-m", "engine", *words],
        stdout=subprocess.DEVNULL, stderr=stderr, cwd=ROOT, check=True,
    )  # fmt: skip
    os.close(stderr)
    lines = os.read(terminal, 4096).decode().split("\r\x1b[K")
    os.close(terminal)
    assert max(map(len, lines)) == 19


def test_typed_bytes_that_are_no_text_are_asked_again() -> None:
    typed = "x\n\udcff\n"  # the byte 0xff
    ended = started("play", "tictactoe", typed=typed, PYTHONIOENCODING="utf-8:strict")
    assert (ended.returncode, ended.stderr) == (130, "")
    assert "You cannot play" in ended.stdout


def test_a_match_is_played_over_several_processes() -> None:
    ended = started("arena", "random", "rules-corner", "--games", "40", "--cores", "2")
    assert ended.returncode == 0
    assert "40 games" in ended.stdout
    assert not ended.stderr


def test_o_may_begin() -> None:
    typist = Typist(moves=["5", "7", "3"])
    seen = run("play tictactoe --against random --as O --first O", typist).seen
    assert "You are O." in seen
    assert " 7 | 8 | 9" in seen
    assert "| O |" in seen
    first = seen.index("Your move")
    assert "X plays" not in seen[:first]


def test_cells_may_be_counted_from_0_at_the_top_left() -> None:
    typist = Typist(moves=["0"])
    seen = run("play tictactoe --against random --as X --cells zero", typist).seen
    assert "Your move (0-8 or a1-c3):" in seen
    assert " 0 | 1 | 2\n---+---+---\n 3 | 4 | 5\n---+---+---\n 6 | 7 | 8" in seen
    board = seen[seen.index("Your move") :]
    assert re.search(r"^ X \|", board, re.MULTILINE)


def test_a1_may_be_at_the_top_left() -> None:
    names = TicTacToeNotation(top=True)
    state = GAME.start(2, {"size": 4})
    assert names.drawing(state).splitlines()[0] == " a1 | b1 | c1 | d1"
    seen = run("play tictactoe --against random --as X --a1 top", Typist(moves=["a1"])).seen
    assert re.search(r"^ X \| ", seen, re.MULTILINE)


def test_names_of_tic_tac_toe_are_refused_in_another_game() -> None:
    with pytest.raises(BadCommand, match="are for tictactoe"):
        run("play ludo --first O")


def test_moves_are_taken_back_up_to_the_first() -> None:
    typist = Typist(moves=["5", "undo", "undo", "1"])
    seen = run("play tictactoe --against rules-centre --as X", typist).seen
    empty = " 7 | 8 | 9\n---+---+---\n 4 | 5 | 6\n---+---+---\n 1 | 2 | 3"
    assert seen.count(empty) == 2
    assert "You cannot take back anything yet. You can play 7, 8, 9, 4, 5, 6, 1, 2, 3." in seen
    assert "\n X | 2 | 3" in seen


def test_a_review_tells_faults_reasons_and_sums(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    moves = tuple(map(Move, (2, 1, 4, 0, 7, 8, 5, 6, 3)))
    record = Record(GAME, 2, GAME.settled({}), moves, PLAYED, (Fraction(1), Fraction(-1)))
    file.write_text(json_text.written(record), encoding="utf-8")
    seen = run(f"review {file}").seen
    told = (
        "2. O plays 8 (an edge): blunder, -50.0 %, loses in 6. Best was 5 (the centre), holds the "
    )
    assert f"{told}draw. Expect 5" in seen
    assert "misses the win on 1): blunder" in seen
    assert "\nX has won.\nX: play lost 50.0 %, 1 fault, accuracy 75%\n" in seen
    assert "1. X plays 9 (a corner): best, holds the draw." in run(f"review {file} --all").seen
    assert "no time for the first" in run(f"review {file} --seconds 0.005").seen


def test_a_review_short_of_time_for_a_game_that_goes_on_asks_for_more(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    options = GAME.settled({"size": 5})
    record = Record(GAME, 2, options, (Move(12),), UNFINISHED, (Fraction(1), Fraction(-1)))
    file.write_text(json_text.written(record), encoding="utf-8")
    sentence = "0.005 s do not suffice to judge how this game would go on; give it more --seconds"
    with pytest.raises(BadCommand, match=sentence):
        run(f"review {file} --seconds 0.005")


def test_a_game_that_goes_on_is_not_told_as_a_draw(tmp_path: Path) -> None:
    file = tmp_path / "game"
    file.write_text("game: tictactoe\na3 b2 c3 b3 b1", encoding="utf-8")
    told = [run(f"{command} {file}") for command in ("replay --end", "review")]
    assert all("The game is not over." in each.lines for each in told)
    in_german = run(f"review {file} --language de").seen
    assert "Unentschieden" not in in_german
    file.write_text("game: tictactoe\nending: agreed\na3 b2 c3 b3 b1", encoding="utf-8")
    assert "The game is a draw (agreed)." in run(f"replay --end {file}").lines
    assert "Unentschieden" in run(f"review {file} --language de").seen


def test_a_proof_beside_an_estimate_is_told_without_a_number() -> None:
    best = WeighedMove(Move(3), (1.0, 0.0), 5, proven=True, reasons=())
    played = WeighedMove(Move(0), (0.7, 0.3), None, proven=False, reasons=())
    found = MoveReview(0, Seat(0), Move(0), (best, played), (), ())
    told = English(notation(FOUR)).ply(found, FOUR.start(2, {}))
    assert told == "1. X plays 1: inaccuracy. Perhaps better: 4, wins in 5."


def test_every_reason_has_words() -> None:
    state, ludo = GAME.start(2, {}), LUDO.start(2, {})
    marks = [notation(GAME).reason(state, Reason(kind, (Move(0), Move(8)))) for kind in MarkReason]
    assert marks == [
        "wins", "blocks", "two threats at once, on 7 and 3", "stops two threats at once",
        "threatens 7 and 3", "the centre", "the opposite corner", "a corner", "an edge", "inside",
        "misses the win on 7 and 3", "lets the other win on 7 and 3",
        "lets the other make two threats on 7 and 3",
    ]  # fmt: skip
    about = [(1,) * len(ABOUT.get(kind, ())) for kind in TokenReason]
    tokens = map(Reason, TokenReason, about)
    assert [notation(LUDO).reason(ludo, reason) for reason in tokens] == [
        "wins", "captures green 2", "comes home", "leaves the yard", "flees from 1 hunter",
        "gets safe", "makes a block", "rolls again", "hunts green 2", "advances 1",
        "exposes 2 to 1 hunter", "keeps 2 out of green's reach (1 of 6 rolls)",
        "lets green take 2 (1 of 6 rolls)",
    ]  # fmt: skip
    assert notation(LUDO).reason(ludo, Reason(TokenReason.FLEES, (2,))) == "flees from 2 hunters"
    assert Plain().reason(state, Reason(MarkReason.CENTRE)) == "centre"
