"""Output of notebook cells: results, embeddings, distributions and data sets are short as text and small as HTML.

That holds however large they are.
"""

import dataclasses
import inspect
import re
import xml.etree.ElementTree as ET
from importlib import import_module

import numpy as np
import pytest
from kernels_and_estimators import ESTIMATORS, KERNELS, PUBLIC, drawn, target

from explorer import (
    KME,
    MKME,
    SKMSE,
    CovarianceOperator,
    CrossCovariance,
    Delta,
    Embedding,
    Gaussian,
    GaussianMixture,
    KernelCCA,
    KernelPCA,
    Laplacian,
    Linear,
    Monitor,
    Pareto,
    Polynomial,
    Precomputed,
    StudentT,
    Subsequence,
    TestResult,
    additive_noise,
    bandwidth_curve,
    conditional_test,
    dhsic_test,
    fssd_test,
    gcm_test,
    hsic_test,
    hsicagg_test,
    kci_test,
    ksd_test,
    ksdagg_test,
    lepski,
    linear_time,
    load,
    mmd_test,
    mmdagg_test,
    mmdfuse_test,
    monk_mmd,
    monk_steps,
    monk_test,
    row_dependence,
    scan,
    treatment_test,
)
from explorer.datasets import DataSet, StringSet
from explorer.discrepancy import (
    BlockPath,
    PairedSample,
    bandwidth_sweep,
    dependence_test,
    errors_of_means,
    hsic_gamma,
    hsic_ranks,
    mmd_level,
    most_influential,
    pearson_test,
    power_by_fraction,
    power_curve,
    rank_columns,
)
from explorer.estimators import Projection, Spectrum, Summary, approximations
from explorer.estimators.filtering import Filtering, filter_estimates
from explorer.estimators.marginalized.along import NoisySample
from explorer.estimators.marginalized.noise import copies_path, kernel_slices
from explorer.estimators.marginalized.weights import misses, projected_weights
from explorer.estimators.paths import simple_estimates
from explorer.printing import WHOLE
from explorer.workbench import Result, registry

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(60, 2)), RNG.normal(size=(60, 2)) + 0.5
K = Gaussian(1.0)(X)
GRAM = Precomputed(np.exp(-0.5 * np.subtract.outer(np.arange(500.0), np.arange(500.0)) ** 2))
ROWS = np.arange(60)
DNA = np.array(["ACGT" * 200, "AACC", '<&>"'])

