"""Distributional variance and DICA: definitions, explicit features, kernel PCA, transfer components, edges."""

import pickle
import re

import numpy as np
import pytest
import scipy.linalg
from helpers.naming import naming

from explorer import DICA, Delta, Gaussian, KernelPCA, Laplacian, Linear, Polynomial, distributional_variance, mmd2
from explorer.adaptation import transfer_ratios
from explorer.adaptation.variance import coefficients
from explorer.checks import ExplorerWarning, Refusal

RNG = np.random.default_rng(0)
D = np.repeat([0, 1, 2], [20, 30, 10])
X = RNG.normal(size=(60, 2)) + np.array([[0.0, 0.0], [1.0, -0.5], [2.0, 1.0]])[D]
Y = X[:, 0] + 0.1 * RNG.normal(size=60)
Z = RNG.normal(size=(7, 2))
SAMPLES = [X[D == d] for d in range(3)]
KERNELS = {"gaussian": Gaussian(1.0), "linear": Linear(), "polynomial": Polynomial(2), "laplacian": Laplacian(1.0)}


# distributional variance ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_it_is_the_printed_formula_and_a_trace(kernel):
    """tr(G)/N - ΣG/N² with G the inner products of the means; tr(KQ)."""
    G = np.array([[kernel(A, B).mean() for B in SAMPLES] for A in SAMPLES])
    expected = np.trace(G) / 3 - G.sum() / 9
    V = distributional_variance(SAMPLES, kernel)
    assert V == pytest.approx(expected, rel=1e-10)
    assert V == pytest.approx(np.trace(kernel(X) @ coefficients(D)), rel=1e-10)


def test_q_has_the_printed_entries():
    Q = coefficients(D)
    assert Q[0, 1] == pytest.approx(2 / (9 * 20**2))
    assert Q[0, 25] == pytest.approx(-1 / (9 * 20 * 30))
    np.testing.assert_allclose(Q.sum(axis=1), 0, atol=1e-17)


def test_of_two_samples_it_is_a_quarter_of_the_squared_mmd():
    V = distributional_variance(SAMPLES[:2], Gaussian(1.0))
    assert 4 * V == pytest.approx(mmd2(*SAMPLES[:2], Gaussian(1.0), "biased"), rel=1e-10)


def test_one_sample_or_equal_ones_do_not_vary():
    assert distributional_variance([X], Gaussian(1.0)) == 0.0
    assert distributional_variance([X, X[::-1], np.vstack([X, X])], Gaussian(1.0)) < 1e-16


def test_digits_stay_far_from_zero_and_under_wide_bandwidths():
    """A linear kernel sees the means alone: the variance of three numbers, at an offset of 2^26."""
    samples = [np.array([0.0, 1.0]), np.array([2.0, 3.0]), np.array([4.0, 5.0])]
    assert distributional_variance([s + 2.0**26 for s in samples], Linear()) == pytest.approx(8 / 3, rel=1e-12)
    wide = 1e6 * np.sqrt(distributional_variance(samples, Gaussian(1e6)))
    assert wide == pytest.approx(np.sqrt(8 / 3), rel=1e-6)  # the kernel's first order


def test_tiles_do_not_matter(monkeypatch):
    whole = distributional_variance(SAMPLES, Gaussian(1.0))
    monkeypatch.setattr("explorer.adaptation.variance.TILE", 100)
    assert distributional_variance(SAMPLES, Gaussian(1.0)) == pytest.approx(whole, rel=1e-12)


def test_labels_are_taken():
    assert distributional_variance([["a", "b"], ["a", "a"]], Delta()) == pytest.approx(0.125)


# DICA ----------------------------------------------------------------------------------------------------------------


def centred(kernel):
    H = np.eye(60) - 1 / 60
    return H @ kernel(X) @ H


def the_same_functions(K, ours, theirs):
    """Columns of coefficients that are one up to a factor: the cosine of their functions in the RKHS is 1."""
    for a, b in zip(ours.T, theirs.T, strict=True):
        cosine = a @ K @ b / np.sqrt((a @ K @ a) * (b @ K @ b))
        assert abs(cosine) == pytest.approx(1, abs=1e-7)


