"""Weights of rows in `fit`: whole numbers act as repeated rows, a weight of 0 as a row that is not present."""

import inspect

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import PUBLIC

from explorer import (
    CLUHSIC,
    DICA,
    KME,
    SKMSE,
    BeliefPropagation,
    ConditionalEmbedding,
    CovarianceOperator,
    CovariateShift,
    CrossCovariance,
    Delta,
    DistributionRegression,
    Gaussian,
    GaussianMixture,
    HMMFilter,
    KernelBayesRule,
    KernelCCA,
    KernelFDA,
    KernelKMeans,
    KernelPCA,
    LevelTwo,
    Linear,
    LocationScaleShift,
    MaximumEntropy,
    MixtureDensity,
    OneClassSMM,
    SupportMeasureMachine,
    TargetShift,
    bag_gram,
    low_rank,
)
from explorer.conditional.leave_one_out import Refits
from explorer.learner import Learner
from explorer.learning.bags.regression import BagRefits

rng = np.random.default_rng(5)
COUNTS = rng.integers(0, 4, size=24)
X, Z = rng.normal(size=(24, 2)), rng.normal(size=(7, 2))
Y = X[:, 0] ** 2 + 0.3 * rng.normal(size=24)
NODES = {"a": X[:, 0], "b": Y, "c": X[:, 1] + Y}
CHAIN = [("a", "b"), ("b", "c")]
START = GaussianMixture([0.5, 0.5], [[-1.0, 0.0], [1.0, 0.0]], 0.5)
BAGS = [(1 + i % 2) * rng.normal(size=(5 + i % 3, 2)) for i in range(24)]
OTHERS = [rng.normal(size=(6, 2)) for _ in range(4)]
SIDES = np.arange(24) % 2
GRID = np.stack(np.meshgrid(np.linspace(-4, 4, 9), np.linspace(-4, 4, 9)), axis=-1).reshape(-1, 2)


def again(values):
    """Return values (n, ...), or a list of bags, each as often as it counts."""
    if isinstance(values, dict):
        return {node: again(each) for node, each in values.items()}
    return (
        [bag for bag, c in zip(values, COUNTS, strict=True) for _ in range(c)]
        if isinstance(values, list)
        else (np.repeat(values, COUNTS, axis=0))
    )


def prior(kernel):
    return KME(kernel).embed([0.1, 0.9, 2.0])


def beliefs(model):
    far = model.evidence({"a": 0.3, "c": 1.0}) if not model.loopy else 0.0
    return [model.marginal("b", {"a": 0.3})([0.0, 1.0]), model.marginal("c", {"a": 0.3, "b": 1.0})([0.0]), [far]]


