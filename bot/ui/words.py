"""Texts written out for Discord, in a reader's language, and measured in lines of a phone.

A board keeps its height only if the words on it never take one line more or less, on a phone 360
pixels wide. A client's letters are not known here, so their widths are those of a usual font.
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
"""The signs before a line that make it small, a title or an item of a list."""

APART: Final = re.compile("[\u2066-\u2068][^\u2069]*\u2069|<[^>]*>")
"""Parts that do not count for a line's direction: isolated ones, mentions, links, emoji."""

ISOLATE: Final = "\u2068{}\u2069"
"""Keeps a name written from right to left from reordering the sentence around it."""


LANGUAGES: Final = 40 * MB
"""The room for languages that are spoken: all of those that Parlour has."""

A_LANGUAGE: Final = 1650 * KB
"""The bytes of a language's messages, and of how Babel writes numbers and days in it."""


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

    `commands` has each slash command by its name, written so that it can be pressed; `emojis` has
    the id of each of the bot's own, as far as those that are `uploading` are there. `missed` are
    the names that had none.
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
            KeyError: The catalogues lack its key (a `MissingText`), or the text a value.
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
        """A text that stands alone, every line of it running the way of the language."""
        return "\n".join(map(self.from_its_side, self.of(text).split("\n")))

    def from_its_side(self, line: str) -> str:
        """A written line, so marked that it runs the way of the language."""
        return line if self.language.direction == "ltr" else _from_right(line)

    def template(self, key: str) -> str:
        """The message of a key that counts nothing.

        Raises:
            MissingText: No catalogue has the key.
        """
        return self._templates[key]

    def cell(self, cell: Cell | Sign) -> str:
        """An emoji in a text, or a sign in a label."""
        if isinstance(cell, str):
            return cell
        if isinstance(cell, Sign):
            return cell.sprite.fallback if self._id(cell.sprite) is None else cell.shape
        number = self._id(cell)
        return cell.fallback if number is None else f"<:{cell.name}:{number}>"

    def emoji(self, cell: Cell) -> dict[str, str]:
        """An emoji on a control, as Discord's API takes it."""
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
        """The same for a text that is read aloud: common emoji alone, no names of own ones."""
        return replace(self, emojis={}, missed=set())

    def captions(self, *values: TextValue) -> Sequence[Caption]:
        """Words to draw in a picture; none if this machine has no font for all of them."""
        return captions([self.spelled(value) for value in values], self.language.locale)

    def spelled(self, value: TextValue) -> str:
        """Write out the value of a placeholder."""
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
        """A command as it can be pressed, and as the language's picker calls it.

        Discord shows a mention as it was sent, and only one with the English name can be pressed
        (discord-api-docs 5518), though all names can be typed.
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
    """Finds the words for readers and for boards. All that decides the language is in memory.

    `commands` has how each slash command is written, as soon as Discord has told; `emojis` grows
    as those that are `uploading` are there.
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
        """Words in the first of some locales that there is a catalogue for."""
        language = negotiated(locales, self._languages)
        return self.spoken.get(language.locale) or self.spoken.keep(
            language.locale, Words(language, self.commands, self._emojis, self._uploading)
        )

    def to(self, interaction: Interaction[Any]) -> Words:
        """Words for the person who asks: their own choice comes first."""
        own = self._people.of(PersonId(interaction.user.id)).language
        return self.words(own, *self._known(interaction))

    def board_locale(self, interaction: Interaction[Any]) -> str:
        """The language of a board that a person asks for, which others read too."""
        if place_of(interaction).direct:
            return self.to(interaction).language.locale
        return self.words(*self._known(interaction)).language.locale

    def _known(self, interaction: Interaction[Any]) -> Iterator[str]:
        """Yield the languages of a person's Discord and of the guild, the best first."""
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
    """Whether the bot can use the channel by itself.

    It cannot in group chats, between other people, and in servers where people alone have added it,
    or where its commands are but not the bot.
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
    """Return a link that opens a table's message, or its channel."""
    guild = "@me" if to.guild is None else to.guild
    where = f"https://discord.com/channels/{guild}/{to.channel}"
    return where if to.message is None else f"{where}/{to.message}"


ROOM: Final = 262.0
"""The width of a line in a container."""

EMOJI, WIDE, LETTER, NARROW = 21.0, 15.5, 7.8, 3.8
"""The widths of an emoji, of a letter of Chinese or Japanese, and of other letters."""

EMPTY: Final = "\u200b"
"""A line that shows nothing: a client drops one without any letter."""

OWN_EMOJI: Final = re.compile("<:[^>]+>")
SMALL: Final = frozenset(" .,:;·'!|()ijlIftr")
UNSEEN: Final = frozenset({"Mn", "Me", "Cf"})


def brief(told: Brief, words: Words) -> list[str]:
    """The lines of some words, as many as asked for unless the kept ones alone need more."""
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
