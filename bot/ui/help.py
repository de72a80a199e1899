"""`/help`: what one can do, in one screen."""

from __future__ import annotations

from dataclasses import dataclass

from discord import ui

from bot.games.catalogue import CATALOGUE
from bot.message.text import text
from bot.ui.words import Words


@dataclass(frozen=True, slots=True)
class Links:
    """Where the bot can be invited, and where its source is, if anywhere."""

    invite: str
    source: str | None = None


def help_view(words: Words, links: Links) -> ui.LayoutView:
    """The screen, with its links."""
    games = (
        text(f"help.{entry.game.key}", command=words.command(entry.command.name))
        for entry in CATALOGUE
    )
    board = text("board.help", board=words.command("board"))
    again = text("games.help", games=words.command("games"), replay=words.command("replay"))
    records = text(
        "records.help",
        stats=words.command("stats"),
        leaderboard=words.command("leaderboard"),
        history=words.command("history"),
    )
    privacy = text(
        "privacy.help", export=words.command("me export"), forget=words.command("me forget")
    )
    paragraphs = [text("help.title"), *games, text("help.play"), board, again, records, privacy]
    buttons = ui.ActionRow[ui.LayoutView](
        ui.Button(label=words.of(text("help.invite")), url=links.invite)
    )
    if links.source is not None:
        buttons.add_item(ui.Button(label=words.of(text("help.source")), url=links.source))
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(ui.TextDisplay("\n".join(map(words.of, paragraphs))), buttons))
    return view
