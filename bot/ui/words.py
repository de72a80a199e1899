"""Texts written out for Discord in a reader's language, and measured in lines of a phone.

A board keeps its height only if its words always take the same number of lines, on a phone 360
pixels wide. The client's font is not known, so widths are those of a common one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, Final

from discord import Interaction

from bot.cache import KB, MB, Cache
from bot.locales import Language, negotiated
from bot.message.blocks import Brief
from bot.message.fonts import Caption, captions
from bot.message.text import (
    Cell,
    ChannelMention,
    CommandMention,
    Mention,
    Moment,
    Month,
    Percent,
    RoleMention,
    Separator,
    Sign,
    Sprite,
    Text,
    TextList,
    TextValue,
    Weekday,
)
from bot.storage.choices import GuildId, Guilds, People
from bot.table.seats import PersonId
from bot.table.table import Place

MARKDOWN: Final = re.compile(r"(?:-# |#{1,3} |- )*")
"""Markdown at the beginning of a line: small text, a heading or an item of a list."""

APART: Final = re.compile("[\u2066-\u2068][^\u2069]*\u2069|<[^>]*>")
"""Parts that do not decide a line's direction: isolates, mentions, links, emoji."""

ISOLATE: Final = "\u2068{}\u2069"
"""Keeps a name written from right to left from reordering the sentence around it."""


LANGUAGES: Final = 40 * MB
"""The bytes for languages in use, enough for all that Parlour has."""

A_LANGUAGE: Final = 1650 * KB
"""The estimated bytes of a language's messages and Babel's data."""


