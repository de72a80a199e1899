"""`python -m engine arena A B`: a match between agents, its progress, and its intervals."""

from __future__ import annotations

import argparse
import math
from typing import Final

from engine import roster
from engine.arena import Match, Report, wilson
from engine.terminal.choices import add_budget, add_options, options
from engine.terminal.console import Outside, Refused
from engine.workers import played, played_on_cluster

BAR: Final = 30


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument(
        "agents", nargs="+", metavar="AGENT", help="NAME[:DEPTH[:EVALUATION]][@SECONDS]"
    )
    parser.add_argument("--game", default="tictactoe", help=", ".join(roster.games()))
    parser.add_argument("--games", type=int, default=1000, help="how many games (default 1000)")
    parser.add_argument("--seats", type=int, help="how many sit at the table")
    parser.add_argument("--seed", type=int, default=0, help="another match (default 0)")
    parser.add_argument("--nodes", type=float, default=math.inf, help="nodes for each move")
    parser.add_argument("--cores", type=int, help="how many processes (default: all cores)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, tcp://HOST:PORT")
    add_options(parser)
    add_budget(parser)


def run(arguments: argparse.Namespace, outside: Outside) -> None:
    """Play the match and report it.

    Raises:
        Refused, Unknown, InvalidOptions: What was asked for does not exist.
        NoCluster: The cluster cannot be used.
    """
    if arguments.games < 1:
        raise Refused("a match is at least one game")
    game = roster.game(arguments.game)
    match = Match(
        game=game.key,
        agents=tuple(arguments.agents),
        seats=arguments.seats or game.seats[0],
        options=options(game, arguments),
        seed=arguments.seed,
        seconds=arguments.seconds or math.inf,
        nodes=arguments.nodes,
    ).checked()
    if arguments.cluster is not None:
        reports = played_on_cluster(
            match, arguments.games, outside.clock, address=arguments.cluster
        )
    else:
        cores = arguments.cores or outside.cores
        reports = played(match, arguments.games, outside.clock, cores=cores)
    total = Report()
    for report in reports:
        total = total.joined(report)
        outside.console.note(progress(total, arguments.games))
    outside.console.note("")
    for line in table(match, total):
        outside.console.say(line)


def progress(so_far: Report, games: int) -> str:
    """A bar, how many games are over, and the share won so far."""
    filled = BAR * so_far.games // games
    share = so_far.won / so_far.games
    return f"[{'#' * filled}{'.' * (BAR - filled)}] {so_far.games}/{games}  won {share:.1%}"


def table(match: Match, total: Report) -> list[str]:
    """The outcome for the first agent, every share with its 95 % interval."""
    first, *others = match.agents
    rules = ", ".join(f"{key}={value}" for key, value in match.options.items())
    lines = [
        f"{first} against {' and '.join(others)}, {match.game} ({rules}), {match.seats} seats",
        f"{total.games:,} games, seats alternated, Wilson intervals of 95 %",
    ]
    for name, hits in (("won", total.won), ("drawn", total.drawn), ("lost", total.lost)):
        low, high = wilson(hits, total.games)
        share = hits / total.games
        lines.append(f"  {name:6}{hits:>8,}  {share:7.2%}  [{low:7.2%}, {high:7.2%}]")
    mean = 1000 * total.seconds / max(1, total.moves)
    lines.append(
        f"  {first}: {mean:.3g} ms a move, {1000 * total.slowest:.3g} ms the slowest; "
        f"{total.plies / total.games:.1f} plies a game"
    )
    return lines
