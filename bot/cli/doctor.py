"""`parlour doctor`: the obstacles to running Parlour, a line each, with their remedies."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

from bot.games.catalogue import CATALOGUE
from bot.locales import shipped
from bot.message.canvas import letters
from bot.message.fonts import captions
from bot.settings import Settings, SettingsError, read_settings
from bot.storage.backup import newest
from bot.storage.choices import GuildId, GuildSettings, load
from bot.storage.dialect import backend_at
from bot.storage.errors import StorageError
from bot.storage.opening import reading_transaction
from bot.storage.processes import of_another_bot, owner_of
from bot.storage.reading import Reader
from bot.storage.sqlite_file import SqliteFile
from bot.ui.checkup import Finding, Health, examined, judged, set_up
from bot.ui.connection import ConnectionRefused, signed_in

SPARE: Final = 1 << 28
"""Bytes that should be free in addition to twice the database's size, so it can be rewritten."""

PROBED: Final = 1 << 16
"""Bytes that are written to test whether the folder is writable."""

OLDEST: Final = timedelta(days=7)
"""The greatest age of the newest backup."""

PATIENCE: Final = 4.0
"""The timeout of the health check in seconds, as in the container."""

JOINED: Final = "install the library FriBiDi, which joins their letters."

_DUMPS: Final = "PostgreSQL has its own: see to it that pg_dump runs every day"


def add_doctor(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--fix", action="store_true", help="set at Discord how the bot is installed, if need be"
    )
    parser.add_argument(
        "--backups",
        metavar="FOLDER",
        type=Path,
        help="where your backups are (unless given, beside the database)",
    )
    parser.epilog = "Exit code: 0 if nothing is wrong, 1 if something is."


def run_doctor(arguments: argparse.Namespace) -> int:
    """Print the findings; return 0 if nothing is wrong."""
    return asyncio.run(_look(arguments.backups, fix=arguments.fix))


async def _look(backups: Path | None, *, fix: bool) -> int:
    wrong = 0
    async for finding in _findings(backups, fix=fix):
        print(f"{finding.health} {finding.about}: {finding.words}", flush=True)
        wrong += finding.health is Health.WRONG
    print("Nothing is wrong." if not wrong else f"To do: {wrong}.")
    return 1 if wrong else 0


async def _findings(backups: Path | None, *, fix: bool) -> AsyncIterator[Finding]:
    try:
        settings = read_settings(os.environ, Path(".env"))
    except SettingsError as error:
        yield Finding(Health.WRONG, "settings", str(error))
        return
    guilds, owner, here = _here(settings, backups)
    for finding in here:
        yield finding
    if settings.metrics_port is not None:
        yield await asyncio.to_thread(_connection, settings.metrics_port)
    if settings.token is None:
        words = "There is none, so Parlour plays in its sandbox; parlour setup asks for one."
        yield Finding(Health.UNKNOWN, "token", words)
        return
    try:
        async with signed_in(settings.token, settings.discord_url) as client:
            fault = of_another_bot(owner, client.application_id or 0)
            yield judged("token", fault, "Discord knows it.")
            if fix:
                await set_up(client)
            emoji = {name for entry in CATALOGUE.values() for name in entry.sprites}
            now = datetime.now(UTC)
            async for finding in examined(client, emoji=emoji, guilds=guilds, now=now):
                yield finding
    except ConnectionRefused as error:
        yield Finding(Health.WRONG, "token", str(error))


