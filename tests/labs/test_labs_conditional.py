"""The Conditional lab's numbers by a second road: the library's models, closed forms, fractions; and its words."""

import json
from fractions import Fraction

import numpy as np
import pytest
from picturing import in_words, keys

from explorer import KME, ConditionalEmbedding, Embedding, Gaussian, HMMFilter, bayes_rule, load, median_bandwidth
from explorer.datasets import joint, motion, read_table
from explorer.labs.conditional import ConditionalLab, result
from explorer.labs.conditional import path as path_of_lab
from explorer.labs.conditional.lab import FOLLOWED, LAMS
from explorer.labs.conditional.path import BURN
from explorer.labs.conditional.words import caption, headline, tables, told
from explorer.workbench.numbers import number, ratio

GROUPS = {"source": "wine", "x": '["hue", "ash"]', "y": '["alcohol", "magnesium"]'}
ROWS = {"picture": "filter", "path": "rows", "source": "wine", "n": 100}
OWN = b"a,b,c,d\n" + b"".join(b"%d,%d,%d,%d\n" % (i, i * i % 7, -i, i * 3 % 5) for i in range(40))


def shown(**fields):
    return ConditionalLab(**{"n": 40, **fields}).result()


def with_table(**fields):
    """The lab of a table of one's own."""
    table = read_table(OWN, name="t.csv", standardise=False)
    lab = ConditionalLab(source="file", hash=table.hash, standardise=False, **fields)
    lab.table = table
    return lab


def kernels(*sides, times=0.5):
    return [Gaussian(times * median_bandwidth(Z)) for Z in sides]


# cut


@pytest.mark.parametrize("fields", [{"source": "fork", "at": 0.7}, GROUPS], ids=["fork", "groups"])
def test_every_row_of_the_fan_is_the_librarys_embedding(fields):
    found = shown(**fields)
    X, Y, exact = found.pairs.X, found.pairs.Y, found.exact
    for row in (0, 30, 60, 80, -1):
        lam = [*LAMS, found.scores[1]][row]
        model = ConditionalEmbedding(*kernels(X, Y), lam).fit(X, Y)
        belief = model.embed(found.x)
        # K + λI of 40 pairs has a condition number of up to 40 / 1e-6, and the weights are below 1e3
        assert found.fan.weights[row] == pytest.approx(belief.weights, abs=1e-7)
        assert found.fan.mean[row] == pytest.approx(belief.mean()[0], rel=1e-7, abs=1e-7)
        assert found.fan.total[row] == pytest.approx(belief.weights.sum(), abs=1e-7)
        assert found.density[row] == pytest.approx(belief.density(found.places[1]), rel=1e-7, abs=1e-7)
        assert found.mean_of_y[row] == pytest.approx(model.predict(found.places[0])[:, 0], rel=1e-6, abs=1e-6)
        if exact is not None:
            assert found.fan.distance[row] == pytest.approx(belief.distance(exact), rel=1e-6)
    assert np.isnan(found.fan.distance).all() == (exact is None)


def test_scores_and_the_chosen_lam_are_the_librarys():
    found = shown(source="fan")
    X, Y = found.pairs.X, found.pairs.Y
    model = ConditionalEmbedding(*kernels(X, Y)).fit(X, Y)
    assert found.lam == found.lam_at() == pytest.approx(model.lam_)
    assert found.scores[0] == pytest.approx(model.loocv(X, Y, LAMS), rel=1e-6)
    assert found.fan.score[-1] <= found.scores[0].min()
    assert found.row == len(LAMS)
    typed = shown(source="fan", lam=0.0123)
    assert typed.stops[typed.row] == typed.lam == 0.0123
    assert typed.scores[1] == found.scores[1]


@pytest.mark.parametrize("kind", ["gaussian", "banana", "fork", "fan"])
def test_the_exact_curves_are_the_joints_formulas(kind):
    found, y = shown(source=kind, at=-0.7), np.linspace(-10, 10, 4001)
    density = joint(kind).density([-0.7], y)[0]
    bandwidth = found.kernels[1].bandwidth
    blur = np.exp(-0.5 * ((found.places[1] - y) / bandwidth) ** 2) / (bandwidth * np.sqrt(2 * np.pi))
    # a sum over steps of 0.005 is the integral, to all digits; the curve is the density, blurred by the same kernel
    assert found.exact.density(found.places[1]) == pytest.approx(blur @ density * 0.005, abs=1e-9)
    at = np.argmin(np.abs(found.places[0][:, 0] + 0.7))
    assert found.true_mean[at] == pytest.approx(joint(kind).given(found.places[0][at, 0]).mean[0])


