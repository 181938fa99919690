"""Essays: how prose and scenes become a page, and the claims of two essays by other methods."""

from __future__ import annotations

import re

import numpy as np
import pytest
from helpers.naming import naming

from explorer import FKMSE, KME, SKMSE, Gaussian, james_stein, mmd_test, oracle_alpha
from explorer.markup import markup
from explorer.site import essays
from explorer.site.documents import html
from explorer.site.essays import mean, shrink
from explorer.site.essays.essay import Essay
from explorer.site.essays.essay_page import body
from explorer.site.prose import PLACE, inside
from explorer.site.reference.names import by_name
from explorer.workbench.content import content_of
from explorer.workbench.lessons import LESSONS

PRESETS = content_of("shrinkage").presets

EVERY = {essay.key: essay for essay in essays.essays()}
ALLOWED = {"shrink": {"0", "1", "1956", "4"}}  # Stein's year, and Theorem 4
HEAD = "# Small\n\nHow small?\n\n"
TWO = f"""{HEAD}## Two *pictures* of {{n}}

Here is $x_{{n}}$, about {{n}}.

![It is there.](first)

Then [more](#second) of it.

![It is *there*, with {{n}}.](second)
"""


def svg(word, size="0 0 40 20"):
    return markup('<svg xmlns="http://www.w3.org/2000/svg" viewBox="{}"><text>{}</text></svg>', size, word)


@pytest.fixture
def essay_of(tmp_path):
    """Return a function that writes a small essay, which ends in the first preset of a lab."""

    def write(text, told=None, **scenes):
        path = tmp_path / "small.md"
        path.write_text(text, encoding="utf-8")
        return Essay(
            path, scenes or {"first": drawn("first"), "second": drawn("a", "b", "c")},
            cover=lambda: svg("cover"), prose_values=lambda: {"n": 3} if told is None else told,
            lab="shrinkage", preset=PRESETS[0].name, lesson=1, names=("KME",),
        )  # fmt: skip

    return write


def drawn(*words):
    return lambda: [svg(each) for each in words]


# the page -----------------------------------------------------------------------------------------------------------


def test_each_scene_is_a_figure_in_its_place(essay_of):
    page = body(essay_of(TWO))
    assert "<em>pictures</em> of 3" in page
    order = [page.index(each) for each in ("about 3.", 'id="first"', "Then <a", 'id="second"', "Now move it")]
    assert order == sorted(order)
    assert page.count("<figure ") == 2
    assert "<p><figure" not in page
    words = r'<a href="#second" class="shows" data-scene="second" title="It is there, with 3.">more</a>'
    assert re.search(words, page)
    assert "<figcaption>It is <em>there</em>, with 3.</figcaption>" in page


def test_the_figure_of_a_scene_that_moves_is_its_last_drawing(essay_of):
    page = body(essay_of(TWO))
    still, moving = re.findall(r"<figure .*?</figure>", page, re.DOTALL)
    assert 'data-stops="1"' in still
    assert "<script" not in still
    assert 'data-stops="3"' in moving
    assert "<text>c</text>" in moving
    assert '<script type="application/json">' in moving


def test_without_a_script_all_is_there_and_the_page_calls_for_nothing(essay_of):
    page = body(essay_of(TWO))
    bare = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    for words in ("about 3", "more", "It is there.", "<text>first</text>", "<text>c</text>", PRESETS[0].says):
        assert words in bare
    assert not re.search(r'(src|href)="(https?:)?//', page)
    assert html(page).count("`" * 12) == 2  # nothing of it ends the block that it stands in


# what an author may get wrong: each error names the file and the line -----------------------------------------------


def test_a_name_without_a_value_is_refused(essay_of):
    with pytest.raises(ValueError, match=naming("small.md:7", "'m'", "n")):
        body(essay_of(TWO.replace("about {n}", "about {m}")))
    with pytest.raises(ValueError, match=naming("small.md:13", "'a-b'")):
        body(essay_of(TWO.replace("with {n}", "with {a-b}")))


