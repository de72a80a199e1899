"""Messages by channel and id: what the bot may do, and how it is refused."""

from __future__ import annotations

import pytest

from bot.sandbox import Permission
from tests.bot.sandbox.raw import EPHEMERAL, Raw

HELLO = {"content": "Hello"}


def one(api: Raw, channel: str, message_id: object) -> str:
    return f"/channels/{api.sandbox.channel(channel).id}/messages/{message_id}"


async def test_a_message_of_the_bot_is_read_changed_and_deleted(api: Raw) -> None:
    posted = await api.post("games", HELLO)
    path = one(api, "games", posted.body["id"])

    changed = await api.send("PATCH", path, {"content": "Bye"})
    assert (changed.status, changed.body["content"]) == (200, "Bye")
    assert changed.body["edited_timestamp"] is not None
    assert (await api.send("GET", path)).body == changed.body
    assert (await api.send("DELETE", path)).status == 204
    for method, body in (("GET", None), ("PATCH", HELLO), ("DELETE", None)):
        assert (await api.send(method, path, body)).refusal == (404, 10008)


async def test_what_an_edit_leaves_out_stays_and_what_is_null_goes(api: Raw) -> None:
    button = {"type": 2, "style": 1, "label": "Up", "custom_id": "up"}
    row = {"type": 1, "components": [button]}
    posted = await api.post("games", HELLO | {"components": [row]})
    path = one(api, "games", posted.body["id"])

    without_row = await api.send("PATCH", path, {"components": None})
    assert (without_row.body["content"], without_row.body["components"]) == ("Hello", [])
    assert (await api.send("PATCH", path, {"content": None})).refusal == (400, 50006)
    assert (await api.send("GET", path)).body["content"] == "Hello"


@pytest.mark.parametrize("empty", [{}, {"content": ""}, {"content": " \n"}, {"components": []}])
async def test_an_empty_message_is_refused_with_50006(api: Raw, empty: object) -> None:
    assert (await api.post("games", empty)).refusal == (400, 50006)


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"content": "x" * 2001}, "content", "BASE_TYPE_MAX_LENGTH"),
        ({"content": 5}, "content", "BASE_TYPE_BAD_STRING"),
        ({"embeds": [{"title": "x"}]}, "embeds", "NOT_IN_THE_SANDBOX"),
        ({"poll": {"question": {}}}, "poll", "NOT_IN_THE_SANDBOX"),
        ({"flags": "many"}, "flags", "NUMBER_TYPE_COERCE"),
        ({"components": "one"}, "components", "BASE_TYPE_ITERABLE"),
        ({"attachments": ["one"]}, "attachments.0", "MODEL_TYPE_CONVERT"),
        ({"attachments": [{"id": "x"}]}, "attachments.0.id", "NUMBER_TYPE_COERCE"),
        (
            {"content": "x", "allowed_mentions": {"parse": [], "replied_user": 1}},
            "allowed_mentions.replied_user",
            "BOOLEAN_TYPE_CONVERT",
        ),
        (
            {"content": "x", "allowed_mentions": {"parse": [5]}},
            "allowed_mentions.parse",
            "BASE_TYPE_BAD_STRING",
        ),
        ({"content": "x", "nonce": "x" * 26}, "nonce", "BASE_TYPE_MAX_LENGTH"),
        ({"attachments": [{"id": 0}]}, "attachments", "ATTACHMENT_NOT_FOUND"),
        (
            {"content": "x", "message_reference": {"message_id": "5"}},
            "message_reference",
            "NOT_IN_THE_SANDBOX",
        ),
    ],
)
async def test_what_is_too_long_or_wrong_is_named_with_its_place(
    api: Raw, body: object, field: str, code: str
) -> None:
    answer = await api.post("games", body)

    assert answer.refusal == (400, 50035)
    assert answer.faults() == {field: [code]}


async def test_of_two_messages_with_one_nonce_there_is_the_first_for_two_minutes(api: Raw) -> None:
    once = HELLO | {"nonce": "of-a-message", "enforce_nonce": True}
    first = await api.post("games", once)
    assert first.body["nonce"] == "of-a-message"
    assert (await api.post("games", once | {"content": "Bye"})).body == first.body
    assert (await api.post("lounge", once)).body["id"] == first.body["id"], "whatever the channel"
    api.sandbox.advance(121)
    assert (await api.post("games", once)).body["id"] != first.body["id"]


