"""The controls of tournaments: a list of what each does, who may press it, when it is offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from operator import attrgetter
from typing import Final, Self

from bot.message.blocks import Control, Style, id_kind
from bot.message.text import text
from bot.table.refusals import Refusal
from bot.table.seats import PersonId
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.progress import joinable
from bot.tournaments.tournament import Format, Stage, TournamentId

AS_REMINDER: Final = 1
"""The number in a control that distinguishes a reminder from the main message."""


class Who(Enum):
    """The people who may press a control of a tournament."""

    ANYONE = auto()
    HOST = auto()
    MANAGERS = auto()
    """Its host, and the managers of the server."""


def never(_hosted: HostedTournament) -> bool:
    """Marks a control that is not offered in general, but placed by a certain screen."""
    return False


def _always(_hosted: HostedTournament) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class TournamentButton:
    """A control of a tournament: its word in ids, who may press it, its label and conditions.

    `label` is a key of the catalogues; by default `control.tournament.<word>`. `offered` says
    when it is on the main message or in the host's panel, and `enabled` whether it can be pressed.
    """

    word: str
    who: Who = Who.ANYONE
    offered: Callable[[HostedTournament], bool] = never
    enabled: Callable[[HostedTournament], bool] = _always
    label: str = ""
    style: Style = Style.PLAIN

    def allows(self, hosted: HostedTournament, by: PersonId, *, manages: bool) -> bool:
        """Whether a person may press it; `manages` says whether they manage the server."""
        may = {Who.ANYONE: True, Who.HOST: False, Who.MANAGERS: manages}
        return by == hosted.tournament.host or may[self.who]

    def require(self, hosted: HostedTournament, by: PersonId, *, manages: bool) -> None:
        """Check whether a person may press it, as in `allows`.

        Raises:
            Refusal: They may not.
        """
        if not self.allows(hosted, by, manages=manages):
            raise Refusal("tournament_not_host")


_is_live: Final = attrgetter("live")


def _may_join(hosted: HostedTournament) -> bool:
    return joinable(hosted.tournament)


def _has_room(hosted: HostedTournament) -> bool:
    return not hosted.tournament.full


def _signs_up(hosted: HostedTournament) -> bool:
    return hosted.tournament.stage is Stage.SIGN_UP and not is_arena(hosted)


def is_arena(hosted: HostedTournament) -> bool:
    """Whether it is an arena, which comes by itself, and starts and ends at fixed times."""
    return hosted.tournament.format is Format.ARENA


def _misses_some(hosted: HostedTournament) -> bool:
    running = hosted.tournament.stage is Stage.RUNNING
    return running and any(entry.away for entry in hosted.tournament.active)


def are_enough(hosted: HostedTournament) -> bool:
    """Whether enough people have signed up for its format."""
    return len(hosted.tournament.entries) >= hosted.tournament.format.fewest


def _has_begun(hosted: HostedTournament) -> bool:
    return hosted.tournament.stage in {Stage.RUNNING, Stage.OVER}


def _has_ended(hosted: HostedTournament) -> bool:
    return not (hosted.live or is_arena(hosted))


def _goes_on(hosted: HostedTournament) -> bool:
    return hosted.tournament.stage is Stage.RUNNING and not hosted.tournament.paused


def _is_paused(hosted: HostedTournament) -> bool:
    return hosted.tournament.stage is Stage.RUNNING and hosted.tournament.paused


class TournamentAction(StrEnum):
    """The controls of a tournament by their words, in the order in which they stand."""

    JOIN = TournamentButton(
        "join", Who.ANYONE, _may_join, _has_room, "control.join", style=Style.GOOD
    )
    BACK = TournamentButton("back", Who.ANYONE, _misses_some, style=Style.GOOD)
    LEAVE = TournamentButton("leave", Who.ANYONE, _is_live, label="control.leave")
    START = TournamentButton(
        "start", Who.HOST, _signs_up, are_enough, "control.start", style=Style.PROMINENT
    )
    TABLE = TournamentButton("table", Who.ANYONE, _has_begun)
    RULES = TournamentButton("rules", Who.ANYONE, _always)
    MANAGE = TournamentButton("manage", Who.MANAGERS, _is_live)
    AGAIN = TournamentButton("again", Who.ANYONE, _has_ended, style=Style.PROMINENT)
    PAUSE = TournamentButton("pause", Who.MANAGERS, _goes_on)
    GO_ON = TournamentButton("go_on", Who.MANAGERS, _is_paused)
    END = TournamentButton("end", Who.MANAGERS, _is_live, style=Style.DANGEROUS)
    REMOVE = TournamentButton("remove", Who.MANAGERS)
    HERE = TournamentButton("here")
    STANDINGS = TournamentButton("standings", label="control.tournament.table")
    SHARE = TournamentButton("share", label="control.share")

    button: TournamentButton

    def __new__(cls, button: TournamentButton) -> Self:
        """Make a member whose value is its word, with its record as `button`."""
        self = str.__new__(cls, button.word)
        self._value_ = button.word
        self.button = button
        return self


FOR_ALL: Final = (
    *(
        TournamentAction.JOIN,
        TournamentAction.BACK,
        TournamentAction.LEAVE,
        TournamentAction.START,
        TournamentAction.TABLE,
    ),
    *(TournamentAction.RULES, TournamentAction.MANAGE, TournamentAction.AGAIN),
)
IN_PANEL: Final = (TournamentAction.PAUSE, TournamentAction.GO_ON, TournamentAction.END)
"""The controls of the main message and of the host's panel, as far as offered."""


@id_kind("t1")
@dataclass(frozen=True, slots=True)
class TournamentControl:
    """A control of a tournament: what it does, and to which leg, page or part of a menu."""

    tournament: TournamentId
    action: TournamentAction
    number: int = 0


def offered(hosted: HostedTournament, actions: Iterable[TournamentAction]) -> Iterator[Control]:
    """The controls of those actions that a tournament offers now."""
    return (control_of(hosted, each) for each in actions if each.button.offered(hosted))


def control_of(hosted: HostedTournament, action: TournamentAction, *, number: int = 0) -> Control:
    """The control of an action, with the label and style of its record."""
    button = action.button
    label = text(button.label) if button.label else text(f"control.tournament.{action}")
    pressed = TournamentControl(hosted.id, action, number)
    return Control(pressed, label, style=button.style, enabled=button.enabled(hosted))
