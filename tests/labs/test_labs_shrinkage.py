"""The Shrinkage lab's numbers, each by a second road: the library's public estimators and exact distances."""

import itertools
import math

import numpy as np
import pytest

from explorer import (
    FKMSE,
    KME,
    SKMSE,
    Energy,
    Exponential,
    Gaussian,
    Laplacian,
    Linear,
    Polynomial,
    StudentT,
    contaminate,
    load,
    median_bandwidth,
    oracle_alpha,
)
from explorer.checks import Refusal
from explorer.datasets import read_table
from explorer.embeddings.contamination import KINDS
from explorer.estimators.objective import Pace, refit_score
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.lab import LAMS
from explorer.labs.shrinkage.stories import PRESETS as SHRINKAGE
from explorer.labs.shrinkage.words import caption
from explorer.workbench.numbers import percent
from explorer.workbench.samples import TAIL

LAWS, TABLES = ("mixture", "gaussian"), ("wine", "wdbc")
KERNELS = {"LIN": Linear(), "POLY2": Polynomial(2), "POLY3": Polynomial(3), "RBF": None}
CHOICES = (None, 0.0, math.inf, 0.1, 0.0123)
STATES = list(itertools.product(KERNELS, LAWS, (0, 3)))


def lab_at(kernel, source, outliers, **more):
    return ShrinkageLab(**{"kernel": kernel, "source": source, "outliers": outliers, "n": 30, "d": 4, **more})


def by_hand(lab):
    """The sample and the kernel of a lab, drawn through the front door."""
    X = (
        load(lab.source).standardised().sample(lab.n, lab.seed)
        if lab.source in TABLES
        else lab.the_law().sample(lab.n, lab.seed)
    )
    if lab.outliers:
        X = contaminate(X, lab.outliers, lab.kind, lab.distance, rng=lab.seed)
    return X, KERNELS[lab.kernel] or Gaussian(lab.bandwidth * median_bandwidth(X))


def refits(lab, result, kernel, X, row):
    """Both estimators at a row of the λ-tables, λ of F-KMSE in the library's own scale."""
    flexible = result.flexible.lams[row] * kernel.diagonal(X).mean()
    return SKMSE(kernel, result.simple.lams[row]), FKMSE(kernel, flexible, lab.selection)


# the first picture


def test_it_opens_where_shrinking_helps():
    lab = ShrinkageLab()
    assert (lab.bandwidth, lab.n, lab.d, lab.kernel, lab.source, lab.lam) == (0.32, 20, 2, "RBF", "mixture", None)
    result = lab.result()
    assert result.gain(result.simple) > 0.2
    assert result.gain(result.flexible) > 0.2


def test_some_preset_has_shrinking_lose():
    assert any("gain" in preset.effect and preset.at_most < 0 for preset in SHRINKAGE)
    assert len({preset.name for preset in SHRINKAGE}) == len(SHRINKAGE)


def test_half_the_bandwidth_doubles_the_gain():
    """What a preset says in words."""
    gains = [
        min(r.gain(r.simple), r.gain(r.flexible)) for r in (ShrinkageLab(bandwidth=b).result() for b in (0.32, 0.16))
    ]
    assert gains[1] > 2 * gains[0]


def test_the_gain_under_rbf_is_that_labs():
    """What a preset says of one sample, and of others."""
    for seed in range(1, 6):
        laplacian, rbf = (ShrinkageLab(kernel=kernel, bandwidth=1.0, seed=seed).result() for kernel in ("LAP", "RBF"))
        assert laplacian.rbf_gain == pytest.approx(rbf.expected_gain, rel=1e-9)
        assert laplacian.expected_gain > 1.5 * rbf.expected_gain
        assert rbf.rbf_gain is None
    assert f"(under RBF {percent(ShrinkageLab(bandwidth=1.0).result().expected_gain)})" in caption(
        ShrinkageLab(kernel="LAP", bandwidth=1.0).result()
    )


# losses


