"""`parlour systemd`: a unit that keeps Parlour running in this folder as this user."""

from __future__ import annotations

import argparse
import getpass
import sys
from pathlib import Path
from typing import Final

UNIT: Final = """\
# {folder}: keep this as /etc/systemd/system/parlour.service, then
# systemctl daemon-reload && systemctl enable --now parlour
[Unit]
Description=Parlour, board games in Discord channels
Documentation=https://discord.com/developers/docs
Wants=network-online.target
After=network-online.target
# Discord takes back the token of a bot that connects 1,000 times a day.
StartLimitIntervalSec=1h
StartLimitBurst=20

[Service]
User={user}
WorkingDirectory={folder}
ExecStart={python} -m bot
# Exit code 2 is a setting to put right, which no restart does.
Restart=on-failure
RestartPreventExitStatus=2
RestartSec=15
KillSignal=SIGTERM
KillMode=mixed
TimeoutStopSec=20
UMask=0077
NoNewPrivileges=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectSystem=strict
ReadWritePaths={folder}
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictSUIDSGID=yes
LockPersonality=yes

[Install]
WantedBy=multi-user.target
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare no arguments."""
    parser.epilog = "parlour systemd | sudo tee /etc/systemd/system/parlour.service"


def run(_: argparse.Namespace) -> int:
    """Print the unit."""
    folder, python = _written(Path.cwd()), _written(Path(sys.executable))
    print(UNIT.format(folder=folder, python=python, user=getpass.getuser()), end="")
    return 0


def _written(path: Path) -> str:
    """A path with the characters escaped that mean something in a unit."""
    return str(path).replace("\\", "\\\\").replace("%", "%%").replace(" ", "\\x20")
