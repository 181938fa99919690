"""Numbers that stand for missing values: -999 and its like are missing, true outliers are not; both are reported."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from explorer import compare
from explorer.checks import Refusal
from explorer.comparison import inputs
from explorer.datasets.columns.missing_codes import Ends

N, B = 200, 99


def with_sign(values, sign: float, times: int = 4) -> np.ndarray:
    """Return numbers, a few random ones of which are replaced by the sign."""
    values = np.array(values, dtype=float)
    values[np.random.default_rng(7).choice(len(values), times, replace=False)] = sign
    return values


RNG = np.random.default_rng(0)
TAKEN = {
    "-999 of temperatures": (RNG.normal(20, 2, N).round(1), -999.0),
    "999 of ages": (RNG.integers(18, 90, N), 999.0),
    "99 of a scale": (RNG.integers(1, 6, N), 99.0),
    "-1 of kelvins": (RNG.normal(290, 5, N).round(1), -1.0),
    "-99.99": (RNG.normal(20, 2, N).round(2), -99.99),
    "999.9": (RNG.normal(20, 5, N).round(1), 999.9),
    "1e20": (RNG.normal(0, 1, N), 1e20),
    "the largest of 16 bits": (RNG.integers(0, 4000, N), 32767.0),
    "the largest of 32 bits": (RNG.integers(0, 4000, N), 2147483647.0),
    "99 of ratings that are mostly 9": (RNG.choice([7, 8, 9, 10], N, p=[0.1, 0.2, 0.5, 0.2]), 99.0),
}
TRUE = {
    "-1 among temperatures": (RNG.normal(3, 4, N).round(), -1.0),
    "99 of a scale to 99": (RNG.integers(0, 99, N), 99.0),
    "0": (RNG.normal(290, 5, N), 0.0),
    "a price of 99.99": (RNG.choice([4.99, 9.99, 12.5, 19.99], N), 99.99),
    "a price of 999": (RNG.choice([19, 29, 49, 25], N), 999.0),
    "a heavy tail": (np.floor(RNG.pareto(1, N) * 10), 99.0),
    "a round number": (RNG.normal(20, 2, N), 1000.0),
    "-1 beside 0 and 1": (RNG.choice([0, 1], N), -1.0),
}


@pytest.mark.parametrize("kind", TAKEN)
def test_a_usual_sign_far_from_all_others_is_one(kind):
    values, sign = TAKEN[kind]
    assert Ends.of(with_sign(values, sign)).missing_codes == (sign,)
    assert Ends.of(with_sign(values, sign, 1)).missing_codes == ()  # it does not recur


@pytest.mark.parametrize("kind", TRUE)
def test_true_values_are_none(kind):
    assert Ends.of(with_sign(*TRUE[kind])).missing_codes == ()


def test_what_most_rows_have_is_none():
    assert Ends.of([1.0, 2.0, 3.0, *[99.0] * 5]).missing_codes == ()


def test_a_column_is_that_without_these_cells():
    rng = np.random.default_rng(1)
    a, b = ({"x": rng.normal(20, 2, N).round(1), "y": rng.normal(size=N)} for _ in range(2))
    gone = np.arange(5, 17)
    with_999, with_nan = (pd.DataFrame({**b, "x": b["x"]}) for _ in range(2))
    with_999.loc[gone, "x"], with_nan.loc[gone, "x"] = -999.0, np.nan
    found, same = (compare(pd.DataFrame(a), each, n_resamples=B, rng=2) for each in (with_999, with_nan))
    assert (found.pvalue, found.missing) == (same.pvalue, same.missing)
    assert [each.to_dict() for each in found.columns] == [each.to_dict() for each in same.columns]
    assert found.missing["x"][:2] == (0.0, len(gone) / N)
    assert "-999 in 12 rows" in found.noted
    assert not same.noted
    assert found.noted in str(found)


def test_they_stay_values_for_those_who_ask():
    a, b = (pd.DataFrame({"x": RNG.normal(20, 2, N), "y": RNG.normal(size=N)}) for _ in range(2))
    b.loc[:5, "x"] = -999.0
    found = compare(a, b, placeholders="value", n_resamples=B, rng=0)
    assert not found.missing
    assert min(found.values("x")[1]) == -999
    assert "(missing?)" in found.noted
    assert "placeholders='value'" in found.python.replace('"', "'")
    with pytest.raises(Refusal, match="placeholders"):
        compare(a, b, placeholders="keep", n_resamples=B)  # type: ignore[arg-type]


def test_what_is_taken_does_not_depend_on_which_table_a_row_is_from():
    """Permutations of all rows therefore keep their level."""
    rng = np.random.default_rng(3)
    P = pd.DataFrame({"x": with_sign(rng.normal(20, 2, 2 * N).round(1), -999.0, 9), "y": rng.normal(size=2 * N)})
    for _ in range(5):
        P = P.sample(frac=1, random_state=4, ignore_index=True)
        found = compare(P[:N], P[N:], n_resamples=9, rng=0)
        assert sum(share * N for share in found.missing["x"][:2]) == pytest.approx(9)


def test_dates_that_stand_for_none():
    days = pd.to_datetime("2026-01-01") + pd.to_timedelta(RNG.integers(0, 300, N), unit="D")
    tables = []
    for k in range(2):
        cells = days.strftime("%Y-%m-%d").to_numpy().copy()
        cells[: 3 * k] = "9999-12-31"
        lines = [f"{day},{x:.3f}" for day, x in zip(cells, RNG.normal(size=N), strict=True)]
        tables.append("\n".join(["day,x", *lines]).encode())
    found = compare(*tables, columns=["day", "x"], n_resamples=9, rng=0)
    assert found.missing["day"][:2] == (0.0, 3 / N)
    assert "9999-12-31 in 3 rows" in found.noted


def test_a_large_file_loses_the_cells_of_a_small_one(tmp_path, monkeypatch):
    rng, paths = np.random.default_rng(5), [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path in paths:
        frame = pd.DataFrame({"x": with_sign(rng.normal(20, 2, N).round(1), -999.0), "kind": rng.choice(["p", "q"], N)})
        frame.to_csv(path, index=False)
    small = compare(*paths, n_resamples=B, rng=0)
    monkeypatch.setattr(inputs, "is_large", lambda path: True)
    large = compare(*paths, n_resamples=B, rng=0)
    assert large.missing == small.missing
    assert large.missing["x"][:2] == (4 / N, 4 / N)
    assert (large.pvalue, large.noted) == (small.pvalue, small.noted)
