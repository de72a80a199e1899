"""Faults that are planted one at a time, to show that the simulation finds them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Final

PLANTED: Final[Mapping[str, Callable[[], AbstractContextManager[object]]]] = {}