SHOWN = {
    "mmd_test": lambda: mmd_test(X, Y, rng=0),
    "mmd_test, one resample": lambda: mmd_test(X, Y, n_resamples=1, rng=0),
    "mmd_test, constants": lambda: mmd_test(np.zeros((5, 1)), np.zeros((5, 1)), Gaussian(1.0), n_resamples=9, rng=0),
    "mmd_test, a Gram matrix": lambda: mmd_test(ROWS[:30], ROWS[30:], GRAM, n_resamples=99, rng=0),
    "a test of infinite values": lambda: TestResult(np.inf, [np.inf, 1.0], "it", Gaussian(1.0), 3),
    "mmdagg_test": lambda: mmdagg_test(X, Y, rng=0, n_resamples=99),
    "ksd_test": lambda: ksd_test(X, lambda X: -X, rng=0, n_resamples=99),
    "ksdagg_test": lambda: ksdagg_test(X, lambda X: -X, rng=0, n_resamples=99),
    "fssd_test": lambda: fssd_test(X, lambda X: -X, rng=0, n_resamples=99),
    "row_dependence": lambda: row_dependence(X, n_resamples=19, rng=0),
    "scan": lambda: scan(X, rng=0, n_resamples=99, segments=True),
    "Monitor": lambda: Monitor(X[:20], rng=0).update(X[20:]),
    "mmdfuse_test": lambda: mmdfuse_test(X, Y, rng=0, n_resamples=99),
    "monk_mmd": lambda: monk_mmd(X, Y, rng=0),
    "monk_mmd, 60 blocks": lambda: monk_mmd(X, Y, blocks=60, rng=0),
    "monk_mmd, one pair": lambda: monk_mmd(X[:1], Y[:1], Gaussian(1.0), blocks=1, rng=0),
    "monk_test": lambda: monk_test(X, Y, n_resamples=19, rng=0),
    "monk_steps": lambda: next(iter(monk_steps(X, Y, rng=0))),
    "BlockPath": lambda: BlockPath(X, Y, rng=0).table(),
    "lepski": lambda: lepski(X, Y, rng=0, method="direction"),
    "linear_time": lambda: linear_time(X, Y),
    "bandwidth_curve": lambda: bandwidth_curve(X, Y, n_resamples=99, rng=0),
    "hsic_test": lambda: hsic_test(X, Y, n_resamples=99, rng=0),
    "dhsic_test": lambda: dhsic_test([X, Y, X[:, 0]], n_resamples=19, rng=0),
    "hsicagg_test": lambda: hsicagg_test(X, Y, n_resamples=19, rng=0),
    "kci_test": lambda: kci_test(X, Y, X[:, 0] ** 2, n_resamples=19, rng=0),
    "gcm_test": lambda: gcm_test(X, Y, X[:, 0] ** 2, n_resamples=19, rng=0),
    "conditional_test": lambda: conditional_test(X, Y, X + 0.5, Y, n_resamples=19, rng=0),
    "additive_noise": lambda: additive_noise(X, Y, n_resamples=19, rng=0),
    "treatment_test": lambda: treatment_test(X, Y, X[:, 0] > 0.1 * X[:, 1], n_resamples=19, rng=0),
    "hsic_gamma": lambda: hsic_gamma(X, Y),
    "hsic_gamma, constants": lambda: hsic_gamma(np.zeros(9), np.arange(9.0), Gaussian(1.0)),
    "hsic_ranks": lambda: hsic_ranks(X, Y),
    "rank_columns": lambda: rank_columns(RNG.normal(size=(40, 30)), RNG.normal(size=40), n_resamples=19, rng=0),
    "power_by_fraction": lambda: power_by_fraction(X, Y, repetitions=3, n_resamples=19, rng=0),
    "bandwidth_sweep": lambda: bandwidth_sweep(X, Y, [Gaussian(0.5), Gaussian(1.0)], n_resamples=19, rng=0, points=X),
    "mmd_level": lambda: mmd_level(X, repetitions=5, n_resamples=19, rng=0),
    "power_curve": lambda: power_curve(X, Y, n_resamples=99, rng=0),
    "most_influential": lambda: most_influential(X, Y, count=1, n_resamples=19, rng=0)[0],
    "pearson_test": lambda: pearson_test(X, Y, 19, 0),
    "dependence_test": lambda: dependence_test(X, Y, n_resamples=19, rng=0),
    "PairedSample": lambda: PairedSample.of(X, Y),
    "errors_of_means": lambda: errors_of_means([X, Y], KME(Gaussian(1.0)).embed(X), {"KME": KME(Gaussian(1.0)).embed}),
    "simple_estimates": lambda: simple_estimates(Spectrum(K), np.array([0.1, 1.0])),
    "Path": lambda: simple_estimates(Spectrum(K), np.array([0.1, 1.0])).path,
    "filter_estimates": lambda: filter_estimates(
        Filtering("tsvd", 1.0), Spectrum(K), np.array([0.1]), np.ones(1), np.ones(1), 1.0, Summary.of(K)
    ),
    "Along": lambda: NoisySample(Gaussian(1.0), X).mkme([0.0, 0.5]),
    "kernel_slices": lambda: kernel_slices(1.0, np.ones((2, 3)), np.linspace(-1, 1, 5)),
    "copies_path": lambda: copies_path(Gaussian(1.0), X[:4], 0.5, copies=3, rng=0),
    "misses": lambda: misses(Projection(Gaussian(1.0), X), Gaussian(1.0).noisy_pairs(X), [0.2, 0.4]),
    "projected_weights": lambda: projected_weights(Projection(Gaussian(1.0), X), [0.2, 0.4]),
    "approximations": lambda: approximations(MKME(sigma=0.3), X),
    "CrossCovariance": lambda: CrossCovariance(GRAM),
    "CrossCovariance, fitted": lambda: CrossCovariance().fit(X, Y),
    "CovarianceOperator, fitted": lambda: CovarianceOperator(estimator=SKMSE()).fit(X),
    "KernelPCA": lambda: KernelPCA(GRAM),
    "KernelPCA, fitted": lambda: KernelPCA(
        centering=SKMSE(target=0 * KME(Gaussian(1.0)).embed(X)), n_components=4, kernel=Gaussian(1.0)
    ).fit(X),
    "KernelCCA, fitted": lambda: KernelCCA(lam=1.0).fit(X, Y),
    "an estimator": lambda: SKMSE(GRAM, target=KME(GRAM).embed(ROWS)),
    "a kernel": lambda: GRAM,
    "a plane": lambda: KME().embed(X),
    "a line": lambda: KME().embed(X[:, 0]),
    "one point": lambda: KME(Gaussian(1.0)).embed([[3.0]]),
    "fifty dimensions": lambda: KME().embed(RNG.normal(size=(400, 50))),
    "5000 points": lambda: KME(Gaussian(1.0)).embed(RNG.normal(size=(5000, 2))),
    "noise": lambda: MKME(sigma=0.3).embed(X),
    "zero": lambda: 0.0 * KME(Gaussian(1.0)).embed(X),
    "rows": lambda: KME(GRAM).embed(ROWS),
    "words": lambda: KME(Delta()).embed(["sun", "<rain>", "a \x00"]),
    "strings": lambda: KME(Subsequence(normalized=False)).embed(DNA[:2]),
    "many Gaussians": lambda: Pareto(3.0).embed(Gaussian(1.0)),
    "a mixture in the plane": lambda: GaussianMixture.random(2, rng=0),
    "a mixture on the line": lambda: GaussianMixture.random(1, rng=0),
    "a mixture in 50 dimensions": lambda: GaussianMixture.random(50, rng=0),
    "one point mass": lambda: GaussianMixture([1.0], [[0.0, 0.0]], 0.0),
    "many components": lambda: GaussianMixture(np.full(500, 1 / 500), RNG.normal(size=(500, 2)), 1.0),
    "t": lambda: StudentT(3.0, np.zeros(50), 1.0),
    "Pareto": lambda: Pareto(3.0),
    "wine": lambda: load("wine"),
    "a wide table": lambda: DataSet(
        "n" * 900, RNG.normal(size=(9, 500)), ("<c>" * 50,) * 500, np.array(["a&b"] * 9), "l" * 999
    ),
    "a table of one number": lambda: DataSet("one", [1.0], ("x1",)),
    "reads": lambda: StringSet("reads", DNA, ("a" * 900, "<b>", "c"), np.array(["EI", "IE", "&"])),
}
every_thing = pytest.mark.parametrize("make", SHOWN.values(), ids=SHOWN)


