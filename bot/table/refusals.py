"""Why something cannot be done: a fact by its name, in families by how they are answered.

The sentence for players has the key `refusal.FACT` in the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from engine.game import Game, IllegalMove, InvalidOptions


class Refusal(Exception):
    """A fact that stands against what was asked, answered with its sentence and these values."""

    def __init__(self, fact: str, **values: Any) -> None:  # noqa: ANN401 - of any text
        super().__init__(fact)
        self.fact = fact
        self.values = values


class Linked(Refusal):
    """Answered with a link to the board, where another message was pressed."""


class Outdated(Linked):
    """The board has moved on since the button was drawn; answered with the board as it is."""


OUTDATED: Final = (Outdated, IllegalMove)
"""The errors of a button that the board does not offer any more."""


class Unseen(Refusal):
    """Other people cannot see the table, so they cannot play there."""


class UnknownControl(Refusal):
    """Nothing answers to this button: it is of another version, or of a table that is gone."""

    def __init__(self) -> None:
        super().__init__("unknown_control")


class ChannelFull(Refusal):
    """The channel has no room for another game; `games` are numbers of some to finish."""

    def __init__(self, games: Sequence[int]) -> None:
        super().__init__("channel_full")
        self.games = games


class TooManyAlone(Refusal):
    """A person plays enough games against computers; one, mostly the `oldest`, could be closed."""

    def __init__(self, oldest: int) -> None:
        super().__init__("too_many_alone")
        self.oldest = oldest


@contextmanager
def fitting(game: Game[Any]) -> Iterator[None]:
    """Refuse options of the game that do not fit one another.

    Raises:
        Refusal: The fact names the game and the option.
    """
    try:
        yield
    except InvalidOptions as error:
        raise Refusal(f"option_refused.{game.key}.{error.key}") from error