@pytest.mark.thorough(
    default=[
        "LIN-mixture-0",
        "LIN-mixture-3",
        "POLY2-gaussian-0",
        "POLY2-gaussian-3",
        "POLY3-mixture-0",
        "POLY3-mixture-3",
    ]
)
@pytest.mark.parametrize(("kernel", "source", "outliers"), STATES)
def test_losses_are_exact_distances_to_the_true_mean(kernel, source, outliers):
    for lam, selection in itertools.product(CHOICES, ("leave-one-out", "theorem-4")):
        lab = lab_at(kernel, source, outliers, lam=lam, selection=selection)
        result = lab.result()
        X, k = by_hand(lab)
        truth = lab.the_law().embed(k)
        plain = KME(k).embed(X).distance(truth) ** 2
        # both roads subtract numbers some n times as large as their difference: 30 eps, far below 1e-12
        for path, estimator in zip(
            (result.simple, result.flexible), refits(lab, result, k, X, result.row), strict=True
        ):
            loss = estimator.embed(X).distance(truth) ** 2 / plain
            assert 1 - result.gain(path) == pytest.approx(loss, rel=1e-12, abs=1e-12)


@pytest.mark.thorough(
    default=[
        "LIN-gaussian-0",
        "LIN-gaussian-3",
        "POLY2-mixture-0",
        "POLY2-mixture-3",
        "POLY3-gaussian-0",
        "POLY3-gaussian-3",
    ]
)
@pytest.mark.parametrize(("kernel", "source", "outliers"), STATES)
def test_the_whole_curve_is_exact(kernel, source, outliers):
    lab = lab_at(kernel, source, outliers)
    result = lab.result()
    X, k = by_hand(lab)
    truth = lab.the_law().embed(k)
    plain = KME(k).embed(X).distance(truth) ** 2
    assert result.simple.lams[:-1].tolist() == LAMS
    for row in range(0, len(LAMS), 12):
        for path, estimator in zip((result.simple, result.flexible), refits(lab, result, k, X, row), strict=True):
            assert path.loss[row] == pytest.approx(
                estimator.embed(X).distance(truth) ** 2 / plain, rel=1e-12, abs=1e-12
            )


def test_without_shrinking_and_with_all_of_it():
    result = ShrinkageLab(lam=0.0).result()
    X, k = by_hand(result.lab)
    assert result.gain(result.simple) == pytest.approx(0, abs=1e-14)
    assert result.gain(result.flexible) == pytest.approx(0, abs=1e-14)
    assert result.flexible_curve.weights[result.row] == pytest.approx(np.full(20, 1 / 20), rel=1e-12)
    gone = ShrinkageLab(lam=math.inf).result()
    truth = gone.lab.the_law().embed(k)
    alone = (truth.norm() / KME(k).embed(X).distance(truth)) ** 2
    assert [1 - gone.gain(p) for p in (gone.simple, gone.flexible)] == pytest.approx([alone] * 2, rel=1e-12)
    assert not gone.flexible_curve.weights[gone.row].any()


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_weights_are_the_estimators(kernel):
    for lam in (0.1, None):
        lab = lab_at(kernel, "mixture", 3, lam=lam)
        result = lab.result()
        X, k = by_hand(lab)
        weights = refits(lab, result, k, X, result.row)[1].embed(X).weights
        # the eigenvectors of two Gram matrices that differ by rounding: 1e-10 of the largest weight
        assert result.flexible_curve.weights[result.row] == pytest.approx(weights, abs=1e-10 * np.abs(weights).max())


# further kernels


@pytest.mark.parametrize(
    ("kernel", "fields"),
    [
        ("LAP", {"d": 2}),
        ("LAP", {"d": 7, "source": "gaussian"}),
        ("LAP", {"source": "wine"}),
        ("distance", {"outliers": 2}),
        ("EXP", {"bandwidth": 2.5}),
    ],
)
def test_a_bandwidth_counts_in_medians_of_the_kernels_own_distance(kernel, fields):
    lab = ShrinkageLab(**{"kernel": kernel, "n": 30, **fields})
    result, (X, _) = lab.result(), by_hand(lab.replace(kernel="RBF"))
    theta = lab.bandwidth * median_bandwidth(X, "cityblock" if kernel == "LAP" else "sqeuclidean")
    expected = {"LAP": Laplacian(theta), "distance": Energy(), "EXP": Exponential(theta**2)}[kernel]
    assert result.kernel == expected
    if lab.source in LAWS:
        truth = lab.the_law().embed(expected)
        for path, estimator in zip(
            (result.simple, result.flexible), refits(lab, result, expected, X, result.row), strict=True
        ):
            loss = (estimator.embed(X).distance(truth) / KME(expected).embed(X).distance(truth)) ** 2
            # rounding of 30 eps of |μ|², which is up to a thousand times the loss
            assert 1 - result.gain(path) == pytest.approx(loss, rel=1e-11)


