"""The news that the web page hears."""

from __future__ import annotations

from contextlib import AsyncExitStack

from tests.bot.sandbox.page_requests import BOARD, FORM, GAME, act, news
from tests.bot.sandbox.raw import EPHEMERAL, Raw
from tests.bot.stand_in import ManualClock


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
        gone = await act(api, "Ann", "dismiss", message_id=str(note.id))
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


async def test_news_tell_whether_one_is_notified_and_an_edit_never_does(api: Raw) -> None:
    ben = api.sandbox.person("Ben")
    async with news(api, "Ben") as bens, news(api, "Ann") as anns:
        posted = (await api.post("games", {"content": f"Your turn, {ben.mention}"})).body
        path = f"/channels/{posted['channel_id']}/messages/{posted['id']}"
        await api.send("PATCH", path, {"content": f"Still, {ben.mention}"})
        quiet = {"content": ben.mention, "allowed_mentions": {"parse": []}}
        await api.post("games", quiet)
        heard = [(await bens.next())[1]["message"] for _ in range(3)]
        others = [(await anns.next())[1]["message"]["pinged"] for _ in range(3)]

    assert [message["pinged"] for message in heard] == [True, True, False]
    assert heard[1]["content"].startswith("Still")
    assert others == [False, False, False]


async def test_news_tell_of_the_clock_and_of_what_one_has_chosen(api: Raw) -> None:
    async with news(api, "Ben") as events:
        assert (await act(api, "Ann", "advance", seconds=3600)).status == 200
        name, clock = await events.next()
        await act(api, "Ben", "locale", locale="de")
        await act(api, "Ben", "direct-messages", on=False)
        settings = [(await events.next()) for _ in range(2)]

    assert (name, 3590 < clock["now"] - events.world["now"] < 3700) == ("clock", True)
    assert [kind for kind, _ in settings] == ["me", "me"]
    assert settings[1][1]["locale"] == "de"
    assert [told["takes_direct_messages"] for _, told in settings] == [True, False]
    assert api.sandbox.person("Ben").locale == "de"


async def test_many_pages_are_told_at_once(api: Raw) -> None:
    async with AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(news(api, "Ben")) for _ in range(40)]
        await api.post("games", {"content": "Hello"})
        heard = [(await page.next())[1]["message"]["content"] for page in pages]

    assert heard == ["Hello"] * 40
