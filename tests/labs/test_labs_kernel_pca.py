"""The Kernel PCA lab's numbers in a second way: eigenvalues of Gram matrices, refits, brute force; its texts."""

import re
from itertools import pairwise

import numpy as np
import pytest
from helpers.lab_pictures import descriptions
from helpers.naming import naming, one_sentence_names

from explorer import FKMSE, SKMSE, Gaussian, KernelFDA, KernelKMeans, KernelPCA, median_bandwidth
from explorer.checks import Refusal
from explorer.datasets import CLOUDS, cloud, read_table
from explorer.labs.kernel_pca import KernelPCALab
from explorer.labs.kernel_pca.components import best_split, turns
from explorer.labs.kernel_pca.figures import component
from explorer.labs.kernel_pca.lab import BANDWIDTHS, BARS, VARIANTS
from explorer.labs.kernel_pca.resampled import LONGEST, REPETITIONS, TESTED, split_rows
from explorer.labs.kernel_pca.words import caption, headline, story_values
from explorer.rng import stream
from explorer.workbench.content import content_of
from explorer.workbench.numbers import percent
from explorer.workbench.seeds import distant_seed

PRESETS = content_of("kernel_pca").presets

pytestmark = pytest.mark.thorough  # what every lab must do is the table of labs'


def lab_result(wait=False, **fields):
    return KernelPCALab(**{"n": 30, **fields}).result(wait=wait)


def centred(K, Z=None):
    """Return the Gram matrix of centred features, or that of other rows Z (m, n), centred by the sample's mean too."""
    n = len(K)
    H = np.eye(n) - 1 / n
    return H @ K @ H if Z is None else (Z - K.mean(axis=0)) @ H


# the toy samples


@pytest.mark.parametrize("kind", CLOUDS)
def test_a_cloud_grows_by_appending_and_lies_where_its_formula_says(kind):
    few, many = cloud(kind, 7, 0.2, 3), cloud(kind, 50, 0.2, 3)
    assert all(np.array_equal(a, b[:7]) for a, b in zip(few, many, strict=True))
    assert np.array_equal(cloud(kind, 50, 0.0, 3).X, many.clean)
    x, y = many.clean.T
    on = {
        "rings": np.hypot(x, y) - np.where(many.groups == 0, 1.0, 0.3),
        "moons": np.where(many.groups == 0, np.hypot(x + 0.5, y + 0.25), np.hypot(x - 0.5, y - 0.25)) - 1,
        "blobs": np.hypot(x, y) - 1,
        "curve": y - 0.7 * np.sin(np.pi * x / 1.4),
    }[kind]
    assert np.abs(on).max() < 1e-14
    if kind == "curve":
        assert x == pytest.approx(1.4 * stream(3, "place").uniform(-1, 1, 50))
    spread = cloud(kind, 4000, 0.2, 3)
    # 8000 normal numbers: their standard deviation is within 4 of its own, 0.2 / sqrt(16000)
    assert (spread.X - spread.clean).std() == pytest.approx(0.2, abs=4 * 0.2 / np.sqrt(16000))


def test_a_cloud_that_there_is_not_is_a_sentence():
    with pytest.raises(Refusal, match=naming("rings")):
        cloud("star", 5)
    with pytest.raises(Refusal, match=naming("n")):
        cloud("rings", 0)


# a look


def test_what_is_kept_scores_and_image_are_those_of_the_centred_gram_matrix():
    result = lab_result(source="moons", component=2)
    X, kernel = result.X, Gaussian(0.4 * median_bandwidth(result.X))
    gamma, U = np.linalg.eigh(centred(kernel(X)))
    gamma, U = gamma[::-1], U[:, ::-1]
    look = result.look
    # the rounding of two eigendecompositions
    assert look.kept == pytest.approx(gamma[:4].sum() / gamma.sum(), abs=1e-12)
    assert result.share == look.shares[1] == pytest.approx(gamma[1] / gamma.sum(), abs=1e-12)
    assert np.abs(look.scores) == pytest.approx(np.abs(U[:, :2] * np.sqrt(gamma[:2])), abs=1e-9)
    at = centred(kernel(X), kernel(result.ground.places, X)) @ U[:, 1] / np.sqrt(gamma[1])
    assert np.abs(look.image) == pytest.approx(np.abs(at), abs=1e-9)
    # an image has its sign where its scores have it
    near = np.argmin(((result.ground.places[:, None] - X) ** 2).sum(axis=2), axis=0)
    assert np.corrcoef(look.image[near], look.scores[:, 1])[0, 1] > 0.9
    assert lab_result(kept=12).look.rank == 12  # more than are drawn


