"""A move explained to one reader: a hint, or why a move was made; and variations of finished games.

A variation has a board for its player alone, and at last shows its end beside the real one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.games.catalogue import explainer_of, presenter_of
from bot.games.entry import Explainer
from bot.message.blocks import Block, Choice, Control, Menu, Prose, Row, Screen, Style, Tone
from bot.message.text import Percent, Separator, Text, joined, text
from bot.screens.board import PACKED, body, in_lines, whose_turn
from bot.screens.buttons import control
from bot.screens.dice import named_game
from bot.screens.in_words import board_in_words, outcome, since_in_words, tone
from bot.screens.lobby import who
from bot.service.explanations import Explanation
from bot.service.variations import Trial
from bot.table.actions import Action, numbered
from bot.table.seats import PersonId, player_of
from bot.table.session import Phase
from engine.game import Move
from engine.review import Grade, MoveReview, WeighedMove

EXPECTED: Final = 4
"""The length of the expected line, in moves."""

CHOICES: Final = 4
"""The number of choices whose worth is shown."""


MOST_TRIED: Final = 25
"""The most choices offered in a menu, as Discord allows."""

CLOSE: Final = 0.02
"""Two moves with a smaller difference in winning chance are about equally good."""


def first_hint() -> Screen:
    """The question before the first hint, which marks the game as played with help."""
    asked = Prose((text("hint.ask"),))
    return Screen((asked, Row((control(Action.SHOW_HINT, Style.PROMINENT),))), Tone.RUNNING)


def hint(lesson: Explanation) -> Screen:
    """The best move and what speaks for it, and the way to ask for more reasons."""
    asked = f"{Action.WHY_THIS}:{lesson.table.session.line}"
    asks = replace(control(Action.WHY_THIS), action=asked)
    return Screen((Prose(_hinted(lesson)), Row((asks,))), Tone.RUNNING)


def why_this(lesson: Explanation) -> Screen:
    """The reasons for a hint, its worth beside the other choices, and the expected line."""
    more = beyond(lesson.position, lesson.move, explainer_of(lesson.table.session))
    return Screen((Prose((*_hinted(lesson), *more)),), Tone.RUNNING)


def why(lesson: Explanation) -> Screen:
    """The reasons of a move, its worth beside the others, and the expected line."""
    return Screen((Prose(tuple(_why(lesson))),), Tone.RUNNING)


def what_if(lesson: Explanation, reader: PersonId, instead: Move | None) -> Screen:
    """A choice of a finished game with its worth, and a menu of other moves to try instead.

    If the choice was the reader's own, they may play on from there, after the move `instead`.
    """
    found, session = lesson.move, lesson.table.session
    explainer = explainer_of(session)
    others = tuple(
        Choice(
            str(choice.move),
            explainer.move(lesson.position, choice.move),
            outlook(found, choice),
        )
        for choice in found.choices[:MOST_TRIED]
    )
    tries = Menu(Action.TRY, text("menu.what_if"), others)
    on = Action.PLAY_ON if instead is None else numbered(Action.PLAY_ON, instead)
    own = player_of(session.seats[found.seat]) == reader
    ways = (Row((Control(on, text("control.play_on"), style=Style.PROMINENT),)),) if own else ()
    return Screen((Prose(tuple(_why(lesson))), tries, *ways), Tone.OVER)


def _hinted(lesson: Explanation) -> tuple[Text, ...]:
    explainer, best = explainer_of(lesson.table.session), lesson.move.best
    hinted = text("hint.move", move=explainer.move(lesson.position, best.move))
    return hinted, *case_for(best, lesson.position, lesson.move, explainer)


def _why(lesson: Explanation) -> Iterator[Text]:
    found, session = lesson.move, lesson.table.session
    explainer = explainer_of(session)
    position, played = lesson.position, found.played
    told = explainer.move(position, played.move)
    yield text("why.move", move=told, **who(session, found.seat))
    yield from case_for(played, position, found, explainer)
    if found.loss > 0 or found.grade is Grade.INACCURACY:
        key = "why.better" if found.sure else "why.perhaps"
        yield text(key, move=explainer.move(position, found.best.move))
    yield from beyond(position, found, explainer)


def case_for(
    choice: WeighedMove,
    position: Any,  # noqa: ANN401 - any game's position
    found: MoveReview,
    explainer: Explainer,
) -> Iterator[Text]:
    """The reasons for a choice in comparison with the best other one, and its outlook."""
    other = next((each for each in found.choices if each.move != choice.move), choice)
    told = [*beside(choice, other.move, position, explainer)]
    yield from told
    differ = abs(choice.chances[found.seat] - other.chances[found.seat])
    alike = choice.proven == other.proven and differ < CLOSE
    if not told and other is not choice and alike:
        yield text("why.close", move=explainer.move(position, other.move))
    yield outlook(found, choice)


def beside(
    choice: WeighedMove,
    other: Move,
    position: Any,  # noqa: ANN401 - any game's position
    explainer: Explainer,
) -> Iterator[Text]:
    """The reasons for a choice in comparison with another one, if there are any."""
    reasons = [*explainer.reasons(position, choice, other)]
    if reasons:
        told = (explainer.reason(position, reason) for reason in reasons)
        yield text("why.reasons", reasons=joined(told))


def beyond(position: Any, found: MoveReview, explainer: Explainer) -> Iterator[Text]:  # noqa: ANN401
    """The worth of a position's choices unless it is proven, and the expected line."""
    if not found.exact:
        weighed = _weighed(position, found, explainer)
        yield text("why.choices", choices=joined(weighed, Separator.SEMICOLON))
    if found.reply:
        after = position.play(found.move)
        yield text(
            "why.line",
            moves=joined(_line(after, found.reply[:EXPECTED], explainer), Separator.ARROW),
        )


