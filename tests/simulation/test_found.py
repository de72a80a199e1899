"""What the simulation has found, each as a test of its own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from bot.storage.messages import Messages
from bot.ui.board_memory import ShownRevisions


class FullDisk:
    """A store of messages that fails once, as on a disk that is full for a while."""

    def __init__(self) -> None:
        self.saved: dict[Any, int] = {}
        self.full = True

    async def save_shown(self, shown: dict[Any, int]) -> None:
        if self.full:
            raise OSError("database or disk is full")
        self.saved |= shown


async def test_what_a_full_disk_did_not_take_of_shown_messages_is_saved_later() -> None:
    disk = FullDisk()
    shown = ShownRevisions(cast("Messages", disk))
    table: Any = SimpleNamespace(id=7, revision=3)
    shown.note(table)
    await shown.save()
    disk.full = False
    await shown.save()
    assert disk.saved == {7: 3}