def _here(
    settings: Settings, backups: Path | None
) -> tuple[Mapping[GuildId, GuildSettings], str | None, list[Finding]]:
    """The settings of guilds, the owner of the database, and the findings on this machine."""
    guilds: Mapping[GuildId, GuildSettings] = {}
    owner: str | None = None
    found = [_fonts()]
    try:
        backend = backend_at(settings.database_url)
        file = backend.file if isinstance(backend, SqliteFile) else None
        found += [_folder(file)] if file else []
        if file is not None and not file.exists():
            words = f"There is none yet; the first start makes {file}."
            found.append(Finding(Health.UNKNOWN, "database", words))
        else:
            with reading_transaction(settings.database_url) as connection:
                guilds, owner = load(Reader(connection)), owner_of(connection)
            found.append(Finding(Health.WELL, "database", f"{backend} is of this version."))
            found.append(
                _backup(file, backups or file.parent) if file else _dumps(settings.daily_backup)
            )
        found += [_disk(file)] if file else []
    except StorageError as error:
        found.append(Finding(Health.WRONG, "database", str(error)))
    return guilds, owner, found


def _fonts() -> Finding:
    fault = None
    if not letters():
        fault = (
            "Pictures get no letters; install Pillow again: pip install --force-reinstall pillow."
        )
    bare = [
        locale
        for locale, language in shipped().items()
        if not captions([language.template(key) for key in language.keys("picture.")], locale)
    ]
    missing = f", but no words in {', '.join(sorted(bare))}; {JOINED}" if bare else "."
    return judged("fonts", fault, f"Pictures get their letters{missing}")


def _connection(port: int) -> Finding:
    """The finding of the health check of the Parlour that runs here, as a container asks for it."""
    about, address = "connection", f"http://127.0.0.1:{port}/health"
    try:
        with build_opener(ProxyHandler({})).open(address, timeout=PATIENCE):
            return Finding(Health.WELL, about, f"{address} says that Parlour is connected.")
    except HTTPError as error:
        words = f"{address} answers {error.code}: Parlour runs, but is not connected to Discord."
        return Finding(Health.WRONG, about, words)
    except (OSError, HTTPException):
        words = f"Nothing answers at {address}, so Parlour does not run here now."
        return Finding(Health.UNKNOWN, about, words)


def _folder(file: Path) -> Finding:
    """The finding on whether the database and a file beside it can be written."""
    fault, folder = None, file.parent
    written = folder
    try:
        with TemporaryFile(dir=folder) as probe:
            probe.write(bytes(PROBED))
            probe.flush()
            os.fsync(probe.fileno())
        if file.exists():
            written = file
            with file.open("r+b"):
                pass
    except OSError as error:
        fault = (
            f"{written} cannot be written ({os.strerror(error.errno or 0)}); make "
            "it writable for this user with room to spare, or name another in DATABASE_URL."
        )
    return judged("folder", fault, f"{folder} can be written.")


def _disk(file: Path) -> Finding:
    free = shutil.disk_usage(file.parent).free
    size = file.stat().st_size if file.exists() else 0
    needed, folder = 2 * size + SPARE, file.parent
    fault = None
    if free < needed:
        fault = f"{_megabytes(free)} are free in {folder}; make room for {_megabytes(needed)}."
    return judged("disk", fault, f"{_megabytes(free)} are free in {folder}.")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


def _dumps(daily: bool) -> Finding:
    """The finding on backups of a PostgreSQL database, which Parlour does not make."""
    if daily:
        return Finding(Health.WRONG, "backup", f"{_DUMPS}, and remove PARLOUR_BACKUP.")
    return Finding(Health.UNKNOWN, "backup", f"{_DUMPS}.")


def _backup(database: Path, folder: Path) -> Finding:
    try:
        made = newest(folder, database)
    except StorageError as error:
        return Finding(Health.WRONG, "backup", str(error))
    if made is None:
        words = (
            f"There is none in {folder}; set PARLOUR_BACKUP=daily, make one with parlour backup "
            "FILE, or name --backups."
        )
        return Finding(Health.WRONG, "backup", words)
    fault = None
    if (age := datetime.now(UTC) - made) > OLDEST:
        fault = f"The newest in {folder} is {age.days} days old; make one with parlour backup FILE."
    return judged("backup", fault, f"The newest in {folder} is of {made:%Y-%m-%d %H:%M} UTC.")
