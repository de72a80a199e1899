"""The internals of discord.py that Parlour uses: all there, listed, and used in one module."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import discord
import pytest
from discord import Interaction
from discord.app_commands import Command

import bot.ui
from bot.ui import discord_internals
from bot.ui.discord_internals import INTERNALS, set_options

DOCUMENTED: Final = {"abc", "app_commands", "ext", "ui", "utils"}
"""The modules of discord.py that its documentation names."""

UNDOCUMENTED: Final = {each.name for each in pkgutil.iter_modules(discord.__path__)} - DOCUMENTED

OWN: Final = re.compile(r"(?:self\.|def )(_(?!_)\w+)")


def gone(name: str) -> str:
    """The sentence that names an internal which discord.py does not have; empty if it has it."""
    root, *names = name.split(".")
    at: Any = discord if root == "discord" else discord.Client(intents=discord.Intents.none())
    for each in names:
        if isinstance(at, ModuleType) and not hasattr(at, each):
            at = import_module(f"{at.__name__}.{each}")
        elif not hasattr(at, each):
            return f"discord.py {discord.__version__} has no `{name}`. {INTERNALS[name]}"
        else:
            at = getattr(at, each)
    return ""


LOOKED_UP: Final = [name for name in INTERNALS if not name.startswith("callback.")]


@pytest.mark.parametrize("name", LOOKED_UP)
def test_this_release_of_discord_py_has_each_internal(name: str) -> None:
    assert not gone(name)


def test_an_internal_that_is_gone_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(discord.http.Route, "BASE")
    assert gone("discord.http.Route.BASE").startswith(
        f"discord.py {discord.__version__} has no `discord.http.Route.BASE`. The address of the API"
    )


def test_discord_py_finds_the_options_of_a_callback_in_its_signature() -> None:
    async def callback(interaction: Interaction[Any], **options: Any) -> None: ...

    kind = inspect.Parameter.KEYWORD_ONLY
    set_options(callback, [inspect.Parameter("size", kind, annotation=int)])
    command: Command[Any, ..., None] = Command(name="play", description="Play", callback=callback)
    assert [each.name for each in command.parameters] == ["size"], INTERNALS[
        "callback.__signature__"
    ]


def test_no_other_module_touches_internals_of_discord_py() -> None:
    names = {name.split(".")[-1] for name in INTERNALS} | {"_connection", "http", "VoiceClient"}
    offenders = [
        f"{file}: {name}"
        for file in sorted(Path(bot.ui.__file__).parent.rglob("*.py"))
        if file != Path(discord_internals.__file__)
        for name in touched(ast.parse(file.read_text("utf-8")))
        if name in names | {f"discord.{each}" for each in UNDOCUMENTED}
    ]
    assert offenders == []


def touched(tree: ast.AST) -> Iterator[str]:
    """The attributes that a module uses, and the modules of discord.py."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="discord"), attr=attribute):
                yield f"discord.{attribute}"
            case ast.Attribute(attr=attribute):
                yield attribute
            case ast.ImportFrom(module=str(module)):
                yield module
            case ast.Import(names=names):
                yield from (each.name for each in names)


def test_no_class_shares_a_private_name_with_its_base_in_discord_py() -> None:
    modules = [
        import_module(each.name)
        for each in pkgutil.walk_packages(bot.ui.__path__, f"{bot.ui.__name__}.")
    ]
    classes = {
        each
        for module in modules
        for _, each in inspect.getmembers(module, inspect.isclass)
        if each.__module__.startswith("bot.ui") and bases(each)
    }
    assert len(classes) >= 4
    offenders = {
        f"{each.__name__}.{name}"
        for each in classes
        for base in bases(each)
        for name in {*OWN.findall(inspect.getsource(each))}
        & {*OWN.findall(inspect.getsource(base))}
    }
    assert offenders == set()


def bases(each: type) -> list[type]:
    """The bases of a class that are discord.py's."""
    return [base for base in each.__mro__ if base.__module__.startswith("discord.")]