def test_a_loss_that_is_infinite_or_too_rough_is_refused_in_a_sentence():
    with pytest.raises(Refusal, match=r"numerical value is too rough for d above 3.*'gaussian'"):
        ShrinkageLab(kernel="LAP", d=4)
    with pytest.raises(
        Refusal, match=r"infinite expected loss at bandwidths up to .*take a larger bandwidth"
    ) as refused:
        ShrinkageLab(kernel="EXP").result()
    least = float(str(refused.value).split("up to ")[1].split(",")[0])
    assert np.isfinite(ShrinkageLab(kernel="EXP", bandwidth=1.02 * least).result().expected_gain)


# Student's t


@pytest.mark.parametrize(
    "fields",
    [{"df": 1.5}, {"df": 3.0, "d": 5}, {"kernel": "LIN", "df": 2.5, "mean": 1.0}, {"kernel": "POLY2", "df": 9.0}],
)
def test_the_loss_to_a_t_distribution_is_the_exact_distance(fields):
    lab = ShrinkageLab(source="student", n=30, **fields)
    result, law = lab.result(), StudentT(lab.df, [lab.mean] * lab.d, 1.0)
    X = law.sample(30, lab.seed)
    kernel = KERNELS[lab.kernel] or Gaussian(0.32 * median_bandwidth(X))
    truth = law.embed(kernel)
    for path, estimator in zip(
        (result.simple, result.flexible), refits(lab, result, kernel, X, result.row), strict=True
    ):
        loss = (estimator.embed(X).distance(truth) / KME(kernel).embed(X).distance(truth)) ** 2
        assert 1 - result.gain(path) == pytest.approx(loss, rel=1e-12, abs=1e-12)
    assert result.expected_gain == pytest.approx(oracle_alpha(law, kernel, 30), rel=1e-9)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kernel": "LAP"}, "has a kink, so its mean under Student's t is known to five digits only"),
        ({"kernel": "distance"}, "has a kink"),
        ({"kernel": "LIN", "df": 2.0}, "a finite moment of order 2, and a t distribution of 2 degrees of freedom"),
        ({"kernel": "POLY2"}, "df above 4"),
        ({"kernel": "EXP", "bandwidth": 5.0}, "needs all moments"),
    ],
)
def test_a_tail_too_heavy_for_a_kernel_is_refused_in_a_sentence(fields, said):
    with pytest.raises(Refusal, match=said):
        ShrinkageLab(source="student", **fields).result()


def test_a_row_far_out_in_a_tail_leaves_the_others_room():
    result = ShrinkageLab(source="student", df=0.5, n=200).result()
    assert np.abs(result.X).max() > 100
    assert result.frame[2] <= TAIL


# the error bound


def test_the_error_is_a_distance_and_its_bound_holds_as_often_as_it_says():
    lab = ShrinkageLab(picture="errors", delta=0.2, n=30)
    result, (X, k) = lab.result(), by_hand(lab)
    truth = lab.the_law().embed(k)
    assert result.bound.error == pytest.approx(KME(k).embed(X).distance(truth), rel=1e-10)
    assert result.bound.usual == pytest.approx(math.sqrt(lab.the_law().variance(k) / 30), rel=1e-9)
    assert result.bound.proved == pytest.approx(1 / math.sqrt(30) + math.sqrt(math.log(5) / 30))
    assert result.bound.printed == pytest.approx(2 / math.sqrt(30) + math.sqrt(math.log(10) / 60))
    more = lab.replace(samples=100).result(wait=True)
    exceed = int((more.replicates.empirical > more.bound.proved**2).sum())
    assert exceed <= 20  # 100 samples of a bound that 20 % may exceed; in truth it is far from it
    assert f"{exceed} of 100 more samples exceed the bound" in caption(more)
    assert "+100 samples draws the histogram" in caption(result)


