"""The message catalogues: complete, used, and fitting the code that fills them in."""

from __future__ import annotations

import ast
import re
import shutil
import string
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from gettext import c2py
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from itertools import combinations
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any
from weakref import ref

import discord
import pytest
from babel import Locale as BabelLocale
from babel import localedata
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from bot import app
from bot.games.catalogue import CATALOGUE
from bot.games.command import Kind
from bot.locales import (
    ENGLISH,
    LOADED,
    Catalogues,
    Language,
    direction,
    known,
    negotiated,
    offered,
    own_name,
    shipped,
)
from bot.locales.__main__ import main, missing, outdated, written
from bot.locales.phrases import read
from bot.message.text import (
    CommandMention,
    Mention,
    Moment,
    Percent,
    Separator,
    TextValue,
    joined,
    text,
)
from bot.settings import read_settings
from bot.table.seats import PersonId
from bot.ui.commands.slash import MOST_CHOICES
from bot.ui.words import Words
from engine.game import Game, InvalidOptions
from tests.bot.catalogues import languages
from tests.bot.clock import ManualClock

BOT = Path(__file__).parents[2] / "bot"
SOURCES = [
    file
    for file in BOT.rglob("*.py")
    if not {"sandbox", "storage"} & set(file.relative_to(BOT).parts)  # no word of theirs is read
]
SOURCES += [
    BOT.with_name("engine") / f"{name}.py"
    for name in ("terminal/translation", "tree/text", "tree/page")
]
NAME = r"[-_'\w\u0900-\u097f\u0e00-\u0e7f]{1,32}"
"""The names Discord takes for commands: letters, and the signs of Devanagari and Thai."""

REASON = re.compile(r"(^|\.)reason\.")
"""Of all games for two, or of one game."""

FILES = sorted((BOT / "locales").glob("*.po"))
BEGUN = ["bg", "sv-SE"]
"""Languages to begin anew, whether they have a catalogue or not."""

FILES_BY_LOCALE = {file.stem: file for file in FILES}


@cache
def catalogue(file: Path) -> Catalog:
    return read_po(BytesIO(file.read_bytes()), abort_invalid=True)


def messages(file: Path) -> dict[str, tuple[str, ...]]:
    return {
        m.id if isinstance(m.id, str) else m.id[0]: (
            (m.string,) if isinstance(m.string, str) else tuple(m.string or ())
        )
        for m in catalogue(file)
        if m.id
    }


ENGLISH_TEXTS = messages(BOT / "locales" / f"{ENGLISH}.po")


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


@cache
def nodes() -> Sequence[ast.AST]:
    """The calls and the constants of the whole code."""
    return [
        node
        for file in SOURCES
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call | ast.Constant)
    ]


@cache
def calls() -> Sequence[tuple[str, ast.Call]]:
    """Every call that names a text, with a pattern of the keys that it may name."""
    named = {"text", "Text", "_text", "template", "say"}
    return [
        (pattern, node)
        for node in nodes()
        if isinstance(node, ast.Call) and _name(node.func) in named
        for argument in node.args
        if (pattern := _pattern(argument))
    ]


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _pattern(argument: ast.expr) -> str | None:
    match argument:
        case ast.Constant(value=str(key)):
            return re.escape(key)
        case ast.JoinedStr(values=parts):
            return "".join(
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[\w.]+"
                for part in parts
            )
        case ast.IfExp(body=first, orelse=second):
            either = [pattern for pattern in map(_pattern, (first, second)) if pattern]
            return f"(?:{'|'.join(either)})" if either else None
        case _:
            return None


