"""`/replay` and the controls of its message: finished games, turn by turn and as files."""

from __future__ import annotations

from io import BytesIO
from typing import Final

from discord import File
from discord.ui import LayoutView

from bot.message.text import text
from bot.screens.game_file import record
from bot.screens.look_closer import ended_choice
from bot.screens.replay import STEPS, Replay
from bot.service.archive import Archive
from bot.service.tables import Press
from bot.table.actions import Action
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.ui.answer import Answer
from bot.ui.view import board_view
from bot.ui.words import Words
from engine.files import json_text
from engine.files import text as plain_text

ANSWERED: Final = frozenset({Action.REPLAY, Action.AS_TEXT, Action.AS_JSON}) | STEPS
"""The actions that are answered here."""


class Replays:
    """Shows finished games to one reader each."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    async def open(
        self, answer: Answer, words: Words, number: SessionId | None, *, channel: int, by: PersonId
    ) -> None:
        """Shows a game, or the latest there is, before its first move.

        Raises:
            Refusal: As in `Archive.game`.
        """
        table = await self._archive.game(number, channel=channel, by=by)
        await answer.say(_view(Replay(table), 0, words))

    async def pressed(self, answer: Answer, words: Words, press: Press, *, channel: int) -> None:
        """Answers a control of a replay, or the one that opens it.

        Raises:
            Refusal: As in `Archive.game`.
        """
        table = await self._archive.game(press.session, channel=channel, by=press.by)
        match press.action:
            case Action.REPLAY:
                await answer.say(_view(Replay(table), 0, words))
            case Action.AS_TEXT:
                file = _file(plain_text.written(record(table)), f"game-{table.id}.txt")
                await answer.say(words.of(text("replay.text")), file)
            case Action.AS_JSON:
                file = _file(json_text.written(record(table)), f"game-{table.id}.json")
                await answer.say(words.of(text("replay.json")), file)
            case _:
                replay = Replay(table)
                await answer.show(
                    _view(replay, replay.led(press.action, press.ply, press.value), words)
                )

    async def offered(self, words: Words, *, channel: int, by: PersonId) -> list[tuple[str, str]]:
        """The games that may be replayed, each by a name to choose it by and its number."""
        ended = await self._archive.offered(channel, by)
        return [(words.of(ended_choice(game)), str(game.id)) for game in ended]


def _view(replay: Replay, stop: int, words: Words) -> LayoutView:
    return board_view(replay.screen(stop), replay.board(stop), words)


def _file(content: str, name: str) -> File:
    return File(BytesIO(content.encode()), filename=name)