def test_a_value_that_is_not_used_is_refused(essay_of):
    with pytest.raises(ValueError, match=naming("small.md", "m")):
        body(essay_of(TWO, {"n": 3, "m": 4}))


@pytest.mark.parametrize(
    ("old", "new", "line", "facts"),
    [
        ("(second)", "(third)", 13, ("'third'", "first", "second")),
        ("(#second)", "(#third)", 11, ("'#third'", "first", "second")),
        ("(#second)", "(second)", 11, ("'second'", "#name")),
        ("(#second)", "(http://example.org)", 11, ("'http://example.org'", "https://...")),
        ("(#second)", "(#first)", 5, ("second", "[words](#name)")),
        ("[more](#second)", "more", 5, ("second", "[words](#name)")),
        ("Then [more]", "![It is again.](first) Then [more]", 11, ("first", "place already")),
        ("\n\n![It is there.]", "\n![It is there.]", 8, ("first", "paragraph")),
        ("![It is there.]", "- ![It is there.]", 9, ("first", "paragraph")),
        ("![It is there.]", "![]", 9, ("first", "caption")),
        ("How small?", "How small is {n}?", 3, ("values",)),
        ("# Small", "# Small {n}", 1, ("values",)),
        ("How small?", "", 1, ("question",)),
        ("## Two", "### Two", 1, ("## heading",)),
        ("Then [more]", "## More\n\nThen\n\n## Most\n\nThen [more]", 11, ("![caption](name)",)),
    ],
)
def test_a_fault_in_the_text_is_refused(essay_of, old, new, line, facts):
    assert old in TWO
    with pytest.raises(ValueError, match=naming(f"small.md:{line}", *facts)):
        essay_of(TWO.replace(old, new, 1)).text  # noqa: B018


def test_a_picture_without_a_place_is_refused(essay_of):
    with pytest.raises(ValueError, match=naming("small.md", "third", "![caption](name)")):
        essay_of(TWO, first=drawn("a"), second=drawn("b"), third=drawn("c")).text  # noqa: B018


def test_words_show_pictures_in_the_order_of_the_pictures(essay_of):
    text = TWO.replace("Then [more]", "Then [most](#third) and [more]") + "\n![It is here.](third)\n"
    with pytest.raises(ValueError, match=naming("small.md:5", "third, second", "second, third")):
        essay_of(text, first=drawn("a"), second=drawn("b"), third=drawn("c")).text  # noqa: B018


def test_a_page_on_the_web_may_be_linked(essay_of):
    assert '<a href="https://example.org">much</a>' in body(essay_of(TWO + "\nAnd [much](https://example.org).\n"))


def test_drawings_of_two_sizes_are_refused(essay_of):
    two = {"first": drawn("first"), "second": lambda: [svg("a"), svg("b", "0 0 40 30")]}
    with pytest.raises(ValueError, match=naming("'second'", "40 x 20", "40 x 30")):
        body(essay_of(TWO, **two))


def test_what_is_no_drawing_is_refused(essay_of):
    with pytest.raises(ValueError, match=naming("SVG", "viewBox", "0 0")):
        body(essay_of(TWO, first=lambda: [markup("<b>a</b>")], second=drawn("b")))


# all essays ---------------------------------------------------------------------------------------------------------


def test_every_essay_is_there_and_leads_on():
    assert len(EVERY) == len(essays.ORDER)
    for essay in EVERY.values():
        assert essay.state.name == essay.preset
        assert 1 <= essay.lesson <= len(LESSONS)
        assert set(essay.names) <= set(by_name())
        assert set(essay.text.captions) == set(essay.scenes)


@pytest.mark.thorough
@pytest.mark.parametrize("key", EVERY)
def test_an_essay_is_a_page_of_at_most_250_kb(key):
    page = body(EVERY[key])
    assert len(page.encode()) < 250_000
    assert page.count("<figure ") == len(EVERY[key].scenes)


