"""Answers to an interaction: the ways, the times and the limits."""

from __future__ import annotations

import asyncio

import pytest

from bot.sandbox import Answer, Interaction, NotAnswered, Payload
from tests.bot.sandbox.raw import EPHEMERAL, V2, Raw
from tests.bot.stand_in import ManualClock

MESSAGE, THINKING, LATER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
BOARD: Payload = {
    "content": "Board",
    "components": [
        {"type": 1, "components": [{"type": 2, "style": 1, "label": "Up", "custom_id": "up"}]}
    ],
}
FORM: Payload = {
    "custom_id": "form",
    "title": "Form",
    "components": [
        {
            "type": 18,
            "label": "Name",
            "component": {"type": 4, "custom_id": "name", "style": 1},
        }
    ],
}


async def pressed(api: Raw) -> Interaction:
    typed = await api.typed()
    await api.respond(typed, MESSAGE, BOARD)
    return await api.sandbox.person("Ben").press(typed.message, "Up")


async def test_a_second_acknowledgement_is_refused_with_40060(api: Raw) -> None:
    typed = await api.typed()

    assert (await api.respond(typed, MESSAGE, {"content": "One"})).status == 204
    assert (await api.respond(typed, MESSAGE, {"content": "Two"})).refusal == (400, 40060)
    assert typed.message.text == "One"


async def test_of_two_simultaneous_acknowledgements_one_counts(api: Raw) -> None:
    typed = await api.typed()
    answers = await asyncio.gather(*(api.respond(typed, THINKING) for _ in range(8)))

    assert sorted(answer.status for answer in answers) == [204] + 7 * [400]


async def test_after_three_seconds_an_acknowledgement_is_refused_with_10062(
    timed_api: Raw, manual_clock: ManualClock
) -> None:
    typed = await timed_api.typed()
    manual_clock.advance(3)

    assert typed.failed
    with pytest.raises(NotAnswered, match=r"Ann's command go: .* within 3 s"):
        await typed.answered()
    assert (await timed_api.respond(typed, MESSAGE, BOARD)).refusal == (404, 10062)


async def test_just_before_three_seconds_an_acknowledgement_still_counts(
    timed_api: Raw, manual_clock: ManualClock
) -> None:
    typed = await timed_api.typed()
    manual_clock.advance(2.999)

    assert (await timed_api.respond(typed, THINKING)).status == 204
    manual_clock.advance(10)
    assert not typed.failed
    assert (await typed.answered()) is typed


async def test_a_refused_acknowledgement_leaves_the_interaction_open(api: Raw) -> None:
    typed = await api.typed()

    assert (await api.respond(typed, MESSAGE, {})).refusal == (400, 50006)
    assert (await api.respond(typed, MESSAGE, {"content": "x" * 2001})).refusal == (400, 50035)
    assert (await api.respond(typed, MESSAGE, BOARD)).status == 204


async def test_a_wrong_token_or_id_is_refused_with_10062(api: Raw) -> None:
    typed, other = await api.typed(), await api.typed()
    wrong = f"/interactions/{other.id}/{typed.token}/callback"

    assert (await api.send("POST", wrong, {"type": 5})).refusal == (404, 10062)
    unknown = f"/interactions/{typed.id}/{'x' * 20}/callback"
    assert (await api.send("POST", unknown, {"type": 5})).refusal == (404, 10062)


async def test_the_token_is_good_for_15_minutes_and_then_refused_with_50027(
    timed_api: Raw, manual_clock: ManualClock
) -> None:
    typed = await timed_api.typed()
    await timed_api.respond(typed, MESSAGE, BOARD)
    manual_clock.advance(15 * 60)
    assert (await timed_api.webhook("POST", typed, body={"content": "Late"})).status == 200

    manual_clock.advance(1)

    change = {"content": "Too late"}
    original = "/messages/@original"
    for answer in (
        await timed_api.webhook("POST", typed, body=change),
        await timed_api.webhook("PATCH", typed, original, change),
        await timed_api.webhook("GET", typed, original),
        await timed_api.webhook("DELETE", typed, original),
    ):
        assert answer.refusal == (401, 50027)
    assert typed.message.text == "Board"


async def test_a_board_of_any_age_is_updated_by_a_fresh_press(
    timed_api: Raw, manual_clock: ManualClock
) -> None:
    typed = await timed_api.typed()
    await timed_api.respond(typed, MESSAGE, BOARD)
    manual_clock.advance(30 * 24 * 3600)
    press = await timed_api.sandbox.person("Ben").press(typed.message, "Up")

    assert (await timed_api.respond(press, UPDATE, {"content": "Still here"})).status == 204
    assert typed.message.text == "Still here"


async def test_nothing_follows_before_the_acknowledgement(api: Raw) -> None:
    typed = await api.typed()

    assert (await api.webhook("POST", typed, body={"content": "x"})).refusal == (404, 10015)
    assert (await api.webhook("GET", typed, "/messages/@original")).refusal == (404, 10015)


@pytest.mark.parametrize("kind", [1, LATER_UPDATE, UPDATE, CHOICES, 2, 99])
async def test_a_command_takes_no_update_and_no_suggestions(api: Raw, kind: int) -> None:
    answer = await api.respond(await api.typed(), kind, BOARD)

    assert answer.refusal == (400, 50035)
    assert answer.faults() == {"type": ["BASE_TYPE_CHOICES"]}


async def test_with_response_tells_about_the_message(api: Raw) -> None:
    typed = await api.typed()
    answer = await api.respond(typed, MESSAGE, BOARD, query="?with_response=true")

    assert answer.status == 200
    assert answer.body["interaction"] == {
        "id": str(typed.id),
        "type": 2,
        "response_message_id": str(typed.message.id),
        "response_message_loading": False,
        "response_message_ephemeral": False,
    }
    assert answer.body["resource"]["type"] == MESSAGE
    assert answer.body["resource"]["message"]["content"] == "Board"


