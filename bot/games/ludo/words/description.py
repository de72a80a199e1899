"""The position in words, for screen readers: always in the same order, and short.

First whose turn it is and the die, then seat by seat where its tokens are, then what can be done.
Squares of the ring are numbered 1-52 clockwise from the red start, those of a home lane 1-5 from
its entry. Colours stand for the players, since not everywhere can names be shown.

The buttons of a turn say the same: *Roll*, then one for each token that can move. The rules of a
table are the nearest preset, and its differences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.games.ludo.board.spots import AtHome, Colour, InLane, InYard, OnRing, Spot, colour_at, spot
from bot.games.ludo.board.tiles import DIE
from bot.message.blocks import Control, Style
from bot.message.text import Separator, Text, TextList, TextValue, joined, text
from bot.table.actions import Action, move_action
from bot.table.seats import Human
from bot.table.session import Phase, Session
from engine.game import Move, Options, Seat
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.board import HOME, LAST_ON_RING, STARTS, YARD, ring_square

STYLES: Final = {
    "home": Style.GOOD,
    "capture": Style.GOOD,
    "leave": Style.PROMINENT,
    "start": Style.PROMINENT,
    "star": Style.PROMINENT,
    "lane": Style.PROMINENT,
    "block": Style.PROMINENT,
    "walk": Style.PLAIN,
}
"""The button's style, by effect."""

NAMED: Final = 1
"""The most captives that a label names."""


def choices(session: Session) -> tuple[Control, ...]:
    """The buttons of the person to move; none if the game is over.

    While a computer is to move, or the dice roll by themselves, Roll keeps its place, switched off.
    """
    if session.turn is None:
        return ()
    waits = isinstance(session.mover, Human) and not session.rolls_by_itself
    if session.rolling or not waits:
        style = Style.PROMINENT if waits else Style.PLAIN
        return (Control(Action.ROLL, text("control.ludo.roll"), DIE, style, enabled=waits),)
    position: LudoPosition = session.position
    moves = position.moves()
    effects = [effect(position, move) for move in moves]
    return tuple(
        Control(move_action(move), does.label, style=STYLES[does.key])
        for move, does in zip(moves, effects, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Effect:
    """A move's most important effect, by its key in the catalogues."""

    key: str
    number: int
    pips: int
    victims: tuple[tuple[Colour, int], ...]

    @property
    def label(self) -> Text:
        """The label of the move's button, with the first captive, for whom alone there is room.

        It is a common sign of the token's shape: a label can't show own emoji.
        """
        named = [(of.sign, str(number)) for of, number in self.victims[:NAMED]]
        signs = [part for victim in named for part in victim]
        whom = joined(signs, Separator.NOTHING) if signs else ""
        return text(f"control.ludo.{self.key}", token=self.number, pips=self.pips, whom=whom)

    @property
    def told(self) -> Text:
        """The effect in words, for a person who cannot see the board."""
        return text(
            f"ludo.words.move.{self.key}", token=self.number, pips=self.pips, whom=self.whom
        )

    @property
    def whom(self) -> TextValue:
        """The captives by their colours and numbers; empty without any."""
        names = [text("ludo.captive", colour=of.name, number=n) for of, n in self.victims]
        return joined(names, Separator.AND) if names else ""


def effect(position: LudoPosition, move: Move) -> Effect:
    """The effect of a move."""
    table, own = position.table, position.tokens[position.owner]
    after = position.target(move)
    square = ring_square(table.corners[position.owner], after)
    victims = tuple(
        (colour_at(position, seat), token + 1) for seat, token in position.victims(move)
    )
    on_ring = square is not None
    holds = {
        "home": after >= table.home_from,
        "capture": bool(victims),
        "leave": own[move] == YARD,
        "start": square in STARTS,
        "star": square in table.safe,
        "lane": not on_ring and own[move] <= LAST_ON_RING,
        "block": on_ring and table.has_blocks and after in own,
        "walk": True,
    }
    key = next(key for key, true in holds.items() if true)
    return Effect(key, move + 1, position.die, victims)


def description(session: Session) -> tuple[Text, ...]:
    """The lines, one sentence or list each."""
    position: LudoPosition = session.position
    seats = (_seat(position, Seat(seat)) for seat in range(position.table.seats))
    return _turn(session, position), *seats, *_moves(session, position)


def _turn(session: Session, position: LudoPosition) -> Text:
    if session.phase is not Phase.RUNNING:
        return text("board.words.over")
    colour = colour_at(position, position.seat).name
    if position.opening:
        return text("ludo.words.roll_off", colour=colour)
    if not position.die:
        return text("ludo.words.to_roll", colour=colour)
    return text("ludo.words.to_move", colour=colour, pips=position.die)


def _seat(position: LudoPosition, seat: Seat) -> Text:
    corner = position.table.corners[seat]
    places: dict[int, list[int]] = {}
    for token, progress in enumerate(position.tokens[seat]):
        reached = HOME if position.is_home(seat, token) else progress
        places.setdefault(reached, []).append(token + 1)
    told = [
        _place(position, spot(corner, numbers[0], progress), joined(numbers, Separator.AND))
        for progress, numbers in sorted(places.items())
    ]
    colour = colour_at(position, seat).name
    return text("ludo.words.seat", colour=colour, places=joined(told, Separator.SEMICOLON))


def _place(position: LudoPosition, where: Spot, tokens: TextList) -> Text:
    match where:
        case InYard():
            return text("ludo.words.yard", tokens=tokens)
        case OnRing(square) if square in position.table.safe:
            return text("ludo.words.safe", tokens=tokens, square=square + 1)
        case OnRing(square):
            return text("ludo.words.ring", tokens=tokens, square=square + 1)
        case InLane(_, step):
            return text("ludo.words.lane", tokens=tokens, step=step)
        case AtHome():
            return text("ludo.words.home", tokens=tokens)


def _moves(session: Session, position: LudoPosition) -> Iterator[Text]:
    if session.phase is not Phase.RUNNING or not position.die:
        return
    moves = joined((effect(position, move).told for move in position.moves()), Separator.SEMICOLON)
    if position.owner == position.seat:
        yield text("ludo.words.moves", moves=moves)
    else:
        colour = colour_at(position, position.owner).name
        yield text("ludo.words.partners_moves", colour=colour, moves=moves)


def house(options: Options) -> Text:
    """The name of the nearest preset, and the options that differ from it."""
    preset, changes = _nearest(options)
    return text("ludo.rules.changed", preset=preset, changes=joined(changes)) if changes else preset


def house_in_brief(options: Options) -> Text:
    """The same, but only the number of several options that differ."""
    preset, changes = _nearest(options)
    return text("ludo.rules.several", preset=preset, count=len(changes)) if changes else preset


def option(key: str, value: object) -> Text:
    """The value of an option in words."""
    return text(f"ludo.option.{key}.{str(value).replace(' ', '_')}")


def _nearest(options: Options) -> tuple[Text, list[Text]]:
    changes = {name: _changes(options, preset) for name, preset in GAME.presets.items()}
    nearest = min(changes, key=lambda name: len(changes[name]))
    return text(f"preset.{GAME.key}.{nearest}"), changes[nearest]


def _changes(options: Options, preset: Options) -> list[Text]:
    """The options that differ from a preset's, unless they follow from other options."""
    mine, usual = GAME.settled(options), GAME.settled(preset)
    single = mine["tokens"] == 1
    return [
        option(key, value)
        for key, value in mine.items()
        if value != usual[key] and not (single and key == "blocks")
    ]
