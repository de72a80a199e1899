"""A tree as one page of HTML, alone in its file, that steps through the search by arrow keys.

With an algorithm that prunes it shows the same search without, to compare: the check box, or P.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any, Final, TypeAlias

from engine.tree.growth import Node, SearchTree
from engine.tree.picture import picture
from engine.tree.text import ENGLISH, TreeWords, window_name

Step: TypeAlias = tuple[str, int, str]
"""A step: its kind, the node's number, and the text to write there."""

Path: TypeAlias = tuple[int, ...]

STYLE: Final = """
body{margin:0;font:15px system-ui,sans-serif;color:#1c2430}
header{position:sticky;top:0;left:0;background:#fffd;padding:8px 12px;border-bottom:1px solid #ccd;
display:flex;gap:10px;align-items:center;flex-wrap:wrap}
button{font:inherit;min-width:40px;min-height:34px}
.node,.way{opacity:.08}.seen{opacity:1}.current>.box{fill:#e3f2fd;stroke:#1f6feb;stroke-width:3}
.title,.node:not(.seen) .value,.node:not(.seen) .window{visibility:hidden}
"""

SCRIPT: Final = """
const byId = (kind, id) => document.getElementById(kind + id);
const modes = DATA.modes, pruning = document.getElementById("pruning");
let at = 0;
const steps = () => modes[pruning && !pruning.checked ? 1 : 0];
function show() {
  let nodes = 0, cuts = 0, current = null;
  document.querySelectorAll(".seen, .current").forEach(e => e.classList.remove("seen", "current"));
  document.querySelectorAll(".cross").forEach(e => { e.style.display = "none"; });
  document.querySelectorAll(".value, .window").forEach(e => { e.textContent = ""; });
  for (const [what, id, words] of steps().list.slice(0, at)) {
    const node = byId("n", id), way = byId("e", id);
    if (what === "cut") {
      way.classList.add("seen");
      way.querySelector(".cross").style.display = "";
      cuts += 1;
      continue;
    }
    current = node;
    if (what !== "leave") {
      node.classList.add("seen");
      if (way) way.classList.add("seen");
      nodes += what === "enter" ? 1 : 0;
      node.querySelector(".window").textContent = words;
    } else {
      node.querySelector(".value").textContent = words;
    }
  }
  if (current) {
    current.classList.add("current");
    current.scrollIntoView({block: "nearest", inline: "nearest"});
  }
  const numbers = {step: at, steps: steps().list.length, nodes, of: steps().nodes, cut: cuts};
  document.getElementById("status").textContent =
    DATA.step.replace(/{(\\w+)}/g, (_, name) => numbers[name]);
}
function go(to) { at = Math.max(0, Math.min(steps().list.length, to)); show(); }
const moves = {ArrowRight: () => at + 1, ArrowLeft: () => at - 1, Home: () => 0,
  End: () => steps().list.length};
addEventListener("keydown", event => {
  if (event.key in moves) { event.preventDefault(); go(moves[event.key]()); }
  if (event.key.toLowerCase() === "p" && pruning) { pruning.checked = !pruning.checked; go(at); }
});
for (const button of document.querySelectorAll("button")) {
  button.onclick = () => go(moves[button.value]());
}
if (pruning) pruning.onchange = () => go(at);
go(0);
"""


def page(tree: SearchTree, full: SearchTree | None = None, words: TreeWords = ENGLISH) -> str:
    """The page of a tree; `full` is that of the same search without pruning, if it prunes."""
    drawn = full or tree
    ids = {path: number for number, (path, _) in enumerate(_paths(drawn.root))}
    modes = [mode(each, ids, words) for each in (tree, full) if each]
    data = json.dumps({"modes": modes, "step": words.template("engine.tree.step")}).replace(
        "<", "\\u003c"
    )
    return (
        f'<!doctype html><html lang="{words.language}" dir="{words.direction}">'
        f'<meta charset="utf-8"><title>{escape(words.cost(tree))}</title><style>{STYLE}</style>'
        f'<body dir="ltr"><header dir="{words.direction}">{_buttons(words)}'
        f"{_box(words) if full else ''}<b>{tree.agent}</b>"
        '<span id="status" aria-live="polite"></span></header>'
        f"{picture(drawn, words, stepped=True)}"
        f"<script>const DATA = {data};{SCRIPT}</script></html>\n"
    )


def _buttons(words: TreeWords) -> str:
    """The buttons, which lead to the right in every language, as the keys do."""
    buttons = (
        ("Home", "control.first", "Home", "⏮"),
        ("ArrowLeft", "control.previous", "←", "◀"),
        ("ArrowRight", "control.next", "→", "▶"),
        ("End", "control.last", "End", "⏭"),
    )
    written = (
        f'<button value="{value}" title="{escape(words.template(title))} ({key})">{sign}</button>'
        for value, title, key, sign in buttons
    )
    return f'<span dir="ltr">{" ".join(written)}</span>'


def _box(words: TreeWords) -> str:
    name = escape(words.template("engine.tree.pruning"))
    return f'<label><input type="checkbox" id="pruning" checked> {name} (P)</label>'


def mode(tree: SearchTree, ids: dict[Path, int], words: TreeWords = ENGLISH) -> dict[str, Any]:
    """The steps of a search, over the nodes as they are numbered in the picture."""
    steps = [("root", 0, ""), *_steps(tree, tree.root, (), ids, words)]
    return {"list": steps, "nodes": tree.thought.nodes}


def _paths(node: Node, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    yield path, node
    for child in node.children:
        yield from _paths(child, (*path, child.move or 0))


def _steps(
    tree: SearchTree, node: Node, path: Path, ids: dict[Path, int], words: TreeWords
) -> Iterator[Step]:
    for child in node.children:
        below = (*path, child.move or 0)
        alone = not (node.at_chance and child.children)  # a roll and the choice after it are one
        yield "enter" if alone else "roll", ids[below], window_name(tree.window(child))
        yield from _steps(tree, child, below, ids, words)
    for move in node.cut:
        yield "cut", ids[*path, move], ""
    yield "leave", ids[path], words.value(tree.value(node))
