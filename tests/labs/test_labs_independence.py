"""The Independence lab's numbers, each computed in a second way: public tests, closed forms, and brute force."""

import json
import math

import numpy as np
import pytest
from helpers.naming import names_all, naming

from explorer import (
    MKME,
    CrossCovariance,
    Energy,
    Exponential,
    Gaussian,
    KernelCCA,
    Laplacian,
    Linear,
    Polynomial,
    RobustKME,
    Subsequence,
    hsic,
    hsic_test,
    hsicagg_test,
    load,
    median_bandwidth,
)
from explorer.datasets.toys.dependent_pairs import shape, strings_and_numbers
from explorer.discrepancy import (
    bahsic,
    distance_correlation,
    distance_covariance,
    hsic_gamma,
    hsic_ranks,
    information_test,
    power_by_fraction,
    rank_columns,
)
from explorer.labs.independence import IndependenceLab
from explorer.labs.independence.canonical import EPS
from explorer.labs.independence.lab import SIGMAS
from explorer.labs.independence.result import CELLS, FRACTIONS, REPETITIONS, SHUFFLES
from explorer.workbench.content import content_of
from explorer.workbench.dcor_check import ask_dcor

PRESETS = content_of("independence").presets

SMALL = {"n": 30, "permutations": "199"}
KERNELS = {"LIN": Linear(), "POLY2": Polynomial(2), "distance": Energy()}


def lab_result(late=False, **fields):
    """Return the result of a small state, at once or with all deferred stages."""
    return IndependenceLab(**{**SMALL, **fields}).result(wait=late)


def stage_result(name, **fields):
    """Return the result of one deferred stage, computed on its own."""
    picture = {"picture": name} if name in ("power", "columns", "elimination") else {}
    return IndependenceLab(**{**SMALL, **picture, **fields}).work().finish(name)


def gaussians(X, Y, times):
    return Gaussian(times * median_bandwidth(X)), Gaussian(times * median_bandwidth(Y))


def at_medians(kernel, X, Y, times):
    """Return the kernels of both sides, made with the library's public functions."""
    if kernel == "LAP":
        return tuple(Laplacian(times * median_bandwidth(Z, "cityblock")) for Z in (X, Y))
    if kernel == "EXP":
        return tuple(Exponential((times * median_bandwidth(Z)) ** 2) for Z in (X, Y))
    return gaussians(X, Y, times) if kernel == "RBF" else (KERNELS[kernel],) * 2


# the test and the measures next to it


@pytest.mark.parametrize("kernel", ["RBF", "LAP", "EXP", *KERNELS])
@pytest.mark.parametrize("kind", ["ring", "fan"])
def test_the_test_is_the_librarys(kernel, kind):
    X, Y = shape(kind, 30, 0.1, 2, 4)
    both = at_medians(kernel, X, Y, 0.63)
    result, test = (
        lab_result(source=kind, kernel=kernel, bandwidth=0.63, seed=4),
        hsic_test(X, Y, *both, n_resamples=199, rng=4),
    )
    assert result.test.statistic == pytest.approx(test.statistic, rel=1e-12)
    assert result.test.null_distribution == pytest.approx(test.null_distribution, rel=1e-9, abs=1e-15)
    assert result.pvalue == test.pvalue
    gamma = hsic_gamma(X, Y, *both)
    assert (result.trial.gamma.mean, result.trial.gamma.variance) == pytest.approx((gamma.mean, gamma.variance))
    sizes = hsic(X, X, both[0], both[0]) * hsic(Y, Y, both[1], both[1])
    assert result.trial.correlation == pytest.approx(test.statistic / sizes**0.5)