def test_the_known_x_counts_in_standard_deviations_of_a_tables_column():
    wine, fields = load("wine"), {"source": "wine", "at": 1.5}
    plain, scaled = shown(standardise=False, **fields), shown(**fields)
    rows = [int(name.removeprefix("row ")) - 1 for name in plain.pairs.rows]
    x = wine.X[rows, wine.names.index("flavanoids")]
    assert plain.x[0, 0] == pytest.approx(x.mean() + 1.5 * x.std())
    # a table's scale is no part of what is shown: bandwidths and x follow it, and weights have none
    assert plain.fan.weights == pytest.approx(scaled.fan.weights, abs=1e-7)
    assert shown(at=1.5).x[0, 0] == 1.5
    groups = shown(**GROUPS, at=1.5)
    assert groups.x[0, 1] == np.median(groups.pairs.X[:, 1])


# Bayes


def test_the_posterior_is_bayes_rule_and_the_printed_one_that_of_the_article():
    found = shown(picture="bayes", source="gaussian", printed=True, at=1.0)
    X, Y = joint("gaussian").sample(40, 3)
    kx, ky = kernels(X, Y)
    prior = KME(ky).embed(found.lab.the_prior(0.0, 1.0).sample(40, 3))
    lam = ConditionalEmbedding(ky, kx).fit(Y, X).lam_  # the joint under the prior is a regression of x on y
    given = X, Y, prior, [1.0], kx, ky, lam, 1e-3
    for posterior, printed in ((found.posterior, False), (found.printed, True)):
        # λ̃ = 1e-3 under a matrix whose largest eigenvalue is near 1, and another way to sum
        assert posterior.weights == pytest.approx(bayes_rule(*given, printed=printed).weights, rel=1e-6, abs=1e-8)
        assert np.array_equal(posterior.points, prior.points)
    assert found.mean == pytest.approx(found.posterior.weights @ prior.points[:, 0])
    assert found.distance == pytest.approx(found.posterior.distance(found.exact_posterior))
    assert found.densities.keys() == {"prior", "posterior", "exact", "printed"}
    assert shown(picture="bayes").printed is None


@pytest.mark.parametrize("gap", [0.0, 1.0])
def test_the_exact_posterior_of_two_gaussians_is_the_known_one(gap):
    """Each hump of the prior is updated alone, and weighed by how well it explains x; x given y is N(0.8 y, 0.36)."""
    fields = {"prior_mean": 0.3, "prior_sd": 0.4, "prior_gap": gap, "at": 0.9}
    found = shown(picture="bayes", source="gaussian", **fields)
    humps = np.array([0.3 - gap, 0.3 + gap])
    assert found.prior_law.mean[0] == pytest.approx(0.3)
    assert found.prior_law.variances[0] == pytest.approx(0.4**2 + gap**2)
    variance = 1 / (1 / 0.4**2 + 0.8**2 / 0.36)
    means = variance * (humps / 0.4**2 + 0.8 * 0.9 / 0.36)
    chances = np.exp(-0.5 * (0.9 - 0.8 * humps) ** 2 / (0.36 + 0.8**2 * 0.4**2))
    chances /= chances.sum()
    # p(x) is summed from -6 to 6, where 2e-9 of it is left out
    assert found.exact_posterior.mean()[0] == pytest.approx(chances @ means, abs=1e-6)
    assert f"exactly {number(chances @ means)}" in headline(found)


def test_the_prior_counts_in_standard_deviations_of_a_tables_column():
    plain = shown(picture="bayes", standardise=False, prior_gap=0.5, **GROUPS)
    y = plain.pairs.Y[:, 0]
    assert plain.prior_mean == pytest.approx(plain.of_y.own(y.mean() + 0.5 * y.std()))
    assert plain.prior_law.variances[0] == pytest.approx((0.5**2 + 0.5**2) * y.var())
    assert (plain.prior.points[:, 1] == np.median(plain.pairs.Y[:, 1])).all()
    assert (plain.exact_posterior, plain.distance) == (None, None)
    plain, scaled = (shown(picture="bayes", standardise=s, source="wine") for s in (False, True))
    # a table's scale is no part of the weights, but for rounding
    assert plain.posterior.weights == pytest.approx(scaled.posterior.weights, abs=1e-7)


def test_an_impossible_x_is_a_sentence():
    with pytest.raises(ValueError, match="x = 20 has no chance under this prior; take a wider one"):
        shown(picture="bayes", at=20.0)


# filter


