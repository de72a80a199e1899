"""A tree as one page of HTML, alone in its file, that steps through the search by arrow keys.

Several algorithms can be compared in it, such as one that prunes and the same without: the menu, or
P. The best play from a node is green as soon as the search knows it, and not before.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Final

from engine.tree.growth import SearchTree
from engine.tree.picture import picture
from engine.tree.steps import mode, numbered
from engine.tree.text import ENGLISH, TreeWords

STYLE: Final = """
body{margin:0;font:15px system-ui,sans-serif;color:#1c2430;
display:flex;flex-direction:column;height:100dvh}
header{padding:8px 12px;gap:6px 10px;display:flex;align-items:center;flex-wrap:wrap;
border-bottom:1px solid #ccd}
main{flex:1;overflow:auto}
button,select{font:inherit;min-width:40px;min-height:34px}
#status{font-size:13px;color:#5b6675}#told{flex-basis:100%;margin:0;min-height:2.6em}
.box{scroll-margin:50px}
.node,.way{opacity:.08}.seen{opacity:1}.current>.box{fill:#e3f2fd;stroke:#1f6feb;stroke-width:3}
.best>.box,.best>.edge{stroke:#137a3b;stroke-width:2.5}
.title,.node:not(.seen) .value,.node:not(.seen) .window{visibility:hidden}
"""

SCRIPT: Final = """
const byId = (kind, id) => document.getElementById(kind + id);
const modes = DATA.modes, menu = document.getElementById("mode");
let at = 0;
const mode = () => modes[menu ? menu.selectedIndex : 0];
function mark(name, id) {
  for (const kind of "ne") {
    const element = byId(kind, id);
    if (element) element.classList.add(name);
  }
}
function show() {
  let nodes = 0, cuts = 0, current = 0, told = mode().start;
  document.querySelectorAll(".seen, .current, .best")
    .forEach(e => e.classList.remove("seen", "current", "best"));
  document.querySelectorAll(".cross").forEach(e => { e.style.display = "none"; });
  document.querySelectorAll(".value, .window").forEach(e => { e.textContent = ""; });
  mark("seen", 0);
  const done = mode().list.slice(0, at);
  for (const [what, id, written, sentence] of done) {
    told = sentence;
    if (what === "cut") {
      byId("e", id).classList.add("seen");
      byId("e", id).querySelector(".cross").style.display = "";
      cuts += 1;
      continue;
    }
    current = id;
    if (what === "leave") {
      byId("n", id).querySelector(".value").textContent = written[0];
      continue;
    }
    if (what === "playout" || what === "again") {
      mark("seen", id);
      nodes += what === "playout" ? 1 : 0;
      for (const [node, value] of written) {
        byId("n", node).querySelector(".value").textContent = value;
      }
      continue;
    }
    mark("seen", id);
    nodes += what === "enter" ? 1 : 0;
    byId("n", id).querySelectorAll(".window")
      .forEach((e, line) => { e.textContent = written[line] || ""; });
  }
  if (done.length && done[done.length - 1][0] === "leave") {
    byId("n", current).classList.add("best");
    for (let id = mode().best[current]; id !== undefined; id = mode().best[id]) mark("best", id);
  }
  byId("n", current).classList.add("current");
  byId("n", current).querySelector(".box")
    .scrollIntoView({block: "nearest", inline: at ? "nearest" : "center"});
  const numbers = {step: at, steps: mode().list.length, nodes, of: mode().nodes, cut: cuts};
  document.getElementById("status").textContent =
    DATA.step.replace(/{(\\w+)}/g, (_, name) => numbers[name]);
  document.getElementById("told").textContent = told;
}
function go(to) { at = Math.max(0, Math.min(mode().list.length, to)); show(); }
const moves = {ArrowRight: () => at + 1, ArrowLeft: () => at - 1, Home: () => 0,
  End: () => mode().list.length};
addEventListener("keydown", event => {
  if (event.key in moves) { event.preventDefault(); go(moves[event.key]()); }
  if (event.key.toLowerCase() === "p" && menu) {
    menu.selectedIndex = (menu.selectedIndex + 1) % modes.length;
    go(at);
  }
});
for (const button of document.querySelectorAll("button")) {
  button.onclick = () => go(moves[button.value]());
}
if (menu) menu.onchange = () => { menu.blur(); go(at); };
go(0);
"""


def page(trees: Sequence[SearchTree], words: TreeWords = ENGLISH) -> str:
    """The page of the searches of some algorithms, of which the last one visits all positions."""
    drawn = trees[-1]
    ids = numbered(drawn.root)
    modes = [mode(tree, ids, words) for tree in trees]
    told = {"modes": modes, "step": words.template("engine.tree.step")}
    data = json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")
    return (
        f'<!doctype html><html lang="{words.language}" dir="{words.direction}">'
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(words.cost(trees[0]))}</title><style>{STYLE}</style>"
        f'<body dir="ltr"><header dir="{words.direction}">{_buttons(words)}'
        f"{_menu(trees, words)}"
        '<span id="status"></span><p id="told" aria-live="polite"></p></header>'
        f"<main>{picture(drawn, words, stepped=True)}</main>"
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


def _menu(trees: Sequence[SearchTree], words: TreeWords) -> str:
    """The algorithms to choose from; the name alone if there is one."""
    if len(trees) == 1:
        return f"<b>{trees[0].agent}</b>"
    name = escape(words.template("engine.tree.pruning"))
    options = "".join(f"<option>{tree.agent}</option>" for tree in trees)
    return f'<label>{name} (P) <select id="mode" dir="ltr">{options}</select></label>'
