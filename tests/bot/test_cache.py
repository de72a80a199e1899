"""Caches end at their budgets, and count what they hold."""

from __future__ import annotations

from functools import lru_cache

from hypothesis import given
from hypothesis import strategies as st

from bot.cache import Cache, Memo

BUDGET = 10


def lengths(budget: int = BUDGET) -> Cache[int, str]:
    """A cache whose values weigh what they are long."""
    return Cache("lengths", budget, len)


def test_what_was_kept_longest_ago_makes_room_for_others() -> None:
    cache = lengths()
    for key in range(4):
        cache.keep(key, "four")
    assert {**cache} == {2: "four", 3: "four"}
    cache.keep(2, "four")
    cache.keep(4, "four")
    assert [*cache] == [2, 4]


def test_reading_a_value_does_not_make_it_younger() -> None:
    cache = lengths()
    cache.keep(1, "five5")
    cache.keep(2, "five5")
    assert cache.get(1) == "five5"
    cache.keep(3, "x")
    assert [*cache] == [2, 3]


def test_a_value_larger_than_the_budget_is_not_kept_and_drives_no_other_out() -> None:
    cache = lengths()
    cache.keep(1, "small")
    assert cache.keep(2, "x" * (BUDGET + 1)) == "x" * (BUDGET + 1)
    cache.keep(1, "x" * (BUDGET + 1))
    assert not cache, "nor is an earlier value of its key"


def test_another_value_of_the_same_weight_takes_the_age_of_the_one_before() -> None:
    cache = lengths()
    for key in range(2):
        cache.keep(key, "five5")
    cache.replace(0, "FIVE5")
    assert [*cache.items()] == [(0, "FIVE5"), (1, "five5")]


CHANGES = st.lists(
    st.tuples(st.sampled_from(("keep", "drop", "clear")), st.integers(0, 5), st.text(max_size=12))
)


@given(CHANGES)
def test_a_cache_counts_what_it_holds_whatever_becomes_of_it(
    changes: list[tuple[str, int, str]],
) -> None:
    cache = lengths()
    for change, key, value in changes:
        match change:
            case "keep":
                cache.keep(key, value)
            case "drop":
                cache.drop(key)
            case _:
                cache.clear()
        assert cache.size == sum(map(len, cache.values())) <= cache.budget


def test_the_results_that_a_function_remembers_count_by_their_number() -> None:
    @lru_cache(maxsize=3)
    def doubled(number: int) -> int:
        return 2 * number

    memo = Memo("doubled", doubled, each=100)
    assert (memo.size, memo.budget) == (0, 300)
    for number in range(9):
        doubled(number)
    assert memo.size == memo.budget
