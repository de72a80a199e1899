"""What nobody searches by of a session, its seats and its dice is one JSON `state`."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from typing import Any

import sqlalchemy as sa
from alembic import op

from bot.storage.migrate import progress

revision = "0037"
down_revision = "0036"

Row = Mapping[str, Any]

TOGETHER = 1_000
"""The most sessions converted at a time."""

EPOCH, MILLISECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(milliseconds=1)


def of_session() -> list[sa.Column[Any]]:
    return [
        sa.Column("options", sa.JSON(), nullable=False, server_default="{}"),
        sa.Column("pace", sa.String(length=16), nullable=False, server_default=""),
        sa.Column("offer", sa.Integer()),
        sa.Column("take_back", sa.Integer()),
        sa.Column("lapsed", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("auto_roll", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("roll_chosen", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("board", sa.String(length=16), nullable=False, server_default="emoji"),
        sa.Column("dice_secret", sa.LargeBinary(length=32)),
        sa.Column("locale", sa.String(length=16), nullable=False, server_default=""),
        sa.Column("opened_at", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("hints", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("hint", sa.Integer()),
        sa.Column("tried", sa.Boolean(), nullable=False, server_default=sa.false()),
    ]


def of_seat() -> list[sa.Column[Any]]:
    return [
        sa.Column("level", sa.String(length=16)),
        sa.Column("payoff", sa.Float()),
        sa.Column("feats", sa.String(length=255)),
        sa.Column("word_digest", sa.String(length=64)),
    ]


COLUMNS = {"session": of_session, "seat": of_seat}

SESSION = sa.table(
    "session",
    *(sa.column(name) for name in ("id", "phase")),
    *(sa.column(each.name, each.type) for each in of_session()),
    sa.column("state", sa.JSON),
)
SEAT = sa.table(
    "seat",
    *(sa.column(name) for name in ("session", "seat", "kind")),
    *(sa.column(each.name, each.type) for each in of_seat()),
)
SAVE = (
    sa.update(SESSION)
    .where(SESSION.c.id == sa.bindparam("of"))
    .values(state=sa.bindparam("made", type_=sa.JSON))
)


def upgrade() -> None:
    state = sa.Column("state", sa.JSON(), nullable=False, server_default=sa.text("'{}'"))
    op.add_column("session", state)
    written = sa.cast(SESSION.c.options, sa.Text).label("written")
    names = [each.name for each in of_session() if each.name != "options"]
    read = sa.select(SESSION.c.id, SESSION.c.phase, written, *(SESSION.c[name] for name in names))
    for rows, seats in _portions(read):
        made = [{"of": row["id"], "made": _state(row, seats[row["id"]])} for row in rows]
        op.get_bind().execute(SAVE, made)
    for table, columns in COLUMNS.items():
        for each in columns():
            op.drop_column(table, each.name)


def _portions(read: sa.Select[Any]) -> Iterator[tuple[list[Row], dict[int, list[Row]]]]:
    """The sessions with their seats, some at a time; the log says how far it is."""
    connection, passed = op.get_bind(), progress("converted")
    done, last = 0, 0
    while True:
        query = read.where(SESSION.c.id > last).order_by(SESSION.c.id).limit(TOGETHER)
        rows: list[Row] = [*connection.execute(query).mappings()]
        if not rows:
            return
        first, last = rows[0]["id"], rows[-1]["id"]
        seats: dict[int, list[Row]] = defaultdict(list)
        taken = sa.select(SEAT).where(SEAT.c.session.between(first, last))
        for seat in connection.execute(taken.order_by(SEAT.c.session, SEAT.c.seat)).mappings():
            seats[seat["session"]].append({**seat})
        yield rows, seats
        done += len(rows)
        passed(done)


def _state(row: Row, seats: list[Row]) -> dict[str, Any]:
    over = row["phase"] == "finished"
    secret = row["dice_secret"]
    return {
        "session": {
            "options": _options(row["written"]),
            "pace": row["pace"],
            "preferences": {
                "auto_roll": row["auto_roll"] or (False if row["roll_chosen"] else None),
                "board": row["board"],
            },
            **{name: row[name] for name in ("offer", "take_back", "lapsed")},
            **{name: row[name] for name in ("hints", "tried", "hint")},
            "payoff": [seat["payoff"] for seat in seats] if over else None,
        },
        "locale": row["locale"],
        "dice": None if secret is None else {"secret": b64encode(secret).decode()},
        "opened_at": _moment(row["opened_at"]),
        "seats": [*map(_kept, seats)],
        "feats": [[*filter(None, (seat["feats"] or "").split(","))] for seat in seats]
        if over
        else [],
    }


def _options(written: str) -> object:
    try:
        return json.loads(written)
    except ValueError:
        return written


def _moment(milliseconds: int) -> object:
    try:
        at = EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return milliseconds
    return at.isoformat().replace("+00:00", "Z")


def _kept(seat: Row) -> dict[str, Any]:
    level = {} if seat["level"] is None else {"level": seat["level"]}
    if seat["kind"] not in {"human", "absent"}:
        return level
    digest = seat["word_digest"]
    return level | {"word": None if digest is None else {"digest": digest}}


def downgrade() -> None:
    """Give the columns what they had."""
    for table, columns in COLUMNS.items():
        for each in columns():
            op.add_column(table, each)
    read = sa.select(SESSION.c.id, SESSION.c.phase, SESSION.c.state)
    for rows, seats in _portions(read):
        for row in rows:
            _spread(row["id"], row["state"], seats[row["id"]])
    op.drop_column("session", "state")


def _spread(number: int, state: Row, seats: list[Row]) -> None:
    kept, chosen = state["session"], state["session"]["preferences"]
    names = ("options", "pace", "offer", "take_back", "lapsed", "hints", "tried", "hint")
    values = {
        **{name: kept[name] for name in names},
        "auto_roll": bool(chosen["auto_roll"]),
        "roll_chosen": chosen["auto_roll"] is not None,
        "board": chosen["board"],
        "dice_secret": state["dice"] and b64decode(state["dice"]["secret"]),
        "locale": state["locale"],
        "opened_at": (datetime.fromisoformat(state["opened_at"]) - EPOCH) // MILLISECOND,
    }
    connection = op.get_bind()
    connection.execute(sa.update(SESSION).where(SESSION.c.id == number).values(values))
    for seat, own, payoff, feats in zip_longest(
        seats, state["seats"], kept["payoff"] or (), state["feats"]
    ):
        values = {
            "level": own.get("level"),
            "payoff": payoff,
            "feats": ",".join(feats or ()) or None,
            "word_digest": (own.get("word") or {}).get("digest"),
        }
        same = (SEAT.c.session == number) & (SEAT.c.seat == seat["seat"])
        connection.execute(sa.update(SEAT).where(same).values(values))