@pytest.mark.parametrize("prediction", ["carried", "sum rule"])
def test_beliefs_are_the_librarys_filter(prediction):
    found = shown(picture="filter", path="wells", prediction=prediction, lam_posterior=0.01)
    states, seen = motion("wells").sequence(41 + FOLLOWED, 0.5, 3)
    ky, kx = kernels(states[:41], seen[:41])
    lam = ConditionalEmbedding(ky, ky).fit(states[:40], states[1:41]).lam_
    model = HMMFilter(ky, kx, lam, 0.01, two_step=prediction == "sum rule").fit(states[:41], seen[:41])
    beliefs = model.filter(seen[41:])
    # the same steps in the same order
    assert found.beliefs == pytest.approx(beliefs, rel=1e-9, abs=1e-12)
    assert found.tracks.kernel == pytest.approx(beliefs @ states[:40, 0])
    assert found.strip[7] == pytest.approx(Embedding(ky, states[:40], beliefs[7]).density(found.levels), abs=1e-12)
    missed = found.tracks.kernel - states[41:, 0]
    assert found.kernel_error == pytest.approx(np.sqrt(np.mean(missed[BURN:] ** 2)))


def test_on_a_line_kalmans_filter_is_gaussian_conditioning():
    """The state keeps variance 1 and has correlation 0.9 from one time to the next."""
    found = shown(picture="filter", sensor=0.7)
    t, seen = np.arange(FOLLOWED), found.course.shown[:, 0]
    K = 0.9 ** np.abs(t[:, None] - t)
    for end in (1, 7, FOLLOWED):
        gain = np.linalg.solve(K[:end, :end] + 0.49 * np.eye(end), K[:end, end - 1])
        assert found.tracks.kalman[end - 1] == pytest.approx(gain @ seen[:end])
        assert found.tracks.deviation[end - 1] ** 2 == pytest.approx(1 - gain @ K[:end, end - 1])
    assert np.array_equal(found.tracks.exact, found.tracks.kalman)
    assert found.error("exact") == found.kalman_error
    assert found.exact_beliefs is None


def test_between_two_wells_the_exact_belief_is_what_chance_keeps():
    """Paths by chance, weighed by how well they explain what was seen first."""
    found, rng, moves = shown(picture="filter", path="wells"), np.random.default_rng(1), motion("wells")
    after = moves.forward(rng.normal(size=200_000)) + moves.step * rng.normal(size=200_000)
    weights = np.exp(-0.5 * ((found.course.shown[0, 0] - after) / 0.5) ** 2)
    # some 100,000 of the paths count, and states differ by less than 1: three standard errors are 0.01
    assert found.tracks.exact[0] == pytest.approx(weights @ after / weights.sum(), abs=0.01)
    steps = np.gradient(found.levels[:, 0])
    # levels end 15 % beyond all states
    assert found.exact_beliefs @ steps == pytest.approx(1, abs=0.02)
    assert found.exact_beliefs @ (steps * found.levels[:, 0]) == pytest.approx(found.tracks.exact, abs=0.05)


@pytest.mark.parametrize("groups", [False, True])
def test_rows_of_a_table_keep_their_order(groups):
    x, y = (["hue", "ash"], ["alcohol", "magnesium"]) if groups else (["flavanoids"], ["color_intensity"])
    wine = load("wine").standardised()
    X, Y = (wine.X[:, [wine.names.index(name) for name in names]] for names in (x, y))
    course = shown(**ROWS, x=json.dumps(x), y=json.dumps(y)).course
    end = 101 + FOLLOWED
    assert np.array_equal(course.states, Y[:101])
    assert np.array_equal(course.hidden, Y[101:end])
    assert np.array_equal(course.seen, X[:101])
    assert np.array_equal(course.shown, X[101:end])


def test_a_table_of_ones_own_is_a_path_too():
    found = with_table(picture="filter", path="rows", n=20, x='["b", "a"]', y='["c", "d"]').result()
    rows = np.arange(40)
    assert found.course.seen[:, 1].tolist() == rows[:21].tolist()
    assert found.course.hidden.tolist() == np.column_stack([-rows, rows * 3 % 5])[21:].tolist()
    assert found.strip.shape[0] == 19
    assert found.tracks.exact is None
    assert "c, d of t.csv, seen through b, a" in headline(found)


def test_as_few_rows_as_may_be_followed_have_an_error():
    assert np.isfinite(shown(**ROWS | {"n": 167}).kernel_error)


