"""Invariances of all tests: the order of rows, units, a constant column, the origin.

Also data at the edges of these.
"""

import numpy as np
import pytest
from test_discrepancy_scales import SQUARES, TWO_SAMPLES, samples

from explorer import Energy, Gaussian, Laplacian, Linear, Polynomial, hsic, mmd2, mmd_test, mmdagg_test, monk_mmd

STATISTICS = {
    "unbiased": lambda X, Y, k: mmd2(X, Y, k),
    "biased": lambda X, Y, k: mmd2(X, Y, k, "biased"),
    "hsic": lambda X, Y, k: hsic(X, Y, k, k),
    "hsic unbiased": lambda X, Y, k: hsic(X, Y, k, k, "unbiased"),
}
WITHOUT_UNIT = {"mmdagg_test", "mmdfuse_test", "power", "rank_columns"}
KERNELS = [Gaussian(1.5), Laplacian(2.0), Energy(), Linear(), Polynomial(2)]
AUTOMATIC = [Gaussian(), Laplacian()]


def scaled(kernel, a):
    """Return a kernel that has at a x the values of the given one at x, up to a factor."""
    bandwidth = getattr(kernel, "bandwidth", None)
    return kernel if bandwidth is None else kernel.replace(bandwidth=a * bandwidth)


@pytest.mark.thorough(
    default=[
        "Gaussian(bandwidth=1.5)-hsic unbiased",
        "Laplacian(bandwidth=2.0)-hsic",
        "Energy()-unbiased",
        "Energy()-hsic unbiased",
        "Linear()-hsic",
        "Gaussian()-hsic",
        "Laplacian()-biased",
        "Laplacian()-hsic unbiased",
    ]
)
@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize("kernel", KERNELS + AUTOMATIC, ids=repr)
def test_the_order_of_rows_does_not_count(name, kernel):
    X, Y = samples(13)
    order = np.random.default_rng(0).permutation(13)
    other = order if name.startswith("hsic") else order[::-1]  # pairs keep their rows together
    value = STATISTICS[name](X, Y, kernel)
    assert STATISTICS[name](X[order], Y[other], kernel) == pytest.approx(value, rel=1e-11)


@pytest.mark.thorough(
    default=[
        "Gaussian(bandwidth=1.5)-tiled",
        "Gaussian(bandwidth=1.5)-hsic_gamma",
        "Laplacian(bandwidth=2.0)-mmd_test",
        "Laplacian(bandwidth=2.0)-mmdfuse_test",
        "Laplacian(bandwidth=2.0)-monk direction pool",
        "Energy()-mmd2 unbiased",
        "Energy()-monk bcd flip",
        "Linear()-variance",
        "Linear()-tiled",
        "Linear()-hsic_ranks",
        "Linear()-rank_columns",
        "Gaussian()-hsic_ranks",
        "Laplacian()-mmd2 unbiased",
        "Laplacian()-mmd_test",
        "Laplacian()-monk direction pool",
    ]
)
@pytest.mark.parametrize("name", TWO_SAMPLES)
@pytest.mark.parametrize("kernel", [*KERNELS[:-1], *AUTOMATIC], ids=repr)
def test_units_do_not_count(name, kernel):
    """Meters or micrometers: p-values stay, statistics scale as the kernel does. By a power of two no digit changes."""
    X, Y = samples()
    a = 2.0**-20
    here, there = (TWO_SAMPLES[name](b * X, b * Y, scaled(kernel, b)) for b in (1.0, a))
    if name not in WITHOUT_UNIT and isinstance(kernel, (Linear, Energy)):
        factor = a ** ((2 if isinstance(kernel, Linear) else 1) * (2 if name in SQUARES else 1))
        here = [*here[:-1], factor * here[-1]] if name != "without_each" else factor * np.array(here)
    np.testing.assert_allclose(there, here, rtol=1e-9)


@pytest.mark.thorough(default=["256.0-Gaussian(bandwidth=1.5)-*", "68719476736.0-*-mmd2 unbiased"])
@pytest.mark.parametrize("name", TWO_SAMPLES)
@pytest.mark.parametrize("kernel", [Gaussian(1.5), Laplacian(2.0), Energy(), Gaussian(), Laplacian()], ids=repr)
@pytest.mark.parametrize("moved", [2.0**8, 2.0**36])
def test_where_zero_is_does_not_count(name, kernel, moved):
    X, Y = samples()
    # both sides are moved, so that increments are compared, see Moments
    first = 2.0**8 if name in ("power", "variance") else 0.0
    here, there = (TWO_SAMPLES[name](X + a, Y + a, kernel) for a in (first, moved))
    np.testing.assert_allclose(there, here, rtol=1e-9)


@pytest.mark.thorough(
    default=[
        "Gaussian(bandwidth=1.5)-mmd2 biased",
        "Gaussian(bandwidth=1.5)-variance",
        "Gaussian(bandwidth=1.5)-tiled",
        "Gaussian(bandwidth=1.5)-hsic_ranks",
        "Laplacian(bandwidth=2.0)-monk direction pool",
        "Laplacian(bandwidth=2.0)-tiled",
        "Laplacian(bandwidth=2.0)-hsic_gamma",
        "Energy()-variance",
        "Energy()-hsic_gamma",
        "Energy()-hsic_ranks",
        "Linear()-mmd2 unbiased",
        "Linear()-monk bcd flip",
        "Linear()-linear_time",
        "Gaussian()-mmd_test",
        "Laplacian()-hsic_test",
    ]
)
@pytest.mark.parametrize("name", TWO_SAMPLES)
@pytest.mark.parametrize(
    "kernel", [Gaussian(1.5), Laplacian(2.0), Energy(), Linear(), Gaussian(), Laplacian()], ids=repr
)
def test_a_constant_column_does_not_count(name, kernel):
    X, Y = samples()
    if name == "rank_columns":  # which ranks columns: a constant one is a row more, and independent of everything
        ranking = TWO_SAMPLES[name](np.column_stack([X, np.full(len(X), 3.0)]), Y, Linear())
        assert len(ranking) == 3
        assert 1.0 in ranking
        return
    # a constant of 0: under Energy it is where zero is that a constant moves, and the last test's matter
    here, there = (
        TWO_SAMPLES[name](*(np.column_stack([Z, np.zeros((len(Z), k))]) for Z in (X, Y)), kernel) for k in (0, 1)
    )
    np.testing.assert_allclose(there, here, rtol=1e-9)


