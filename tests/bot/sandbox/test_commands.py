"""Registering commands."""

from __future__ import annotations

import pytest

from bot.sandbox import Payload
from tests.bot.sandbox.command_forms import PLAY, SETTINGS, command, option
from tests.bot.sandbox.raw import GO, Raw


async def test_commands_keep_their_ids_when_they_are_registered_again(api: Raw) -> None:
    first = (await api.register(GO, PLAY)).body
    second = (await api.register(PLAY | {"description": "Do play!"}, SETTINGS)).body

    assert [each["name"] for each in second] == ["play", "settings"]
    assert second[0]["id"] == first[1]["id"]
    assert second[0]["version"] != first[1]["version"]
    third = (await api.register(PLAY | {"description": "Do play!"}, SETTINGS)).body
    assert third == second


async def test_translations_are_told_only_if_they_are_asked_for(api: Raw) -> None:
    await api.register(GO | {"name_localizations": {"ar": "هيا", "zh-TW": "走"}})
    path = f"/applications/{api.application}/commands"
    plain = (await api.send("GET", path)).body[0]
    translated = (await api.send("GET", f"{path}?with_localizations=true")).body[0]

    assert "name_localizations" not in plain
    assert translated["name_localizations"] == {"ar": "هيا", "zh-TW": "走"}


async def test_a_hundred_commands_are_enough(api: Raw) -> None:
    hundred = [command(f"c{number}") for number in range(100)]
    assert (await api.register(*hundred)).status == 200
    assert (await api.register(*hundred, GO)).refusal == (400, 30032)


LONG = [option(3, f"o{number}", description="x" * 100) for number in range(25)]


@pytest.mark.parametrize(
    ("wrong", "field", "code"),
    [
        (command("Go"), "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
        (command("go on"), "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
        (command("x" * 33), "0.name", "BASE_TYPE_BAD_LENGTH"),
        (command("go", description="x" * 101), "0.description", "BASE_TYPE_BAD_LENGTH"),
        (command("go", description=""), "0.description", "BASE_TYPE_BAD_LENGTH"),
        (
            command("go", name_localizations={"tlh": "x"}),
            "0.name_localizations.tlh",
            "APPLICATION_COMMAND_INVALID_LOCALE",
        ),
        (
            command("go", name_localizations={"de": "Los"}),
            "0.name_localizations.de",
            "APPLICATION_COMMAND_INVALID_NAME",
        ),
        (
            # Arabic vowel marks are no letters.
            command("go", name_localizations={"ar": "لُعْبَة"}),
            "0.name_localizations.ar",
            "APPLICATION_COMMAND_INVALID_NAME",
        ),
        (
            command("go", *(option(3, f"o{number}") for number in range(26))),
            "0.options",
            "BASE_TYPE_MAX_LENGTH",
        ),
        (
            command("go", option(3, "one"), option(3, "one")),
            "0.options.1.name",
            "APPLICATION_COMMAND_OPTIONS_NAME_INVALID",
        ),
        (
            command("go", option(3, "one"), option(3, "two", required=True)),
            "0.options",
            "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
        ),
        (
            command("go", option(1, "one"), option(3, "two")),
            "0.options",
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
        ),
        (
            command("go", option(1, "one", options=[option(1, "two")])),
            "0.options.0.options.0.type",
            "BASE_TYPE_CHOICES",
        ),
        (command("go", option(12, "one")), "0.options.0.type", "BASE_TYPE_CHOICES"),
        (
            command("go", option(3, "one", choices=26 * [{"name": "x", "value": "y"}])),
            "0.options.0.choices",
            "BASE_TYPE_MAX_LENGTH",
        ),
        (
            command("go", option(4, "one", choices=[{"name": "x", "value": "y"}])),
            "0.options.0.choices.0.value",
            "BASE_TYPE_CONVERT",
        ),
        (
            command(
                "go", option(3, "one", choices=[{"name": "x", "value": "y"}], autocomplete=True)
            ),
            "0.options.0.autocomplete",
            "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID",
        ),
        (
            command("go", option(4, "one", min_value=5, max_value=3)),
            "0.options.0.max_value",
            "NUMBER_TYPE_MIN",
        ),
        (
            command("go", option(5, "one", choices=[{"name": "x", "value": "y"}])),
            "0.options.0.choices",
            "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID",
        ),
        (
            command("go", option(3, "one", choices=2 * [{"name": "x", "value": "y"}])),
            "0.options.0.choices.1.name",
            "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS",
        ),
        (
            command("go", option(4, "one", min_value="x")),
            "0.options.0.min_value",
            "NUMBER_TYPE_COERCE",
        ),
        (
            command("Go on", type=2),
            "0.description",
            "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION",
        ),
        (command("go", contexts=[3]), "0.contexts", "BASE_TYPE_CHOICES"),
        (command("go", type=5), "0.type", "BASE_TYPE_CHOICES"),
    ],
)
async def test_a_wrong_command_is_refused_at_its_place(
    api: Raw, wrong: Payload, field: str, code: str
) -> None:
    answer = await api.register(wrong)

    assert answer.refusal == (400, 50035)
    assert code in answer.faults()[field]


async def test_commands_on_people_may_have_any_name_and_are_no_slash_commands(api: Raw) -> None:
    menu = {"name": "Play against", "type": 2}
    stored = (await api.register(menu, GO)).body

    assert [(each["type"], each["name"]) for each in stored] == [(2, "Play against"), (1, "go")]
    with pytest.raises(ValueError, match="There is no command /Play"):
        await api.sandbox.person("Ann").type(api.sandbox.channel("games"), "Play against")


async def test_two_commands_of_one_name_are_refused(api: Raw) -> None:
    assert (await api.register(GO, GO)).faults() == {
        "1.name": ["APPLICATION_COMMANDS_DUPLICATE_NAME"]
    }


async def test_8000_characters_with_the_longest_translation_of_each_are_the_limit(
    api: Raw,
) -> None:
    groups = [option(1, f"s{n}", description="x" * 98, options=LONG) for n in range(3)]
    # 3 x (2 + 98 + 25 x (2 or 3 + 100)) = 7995, and 2 and 3 of the command's own.
    exact = command("go", *groups, description="x" * 3)
    assert (await api.register(exact)).status == 200
    longer = exact | {"description_localizations": {"de": "x" * 4}}
    assert (await api.register(longer)).faults() == {"0": ["APPLICATION_COMMAND_TOO_LARGE"]}


async def test_another_application_has_commands_of_its_own(api: Raw) -> None:
    for method, body in (("GET", None), ("PUT", [GO])):
        answer = await api.send(method, "/applications/5/commands", body)
        assert answer.refusal == (404, 10002)
