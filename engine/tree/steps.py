"""The steps of a search, each told in a sentence, over the nodes of a drawn tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from engine.game import Move, Seat, seat_at
from engine.tree.growth import Node, SearchTree
from engine.tree.text import TreeWords

Path: TypeAlias = tuple[int, ...]
"""The moves that lead to a node."""


class TreeStep(NamedTuple):
    """A step: its kind, the node's number, the texts to write below it, and its sentence."""

    kind: str
    node: int
    written: tuple[str, ...]
    told: str


def numbered(root: Node) -> Mapping[Path, int]:
    """The numbers of a tree's nodes, as its picture has them."""
    return {path: number for number, path in enumerate(_paths(root, ()))}


def _paths(node: Node, path: Path) -> Iterator[Path]:
    yield path
    for child in node.children:
        yield from _paths(child, (*path, child.move or 0))


def mode(tree: SearchTree, ids: Mapping[Path, int], words: TreeWords) -> dict[str, Any]:
    """The search of one algorithm: its steps, its count, and the best move of each node."""
    story = _Story(tree, ids, words)
    return {
        "start": words.say("engine.tree.told.start", who=words.who(tree, tree.root)),
        "list": list(story.steps(tree.root, ())),
        "nodes": tree.thought.nodes,
        "best": story.best,
    }


class _Story:
    """The steps of one search in one language; `best` grows with them."""

    def __init__(self, tree: SearchTree, ids: Mapping[Path, int], words: TreeWords) -> None:
        self._tree, self._ids, self._words = tree, ids, words
        self.best: dict[int, int] = {}

    def steps(self, node: Node, path: Path) -> Iterator[TreeStep]:
        """The steps from the moment a node is reached until its value is known."""
        tree, words, number = self._tree, self._words, self._ids[path]
        for child in node.children:
            below = (*path, child.move or 0)
            alone = not (
                node.at_chance and child.children
            )  # a roll and the choice after it are one
            window = words.window(tree.window(child))
            told = self._tried(node, child.move or Move(0))
            yield TreeStep("enter" if alone else "roll", self._ids[below], window, told)
            yield from self.steps(child, below)
            if child.chosen:
                self.best[number] = self._ids[below]
        for move in node.cut:
            yield TreeStep("cut", self._ids[*path, move], (), self._cut(node, move))
        yield TreeStep("leave", number, (self._value(node),), self._left(node))

    def _tried(self, node: Node, move: Move) -> str:
        who, words = self._words.who(self._tree, node), self._words
        if node.at_chance:
            faces = words.number(len(node.children))
            return words.say("engine.tree.told.roll", who=who, pips=move, faces=faces)
        name = words.move(self._tree, node, move)
        return words.say("engine.tree.told.try", who=who, move=name)

    def _cut(self, node: Node, move: Move) -> str:
        parent, words = seat_at(node.state), self._words
        rival = self._tree.seat if parent != self._tree.seat else Seat(1 - parent)
        layer = {"MAX": "MIN", "MIN": "MAX"}[self._tree.layer(node)]
        layer = "MAX" if self._tree.turning else layer
        named = words.template(f"engine.tree.layer.{layer.lower()}")
        return words.say(
            "engine.tree.told.cut",
            who=words.who(self._tree, node),
            value=self._value(node),
            other=f"{named} ({words.seat(self._tree, rival)})",
            move=words.move(self._tree, node, move),
        )

    def _left(self, node: Node) -> str:
        words, value = self._words, self._value(node)
        best = next((child.move for child in node.children if child.chosen), None)
        if node.at_chance:
            faces = words.number(len(node.children))
            return words.say("engine.tree.told.chance", faces=faces, value=value)
        if best is None:
            over = node.state.payoff() is not None
            return words.say(f"engine.tree.told.{'end' if over else 'judged'}", value=value)
        tree, layer = self._tree, self._tree.layer(node).lower()
        who, move = words.who(tree, node), words.move(tree, node, best)
        if len(node.worth) > 2:
            seat = words.seat(tree, tree.seat)
            return words.say("engine.tree.told.own", who=who, move=move, seat=seat, value=value)
        return words.say(f"engine.tree.told.{layer}", who=who, value=value, move=move)

    def _value(self, node: Node) -> str:
        return self._words.value(self._tree.value(node))
