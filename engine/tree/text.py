"""A tree as lines of text: a node a line, indented by its depth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.game import Move, Seat, seat_at
from engine.notation import end_name, notation
from engine.search.search import FADING
from engine.tree.growth import Node, SearchTree

TEXTS: Final = {
    "engine.tree.summary": "{agent}: {nodes} nodes, {cutoffs} cut-offs, {cut} moves left out",
    "engine.tree.wins": "wins in {plies}",
    "engine.tree.loses": "loses in {plies}",
    "engine.tree.step": "Step {step} of {steps} · {nodes} of {of} nodes · {cut} moves left out",
    "engine.tree.pruning": "Pruning",
    "engine.tree.layer.max": "MAX",
    "engine.tree.layer.min": "MIN",
    "engine.tree.layer.chance": "CHANCE",
    "engine.tree.told.start": "The search starts here: {who} is to move.",
    "engine.tree.told.try": "{who} tries {move}.",
    "engine.tree.told.roll": "{who} rolls {pips}: 1 chance in {faces}.",
    "engine.tree.told.end": "The game is over here: {value}.",
    "engine.tree.told.judged": "The search looks no further and rates this {value}.",
    "engine.tree.told.max": "{who} takes the largest number: {value}, by {move}.",
    "engine.tree.told.min": "{who} takes the smallest number: {value}, by {move}.",
    "engine.tree.told.own": "{who} takes what's best for itself: {move}. For {seat}: {value}.",
    "engine.tree.told.chance": "{faces} rolls, each 1/{faces}: {value} on average.",
    "engine.tree.told.cut": "{who} already has {value} here, and {other} does no worse elsewhere: "
    "{move} can't matter.",
    "control.first": "First",
    "control.previous": "Back",
    "control.next": "Next",
    "control.last": "Last",
}
"""The English texts of a tree, by the keys that other languages have them under."""

NEARLY: Final = 1e-12
"""A bound that is so little below a value is that value."""


@dataclass(frozen=True, slots=True)
class TreeWords:
    """One language: its texts by the keys of `TEXTS`, and its way to write a number."""

    language: str = "en"
    direction: str = "ltr"
    template: Callable[[str], str] = TEXTS.__getitem__
    number: Callable[[int], str] = "{:,}".format

    def say(self, key: str, **values: object) -> str:
        """A text with its values in it."""
        return self.template(key).format_map(values)

    def value(self, value: float) -> str:
        """A value, in words where it is a proven end, with its sign otherwise."""
        if abs(value) == math.inf:
            return "∞" if value > 0 else "−∞"
        near = round(value / FADING) * FADING
        value = near if abs(value - near) < NEARLY else value
        wins, loses = map(self.template, ("engine.tree.wins", "engine.tree.loses"))
        plain = f"{value:.2f}".rstrip("0").rstrip(".").replace("-", "−")
        return end_name(value, wins, loses) or ("0" if plain in {"−0", ""} else plain)

    def window(self, window: tuple[float, float]) -> tuple[str, ...]:
        """Alpha and beta, each where it bounds something."""
        return tuple(
            f"{name} {self.value(bound)}"
            for name, bound in zip("αβ", window, strict=True)
            if abs(bound) < math.inf
        )

    def layer(self, tree: SearchTree, node: Node) -> str:
        """MAX, MIN or CHANCE."""
        return self.template(f"engine.tree.layer.{tree.layer(node).lower()}")

    def seat(self, tree: SearchTree, seat: Seat) -> str:
        """The name of a seat: a mark, or a colour."""
        name = notation(tree.game).seat(seat)
        try:
            return self.template(f"side.{name}")
        except KeyError:
            return name

    def who(self, tree: SearchTree, node: Node) -> str:
        """The layer of a node, and the seat that rolls or moves there."""
        return f"{self.layer(tree, node)} ({self.seat(tree, seat_at(node.state))})"

    def move(self, tree: SearchTree, parent: Node, move: Move) -> str:
        """The name of a move in its parent's position; with dice a roll, or whose token."""
        names = notation(tree.game).names(parent.state, move)
        if parent.at_chance:
            return f"🎲 {names[-1]}"
        whose = [self.seat(tree, seat_at(parent.state))] if tree.game.dice else []
        return " ".join((*whose, names[0]))

    def cost(self, tree: SearchTree) -> str:
        """The cost of the search, as `compare` counts it."""
        return self.say(
            "engine.tree.summary",
            agent=tree.agent,
            nodes=self.number(tree.thought.nodes),
            cutoffs=self.number(tree.thought.cutoffs),
            cut=self.number(sum(len(node.cut) for node in tree.root.every())),
        )


ENGLISH: Final = TreeWords()


def text(tree: SearchTree, words: TreeWords = ENGLISH) -> str:
    """The whole tree; `*` marks the best move of a node, `x` the moves cut off."""
    return "\n".join((*_lines(tree, tree.root, None, words), words.cost(tree), ""))


def _lines(tree: SearchTree, node: Node, parent: Node | None, words: TreeWords) -> Iterator[str]:
    name = words.move(tree, parent, node.move) if parent and node.move is not None else ""
    bounds = ", ".join(words.window(tree.window(node)))
    told = (name, words.layer(tree, node), words.value(tree.value(node)), bounds and f"[{bounds}]")
    indent, mark = "  " * node.ply, "*" if node.chosen else " "
    yield f"{indent}{mark}{' '.join(filter(None, told))}"
    for child in node.children:
        yield from _lines(tree, child, node, words)
    if node.cut:
        cut = " ".join(words.move(tree, node, move) for move in node.cut)
        yield f"{indent}  x{cut}"
