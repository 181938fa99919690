"""The Independence lab's numbers, each by a second road: the library's public tests, closed forms, and brute force."""

import json
import math

import numpy as np
import pytest

from explorer import (
    MKME,
    CrossCovariance,
    Energy,
    Exponential,
    Gaussian,
    Laplacian,
    Linear,
    Polynomial,
    hsic,
    hsic_test,
    load,
    median_bandwidth,
)
from explorer.datasets import read_table
from explorer.datasets.toys import SHAPES, shape
from explorer.discrepancy import (
    distance_correlation,
    distance_covariance,
    hsic_gamma,
    hsic_ranks,
    power_by_fraction,
    rank_columns,
)
from explorer.labs.independence import IndependenceLab
from explorer.labs.independence.lab import DRAFT, SIGMAS
from explorer.labs.independence.result import CELLS, FRACTIONS, REPETITIONS, SHUFFLES
from explorer.labs.independence.stories import PRESETS
from explorer.workbench.peer import ask_dcor

SMALL = {"n": 30, "permutations": "199"}
KERNELS = {"LIN": Linear(), "POLY2": Polynomial(2), "distance": Energy()}


def studied(name, **fields):
    """What follows at rest, by itself."""
    picture = {"picture": name} if name in ("power", "columns") else {}
    return IndependenceLab(**{**SMALL, **picture, **fields}).work().finish(name)


def settled(lab):
    """The result, once all that follows at rest is there."""
    return lab.result(wait=True)


def gaussians(X, Y, times):
    return Gaussian(times * median_bandwidth(X)), Gaussian(times * median_bandwidth(Y))


def at_medians(kernel, X, Y, times):
    """The kernels of both sides, by the front door."""
    if kernel == "LAP":
        return tuple(Laplacian(times * median_bandwidth(Z, "cityblock")) for Z in (X, Y))
    if kernel == "EXP":
        return tuple(Exponential((times * median_bandwidth(Z)) ** 2) for Z in (X, Y))
    return gaussians(X, Y, times) if kernel == "RBF" else (KERNELS[kernel],) * 2


# shapes


def test_shapes_are_their_formulas():
    """Without noise; a fan's spread is its own."""
    X, Y = shape("ring", 50, noise=0.0, rng=1)
    assert X**2 + Y**2 == pytest.approx(1)
    X, Y = shape("cross", 50, noise=0.0, rng=1)
    assert np.abs(X) == pytest.approx(np.abs(Y))
    assert set(np.sign(X * Y).ravel()) == {-1.0, 1.0}
    X, Y = shape("sine", 50, noise=0.0, waves=3, rng=1)
    assert pytest.approx(np.sin(3 * np.pi * X)) == Y
    X, Y = shape("line", 50, noise=0.0, rng=1)
    assert np.array_equal(X, Y)
    X, Y = shape("fan", 20_000, noise=0.1, rng=1)
    right = X[:, 0] > 0.8
    # y has variance (0.4 (1 + t))^2 + 0.1^2; a variance of 2000 normal values is known to 3 %, three times over
    assert Y[right].var() == pytest.approx(0.16 * ((1 + X[right]) ** 2).mean() + 0.01, rel=0.1)


@pytest.mark.parametrize("kind", SHAPES)
def test_a_larger_sample_keeps_the_pairs_and_noise_adds_up(kind):
    (X, Y), (A, B) = (shape(kind, n, 0.3, 2, 7) for n in (60, 20))
    assert np.array_equal(X[:20], A)
    assert np.array_equal(Y[:20], B)
    clean, doubled = shape(kind, 60, 0.0, 2, 7)[1], shape(kind, 60, 0.6, 2, 7)[1]
    assert doubled - clean == pytest.approx(2 * (Y - clean))


@pytest.mark.parametrize("kind", ["ring", "cross", "fan", "none"])
def test_these_shapes_have_no_correlation(kind):
    X, Y = shape(kind, 40_000, 0.1, 2, 1)
    # r of 40 000 uncorrelated pairs has a standard deviation of about 0.005, of dependent ones up to twice that
    assert abs(np.corrcoef(X[:, 0], Y[:, 0])[0, 1]) < 0.03


def test_there_are_no_other_shapes():
    with pytest.raises(ValueError, match="no shape 'spiral'; the shapes are ring"):
        shape("spiral", 5)


# the test and what stands beside it


