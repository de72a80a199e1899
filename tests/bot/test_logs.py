"""The log: everything that it holds, and everything that it never holds."""

from __future__ import annotations

import json
import logging
from datetime import datetime

import pytest

from bot.logs import JsonLines, Redacting, set_up

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB"


def line(message: str, error: Exception | None = None) -> str:
    """The line of a record, of a failure if there is one."""
    failure = None if error is None else (type(error), error, error.__traceback__)
    record = logging.LogRecord("discord.client", logging.ERROR, "", 0, message, (), failure)
    return Redacting("%(message)s").format(record)


@pytest.mark.parametrize(
    "secret",
    [TOKEN, "/webhooks/123/aW50ZXJhY3Rpb24/messages", "/interactions/123/aW50ZXJhY3Rpb24/callback"],
)
def test_no_token_is_ever_written(secret: str) -> None:
    written = line(f"POST {secret} failed")
    assert "[secret]" in written
    assert TOKEN not in written
    assert "aW50ZXJhY3Rpb24" not in written


def test_no_token_is_written_with_an_error_either() -> None:
    written = line("failed", LookupError(TOKEN))
    assert "LookupError" in written
    assert TOKEN not in written


def test_a_connection_that_was_lost_is_one_line() -> None:
    error = ConnectionResetError(104, "reset by peer")
    written = line("Attempting a reconnect in 1.5s", error)
    assert written == f"Attempting a reconnect in 1.5s ({error!r})"


def test_libraries_are_as_quiet_as_they_are_asked_to_be() -> None:
    try:
        set_up("ERROR")
        assert not logging.getLogger("discord").isEnabledFor(logging.WARNING)
        set_up("DEBUG")
        assert not logging.getLogger("discord").isEnabledFor(logging.INFO)
        assert logging.getLogger("bot").isEnabledFor(logging.DEBUG)
    finally:
        logging.basicConfig(level=logging.WARNING, handlers=[], force=True)
        logging.getLogger("bot").setLevel(logging.NOTSET)
        logging.getLogger("engine").setLevel(logging.NOTSET)


def test_a_line_of_json_is_an_object_without_a_token() -> None:
    error = LookupError(TOKEN)
    failure = (type(error), error, error.__traceback__)
    record = logging.LogRecord("bot.app", logging.ERROR, "", 0, "lost\n%s", (TOKEN,), failure)
    written = JsonLines("%(message)s").format(record)
    assert TOKEN not in written
    assert "\n" not in written
    read = json.loads(written)
    assert (read["level"], read["logger"]) == ("ERROR", "bot.app")
    assert read["message"].startswith("lost\n[secret]")
    assert datetime.fromisoformat(read["at"]).timestamp() == pytest.approx(record.created, abs=1e-3)