@pytest.mark.parametrize("fields", [{}, {"kernel": "LIN"}, {"sigma": 1.0}], ids=str)
def test_the_uncentred_operator_is_drawn_and_changes_no_test(fields):
    plain, kept = (lab_result(**fields, operator=each) for each in ("centred", "uncentred"))
    assert (kept.pvalue, kept.test.statistic) == (plain.pvalue, plain.test.statistic)
    (X, Y), (x, y), (k, l) = kept.pairs[:2], kept.pairs.places, kept.kernels
    K, L, field = k(X), l(Y), k(X, x).T @ l(Y, y) / 30
    assert kept.trial.shape.field == pytest.approx(field.T.ravel(), abs=1e-12 * np.abs(field).max())
    # |Ĉ|² = 1'(K ∘ L)1 / n², and its largest part is the leading eigenvalue of K^(1/2) L K^(1/2) / n²
    largest = np.linalg.eigvals(K @ L).real.max() / 30**2
    assert kept.leading == pytest.approx(largest / ((K * L).sum() / 30**2), rel=1e-8)
    assert -1 <= kept.trial.shape.together <= 1
    assert plain.trial.shape.field != pytest.approx(kept.trial.shape.field)


def test_sigma_is_the_marginalized_estimator_and_a_bandwidth():
    """Equation (34) of paper 000, and its identity: p at θ and σ is p at sqrt(θ² + 2σ²)."""
    X, Y = shape("fan", 30, 0.1, 2, 3)
    narrow, wide = lab_result(source="fan", sigma=1.0), lab_result(source="fan", bandwidth=1.5)  # 0.5² + 2 · 1² = 1.5²
    noisy = MKME(sigma=median_bandwidth(X)), MKME(sigma=median_bandwidth(Y))
    test = hsic_test(X, Y, *gaussians(X, Y, 0.5), estimator=noisy, n_resamples=199, rng=3)
    assert (narrow.test.statistic, narrow.pvalue) == (pytest.approx(test.statistic, rel=1e-12), test.pvalue)
    assert narrow.pvalue == wide.pvalue
    assert narrow.kernels[0].bandwidth == pytest.approx(wide.kernels[0].bandwidth)
    assert narrow.trial.correlation == pytest.approx(wide.trial.correlation)
    # times the same constant in every shuffle, a factor θ² / (θ² + 2σ²) to the power d/2 for each side
    assert narrow.test.null_distribution == pytest.approx(wide.test.null_distribution * (0.25 / 2.25), rel=1e-9)
    assert narrow.trial.shape.field == pytest.approx(wide.trial.shape.field)


def test_sigma_by_leave_one_out_is_each_sides_own():
    X, Y = shape("ring", 30, 0.1, 2, 3)
    result, both = lab_result(sigma=None), gaussians(X, Y, 0.5)
    chosen = [float(MKME(k).select(Z).sigma) for k, Z in zip(both, (X, Y), strict=True)]
    assert result.trial.dependence.sigmas == pytest.approx(chosen)
    test = hsic_test(X, Y, *both, estimator=MKME(), n_resamples=199, rng=3)
    assert (result.test.statistic, result.pvalue) == (pytest.approx(test.statistic), test.pvalue)


@pytest.mark.parametrize(
    "fields",
    [{"source": kind, "noise": 1.0} for kind in ("line", "none", "ring")]
    + [{"source": "wine", "x": '["alcohol", "ash", "hue"]'}],
    ids=str,
)
def test_pearsons_p_is_that_of_the_linear_kernel_and_of_several_columns_it_is_the_rv_coefficient(fields):
    result, k = lab_result(**fields), Linear()
    X, Y = result.pairs.X, result.pairs.Y
    test, unit = hsic_test(X, Y, k, k, n_resamples=199, rng=3), (hsic(X, X, k, k) * hsic(Y, Y, k, k)) ** 0.5
    assert result.pearson.pvalue == test.pvalue
    if X.shape[1] > 1:
        assert result.pearson.value == pytest.approx(hsic(X, Y, k, k) / unit)
    else:
        assert result.pearson.value == pytest.approx(np.corrcoef(X[:, 0], Y[:, 0])[0, 1])
        assert result.pearson.limit(0.05) == pytest.approx((test.threshold(0.05) / unit) ** 0.5)


