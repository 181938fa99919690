"""The user's bags on the page: columns of bags and labels are guessed, chosen, used, and linked."""

from html import unescape

import numpy as np
import pytest
from helpers.naming import names_all
from helpers.page_helpers import choose, notice, open_page

from explorer.labs.distributions.script import numbers
from explorer.markup import text_of
from explorer.pages import DistributionsPage
from explorer.pages.user_data.bag_columns import CUT, NONE

pytestmark = [
    pytest.mark.usefixtures("at_once"),
    pytest.mark.thorough,
]  # the default run tests the parts shared by all pages on the first lab


def row(i):
    """Return row i of a table of twelve bags of six points, alternately of the classes x and y."""
    bag, other = i // 6, i // 6 % 2
    return f"b{bag},{(1 + other) * np.sin(7.0 * i):.3f},{np.cos(3.0 * i):.3f},{'xy'[other]},{bag}\n"


TABLE = ("bag,u,v,class,level\n" + "".join(map(row, range(72)))).encode()


@pytest.fixture
def page():
    return open_page(DistributionsPage, n="10")


def trouble(page):
    return page.user_data.trouble.object


def test_a_table_with_a_column_of_bags(page, tmp_path, monkeypatch):
    choose(page, TABLE)
    assert (page.user_data.bag.value, page.user_data.label.value) == ("bag", "class")
    assert page.user_data.columns.value == ["u", "v", "level"]
    page.user_data.label.value = "level"
    assert page.user_data.columns.value == ["u", "v"]
    page.user_data.label.value = "class"
    page.user_data.columns.value = ["u", "v"]
    page.user_data.button.clicks += 1
    assert notice(page) == ""
    assert (page.lab.bag_column, page.lab.label_column, page.lab.columns) == ("bag", "class", '["u", "v"]')
    assert page.result.sides == ("y", "x")
    assert len(page.result.drawn.bags) == 12
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_bytes(TABLE)
    space = {}
    exec(page.chrome.bar.share.code, space)
    assert space["shown"]["value"] == pytest.approx(page.result.value, rel=1e-12, abs=1e-12)
    page.other_class()
    assert page.result.sides == ("x", "y")
    again = open_page(DistributionsPage, **page.lab.flat())
    assert names_all(notice(again), "mine.csv")
    choose(again, TABLE)
    assert (again.user_data.bag.value, again.user_data.label.value) == ("bag", "class")
    again.user_data.button.clicks += 1
    assert again.lab == page.lab
    assert again.result.value == page.result.value


def test_numbers_of_bags(page):
    choose(page, TABLE)
    page.user_data.label.value = "level"
    page.user_data.button.clicks += 1
    assert page.result.number
    assert names_all(page.chrome.headline.object, "<b>level</b>", "R² = <b>0</b>", "12")
    assert page.view.figures["boundary"].yaxis[0].axis_label == "level"


def test_what_is_still_to_be_chosen_is_a_sentence(page):
    before = page.lab.values()
    choose(page, TABLE)
    page.user_data.label.value = NONE
    page.user_data.button.clicks += 1
    assert "classes" in trouble(page)
    page.user_data.bag.value, page.user_data.label.value = CUT, "u"
    page.user_data.button.clicks += 1
    assert names_all(unescape(trouble(page)), "'u'")
    page.user_data.bag.value = page.user_data.label.value = "class"
    page.user_data.button.clicks += 1
    assert names_all(unescape(trouble(page)), "'class'")
    page.user_data.label.value, page.user_data.columns.value = "level", []
    page.user_data.button.clicks += 1
    assert "column" in trouble(page)
    assert page.lab.values() == before


# bags cut from classes


def classes(rows=40, kinds=("ill", "well"), far=2.0):
    """Return a table of classes that differ in the last column, with an identifier, decimal commas and a unit."""
    rng, lines = np.random.default_rng(5), ["id;kind;a;mass (g)"]
    for i in range(rows * len(kinds)):
        a, mass = rng.normal(), 4000 + 100 * far * (i % len(kinds)) + 100 * rng.normal()
        lines.append(f"{1000 + i};{kinds[i % len(kinds)]};{a:.3f};{mass:.1f}".replace(".", ","))
    return "\n".join([*lines, ""]).encode()


