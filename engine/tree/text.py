"""A tree as lines of text: a node a line, indented by its depth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.game import Move
from engine.notation import notation, value_name
from engine.tree.growth import Node, SearchTree

TEXTS: Final = {
    "engine.tree.summary": "{agent}: {nodes} nodes, {cutoffs} cut-offs, {cut} moves left out",
    "engine.tree.wins": "wins in {plies}",
    "engine.tree.loses": "loses in {plies}",
    "engine.tree.step": "Step {step} of {steps} · {nodes} of {of} nodes · {cut} moves left out",
    "engine.tree.pruning": "Pruning",
    "control.first": "First",
    "control.previous": "Back",
    "control.next": "Next",
    "control.last": "Last",
}
"""The English texts of a tree, by the keys that other languages have them under."""


@dataclass(frozen=True, slots=True)
class TreeWords:
    """One language: its texts by the keys of `TEXTS`, and its way to write a number."""

    language: str = "en"
    direction: str = "ltr"
    template: Callable[[str], str] = TEXTS.__getitem__
    number: Callable[[int], str] = "{:,}".format

    def value(self, value: float) -> str:
        """A value, in words where it is a proven end."""
        wins, loses = map(self.template, ("engine.tree.wins", "engine.tree.loses"))
        return value_name(value, wins, loses)

    def cost(self, tree: SearchTree) -> str:
        """The cost of the search, as `compare` counts it."""
        return self.template("engine.tree.summary").format(
            agent=tree.agent,
            nodes=self.number(tree.thought.nodes),
            cutoffs=self.number(tree.thought.cutoffs),
            cut=self.number(sum(len(node.cut) for node in tree.root.every())),
        )


ENGLISH: Final = TreeWords()


def text(tree: SearchTree, words: TreeWords = ENGLISH) -> str:
    """The whole tree; `*` marks the best move of a node, `x` the moves cut off."""
    return "\n".join((*_lines(tree, tree.root, None, words), words.cost(tree), ""))


def window_name(window: tuple[float, float]) -> str:
    """Alpha and beta; nothing where neither bounds anything."""
    if window == (-math.inf, math.inf):
        return ""
    low, high = (f"{round(bound, 3) + 0.0:+.3g}".replace("inf", "∞") for bound in window)
    return f"[{low}, {high}]"


def _lines(tree: SearchTree, node: Node, parent: Node | None, words: TreeWords) -> Iterator[str]:
    name = move_name(tree, parent, node.move) if parent else ""
    value = words.value(tree.value(node))
    told = (name, tree.layer(node), value, window_name(tree.window(node)))
    indent, mark = "  " * node.ply, "*" if node.chosen else " "
    yield f"{indent}{mark}{' '.join(filter(None, told))}"
    for child in node.children:
        yield from _lines(tree, child, node, words)
    if node.cut:
        cut = " ".join(move_name(tree, node, move) for move in node.cut)
        yield f"{indent}  x{cut}"


def move_name(tree: SearchTree, parent: Node, move: int | None) -> str:
    """The name of a move in its parent's position; of a roll, its pips."""
    if move is None:
        return ""
    names = notation(tree.game).names(parent.state, Move(move))
    return names[-1] if parent.at_chance else names[0]
