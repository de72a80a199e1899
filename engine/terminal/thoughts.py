"""What an agent thought, told in a few lines."""

from __future__ import annotations

from engine.game import State
from engine.notation import Notation, move_names, value_name
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
        lines.append("  expects " + move_names(thought.variation, state, notation))
    return lines
