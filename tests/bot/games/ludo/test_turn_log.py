"""Turns in words: all events that the engine tells, a line a turn, within limits."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import Final

import pytest

from bot.games.ludo.game_log import GameLog
from bot.games.ludo.words.turns import OPENING_ROLLS_TOLD, THROWS_TOLD, TURNS_TOLD, story
from bot.table.session import Ending, Phase, Session
from bot.table.waiting import reader, unread
from engine.game import Move, Options
from engine.games.ludo import GAME
from engine.games.ludo.events import Event, OpeningRoll, Roll, RollOutcome, Step, event_of
from tests.bot.english import ENGLISH_WORDS, pattern, says
from tests.bot.games.ludo.ludo_tables import TABLES, random_moves, table
from tests.samples import Sample

CUT: Final = says("ludo.story.cut")
ROLL_OFF: Final = re.compile(pattern("ludo.story.roll_off", rolls=".+"))
KEYCAP: Final = "\ufe0f\u20e3"
SIGNS: Final = ("🔴", "🟢", "🟡", "🔵")
TOKEN: Final = r"(?:\S )?(\d)"
START: Final = pattern("ludo.place.start", emblem=r"\S+")
STEPS: Final = "|".join(
    pattern(
        f"ludo.story.{step}",
        token=TOKEN,
        pips=r"\d+",
        place=f"(?:{START}|⭐)",
        home=r"\d",
        of=r"\d",
    )
    for step in ("came_home", "left_yard", "lane", "along_lane", "safe", "block", "walked")
)

every_table = pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)


def written(session: Session) -> list[str]:
    """The lines, with people as the last digit of their numbers and dice like [6]."""
    told = story(session, GameLog(session))
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


@pytest.mark.sampled(3)
@every_table
def test_a_line_tells_every_roll_and_step_of_its_turn_in_order(
    seats: int, options: Options, sample: Sample
) -> None:
    for seed in sample(range(40), 15):
        session = table(seats, options, random_moves(seats, options, 20 + 9 * seed, seed=seed))
        lines = [line for line in written(session) if line != CUT and not ROLL_OFF.fullmatch(line)]
        latest = turns(session)[len(turns(session)) - len(lines) :]
        for line, (sign, happened) in zip(lines, latest, strict=True):
            assert re.fullmatch(pattern("ludo.story.turn", emblem=sign, throws=".+"), line)
            rolls = [event for event in happened if isinstance(event, Roll)]
            steps = [event for event in happened if isinstance(event, Step)]
            assert pips(line) == [roll.pips for roll in rolls][-THROWS_TOLD:]
            cut = len(rolls) > THROWS_TOLD
            assert is_cut(line, sign) == cut
            if cut:
                continue
            assert line.count(says("ludo.story.stuck")) == count(rolls, RollOutcome.NO_LEGAL_MOVE)
            assert line.count(says("ludo.story.third_six")) == count(rolls, RollOutcome.THIRD_SIX)
            assert told("sent_back", line) == sum(r.sent_back is not None for r in rolls)
            assert told("left_yard", line) == sum(step.left_yard for step in steps)
            assert told("came_home", line) == sum(step.came_home for step in steps)
            assert captured(line) == [len(step.captured) for step in steps if step.captured]
            assert moved(line) == [step.token + 1 for step in steps]


def is_cut(line: str, sign: str) -> bool:
    """Whether a line tells only the latest throws of its turn."""
    cut = pattern("ludo.story.turn_cut", emblem=sign, throws=".+")
    return re.fullmatch(cut, line) is not None


def told(event: str, line: str) -> int:
    """The number of times that a line tells of an event of a token."""
    form = pattern(f"ludo.story.{event}", token=TOKEN, home=r"\d", of=r"\d")
    return len(re.findall(form, line))


def moved(line: str) -> list[int]:
    """The tokens that a line says have walked, in order."""
    steps = re.finditer(rf"\] (?:{STEPS})", line)
    return [int(number) for step in steps for number in step.groups() if number]


def count(rolls: list[Roll], outcome: RollOutcome) -> int:
    return sum(roll.outcome is outcome for roll in rolls)


def captured(line: str) -> list[int]:
    """The number of tokens in each capture."""
    taken = pattern("ludo.story.captured", tokens=r"((?:\S \d(?: \d)*(?:, )?)+)")
    return [len(re.findall(r"\d", tokens)) for tokens in re.findall(taken, line)]


@pytest.mark.sampled(3)
@every_table
def test_the_story_begins_with_the_turn_after_the_readers_last_decision(
    seats: int, options: Options, sample: Sample
) -> None:
    for seed in sample(range(40), 15):
        moves = random_moves(seats, options, 30 + 5 * seed, seed=seed)
        session = table(seats, options, moves, people=1)
        lines = written(session)
        if lines[0] == CUT or ROLL_OFF.fullmatch(lines[0]):
            continue
        first = unread(session, reader(session))
        whole = turns(session)
        kept = turns(replace(session, moves=moves[:first]))
        assert [line[0] for line in lines] == [sign for sign, _ in whole[-len(lines) :]]
        assert len(whole) - len(lines) in {len(kept) - 1, len(kept), len(whole) - 1}


def opening_roll(sign: str, pips: int) -> str:
    return says("ludo.story.opening_roll", emblem=sign, die=f"[{pips}]")


def roll_off(*told: str) -> str:
    """The line of a whole roll-off."""
    return says("ludo.story.roll_off", rolls=" · ".join(told))


def turn_of(sign: str, *told: str) -> str:
    """The line of a turn."""
    return says("ludo.story.turn", emblem=sign, throws=" · ".join(told))


def out(pips: int, token: int) -> str:
    """A throw that brings a token out."""
    left = says("ludo.story.left_yard", token=token)
    return says("ludo.story.throw", die=f"[{pips}]", told=left)


def test_rolls_again_is_said_as_long_as_it_is_still_to_come() -> None:
    six_and_out = (Move(6), Move(1), Move(6), Move(0))
    assert written(table(2, {}, six_and_out))[-1] == turn_of(
        "🔴", out(6, 1), says("ludo.story.again")
    )
    assert written(table(2, {}, (*six_and_out, Move(3))))[-1] == turn_of(
        "🔴", out(6, 1), says("ludo.story.rolled", die="[3]")
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
    assert f"] {says('ludo.token_of', emblem=SIGNS[step.owner], number=1)} " in line


def test_nobody_rolls_again_in_a_game_that_was_given_up() -> None:
    session = table(2, {}, (Move(6), Move(1), Move(6), Move(0)))
    given_up = replace(session, phase=Phase.FINISHED, ending=Ending.RESIGNED, payoff=(-1.0, 1.0))
    assert written(given_up)[-1] == turn_of("🔴", out(6, 1))


def test_the_roll_off_is_one_line_that_says_who_rolls_again_and_who_begins() -> None:
    both = opening_roll("🔴", 5), opening_roll("🟢", 5)
    assert written(table(3, {}, (Move(5), Move(5)))) == [roll_off(*both)]
    tied = (*both, opening_roll("🟡", 2), says("ludo.story.tied"))
    assert written(table(3, {}, (Move(5), Move(5), Move(2)))) == [roll_off(*tied)]
    decided = (Move(5), Move(5), Move(2), Move(1), Move(4))
    begins = says("ludo.story.begins", emblem="🟢", player="P002")
    last = opening_roll("🔴", 1), opening_roll("🟢", 4), begins
    assert written(table(3, {}, decided)) == [roll_off(*tied, *last)]


def test_nothing_has_happened_before_the_first_roll() -> None:
    assert written(table(4, {})) == []


@pytest.mark.sampled(6)
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
    assert is_cut(line, "🔴")
    assert pips(line) == [6] * THROWS_TOLD
