"""`python -m engine play GAME`: a game against the computer, and another, until one has enough."""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from engine import roster
from engine.game import CHANCE, Game, Options, Seat, State
from engine.games.tictactoe import MARKS
from engine.games.tictactoe.notation import TicTacToeNotation
from engine.notation import Notation, move_names, named, notation, outcome, value_name
from engine.search.agent import Agent, Thought
from engine.search.budget import Budget
from engine.terminal.choices import add_budget, add_options, options
from engine.terminal.console import BadCommand, Console, Outside, counted

RANDOM: Final = "random"
UNDO: Final = "undo"


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("game", help=", ".join(roster.games()))
    parser.add_argument("--against", metavar="AGENT", help="NAME[:DEPTH[:EVALUATION]][@SECONDS]")
    parser.add_argument("--as", dest="seat", metavar="SEAT", help="your seat, or random")
    parser.add_argument("--first", choices=("X", "O"), help="the mark that begins (tictactoe)")
    parser.add_argument(
        "--cells", choices=("keypad", "zero"), help="numbers of a keypad, or from 0 (tictactoe)"
    )
    parser.add_argument("--a1", choices=("bottom", "top"), help="where a1 is (tictactoe)")
    parser.add_argument("--think", action="store_true", help="tell what the computer thinks")
    add_options(parser)
    add_budget(parser)


def run(arguments: argparse.Namespace, outside: Outside) -> None:
    """Play games until the player has enough.

    Raises:
        BadCommand, Unknown, InvalidOptions: What was asked for does not exist.
    """
    game = roster.game(arguments.game)
    entrant = roster.entrant(game, arguments.against or roster.usual(game))
    table = TerminalTable(
        game=game,
        options=options(game, arguments),
        seats=arguments.seats or game.seats[0],
        notation=chosen_notation(game, arguments),
        seconds=entrant.seconds or arguments.seconds or math.inf,
        explains=arguments.think,
        outside=outside,
    )
    if remark := entrant.remark(table.start()):
        outside.console.say(f"{entrant.player.name}: {remark}.")
    while True:
        human = table.seat(arguments.seat)
        agent = entrant.agent(Random(outside.rng.getrandbits(64)), weigh_all=arguments.think)
        table.play(human, agent)
        if not agreed(outside.console, "Play again? (yes or no) "):
            return


def chosen_notation(game: Game[Any], arguments: argparse.Namespace) -> Notation:
    """How the game is drawn and typed.

    Raises:
        BadCommand: Names for tic-tac-toe are asked for in another game.
    """
    usual = notation(game)
    if not (arguments.first or arguments.cells or arguments.a1):
        return usual
    if not isinstance(usual, TicTacToeNotation):
        raise BadCommand("--first, --cells and --a1 are for tictactoe")
    marks = MARKS[::-1] if arguments.first == "O" else MARKS
    return TicTacToeNotation(marks, zero=arguments.cells == "zero", top=arguments.a1 == "top")


def agreed(console: Console, question: str) -> bool:
    """Whether the answer is yes; anything that is neither yes nor no is asked again."""
    while (answer := console.ask(question).lower()) not in {"y", "yes", "n", "no"}:
        console.say("Please answer yes or no.")
    return answer.startswith("y")


@dataclass(frozen=True, slots=True)
class TerminalTable:
    """A person, some computers and the dice at one table."""

    game: Game[Any]
    options: Options
    seats: int
    notation: Notation
    seconds: float
    explains: bool
    outside: Outside

    def start(self) -> State:
        """The position before the first ply."""
        first: State = self.game.start(self.seats, self.options)
        return first

    def seat(self, wanted: str | None) -> Seat:
        """The person's seat: the one wanted, or the answer to a question.

        Raises:
            BadCommand: There is no such seat.
        """
        seats = {self.notation.seat(Seat(n)).lower(): Seat(n) for n in range(self.seats)}
        names = ", ".join(self.notation.seat(seat) for seat in seats.values())
        if wanted is not None and wanted.lower() not in {*seats, RANDOM}:
            raise BadCommand(f"there is no seat {wanted!r}; there are {names}, or {RANDOM}")
        answer = wanted
        while answer is None or answer.lower() not in {*seats, RANDOM, ""}:
            answer = self.outside.console.ask(f"Who do you want to be: {names}, or {RANDOM}? ")
        return seats.get(answer.lower(), Seat(self.outside.rng.randrange(self.seats)))

    def play(self, human: Seat, agent: Agent[Any]) -> None:
        """One game from its start to its end."""
        say = self.outside.console.say
        say(f"You are {self.notation.seat(human)}.")
        say(f"Type {UNDO} to take a move back.")
        state, chosen_in = self.start(), list[State]()
        while (payoff := state.payoff()) is None:
            if state.turn == CHANCE:
                state = self._rolled(state)
            elif state.turn == human:
                state = self._played(state, chosen_in)
            else:
                state = self._answered(state, agent)
        say(f"\n{self.notation.drawing(state)}\n")
        won = min(payoff) < payoff[human] == max(payoff)
        say("You have won!" if won else outcome(payoff, self.notation))

    def _rolled(self, state: State) -> State:
        move = self.outside.rng.choices(state.moves(), state.odds())[0]
        self.outside.console.say(f"The dice: {self.notation.names(state, move)[0]}")
        return state.play(move)

    def _answered(self, state: State, agent: Agent[Any]) -> State:
        thought = agent.think(state, Budget.within(self.seconds, self.outside.clock))
        name = self.notation.names(state, thought.move)[0]
        self.outside.console.say(f"{self.notation.seat(state.turn)} plays {name}.")
        for line in told(thought, state, self.notation) if self.explains else ():
            self.outside.console.say(line)
        return state.play(thought.move)

    def _played(self, state: State, chosen_in: list[State]) -> State:
        """The position after the person's move, or that of the one before which is taken back.

        The only move there is is played without a question; `chosen_in` are those with one.
        """
        console, moves = self.outside.console, state.moves()
        console.say(f"\n{self.notation.drawing(state)}\n")
        if len(moves) == 1:
            console.say(f"You can only play {self.notation.names(state, moves[0])[0]}.")
            return state.play(moves[0])
        names = named(state, moves, self.notation)
        while True:
            answer = console.ask(f"Your move ({self.notation.how_to_move(state)}): ").lower()
            if answer in names:
                chosen_in.append(state)
                return state.play(names[answer])
            if answer == UNDO and chosen_in:
                return chosen_in.pop()
            shown = ", ".join(self.notation.names(state, move)[0] for move in moves)
            refused = "take back anything yet" if answer == UNDO else f"play {answer!r} here"
            console.say(f"You cannot {refused}. You can play {shown}.")


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