@pytest.mark.thorough(
    default=[
        "mmd_test",
        "mmd_test, one resample",
        "a test of infinite values",
        "mmdfuse_test",
        "monk_mmd",
        "monk_mmd, one pair",
        "monk_steps",
        "hsic_ranks",
        "rank_columns",
        "CrossCovariance, fitted",
        "5000 points",
        "rows",
        "words",
        "a mixture in the plane",
        "one point mass",
        "many components",
        "Pareto",
    ]
)
@every_thing
def test_what_a_cell_shows_is_short_and_well_formed(make):
    thing = make()
    assert len(repr(thing)) <= WHOLE
    assert len(str(thing)) <= WHOLE
    shown = thing._repr_html_()
    assert len(shown.encode()) < 20_000
    root = ET.fromstring(shown)  # well-formed: all that comes from outside is escaped
    assert root.find("p").text
    pictures = [each for each in root.iter() if each.tag.endswith("svg")]
    assert pictures or root.find("table") is not None
    for picture in pictures:
        assert picture.attrib["role"] == "img"
        assert picture.attrib["aria-label"]
    # nothing is fetched, nothing runs, and what is not marked takes the colour of the text around it
    assert not re.search(r"<(script|img|link|style|foreignObject)|\bhref=|\burl\(", shown)
    assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', shown)) <= {"currentColor", "none", "#D55E00"}


