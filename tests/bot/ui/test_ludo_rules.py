"""The house rules of a table, chosen by its host and shown to everybody."""

from __future__ import annotations

import pytest

from bot.sandbox import Message
from tests.bot.english import like, says
from tests.bot.people import Person
from tests.bot.ui import ludo
from tests.bot.ui.conftest import RunningBot


def rule(key: str, value: str) -> str:
    """A rule and its value, as a line of the panel and as a choice of its menu."""
    chosen = says(f"rule.ludo.{key}.{value}")
    return says("rules.line", rule=says(f"rule.ludo.{key}"), value=chosen)


async def panel(person: Person, board: Message) -> Message:
    """The rules that a person is shown alone."""
    shown = (await ludo.set_up(person, board, says("menu.house_rules"))).message
    assert shown.ephemeral
    return shown


def chosen(message: Message) -> dict[str, str]:
    """The rules that a panel lists."""
    lines = [line.partition(": ") for line in message.text.split("\n")[1:]]
    return {rule: value for rule, _, value in lines if value}


def presets(message: Message) -> list[str]:
    """The rules that a table's menu offers in place of its own."""
    labels = [choice.label for menu in message.selects for choice in menu.choices]
    return [label for label in labels if like("menu.preset").fullmatch(label)]


async def refusal(running_bot: RunningBot, person: Person, panel: Message, choice: str) -> str:
    """The private answer to a choice in the panel that is refused."""
    await ludo.pick(person, panel, choice, menu=ludo.RULES)
    await running_bot.sandbox.until(lambda: person.sees(running_bot.games)[-1] is not panel)
    told = person.sees(running_bot.games)[-1]
    assert told.ephemeral
    return told.text


async def test_the_host_chooses_a_preset(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben)
    assert presets(board) == [
        says("menu.preset", preset=says("preset.ludo.quick")),
        says("menu.preset", preset=says("preset.ludo.damascus")),
    ]
    await ludo.set_up(ann, board, says("menu.preset", preset=says("preset.ludo.damascus")))
    assert ludo.title("damascus") in board.text
    assert presets(board) == [
        says("menu.preset", preset=says("preset.ludo.classic")),
        says("menu.preset", preset=says("preset.ludo.quick")),
    ]
    refused = (
        await ludo.set_up(ben, board, says("menu.preset", preset=says("preset.ludo.quick")))
    ).message
    assert says("refusal.not_host") in refused.text
    assert ludo.title("damascus") in board.text