# a learner, what it learns from, and its message
PAIRS = {
    "kernel PCA": (
        KernelPCA(n_components=4),
        (X,),
        lambda m: [m.transform(Z), m.eigenvalues_, m.reconstruction_error(Z)],
    ),
    "kernel PCA of all": (KernelPCA(Gaussian(2.0), None), (X,), lambda m: [m.explained_variance_ratio_]),
    "not centred": (KernelPCA(centering=SKMSE(lam=np.inf), n_components=3), (X,), lambda m: [m.transform(Z)]),
    "of finite rank": (
        KernelPCA(low_rank(Gaussian(1.0), X, "cholesky", 10), 3),
        (X,),
        lambda m: [m.transform(Z), m.eigenvalues_],
    ),
    "S-COSE": (
        CovarianceOperator(None, SKMSE(lam=0.5)),
        (X,),
        lambda m: [[m.norm(), m.trace()], m.embedding_.inner(m.embedding_)],
    ),
    "covariance": (CovarianceOperator(Linear()), (X,), lambda m: [[m.form(lambda x: x[:, 0], lambda x: x[:, 1])]]),
    "cross-covariance": (
        CrossCovariance(),
        (X, Y),
        lambda m: [m.singular_values_[:4], m.left(Z, 1), m.right([0.0, 2.0]), m(Z, [1.0]), [m.correlation(0)]],
    ),
    "second moments": (
        CrossCovariance(centered=False),
        (X, Y),
        lambda m: [m.singular_values_[:4], m.left(Z), m(Z, [1.0])],
    ),
    "canonical": (
        KernelCCA(lam=0.5),
        (X, Y),
        lambda m: [m.correlations_, m.transform(Z), m.right([0.5], 1), [m.correlation(1)]],
    ),
    "canonical, λ by leaving one out": (KernelCCA(), (X, Y), lambda m: [[m.lam_], m.transform(Z)]),
    "regression": (
        ConditionalEmbedding(lam=0.3),
        (X, Y),
        lambda m: [m.predict(Z), [m.operator_lam_], m.embed(Z[0])([0.5])],
    ),
    "λ by leaving one out": (ConditionalEmbedding(), (X, Y), lambda m: [[m.lam_], m.predict(Z)]),
    "λ of words": (ConditionalEmbedding(None, Delta()), (X, SIDES), lambda m: [[m.lam_], m.predict(Z)]),
    "Bayes' rule": (
        KernelBayesRule(None, Gaussian(1.0), 0.1, 0.1),
        (X, Y, prior(Gaussian(1.0))),
        lambda m: [m.embed(Z[0]).weights],
    ),
    "beliefs": (BeliefPropagation(CHAIN, dict.fromkeys("abc"), 0.1), (NODES,), beliefs),
    "beliefs, loopy": (
        BeliefPropagation([*CHAIN, ("a", "c")], dict.fromkeys("abc"), 0.1, loopy=True, tolerance=1e-9),
        (NODES,),
        beliefs,
    ),
    "clusters": (KernelKMeans(3, rng=1), (X,), lambda m: [[m.objective_], m.predict(Z), m.means_[0](Z), [m.score(Z)]]),
    "discriminants": (KernelFDA(lam=0.5), (X, SIDES), lambda m: [m.separations_, m.transform(Z)]),
    "discriminants, λ by leaving one out": (KernelFDA(), (X, SIDES), lambda m: [[m.lam_], m.transform(Z)]),
    # with few clusters and many starts both find the best
    "clusters by HSIC": (CLUHSIC(2, rng=1, starts=40), (X,), lambda m: [[m.objective_]]),
    "clusters, shrunk": (KernelKMeans(2, estimator=SKMSE(lam=0.1), rng=1), (X,), lambda m: [m.predict(Z)]),
    "density": (MaximumEntropy(None, 0.1), (X, GRID), lambda m: [m.density_]),
    "machine": (SupportMeasureMachine(C=2.0), (BAGS, SIDES), lambda m: [m.decision_function(OTHERS)]),
    "machine, distances": (
        SupportMeasureMachine(None, LevelTwo("gaussian"), 10.0),
        (BAGS, SIDES),
        lambda m: [m.decision_function(OTHERS)],
    ),
    "bags": (DistributionRegression(), (BAGS, Y), lambda m: [[m.lam_], m.predict(OTHERS)]),
    "bags, two targets": (
        DistributionRegression(None, LevelTwo("gaussian"), 0.1),
        (BAGS, X),
        lambda m: [m.predict(OTHERS)],
    ),
    "covariate shift": (
        CovariateShift(bound=3.0),
        (X, Z),
        lambda m: [[m.distance_, m.norm_, m.tolerance_, m.effective_sample_size_], m.weights(Z), m.embedding_(Z)],
    ),
    "covariate shift, far from zero": (
        CovariateShift(bound=3.0, tolerance=0.0),
        (X + 1e4, Z + 1e4),
        lambda m: [[m.distance_]],
    ),
    "target shift": (
        TargetShift(bound=3.0),
        (X, SIDES, Z),
        lambda m: [m.proportions_, [m.distance_, m.effective_sample_size_]],
    ),
    "target shift of numbers": (TargetShift(lam=0.1), (X, Y, Z), lambda m: [[m.distance_]]),
    "scale and shift": (
        LocationScaleShift(reweight=True),
        (X, SIDES, Z),
        lambda m: [m.scale_, m.shift_, m.proportions_],
    ),
    "invariant components": (
        DICA(n_components=2, lam=0.1),
        (X, SIDES),
        lambda m: [m.transform(Z), m.ratios_, m.variances_, [m.variance_]],
    ),
    "invariant components, guided": (DICA(Linear()), (X, SIDES, Y), lambda m: [m.transform(Z), m.ratios_]),
    "outliers": (OneClassSMM(nu=0.3), (BAGS,), lambda m: [m.decision_function(OTHERS), [m.rho_]]),
}


