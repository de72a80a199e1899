"""The tree of a search, as textbooks draw it: grown by the very algorithms that play."""

from engine.tree.growth import MOST_NODES, Node, SearchTree, TooLarge, grown
from engine.tree.layout import TreeLayout
from engine.tree.page import page
from engine.tree.picture import picture
from engine.tree.text import TreeWords, text

__all__ = [
    "MOST_NODES",
    "Node",
    "SearchTree",
    "TooLarge",
    "TreeLayout",
    "TreeWords",
    "grown",
    "page",
    "picture",
    "text",
]
