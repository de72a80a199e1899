"""The stage of the page's tests: a sandbox, the bot that shows everything, and a window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.sandbox import Message
from tests.bot.sandbox.showcase import Showcase
from tests.bot.stand_in import ManualClock, Sandbox
from tests.browser import Window

LAST: Final = "#history > .message:last-of-type"


@dataclass
class Stage:
    """A sandbox with a bot and a window on its page, where Ann looks at #games."""

    sandbox: Sandbox
    clock: ManualClock
    bot: Showcase
    window: Window

    @property
    def last(self) -> Message:
        """The last message that Ann sees in #games."""
        ann, games = self.sandbox.person("Ann"), self.sandbox.channel("games")
        return ann.sees(games)[-1]

    async def send(self, line: str) -> None:
        """Sends a message, or a whole command."""
        await self.window.enter("#line", line)
        await self.window.until("return document.querySelector('#line').value === ''")

    async def scrolls_sideways(self) -> bool:
        """Whether anything is wider than the window."""
        wide = "return [document.documentElement, document.querySelector('#scroller')]"
        found = await self.window.run(f"{wide}.some((each) => each.scrollWidth > each.clientWidth)")
        return bool(found)