def test_components_keep_their_sign_from_one_bandwidth_to_the_next():
    result = lab_result(n=60, wait=True, bandwidth=0.123)
    assert result.stops == tuple(sorted([*BANDWIDTHS, 0.123]))
    images = np.array([look.image for look in result.looks])
    turned = [float(a @ b) < 0 for a, b in pairwise(images)]
    assert sum(turned) <= 2  # the first component becomes another one where two shares cross
    S, X = np.array([[1.0, -1.0], [-1.0, 1.0], [0.0, 0.0]]), np.array([[2.0], [-1.0], [0.0]])
    assert turns(S, X).tolist() == [1.0, -1.0]


def test_what_is_not_drawn_of_a_table_is_at_its_median():
    result = lab_result(source="wine", at="[1,2]")
    middle = np.median(result.X[:, 2:], axis=0)
    assert result.probe.tolist() == [[1.0, 2.0, *middle]]
    assert (result.ground.places[:, 2:] == middle).all()
    assert result.look.split is None or np.isnan(result.look.split)


@pytest.mark.parametrize("fields", [{"source": "curve"}, {"source": "wine"}, {"source": "wine", "variant": "S-COSE"}])
def test_the_linear_kernel_is_ordinary_pca(fields):
    result = lab_result(kernel="LIN", wait=True, **fields)
    assert result.beside_pca < 1e-12
    assert (result.answers, result.row) == (False, 0)  # it has no bandwidth
    assert result.lab.replace(variant="F-COSE").result().beside_pca is None
    assert result.lab.replace(kernel="RBF").result().beside_pca is None


# groups, and what denoising brings


def test_the_best_threshold_by_trying_all():
    rng = np.random.default_rng(0)
    scores, groups = rng.normal(size=25).round(1), rng.integers(0, 3, 25)
    found = 0.0
    for group in range(3):
        inside = groups == group
        for cut in [-9, *scores]:
            right = (np.mean(scores[inside] <= cut) + np.mean(scores[~inside] > cut)) / 2
            found = max(found, right, 1 - right)
    # thresholds between tied scores are none
    assert best_split(scores, groups) == pytest.approx(found)
    assert best_split(np.arange(6.0), np.array([0, 0, 0, 1, 1, 1])) == 1.0


@pytest.mark.parametrize("n", [20, 60, 300])
def test_the_best_threshold_beats_half_by_chance_and_the_words_say_by_how_much(n):
    """It is (1 + D) / 2 of Kolmogorov and Smirnov's distance D, of mean √(π/2) log 2 √(1/a + 1/b) for large groups."""
    result = lab_result(n=n, source="rings", picture="scores")
    _, (a, b) = np.unique(result.groups, return_counts=True)
    exact = (1 + np.sqrt(np.pi / 2) * np.log(2) * np.sqrt(1 / a + 1 / b)) / 2
    assert result.chance == pytest.approx(exact, abs=0.03)  # 50 draws, and the limit for large groups
    assert re.search(naming("random component", percent(result.chance)), headline(result))
    rng = np.random.default_rng(1)
    other = np.mean([best_split(rng.normal(size=n), result.groups) for _ in range(400)])
    assert result.chance == pytest.approx(other, abs=0.02)