class Templates(dict[str, str]):
    """The messages of one language without plural forms, by key; each is looked up once."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def __missing__(self, key: str) -> str:
        self[key] = found = self._language.template(key)
        return found


@dataclass(frozen=True, slots=True)
class Words:
    """Writes texts in one language.

    `commands` maps a slash command's name to its mention. `emojis` has the ids of the bot's own
    emoji that are uploaded, of all those in `uploading`. `missed` collects names without an id.
    """

    language: Language
    commands: Mapping[str, str] = field(default_factory=dict)
    emojis: Mapping[str, int] = field(default_factory=dict)
    uploading: Collection[str] = frozenset()
    missed: set[str] = field(default_factory=set, compare=False, repr=False)
    _templates: Templates = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_templates", Templates(self.language))

    def of(self, text: Text) -> str:
        """A text, written out.

        Raises:
            KeyError: The catalogues lack the key (`MissingText`), or the text lacks a value.
        """
        values = dict(text.values)
        for name, value in text.values.items():
            if not isinstance(value, str):
                values[name] = self.of(value) if isinstance(value, Text) else self.spelled(value)
        count = text.values.get("count")
        if isinstance(count, int):
            return self.language.template(text.key, count).format_map(values)
        return self._templates[text.key].format_map(values)

    def line(self, text: Text) -> str:
        """A text that stands alone, each line in the language's direction."""
        return "\n".join(map(self.from_its_side, self.of(text).split("\n")))

    def from_its_side(self, line: str) -> str:
        """A line, marked to run in the language's direction if that is right to left."""
        return line if self.language.direction == "ltr" else _from_right(line)

    def template(self, key: str) -> str:
        """The message of a key without plural forms.

        Raises:
            MissingText: No catalogue has the key.
        """
        return self._templates[key]

    def cell(self, cell: Cell | Sign) -> str:
        """An emoji for a text, or a sign for a label, written out."""
        if isinstance(cell, str):
            return cell
        if isinstance(cell, Sign):
            return cell.sprite.fallback if self._id(cell.sprite) is None else cell.shape
        number = self._id(cell)
        return cell.fallback if number is None else f"<:{cell.name}:{number}>"

    def emoji(self, cell: Cell) -> dict[str, str]:
        """An emoji on a control, in the format of Discord's API."""
        if isinstance(cell, str):
            return {"name": cell}
        number = self._id(cell)
        return {"name": cell.fallback} if number is None else {"name": cell.name, "id": str(number)}

    def _id(self, sprite: Sprite) -> int | None:
        number = self.emojis.get(sprite.name)
        if number is None:
            self.missed.add(sprite.name)
        return number

    def spoken(self) -> Words:
        """The same words with common emoji only, such as for text that is read aloud."""
        return replace(self, emojis={}, missed=set())

    def captions(self, *values: TextValue) -> Sequence[Caption]:
        """Words to draw in a picture; empty if this machine lacks a font for any of them."""
        return captions([self.spelled(value) for value in values], self.language.locale)

    def spelled(self, value: TextValue) -> str:
        """The value of a placeholder, written out."""
        match value:
            case Text():
                written = self.of(value)
            case TextList():
                written = self._joined(value)
            case Sprite() | Sign():
                written = self.cell(value)
            case Mention(person):
                written = ISOLATE.format(f"<@{person}>")
            case ChannelMention(channel):
                written = f"<#{channel}>"
            case RoleMention(role):
                written = f"<@&{role}>"
            case Moment(at, of_day, dated):
                style = "F" if dated else "t" if of_day else "R"
                written = f"<t:{int(at.timestamp())}:{style}>"
            case CommandMention(command, short):
                written = self._command(command, short=short)
            case str():
                written = value
            case _:
                written = self._measured(value)
        return written

    def _command(self, command: str, *, short: bool) -> str:
        """A command's mention, with its name in the language's command picker if that differs.

        Discord only makes a mention with the English name clickable, and shows that name
        (discord-api-docs 5518); typing works with either name.
        """
        words = command.split()
        keys = (".".join(("command", *words[: end + 1])) for end in range(len(words)))
        called = " ".join(map(self.template, keys))
        mention = self.commands.get(command)
        if mention is None:
            return f"/{called}"
        return mention if short or called == command else f"{mention} (/{called})"

    def _measured(self, value: float | Percent | Month | Weekday | date | timedelta) -> str:
        match value:
            case Weekday(number):
                return self.language.weekday(number)
            case Month(day):
                return self.language.month(day)
            case Percent(share, signed):
                return self.language.percent(share, signed=signed)
            case date():
                return self.language.day(value)
            case timedelta():
                return self.language.duration(value)
            case number:
                return self.language.number(number)

    def _joined(self, listed: TextList) -> str:
        items = list(map(self.spelled, listed.items))
        match listed.separator:
            case Separator.AND:
                return self.language.listed(items)
            case Separator.COMMA | Separator.SEMICOLON:
                return self.template(f"list.{listed.separator}").join(items)
            case sign:
                return sign.join(items)


class Speech:
    """Finds the words for readers and for boards, without a query.

    `commands` has the mentions of slash commands once they are registered; `emojis` grows as those
    in `uploading` are uploaded.
    """

    def __init__(
        self,
        languages: Mapping[str, Language],
        people: People,
        guilds: Guilds,
        emojis: Mapping[str, int],
        uploading: Collection[str],
    ) -> None:
        self.commands: dict[str, str] = {}
        self._languages = languages
        self._people = people
        self._guilds = guilds
        self._emojis = emojis
        self._uploading = uploading
        self.spoken: Cache[str, Words] = Cache("languages", LANGUAGES, lambda _: A_LANGUAGE)

    def words(self, *locales: str | None) -> Words:
        """Words in the first of these locales that has a catalogue."""
        language = negotiated(locales, self._languages)
        return self.spoken.get(language.locale) or self.spoken.keep(
            language.locale, Words(language, self.commands, self._emojis, self._uploading)
        )

    def to(self, interaction: Interaction[Any]) -> Words:
        """Words for the person who asks: their own choice comes first."""
        own = self._people.of(PersonId(interaction.user.id)).language
        return self.words(own, *self._known(interaction))

    def board_locale(self, interaction: Interaction[Any]) -> str:
        """The language of a board that a person opens; in direct messages, their own choice."""
        if place_of(interaction).direct:
            return self.to(interaction).language.locale
        return self.words(*self._known(interaction)).language.locale

    def to_all(self, interaction: Interaction[Any]) -> Words:
        """Words for all where a person asks: in the guild's language, or that of a board there."""
        home = place_of(interaction).home
        chosen = None if home is None else self._guilds.of(GuildId(home)).language
        return self.words(chosen, self.board_locale(interaction))

    def _known(self, interaction: Interaction[Any]) -> Iterator[str]:
        """The locales of a person's Discord and of the guild, in the order of preference."""
        yield interaction.locale.value
        home = place_of(interaction).home
        if home is not None:
            chosen = self._guilds.of(GuildId(home)).language
            if chosen is not None:
                yield chosen
        if interaction.guild_locale is not None:
            yield interaction.guild_locale.value