@pytest.mark.parametrize("key", EVERY)
def test_prose_has_no_number_of_its_own(key):
    text = EVERY[key].text
    words = [token.content for block in text.blocks for token in inside(block) if token.type == "text"]
    assert set(re.findall(r"\d+", PLACE.sub("", " ".join(words)))) <= ALLOWED.get(key, {"0", "1"})
    paragraphs = [line for line in text.lines[4:] if not line.startswith(("#", "!["))]
    assert 600 < sum(len(line.split()) for line in paragraphs) < 950
    kinds = {token.type for block in text.blocks for token in block}
    assert kinds <= {"heading_open", "heading_close", "paragraph_open", "inline", "paragraph_close", "math_block"}


@pytest.mark.thorough
@pytest.mark.parametrize("key", EVERY)
def test_prose_names_each_value(key):
    EVERY[key].text.check(EVERY[key].prose_values())


CHANGE = re.compile(r"[\d.]+ %(?P<then>[^.;%]{0,12}) squared error")


@pytest.mark.thorough(default=["shrink"])
@pytest.mark.parametrize("key", EVERY)
def test_each_relative_change_in_an_essay_has_its_direction(key):
    """A share of squared error is less or more, and a sign never stands for one of these words."""
    text = " ".join(" ".join(EVERY[key].text.lines).split())
    values = EVERY[key].prose_values()
    told = PLACE.sub(lambda place: str(values.get(place[1], place[0])), text)  # braces may be those of a formula
    assert "changes by" not in told
    assert not re.search(r"[−-][\d.]+ %", told)
    for change in CHANGE.finditer(told):
        assert re.match(r" (less|more|lower|higher)\b", change["then"]), change[0]


# what is the mean of a distribution? --------------------------------------------------------------------------------


def gauss(x, y, width):
    """Return the Gaussian kernel, written anew."""
    return np.exp(-((np.ravel(x)[:, None] - np.ravel(y)[None, :]) ** 2) / (2 * width**2))


@pytest.mark.thorough
def test_the_squared_distance_is_made_of_three_averages_and_is_that_of_the_curves():
    both, width = mean.state().samples, mean.state().kernel.bandwidth
    within = [gauss(each, each, width).mean() for each in (both.X, both.Y)]
    squared = mean.prose_values()["squared"]
    assert squared == pytest.approx(sum(within) - 2 * gauss(both.X, both.Y, width).mean(), rel=1e-12)
    p, q = (KME(Gaussian(width)).embed(each) for each in (both.X, both.Y))
    assert squared == pytest.approx(p.distance(q) ** 2, rel=1e-9)


@pytest.mark.thorough
def test_the_distributions_of_p_and_q_have_one_mean_and_one_variance():
    p, q = mean.state().laws
    moments = [(law.weights @ law.means, law.weights @ (law.means**2 + law.covariances[:, :, 0])) for law in (p, q)]
    assert np.allclose(moments[0], moments[1])


@pytest.mark.thorough
def test_the_squared_error_of_samples_is_as_told():
    law, kernel = mean.state().laws[0], mean.state().kernel
    truth = law.embed(kernel)
    losses = [KME(kernel).embed(law.sample(mean.SMALL, rng=seed)).distance(truth) ** 2 for seed in range(800)]
    error = np.std(losses) / np.sqrt(len(losses))
    assert abs(np.mean(losses) - mean.prose_values()["small"]) < 4 * error  # 1 in 16 000 by chance


@pytest.mark.thorough
def test_what_chance_gives_is_the_distance_of_two_samples_of_p():
    law, (widths, _, noise) = mean.state().laws[0], mean.over_widths()
    for at in (5, 25):
        kernel = Gaussian(float(widths[at]))
        pairs = [[KME(kernel).embed(law.sample(100, rng=2 * i + j)) for j in (0, 1)] for i in range(150)]
        squared = [first.distance(second) ** 2 for first, second in pairs]
        assert abs(np.mean(squared) - noise[at]) < 4 * np.std(squared) / np.sqrt(len(squared))


@pytest.mark.thorough
def test_the_curve_is_the_average_of_the_heights_that_are_drawn():
    heights = gauss(mean.few(), [mean.ASKED], mean.state().kernel.bandwidth)
    assert float(mean.prose_values()["value"]) == pytest.approx(heights.mean(), abs=5e-4)