@pytest.mark.parametrize("fields", [{"source": "wine"}, {"kernel": "LIN"}, {"outliers": 2}, {"moved": '{"0":[9,9]}'}])
def test_there_is_no_bound_where_none_is_proved(fields):
    result = ShrinkageLab(picture="errors", **fields).result()
    assert result.bound is None
    assert "The error bound is for independent points" in caption(result)


# what leave-one-out estimates


@pytest.mark.parametrize(
    "fields", [{}, {"kernel": "LIN", "source": "gaussian", "mean": 0.3}, {"target": "blob"}, {"filter": "tsvd"}]
)
def test_the_upper_curve_is_what_a_new_point_is_from_the_estimate_and_the_loss_is_a_constant_below(fields):
    lab = ShrinkageLab(picture="objective", n=12, **fields)
    result, (X, k) = lab.result(), by_hand(lab)
    law, objective = lab.the_law(), result.objective
    truth, kme = law.embed(k), KME(k).embed(X)
    assert objective.unit == pytest.approx(kme.distance(truth) ** 2, rel=1e-9)
    assert objective.level * objective.unit == pytest.approx(KME(k).loocv(X), rel=1e-9)
    target = result.blob.law.embed(k) if result.blob else None
    for row in (0, 30, 60):
        lam = float(result.simple.lams[row])
        estimate = SKMSE(k, lam, target=target).embed(X)
        # E|φ(X) - g|² = E k(X, X) - 2 <μ, g> + |g|², written out
        outright = law.expected_diagonal(k) - 2 * truth.inner(estimate) + estimate.norm() ** 2
        upper = (result.simple.loss[row] + objective.gap) * objective.unit
        assert upper == pytest.approx(outright, rel=1e-9)
        (score,) = SKMSE(k, target=target).loocv(X, [lam])
        assert objective.scores(result.simple)[row] * objective.unit == pytest.approx(score, rel=1e-8)


def test_leave_one_out_is_not_biased_for_the_upper_curve_but_for_one_point_less():
    """E score(n) = E|φ(X) - g of n - 1 points|², over 400 samples within four standard errors."""
    lab, law, lam = ShrinkageLab(n=8), ShrinkageLab().the_law(), 0.3
    k = lab.result().kernel
    mu = law.embed(k)
    samples = law.sample(400 * 8, rng=3).reshape(400, 8, -1)
    scores, outright = [], []
    for X in samples:
        g = SKMSE(k, lam).embed(X[:-1])
        outright.append(law.expected_diagonal(k) - 2 * mu.inner(g) + g.norm() ** 2)
        scores.append(float(SKMSE(k).loocv(X, [lam])[0]))
    difference = np.array(scores) - outright
    assert abs(difference.mean()) < 4 * difference.std() / math.sqrt(len(difference))


def test_a_refit_s_score_is_the_closed_form_s_and_its_pace_is_told():
    lab = ShrinkageLab(picture="objective")
    result, (X, k) = lab.result(wait=True), by_hand(lab)
    K, lam = k(X), 0.7
    literal = np.mean([refit_score(K, i, lam) for i in range(len(X))])
    assert literal == pytest.approx(float(FKMSE(k).loocv(X, [lam])[0]), rel=1e-10)
    assert result.pace.m == len(lab.stops)
    assert 0 < result.pace.closed < result.pace.refits
    assert "by 20 refits at each it takes about" in caption(result)
    assert "estimate the upper side" in caption(ShrinkageLab(picture="objective", source="wine", n=60).result())
    assert Pace.of(K, np.array([0.5]), lambda: True) is None


# choosing λ