def test_what_is_left_by_the_number_of_components():
    """A toy sample shows the distance to the clean points, a table the distance to its own points."""
    result = lab_result(source="curve", picture="denoised", kept=3, wait=True)
    assert result.cleaning[2] == pytest.approx(result.cleaned, rel=1e-6)
    table = lab_result(source="wine", picture="denoised", kept=3, wait=True)
    off = ((table.denoised - table.X) ** 2).sum() / ((table.X - table.X.mean(axis=0)) ** 2).sum()
    assert table.cleaning[2] == pytest.approx(off, rel=1e-6)
    assert table.cleaned is lab_result(source="curve", picture="denoised", moved='{"0":[0,0]}').cleaned is None


# shrinking


@pytest.mark.parametrize("variant", VARIANTS[1:])
@pytest.mark.parametrize("lam", [None, 0.3])
def test_each_variant_is_the_librarys(variant, lam):
    result = lab_result(variant=variant, lam=lam, bandwidth=1.0)
    X, kernel = result.X, result.kernel
    K = centred(kernel(X))
    scale = 1.0 if variant.startswith("S") else 1.0 if "centred" in variant else float((np.diag(K) ** 2).mean())
    estimator = (SKMSE if variant.startswith("S") else FKMSE)(lam=None if lam is None else lam * scale)
    role = "centering" if "centred" in variant else "covariance"
    model = KernelPCA(kernel, n_components=BARS, **{role: estimator}).fit(X)
    assert result.look.model.eigenvalues_ == pytest.approx(model.eigenvalues_, rel=1e-9)
    assert result.look.rank == BARS
    if lam is not None:
        assert result.look.lam == pytest.approx(lam)
    elif role == "centering":
        assert result.look.lam == pytest.approx(estimator.replace(kernel=kernel).select(X).lam)
    assert f"Here λ = {'0.3' if lam else ''}" in caption(result)


def test_errors_of_held_out_points_are_refits_of_so_many_components():
    result = lab_result(n=12, picture="errors", wait=True)
    study = result.study
    assert (study.train, study.tested) == (12, TESTED)
    assert study.errors["KPCA"].shape == (REPETITIONS, 11)
    for i, kept in ((0, 1), (3, 4), (19, 11)):
        X, Z = cloud("rings", 12, 0.1, 2 + i).X, cloud("rings", TESTED, 0.1, 2 + i + 2**31).X
        for variant, options in (
            ("KPCA", {}),
            ("S-centred", {"centering": SKMSE()}),
            ("F-COSE", {"covariance": FKMSE()}),
        ):
            model = KernelPCA(result.kernel, n_components=kept, **options).fit(X)
            assert study.errors[variant][i, kept - 1] == pytest.approx(model.reconstruction_error(Z).mean(), rel=1e-8)
    gains = 1 - study.errors["S-centred"][:, 3] / study.errors["KPCA"][:, 3]
    assert study.gain("S-centred", 4) == pytest.approx(gains.mean())
    assert study.wins("S-centred", 4) == (gains > 1e-9).sum()
    assert study.certain("S-centred", 4) == (abs(gains.mean()) > 2 * gains.std(ddof=1) / REPETITIONS**0.5)
    assert study.wins("S-COSE", 4) == 0
    assert story_values(result)["scose"] == "the same"


@pytest.mark.parametrize("source", ["rings", "moons", "blobs"])
def test_the_discriminant_is_the_librarys_and_is_tried_on_new_points(source):
    result = lab_result(True, source=source, noise=0.2, picture="discriminant", n=40)
    data, told = cloud(source, 40, 0.2, result.lab.seed), result.discriminant
    fit = KernelFDA(result.kernel).fit(data.X, data.groups)
    np.testing.assert_allclose(told.image, fit.transform(result.ground.places)[:, 0], rtol=1e-9, atol=1e-9)
    new = result.lab.the_cloud(TESTED, distant_seed(result.lab.seed))
    means = np.array([fit.transform(data.X[data.groups == g]).mean(axis=0) for g in np.unique(data.groups)])
    nearest = [np.linalg.norm(means - f, axis=1).argmin() for f in fit.transform(new.X)]
    assert told.fresh == pytest.approx(np.mean(nearest == new.groups))
    assert told.fresh >= 0.9
    assert told.fresh >= told.component
    assert percent(told.fresh) in headline(result)


