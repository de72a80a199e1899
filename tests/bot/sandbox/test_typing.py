"""Typing commands as they are registered, and not otherwise."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.bot.english import says
from tests.bot.sandbox.command_forms import PLAY, SETTINGS
from tests.bot.sandbox.raw import Raw


async def test_a_command_is_sent_with_its_options_and_whom_they_name(api: Raw) -> None:
    await api.register(PLAY, SETTINGS)
    ann, ben = api.sandbox.person("Ann"), api.sandbox.person("Ben")
    games = api.sandbox.channel("games")
    typed = await ann.type(
        games, "/play", opponent=ben, size=4, level="h", anyone=False, where=games
    )

    assert typed.data["options"] == [
        {"type": 6, "name": "opponent", "value": str(ben.id)},
        {"type": 4, "name": "size", "value": 4},
        {"type": 3, "name": "level", "value": "h"},
        {"type": 5, "name": "anyone", "value": False},
        {"type": 7, "name": "where", "value": str(games.id)},
    ]
    resolved = typed.data["resolved"]
    assert isinstance(resolved, dict)
    assert resolved["users"][str(ben.id)]["global_name"] == "Ben"
    assert list(resolved["channels"]) == [str(games.id)]


async def test_a_subcommand_is_typed_in_words(api: Raw) -> None:
    await api.register(PLAY, SETTINGS)
    ann, games = api.sandbox.person("Ann"), api.sandbox.channel("games")

    show = await ann.type(games, "settings show")
    limit = await ann.type(games, "settings games limit", count="7")

    assert show.data["options"] == [{"type": 1, "name": "show", "options": []}]
    count = {"type": 4, "name": "count", "value": 7}
    inner = {"type": 1, "name": "limit", "options": [count]}
    assert limit.data["options"] == [{"type": 2, "name": "games", "options": [inner]}]


@pytest.mark.parametrize(
    ("words", "options", "sentence"),
    [
        ("chess", {}, "There is no command /chess."),
        ("play", {}, "/play needs its option 'opponent'."),
        ("play", {"opponent": 5}, "'opponent' must be a person or bot, not 5."),
        ("play", {"opponent": "Ben"}, "'opponent' must be a person or bot, not 'Ben'."),
        ("play", {"rules": 1}, "/play has no option 'rules'."),
        ("play", {"size": 6}, says("page.refused.bounds", option="size", bounds="3–5", size="6")),
        ("play", {"size": 2}, says("page.refused.bounds", option="size", bounds="3–5", size="2")),
        ("play", {"size": "four"}, "'size' must be a whole number, not 'four'."),
        ("play", {"size": True}, "'size' must be a whole number, not True."),
        ("play", {"level": "x"}, "'level' must be one of 'easy', 'h', not 'x'."),
        ("play", {"anyone": "perhaps"}, "'anyone' must be true or false, not 'perhaps'."),
        ("play", {"note": "x"}, says("page.refused.length", option="note", bounds="2–4", size="1")),
        (
            "play",
            {"note": "xxxxx"},
            says("page.refused.length", option="note", bounds="2–4", size="5"),
        ),
        ("play", {"note": 5}, "'note' must be text, not 5."),
        ("play", {"where": 5}, "'where' must be a channel, not 5."),
        ("play on", {}, "/play on has no subcommand 'on'."),
        ("settings", {}, "/settings needs one of the subcommands show, games."),
        ("settings games hide", {}, "/settings games hide needs one of the subcommands limit."),
    ],
)
async def test_what_is_not_registered_like_that_cannot_be_typed(
    api: Raw, words: str, options: dict[str, Any], sentence: str
) -> None:
    await api.register(PLAY, SETTINGS)
    ann, ben = api.sandbox.person("Ann"), api.sandbox.person("Ben")
    given = {"opponent": ben, **options} if options and words == "play" else options

    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        await ann.type(api.sandbox.channel("games"), words, **given)


async def test_a_thread_is_no_text_channel(api: Raw) -> None:
    await api.register(PLAY, SETTINGS)
    ann, thread = api.sandbox.person("Ann"), api.sandbox.channel("games-thread")

    refused = says("page.refused.channel_kind", option="where")
    with pytest.raises(ValueError, match=re.escape(refused)):
        await ann.type(thread, "play", opponent=ann, where=thread)


async def test_who_may_not_use_a_command_cannot_type_it(api: Raw) -> None:
    await api.register(PLAY, SETTINGS)
    ann, ben, games = *map(api.sandbox.person, ("Ann", "Ben")), api.sandbox.channel("games")

    assert (await ann.type(games, "settings show")).person is ann.account
    with pytest.raises(ValueError, match=r"^Ben may not use /settings here\.$"):
        await ben.type(games, "settings show")
    with pytest.raises(ValueError, match=r"^/settings cannot be used in direct messages with Ann"):
        await ann.type(ann.dm, "settings show")
    with pytest.raises(ValueError, match=r"^Ben has no access to direct messages with Ann\.$"):
        await ben.type(ann.dm, "play", opponent=ann)


async def test_only_an_autocompleted_option_can_be_completed(api: Raw) -> None:
    await api.register(PLAY, SETTINGS)
    ann, games = api.sandbox.person("Ann"), api.sandbox.channel("games")

    with pytest.raises(ValueError, match="The option 'note' is not autocompleted"):
        await ann.complete(games, "play", "note", "x")
    with pytest.raises(ValueError, match="/play has no option 'rules'"):
        await ann.complete(games, "play", "rules", "x")
