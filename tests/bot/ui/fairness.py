"""Rolls computed outside of the bot, with nothing but `hashlib` and `hmac`, as its page says."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from itertools import chain, count

from engine.game import CHANCE, Move, Options
from engine.games.ludo import GAME


def label(session: int, message: int, words: Sequence[str], ply: int) -> str:
    """The public inputs of a roll."""
    digests = sorted(hashlib.sha256(word.encode()).hexdigest() for word in words)
    return f"{session}:{message}:{','.join(digests)}:{ply}"


def due(secret: bytes, label: str) -> int:
    """The die's true face."""
    labels = chain([label], (f"{label}:{more}" for more in count(1)))
    digests = (hmac.new(secret, label.encode(), hashlib.sha256).digest() for label in labels)
    return next(byte % 6 + 1 for byte in chain.from_iterable(digests) if byte < 252)


def rolls(seats: int, options: Options, moves: Sequence[Move]) -> dict[int, int]:
    """The die's faces in a game, by ply."""
    shown = {}
    position = GAME.start(seats, options)
    for ply, move in enumerate(moves):
        if position.turn == CHANCE:
            shown[ply] = int(move)
        position = position.play(move)
    return shown