def place_of(interaction: Interaction[Any]) -> Place:
    """Return the channel where a person asks."""
    assert interaction.channel_id is not None, "interactions come from a channel"
    return Place(
        interaction.guild_id, interaction.channel_id, unreachable=not _is_member(interaction)
    )


def _is_member(interaction: Interaction[Any]) -> bool:
    """Whether the bot is a member where an interaction comes from.

    It is not in group chats, in direct messages between others, and in servers where only people
    have added it, or only its commands were added.
    """
    if interaction.guild_id is None:
        return not interaction.context.private_channel
    known = interaction.client.get_guild(interaction.guild_id)
    return interaction.is_guild_integration() and known is not None


def _from_right(line: str) -> str:
    """Mark a line so that it runs from right to left even if Latin letters begin it."""
    signs = MARKDOWN.match(line)
    assert signs is not None, "it may match nothing"
    strong = (unicodedata.bidirectional(letter) for letter in APART.sub("", line))
    if next((way for way in strong if way in {"L", "R", "AL"}), "L") != "L":
        return line
    return f"{signs[0]}\u200f{line[signs.end() :]}"


def link(to: Place) -> str:
    """A link that opens a table's message, or its channel if there is none."""
    guild = "@me" if to.guild is None else to.guild
    where = f"https://discord.com/channels/{guild}/{to.channel}"
    return where if to.message is None else f"{where}/{to.message}"


ROOM: Final = 262.0
"""The width of a line in a container, in pixels."""

EMOJI, WIDE, LETTER, NARROW = 21.0, 15.5, 7.8, 3.8
"""Widths in pixels: an emoji, a Chinese or Japanese letter, another letter, a narrow one."""

EMPTY: Final = "\u200b"
"""An empty line, as clients drop one without any character."""

OWN_EMOJI: Final = re.compile("<:[^>]+>")
SMALL: Final = frozenset(" .,:;·'!|()ijlIftr")
UNSEEN: Final = frozenset({"Mn", "Me", "Cf"})


def brief(told: Brief, words: Words) -> list[str]:
    """The lines of some words: `told.lines`, or more if the items to keep need more."""
    lines = [*_packed(told, words)]
    empty = [EMPTY] * (told.lines - len(lines))
    return [*map(words.from_its_side, lines), *empty]


def _packed(told: Brief, words: Words) -> Iterator[str]:
    line, begun = "", 0
    for number, item in enumerate(map(words.spelled, told.items)):
        longer = f"{line}{Separator.DOT}{item}" if line else item
        if width(longer) <= ROOM or not line or (begun + 1 >= told.lines and number < told.kept):
            line = longer
        elif begun + 1 < told.lines:
            yield line
            line, begun = item, begun + 1
        else:
            break
    if line:
        yield line


def width(written: str) -> float:
    """The width of a line, in pixels."""
    plain, own = OWN_EMOJI.subn("", written)
    return own * EMOJI + sum(map(_letter, plain))


def _letter(letter: str) -> float:
    kind = unicodedata.category(letter)
    if kind in UNSEEN:
        return 0.0
    if unicodedata.east_asian_width(letter) in {"W", "F"}:
        return EMOJI if kind == "So" else WIDE
    return NARROW if letter in SMALL else LETTER
