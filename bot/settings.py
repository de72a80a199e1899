"""The settings of an instance, read once at start from the environment and `.env`.

The environment wins over the file, and what is empty is not set. Every setting is explained in
`.env.example`.
"""

from __future__ import annotations

import os
import re
from base64 import b64decode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from dotenv import dotenv_values, set_key
from dotenv.parser import parse_stream

from bot.storage.shards import WHOLE, Share

LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
FORMATS: Final = ("text", "json")
BACKUPS: Final = ("off", "daily")
TOKEN: Final = re.compile(r"[\w-]{18,}\.[\w-]{5,}\.[\w-]{25,}")
NAME: Final = re.compile(r"DATABASE_URL|(DISCORD|PARLOUR|SHARD)_[A-Z_]+")
MOST_WORKERS: Final = 64
MOST_SHARDS: Final = 10_000
USUAL_DATABASE: Final = "sqlite:///parlour.db"
SANDBOX_DATABASE: Final = "sqlite:///sandbox.db"
"""A file of its own, so that a start without a token leaves games on Discord alone."""


class SettingsError(Exception):
    """A setting is unusable; the message says how to correct it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings, checked. Without a token Parlour plays in its sandbox."""

    token: str | None = field(repr=False)
    database_url: str = field(repr=False)
    daily_backup: bool
    search_workers: int
    search_cluster: str | None
    sandbox_port: int
    log_level: str
    discord_url: str | None
    source_url: str | None
    press_limit: int
    log_as_json: bool
    metrics_port: int | None
    share: Share

    @property
    def bot(self) -> int | None:
        """The id of the token's bot, which begins the token in base64; None if it does not."""
        first = (self.token or "").partition(".")[0]
        try:
            return int(b64decode(first + "=="))
        except ValueError:
            return None


def read_settings(environment: Mapping[str, str], dotenv: Path) -> Settings:
    """The settings in an environment and a `.env` file, which need not exist.

    Raises:
        SettingsError: A value is malformed or out of range.
    """
    file, here = _set(_file(dotenv)), _set(environment)
    if "DISCORD_TOKEN" in here or "DISCORD_TOKEN_FILE" in here:
        file = {name: value for name, value in file.items() if not name.startswith("DISCORD_TOKEN")}
    values = {**file, **here}
    token, discord_url = _token(values), _discord_url(values)
    if discord_url is not None and token is None:
        raise SettingsError(
            "DISCORD_API needs a DISCORD_TOKEN of that server; a sandbox prints its own."
        )
    return Settings(
        token=token,
        database_url=values.get("DATABASE_URL", USUAL_DATABASE if token else SANDBOX_DATABASE),
        daily_backup=_one_of(values, "PARLOUR_BACKUP", BACKUPS[0], BACKUPS) == "daily",
        search_workers=_whole(
            values, "PARLOUR_SEARCH_WORKERS", max(1, (os.cpu_count() or 2) - 1), 1, MOST_WORKERS
        ),
        search_cluster=values.get("PARLOUR_SEARCH_CLUSTER"),
        sandbox_port=_whole(values, "PARLOUR_SANDBOX_PORT", 8765, 0, 65535),
        log_level=_one_of(values, "PARLOUR_LOG_LEVEL", "INFO", LEVELS),
        discord_url=discord_url,
        log_as_json=_one_of(values, "PARLOUR_LOG_FORMAT", FORMATS[0], FORMATS) == "json",
        press_limit=_whole(values, "PARLOUR_PRESS_LIMIT", 120, 0, 1_000_000),
        source_url=_web_address(values, "PARLOUR_SOURCE_URL", "https://example.org/parlour"),
        metrics_port=(
            _whole(values, "PARLOUR_METRICS_PORT", 0, 1, 65535)
            if "PARLOUR_METRICS_PORT" in values
            else None
        ),
        share=_share(values),
    )


def read_discord_url(environment: Mapping[str, str], dotenv: Path) -> str | None:
    """The address of a server in place of Discord, if there is one.

    Raises:
        SettingsError: It is malformed, or the file cannot be read.
    """
    return _discord_url({**_set(_file(dotenv)), **_set(environment)})


def names_database(environment: Mapping[str, str], dotenv: Path) -> bool:
    """Whether a token or an address says which database is meant: the bot's or the sandbox's.

    Raises:
        SettingsError: The file cannot be read.
    """
    names = {*_set(_file(dotenv)), *_set(environment)}
    return bool(names & {"DATABASE_URL", "DISCORD_TOKEN", "DISCORD_TOKEN_FILE"})


def set_here_alone(environment: Mapping[str, str], dotenv: Path) -> Sequence[str]:
    """The names of an environment's settings that a `.env` file lacks or sets to something else.

    Raises:
        SettingsError: The file cannot be read.
    """
    file, here = _set(_file(dotenv)), _set(environment)
    return sorted(name for name in here if NAME.fullmatch(name) and here[name] != file.get(name))


