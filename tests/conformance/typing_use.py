"""A user's code, checked by `pyright`: every call shape of the public API, and the types that it gives.

Run too, by test_typing.py, so that no type claims what a call refuses. Lines that end in `# pyright: ignore[...]` are
mistakes that the checker must find: an ignore that ignores nothing is an error.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, assert_type

import numpy as np

import explorer
from explorer import (
    CLUHSIC,
    DICA,
    FKMSE,
    KME,
    MKME,
    MMKME,
    SKMSE,
    ARDGaussian,
    BayesianKME,
    BeliefPropagation,
    ConditionalEmbedding,
    CovarianceOperator,
    CovariateShift,
    CrossCovariance,
    Delta,
    DistributionRegression,
    Embedding,
    Energy,
    Exponential,
    FourierFeatures,
    Gaussian,
    GaussianMixture,
    HMMFilter,
    InverseMultiquadric,
    Kernel,
    KernelBayesRule,
    KernelCCA,
    KernelFDA,
    KernelKMeans,
    KernelPCA,
    Landmarks,
    Laplacian,
    LevelTwo,
    Linear,
    LocationScaleShift,
    Matern,
    MaximumEntropy,
    MedianOfMeans,
    MixtureDensity,
    Monitor,
    OneClassSMM,
    Pareto,
    Polynomial,
    Precomputed,
    Product,
    RationalQuadratic,
    RobustKME,
    ScanResult,
    Sketch,
    SpectralKMSE,
    StudentT,
    Subsequence,
    SupportMeasureMachine,
    TargetShift,
    TestResult,
    additive_noise,
    bag_gram,
    bags_of,
    bayes_rule,
    block_test,
    chain_rule,
    compare,
    compress_test,
    conditional_test,
    contaminate,
    counterfactual_mean,
    criticisms,
    dhsic,
    dhsic_test,
    distributional_variance,
    fssd_test,
    gcm_test,
    herd,
    hsic,
    hsic_test,
    hsicagg_test,
    james_stein,
    james_stein_risk,
    kci_test,
    ksd,
    ksd_test,
    ksdagg_test,
    lepski,
    linear_time,
    load,
    low_rank,
    median_bandwidth,
    mmd2,
    mmd2_of_laws,
    mmd_flow,
    mmd_test,
    mmdagg_test,
    mmdfuse_test,
    monk_mmd,
    monk_steps,
    monk_test,
    oracle_alpha,
    read_table,
    risk,
    row_dependence,
    save,
    scan,
    sum_rule,
    thin,
    treatment_test,
    witness,
)
from explorer.comparison import Comparison, compare_groups
from explorer.conditional import ConditionalChange
from explorer.datasets import DataSet
from explorer.recipe import Script, recipe
from explorer.types import Gram, Matrix, Points, Rows, Values, Vector, Weights


def kernels(X: Points) -> None:
    """Kernels take points, lists of them included."""
    for kernel in (Linear(), Linear(1.0), Polynomial(degree=2, offset=1.0), Exponential(50.0), Energy(), Delta()):
        assert_type(kernel(X), Gram)
        assert_type(kernel.diagonal(X), Vector)
    assert_type(Gaussian(2.0).select(X), Gaussian)
    assert_type(Laplacian(bandwidth=None).select(X), Laplacian)
    assert_type(Gaussian(2.0).bandwidth, float | None)
    assert_type(Gaussian().replace(bandwidth=1.0), Gaussian)
    assert_type(Gaussian(2.0)([[0.0], [1.0]], [[2.0]]), Gram)
    assert_type(Precomputed([[1.0, 0.5], [0.5, 1.0]]).gram, Gram)
    assert_type(Matern(2.0, nu=1.5)(X), Gram)
    assert_type(Matern(nu=2.5).replace(bandwidth=1.0), Matern)
    assert_type(RationalQuadratic(bandwidth=2.0, alpha=0.5)(X), Gram)
    assert_type(InverseMultiquadric(scale=None, exponent=-0.5).select(X), InverseMultiquadric)
    assert_type(ARDGaussian().select(X), ARDGaussian)
    assert_type(ARDGaussian([1.0] * X.shape[1])(X), Gram)
    assert_type(Gaussian() + 2.0 * Linear(), Kernel)
    assert_type((Gaussian(1.0) * Linear() * 3)(X), Gram)
    Product({0: Gaussian(1.0), 1: Laplacian(1.0)})(X)
    Subsequence(length=2, decay=0.5, normalized=True)(["ACGT", "AGT"])
    assert_type(low_rank(Gaussian(1.0), X, "nystrom", rank=5, rng=0).features(X), Gram)
    assert_type(Landmarks(Gaussian(1.0), X).rank, int)
    assert_type(FourierFeatures(Gaussian(1.0), frequencies=np.ones((3, X.shape[1])))(X), Gram)
    assert_type(median_bandwidth(X), float)
    sketch = Sketch(Gaussian(1.0), features=10, rng=0).update(X)
    assert_type((sketch + sketch - sketch).mmd2(Sketch.of(X, Gaussian(1.0), 10)), float)
    assert_type(Gaussian().characteristic, bool)


def embeddings(X: Points) -> None:
    """Embeddings add, and measure each other."""
    e = Embedding(Gaussian(1.0), X, np.full(len(X), 1 / len(X)), covariance=0.1)
    assert_type(e + e, Embedding)
    assert_type(0.5 * e - e / 2, Embedding)
    assert_type(e(X), Vector)
    assert_type(e.inner(e), float)
    assert_type(e.norm(), float)
    assert_type(e.distance(-e), float)
    assert_type(e.weights, Weights)
    law = GaussianMixture([1.0], [[0.0, 0.0]], np.eye(2))
    for other in (law, StudentT(5.0, [0.0, 0.0], np.eye(2)), GaussianMixture.random(2, rng=0)):
        assert_type(other.sample(3, rng=0), Points)
        assert_type(other.logpdf(X), Vector)
    assert_type(law.embed(Gaussian(1.0)), Embedding)
    Pareto(3.0, scale=1.0).sample(2, rng=np.random.default_rng(0))
    assert_type(contaminate(X, 2, "point mass", 5.0, rng=0), Points)
    assert_type(oracle_alpha(law, Gaussian(1.0), 10), float)
    assert_type(risk(KME(Gaussian(1.0)), law, 10), float)
    assert_type(james_stein([3.0, 1.0, 2.0]), Vector)
    assert_type(james_stein_risk(1.0, 3), float)
    assert_type(mmd2_of_laws(law, law, Gaussian(1.0)), float)


def estimators(X: Points) -> None:
    """Estimators keep their class when they choose."""
    assert_type(SKMSE(lam=0.1).embed(X), Embedding)
    assert_type(SKMSE(Gaussian(1.0), None, KME(Gaussian(1.0)).embed(X)).select(X), SKMSE)
    assert_type(SKMSE().select(X).lam, float | None)
    assert_type(FKMSE(selection="theorem-4").select(X), FKMSE)
    assert_type(FKMSE(lam=0.1, weights="simplex").embed(X), Embedding)
    assert_type(SpectralKMSE(Gaussian(1.0), "landweber", steps=3).embed(X), Embedding)
    assert_type(MKME(sigma=0.5).loocv(X, [0.1, 0.5]), Vector)
    assert_type(MMKME(sigma=[0.5, 0.1]).embed(X), Embedding)
    assert_type(KME().loocv(X), float)
    assert_type(KME().embed(X).map(np.square, Gaussian(1.0)), Embedding)
    assert_type(KME(None, "cholesky", rank=3, rng=1).embed(X).error, float | None)
    assert_type(MedianOfMeans(None, 3, "geometric").embed(X, rng=0), Embedding)
    assert_type(RobustKME(loss="hampel").embed(X), Embedding)
    assert_type(BayesianKME(noise=0.01).posterior(X, X), tuple[Vector, Vector])
    assert_type(BayesianKME().log_evidence(X), float)


def discrepancies(X: Points, Y: Points) -> None:
    """Comparisons return numbers; tests return results."""
    assert_type(mmd2(X, Y, Gaussian(1.0), "biased", SKMSE(lam=0.1)), float)
    assert_type(mmd2(X, Y, approximation="nystrom", rank=4), float)
    assert_type(mmd_test(X, Y, n_resamples=19, rng=0), TestResult)
    assert_type(mmd_test(X, Y, n_resamples=19, rng=0, approximation="features").error, float | None)
    assert_type(mmd_test(X, Y, n_resamples=19, rng=0).pvalue, float)
    assert_type(hsic(X, Y, Gaussian(1.0), Linear(), "unbiased"), float)
    assert_type(hsic_test(X, Y, estimator=(MKME(), KME()), n_resamples=19, rng=0).threshold(0.05), float)
    assert_type(dhsic([X, Y, X], [Gaussian(1.0), None, Linear()]), float)
    assert_type(dhsic_test([X, Y], n_resamples=19, rng=0).pvalue, float)
    assert_type(hsicagg_test(X, Y, [(Gaussian(1.0), Linear())], n_resamples=19, rng=0).rejected(), bool)
    assert_type(monk_mmd(X, Y, blocks=3, method="direction", rng=0).value, float)
    assert_type(monk_test(X, Y, blocks=3, null="pool", n_resamples=19, iterations=5, rng=0), TestResult)
    assert_type(next(monk_steps(X, Y, blocks=3, rng=0)).value, float)
    assert_type(mmdagg_test(X, Y, n_resamples=19, rng=0).pvalue, float)
    assert_type(row_dependence(X, lags=2, n_resamples=19, rng=0).profile, Vector)
    scanned = scan(X, min_size=4, rng=0, n_resamples=19)
    assert_type(scanned, ScanResult)
    assert_type(scanned.breaks, tuple[int, ...])
    assert_type(Monitor(X, rng=0).update(Y).wealth, float)
    assert_type(Monitor(X, rng=0).undated, int)
    assert_type(mmdfuse_test(X, Y, [Gaussian(1.0)], n_resamples=19, rng=0).pvalue, float)
    model = GaussianMixture([1.0], [[0.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]])
    assert_type(model.score(X), Points)
    assert_type(ksd(X, model, InverseMultiquadric(1.0), "biased"), float)
    assert_type(ksd(X, StudentT(3.0, [0.0, 0.0], 1.0)), float)
    assert_type(ksd(X, MixtureDensity(n_components=2, rng=0).fit(X)), float)
    assert_type(ksd_test(X, lambda X: -X, n_resamples=19, rng=0), TestResult)
    assert_type(ksd_test(X, model, null="parametric", n_resamples=19, rng=0).rejected(), bool)
    assert_type(ksdagg_test(X, model, [Gaussian(1.0)], n_resamples=19, rng=0).pvalue, float)
    assert_type(fssd_test(X, model, locations=[[0.0, 0.0]], n_resamples=19, rng=0).pvalue, float)
    assert_type(witness(X, Y)(X), Vector)
    lepski(X, Y, candidates=[1, 3], rng=0)
    linear_time(X, Y)
    block_test(X, Y, size=5, n_resamples=19)
    assert_type(compress_test(X, Y, Gaussian(1.0), size=None, n_resamples=19, rng=0), TestResult)
    explorer.bandwidth_curve(X, Y, explorer.bandwidth_collection(X, Y)[0].bandwidth, n_resamples=19, rng=0)
    C = CrossCovariance().fit(X, Y)
    assert_type(C, CrossCovariance)
    assert_type(C.norm(), float)
    cca = KernelCCA(lam=1.0).fit(X, Y)
    assert_type(cca, KernelCCA)
    assert_type(cca.left(X), Vector)
    assert_type(cca.correlation(0), float)
    assert_type(KernelCCA().loocv(X, Y, [0.1, 1.0]), Vector)
    pca = KernelPCA(Gaussian(1.0), 2, centering=SKMSE(), covariance=FKMSE()).fit(X)
    assert_type(pca, KernelPCA)
    assert_type(pca.transform(Y), Gram)
    assert_type(pca.reconstruction_error(Y), Vector)
    assert_type(pca.pre_image(Y), Points)
    assert_type(pca.pre_image(scores=[[0.1, 0.2]], method="regression"), Points)
    assert_type(pca.component(0), Embedding)
    operator = CovarianceOperator(Gaussian(1.0), FKMSE()).fit(X)
    assert_type(operator.distance(CovarianceOperator(Gaussian(1.0)).fit(Y)), float)


PAIRS = "select 1.5 as x1, 2.5 as x2 union all select 3.5, 1.5"


def rules(X: Points, Y: Points) -> None:
    """Rules return embeddings, or the weights of one."""
    C = ConditionalEmbedding(lam=0.1).fit(X, Y)
    assert_type(C, ConditionalEmbedding)
    assert_type(C.weights(X), Gram)
    changed = conditional_test(X, Y, X + 0.5, Y, odds=np.ones(2 * len(X)), lam=0.1, n_resamples=19, rng=0)
    assert_type(changed, ConditionalChange)
    assert_type(changed.witness(X[0]), tuple[Embedding, Embedding])
    assert_type(compare(X, Y, given="x1", n_resamples=19, rng=0), Comparison)
    shop = sqlite3.connect(":memory:")
    assert_type(read_table(shop, query="values (1.5), (2.5)"), DataSet)
    assert_type(compare(shop, X, query=PAIRS, n_resamples=19, rng=0), Comparison)
    shop.close()
    assert_type(kci_test(X, Y, X[:, 0], lam=0.1, n_resamples=19, rng=0).pvalue, float)
    assert_type(additive_noise(X, Y, lam=0.1, n_resamples=19, rng=0).direction(0.1), str)
    assert_type(gcm_test(X, Y, X[:, 0], Gaussian(1.0), n_resamples=19, rng=0).rejected(), bool)
    assert_type(C.embed([0.0, 1.0]), Embedding)
    assert_type(C.loocv(X, Y, [0.1, 1.0]), Vector)
    assert_type(ConditionalEmbedding(lam=0.1, approximation="cholesky", rank=5).fit(X, Y).embed(X[0]), Embedding)
    k = Gaussian(1.0)
    prior = KME(k).embed(Y)
    assert_type(sum_rule(X, Y, prior, None, k, 0.1, approximation="nystrom", rank=3, rng=1).error, float | None)
    assert_type(sum_rule(X, Y, prior, None, k, 0.1), Embedding)
    assert_type(chain_rule(X, Y, prior, None, k, 0.1), Gram)
    assert_type(bayes_rule(X, Y, prior, X[0], None, k, 0.1, 0.1, normalize=True), Embedding)
    assert_type(KernelBayesRule(None, k, lam=0.1, lam_posterior=0.1).fit(X, Y, prior).embed(X[0]), Embedding)
    assert_type(HMMFilter(None, None, 0.1, 0.1).fit(X, Y).filter(Y, initial=np.ones(len(X) - 1)), Weights)
    tree = BeliefPropagation([("x", "y")], {"x": None, "y": k}, 0.1).fit({"x": X, "y": Y})
    assert_type(tree.marginal("x", {"y": Y[0]}), Embedding)
    assert_type(tree.evidence({"y": Y[0]}), float)


def learners(X: Points) -> None:
    """Densities, few points for many, clusters."""
    fit = MixtureDensity(Gaussian(1.0), MKME(), n_components=2, rng=0, starts=1).fit(X)
    assert_type(fit, MixtureDensity)
    assert_type(fit.fit(X, fit.path_.mixture(0)).logpdf(X), Vector)
    assert_type(fit.score(X), float)
    assert_type(fit.path_.scores(X), Vector)
    assert_type(MaximumEntropy(Gaussian(1.0), 0.3, KME()).fit(X).logpdf(X), Vector)
    assert_type(herd(KME(Gaussian(1.0)).embed(X), 3, candidates=X, rng=0).reweighted, Embedding)
    assert_type(thin(X, 3, Gaussian(1.0), again=True).embedding, Embedding)
    assert_type(criticisms(X, X[:3], Gaussian(1.0), 2, weights=[0.5, 0.3, 0.2], diversity=0.5).rows, Rows)
    assert_type(mmd_flow(X, X + 1, Gaussian(1.0), steps=2, step=0.5, noise=[0.1, 0.0], rng=0), Values)
    assert_type(KME(Gaussian(1.0)).embed(X).gradient(X), Matrix)
    assert_type(thin(X, len(X) // 2, method="kernel-thinning", rng=0).points, Points)
    y = (X[:, 0] > np.median(X[:, 0])).astype(float)
    assert_type(CovariateShift(Gaussian(1.0), bound=5.0, tolerance=0.5).fit(X, X + 0.1), CovariateShift)
    assert_type(TargetShift(Gaussian(1.0), Delta(), lam=1e-3, bound=5.0).fit(X, y, X + 0.1), TargetShift)
    assert_type(LocationScaleShift(Gaussian(1.0), reweight=True).fit(X, y, X + 0.1).transform(X, y), Points)
    assert_type(DICA(Gaussian(1.0), 1, lam=0.1, eps=1e-2).fit(X, y, y).transform(X), Gram)
    assert_type(distributional_variance([X, X + 1.0], Gaussian(1.0)), float)
    assert_type(counterfactual_mean(X, y, y, None, Gaussian(1.0), lam=0.1), tuple[Embedding, Embedding])
    assert_type(treatment_test(X, y, y, lam=0.1, n_resamples=19, rng=0), TestResult)
    assert_type(treatment_test(X, y, y, propensity=0.5, n_resamples=19, rng=0), TestResult)
    assert_type(treatment_test(X, y, y, groups=np.zeros(len(y)), n_resamples=19, rng=0), TestResult)
    assert_type(KernelKMeans(2, Gaussian(1.0), rng=np.random.default_rng(0)).fit(X).predict(X), Rows)
    assert_type(KernelKMeans(2, Gaussian(1.0), rng=0).fit_predict(X, weights=y + 1), Rows)
    apart = CLUHSIC(2, Gaussian(1.0), between=[[2.0, 1.0], [1.0, 2.0]], normalized=False, rng=0).fit(X, weights=y + 1)
    assert_type(apart, CLUHSIC)
    assert_type(apart.predict(X), Rows)
    assert_type(CLUHSIC().fit_predict(X), Rows)
    assert_type(KernelFDA(Gaussian(1.0), n_components=1, lam=0.1).fit(X, y > 0), KernelFDA)
    assert_type(KernelFDA().fit_transform(X, y, weights=y + 1), Gram)
    assert_type(KernelFDA(lam=None).fit(X, y).transform(X), Gram)
    assert_type(CovariateShift(Gaussian(1.0)).fit(X, X + 0.1).weights(X), Vector)
    assert_type(ConditionalEmbedding(None, Linear(), 0.1).fit(X, y, weights=y + 1).score(X, y), float)
    pca = KernelPCA(Gaussian(1.0), n_components=None).set_output(transform="default").fit(X, weights=y + 1)
    assert_type(pca.set_params(kernel__bandwidth=2.0), KernelPCA)
    assert_type(pca.fit_transform(X), Gram)
    bags = bags_of(X, np.arange(len(X)) % 4)
    G = bag_gram(bags, Gaussian(1.0), estimator=SKMSE())
    assert_type(G, Gram)
    assert_type(LevelTwo("gaussian", scale=0.5)(G, G.diagonal()), Gram)
    machine = SupportMeasureMachine(Gaussian(1.0), LevelTwo("cauchy"), C=10.0).fit(bags, ["a", "b", "a", "b"])
    assert_type(machine, SupportMeasureMachine)
    assert_type(machine.score(bags, ["a", "b", "a", "b"]), float)
    assert_type(OneClassSMM(None, LevelTwo(), 0.5, KME()).fit(bags).decision_function(bags), Vector)
    regression = DistributionRegression(lam=0.1).fit(bags, [1.0, 2.0, 3.0, 4.0])
    assert_type(regression.predict(bags), Vector)
    assert_type(regression.set_params(lam=None).loocv(bags, [1.0, 2.0, 3.0, 4.0], [0.1, 1.0]), Vector)


def files(picture: Any, folder: Path) -> None:
    """A picture as a file."""
    assert_type(save(picture, folder / "picture.html", title="A picture"), Path)
    assert_type(save(picture, folder / "fig.pdf", width=85, height=60.0, font="serif", size=8, x_label="n"), Path)


def checked() -> None:
    """Checks of the user's kernels and estimators."""
    assert_type(explorer.check_kernel(Gaussian(1.0)).passed, bool)
    explorer.check_estimator(KME()).raise_for_failures()