def test_the_fitted_kalman_filter_does_not_ask_for_the_scale():
    plain, scaled = (shown(standardise=s, **ROWS) for s in (False, True))
    times = plain.kernel_error / scaled.kernel_error
    assert plain.kalman_error == pytest.approx(times * scaled.kalman_error, rel=1e-3)


# table


def test_the_kernel_rules_of_a_table_are_its_fractions():
    counts, chances = [[2, 0], [3, 4], [1, 1]], [1, 3]
    found = shown(picture="table", counts=json.dumps(counts), chances=json.dumps(chances), seen=2)
    shares = [Fraction(chances[j] * counts[1][j], 4 * sum(row[j] for row in counts)) for j in range(2)]
    posterior = [float(share / sum(shares)) for share in shares]
    exact, ours = found.rules
    assert exact.posterior == pytest.approx(posterior, abs=1e-15)
    # λ = 1e-9 over the least count and the least Q(x)², both above 1e-2
    assert ours.posterior == pytest.approx(posterior, abs=1e-6)
    assert found.apart == exact.apart(ours) < 1e-6
    assert f"<b>{number(max(posterior))}</b>" in headline(found)
    assert f"<td>{number(posterior[0])}</td>" in tables(found)
    assert tables(found).count("<caption>") == 7


# stages and refusals


def test_auto_lam_is_leave_one_out_of_the_regression_that_a_picture_has():
    cut, bayes, along = (shown(picture=name) for name in ("cut", "bayes", "filter"))
    (kx, ky), X, Y, k, states = cut.kernels, cut.pairs.X, cut.pairs.Y, along.kernels[1], along.course.states
    chosen = {
        cut: ConditionalEmbedding(kx, ky).fit(X, Y),
        bayes: ConditionalEmbedding(ky, kx).fit(Y, X),
        along: ConditionalEmbedding(k, k).fit(states[:-1], states[1:]),
    }
    for found, model in chosen.items():
        assert found.lam == found.chosen == pytest.approx(model.lam_, rel=1e-6)
        assert f"λ = {number(model.lam_)} by leave-one-out" in headline(found)
    assert shown(picture="filter", lam=0.1).lam == 0.1
    assert shown(picture="table").chosen is None


