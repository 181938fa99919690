"""The Shrinkage lab's numbers, each computed in a second way: the library's public estimators and exact distances."""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
from helpers.naming import naming, one_sentence_names

from explorer import (
    FKMSE,
    KME,
    SKMSE,
    Energy,
    Exponential,
    Gaussian,
    GaussianMixture,
    Laplacian,
    Linear,
    Polynomial,
    StudentT,
    contaminate,
    james_stein,
    load,
    median_bandwidth,
    oracle_alpha,
)
from explorer.checks import Refusal
from explorer.datasets import read_table
from explorer.estimators.objective import Pace, refit_score
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.lab import LAMS
from explorer.labs.shrinkage.stein import DIMENSIONS, THETAS, mean_at, risk_curve
from explorer.labs.shrinkage.words import caption
from explorer.workbench.numbers import percent
from explorer.workbench.samples import ROOM, TAIL

TABLES = ("wine", "wdbc")
KERNELS = ("LIN", "POLY2", "POLY3", "RBF")
HOW: dict[str, dict] = {
    "as it is": {"lam": 0.0123},
    "outliers": {"outliers": 3, "selection": "theorem-4", "seed": 8, "law_seed": 5, "standardise": False},
    "a blob": {"target": "blob"},
    "a blob aside": {"target": "blob", "target_at": "[2.5, -1.0]"},
}
CASES: dict[str, dict] = {
    f"{kernel}, {source}, {how}": {"kernel": kernel, "source": source, "n": 30, "d": 4, **HOW[how]}
    for kernel, source, how in product(KERNELS, ("mixture", "gaussian", *TABLES), HOW)
}
OTHERS: dict[str, dict] = {
    "no shrinking": {"lam": 0.0},
    "nothing left": {"lam": math.inf},
    "two points": {"n": 2, "d": 1, "kernel": "POLY2"},
    "two outliers of three": {"n": 3, "outliers": 2, "kind": "heavy tail"},
    "Laplacian": {"kernel": "LAP", "n": 30},
    "Laplacian, one Gaussian": {"kernel": "LAP", "n": 30, "d": 7, "source": "gaussian"},
    "Laplacian, wine": {"kernel": "LAP", "n": 30, "source": "wine"},
    "energy": {"kernel": "distance", "n": 30, "outliers": 2},
    "exponential": {"kernel": "EXP", "n": 30, "bandwidth": 2.5},
    "t": {"source": "student", "n": 30, "df": 1.5},
    "t of five coordinates": {"source": "student", "n": 30, "df": 3.0, "d": 5},
    "t, linear": {"source": "student", "n": 30, "kernel": "LIN", "df": 2.5, "mean": 1.0},
    "t, quadratic": {"source": "student", "n": 30, "kernel": "POLY2", "df": 9.0},
}
CASES |= OTHERS
KNOWN = [name for name, fields in CASES.items() if fields.get("source") not in TABLES]
SOME = ["LIN, mixture, *", "POLY2, gaussian, outliers", "POLY3, mixture, outliers", "RBF, gaussian, *"]


class Case(NamedTuple):
    """A result with its sample, kernel, distribution and target, made with public functions, and the tolerance."""

    result: Any
    X: np.ndarray
    kernel: Any
    law: Any
    target: Any
    within: float

    @property
    def scale(self):
        """The unit of F-KMSE's λ."""
        return self.kernel.diagonal(self.X).mean()

    def simple(self, lam):
        return SKMSE(self.kernel, lam, target=self.target)

    def flexible(self, lam):
        return FKMSE(self.kernel, lam if lam is None else lam * self.scale, self.result.lab.selection)

    @property
    def both(self):
        """The curve of S-KMSE and of F-KMSE, each with a function that makes the estimator of a λ."""
        return (self.result.simple, self.simple), (self.result.flexible, self.flexible)

    def losses(self, *estimators):
        """Squared distances to the true kernel mean, in units of the plain average's."""
        truth = self.law.embed(self.kernel)
        plain, *losses = (e.embed(self.X).distance(truth) ** 2 for e in (KME(self.kernel), *estimators))
        return [loss / plain for loss in losses]


