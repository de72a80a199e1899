"""The places of a tree's nodes: side by side in their layers, each above those below it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from engine.game import Move
from engine.tree.growth import Node, SearchTree


@dataclass(slots=True)
class TreeLayout:
    """The middle of each node, and of each move cut off by its node.

    `best` are the nodes of the best play, `right` is where another leaf would begin.
    """

    best: set[Node]
    right: float
    middle: dict[Node, float] = field(default_factory=dict)
    ghosts: dict[tuple[Node, Move], float] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        tree: SearchTree,
        *,
        width: Callable[[Node], float],
        gap: float,
        ghost: float,
        left: float,
    ) -> Self:
        """Lay a tree out from `left` on.

        A node is `width` wide, a cut-off move `ghost`, and behind each leaf there is a `gap`.
        """
        layout = cls(set(tree.root.principal()), left)
        layout._place(tree.root, width, gap, ghost)
        return layout

    def _place(self, node: Node, width: Callable[[Node], float], gap: float, ghost: float) -> float:
        below = [self._place(child, width, gap, ghost) for child in node.children]
        for move in node.cut:
            self.ghosts[node, move] = self.right + ghost / 2
            below.append(self.right + ghost / 2)
            self.right += ghost
        if not below:
            below = [self.right + width(node) / 2]
            self.right += width(node) + gap
        self.middle[node] = (below[0] + below[-1]) / 2
        return self.middle[node]
