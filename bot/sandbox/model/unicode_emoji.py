"""Which texts are one emoji that a button may carry."""

from __future__ import annotations

import re
from typing import Final

# The code points with the property Emoji in Unicode's emoji-data.txt, digits left out.
_EMOJI: Final = (
    "©®‼⁉™ℹ↔-↙↩↪⌚⌛⌨⏏⏩-⏳⏸-⏺Ⓜ▪▫▶◀◻-◾☀-☄☎☑☔☕☘☝☠☢☣☦☪☮☯☸-☺♀♂♈-♓♟♠♣♥♦♨♻♾♿⚒-⚗⚙⚛⚜⚠⚡⚧⚪⚫⚰⚱⚽⚾⛄⛅⛈⛎⛏⛑"
    "⛓⛔⛩⛪⛰-⛵⛷-⛺⛽✂✅✈-✍✏✒✔✖✝✡✨✳✴❄❇❌❎❓-❕❗❣❤➕-➗➡➰➿⤴⤵⬅-⬇⬛⬜⭐⭕〰〽㊗㊙"
    "\U0001f004\U0001f0cf\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f18e\U0001f191-\U0001f19a"
    "\U0001f201\U0001f202\U0001f21a\U0001f22f\U0001f232-\U0001f23a\U0001f250\U0001f251"
    "\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f7e0-\U0001f7eb\U0001f7f0"
    "\U0001f90c-\U0001f9ff\U0001fa70-\U0001faff"
)
_ONE: Final = f"[{_EMOJI}]\ufe0f?[\U0001f3fb-\U0001f3ff]?[\U000e0020-\U000e007f]*"
_KEYCAP: Final = "[0-9#*]\ufe0f?\u20e3"
_FLAG: Final = "[\U0001f1e6-\U0001f1ff]{2}"
_PATTERN: Final = re.compile(f"(?:{_ONE}(?:\u200d{_ONE})*|{_KEYCAP}|{_FLAG})")


def is_emoji(text: str) -> bool:
    """Whether the text is exactly one emoji."""
    return _PATTERN.fullmatch(text) is not None
