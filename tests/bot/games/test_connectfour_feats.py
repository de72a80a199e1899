"""Feats of connect four, held against plain boards of rows and columns."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.connectfour.feats import BADGES, DOUBLE_THREAT, LAST_ROW, TWO_FOURS, WAS_LOST, feats
from engine.game import Move
from engine.games.connectfour import GAME, ConnectFourPosition
from tests.samples import Sample

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


def path_of(*moves: int) -> list[ConnectFourPosition]:
    return [*GAME.path(2, {"size": "7x6"}, [*map(Move, moves)])]


def fours(position: ConnectFourPosition) -> list[set[tuple[int, int]]]:
    """The fours on a board, by column and row."""
    found = []
    for column in range(position.columns):
        for row in range(position.rows):
            for right, up in STEPS:
                cells = [(column + n * right, row + n * up) for n in range(4)]
                inside = all(c < position.columns and 0 <= r < position.rows for c, r in cells)
                if inside and {position.mark(*cell) for cell in cells} in ({"X"}, {"O"}):
                    found.append({*cells})
    return found


def wins_at_once(position: ConnectFourPosition) -> bool:
    return any(fours(position.play(move)) for move in position.moves())


def expected(path: list[ConnectFourPosition]) -> set[str]:
    """The feats of the winner, by trying all discs."""
    end, found = path[-1], set()
    cells = set[tuple[int, int]]().union(*fours(end))
    winner = 1 - end.turn
    replies = [path[-3].play(move) for move in path[-3].moves()]
    if not wins_at_once(path[-3]) and all(map(wins_at_once, replies)):
        found.add(DOUBLE_THREAT)
    if any(row == end.rows - 1 for _, row in cells):
        found.add(LAST_ROW)
    if any(each.turn != winner and wins_at_once(each) for each in path[:-1]):
        found.add(WAS_LOST)
    if len(cells) > 4:
        found.add(TWO_FOURS)
    return found


def test_feats_are_those_that_trying_every_disc_finds(sample: Sample) -> None:
    seen = set[str]()
    for number in {44, 102} | {*sample(range(150), 10)}:
        rng, path = Random(number), path_of()
        while path[-1].moves():
            path.append(path[-1].play(rng.choice(path[-1].moves())))
        told = feats(path)
        if not path[-1].won:
            assert told == (frozenset(), frozenset())
            continue
        winner = 1 - path[-1].turn
        assert told[1 - winner] == frozenset()
        assert told[winner] == expected(path)
        seen |= told[winner]
    assert seen == {DOUBLE_THREAT, LAST_ROW, WAS_LOST, TWO_FOURS}


@pytest.mark.parametrize(
    ("moves", "feat"),
    [
        ((3, 3, 2, 2, 1, 1, 4), DOUBLE_THREAT),
        ((0, 1, 0, 1, 0, 2, 1, 0, 2, 2, 3), ""),
    ],
)
def test_an_open_three_is_a_double_threat_and_a_game_that_goes_on_has_no_feats(
    moves: tuple[int, ...], feat: str
) -> None:
    assert feats(path_of(*moves)) == (frozenset({feat} - {""}), frozenset())


def test_every_badge_is_of_a_feat() -> None:
    assert [badge.key for badge in BADGES] == [DOUBLE_THREAT, LAST_ROW, WAS_LOST, TWO_FOURS]