every_learner = pytest.mark.parametrize(("learner", "samples", "says"), PAIRS.values(), ids=PAIRS)


@every_learner
def test_whole_weights_are_repeated_rows(learner, samples, says):
    n = len(COUNTS)
    rows = [isinstance(each, dict) or (hasattr(each, "__len__") and len(each) == n) for each in samples]
    repeated = [again(each) if has else each for each, has in zip(samples, rows, strict=True)]
    weighed, plain = learner.replace().fit(*samples, weights=COUNTS), learner.replace().fit(*repeated)
    # sums of the same terms in another order, over a λ or an eigenvalue; machines of equal bags are good to 1e-5
    off = 2e-5 if isinstance(learner, SupportMeasureMachine) else 1e-8
    for a, b in zip(says(weighed), says(plain), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=off)


@every_learner
def test_weights_of_one_are_none(learner, samples, says):
    weighed, plain = learner.replace().fit(*samples, weights=np.ones(24)), learner.replace().fit(*samples)
    for a, b in zip(says(weighed), says(plain), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-9)


@every_learner
def test_weights_need_not_be_whole(learner, samples, says):
    fit = learner.replace().fit(*samples, weights=0.3 + COUNTS / 2)
    assert all(np.isfinite(each).all() for each in says(fit))


@every_learner
def test_no_weights(learner, samples, says):
    for wrong, said in (
        (np.ones(23), naming("24")),
        (-np.ones(24), naming("weights", "0")),
        (np.zeros(24), "no row counts"),
        (np.full(24, np.nan), "NaN"),
        ("w", "text"),
    ):
        with pytest.raises(ValueError, match=said):
            learner.replace().fit(*samples, weights=wrong)


def test_a_density_of_weighted_rows():
    rows = np.repeat(X, COUNTS, axis=0)
    for kernel in (Gaussian(1.0), Linear()):
        model = MixtureDensity(kernel, n_components=2, rng=0, starts=5, iterations=30)
        weighed, plain = model.replace().fit(X, start=START, weights=COUNTS), model.replace().fit(rows, start=START)
        # the optimiser's steps repeat what rounding starts
        np.testing.assert_allclose(weighed.logpdf(Z), plain.logpdf(Z), rtol=1e-4)
        np.testing.assert_allclose(weighed.history_[:3], plain.history_[:3], rtol=1e-9)
        start, other = (fit.start_ for fit in (model.replace().fit(X, weights=COUNTS), model.replace().fit(rows)))
        order, turn = np.argsort(start.means[:, 0]), np.argsort(other.means[:, 0])  # k-means numbers them at random
        np.testing.assert_allclose(start.means[order], other.means[turn], rtol=1e-9)
        np.testing.assert_allclose(start.covariances[order], other.covariances[turn], rtol=1e-9)


def test_rows_of_weight_0_have_a_cluster_too():
    fit = KernelKMeans(2, Gaussian(1.0), rng=0).fit([0.0, 0.1, 5.0, 5.1, 4.9], weights=[1, 1, 1, 1, 0])
    assert fit.labels_[4] == fit.labels_[2] != fit.labels_[0]
    begun = KernelKMeans(2, Gaussian(1.0)).fit([0.0, 0.1, 5.0], labels=[0, 0, 1], weights=[1.0, 2.0, 0.5])
    np.testing.assert_allclose(begun.means_[0].weights, [1 / 3, 2 / 3])


