"""Numbers that are codes are categories, whichever table they are in; scales and measurements are none."""

from __future__ import annotations

import numpy as np
import pytest

from explorer import read_tables
from explorer.comparison import compare

RNG = np.random.default_rng(0)


def table(values: list[float], n: int = 300) -> bytes:
    """Return a table of these numbers, at random, and another column."""
    drawn = RNG.choice(values, n)
    return ("x,y\n" + "".join(f"{x:g},{y:.3f}\n" for x, y in zip(drawn, RNG.normal(size=n), strict=True))).encode()


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([200, 301, 404, 500], "category"),
        ([200, 201, 204, 301, 404, 500], "category"),
        ([10115, 20095, 50667, 80331], "category"),
        ([1, 2, 3, 4, 5], "number"),
        ([1, 2, 3, 4, 5, 999], "number"),
        ([100, 200, 300, 400], "number"),
        ([10, 20, 50, 100], "number"),
        ([0, 5, 10, 15], "number"),
        ([200.5, 301.5, 404.5], "number"),
        ([-200, -301, -404], "number"),
        (list(range(100, 2000, 7)), "number"),
    ],
)
def test_codes_are_categories(values, kind):
    first, second = table(values), table(values[::-1])
    tables = read_tables([first, second])
    assert tables.columns[0].kind == kind
    assert read_tables([second, first]).columns[0].kind == kind
    if kind == "category":
        assert tables.columns[0].levels == tuple(map(str, sorted(values)))


def test_what_is_asked_for_is_a_number():
    assert read_tables([table([200, 301, 404, 500])], ["x"]).columns[0].kind == "number"


def test_a_change_of_codes_is_one_of_shares():
    rng = np.random.default_rng(1)
    shares = [0.9, 0.04, 0.04, 0.02], [0.8, 0.04, 0.04, 0.12]
    a, b = ({"status": rng.choice([200, 301, 404, 500], 600, p=p)} for p in shares)
    (column,) = compare(a, b, n_resamples=199, rng=0).differing
    assert column.kind == "category"
    assert column.levels[0][0] in ("500", "200")
