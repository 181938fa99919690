"""The names and call shapes that design.md promises; the public API changes only by adding."""

import inspect
import pydoc

import numpy as np
import pytest
from kernels_and_estimators import PUBLIC

import explorer
from explorer import FKMSE, KME, MKME, MMKME, SKMSE, Embedding, Gaussian, GaussianMixture, SpectralKMSE
from explorer.public_names.help_text import contents, plain_signature

SIGNATURES = {
    "Linear": "(offset=0.0)",
    "Polynomial": "(degree=2, offset=1.0)",
    "Gaussian": "(bandwidth=None)",
    "Laplacian": "(bandwidth=None)",
    "Exponential": "(scale=1.0)",
    "Energy": "()",
    "Matern": "(bandwidth=None, nu=1.5)",
    "RationalQuadratic": "(bandwidth=None, alpha=1.0)",
    "InverseMultiquadric": "(scale=None, exponent=-0.5)",
    "ARDGaussian": "(bandwidths=None)",
    "Kernel": "()",
    "Estimator": "(kernel=None)",
    "Delta": "()",
    "Subsequence": "(length=3, decay=0.5, normalized=True)",
    "Precomputed": "(gram)",
    "Landmarks": "(kernel, landmarks)",
    "FourierFeatures": "(kernel, frequencies)",
    "Product": "(factors)",
    "KME": "(kernel=None, approximation=None, rank=None, rng=0)",
    "SKMSE": "(kernel=None, lam=None, target=None, weights='free')",
    "FKMSE": "(kernel=None, lam=None, selection='leave-one-out', weights='free')",
    "SpectralKMSE": "(kernel=None, filter='tikhonov', lam=None, steps=None, weights='free')",
    "MKME": "(kernel=None, sigma=None)",
    "MMKME": "(kernel=None, sigma=None)",
    "MedianOfMeans": "(kernel=None, blocks=11, method='minmax')",
    "RobustKME": "(kernel=None, loss='huber')",
    "BayesianKME": "(kernel=None, noise=None)",
    "GaussianMixture": "(weights, means, covariances)",
    "StudentT": "(df, mean, covariance)",
    "Pareto": "(shape, scale=1.0)",
    "Embedding": "(kernel, points, weights, covariance=None)",
    "CrossCovariance": "(kernel_x=None, kernel_y=None, centered=True)",
    "MixtureDensity": "(kernel=None, estimator=None, n_components=10, rng=None, starts=50, iterations=2000)",
    "MaximumEntropy": "(kernel, eps, estimator=None)",
    "KernelKMeans": "(n_clusters=2, kernel=None, estimator=None, rng=None, starts=10, iterations=300)",
    "SupportMeasureMachine": "(kernel=None, level_two=LevelTwo(), C=1.0, estimator=None)",
    "OneClassSMM": "(kernel=None, level_two=LevelTwo(), nu=0.1, estimator=None)",
    "DistributionRegression": "(kernel=None, level_two=LevelTwo(), lam=None, estimator=None)",
    "LevelTwo": "(kind='linear', scale=None)",
    "CovarianceOperator": "(kernel=None, estimator=None, centering=None, order=2)",
    "KernelPCA": "(kernel=None, n_components=20, centering=None, covariance=None)",
    "KernelCCA": "(kernel_x=None, kernel_y=None, n_components=2, lam=None, estimator=None)",
    "KernelFDA": "(kernel=None, n_components=None, lam=None)",
    "CLUHSIC": "(n_clusters=2, kernel=None, between=None, normalized=True, rng=None, starts=10, iterations=100)",
    "ConditionalEmbedding": "(kernel_x=None, kernel_y=None, lam=None, approximation=None, rank=None, rng=0)",
    "KernelBayesRule": "(kernel_x, kernel_y, lam, lam_posterior, approximation=None, rank=None, rng=0)",
    "HMMFilter": (
        "(kernel_state, kernel_obs, lam, lam_posterior, two_step=False, approximation=None, rank=None, rng=0)"
    ),
    "CovariateShift": "(kernel=None, bound=1000.0, tolerance=None)",
    "TargetShift": "(kernel_x=None, kernel_y=None, lam=1e-06, bound=10.0)",
    "LocationScaleShift": "(kernel_x=None, reweight=False)",
    "DICA": "(kernel=None, n_components=2, lam=0.0, eps=0.001)",
    "BeliefPropagation": "(edges, kernels, lam, loopy=False, tolerance=1e-06, rounds=200)",
}
FUNCTIONS = {
    "contaminate": ["X", "count", "kind", "distance", "rng"],
    "oracle_alpha": ["law", "kernel", "n", "target"],
    "risk": ["estimator", "law", "n"],
    "james_stein": ["x"],
    "median_bandwidth": ["X"],
    "hsic": ["X", "Y", "kernel_x", "kernel_y", "statistic", "estimator"],
    "dhsic": ["samples", "kernels"],
    "dhsic_test": ["samples", "kernels", "n_resamples", "rng"],
    "hsicagg_test": ["X", "Y", "kernels", "weights", "statistic", "n_resamples", "rng"],
    "hsic_test": ["X", "Y", "kernel_x", "kernel_y", "statistic", "estimator", "n_resamples", "rng"],
    "kci_test": ["X", "Y", "Z", "kernel_x", "kernel_y", "kernel_z", "lam", "n_resamples", "rng"],
    "conditional_test": ["X", "Y", "X2", "Y2", "kernel_x", "kernel_y", "y", "odds", "lam", "n_resamples", "rng"],
    "gcm_test": ["X", "Y", "Z", "kernel_z", "lam", "n_resamples", "rng"],
    "additive_noise": ["X", "Y", "kernel_x", "kernel_y", "lam", "n_resamples", "rng"],
    "ksd": ["X", "model", "kernel", "statistic"],
    "ksd_test": ["X", "model", "kernel", "null", "n_resamples", "rng"],
    "ksdagg_test": ["X", "model", "kernels", "weights", "null", "n_resamples", "rng"],
    "fssd_test": ["X", "model", "kernel", "locations", "n_resamples", "rng"],
    "monk_mmd": ["X", "Y", "kernel", "blocks", "method", "iterations", "rng"],
    "monk_test": ["X", "Y", "kernel", "blocks", "method", "null", "n_resamples"],
    "sum_rule": ["X", "Y", "prior", "kernel_x", "kernel_y", "lam", "approximation", "rank", "rng"],
    "chain_rule": ["X", "Y", "prior", "kernel_x", "kernel_y", "lam", "approximation", "rank", "rng"],
    "low_rank": ["kernel", "X", "approximation", "rank", "rng"],
    "bayes_rule": ["X", "Y", "prior", "x", "kernel_x", "kernel_y", "lam", "lam_posterior", "normalize", "printed"],
    "distributional_variance": ["samples", "kernel"],
    "counterfactual_mean": ["X", "y", "treated"],
    "treatment_test": [
        "X",
        "y",
        "treated",
        "kernel_x",
        "kernel_y",
        "lam",
        "n_resamples",
        "rng",
        "propensity",
        "groups",
    ],
    "row_dependence": ["X", "kernel", "lags", "n_resamples", "rng"],
    "herd": ["embedding", "m", "candidates", "rng"],
    "bag_gram": ["bags", "kernel", "other", "estimator"],
    "bags_of": ["X", "labels"],
    "thin": ["X", "m", "kernel", "estimator", "again", "method", "rng"],
    "criticisms": ["X", "prototypes", "kernel", "count", "weights", "diversity"],
    "mmd_flow": ["points", "target", "kernel", "steps", "step", "noise", "rng"],
    "compress_test": ["X", "Y", "kernel", "size", "n_resamples", "rng"],
    "plot": ["thing", "options"],
    "save": ["thing", "path", "title"],
    "read_strings": ["path", "name"],
    "read_table": ["path", "columns", "missing", "standardise"],
    "read_tables": ["paths", "columns", "missing", "scale"],
}