@pytest.mark.parametrize("fields", [{}, {"kernel": "LIN"}, {"sigma": 1.0}], ids=str)
def test_the_uncentred_operator_is_drawn_and_changes_no_test(fields):
    plain, kept = (IndependenceLab(**SMALL, **fields, operator=each).result() for each in ("centred", "uncentred"))
    assert kept.pvalue == plain.pvalue
    assert kept.test.statistic == plain.test.statistic
    (X, Y), (x, y) = kept.pairs[:2], kept.pairs.places
    K, L = (kernel(Z) for kernel, Z in zip(kept.kernels, (X, Y), strict=True))
    k, l = kept.kernels
    field = k(X, x).T @ l(Y, y) / 30
    assert kept.trial.shape.field == pytest.approx(field.T.ravel(), abs=1e-12 * np.abs(field).max())
    # |Ĉ|² = 1'(K ∘ L)1 / n², and its largest part is the leading eigenvalue of K^(1/2) L K^(1/2) / n²
    largest = np.linalg.eigvals(K @ L).real.max() / 30**2
    assert kept.leading == pytest.approx(largest / ((K * L).sum() / 30**2), rel=1e-8)
    assert -1 <= kept.trial.shape.together <= 1
    assert plain.trial.shape.field != pytest.approx(kept.trial.shape.field)


@pytest.mark.parametrize("kernel", ["RBF", "LAP", "EXP", *KERNELS])
@pytest.mark.parametrize("kind", ["ring", "fan"])
def test_the_test_is_the_librarys(kernel, kind):
    lab = IndependenceLab(source=kind, kernel=kernel, bandwidth=0.63, seed=4, **SMALL)
    X, Y = shape(kind, 30, 0.1, 2, 4)
    both = at_medians(kernel, X, Y, 0.63)
    result, test = lab.result(), hsic_test(X, Y, *both, n_resamples=199, rng=4)
    assert result.test.statistic == pytest.approx(test.statistic, rel=1e-12)
    assert result.test.null_distribution == pytest.approx(test.null_distribution, rel=1e-9, abs=1e-15)
    assert result.pvalue == test.pvalue
    gamma = hsic_gamma(X, Y, *both)
    assert (result.trial.gamma.mean, result.trial.gamma.variance) == pytest.approx((gamma.mean, gamma.variance))
    sizes = hsic(X, X, both[0], both[0]) * hsic(Y, Y, both[1], both[1])
    assert result.trial.correlation == pytest.approx(test.statistic / sizes**0.5)


def test_sigma_is_the_marginalized_estimator_and_a_bandwidth():
    """Equation (34) of paper 000, and its identity: p at θ and σ is p at sqrt(θ² + 2σ²)."""
    X, Y = shape("fan", 30, 0.1, 2, 3)
    lab = IndependenceLab(source="fan", sigma=1.0, **SMALL)
    noisy = MKME(sigma=median_bandwidth(X)), MKME(sigma=median_bandwidth(Y))
    test = hsic_test(X, Y, *gaussians(X, Y, 0.5), estimator=noisy, n_resamples=199, rng=3)
    assert (lab.result().test.statistic, lab.result().pvalue) == (pytest.approx(test.statistic, rel=1e-12), test.pvalue)
    wide = IndependenceLab(source="fan", bandwidth=1.5, **SMALL).result()  # 0.5² + 2 · 1² = 1.5²
    narrow = lab.result()
    assert narrow.pvalue == wide.pvalue
    assert narrow.kernels[0].bandwidth == pytest.approx(wide.kernels[0].bandwidth)
    assert narrow.trial.correlation == pytest.approx(wide.trial.correlation)
    # times the same constant in every shuffle, a factor θ² / (θ² + 2σ²) to the power d/2 for each side
    assert narrow.test.null_distribution == pytest.approx(wide.test.null_distribution * (0.25 / 2.25), rel=1e-9)
    assert narrow.trial.shape.field == pytest.approx(wide.trial.shape.field)


def test_sigma_by_leave_one_out_is_each_sides_own():
    X, Y = shape("ring", 30, 0.1, 2, 3)
    result = IndependenceLab(sigma=None, **SMALL).result()
    both = gaussians(X, Y, 0.5)
    chosen = [float(MKME(k).select(Z).sigma) for k, Z in zip(both, (X, Y), strict=True)]
    assert result.trial.dependence.sigmas == pytest.approx(chosen)
    test = hsic_test(X, Y, *both, estimator=MKME(), n_resamples=199, rng=3)
    assert (result.test.statistic, result.pvalue) == (pytest.approx(test.statistic), test.pvalue)