def keep_token(dotenv: Path, token: str) -> None:
    """Write the token into a `.env` file that only its owner can read.

    Raises:
        SettingsError: The file cannot be written.
    """
    try:
        dotenv.touch(mode=0o600)
        dotenv.chmod(0o600)
        set_key(dotenv, "DISCORD_TOKEN", token, quote_mode="never", follow_symlinks=True)
    except OSError as error:
        raise SettingsError(
            f"{dotenv} cannot be written ({error.strerror}); "
            "call this in a folder that belongs to you."
        ) from None


def _file(dotenv: Path) -> dict[str, str]:
    try:
        written = dotenv.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{dotenv} cannot be read ({error}); make it a readable text file."
        ) from error
    for line in parse_stream(StringIO(written)):
        if line.error:
            raise SettingsError(
                f"{dotenv} cannot be understood at line {line.original.line}; write each setting "
                "as NAME=value, and close each quotation mark."
            )
    return {name: value or "" for name, value in dotenv_values(stream=StringIO(written)).items()}


def _set(given: Mapping[str, str]) -> dict[str, str]:
    return {name: value.strip() for name, value in given.items() if value.strip()}


def _token(values: Mapping[str, str]) -> str | None:
    token, name = values.get("DISCORD_TOKEN"), "DISCORD_TOKEN"
    if token is None and (file := values.get("DISCORD_TOKEN_FILE")):
        name = "DISCORD_TOKEN_FILE"
        try:
            token = Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise SettingsError(
                f"DISCORD_TOKEN_FILE names {file}, which cannot be read; "
                "check the path and that this user may read it."
            ) from None
    if token is not None and not TOKEN.fullmatch(token):
        raise SettingsError(
            f"{name} does not hold a bot token, which has three parts joined by dots; copy it "
            "from the page Bot of your application in Discord's developer portal, or remove it "
            "to play in the sandbox."
        )
    return token


def _whole(values: Mapping[str, str], name: str, usual: int, least: int, most: int) -> int:
    written = values.get(name, str(usual))
    if not re.fullmatch(r"\d{1,9}", written) or not least <= int(written) <= most:
        raise SettingsError(
            f"{name} must be a whole number from {least} to {most}, not {written!r}."
        )
    return int(written)


def _share(values: Mapping[str, str]) -> Share:
    """The shards of this process: all, unless `SHARD_IDS` names some, such as `0-3,8`."""
    written = values.get("SHARD_IDS")
    if "SHARD_COUNT" not in values:
        if written is None:
            return WHOLE
        raise SettingsError(
            "SHARD_IDS needs SHARD_COUNT, which says among how many shards all servers are divided."
        )
    count = _whole(values, "SHARD_COUNT", 1, 1, MOST_SHARDS)
    if written is None:
        return Share(count, frozenset(range(count)))
    if not re.fullmatch(r"\d{1,5}(-\d{1,5})?(\s*,\s*\d{1,5}(-\d{1,5})?)*", written):
        raise SettingsError(f"SHARD_IDS must be numbers such as 0-3 or 0,2, not {written!r}.")
    numbers: set[int] = set()
    for part in written.split(","):
        first, _, last = part.partition("-")
        named = range(int(first), int(last or first) + 1)
        if not named:
            raise SettingsError(
                f"SHARD_IDS must be ranges whose first number is the smaller one, not {written!r}."
            )
        numbers.update(named)
    if max(numbers) >= count:
        raise SettingsError(
            f"SHARD_IDS must be numbers from 0 to {count - 1}, since SHARD_COUNT is {count}, "
            f"not {written!r}."
        )
    return Share(count, frozenset(numbers))


def _one_of(values: Mapping[str, str], name: str, usual: str, choices: Collection[str]) -> str:
    written = values.get(name, usual)
    for choice in choices:
        if choice.casefold() == written.casefold():
            return choice
    raise SettingsError(f"{name} must be one of {', '.join(choices)}, not {written!r}.")


def _discord_url(values: Mapping[str, str]) -> str | None:
    url = _web_address(values, "DISCORD_API", "https://discord.example.org")
    if url is None or url.startswith("https://") or urlsplit(url).hostname in LOOPBACK:
        return url
    raise SettingsError(
        "DISCORD_API must begin with https://, since the bot's token goes there; http:// is for a "
        "server on this machine, such as a sandbox at http://127.0.0.1:8765."
    )


def _web_address(values: Mapping[str, str], name: str, example: str) -> str | None:
    url = values.get(name)
    if url is None:
        return None
    try:
        sound = bool(re.fullmatch(r"https?://[^\s/]+(/\S*)?", url)) and urlsplit(url).port != 0
    except ValueError:  # what follows the colon is no port
        sound = False
    if not sound:
        raise SettingsError(f"{name} must be a web address such as {example}, not {url!r}.")
    return url.rstrip("/")
