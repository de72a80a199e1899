"""`parlour systemd`: a unit that keeps Parlour running in this folder as this user."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.cli import CANNOT
from bot.settings import read_settings, set_here_alone
from bot.storage.dialect import backend_at
from bot.storage.sqlite_file import SqliteFile

UNIT: Final = """\
# {folder}: keep this as /etc/systemd/system/parlour.service, then
# systemctl daemon-reload && systemctl enable --now parlour
[Unit]
Description=Parlour, board games in Discord channels
Documentation=https://discord.com/developers/docs
Wants=network-online.target
After=network-online.target
RequiresMountsFor={written}
# However long a server is away or a disk full, it is tried again.
StartLimitIntervalSec=0

[Service]
User={user}
WorkingDirectory={raw}
ExecStart={python} -m bot
# Exit code 2 is a setting to put right, which no restart does.
Restart=on-failure
RestartPreventExitStatus=2
# Discord takes back the token of a bot that connects 1,000 times a day.
RestartSec=90
KillSignal=SIGTERM
KillMode=mixed
TimeoutStopSec=20
UMask=0077
# It may read what this user may, write here and beside its database alone, and talk to the network.
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
PrivateIPC=yes
DevicePolicy=closed
ProtectSystem=strict
ProtectHome=read-only
ReadWritePaths={written}
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectProc=invisible
ProcSubset=pid
RemoveIPC=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
# What explains games gives way to the rest.
SystemCallFilter=setpriority
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""


FLEETING: Final = (
    "{python} is in a cache, from which uv or pipx may delete it; install Parlour for good with uv "
    "tool install or pipx install, and call parlour systemd again."
)


LACKING: Final = (
    "The unit reads its settings from {file} alone; write there what this shell sets otherwise "
    "({names}), and print the unit again."
)
TOKENLESS: Final = "{file} has no DISCORD_TOKEN, so the unit plays in its sandbox."


def add_systemd(parser: argparse.ArgumentParser) -> None:
    """Declare no arguments."""
    parser.epilog = "parlour systemd | sudo tee /etc/systemd/system/parlour.service"


def run_systemd(_: argparse.Namespace) -> int:
    """Print the unit, and what its settings lack; return 2 if this Python may soon be gone.

    Raises:
        SettingsError: A setting of `.env` is wrong.
        StorageError: The database that it names cannot be.
    """
    folder, python = Path.cwd(), Path(sys.executable)
    if any(python.is_relative_to(cache) for cache in _caches()):
        print(f"parlour: {FLEETING.format(python=python)}", file=sys.stderr)
        return CANNOT
    unit = UNIT.format(
        folder=folder,
        raw=_raw(folder),
        written=" ".join(map(_quoted, _written(folder))),
        python=_quoted(python).replace("$", "$$"),
        user=getpass.getuser(),
    )
    print(unit, end="", flush=True)
    _warn(Path(".env"))
    return 0


def _warn(dotenv: Path) -> None:
    """Say what the unit, which has none of this environment, lacks without it."""
    if names := set_here_alone(os.environ, dotenv):
        words = LACKING.format(file=dotenv.absolute(), names=", ".join(names))
        print(f"parlour: {words}", file=sys.stderr)
    if read_settings({}, dotenv).token is None:
        print(f"parlour: {TOKENLESS.format(file=dotenv.absolute())}", file=sys.stderr)


def _written(folder: Path) -> Iterator[Path]:
    """The folders that Parlour writes in: its own, and that of its database if it is elsewhere.

    The unit has none of this environment, so `.env` alone says where that is.
    """
    yield folder
    backend = backend_at(read_settings({}, Path(".env")).database_url)
    if isinstance(backend, SqliteFile):
        beside = backend.file.parent.resolve()
        if not beside.is_relative_to(folder):
            yield beside


def _raw(path: Path) -> str:
    """A path for a systemd setting that takes one path: unquoted, with specifiers escaped."""
    return str(path).replace("%", "%%")


def _quoted(path: Path) -> str:
    """A path for a systemd setting that takes several words: quoted where needed."""
    written = _raw(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{written}"' if any(each in written for each in " \t\\\"'") else written


def _caches() -> Iterator[Path]:
    """The cache folders of `uvx` and `pipx run`, which are cleaned now and then."""
    yield Path.home() / ".cache"
    yield Path.home() / ".local" / "share" / "pipx" / ".cache"
    yield Path.home() / ".local" / "pipx" / ".cache"
    for name in ("UV_CACHE_DIR", "XDG_CACHE_HOME"):
        if folder := os.environ.get(name):
            yield Path(folder)
