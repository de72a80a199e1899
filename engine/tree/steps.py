"""The steps of a search, each told in a sentence, over the nodes of a drawn tree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from engine.game import Move, Seat, seat_at
from engine.search.uct import Playout
from engine.tree.growth import Node, SearchTree
from engine.tree.text import TreeWords

Path: TypeAlias = tuple[int, ...]
"""The moves that lead to a node."""


class TreeStep(NamedTuple):
    """A step: its kind, the node's number, the texts to write below it, and its sentence.

    A playout has a pair for each node on its way: the node's number, and the text below it.
    """

    kind: str
    node: int
    written: tuple[str, ...] | tuple[tuple[int, str], ...]
    told: str


def numbered(root: Node) -> Mapping[Path, int]:
    """The numbers of a tree's nodes, as its picture has them."""
    return {path: number for number, (path, _) in enumerate(_nodes(root, ()))}


def _nodes(node: Node, path: Path) -> Iterator[tuple[Path, Node]]:
    yield path, node
    for child in node.children:
        yield from _nodes(child, (*path, child.move or 0))


def mode(tree: SearchTree, ids: Mapping[Path, int], words: TreeWords) -> dict[str, Any]:
    """The search of one algorithm: its steps, its count, and the best move of each node."""
    story = _Story(tree, ids, words)
    return {
        "start": words.say("engine.tree.told.start", who=words.who(tree, tree.root)),
        "list": list(story.playouts() if tree.sampling else story.steps(tree.root, ())),
        "nodes": tree.nodes,
        "best": story.best,
    }


class _Story:
    """The steps of one search in one language.

    `best` has the best child known so far of each node, as of the last step made.
    """

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
            window = words.window(tree, child)
            told = self._tried(node, child.move or Move(0))
            yield TreeStep("enter" if alone else "roll", self._ids[below], window, told)
            yield from self.steps(child, below)
            if child.chosen:
                self.best[number] = self._ids[below]
        for move in node.cut:
            yield TreeStep("cut", self._ids[*path, move], (), self._cut(node, move))
        yield TreeStep("leave", number, (words.below(tree, node),), self._left(node))

    def playouts(self) -> Iterator[TreeStep]:
        """The steps of a search that samples: each playout, and the choice at the end."""
        tree, words, root = self._tree, self._words, self._tree.root
        counts, sums = Counter[Path](), defaultdict[Path, float](float)
        for number, playout in enumerate(tree.playouts, 1):
            way = [root]
            for move in playout.moves:
                way.append(next(child for child in way[-1].children if child.move == move))
            written = []
            for length, node in enumerate(way):
                path: Path = playout.moves[:length]
                counts[path] += 1
                sums[path] += playout.payoff[tree.seat]
                mean = tree.signed(node, sums[path] / counts[path])
                shown = words.mean(tree, node, mean, counts[path])
                written.append((self._ids[path], shown))
            kind = "playout" if counts[playout.moves] == 1 and playout.moves else "again"
            yield TreeStep(kind, written[-1][0], tuple(written), self._played(number, playout, way))
        for above, node in _nodes(root, ()):
            for child in node.children:
                if child.chosen:
                    self.best[self._ids[above]] = self._ids[*above, child.move or Move(0)]
        yield TreeStep("leave", 0, (words.below(tree, root),), self._most(root))

    def _played(self, number: int, playout: Playout, way: Sequence[Node]) -> str:
        words, tree = self._words, self._tree
        moves = (
            f"{words.seat(tree, seat_at(node.state))} {words.move(tree, node, move)}"
            if not tree.game.dice
            else words.move(tree, node, move)
            for node, move in zip(way, playout.moves, strict=False)
        )
        over = way[-1].state.payoff() is not None
        return words.say(
            f"engine.tree.told.{'again' if over else 'playout'}",
            number=words.number(number),
            moves=", ".join(moves),
            value=words.result(tree, playout.payoff),
        )

    def _most(self, root: Node) -> str:
        words, tree = self._words, self._tree
        best = next(child for child in root.children if child.chosen)
        return words.say(
            "engine.tree.told.most",
            who=words.who(tree, root),
            move=words.move(tree, root, best.move or Move(0)),
            count=words.number(best.playouts),
            all=words.number(root.playouts),
            value=words.meaning(tree, root, best.worth[tree.seat]),
        )

    def _tried(self, node: Node, move: Move) -> str:
        who, words = self._words.who(self._tree, node), self._words
        if node.at_chance:
            faces = words.number(len(node.children))
            return words.say("engine.tree.told.roll", who=who, pips=move, faces=faces)
        name = words.move(self._tree, node, move)
        return words.say("engine.tree.told.try", who=who, move=name)

    def _cut(self, node: Node, move: Move) -> str:
        words, tree = self._words, self._tree
        mover = seat_at(node.state)
        alpha, beta = node.window
        elsewhere = tree.signed(node, beta if mover == tree.seat else alpha)
        return words.say(
            "engine.tree.told.cut",
            rival=words.seat(tree, Seat(1 - mover)),
            elsewhere=words.meaning(tree, node, elsewhere),
            here=self._value(node),
            move=words.move(tree, node, move),
        )

    def _left(self, node: Node) -> str:
        words, value = self._words, self._value(node)
        best = next((child.move for child in node.children if child.chosen), None)
        if node.at_chance:
            faces = words.number(len(node.children))
            return words.say("engine.tree.told.chance", faces=faces, value=value)
        if best is None:
            payoff = node.state.payoff()
            if payoff is None:
                return words.say("engine.tree.told.judged", value=value)
            ended = words.result(self._tree, payoff) if self._tree.game.dice else value
            return words.say("engine.tree.told.end", value=ended)
        tree, layer = self._tree, self._tree.layer(node).lower()
        who, move = words.who(tree, node), words.move(tree, node, best)
        if len(node.worth) > 2:
            seat, value = words.seat(tree, tree.seat), words.value(tree, node, tree.value(node))
            return words.say("engine.tree.told.own", who=who, move=move, seat=seat, value=value)
        kind = "turned" if tree.turning else layer
        return words.say(f"engine.tree.told.{kind}", who=who, value=value, move=move)

    def _value(self, node: Node) -> str:
        return self._words.meaning(self._tree, node, self._tree.value(node))
