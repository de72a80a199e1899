"""`parlour setup`: stores the bot's token and prints the link to invite it."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from getpass import getpass
from pathlib import Path
from typing import Final

from bot.cli import CANNOT
from bot.games.catalogue import CATALOGUE
from bot.settings import TOKEN, keep_token, read_discord_url
from bot.ui.checkup import set_up
from bot.ui.connection import REJECTED, ConnectionRefused, signed_in
from bot.ui.invitations import to_server

DOTENV: Final = Path(".env")
TRIES: Final = 3

HOW: Final = """\
1. Open https://discord.com/developers/applications and press New Application.
2. On its page Bot, press Reset Token and copy the token.
   Anyone who has the token can act as your bot: show it to nobody.
"""
NEXT: Final = """\
{name} is yours, and its token is in {file}, which you alone can read.
3. Open this link and choose your server:
   {link}
4. Start Parlour in this folder, with parlour, and type {games} in a channel.
"""
MALFORMED: Final = "That is no token, which has three parts joined by dots; copy it once more."
TYPED_WRONG: Final = (
    "Discord rejects the token that you typed; copy it once more from the page Bot, or press Reset "
    "Token there for a new one."
)
GIVEN_UP: Final = "Nothing was written; call parlour setup again when you have the token."


def add_setup(parser: argparse.ArgumentParser) -> None:
    """Declare no arguments."""
    parser.epilog = "Exit code: 0 if the token is kept, 2 if it is not."


def run_setup(_: argparse.Namespace) -> int:
    """Ask until Discord accepts a token, store it, and print the next steps."""
    url = read_discord_url(os.environ, DOTENV)
    print(HOW, flush=True)
    for _again in range(TRIES):
        try:
            token = _asked()
        except EOFError:
            break
        if not TOKEN.fullmatch(token):
            print(MALFORMED, flush=True)
            continue
        try:
            name, link = asyncio.run(_introduced(token, url))
        except ConnectionRefused as error:
            print(TYPED_WRONG if str(error) == REJECTED else error, flush=True)
            continue
        keep_token(DOTENV, token)
        games = " or ".join(f"/{entry.command.name}" for entry in CATALOGUE.values())
        told = NEXT.format(name=name, file=DOTENV.absolute(), link=link, games=games)
        print(told, flush=True)
        _warn()
        return 0
    print(f"parlour: {GIVEN_UP}", file=sys.stderr)
    return CANNOT


def _asked() -> str:
    """The token, typed unseen or read from a pipe."""
    if sys.stdin.isatty():
        return getpass("The token (it does not show): ").strip()
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        return ""  # which is no token either
    if not line:
        raise EOFError
    return line.strip()


async def _introduced(token: str, url: str | None) -> tuple[str, str]:
    async with signed_in(token, url) as client:
        await set_up(client)
        return str(client.user), to_server(client.application_id or 0)


def _warn() -> None:
    """Warn that a token in the environment takes precedence over the stored one."""
    for name in ("DISCORD_TOKEN", "DISCORD_TOKEN_FILE"):
        if os.environ.get(name, "").strip():
            print(f"{name} is set in this environment and wins over the file; remove it there.")
