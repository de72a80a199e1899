"""The codec of a table: which of its fields are columns, and the JSON `state` of all others.

A field is a column if rows are searched by it, if it names a person or a place, or if it is saved
independently of the table's revision. Any other field of a table, its session, its dice or its
occupants goes into `state` without a line here; a new one needs a default, used for older rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from operator import attrgetter
from typing import Any, Final, TypeAlias, Union, get_args, get_type_hints

from msgspec import NODEFAULT, Struct, convert, defstruct, field, to_builtins
from msgspec.structs import asdict
from sqlalchemy import BigInteger, Connection, RowMapping, bindparam, select

from bot.games.catalogue import CATALOGUE
from bot.storage.errors import UnknownGame, UnknownTable
from bot.storage.reading import readable
from bot.storage.records.badges import awards_of
from bot.storage.schema.game_tables import moves, seats, sessions
from bot.storage.values import Values
from bot.table.seats import (
    Absent,
    Computer,
    Human,
    Invited,
    Occupant,
    Vacant,
    asked_person,
    word_of,
)
from bot.table.session import SETTLED, UNBEGUN, Ending, Phase, Session, SessionId
from bot.table.table import EndedTable, Place, Table
from engine.game import Game, Move, Options

Row: TypeAlias = RowMapping | Mapping[str, Any]

_CHANGING: Final = {
    "revision": "revision",
    "moved_at": "moved_at",
    "due": "due",
    "remind_at": "remind_at",
    "nudge": "notice",
    "rematch": "rematch",
    "host": "session.host",
    "phase": "session.phase",
    "ending": "session.ending",
    "plies": "session.ply",
    "unattended": "session.unattended",
}
"""Column to field, of what is saved only together with a new revision."""

_DERIVED: Final = ("plies", "unattended")

_APART: Final = {
    **{each.name: f"place.{each.name}" for each in fields(Place)},
    "dice_version": "dice.version",
    "dice_message": "dice.board",
    "dice_promise": "dice.promise",
    "tournament": "session.match",
}
"""Column to field, of what never changes or is saved without a new revision."""

_STORED: Final = {
    "id": "id",
    **{column: name for column, name in _CHANGING.items() if column not in _DERIVED},
    **_APART,
}
"""Column to field: all that are read."""

_IN_ROWS: Final = {"awards"} | {
    f"session.{name}" for name in ("game", "seats", "moves", "position")
}
"""The fields that are neither columns nor in `state`: the game by its key, or rows of their own."""

_KINDS: Final[Mapping[str, type[Occupant]]] = {
    "human": Human,
    "invited": Invited,
    "absent": Absent,
    "computer": Computer,
    "vacant": Vacant,
}
"""The kind of occupant by the word in the column `kind`."""

_WORDS: Final = {kind: word for word, kind in _KINDS.items()}


def _part(kind: Any, without: Collection[str]) -> type[Struct]:  # noqa: ANN401 - a dataclass
    """A struct with a dataclass's fields `without` some, such as `id` or `dice.version`."""
    hints, found = get_type_hints(kind), []
    for each in fields(kind):
        hint = hints[each.name]
        inner = [name.partition(".")[2] for name in without if name.startswith(f"{each.name}.")]
        if inner:
            choices = get_args(hint) or (hint,)
            hint = Union[tuple(_part(c, inner) if is_dataclass(c) else c for c in choices)]  # noqa: UP007
        if each.name not in without:
            default = NODEFAULT if each.default is MISSING else each.default
            found.append((each.name, hint, field(default=default)))
    return defstruct(kind.__name__, found, frozen=True, kw_only=True)


_WHOLE: Final = _part(Table, _IN_ROWS)
_KEPT: Final = _part(Table, {*_IN_ROWS, *_STORED.values(), "place"})
_OCCUPANTS: Final = {kind: _part(kind, ("person", "word.text")) for kind in _WORDS}
_STATE: Final = defstruct(
    "State",
    [
        ("seats", tuple[dict[str, Any], ...]),
        ("feats", tuple[tuple[str, ...], ...], field(default=())),
    ],
    bases=(_part(Table, {*_IN_ROWS, *_STORED.values(), "place", "dice"}),),
    frozen=True,
    kw_only=True,
)


def _getters(columns: Mapping[str, str]) -> Sequence[tuple[str, Callable[[Table], Any]]]:
    return [(column, attrgetter(name)) for column, name in columns.items()]


_CHANGING_GETTERS: Final = _getters(_CHANGING)

Replay: TypeAlias = Callable[[Game[Any], int, Options, Sequence[Move]], Any]

_SESSION = select(sessions).where(sessions.c.id == bindparam("session", type_=BigInteger))
_SEATS = select(seats).where(seats.c.session == bindparam("session")).order_by(seats.c.seat)
_MOVES = select(moves.c.move).where(moves.c.session == bindparam("session")).order_by(moves.c.ply)


def changing_values(table: Table) -> Values:
    """The columns that are saved together with a new revision, except `state`."""
    return {column: get(table) for column, get in _CHANGING_GETTERS}


def opening_values(table: Table) -> Values:
    """The columns of a new table's row that never change, or change without a new revision."""
    apart = {
        column: attrgetter(name)(table)
        for column, name in _APART.items()
        if table.dice is not None or not name.startswith("dice.")
    }
    return {"game": table.session.game.key, "shown": 0, **apart}