def test_the_leading_pair_and_the_ground_are_the_operators():
    result = lab_result(source="sine")
    pairs, shape_of = result.pairs, result.trial.shape
    operator = CrossCovariance(*result.kernels).fit(pairs.X, pairs.Y)
    x, y = pairs.places
    assert shape_of.field.reshape(len(y), len(x)) == pytest.approx(operator(x, y).T)
    sign = np.sign(shape_of.f @ operator.left(x))
    assert sign * shape_of.f == pytest.approx(operator.left(x))
    assert sign * shape_of.g == pytest.approx(operator.right(y))
    assert shape_of.share == pytest.approx(operator.singular_values_[0] ** 2 / result.test.statistic)
    assert shape_of.together == pytest.approx(np.corrcoef(operator.left(pairs.X), operator.right(pairs.Y))[0, 1])


def test_cells_are_the_centred_gram_matrices_in_the_order_of_x():
    result = lab_result(n=CELLS)
    order = np.argsort(result.pairs.X[:, 0])
    cells = result.trial.cells.reshape(CELLS, CELLS)
    H = np.eye(CELLS) - 1 / CELLS
    for Z, kernel, part, at in zip(result.pairs[:2], result.kernels, (np.tril, np.triu), (-1, 1), strict=True):
        A = (H @ kernel(Z) @ H)[np.ix_(order, order)]
        A -= np.diag(np.diag(A))
        assert part(cells, at) == pytest.approx(part(np.sign(A) * (np.abs(A) / np.abs(A).max()) ** 0.5, at))
    assert len(lab_result(n=5).trial.cells) == len(lab_result(n=100).trial.cells) == CELLS**2


# deferred stages


def test_every_stop_of_sigma_is_its_own_test():
    result = lab_result(late=True)
    assert len(result.rows) == len(SIGMAS) == len(result.stops)
    for row in (0, 9, -1):
        there = lab_result(sigma=SIGMAS[row])
        assert result.rows[row].test.statistic == there.test.statistic
        assert np.array_equal(result.rows[row].test.null_distribution, there.test.null_distribution)
        assert np.array_equal(result.at(SIGMAS[row]).trial.shape.field, there.trial.shape.field)
    assert result.row == 0
    assert lab_result(late=True, sigma=0.123).stops[2] == 0.123
    assert lab_result(late=True, kernel="LIN").rows is None


def test_the_distance_correlation_is_the_librarys():
    result = lab_result(late=True, source="fan")
    X, Y = result.pairs.X, result.pairs.Y
    assert result.distance.value == pytest.approx(distance_correlation(X, Y))
    assert result.covariance == pytest.approx(distance_covariance(X, Y))
    assert result.distance.pvalue == hsic_test(X, Y, Energy(), Energy(), n_resamples=199, rng=3).pvalue
    assert (result.distance.value > result.distance.limit(0.05)) == (result.distance.pvalue <= 0.05)


def test_ranks_are_the_librarys_and_the_bound_holds():
    result = lab_result(picture="ranks", rank=4, sigma=0.5)
    path = hsic_ranks(result.pairs.X, result.pairs.Y, *result.kernels, 50)
    assert np.array_equal(result.path.values, path.values)
    assert result.at_rank[:3] == (4, path.values[4], path.bound[4])
    # rounding of sums of 900 products
    assert (result.gaps >= -1e-13).all()
    assert (result.gaps <= path.bound + 1e-13).all()


def test_power_is_the_librarys_fraction_by_fraction():
    power, result = stage_result("power", n=12), lab_result(n=12)
    assert power.kernel.sizes.min() >= 4
    options = {"fractions": [0.5], "repetitions": REPETITIONS, "n_resamples": SHUFFLES, "rng": 3}
    there = power_by_fraction(result.pairs.X, result.pairs.Y, *result.kernels, **options)
    at = power.kernel.fractions.tolist().index(0.5)
    assert np.array_equal(power.kernel.pvalues[at], there.pvalues[0])
    assert set(power.pearson.fractions) <= set(FRACTIONS)