@pytest.mark.parametrize(("name", "signature"), SIGNATURES.items())
def test_classes_take_what_was_promised(name, signature):
    """Names, order and defaults; the types are those of test_typing.py."""
    assert plain_signature(getattr(explorer, name)) == signature


@pytest.mark.parametrize(("name", "first"), FUNCTIONS.items())
def test_functions_take_what_was_promised(name, first):
    assert list(inspect.signature(getattr(explorer, name)).parameters)[: len(first)] == first


@pytest.mark.parametrize("name", [*SIGNATURES, *FUNCTIONS])
def test_every_public_name_has_a_docstring(name):
    assert inspect.getdoc(getattr(explorer, name))


def test_gaussian_takes_its_bandwidth_by_position():
    assert Gaussian(2.0) == Gaussian(bandwidth=2.0)


def test_the_three_verbs():
    X = np.random.default_rng(0).normal(size=(8, 2))
    for estimator in (KME(), SKMSE(), FKMSE(), SpectralKMSE(), MKME(), MMKME()):
        assert isinstance(estimator.embed(X), Embedding)
        assert type(estimator.select(X)) is type(estimator)
    assert isinstance(KME().loocv(X), float)
    for estimator in (SKMSE(), FKMSE(), SpectralKMSE(), MKME()):
        assert estimator.loocv(X, [0.1, 1.0, 10.0]).shape == (3,)
    assert MMKME().loocv(X, [[0.1, 1.0], [0.5, 0.5], [0.0, 2.0]]).shape == (3,)


def test_the_loss_of_an_estimate_in_one_line():
    law = GaussianMixture.random(2, rng=0)
    k = Gaussian(5.0)
    loss = KME(k).embed(law.sample(100, rng=1)).distance(law.embed(k)) ** 2
    # E loss = (1 - |μ|^2)/100; a few times that is far
    assert 0 < loss < 0.05


def test_help_lists_every_name_with_its_call_and_its_first_line():
    shown = pydoc.render_doc(explorer, renderer=pydoc.plaintext)
    for name, thing in PUBLIC.items():
        one_line = " ".join(shown.split())
        assert name + plain_signature(thing) in one_line
        assert " ".join(thing.__doc__.strip().split("\n\n")[0].split()) in one_line


def test_help_has_no_functions_of_the_package_s_own():
    shown = pydoc.render_doc(explorer, renderer=pydoc.plaintext)
    assert "FUNCTIONS" not in shown
    assert "__getattr__" not in shown


def test_contents_without_docstrings():
    """`python -OO` drops them."""

    def bare(x, y=2):
        return x

    bare.__module__ = "explorer.kernels.bare"
    assert contents({"bare": bare, "_hidden": bare}, "").split() == ["kernels", "bare(x,", "y=2)"]
