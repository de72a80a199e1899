"""What happened, in words: everything the engine tells, a line a turn, and never too much."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import Final

import pytest

from bot.games.ludo.game_log import GameLog
from bot.games.ludo.words.turn_log import THROWS_TOLD, TURNS_TOLD, story
from bot.table.session import Ending, Phase, Session
from engine.game import Move, Options
from engine.games.ludo import GAME, OpeningRoll, Roll, RollOutcome, Step, told
from engine.games.ludo.events import Event
from tests.bot.games.ludo.ludo_tables import ENGLISH_WORDS, TABLES, random_moves, table

CUT: Final = "-# What happened before is left out."
SIGNS: Final = ("🔴", "🟢", "🟡", "🔵")

every_table = pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)


def written(session: Session) -> list[str]:
    """The lines, with people by the last digit of their numbers and without marks."""
    lines = [ENGLISH_WORDS.of(line) for line in story(session, GameLog(session))]
    return [re.sub("\u2068<@9000000000000000(\\d+)>\u2069", r"P\1", line) for line in lines]


def events(session: Session) -> list[Event]:
    position, found = GAME.start(len(session.seats), session.options), []
    for move in session.moves:
        found.append(told(position, move))
        position = position.play(move)
    return found


def turns(session: Session) -> list[tuple[str, list[Event]]]:
    """The turns after the roll-off: the sign of the seat, and all that happened."""
    played = [event for event in events(session) if not isinstance(event, OpeningRoll)]
    corners = session.position.table.corners
    return [(SIGNS[corners[s]], [*group]) for s, group in groupby(played, lambda e: e.seat)]


def pips(line: str) -> list[int]:
    return [int(number) for number in re.findall(r"rolled (\d)", line)]


@every_table
def test_a_line_tells_every_roll_and_step_of_its_turn_in_order(
    seats: int, options: Options
) -> None:
    for seed in range(40):
        session = table(seats, options, random_moves(seats, options, 20 + 9 * seed, seed=seed))
        lines = [line for line in written(session) if line != CUT and "Who begins" not in line]
        latest = turns(session)[len(turns(session)) - len(lines) :]
        for line, (sign, happened) in zip(lines, latest, strict=True):
            assert line.startswith(f"{sign} P")
            rolls = [event for event in happened if isinstance(event, Roll)]
            steps = [event for event in happened if isinstance(event, Step)]
            whole = pips(line) == [roll.pips for roll in rolls]
            assert whole or (line is lines[0] and len(rolls) > THROWS_TOLD)
            assert line.count("cannot move") == count(rolls, RollOutcome.NO_LEGAL_MOVE)
            assert line.count("third 6") == count(rolls, RollOutcome.THIRD_SIX)
            assert line.count("back to the yard") == sum(r.sent_back is not None for r in rolls)
            assert line.count("left the yard") == sum(step.left_yard for step in steps)
            assert line.count(" is home") == sum(step.came_home for step in steps)
            assert captured(line) == [len(step.captured) for step in steps if step.captured]
            moved = [int(number) for number in re.findall(r"token (\d) (?!went back)", line)]
            assert moved == [step.token + 1 for step in steps]


def count(rolls: list[Roll], outcome: RollOutcome) -> int:
    return sum(roll.outcome is outcome for roll in rolls)


def captured(line: str) -> list[int]:
    """How many tokens each capture took."""
    told = re.findall(r"captured ([^·]+)", line)
    return [len(re.findall(r"\d", tokens)) for tokens in told]


@every_table
def test_the_story_goes_back_to_the_last_whole_turn_of_a_person(
    seats: int, options: Options
) -> None:
    for seed in range(40):
        moves = random_moves(seats, options, 30 + 5 * seed, seed=seed)
        session = table(seats, options, moves, people=1)
        lines = written(session)
        if lines[0] == CUT or "Who begins" in lines[0]:
            continue
        signs = [sign for sign, _ in turns(session)]
        under_way = session.phase is Phase.RUNNING and session.position.seat == 0
        whole = signs[:-1] if under_way and signs[-1] == "🔴" else signs
        since = len(whole) - 1 - whole[::-1].index("🔴")
        assert [line[0] for line in lines] == signs[since:]


def test_rolls_again_is_said_as_long_as_it_is_still_to_come() -> None:
    six_and_out = (Move(6), Move(1), Move(6), Move(0))
    assert written(table(2, {}, six_and_out))[-1] == (
        "🔴 P001 rolled 6 · token 1 left the yard · rolls again"
    )
    assert written(table(2, {}, (*six_and_out, Move(3))))[-1] == (
        "🔴 P001 rolled 6 · token 1 left the yard · rolled 3"
    )


def test_whoever_is_done_moves_the_tokens_of_the_partner_and_the_line_says_so() -> None:
    teams: Options = {"teams": "yes", "tokens": 1}
    moves = random_moves(4, teams, 10_000, seed=1)
    happened = events(table(4, teams, moves))
    ply = next(p for p, e in enumerate(happened) if isinstance(e, Step) and e.owner != e.seat)
    step = happened[ply]
    assert isinstance(step, Step)
    line = written(table(4, teams, moves[: ply + 1]))[-1]
    assert line.startswith(SIGNS[step.seat])
    assert f" · {SIGNS[step.owner]} token 1 " in line


def test_nobody_rolls_again_in_a_game_that_was_given_up() -> None:
    session = table(2, {}, (Move(6), Move(1), Move(6), Move(0)))
    given_up = replace(session, phase=Phase.FINISHED, ending=Ending.RESIGNED, payoff=(-1.0, 1.0))
    assert written(given_up)[-1] == "🔴 P001 rolled 6 · token 1 left the yard"


def test_the_roll_off_is_one_line_that_says_who_rolls_again_and_who_begins() -> None:
    assert written(table(3, {}, (Move(5), Move(5)))) == ["Who begins? 🔴 5 · 🟢 5"]
    assert written(table(3, {}, (Move(5), Move(5), Move(2)))) == [
        "Who begins? 🔴 5 · 🟢 5 · 🟡 2 · 🔴🟢 roll again"
    ]
    decided = (Move(5), Move(5), Move(2), Move(1), Move(4))
    assert written(table(3, {}, decided)) == [
        "Who begins? 🔴 5 · 🟢 5 · 🟡 2 · 🔴🟢 roll again · 🔴 1 · 🟢 4 · 🟢 P002 begins"
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
        assert sum(len(pips(line)) for line in told) <= THROWS_TOLD
        assert len("\n".join(lines)) <= 1_400
    assert cuts


def test_a_turn_longer_than_the_story_is_told_from_its_latest_throws() -> None:
    options = {"third_six": "allowed"}
    moves = [Move(6), Move(1)]
    position = GAME.replay(2, options, moves)
    for _ in range(2 * THROWS_TOLD + 4):  # nothing but sixes
        moves.append(position.moves()[0] if position.die else Move(6))
        position = position.play(moves[-1])
    lines = written(table(2, options, tuple(moves)))
    assert lines[0] == CUT
    assert len(lines) == 2
    assert lines[1].startswith("🔴 P001 rolled 6")
    assert pips(lines[1]) == [6] * THROWS_TOLD