def test_a_discriminant_without_groups_is_not_there():
    for source in ("curve", "wine"):
        result = lab_result(source=source, n=20, picture="discriminant")
        assert "discriminant" not in result.pending()
        assert "A discriminant needs groups" in " ".join(descriptions(result))


def test_three_points_of_three_groups_have_no_discriminant():
    result = lab_result(True, source="blobs", n=3, picture="discriminant")
    assert not result.tells_groups
    assert result.discriminant is None


def test_clusters_by_hsic_and_both_sides_of_kernel_k_means():
    result = lab_result(True, source="blobs", n=30, picture="clusters")
    found, X, n = result.clusters, result.X, 30
    L = np.equal.outer(found.labels, found.labels) / np.bincount(found.labels)[found.labels]
    K, H = result.kernel(X), np.eye(n) - 1 / n
    assert found.hsic == pytest.approx(np.trace(H @ K @ H @ L))
    assert found.scatter == pytest.approx(np.trace(H @ K @ H))
    assert found.hsic == pytest.approx(found.scatter - found.within)
    assert found.within == pytest.approx(KernelKMeans(3, result.kernel, rng=0).fit(X).objective_)
    assert [set(found.labels[result.groups == g]) for g in range(3)].count(set()) == 0
    assert len({frozenset(found.labels[result.groups == g]) for g in range(3)}) == 3


@pytest.mark.parametrize(("between", "ends"), [("apart", 0), ("row", 0), ("ring", 1)])
def test_how_clusters_lie_is_the_kernel_of_their_labels(between, ends):
    A = KernelPCALab(clusters=4, between=between).kernel_of_labels
    assert (A == A.T).all()
    assert np.linalg.eigvalsh(A)[0] > -1e-12
    assert A[0, 3] == ends
    assert A[0, 1] == (between != "apart")


def test_the_tensor_of_order_3_under_the_linear_kernel_is_the_third_moments():
    by_kernel, by_moments = lab_result(source="wine", kernel="LIN", n=30).third
    assert by_kernel == pytest.approx(by_moments, rel=1e-9)
    assert by_moments > 0
    assert lab_result(n=20).third is None


def test_held_out_rows_of_a_table_are_no_rows_that_were_learnt():
    rows = np.arange(100.0)[:, None]
    X, Z = split_rows(rows, 60)
    assert (len(X), len(Z)) == (60, 40)
    assert not set(X[:, 0]) & set(Z[:, 0])
    assert len(split_rows(rows, 90)[0]) == 70  # 30 % are held out, however many are asked for
    result = lab_result(source="wine", n=178, picture="errors", wait=True, kernel="LIN")
    assert (result.study.train, result.study.tested) == (124, 54)
    assert result.study.errors["KPCA"].shape[1] == LONGEST


# resamples


def test_resamples_are_compared_by_inner_products_of_their_components():
    result = lab_result(picture="ghosts", samples=10, wait=True, component=2)
    model, rng = result.look.model, stream(1, "bootstrap")
    for b in range(10):
        rows = rng.integers(0, 30, 30)
        other = KernelPCA(result.kernel, n_components=5).fit(result.X[rows])
        inner = [[abs(other.component(j).inner(model.component(k))) for k in range(5)] for j in range(5)]
        assert result.boot.overlap[b] == pytest.approx(np.array(inner), abs=1e-8)
    overlap = result.boot.overlap
    assert (overlap <= 1 + 1e-9).all()
    swapped = [(o[1].argmax(), o[2].argmax()) == (2, 1) for o in overlap]
    assert result.boot.swaps == sum(swapped)
    assert result.boot.steady(2) == sum(o[1].argmax() == 1 for o in overlap)
    assert result.boot.steady(6) is None
    assert np.abs(result.boot.sign).max() <= 1
    # where the sample's component is strong, resamples agree with it
    strong = np.abs(result.look.image) > 0.8 * np.abs(result.look.image).max()
    assert (np.sign(result.boot.sign[strong]) == np.sign(result.look.image[strong])).mean() > 0.9


# words, edges, refusals


