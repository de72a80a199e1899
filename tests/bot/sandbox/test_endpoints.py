"""Endpoints of the web page, and their answers."""

from __future__ import annotations

import asyncio
import io
import json
import re
from typing import Any

import aiohttp
import pytest

from bot.sandbox import Interaction, Permission
from tests.bot.english import says
from tests.bot.sandbox.page_requests import BOARD, FORM, GAME, act, ask, news
from tests.bot.sandbox.raw import EPHEMERAL, Answered, Raw
from tests.bot.stand_in import ManualClock


async def world(api: Raw, person: str) -> Any:
    async with news(api, person) as events:
        return events.world


def find(api: Raw, answer: Answered) -> Interaction:
    assert answer.status == 202, answer
    found = api.sandbox.interaction(int(answer.body["id"]))
    assert found is not None
    return found


async def test_the_world_is_told_as_one_person_sees_it(api: Raw) -> None:
    typed = await api.typed("Ben")
    await api.respond(typed, 4, BOARD)
    await api.webhook("POST", typed, body={"content": "Psst", "flags": EPHEMERAL})
    ann, ben = await world(api, "Ann"), await world(api, "Ben")
    games = str(api.sandbox.channel("games").id)

    assert [person["name"] for person in ann["people"]] == ["Ann", "Ben", "Cleo", "Dan"]
    assert ann["me"]["name"] == "Ann"
    assert ann["bot"] == {"id": str(api.application), "name": "Parlour", "online": False}
    assert [(each["name"], each["kind"]) for each in ann["channels"]] == [
        ("games", "text"),
        ("lounge", "text"),
        ("games-thread", "thread"),
        ("direct messages with Ann", "dm"),
        ("another-server", "text"),
        ("group-chat", "group"),
        ("ann-and-ben", "dm"),
    ]
    assert [each["inside"] for each in ann["channels"]] == [True] * 4 + [False] * 3
    assert [command["name"] for command in ann["commands"]] == ["go"]
    assert [message["content"] for message in ben["messages"][games]] == ["Board", "Psst"]
    assert [message["content"] for message in ann["messages"][games]] == ["Board"]
    metadata = ann["messages"][games][0]["interaction_metadata"]
    assert (metadata["name"], metadata["user"]["global_name"]) == ("go", "Ben")
    assert sorted(ann["users"].values()) == ["Ann", "Ben", "Cleo", "Dan", "Parlour", "Robot"]


@pytest.mark.parametrize("name", ["", "nobody", "Robot"])
async def test_a_page_without_a_person_gets_the_first(api: Raw, name: str) -> None:
    assert (await world(api, name))["me"]["name"] == "Ann"


async def test_a_command_a_press_a_pick_and_a_modal_are_sent(api: Raw) -> None:
    await api.register()
    typed = find(api, await act(api, "Ann", "command", command="go", options={}))
    await api.respond(typed, 4, BOARD)
    board = {"message_id": str(typed.message.id)}

    pressed = find(api, await act(api, "Ben", "component", custom_id="up", **board))
    picked = find(api, await act(api, "Ben", "component", custom_id="menu", values=["a"], **board))
    await api.respond(pressed, 9, FORM)
    modal = {"interaction_id": str(pressed.id), "fields": {"name": "Ben"}}
    sent = find(api, await act(api, "Ben", "modal", **modal))

    assert (pressed.source, pressed.person.name) == (typed.message, "Ben")
    assert picked.data["values"] == ["a"]
    assert sent.trigger is pressed


async def test_what_cannot_be_done_is_said_in_a_sentence(api: Raw) -> None:
    typed = await api.typed()
    await api.respond(typed, 4, BOARD)
    board = {"message_id": str(typed.message.id)}

    for answer, sentence in (
        (await act(api, "Ann", "shout"), "The sandbox knows no action 'shout'."),
        (await act(api, "Ann", "message"), "content must be text"),
        (await act(api, "Ann", "locale", locale="tlh"), "Discord has no language 'tlh'"),
        (await act(api, "Ann", "advance", seconds=0), "moved on by 1 second to 60 days"),
        (await act(api, "Ann", "advance", seconds="x"), "moved on by 1 second to 60 days"),
        (await act(api, "Ann", "person-command", target_id="5"), "There is nobody with that id"),
        (await act(api, "Ann", "command"), "command must be text"),
        (await act(api, "Ann", "command", command="x"), "There is no command /x"),
        (
            await act(api, "Ann", "command", command="go", channel_id="5"),
            says("page.refused.no_channel"),
        ),
        (
            await act(api, "Ann", "component", message_id="5", custom_id="up"),
            says("page.refused.no_message"),
        ),
        (
            await act(api, "Ann", "component", custom_id="x", **board),
            says("page.refused.no_control"),
        ),
        (await act(api, "Ann", "component", custom_id="menu", **board), "between 1 and 1 values"),
        (
            await act(api, "Ann", "modal", interaction_id="5", fields={}),
            says("page.refused.old_form"),
        ),
        (await act(api, "Ann", "modal", interaction_id=str(typed.id)), "has no modal open"),
        (await ask(api, "/sandbox/act", ["x"]), "must be a JSON object"),
        (await ask(api, "/sandbox/act", {"as": "5"}), "There is no person"),
    ):
        assert answer.status == 400
        assert sentence in answer.body["error"]


