"""A person's own choices: a language, challenges or none, and people to keep away."""

from __future__ import annotations

import re

import pytest

from bot.locales import shipped
from bot.sandbox import Message
from bot.screens.me import OwnSetting
from bot.ui.words import Words
from tests.bot.english import like, piece, says
from tests.bot.people import Person, button_on
from tests.bot.ui.conftest import Open, RunningBot, marks
from tests.bot.ui.panels import choose, control, held, opened, used
from tests.bot.ui.tongues import english_and_german

NEUTRAL = piece("refusal.not_together")
E = (1, 1)


async def ludo(running_bot: RunningBot, person: Person, **options: object) -> Message:
    """The table that `/ludo` opens."""
    typed = await person.type(running_bot.games, "ludo", **options)  # type: ignore[arg-type]
    message = (await typed.answered()).message
    assert not message.ephemeral, message.text
    return message


def unnamed(said: str, *people: Person) -> bool:
    return NEUTRAL in said and not any(str(person.id) in said for person in people)


async def test_whoever_chooses_a_language_is_spoken_to_in_it_and_nobody_else(
    open_bot: Open,
) -> None:
    async with open_bot(languages=english_and_german()) as running_bot:
        _, ben, cleo, _ = running_bot.people
        panel = await choose(running_bot, ben, "me language", "de")
        assert held(panel, "me language") == ["de"]
        assert await running_bot.say(ben, "board") == "Hier läuft kein Spiel."
        assert like("refusal.no_games_here").search(await running_bot.say(cleo, "board"))
        assert like("lobby.open").search((await running_bot.opened(ben, anyone=True)).text)


async def test_a_chosen_language_wins_over_that_of_discord_until_it_is_automatic_again(
    open_bot: Open,
) -> None:
    async with open_bot(languages=english_and_german()) as running_bot:
        _, ben, *_ = running_bot.people
        ben.locale = "de"
        assert await running_bot.say(ben, "board") == "Hier läuft kein Spiel."
        await choose(running_bot, ben, "me language", "en-US")
        assert like("refusal.no_games_here").search(await running_bot.say(ben, "board"))
        await choose(running_bot, ben, "me language", "automatic")
        assert await running_bot.say(ben, "board") == "Hier läuft kein Spiel."


@pytest.mark.parametrize("locale", sorted(shipped()))
def test_the_choice_of_boards_names_its_command_as_the_picker_does(locale: str) -> None:
    language, values = shipped()[locale], OwnSetting.BOARDS.values
    assert values is not None
    label = re.sub("[\u2068\u2069]", "", Words(language).of(values.label))
    assert f"/{language.template('command.board')}" in label


async def test_in_direct_messages_the_board_too_speaks_the_language_that_was_chosen(
    open_bot: Open,
) -> None:
    async with open_bot(languages=english_and_german()) as running_bot:
        ann, *_ = running_bot.people
        await choose(running_bot, ann, "me language", "de")
        await (await ann.type(ann.dm, "tictactoe")).answered()
        (table,) = await running_bot.service.boards(ann.dm.id)
        assert table.locale == "de"


async def test_languages_are_offered_by_the_names_that_their_speakers_use(
    open_bot: Open,
) -> None:
    async with open_bot(languages=english_and_german()) as running_bot:
        panel = await opened(running_bot, running_bot.people[0], "me")
        menu = next(each for each in panel.selects if each.custom_id == control("me language"))
        assert {choice.value: choice.label for choice in menu.choices} == {
            "automatic": says("me.language.discord"),
            "de": "Deutsch",
            "en-US": "English (United States)",
        }


async def test_the_panel_speaks_the_language_that_was_just_chosen(open_bot: Open) -> None:
    languages = english_and_german()
    async with open_bot(languages=languages) as running_bot:
        ann, *_ = running_bot.people
        panel = await opened(running_bot, ann, "me")
        for locale in ("de", "en-US"):
            await used(ann, panel, "me language", locale)
            assert languages[locale].template("me.language") in panel.text


