"""A tree as a picture: boards as nodes, a layer for each ply, values below, cut-off moves crossed.

A board whose text is a grid of single characters is drawn as a grid, any other as its lines. MAX
stands on an edge at the top of a node, MIN at its bottom, chance is rounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final, TypeAlias

from engine.tree.growth import Node, SearchTree
from engine.tree.layout import TreeLayout
from engine.tree.text import ENGLISH, TreeWords, move_name, window_name

CELL: Final = 14
LETTER: Final = 6.7
GAP: Final = 14
BELOW: Final = 30
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
    layout = TreeLayout.of(
        tree, width=lambda node: size(node)[0], gap=GAP, ghost=GHOST, left=MARGIN
    )
    every = list(tree.root.every())
    step = max(size(node)[1] for node in every) + BELOW + EDGE
    height = TOP + step * (1 + max(node.ply + bool(node.cut) for node in every))
    width = max(layout.right + GAP, 420)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}">',
        f"<style>{STYLE}</style>",
        f'<text class="title {words.direction}" x="10" y="22">{escape(words.cost(tree))}</text>',
        *_layers(tree, every, step),
    ]
    ids = {node: number for number, node in enumerate(every)}
    for node in every:
        parts += _edges(tree, node, layout, step, ids if stepped else {})
    parts += (
        _drawn(tree, node, layout, TOP + step * node.ply, number=ids[node], words=words)
        for node in every
    )
    return "\n".join((*parts, "</svg>", ""))


def size(node: Node) -> tuple[float, float]:
    """The width and the height of a node's box."""
    rows = _rows(node)
    if _is_grid(rows):
        return max(CELL * len(rows[0]), 62) + 6, CELL * len(rows) + 8
    return max(LETTER * len(" ".join(row)) for row in rows) + 14, CELL * len(rows) + 8


def _rows(node: Node) -> list[list[str]]:
    return [line.split() for line in str(node.state).splitlines()]


def _is_grid(rows: list[list[str]]) -> bool:
    return all(len(row) == len(rows[0]) and max(map(len, row)) == 1 for row in rows)


def _layers(tree: SearchTree, every: list[Node], step: float) -> Iterator[str]:
    for ply in range(max(node.ply for node in every) + 1):
        kinds = {tree.layer(node) for node in every if node.ply == ply and node.children}
        y = TOP + step * ply + 24
        yield f'<text class="layer" x="10" y="{y:.0f}">{" / ".join(sorted(kinds))}</text>'


def _edges(
    tree: SearchTree, node: Node, layout: TreeLayout, step: float, ids: dict[Node, int]
) -> Iterator[str]:
    start = layout.middle[node], TOP + step * node.ply + size(node)[1] + BELOW
    end = TOP + step * (node.ply + 1)
    odds = ": 1/6" if node.at_chance else ""
    for child in node.children:
        name = move_name(tree, node, child.move) + odds
        line = _line(
            start, (layout.middle[child], end), name, "chosen" if child in layout.best else ""
        )
        cross = _cross(start, (layout.middle[child], end), ' style="display:none"')
        number = ids.get(child)
        yield (
            f"<g>{line}</g>"
            if number is None
            else f'<g id="e{number}" class="way">{line}{cross}</g>'
        )
    for move in node.cut:
        ghost = layout.ghosts[node, move], end - EDGE / 3
        yield _line(start, ghost, move_name(tree, node, move), "cut") + _cross(start, ghost)


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


def _drawn(
    tree: SearchTree, node: Node, layout: TreeLayout, top: float, *, number: int, words: TreeWords
) -> str:
    width, height = size(node)
    rows, layer = _rows(node), tree.layer(node)
    kind = f"node {layer}{' chosen' if node in layout.best else ''}"
    bar = 0 if layer == "MAX" else height - 3
    left, centre = layout.middle[node] - width / 2, width / 2
    parts = [
        f'<g id="n{number}" class="{kind}" transform="translate({left:.1f} {top:.1f})">',
        f'<rect class="box" width="{width:.1f}" height="{height:.1f}" rx="3"/>',
    ]
    if layer != "CHANCE":
        parts.append(f'<rect class="bar" y="{bar}" width="{width:.1f}" height="3"/>')
    if _is_grid(rows):
        parts += _grid(rows, (width - CELL * len(rows[0])) / 2, node.move)
    else:
        parts += (
            f'<text x="{centre:.1f}" y="{CELL * number + 16}">{escape(" ".join(row))}</text>'
            for number, row in enumerate(rows)
        )
    shown, bounds = words.value(tree.value(node)), window_name(tree.window(node))
    for kind, written, below in (("value", shown, 13), ("window", bounds, 25)):
        at = f'x="{centre:.1f}" y="{height + below:.1f}"'
        parts.append(f'<text class="{kind}" {at}>{escape(written)}</text>')
    return "".join((*parts, "</g>"))


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