async def test_suggestions_are_answered_at_once(api: Raw) -> None:
    await api.register(GAME)
    asking = asyncio.create_task(
        act(api, "Ann", "autocomplete", command="board", options={"game": "ab"}, focused="game")
    )
    interaction = await api.sandbox.until(lambda: api.sandbox.pending)
    choice = {"name": "Ann against Ben", "value": "g1"}
    await api.respond(interaction[0], 8, {"choices": [choice]})

    assert (await asking).body == {"choices": [choice]}
    assert interaction[0].data["options"] == [
        {"type": 3, "name": "game", "value": "ab", "focused": True}
    ]


@pytest.mark.parametrize(
    ("choices", "field"),
    [
        (26 * [{"name": "x", "value": "y"}], "data.choices"),
        ([{"name": "x" * 101, "value": "y"}], "data.choices.0.name"),
        ([{"name": "x", "value": "y" * 101}], "data.choices.0.value"),
        ([{"name": "x"}], "data.choices.0.value"),
    ],
)
async def test_wrong_suggestions_are_refused(api: Raw, choices: list[object], field: str) -> None:
    await api.register(GAME)
    body: dict[str, Any] = {"command": "board", "options": {}, "focused": "game"}
    asking = asyncio.create_task(act(api, "Ann", "autocomplete", **body))
    interaction = (await api.sandbox.until(lambda: api.sandbox.pending))[0]

    answer = await api.respond(interaction, 8, {"choices": choices})
    assert answer.refusal == (400, 50035)
    assert list(answer.faults()) == [field]
    await api.respond(interaction, 8, {"choices": [{"name": "5", "value": 5}]})
    assert (await asking).body == {"choices": [{"name": "5", "value": 5}]}


async def test_without_suggestions_in_time_that_is_said(
    timed_api: Raw, manual_clock: ManualClock
) -> None:
    await timed_api.register(GAME)
    more: dict[str, Any] = {"command": "board", "options": {}, "focused": "game"}
    asking = asyncio.create_task(act(timed_api, "Ann", "autocomplete", **more))
    await timed_api.sandbox.until(lambda: timed_api.sandbox.pending)
    manual_clock.advance(3)

    answer = await asking
    assert (answer.status, "did not answer" in answer.body["error"]) == (400, True)


async def test_only_the_reader_can_dismiss_and_only_what_is_ephemeral(api: Raw) -> None:
    typed = await api.typed()
    await api.respond(typed, 4, BOARD)

    answer = await act(api, "Ann", "dismiss", message_id=str(typed.message.id))
    assert answer.status == 400
    assert answer.body["error"] == "Only an ephemeral message can be dismissed, by its reader."


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "sandbox.example.org"},
        {"Origin": "https://example.org"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
        {"Origin": "http://["},
    ],
)
async def test_who_comes_from_elsewhere_is_refused(api: Raw, headers: dict[str, str]) -> None:
    for path in ("/", "/sandbox/events", "/api/v10/gateway", "/gateway"):
        answer = await ask(api, path, **headers)
        assert answer.status == 403
        assert answer.body == {"error": "The sandbox answers only to this machine."}


async def test_the_page_itself_is_from_here(api: Raw) -> None:
    port = api.sandbox.url.rpartition(":")[2]
    for origin in (api.sandbox.url, f"http://localhost:{port}"):
        assert (await ask(api, "/", Origin=origin)).status == 200


async def test_the_page_is_served_with_nothing_from_elsewhere_and_nothing_beside_it(
    api: Raw,
) -> None:
    async with api.session.get(api.sandbox.url) as response:
        assert response.status == 200
        assert response.content_type == "text/html"
        assert "default-src 'self'" in response.headers["Content-Security-Policy"]
    for name in ("nothing.js", "..%2Fsandbox.py", "%2e%2e%2fsandbox.py", "..%5Csandbox.py"):
        answer = await ask(api, f"/page/{name}")
        assert (answer.status, "has no file" in answer.body) == (404, True)


