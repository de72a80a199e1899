"""What an agent thought, told in a few lines."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import CHANCE, Move, State
from engine.notation import Notation, value_name
from engine.search.agent import Thought
from engine.terminal.console import counted


def told(thought: Thought, state: State, notation: Notation) -> list[str]:
    """The values of the moves, the best first, then what it cost and how play would go on."""
    lines = []
    if thought.values:
        best_first = sorted(thought.values.items(), key=lambda item: -item[1])
        weighed = (f"{notation.names(state, m)[0]}: {value_name(v)}" for m, v in best_first)
        lines.append("  values  " + ", ".join(weighed))
    if thought.nodes:
        counts = (
            counted(thought.nodes, "node"),
            counted(thought.cutoffs, "cut-off"),
            counted(thought.depth, "ply", "plies"),
        )
        lines.append(f"  search  {', '.join(counts)}")
    if len(thought.variation) > 1:
        lines.append("  expects " + " ".join(variation_names(thought.variation, state, notation)))
    return lines


def variation_names(moves: Sequence[Move], state: State, notation: Notation) -> list[str]:
    """The names of moves that follow each other; a die in brackets."""
    names = []
    for move in moves:
        name = notation.names(state, move)[0]
        names.append(f"({name})" if state.turn == CHANCE else name)
        state = state.play(move)
    return names
