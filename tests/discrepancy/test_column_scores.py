"""Scores of columns: the heat kernel as a sum over images, norms of covariances, and deviations over all splits."""

import numpy as np
import pytest
from scipy.stats import norm

from explorer.discrepancy.columns.categories import ManyLevels
from explorer.discrepancy.columns.scores import WIDTH, level_scores, number_scores, scale_scores


def test_inner_products_of_ranks_are_the_heat_kernel_less_its_constant():
    """A reflecting walk on [0, 1] is one on the line, folded: its density is a sum over the images of its start."""
    u = np.linspace(0, 1, 7)
    images = 2 * np.arange(-3, 4)[:, None, None]
    kernel = sum(norm.pdf(u[:, None] + sign * u + images, scale=WIDTH).sum(axis=0) for sign in (1, -1)) - 1
    scores = number_scores(u)
    left_out = 2 * np.exp(-0.5 * (np.pi * WIDTH * np.arange(6, 20)) ** 2).sum()  # the sixth term and those after it
    assert np.abs(scores @ scores.T - kernel).max() <= left_out + 1e-12


@pytest.mark.parametrize("ordered", [4, 3])
def test_scores_of_a_scale_are_cosines_of_midranks_and_indicators_of_equal_deviation(ordered):
    counts = np.array([4, 1, 2, 3])
    codes = np.repeat(np.arange(4), counts)
    scores = scale_scores(counts / counts.sum(), ordered)[codes]
    numbers, indicators = scores[:, :-4], scores[:, -4:]
    answers = codes[codes < ordered]
    midranks = [(np.mean(answers < code) + np.mean(answers <= code)) / 2 for code in answers]
    expected = number_scores(np.array(midranks))
    expected -= expected.mean(axis=0)
    ratio = np.linalg.norm(numbers) / np.linalg.norm(expected)
    np.testing.assert_allclose(numbers[codes < ordered], ratio * expected, rtol=0, atol=1e-12)
    assert not numbers[codes >= ordered].any()
    for part in (numbers, indicators):
        assert np.linalg.norm(np.cov(part.T, bias=True)) == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(indicators, level_scores(codes, 4) / 3**0.25, rtol=0, atol=1e-12)


def test_the_spread_of_shares_is_the_norm_of_the_covariance_of_indicators():
    codes = np.array([0, 0, 0, 1, 1, 2, 3, 3])
    indicators = np.eye(4)[codes]
    category = ManyLevels.of(codes, 4)
    assert category.spread == pytest.approx(np.sqrt(2) * np.linalg.norm(np.cov(indicators.T, bias=True)), abs=1e-12)


def test_the_spread_of_shares_is_their_deviation_over_splits():
    """It is approximate: 300 rows are nearly independent, and 4,000 splits tell a deviation to 4 %."""
    rng = np.random.default_rng(0)
    totals, k = np.repeat([60, 30, 15, 5], [3, 3, 1, 3]), 100
    N = totals.sum()
    sums = rng.multivariate_hypergeometric(totals, k, size=4000)
    squares = np.square(sums / k - (totals - sums) / (N - k)).sum(axis=1)
    assert squares.std() / (1 / k + 1 / (N - k)) == pytest.approx(ManyLevels.of_totals(totals).spread, rel=0.08)
