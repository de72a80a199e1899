"""The replies that can be changed: those of the last minutes, and no more than have room."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from bot.table.session import SessionId
from bot.ui.board_memory import A_REPLY, MOST_REPLIES, TOKEN_LASTS, Replies
from tests.bot.clock import ManualClock
from tests.bot.storage.test_tables import draft

if TYPE_CHECKING:
    import discord

UNUSED: Final = cast("discord.Webhook", None)


def kept(replies: Replies, clock: ManualClock, numbers: range) -> None:
    table = draft(clock)
    for number in numbers:
        replies.keep(replace(table, id=SessionId(number)), number, UNUSED)


def test_the_oldest_replies_make_room() -> None:
    clock = ManualClock()
    replies = Replies(clock)
    room = MOST_REPLIES // A_REPLY
    kept(replies, clock, range(room + 3))
    assert [*replies.tables] == [*range(3, room + 3)]


def test_a_reply_is_kept_as_long_as_its_token_lives() -> None:
    clock = ManualClock()
    replies = Replies(clock)
    kept(replies, clock, range(2))
    clock.advance(TOKEN_LASTS)
    kept(replies, clock, range(2, 3))
    assert [*replies.tables] == [2]
