"""What anybody needs to roll a finished game's dice again."""

from __future__ import annotations

from bot.table.dice import shown
from bot.table.refusals import NotFinished, UnknownControl
from bot.table.session import Phase
from bot.table.table import Table


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
    rolls = shown(session.game.rolls(len(session.seats), session.options, session.moves))
    return (
        f"parlour verify-dice --session {table.id} --commitment {dice.commitment}"
        f' --secret {dice.secret.hex()} --rolls "{rolls}"\n'
    )