def test_pearsons_p_is_that_of_the_linear_kernel():
    for source in ("line", "none", "ring"):
        result = IndependenceLab(source=source, noise=1.0, **SMALL).result()
        X, Y = result.pairs.X, result.pairs.Y
        assert result.pearson.value == pytest.approx(np.corrcoef(X[:, 0], Y[:, 0])[0, 1])
        test = hsic_test(X, Y, Linear(), Linear(), n_resamples=199, rng=3)
        assert result.pearson.pvalue == test.pvalue
        unit = (hsic(X, X, Linear(), Linear()) * hsic(Y, Y, Linear(), Linear())) ** 0.5
        assert result.pearson.limit(0.05) == pytest.approx((test.threshold(0.05) / unit) ** 0.5)


def test_of_several_columns_it_is_the_rv_coefficient():
    lab = IndependenceLab(source="wine", x='["alcohol", "ash", "hue"]', **SMALL)
    result, k = lab.result(), Linear()
    X, Y = result.pairs.X, result.pairs.Y
    assert result.pearson.value == pytest.approx(hsic(X, Y, k, k) / (hsic(X, X, k, k) * hsic(Y, Y, k, k)) ** 0.5)
    assert result.pearson.pvalue == hsic_test(X, Y, k, k, n_resamples=199, rng=3).pvalue


def test_the_leading_pair_and_the_ground_are_the_operators():
    result = IndependenceLab(source="sine", **SMALL).result()
    pairs, shape_of = result.pairs, result.trial.shape
    operator = CrossCovariance(*result.kernels).fit(pairs.X, pairs.Y)
    x, y = pairs.places
    assert shape_of.field.reshape(len(y), len(x)) == pytest.approx(operator(x, y).T)
    sign = np.sign(shape_of.f @ operator.left(x))
    assert sign * shape_of.f == pytest.approx(operator.left(x))
    assert sign * shape_of.g == pytest.approx(operator.right(y))
    assert shape_of.share == pytest.approx(operator.singular_values_[0] ** 2 / result.test.statistic)
    at = operator.left(pairs.X), operator.right(pairs.Y)
    assert shape_of.together == pytest.approx(np.corrcoef(*at)[0, 1])


def test_the_pair_of_a_ring_is_a_pair_of_parabolas():
    """x² + y² = 1: f is near to x², g to -y², both centred."""
    result = IndependenceLab(noise=0.0, bandwidth=1.0, n=200, permutations="199").result()
    x, y = result.pairs.axes
    inside = [np.abs(at) < 1 for at in (x, y)]
    # near to, as a Gaussian kernel's functions are flatter than parabolas: 0.987 and 0.975 here
    assert np.corrcoef(result.trial.shape.f[inside[0]], x[inside[0]] ** 2)[0, 1] > 0.95
    assert np.corrcoef(result.trial.shape.g[inside[1]], -(y[inside[1]] ** 2))[0, 1] > 0.95
    assert result.trial.shape.together > 0.9


def test_cells_are_the_centred_gram_matrices_in_the_order_of_x():
    result = IndependenceLab(n=CELLS, permutations="199").result()
    order = np.argsort(result.pairs.X[:, 0])
    cells = result.trial.cells.reshape(CELLS, CELLS)
    H = np.eye(CELLS) - 1 / CELLS
    for Z, kernel, part in ((result.pairs.X, result.kernels[0], np.tril), (result.pairs.Y, result.kernels[1], np.triu)):
        A = (H @ kernel(Z) @ H)[np.ix_(order, order)]
        A -= np.diag(np.diag(A))
        expected = part(np.sign(A) * (np.abs(A) / np.abs(A).max()) ** 0.5, -1 if part is np.tril else 1)
        assert part(cells, -1 if part is np.tril else 1) == pytest.approx(expected)
    assert len(IndependenceLab(n=5, permutations="199").result().trial.cells) == CELLS**2
    assert len(IndependenceLab(n=100, permutations="199").result().trial.cells) == CELLS**2


# what follows at rest


def test_every_stop_of_sigma_is_its_own_test():
    lab = IndependenceLab(**SMALL)
    result = settled(lab)
    assert len(result.rows) == len(SIGMAS) == len(result.stops)
    for row in (0, 9, -1):
        there = IndependenceLab(sigma=SIGMAS[row], **SMALL).result()
        assert result.rows[row].test.statistic == there.test.statistic
        assert np.array_equal(result.rows[row].test.null_distribution, there.test.null_distribution)
        assert np.array_equal(result.at(SIGMAS[row]).trial.shape.field, there.trial.shape.field)
    assert result.row == 0
    assert settled(IndependenceLab(sigma=0.123, **SMALL)).stops[2] == 0.123
    assert settled(IndependenceLab(kernel="LIN", **SMALL)).rows is None


