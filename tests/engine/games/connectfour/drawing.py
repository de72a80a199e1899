"""Positions of connect four from drawings of their boards."""

from __future__ import annotations

from engine.games.connectfour import FIRST, SECOND, ConnectFourPosition


def board(drawing: str) -> ConnectFourPosition:
    """The position of a drawing with X for the first seat, O for the second and dots."""
    lines = [line.split() for line in drawing.strip().splitlines()]
    columns, rows = len(lines[0]), len(lines)
    first, second = 0, 0
    for row, marks in enumerate(reversed(lines)):
        for column, mark in enumerate(marks):
            cell = 1 << column * (rows + 1) + row
            first |= cell * (mark == "X")
            second |= cell * (mark == "O")
    turn = FIRST if first.bit_count() == second.bit_count() else SECOND
    return ConnectFourPosition(first, second, turn, columns, rows)