async def test_a_panel_goes_on_working_after_a_restart(open_bot: Open) -> None:
    async with open_bot() as running_bot:
        ann, ben, *_ = running_bot.people
        panel = await choose(running_bot, ann, "me blocked", ben)
    async with open_bot() as running_bot:
        ann, ben, cleo, _ = running_bot.people
        for what, value in (("me reminders", "direct"), ("me boards", "words")):
            assert (await used(ann, panel, what, value)).message is panel
            assert held(panel, what) == [value]
        await used(ann, panel, "me blocked", ben, cleo)
        assert held(panel, "me blocked") == sorted(str(each.id) for each in (ben, cleo))


async def test_a_panel_from_before_takes_away_only_what_its_reader_saw(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    before = await opened(running_bot, ann, "me")
    await choose(running_bot, ann, "me blocked", ben)
    await used(ann, before, "me blocked", cleo)
    assert held(before, "me blocked") == sorted(str(each.id) for each in (ben, cleo))
    await used(ann, before, "me blocked", ben, dan)
    assert held(before, "me blocked") == sorted(str(each.id) for each in (ben, dan))


async def test_who_takes_no_challenges_can_be_neither_challenged_nor_invited(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    panel = await choose(running_bot, ben, "me challenges", "off")
    assert held(panel, "me challenges") == ["off"]
    for command, options in (
        ("tictactoe", {"opponent": ben}),
        ("ludo", {"player2": cleo, "player3": ben}),
    ):
        said = await running_bot.say(ann, command, **options)
        assert like("refusal.challenges_off", person=ben.mention).search(said)

    await choose(running_bot, ben, "me challenges", "on")
    assert (await running_bot.opened(ann, opponent=ben)).pinged == {"Ben"}


async def test_who_takes_no_challenges_can_still_challenge_and_join(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    await choose(running_bot, ben, "me challenges", "off")
    assert (await running_bot.opened(ben, opponent=ann)).pinged == {"Ann"}
    table = await running_bot.opened(ann, anyone=True)
    await running_bot.press(ben, table, says("control.join"))
    assert button_on(table, says("control.cancel")).label


async def test_who_takes_no_challenges_is_asked_for_no_rematch(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await running_bot.resign(ann, board)
    await choose(running_bot, ben, "me challenges", "off")
    assert like("refusal.challenges_off").search(
        await running_bot.told(ann, board, says("control.rematch"))
    )
    asked = (await running_bot.press(ben, board, says("control.rematch"))).message
    assert asked.pinged == {"Ann"}


async def test_whoever_is_blocked_can_neither_challenge_nor_invite_and_is_not_told_why(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    panel = await choose(running_bot, ben, "me blocked", ann)
    assert held(panel, "me blocked") == [str(ann.id)]
    assert unnamed(await running_bot.say(ann, "tictactoe", opponent=ben), ben)
    assert unnamed(await running_bot.say(ann, "ludo", player2=cleo, player3=ben), ben, cleo)


async def test_whoever_is_blocked_cannot_join_a_table_that_the_blocker_hosts(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    await choose(running_bot, ann, "me blocked", ben)
    for table in (await running_bot.opened(ann, anyone=True), await ludo(running_bot, ann)):
        before = table.text
        assert unnamed(await running_bot.told(ben, table, says("control.join")), ann)
        assert table.text == before
        await running_bot.press(cleo, table, says("control.join"))
        assert table.text != before


async def test_whoever_is_blocked_cannot_join_a_table_where_the_blocker_sits(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    await choose(running_bot, ben, "me blocked", cleo)
    table = await ludo(running_bot, ann)
    await running_bot.press(ben, table, says("control.join"))
    assert unnamed(await running_bot.told(cleo, table, says("control.join")), ann, ben)
    await running_bot.press(dan, table, says("control.join"))
    await running_bot.press(ben, table, says("control.leave"))
    await running_bot.press(cleo, table, says("control.join"))
    assert cleo.mention in table.text


async def test_an_invitation_from_before_the_block_cannot_be_taken_up(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    challenge = await running_bot.opened(ann, opponent=ben)
    await choose(running_bot, ann, "me blocked", ben)
    assert unnamed(await running_bot.told(ben, challenge, says("control.accept")), ann)
    await running_bot.press(ben, challenge, says("control.decline"))
    assert like("closed.declined").search(challenge.text)


async def test_whoever_is_blocked_is_refused_a_rematch(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await running_bot.resign(ann, board)
    await choose(running_bot, ben, "me blocked", ann)
    assert unnamed(await running_bot.told(ann, board, says("control.rematch")), ben)


async def test_a_game_that_runs_goes_on_after_a_block(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await choose(running_bot, ben, "me blocked", ann)
    await running_bot.mark(ann, board, E)
    await running_bot.mark(ben, board, (0, 0))
    assert marks(board) == {E: "❌", (0, 0): "⭕"}


async def test_nobody_challenges_somebody_whom_they_have_blocked_by_mistake(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    await choose(running_bot, ann, "me blocked", ben)
    said = await running_bot.say(ann, "tictactoe", opponent=ben)
    assert like("refusal.opponent_blocked", person=ben.mention).search(said)
    assert "</me:" in said


async def test_a_blocker_may_sit_down_with_whoever_they_have_blocked(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    await choose(running_bot, ben, "me blocked", ann)
    table = await running_bot.opened(ann, anyone=True)
    await running_bot.press(ben, table, says("control.join"))
    assert button_on(table, says("control.cancel")).label


async def test_unblocking_lets_somebody_in_again(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    for _ in range(2):  # who blocks or unblocks somebody twice has done it once
        await choose(running_bot, ben, "me blocked", ann)
    for _ in range(2):
        assert held(await choose(running_bot, ben, "me blocked"), "me blocked") == []
    assert (await running_bot.opened(ann, opponent=ben)).pinged == {"Ben"}


async def test_only_other_people_can_be_blocked(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    panel = await choose(running_bot, ann, "me blocked", ben)
    for other in (ann, running_bot.sandbox.person("Robot"), running_bot.sandbox.person("Parlour")):
        told = await running_bot.sentence(await used(ann, panel, "me blocked", ben, other))
        assert says("refusal.not_blockable") in told
        assert held(panel, "me blocked") == [str(ben.id)], "the panel shows what holds"


async def test_choices_can_be_made_in_direct_messages(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    await choose(running_bot, ben, "me blocked", ann, at=ben.dm)
    await choose(running_bot, ben, "me challenges", "off", at=ben.dm)
    assert like("refusal.challenges_off").search(
        await running_bot.say(ann, "tictactoe", opponent=ben)
    )


async def test_choices_outlive_a_restart(open_bot: Open) -> None:
    languages = english_and_german()
    async with open_bot(languages=languages) as running_bot:
        ann, ben, cleo, _ = running_bot.people
        await choose(running_bot, ann, "me blocked", ben)
        await choose(running_bot, ann, "me language", "de")
        await choose(running_bot, cleo, "me challenges", "off")
    async with open_bot(languages=languages) as running_bot:
        ann, ben, cleo, _ = running_bot.people
        assert await running_bot.say(ann, "board") == "Hier läuft kein Spiel."
        assert unnamed(await running_bot.say(ben, "tictactoe", opponent=ann), ann)
        assert like("refusal.challenges_off").search(
            await running_bot.say(ben, "tictactoe", opponent=cleo)
        )


async def test_a_refusal_speaks_of_the_command_that_was_typed(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    await choose(running_bot, ben, "me challenges", "off")
    assert "</ludo:" in await running_bot.say(ann, "ludo", player2=ben)
    assert "</tictactoe:" in await running_bot.say(ann, "tictactoe", opponent=ben)
