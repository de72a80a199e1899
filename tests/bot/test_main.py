"""Starting and ending: one sentence for whatever the owner has to put right, and a clean end."""

from __future__ import annotations

import asyncio
import re
import shutil
import signal
import socket
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

import aiohttp
import pytest
from sqlalchemy import insert, select

from bot.storage.opening import opened
from bot.storage.schema.choice_tables import servers
from tests.bot.databases import template
from tests.bot.postgres import Server
from tests.bot.process import interrupt, lay_databases, outcome, started
from tests.bot.stand_in import Sandbox

End: TypeAlias = Callable[[asyncio.subprocess.Process], None]

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB"


async def sentence(folder: Path, *program: str, code: int = 2, **settings: str) -> str:
    """The message of a start that fails."""
    async with started(folder, *program, **settings) as process:
        ended, out, errors = await outcome(process)
    assert ended == code, errors
    assert not out
    assert "Traceback" not in errors
    assert TOKEN not in errors
    lines = errors.strip().splitlines()
    assert len(lines) == 1, errors
    assert lines[0].startswith("parlour: ")
    return lines[0]


async def address(process: asyncio.subprocess.Process) -> str:
    """The sandbox's address, as soon as it is printed."""
    assert process.stdout is not None
    async with asyncio.timeout(60):
        line = (await process.stdout.readline()).decode()
    found = re.search(r"http://127\.0\.0\.1:\d+", line)
    assert found, line
    return found[0]


async def logged(process: asyncio.subprocess.Process, words: str) -> None:
    """Return when a line of the log has these words."""
    assert process.stderr is not None
    read = list[bytes]()
    async with asyncio.timeout(60):
        while line := await process.stderr.readline():
            read.append(line)
            if words in line.decode():
                return
    raise AssertionError(b"".join(read).decode())


async def reached(point: Coroutine[Any, Any, None], process: asyncio.subprocess.Process) -> None:
    """Waits until a start has come to some point, or has failed on the way."""
    coming, ending = asyncio.create_task(point), asyncio.create_task(process.wait())
    async with asyncio.timeout(60):
        await asyncio.wait({coming, ending}, return_when=asyncio.FIRST_COMPLETED)
    for waiting in (coming, ending):
        waiting.cancel()
    assert process.returncode is None, (await outcome(process))[2]