@pytest.mark.parametrize("theta", [1e-3, 1e-100, 1e-150])
def test_a_narrow_bandwidth_sees_ties_and_nothing_else(theta):
    """k -> equality: the U-statistic of distinct points is 0 and every split ties; of tied data it is the table's."""
    X, Y = samples(8)
    for kernel in (Gaussian(theta), Laplacian(theta)):
        found = mmd_test(X, Y, kernel, n_resamples=99, rng=0)
        assert abs(found.statistic) < 1e-15  # sums of eight rounded entries of HKH
        assert found.pvalue == 1.0
        assert mmd2(X, Y, kernel, "biased") == pytest.approx(2 / 8, rel=1e-12)
        levels, other = np.array([0, 0, 1, 2.0]), np.array([0, 1, 1, 1.0])
        p, q = np.array([2, 1, 1]) / 4, np.array([1, 3, 0]) / 4
        assert mmd2(levels, other, kernel, "biased") == pytest.approx(((p - q) ** 2).sum(), rel=1e-12)
        assert monk_mmd(X, Y, kernel, 1).value == pytest.approx((2 / 8) ** 0.5, rel=1e-12)


@pytest.mark.thorough(
    default=[
        "Laplacian(bandwidth=2.0)-1e+100",
        "Laplacian(bandwidth=2.0)-1e+150",
        "Gaussian()-100000000.0",
        "Gaussian()-1e+100",
        "Gaussian()-1e+150",
    ]
)
@pytest.mark.parametrize("far", [1e8, 1e100, 1e150])
@pytest.mark.parametrize("kernel", [Gaussian(1.5), Laplacian(2.0), Gaussian(), Laplacian()], ids=repr)
def test_one_far_point_is_one_far_point(far, kernel):
    """Under a bounded kernel the point's place does not count once it is far.

    What is left is 0 between it and the rest.
    """
    X, Y = samples()
    places = []
    for place in (far, 2.0 * far):
        X[0] = place
        places.append(mmd2(X, Y, kernel))
    assert places[0] == pytest.approx(places[1], rel=1e-12)
    chosen = kernel.select(np.concatenate([X, Y]))
    K = chosen(np.concatenate([X, Y]))
    n = len(X)
    xx, yy, xy = K[:n, :n], K[n:, n:], K[:n, n:]
    direct = (xx.sum() - n) / (n * (n - 1)) + (yy.sum() - n) / (n * (n - 1)) - 2 * xy.mean()
    assert places[1] == pytest.approx(direct, rel=1e-10)


@pytest.mark.parametrize("kernel", KERNELS + AUTOMATIC, ids=repr)
def test_two_points_a_sample(kernel):
    """n = m = 2: by hand, and a null of six splits, two each of a value: p is a third or more, up to B."""
    X, Y = samples(2)
    k = kernel.select(np.concatenate([X, Y]))
    by_hand = k(X)[0, 1] + k(Y)[0, 1] - k(X, Y).mean() * 2
    assert mmd2(X, Y, kernel) == pytest.approx(by_hand, rel=1e-10)
    found = mmd_test(X, Y, kernel, n_resamples=2000, rng=0)
    values = np.unique(np.round(found.null_distribution / abs(found.statistic), 9))
    assert len(values) <= 3
    assert found.pvalue > 0.3
    assert 0 < mmdagg_test(X, Y, [kernel], n_resamples=99, rng=0).pvalue <= 1


@pytest.mark.thorough(
    default=[
        "Laplacian(bandwidth=2.0)-mmd2 biased",
        "Laplacian(bandwidth=2.0)-mmd_test KME",
        "Laplacian(bandwidth=2.0)-mmdfuse_test",
        "Laplacian(bandwidth=2.0)-monk direction pool",
        "Laplacian(bandwidth=2.0)-without_each",
        "Energy()-monk_mmd",
        "Energy()-monk direction pool",
        "Energy()-hsic_test",
        "Energy()-hsic unbiased",
        "Linear()-mmd_test",
        "Linear()-mmdagg_test",
        "Polynomial()-hsic_gamma",
    ]
)
@pytest.mark.parametrize(
    "name", [name for name in TWO_SAMPLES if name not in ("linear_time", "power", "monk fast flip")]
)
@pytest.mark.parametrize("kernel", [Gaussian(1.5), Laplacian(2.0), Energy(), Linear(), Polynomial(2)], ids=repr)
def test_data_that_are_all_equal_reject_nothing(name, kernel):
    X = np.full((12, 2), 0.1)
    values = np.asarray(TWO_SAMPLES[name](X, X.copy(), kernel), dtype=float)
    if name in WITHOUT_UNIT:
        np.testing.assert_array_equal(values, 1.0)
    else:
        # rounding of sums of 24 equal entries
        np.testing.assert_allclose(values[-1], 0.0, atol=1e-14)
        if len(values) == 2:
            assert values[0] == 1.0