def test_columns_are_ranked_by_the_library():
    found, wine = stage_result("columns", source="wine"), load("wine").standardised()
    table = dict(zip(wine.names, wine.sample(30, 3).T, strict=True))
    under = {name: Gaussian(0.5 * median_bandwidth(column)) for name, column in table.items()}
    y, of_y = table.pop("color_intensity"), under.pop("color_intensity")
    ranking = rank_columns(table, y, under, of_y, n_resamples=199, rng=3)
    assert found.names == ranking.names
    assert np.array_equal(found.pvalue, ranking.pvalue)


def test_hsicagg_is_the_librarys_and_has_its_level_at_999_permutations_at_least():
    result = lab_result(late=True, source="sine", waves=5, bandwidth=1.0, picture="bandwidths")
    X, Y = result.both
    test = hsicagg_test(X, Y, n_resamples=999, rng=3)
    assert (result.agreed.pvalue, result.agreed.statistic) == (test.pvalue, test.statistic)
    assert result.reaching.any() == (test.pvalue <= 0.05)
    assert (test.weights[0] / test.pvalues[~result.reaching] <= test.threshold(0.05)).all()
    constant = lab_result(
        late=True, source="drawn", placed=json.dumps([[i, 1.0] for i in range(8)]), picture="bandwidths"
    )
    assert constant.agreed is None
    assert "all points" in constant.aggregated or "equal" in constant.aggregated


def test_columns_leave_by_the_librarys_elimination():
    found, wine = stage_result("elimination", source="wine"), load("wine").standardised()
    table = dict(zip(wine.names, wine.sample(30, 3).T, strict=True))
    y = table.pop("color_intensity")

    def half(Z):
        return Gaussian(0.5 * median_bandwidth(Z))

    order = bahsic(table, y, half, half(y))
    assert found.names == order.names
    assert np.array_equal(found.statistic, order.statistic)


def test_mutual_information_is_the_librarys_of_one_column_on_each_side():
    result = lab_result(late=True, source="fan", picture="measures")
    known = information_test(*result.both, n_resamples=199, rng=3)
    assert result.information.statistic == known.statistic
    assert result.information.pvalue == known.pvalue
    two = {"source": "wine", "x": '["hue", "ash"]', "y": "alcohol", "picture": "measures"}
    assert lab_result(late=True, **two).information is None


@pytest.mark.parametrize("fields", [{}, {"kernel": "LIN", "robust": True}, {"sigma": 1.0}], ids=str)
def test_canonical_functions_are_the_librarys_at_an_epsilon_without_unit(fields):
    result = lab_result(late=True, source="line", noise=0.5, picture="canonical", eps=0.1, **fields)
    (X, Y), (k, l) = result.both, result.kernels
    H = np.eye(30) - 1 / 30
    lam = 0.1 * max(np.trace(H @ kernel(Z) @ H) for kernel, Z in ((k, X), (l, Y)))
    estimator = RobustKME() if "robust" in fields else None
    cca = KernelCCA(k, l, 1, lam, estimator).fit(X, Y)
    assert result.canonical.lam == pytest.approx(lam)
    assert result.canonical.together == pytest.approx(cca.correlation())
    assert result.held_out == pytest.approx(1 - cca.loocv(X, Y, [lam])[0], abs=1e-9)
    x, y = result.pairs.finer
    for drawn, values in ((result.canonical.f, cca.left(x)), (result.canonical.g, cca.right(y))):
        assert np.abs(drawn) == pytest.approx(np.abs(values) / np.abs(values).max(), abs=1e-9)
    at = int(np.abs(EPS - 0.1).argmin())
    assert result.course[0, at] == pytest.approx(
        KernelCCA(k, l, 1, EPS[at] * result.unit, estimator).fit(X, Y).correlation()
    )


def test_epsilon_by_leave_one_out_is_the_librarys_and_a_constant_side_is_said():
    result = lab_result(late=True, source="line", noise=0.5, picture="canonical", eps=None)
    assert result.canonical.lam == KernelCCA(*result.kernels, n_components=1).fit(*result.both).lam_
    assert lab_result(source="line", picture="canonical", eps=None).canonical is None
    constant = json.dumps([[i, 1.0] for i in range(8)])
    flat = lab_result(late=True, source="drawn", placed=constant, picture="canonical", eps=None)
    assert names_all(flat.canonical.refused, "constant")
    assert flat.held_out is flat.course is None


