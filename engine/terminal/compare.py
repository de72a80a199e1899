"""`python -m engine compare GAME`: a position's value by each algorithm, and the cost of each."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from engine import roster
from engine.game import CHANCE, Game, Move, Seat, State
from engine.notation import Notation, named, notation, plies_to_end, value_name
from engine.search.agent import Budget, Thought
from engine.terminal.console import BadCommand, Outside, add_table, counted, options

RUNS: Final = 3
LONG: Final = 0.1
"""Seconds; an agent that takes longer runs once, any other `RUNS` times for the quickest."""

USUAL_SECONDS: Final = 3.0
"""The limit of an agent that would search to the end of a game, where there is no other limit."""

SMALL: Final = 6_000
"""Positions, a few more than all of 3x3: where no more can follow, every search soon ends."""

CUT: Final = "*"

HEADS: Final = ("agent", "value", "best moves", "nodes", "cut-offs", "ms")


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("game", nargs="?", default="tictactoe", help=", ".join(roster.games()))
    parser.add_argument("--agents", nargs="+", metavar="AGENT", help="default: all that search")
    parser.add_argument(
        "--moves", nargs="*", default=[], help="the moves that lead to the position"
    )
    parser.add_argument("--seed", type=int, default=0, help="for the agents and the dice")
    add_table(parser)
    parser.description = (
        f"{parser.description} Agents that would search to the end of a long game have "
        f"{USUAL_SECONDS:g} s without --seconds; * marks what they cut short."
    )


def run(arguments: argparse.Namespace, outside: Outside) -> None:
    """Print a row for each algorithm."""
    game = roster.game(arguments.game)
    shown = notation(game)
    state = reached(game, arguments)
    outside.console.say(shown.drawing(state) + "\n")
    mover = shown.seat(state.turn)
    outside.console.say(f"{mover} is to move; numbers are for {mover}.\n")
    specs = arguments.agents or [p.name for p in roster.players(game).values() if p.searching]
    if not specs:
        known = ", ".join(roster.players(game))
        raise BadCommand(f"no agent searches; agents for {game.key}: {known}")
    usual = math.inf if small(state) else USUAL_SECONDS
    rows: list[tuple[str, ...]] = [HEADS]
    for spec in specs:
        if remark := roster.entrant(game, spec).remark(state):
            outside.console.say(f"{spec}: {remark}.")
        outside.console.note(f"{spec} …")
        rows.append(_row(game, spec, state, arguments, outside, usual=usual))
    outside.console.note("")
    for line in _aligned(rows):
        outside.console.say(line)
    if any(row[-1].endswith(CUT) for row in rows):
        outside.console.say(f"\n{CUT} cut short after {usual:g} s; give more --seconds to go on")


def small(state: State) -> bool:
    """Whether `SMALL` positions at most can follow."""
    seen, ahead = {state}, [state]
    for each in ahead:  # which grows meanwhile
        new = {*map(each.play, each.moves())} - seen
        seen |= new
        ahead += new
        if len(seen) > SMALL:
            return False
    return True


def reached(game: Game[Any], arguments: argparse.Namespace) -> State:
    """The position after the moves typed; dice that are not typed are rolled."""
    rng = Random(arguments.seed)
    state: State = game.start(arguments.seats or game.seats[0], options(game, arguments))
    for name in arguments.moves:
        moves = named(state, state.moves(), notation(game))
        if name.lower() not in moves:
            raise BadCommand(f"{name!r} is not among the moves {', '.join(moves)}")
        state = state.play(moves[name.lower()])
    while state.payoff() is None and state.turn == CHANCE:
        state = state.play(rng.choices(state.moves(), state.odds())[0])
    if state.payoff() is not None:
        raise BadCommand("the game is over after these moves")
    return state


def _row(
    game: Game[Any],
    spec: str,
    state: State,
    arguments: argparse.Namespace,
    outside: Outside,
    *,
    usual: float,
) -> tuple[str, ...]:
    entrant = roster.entrant(game, spec)
    given = entrant.seconds or arguments.seconds
    endless = entrant.player.endless and not entrant.setting.depth
    seconds = given or (usual if endless else math.inf)
    took: list[float] = []
    while True:
        agent = entrant.agent(Random(arguments.seed))
        began = outside.clock()
        thought = agent.think(state, Budget.within(seconds, outside.clock))
        took.append(outside.clock() - began)
        if took[-1] > LONG or len(took) == RUNS:
            break
    value = thought.values.get(thought.move)
    best = [move for move, worth in thought.values.items() if worth == value]
    if thought.playouts:
        best = [thought.move]
    names = notation(game)
    return (
        spec,
        _value(state, thought, names),
        " ".join(names.names(state, move)[0] for move in best),
        f"{thought.nodes:,}",
        f"{thought.cutoffs:,}",
        f"{1000 * min(took):,.3f}{'' if given or min(took) < seconds else f' {CUT}'}",
    )


def worth(thought: Thought, move: Move) -> str:
    """The worth of a move to its mover: a proven end, a number, or the mean of its playouts."""
    value = thought.values[move]
    if thought.playouts:
        return f"{value:+.3f} of {counted(thought.playouts[move], 'playout')}"
    if move in thought.untimed:
        return "wins" if value > 0 else "loses"
    return value_name(value)


def _value(state: State, thought: Thought, names: Notation) -> str:
    """The value of the move chosen: who wins, in how many plies, or the number for the mover."""
    value = thought.values.get(thought.move)
    if value is None:
        return ""
    move = thought.move
    plies = 0 if move in thought.untimed else plies_to_end(value)
    known = move in thought.untimed or (move in thought.proven and value in {-1.0, 0.0, 1.0})
    if thought.playouts or not (plies or known):
        return worth(thought, move)
    winner = names.seat(_ahead(state, value))
    return f"{winner} wins in {plies}" if plies else f"{winner} wins" if value else "a draw"


def _ahead(state: State, value: float) -> Seat:
    """The seat, of two, that a value for the seat to move is good for."""
    return state.turn if value > 0 else Seat(1 - state.turn)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows as lines of Markdown, the last three columns to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = ["-" * width if n < 3 else "-" * (width - 1) + ":" for n, width in enumerate(widths)]
    for row in (rows[0], rule, *rows[1:]):
        pairs = enumerate(zip(row, widths, strict=True))
        cells = (cell.ljust(width) if n < 3 else cell.rjust(width) for n, (cell, width) in pairs)
        yield f"| {' | '.join(cells)} |"
