"""Fair dice: what anybody can recompute, what chance looks like, and what stays secret.

Every roll is compared with a recomputation from `hashlib` and `hmac` alone; chi-square is compared
with its critical value at 0.1 %, from fixed secrets, so that the outcome is always the same.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import pickle
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import replace
from itertools import count
from random import Random, SystemRandom
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.table.dice import BY_SEAT, NEWEST, PLAIN, Dice, shown
from bot.table.seats import LONGEST, Word, shown_words

SECRET = bytes(range(32))
BOARD = 1234567890123456789
WORDS = (Word.of("apple"), None, Word.of("café ☕"))
GAMES, PLIES = 1500, 200
ROLLS = GAMES * PLIES

CRITICAL = {5: 20.515, 19: 43.820, 35: 66.619}
"""Chi-square by degrees of freedom, exceeded by chance once in 1,000."""


def chi_square(seen: Iterable[Hashable], cells: int) -> float:
    """The distance of counts from all being equal."""
    counts = Counter(seen)
    assert len(counts) <= cells
    due = counts.total() / cells
    return sum(n * n for n in counts.values()) / due - counts.total()


@pytest.fixture(scope="module")
def games() -> list[list[int]]:
    """The rolls of 1,500 games of 200 plies, each with a secret of its own."""
    rng = Random(20260)
    drawn = [replace(Dice.drawn(rng), board=BOARD + game) for game in range(GAMES)]
    return [
        [dice.pips(session, ply, WORDS) for ply in range(PLIES)]
        for session, dice in enumerate(drawn, start=1)
    ]


def test_anybody_can_recompute_a_roll() -> None:
    dice = Dice(SECRET, board=BOARD)
    apple = hashlib.sha256(b"apple").hexdigest()
    cafe = hashlib.sha256("café ☕".encode()).hexdigest()
    for session in (1, 17, 2**40):
        for ply in range(500):
            label = f"{session}:1234567890123456789:{','.join(sorted([apple, cafe]))}:{ply}"
            assert dice.pips(session, ply, WORDS) == due(label)


def test_anybody_can_recompute_a_roll_of_the_second_version() -> None:
    dice = Dice(SECRET, BY_SEAT, BOARD)
    apple, cafe = (hashlib.sha256(word.encode()).hexdigest() for word in ("apple", "café ☕"))
    for ply in range(500):
        label = f"17:1234567890123456789:{apple},,{cafe}:{ply}"
        assert dice.pips(17, ply, WORDS) == due(label)


def due(label: str) -> int:
    """The die's true face, worked out with `hashlib` and `hmac` alone."""
    digest = hmac.new(SECRET, label.encode(), hashlib.sha256).digest()
    return next(byte for byte in digest if byte < 252) % 6 + 1


def test_anybody_can_recompute_a_roll_of_the_first_version() -> None:
    dice = Dice(SECRET, PLAIN)
    for session in (1, 17, 2**40):
        for ply in range(500):
            assert dice.pips(session, ply) == due(f"{session}:{ply}")


def test_a_roll_is_what_openssl_says() -> None:
    """`openssl dgst -sha256 -mac hmac -macopt hexkey:000102…1f` of `17:4` begins with 2a, 42."""
    assert Dice(SECRET, PLAIN).pips(17, 4) == 42 % 6 + 1


def test_the_commitment_is_what_sha256sum_says_of_the_secret_after_the_version() -> None:
    said = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert Dice(SECRET).commitment == f"3:{said}"
    assert Dice(SECRET, BY_SEAT).commitment == f"2:{said}"
    assert Dice(SECRET, PLAIN).commitment == said


def rolls(board: int, *words: Word | None, version: int = NEWEST) -> list[int]:
    return [Dice(SECRET, version, board).pips(17, ply, words) for ply in range(50)]


def test_another_message_or_word_rolls_otherwise() -> None:
    apple, pear = Word.of("apple"), Word.of("pear")
    all_rolls = [
        rolls(BOARD, apple, pear),
        rolls(BOARD + 1, apple, pear),
        rolls(BOARD, apple, apple),
        rolls(BOARD, apple),
        rolls(BOARD),
        rolls(BOARD, Word.of("apple,")),
        rolls(BOARD, pear, apple, version=BY_SEAT),
        rolls(BOARD, apple, None, version=BY_SEAT),
    ]
    assert len({tuple(each) for each in all_rolls}) == len(all_rolls)