async def test_thinking_becomes_the_answer_when_it_is_edited(api: Raw) -> None:
    typed = await api.typed()
    answer = await api.respond(typed, THINKING, {"flags": EPHEMERAL}, query="?with_response=1")
    assert answer.body["interaction"]["response_message_loading"]
    assert typed.message.thinking
    assert typed.message.ephemeral

    await api.webhook("PATCH", typed, "/messages/@original", {"content": "Four"})

    assert (typed.message.text, typed.message.thinking) == ("Four", False)
    assert typed.message.ephemeral


async def test_the_first_message_after_thinking_takes_its_place(api: Raw) -> None:
    typed = await api.typed()
    await api.respond(typed, THINKING)
    first = await api.webhook("POST", typed, body={"content": "First"})
    second = await api.webhook("POST", typed, body={"content": "Second", "flags": EPHEMERAL})

    assert first.body["id"] == str(typed.message.id)
    assert typed.message.text == "First"
    assert [message.text for message in typed.followups] == ["Second"]
    assert second.body["flags"] == EPHEMERAL


async def test_a_press_can_be_acknowledged_now_and_the_message_changed_later(api: Raw) -> None:
    press = await pressed(api)
    await api.respond(press, LATER_UPDATE)
    assert (press.message.text, press.message.edits) == ("Board", 0)

    await api.webhook("PATCH", press, "/messages/@original", {"content": "Changed"})

    assert (press.message.text, press.message.edits) == ("Changed", 1)
    assert [button.label for button in press.message.buttons] == ["Up"]


async def test_a_press_on_a_message_that_was_deleted_meanwhile_cannot_update_it(api: Raw) -> None:
    press = await pressed(api)
    channel = api.sandbox.channel("games")
    assert press.source is not None
    await api.send("DELETE", f"/channels/{channel.id}/messages/{press.source.id}")

    assert (await api.respond(press, UPDATE, {"content": "x"})).refusal == (404, 10008)
    assert (await api.respond(press, MESSAGE, {"content": "It is gone"})).status == 204


async def test_an_answer_to_a_press_refers_to_the_message_pressed(api: Raw) -> None:
    press = await pressed(api)
    answer = await api.respond(press, MESSAGE, {"content": "Well"}, query="?with_response=1")
    message = answer.body["resource"]["message"]

    assert press.source is not None
    assert message["message_reference"]["message_id"] == str(press.source.id)
    assert message["interaction_metadata"]["interacted_message_id"] == str(press.source.id)
    assert message["interaction_metadata"]["user"]["username"] == "ben"


async def test_only_messages_of_the_interaction_are_reached_with_its_token(api: Raw) -> None:
    mine, other = await api.typed(), await api.typed("Ben")
    await api.respond(mine, MESSAGE, BOARD)
    await api.respond(other, MESSAGE, BOARD)

    path = f"/messages/{other.message.id}"
    assert (await api.webhook("PATCH", mine, path, {"content": "x"})).refusal == (404, 10008)
    assert (await api.webhook("DELETE", mine, path)).refusal == (404, 10008)
    assert other.message.text == "Board"


async def test_a_followup_is_read_changed_and_deleted_by_its_id(api: Raw) -> None:
    typed = await api.typed()
    await api.respond(typed, MESSAGE, BOARD)
    follow_up = await api.webhook("POST", typed, body={"content": "One", "flags": EPHEMERAL})
    path = f"/messages/{follow_up.body['id']}"

    await api.webhook("PATCH", typed, path, {"content": "Two"})
    assert (await api.webhook("GET", typed, path)).body["content"] == "Two"
    assert (await api.webhook("DELETE", typed, path)).status == 204
    assert (await api.webhook("GET", typed, path)).refusal == (404, 10008)
    assert api.sandbox.person("Ann").sees(api.sandbox.channel("games")) == [typed.message]


async def test_a_modal_is_filled_in_and_its_sender_may_get_the_board_updated(api: Raw) -> None:
    press = await pressed(api)
    await api.respond(press, MODAL, FORM)
    assert (await press.answered()).response is Answer.MODAL
    sent = await api.sandbox.person("Ben").fill(press, name="Tic")

    assert sent.data["custom_id"] == "form"
    assert (await api.respond(sent, MODAL, FORM)).refusal == (400, 50035)
    assert (await api.respond(sent, UPDATE, {"content": "Hello Tic"})).status == 204
    assert sent.message is press.source


async def test_a_modal_after_a_command_has_no_message_to_update(api: Raw) -> None:
    typed = await api.typed()
    await api.respond(typed, MODAL, FORM)
    sent = await api.sandbox.person("Ann").fill(typed, name="Tic")

    assert (await api.respond(sent, UPDATE, {"content": "x"})).refusal == (400, 50035)
    assert (await api.respond(sent, MESSAGE, {"content": "Hello"})).status == 204


async def test_an_answer_in_the_second_version_keeps_to_it(api: Raw) -> None:
    press = await pressed(api)
    text = {"type": 10, "content": "New"}
    body = {"flags": V2, "components": [text]}
    assert (await api.respond(press, UPDATE, body)).faults() == {
        "data.content": ["MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"]
    }
    assert (await api.respond(press, UPDATE, body | {"content": None})).status == 204

    change = await api.webhook("PATCH", press, "/messages/@original", {"flags": 0})
    assert change.body["flags"] == V2
    back = await api.webhook("PATCH", press, "/messages/@original", {"content": "Old"})
    assert back.refusal == (400, 50035)
    assert press.message.text == "New"
