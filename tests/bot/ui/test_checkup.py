"""`parlour doctor` at Discord: each fault that is planted there is named, with what to do."""

from __future__ import annotations

import asyncio
import time
import unicodedata
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

import discord
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.cli import main
from bot.games.catalogue import CATALOGUE
from bot.locales import ENGLISH, shipped
from bot.sandbox import Membership, Payload, Permission
from bot.storage.backup import backup
from bot.storage.choices import GuildId, Guilds
from bot.storage.opening import opened
from bot.storage.processes import APPLICATION, Notes
from bot.ui.checkup import command_names, printable, set_up
from bot.ui.connection import signed_in
from bot.ui.invitations import PERMISSIONS
from tests.bot.sandbox.pictures import png
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui.conftest import Open, RunningBot

Doctor: TypeAlias = Callable[..., Awaitable[tuple[int, dict[str, str]]]]
"""Gives the exit code, and the lines by what they are about."""

LISTING: Payload = {
    "description": "Board games in your channel",
    "icon": "0" * 32,
    "tags": ["games"],
    "terms_of_service_url": "https://example.org/terms",
    "privacy_policy_url": "https://example.org/privacy",
}

WORDS = shipped()[ENGLISH]
SPRITES = {name: png for entry in CATALOGUE.values() for name in entry.sprites}


@pytest.fixture
def sandbox_time() -> Callable[[], float]:
    """The machine's own time, with which the doctor compares Discord's."""
    return time.time


@pytest.fixture
async def fit(open_bot: Open, sandbox: Sandbox, tmp_path: Path, database: str) -> Sandbox:
    """A bot that has been at work, is stopped, and wants nothing; #games and #lounge are listed."""
    async with open_bot(sprites=SPRITES) as running_bot:
        await running_bot.client.own_emojis.complete.wait()
        guild = GuildId(sandbox.channel("games").guild_id or 0)
        listed = {sandbox.channel(name).id for name in ("games", "lounge")}
        await running_bot.parlour.stores.guilds.list_channels(guild, listed=listed)
        async with signed_in(sandbox.token, sandbox.url) as client:
            await set_up(client)
    backup(database, tmp_path / "copy.db")
    sandbox.application.listing = dict(LISTING)
    return sandbox