def test_other_seats_and_computers_roll_the_same() -> None:
    """Else a host who knows the secret could draw anew by them, once all words are given."""
    apple, pear = Word.of("apple"), Word.of("pear")
    same = [
        rolls(BOARD, apple, pear),
        rolls(BOARD, pear, apple),
        rolls(BOARD, None, pear, apple),
        rolls(BOARD, pear, None, apple, None),
    ]
    assert all(each == same[0] for each in same)


def test_no_die_rolls_before_the_first_message_is_known() -> None:
    with pytest.raises(AssertionError, match="not known yet"):
        Dice(SECRET).pips(17, 4)


def test_dice_of_a_version_that_there_is_not_are_refused() -> None:
    with pytest.raises(ValueError, match="no dice of version 4"):
        Dice(SECRET, 4)


def bytes_of(ply: int) -> bytes:
    return hmac.digest(SECRET, f"1:{ply}".encode(), "sha256")


@pytest.mark.parametrize("rejected", [1, 2])
def test_a_byte_that_would_favour_a_face_is_passed_over(rejected: int) -> None:
    ply = next(ply for ply in count() if all(byte >= 252 for byte in bytes_of(ply)[:rejected]))
    assert bytes_of(ply)[rejected] < 252
    assert Dice(SECRET, PLAIN).pips(1, ply) == bytes_of(ply)[rejected] % 6 + 1


