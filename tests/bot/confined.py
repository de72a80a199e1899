"""`python -m tests.bot.confined UNIT PROGRAM…`: a program as a unit of systemd confines it.

It has the system calls of the unit's `SystemCallFilter` alone, and makes no memory executable.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from ctypes import CDLL, c_void_p
from ctypes.util import find_library
from pathlib import Path
from shutil import which
from typing import Final

FILTER: Final = "SystemCallFilter="
ALLOW: Final = 0x7FFF0000
REFUSE: Final = 0x00050000 | errno.EPERM
SET_MDWE: Final = 65
"""The option of `prctl` that refuses memory both writable and executable, since Linux 6.3."""


def missing() -> str:
    """Why nothing can be confined here, or an empty string."""
    if which("systemd-analyze") is None:
        return "systemd-analyze is not installed"
    return "" if find_library("seccomp") else "libseccomp is not installed"


def calls(of: str) -> set[str]:
    """The system calls of a name, or of a group of systemd's."""
    if not of.startswith("@"):
        return {of}
    command = ["systemd-analyze", "syscall-filter", of]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names = (line.strip() for line in told.splitlines()[1:])
    return {call for name in names if name and not name.startswith("#") for call in calls(name)}


def allowed(unit: str) -> set[str]:
    """The system calls that a unit allows, which are those of its first line before the others."""
    found = calls("@default")
    for line in unit.splitlines():
        if line.startswith(FILTER):
            names = line.removeprefix(FILTER)
            those = {call for name in names.lstrip("~").split() for call in calls(name)}
            found = found - those if names.startswith("~") else found | those
    return found


def confine(unit: str) -> None:
    """Refuse this process, and all that it starts, what a unit does not allow."""
    libc, seccomp = CDLL(None), CDLL(find_library("seccomp"))
    seccomp.seccomp_init.restype = c_void_p
    rules = c_void_p(seccomp.seccomp_init(REFUSE))
    for name in allowed(unit):
        if (number := seccomp.seccomp_syscall_resolve_name(name.encode())) >= 0:
            assert seccomp.seccomp_rule_add(rules, ALLOW, number, 0) == 0, name
    libc.prctl(SET_MDWE, 1, 0, 0, 0)
    assert seccomp.seccomp_load(rules) == 0


if __name__ == "__main__":
    _, unit, *program = sys.argv
    confine(Path(unit).read_text(encoding="utf-8"))
    os.execv(program[0], program)  # noqa: S606 - a shell would only be in the way
