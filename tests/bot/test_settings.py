"""Settings: what is read from where, and what is said when it cannot be used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.settings import Settings, SettingsError, read_settings

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB"
ROOT = Path(__file__).parents[2]


def read(tmp_path: Path, dotenv: str = "", **environment: str) -> Settings:
    file = tmp_path / ".env"
    file.write_text(dotenv, encoding="utf-8")
    return read_settings(environment, file)


def refusal(tmp_path: Path, **environment: str) -> str:
    with pytest.raises(SettingsError) as error:
        read(tmp_path, **environment)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_nothing_has_to_be_set(tmp_path: Path) -> None:
    settings = read_settings({}, tmp_path / "missing")
    assert settings.token is None
    assert settings.database_url == "sqlite:///sandbox.db"
    assert settings.sandbox_port == 8765
    assert settings.log_level == "INFO"
    assert settings.search_workers >= 1


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    written = "PARLOUR_SANDBOX_PORT=1111\nPARLOUR_LOG_LEVEL=warning\n"
    settings = read(tmp_path, written, PARLOUR_SANDBOX_PORT="2222")
    assert (settings.sandbox_port, settings.log_level) == (2222, "WARNING")


def test_the_games_on_discord_have_a_database_of_their_own(tmp_path: Path) -> None:
    assert read(tmp_path, DISCORD_TOKEN=TOKEN).database_url == "sqlite:///parlour.db"


def test_a_token_in_the_environment_wins_over_one_in_the_file_wherever_each_is_kept(
    tmp_path: Path,
) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN, encoding="utf-8")
    settings = read(tmp_path, "DISCORD_TOKEN=of-the-file", DISCORD_TOKEN_FILE=str(file))
    assert settings.token == TOKEN


def test_an_empty_setting_is_one_that_is_not_set(tmp_path: Path) -> None:
    assert read(tmp_path, "DISCORD_TOKEN=\nDATABASE_URL=\n").token is None


@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_setting_of_the_environment_leaves_that_of_the_file(
    tmp_path: Path, empty: str
) -> None:
    assert read(tmp_path, f"DISCORD_TOKEN={TOKEN}", DISCORD_TOKEN=empty).token == TOKEN


@pytest.mark.parametrize("line", ['DISCORD_TOKEN="half', "a sentence without a sign", "A='x"])
def test_a_file_that_cannot_be_understood_is_refused_with_its_line(
    tmp_path: Path, line: str
) -> None:
    with pytest.raises(SettingsError, match="at line 2; write each setting"):
        read(tmp_path, f"DATABASE_URL=sqlite:///parlour.db\n{line}\n")


def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        read_settings({}, tmp_path)


def test_a_token_may_come_from_a_file_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n", encoding="utf-8")
    assert read(tmp_path, DISCORD_TOKEN_FILE=str(file)).token == TOKEN
    assert "cannot be read" in refusal(tmp_path, DISCORD_TOKEN_FILE=str(tmp_path / "nothing"))


@pytest.mark.parametrize("first", ["eyJhbGciOiJIUzI1NiJ9", "a" * 18, "a" * 21, "é" * 18])
def test_a_token_names_its_bot_unless_it_begins_with_something_else(
    tmp_path: Path, first: str
) -> None:
    assert read(tmp_path, DISCORD_TOKEN=TOKEN).bot == 123_456_789_012_345_678
    _, _, rest = TOKEN.partition(".")
    assert read(tmp_path, DISCORD_TOKEN=f"{first}.{rest}").bot is None
    assert read(tmp_path).bot is None


def test_a_malformed_token_is_refused_without_being_repeated(tmp_path: Path) -> None:
    sentence = refusal(tmp_path, DISCORD_TOKEN="hunter2")
    assert "three parts" in sentence
    assert "hunter2" not in sentence


def test_settings_never_print_the_token_or_the_databases_password(tmp_path: Path) -> None:
    settings = read(tmp_path, DISCORD_TOKEN=TOKEN, DATABASE_URL="sqlite:///secret.db")
    assert settings.token == TOKEN
    assert TOKEN not in repr(settings)
    assert "secret" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PARLOUR_SEARCH_WORKERS", "0", "from 1 to 64"),
        ("PARLOUR_SEARCH_WORKERS", "many", "from 1 to 64"),
        ("PARLOUR_SANDBOX_PORT", "65536", "from 0 to 65535"),
        ("PARLOUR_SANDBOX_PORT", "-1", "from 0 to 65535"),
        ("SHARD_COUNT", "0", "from 1 to 10000"),
        ("SHARD_IDS", "0", "needs SHARD_COUNT"),
        ("PARLOUR_LOG_LEVEL", "loud", "DEBUG, INFO, WARNING, ERROR"),
        ("PARLOUR_SOURCE_URL", "here", "web address"),
        ("DISCORD_API", "http://discord.example.org", "https://"),
        ("DISCORD_API", "http://127.0.0.1.example.org", "https://"),
        ("DISCORD_API", "http://127.0.0.1:99999", "web address"),
    ],
)
def test_a_value_out_of_range_is_refused_with_its_name_and_its_range(
    tmp_path: Path, name: str, value: str, said: str
) -> None:
    sentence = refusal(tmp_path, DISCORD_TOKEN=TOKEN, **{name: value})
    assert name in sentence
    assert said in sentence


@pytest.mark.parametrize(
    ("written", "numbers"), [("0-2", [0, 1, 2]), ("0,3", [0, 3]), ("1 , 2-3", [1, 2, 3])]
)
def test_shards_are_written_as_numbers_and_ranges(
    tmp_path: Path, written: str, numbers: list[int]
) -> None:
    share = read(tmp_path, SHARD_COUNT="4", SHARD_IDS=written).share
    assert (share.count, sorted(share.numbers), share.whole) == (4, numbers, False)
    assert read(tmp_path, SHARD_COUNT="4").share.whole


@pytest.mark.parametrize("written", ["4", "0-4", "3-1", "2-1,0", "one", "0;1"])
def test_shards_that_there_cannot_be_are_refused(tmp_path: Path, written: str) -> None:
    assert "SHARD_IDS must be" in refusal(tmp_path, SHARD_COUNT="4", SHARD_IDS=written)


@pytest.mark.parametrize("url", ["https://discord.example.org", "http://[::1]:8765"])
def test_another_server_is_reached_by_https_or_on_this_machine(tmp_path: Path, url: str) -> None:
    assert read(tmp_path, DISCORD_TOKEN=TOKEN, DISCORD_API=f"{url}/").discord_url == url


def test_another_server_needs_its_own_token(tmp_path: Path) -> None:
    sentence = refusal(tmp_path, DISCORD_API="http://127.0.0.1:1")
    assert "DISCORD_TOKEN" in sentence


def test_the_example_explains_every_setting_and_no_other() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    source = (ROOT / "bot" / "settings.py").read_text(encoding="utf-8")
    names = set(re.findall(r'"((?:DISCORD|DATABASE|PARLOUR|SHARD)_[A-Z_]+)"', source))
    assert set(re.findall(r"^# ?([A-Z_]+)=", example, re.MULTILINE)) == names


def test_the_example_as_it_stands_sets_nothing(tmp_path: Path) -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert read(tmp_path, example) == read(tmp_path)
