"""`python -m engine play GAME`: games against the computer, as many as you like."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from engine import roster
from engine.files import json_text
from engine.files.record import PLAYED, Record, exact
from engine.game import CHANCE, Game, Move, Seat, State
from engine.games import part
from engine.notation import Notation, move_names, named, notation, outcome
from engine.search.agent import Agent, Budget, Thought
from engine.terminal.compare import worth
from engine.terminal.console import BadCommand, Console, Outside, add_table, counted, options

RANDOM: Final = "random"
UNDO: Final = "undo"
QUIT: Final = "quit"


class Quit(Exception):
    """The player has had enough."""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("game", help=", ".join(roster.games()))
    parser.add_argument("--against", metavar="AGENT", help="NAME[:DEPTH[:EVALUATION]][@SECONDS]")
    parser.add_argument("--as", dest="seat", metavar="SEAT", help="your seat, or random")
    for game in roster.games().values():
        for name, (what, values) in _habits(game).items():
            parser.add_argument(f"--{name}", choices=values, help=f"{what} ({game.key})")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="keep the last finished game, as JSON"
    )
    parser.add_argument("--think", action="store_true", help="tell what the computer thinks")
    add_table(parser)


def run(arguments: argparse.Namespace, outside: Outside) -> None:
    """Play games until the player has enough."""
    game = roster.game(arguments.game)
    if arguments.save and (arguments.save.exists() or not arguments.save.parent.is_dir()):
        why = "is there already" if arguments.save.exists() else "is in no folder that there is"
        raise BadCommand(f"{arguments.save} {why}; name another file to save a game in")
    entrant = roster.entrant(game, arguments.against or roster.usual(game))
    seats, chosen = arguments.seats or game.seats[0], options(game, arguments)
    table = TerminalTable(
        first=game.start(seats, chosen),
        seats=seats,
        notation=_chosen_notation(game, arguments),
        seconds=entrant.seconds or arguments.seconds or math.inf,
        explains=arguments.think,
        outside=outside,
    )
    if remark := entrant.remark(table.first):
        outside.console.say(f"{entrant.player.name}: {remark}.")
    while True:
        human = table.seat(arguments.seat)
        agent = entrant.agent(Random(outside.rng.getrandbits(64)), weigh_all=arguments.think)
        try:
            moves = table.play(human, agent)
        except Quit:
            return
        if arguments.save:
            payoff = game.replay(seats, chosen, moves).payoff() or ()
            record = Record(game, seats, chosen, moves, PLAYED, exact(payoff))
            _save(record, arguments.save, outside.console)
        if not _agreed(outside.console, "Play again? (yes or no) "):
            return


def _habits(game: Game[Any]) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    return part(game, "notation.HABITS", {})


def _chosen_notation(game: Game[Any], arguments: argparse.Namespace) -> Notation:
    for other in roster.games().values():
        chosen = {name: value for name in _habits(other) if (value := getattr(arguments, name))}
        if chosen and other is game:
            usual: Any = notation(game)
            adapted: Notation = usual.with_habits(**chosen)
            return adapted
        if chosen:
            names = ", ".join(f"--{name}" for name in _habits(other))
            raise BadCommand(f"{names} are for {other.key}")
    return notation(game)


def _save(record: Record, file: Path, console: Console) -> None:
    try:
        file.write_text(json_text.written(record), encoding="utf-8")
    except OSError as error:
        raise BadCommand(f"{file} cannot be written: {error.strerror}") from None
    console.say(f"Saved in {file}.")


def _agreed(console: Console, question: str) -> bool:
    while (answer := console.ask(question).lower()) not in {"y", "yes", "n", "no"}:
        console.say("Please answer yes or no.")
    return answer.startswith("y")


@dataclass(frozen=True, slots=True)
class TerminalTable:
    """A person, some computers and the dice at one table."""

    first: State
    seats: int
    notation: Notation
    seconds: float
    explains: bool
    outside: Outside

    def seat(self, wanted: str | None) -> Seat:
        """The person's seat: the one wanted, or the answer to a question."""
        seats = {self.notation.seat(Seat(n)).lower(): Seat(n) for n in range(self.seats)}
        names = ", ".join(self.notation.seat(seat) for seat in seats.values())
        if wanted is not None and wanted.lower() not in {*seats, RANDOM}:
            raise BadCommand(f"there is no seat {wanted!r}; there are {names}, or {RANDOM}")
        answer = wanted
        while answer is None or answer.lower() not in {*seats, RANDOM, ""}:
            answer = self.outside.console.ask(f"Who do you want to be: {names}, or {RANDOM}? ")
        return seats.get(answer.lower(), Seat(self.outside.rng.randrange(self.seats)))

    def play(self, human: Seat, agent: Agent[Any]) -> tuple[Move, ...]:
        """Play one game from its start to its end; its moves.

        Raises:
            Quit: The player left before.
        """
        say = self.outside.console.say
        say(f"You are {self.notation.seat(human)}.")
        say(f"Type {UNDO} to take a move back, {QUIT} to leave.")
        path, moves, chosen_at = [self.first], list[Move](), list[int]()
        while (payoff := path[-1].payoff()) is None:
            state = path[-1]
            if state.turn == CHANCE:
                move = self._rolled(state)
            elif state.turn == human:
                typed = self._typed(state, undo=bool(chosen_at))
                if typed is None:
                    back = chosen_at.pop()
                    del moves[back:], path[back + 1 :]
                    continue
                if len(state.moves()) > 1:
                    chosen_at.append(len(moves))
                move = typed
            else:
                move = self._answer(state, agent)
            moves.append(move)
            path.append(state.play(move))
        say(f"\n{self.notation.drawing(path[-1])}\n")
        won = min(payoff) < payoff[human] == max(payoff)
        say("You have won!" if won else outcome(payoff, self.notation))
        return tuple(moves)

    def _rolled(self, state: State) -> Move:
        move = self.outside.rng.choices(state.moves(), state.odds())[0]
        self.outside.console.say(f"The dice: {self.notation.names(state, move)[0]}")
        return move

    def _answer(self, state: State, agent: Agent[Any]) -> Move:
        thought = agent.think(state, Budget.within(self.seconds, self.outside.clock))
        name = self.notation.names(state, thought.move)[0]
        self.outside.console.say(f"{self.notation.seat(state.turn)} plays {name}.")
        for line in _thought_lines(thought, state, self.notation) if self.explains else ():
            self.outside.console.say(line)
        return thought.move

    def _typed(self, state: State, *, undo: bool) -> Move | None:
        """The person's move; None for `UNDO`, where there is a move to take back.

        Raises:
            Quit: The player leaves.
        """
        console, moves = self.outside.console, state.moves()
        console.say(f"\n{self.notation.drawing(state)}\n")
        if len(moves) == 1:
            console.say(f"You can only play {self.notation.names(state, moves[0])[0]}.")
            return moves[0]
        names = named(state, moves, self.notation)
        while True:
            answer = console.ask(f"Your move ({self.notation.how_to_move(state)}): ").lower()
            if answer in names:
                return names[answer]
            if answer == UNDO and undo:
                return None
            if answer == QUIT:
                raise Quit
            shown = ", ".join(self.notation.names(state, move)[0] for move in moves)
            refused = "take back anything yet" if answer == UNDO else f"play {answer!r} here"
            console.say(f"You cannot {refused}. You can play {shown}.")


def _thought_lines(thought: Thought, state: State, notation: Notation) -> list[str]:
    """The values of the moves, the best first, the cost of the search, and the expected play."""
    lines = []
    if thought.values:
        best_first = sorted(thought.values.items(), key=lambda item: -item[1])
        weighed = (f"{notation.names(state, m)[0]}: {worth(thought, m)}" for m, _ in best_first)
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
