"""A tree as lines of text: a node a line, indented by its depth."""

from __future__ import annotations

import math
from collections.abc import Iterator

from engine.game import Move
from engine.notation import notation, value_name
from engine.tree.growth import Node, SearchTree


def text(tree: SearchTree) -> str:
    """The whole tree; `*` marks the best move of a node, `x` the moves cut off."""
    return "\n".join((*_lines(tree, tree.root, None), summary(tree), ""))


def summary(tree: SearchTree) -> str:
    """What the search has cost, as `compare` counts it."""
    left_out = sum(len(node.cut) for node in tree.root.every())
    cost = f"{tree.thought.nodes:,} nodes, {tree.thought.cutoffs:,} cut-offs"
    return f"{tree.agent}: {cost}, {left_out:,} moves left out"


def window_name(window: tuple[float, float]) -> str:
    """Alpha and beta; nothing where neither bounds anything."""
    if window == (-math.inf, math.inf):
        return ""
    low, high = (f"{round(bound, 3) + 0.0:+.3g}".replace("inf", "∞") for bound in window)
    return f"[{low}, {high}]"


def _lines(tree: SearchTree, node: Node, parent: Node | None) -> Iterator[str]:
    name = move_name(tree, parent, node.move) if parent else ""
    words = (name, tree.layer(node), value_name(tree.value(node)), window_name(tree.window(node)))
    indent, mark = "  " * node.ply, "*" if node.chosen else " "
    yield f"{indent}{mark}{' '.join(filter(None, words))}"
    for child in node.children:
        yield from _lines(tree, child, node)
    if node.cut:
        cut = " ".join(move_name(tree, node, move) for move in node.cut)
        yield f"{indent}  x{cut}"


def move_name(tree: SearchTree, parent: Node, move: int | None) -> str:
    """The name of a move in its parent's position; of a roll, its pips."""
    if move is None:
        return ""
    names = notation(tree.game).names(parent.state, Move(move))
    return names[-1] if parent.at_chance else names[0]
