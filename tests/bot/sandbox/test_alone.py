"""The sandbox as a program of its own."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

import aiohttp
import pytest

from tests.bot.stand_in import Sandbox

WITHOUT_SIGNAL_HANDLERS = """
import asyncio, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
asyncio.SelectorEventLoop.add_signal_handler = asyncio.AbstractEventLoop.add_signal_handler
from bot.sandbox.__main__ import main
sys.exit(main())
"""
"""The sandbox on an event loop that cannot be told of signals, as on Windows.

Where a shell started the tests in the background, its children ignore Ctrl-C: not this one.
"""


async def started(*arguments: str, program: tuple[str, str] = ("-m", "bot.sandbox")) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, *program, *arguments, stdout=PIPE, stderr=PIPE
    )


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
async def test_it_says_where_it_is_and_ends_cleanly_when_told_to(sign: signal.Signals) -> None:
    process = await started("--port", "0")
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode()
    address = line.split(" at ")[1].split(" ")[0]

    async with aiohttp.ClientSession() as session, session.get(f"{address}/api/v10/gateway") as got:
        assert (await got.json())["url"] == address.replace("http", "ws") + "/gateway"
    process.send_signal(sign)
    _, errors = await process.communicate()

    assert (process.returncode, errors) == (0, b"")


async def test_it_serves_where_no_event_loop_hears_signals_and_ends_cleanly_on_ctrl_c() -> None:
    process = await started("--port", "0", program=("-c", WITHOUT_SIGNAL_HANDLERS))
    assert process.stdout is not None
    assert b"The sandbox is at http://" in await process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = await process.communicate()

    assert (process.returncode, errors) == (0, b"")


async def test_a_port_in_use_is_one_sentence_and_exit_code_2(sandbox: Sandbox) -> None:
    port = sandbox.url.rpartition(":")[2]
    process = await started("--port", port)
    _, errors = await process.communicate()

    assert process.returncode == 2
    assert errors.decode() == (
        f"Port {port} cannot be used (Address already in use): choose one by --port.\n"
    )


@pytest.mark.sampled(1)
@pytest.mark.parametrize("port", ["65536", "-1", "x"])
async def test_a_port_that_is_none_is_refused_with_exit_code_2(port: str) -> None:
    process = await started(f"--port={port}")
    _, errors = await process.communicate()

    assert process.returncode == 2
    assert f"{port} is no port: choose a number from 0 to 65535" in errors.decode()


async def test_a_port_in_use_reaches_the_caller_as_an_oserror(
    sandbox: Sandbox,
) -> None:
    with pytest.raises(OSError, match="in use"):
        await Sandbox(port=int(sandbox.url.rpartition(":")[2])).start()


@pytest.mark.parametrize("turns", range(6))
async def test_who_knocks_at_the_last_moment_is_not_left_at_the_door(turns: int) -> None:
    sandbox = Sandbox()
    await sandbox.start()
    port = int(sandbox.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as visitor:
        visitor.settimeout(0)
        for _ in range(turns):
            await asyncio.sleep(0)
        await sandbox.close()

        async with asyncio.timeout(60):
            with suppress(ConnectionResetError):
                assert await asyncio.get_running_loop().sock_recv(visitor, 1) == b""