@cache
def case(name):
    lab = ShrinkageLab(**CASES[name])
    result, law = lab.result(), None
    if lab.source == "mixture":
        law = GaussianMixture.random(lab.d, lab.law_seed)
    elif lab.source not in TABLES:
        mean = [lab.mean] * lab.d
        gaussian = lab.source == "gaussian"
        law = GaussianMixture([1.0], [mean], [1.0] * lab.d) if gaussian else StudentT(lab.df, mean, 1.0)
    data = law or (load(lab.source).standardised() if lab.standardise else load(lab.source))
    X = data.sample(lab.n, lab.seed)
    if lab.outliers:
        X = contaminate(X, lab.outliers, lab.kind, lab.distance, rng=lab.seed)
    theta = lab.bandwidth * median_bandwidth(X, "cityblock" if lab.kernel == "LAP" else "sqeuclidean")
    kernels = {"LIN": Linear(), "POLY2": Polynomial(2), "POLY3": Polynomial(3), "RBF": Gaussian(theta)}
    kernels |= {"LAP": Laplacian(theta), "distance": Energy(), "EXP": Exponential(theta**2)}
    kernel, target = kernels[lab.kernel], None
    # both methods subtract numbers some n times as large as their difference: 30 eps, far below 1e-12; |μ|² of these
    # kernels is up to a thousand times the loss, and a target's may be larger still
    within = 1e-11 if lab.kernel in ("LAP", "distance", "EXP") else 1e-12
    if lab.target == "blob":
        d, within = X.shape[1], 1e-9
        centre = [*([2.5, -1.0] if lab.target_at else [0.0, 0.0]), *[0.0] * (d - 2)]
        target = GaussianMixture([1.0], [centre], result.blob.spread**2 * np.eye(d)).embed(kernel)
    return Case(result, X, kernel, law, target, within)


def for_each_case(names, some=SOME):
    """Return a decorator that runs a test for each case, by default for some of them."""

    def decorated(test):
        default = [*some, *(name for name in OTHERS if name in names)]
        return pytest.mark.thorough(default=default)(pytest.mark.parametrize("name", names)(test))

    return decorated


# curves


@for_each_case(CASES)
def test_sample_kernel_and_weights_are_the_front_door_s(name):
    here = case(name)
    result, X = here.result, here.X
    assert np.array_equal(result.X, X)
    assert (result.kernel, result.law) == (here.kernel, here.law)
    assert here.law or result.names == load(result.lab.source).names
    assert result.scale == pytest.approx(here.scale, rel=1e-14)
    assert set(LAMS) <= set(result.simple.lams[:-1])
    for row in (result.row, -1):
        weights = here.flexible(result.flexible.lams[row]).embed(X).weights
        # the eigenvectors of two Gram matrices that differ by rounding: 1e-10 of the largest weight
        assert result.flexible_curve.weights[row] == pytest.approx(weights, abs=1e-10 * np.abs(weights).max())


@for_each_case(KNOWN)
def test_losses_are_exact_distances_to_the_true_mean(name):
    here = case(name)
    rows = [*range(0, len(LAMS), 12), here.result.row, -1]
    for path, estimator in here.both:
        losses = here.losses(*map(estimator, path.lams[rows]))
        assert path.loss[rows] == pytest.approx(losses, rel=here.within, abs=here.within)
        assert [here.result.gain(path, row) for row in rows] == (1 - path.loss[rows]).tolist()


@for_each_case(KNOWN)
def test_no_lam_beats_the_best(name):
    here = case(name)
    for path, estimator in here.both:
        *losses, best = here.losses(*map(estimator, [0.0, *np.geomspace(1e-6, 1e5, 23), math.inf, path.best]))
        assert path.best_loss == pytest.approx(best, rel=here.within, abs=here.within)
        assert path.best_loss <= min(*losses, *path.loss) * (1 + here.within) + here.within  # both methods' rounding


