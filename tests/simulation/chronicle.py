"""The chronicle of a simulation: all that happened, with its virtual time, and a digest of it."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final

LAST: Final = 50
"""The happenings that a failure shows, the failure last."""

BROKEN: Final = "BROKEN"
"""The kind of happening after which none matters."""

COMMIT: Final = "commit"
"""Half of all happenings; a failure shows none of them."""

SPACES: Final = re.compile(r"\s+")


class Broken(Exception):
    """What must always hold does not."""


class Chronicle:
    """Notes happenings; `until` is the number of the happening before which a debugger begins."""

    def __init__(self, time: Callable[[], float], *, aloud: bool = False) -> None:
        self._time = time
        self._digest = blake2b(digest_size=8)
        self._aloud = aloud
        self._over = False
        self.counts: Counter[str] = Counter()
        self.last: deque[str] = deque(maxlen=LAST)
        self.number = 0
        self.folder = ""
        """A folder whose name each run chooses anew, so that no happening has it."""
        self.until: float | None = None
        self.stop: Callable[[], None] = lambda: None

    def note(self, kind: str, text: object = "", exact: Any = None) -> None:
        """Note a happening; `exact` is what the digest has of it besides."""
        now = self._time()
        if self.until is not None and now >= self.until:
            self.until = None
            self.stop()
        self.number += 1
        self.counts[kind] += 1
        said = str(text).replace(self.folder, "") if self.folder else str(text)
        line = f"{now:12.4f} {kind:9} {SPACES.sub(' ', said)[:300]}"
        self._digest.update(line.encode())
        if exact is not None:
            self._digest.update(repr(exact).encode())
        if not self._over and not said.startswith(COMMIT):
            self.last.append(line)
        self._over = self._over or kind == BROKEN
        if self._aloud:
            print(line)

    @property
    def digest(self) -> str:
        """The digest of all that was noted."""
        return self._digest.hexdigest()
