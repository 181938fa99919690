"""The Independence lab's page without a browser: it opens, follows, takes points, columns and one's own table."""

import numpy as np
import pytest
from paging import ask, drawn, notice, opened, same, trouble, type_in

from explorer.labs.independence import IndependenceLab
from explorer.pages import IndependencePage

pytestmark = pytest.mark.thorough  # what the first lab's page shows of the chassis runs by default

SIGMAS = [0.0, 0.2, 1.0, 5.0]  # fewer than a lab has: without a document a page computes each at every move
SMALL = {"n": "20", "permutations": "199"}
FIELDS = {"n": 20, "permutations": "199"}


def small(**words):
    return opened(IndependencePage, **SMALL, **words)


@pytest.fixture(scope="module", autouse=True)
def few_sigmas():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(IndependenceLab, "usual_stops", SIGMAS)
        yield


@pytest.fixture(scope="module")
def kept():
    """A page that tests may move, if they put it back by `at_home`."""
    return small()


@pytest.fixture
def page(kept):
    kept.move(None, **IndependenceLab(**FIELDS).values())
    kept.rest()
    return kept


def shows(page, **fields):
    """Whether lab, pictures, headline, link and code all show these fields."""
    result = page.lab.result()
    return (
        page.lab == IndependenceLab(**{**FIELDS, **fields})
        and same(page.view.seen(result), drawn(page))
        and page.frame.headline.object == page.headline(result, result.row)
        and page.frame.texts.code == page.python(result)
        and page.frame.notice.object == ""
    )


def test_it_opens_at_rest_with_the_browsers_table(page):
    stamp = page.screen.lookup.stamp
    assert page.result.pending() == ()
    assert stamp.table == stamp.shown
    assert len(stamp.sentences) == len(page.result.stops) == len(SIGMAS)
    assert page.sliders["sigma"].steps == list(page.result.stops)
    assert shows(page)


@pytest.mark.thorough
def test_questions_move_the_lab(page):
    fields = {}
    for serial, (name, index) in enumerate({"noise": 3, "n": 4, "bandwidth": 5, "sigma": 2}.items(), 1):
        fields[name] = list(page.sliders[name].slider.options.values())[index]
        assert ask(page, serial, **{name: [index, False]}) == serial
    page.rest()
    assert shows(page, **fields)


@pytest.mark.thorough
def test_a_sigma_that_the_browser_drew_has_its_own_numbers_in_the_end(page):
    ask(page, 1, sigma=[2, True])
    page.rest()
    result = IndependenceLab(**FIELDS, sigma=SIGMAS[2]).result()
    assert page.lab == page.result.lab == result.lab
    assert page.result.row == 2
    assert (page.result.pvalue, page.result.test.statistic) == (result.pvalue, result.test.statistic)
    assert page.frame.texts.code == page.python(result)
    page.move("noise", noise=0.2)  # the server draws over all that the browser drew
    assert shows(page, sigma=SIGMAS[2], noise=0.2)


def test_the_table_holds_when_the_server_draws_another_sigma(page, monkeypatch):
    stamp, sends = page.screen.lookup.stamp, []
    monkeypatch.setattr(page.carrier, "ask_for_rest", lambda: None)  # the hand does not rest
    monkeypatch.setattr(page.screen.lookup, "send", lambda *table: sends.append(table))
    ask(page, 1, sigma=[3, False])
    assert page.result.lab.sigma == SIGMAS[3]
    assert stamp.table == stamp.shown
    ask(page, 2, bandwidth=[4, False])
    assert stamp.table < stamp.shown
    assert sends == []


@pytest.mark.thorough
def test_sigma_by_leave_one_out(page):
    page.hand.press("auto")
    page.rest()
    assert page.lab.sigma is None
    assert page.sliders["sigma"].slider.value_label == "by leave-one-out"
    a, b = (s / m for s, m in zip(page.result.sigmas, page.result.medians, strict=True))
    assert min(a, b) <= page.near("sigma") <= max(a, b)
    assert shows(page, sigma=None)
    type_in(page, "sigma", "0.123")
    assert 0.123 in page.result.stops
    assert page.sliders["sigma"].slider.value == 0.123


@pytest.mark.thorough
def test_other_kernels_have_no_sigma(page):
    page.move("sigma", sigma=0.5)
    page.choose("kernel", "LIN")
    assert (page.lab.sigma, notice(page)) == (0.0, "")
    assert page.sliders["sigma"].slider.disabled
    assert page.result.rows is None
    assert page.screen.lookup.stamp.table < page.screen.lookup.stamp.shown
    page.move("sigma", sigma=0.5)
    assert "take sigma = 0" in trouble(page, "sigma")
    page.choose("kernel", "RBF")
    assert not page.sliders["sigma"].slider.disabled


