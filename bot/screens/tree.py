"""The search tree of a game's last moves, as textbooks draw it, for one reader.

The picture is a dark card: boards are nodes, each with its value below, and each layer of MAX or
MIN is a stripe. The best play is green; a branch that was cut off ends in a red cross. The search
itself records the tree (`engine.tree`), from as many moves before the end as there is room for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Picture, Prose, Screen, Tone
from bot.message.canvas import Canvas, Paint, Point
from bot.message.fonts import Lettering
from bot.message.text import Text, TextValue, joined, text
from bot.screens.lobby import emblem
from bot.table.session import Session
from bot.table.table import Table
from engine.game import Seat
from engine.notation import notation
from engine.tree.growth import Node, SearchTree, grow
from engine.tree.picture import TreeLayout

PICTURE: Final = "tree.png"
AGENT: Final = "alphabeta-textbook"
"""The agent whose search is drawn; as in textbooks a win is +1, and the first of equals is best."""

MOST_MOVES, FEWEST_MOVES = 5, 2
"""The most and the fewest legal moves at the root of a tree."""

WIDTH: Final = 720
EDGE: Final = 10
SMALLEST, LARGEST = 44.0, 96.0
"""The least and the greatest width of a board, in pixels."""
FRAME: Final = 3
GAP: Final = 8
GHOST: Final = 18
TOP: Final = 32
BETWEEN: Final = 92
"""The space above the first layer of boards, and between two layers, in pixels."""
VALUE: Final = 14
"""The distance from a board down to the middle of its value; branches begin twice as far down."""
LETTERS: Final = 19
CROSS: Final = 7

GROUND, STRIPE = "#1f2229", "#292e38"
SQUARE, NEW = "#454d5c", "#727d91"
LINE, BEST, CUT = "#8a93a5", "#5fd38a", "#ff6b6b"
INK: Final = "#f2f3f5"
MARKS: Final = "XO"
"""The letters of the seats in a position's notation."""


@dataclass(frozen=True, slots=True)
class LastMoves:
    """The tree of a game's last `count` moves, its layout, and the width of a board."""

    count: int
    tree: SearchTree
    layout: TreeLayout
    board: float

    def top(self, ply: int) -> float:
        """The y coordinate at which the boards of a layer begin."""
        return TOP + self.layer * ply

    @property
    def layer(self) -> float:
        """The distance from one layer to the next."""
        return self.board + BETWEEN


def last_moves(session: Session) -> LastMoves | None:
    """The tree of the last moves of a finished game.

    None if too many moves were left at the end, or if this kind of game has no trees.
    """
    if not CATALOGUE[session.game.key].tree:
        return None
    state = session.game.start(len(session.seats), session.options)
    for move in (*session.moves, None):
        if len(state.moves()) <= MOST_MOVES and (found := _fitting(session, state)):
            return found
        if move is not None:
            state = state.play(move)
    return None


def _fitting(session: Session, state: Any) -> LastMoves | None:  # noqa: ANN401 - any game's
    """The tree from a position on; None if it is too small, or does not fit the picture."""
    count = len(state.moves())
    if count < FEWEST_MOVES:
        return None
    tree = grow(session.game, AGENT, state)
    every = list(tree.root.every())
    leaves = sum(not node.children for node in every)
    room = WIDTH - 2 * EDGE - GHOST * sum(len(node.cut) for node in every)
    board = min(LARGEST, room / leaves - GAP)
    if board < SMALLEST:
        return None
    left = EDGE + (room - leaves * (board + GAP)) / 2
    layout = TreeLayout.of(tree, width=lambda _: board, gap=GAP, ghost=GHOST, left=left)
    return LastMoves(count, tree, layout, board)


def screen(table: Table, shown: LastMoves) -> Screen:
    """The picture, and how to read it."""
    session, searched = table.session, shown.tree
    own, rival = (emblem(session, seat) for seat in (searched.seat, 1 - searched.seat))
    cut = sum(len(node.cut) for node in searched.root.every())
    layers = {each: text(f"engine.tree.layer.{each}") for each in ("max", "min")}
    lines = (
        text("tree.title", number=str(table.id)),
        text("tree.moves", squares=shown.count),
        text("tree.layers", own=own, rival=rival, **layers),
        text("tree.cut", nodes=searched.thought.nodes + 1, cut=cut),
    )
    picture = Picture(PICTURE, (lines[1], *_in_words(searched, own)))
    return Screen((Prose(lines[:2]), picture, Prose(lines[2:])), Tone.OVER)