@pytest.mark.thorough(default=["LIN-wdbc", "POLY2-wine", "POLY3-mixture", "POLY3-wdbc", "RBF-gaussian", "RBF-wdbc"])
@pytest.mark.parametrize(("kernel", "source"), list(itertools.product(KERNELS, LAWS + TABLES)))
def test_the_automatic_choice_is_the_estimators_own(kernel, source):
    for selection in ("leave-one-out", "theorem-4"):
        lab = lab_at(kernel, source, 2, selection=selection)
        result = lab.result()
        X, k = by_hand(lab)
        simple, flexible = SKMSE(k).select(X).lam, FKMSE(k, selection=selection).select(X).lam
        assert result.simple.chosen == result.simple.lams[-1] == pytest.approx(simple, rel=1e-10)
        # the score is flat at its minimum: half the digits of λ are decided
        assert result.flexible.chosen * result.scale == pytest.approx(flexible, rel=1e-6)
        assert result.scale == pytest.approx(k.diagonal(X).mean(), rel=1e-14)


@pytest.mark.thorough(default=["LIN-wdbc", "POLY3-mixture", "POLY3-gaussian", "POLY3-wine", "RBF-mixture", "RBF-wdbc"])
@pytest.mark.parametrize(("kernel", "source"), list(itertools.product(KERNELS, LAWS + TABLES)))
def test_scores_estimate_the_loss_relative_to_the_plain_average(kernel, source):
    for selection in ("leave-one-out", "theorem-4"):
        lab = lab_at(kernel, source, 2, selection=selection)
        result = lab.result()
        X, k = by_hand(lab)
        plain = KME(k).loocv(X)
        scores = (
            SKMSE(k).loocv(X, result.simple.lams),
            FKMSE(k, selection=selection).loocv(X, result.flexible.lams * k.diagonal(X).mean()),
        )
        for path, score in zip((result.simple, result.flexible), scores, strict=True):
            # n times a difference of scores; for a small λ those of two Gram matrices differ by eps over the smallest
            # λ, 1e-4
            assert path.score == pytest.approx(1 + len(X) * (score / plain - 1), rel=1e-9, abs=1e-9)


@pytest.mark.thorough(
    default=[
        "LIN-mixture-0",
        "LIN-mixture-3",
        "POLY2-mixture-0",
        "POLY3-gaussian-3",
        "RBF-gaussian-0",
        "RBF-gaussian-3",
    ]
)
@pytest.mark.parametrize(("kernel", "source", "outliers"), STATES)
def test_no_lam_beats_the_best(kernel, source, outliers):
    lab = lab_at(kernel, source, outliers)
    result = lab.result()
    X, k = by_hand(lab)
    truth, scale = lab.the_law().embed(k), k.diagonal(X).mean()
    plain = KME(k).embed(X).distance(truth) ** 2
    lams = [0.0, *np.geomspace(1e-6, 1e5, 23), math.inf]
    for path, make in ((result.simple, SKMSE), (result.flexible, lambda k, lam: FKMSE(k, lam * scale))):
        losses = [make(k, lam).embed(X).distance(truth) ** 2 / plain for lam in [*lams, path.best]]
        assert path.best_loss == pytest.approx(losses[-1], rel=1e-12, abs=1e-12)
        assert path.best_loss <= min(losses) * (1 + 1e-12) + 1e-12  # both roads' rounding
        assert path.best_loss <= path.loss.min() * (1 + 1e-12) + 1e-12


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_expected_gain_is_the_oracle_share(kernel):
    for source, n in itertools.product(LAWS, (5, 50)):
        result = lab_at(kernel, source, 0, n=n).result()
        assert result.expected_gain == pytest.approx(oracle_alpha(result.law, result.kernel, n), rel=1e-12)
    assert lab_at(kernel, "mixture", 1).result().expected_gain is None  # the sample is not the law's


# the sample


@pytest.mark.parametrize("source", LAWS + TABLES)
def test_a_larger_sample_keeps_its_points(source):
    small, large = (ShrinkageLab(source=source, n=n).result().X for n in (20, 90))
    assert np.array_equal(large[:20], small)
    assert len(np.unique(large, axis=0)) > 20


@pytest.mark.thorough(default=["gaussian-point mass", "wine-far cluster", "wine-heavy tail", "wdbc-heavy tail"])
@pytest.mark.parametrize(("source", "kind"), list(itertools.product(LAWS + TABLES, KINDS)))
def test_one_more_outlier_moves_one_point(source, kind):
    samples = [ShrinkageLab(source=source, kind=kind, outliers=count).result().X for count in range(4)]
    moved = [np.flatnonzero((a != b).any(axis=1)).tolist() for a, b in itertools.pairwise(samples)]
    assert moved == [[19], [18], [17]]


