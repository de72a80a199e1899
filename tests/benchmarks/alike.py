"""Like with like: the textbook searches of `engine.search` beside the same of others.

    pip install -e '.[bench]'
    python -m tests.benchmarks.alike [--runs N] [--backwards]

Each row is one algorithm on one game, the seconds of the quickest of N runs, made by turns in one
process; `--backwards` begins with the others. OpenSpiel's Python works on positions of C++, and its
MCTS is there in C++ as well. Solvers made for one game stand in no row: they would be compared with
something else.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Final

from engine import roster

RUNS: Final = 5
PLAYOUTS: Final = 1_000

Solve = Callable[[], object]


def ours(game: str, agent: str, **options: Any) -> Solve:
    """A search of ours from the start of a game for two."""
    played = roster.game(game)
    start = played.start(2, played.settled(options))
    entrant = roster.entrant(played, agent)
    return lambda: entrant.agent(Random(1)).think(start)


def openspiel_alphabeta(name: str) -> Solve:
    """OpenSpiel's alpha-beta in Python."""
    game = import_module("pyspiel").load_game(name)
    search = import_module("open_spiel.python.algorithms.minimax").alpha_beta_search
    return lambda: search(game)


def openspiel_mcts(name: str, *, compiled: bool) -> Solve:
    """OpenSpiel's MCTS, in Python or C++, with one random playout from each new position."""
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game(name)
    if compiled:
        judge = pyspiel.RandomRolloutEvaluator(1, 1)
        limits = {"uct_c": 2.0, "max_simulations": PLAYOUTS, "max_memory_mb": 1_000}
        more = {"solve": False, "seed": 1, "verbose": False}
        policy = pyspiel.ChildSelectionPolicy.UCT
        bot = pyspiel.MCTSBot(game, judge, **limits, **more, child_selection_policy=policy)
    else:
        mcts = import_module("open_spiel.python.algorithms.mcts")
        state = import_module("numpy").random.RandomState(1)
        judge = mcts.RandomRolloutEvaluator(1, state)
        bot = mcts.MCTSBot(game, 2.0, PLAYOUTS, judge, solve=False, random_state=state)
    return lambda: bot.step(game.new_initial_state())


def easyai(*, table: bool) -> Solve:
    """The negamax of easyAI, with alpha and beta, on its own tic-tac-toe."""
    library = import_module("easyAI")
    tictactoe = import_module("easyAI.games.TicTacToe").TicTacToe

    def solve() -> None:
        game = tictactoe([None, None])
        game.ttentry = lambda: tuple(game.board)
        library.Negamax(9, tt=library.TranspositionTable() if table else None)(game)

    return solve


def rows() -> Mapping[str, Mapping[str, Solve]]:
    """The searches of each row, by whose they are; those that are not installed are left out."""
    found: dict[str, dict[str, Solve]] = {
        "3x3, alpha-beta to the end": {"Parlour": ours("tictactoe", "alphabeta-textbook")},
        "3x3, alpha-beta on negamax to the end": {
            "Parlour": ours("tictactoe", "alphabeta-negamax")
        },
        f"3x3, MCTS of {PLAYOUTS:,} playouts": {"Parlour": ours("tictactoe", f"mcts:{PLAYOUTS}")},
        f"connect four, MCTS of {PLAYOUTS:,} playouts": {
            "Parlour": ours("connectfour", f"mcts:{PLAYOUTS}")
        },
    }
    alphabeta, negamax, small, large = found.values()
    if find_spec("pyspiel"):
        alphabeta["OpenSpiel, Python"] = openspiel_alphabeta("tic_tac_toe")
        for row, name in ((small, "tic_tac_toe"), (large, "connect_four")):
            row["OpenSpiel, Python"] = openspiel_mcts(name, compiled=False)
            row["OpenSpiel, C++"] = openspiel_mcts(name, compiled=True)
    if find_spec("easyAI"):
        negamax["easyAI, Python"] = easyai(table=False)
    return found


def timed(solve: Solve) -> float:
    """The seconds that a search takes."""
    began = time.perf_counter()
    solve()
    return time.perf_counter() - began


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--backwards", action="store_true", help="begin with the others")
    given = parser.parse_args()
    print("| search | " + "Parlour | others |\n|---|--:|---|")
    for what, searches in rows().items():
        best = dict.fromkeys(searches, float("inf"))
        turns = [*searches.items()]
        for _ in range(given.runs):
            for name, solve in turns[::-1] if given.backwards else turns:
                best[name] = min(best[name], timed(solve))
        own = best.pop("Parlour")
        others = ", ".join(
            f"{name} {took * 1e3:,.0f} ms ({took / own:.2f}x)" for name, took in best.items()
        )
        print(f"| {what} | {own * 1e3:,.0f} ms | {others or 'not installed'} |")


if __name__ == "__main__":
    main()
