"""The seal of a game's dice, and the proof with which anybody can roll them again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.games.catalogue import presenter_of
from bot.message.blocks import (
    Control,
    FormQuestion,
    FormScreen,
    OneLine,
    Prose,
    Screen,
    Style,
    Tone,
    id_kind,
    rows,
)
from bot.message.text import Text, TextValue, joined, player, text
from bot.screens.buttons import control
from bot.table.actions import Action
from bot.table.dice import shown
from bot.table.refusals import Refusal, UnknownControl
from bot.table.rights import player_in_lobby
from bot.table.seats import LONGEST, Occupant, PersonId, shown_words, word_of
from bot.table.session import Phase, SessionId
from bot.table.table import EndedTable, Table
from engine.game import Seat

PLAIN_TEXT: Final = "\u2068`{}`\u2069"
"""Shows a person's word without its Markdown taking effect."""


def small_line(table: Table) -> Text:
    """The number of a game and its rules in brief."""
    brief = presenter_of(table.session).rules_in_brief(table.session)
    return text("board.number", **named_game(table), rules=brief)


def seal(table: Table) -> Text:
    """The message that publishes the seal of a table's dice for good."""
    assert table.dice is not None, "there is no seal without dice"
    return text("dice.sealed", number=str(table.id), commitment=table.dice.commitment)


def word_shown(occupant: Occupant) -> str | None:
    """The word of a seat's player, as a message shows it."""
    word = word_of(occupant)
    return None if word is None else PLAIN_TEXT.format(word.text or f"{word.digest[:8]}…")


@id_kind("w1")
@dataclass(frozen=True, slots=True)
class WordForm:
    """The form in which a player gives a word to the dice of a table."""

    session: SessionId

    def form(self, said: str = "") -> FormScreen:
        """The form, which says the word that was given before."""
        line = FormQuestion("word", text("word.label"), OneLine(LONGEST, said), text("word.about"))
        return FormScreen(self, text("word.title"), (line,))


def word_form(table: Table, by: PersonId) -> FormScreen:
    """The form in which a player gives the dice a word.

    Raises:
        Refusal: As in `player_in_lobby`.
        UnknownControl: The dice take no words.
    """
    player_in_lobby(table.session, by, table.session.ply)
    if table.dice is None or not table.dice.take_words:
        raise UnknownControl
    word = word_of(table.session.seats[table.session.seat_of(by)])
    return WordForm(table.id).form("" if word is None else word.text or "")


def sealed_dice(table: Table, by: PersonId, posted: str | None) -> Screen:
    """The seal of a game that is not over, with buttons to add a word and to post it for all.

    `posted` is the link to its message if it was posted.

    Raises:
        UnknownControl: There are no dice.
    """
    if table.dice is None:
        raise UnknownControl
    waits = table.session.phase is Phase.LOBBY and table.dice.take_words
    lines = [text("dice.committed", number=str(table.id), commitment=table.dice.commitment)]
    if table.dice.board is not None:
        lines.append(text("dice.mixed", message=str(table.dice.board)))
    if words := list(_words(table)):
        lines.append(text("dice.words", words=joined(words)))
    if waits:
        lines.append(text("dice.add_word"))
    if posted is not None:
        lines.append(text("dice.there", link=posted))
    return Screen((Prose((*lines,)), *rows(_ways(table, by, waits=waits))), Tone.WAITING)


def _ways(table: Table, by: PersonId, *, waits: bool) -> Iterator[Control]:
    if waits and by in table.session.people:
        yield control(Action.WORD, Style.PROMINENT)
    if table.dice is not None and table.dice.promise is None:
        yield control(Action.SEAL)


def _words(table: Table) -> Iterator[TextValue]:
    session = table.session
    for seat, occupant in enumerate(session.seats):
        if word := word_shown(occupant):
            emblem = presenter_of(session).emblem(len(session.seats), Seat(seat))
            yield text("dice.word", emblem=emblem, player=player(occupant), word=word)


def dice_proof(table: Table) -> str:
    """The number, commitment, secret and rolls of a game, as `verify.html` reads them.

    Raises:
        Refusal: The game still runs: its secret would tell what comes.
        UnknownControl: There are no dice, or they were never to roll.
    """
    session, dice = table.session, table.dice
    if dice is None:
        raise UnknownControl
    if session.phase in {Phase.LOBBY, Phase.RUNNING}:
        raise Refusal("not_finished")
    if session.position is None:
        raise UnknownControl
    mixed = ""
    if dice.take_words:
        words = shown_words(dice.taken(map(word_of, session.seats)))
        mixed = f' --message {dice.board or 0} --words="{words}"'
    rolls = shown(session.game.rolls(len(session.seats), session.options, session.moves))
    return (
        f"Parlour verify.html --session {table.id}{mixed} --commitment {dice.commitment}"
        f' --secret {dice.secret.hex()} --rolls "{rolls}"\n'
    )


def named_game(table: Table | EndedTable) -> dict[str, TextValue]:
    """The game of a table and its number, as the values of a text."""
    return {"game": text(f"game.{table.session.game.key}"), "number": str(table.id)}