async def test_a_nonce_that_is_not_enforced_is_only_told(api: Raw) -> None:
    told = HELLO | {"nonce": 12}
    first, second = await api.post("games", told), await api.post("games", told)
    assert first.body["nonce"] == "12"
    assert first.body["id"] != second.body["id"]


async def test_the_nonce_of_a_deleted_message_is_refused_with_10008(api: Raw) -> None:
    once = HELLO | {"nonce": "of-a-message", "enforce_nonce": True}
    posted = await api.post("games", once)
    await api.send("DELETE", one(api, "games", posted.body["id"]))
    assert (await api.post("games", once)).refusal == (404, 10008)


async def test_the_longest_content_passes(api: Raw) -> None:
    assert (await api.post("games", {"content": "x" * 2000})).status == 200


async def test_a_body_that_is_no_json_is_refused_with_50109(api: Raw) -> None:
    url = f"{api.sandbox.api}/channels/{api.sandbox.channel('games').id}/messages"
    headers = {"Authorization": f"Bot {api.sandbox.token}", "Content-Type": "application/json"}
    async with api.session.post(url, data="{", headers=headers) as response:
        assert (response.status, (await response.json())["code"]) == (400, 50109)


async def test_a_message_of_another_is_refused_with_50005(api: Raw) -> None:
    said = await api.sandbox.person("Ann").say(api.sandbox.channel("games"), "Mine")
    path = one(api, "games", said.id)

    assert (await api.send("PATCH", path, HELLO)).refusal == (403, 50005)
    assert (await api.send("DELETE", path)).refusal == (403, 50013)
    direct = await api.sandbox.person("Ann").say(api.sandbox.person("Ann").dm, "Mine")
    path = f"/channels/{direct.channel.id}/messages/{direct.id}"
    assert (await api.send("DELETE", path)).refusal == (403, 50003)


async def test_what_others_say_is_hidden_unless_it_is_meant_for_the_bot(api: Raw) -> None:
    ann, games = api.sandbox.person("Ann"), api.sandbox.channel("games")
    said = await ann.say(games, "Between us")
    direct = await ann.say(ann.dm, "For you")

    assert (await api.send("GET", one(api, "games", said.id))).body["content"] == ""
    path = f"/channels/{ann.dm.id}/messages/{direct.id}"
    assert (await api.send("GET", path)).body["content"] == "For you"


async def test_an_unknown_channel_is_refused_with_10003(api: Raw) -> None:
    for method, path in (("POST", "/channels/5/messages"), ("GET", "/channels/5")):
        assert (await api.send(method, path, HELLO if method == "POST" else None)).refusal == (
            404,
            10003,
        )


async def test_a_channel_out_of_sight_is_refused_with_50001(api: Raw) -> None:
    lounge = api.sandbox.channel("lounge")
    posted = await api.post("lounge", HELLO)
    api.sandbox.deny(lounge, Permission.VIEW_CHANNEL)

    assert (await api.post("lounge", HELLO)).refusal == (403, 50001)
    path = one(api, "lounge", posted.body["id"])
    assert (await api.send("PATCH", path, HELLO)).refusal == (403, 50001)
    assert (await api.send("GET", f"/channels/{lounge.id}")).refusal == (403, 50001)


async def test_a_channel_where_the_bot_may_not_write_is_refused_with_50013(api: Raw) -> None:
    api.sandbox.deny(api.sandbox.channel("lounge"), Permission.SEND_MESSAGES)
    api.sandbox.deny(api.sandbox.channel("games-thread"), Permission.SEND_MESSAGES_IN_THREADS)

    assert (await api.post("lounge", HELLO)).refusal == (403, 50013)
    assert (await api.post("games-thread", HELLO)).refusal == (403, 50013)
    assert (await api.post("games", HELLO)).status == 200


async def test_where_the_bot_may_not_write_it_may_still_answer(api: Raw) -> None:
    api.sandbox.deny(
        api.sandbox.channel("lounge"), Permission.SEND_MESSAGES, Permission.VIEW_CHANNEL
    )
    typed = await api.typed(channel="lounge")

    assert (await api.respond(typed, 4, HELLO)).status == 204
    assert api.sandbox.person("Ann").sees(typed.channel) == [typed.message]


