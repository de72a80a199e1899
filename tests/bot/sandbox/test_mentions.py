"""Mentions, and the people whom a message notifies."""

from __future__ import annotations

import pytest

from bot.sandbox import Message
from tests.bot.sandbox.raw import EPHEMERAL, V2, Raw

SILENT = 1 << 12


async def posted(api: Raw, text: str, channel: str = "games", **more: object) -> Message:
    named = text
    for name in ("Ann", "Ben", "Cleo", "Robot"):
        named = named.replace(f"@{name}", api.sandbox.person(name).mention)
    answer = await api.post(channel, {"content": named, **more})
    assert answer.status == 200, answer
    return api.sandbox.messages(channel)[-1]


@pytest.mark.parametrize(
    ("text", "pinged"),
    [
        ("Hello", set()),
        ("Hello @Ben", {"Ben"}),
        ("@Ben and @Cleo and @Ben", {"Ben", "Cleo"}),
        ("`@Ben` and ```\n@Cleo\n```", set()),
        ("@Robot", {"Robot"}),
        ("<@5>", set()),
        ("@everyone", {"Ann", "Ben", "Cleo", "Dan"}),
        ("nobody@everyone.org", {"Ann", "Ben", "Cleo", "Dan"}),
    ],
)
async def test_without_a_word_on_it_all_who_are_mentioned_are_notified(
    api: Raw, text: str, pinged: set[str]
) -> None:
    assert (await posted(api, text)).pinged == pinged


async def test_only_those_allowed_are_notified(api: Raw) -> None:
    ben = str(api.sandbox.person("Ben").id)
    text = "@Ann, @Ben, @everyone"

    nobody = await posted(api, text, allowed_mentions={"parse": []})
    chosen = await posted(api, text, allowed_mentions={"parse": [], "users": [ben]})
    users = await posted(api, text, allowed_mentions={"parse": ["users"]})

    assert nobody.pinged == set()
    assert chosen.pinged == {"Ben"}
    assert [account.name for account in chosen.body.mentions] == ["Ben"]
    assert users.pinged == {"Ann", "Ben"}


async def test_texts_of_the_second_version_notify_too(api: Raw) -> None:
    ben = api.sandbox.person("Ben")
    text = {"type": 10, "content": f"Your turn, {ben.mention}"}
    body = {"flags": V2, "components": [{"type": 17, "components": [text]}]}
    await api.post("games", body)
    await api.post("games", body | {"allowed_mentions": {"parse": []}})

    loud, quiet = api.sandbox.messages("games")
    assert loud.pinged == {"Ben"}
    assert not quiet.pinged


async def test_an_edit_a_silent_and_an_ephemeral_message_notify_nobody(api: Raw) -> None:
    ben = api.sandbox.person("Ben")
    silent = await posted(api, "@Ben", flags=SILENT)
    edited = await posted(api, "Hello")
    path = f"/channels/{edited.channel.id}/messages/{edited.id}"
    await api.send("PATCH", path, {"content": ben.mention})
    typed = await api.typed()
    await api.respond(typed, 4, {"content": ben.mention, "flags": EPHEMERAL})

    assert edited.text == ben.mention
    assert not silent.pinged | edited.pinged | typed.message.pinged


async def test_an_unknown_kind_of_mention_is_refused(api: Raw) -> None:
    answer = await api.post("games", {"content": "x", "allowed_mentions": {"parse": ["friends"]}})

    assert answer.faults() == {"allowed_mentions.parse": ["BASE_TYPE_CHOICES"]}


async def test_users_cannot_be_allowed_both_at_large_and_by_name(api: Raw) -> None:
    allowed = {"parse": ["users"], "users": [str(api.sandbox.person("Ben").id)]}
    answer = await api.post("games", {"content": "x", "allowed_mentions": allowed})

    assert answer.faults() == {"allowed_mentions": ["MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"]}