@pytest.mark.parametrize("lam", [0.0, 0.3])
@pytest.mark.parametrize("y", [None, Y, np.array(["a", "b", "c"])[D]], ids=["none", "numbers", "words"])
def test_it_solves_the_generalised_problem(y, lam):
    """The definition K P K b = γ (KQK + K + λ)b in n dimensions, with a small ridge if K is singular."""
    K = centred(Gaussian(1.0))
    P = np.eye(60) / 60
    if y is not None:
        ky = Delta() if y.dtype.kind == "U" else Gaussian().select(y)
        L = ky(y)
        P = L @ np.linalg.inv(L + 60 * 1e-3 * np.eye(60)) / 60
    M = K @ coefficients(D) @ K + K + lam * np.eye(60) + 1e-11 * np.eye(60)
    ratios, B = scipy.linalg.eigh((K @ P @ K + (K @ P @ K).T) / 2, M)
    fit = DICA(Gaussian(1.0), 2, lam).fit(X, D, y)
    np.testing.assert_allclose(fit.ratios_, ratios[::-1][:2], rtol=1e-6)
    the_same_functions(K, fit.components_, B[:, ::-1][:, :2])
    b = fit.components_
    np.testing.assert_allclose(np.einsum("ik,ij,jk->k", b, K, b), 1, rtol=1e-9)
    top = np.einsum("ik,ij,jk->k", b, K @ P @ K, b)
    bottom = np.einsum("ik,ij,jk->k", b, K @ coefficients(D) @ K + K + lam * np.eye(60), b)
    np.testing.assert_allclose(top / bottom, fit.ratios_, rtol=1e-8)
    np.testing.assert_allclose(np.einsum("ik,ij,jk->k", b, K @ coefficients(D) @ K, b), fit.variances_, rtol=1e-8)


def test_explicit_features_give_the_same():
    """A linear kernel: generalised eigenvectors of two matrices of the features themselves."""
    F = X - X.mean(axis=0)
    means = np.array([F[D == d].mean(axis=0) for d in range(3)])
    between = np.cov(means.T, bias=True)
    ratios, V = scipy.linalg.eigh(F.T @ F / 60, between + np.eye(2))
    fit = DICA(Linear(), 2).fit(X, D)
    np.testing.assert_allclose(fit.ratios_, ratios[::-1], rtol=1e-10)
    directions = V[:, ::-1] / np.linalg.norm(V[:, ::-1], axis=0)
    scores = (Z - X.mean(axis=0)) @ directions
    np.testing.assert_allclose(np.abs(fit.transform(Z)), np.abs(scores), rtol=1e-9)


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_one_domain_is_kernel_pca(kernel):
    fit, pca = DICA(kernel, 2).fit(X, np.zeros(60)), KernelPCA(kernel, 2).fit(X)
    np.testing.assert_allclose(fit.ratios_, pca.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(np.abs(fit.transform(Z)), np.abs(pca.transform(Z)), rtol=0, atol=1e-7)
    assert fit.variance_ == pytest.approx(0, abs=1e-16)


def test_transfer_component_analysis_is_a_limit():
    """Pan et al.: the leading eigenvectors of (KMK + μI)^-1 K H K, M the matrix of the squared MMD of two domains."""
    mu, a, two = 0.01, 1e9, (D > 0).astype(int)
    kernel = Gaussian(1.0)
    K = centred(kernel)
    w = np.where(two == 0, 1 / 20, -1 / 40)
    values, W = scipy.linalg.eigh(K @ K, K @ np.outer(w, w) @ K + mu * np.eye(60))
    fit = DICA(a * kernel, 2, lam=a**2 * mu / 4).fit(X, two)
    the_same_functions(K, fit.components_, W[:, ::-1][:, :2])
    np.testing.assert_allclose(60 / 4 * fit.ratios_, values[::-1][:2], rtol=1e-4)  # up to 1/a
    np.testing.assert_allclose(transfer_ratios(X, two, kernel, mu), values[::-1][:2], rtol=1e-8)


def test_transfer_components_refuse_three_domains():
    with pytest.raises(Refusal, match=naming("domains", "3 domains", "60", "two")):
        transfer_ratios(X, D, Gaussian(1.0), 0.1)
    with pytest.raises(Refusal, match=naming("mu", "0")):
        transfer_ratios(X, D > 0, Gaussian(1.0), 0.0)


def test_one_domain_with_y_is_covariance_operator_inverse_regression():
    """Kim and Pavlovic: the eigenvalues of (1/n) L(L + nεI)^-1 K, and the ratios have K for KQK + K."""
    y = np.sin(X[:, 0])
    fit = DICA(Gaussian(1.0), 2, eps=0.01).fit(X, np.zeros(60), y)
    L = fit.kernel_y_(y[:, None])
    P = L @ np.linalg.inv(L + 60 * 0.01 * np.eye(60)) / 60
    values = np.sort(np.linalg.eigvals(P @ centred(Gaussian(1.0))).real)[::-1]
    np.testing.assert_allclose(fit.ratios_, values[:2], rtol=1e-6)


def test_the_size_of_the_kernel_counts():
    """Against domains that differ along the first column, k must be large for the signal to be found."""
    rng = np.random.default_rng(1)
    signal, domains = rng.normal(size=150), np.repeat([0, 1, 2], 50)
    data = np.column_stack([3.0 * domains + rng.normal(size=150), 0.8 * signal])
    found = [
        abs(np.corrcoef(DICA(a * Linear(), 1).fit(data, domains).transform(data)[:, 0], signal)[0, 1])
        for a in (1e-3, 100.0)
    ]
    assert found[0] < 0.5
    assert found[1] > 0.98


def test_what_y_depends_on_is_kept():
    """Without y the large column comes first, with y the one that it depends on."""
    rng = np.random.default_rng(2)
    data, domains = rng.normal(size=(400, 2)) * np.array([1.5, 1.0]), np.repeat([0, 1], 200)
    y = np.sin(data[:, 1])
    plain = DICA(Linear(), 1).fit(data, domains).transform(data)[:, 0]
    guided = DICA(Linear(), 1, eps=0.1).fit(data, domains, y).transform(data)[:, 0]
    assert abs(np.corrcoef(plain, data[:, 0])[0, 1]) > 0.95
    assert abs(np.corrcoef(guided, data[:, 1])[0, 1]) > 0.95


def test_domains_are_less_apart_along_the_components():
    """The distance is per unit of variance, and compared with the components of kernel PCA of all points."""
    fit, pca = DICA(100.0 * Gaussian(1.0), 2).fit(X, D), KernelPCA(Gaussian(1.0), 2).fit(X)

    def apart(scores):
        means = np.array([scores[D == d].mean(axis=0) for d in range(3)])
        return (means.var(axis=0) / scores.var(axis=0)).sum()

    assert apart(fit.transform(X)) < 0.5 * apart(pca.transform(X))


def test_what_it_learns():
    fit = DICA(n_components=2).fit(X, np.array(["p", "q", "r"])[D], Y)
    assert fit.domains_.tolist() == ["p", "q", "r"]
    assert fit.kernel_y_ == Gaussian().select(Y)
    assert fit.variance_ == pytest.approx(distributional_variance(SAMPLES, fit.kernel_), rel=1e-9)
    np.testing.assert_allclose(fit.fit_transform(X, D, Y), fit.transform(X))
    v = fit.component(1)
    assert v.norm() == pytest.approx(1, rel=1e-7)
    np.testing.assert_allclose(v(Z) - v.inner(fit.centre_), fit.transform(Z)[:, 1], atol=1e-9)
    assert re.search(naming("2 components", "60 points", "3 domains"), fit._repr_html_())
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fit)).transform(Z), fit.transform(Z))