def data(study: Any) -> None:
    """Data sets and sweeps."""
    wine = load("wine")
    assert_type(wine.n, int)
    explorer.plot(mmd_test(wine.where(1).X, wine.where(2).X, n_resamples=19, rng=0), level=0.1).opts(width=400)
    explorer.plot(mmd_test(wine.where(1).X, wine.where(2).X, n_resamples=19, rng=0), backend="bokeh")
    comparison = compare(wine.where(1), wine.where(2), n_resamples=19, rng=0)
    assert_type(comparison.differ, bool)
    assert_type(comparison.columns[0].interval, tuple[float, float] | None)
    assert_type(comparison.rows("a", 3), tuple[int, ...])
    assert_type(compare(b"a\n1\n2\n", b"a\n1\n2\n", encoding="cp1250", n_resamples=19, rng=0).ungrouped, int)
    paired = compare(wine.X, wine.X, within="x1", reference=None, n_resamples=19, rng=0)
    assert_type(paired.unmatched, tuple[int, int])
    pairs = compare_groups({"arm": ["a", "b"] * 6, "x": [0.0, 1.0, 2.0] * 4}, by="arm", n_resamples=19, rng=0)
    assert_type(pairs.differing, tuple[Comparison, ...])
    with explorer.threads(2):
        explorer.sweep(study, {"n": [1, 2]}, replicates=2, progress=False).sizes["n"]
        explorer.sweep(study, {"n": [1, 2]}, depends=[np], reuse=True, progress=False)

    @recipe
    def steps(n: int) -> list[float]:
        return [0.5] * n

    assert_type(steps(3), list[float])
    assert_type(steps.script(), Script)


def mistakes() -> None:
    """Never run: each line is refused, by the checker as by the library."""
    Gaussian("wide")  # pyright: ignore[reportArgumentType]
    Gaussian(width=2.0)  # pyright: ignore[reportCallIssue]
    Gaussian(2.0).bandwidth = 3.0  # pyright: ignore[reportAttributeAccessIssue]
    FKMSE(selection="leave-two-out")  # pyright: ignore[reportArgumentType]
    Precomputed()  # pyright: ignore[reportCallIssue]
    mmd2([[0.0]], [[1.0]], statistic="median")  # pyright: ignore[reportArgumentType]
    mmd2([[0.0]], [[1.0]], estimator="SKMSE")  # pyright: ignore[reportArgumentType]
