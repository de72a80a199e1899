"""Ludo's buttons: Roll, or one for each legal move, each saying what its move does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.ludo.board.spots import COLOURS
from bot.games.ludo.words.description import choices
from bot.message.blocks import Control
from bot.table.actions import Action
from bot.ui.words import Words
from engine.game import CHANCE, Move, Options
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.board import LAST_ON_RING, STARS, STARTS
from engine.games.ludo.events import Step, event_of
from tests.bot.english import ENGLISH_WORDS, like, says
from tests.bot.games.ludo.ludo_tables import (
    ANN,
    BEN,
    ROBOT,
    TABLES,
    random_moves,
    random_positions,
    standing_at,
    table,
)
from tests.samples import Sample

every_table = pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)

SIGNS = ("🔴", "🟩", "△", "🔷")
UPLOADED = replace(ENGLISH_WORDS, emojis={colour.emblem.name: 1 for colour in COLOURS})


def buttons(position: LudoPosition, options: Options) -> list[Control]:
    people = (ANN, BEN, ANN, BEN)[: position.table.seats]
    return [*choices(standing_at(position, people, options))]


def label(control: Control, words: Words = UPLOADED) -> str:
    assert control.label is not None
    return words.of(control.label)


@pytest.mark.sampled(3)
@every_table
def test_every_legal_move_has_exactly_one_button_and_labels_are_unique(
    seats: int, options: Options, sample: Sample
) -> None:
    for position in sample(random_positions(seats, options, 2_000, seed=1), 500):
        shown = buttons(position, options)
        if not position.moves() or position.opening:
            assert not any(each.enabled for each in shown), "over, or dice roll by themselves"
            continue
        if position.turn == CHANCE:
            assert [control.action for control in shown] == ["roll"]
        else:
            assert [control.action for control in shown] == [f"m{m}" for m in position.moves()]
            labels = [label(control) for control in shown]
            assert len(set(labels)) == len(labels)
            assert max(map(len, labels)) <= 80
        assert all(control.enabled for control in shown)


@pytest.mark.sampled(3)
@every_table
def test_a_button_shows_the_token_that_moves_and_tells_the_truth(
    seats: int, options: Options
) -> None:
    for position in random_positions(seats, options, 1_000, seed=2):
        if not position.moves() or position.turn == CHANCE:
            continue
        for control, move in zip(buttons(position, options), position.moves(), strict=True):
            step = event_of(position, move)
            assert isinstance(step, Step)
            told = label(control)
            assert control.emoji is None
            assert told in true_of(position, step, move)
            assert (told == labelled("home", position, move)) == step.came_home
            captures = like("control.ludo.capture", token=str(move + 1))
            assert bool(captures.fullmatch(told)) == bool(step.captured)


def test_buttons_have_one_form_however_many_tokens_can_move() -> None:
    first = GAME.start(2, {})
    position = first._replace(tokens=((5, 9, 0, 0), (0, 0, 0, 0)), opening=()).play(Move(3))
    shown = choices(standing_at(position, (ANN, ROBOT), {}))
    assert [*map(label, shown)] == [
        says("control.ludo.walk", token=number, pips=3, whom="") for number in (1, 2)
    ]


def test_a_captive_has_the_sign_of_its_token_on_the_board() -> None:
    """The shape of the bot's own emoji, or the common one that stands for it."""
    red, blue = (41, 0, 0, 0), (3, 0, 0, 0)  # one square before it
    position = GAME.start(4, {"begins": "first seat"})
    position = position._replace(tokens=(red, (0,) * 4, (0,) * 4, blue)).play(Move(1))
    [control] = choices(standing_at(position, (ANN, BEN, ANN, BEN), {}))
    assert label(control).endswith("🔷1")
    assert label(control, ENGLISH_WORDS).endswith("🔵1")


def labelled(effect: str, position: LudoPosition, move: Move, whom: str = "") -> str:
    """The label of a button whose move has an effect."""
    return says(f"control.ludo.{effect}", token=move + 1, pips=position.die, whom=whom)


def true_of(position: LudoPosition, step: Step, move: Move) -> set[str]:
    """The labels that are true of a step, by the engine's events."""
    true = {"walk"}
    if step.came_home:
        true.add("home")
    if step.captured:
        true.add("capture")
    if step.left_yard:
        true.add("leave")
    if step.before <= LAST_ON_RING < step.after:
        true.add("lane")
    after = position.play(move)
    square = after.square(step.owner, move)
    if square in STARTS:
        true.add("start")
    if square in STARS:
        true.add("star")
    if after.tokens[step.owner].count(step.after) > 1 and square is not None:
        true.add("block")
    captives = [(position.table.corners[seat], token + 1) for seat, token in step.captured]
    whom = "".join(f"{SIGNS[corner]}{number}" for corner, number in captives[:1])
    return {labelled(effect, position, move, whom) for effect in true}


def test_roll_keeps_its_place_switched_off_while_a_computer_is_to_move() -> None:
    for opened in ((Move(6), Move(1)), (Move(6), Move(1), Move(6))):
        position = GAME.replay(2, {}, opened)
        (roll,) = choices(standing_at(position, (ROBOT, ANN), {}))
        assert (roll.action, roll.enabled) == (Action.ROLL, False)
        assert all(each.enabled for each in choices(standing_at(position, (ANN, ROBOT), {})))


def test_nobody_has_a_button_when_the_game_is_over() -> None:
    moves = random_moves(2, {"tokens": 1}, 10_000, seed=3)
    session = table(2, {"tokens": 1}, moves)
    assert session.payoff is not None
    assert choices(session) == ()