def test_a_picture_that_is_hidden_costs_nothing(monkeypatch):
    owners = {
        "cut": "refits exact scores mean_of_y fan density belief true_mean places_of_slider",
        "bayes": "prior_law prior reverse rule posterior exact_posterior densities",
        "filter": "course onward tracker beliefs levels strip tracks fine exact_beliefs",
        "table": "rules",
    }

    def refused(*args, **options):
        raise AssertionError("a hidden picture was computed")

    for picture in owners:
        with monkeypatch.context() as patch:
            if picture != "cut":
                patch.setattr(result, "Fan", refused)
            if picture != "bayes":
                patch.setattr(result, "KernelBayesRule", refused)
            if picture != "filter":
                patch.setattr(path_of_lab, "HMMFilter", refused)
            if picture != "table":
                patch.setattr(result, "kernel_rules", refused)
            if picture in ("filter", "table"):
                patch.setattr(result, "Refits", refused)
            found = shown(picture=picture)
        for owner, names in owners.items():
            if owner != picture:
                assert {name: getattr(found, name) for name in names.split()} == dict.fromkeys(names.split())


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"counts": "[[1, 2]"}, "counts must be like"),
        ({"counts": "[[1, 2], [3]]"}, "counts must be like"),
        ({"counts": "[[1, 2]]"}, "2 to 5 along each side"),
        ({"counts": "[[0.5, 2], [1, 1]]"}, "rows of whole numbers up to 99"),
        ({"counts": "[[100, 2], [1, 1]]"}, "rows of whole numbers up to 99"),
        ({"counts": "[[0, 0, 0], [0, 0, 0]]"}, "counts must be like"),
        ({"chances": "[1, -1, 1]"}, "chances must be like"),
        ({"chances": "[1, NaN, 1]"}, "chances must be like"),
        ({"chances": "[0, 0, 0]"}, "chances must be like"),
        ({"chances": "[1, 1]"}, "The prior has 2 chances and the table 3 columns; give one each"),
        ({"seen": 3}, "x = 3 is not in the table, which has 2 rows; take one of them"),
        ({"n": 4}, "at least 5"),
        ({"y": "[1]"}, "y must be like"),
        ({"x": '["a", "a"]'}, "x must be like"),
        ({"lam": 0.0}, "lam must be"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(fields, words):
    with pytest.raises(ValueError, match=words):
        ConditionalLab(**fields)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"picture": "filter", "path": "rows"}, "The path takes rows of a table, and the pairs come from none"),
        (ROWS | {"n": 168}, "n = 168 leaves fewer than 10 of the 178 rows of wine to follow; take n of at most 167"),
        ({"source": "wine", "n": 200}, "n = 200 is more than the 178 rows"),
        ({"source": "wine", "y": '["taste"]'}, "no column 'taste'"),
        ({"source": "wine", "x": '["ash", "hue"]', "y": '["hue"]'}, "column 'hue' is x and y at once"),
        ({"source": "file", "file": "t.csv", "rows": 40}, "stays with its owner"),
        ({"picture": "table", "counts": "[[3, 0], [1, 0]]", "chances": "[1, 1]"}, "the prior has a y that the table"),
        ({"picture": "table", "counts": "[[0, 0], [1, 2]]", "chances": "[1, 1]"}, "x that is seen has no chance"),
        ({"picture": "filter", "bandwidth": 0.001}, "weights at row . of the observations sum to 0"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_a_sentence(fields, words):
    with pytest.raises(ValueError, match=words):
        shown(**fields)


@pytest.mark.parametrize("field", ["counts", "chances"])
def test_a_number_beyond_all_bounds_is_a_sentence(field):
    words = {"counts": "[[1%s, 1], [1, 1]]", "chances": "[1%s, 1, 1]"}[field] % ("0" * 400)
    with pytest.raises(ValueError, match=f"{field} must be like"):
        ConditionalLab(**{field: words})


# words


def test_headlines_say_the_numbers_of_the_result():
    cut = shown(source="gaussian", lam=0.1, at=1.0)
    belief = cut.belief
    assert f"Given x = 1, y is <b>{number(float(belief.mean()[0]))}</b> on average (exactly 0.8)" in headline(cut)
    assert f"λ = 0.1, 40 pairs: the weights sum to {number(float(belief.weights.sum()))}" in headline(cut)
    assert f"to the exact embedding {number(belief.distance(cut.exact))}" in headline(cut)
    assert f"λ = {number(LAMS[3])}, 40 pairs" in headline(cut, 3)
    assert f"<b>{number(float(cut.fan.mean[3]))}</b>" in headline(cut, 3)
    bayes = shown(picture="bayes", printed=True)
    assert f"moves the mean of y from 0.5 to <b>{number(bayes.mean)}</b>" in headline(bayes)
    assert f"as printed {number(bayes.printed.distance(bayes.exact_posterior))}" in headline(bayes)
    along = shown(picture="filter", path="wells")
    assert f"error is <b>{number(along.kernel_error)}</b>" in headline(along)
    assert f"the exact belief's <b>{number(along.error('exact'))}</b>" in headline(along)
    assert f"at times {BURN + 1} to {FOLLOWED}" in headline(along)
    assert "(optimal here)" in headline(shown(picture="filter"))


@pytest.mark.parametrize(
    ("fields", "spoken", "drawn"),
    [
        (
            {},
            ["pairs: 40 points, x from", "largest weight", "estimate: from", "least score: λ = "],
            "weight",
        ),
        ({"picture": "bayes", "printed": True}, ["The prior of y has mean 0.5", "as printed: from"], "prior"),
        (
            {"picture": "filter", "time": 9},
            ["true path: from", " at 9, ", "Kalman's filter ± 1 sd"],
            "kernel filter",
        ),
        (
            {"picture": "table"},
            ["prior: 0.5 at y = 1; 0.25", "fractions: 0.857 at y = 1"],
            "kernel rule",
        ),
    ],
)
def test_each_picture_has_its_words_and_legend(fields, spoken, drawn):
    found = shown(**fields)
    for words in spoken:
        assert words in " ".join(in_words(found))
    assert drawn in [key.words for key in keys(found)]


def test_kernels_so_wide_that_nothing_is_apart_promise_nothing():
    found = shown(source="gaussian", at=0.5, bandwidth=1e6, seed=1)
    assert found.fan.distance[-1] == 0
    assert "the distance beside leave-one-out's" not in found.effects
    assert ratio(1.0, 0.0) is None


def test_captions_name_what_is_seen():
    assert len({caption(shown(picture=name)) for name in ConditionalLab.fields["picture"].objects}) == 4
    assert "Pairs on a banana, seed 3; RBF kernels of " in caption(shown())
    assert "2 columns and 2 columns of wine" in caption(shown(**GROUPS))
    assert "sensor noise 0.2" in caption(shown(picture="filter", sensor=0.2))
    words = told(shown(picture="table"))
    assert set(words.values()) == {"unknown"}
