"""`python -m engine arena A B`: a match between agents, its progress, and its intervals."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from engine import roster
from engine.arena import BOUND, Contestant, Match, Score, Sprt, wilson
from engine.isolation import AgentFile
from engine.terminal.console import (
    BadCommand,
    Outside,
    above_zero,
    add_table,
    counted,
    figure,
    options,
)
from engine.workers import FEWEST, played, played_on_cluster

BAR: Final = 30


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument(
        "agents",
        nargs="+",
        metavar="AGENT",
        help="NAME[:DEPTH[:EVALUATION]][@SECONDS], or FILE.py:CLASS",
    )
    parser.add_argument("--matrix", action="store_true", help="each agent against each other")
    parser.add_argument("--game", default="tictactoe", help=", ".join(roster.games()))
    parser.add_argument(
        "--games", type=above_zero(int), default=1000, help="how many games (default 1000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="another match (default 0)")
    parser.add_argument(
        "--nodes", type=above_zero(float), default=math.inf, help="nodes for each move"
    )
    parser.add_argument(
        "--longest",
        type=above_zero(float),
        default=math.inf,
        metavar="SECONDS",
        help="the time that an agent has for a game",
    )
    parser.add_argument(
        "--memory",
        type=above_zero(float),
        default=1024,
        metavar="MB",
        help="what an agent of a file may take (default 1024)",
    )
    parser.add_argument(
        "--without-luck", action="store_true", help="the share without the luck of the dice, too"
    )
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("ELO0", "ELO1"),
        help="end as soon as it is told by which of both the first agent is stronger",
    )
    parser.add_argument("--json", action="store_true", help="the result as JSON, for programs")
    told = "how many processes (default: all cores)"
    parser.add_argument("--cores", type=above_zero(int), help=told)
    parser.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, tcp://HOST:PORT")
    add_table(parser)


def run(arguments: argparse.Namespace, outside: Outside) -> None:
    """Play the match, or all matches of the matrix, and report them."""
    if arguments.matrix and (arguments.json or arguments.sprt):
        raise BadCommand("--matrix is a table, without --json and --sprt")
    lines: Iterable[str]
    if arguments.matrix:
        _say_remarks(arguments, outside)
        lines = _matrix(arguments, outside)
    else:
        match, test = _match(arguments, arguments.agents), _test(arguments)
        if arguments.json:
            total = _total(match, arguments, outside, test)
            lines = (json.dumps(_object(match, total, test)),)
        else:
            _say_remarks(arguments, outside)
            lines = _summary(match, _total(match, arguments, outside, test), test)
    for line in lines:
        outside.console.say(line)


def _test(arguments: argparse.Namespace) -> Sprt | None:
    if arguments.sprt is None:
        return None
    if len(arguments.agents) != 2 or (arguments.seats or 2) != 2:
        raise BadCommand("--sprt is for two agents at two seats")
    try:
        return Sprt(*arguments.sprt)
    except ValueError as error:
        raise BadCommand(f"--sprt: {error}") from None


def _match(arguments: argparse.Namespace, agents: Sequence[str]) -> Match:
    game = roster.game(arguments.game)
    return Match(
        game=game.key,
        agents=tuple(map(_contestant, agents)),
        seats=arguments.seats or game.seats[0],
        options=options(game, arguments),
        seed=arguments.seed,
        seconds=arguments.seconds or math.inf,
        nodes=arguments.nodes,
        longest=arguments.longest,
        memory=arguments.memory,
        without_luck=arguments.without_luck,
    ).checked()


def _contestant(spec: str) -> Contestant:
    """An agent of the roster by its name, or one of a file."""
    path, dot, name = spec.rpartition(".py:")
    if not dot:
        return spec
    if not Path(f"{path}.py").is_file():
        raise BadCommand(f"there is no file {path}.py")
    return AgentFile(f"{path}.py", name)


def _say_remarks(arguments: argparse.Namespace, outside: Outside) -> None:
    game = roster.game(arguments.game)
    first = game.start(arguments.seats or game.seats[0], options(game, arguments))
    for spec in dict.fromkeys(arguments.agents):
        if not isinstance(_contestant(spec), str):
            continue
        if remark := roster.entrant(game, spec).remark(first):
            outside.console.say(f"{spec}: {remark}.")


def _total(
    match: Match, arguments: argparse.Namespace, outside: Outside, test: Sprt | None = None
) -> Score:
    games, clock, size = arguments.games, outside.clock, FEWEST if test else None
    if arguments.cluster is not None:
        reports = played_on_cluster(match, games, clock, address=arguments.cluster, size=size)
    else:
        cores = arguments.cores or outside.cores
        reports = played(match, games, clock, cores=cores, size=size)
    so_far = Score()
    with closing(reports):  # which ends processes that would play on
        for report in reports:
            so_far = so_far.joined(report)
            outside.console.note(f"{' - '.join(match.names)} {_progress(so_far, games)}")
            if test and test.verdict(so_far) is not None:
                break
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
    for pair, score in found.items():
        if score.fouls and pair in combinations(agents, 2):
            yield from ("", f"{' - '.join(pair)}:", *_fouls(score))


def _fouls(score: Score) -> Iterator[str]:
    """The fouls of each agent: their number, and the first of each reason."""
    for agent in dict.fromkeys(foul.agent for foul in score.fouls):
        own = [foul for foul in score.fouls if foul.agent == agent]
        yield f"  {agent} lost {counted(len(own), 'game')} by fouls"
        firsts = {foul.reason: foul for foul in reversed(own)}
        for foul in sorted(firsts.values()):
            same = sum(each.reason == foul.reason for each in own)
            first = f"first at ply {foul.ply} of game {foul.game}"
            yield f"    {counted(same, 'time')} it {foul.reason}, {first}"


def _shares(report: Score) -> str:
    counts = (report.won, report.drawn, report.lost)
    return " / ".join(f"{100 * count / report.games:.1f}" for count in counts if report.games)


def _progress(so_far: Score, games: int) -> str:
    filled = BAR * so_far.games // games
    share = so_far.won / so_far.games
    return f"[{'#' * filled}{'.' * (BAR - filled)}] {so_far.games}/{games}  won {share:.1%}"


def _object(match: Match, total: Score, test: Sprt | None) -> dict[str, Any]:
    """The result of a match, as JSON has it; times in milliseconds."""
    found: dict[str, Any] = {
        "game": match.rules.key,
        "options": dict(match.options),
        "seats": match.seats,
        "agents": list(match.names),
        "seed": match.seed,
        "games": total.games,
    }
    for name, hits in (("won", total.won), ("drawn", total.drawn), ("lost", total.lost)):
        low, high = wilson(hits, total.games)
        found[name] = {"games": hits, "share": hits / total.games, "low": low, "high": high}
    if match.without_luck:
        found["without_luck"] = total.without_luck()._asdict()
    if test:
        verdict, ratio = test.verdict(total), test.ratio(total)
        found["sprt"] = {"ratio": ratio, "bound": BOUND, "elo": verdict}
    found["fouls"] = [foul._asdict() for foul in total.fouls]
    found["plies"] = total.plies / total.games
    found["mean_ms"] = 1000 * total.seconds / max(1, total.moves)
    found["slowest_ms"] = 1000 * total.slowest
    return found


def _summary(match: Match, total: Score, test: Sprt | None) -> list[str]:
    first, *others = match.names
    rules = ", ".join(f"{key}={value}" for key, value in match.options.items())
    lines = [
        f"{first} against {' and '.join(others)}, {match.rules.key} ({rules}), {match.seats} seats",
        f"{counted(total.games, 'game')}, seats alternated, Wilson intervals of 95 %",
    ]
    for name, hits in (("won", total.won), ("drawn", total.drawn), ("lost", total.lost)):
        low, high = wilson(hits, total.games)
        share = hits / total.games
        lines.append(f"  {name:6}{hits:>8,}  {share:7.2%}  [{low:7.2%}, {high:7.2%}]")
    if match.without_luck:
        share, low, high = total.without_luck()
        lines.append(f"  {'won':6} without luck {share:7.2%}  [{low:7.2%}, {high:7.2%}]")
    if test:
        lines.append(f"  {_verdict(test, total)}")
    lines += _fouls(total)
    mean = figure(1000 * total.seconds / max(1, total.moves))
    lines.append(
        f"  {first}: {mean} ms a move, {figure(1000 * total.slowest)} ms the slowest; "
        f"{total.plies / total.games:.1f} plies a game"
    )
    return lines


def _verdict(test: Sprt, total: Score) -> str:
    verdict, ratio = test.verdict(total), f"{test.ratio(total):.2f}"
    ends = f"log likelihood ratio {ratio} of {BOUND:.2f}"
    if verdict is None:
        return f"not told yet whether {test.lower:g} or {test.higher:g} Elo: {ends}"
    other = test.lower if verdict == test.higher else test.higher
    return f"stronger by {verdict:g} Elo rather than by {other:g}: {ends}"