def test_one_outlier_takes_the_plain_canonical_functions_and_not_the_robust_ones():
    outlier = {**PRESETS[[preset.name for preset in PRESETS].index("One outlier turns the line")].fields}
    plain, robust = (IndependenceLab(**outlier, robust=each).result(wait=True) for each in (False, True))
    assert plain.canonical.together > 0.5 > -0.5 > plain.held_out
    assert robust.held_out > 0.5
    assert robust.canonical.least < 0.01


def test_strings_are_compared_with_numbers_by_a_kernel_on_each_side():
    result = lab_result(source="strings", noise=0.3)
    words, Y = strings_and_numbers(30, 0.3, 3)
    k, l = Subsequence(2), Gaussian(0.5 * median_bandwidth(Y))
    test = hsic_test(words, Y, k, l, n_resamples=199, rng=3)
    assert (result.test.statistic, result.pvalue) == (pytest.approx(test.statistic, rel=1e-9), test.pvalue)
    assert result.pairs.rows == tuple(words)
    # the witness of the joint kernel mean and the product of the marginals, whose squared distance HSIC is
    K, L = k(words), l(Y, result.pairs.places[1])
    there = CrossCovariance(k, l).fit(words, Y)(words[:5], result.pairs.places[1])
    assert there == pytest.approx((K @ L / 30 - np.outer(K.mean(axis=1), L.mean(axis=0)))[:5], abs=1e-12)
    assert lab_result(late=True, source="strings", picture="bandwidths").agreed is None


def test_fresh_samples_keep_the_level_and_find_a_dependence():
    none = stage_result("fresh", source="none", n=12, samples=60)
    for found in (none.kernel, none.pearson, none.none):
        assert found <= 11  # 60 draws of chance 0.05 give more less than once in twenty thousand times
    fan = stage_result("fresh", source="fan", n=60, samples=12)
    assert fan.kernel >= 11
    assert fan.none <= 5
    assert fan.interval(12) == pytest.approx((0.025 ** (1 / 12), 1.0))
    assert stage_result("fresh", source="eckerle4", n=20, samples=5).kernel is None


@pytest.mark.parametrize("name", ["rows", "power", "fresh"])
def test_what_is_not_wanted_any_more_is_given_up(name):
    assert IndependenceLab(samples=5, picture="power", **SMALL).work().finish(name, lambda: True) is None


def test_dcor_is_asked_in_a_process_of_its_own():
    """A stand-in for dcor shows an answer, a failure, a time-out and a cancelled request."""
    X, Y = shape("ring", 10, rng=1)
    stand_in = "import json, sys\nX, Y = json.load(sys.stdin)\nprint(json.dumps(['1', len(X), len(Y[0])]))"
    assert ask_dcor(X, Y, lambda: False, stand_in)[:3] == ("1", 10, 1)
    assert "dcor ended with" in ask_dcor(X, Y, lambda: False, "raise SystemExit('no')").trouble
    slow = "import time; time.sleep(60)"
    assert ask_dcor(X, Y, lambda: True, slow) is None
    assert "no answer within 0 s" in ask_dcor(X, Y, lambda: False, slow, 0).trouble


@pytest.mark.slow
def test_dcor_says_the_same():
    pytest.importorskip("dcor")
    result = lab_result(late=True, source="fan", picture="measures", peer=True)
    assert result.peer.covariance == pytest.approx(result.covariance, rel=1e-10)
    assert result.peer.correlation == pytest.approx(result.distance.value, rel=1e-10)
    assert result.peer.version


# presets, dragged points and tables


def test_the_presets_verdicts():
    """Some presets are detected by HSIC only, and one by Pearson's r only."""
    verdicts = {}
    for preset in PRESETS:
        result = IndependenceLab(**preset.fields).result()
        verdicts[preset.name] = (result.pearson.pvalue <= 0.05, result.pvalue <= 0.05)
    blind = {"A ring", "Only the spread", "The right bandwidth", "Eckerle4", "A table: wine"}
    assert {name for name, found in verdicts.items() if found == (False, True)} == blind
    assert verdicts["A weak line"] == (True, False)
    assert verdicts["Too many waves"] == verdicts["Blurred to Pearson"] == (False, False)
    assert verdicts["A lucky seed"] == (True, True)