def test_the_distance_correlation_is_the_librarys():
    result = settled(IndependenceLab(source="fan", **SMALL))
    X, Y = result.pairs.X, result.pairs.Y
    assert result.distance.value == pytest.approx(distance_correlation(X, Y))
    assert result.covariance == pytest.approx(distance_covariance(X, Y))
    assert result.distance.pvalue == hsic_test(X, Y, Energy(), Energy(), n_resamples=199, rng=3).pvalue
    assert (result.distance.value > result.distance.limit(0.05)) == (result.distance.pvalue <= 0.05)


def test_ranks_are_the_librarys_and_the_bound_holds():
    result = IndependenceLab(picture="ranks", rank=4, sigma=0.5, **SMALL).result()
    path = hsic_ranks(result.pairs.X, result.pairs.Y, *result.kernels, 50)
    assert np.array_equal(result.path.values, path.values)
    assert result.at_rank[:3] == (4, path.values[4], path.bound[4])
    # rounding of sums of 900 products
    assert (result.gaps >= -1e-13).all()
    assert (result.gaps <= path.bound + 1e-13).all()


def test_power_is_the_librarys_fraction_by_fraction():
    power, result = studied("power", n=12), IndependenceLab(n=12, permutations="199").result()
    assert power.kernel.sizes.min() >= 4
    options = {"fractions": [0.5], "repetitions": REPETITIONS, "n_resamples": SHUFFLES, "rng": 3}
    there = power_by_fraction(result.pairs.X, result.pairs.Y, *result.kernels, **options)
    at = power.kernel.fractions.tolist().index(0.5)
    assert np.array_equal(power.kernel.pvalues[at], there.pvalues[0])
    assert set(power.pearson.fractions) <= set(FRACTIONS)


def test_columns_are_ranked_by_the_library():
    found, wine = studied("columns", source="wine"), load("wine").standardised()
    rows = wine.sample(30, 3)
    y = wine.names.index("color_intensity")
    names = [name for name in wine.names if name != "color_intensity"]
    table = {name: rows[:, wine.names.index(name)] for name in names}
    under = {name: Gaussian(0.5 * median_bandwidth(column)) for name, column in table.items()}
    ranking = rank_columns(
        table, rows[:, y], under, Gaussian(0.5 * median_bandwidth(rows[:, y])), n_resamples=199, rng=3
    )
    assert found.names == ranking.names
    assert np.array_equal(found.pvalue, ranking.pvalue)


def test_fresh_samples_keep_the_level_and_find_a_dependence():
    none = studied("fresh", source="none", n=12, samples=60)
    for found in (none.kernel, none.pearson, none.none):
        assert found <= 11  # 60 draws of chance 0.05 give more less than once in twenty thousand times
    fan = studied("fresh", source="fan", n=60, samples=12)
    assert fan.kernel >= 11
    assert fan.none <= 5
    assert fan.interval(12) == pytest.approx((0.025 ** (1 / 12), 1.0))
    assert studied("fresh", source="eckerle4", n=20, samples=5).kernel is None


def test_what_is_not_wanted_any_more_is_given_up():
    for name in ("rows", "power", "fresh"):
        work = IndependenceLab(samples=5, picture="power", **SMALL).work()
        assert work.finish(name, lambda: True) is None


def test_dcor_is_asked_in_a_process_of_its_own():
    """Its stand-in answers as it would; a broken one, a slow one and one nobody waits for any more say so."""
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
    result = settled(IndependenceLab(source="fan", picture="measures", peer=True, **SMALL))
    assert result.peer.covariance == pytest.approx(result.covariance, rel=1e-10)
    assert result.peer.correlation == pytest.approx(result.distance.value, rel=1e-10)
    assert result.peer.version


# presets, hands and tables


def test_the_presets_verdicts():
    """Where Pearson's r finds nothing and HSIC something, and the other way round."""
    verdicts = {}
    for preset in PRESETS:
        result = IndependenceLab(**preset.fields).result()
        verdicts[preset.name] = (result.pearson.pvalue <= 0.05, result.pvalue <= 0.05)
    blind = {"A ring", "Only the spread", "The right bandwidth", "Eckerle4", "A table: wine"}
    assert {name for name, found in verdicts.items() if found == (False, True)} == blind
    assert verdicts["A weak line"] == (True, False)
    assert verdicts["Too many waves"] == verdicts["Blurred to Pearson"] == (False, False)
    assert verdicts["A lucky seed"] == (True, True)