def keys_named_elsewhere() -> set[str]:
    """Keys that the code names as plain strings, chosen between before the call."""
    return {
        node.value
        for node in nodes()
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def keys_of_refusals() -> set[str]:
    """The keys of every fact that the code names."""
    raised = ("Refusal", "Linked", "Outdated", "Unseen", "__init__")
    return {"refusal.illegal_move", "refusal.square_taken"} | {
        f"refusal.{node.args[0].value}"
        for node in nodes()
        if isinstance(node, ast.Call)
        and _name(node.func) in raised
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    }


def keys_of_mentions() -> set[str]:
    """The keys of the commands that texts mention."""
    return {
        f"command.{node.args[0].value.replace(' ', '.')}"
        for node in nodes()
        if isinstance(node, ast.Call)
        and _name(node.func) == "CommandMention"
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    }


class Noted(Language):
    """English that notes which texts are asked for."""

    def __init__(self) -> None:
        self.locale = ENGLISH
        self.asked: set[str] = set()

    def template(self, key: str, count: int | None = None) -> str:
        self.asked.add(key)
        return shipped()[ENGLISH].template(key, count)


@pytest.fixture
async def noted(tmp_path: Path) -> AsyncIterator[tuple[Noted, app.Parlour]]:
    """Parlour, not connected, and what its commands asked the catalogue for."""
    settings = read_settings({"DATABASE_URL": f"sqlite:///{tmp_path}/kept.db"}, tmp_path / ".env")
    english, clock = Noted(), ManualClock()
    languages = {**shipped(), ENGLISH: english}
    async with app.open(settings, clock=clock, rng=Random(1), languages=languages) as parlour:
        yield english, parlour


@pytest.fixture
def keys_of_commands(noted: tuple[Noted, app.Parlour]) -> set[str]:
    games = {f"{what}.{entry.game.key}" for entry in CATALOGUE.values() for what in ("game", "how")}
    return noted[0].asked | games


def test_every_text_that_the_code_names_is_in_the_english_catalogue(
    keys_of_commands: set[str],
) -> None:
    missing = [
        pattern
        for pattern, _ in calls()
        if not any(re.fullmatch(pattern, key) for key in ENGLISH_TEXTS)
    ]
    assert not missing
    assert keys_of_refusals() | keys_of_commands | keys_of_mentions() <= set(ENGLISH_TEXTS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_text_is_there_twice(file: Path) -> None:
    ids = re.findall(r'^msgid "(.+)"$', file.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(set(ids)) == sorted(ids)


def test_every_text_in_the_english_catalogue_is_used(keys_of_commands: set[str]) -> None:
    patterns = [pattern for pattern, _ in calls()]
    used = keys_of_refusals() | keys_of_commands | keys_named_elsewhere()
    unused = {
        key
        for key in set(ENGLISH_TEXTS) - used
        if not key.startswith(("refusal.option_refused.", "page.", "verify."))
        and not REASON.search(key)
        and not any(re.fullmatch(pattern, key) for pattern in patterns)
    }
    assert not unused


def refused_options(game: Game[Any]) -> Iterator[str]:
    """The option that is blamed, for every two values that contradict each other."""
    values = [(option.key, value) for option in game.options for value in option.values]
    for seats in game.seats:
        for chosen in combinations(values, 2):
            try:
                game.start(seats, dict(chosen))
            except InvalidOptions as error:
                yield error.key


def test_every_option_that_a_game_may_refuse_has_its_sentence() -> None:
    refusable = {
        f"refusal.option_refused.{entry.game.key}.{key}"
        for entry in CATALOGUE.values()
        for key in refused_options(entry.game)
    }
    assert refusable == {key for key in ENGLISH_TEXTS if "option_refused" in key}


def reason_kinds(module: ModuleType) -> Iterator[StrEnum]:
    """The kinds of reasons that a game's module declares."""
    for declared in vars(module).values():
        own = getattr(declared, "__module__", "") == module.__name__
        if own and isinstance(declared, type) and issubclass(declared, StrEnum):
            yield from declared


def test_every_reason_of_a_move_has_its_words() -> None:
    """A game may do without reasons, and without an explainer that tells them."""
    there = {key for key in ENGLISH_TEXTS if REASON.search(key)}
    told, untold = set[str](), set[str]()
    for game, entry in CATALOGUE.items():
        if find_spec(f"engine.games.{game}.review") is None:
            continue
        kinds = reason_kinds(import_module(f"engine.games.{game}.review"))
        names = {kind.replace(" ", "_") for kind in kinds}
        own = {f"{game}.reason.{name}" for name in names}
        words = own if own & there else {f"reason.{name}" for name in names}
        (told if entry.explainer is not None else untold).update(words)
    assert told <= there <= told | untold


def test_whoever_names_a_text_fills_in_all_its_placeholders() -> None:
    wanting = []
    for pattern, call in calls():
        given = {keyword.arg for keyword in call.keywords}
        if None in given:
            continue
        for key, templates in ENGLISH_TEXTS.items():
            if re.fullmatch(pattern, key) and _name(call.func) == "text":
                needed = set().union(*map(placeholders, templates))
                if not needed <= given and not key.startswith(("command.", "field.")):
                    wanting.append((key, needed - given))
    assert not wanting


def looked_over(file: Path) -> dict[str, tuple[str, ...]]:
    """The translations made from the English of today; an older one may lack a new placeholder."""
    english = catalogue(FILES_BY_LOCALE[ENGLISH])
    skipped = {*missing(catalogue(file), english)} if file.stem != ENGLISH else set()
    skipped |= {*outdated(catalogue(file), english)} if file.stem != ENGLISH else set()
    return {key: forms for key, forms in messages(file).items() if key not in skipped}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_translation_has_the_placeholders_of_its_english(file: Path) -> None:
    for key, templates in looked_over(file).items():
        for template in templates:
            assert template, key
            wanting = placeholders(ENGLISH_TEXTS[key][-1]) ^ placeholders(template)
            assert wanting <= ({"count"} if len(templates) > 1 else set()), key


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_catalogue_keeps_the_limits_of_discord(file: Path) -> None:
    for key, templates in messages(file).items():
        found = [template for template in templates if template]
        if key.startswith("control."):
            assert all(len(template) <= 80 for template in found), key
        if key in {"word.title", "word.label"}:
            assert all(len(template) <= 45 for template in found), key
        if key.endswith(".description") or key == "word.about":
            assert all(len(template) <= 100 for template in found), key
        elif key.startswith(("command.", "field.")):
            assert all(re.fullmatch(NAME, template) for template in found), key
            assert all(template == template.lower() for template in found), key


ALIKE_AFTER_NUMBERS = {"tr", "vi"}
"""The languages that Unicode's rules tell more forms of than their catalogues need.

Turkish and Vietnamese nouns stay as they are after a number.
"""

PLURAL_TAGS = ("zero", "one", "two", "few", "many", "other")
"""The forms after numbers in the order of CLDR, which is the one that translators expect."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_catalogue_has_every_plural_form_of_its_language(file: Path) -> None:
    found, locale = catalogue(file), BabelLocale.parse(file.stem, sep="-")
    chosen = c2py(found.plural_expr)
    told_apart = {(chosen(number), locale.plural_form(number)) for number in range(1001)}
    forms = {form for form, _ in told_apart}
    assert forms == {*range(found.num_plurals)}
    tags = [tag for _, tag in sorted(told_apart)]
    assert tags == sorted(tags, key=PLURAL_TAGS.index)
    assert len(told_apart) == len(forms) or locale.language in ALIKE_AFTER_NUMBERS
    several = {key for key, templates in ENGLISH_TEXTS.items() if len(templates) > 1}
    for key, templates in looked_over(file).items():
        assert len(templates) == (found.num_plurals if key in several else 1), key


NUMBERS = set(
    re.findall(
        r"\w+",
        """accuracy answered best chance column count cut days draws fewest first games highest
        last line losses lowest luck most nodes number of page pages people pips place ply rating
        round rounds row share size solved spread square squares step streak taken titles wins""",
    )
)
"""Placeholders for numbers, wherever they stand for them."""

NOTHING_COUNTED = set(
    re.findall(
        r"[\w.]+",
        """board.in_a_row control.ludo.walk engine.tree.step gathering.few
        leaderboard.line.provisional leaderboard.own.provisional leaderboard.standing
        ludo.sentence.you ludo.words.lane ludo.words.move.block ludo.words.move.star
        ludo.words.move.start
        me.export.too_large news.last news.today news.yesterday records.page records.tally
        records.tally.decided replay.move replay.roll_off replay.rolls replay.stop replay.turn
        review.curve review.luck review.rolled.stuck review.took review.took.yours settings.closed
        stats.people stats.picture.curve stats.puzzles stats.rating.provisional tournament.in
        tournament.fewest tournament.round""",
    )
)
"""Messages with a number before a word that does not agree with it, such as "2 of 4" and "3 MB"."""


def test_a_number_before_a_noun_chooses_the_form_of_the_noun() -> None:
    """English has a plural wherever `{count} words` stands; other languages need it there too."""
    numbered = set()
    for key, templates in ENGLISH_TEXTS.items():
        if key.startswith("page.") or key in NOTHING_COUNTED:  # a page's place is a channel
            continue
        names = NUMBERS - ({"count"} if len(templates) > 1 else set())
        after = re.findall(rf"\{{(?:{'|'.join(names)})\}}[* ]+([A-Za-z]+)", templates[-1])
        numbered |= {(key, word) for word in after}
    assert not numbered
    several = [templates for templates in ENGLISH_TEXTS.values() if len(templates) > 1]
    assert several
    assert all("count" in placeholders(templates[-1]) for templates in several)


def test_all_numbers_that_the_code_gives_are_known_to_be_numbers() -> None:
    """Counted, rounded and added placeholders are numbers, whatever they are called."""
    given = {
        (keyword.arg, pattern)
        for pattern, call in calls()
        for keyword in call.keywords
        if isinstance(keyword.value, ast.BinOp)
        or (isinstance(keyword.value, ast.Call) and _name(keyword.value.func) in {"len", "round"})
    }
    assert given
    new = {name for name, _ in given} - NUMBERS
    assert not new, "add these placeholders to NUMBERS, or give one that is there"


def test_no_words_of_the_code_stand_in_a_sentence() -> None:
    """A placeholder is filled with a message of its own, a number, a name or a sign."""
    glued = {
        (pattern, part.value)
        for pattern, call in calls()
        for keyword in call.keywords
        for part in ast.walk(keyword.value)
        if isinstance(part, ast.Constant)
        and isinstance(part.value, str)
        and re.search("[^\\W\\d_]{2}", part.value)
        and not _keyed(keyword.value, part)
    }
    assert not glued


def _keyed(value: ast.expr, part: ast.Constant) -> bool:
    """Whether a string is no words, but the key of a message, of a command or of a mapping."""
    inside = (
        each
        for each in ast.walk(value)
        if isinstance(each, ast.Subscript)
        or (
            isinstance(each, ast.Call)
            and _name(each.func) in {"text", "say", "template", "CommandMention"}
        )
    )
    return any(part in ast.walk(each) for each in inside)


def test_what_names_a_game_is_no_number_to_group() -> None:
    """Games are found by their digits: 12345, not 12,345."""
    grouped = {
        (pattern, keyword.arg)
        for pattern, call in calls()
        for keyword in call.keywords
        if isinstance(keyword.value, ast.Attribute)
        and keyword.value.attr in {"id", "session", "points"}
    }
    assert not grouped


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_catalogue_leaves_shares_to_babel(file: Path) -> None:
    """The sign stands before the number in Turkish, and after a space in German."""
    wrong = {
        key
        for key, templates in messages(file).items()
        if any(re.search(r"\}[\s\u00a0\u202f]*[%٪]|[%٪][\s\u00a0]*\{", each) for each in templates)
    }
    assert not wrong


def test_numbers_and_flags_have_no_choices_to_translate() -> None:
    for entry in CATALOGUE.values():
        for field in entry.command.fields:
            assert bool(field.choices) == (field.kind is Kind.CHOICE)


def made(**texts: str) -> Catalog:
    catalogue = Catalog()
    for key, translation in texts.items():
        catalogue.add(key, translation)
    return catalogue


@pytest.fixture
def three() -> dict[str, Language]:
    catalogues = {
        "en-US": made(greeting="Hello", only="English"),
        "de": made(greeting="Hallo"),
        "pt-BR": made(greeting="Olá"),
        "zh-CN": made(greeting="你好"),
        "zh-TW": made(greeting="您好"),
    }
    return dict(languages(catalogues))


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (["de"], "de"),
        (["en-GB"], "en-US"),
        (["zh-TW"], "zh-TW"),
        (["zh-CN"], "zh-CN"),
        (["pt-BR", "de"], "pt-BR"),
        (["ja", "de"], "de"),
        ([None, "de"], "de"),
        (["ja", "ko"], "en-US"),
        ([], "en-US"),
    ],
)
def test_the_players_language_comes_first_then_the_servers_then_english(
    three: dict[str, Language], wanted: list[str | None], found: str
) -> None:
    assert negotiated(wanted, three).locale == found


def test_what_a_catalogue_lacks_comes_from_the_english_one(three: dict[str, Language]) -> None:
    assert three["de"].template("greeting") == "Hallo"
    assert three["de"].template("only") == "English"
    with pytest.raises(KeyError):
        three["de"].template("nowhere")


def test_a_translation_with_a_value_that_english_no_longer_gives_is_not_shown() -> None:
    found = languages({ENGLISH: made(hello="Hello"), "de": made(hello="Hallo, {name}")})
    assert found["de"].template("hello") == "Hello"


def test_people_times_and_texts_within_texts_are_written_for_discord() -> None:
    english = made(sentence="{who} and {other} until {when}", bot="nobody")
    words = Words(languages({ENGLISH: english})[ENGLISH])
    written = words.of(
        text(
            "sentence",
            who=Mention(PersonId(7)),
            other=text("bot"),
            when=Moment(ManualClock().now()),
        )
    )
    assert written == "\u2068<@7>\u2069 and nobody until <t:1777636800:R>"


@pytest.mark.parametrize(
    ("locale", "written"),
    [
        (ENGLISH, "1,234.6 1,234,567 999 12% +5% −3% +0% Nov 2, 2026 5 minutes 3 days"),
        ("de", "1.234,6 1.234.567 999 12\xa0% +5\xa0% −3\xa0% +0\xa0% 02.11.2026 5 Minuten 3 Tage"),
        ("tr", "1.234,6 1.234.567 999 %12 +%5 −%3 +%0 2 Kas 2026 5 dakika 3 gün"),
        ("hi", "1,234.6 12,34,567 999 12% +5% −3% +0% 2 नव॰ 2026 5 मिनट 3 दिन"),
        ("zh-TW", "1,234.6 1,234,567 999 12% +5% −3% +0% 2026年11月2日 5 分鐘 3 天"),
        ("es-419", "1,234.6 1,234,567 999 12% +5% −3% +0% 2 nov 2026 5 minutos 3 días"),
        (
            "ar",
            (
                "1,234.6 1,234,567 999 12% \u200e+5% \u200e−3% \u200e+0% "
                "02\u200f/11\u200f/2026 5 دقائق 3 أيام"
            ),
        ),
    ],
)
def test_numbers_shares_days_and_durations_are_written_as_the_readers_language_does(
    locale: str, written: str
) -> None:
    changes = (Percent(change, signed=True) for change in (0.05, -0.03, -0.001))
    numbers: list[TextValue] = [1234.56, 1234567, 999, Percent(0.1249)]
    lasting = [timedelta(minutes=5), timedelta(days=3)]
    values = [*numbers, *changes, date(2026, 11, 2), *lasting]
    made_of = {ENGLISH: made(), locale: made(whole="{list}")}
    words = Words(languages(made_of)[locale])
    assert words.of(text("whole", list=joined(values, Separator.SPACE))) == written


@pytest.mark.parametrize(
    ("locale", "registered", "written"),
    [
        (ENGLISH, {"me forget": "</me forget:9>"}, "</me forget:9>"),
        ("de", {"me forget": "</me forget:9>"}, "</me forget:9> (/ich vergessen)"),
        ("de", {}, "/ich vergessen"),
    ],
)
def test_a_command_is_written_so_that_it_can_be_pressed_and_found_in_the_picker(
    locale: str, registered: Mapping[str, str], written: str
) -> None:
    english = made(**{"command.me": "me", "command.me.forget": "forget", "try": "{command}"})
    german = made(**{"command.me": "ich", "command.me.forget": "vergessen"})
    words = Words(languages({ENGLISH: english, "de": german})[locale], registered)
    assert words.of(text("try", command=CommandMention("me forget"))) == written
    brief = words.of(text("try", command=CommandMention("me forget", brief=True)))
    assert brief == registered.get("me forget", written), "as it is sent, without the picker's name"


def test_a_count_chooses_among_the_forms_of_the_readers_language() -> None:
    polish = Catalog(locale="pl")
    polish.add(("games", "games"), ("{count} gra", "{count} gry", "{count} gier"))
    english = Catalog(locale="en_US")
    english.add(("games", "games"), ("one game", "{count} games"))
    english.add(("rolls", "rolls"), ("{count} roll", "{count} rolls"))
    words = Words(languages({ENGLISH: english, "pl": polish})["pl"])
    written = [words.of(text("games", count=count)) for count in (1, 2, 5, 22)]
    assert written == ["1 gra", "2 gry", "5 gier", "22 gry"]
    assert words.of(text("rolls", count=2)) == "2 rolls"
    assert words.of(text("rolls", count=1)) == "1 roll"


@pytest.mark.parametrize(
    ("locale", "comma", "written"),
    [
        (ENGLISH, ", ", ("a, b, and c", "a, b, c", "a · b · c")),
        ("de", ", ", ("a, b und c", "a, b, c", "a · b · c")),
        ("zh-CN", "、", ("a、b和c", "a、b、c", "a · b · c")),
        ("ar", "، ", ("a وb وc", "a، b، c", "a · b · c")),
    ],
)
def test_a_list_is_joined_as_the_readers_language_joins_it(
    locale: str, comma: str, written: tuple[str, ...]
) -> None:
    made_of = {ENGLISH: made(), locale: made(**{"list.comma": comma, "whole": "{list}"})}
    words = Words(languages(made_of)[locale])
    joints = (Separator.AND, Separator.COMMA, Separator.DOT)
    told = (words.of(text("whole", list=joined("abc", joint))) for joint in joints)
    assert tuple(told) == written


def test_a_formula_stays_from_left_to_right_in_arabic() -> None:
    formulas = made(
        step="{token} +{pips}",
        score="{wins}‑{losses}",
        way="{token} إلى {place}",
        small="-# {sides}",
    )
    found = languages({ENGLISH: formulas, "ar": formulas})
    assert found["ar"].template("step") == "\u2066{token} +{pips}\u2069"
    assert found["ar"].template("score") == "\u2066{wins}‑{losses}\u2069"
    assert found["ar"].template("way") == "{token} إلى {place}"
    assert found["ar"].template("small") == "-# {sides}"
    assert found[ENGLISH].template("step") == "{token} +{pips}"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("مرحبًا Ann", "مرحبًا Ann"),
        ("🔴 {who}", "\u200f🔴 {who}"),
        ("-# {who}", "-# \u200f{who}"),
        ("## Parlour\nألعاب", "## \u200fParlour\nألعاب"),
        ("{step} انتهت", "{step} انتهت"),
        ("- 12", "- \u200f12"),
    ],
)
def test_every_line_of_arabic_runs_from_right_to_left(written: str, shown: str) -> None:
    catalogues = {ENGLISH: made(step="{token} +{pips}"), "ar": made(line=written)}
    words = Words(languages(catalogues)["ar"])
    step = text("step", token="T", pips=3)
    found = words.line(text("line", who=Mention(PersonId(7)), step=step))
    who, isolated = "\u2068<@7>\u2069", "\u2066T +3\u2069"
    assert found == shown.replace("{who}", who).replace("{step}", isolated)


@pytest.mark.parametrize("locale", [*shipped()])
def test_the_rolls_of_a_replay_run_from_left_to_right(locale: str) -> None:
    language = shipped()[locale]
    if language.direction == "rtl":
        assert "\u2066{rolls}\u2069" in language.template("replay.rolls"), (
            "the first roll comes first"
        )


def test_a_line_of_a_language_from_left_to_right_stays_as_it_is() -> None:
    words = Words(languages({ENGLISH: made(line="🔴 {who}")})[ENGLISH])
    assert words.line(text("line", who=Mention(PersonId(7)))) == "🔴 \u2068<@7>\u2069"


@pytest.mark.parametrize("locale", [*(locale.value for locale in discord.Locale), "ar"])
def test_a_catalogue_for_any_locale_of_discords_is_found(locale: str) -> None:
    catalogues = {ENGLISH: made(greeting="Hello"), locale: made(greeting="…")}
    found = languages(catalogues)
    assert negotiated([locale], found).locale == locale
    assert found[locale].template("greeting") == "…"
    assert own_name(locale)


@pytest.mark.parametrize(
    ("locale", "name"),
    [
        ("de", "Deutsch"),
        ("ar", "العربية"),
        ("zh-TW", "中文 (繁體, 台灣)"),
        ("es-419", "español (Latinoamérica)"),
    ],
)
def test_a_language_is_called_what_its_speakers_call_it(locale: str, name: str) -> None:
    assert own_name(locale) == name


def test_all_languages_fit_one_menu() -> None:
    assert len(shipped()) < MOST_CHOICES


def test_the_shipped_languages_include_english_and_are_read_without_compiling() -> None:
    assert ENGLISH in shipped()
    assert not list((BOT / "locales").glob("**/*.mo"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_catalogue_is_read_as_babel_reads_it(file: Path) -> None:
    found = {key: phrase.forms for key, phrase in read(file).items()}
    assert found == {key: forms for key, forms in messages(file).items() if all(forms)}
    numbers = range(200)
    rule = c2py(catalogue(file).plural_expr)
    for phrase in [*read(file).values()][:1]:
        assert [phrase.chosen(number) for number in numbers] == [*map(rule, numbers)]


@pytest.mark.parametrize("locale", BEGUN)
def test_a_language_just_begun_is_a_catalogue_like_any_other(tmp_path: Path, locale: str) -> None:
    folder, page = tmp_path / "locales", tmp_path / "sandbox" / "page" / "verify.html"
    for made in (folder, page.parent):
        made.mkdir(parents=True)
    shutil.copy(FILES_BY_LOCALE[ENGLISH], folder)
    page.write_text('<script id="words" type="application/json"></script>', "utf-8")
    assert main([locale], folder) == 0
    file = folder / f"{locale}.po"
    for holds in (
        test_no_text_is_there_twice,
        test_a_translation_has_the_placeholders_of_its_english,
        test_a_catalogue_keeps_the_limits_of_discord,
        test_a_catalogue_has_every_plural_form_of_its_language,
        test_a_catalogue_leaves_shares_to_babel,
        test_a_catalogue_is_read_as_babel_reads_it,
    ):
        holds(file)
    assert offered(folder).keys() == {ENGLISH}
    assert f'"locale": "{locale}"' not in page.read_text("utf-8"), "it has no text there"


def test_lines_and_signs_of_a_catalogue_are_read_as_they_are_meant(tmp_path: Path) -> None:
    made_of = made(several="one\n  two\n", signs='a "b" \\ c\tn', empty="")
    file = tmp_path / f"{ENGLISH}.po"
    file.write_bytes(written(ENGLISH, made_of))
    found = {key: phrase.forms for key, phrase in read(file).items()}
    assert found == {"several": ("one\n  two\n",), "signs": ('a "b" \\ c\tn',)}


def test_a_language_is_kept_only_while_it_is_in_use() -> None:
    found = Catalogues(FILES_BY_LOCALE)
    kept, passed = found["de"], ref(found["fr"])
    assert found["de"] is kept
    assert found[ENGLISH] is found[ENGLISH]
    assert passed() is None


@pytest.mark.parametrize("locale", FILES_BY_LOCALE)
def test_a_language_runs_the_way_that_babel_says(locale: str) -> None:
    assert direction(locale) == BabelLocale.parse(locale, sep="-").text_direction


def test_a_menu_of_all_languages_keeps_nothing_but_their_names() -> None:
    loaded = getattr(localedata, LOADED, None)
    assert loaded is not None, f"babel.localedata.{LOADED} is gone, which own_name() clears"
    own_name.cache_clear()
    loaded.clear()
    assert len({*map(own_name, known())}) == len(known())
    assert not loaded
