"""Thinning a line of many points does not change its picture: each column of pixels keeps its extreme points."""

import numpy as np

from explorer.svg import thinning


def test_every_column_of_pixels_keeps_its_highest_and_its_lowest_point():
    x = np.sort(np.random.default_rng(2).uniform(0, 60, 20_000))
    y = np.random.default_rng(3).uniform(0, 100, len(x))
    kept_x, kept_y = thinning.line(x, y)
    assert len(kept_x) < len(x) / 10
    for column in range(60):
        every, kept = y[np.floor(x) == column], kept_y[np.floor(kept_x) == column]
        assert abs(every.max() - kept.max()) <= thinning.NEAR
        assert abs(every.min() - kept.min()) <= thinning.NEAR