def test_a_hand_moves_pairs_and_adds_others():
    lab = IndependenceLab(moved='{"3": [0.5, -1.0]}', placed="[[2, 3], [4, 5]]", **SMALL)
    pairs, plain = lab.result().pairs, IndependenceLab(**SMALL).result().pairs
    assert (pairs.X[3, 0], pairs.Y[3, 0]) == (0.5, -1.0)
    assert pairs.X[30:, 0].tolist() == [2, 4]
    assert pairs.Y[30:, 0].tolist() == [3, 5]
    assert np.array_equal(np.delete(pairs.X[:30], 3), np.delete(plain.X, 3))
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


def test_a_drawing_begins_empty():
    lab = IndependenceLab(source="drawn")
    assert not lab.result().enough
    assert lab.result().pending() == ()
    lab.placed = "[[0, 0], [1, 1], [2, 2], [3, 3]]"
    assert lab.result().enough
    assert lab.result().pearson.value == pytest.approx(1)


def test_a_constant_side_depends_on_nothing():
    lab = IndependenceLab(source="drawn", placed=json.dumps([[i, 1.0] for i in range(8)]), permutations="199")
    result = settled(lab)
    assert result.pvalue == 1.0
    assert result.pearson.value == result.trial.correlation == result.trial.shape.share == 0.0
    assert result.remarks[1]
    assert math.isinf(result.trial.gamma.shape)
    assert not np.triu(result.trial.cells.reshape(CELLS, CELLS), 1).any()


def test_a_hand_that_moves_gets_a_draft_and_then_all_shuffles():
    lab = IndependenceLab(n=120, permutations="9999")
    assert lab.result().draft
    assert len(lab.result().test.null_distribution) == DRAFT
    assert not settled(lab).draft


def test_a_table_gives_its_columns():
    lab = IndependenceLab(source="wine", x='["hue", "ash"]', y="alcohol", **SMALL)
    pairs, wine = lab.result().pairs, load("wine").standardised()
    rows = [int(name.removeprefix("row ")) - 1 for name in pairs.rows]
    assert pairs.X == pytest.approx(wine.X[rows][:, [wine.names.index(name) for name in ("hue", "ash")]])
    assert pairs.Y[:, 0] == pytest.approx(wine.X[rows, wine.names.index("alcohol")])
    nist = IndependenceLab(source="eckerle4", n=35, standardise=False).result().pairs
    order = np.argsort(nist.X[:, 0])
    assert np.array_equal(nist.X[order], load("eckerle4").X)
    assert np.array_equal(nist.Y[order, 0], load("eckerle4").target)


TABLE = b"a,b,c\n" + b"".join(b"%d,%d,%d\n" % (i, i * i % 7, -i) for i in range(30))


def test_ones_own_table_has_its_first_and_last_column():
    table = read_table(TABLE, name="t.csv", standardise=True)
    lab = IndependenceLab(source="file", hash=table.hash, n=20)
    lab.table = table
    assert lab.result().pairs.names == ("a", "c")
    assert lab.result().pearson.value == pytest.approx(-1)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"placed": "[[1]]"}, "placed must be like"),
        ({"placed": "[[1, NaN]]"}, "placed must be like"),
        ({"selected": 1}, "0 pairs were added by hand"),
        ({"x": '"a"'}, "x must be like"),
        ({"x": '["a", "a"]'}, "x must be like"),
        ({"moved": "{"}, "moved must be like"),
        ({"kernel": "LIN", "sigma": 0.5}, "the kernel is LIN; take sigma = 0"),
        ({"n": 3}, "at least 4"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(fields, words):
    with pytest.raises(ValueError, match=words):
        IndependenceLab(**fields)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"source": "wine", "n": 200}, "n = 200 is more than the 178 rows of wine"),
        ({"source": "wine", "y": "taste"}, "no column 'taste'; it has alcohol"),
        ({"source": "wine", "x": '["ash"]', "y": "ash"}, "column 'ash' is x and y at once"),
        ({"source": "wine", "x": '["ash", "hue"]', "placed": "[[1, 1]]"}, "x has 2 columns here; take one column"),
        ({"source": "file", "file": "t.csv", "rows": 7}, "stays with its owner"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_sentence(fields, words):
    with pytest.raises(ValueError, match=words):
        IndependenceLab(**fields).result()