def test_a_scale_of_the_weights_is_that_of_lambda():
    """Σ w_i |y_i - f(x_i)|² + λ |f|²: twice the weights are half of λ; averages have no scale."""
    kernel = Gaussian(1.0)
    w = rng.random(24)
    twice, half = (
        ConditionalEmbedding(kernel, lam=0.6).fit(X, Y, 2 * w),
        ConditionalEmbedding(kernel, lam=0.3).fit(X, Y, w),
    )
    np.testing.assert_allclose(twice.predict(Z), half.predict(Z), rtol=1e-9)
    K, W = kernel(X), np.diag(w)
    by_hand = kernel(Z, X) @ np.linalg.solve(W @ K + 0.3 * np.eye(24), w * Y)
    np.testing.assert_allclose(half.predict(Z), by_hand, rtol=1e-9)
    one, other = (KernelPCA(kernel, 3).fit(X, weights=scale * w) for scale in (1, 7))
    np.testing.assert_allclose(one.transform(Z), other.transform(Z), atol=1e-9)
    centred = X - w @ X / w.sum()
    values = np.linalg.eigvalsh((w[:, None] * centred).T @ centred / w.sum())[::-1]
    np.testing.assert_allclose(KernelPCA(Linear(), 2).fit(X, weights=w).eigenvalues_, values, rtol=1e-12)


@pytest.mark.parametrize(
    "w", [rng.integers(1, 4, size=24).astype(float), rng.random(24) + 0.1], ids=["whole", "shares"]
)
def test_leaving_a_copy_out_is_a_refit(w):
    """One copy is left out; of a pair that counts less than once, the whole pair."""
    kernel, lam = Gaussian(1.0), 0.2
    squares = []
    for i in range(24):
        less = w.copy()
        less[i] -= min(w[i], 1.0)
        fit = ConditionalEmbedding(kernel, Linear(), lam=lam).fit(X, Y, less)
        squares.append((Y[i] - fit.predict(X[i : i + 1])[0]) ** 2)
    found = Refits(kernel(X), np.outer(Y, Y), w).scores([lam])[0]
    np.testing.assert_allclose(found, w @ squares / w.sum(), rtol=1e-9)
    G, l = bag_gram(BAGS, kernel), w.sum()
    squares = []
    for i in range(24):
        less = w.copy()
        less[i] -= min(w[i], 1.0)
        c = np.linalg.solve(np.diag(less) @ G + lam * l * np.eye(24), less * Y)
        squares.append((Y[i] - G[i] @ c) ** 2)
    refits = BagRefits(G, Y, w)
    np.testing.assert_allclose(refits.scores([lam]), w @ squares / l, rtol=1e-9)
    np.testing.assert_allclose(refits.residuals(lam)[:, 0] ** 2, squares, rtol=1e-8)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: KernelPCA(covariance=SKMSE()).fit(X, weights=COUNTS), naming("weights", "sample")),
        (lambda: KernelPCA(centering=KME(approximation="cholesky")).fit(X, weights=COUNTS), "repeat the rows"),
        (lambda: KernelKMeans(2, estimator=SKMSE(), rng=0).fit(X, weights=COUNTS), "repeat the rows"),
        (lambda: MixtureDensity(None, SKMSE()).fit(X, weights=COUNTS), "repeat the rows"),
        (lambda: ConditionalEmbedding(approximation="cholesky").fit(X, Y, weights=COUNTS), naming("None")),
        (lambda: KernelPCA().fit(X, weights=np.eye(24)[0]), naming("2")),
        (lambda: KernelPCA().fit(X, sample_weight=COUNTS), naming("sample_weight", "weights", "X", "y")),
        (lambda: HMMFilter(None, None, 1.0, 1.0).fit(X, Y, sample_weight=COUNTS), naming("states", "observations")),
    ],
)
def test_what_weights_do_not_go_with(act, said):
    with pytest.raises(ValueError, match=said):
        act()


def test_all_learners_take_weights_but_of_a_sequence():
    learners = {type(learner) for learner, _, _ in PAIRS.values()} | {MixtureDensity}
    assert {cls for cls in every_learner_class() if "weights" in inspect.signature(cls.fit).parameters} == learners
    assert every_learner_class() - learners == {HMMFilter}  # its rows are one path, so none can be repeated


def every_learner_class():
    """Return the public classes that have `fit`."""
    return {each for each in PUBLIC.values() if inspect.isclass(each) and issubclass(each, Learner)}