@for_each_case(KNOWN)
def test_the_expected_gain_is_the_oracle_share(name):
    here = case(name)
    lab, gain = here.result.lab, here.result.expected_gain
    if lab.outliers:
        assert gain is None  # the sample is not the distribution's
    else:
        assert gain == pytest.approx(oracle_alpha(here.law, here.kernel, lab.n, here.target), rel=1e-9)


@for_each_case(CASES, [*SOME, "POLY2, wine, *", "RBF, wdbc, outliers"])
def test_scores_estimate_the_loss_and_choose_as_the_estimators_do(name):
    here = case(name)
    result, plain = here.result, KME(here.kernel).loocv(here.X)
    simple, flexible = (estimator(None) for _, estimator in here.both)
    chosen = simple.select(here.X).lam
    assert result.simple.chosen == result.simple.lams[-1] == pytest.approx(chosen, rel=max(1e-10, here.within))
    # the score is flat at its minimum: half the digits of λ are decided
    assert result.flexible.chosen * here.scale == pytest.approx(flexible.select(here.X).lam, rel=1e-6)
    for path, estimator, unit in ((result.simple, simple, 1), (result.flexible, flexible, here.scale)):
        # n times a difference of scores; for a small λ those of two Gram matrices differ by eps over the smallest λ,
        # 1e-4
        score = 1 + result.lab.n * (estimator.loocv(here.X, path.lams * unit) / plain - 1)
        assert path.score == pytest.approx(score, rel=1e-9, abs=1e-9)
        if here.law is None:
            assert (path.loss, path.best, path.best_loss, result.expected_gain) == (None,) * 4
            assert result.gain(path) == 1 - path.score[result.row]


def test_a_row_far_out_in_a_tail_leaves_the_others_room():
    result = ShrinkageLab(source="student", df=0.5, n=200).result()
    assert np.abs(result.X).max() > 100
    low, high = result.box
    assert (high - low).max() <= 2 * TAIL * (1 + 2 * ROOM)


# what presets say in words


def test_half_the_bandwidth_doubles_the_gain():
    wide, narrow = (ShrinkageLab(bandwidth=bandwidth).result().lesser_gain for bandwidth in (0.32, 0.16))
    assert narrow > 2 * wide


def test_the_gain_under_rbf_is_that_labs():
    for seed in range(1, 6):
        laplacian, rbf = (ShrinkageLab(kernel=kernel, bandwidth=1.0, seed=seed).result() for kernel in ("LAP", "RBF"))
        assert laplacian.rbf_gain == pytest.approx(rbf.expected_gain, rel=1e-9)
        assert laplacian.expected_gain > 1.5 * rbf.expected_gain
        assert rbf.rbf_gain is None
    assert f"(under RBF {percent(rbf.expected_gain)})" in caption(laplacian)


# James and Stein's estimate alone


STEIN: dict[str, Any] = {"source": "gaussian", "kernel": "LIN", "estimators": "james-stein"}


def test_james_and_stein_s_curves_are_the_mean_losses_of_their_estimates():
    rng, draws = np.random.default_rng(0), 40_000
    for d in (*DIMENSIONS, 2):
        for i in (0, 12, 60):
            theta = np.full(d, THETAS[i] / math.sqrt(d))  # the risk depends on |θ| alone
            x = theta + rng.standard_normal((draws, d))
            losses = ((james_stein(x, positive=True) - theta) ** 2).sum(axis=1) / d
            error = losses.std() / math.sqrt(draws)
            # 4.5 standard errors: once in 100,000 times by chance
            assert risk_curve(d)[i] == pytest.approx(losses.mean(), abs=4.5 * error)
    assert (risk_curve(1) == 1).all()
    assert (risk_curve(2) == 1).all()
    assert (risk_curve(3) < 1).all()