@pytest.mark.thorough
def test_the_same_points_show_the_difference_at_one_bandwidth_and_nothing_at_another():
    both, told = mean.state().samples, mean.prose_values()
    right, wide = (mmd_test(both.X, both.Y, Gaussian(width), rng=0).pvalue for width in (told["width"], told["wide"]))
    assert right == told["p"] == pytest.approx(1 / (told["permutations"] + 1))
    assert wide > 0.2


# why shrink? --------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_lengths_in_the_picture_of_averages_are_true():
    along, off, length = shrink.averages()
    law, kernel = shrink.state().law, shrink.kernel()
    truth = law.embed(kernel)
    for seed in (0, 7, 31):
        plain = KME(kernel).embed(law.sample(shrink.state().lab.n, rng=seed))
        for keep in (1.0, 0.6):
            x, y = keep * along[seed] - length, keep * off[seed]
            assert x**2 + y**2 == pytest.approx((keep * plain).distance(truth) ** 2, rel=1e-9)
            assert np.hypot(keep * along[seed], y) == pytest.approx((keep * plain).norm(), rel=1e-9)
    assert np.mean(np.hypot(along, off) > length) > 0.95  # nearly every dot lies farther from 0 than the diamond
    assert np.mean(along**2 + off**2) == pytest.approx(shrink.prose_values()["longer"], rel=0.05)


@pytest.mark.thorough
def test_the_expected_squared_error_is_variance_and_squared_bias():
    told = shrink.prose_values()
    for alpha in (0.0, 0.1, shrink.best(), 0.5):
        parts = (1 - alpha) ** 2 * told["delta"] + alpha**2 * told["square"]
        assert shrink.expected(alpha) == pytest.approx(parts, rel=1e-9)
    plain = shrink.expected(0.0)
    assert shrink.expected(shrink.best()) / plain == pytest.approx(1 - shrink.best(), rel=1e-9)
    assert shrink.expected(2 * shrink.best()) == pytest.approx(plain, rel=1e-9)


@pytest.mark.thorough
def test_one_lambda_for_all_n_begins_to_harm_where_the_best_share_is_half_of_it():
    law, kernel, told = shrink.state().law, shrink.kernel(), shrink.prose_values()
    shares = [oracle_alpha(law, kernel, n) for n in (told["breaks"] - 1, told["breaks"])]
    assert shares[0] > shrink.best() / 2 > shares[1]


@pytest.mark.thorough
@pytest.mark.parametrize("d", [1, shrink.SOME, shrink.MANY])
def test_what_james_and_stein_save_is_as_told(d):
    x = np.random.default_rng(d).normal(size=(20_000, d))
    squares = (james_stein(x, positive=True) ** 2).sum(axis=1) / d
    error = np.std(squares) / np.sqrt(len(squares))
    assert abs(1 - squares.mean() - shrink.stein_gain(0.0, d)) < 4 * error + 1e-12 * (d == 1)


@pytest.mark.thorough
def test_the_point_of_least_weight_is_the_loneliest():
    result, told = shrink.state(), shrink.prose_values()
    weights = FKMSE(result.kernel, lam=result.flexible.chosen).embed(result.X).weights
    alone = result.kernel(result.X).sum(axis=1)  # how similar all points are to each
    assert np.argmin(weights) == np.argmin(alone)
    assert told["least"] == f"{100 * shrink.state().lab.n * weights.min():.0f} %"
    assert alone[np.argmax(weights)] > np.median(alone)


@pytest.mark.thorough
def test_losses_of_this_sample_are_those_of_the_library():
    result, told = shrink.state(), shrink.prose_values()
    truth = result.law.embed(result.kernel)
    plain = KME(result.kernel).embed(result.X).distance(truth) ** 2
    for estimator, gain in ((SKMSE(result.kernel), "gain"), (FKMSE(result.kernel), "flexible_gain")):
        loss = estimator.embed(result.X).distance(truth) ** 2
        assert told[gain] == f"{100 * (1 - loss / plain):.0f} % less"
