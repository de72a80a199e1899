"""What the web page asks, and what it is asked about."""

from __future__ import annotations

from tests.bot.sandbox.raw import Answered, Raw

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