def test_the_dot_is_where_the_distribution_is():
    for d, n, mean in ((1, 20, 0.0), (3, 7, 0.4), (10, 20, 1.0)):
        lab = ShrinkageLab(**STEIN, d=d, n=n, mean=mean)
        result = lab.result()
        risk = result.stein_risk
        assert risk.theta == pytest.approx(np.linalg.norm(result.law.mean) * math.sqrt(n))
        assert risk.risk == pytest.approx(result.stein.risk)
        assert mean_at(risk.theta, d, n) == pytest.approx(mean, rel=5e-3)
        assert lab.replace(estimators="kernel").result().stein_risk is None
    assert mean_at(-3.0, 10, 20) == 0


# the error bound


def test_the_error_is_a_distance_and_its_bound_holds_as_often_as_it_says():
    lab = ShrinkageLab(picture="errors", delta=0.2, n=30)
    result = lab.result()
    truth = result.law.embed(result.kernel)
    assert result.bound.error == pytest.approx(KME(result.kernel).embed(result.X).distance(truth), rel=1e-10)
    assert result.bound.usual == pytest.approx(math.sqrt(result.law.variance(result.kernel) / 30), rel=1e-9)
    assert result.bound.proved == pytest.approx(1 / math.sqrt(30) + math.sqrt(math.log(5) / 30))
    assert result.bound.printed == pytest.approx(2 / math.sqrt(30) + math.sqrt(math.log(10) / 60))
    more = lab.replace(samples=100).result(wait=True)
    exceed = int((more.replicates.empirical > more.bound.proved**2).sum())
    assert exceed <= 20  # 100 samples of a bound that 20 % may exceed; in truth it is far from it
    assert re.search(naming(f"{exceed} of 100", "bound"), caption(more))
    assert one_sentence_names(caption(result), "+100 samples", "histogram")


@pytest.mark.parametrize("fields", [{"source": "wine"}, {"kernel": "LIN"}, {"outliers": 2}, {"moved": '{"0":[9,9]}'}])
def test_there_is_no_bound_where_none_is_proved(fields):
    result = ShrinkageLab(picture="errors", **fields).result()
    assert result.bound is None
    assert one_sentence_names(caption(result), "error bound", "independent points")


# what leave-one-out estimates


@pytest.mark.parametrize(
    "fields", [{}, {"kernel": "LIN", "source": "gaussian", "mean": 0.3}, {"target": "blob"}, {"filter": "tsvd"}]
)
def test_the_upper_curve_is_what_a_new_point_is_from_the_estimate_and_the_loss_is_a_constant_below(fields):
    result = ShrinkageLab(picture="objective", n=12, **fields).result()
    X, k, law, objective = result.X, result.kernel, result.law, result.objective
    truth, kme = law.embed(k), KME(k).embed(X)
    assert objective.unit == pytest.approx(kme.distance(truth) ** 2, rel=1e-9)
    assert objective.level * objective.unit == pytest.approx(KME(k).loocv(X), rel=1e-9)
    target = result.blob.law.embed(k) if result.blob else None
    for row in (0, 30, 60):
        lam = float(result.simple.lams[row])
        estimate = SKMSE(k, lam, target=target).embed(X)
        # E|φ(X) - g|² = E k(X, X) - 2 <μ, g> + |g|², written out
        outright = law.expected_diagonal(k) - 2 * truth.inner(estimate) + estimate.norm() ** 2
        assert (result.simple.loss[row] + objective.gap) * objective.unit == pytest.approx(outright, rel=1e-9)
        (score,) = SKMSE(k, target=target).loocv(X, [lam])
        assert objective.scores(result.simple)[row] * objective.unit == pytest.approx(score, rel=1e-8)


