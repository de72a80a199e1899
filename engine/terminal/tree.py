"""`python -m engine tree GAME`: the tree of a search as text, picture or page to step through."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine import roster
from engine.terminal.compare import reached
from engine.terminal.console import BadCommand, Outside, add_table, writable
from engine.terminal.translation import language
from engine.tree.growth import MOST_NODES, TooLarge, grow
from engine.tree.page import page
from engine.tree.picture import picture
from engine.tree.text import TreeWords, text

BESIDE = {
    "alphabeta": ("alphabeta-textbook", "minimax"),
    "alphabeta-textbook": ("alphabeta", "minimax"),
    "alphabeta-negamax": ("negamax",),
}
"""The algorithms that a page compares with one that prunes; the last visits all positions."""

AGENTS = ("minimax", "minimax-in-one", "negamax", *BESIDE, "expectiminimax", "mcts")

PLAYOUTS = 100
"""The playouts of a tree that is sampled, unless asked for."""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("game", help=", ".join(roster.games()))
    parser.add_argument("--agent", default=None, help=", ".join(AGENTS))
    parser.add_argument(
        "--depth", type=int, help="how far it looks (default: to the end), or how many playouts"
    )
    parser.add_argument(
        "--moves", nargs="*", default=[], help="the moves that lead to the position"
    )
    parser.add_argument("--format", choices=("text", "svg", "html"), default="text")
    parser.add_argument("--out", type=Path, help="the file to write (default: the terminal)")
    parser.add_argument("--seed", type=int, default=0, help="for the dice that are not typed")
    parser.epilog = f"It draws up to {MOST_NODES:,} positions."
    add_table(parser, thinking=False)
    parser.add_argument("--language", help="such as ar or zh-CN (default: English)")


def run(arguments: argparse.Namespace, outside: Outside) -> None:
    """Draw the tree."""
    try:
        drawn = _drawn(arguments)
    except TooLarge as error:
        raise BadCommand(f"{error}") from None
    if arguments.out is None:
        outside.console.say(drawn)
    else:
        writable(arguments.out).write_text(drawn, encoding="utf-8")


def _drawn(arguments: argparse.Namespace) -> str:
    game = roster.game(arguments.game)
    agent = arguments.agent or ("expectiminimax" if game.dice else "alphabeta")
    name, _, evaluation = agent.partition(":")
    if name not in AGENTS:
        raise BadCommand(f"{agent!r} grows no tree; there are {', '.join(AGENTS)}")
    usual = PLAYOUTS if name == "mcts" else 1 if game.dice else ""
    depth = arguments.depth or usual
    tail = f":{depth}:{evaluation}".rstrip(":")
    state = reached(game, arguments)
    found = grow(game, f"{name}{tail}", state)
    spoken = language(arguments.language)
    words = TreeWords()
    if spoken is not None:
        words = TreeWords(spoken.locale, spoken.direction, spoken.template, spoken.number)
    if arguments.format == "text":
        return text(found, words)
    if arguments.format == "svg":
        return picture(found, words)
    others = [grow(game, other + tail, state) for other in BESIDE.get(name, ())]
    return page([found, *others], words)