async def test_a_start_that_fails_on_the_way_is_not_waited_for(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    gate = sandbox.hold_next("GET", "/users/@me")
    async with started(tmp_path, DISCORD_TOKEN="hunter2") as process:
        with pytest.raises(AssertionError, match="three parts"):
            await reached(gate.reached(), process)


def terminate(process: asyncio.subprocess.Process) -> None:
    process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("end", [interrupt, terminate])
async def test_without_a_token_the_sandbox_starts_and_ends_cleanly(
    tmp_path: Path, end: End
) -> None:
    async with started(tmp_path, PARLOUR_SANDBOX_PORT="0") as process:
        await address(process)
        end(process)
        code, _, errors = await outcome(process)
    assert code == 0, errors
    assert "Traceback" not in errors
    assert (tmp_path / "sandbox.db").is_file()
    assert not (tmp_path / "parlour.db").exists(), "the games on Discord are left alone"


@pytest.mark.parametrize("alone", [True, False])
async def test_servers_that_a_sandbox_of_ones_own_does_not_know_are_not_taken_for_left(
    folder: Path, sandbox: Sandbox, *, alone: bool
) -> None:
    settings = {"DATABASE_URL": "sqlite:///kept.db", "PARLOUR_SANDBOX_PORT": "0"}
    if not alone:
        settings |= {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    shutil.copy(template(), folder / "kept.db")
    async with opened(f"sqlite:///{folder}/kept.db") as database:
        await database.run(lambda c: c.execute(insert(servers), {"id": 77}))
    async with started(folder, **settings) as process:
        await logged(process, "ready user" if alone else "server left id=77")
        terminate(process)
        await outcome(process)
    async with opened(f"sqlite:///{folder}/kept.db") as database:
        query = select(servers.c.left_at).where(servers.c.id == 77)
        left_at = await database.run(lambda c: c.execute(query).scalar())
    assert (left_at is None) is alone


@pytest.mark.sampled(3)
@pytest.mark.parametrize("end", [interrupt, terminate])
@pytest.mark.parametrize("path", ["/users/@me", "/applications/*/commands", "/gateway/bot"])
async def test_a_start_can_be_interrupted(
    folder: Path, sandbox: Sandbox, end: End, path: str
) -> None:
    gate = sandbox.hold_next("GET", path)
    settings = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    async with started(folder, **settings) as process:
        await reached(gate.reached(), process)
        end(process)
        code, _, errors = await outcome(process)
    gate.open()
    assert code == 0, errors
    assert "Traceback" not in errors


async def test_a_malformed_token_is_explained(tmp_path: Path) -> None:
    assert "three parts" in await sentence(tmp_path, DISCORD_TOKEN="hunter2")


async def test_a_rejected_token_is_explained(folder: Path, sandbox: Sandbox) -> None:
    said = await sentence(folder, DISCORD_TOKEN=TOKEN, DISCORD_API=sandbox.url)
    assert "rejects the token" in said


async def test_a_database_of_another_bot_is_explained(folder: Path, sandbox: Sandbox) -> None:
    settings = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    async with started(folder, **settings) as process:
        await address(process)
        terminate(process)
        await outcome(process)
    sandbox.application.listing = {"id": "77"}
    said = await sentence(folder, DISCORD_TOKEN=sandbox.token, DISCORD_API=sandbox.url)
    assert f"another bot (application {sandbox.world.bot.id}, this one is 77)" in said


async def test_the_sandbox_leaves_the_database_of_a_bot_on_discord_alone(
    folder: Path, sandbox: Sandbox
) -> None:
    sandbox.application.listing = {"id": "77"}
    url = "sqlite:///parlour.db"
    # The stand-in ends the start, once the database is that bot's.
    await sentence(folder, DISCORD_TOKEN=sandbox.token, DISCORD_API=sandbox.url, DATABASE_URL=url)
    said = await sentence(folder, DATABASE_URL=url)
    assert "belongs to a bot on Discord (application 77)" in said
    assert "set DISCORD_TOKEN" in said


async def test_a_server_that_is_not_there_is_explained(tmp_path: Path) -> None:
    with socket.socket() as nobody:  # keeps the port without listening
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        said = await sentence(tmp_path, DISCORD_TOKEN=TOKEN, DISCORD_API=url)
    assert "speaks Discord's protocol" in said


async def test_a_token_that_is_taken_back_while_the_bot_runs_is_explained(
    folder: Path, sandbox: Sandbox
) -> None:
    settings = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    async with started(folder, **settings) as process:
        assert sandbox.url == await address(process)
        await sandbox.end_gateway(4004)
        code, _, errors = await outcome(process)
    assert code == 2
    assert "rejects the token" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize(("forget", "refuse"), [(False, False), (True, False), (False, True)])
async def test_a_token_that_is_taken_back_while_the_connection_drops_is_explained(
    folder: Path, sandbox: Sandbox, forget: bool, refuse: bool
) -> None:
    settings = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    async with started(folder, **settings) as process:
        assert sandbox.url == await address(process)
        sandbox.revoke_token()
        sandbox.drop_gateway(forget=forget, refuse=refuse)
        code, _, errors = await outcome(process)
    assert code == 2
    assert "rejects the token" in errors
    assert "Traceback" not in errors


async def test_a_discord_that_is_out_of_order_is_explained(folder: Path, sandbox: Sandbox) -> None:
    sandbox.fail_next("GET", "/applications/*/commands", 403, 50001, "Missing Access")
    settings = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    async with started(folder, **settings) as process:
        code, _, errors = await outcome(process)
    assert code == 2
    assert "Missing Access" in errors
    assert "Traceback" not in errors


async def test_a_setting_out_of_range_is_explained(tmp_path: Path) -> None:
    assert "from 1 to 64" in await sentence(tmp_path, PARLOUR_SEARCH_WORKERS="65")
    assert "tcp://HOST:PORT, not 'here'" in await sentence(tmp_path, PARLOUR_SEARCH_CLUSTER="here")


WITHOUT_A_TEXT = """
import sys
from io import BytesIO
from pathlib import Path

from babel.messages.pofile import read_po

from bot import __main__, locales
from bot.locales.__main__ import written

catalogue = read_po(BytesIO((Path(locales.__file__).parent / "en-US.po").read_bytes()))
catalogue.delete("command.help.description")
file = Path(__file__).with_name("en-US.po")
file.write_bytes(written("en-US", catalogue))
locales.shipped = lambda: locales.Catalogues({"en-US": file})
sys.exit(__main__.main())
"""


async def test_a_missing_text_is_explained(tmp_path: Path) -> None:
    script = tmp_path / "without_a_text.py"
    script.write_text(WITHOUT_A_TEXT, encoding="utf-8")
    said = await sentence(tmp_path, str(script), PARLOUR_SANDBOX_PORT="0")
    assert "'command.help.description'" in said


IMPORTED_FOR_DISCORD = """
import asyncio, sys
from bot.cli import run
from bot.clock import SystemClock
from bot.storage.stores import stores

async def main():
    async with stores(sys.argv[1], SystemClock()):
        pass

asyncio.run(main())
print(*{"discord", *sys.argv[2:]} & {*sys.modules})
"""


async def test_nothing_is_imported_that_only_migrations_or_the_sandbox_need(tmp_path: Path) -> None:
    lay_databases(tmp_path)
    url = f"sqlite:///{tmp_path}/parlour.db"
    unneeded = ("alembic", "mako", "pydantic", "aiohttp.web", "babel.messages", "bot.sandbox")
    async with started(tmp_path, "-c", IMPORTED_FOR_DISCORD, url, *unneeded) as process:
        code, out, errors = await outcome(process)
    assert (code, out.split()) == (0, ["discord"]), errors


async def test_a_missing_folder_for_the_database_is_explained(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/nowhere/parlour.db"
    assert "does not exist" in await sentence(tmp_path, DATABASE_URL=url)


async def test_a_corrupt_database_is_explained(tmp_path: Path) -> None:
    (tmp_path / "sandbox.db").write_bytes(b"no database" * 1000)
    assert "damaged" in await sentence(tmp_path)


async def test_a_start_without_the_server_of_its_database_is_one_that_another_may_heal(
    tmp_path: Path,
) -> None:
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    url = "postgresql://parlour:secret@127.0.0.1:9/parlour"
    said = await sentence(tmp_path, code=1, DATABASE_URL=url)
    assert "that the server is running" in said
    assert "secret" not in said


async def test_a_database_that_its_server_does_not_have_is_to_be_put_right(
    tmp_path: Path, postgres_server: Server
) -> None:
    url = postgres_server.address("nowhere")
    assert "check DATABASE_URL" in await sentence(tmp_path, DATABASE_URL=url)


async def test_a_port_in_use_is_explained(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        lay_databases(tmp_path)
        assert port in await sentence(tmp_path, PARLOUR_SANDBOX_PORT=port)


async def test_a_second_instance_on_the_same_file_is_explained(tmp_path: Path) -> None:
    lay_databases(tmp_path)
    async with started(tmp_path, PARLOUR_SANDBOX_PORT="0") as process:
        await address(process)
        said = await sentence(tmp_path, PARLOUR_SANDBOX_PORT="0")
    assert "Another Parlour is running" in said


async def test_the_log_is_quiet_and_holds_no_token(folder: Path, sandbox: Sandbox) -> None:
    settings = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    async with started(folder, PARLOUR_LOG_LEVEL="DEBUG", **settings) as process:
        await reached(sandbox.bot_ready(), process)
        ann, games = sandbox.person("Ann"), sandbox.channel("games")
        answer = await (await ann.type(games, "tictactoe", level="easy", mark="x")).answered()
        assert answer.message is not None
        press = await (await ann.press(answer.message, position=(1, 1))).answered()
        process.send_signal(signal.SIGTERM)
        code, _, errors = await outcome(process)
    assert code == 0
    assert len(errors.splitlines()) < 10, errors
    for secret in (sandbox.token, answer.token, press.token):
        assert secret not in errors


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


async def test_the_health_check_says_whether_the_bot_is_connected(
    folder: Path, sandbox: Sandbox
) -> None:
    port = free_port()
    gate = sandbox.hold_next("GET", "/users/@me")
    settings = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    async with (
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session,
        started(folder, PARLOUR_METRICS_PORT=str(port), **settings) as process,
    ):
        await reached(gate.reached(), process)
        async with session.get("/health") as answer:
            assert answer.status == 503
        gate.open()
        await address(process)
        async with session.get("/health") as answer:
            assert answer.status == 200
            assert await answer.json() == {"connected": True, "shards": 1, "shards_gone": []}
        for name, status in (("example.org", 403), (f"localhost:{port}", 200)):
            async with session.get("/health", headers={"Host": name}) as answer:
                assert answer.status == status
        said = await sentence(
            folder / "..", PARLOUR_METRICS_PORT=str(port), PARLOUR_SANDBOX_PORT="0"
        )
    assert "The health check cannot listen" in said