def test_a_shift_of_the_origin_changes_nothing():
    grid, far = np.round(X * 64) / 64, np.round(X * 64) / 64 + 2.0**27
    for kernel in (Linear(), Gaussian(1.0)):
        one, other = DICA(kernel).fit(grid, D), DICA(kernel).fit(far, D)
        np.testing.assert_allclose(other.ratios_, one.ratios_, rtol=1e-7)
        np.testing.assert_allclose(np.abs(other.transform(far)), np.abs(one.transform(grid)), atol=1e-6)


def test_more_components_than_there_are_warn():
    with pytest.warns(ExplorerWarning, match=naming("n_components=5", "3 points", "2")):
        assert DICA(Gaussian(1.0), 5).fit(X[:3], [0, 0, 0]).components_.shape == (3, 2)
    with pytest.warns(ExplorerWarning, match=naming("n_components=2", "1")):  # two classes have one difference of means
        DICA(Gaussian(1.0), 2).fit(X, D, (D > 0).astype(int))


REFUSED = {
    "domains": (lambda: DICA().fit(X, D[:5]), ("X", "60", "domains", "5")),
    "labels": (lambda: DICA().fit(X, D, Y[:5]), ("X", "60", "y", "5")),
    "no domains": (lambda: DICA().fit(X, None), ("domains", "None")),
    "equal points": (lambda: DICA().fit(np.ones((5, 2)), [0, 0, 1, 1, 1]), ("X", "5", "equal")),
    "one point": (lambda: DICA().fit([[1.0]], [0]), ("X", "1", "2")),
    "unfitted": (lambda: DICA().transform(X), ("DICA", "fit")),
    "width": (lambda: DICA(Gaussian(1.0)).fit(X, D).transform(X[:, :1]), ("Z", "1", "2")),
    "component": (lambda: DICA(Gaussian(1.0)).fit(X, D).component(2), ("k", "2")),
    "samples": (lambda: distributional_variance([X, X[:, :1]], Gaussian(1.0)), ("samples[0]", "2", "1")),
    "one array": (lambda: distributional_variance(X, Gaussian(1.0)), ("samples", "array")),
    "no samples": (lambda: distributional_variance([], Gaussian(1.0)), ("samples", "empty")),
    "an empty one": (lambda: distributional_variance([X, X[:0]], Gaussian(1.0)), ("samples[1]", "no rows")),
    "no list": (lambda: distributional_variance(3, Gaussian(1.0)), ("samples", "list")),
}


@pytest.mark.parametrize(("act", "parts"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(act, parts):
    with pytest.raises(ValueError, match=naming(*parts)):
        act()
