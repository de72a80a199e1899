"""The check of what goes over the wire finds what is wrong, and lets pass what is right."""

from __future__ import annotations

import pytest

from bot.sandbox import Payload
from tests.bot.openapi import DESCRIPTION, Conformance
from tests.bot.trouble import Event, Exchange

pytestmark = pytest.mark.skipif(
    not DESCRIPTION.exists(), reason=f"Discord's description is not at {DESCRIPTION}"
)

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
BUTTON: Payload = {"type": 2, "style": 1, "label": "Up", "custom_id": "up"}


def response(*components: Payload, **more: object) -> Exchange:
    body: Payload = {"type": 4, "data": {"components": list(components), "flags": 32768}, **more}
    return Exchange("POST", CALLBACK, body, 204, None)


def row(button: Payload) -> Payload:
    return {"type": 1, "components": [button]}


def faults(observed: Exchange | Event) -> list[str]:
    conformance = Conformance()
    conformance(observed)
    return conformance.faults


@pytest.mark.parametrize(
    "right",
    [
        response(row(BUTTON)),
        Exchange("POST", CALLBACK, {"type": 4, "data": {}}, 204, None, ("files[0]", "files[9]")),
        response({"type": 17, "components": [{"type": 10, "content": "Hello"}, row(BUTTON)]}),
        Exchange("GET", "/gateway", None, 200, {"url": "ws://127.0.0.1:1/gateway"}),
        Exchange("GET", "/users/@me", None, 401, {"message": "401: Unauthorized", "code": 0}),
        Exchange("POST", "/users/@me/channels", {"recipient_id": 5}, 502, None),
    ],
)
def test_what_discord_describes_passes(right: Exchange) -> None:
    assert faults(right) == []


@pytest.mark.parametrize(
    "wrong",
    [
        response(row(BUTTON | {"style": 9})),
        response(row(BUTTON | {"label": "x" * 81})),
        response({"type": 17, "components": [row(BUTTON | {"custom_id": ""})]}),
        response({"type": 17, "components": [{"type": 17, "components": [row(BUTTON)]}]}),
        response({"type": 99}),
        response({"content": "no type"}),
        Exchange("POST", CALLBACK, {"type": 3}, 204, None),
        Exchange("POST", CALLBACK, None, 204, None),
        Exchange("POST", CALLBACK, {"type": 3}, 204, None, ("files[0]",)),
        Exchange("POST", CALLBACK, {"type": 4}, 204, None, ("files[10]",)),
        Exchange("POST", CALLBACK, {"type": 4}, 204, None, ("file",)),
        Exchange("POST", CALLBACK, {"type": 6}, 204, {"unexpected": True}),
        Exchange("GET", "/gateway", {"unexpected": True}, 200, {"url": "ws://127.0.0.1"}),
        Exchange("GET", "/gateway", None, 200, {}),
        Exchange("GET", "/gateway", None, 302, None),
        Exchange("GET", "/users/@me", None, 401, {"message": "no code"}),
        Exchange("GET", "/nowhere", None, 200, {}),
        Event("MESSAGE_CREATE", {"id": "1"}),
        Event("INTERACTION_CREATE", {"member": {"roles": []}}),
    ],
)
def test_what_discord_does_not_describe_is_found(wrong: Exchange | Event) -> None:
    assert faults(wrong) != []


def test_a_refused_request_may_be_wrong_but_the_refusal_must_be_right() -> None:
    fault = {"code": "BASE_TYPE_CHOICES", "message": "Value must be one of {4, 5}."}
    errors = {"type": {"_errors": [fault]}}
    refusal: Payload = {"message": "Invalid Form Body", "code": 50035, "errors": errors}

    assert faults(Exchange("POST", CALLBACK, {"type": 3}, 400, refusal)) == []
    assert faults(Exchange("POST", CALLBACK, {"type": 3}, 400, {"errors": errors})) != []


def test_files_are_sent_only_where_discord_takes_them() -> None:
    sent = Exchange("POST", "/users/@me/channels", {"recipient_id": "5"}, 204, None, ("files[0]",))

    assert faults(sent)[0].endswith("the request is a form")
