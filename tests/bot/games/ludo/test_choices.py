"""Ludo's buttons: Roll, or one for each legal move, each saying what its move does."""

from __future__ import annotations

import pytest

from bot.games.ludo.words.choices import choices
from bot.message.blocks import Control
from bot.message.emoji import Sprite
from engine.game import CHANCE, Move, Options
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.board import LAST_ON_RING, STARS, STARTS
from engine.games.ludo.events import Step, event_of
from tests.bot.games.ludo.ludo_tables import (
    ANN,
    BEN,
    ENGLISH_WORDS,
    ROBOT,
    TABLES,
    random_moves,
    random_positions,
    standing_at,
    table,
)

every_table = pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)

SIGNS = ("🔴", "🟢", "🟡", "🔵")


def buttons(position: LudoPosition, options: Options) -> list[Control]:
    people = (ANN, BEN, ANN, BEN)[: position.table.seats]
    return [*choices(standing_at(position, people, options))]


def label(control: Control) -> str:
    assert control.label is not None
    return ENGLISH_WORDS.of(control.label)


@every_table
def test_every_legal_move_has_exactly_one_button_and_labels_are_unique(
    seats: int, options: Options
) -> None:
    for position in random_positions(seats, options, 2_000, seed=1):
        shown = buttons(position, options)
        if not position.moves() or position.opening:
            assert shown == [], "over, or dice that roll by themselves"
        elif position.turn == CHANCE:
            assert [control.action for control in shown] == ["roll"]
        else:
            assert [control.action for control in shown] == [f"m{m}" for m in position.moves()]
            labels = [label(control) for control in shown]
            assert len(set(labels)) == len(labels)
            assert max(map(len, labels)) <= 80
        assert all(control.enabled for control in shown)


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
            corner = position.table.corners[step.owner]
            crowded = len(position.moves()) > 2 or len(step.captured) > 1
            assert control.emoji == Sprite(f"{'rgyb'[corner]}{move + 1}", SIGNS[corner])
            number, says = label(control)[0], label(control)[1:]
            assert number == str(move + 1)
            assert says in true_of(position, step, move, crowded=crowded)
            assert (says == " home") == step.came_home
            assert says.startswith(" ⚔️ ") == bool(step.captured)


def true_of(position: LudoPosition, step: Step, move: Move, *, crowded: bool) -> set[str]:
    """The labels that are true of a step, by the engine's events."""
    true = {f" +{position.die}"}
    if step.came_home:
        true.add(" home")
    if step.captured:
        names = SIGNS if crowded else ("red ", "green ", "yellow ", "blue ")
        captives = [(names[position.table.corners[s]], t + 1) for s, t in step.captured]
        colours = "".join(dict.fromkeys(name for name, _ in captives))
        true.add(f" ⚔️ {colours}{captives[0][1] if len(captives) == 1 else ''}")
    if step.left_yard:
        true.add(" out")
    if step.before <= LAST_ON_RING < step.after:
        true.add(" → lane")
    after = position.play(move)
    square = after.square(step.owner, move)
    if square in STARTS:
        true.add(" → start")
    if square in STARS:
        true.add(" → ⭐")
    if after.tokens[step.owner].count(step.after) > 1 and square is not None:
        true.add(f" +{position.die} block")
    return true


def test_nobody_has_a_button_while_a_computer_is_to_move() -> None:
    for opened in ((Move(6), Move(1)), (Move(6), Move(1), Move(6))):
        position = GAME.replay(2, {}, opened)
        assert choices(standing_at(position, (ROBOT, ANN), {})) == ()
        assert choices(standing_at(position, (ANN, ROBOT), {})) != ()


def test_nobody_has_a_button_when_the_game_is_over() -> None:
    moves = random_moves(2, {"tokens": 1}, 10_000, seed=3)
    session = table(2, {"tokens": 1}, moves)
    assert session.payoff is not None
    assert choices(session) == ()