def kept_of(table: Table) -> tuple[Struct, ...]:
    """A table's state as structs, of its fields and of each seat, to compare two states quickly."""
    seats = table.session.seats
    return convert(table, _KEPT, from_attributes=True), *map(_kept_of, seats)


def state_value(table: Table, feats: Sequence[frozenset[str]] = ()) -> Values:
    """The JSON `state` of a table; `feats` are those of each seat if its game is over."""
    fields_, *seats = map(to_builtins, kept_of(table))
    return {**fields_, "seats": seats, "feats": [sorted(own) for own in feats]}


def settled_state(state: Values) -> Values:
    """The JSON `state` of a table after it was closed without a result."""
    return {**state, "session": {**state["session"], **SETTLED}}


def _kept_of(occupant: Occupant) -> Struct:
    kept: Struct = convert(occupant, _OCCUPANTS[type(occupant)], from_attributes=True)
    return kept


def seat_values(table: Table) -> list[Values]:
    """The rows of a table's seats."""
    return [
        {
            "session": table.id,
            "seat": index,
            "kind": _WORDS[type(occupant)],
            "person": asked_person(occupant),
            "word": None if (word := word_of(occupant)) is None else word.text,
        }
        for index, occupant in enumerate(table.session.seats)
    ]


def stored_table(
    row: Row, seats: Sequence[Row], moves: Iterable[int], replay: Replay = Game.replay
) -> Table:
    """The table of a session's row, its seats' rows and its moves, both in order.

    `replay` computes the position after the moves.

    Raises:
        UnknownGame: This version does not know its game.
        ValueError: The rows are not those of a table.
    """
    entry = CATALOGUE.get(row["game"])
    if entry is None:
        raise UnknownGame(row["game"])
    whole: Any = convert(_with_columns(row), _WHOLE)
    kept = _fields(whole.session, entry.game)
    played = tuple(map(Move, moves))
    begun = whole.session.phase is not Phase.LOBBY and whole.session.ending not in UNBEGUN
    session = Session(
        game=entry.game,
        seats=occupants(seats, row["state"]["seats"]),
        moves=played,
        position=replay(entry.game, len(seats), kept["options"], played) if begun else None,
        **kept,
    )
    return Table(**{**asdict(whole), "session": session})


def _fields(kept: Struct, game: Game[Any]) -> Values:
    """The fields of a session in its state; options that the game got later have their defaults."""
    found = asdict(kept)
    return {**found, "options": {**game.added, **found["options"]}}


def _with_columns(row: Row) -> Values:
    """A session's `state` with the values of its columns put in."""
    found = {
        name: {**part} if isinstance(part, dict) else part for name, part in row["state"].items()
    }
    found["place"] = {}
    for column, name in _STORED.items():
        outer, _, inner = name.rpartition(".")
        part = found[outer] if outer else found
        if part is not None:
            part[inner] = row[column]
    return found


def refreshed(table: Table, row: Row) -> Table:
    """A table with the columns that change without a new revision taken from its row."""
    dice = table.dice
    if dice is not None:
        dice = replace(dice, board=row["dice_message"], promise=row["dice_promise"])
    place = Place(**{each.name: row[each.name] for each in fields(Place)})
    return replace(table, place=place, remind_at=row["remind_at"], notice=row["nudge"], dice=dice)


def occupants(rows: Sequence[Row], kept: Sequence[Values]) -> tuple[Occupant, ...]:
    """The occupants of seats, from their rows and their entries in the state's `seats`."""
    return tuple(_occupant(row, its) for row, its in zip(rows, kept, strict=True))


def _occupant(row: Row, kept: Values) -> Occupant:
    found = {**kept, "person": row["person"]}
    if found.get("word") is not None:
        found["word"] = {**found["word"], "text": row["word"]}
    occupant: Occupant = convert(found, _KINDS[row["kind"]])
    return occupant


def read_state(row: Row) -> Any:  # noqa: ANN401 - a struct made of the fields of `Table`
    """The parsed `state` of a session's row without its dice, such as `session` and `feats`."""
    return convert(row["state"], _STATE)


def ended_game(row: Row, *, own: bool) -> EndedTable | None:
    """The finished game of a session's row, without seats; None if its game is unknown here."""
    entry = CATALOGUE.get(row["game"])
    if entry is None:
        return None
    session = Session(
        game=entry.game,
        host=row["host"],
        seats=(),
        phase=Phase.FINISHED,
        ending=Ending(row["ending"]),
        **_fields(read_state(row).session, entry.game),
    )
    return EndedTable(SessionId(row["id"]), session, row["moved_at"], own)


def load(connection: Connection, session: SessionId, known: Table | None = None) -> Table:
    """A table with its moves.

    If the revision is that of a `known` state, only columns that change without it are read anew.

    Raises:
        UnknownTable: There is no such table.
        Unreadable: This version does not know its game, or cannot read its rows.
    """
    with readable(sessions, session):
        return _loaded(connection, session, known)


def _loaded(connection: Connection, session: SessionId, known: Table | None) -> Table:
    key = {"session": session}
    with connection.execute(_SESSION, key) as result:  # closed even after an error
        row = result.mappings().one_or_none()
    if row is None:
        raise UnknownTable(session)
    if known is not None and row["revision"] == known.revision:
        return refreshed(known, row)
    with connection.execute(_SEATS, key) as result:
        occupied = result.mappings().all()
    table = stored_table(row, occupied, connection.execute(_MOVES, key).scalars().all())
    if table.session.phase is not Phase.FINISHED:
        return table
    return replace(table, awards=tuple(awards_of(connection, session)))