async def test_a_browser_keeps_the_files_of_a_page_until_they_change(api: Raw) -> None:
    main = re.compile(r'src="(/page/\w+/main\.js)"').search((await ask(api, "/")).body)
    assert main is not None
    for path, kept in ((main[1], "max-age=31536000, immutable"), ("/page/main.js", "no-cache")):
        async with api.session.get(api.sandbox.url + path) as response:
            assert response.headers["Cache-Control"] == kept
            assert "new Page()" in await response.text()


async def test_an_attachment_cannot_act_as_a_page(api: Raw) -> None:
    form = aiohttp.FormData()
    form.add_field("payload_json", json.dumps({"content": "x"}))
    script = "<script>alert(1)</script>"
    form.add_field("files[0]", script, filename="a b.html", content_type="text/html")
    url = f"{api.sandbox.api}/channels/{api.sandbox.channel('games').id}/messages"
    headers = {"Authorization": f"Bot {api.sandbox.token}"}
    async with api.session.post(url, data=form, headers=headers) as response:
        (attachment,) = (await response.json())["attachments"]

    async with api.session.get(attachment["url"]) as response:
        assert await response.text() == script
        assert response.headers["Content-Security-Policy"].startswith("sandbox;")
        assert response.headers["X-Content-Type-Options"] == "nosniff"
    wrong = await ask(api, "/attachments/5/a.html")
    assert (wrong.status, wrong.body) == (404, "There is no such attachment.")


async def test_a_file_beyond_ten_mebibytes_is_refused_with_40005(api: Raw) -> None:
    form = aiohttp.FormData()
    form.add_field("payload_json", json.dumps({"content": "x"}))
    form.add_field("files[0]", io.BytesIO(bytes(10 * 1024 * 1024 + 1)), filename="large.bin")
    url = f"{api.sandbox.api}/channels/{api.sandbox.channel('games').id}/messages"
    headers = {"Authorization": f"Bot {api.sandbox.token}"}
    async with api.session.post(url, data=form, headers=headers) as response:
        assert (response.status, (await response.json())["code"]) == (413, 40005)


async def test_a_command_on_a_person_is_sent(api: Raw) -> None:
    await api.register({"name": "Show stats", "type": 2})
    ben = api.sandbox.person("Ben")
    chosen = {"command": "Show stats", "target_id": str(ben.id)}
    sent = find(api, await act(api, "Ann", "person-command", **chosen))

    assert (sent.data["type"], sent.data["target_id"]) == (2, str(ben.id))
    resolved: Any = sent.data["resolved"]
    assert list(resolved["users"]) == list(resolved["members"]) == [str(ben.id)]
    assert sent.data["name"] == "Show stats"


async def test_a_command_on_a_message_is_sent_with_all_of_the_message(api: Raw) -> None:
    await api.register({"name": "Explain", "type": 3})
    ben, games = api.sandbox.person("Ben"), api.sandbox.channel("games")
    said = ben.write(games, "A secret of others")
    chosen = {"command": "Explain", "message_id": str(said.id)}
    sent = find(api, await act(api, "Ann", "message-command", **chosen))

    assert (sent.data["type"], sent.data["target_id"]) == (3, str(said.id))
    resolved: Any = sent.data["resolved"]
    assert resolved["messages"][str(said.id)]["content"] == "A secret of others"
    chosen["command"] = "Gone"
    refused = await act(api, "Ann", "message-command", **chosen)
    assert "There is no command 'Gone' in the menu of a message." in str(refused)


async def test_people_chat_and_may_close_their_direct_messages(api: Raw) -> None:
    ann, games = api.sandbox.person("Ann"), api.sandbox.channel("games")
    opened = await api.send("POST", "/users/@me/channels", {"recipient_id": str(ann.id)})
    path = f"/channels/{opened.body['id']}/messages"
    await act(api, "Ann", "message", content="Hello")
    statuses = []
    for on in (False, True):
        await act(api, "Ann", "direct-messages", on=on)
        statuses.append((await api.send("POST", path, {"content": "Your turn"})).status)

    assert [message.text for message in ann.sees(games)] == ["Hello"]
    assert statuses == [403, 200]


async def test_a_reset_leaves_no_message_and_everybody_as_at_the_start(api: Raw) -> None:
    ben = api.sandbox.person("Ben")
    before = ben.permissions
    await api.post("games", {"content": "Hello"})
    await ben.say(ben.dm, "Hello")
    ben.grant(Permission.MANAGE_GUILD)
    ben.locale = "de"
    ben.close_dms()

    assert (await act(api, "Ann", "reset")).status == 200

    assert api.sandbox.messages("games") == ben.sees(ben.dm) == []
    assert (ben.permissions, ben.locale) == (before, "en-US")
    assert ben.account.takes_direct_messages
