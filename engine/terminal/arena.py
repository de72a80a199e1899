"""`python -m engine arena A B`: a match between agents, its progress, and its intervals."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from engine import roster
from engine.arena import Match, Score, wilson
from engine.terminal.choices import add_table, options
from engine.terminal.console import BadCommand, Outside, counted
from engine.workers import played, played_on_cluster

BAR: Final = 30


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument(
        "agents", nargs="+", metavar="AGENT", help="NAME[:DEPTH[:EVALUATION]][@SECONDS]"
    )
    parser.add_argument("--matrix", action="store_true", help="each agent against each other")
    parser.add_argument("--game", default="tictactoe", help=", ".join(roster.games()))
    parser.add_argument("--games", type=int, default=1000, help="how many games (default 1000)")
    parser.add_argument("--seed", type=int, default=0, help="another match (default 0)")
    parser.add_argument("--nodes", type=float, default=math.inf, help="nodes for each move")
    parser.add_argument("--cores", type=int, help="how many processes (default: all cores)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, tcp://HOST:PORT")
    add_table(parser)


def run(arguments: argparse.Namespace, outside: Outside) -> None:
    """Play the match, or all matches of the matrix, and report them."""
    if arguments.games < 1:
        raise BadCommand("a match is at least one game")
    _say_remarks(arguments, outside)
    lines: Iterable[str]
    if arguments.matrix:
        lines = _matrix(arguments, outside)
    else:
        match = _match(arguments, arguments.agents)
        lines = _summary(match, _total(match, arguments, outside))
    for line in lines:
        outside.console.say(line)


def _match(arguments: argparse.Namespace, agents: Sequence[str]) -> Match:
    game = roster.game(arguments.game)
    return Match(
        game=game.key,
        agents=tuple(agents),
        seats=arguments.seats or game.seats[0],
        options=options(game, arguments),
        seed=arguments.seed,
        seconds=arguments.seconds or math.inf,
        nodes=arguments.nodes,
    ).checked()


def _say_remarks(arguments: argparse.Namespace, outside: Outside) -> None:
    game = roster.game(arguments.game)
    first = game.start(arguments.seats or game.seats[0], options(game, arguments))
    for spec in dict.fromkeys(arguments.agents):
        if remark := roster.entrant(game, spec).remark(first):
            outside.console.say(f"{spec}: {remark}.")


def _total(match: Match, arguments: argparse.Namespace, outside: Outside) -> Score:
    games, clock = arguments.games, outside.clock
    if arguments.cluster is not None:
        reports = played_on_cluster(match, games, clock, address=arguments.cluster)
    else:
        reports = played(match, games, clock, cores=arguments.cores or outside.cores)
    so_far = Score()
    for report in reports:
        so_far = so_far.joined(report)
        outside.console.note(f"{' - '.join(map(str, match.agents))} {_progress(so_far, games)}")
    outside.console.note("")
    return so_far


def _matrix(arguments: argparse.Namespace, outside: Outside) -> Iterator[str]:
    """Each agent against each other, as a Markdown table: won, drawn and lost in per cent."""
    agents = arguments.agents
    found: dict[tuple[str, str], Score] = {}
    for first, second in combinations(agents, 2):
        forward = _total(_match(arguments, (first, second)), arguments, outside)
        backward = forward._replace(won=forward.lost, lost=forward.won)
        if (arguments.seats or 2) > 2:  # one against several is a match of its own
            backward = _total(_match(arguments, (second, first)), arguments, outside)
        found[first, second], found[second, first] = forward, backward
    yield f"| {counted(arguments.games, 'game')} a pair | {' | '.join(agents)} |"
    yield f"| --- |{' --- |' * len(agents)}"
    for agent in agents:
        cells = (_shares(found.get((agent, other), Score())) for other in agents)
        yield f"| {agent} | {' | '.join(cells)} |"


def _shares(report: Score) -> str:
    counts = (report.won, report.drawn, report.lost)
    return " / ".join(f"{100 * count / report.games:.1f}" for count in counts if report.games)


def _progress(so_far: Score, games: int) -> str:
    filled = BAR * so_far.games // games
    share = so_far.won / so_far.games
    return f"[{'#' * filled}{'.' * (BAR - filled)}] {so_far.games}/{games}  won {share:.1%}"


def _summary(match: Match, total: Score) -> list[str]:
    first, *others = map(str, match.agents)
    rules = ", ".join(f"{key}={value}" for key, value in match.options.items())
    lines = [
        f"{first} against {' and '.join(others)}, {match.rules.key} ({rules}), {match.seats} seats",
        f"{counted(total.games, 'game')}, seats alternated, Wilson intervals of 95 %",
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