def use(page, raw, name="mine.csv"):
    choose(page, raw, name)
    page.user_data.button.clicks += 1
    assert (notice(page), trouble(page), page.lab.source) == ("", "", "file")
    return page.result


def test_a_table_with_one_column_of_groups_opens_without_a_question(page, tmp_path, monkeypatch):
    raw = classes()
    result = use(page, raw)
    assert (page.user_data.bag.value, page.user_data.label.value) == (CUT, "kind")
    assert (page.lab.bag_column, page.lab.label_column, page.lab.n) == ("", "kind", 5)
    assert len(result.drawn.bags) == 16
    assert {len(bag) for bag in result.drawn.bags} == {5}
    said = page.chrome.headline.object
    assert names_all(said, "5", "<b>well</b>", "ill", "kind", "mine.csv", "8")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_bytes(raw)
    space = {}
    exec(page.chrome.bar.share.code, space)
    assert space["shown"]["value"] == pytest.approx(result.value, rel=1e-12, abs=1e-12)
    assert space["shown"]["score"] == pytest.approx(result.share, rel=1e-12)
    again = open_page(DistributionsPage, **page.lab.flat())
    assert names_all(notice(again), "mine.csv")
    assert use(again, raw).value == result.value
    assert again.lab == page.lab


def test_the_columns_that_differ_most_are_drawn_and_named_in_their_units(page):
    result = use(page, classes())
    clouds = page.view.figures["clouds"]
    assert [each.label for each in result.drawn_quantities] == ["mass (g)", "a"]
    assert clouds.xaxis[0].axis_label == "spread of a bag, median = 1 (log scale)"
    assert names_all(page.chrome.caption.object, "mass (g)", "a")
    points = numbers(result)["points"]
    written = {float(line.split(";")[3].replace(",", ".")) for line in classes().decode().split()[2:]}
    assert set(points["mass (g)"]) <= written
    assert set(points["target"]) == {"ill", "well"}
    page.choose("source", "spread")
    assert "points" not in numbers(page.result)


def test_a_bandwidth_of_one_column_is_in_its_unit(page):
    choose(page, classes())
    page.user_data.columns.value = ["mass (g)"]
    page.user_data.button.clicks += 1
    (quantity,) = page.result.quantities
    assert page.result.coordinates == (0,)
    theta = quantity.size * page.result.kernel.bandwidth
    assert f"</span> {theta:.3g}" in page.chrome.caption.object


def test_controls_that_mean_nothing_are_off(page):
    use(page, TABLE)
    assert page.result.whole  # it uses all bags, with all their rows
    assert page.pressed["fresh"].disabled
    assert page.sliders["difference"].slider.disabled
    assert not page.sliders["spread"].slider.disabled
    page.move("n", n=4)
    assert not page.pressed["fresh"].disabled
    use(page, classes())
    assert not page.pressed["fresh"].disabled


def test_few_bags_are_said_first(page):
    use(page, classes(rows=5))
    assert names_all(text_of(page.chrome.headline.object).split(":")[0], "4")


def columns(**parts):
    """Return a table of these columns and a measured one."""
    rng = np.random.default_rng(3)
    rows = zip(*parts.values(), (f"{value:.3f}" for value in rng.normal(size=60)), strict=True)
    return "\n".join([",".join([*parts, "u"]), *map(",".join, rows)]).encode()


KIND = ["xy"[i // 6 % 2] for i in range(60)]  # the class of each row in ten bags of six rows


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ({"town": [f"t{i // 6}" for i in range(60)], "land": KIND}, ("town", "land")),
        ({"subject": [str(100 + i // 6) for i in range(60)], "kind": KIND}, ("subject", "kind")),
        ({"island": [f"i{i % 5}" for i in range(60)], "kind": KIND}, (CUT, "kind")),  # every bag has both kinds
        ({"id": [str(i) for i in range(60)], "kind": KIND}, (CUT, "kind")),
        ({"town": [f"t{i // 6}" for i in range(60)], "dose": [f"{i // 6 * 1.5}" for i in range(60)]}, ("town", "dose")),
        ({"v": [f"{i * 0.37:.2f}" for i in range(60)]}, (CUT, NONE)),
    ],
    ids=["nested", "subjects", "crossed", "identifier", "numbers", "none"],
)
def test_which_columns_name_bags_and_labels(page, parts, found):
    choose(page, columns(**parts))
    assert (page.user_data.bag.value, page.user_data.label.value) == found
