"""The Independence lab's page without a browser: σ, points placed by the user, columns, and the user's table."""

import numpy as np
import pytest
from helpers.naming import naming
from helpers.page_helpers import ask, error_at, notice, open_page, page_at_link, page_using, type_in

from explorer.labs.independence import IndependenceLab
from explorer.pages import IndependencePage

pytestmark = pytest.mark.thorough  # the default run tests the parts shared by all pages on the first lab

SIGMAS = [0.0, 0.2, 1.0, 5.0]  # few stops: a page without a document computes all of them at every move


def small(**words):
    return open_page(IndependencePage, n="20", permutations="199", **words)


@pytest.fixture(scope="module", autouse=True)
def few_sigmas():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(IndependenceLab, "default_stops", SIGMAS)
        yield


@pytest.fixture
def page():
    return small()


def test_the_table_holds_when_the_server_draws_another_sigma(page, monkeypatch):
    stamp, sends = page.display.lookup.stamp, []
    assert stamp.table == stamp.shown
    monkeypatch.setattr(page.runtime, "schedule_idle_update", lambda: None)  # no idle update
    monkeypatch.setattr(page.display.lookup, "send", lambda *table: sends.append(table))
    ask(page, 1, sigma=[3, False])
    assert page.result.lab.sigma == SIGMAS[3]
    assert stamp.table == stamp.shown
    ask(page, 2, bandwidth=[4, False])
    assert stamp.table < stamp.shown
    assert sends == []


def test_sigma_by_leave_one_out(page):
    page.bindings.press("auto")
    page.rest()
    assert page.lab.sigma is None
    assert page.sliders["sigma"].slider.value_label == "by leave-one-out"
    a, b = (s / m for s, m in zip(page.result.sigmas, page.result.medians, strict=True))
    assert min(a, b) <= page.slider_start("sigma") <= max(a, b)
    type_in(page, "sigma", "0.123")
    assert 0.123 in page.result.stops
    assert page.sliders["sigma"].slider.value == 0.123


def test_other_kernels_have_no_sigma(page):
    page.move("sigma", sigma=0.5)
    page.choose("kernel", "LIN")
    assert (page.lab.sigma, notice(page), page.result.rows) == (0.0, "", None)
    assert page.sliders["sigma"].slider.disabled
    page.move("sigma", sigma=0.5)
    assert "Set σ to 0" in error_at(page, "sigma")
    page.choose("kernel", "RBF")
    assert not page.sliders["sigma"].slider.disabled


def test_points_are_dragged_added_and_removed_and_a_drawing_begins_empty(page):
    page.on_drag("sample", [3, 0.5, -0.5])
    assert (page.result.pairs.X[3, 0], page.result.pairs.Y[3, 0]) == (0.5, -0.5)
    assert page.pressed["removal"].disabled
    page.on_drag("added", [[0.25, 0.5], [1, 2]])
    page.on_drag("placed", [0, 0.75, -1])
    assert (page.lab.placed, page.lab.selected) == ("[[0.75,-1.0],[1.0,2.0]]", 1)
    assert not page.pressed["removal"].disabled
    page.remove()
    assert page.lab.placed == "[[1.0,2.0]]"
    page.canvas()
    assert (page.lab.source, page.lab.placed, page.lab.moved, page.result.enough) == ("drawn", "", "", False)
    assert notice(page) == ""
    assert page.sliders["n"].slider.disabled
    assert page.sliders["noise"].slider.disabled
    for i in range(5):
        page.on_drag("added", [[0.2 * i, (0.2 * i) ** 2]])
    assert page.result.enough
    assert "Pearson" in page.chrome.headline.object
    page.choose("source", "ring")
    assert page.lab.placed == ""
    assert not page.sliders["noise"].slider.disabled


def test_one_shuffle_is_looked_at(page):
    page.shuffle()
    page.shuffle()
    assert page.lab.shuffle == 2
    assert len(page.view.sources["sample.shuffled"].data["x"]) == 20
    page.move(None, shuffle=199)
    page.shuffle()
    assert page.lab.shuffle == 0


def test_fresh_samples_are_a_button(page):
    page.move(None, samples=3, picture="pair")
    assert page.result.fresh.count == 3
    assert page.pressed["hundred"].label == "3 samples"
    assert "of 3 fresh samples" in page.chrome.headline.object
    page.bindings.press("hundred")
    assert page.lab.samples == 0
    assert page.pressed["hundred"].label == "+100 samples"


def test_the_slider_of_the_rank_stands_below_its_picture_which_no_table_knows(page):
    (place,) = (part for part, _ in page.arranged.conditions if page.sliders["rank"].slider in part.select())
    stamp = page.display.lookup.stamp
    for picture in ("ranks", "gram"):
        page.choose("picture", picture)
        assert page.arranged.pictures[picture].visible
        assert place.visible == (picture == "ranks")
        assert (stamp.table < stamp.shown) == (picture == "ranks")


def test_a_table_has_menus_of_its_columns(page):
    assert not page.roles.x.visible
    page.choose("source", "wine")
    assert (page.lab.n, page.roles.x.visible, notice(page)) == (100, True, "")
    page.move("n", n=12)
    assert (page.roles.x.value, page.roles.y.value) == (["flavanoids"], "color_intensity")
    page.roles.x.value = ["hue", "ash"]
    assert page.lab.x == '["hue", "ash"]'
    page.roles.y.value = "ash"
    assert (page.lab.x, page.lab.y, page.roles.x.value) == ('["hue"]', "ash", ["hue"])
    assert page.result.pairs.names == ("hue", "ash")
    page.choose("source", "eckerle4")
    assert (page.lab.n, page.lab.x, page.roles.y.value) == (12, "", "transmittance")


TABLE = b"a,b,c\n" + b"".join(b"%d,%d,%d\n" % (37 * i % 101, i * i % 7, -(37 * i % 101)) for i in range(30))


def test_a_table_of_ones_own():
    page = small()
    page.user_data.choose(b"a,who\n1,x\n2,y\n3,x\n4,x\n", "t.csv")
    with pytest.raises(ValueError, match=naming("one", "column", "two")):
        page.user_data.read()
    page_using(page, TABLE, "t.csv")
    assert (page.lab.source, page.lab.n, page.result.pairs.names) == ("file", 30, ("a", "c"))
    assert page.result.pearson.value == pytest.approx(-1)
    page.roles.y.value = "b"
    again = page_at_link(page)
    assert "t.csv" in notice(again)
    assert page_using(again, TABLE, "t.csv").lab == page.lab
    page.choose("source", "ring")
    page.choose("source", "file")
    assert page.lab.hash == again.lab.hash
    assert np.isfinite(page.result.pvalue)


def test_a_refusal_names_a_field_and_no_class(page):
    """Return whether the lab's own class declares the field."""
    for name, field in {"IndependenceLab": "waves", "LabOfPairs": "selected", "UserTable": "rows"}.items():
        page.chrome.say([f"{name}.{field} must be a whole number."])
        assert f">{field} must be" in notice(page)
    page.chrome.say([])


def test_a_bandwidth_beyond_every_distance_draws_no_gamma_curve():
    """At a bandwidth of 1e150 medians, HSIC's gamma distribution has a scale below the smallest float."""
    page = IndependencePage(n=60, source="cross", bandwidth=1e150, permutations="199")
    assert np.isnan(page.view.sources["null.null"].data["gamma"]).all()
