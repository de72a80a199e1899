"""A tree as a picture: boards as nodes, a layer for each ply, values below, cut-off moves crossed.

A board whose text is a grid of single characters is drawn as a grid. Any other is drawn as its
lines, below the turn and the roll. A node of MAX has a bar at its top, one of MIN at its
bottom; one of chance is rounded.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Final, Self, TypeAlias

from engine.game import Move, Seat, seat_at
from engine.tree.growth import Node, SearchTree
from engine.tree.text import ENGLISH, TreeWords

CELL: Final = 14
LETTER: Final = 6.7
SMALL: Final = 9 / 11
"""The size of the letters of a window, by that of others."""
GAP: Final = 14
BELOW: Final = 40
EDGE: Final = 54
MARGIN: Final = 84
TOP: Final = 40
GHOST: Final = 26
STYLE: Final = """
svg{font:11px ui-monospace,Menlo,Consolas,monospace;background:#fff;direction:ltr}
text{fill:#1c2430;text-anchor:middle}.layer{font-weight:bold;text-anchor:start}
.title{font-size:13px;text-anchor:start}.title.rtl{direction:rtl;text-anchor:end}
.box{fill:#fff;stroke:#5b6675}
.chosen>.box{stroke:#137a3b;stroke-width:2.5}.MAX>.bar{fill:#1f6feb}.MIN>.bar{fill:#c2410c}
.CHANCE>.box{rx:14;fill:#fff8e1}.grid{stroke:#c3cad4}.new{font-weight:bold;fill:#1f6feb}
.value{font-weight:bold}.window{font-size:9px;fill:#5b6675}
.edge{stroke:#8a94a3;fill:none}.edge.chosen{stroke:#137a3b;stroke-width:2.5}
.edge.cut{stroke:#c62828;stroke-dasharray:3 3}.cross{stroke:#c62828;stroke-width:2}
.name{font-size:10px;paint-order:stroke;stroke:#fff;stroke-width:4px}
"""


Point: TypeAlias = tuple[float, float]


def picture(tree: SearchTree, words: TreeWords = ENGLISH, *, stepped: bool = False) -> str:
    """The tree as SVG; `stepped` gives every edge a name and a cross, for the page."""
    return "\n".join((*_Drawing(tree, words, stepped=stepped).parts(), "</svg>", ""))


class _Drawing:
    """One tree drawn in one language."""

    def __init__(self, tree: SearchTree, words: TreeWords, *, stepped: bool) -> None:
        self.tree, self.words, self.stepped = tree, words, stepped
        self.every = list(tree.root.every())
        self.ids = {node: number for number, node in enumerate(self.every)}
        self.rows = {node: list(self._rows(node)) for node in self.every}
        self.sizes = {node: self._size(node) for node in self.every}
        self.step = max(height for _, height in self.sizes.values()) + BELOW + EDGE
        self.layout = TreeLayout.of(
            tree, width=lambda node: self.sizes[node][0], gap=GAP, ghost=GHOST, left=MARGIN
        )

    def parts(self) -> Iterator[str]:
        """The elements of the picture, from its beginning on."""
        height = TOP + self.step * (1 + max(node.ply + bool(node.cut) for node in self.every))
        width, title = max(self.layout.right + GAP, 420), escape(self.words.cost(self.tree))
        yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}">'
        yield f"<style>{STYLE}</style>"
        yield f'<text class="title {self.words.direction}" x="10" y="22">{title}</text>'
        yield from self._layers()
        for node in self.every:
            yield from self._edges(node)
        for node in self.every:
            yield self._box(node)

    def _best(self, node: Node) -> bool:
        """Whether a node is drawn as best from the start; a page waits until that is known."""
        return node in self.layout.best and not self.stepped

    def _size(self, node: Node) -> tuple[float, float]:
        """The width and the height of a node's box; what stands below it is no wider."""
        rows, words = self.rows[node], self.words
        if _is_grid(rows):
            wide = max(CELL * len(rows[0]), 62) + 6.0
        else:
            wide = max(_wide(" ".join(row)) for row in rows) + 14
        bounds = (SMALL * _wide(bound) for bound in words.window(self.tree, node))
        wide = max(wide, _wide(words.below(self.tree, node)), *bounds)
        return wide, CELL * len(rows) + 8

    def _rows(self, node: Node) -> Iterator[list[str]]:
        """The board; with dice whose turn and which roll it is before it, and who stands there."""
        rows = [line.split() for line in str(node.state).splitlines()]
        if not self.tree.game.dice:
            yield from rows
            return
        if node.state.payoff() is None:
            rolled = getattr(node.state, "die", 0)
            yield [self.words.seat(self.tree, seat_at(node.state)), f"🎲 {rolled or '?'}"]
        for seat, row in enumerate(rows):
            yield [self.words.seat(self.tree, Seat(seat)), *row]

    def _layers(self) -> Iterator[str]:
        for ply in range(max(node.ply for node in self.every) + 1):
            layer = [node for node in self.every if node.ply == ply and node.children]
            kinds = sorted({self.words.layer(self.tree, node) for node in layer})
            y = TOP + self.step * ply + 24
            yield f'<text class="layer" x="10" y="{y:.0f}">{escape(" / ".join(kinds))}</text>'

    def _edges(self, node: Node) -> Iterator[str]:
        top, layout = TOP + self.step * node.ply, self.layout
        start, down = (layout.middle[node], top + self.sizes[node][1] + BELOW), top + self.step
        odds = f" · 1/{len(node.state.moves())}" if node.at_chance else ""
        for child in node.children:
            name = self.words.move(self.tree, node, child.move or Move(0)) + odds
            end = layout.middle[child], down
            line = _line(start, end, name, "chosen" if self._best(child) else "")
            if self.stepped:
                cross = _cross(start, end, ' style="display:none"')
                yield f'<g id="e{self.ids[child]}" class="way">{line}{cross}</g>'
            else:
                yield f"<g>{line}</g>"
        for move in node.cut:
            ghost = layout.ghosts[node, move], down - EDGE / 3
            name = self.words.move(self.tree, node, move)
            yield _line(start, ghost, name, "cut") + _cross(start, ghost)

    def _box(self, node: Node) -> str:
        (width, height), rows, layer = self.sizes[node], self.rows[node], self.tree.layer(node)
        left, top = self.layout.middle[node] - width / 2, TOP + self.step * node.ply
        kind = f"node {layer}{' chosen' if self._best(node) else ''}"
        place = f"translate({left:.1f} {top:.1f})"
        parts = [
            f'<g id="n{self.ids[node]}" class="{kind}" transform="{place}">',
            f'<rect class="box" width="{width:.1f}" height="{height:.1f}" rx="3"/>',
        ]
        if layer != "CHANCE":
            bar = 0 if layer == "MAX" else height - 3
            parts.append(f'<rect class="bar" y="{bar}" width="{width:.1f}" height="3"/>')
        if _is_grid(rows):
            parts += _grid(rows, (width - CELL * len(rows[0])) / 2, node.move)
        else:
            parts += (
                f'<text x="{width / 2:.1f}" y="{CELL * line + 16}">{escape(" ".join(row))}</text>'
                for line, row in enumerate(rows)
            )
        bounds = (*self.words.window(self.tree, node), "", "")[:2]
        below = (self.words.below(self.tree, node), *bounds)
        for line, written in enumerate(below):
            at = f'x="{width / 2:.1f}" y="{height + 13 + 11 * line:.1f}"'
            kind = "window" if line else "value"
            parts.append(f'<text class="{kind}" {at}>{escape(written)}</text>')
        return "".join((*parts, "</g>"))


def _wide(words: str) -> float:
    """The width of words, about; Chinese, Japanese and Korean letters are twice as wide."""
    return LETTER * sum(1 + (unicodedata.east_asian_width(each) in "WF") for each in words)


def _is_grid(rows: list[list[str]]) -> bool:
    return all(len(row) == len(rows[0]) and max(map(len, row)) == 1 for row in rows)


def _line(start: Point, end: Point, name: str, kind: str) -> str:
    (x, y), (right, down) = start, end
    return (
        f'<path class="edge {kind}" d="M{x:.1f} {y:.1f}L{right:.1f} {down:.1f}"/>'
        f'<text class="name" x="{x + 0.7 * (right - x):.1f}" y="{y + 0.7 * (down - y):.1f}">'
        f"{escape(name)}</text>"
    )


def _cross(start: Point, end: Point, attributes: str = "") -> str:
    x, y = (start[0] + end[0]) / 2 - 5, (start[1] + end[1]) / 2 - 5
    return f'<path class="cross"{attributes} d="M{x:.1f} {y:.1f}l10 10m0 -10l-10 10"/>'


def _grid(rows: list[list[str]], left: float, last: int | None) -> Iterator[str]:
    high, wide = len(rows), len(rows[0])
    down = "".join(f"M{left + CELL * n:.1f} 4v{CELL * high}" for n in range(1, wide))
    across = "".join(f"M{left:.1f} {4 + CELL * n}h{CELL * wide}" for n in range(1, high))
    yield f'<path class="grid" d="{down}{across}"/>'
    for number, mark in enumerate(mark for row in rows for mark in row):
        row, column = divmod(number, wide)
        x, y = left + CELL * (column + 0.5), 4 + CELL * row + 11
        new = ' class="new"' if number == last else ""
        if mark != ".":
            yield f'<text{new} x="{x:.1f}" y="{y}">{escape(mark)}</text>'


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
