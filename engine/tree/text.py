"""A tree as lines of text: a node a line, indented by its depth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.game import Move, Seat, seat_at
from engine.notation import notation, plies_to_end
from engine.search.depth_first import FADING
from engine.tree.growth import Node, SearchTree

TEXTS: Final = {
    "engine.tree.summary": "{agent}: {nodes} nodes, {cutoffs} cut-offs, {cut} moves left out",
    "engine.tree.sampled": "{agent}: {playouts} playouts, {nodes} nodes",
    "engine.tree.wins": "{who} wins in {plies}",
    "engine.tree.won": "{who} wins",
    "engine.tree.together": "{who} win together",
    "engine.tree.draw": "a draw",
    "engine.tree.worth": "{value} for {who}",
    "engine.tree.step": "Step {step} of {steps} · {nodes} of {of} nodes · {cut} moves left out",
    "engine.tree.pruning": "Pruning",
    "engine.tree.layer.max": "MAX",
    "engine.tree.layer.min": "MIN",
    "engine.tree.layer.chance": "CHANCE",
    "engine.tree.told.start": "The search starts here: {who} is to move.",
    "engine.tree.told.try": "{who} tries {move}.",
    "engine.tree.told.roll": "{who} rolls {pips}: 1 chance in {faces}.",
    "engine.tree.told.end": "The game ends here: {value}.",
    "engine.tree.told.judged": "The search looks no further and rates this {value}.",
    "engine.tree.told.max": "{who} plays {move}, which has the largest value: {value}.",
    "engine.tree.told.min": "{who} plays {move}, which has the smallest value: {value}.",
    "engine.tree.told.turned": "{who} plays {move}, whose value with its sign turned is "
    "the largest: {value}.",
    "engine.tree.told.own": "{who} takes what's best for itself: {move}. For {seat}: {value}.",
    "engine.tree.told.chance": "{faces} rolls, each 1/{faces}: {value} on average.",
    "engine.tree.told.cut": "{rival} already has a line elsewhere: {elsewhere}. Here {rival} gets "
    "no better than this: {here}. So {rival} won't come here, and {move} is left out.",
    "engine.tree.told.playout": "Playout {number}: {moves}, then random moves to the end: {value}.",
    "engine.tree.told.again": "Playout {number}: {moves}, and the game is over: {value}.",
    "engine.tree.told.most": "{who} plays {move}, which has the most playouts "
    "({count}/{all}): {value} on average.",
    "control.first": "First",
    "control.previous": "Back",
    "control.next": "Next",
    "control.last": "Last",
}
"""The English texts of a tree, by the keys that other languages have them under."""

NEARLY: Final = 1e-12
"""Values that differ by less than this are the same: `below` makes a bound slightly smaller."""


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

    def value(self, tree: SearchTree, node: Node, value: float) -> str:
        """A value at a node: who wins in how many plies if that is proven, otherwise the number."""
        value = _near(value)
        if not tree.sampling and (plies := plies_to_end(value)):
            winner = self.seat(tree, self._ahead(tree, node, value))
            return self.say("engine.tree.wins", who=winner, plies=plies)
        plain = f"{value:.2f}".rstrip("0").rstrip(".").replace("-", "−")
        return "0" if plain in {"−0", ""} else plain

    def below(self, tree: SearchTree, node: Node) -> str:
        """The value that stands below a node, with the number of its playouts where it has some."""
        if tree.sampling:
            return self.mean(tree, node, tree.value(node), node.playouts)
        return self.value(tree, node, tree.value(node))

    def mean(self, tree: SearchTree, node: Node, value: float, playouts: int) -> str:
        """A mean of a number of playouts."""
        return f"{self.value(tree, node, value)} ×{self.number(playouts)}"

    def meaning(self, tree: SearchTree, node: Node, value: float) -> str:
        """A value at a node within a sentence: who wins, a draw, or the number and for whom."""
        if tree.textbook and abs(value) == 1:
            return self.say("engine.tree.won", who=self.seat(tree, self._ahead(tree, node, value)))
        if tree.exact and abs(value) < NEARLY:
            return self.template("engine.tree.draw")
        plain = self.value(tree, node, value)
        if plies_to_end(_near(value)) and not tree.sampling:
            return plain
        return self.say("engine.tree.worth", value=plain, who=self.seat(tree, tree.viewer(node)))

    def result(self, tree: SearchTree, payoff: Sequence[float]) -> str:
        """The winners of an ended game, or that it is a draw."""
        if min(payoff) == max(payoff):
            return self.template("engine.tree.draw")
        winners = [Seat(seat) for seat, won in enumerate(payoff) if won == max(payoff)]
        who = ", ".join(self.seat(tree, seat) for seat in winners)
        return self.say(f"engine.tree.{'won' if len(winners) == 1 else 'together'}", who=who)

    @staticmethod
    def _ahead(tree: SearchTree, node: Node, value: float) -> Seat:
        """The seat, of two, that is ahead by a value at a node."""
        viewer = tree.viewer(node)
        return viewer if value > 0 else Seat(1 - viewer)

    def window(self, tree: SearchTree, node: Node) -> tuple[str, ...]:
        """Alpha and beta at a node, each where it bounds something."""
        return tuple(
            f"{name} {self.value(tree, node, bound)}"
            for name, bound in zip("αβ", tree.window(node), strict=True)
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
        """The name of a move in its parent's position; with dice a roll, or seat and token."""
        names = notation(tree.game).names(parent.state, move)
        if parent.at_chance:
            return f"🎲 {names[-1]}"
        whose = [self.seat(tree, seat_at(parent.state))] if tree.game.dice else []
        return " ".join((*whose, names[0]))

    def cost(self, tree: SearchTree) -> str:
        """The cost of the search, as `compare` counts it, or its playouts."""
        if tree.sampling:
            return self.say(
                "engine.tree.sampled",
                agent=tree.agent,
                playouts=self.number(len(tree.playouts)),
                nodes=self.number(tree.nodes),
            )
        return self.say(
            "engine.tree.summary",
            agent=tree.agent,
            nodes=self.number(tree.thought.nodes),
            cutoffs=self.number(tree.thought.cutoffs),
            cut=self.number(sum(len(node.cut) for node in tree.root.every())),
        )


ENGLISH: Final = TreeWords()


def _near(value: float) -> float:
    """A value, without a difference below `NEARLY` from the exact value of a game's end."""
    near = round(value / FADING) * FADING
    return near if abs(value - near) < NEARLY else value


def text(tree: SearchTree, words: TreeWords = ENGLISH) -> str:
    """The whole tree; `*` marks the best move of a node, `x` the moves cut off."""
    return "\n".join((*_lines(tree, tree.root, None, words), words.cost(tree), ""))


def _lines(tree: SearchTree, node: Node, parent: Node | None, words: TreeWords) -> Iterator[str]:
    name = words.move(tree, parent, node.move) if parent and node.move is not None else ""
    bounds = ", ".join(words.window(tree, node))
    told = (name, words.layer(tree, node), words.below(tree, node), bounds and f"[{bounds}]")
    indent, mark = "  " * node.ply, "*" if node.chosen else " "
    yield f"{indent}{mark}{' '.join(filter(None, told))}"
    for child in node.children:
        yield from _lines(tree, child, node, words)
    if node.cut:
        cut = " ".join(words.move(tree, node, move) for move in node.cut)
        yield f"{indent}  x{cut}"
