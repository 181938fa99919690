"""Moments of normal scores: by definition, with missing cells and levels, and their effect on the joint verdict."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, rankdata

from explorer import compare
from explorer.comparison.inputs import CompareOptions, samples_of
from explorer.comparison.moments import Moments
from explorer.comparison.resamples import Resamples


def of_frames(a, b, count=19):
    tables = samples_of(a, b, CompareOptions()).tables
    P = np.concatenate([tables[0].X, tables[1].X])
    return tables, Moments.of(tables, P, Resamples(len(a), len(b), count, 0))


def frame(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n).round(1)
    return pd.DataFrame(
        {
            "x": x,
            "y": x + rng.normal(size=n),
            "kind": rng.choice(list("aabbc"), n),
            "flag": rng.choice(["no", "yes"], n),
        }
    )


def test_moments_by_their_definition():
    a, b = frame(30, 0), frame(40, 1)
    both = pd.concat([a, b], ignore_index=True)
    _, moments = of_frames(a, b)
    z = {name: norm.ppf((rankdata(both[name]) - 0.5) / len(both))[:, None] for name in ("x", "y")}
    for name, count in (("kind", 2), ("flag", 1)):
        most = both[name].value_counts(sort=True).index[:count]
        z[name] = np.column_stack([(both[name] == level).astype(float) for level in most])
        z[name] = (z[name] - z[name].mean(axis=0)) / z[name].std(axis=0)

    def apart(values):
        return float(np.sum((values[30:].mean(axis=0) - values[:30].mean(axis=0)) ** 2))

    assert moments.place[0] == pytest.approx([apart(z[name]) for name in both.columns], rel=1e-9)
    assert moments.spread[0] == pytest.approx([apart(z[name] ** 2) for name in ("x", "y")], rel=1e-9)
    products = [np.column_stack([u * v for u in z[i].T for v in z[j].T]) for i, j in combinations(both.columns, 2)]
    assert moments.together[0] == pytest.approx([apart(each) for each in products], rel=1e-9)


def test_a_missing_cell_has_the_score_0_and_gaps_have_a_place():
    a, b = frame(30, 0), frame(40, 1)
    a.loc[:4, "x"] = np.nan
    tables, moments = of_frames(a, b)
    assert [column.kind for column in tables.included] == ["number", "number", "category", "category", "missing"]
    assert moments.place.shape == (20, 5)
    assert moments.spread.shape == (20, 2)
    assert moments.together.shape == (20, 6)
    given = np.concatenate([a["x"], b["x"]])
    there = ~np.isnan(given)
    z = np.zeros(70)
    z[there] = norm.ppf((rankdata(given[there]) - 0.5) / there.sum())
    assert moments.place[0, 0] == pytest.approx((z[30:].mean() - z[:30].mean()) ** 2, rel=1e-9)
    square = np.where(there, z**2 - np.mean(z[there] ** 2), 0.0)
    assert moments.spread[0, 0] == pytest.approx((square[30:].mean() - square[:30].mean()) ** 2, rel=1e-9)
    missing = (~there - np.mean(~there)) / np.std(~there)
    assert moments.place[0, 4] == pytest.approx((missing[30:].mean() - missing[:30].mean()) ** 2, rel=1e-9)


def test_steps_of_a_scale_have_ranks_and_other_levels_the_score_0():
    words = ["low", "medium", "high", "unknown"]
    a, b = (pd.DataFrame({"x": np.random.default_rng(k).choice(words, 40)}) for k in (0, 1))
    tables, moments = of_frames(a, b)
    assert (tables.included[0].levels, tables.included[0].ordered) == (tuple(words), 3)
    x = np.concatenate([a["x"], b["x"]])
    on = x != "unknown"
    z = np.zeros(80)
    z[on] = norm.ppf((rankdata([words.index(word) for word in x[on]]) - 0.5) / on.sum())
    squares = np.where(on, z**2 - np.mean(z[on] ** 2), 0.0)
    assert moments.place[0] == pytest.approx([(z[40:].mean() - z[:40].mean()) ** 2], rel=1e-9)
    assert moments.spread[0] == pytest.approx([(squares[40:].mean() - squares[:40].mean()) ** 2], rel=1e-9)


def test_columns_of_one_value_or_without_a_cell_say_nothing():
    a, b = frame(30, 0).assign(x=1.0, y=np.nan), frame(40, 1).assign(x=1.0)
    _, moments = of_frames(a, b)
    assert np.isfinite(moments.place).all()
    assert moments.place[:, 0] == pytest.approx(0.0, abs=1e-25)


def test_pairs_are_taken_in_parts_that_fit(monkeypatch):
    a, b = frame(30, 0), frame(40, 1)
    whole = of_frames(a, b)[1]
    monkeypatch.setattr("explorer.comparison.moments.ENTRIES", 100)
    np.testing.assert_allclose(of_frames(a, b)[1].together, whole.together, rtol=1e-12, atol=1e-15)  # rounding of sums


def test_a_correlation_is_found_where_no_column_moves():
    """A correlation of .7, 50 + 50 rows, 20 pairs of tables: found in .7 of 500 pairs, without the moments in .17."""
    found = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        a, b = rng.normal(size=(2, 50, 2))
        b[:, 1] = 0.7 * b[:, 0] + np.sqrt(1 - 0.7**2) * b[:, 1]
        found += compare(a, b, n_resamples=99, rng=seed).differ
    assert found >= 8  # binomial of 20 and .7: below 8 with probability .001