@pytest.mark.thorough
def test_points_are_added_dragged_chosen_and_removed(page):
    ask(page, 1, added=[[[0.25, 0.5], [1, 2]], False])
    assert (page.lab.placed, page.lab.selected) == ("[[0.25,0.5],[1.0,2.0]]", 2)
    ask(page, 2, placed=[[0, 0.75, -1], False])
    assert (page.lab.placed, page.lab.selected) == ("[[0.75,-1.0],[1.0,2.0]]", 1)
    ask(page, 3, chosen=[["placed", 1], False])
    assert page.lab.selected == 2
    ask(page, 4, sample=[[3, 0.5, -0.5], False])
    assert (page.result.pairs.X[3, 0], page.result.pairs.Y[3, 0]) == (0.5, -0.5)
    assert not page.pressed["removal"].disabled
    page.remove()
    page.remove()
    assert (page.lab.placed, page.lab.selected) == ("", 0)
    page.rest()
    assert page.pressed["removal"].disabled
    page.remove()
    page.places.undo()
    assert page.lab.placed != ""


@pytest.mark.thorough
def test_a_drawing_from_an_empty_canvas(page):
    ask(page, 1, added=[[[1, 1]], False])
    page.canvas()
    assert (page.lab.source, page.lab.placed, page.result.enough) == ("drawn", "", False)
    assert notice(page) == ""
    assert page.sliders["n"].slider.disabled
    assert page.sliders["noise"].slider.disabled
    for i in range(5):
        ask(page, i + 2, added=[[[0.2 * i, (0.2 * i) ** 2]], False])
    assert page.result.enough
    assert "Pearson" in page.frame.headline.object
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
    assert "of 3 fresh samples" in page.frame.headline.object
    page.repeat()
    assert page.lab.samples == 0
    assert page.pressed["hundred"].label == "+100 samples"


def rank_is_there(page):
    """Whether the slider of the rank stands on the page."""
    return next(part.visible for part, _ in page.arranged.conditions if page.sliders["rank"].slider in part.select())


@pytest.mark.thorough
def test_pictures_are_made_when_they_are_first_seen():
    page = small()
    assert [n for n, place in page.arranged.pictures.items() if place.objects] == ["sample", "null", "pair"]
    page.choose("picture", "ranks")
    assert rank_is_there(page)
    assert page.arranged.pictures["ranks"].visible
    assert not page.arranged.pictures["pair"].visible
    assert page.screen.lookup.stamp.table < page.screen.lookup.stamp.shown  # ranks follow σ, and no table knows them
    page.choose("picture", "gram")
    assert not rank_is_there(page)
    assert page.screen.lookup.stamp.table == page.screen.lookup.stamp.shown


@pytest.mark.thorough
def test_a_table_has_menus_of_its_columns(page):
    assert not page.roles.x.visible
    page.choose("source", "wine")
    assert notice(page) == ""
    assert (page.lab.n, page.roles.x.visible) == (100, True)
    page.move("n", n=12)
    assert (page.roles.x.value, page.roles.y.value) == (["flavanoids"], "color_intensity")
    page.roles.x.value = ["hue", "ash"]
    assert page.lab.x == '["hue", "ash"]'
    page.roles.y.value = "ash"
    assert (page.lab.x, page.lab.y) == ('["hue"]', "ash")
    assert page.roles.x.value == ["hue"]
    assert page.result.pairs.names == ("hue", "ash")
    page.choose("source", "eckerle4")
    assert (page.lab.n, page.lab.x, page.roles.y.value) == (12, "", "transmittance")


TABLE = b"a,b,c\n" + b"".join(b"%d,%d,%d\n" % (i, i * i % 7, -i) for i in range(30))


@pytest.mark.thorough
def test_a_table_of_ones_own():
    page = small()
    page.own.choose(b"a,who\n1,x\n2,y\n3,x\n4,x\n", "t.csv")
    with pytest.raises(ValueError, match="has one chosen column, and a dependence needs two"):
        page.own.read()
    page.own.choose(TABLE, "t.csv")
    page.own.use(page.own.read())
    assert (page.lab.source, page.lab.n, page.result.pairs.names) == ("file", 30, ("a", "c"))
    assert notice(page) == ""
    page.roles.y.value = "b"
    again = opened(IndependencePage, **page.lab.flat())
    assert "stays with its owner" in notice(again)
    again.own.choose(TABLE, "t.csv")
    again.own.use(again.own.read())
    assert again.lab == page.lab
    assert notice(again) == ""
    page.choose("source", "ring")
    page.choose("source", "file")
    assert page.lab.hash == again.lab.hash
    assert np.isfinite(page.result.pvalue)


def test_a_refusal_names_a_field_and_no_class(page):
    """Whether the lab declares the field itself or shares it with others."""
    for name, field in {"IndependenceLab": "waves", "LabOfPairs": "selected", "OwnTable": "rows"}.items():
        page.frame.say([f"{name}.{field} must be a whole number."])
        assert f">{field} must be" in notice(page)
    page.frame.say([])


def test_a_bandwidth_beyond_every_distance_draws_no_gamma_curve():
    """At 1e150 medians HSIC's gamma distribution has a scale below the smallest float."""
    page = IndependencePage(n=60, source="cross", bandwidth=1e150, permutations="199")
    assert np.isnan(page.view.sources["null.null"].data["gamma"]).all()
