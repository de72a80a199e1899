"""A PostgreSQL server of the tests' own, from the programs of Debian's package.

`python -m tests.bot.postgres COMMAND …` runs a command whose `DATABASE_URL` is an empty database.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from sqlalchemy import Engine, create_engine
from sqlalchemy.engine import make_url

from bot.storage.dialect import backend_at
from bot.storage.migrate import upgrade
from tests.memory import roomy

TEMPLATE: Final = "template_of_parlour"
PROGRAMS: Final = Path("/usr/lib/postgresql")

SETTINGS: Final = (
    "fsync=off",
    "full_page_writes=off",
    "autovacuum=off",
    "max_connections=60",
    "listen_addresses=",
)
"""Fast, since nothing here has to outlive this machine."""

END: Final = 'cat; cd /; "$@" >/dev/null 2>&1; rm -rf "$0"'
"""A shell's script: at the end of its input it runs a command and removes the folder."""


def missing_postgres() -> str | None:
    """Why there is no server to test on, if there is none."""
    if find_spec("psycopg") is None:
        return "no psycopg to speak to PostgreSQL with: pip install '.[postgres]'"
    return None if _programs() else f"no PostgreSQL server in {PROGRAMS}: install postgresql"


def _programs() -> Path | None:
    found = sorted(PROGRAMS.glob("*/bin/initdb"), key=lambda each: float(each.parts[-3]))
    return found[-1].parent if found else None


class Server:
    """A server in a folder, which listens on a socket in it alone."""

    def __init__(self, folder: Path, settings: Sequence[str] = SETTINGS) -> None:
        programs = _programs()
        assert programs is not None
        self.folder = folder
        self._settings = settings
        self._programs = programs
        self._numbers = count()
        self._admin: Engine = create_engine(
            self.address("postgres").replace("postgresql:", "postgresql+psycopg:"),
            isolation_level="AUTOCOMMIT",
            pool_pre_ping=True,
        )

    def address(self, database: str) -> str:
        """The URL of a database."""
        return f"postgresql://parlour@/{database}?host={self.folder}"

    def make(self) -> None:
        """Makes the server, and a template of this version's schema."""
        made = ("-U", "parlour", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        self._run("initdb", "-D", str(self.folder / "data"), *made)
        self.start()
        engine = backend_at(self._create(TEMPLATE, "template0")).engine()
        with engine.begin() as connection:
            upgrade(connection)
        engine.dispose()

    def start(self) -> None:
        settings = (*self._settings, f"unix_socket_directories={self.folder}")
        options = " ".join(f"-c {setting}" for setting in settings)
        self._control("-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stops: `fast` breaks off transactions, `immediate` is a crash."""
        self._control("-m", mode, "stop")

    @contextmanager
    def ended(self) -> Iterator[None]:
        """Stops the server and removes its folder at the end, or when this process dies.

        A child has the other end of a pipe, which the system closes with this process.
        """
        stop = self._command("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")
        end = ["sh", "-c", END, str(self.folder), *stop]
        with subprocess.Popen(end, stdin=subprocess.PIPE, start_new_session=True):
            try:
                yield
            finally:
                self._admin.dispose()

    def __call__(self, of: str | None = None) -> str:
        """The URL of a new database with this version's schema, or a copy of one."""
        return self._create(f"parlour_{next(self._numbers)}", TEMPLATE if of is None else _name(of))

    def drop(self, address: str) -> None:
        """Remove a database, whoever is connected to it."""
        with self._admin.connect() as connection:
            connection.exec_driver_sql(f"DROP DATABASE {_name(address)} WITH (FORCE)")

    def empty(self, encoding: str = "UTF8") -> str:
        """The URL of a new database without a schema."""
        how = "" if encoding == "UTF8" else f"ENCODING '{encoding}' LOCALE 'C'"
        return self._create(f"parlour_{next(self._numbers)}", f"template0 {how}")

    def _create(self, name: str, template: str) -> str:
        with self._admin.connect() as connection:
            connection.exec_driver_sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.address(name)

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", *arguments)

    def _run(self, program: str, *arguments: str) -> None:
        command = self._command(program, *arguments)
        subprocess.run(command, check=True, cwd=self.folder, stdout=subprocess.DEVNULL)

    def _command(self, program: str, *arguments: str) -> list[str]:
        """A program run by another user where this one is root, whom PostgreSQL refuses."""
        drop = () if os.geteuid() else ("setpriv", f"--reuid={_user()}", "--clear-groups")
        return [*drop, str(self._programs / program), *arguments]


def _name(address: str) -> str:
    name = make_url(address).database
    assert name is not None
    return name


def _user() -> str:
    names = {user.pw_name for user in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def postgres(within: Path | None = None, settings: Sequence[str] = SETTINGS) -> Iterator[Server]:
    """A server that runs until the end, in memory unless `within` a folder."""
    folder = Path(mkdtemp(prefix="parlour-", dir=within or roomy()))
    if os.geteuid() == 0:
        shutil.chown(folder, _user())
    server = Server(folder, settings)
    with server.ended():
        server.make()
        yield server


if __name__ == "__main__":  # runs a command with DATABASE_URL set to an empty database of a server
    with postgres() as running:
        given = {**os.environ, "DATABASE_URL": running.empty()}
        sys.exit(subprocess.run(sys.argv[1:], env=given, check=False).returncode)
