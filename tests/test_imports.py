"""The shape of the code: no circles of imports, one name a class.

Imports for annotations alone (`TYPE_CHECKING`) and those inside functions count like any other.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("bot", "engine", "migrations")

FILES: Final = {
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
    for package in PACKAGES
    for file in sorted((ROOT / package).rglob("*.py"))
}
"""Every module's file, by the module's name."""


class Shape(NamedTuple):
    """The modules of ours that a module imports, and its public classes."""

    imports: set[str]
    classes: list[str]


@cache
def shapes() -> dict[str, Shape]:
    """The shape of each module."""
    return {module: shape(module) for module in FILES}


def shape(module: str) -> Shape:
    tree = ast.parse(FILES[module].read_text(encoding="utf-8"))
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    public = [name for name in classes if not name.startswith("_")]
    return Shape({*imported(module, ast.walk(tree))}, public)


def imported(module: str, names: Iterator[ast.AST]) -> Iterator[str]:
    """The modules of ours that a module imports; a name that is none stands in its package."""
    for node in names:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in FILES)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module} imports by a relative name"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found = inner if inner in FILES else str(node.module)
                if found in FILES:
                    yield found


def imports() -> dict[str, set[str]]:
    """Our modules that each module imports."""
    return {module: found.imports for module, found in shapes().items()}


def circles() -> list[list[str]]:
    """Circles of imports, one after the other, each without the last step of those before."""
    left, found = {module: set(names) for module, names in imports().items()}, []
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            circle = list(error.args[1])
            found.append(circle)
            left[circle[1]].discard(circle[0])
        else:
            return found


def test_the_modules_of_all_packages_are_looked_at() -> None:
    assert {"bot.app", "bot.ui.client", "engine.game", "migrations.env"} <= FILES.keys()
    assert {"bot.app", "bot.cli"} <= imports()["bot.cli.run"]
    assert sum(map(len, imports().values())) > 1000


def test_no_imports_go_in_a_circle() -> None:
    found = circles()
    assert not found, "\n".join(" <- ".join(circle) for circle in found)


def test_a_public_class_has_a_name_of_its_own() -> None:
    named = defaultdict(list)
    for module, found in shapes().items():
        for name in found.classes:
            named[name].append(module)
    shared = {name: modules for name, modules in sorted(named.items()) if len(modules) > 1}
    assert not shared, "\n".join(f"{name}: {', '.join(each)}" for name, each in shared.items())