def test_another_seed_is_another_sample_of_the_same_law():
    one, two, other = (ShrinkageLab(**fields).result() for fields in ({}, {"seed": 2}, {"law_seed": 2}))
    assert one.law == two.law != other.law
    assert not np.isin(one.X, two.X).any()


@pytest.mark.thorough
def test_the_smallest_labs_compute():
    for kernel, source, d in itertools.product(KERNELS, LAWS + TABLES, (1, 2)):
        for fields in ({"n": 2}, {"n": 3, "outliers": 2}, {"n": 2, "lam": 0.0}, {"n": 2, "lam": math.inf}):
            result = ShrinkageLab(kernel=kernel, source=source, d=d, **fields).result()
            assert np.isfinite([result.gain(result.simple), result.gain(result.flexible)]).all()


@pytest.mark.parametrize("kernel", ["LIN", "POLY2", "POLY3"])
def test_numbers_too_large_for_the_kernel_are_refused_in_words(kernel):
    with pytest.raises(ValueError, match=r"(?i)distance|rescale|too large"):
        ShrinkageLab(kernel=kernel, outliers=3, distance=1e200).result()


# tables


@pytest.mark.parametrize("source", TABLES)
def test_a_table_has_no_loss_to_show(source):
    result = ShrinkageLab(source=source).result()
    assert result.law is None
    assert result.expected_gain is None
    for path in (result.simple, result.flexible):
        assert (path.loss, path.best, path.best_loss) == (None, None, None)
        assert np.isfinite(path.score).all()
        assert result.gain(path) == 1 - path.score[result.row]
    assert result.names == load(source).names


@pytest.mark.parametrize("source", TABLES)
def test_a_table_is_standardised_or_not(source):
    data = load(source)
    for standardise, known in ((True, data.standardised()), (False, data)):
        result = ShrinkageLab(source=source, standardise=standardise, n=50, seed=4).result()
        assert np.array_equal(result.X, known.sample(50, 4))


@pytest.mark.parametrize(("source", "rows"), [("wine", 178), ("wdbc", 569)])
def test_more_points_than_rows_are_refused(source, rows):
    assert len(ShrinkageLab(source=source, n=rows).result().X) == rows
    with pytest.raises(ValueError, match=rf"n = {rows + 1} is more than the {rows} rows of {source}.*\.$"):
        ShrinkageLab(source=source, n=rows + 1).result()


def test_a_table_of_ones_own_is_asked_for_until_it_is_there():
    table = read_table(b"a,b\n1,2\n3,4\n5,7\n", name="mine.csv")
    lab = ShrinkageLab(source="file", n=3, file="mine.csv", rows=3, hash=table.hash)
    with pytest.raises(ValueError, match=r"mine\.csv \(3 rows\)"):
        lab.result()
    lab.table = read_table(b"a,b\n1,2\n3,4\n5,8\n", name="mine.csv")
    with pytest.raises(ValueError, match=r"mine\.csv"):
        lab.result()
    lab.table = table
    assert sorted(lab.result().X[:, 0]) == [1, 3, 5]
    assert lab.result().names == ("a", "b")
    with pytest.raises(ValueError, match="own"):
        ShrinkageLab(source="file").result()


def test_other_columns_of_one_file_are_another_table():
    raw = b"a,b\n1,2\n3,4\n5,7\n"
    table = read_table(raw, name="mine.csv")
    lab = ShrinkageLab(source="file", n=3, hash=table.hash, standardise=False)
    lab.table = table
    assert lab.result().names == ("a", "b")
    lab.table = read_table(raw, ["b"], name="mine.csv")
    lab.move(columns='["b"]')
    assert lab.result().names == ("b",)


def test_where_the_plain_average_loses_nothing_weights_on_the_simplex_are_refused_in_a_sentence():
    with pytest.raises(Refusal, match="loss"):
        ShrinkageLab(n=17, bandwidth=1e75, lam=1e-4, weights="simplex").result()
