"""What the web page asks of the sandbox, and what it is told."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest

from bot.sandbox import Interaction, ManualClock
from tests.bot.sandbox.raw import EPHEMERAL, Answered, Raw

UP = {"type": 2, "style": 1, "label": "Up", "custom_id": "up"}
MENU = {"type": 3, "custom_id": "menu", "options": [{"label": "A", "value": "a"}]}
BOARD = {
    "content": "Board",
    "components": [{"type": 1, "components": [UP]}, {"type": 1, "components": [MENU]}],
}
GAME = {
    "name": "board",
    "description": "Show a board.",
    "type": 1,
    "options": [{"type": 3, "name": "game", "description": "Which.", "autocomplete": True}],
}
FORM = {
    "custom_id": "form",
    "title": "Form",
    "components": [
        {"type": 18, "label": "Name", "component": {"type": 4, "custom_id": "name", "style": 1}}
    ],
}


async def ask(api: Raw, path: str, body: object = None, **headers: str) -> Answered:
    method = "GET" if body is None else "POST"
    url = api.sandbox.url + path
    async with api.session.request(method, url, json=body, headers=headers) as response:
        kind = response.content_type
        told = await response.json() if kind == "application/json" else await response.text()
        return Answered(response.status, told)


async def world(api: Raw, person: str) -> Any:
    answer = await ask(api, f"/sandbox/world?as={api.sandbox.person(person).id}")
    assert answer.status == 200
    return answer.body


async def act(api: Raw, person: str, kind: str, **more: object) -> Answered:
    who = str(api.sandbox.person(person).id)
    where = str(api.sandbox.channel("games").id)
    body = {"as": who, "type": kind, "channel_id": where, **more}
    return await ask(api, "/sandbox/interactions", body)


def find(api: Raw, answer: Answered) -> Interaction:
    assert answer.status == 202, answer
    found = api.sandbox.interaction(int(answer.body["id"]))
    assert found is not None
    return found


@dataclass
class Events:
    """The news as the page hears it."""

    response: aiohttp.ClientResponse

    async def next(self) -> tuple[str, Any]:
        name = (await self.response.content.readline()).decode().removeprefix("event: ").strip()
        data = (await self.response.content.readline()).decode().removeprefix("data: ")
        assert await self.response.content.readline() == b"\n"
        return name, json.loads(data)


@asynccontextmanager
async def news(api: Raw, person: str) -> AsyncIterator[Events]:
    url = f"{api.sandbox.url}/sandbox/events?as={api.sandbox.person(person).id}"
    async with asyncio.timeout(20), api.session.get(url) as response:
        assert response.content_type == "text/event-stream"
        events = Events(response)
        assert await events.next() == ("hello", {})
        yield events


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
    ]
    assert [command["name"] for command in ann["commands"]] == ["go"]
    assert [message["content"] for message in ben["messages"][games]] == ["Board", "Psst"]
    assert [message["content"] for message in ann["messages"][games]] == ["Board"]
    metadata = ann["messages"][games][0]["interaction_metadata"]
    assert (metadata["name"], metadata["user"]["global_name"]) == ("go", "Ben")
    assert sorted(ann["users"].values()) == ["Ann", "Ben", "Cleo", "Dan", "Parlour", "Robot"]


async def test_a_page_without_a_person_gets_the_first(api: Raw) -> None:
    assert (await ask(api, "/sandbox/world")).body["me"]["name"] == "Ann"
    for path in ("/sandbox/world", "/sandbox/events"):
        answer = await ask(api, f"{path}?as=5")
        assert answer.status == 400
        assert answer.body["error"] == "There is no person with the id '5'."


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
        (await act(api, "Ann", "shout"), "The type must be command, component, modal or"),
        (await act(api, "Ann", "command"), "command must be text"),
        (await act(api, "Ann", "command", command="x"), "There is no command /x"),
        (await act(api, "Ann", "command", command="go", channel_id="5"), "no such channel"),
        (await act(api, "Ann", "component", message_id="5", custom_id="up"), "message is gone"),
        (await act(api, "Ann", "component", custom_id="x", **board), "button or menu is gone"),
        (await act(api, "Ann", "component", custom_id="menu", **board), "between 1 and 1 values"),
        (await act(api, "Ann", "modal", interaction_id="5", fields={}), "That form is too old"),
        (await act(api, "Ann", "modal", interaction_id=str(typed.id)), "has no modal open"),
        (await ask(api, "/sandbox/interactions", ["x"]), "must be a JSON object"),
        (await ask(api, "/sandbox/dismiss", {"as": "5"}), "There is no person"),
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


async def test_news_of_a_press_come_in_order(api: Raw) -> None:
    typed = await api.typed()
    await api.respond(typed, 4, BOARD)
    board = typed.message
    async with news(api, "Ben") as events:
        pressed = await api.sandbox.person("Ben").press(board, "Up")
        await api.respond(pressed, 7, {"content": "Changed"})
        heard = [await events.next() for _ in range(3)]

    about = {"id": str(pressed.id), "channel_id": str(board.channel.id)}
    about["message_id"] = str(board.id)
    assert heard[0] == ("interaction", about | {"state": "pending"})
    assert heard[1][0] == "message"
    assert heard[1][1]["message"]["content"] == "Changed"
    assert heard[2] == ("interaction", about | {"state": "done"})


async def test_news_tell_of_thinking_failing_and_modals(
    timed_api: Raw, manual_clock: ManualClock
) -> None:
    ann, games = timed_api.sandbox.person("Ann"), timed_api.sandbox.channel("games")
    await timed_api.register()
    async with news(timed_api, "Ann") as events:
        thinking = await ann.type(games, "go")
        await timed_api.respond(thinking, 5)
        await timed_api.webhook("PATCH", thinking, "/messages/@original", {"content": "Done"})
        opening = await ann.type(games, "go")
        await timed_api.respond(opening, 9, FORM)
        await ann.type(games, "go")
        manual_clock.advance(3)
        heard = [await events.next() for _ in range(10)]

    states = [data["state"] for name, data in heard if name == "interaction"]
    assert states == ["pending", "thinking", "done", "pending", "done", "pending", "failed"]
    (modal,) = [data for name, data in heard if name == "modal"]
    assert (modal["interaction_id"], modal["title"]) == (str(opening.id), "Form")
    assert modal["components"][0]["component"]["custom_id"] == "name"


async def test_news_are_only_of_what_the_person_sees(api: Raw) -> None:
    ann, ben = api.sandbox.person("Ann"), api.sandbox.person("Ben")
    typed = await api.typed("Ann")
    async with news(api, "Ben") as events:
        await api.respond(typed, 4, {"content": "For Ann", "flags": EPHEMERAL})
        await ann.say(ann.dm, "Between us")
        await ben.say(ben.dm, "Mine")
        name, data = await events.next()

    assert (name, data["message"]["content"]) == ("message", "Mine")


async def test_news_tell_of_deletions_dismissals_commands_and_the_bot(api: Raw) -> None:
    typed = await api.typed()
    await api.respond(typed, 4, {"content": "Psst", "flags": EPHEMERAL})
    note = typed.message
    posted = (await api.post("games", {"content": "Hello"})).body
    async with news(api, "Ann") as events:
        who = str(api.sandbox.person("Ann").id)
        gone = await ask(api, "/sandbox/dismiss", {"as": who, "message_id": str(note.id)})
        assert gone.status == 200
        await api.send("DELETE", f"/channels/{posted['channel_id']}/messages/{posted['id']}")
        await api.register(GAME)
        async with api.session.ws_connect(api.sandbox.gateway_url) as socket:
            await socket.send_json({"op": 2, "d": {"token": api.sandbox.token, "intents": 0}})
            heard = [await events.next() for _ in range(4)]
        heard.append(await events.next())

    where = str(note.channel.id)
    assert heard[0] == ("message_delete", {"channel_id": where, "id": str(note.id)})
    assert heard[1] == ("message_delete", {"channel_id": where, "id": posted["id"]})
    assert (heard[2][0], heard[2][1]["commands"][0]["name"]) == ("commands", "board")
    assert heard[3:] == [("bot", {"online": True}), ("bot", {"online": False})]


async def test_only_the_reader_can_dismiss_and_only_what_is_ephemeral(api: Raw) -> None:
    typed = await api.typed()
    await api.respond(typed, 4, BOARD)
    body = {"as": str(api.sandbox.person("Ann").id), "message_id": str(typed.message.id)}

    answer = await ask(api, "/sandbox/dismiss", body)
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
    for path in ("/", "/sandbox/world", "/api/v10/gateway", "/gateway"):
        answer = await ask(api, path, **headers)
        assert answer.status == 403
        assert answer.body == {"error": "The sandbox answers only to this machine."}


async def test_the_page_itself_is_from_here(api: Raw) -> None:
    port = api.sandbox.url.rpartition(":")[2]
    for origin in (api.sandbox.url, f"http://localhost:{port}"):
        assert (await ask(api, "/sandbox/world", Origin=origin)).status == 200


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
