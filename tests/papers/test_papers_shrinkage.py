"""One replicate of figures 1 and 2 of the shrinkage papers: exact losses, seeds, grids, and refusals."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.naming import naming
from reproduction import CS, FAST, FULL, T4, cells, losses

from explorer import FKMSE, KME, SKMSE, GaussianMixture
from explorer.embeddings import variance
from explorer.papers.shrinkage import FIGURE_1, FIGURE_2, KERNELS, Replicate, figure_1, figure_2, smallest_eigenvalue

ROOT = Path(__file__).parents[2]
SMALL = [("LIN", 10, 30), ("LIN", 15, 4), ("POLY2", 20, 2), ("POLY3", 12, 3), ("RBF", 10, 20)]
every_small = pytest.mark.parametrize(("kernel", "n", "d"), SMALL, ids=lambda v: str(v))


def by_hand(kernel, n, d, seed):
    """Return the distribution's embedding and the sample, by the public API alone."""
    law = GaussianMixture.random(d, rng=seed)
    X = law.sample(n, rng=seed)
    k = KERNELS[kernel].select(X)
    return k, X, law.embed(k)


def rank(kernel, n, d):
    """Return the rank of the Gram matrix of n points in general position: n, or the number of monomials."""
    monomials = {"LIN": d, "POLY2": (d + 1) * (d + 2) // 2, "POLY3": (d + 1) * (d + 2) * (d + 3) // 6, "RBF": n}
    return min(n, monomials[kernel])


@every_small
@pytest.mark.parametrize("c", [0.01, 1.0, 10.0])
def test_figure_1_is_the_loss_of_the_estimators(kernel, n, d, c):
    k, X, truth = by_hand(kernel, n, d, seed=5)
    lam = c * np.linalg.eigvalsh(k(X))[-rank(kernel, n, d)]
    expected = {"KME": KME(k), "S-KMSE": SKMSE(k, lam), "F-KMSE": FKMSE(k, lam)}
    expected = {name: estimator.embed(X).distance(truth) ** 2 for name, estimator in expected.items()}
    # differences of terms up to 1e3 times the loss: 1e-13; γ0 is good to eps γ_max / γ0, 1e-12 here
    assert figure_1(kernel, c, n, d, seed=5) == pytest.approx(expected, rel=1e-9, abs=0)


@every_small
def test_figure_2_is_the_loss_of_the_estimators(kernel, n, d):
    k, X, truth = by_hand(kernel, n, d, seed=6)
    expected = {"KME": KME(k), "S-KMSE": SKMSE(k), "F-KMSE": FKMSE(k), T4: FKMSE(k, selection="theorem-4")}
    expected = {name: estimator.embed(X).distance(truth) ** 2 for name, estimator in expected.items()}
    assert figure_2(kernel, n, d, seed=6) == pytest.approx(expected, rel=1e-9, abs=0)  # as above


@every_small
def test_the_ends_of_lambda(kernel, n, d):
    """At c = 0 both are KME; far beyond every eigenvalue both are 0 and lose |μ|^2."""
    at_zero = figure_1(kernel, 0, n, d, seed=1)
    assert at_zero == pytest.approx(dict.fromkeys(at_zero, at_zero["KME"]), rel=1e-12, abs=0)
    _, _, truth = by_hand(kernel, n, d, seed=1)
    at_end = figure_1(kernel, 1e18, n, d, seed=1)
    # what is left of F-KMSE is γ_max / λ, at most 1e5 / 1e18 here, of S-KMSE 1 / λ
    assert [at_end["S-KMSE"], at_end["F-KMSE"]] == pytest.approx([truth.norm() ** 2] * 2, rel=1e-9)


@pytest.mark.parametrize(("kernel", "n", "d"), [("LIN", 15, 4), ("POLY2", 20, 2), ("POLY3", 30, 2)])
def test_the_smallest_eigenvalue_is_none_of_rounding(kernel, n, d):
    """A singular Gram matrix shares its other eigenvalues with that of the monomials, which is regular."""
    drawn = Replicate.draw(kernel, n, d, seed=2)
    X = by_hand(kernel, n, d, seed=2)[1]
    if kernel != "LIN":
        x, y, one = X[:, 0], X[:, 1], np.ones(n)
        X = {
            "POLY2": np.sqrt([1, 2, 2, 1, 2, 1]) * np.column_stack([one, x, y, x * x, x * y, y * y]),
            "POLY3": np.sqrt([1, 3, 3, 3, 6, 3, 1, 3, 3, 1])
            * np.column_stack([one, x, y, x**2, x * y, y**2, x**3, x**2 * y, x * y**2, y**3]),
        }[kernel]
    gamma = np.linalg.svd(X, compute_uv=False) ** 2  # the features' own singular values: no product is formed
    found = smallest_eigenvalue(drawn.spectrum.gamma)
    # an eigenvalue is good to a few n eps γ_max; rounding alone leaves some of that size too
    assert found == pytest.approx(gamma[-1], rel=0, abs=100 * n * np.finfo(float).eps * gamma[0])
    assert found > 0.5 * gamma[-1]
    assert drawn.spectrum.gamma.min() < 0.01 * found


@pytest.mark.thorough(default=["LIN"])
@pytest.mark.parametrize("kernel", ["LIN", "POLY2", "POLY3"])
def test_kmes_losses_average_to_its_exact_risk(kernel):
    """E |μ̂ - μ|^2 = Δ for each distribution and a fixed kernel, so losses minus Δ have mean 0 over distributions."""
    excess = []
    for seed in range(100):
        delta = variance(GaussianMixture.random(3, rng=seed), KERNELS[kernel], 6)
        excess.append(figure_1(kernel, 1.0, 6, 3, seed)["KME"] / delta - 1)
    assert abs(np.mean(excess)) < 4.5 * np.std(excess) / np.sqrt(len(excess))


def test_a_seed_is_a_law_and_a_sample():
    cell = {"kernel": "RBF", "n": 6, "d": 3}
    assert figure_2(**cell, seed=4) == figure_2(**cell, seed=4)
    assert figure_1(**cell, c=0.1, seed=4) == figure_1(**cell, c=0.1, seed=4)
    # other cells with the same seed see the same points
    same = {figure_1(**cell, c=c, seed=4)["KME"] for c in CS} | {figure_2(**cell, seed=4)["KME"]}
    assert len(same) == 1


@pytest.mark.thorough
def test_other_seeds_are_independent():
    """The losses of one cell do not predict those of another with other seeds, nor those of the next seed."""
    a = losses(figure_1, 150, kernel="LIN", c=0.1, n=5, d=2)["KME"]
    b = np.array([figure_1("RBF", 0.1, 5, 2, seed)["KME"] for seed in range(150, 300)])
    assert len(set(a) | set(b)) == 300
    for x, y in ((a, b), (a[1:], a[:-1]), (b[1:], b[:-1])):
        assert abs(np.corrcoef(np.argsort(np.argsort(x)), np.argsort(np.argsort(y)))[0, 1]) < 4.5 / np.sqrt(len(x))


def test_one_eigendecomposition_serves_all(monkeypatch):
    from explorer.estimators import spectrum

    calls = []
    monkeypatch.setattr(spectrum, "eigh_psd", lambda K, whole=spectrum.eigh_psd: calls.append(len(K)) or whole(K))
    figure_2("RBF", 8, 3, seed=0)
    assert calls == [8]


@pytest.mark.parametrize("study", [figure_1, figure_2])
def test_a_study_can_be_sent_to_a_worker_and_its_losses_back(study):
    assert pickle.loads(pickle.dumps(study)) is study
    row = study("LIN", **({"c": 1.0} if study is figure_1 else {}), n=4, d=2, seed=np.int64(3))
    assert all(type(value) is float for value in row.values())
    assert pickle.loads(pickle.dumps(row)) == row


@pytest.mark.parametrize(("study", "figure"), [(figure_1, FIGURE_1), (figure_2, FIGURE_2)])
def test_the_grids_are_cells_of_their_studies(study, figure):
    fast, full = (cells(figure[size]) for size in ("fast", "full"))
    assert all(cell in full for cell in fast)
    assert {cell["kernel"] for cell in fast} == set(KERNELS)
    assert len(full) == {figure_1: 4 * 4, figure_2: 4 * (6 + 5 - 1)}[study]  # both pictures share n = d = 20
    assert all(value > 0 for value in study(**fast[0], seed=0).values())
    assert {grid.replicates for grid in figure["fast"]} == {FAST}
    assert {grid.replicates for grid in figure["full"]} == {FULL}


@pytest.mark.parametrize(
    ("error", "parts", "arguments"),
    [
        (ValueError, ("kernel", "LIN", "POLY2", "POLY3", "RBF", "'rbf'"), {"kernel": "rbf"}),
        (ValueError, ("kernel",), {"kernel": ["LIN"]}),
        (ValueError, ("c", "0", "-1"), {"c": -1}),
        (ValueError, ("c", "0", "nan"), {"c": np.nan}),
        (ValueError, ("c", "0", "inf"), {"c": np.inf}),
        (TypeError, ("c", "number", "True"), {"c": True}),
        (TypeError, ("c", "number", "'1'"), {"c": "1"}),
        (ValueError, ("n", "2", "1"), {"n": 1}),
        (TypeError, ("n", "whole number", "10.0"), {"n": 10.0}),
        (ValueError, ("d", "1", "0"), {"d": 0}),
        (ValueError, ("seed", "0", "-1"), {"seed": -1}),
        (TypeError, ("seed", "whole number", "None"), {"seed": None}),
    ],
)
def test_bad_arguments_get_a_sentence(error, parts, arguments):
    with pytest.raises(error, match=naming(*parts)):
        figure_1(**{"kernel": "LIN", "c": 1.0, **arguments})


def test_the_room_is_entered_only_when_asked_for():
    code = "import explorer, sys; print('explorer.papers' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "False"