def test_a_refit_s_score_is_the_closed_form_s_and_its_pace_is_told():
    lab = ShrinkageLab(picture="objective")
    result = lab.result(wait=True)
    K, lam = result.kernel(result.X), 0.7
    literal = np.mean([refit_score(K, i, lam) for i in range(lab.n)])
    assert literal == pytest.approx(float(FKMSE(result.kernel).loocv(result.X, [lam])[0]), rel=1e-10)
    assert result.pace.m == len(lab.stops)
    assert 0 < result.pace.closed < result.pace.refits
    assert re.search(naming("F-KMSE", "20 refits"), caption(result))
    assert one_sentence_names(
        caption(ShrinkageLab(picture="objective", source="wine", n=60).result()), "estimate", "left side"
    )
    assert Pace.of(K, np.array([0.5]), lambda: True) is None


# refusals


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kernel": "LAP", "d": 4}, naming("Laplacian", "d", 3, "gaussian", "RBF")),
        ({"kernel": "EXP"}, naming("infinite", "bandwidth", "RBF")),
        ({"estimators": "james-stein"}, naming("gaussian", "LIN")),
        ({**STEIN, "kernel": "RBF"}, naming("gaussian", "LIN")),
        ({"source": "student", "kernel": "LAP"}, naming("kink", "Student", "RBF")),
        ({"source": "student", "kernel": "distance"}, naming("kink", "Student", "RBF")),
        (
            {"source": "student", "kernel": "LIN", "df": 2.0},
            naming("order 2", "2 degrees"),
        ),
        ({"source": "student", "kernel": "POLY2"}, naming("df", 4)),
        ({"source": "student", "kernel": "EXP", "bandwidth": 5.0}, naming("moments")),
        *(
            ({"kernel": kernel, "outliers": 3, "distance": 1e200}, "(?i)distance|rescale|too large")
            for kernel in ("LIN", "POLY2", "POLY3")
        ),
        *(
            ({"source": source, "n": rows + 1}, naming("n", rows + 1, rows, source))
            for source, rows in (("wine", 178), ("wdbc", 569))
        ),
        ({"n": 17, "bandwidth": 1e75, "lam": 1e-4, "weights": "simplex"}, "loss"),
        ({"weights": "sum-to-one", "filter": "tsvd"}, naming("sum-to-one", "tikhonov", "free", "tsvd")),
        ({"weights": "simplex", "source": "wine"}, naming("weights", "simplex")),
        ({"weights": "simplex", "n": 201}, naming("n", 201, 200, "simplex")),
        ({"weights": "simplex", "target": "blob"}, naming("target", "zero")),
        ({"source": "file"}, "own"),
    ],
    ids=str,
)
def test_what_has_no_picture_is_a_sentence(fields, said):
    with pytest.raises(Refusal, match=said):
        ShrinkageLab(**fields).result()


def test_the_exponential_kernel_s_least_bandwidth_is_the_one_that_is_named():
    with pytest.raises(Refusal) as refused:
        ShrinkageLab(kernel="EXP").result()
    least = float(str(refused.value).split("up to ")[1].split(",")[0])
    assert np.isfinite(ShrinkageLab(kernel="EXP", bandwidth=1.02 * least).result().expected_gain)


def test_a_table_of_ones_own_is_asked_for_until_it_is_there_and_other_columns_are_another_table():
    raw = b"a,b\n1,2\n3,4\n5,7\n"
    table = read_table(raw, name="mine.csv")
    lab = ShrinkageLab(source="file", n=3, file="mine.csv", rows=3, hash=table.hash, standardise=False)
    for other in (None, read_table(raw.replace(b"7", b"8"), name="mine.csv")):
        lab.table = other
        with pytest.raises(Refusal, match=naming("mine.csv", 3)):
            lab.result()
    lab.table = table
    assert sorted(lab.result().X[:, 0]) == [1, 3, 5]
    assert lab.result().names == ("a", "b")
    lab.table = read_table(raw, ["b"], name="mine.csv")
    lab.move(columns='["b"]')
    assert lab.result().names == ("b",)