def test_a_hand_moves_pairs_and_adds_others_and_the_frame_stays():
    pairs, plain = lab_result(moved='{"3": [0.5, -1.0]}', placed="[[2, 3], [4, 5]]").pairs, lab_result().pairs
    assert (pairs.placed, pairs.drawn, pairs.moved.tolist()) == (2, 30, [3])
    assert pairs.frame == plain.frame


def test_other_pairs_take_back_what_hands_moved_and_another_source_what_they_put():
    lab = IndependenceLab(moved='{"3": [0.5, -1.0]}', placed="[[2, 3]]", selected=1, shuffle=4)
    lab.move(n=40)
    assert (lab.moved, lab.shuffle) != ("", 0)
    lab.move(noise=0.3)
    assert (lab.moved, lab.shuffle, lab.placed) == ("", 0, "[[2, 3]]")
    lab.move(source="fan", placed="[[1, 1]]")
    assert (lab.placed, lab.selected) == ("[[1, 1]]", 0)


def test_a_constant_side_depends_on_nothing():
    result = lab_result(late=True, source="drawn", placed=json.dumps([[i, 1.0] for i in range(8)]))
    assert result.pvalue == 1.0
    assert result.pearson.value == result.trial.correlation == result.trial.shape.share == 0.0
    assert result.remarks[1]
    assert math.isinf(result.trial.gamma.shape)
    assert not np.triu(result.trial.cells.reshape(CELLS, CELLS), 1).any()


def test_rows_of_a_table_have_their_names():
    pairs, wine = lab_result(source="wine", x='["hue", "ash"]', y="alcohol").pairs, load("wine").standardised()
    rows = wine.X[[int(name.removeprefix("row ")) - 1 for name in pairs.rows]]
    x, y = rows[:, [wine.names.index(name) for name in ("hue", "ash")]], rows[:, wine.names.index("alcohol")]
    assert pairs.X == pytest.approx(x)
    assert pairs.Y[:, 0] == pytest.approx(y)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"placed": "[[1]]"}, naming("placed")),
        ({"placed": "[[1, NaN]]"}, naming("placed")),
        ({"selected": 1}, naming("0")),
        ({"x": '"a"'}, naming("x")),
        ({"x": '["a", "a"]'}, naming("x")),
        ({"moved": "{"}, naming("moved")),
        ({"kernel": "LIN", "sigma": 0.5}, naming("σ", "LIN", "0")),
        ({"n": 3}, naming("4")),
        ({"source": "wine", "n": 200}, naming("n", "200", "178", "wine")),
        ({"source": "wine", "y": "taste"}, naming("'taste'", "alcohol")),
        ({"source": "wine", "x": '["ash"]', "y": "ash"}, naming("'ash'", "x", "y")),
        ({"source": "wine", "x": '["ash", "hue"]', "placed": "[[1, 1]]"}, naming("x", "2")),
        ({"source": "file", "file": "t.csv", "rows": 7}, "stays with its owner"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_with_a_sentence(fields, said):
    with pytest.raises(ValueError, match=said):
        IndependenceLab(**fields).result()


@pytest.mark.parametrize("source", ["ring", "cross", "sine", "fan", "line", "none"])
def test_pairs_fill_a_picture_that_stays_while_the_noise_moves(source):
    frames = [IndependenceLab(source=source, noise=noise).result().pairs for noise in (0.02, 0.1, 0.17)]
    assert len({str(pairs.ends) for pairs in frames}) == 1
    for Z, (low, high) in zip((frames[1].X, frames[1].Y), frames[1].ends, strict=True):
        assert np.ptp(Z) > 0.6 * (high - low)
        assert np.mean((low < Z) & (high > Z)) > 0.95