def _weighed(position: Any, found: MoveReview, explainer: Explainer) -> Iterator[Text]:  # noqa: ANN401
    for choice in found.choices[:CHOICES]:
        share = Percent(choice.chances[found.seat])
        key = "why.choice" if choice.proven or found.dice else "why.choice.about"
        yield text(key, move=explainer.move(position, choice.move), share=share)


def _line(position: Any, moves: Sequence[Move], explainer: Explainer) -> Iterator[Text]:  # noqa: ANN401
    for move in moves:
        yield explainer.move(position, move)
        position = position.play(move)


def outlook(found: MoveReview, choice: WeighedMove) -> Text:
    """The outlook of a choice: a proof, or the winning chance."""
    chance = choice.chances[found.seat]
    if not choice.proven:
        sure = found.calibrated and found.dice
        return text("why.chance" if sure else "why.about", share=Percent(chance))
    if choice.moves is None:
        return text({0.0: "why.loses", 0.5: "why.drawn", 1.0: "why.wins"}[chance])
    return text("why.won" if chance else "why.lost", count=choice.moves)


BACK: Final = Control(Action.WHAT_IF, text("control.back_to_more"))
"""The button back to the choice where the variation began."""


def trial(tried: Trial, *, in_words: bool = False) -> Screen:
    """The present board of a variation with the player's moves, or how it ended."""
    session = tried.session
    choices = presenter_of(session).choices(session)
    lines, told = in_lines(choices, (BACK,)), (*_told(tried),)
    over = session.phase is Phase.FINISHED
    board: tuple[Block, ...]
    if in_words:
        told = *told, *since_in_words(session)
        board = *board_in_words(session), *lines, Prose((_small(tried),))
    else:
        small = () if over or len(lines) >= PACKED else (_small(tried),)
        board = body(session, lines, small)
    return Screen((Prose(told), *board), tone(session) if over else Tone.RUNNING)


def _told(tried: Trial) -> Iterator[Text]:
    turn = whose_turn(tried.session)
    if turn is not None:
        yield turn
        return
    yield text("variation.try", outcome=joined(outcome(tried.session), Separator.DOT))
    yield text("variation.game", outcome=joined(outcome(tried.table.session), Separator.DOT))


def _small(tried: Trial) -> Text:
    """The line below the board: the game it varies, and that it does not count."""
    key = "variation.with_dice" if tried.session.game.dice else "variation.alone"
    return text(key, **named_game(tried.table))