def test_a_picture_is_described_by_the_sentence():
    seen = 0
    for make in SHOWN.values():
        root = ET.fromstring(make()._repr_html_())
        labels = [each.attrib["aria-label"] for each in root.iter() if each.tag.endswith("svg")]
        assert labels in ([], [root.find("p").text])
        seen += len(labels)
    assert seen > 20


def test_the_numbers_in_a_picture_are_those_of_the_object():
    result, estimate, choice = (SHOWN[name]() for name in ("mmd_test", "monk_mmd", "lepski"))
    tips = {
        name: re.findall("<title>([^<]*)</title>", value._repr_html_())
        for name, value in (("test", result), ("monk", estimate), ("lepski", choice))
    }
    total = len(result.null_distribution)
    assert sum(int(tip.split()[0]) for tip in tips["test"] if tip.endswith(f"of {total} permutations")) == total
    reaching = sum(int(tip.split()[0]) for tip in tips["test"] if tip.endswith("at least as large"))
    assert (1 + reaching) / (1 + total) == pytest.approx(result.pvalue)
    lines = [float(tip.split()[1]) for tip in tips["test"] if tip.startswith(("statistic", "threshold"))]
    assert lines == pytest.approx([result.threshold(0.05), result.statistic], rel=1e-5)  # six digits
    blocks = {int(name): float(value) for name, value in (tip.split(": ") for tip in tips["monk"])}  # one is marked
    assert [blocks[i] for i in sorted(blocks)] == pytest.approx(estimate.block_values.tolist(), rel=1e-5)
    middles = sorted(float(re.search(": (.*) ±", tip).group(1)) for tip in tips["lepski"])
    assert middles == pytest.approx(sorted(choice.estimates.tolist()), rel=1e-5)


@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
def test_every_estimate_and_its_parts_are_short(row):
    k, sample = drawn(row, 30)
    for make in ESTIMATORS.values():
        estimator = make(k, target(k, sample))
        assert max(len(repr(estimator)), len(str(estimator))) <= WHOLE
    e = KME(k).embed(sample)
    assert max(len(repr(e)), len(str(e))) <= WHOLE
    ET.fromstring(e._repr_html_())


@pytest.mark.parametrize("kernel", [Gaussian(0.8), Laplacian(), Linear(), Polynomial(3)], ids=repr)
def test_the_sentence_of_an_embedding_says_its_size_and_its_weights(kernel):
    e = Embedding(kernel, X, np.full(60, 0.01))
    assert re.fullmatch(r"An embedding of 60 points in 2 dimensions under .*; its weights sum to 0\.6\.", str(e))


ROOMS = ("discrepancy", "changes", "embeddings", "estimators", "operators", "datasets", "sweeps")


def results():
    """Return the dataclasses and NamedTuples that users see: those that packages export, and the answers of labs."""
    for room in ROOMS:
        yield from vars(import_module(f"explorer.{room}")).values()
    for entry in registry.entries().values():
        yield entry.lab.result_class


def holds_arrays(cls):
    return any("ndarray" in str(annotation) for annotation in inspect.get_annotations(cls).values())


def test_every_result_of_a_room_prints_by_the_one_mechanism():
    met = {each for each in results() if isinstance(each, type) and each.__module__.startswith("explorer")}
    fields = {each for each in met if dataclasses.is_dataclass(each) or hasattr(each, "_fields")}
    of_labs = {each for each in met if issubclass(each, Result)}
    asked = {each for each in fields if holds_arrays(each)} | of_labs
    assert len(asked) > 15
    assert {each.__name__ for each in asked if not hasattr(each, "_brief")} == set()
    models = {each for each in PUBLIC.values() if isinstance(each, type) and hasattr(each, "key")}
    assert all(hasattr(each, "_brief") and hasattr(each, "_repr_html_") for each in models)


def test_a_lab_s_answer_is_short():
    from explorer.labs.shrinkage import ShrinkageLab

    result = ShrinkageLab(n=20).result()
    assert len(repr(result)) <= WHOLE
    ET.fromstring(result._repr_html_())
