"""Trees: node by node what the algorithms visit, as text, as a picture and as a page."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from engine import Game, Move, roster
from engine.__main__ import COMMANDS, parser
from engine.games.ludo import GAME as LUDO
from engine.games.tictactoe import GAME
from engine.terminal.console import BadCommand, Outside
from engine.tree.growth import MOST_NODES, Node, SearchTree, TooLarge, grow
from engine.tree.page import page
from engine.tree.picture import picture
from engine.tree.steps import mode, numbered
from engine.tree.text import ENGLISH, TEXTS, TreeWords, text
from tests.browser import console
from tests.engine.games.ludo.positions import standing
from tests.engine.terminal.test_terminal import Typist

FIVE_LEFT = [Move(cell) for cell in (0, 4, 5, 2)]
WINS_AT_ONCE = [Move(cell) for cell in (0, 3, 1, 4)]
PRUNING = ["alphabeta", "alphabeta-negamax", "alphabeta-textbook"]
CLASSICS = ["minimax", "minimax-in-one", "negamax", *PRUNING]
ROLLED = standing((5, 9, 0, 0), (3, 0, 20, 0)).play(Move(3))


def tree(agent: str, moves: Sequence[Move] = FIVE_LEFT) -> SearchTree:
    return grow(GAME, agent, GAME.replay(2, {}, moves))


def nodes_below(node: Node) -> int:
    """The nodes below one, as the algorithm counts: a roll and the choice after it are one."""
    alone = (not (node.at_chance and child.children) for child in node.children)
    return sum(map(nodes_below, node.children)) + sum(alone)


def thought(game: Game[Any], agent: str, state: Any) -> tuple[int, int]:
    found = roster.entrant(game, agent).agent(Random(0)).think(state)
    return found.nodes, found.cutoffs


def run(command: str) -> str:
    typist = Typist()
    arguments = parser().parse_args(command.split())
    COMMANDS["tree"].run(arguments, Outside(typist, lambda: 0.0, Random(1), cores=1))
    return typist.seen


@pytest.mark.parametrize("agent", [*CLASSICS, "alphabeta:3", "negamax:2"])
def test_a_tree_has_the_nodes_that_the_algorithm_counts(agent: str) -> None:
    state = GAME.replay(2, {}, FIVE_LEFT)
    found = grow(GAME, agent, state)
    counted = (nodes_below(found.root), found.thought.cutoffs)
    assert counted == thought(GAME, agent, state)
    assert sum(1 for _ in found.root.every()) - 1 == nodes_below(found.root)


@pytest.mark.parametrize("depth", [1, 2])
def test_so_has_the_tree_of_a_game_with_dice(depth: int) -> None:
    agent = f"expectiminimax:{depth}"
    found = grow(LUDO, agent, ROLLED)
    assert (nodes_below(found.root), 0) == thought(LUDO, agent, ROLLED)
    values = {child.move: child.worth[0] for child in found.root.children}
    assert values == pytest.approx(dict(found.thought.values))
    chances = [node for node in found.root.every() if node.at_chance]
    assert bool(chances) == (depth == 2)
    assert all(len(node.children) == 6 for node in chances)


def test_compare_prints_the_counts_of_the_tree() -> None:
    moves = "7 5 6 9"
    told = run(f"tree tictactoe --agent alphabeta --moves {moves}")
    found = re.search(r"alphabeta: (\d+) nodes, (\d+) cut-offs", told)
    assert found
    typist = Typist()
    ticks = itertools.count()
    arguments = parser().parse_args(f"compare tictactoe --agents alphabeta --moves {moves}".split())
    COMMANDS["compare"].run(arguments, Outside(typist, lambda: next(ticks), Random(1), cores=1))
    row = next(line for line in typist.lines if "| alphabeta" in line)
    assert [cell.strip() for cell in row.split("|")[4:6]] == list(found.groups())


def test_values_without_pruning_are_the_exact_ones_and_pruning_keeps_the_roots() -> None:
    solver = roster.entrant(GAME, "solver")
    full, pruned = tree("minimax"), tree("alphabeta")
    for node in full.root.every():
        if node.children:
            exact = solver.agent(Random(0), weigh_all=True).think(node.state).values
            outcome = max(exact.values())
            mine = outcome if node.state.turn == full.seat else -outcome
            assert (full.value(node) > 0) - (full.value(node) < 0) == (mine > 0) - (mine < 0)
    assert pruned.value(pruned.root) == full.value(full.root)
    assert not [node for node in full.root.every() if node.cut]


@pytest.mark.parametrize("agent", ["alphabeta", "alphabeta-textbook"])
def test_a_move_is_cut_only_where_the_window_is_closed(agent: str) -> None:
    found = tree(agent)
    cut = [node for node in found.root.every() if node.cut]
    assert cut
    for node in cut:
        alpha, beta = node.window
        if found.layer(node) == "MAX":
            assert found.value(node) >= beta
        else:
            assert found.value(node) <= alpha


def test_negamax_tells_values_from_the_seat_to_move() -> None:
    minimax, negamax = tree("minimax"), tree("negamax")
    for one, other in zip(minimax.root.every(), negamax.root.every(), strict=True):
        sign = -1 if one.ply % 2 else 1
        assert negamax.value(other) == sign * minimax.value(one)
        assert negamax.layer(other) == "MAX"


def test_layers_take_turns() -> None:
    found = tree("minimax")
    assert all(
        found.layer(node) == ("MIN" if node.ply % 2 else "MAX") for node in found.root.every()
    )
    dice = grow(LUDO, "expectiminimax:2", ROLLED)
    assert [dice.layer(dice.root), dice.layer(dice.root.children[0])] == ["MAX", "CHANCE"]


def test_a_search_that_visits_too_much_is_refused_with_what_helps() -> None:
    with pytest.raises(TooLarge, match=rf"more than {MOST_NODES:,} positions; give a smaller"):
        grow(GAME, "minimax", GAME.start(2, {}))
    six_left = grow(GAME, "minimax", GAME.replay(2, {}, [Move(0), Move(1), Move(3)]))
    assert nodes_below(six_left.root) <= MOST_NODES
    with pytest.raises(BadCommand, match="grows no tree"):
        run("tree tictactoe --agent perfect")


def test_the_text_draws_layers_values_windows_and_cuts() -> None:
    lines = text(tree("alphabeta")).splitlines()
    assert lines[0].split()[0] == "MAX"
    assert sum(line.strip().startswith("x") for line in lines) > 0
    assert any("[" in line and "MIN" in line for line in lines)
    assert len([line for line in lines if re.search(r"M(AX|IN)", line)]) == 1 + nodes_below(
        tree("alphabeta").root
    )
    assert " ".join(lines).count("[α 0") > 1


def test_values_and_bounds_read_as_people_read_them() -> None:
    pruned, book = tree("alphabeta"), tree("alphabeta-textbook")
    root = pruned.root
    assert ENGLISH.window(pruned, root) == ()
    root.window = -5e-324, math.nextafter(1 - 5 / 1024, -math.inf)
    assert ENGLISH.window(pruned, root) == ("α 0", "β X wins in 5")
    values = (-1 + 2 / 1024, 0.314, -0.3, 1.0, -1.0, -0.001)
    read = [ENGLISH.value(pruned, root, value) for value in values]
    assert read == ["O wins in 2", "0.31", "−0.3", "1", "−1", "0"]
    assert {ENGLISH.below(book, node) for node in book.root.every()} == {"1", "0", "−1"}
    names = {name for node in pruned.root.every() for name in written(pruned, node)}
    assert not [name for name in names if re.search(r"0\.9", name)]


def written(found: SearchTree, node: Node) -> Iterator[str]:
    yield ENGLISH.below(found, node)
    yield from ENGLISH.window(found, node)


def told(*agents: str, moves: Sequence[Move] = FIVE_LEFT) -> list[list[str]]:
    """The sentences of the searches from five free cells, step by step."""
    trees = [tree(agent, moves) for agent in agents]
    ids = numbered(trees[-1].root)
    return [[step.told for step in mode(each, ids, ENGLISH)["list"]] for each in trees]


def test_every_step_has_a_sentence_that_explains_it() -> None:
    (pruned, full) = told("alphabeta-textbook", "minimax")
    assert all(re.fullmatch(r"[^{}]+\.", each) for each in (*pruned, *full))
    assert pruned[0] == "MAX (X) tries 8."
    cuts = [each for each in pruned if "left out" in each]
    assert len(cuts) == sum(len(node.cut) for node in tree("alphabeta-textbook").root.every())
    assert (
        "X already has a line elsewhere: X wins. Here X gets no better than this: O wins. "
        "So X won't come here, and 2 is left out." in cuts
    )
    assert not [each for each in full if "left out" in each]
    assert "The game ends here: X wins." in pruned
    assert full[-1] == "MAX (X) plays 1, which has the largest value: a draw."
    assert "MIN (O) plays 1, which has the smallest value: O wins in 2." in full


@pytest.mark.parametrize("moves", [FIVE_LEFT, WINS_AT_ONCE])
@pytest.mark.parametrize("agent", [*CLASSICS, "mcts"])
def test_a_sentence_that_tells_a_value_says_who_wins_or_that_it_is_a_draw(
    agent: str, moves: Sequence[Move]
) -> None:
    for each in told(agent, "mcts" if agent == "mcts" else "minimax", moves=moves)[0]:
        for value in re.findall(r": ([^:]*?)(?:\. [HS]|\.$)", each):
            means = r"[XO] wins( in \d)?|a draw|[−\d.]+ for [XO]( on average)?"
            assert re.fullmatch(means, value), each


def test_a_step_of_negamax_turns_the_sign_and_names_the_seats_since_both_want_the_most() -> None:
    (steps, _) = told("alphabeta-negamax", "negamax")
    turned = "whose value with its sign turned is the largest"
    assert f"MAX (O) plays 1, {turned}: O wins in 2." in steps
    assert not [each for each in steps if "has the largest" in each]
    assert [each for each in steps if re.match(r"O already has a line elsewhere: O wins", each)]
    assert not [each for each in steps if "MIN" in each]


def test_the_steps_of_a_game_with_dice_say_who_rolls_what_and_whose_token_moves() -> None:
    found = grow(LUDO, "expectiminimax:2", ROLLED)
    steps = mode(found, numbered(found.root), ENGLISH)["list"]
    said = [step.told for step in steps]
    assert said[0] == "MAX (red) tries red 1."
    assert said[1] == "CHANCE (green) rolls 1: 1 chance in 6."
    average = "6 rolls, each 1/6: "
    rolls = [node for node in found.root.every() if node.at_chance]
    assert sum(each.startswith(average) for each in said) == len(rolls)
    assert any(re.match(r"MIN \(green\) plays green \d, which has the sma", each) for each in said)
    assert all(each.endswith(" for red on average.") for each in said if average in each)
    drawn = picture(found)
    assert "green 🎲 ?" in drawn
    assert "green 🎲 4" in drawn
    assert "🎲 4 · 1/6" in drawn


def test_each_of_three_takes_what_is_best_for_itself() -> None:
    state = standing((5, 9, 0, 0), (3, 0, 20, 0), (7, 0, 0, 0)).play(Move(3))
    found = grow(LUDO, "expectiminimax:2", state)
    assert {found.layer(node) for node in found.root.every()} == {"MAX", "CHANCE"}
    said = [step.told for step in mode(found, numbered(found.root), ENGLISH)["list"]]
    assert re.fullmatch(
        r"MAX \(red\) takes what's best for itself: red \d. For red: \S+\.", said[-1]
    )


@pytest.mark.parametrize(("game", "state"), [(GAME, None), (LUDO, ROLLED)])
def test_a_tree_that_is_sampled_has_a_step_a_playout_and_ends_with_the_most_played_move(
    game: Game[Any], state: Any
) -> None:
    found = grow(game, "mcts:40", state or GAME.replay(2, {}, FIVE_LEFT))
    *playouts, last = mode(found, numbered(found.root), ENGLISH)["list"]
    assert len(playouts) == 40 == found.root.playouts
    assert sum(step.kind == "playout" for step in playouts) == found.nodes
    shown = {number: text for step in playouts for number, text in step.written}
    ids = {node: number for number, node in enumerate(found.root.every())}
    assert shown == {ids[node]: ENGLISH.below(found, node) for node in ids}
    assert all(re.fullmatch(r"Playout \d+: .+: (.+ wins|a draw)\.", step.told) for step in playouts)
    best = max(found.root.children, key=lambda child: child.playouts)
    assert best.chosen
    assert f"which has the most playouts ({best.playouts}/40): " in last.told
    assert "mcts: 40 playouts" in text(found)
    assert grow(GAME, "mcts:9", GAME.start(2, {})).nodes == 9
    with pytest.raises(TooLarge, match="at most 2,000 playouts"):
        grow(GAME, "mcts:2001", GAME.start(2, {}))


def test_partners_win_together() -> None:
    teams = LUDO.settled({**LUDO.presets["quick"], "teams": "yes"})
    rolled = [Move(pips) for pips in (6, 1, 2, 3, 6)]  # red begins
    found = grow(LUDO, "mcts:9", LUDO.replay(4, teams, rolled))
    *playouts, _ = mode(found, numbered(found.root), ENGLISH)["list"]
    ends = {step.told.rpartition(": ")[2] for step in playouts}
    assert ends == {"red, yellow win together.", "green, blue win together."}


def test_the_picture_has_a_board_for_each_node_and_a_cross_for_each_move_left_out() -> None:
    found = tree("alphabeta")
    drawing = ET.fromstring(picture(found))  # noqa: S314
    groups = [each for each in drawing.iter() if (each.get("id") or "").startswith("n")]
    assert len(groups) == nodes_below(found.root) + 1
    crosses = [each for each in drawing.iter() if each.get("class") == "cross"]
    assert len(crosses) == sum(len(node.cut) for node in found.root.every())
    values = [each.text for each in drawing.iter() if each.get("class") == "value"]
    assert values == [ENGLISH.below(found, node) for node in found.root.every()]


def test_a_tree_is_written_to_a_file(tmp_path: Path) -> None:
    for kind, begins in (("svg", "<svg"), ("html", "<!doctype html>"), ("text", " MAX")):
        out = tmp_path / f"tree.{kind}"
        run(f"tree tictactoe --moves 7 5 6 9 --format {kind} --out {out}")
        assert out.read_text(encoding="utf-8").startswith(begins)
    assert "CHANCE" in run("tree ludo --moves 6 1 6 --depth 1")


def test_the_page_needs_nothing_from_elsewhere() -> None:
    agents = ("alphabeta", "alphabeta-textbook", "minimax")
    seen = page([*map(tree, agents)])
    assert not re.search(r"(src|href)=", seen)
    assert set(re.findall(r"https?://[^\"]+", seen)) == {"http://www.w3.org/2000/svg"}
    data = json.loads(re.findall(r"const DATA = (.*?});", seen)[0])
    nodes = [nodes_below(tree(agent).root) for agent in agents]
    assert [each["nodes"] for each in data["modes"]] == nodes
    assert nodes[1] < nodes[0] < nodes[2]


def test_the_arrow_keys_step_through_the_search(browser: Chrome, tmp_path: Path) -> None:
    pruned, book, full = map(tree, ("alphabeta", "alphabeta-textbook", "minimax"))
    file = tmp_path / "tree.html"
    file.write_text(page([pruned, book, full]), encoding="utf-8")
    browser.get(file.as_uri())

    def press(key: str) -> str:
        browser.find_element(By.TAG_NAME, "body").send_keys(key)
        return browser.find_element(By.ID, "status").text

    def seen() -> int:
        return int(browser.execute_script("return document.querySelectorAll('.node.seen').length"))

    nodes, left_out = nodes_below(pruned.root), sum(len(node.cut) for node in pruned.root.every())
    assert "Step 0 of" in press(Keys.ARROW_LEFT)
    assert seen() == 1
    assert "starts here" in browser.find_element(By.ID, "told").text
    assert f"Step 1 of {steps(pruned)} · 1 of {nodes} nodes" in press(Keys.ARROW_RIGHT)
    assert browser.find_element(By.ID, "told").text == "MAX (X) tries 8."
    assert seen() == 2
    assert f"0 of {nodes} nodes" in press(Keys.ARROW_LEFT)
    assert f"{nodes} of {nodes} nodes · {left_out} moves left out" in press(Keys.END)
    assert seen() == nodes + 1
    shown = """
        const how = {visibilityProperty: true, opacityProperty: true};
        const crosses = [...document.querySelectorAll(".cross")];
        return crosses.filter((each) => each.checkVisibility(how)).length;
    """
    assert browser.execute_script(shown) == left_out
    press("p")
    assert f"{nodes_below(book.root)} of {nodes_below(book.root)} nodes" in press(Keys.END)
    press("p")
    every = nodes_below(full.root)
    assert f"{every} of {every} nodes · 0 moves left out" in press(Keys.END)
    assert seen() == every + 1
    value = browser.find_element(By.CSS_SELECTOR, "#n0 .value").text
    assert value == ENGLISH.below(full, full.root)
    assert "Step 0 of" in press(Keys.HOME)
    assert not console(browser)


def steps(found: SearchTree) -> int:
    """The steps of a page: one for each node reached, each move left out, and each value known."""
    every = list(found.root.every())
    return 2 * len(every) - 1 + sum(len(node.cut) for node in every)


def test_the_best_play_is_green_when_it_is_found_and_not_before(
    browser: Chrome, tmp_path: Path
) -> None:
    found = tree("minimax")
    file = tmp_path / "tree.html"
    file.write_text(page([found]), encoding="utf-8")
    browser.get(file.as_uri())

    def green(step: int) -> list[str]:
        browser.execute_script(f"go({step})")
        best = "[...document.querySelectorAll('.node.best')].map((each) => each.id)"
        return list(browser.execute_script(f"return {best}"))

    ids = {node: f"n{number}" for number, node in enumerate(found.root.every())}
    best = [ids[node] for node in (found.root, *found.root.principal())]
    assert green(0) == []
    assert not {"n0"} & {*green(steps(found) - 1)}
    assert sorted(green(steps(found))) == sorted(best)


def test_a_phone_shows_the_board_where_the_search_begins(browser: Chrome, tmp_path: Path) -> None:
    file = tmp_path / "tree.html"
    file.write_text(page([tree("minimax")]), encoding="utf-8")
    phone = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    browser.get(file.as_uri())
    left, right, top, bottom = browser.execute_script("""
        const box = document.querySelector("#n0 .box").getBoundingClientRect();
        return [box.left, box.right, box.top, box.bottom];
    """)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert 0 <= left < right <= 360
    assert 0 <= top < bottom <= 740


def test_the_whole_tree_can_be_reached_where_lines_run_from_right_to_left(
    browser: Chrome, tmp_path: Path
) -> None:
    """A browser cuts off what is right of a page that is from right to left."""
    file = tmp_path / "tree.html"
    words = TreeWords("ar", "rtl", {**TEXTS, "control.next": "التالي"}.__getitem__)
    file.write_text(page([tree("minimax")], words), encoding="utf-8")
    browser.get(file.as_uri())
    far = browser.execute_script("""
        document.querySelector("main").scrollLeft = 1e6;
        return document.querySelector("svg").getBoundingClientRect().right - innerWidth;
    """)
    assert far <= 0
    assert browser.execute_script("return document.querySelector('main').scrollLeft") > 0
    assert browser.execute_script("return document.documentElement.dir") == "rtl"
    forward = browser.find_element(By.CSS_SELECTOR, "button[value=ArrowRight]")
    assert forward.get_attribute("title") == "التالي (→)"
