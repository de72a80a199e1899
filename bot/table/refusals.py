"""Why something cannot be done: refusals, each with the name of its fact, in classes by answer.

The sentence for players has the key `refusal.FACT` in the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from engine.game import Game, IllegalMove, InvalidOptions


class Refusal(Exception):
    """A rule that stands against a request, answered with the sentence of its fact and values."""

    def __init__(self, fact: str, **values: Any) -> None:  # noqa: ANN401 - of any text
        super().__init__(fact)
        self.fact = fact
        self.values = values


class Linked(Refusal):
    """A refusal whose answer has a link to the board, if another message was pressed."""


class Outdated(Linked):
    """The board has changed since the button was drawn; the answer shows the present board."""


OUTDATED: Final = (Outdated, IllegalMove)
"""The errors of a button that the present board no longer offers."""


class Unseen(Refusal):
    """Other people cannot see the table, so they cannot play there."""


class UnknownControl(Refusal):
    """Nothing answers this button: it is of another version, or its table is gone."""

    def __init__(self) -> None:
        super().__init__("unknown_control")


class ChannelFull(Refusal):
    """The channel has no room for another game; `games` are numbers of some that could end."""

    def __init__(self, games: Sequence[int]) -> None:
        super().__init__("channel_full")
        self.games = games


class TooManyAlone(Refusal):
    """A person plays enough games against computers; `oldest` is the one to close for another."""

    def __init__(self, oldest: int) -> None:
        super().__init__("too_many_alone")
        self.oldest = oldest


@contextmanager
def fitting(game: Game[Any]) -> Iterator[None]:
    """Turn `InvalidOptions` of the block into a refusal.

    Raises:
        Refusal: The fact names the game and the option.
    """
    try:
        yield
    except InvalidOptions as error:
        raise Refusal(f"option_refused.{game.key}.{error.key}") from error