async def test_a_rule_chosen_shows_on_the_panel_and_on_the_message(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    rules = await panel(ann, board)
    assert len(chosen(rules)) == 13
    assert [menu.placeholder for menu in rules.selects] == [ludo.RULES]
    await ludo.pick(ann, rules, rule("stars_safe", "no"), menu=ludo.RULES)
    assert chosen(rules)[says("rule.ludo.stars_safe")] == says("rule.ludo.stars_safe.no")
    told = says(
        "ludo.rules.changed",
        preset=says("preset.ludo.classic"),
        changes=says("ludo.option.stars_safe.no"),
    )
    assert told in rules.text
    await running_bot.sandbox.until(lambda: told in board.text)
    await ludo.pick(ann, rules, rule("tokens", "2"), menu=ludo.RULES)
    await running_bot.sandbox.until(lambda: says("ludo.option.tokens.2") in board.text)
    assert presets(board) == [
        says("menu.preset", preset=says("preset.ludo.classic")),
        says("menu.preset", preset=says("preset.ludo.quick")),
        says("menu.preset", preset=says("preset.ludo.damascus")),
    ]
    assert (
        chosen(rules)[says("rule.ludo.tokens")],
        chosen(rules)[says("rule.ludo.stars_safe")],
    ) == (says("rule.ludo.tokens.2"), says("rule.ludo.stars_safe.no"))


async def test_a_table_shown_again_after_its_message_was_deleted_notifies_nobody_twice(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben)
    assert board.pinged == {"Ben"}
    rules = await panel(ann, board)
    await running_bot.client.http.delete_message(int(running_bot.games.id), int(board.id))
    await ludo.pick(ann, rules, rule("stars_safe", "no"), menu=ludo.RULES)
    assert ludo.public(ben, running_bot.games) == []
    again = (await (await ann.type(running_bot.games, "board")).answered()).message
    assert ben.mention in again.text
    assert again.pinged == frozenset()


async def test_rules_that_follow_from_another_change_with_it(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    rules = await panel(ann, board)
    await ludo.pick(ann, rules, rule("tokens", "1"), menu=ludo.RULES)
    assert chosen(rules)[says("rule.ludo.blocks")] == says("rule.ludo.blocks.off")


@pytest.mark.parametrize(
    ("first", "then", "sentence"),
    [
        (
            (says("rule.ludo.tokens"), says("rule.ludo.tokens.1")),
            (says("rule.ludo.blocks"), says("rule.ludo.blocks.walls")),
            says("refusal.option_refused.ludo.blocks"),
        ),
        (
            (says("rule.ludo.extra_six"), says("rule.ludo.extra_six.no")),
            (says("rule.ludo.third_six"), says("rule.ludo.third_six.allowed")),
            says("refusal.option_refused.ludo.third_six"),
        ),
        (
            (says("rule.ludo.lane"), says("rule.ludo.lane.slots")),
            (says("rule.ludo.home"), says("rule.ludo.home.overshooting")),
            says("refusal.option_refused.ludo.home"),
        ),
        (
            (says("rule.ludo.teams"), says("rule.ludo.teams.yes")),
            (says("rule.ludo.finish"), says("rule.ludo.finish.places")),
            says("refusal.option_refused.ludo.finish"),
        ),
    ],
)
async def test_rules_that_do_not_go_together_are_refused_by_name(
    running_bot: RunningBot, first: tuple[str, str], then: tuple[str, str], sentence: str
) -> None:
    ann, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    rules = await panel(ann, board)
    await ludo.pick(ann, rules, ": ".join(first), menu=ludo.RULES)
    before = chosen(rules)
    assert sentence in await refusal(running_bot, ann, rules, ": ".join(then))
    assert chosen(rules) == before
    assert rules.edits, "the panel shows what holds in place of what was refused"


async def test_everybody_else_is_shown_the_rules_as_a_list(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben, rules="damascus")
    for person in (ben, cleo):
        rules = await panel(person, board)
        assert not rules.controls
        assert rule("blocks", "walls") in rules.text
        assert len(rules.text.split("\n")) == 14


async def test_a_panel_is_of_no_use_to_one_who_is_not_the_host_any_more(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.seated(running_bot.sandbox, (ann, ben))
    rules = await panel(ann, board)
    await running_bot.press(ann, board, says("control.leave"))
    assert says("refusal.not_host") in await refusal(running_bot, ann, rules, rule("tokens", "1"))
    assert ludo.title("classic") in board.text


async def test_rules_are_not_changed_once_the_game_runs_but_can_be_read(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.seated(running_bot.sandbox, (ann, ben))
    rules = await panel(ann, board)
    await running_bot.press(ann, board, says("control.start"))
    refused = await refusal(running_bot, ann, rules, rule("tokens", "1"))
    assert like("refusal.not_waiting").search(refused)
    read = (await running_bot.press(ann, board, says("control.rules"))).message
    assert [button.label for button in read.buttons] == [says("control.back_to_more")]
    assert rule("tokens", "4") in read.text


async def test_teams_take_four_players(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.seated(running_bot.sandbox, (ann, ben))
    rules = await panel(ann, board)
    await ludo.pick(ann, rules, rule("teams", "yes"), menu=ludo.RULES)
    await running_bot.sandbox.until(lambda: like("ludo.option.teams.yes").search(board.text))
    assert says("menu.partners") not in [choice.label for choice in board.selects[0].choices]
    assert says("refusal.option_refused.ludo.teams") in await running_bot.told(
        ann, board, says("control.start")
    )


async def test_the_host_changes_partners_until_all_three_pairs_have_been(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    board = await ludo.seated(running_bot.sandbox, (ann, ben, cleo, dan))
    rules = await panel(ann, board)
    await ludo.pick(ann, rules, rule("teams", "yes"), menu=ludo.RULES)
    await running_bot.sandbox.until(lambda: like("ludo.option.teams.yes").search(board.text))
    partners = []
    for _ in range(4):
        partners.append(ludo.opposite(board, ann))
        await ludo.set_up(ann, board, says("menu.partners"))
    assert partners == [cleo.mention, dan.mention, ben.mention, cleo.mention]
    refused = (await ludo.set_up(ben, board, says("menu.partners"))).message
    assert says("refusal.not_host") in refused.text


async def test_partners_are_named_on_the_running_board(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    for teams, named in (("yes", True), ("no", False)):
        board = await ludo.opened(running_bot.sandbox, ann)
        rules = (await ludo.pick(ann, board, "rules", menu=ludo.TABLE)).message
        if named:
            await ludo.pick(ann, rules, rule("teams", teams), menu=ludo.RULES)
        await running_bot.press(ann, board, says("control.fill"))
        await running_bot.press(ann, board, says("control.start"))
        medium = says("choice.level.medium")
        first = says("board.side", emblem="🔴", player=f"\u2068{ann.mention}\u2069")
        second = says("board.side", emblem="🟡", player=medium)
        partners = f"{first} and {second} · 🟢🔵 {medium}"
        assert (partners in board.text) is named
