"""Why something cannot be done: one class a fact, named for it, worded for players elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from engine.game import Game, IllegalMove, InvalidOptions


class Refusal(Exception):
    """What was asked cannot be done; the class names the fact that stands against it."""


class StaleControl(Refusal):
    """The board has moved on since the control was drawn."""


class NotYourTurn(Refusal):
    """It is another player's turn."""


class NotAtTable(Refusal):
    """The person does not play at this table."""


class SeatHandedOver(Refusal):
    """The computer plays for the person, who has to take the seat back first."""


class NotHandedOver(Refusal):
    """The person has no seat to take back."""


class NotInvited(Refusal):
    """The seat is kept for another person."""


class NotHost(Refusal):
    """Only the person who opened the table may do this."""


class AlreadySeated(Refusal):
    """The person has a seat at this table already."""


class TableFull(Refusal):
    """Every seat of the table is taken or kept for a person."""


class TooManySeats(Refusal):
    """The table that is asked for has more seats than the game."""


class NoComputer(Refusal):
    """No computer sits at the table."""


class TooFewPlayers(Refusal):
    """The game needs more players to begin."""


class NotWaiting(Refusal):
    """The table does not wait for players any more."""


class NotRunning(Refusal):
    """The game has not begun, or it is over."""


class Closed(Refusal):
    """The table was closed without a result."""


class NotFinished(Refusal):
    """The game has no result yet."""


class PlayerForgotten(Refusal):
    """One who played is a former player, whom nobody can ask for another game."""


class NoDrawToOffer(Refusal):
    """Draws are offered between two people, once a move has been made, one offer at a time."""


class NoDrawOffered(Refusal):
    """There is no draw offer to answer."""


class OwnOffer(Refusal):
    """Nobody answers an offer of their own."""


class TimeRemains(Refusal):
    """The player to move still has time."""


class NotCancellable(Refusal):
    """Every seat has moved, so that the game can only be resigned."""


class NothingToTakeBack(Refusal):
    """The person has decided nothing yet, or moves are final at this table."""


class NoTakeBackAsked(Refusal):
    """Nobody asks to take a move back."""


class OpponentAndAnyone(Refusal):
    """A table is for one opponent or for anyone, not for both."""


class OpponentIsSelf(Refusal):
    """Nobody plays against themselves."""


class OpponentIsBot(Refusal):
    """Other bots cannot play."""


class NobodyElseHere(Refusal):
    """Other people cannot see this channel, so they cannot play here."""


class ReadByOne(Refusal):
    """Discord shows the table to the person who asks alone, so that nobody else could play."""


class ComputersAlone(Refusal):
    """Where nobody else can join, a table needs computers."""


class BotsHaveNoRecords(Refusal):
    """The games of bots are not counted."""


class OptionRefused(Refusal):
    """An option of the game does not fit the others; `game` and `option` say which."""

    def __init__(self, *, game: str, option: str) -> None:
        super().__init__(f"{game}: {option}")
        self.game = game
        self.option = option


@contextmanager
def fitting(game: Game[Any]) -> Iterator[None]:
    """Refuses options of the game that turn out not to fit.

    Raises:
        OptionRefused: One does not.
    """
    try:
        yield
    except InvalidOptions as error:
        raise OptionRefused(game=game.key, option=error.key) from error


class UnknownControl(Refusal):
    """Nothing answers to this control: it is of another version, or of a table that is gone."""


class NothingToReplay(Refusal):
    """No game of that number, or none at all, was finished in the channel or by the person."""


class NotOver(Refusal):
    """The game still runs, so that there is nothing to step through yet."""


class NoGameHere(Refusal):
    """No game of that number, or none at all, waits or runs in the channel."""


class GamesElsewhere(Refusal):
    """The server has its games in other channels; `channels` are their ids."""

    def __init__(self, channels: Collection[int]) -> None:
        super().__init__(channels)
        self.channels = channels


class ChannelFull(Refusal):
    """As many games wait or run in the channel as may; `games` are numbers of some to finish."""

    def __init__(self, games: Sequence[int]) -> None:
        super().__init__(games)
        self.games = games


class TooManyAlone(Refusal):
    """The person plays as many games against computers in the channel as may be.

    `oldest` is the number of the one that could be closed.
    """

    def __init__(self, oldest: int) -> None:
        super().__init__(oldest)
        self.oldest = oldest


class SearchesWaiting(Refusal):
    """The computer has not answered yet in many other games of the person who opened this one."""


class TooFast(Refusal):
    """The person has asked for more in a short time than anybody could who plays."""


class ChallengesOff(Refusal):
    """A person does not want to be challenged or invited; `person` is their id."""

    def __init__(self, person: int) -> None:
        super().__init__(person)
        self.person = person


class OpponentBlocked(Refusal):
    """Nobody challenges a person whom they keep away; `person` is that one's id."""

    def __init__(self, person: int) -> None:
        super().__init__(person)
        self.person = person


class NotTogether(Refusal):
    """These people do not sit down together. Why not is nobody's business."""


class NotBlockable(Refusal):
    """Only other people can be blocked."""


class NotManager(Refusal):
    """Only people who may manage the server change its settings."""


class OnlyAfterTheGame(Refusal):
    """What is thought of a game that others play too is told when it is over."""


class NothingToExplain(Refusal):
    """Nobody has had a choice so far."""


class NotExplained(Refusal):
    """It takes longer to work out than a person waits."""


class HintsAgainstComputers(Refusal):
    """Hints are for one person who plays against computers alone."""


class PuzzleOver(Refusal):
    """The puzzle is of a day that has passed, or is none at all."""


class PuzzleNotAnswered(Refusal):
    """A person shares how they did only once they have answered."""


class TooManyChannels(Refusal):
    """The server lists as many channels as it can."""


OUTDATED: Final = (
    StaleControl,
    NotRunning,
    Closed,
    NotWaiting,
    NotCancellable,
    NoDrawOffered,
    NoTakeBackAsked,
    IllegalMove,
)
"""What is said against a control that the board offers no more as it is by now."""