@pytest.mark.parametrize("unfair", [1, 2, 3])
def test_a_digest_without_a_fair_byte_is_followed_by_the_next(
    unfair: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No such digest is known, so the first few are replaced; the last is real."""
    real, asked = hmac.digest, list[bytes]()

    def digest(key: bytes, message: bytes, name: str) -> bytes:
        asked.append(message)
        return b"\xfc" * 32 if len(asked) <= unfair else real(key, message, name)

    monkeypatch.setattr(hmac, "digest", digest)
    pips = Dice(SECRET, PLAIN).pips(1, 7)
    assert asked == [b"1:7", b"1:7:1", b"1:7:2", b"1:7:3"][: unfair + 1]
    assert pips == real(SECRET, asked[-1], "sha256")[0] % 6 + 1


def test_the_six_faces_come_up_equally_often(games: list[list[int]]) -> None:
    assert sum(map(len, games)) == ROLLS
    assert chi_square((pips for rolls in games for pips in rolls), 6) < CRITICAL[5]


def test_so_many_rolls_are_enough_to_find_the_bias_of_a_plain_remainder() -> None:
    assert chi_square((byte % 6 for byte in Random(6).randbytes(ROLLS)), 6) > CRITICAL[5]


@pytest.mark.parametrize("lag", [1, 2])
@pytest.mark.parametrize("first", [0, 1])
def test_rolls_of_a_game_tell_nothing_of_each_other(
    games: list[list[int]], lag: int, first: int
) -> None:
    """Every roll is in one pair at most, so that the pairs are independent if the rolls are."""
    firsts = [ply for ply in range(first, PLIES - lag) if (ply - first) % (2 * lag) < lag]
    pairs = ((rolls[ply], rolls[ply + lag]) for rolls in games for ply in firsts)
    assert chi_square(pairs, 36) < CRITICAL[35]


def test_rolls_of_neighbouring_games_tell_nothing_of_each_other(games: list[list[int]]) -> None:
    pairs = (
        pair
        for one, other in zip(games[::2], games[1::2], strict=True)
        for pair in zip(one, other, strict=True)
    )
    assert chi_square(pairs, 36) < CRITICAL[35]


def test_with_one_secret_every_session_and_ply_rolls_anew() -> None:
    dice = Dice(SECRET, board=BOARD)
    pairs = (
        (dice.pips(session, ply), dice.pips(session + 1, ply), dice.pips(session, ply + 1))
        for session in range(0, 200, 2)
        for ply in range(0, 400, 2)
    )
    triples = list(pairs)
    assert chi_square(((roll, beside) for roll, beside, _ in triples), 36) < CRITICAL[35]
    assert chi_square(((roll, after) for roll, _, after in triples), 36) < CRITICAL[35]


def test_a_session_and_ply_are_not_mistaken_for_others_with_the_same_digits() -> None:
    dice = Dice(SECRET, board=BOARD)
    assert [dice.pips(1, 10 + ply) for ply in range(10)] != [
        dice.pips(11, ply) for ply in range(10)
    ]


def test_other_numbers_of_sides_are_fair_too() -> None:
    dice = Dice(SECRET, board=BOARD)
    rolls = [dice.pips(1, ply, sides=20) for ply in range(60_000)]
    assert min(rolls) == 1
    assert chi_square(rolls, 20) < CRITICAL[19]


def test_a_roll_is_the_same_however_often_it_is_asked_for() -> None:
    dice = Dice(SECRET, board=BOARD)
    forwards = [dice.pips(3, ply) for ply in range(50)]
    assert [dice.pips(3, ply) for ply in reversed(range(50))] == forwards[::-1]
    assert [Dice(SECRET, board=BOARD).pips(3, ply) for ply in range(50)] == forwards


def test_fresh_dice_have_a_secret_of_32_random_bytes() -> None:
    assert Dice.drawn(Random(4)).secret == Random(4).randbytes(32)
    assert len({Dice.drawn(SystemRandom()).secret for _ in range(100)}) == 100


def test_a_secret_that_is_too_short_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Dice(SECRET[:31])


def test_who_prints_or_logs_dice_sees_their_commitment_and_not_their_secret(
    caplog: pytest.LogCaptureFixture,
) -> None:
    dice = Dice(SECRET)
    with caplog.at_level(logging.INFO):
        logging.getLogger("bot").info("started %s %r %s", dice, dice, {"dice": [dice]})
    for text in (repr(dice), str(dice), f"{dice}", caplog.text):
        assert dice.commitment in text
        assert SECRET.hex() not in text
        assert repr(SECRET)[2:10] not in text


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_dice_cannot_be_sent_to_the_process_of_an_agent(protocol: int) -> None:
    with pytest.raises(TypeError, match="stay in the process"):
        pickle.dumps({"dice": Dice(SECRET)}, protocol)


def test_rolls_are_shown_with_their_plies() -> None:
    assert shown([(0, 4), (1, 2), (7, 6)]) == "0=4 1=2 7=6"


def test_200_rolls_take_less_than_a_third_of_a_message() -> None:
    assert len(shown((ply, 6) for ply in range(0, 400, 2))) < 4000 / 3


@given(typed=st.lists(st.text(max_size=40), min_size=1, max_size=4))
def test_words_can_be_read_from_how_they_are_shown(typed: list[str]) -> None:
    words = [Word.typed(text) for text in typed]
    read = [Word.of(unquote(text)) if text else None for text in shown_words(words).split(",")]
    assert read == words


@given(st.text(max_size=80))
def test_a_word_is_short_and_stands_in_a_message_as_it_is(typed: str) -> None:
    word = Word.typed(typed)
    if word is not None:
        assert word.text
        assert len(word.text) <= LONGEST
        assert not {"`", "\n", "\u202e", "\u200b"} & {*word.text}
        assert word == Word.typed(word.text)


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("  two   words\n", "two words"),
        ("`code`", "'code'"),
        ("cafe\u0301", "caf\u00e9"),
        ("a\u202eb\u200bc", "abc"),
        ("e\u200b\u0301", "\u00e9"),
        ("x" * 33, "x" * 32),
    ],
)
def test_a_word_reads_the_same_everywhere(typed: str, word: str) -> None:
    assert Word.typed(typed) == Word.of(word)


@pytest.mark.parametrize("typed", ["", "  ", "\u200b\u202e"])
def test_what_cannot_be_seen_is_no_word(typed: str) -> None:
    assert Word.typed(typed) is None


def test_words_are_shown_by_seat_as_in_links() -> None:
    forgotten = Word(Word.of("pear").digest)
    shown = shown_words([Word.of("a, b:c"), None, forgotten, Word.of("café")])
    assert shown == f"a%2C%20b%3Ac,,sha256:{Word.of('pear').digest},caf%C3%A9"