def _in_words(found: SearchTree, own: TextValue) -> Iterator[Text]:
    """The value of each move at the root, and the best play from there."""
    names, root = notation(found.game).names, found.root
    for node in root.children:
        assert node.move is not None, "only the root has none"
        *_, name = names(root.state, node.move)
        yield text("engine.tree.worth", value=f"{name}: {_sign(found, node)}", who=own)
    line, state = list[str](), root.state
    for node in root.principal():
        assert node.move is not None, "only the root has none"
        *_, name = names(state, node.move)
        line, state = [*line, name], node.state
    yield text("why.line", moves=joined(line))


def _sign(found: SearchTree, node: Node) -> str:
    value = found.value(node)
    return "+1" if value > 0 else "-1" if value < 0 else "0"


def picture(shown: LastMoves, lettering: Lettering) -> bytes:
    """The tree, as PNG."""
    found, layout, side = shown.tree, shown.layout, shown.board
    every = list(found.root.every())
    depth = max(node.ply + bool(node.cut) for node in every)
    canvas = Canvas(WIDTH, round(shown.layer * (depth + 1)), GROUND)
    for ply in range(depth + 1):
        _stripe(canvas, shown, ply, lettering)
    for node in every:
        _branches(canvas, shown, node)
    explainer = CATALOGUE[found.game.key].explainer
    assert explainer is not None, "a game that is reviewed has one"
    paints = [explainer.paint(len(MARKS), Seat(seat)) for seat in range(len(MARKS))]
    for node in every:
        at = (layout.middle[node] - side / 2, shown.top(node.ply))
        if node in layout.best:
            _box(canvas, at, side, BEST, rim=FRAME)
        _board(canvas, node, at, side, paints)
        below = (at[0] + side / 2, at[1] + side + VALUE)
        canvas.write(below, _sign(found, node), INK, size=LETTERS)
    return canvas.png()


def _stripe(canvas: Canvas, shown: LastMoves, ply: int, lettering: Lettering) -> None:
    at = shown.layer * ply
    if ply % 2:
        canvas.rectangle((0, at), (WIDTH, at + shown.layer), STRIPE)
    layer = "min" if ply % 2 else "max"
    for caption in lettering.captions(text(f"engine.tree.layer.{layer}")):
        middle = EDGE + LETTERS * max(1.0, 0.35 * len(caption.words))
        canvas.write((middle, at + VALUE), caption, LINE, size=LETTERS)


def _branches(canvas: Canvas, shown: LastMoves, node: Node) -> None:
    layout, end = shown.layout, shown.top(node.ply + 1)
    start = layout.middle[node], shown.top(node.ply) + shown.board + 2 * VALUE
    for child in node.children:
        best = child in layout.best
        line = (start, (layout.middle[child], end - FRAME))
        canvas.line(line, BEST if best else LINE, width=3 if best else 1.5)
    for move in node.cut:
        x, y = layout.ghosts[node, move], end + CROSS
        canvas.line((start, (x, y)), CUT, width=1.5)
        for up in (CROSS, -CROSS):
            canvas.line(((x - CROSS, y - up), (x + CROSS, y + up)), CUT, width=3)


def _board(canvas: Canvas, node: Node, at: Point, width: float, paints: Sequence[Paint]) -> None:
    rows = [line.split() for line in str(node.state).splitlines()]
    side = width / len(rows)
    for number, mark in enumerate(mark for row in rows for mark in row):
        row, column = divmod(number, len(rows))
        x, y = at[0] + side * column, at[1] + side * row
        _box(canvas, (x + 1, y + 1), side - 2, NEW if number == node.move else SQUARE)
        if mark in MARKS:
            middle = x + side / 2, y + side / 2
            canvas.write(middle, mark, paints[MARKS.index(mark)], size=0.8 * side)


def _box(canvas: Canvas, at: Point, side: float, paint: Paint, *, rim: float = 0) -> None:
    x, y = at
    canvas.rectangle((x - rim, y - rim), (x + side + rim, y + side + rim), paint, radius=2)