async def test_what_is_in_an_archived_thread_is_refused_with_50083_until_it_is_open(
    api: Raw,
) -> None:
    posted = await api.post("games-thread", HELLO)
    thread = api.sandbox.channel("games-thread")
    path = one(api, "games-thread", posted.body["id"])
    api.sandbox.archive(thread)

    assert (await api.send("PATCH", path, HELLO)).refusal == (400, 50083)
    assert (await api.send("DELETE", path)).refusal == (400, 50083)
    assert (await api.send("GET", path)).status == 200
    opened = await api.send("PATCH", f"/channels/{thread.id}", {"archived": False})
    assert opened.body["thread_metadata"]["archived"] is False
    assert (await api.send("DELETE", path)).status == 204


async def test_a_message_opens_an_archived_thread(api: Raw) -> None:
    thread = api.sandbox.channel("games-thread")
    api.sandbox.archive(thread)

    assert (await api.post("games-thread", HELLO)).status == 200
    assert not thread.archived


async def test_only_moderators_open_a_locked_thread(api: Raw) -> None:
    thread, games = api.sandbox.channel("games-thread"), api.sandbox.channel("games")
    opening = {"archived": False}
    api.sandbox.archive(thread, locked=True)

    assert (await api.post("games-thread", HELLO)).refusal == (400, 50083)
    for channel in (thread, games):
        changed = await api.send("PATCH", f"/channels/{channel.id}", opening)
        assert changed.refusal == (403, 50013)
    api.sandbox.archive(thread)
    api.sandbox.deny(thread, Permission.SEND_MESSAGES_IN_THREADS)
    changed = await api.send("PATCH", f"/channels/{thread.id}", opening)
    assert changed.refusal == (403, 50013)
    assert thread.archived


async def test_closed_direct_messages_are_refused_with_50007(api: Raw) -> None:
    ann = api.sandbox.person("Ann")
    opened = await api.send("POST", "/users/@me/channels", {"recipient_id": str(ann.id)})
    path = f"/channels/{opened.body['id']}/messages"
    assert (await api.send("POST", path, HELLO)).status == 200

    ann.close_dms()

    assert (await api.send("POST", path, HELLO)).refusal == (403, 50007)
    assert [message.text for message in ann.sees(ann.dm)] == ["Hello"]


async def test_there_are_no_direct_messages_with_bots_or_nobody(api: Raw) -> None:
    robot = api.sandbox.person("Robot")
    for recipient, refusal in ((robot.id, (403, 50007)), (5, (404, 10013))):
        body = {"recipient_id": str(recipient)}
        assert (await api.send("POST", "/users/@me/channels", body)).refusal == refusal


async def test_an_ephemeral_message_exists_for_its_reader_alone(api: Raw) -> None:
    typed = await api.typed("Ben")
    button = {"type": 2, "style": 1, "label": "Up", "custom_id": "up"}
    note = {"flags": EPHEMERAL, "components": [{"type": 1, "components": [button]}]}
    await api.respond(typed, 4, HELLO | note)
    path = one(api, "games", typed.message.id)

    for method, body in (("GET", None), ("PATCH", HELLO), ("DELETE", None)):
        assert (await api.send(method, path, body)).refusal == (404, 10008)
    games = api.sandbox.channel("games")
    assert api.sandbox.person("Ben").sees(games) == [typed.message]
    assert api.sandbox.person("Ann").sees(games) == []
    with pytest.raises(ValueError, match="Ann does not see that message"):
        await api.sandbox.person("Ann").press(typed.message, "Up")


async def test_a_plain_message_cannot_be_ephemeral(api: Raw) -> None:
    posted = await api.post("games", HELLO | {"flags": EPHEMERAL})

    assert posted.body["flags"] == 0
    assert len(api.sandbox.person("Dan").sees(api.sandbox.channel("games"))) == 1


async def test_who_manages_messages_may_delete_those_of_the_bot(api: Raw) -> None:
    ann, ben, games = api.sandbox.person("Ann"), api.sandbox.person("Ben"), "games"
    posted = await api.post(games, HELLO)
    (message,) = ann.sees(api.sandbox.channel(games))
    own = await ben.say(api.sandbox.channel(games), "Mine")

    with pytest.raises(ValueError, match="Ben may not delete messages of others here"):
        ben.delete(message)
    ben.delete(own)
    ann.delete(message)

    path = one(api, games, posted.body["id"])
    assert (await api.send("PATCH", path, HELLO)).refusal == (404, 10008)
    assert own.deleted
    with pytest.raises(ValueError, match="Ann sees no such message"):
        ann.delete(message)