@pytest.fixture
def doctor(
    sandbox: Sandbox,
    database: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Doctor:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.setenv("DISCORD_TOKEN", sandbox.token)
    monkeypatch.setenv("DISCORD_API", sandbox.url)

    async def call(*words: str) -> tuple[int, dict[str, str]]:
        capsys.readouterr()
        code = await asyncio.to_thread(main, ["doctor", *words])
        out, errors = capsys.readouterr()
        assert not errors
        assert sandbox.token not in out
        *findings, summary = out.splitlines()
        assert summary.startswith("Nothing is wrong" if code == 0 else "To do: ")
        return code, {line.split()[1].rstrip(":"): line for line in findings}

    return call


@pytest.mark.usefixtures("fit")
async def test_a_bot_that_wants_nothing_gets_only_ticks(doctor: Doctor) -> None:
    code, lines = await doctor()
    assert [line for line in lines.values() if not line.startswith("✓ ")] == []
    assert code == 0
    assert lines.keys() == {
        "folder",
        *("fonts", "database", "backup", "disk"),
        *(
            "token",
            "application",
            "intents",
            "install",
            "directory",
            "commands",
            "emoji",
            "permissions",
        ),
        "clock",
    }


def end_point(sandbox: Sandbox) -> None:
    sandbox.application.endpoint = "https://example.org/elsewhere"


def code_grant(sandbox: Sandbox) -> None:
    sandbox.application.requires_code_grant = True


def intents(sandbox: Sandbox) -> None:
    sandbox.application.flags = discord.ApplicationFlags(gateway_message_content_limited=True).value


def no_install(sandbox: Sandbox) -> None:
    sandbox.application.installs.clear()


def poor_install(sandbox: Sandbox) -> None:
    sandbox.application.installs["0"]["permissions"] = "1024"


def not_for_people(sandbox: Sandbox) -> None:
    del sandbox.application.installs["1"]


def blind(sandbox: Sandbox) -> None:
    sandbox.deny(sandbox.channel("lounge"), Permission.VIEW_CHANNEL)


def mute(sandbox: Sandbox) -> None:
    sandbox.deny(
        sandbox.channel("games"), Permission.SEND_MESSAGES, Permission.CREATE_PUBLIC_THREADS
    )


def late(sandbox: Sandbox) -> None:
    sandbox.advance(3600)


FAULTS = [
    (end_point, "application", "https://example.org/elsewhere gets what people press"),
    (intents, "intents", "does without Message Content"),
    (no_install, "install", "does not ask for applications.commands and bot"),
    (blind, "permissions", "Parlour: the bot cannot see channel"),
    (late, "clock", "s behind Discord's"),
]
OTHERS = [
    (code_grant, "application", "switch off Requires OAuth2 Code Grant"),
    (poor_install, "install", "Send Messages, Create Public Threads, Send Messages in Threads"),
    (mute, "permissions", "#games the bot lacks Send Messages, Create Public Threads."),
]


@pytest.mark.parametrize("planted", [FAULTS, OTHERS])
async def test_each_fault_is_one_line_with_what_to_do(
    fit: Sandbox, doctor: Doctor, planted: list[tuple[Callable[[Sandbox], None], str, str]]
) -> None:
    for plant, _, _ in planted:
        plant(fit)
    code, lines = await doctor()
    wrong = {about: line for about, line in lines.items() if line.startswith("✗ ")}
    assert code == 1
    assert wrong.keys() == {about for _, about, _ in planted}
    for _, about, said in planted:
        assert said in wrong[about]


async def test_a_listed_channel_that_is_gone_is_named(
    fit: Sandbox, doctor: Doctor, database: str
) -> None:
    async with opened(database) as kept:
        guild = GuildId(fit.channel("games").guild_id or 0)
        await (await Guilds.loaded(kept)).list_channels(guild, listed={77})
    code, lines = await doctor()
    assert code == 1
    assert "channel 77 is gone; the next choice of channels" in lines["permissions"]


async def test_a_role_for_winners_that_the_bot_cannot_give_is_named(
    fit: Sandbox, doctor: Doctor, database: str
) -> None:
    async with opened(database) as kept:
        champion, own = fit.world.guild.roles
        await (await Guilds.loaded(kept)).choose(
            GuildId(fit.world.guild.id), winner_role=champion.id
        )
    code, lines = await doctor()
    assert code == 0
    own.granted = Permission(0)
    code, lines = await doctor()
    assert code == 1
    assert "the bot lacks Manage Roles" in lines["permissions"]


@pytest.mark.parametrize("where", ["in the server", "in a channel"])
async def test_a_role_for_winners_that_has_become_unsafe_is_named(
    fit: Sandbox, doctor: Doctor, database: str, where: str
) -> None:
    champion, own = fit.world.guild.roles
    own.granted |= Permission.MANAGE_ROLES
    async with opened(database) as kept:
        guild = GuildId(fit.world.guild.id)
        await (await Guilds.loaded(kept)).choose(guild, winner_role=champion.id)
    code, lines = await doctor()
    assert code == 0
    if where == "in the server":
        champion.granted = Permission.MANAGE_MESSAGES
    else:
        fit.channel("games").granted[champion.id] = Permission.MANAGE_MESSAGES

    code, lines = await doctor()

    assert code == 1
    assert f"winners of tournaments do not get {champion.name} any more" in lines["permissions"]


async def test_a_server_that_the_bot_has_left_is_passed_over(fit: Sandbox, doctor: Doctor) -> None:
    fit.move(Membership.LEFT)
    code, lines = await doctor()
    assert code == 0
    assert "None is listed" in lines["permissions"]


async def test_what_the_directory_of_discord_asks_for_is_named_without_a_fault(
    fit: Sandbox, doctor: Doctor
) -> None:
    fit.application.listing = {"description": "", "tags": []}
    code, lines = await doctor()
    assert code == 0
    assert lines["directory"] == (
        "– directory: It lacks a description, an icon, tags, terms of service, a privacy policy; "
        "bot/deploy/discovery.md has what to enter."
    )


async def test_what_is_not_registered_or_uploaded_yet_is_named(
    doctor: Doctor, tmp_path: Path
) -> None:
    (tmp_path / "parlour.db").unlink()
    code, lines = await doctor()
    assert code == 1, "people cannot add it yet"
    assert lines["commands"].startswith("– commands: None yet;")
    assert lines["emoji"].startswith("– emoji: None yet;")
    assert lines["database"].startswith("– database: There is none yet")


async def test_a_command_and_emoji_that_went_missing_are_named(
    fit: Sandbox, doctor: Doctor
) -> None:
    async with signed_in(fit.token, fit.url) as client:
        tree = discord.app_commands.CommandTree(client)
        left: list[Any] = [
            {"name": each.name, "type": each.type.value, "description": each.description}
            for each in await tree.fetch_commands()
            if each.name != "board" and each.type.value == 1
        ]
        await client.http.bulk_upsert_global_commands(client.application_id or 0, left)
        await (await client.fetch_application_emojis())[0].delete()
    code, lines = await doctor()
    assert code == 1
    keys = (*WORDS.keys("menu.person."), *WORDS.keys("menu.message."))
    menus = ", ".join(sorted(WORDS.template(key) for key in keys))
    assert f"Not registered: {menus}, board;" in lines["commands"]
    assert f"1 of {len(SPRITES)} are missing" in lines["emoji"]


async def test_commands_of_another_program_are_named(fit: Sandbox, doctor: Doctor) -> None:
    async with signed_in(fit.token, fit.url) as client:
        tree = discord.app_commands.CommandTree(client)
        there = await tree.fetch_commands()
        assert {command.name for command in there} == command_names()
        strange = {"name": "strange", "description": "Not Parlour's."}
        payload: list[Any] = [strange]
        for command in there:
            kept = {"name": command.name, "type": command.type.value}
            payload.append(
                kept | ({"description": command.description or "…"} if kept["type"] == 1 else {})
            )
        await client.http.bulk_upsert_global_commands(client.application_id or 0, payload)
    _, lines = await doctor()
    assert "Not Parlour's: strange;" in lines["commands"]


async def test_fix_sets_how_the_bot_is_installed_and_nothing_else(
    fit: Sandbox, doctor: Doctor
) -> None:
    poor_install(fit)
    of_users: Payload = {"scopes": ["applications.commands"], "permissions": "0"}
    fit.application.installs["1"] = of_users
    code, lines = await doctor("--fix")
    assert code == 0, "\n".join(lines.values())
    assert fit.application.installs["1"] == of_users
    assert fit.application.installs["0"]["permissions"] == str(PERMISSIONS.value)


async def test_that_people_cannot_add_the_bot_is_found_and_mended(
    fit: Sandbox, doctor: Doctor
) -> None:
    not_for_people(fit)
    _, lines = await doctor()
    assert "People cannot add the bot to their account" in lines["install"]
    code, _ = await doctor("--fix")
    assert code == 0
    assert fit.application.installs["1"]["scopes"] == ["applications.commands"]


async def test_without_fix_nothing_is_changed(fit: Sandbox, doctor: Doctor) -> None:
    asked: list[str] = []

    def listen(seen: Observed) -> None:
        if isinstance(seen, Exchange):
            asked.append(seen.method)

    fit.observe(listen)
    await doctor()
    assert {*asked} == {"GET"}


async def test_a_token_that_discord_rejects_is_one_line(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB"
    monkeypatch.setenv("DISCORD_TOKEN", token)
    code, lines = await doctor()
    assert code == 1
    assert lines["token"].startswith("✗ token: Discord rejects the token")
    assert token not in lines["token"]
    assert "application" not in lines


@pytest.mark.usefixtures("fit")
async def test_the_token_of_another_bot_than_the_databases_is_wrong(
    database: str, doctor: Doctor
) -> None:
    async with opened(database) as kept:
        await Notes(kept).write(APPLICATION, str(1 << 60))
    code, lines = await doctor()
    assert code == 1
    assert lines["token"].startswith("✗ token: The database belongs to another bot")


async def test_a_bot_at_work_is_not_disturbed(running_bot: RunningBot, sandbox: Sandbox) -> None:
    before = sandbox.sessions
    async with signed_in(sandbox.token, sandbox.url) as client:
        assert client.application_id == running_bot.client.application_id
        assert sandbox.sessions == before
    assert not running_bot.client.is_closed()


@given(st.text())
@example("Night \u202eyats\u202c\u2066 \x1b[2J\r\nclub \u2028")
def test_a_name_from_discord_moves_nothing_else_of_its_line(name: str) -> None:
    shown = printable(name)
    assert not {unicodedata.category(each) for each in shown} & {"Cc", "Cf", "Zl", "Zp"}
    assert [*filter(str.isalnum, shown)] == [*filter(str.isalnum, name)]
    assert shown.count(" ") == name.count(" ")
