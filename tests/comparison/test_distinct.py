"""Tables with copies are compared by their distinct rows, or by the new rows of the one that contains the other."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from explorer import compare

B = 199


def amounts(n: int, seed: int, factor: float = 1.0) -> pd.DataFrame:
    """Return a table of amounts in cents and one of three kinds."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {"amount": (np.exp(rng.normal(3, 0.5, n)) * factor).round(2), "kind": rng.choice(list("ABC"), n)}
    )


def test_copies_do_not_count():
    """Each row occurs eight times, and the distinct rows are compared."""
    once = amounts(150, 0), amounts(140, 1)
    plain = compare(*once, n_resamples=B, rng=0)
    often = compare(*(pd.concat([table] * 8, ignore_index=True) for table in once), n_resamples=B, rng=0)
    assert often.copies.times == (8, 8)
    assert (often.n, often.m) == (150, 140)
    assert often.pvalue == plain.pvalue
    assert [each.pvalue for each in often.columns] == [each.pvalue for each in plain.columns]
    assert "distinct" in str(often)


def test_a_table_that_holds_the_other_is_compared_by_its_new_rows():
    old, new = amounts(300, 0), amounts(60, 1, 1.5)
    found = compare(old, pd.concat([old, new], ignore_index=True), n_resamples=B, rng=0)
    assert (found.n, found.m) == (300, 60)
    assert found.copies.common == 300
    assert found.pvalue == compare(old, new, n_resamples=B, rng=0).pvalue
    assert set(found.samples.rows[1].tolist()) == set(range(300, 360))
    other = compare(pd.concat([old, new], ignore_index=True), old, n_resamples=B, rng=0)
    assert (other.n, other.m) == (60, 300)


def test_ratings_that_recur_are_no_copies():
    a, b = (pd.DataFrame(np.random.default_rng(k).integers(1, 6, (200, 3)), columns=list("xyz")) for k in (0, 1))
    found = compare(a, b, n_resamples=B, rng=0)
    assert found.copies.repeats > (50, 50)
    assert found.copies.copies == (0, 0)
    assert (found.n, found.m, found.copies_sentence) == (200, 200, "")


def test_a_table_and_itself_hold_the_same_rows():
    table = amounts(100, 0)
    found = compare(table, table.sample(frac=1, random_state=0), n_resamples=B, rng=0)
    assert (found.n, found.m, found.pvalue) == (100, 100, 1)
    assert found.copies.contains == "both"


@pytest.mark.parametrize("where", ["one table", "a second table"])
def test_groups_have_copies_of_their_own(where):
    rows = [amounts(100, k).assign(g=f"g{k}") for k in range(3)]
    rows[1] = pd.concat([rows[1]] * 3)
    table = pd.concat(rows, ignore_index=True)
    given = (table, None) if where == "one table" else (amounts(90, 9), table)
    found = compare(*given, by="g", n_resamples=B, rng=0)
    assert [one.m for one in found.batches] == [100] * (2 if where == "one table" else 3)
    assert found.copies is None


def test_json_has_the_counts():
    old = amounts(100, 0)
    plain = json.loads(json.dumps(compare(old, pd.concat([old, amounts(40, 1)]), n_resamples=19, rng=0).to_dict()))
    assert plain["copies"]["common"] == 100
    assert plain["copies"]["rows"] == [100, 140]
    assert "distinct" not in plain["copies"]
