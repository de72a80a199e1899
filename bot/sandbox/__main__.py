"""The sandbox by itself: `python -m bot.sandbox [--port 8765]`."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from contextlib import suppress

from bot.sandbox.sandbox import Sandbox


def main() -> int:
    """0 after Ctrl-C or SIGTERM; 2 if the port cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m bot.sandbox", description=__doc__)
    parser.add_argument("--port", type=_port, default=8765, help="0 takes a free one")
    port: int = parser.parse_args().port
    try:
        asyncio.run(_serve(port))
    except KeyboardInterrupt:
        pass
    except OSError as error:
        sys.stderr.write(
            f"Port {port} cannot be used ({os.strerror(error.errno or 0)}): choose one by --port.\n"
        )
        return 2
    return 0


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: choose a number from 0 to 65535")
    return int(text)


async def _serve(port: int) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):  # on Windows, where Ctrl-C is an exception
        for sign in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(sign, stopped.set)
    async with Sandbox(port=port) as sandbox:
        sys.stdout.write(f"The sandbox is at {sandbox.url} (the bot's token: {sandbox.token}).\n")
        sys.stdout.flush()
        await stopped.wait()


if __name__ == "__main__":
    sys.exit(main())
