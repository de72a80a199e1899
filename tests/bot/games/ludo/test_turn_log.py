"""Turns in words: all events that the engine tells, a line a turn, within limits."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import Final

import pytest

from bot.games.ludo.game_log import GameLog
from bot.games.ludo.words.turn_log import THROWS_TOLD, TURNS_TOLD, story
from bot.games.ludo.words.turns import OPENING_ROLLS_TOLD
from bot.table.session import Ending, Phase, Session
from engine.game import Move, Options, Seat
from engine.games.ludo import GAME
from engine.games.ludo.events import Event, OpeningRoll, Roll, RollOutcome, Step, event_of
from tests.bot.games.ludo.ludo_tables import ENGLISH_WORDS, TABLES, random_moves, table

CUT: Final = "-# …"
KEYCAP: Final = "\ufe0f\u20e3"
SIGNS: Final = ("🔴", "🟢", "🟡", "🔵")

every_table = pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)


def written(session: Session, *, brief: bool = False) -> list[str]:
    """The lines, with people as the last digit of their numbers and dice like [6]."""
    told = story(session, GameLog(session), brief=brief)
    lines = [re.sub(f"(\\d){KEYCAP}", r"[\1]", ENGLISH_WORDS.of(line)) for line in told]
    return [re.sub("\u2068<@9000000000000000(\\d+)>\u2069", r"P\1", line) for line in lines]


def events(session: Session) -> list[Event]:
    position, found = GAME.start(len(session.seats), session.options), []
    for move in session.moves:
        found.append(event_of(position, move))
        position = position.play(move)
    return found


def turns(session: Session) -> list[tuple[str, list[Event]]]:
    """The turns after the roll-off: the sign of the seat, and its events."""
    played = [event for event in events(session) if not isinstance(event, OpeningRoll)]
    corners = session.position.table.corners
    return [(SIGNS[corners[s]], [*group]) for s, group in groupby(played, lambda e: e.seat)]


def pips(line: str) -> list[int]:
    return [int(number) for number in re.findall(r"\[(\d)\]", line)]


@every_table
def test_a_line_tells_every_roll_and_step_of_its_turn_in_order(
    seats: int, options: Options
) -> None:
    for seed in range(40):
        session = table(seats, options, random_moves(seats, options, 20 + 9 * seed, seed=seed))
        lines = [line for line in written(session) if line != CUT and "Who starts" not in line]
        latest = turns(session)[len(turns(session)) - len(lines) :]
        for line, (sign, happened) in zip(lines, latest, strict=True):
            assert line.startswith(f"{sign} ")
            rolls = [event for event in happened if isinstance(event, Roll)]
            steps = [event for event in happened if isinstance(event, Step)]
            assert pips(line) == [roll.pips for roll in rolls][-THROWS_TOLD:]
            cut = len(rolls) > THROWS_TOLD
            assert line.startswith(f"{sign} … ") == cut
            if cut:
                continue
            assert line.count("can't move") == count(rolls, RollOutcome.NO_LEGAL_MOVE)
            assert line.count("third 6") == count(rolls, RollOutcome.THIRD_SIX)
            assert line.count("→ yard") == sum(r.sent_back is not None for r in rolls)
            assert line.count(" out") == sum(step.left_yard for step in steps)
            assert line.count(" home") == sum(step.came_home for step in steps)
            assert captured(line) == [len(step.captured) for step in steps if step.captured]
            moved = re.findall(r"\] (?:\S )?(\d) (?!→ yard)", line)
            assert [int(number) for number in moved] == [step.token + 1 for step in steps]


def count(rolls: list[Roll], outcome: RollOutcome) -> int:
    return sum(roll.outcome is outcome for roll in rolls)


def captured(line: str) -> list[int]:
    """The number of tokens in each capture."""
    told = re.findall(r"takes ((?:\S \d(?: \d)*(?:, )?)+)", line)
    return [len(re.findall(r"\d", tokens)) for tokens in told]


@every_table
def test_the_story_goes_back_to_the_turn_before_of_the_person_to_move(
    seats: int, options: Options
) -> None:
    for seed in range(40):
        moves = random_moves(seats, options, 30 + 5 * seed, seed=seed)
        session = table(seats, options, moves, people=1)
        lines = written(session)
        if lines[0] == CUT or "Who starts" in lines[0]:
            continue
        signs = [sign for sign, _ in turns(session)]
        if session.turn == Seat(0):
            before = signs[:-1]
            since = len(before) - before[::-1].index("🔴")
        else:
            since = len(signs) - 1 - signs[::-1].index("🔴")
        assert [line[0] for line in lines] == signs[since:]


@every_table
def test_in_brief_a_turn_is_told_from_its_last_throws(seats: int, options: Options) -> None:
    for seed in range(40):
        session = table(seats, options, random_moves(seats, options, 20 + 9 * seed, seed=seed))
        for line, brief in zip(written(session), written(session, brief=True), strict=True):
            if line == CUT:
                assert brief == line
                continue
            if "Who starts" in line:
                assert brief == last_round(session)
                continue
            assert 1 <= len(pips(brief)) <= 2
            assert pips(line)[-len(pips(brief)) :] == pips(brief)
            assert brief == line or brief.startswith(f"{line[0]} … ")
            assert len(brief) <= 46, "as much as fits a phone"


def last_round(session: Session) -> str:
    """The last round of the roll-off, without words."""
    rolls = [event for event in events(session) if isinstance(event, OpeningRoll)]
    ends = [number for number, roll in enumerate(rolls[:-1], 1) if roll.tied]
    corners = session.position.table.corners
    told = [
        f"{SIGNS[corners[roll.seat]]} [{roll.pips}]" for roll in rolls[ends[-1] if ends else 0 :]
    ]
    return f"Who starts? {' '.join(told)}"


def test_in_brief_the_roll_off_is_its_last_round() -> None:
    decided = (Move(5), Move(5), Move(2), Move(1), Move(4))
    for rolls, line in (
        (2, "Who starts? 🔴 [5] 🟢 [5]"),
        (3, "Who starts? 🔴 [5] 🟢 [5] 🟡 [2]"),
        (4, "Who starts? 🔴 [1]"),
        (5, "Who starts? 🔴 [1] 🟢 [4]"),
    ):
        assert written(table(3, {}, decided[:rolls]), brief=True) == [line]


def test_rolls_again_is_said_as_long_as_it_is_still_to_come() -> None:
    six_and_out = (Move(6), Move(1), Move(6), Move(0))
    assert written(table(2, {}, six_and_out))[-1] == ("🔴 [6] 1 out · again")
    assert written(table(2, {}, (*six_and_out, Move(3))))[-1] == ("🔴 [6] 1 out · [3]")


def test_whoever_is_done_moves_the_tokens_of_the_partner_and_the_line_says_so() -> None:
    teams: Options = {"teams": "yes", "tokens": 1}
    moves = random_moves(4, teams, 10_000, seed=1)
    happened = events(table(4, teams, moves))
    ply = next(p for p, e in enumerate(happened) if isinstance(e, Step) and e.owner != e.seat)
    step = happened[ply]
    assert isinstance(step, Step)
    line = written(table(4, teams, moves[: ply + 1]))[-1]
    assert line.startswith(SIGNS[step.seat])
    assert f"] {SIGNS[step.owner]} 1 " in line


def test_nobody_rolls_again_in_a_game_that_was_given_up() -> None:
    session = table(2, {}, (Move(6), Move(1), Move(6), Move(0)))
    given_up = replace(session, phase=Phase.FINISHED, ending=Ending.RESIGNED, payoff=(-1.0, 1.0))
    assert written(given_up)[-1] == "🔴 [6] 1 out"


def test_the_roll_off_is_one_line_that_says_who_rolls_again_and_who_begins() -> None:
    assert written(table(3, {}, (Move(5), Move(5)))) == ["Who starts? 🔴 [5] · 🟢 [5]"]
    assert written(table(3, {}, (Move(5), Move(5), Move(2)))) == [
        "Who starts? 🔴 [5] · 🟢 [5] · 🟡 [2] · again"
    ]
    decided = (Move(5), Move(5), Move(2), Move(1), Move(4))
    assert written(table(3, {}, decided)) == [
        "Who starts? 🔴 [5] · 🟢 [5] · 🟡 [2] · again · 🔴 [1] · 🟢 [4] · 🟢 P002 starts"
    ]


def test_nothing_has_happened_before_the_first_roll() -> None:
    assert written(table(4, {})) == []


@every_table
def test_a_long_chain_of_computers_turns_is_cut_from_the_oldest(
    seats: int, options: Options
) -> None:
    cuts = 0
    for seed in range(6):
        moves = random_moves(seats, options, 120, seed=seed)
        lines = written(table(seats, options, moves, people=0))
        cuts += lines[0] == CUT
        told = lines[1:] if lines[0] == CUT else lines
        assert len(told) <= TURNS_TOLD
        assert max(len(pips(line)) for line in told) <= max(THROWS_TOLD, OPENING_ROLLS_TOLD)
        assert len("\n".join(lines)) <= 1_400
    assert cuts


def test_a_turn_longer_than_a_line_is_told_from_its_latest_throws() -> None:
    options: Options = {"third_six": "allowed"}
    moves = [Move(6), Move(1)]
    position = GAME.replay(2, options, moves)
    for _ in range(2 * THROWS_TOLD + 4):  # nothing but sixes
        moves.append(position.moves()[0] if position.die else Move(6))
        position = position.play(moves[-1])
    line = written(table(2, options, tuple(moves)))[-1]
    assert line.startswith("🔴 … [6]")
    assert pips(line) == [6] * THROWS_TOLD
