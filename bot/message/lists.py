"""Lists of texts, written as the reader's language joins them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.message.text import Text, text


def enumerated(items: Sequence[Text]) -> Text:
    """At least one item, as a list."""
    listed = items[-1]
    for item in reversed(items[:-1]):
        listed = text("list", first=item, rest=listed)
    return listed