@pytest.mark.parametrize(
    ("preset", "other"),
    [
        ("Two rings", {"kernel": "LIN"}),
        ("Two moons", {"component": 3, "bandwidth": 0.4}),
        ("Denoise a curve", {"kept": 2}),
        ("Too few components", {"kept": 6}),
        ("Bandwidth too narrow", {"bandwidth": 0.4}),
    ],
)
def test_what_a_preset_promises_is_gone_without_what_it_sets(preset, other):
    (preset,) = (each for each in PRESETS if each.name == preset)
    without = KernelPCALab(**{**preset.fields, **other}).result().effects[preset.effect]
    assert not preset.at_least <= without <= preset.at_most


@pytest.mark.parametrize("picture", ["scores", "denoised", "errors", "ghosts"])
def test_what_is_late_is_said_to_be(picture):
    early, late = (lab_result(n=10, picture=picture, samples=10, wait=wait) for wait in (False, True))
    assert ("being computed" in headline(early)) == (picture in ("errors", "ghosts"))
    assert "being computed" not in headline(late) + "".join(descriptions(late))


def one_column():
    table = read_table(b"a\n" + b"".join(b"%d\n" % (i * i % 11) for i in range(30)), name="t.csv")
    lab = KernelPCALab(source="file", hash=table.hash, n=20, kernel="LIN", component=2)
    lab.table = table
    return lab.result()


def test_a_component_that_is_not_there_is_said_to_be_none():
    result = lab_result(kernel="LIN", component=3)
    assert (result.share, result.kept, result.look.image.any()) == (0, 2, False)
    assert re.search(naming("component 3", "2 components"), headline(result))
    assert re.search(naming("1 component"), headline(one_column()))
    assert one_column().back.shape == (1,)


def test_how_a_pre_image_is_found_and_what_shrinking_does_is_said():
    assert "by regression" in "".join(descriptions(lab_result(kernel="POLY2", source="blobs")))
    assert "erratum 32" in caption(lab_result(variant="S-COSE", lam=0.25))
    denoised = lab_result(source="curve", picture="denoised")
    assert story_values(denoised)["less"].endswith(" less")
    assert story_values(denoised)["less"] in headline(denoised)
    for result, known in (
        (denoised, "the distance to the"),
        (lab_result(source="wine", picture="denoised"), "the noise-free points are unknown"),
    ):
        other = 0 if result.row else 5  # another bandwidth
        says = headline(result, other)
        assert one_sentence_names(says, percent(result.look_at(other).kept), "variance", known)


ALL_EQUAL = "{" + ",".join(f'"{i}":[0,0]' for i in range(30)) + "}"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"at": "[1]"}, naming("at")),
        ({"at": "[1, NaN]"}, naming("at")),
        ({"n": 2}, naming("n", "3")),
        ({"n": 3, "clusters": 4, "picture": "clusters"}, naming("n", "4", "3")),
    ],
)
def test_what_a_state_cannot_be_is_a_sentence(fields, sentence):
    with pytest.raises(Refusal, match=sentence):
        KernelPCALab(**fields)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"source": "blobs", "noise": 0.0, "moved": ALL_EQUAL}, naming("30", "X")),
        ({"variant": "S-COSE", "lam": np.inf}, "finds no eigenvalue above 0"),
    ],
)
def test_points_that_do_not_vary_are_a_sentence(fields, sentence):
    with pytest.raises(Refusal, match=sentence):
        lab_result(**fields)


def test_moved_points_are_forgotten_with_their_sample():
    lab = KernelPCALab(n=20, moved='{"3":[1,1]}', at="[0,0]")
    lab.move(seed=5)
    assert (lab.moved, lab.at) == ("", "[0,0]")
    lab.move(source="moons")
    assert lab.at == ""


def test_the_test_point_is_a_cross_among_rings():
    probe = next(mark for mark in component.marks if mark.source == "probe")
    assert probe.style["marker"] == "x"
    assert component.title.startswith("The component, the test point")
    assert one_sentence_names(caption(lab_result()), "pre-image", "cross")
