"""What anybody needs to roll a finished game's dice again."""

from __future__ import annotations

from bot.dice import shown
from bot.refusals import NotFinished, UnknownControl
from bot.session import Phase, Session
from bot.store import Table
from engine.game import CHANCE


def dice_proof(table: Table) -> str:
    """The game's number, commitment, secret and rolls, as a command that checks them.

    Raises:
        NotFinished: The game still runs: its secret would tell what comes.
        UnknownControl: There are no dice.
    """
    session, dice = table.session, table.dice
    if dice is None:
        raise UnknownControl
    if session.phase in {Phase.LOBBY, Phase.RUNNING}:
        raise NotFinished
    return (
        f"parlour verify-dice --session {table.id} --commitment {dice.commitment}"
        f' --secret {dice.secret.hex()} --rolls "{shown(rolls(session))}"\n'
    )


def rolls(session: Session) -> list[tuple[int, int]]:
    """Every roll of a game: its ply, and the pips."""
    rolled = []
    position = session.game.start(len(session.seats), session.options)
    for ply, move in enumerate(session.moves):
        if position.turn == CHANCE:
            rolled.append((ply, int(move)))
        position = position.play(move)
    return rolled
