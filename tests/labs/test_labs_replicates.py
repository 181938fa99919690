"""Further samples: each is what its own seed shows, and bands and wins are theirs."""

import threading

import numpy as np
import pytest
from helpers.naming import one_sentence_names

from explorer import GaussianMixture
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.lab import LAMS
from explorer.labs.shrinkage.script import numbers
from explorer.labs.shrinkage.words import headline
from explorer.workbench.replicates import BANDS, NOISE, Replicates, repeat
from explorer.workbench.stages import run_steps


def with_more(**fields):
    """Return a lab whose repetitions are there, and its result."""
    lab = ShrinkageLab(**{"samples": 12, **fields})
    return lab, lab.result(wait=True)


@pytest.mark.thorough(
    default=[
        "{'kernel': 'LIN', 'd': 4}",
        "{'target': 'blob', 'target_at': '[1.0, 1.0]'}",
        "{'source': 'gaussian', 'mean': 0.5}",
    ]
)
@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"kernel": "LIN", "d": 4},
        {"outliers": 2, "selection": "theorem-4"},
        {"lam": 0.0123},
        {"filter": "nu"},
        {"weights": "sum-to-one"},
        {"target": "blob", "target_at": "[1.0, 1.0]"},
        {"source": "gaussian", "mean": 0.5},
    ],
    ids=str,
)
def test_each_is_what_its_seed_shows(fields):
    lab, result = with_more(**fields)
    for i in (0, 11):
        alone = lab.replace(seed=lab.seed + 1 + i, samples=0).result()
        for name in ("simple", "flexible"):
            assert np.array_equal(result.replicates.losses[name][i], getattr(alone, name).loss)
        assert result.replicates.empirical[i] == alone.empirical_loss
    assert result.replicates.losses["simple"].shape == (12, len(result.simple.lams))


def test_they_stay_while_only_lam_moves_and_go_with_everything_else():
    lab, result = with_more()
    for lam in (LAMS[3], None, LAMS[50]):
        lab.move(lam=lam)
        assert lab.result().replicates is result.replicates
    for change in ({"n": 30}, {"bandwidth": 1.0}, {"seed": 9}, {"kernel": "LIN"}, {"lam": 0.0123}, {"samples": 5}):
        other, _ = with_more()
        assert other.result().replicates is not None
        other.move(**change)
        assert other.result().replicates is None, change


def test_moved_points_leave_them_as_they_are():
    lab, result = with_more()
    lab.move(moved='{"3":[8,8]}')
    assert lab.result().replicates is result.replicates


def test_bands_and_wins_are_quantiles_and_counts():
    losses = np.linspace(0.5, 1.5, 101)[:, None] * np.ones((1, 3))
    others = Replicates(np.linspace(1, 2, 101), {"simple": losses, "flexible": losses[::-1] * 0 + 1})
    assert others.band("simple") == pytest.approx(np.array([[0.55], [0.75], [1.25], [1.45]]) * np.ones((1, 3)))
    assert others.wins("simple", 1) == 50
    assert others.wins("flexible", 0) == 0  # a tie is not a win
    assert BANDS == (0.05, 0.25, 0.75, 0.95)


@pytest.mark.thorough
def test_the_average_of_many_is_the_exact_risk():
    lab, result = with_more(samples=100, n=8, kernel="LIN", source="gaussian", d=3)
    # absolute losses at a fixed λ against α* in closed form: the mean of a ratio is not the ratio of means
    truth, row = result.law.embed(result.kernel), LAMS.index(1.0)
    assert isinstance(result.law, GaussianMixture)
    samples = [result.law.sample(8, 1 + lab.seed + i) for i in range(100)]
    plain = np.array([np.sum(X.mean(0) ** 2) for X in samples])  # |mean - 0|^2, the loss of KME under the linear kernel
    shares = result.replicates.losses["simple"][:, row]
    assert shares == pytest.approx(np.full(100, 1 / 4), rel=1e-9)  # (1 - α)^2 with α = 1/2, as the mean is at 0
    shrunk = shares * plain
    assert truth.norm() == 0
    z = (shrunk.mean() - 3 / 8 / 4) / (shrunk.std() / 10)  # R = (1 - α)^2 d / n
    assert abs(z) < 4.5


def test_the_headline_counts_wins_at_every_row():
    _, result = with_more(samples=20)
    for row in (0, 30, len(LAMS)):
        simple, flexible = (result.replicates.wins(name, row) for name in ("simple", "flexible"))
        text = headline(result, row)
        assert one_sentence_names(text, "20 more samples", "S-KMSE", "plain average", f"in {simple},")
        assert f"F-KMSE</span> in {flexible}." in text
        assert ("inside the noise" in text) == (max(simple, flexible) < NOISE * 20)


def test_the_noise_is_named_where_it_is():
    _, result = with_more(samples=20, n=100, bandwidth=1.0, lam=LAMS[-1])
    assert "inside the noise" in headline(result, result.row)


def test_the_file_has_the_bands():
    _, result = with_more()
    curves = numbers(result)["curves"]
    assert np.array_equal(curves["fkmse_loss_q75"], result.replicates.band("flexible")[2, :-1])
    assert "skmse_loss_q05" in curves
    assert "skmse_loss_q05" not in numbers(ShrinkageLab().result())["curves"]


def test_it_stops_when_it_is_told():
    stop, done = threading.Event(), []

    def compute(i):
        done.append(i)
        if i == 3:
            stop.set()
        return ShrinkageLab(seed=i).result()

    assert run_steps(repeat(compute, 100), stop.is_set) is None
    assert done == [0, 1, 2, 3]


def test_no_law_no_samples():
    assert ShrinkageLab(source="wine", samples=10).result().pending() == ()
    assert ShrinkageLab().result().pending() == ()
    assert ShrinkageLab(source="wine", samples=10).result().replicates is None
    assert ShrinkageLab(samples=10).result().pending() == ("replicates",)
