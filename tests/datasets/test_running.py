"""Running numbers and other identifiers by their values: what is left out, what stays, and with what chance."""

import base64
import hashlib
import itertools
import math
import uuid

import numpy as np
import pandas as pd
import pytest
from helpers.naming import names_all

from explorer import read_tables
from explorer.comparison.inputs import CompareOptions, samples_of
from explorer.comparison.sources import table_of
from explorer.datasets.columns import row_numbers
from explorer.datasets.columns.identifiers import reason_not_measured
from explorer.datasets.columns.row_numbers import RowNumberDetector
from explorer.datasets.columns.running_numbers import CHANCE, are_running, log_chance
from explorer.datasets.columns.tokens import identifier_kind

NAMES = ["Bestellnr", "ticket", "Vorgang", "order", "<b>&"]


def treated(a, b, name="Vorgang", **more):
    """Return (kind, reason) of a column of two tables that have another one next to it."""
    frames = [pd.DataFrame({"z": np.arange(len(x)) % 7 + 0.5, name: x}) for x in (a, b)]
    column = read_tables(frames, missing="drop", **more).columns[1]
    return column.kind, column.why


def some(seed, n, most):
    return np.random.default_rng(seed).permutation(most)[:n]


RUNNING = {
    "sorted": (np.arange(500, 600), np.arange(600, 730)),
    "shuffled": (500 + some(0, 100, 100), 600 + some(1, 130, 130)),
    "anew in each table": (1 + some(0, 100, 100), 1 + some(1, 130, 130)),
    "half of the range": (some(0, 100, 200), 200 + some(1, 100, 200)),
    "halves of one range": (some(0, 100, 200), some(1, 100, 200)),
    "ranges far apart": (1 + some(0, 60, 60), 10**6 + some(1, 60, 60)),
    "steps of ten": (10 * some(0, 60, 60), 5005 + 10 * some(1, 60, 60)),
    "whole floats": (np.arange(60) * 1.0, np.arange(60, 120) * 1.0),
    "gaps": (np.where(np.arange(60) % 9, np.arange(60), np.nan), np.arange(60, 120) * 1.0),
    "few copies": (np.append(some(0, 100, 100), [3, 4, 5]), 100 + some(1, 100, 100)),
    "a table and itself": (some(0, 100, 100), some(0, 100, 100)),
    "one row and many": (np.array([7]), 8 + some(0, 50, 50)),
}
MEASURED = {
    "30 that happen to differ": (1 + some(0, 30, 60), 1 + some(1, 30, 60)),
    "30 that differ, moved far": (1 + some(0, 30, 60), 1001 + some(1, 30, 60)),
    "all differ, moved far": (some(0, 200, 9000), 10**5 + some(1, 200, 9000)),
    "unix times": (1_700_000_000 + some(0, 300, 10**6), 1_710_000_000 + some(1, 300, 10**6)),
    "below zero": (np.arange(-50, 0), np.arange(50)),
    "ages": (np.random.default_rng(0).integers(18, 90, 40), np.random.default_rng(1).integers(18, 90, 40)),
    "each level 20 times": (np.repeat(np.arange(10), 20), np.repeat(np.arange(10), 20)),
    "halves": (np.arange(60) + 0.5, np.arange(60, 120) + 0.5),
    "large": (np.array([1e308, 2.0, 3.0] * 9), np.array([4.0, 5.0, 6.0] * 9)),
}


@pytest.mark.parametrize("kind", RUNNING)
def test_running_numbers_are_left_out(kind):
    a, b = RUNNING[kind]
    assert treated(a, b) == treated(b, a) == ("left out", "a running number")


@pytest.mark.parametrize("kind", MEASURED)
def test_measurements_stay(kind):
    assert treated(*MEASURED[kind])[0] == "number"


@pytest.mark.parametrize("name", NAMES)
def test_in_any_language_and_whoever_asks_has_them(name):
    a, b = RUNNING["shuffled"]
    assert treated(a, b, name) == ("left out", "a running number")
    assert read_tables([pd.DataFrame({name: x}) for x in (a, b)], columns=[name])[0].names == (name,)


@pytest.mark.parametrize("name", ["rank", "Rang", "age", "year"])
def test_a_rank_may_be_all_different(name):
    assert treated(*RUNNING["sorted"], name)[0] == "number"


@pytest.mark.parametrize("kind", ["shuffled", "anew in each table", "ranges far apart", "few copies"])
def test_it_does_not_matter_which_table_a_row_is_from(kind):
    a, b = RUNNING[kind]
    rows = np.random.default_rng(0).permutation(np.concatenate([a, b]))
    assert treated(rows[: len(a)], rows[len(a) :]) == ("left out", "a running number")


def test_batches_and_groups_have_ranges_of_their_own():
    batches = [pd.DataFrame({"Vorgang": 1000 * k + some(k, 40, 40), "z": some(k, 40, 40) % 3}) for k in range(4)]
    every = pd.concat([batch.assign(month=k) for k, batch in enumerate(batches)])
    for samples in (
        samples_of(batches[0], batches[1:], CompareOptions(missing="drop")),
        samples_of(every, None, CompareOptions(by="month", missing="drop")),
    ):
        assert samples.left_out == {"Vorgang": "a running number"}


def test_the_chance_is_a_bound_for_few_draws():
    """All of r^n draws from r numbers, against C(n, d) r! / ((r - d)! r^d)."""
    for n, cells in ((3, 4), (5, 4), (6, 5)):
        repeats = [n - len(set(draw)) for draw in itertools.product(range(cells), repeat=n)]
        for least in range(max(n - cells, 0), n):
            chance = np.mean(np.array(repeats) <= least)
            assert chance <= math.exp(log_chance(n, n - least, cells)) * (1 + 1e-12)
    exact = math.factorial(6) / (math.factorial(3) * 6**3)
    assert math.exp(log_chance(3, 3, 6)) == pytest.approx(exact, rel=1e-12)  # no repeat: no bound, but the chance


@pytest.mark.parametrize(("share", "fewest"), [(1, 26), (2, 77)])
def test_so_few_numbers_run_and_no_fewer(share, fewest):
    """The chance is 1e-10 at these numbers without repeats, as the docstring says."""
    assert log_chance(fewest, fewest, share * fewest) <= math.log(CHANCE)
    assert log_chance(fewest - 1, fewest - 1, share * (fewest - 1)) > math.log(CHANCE)
    assert are_running([RowNumberDetector().add(np.arange(26.0))])
    assert not are_running([RowNumberDetector().add(np.arange(25.0))])


@pytest.mark.parametrize("most", [10, 60, 200])
def test_random_numbers_never_run(most):
    """500 pairs of tables of 30 rows each; the docstring's chance is 1e-10."""
    rng = np.random.default_rng(most)
    drawn = rng.integers(0, most, (500, 2, 30)) * 1.0
    assert not any(are_running([RowNumberDetector().add(a), RowNumberDetector().add(b)]) for a, b in drawn)


# what is kept of a column in parts


def by_sets(values):
    return sorted(set(values.tolist())), [int(np.sum(values == x)) for x in sorted(set(values.tolist()))]


@pytest.mark.parametrize("spread", [30, 10**9])
def test_parts_and_their_order_change_nothing(spread):
    rng = np.random.default_rng(0)
    values = rng.integers(0, spread, 5000) * 1.0
    whole, parts = RowNumberDetector().add(values), RowNumberDetector()
    for part in np.array_split(rng.permutation(values), 70):
        parts.add(part)
    for each in (whole, parts):
        assert [x.tolist() for x in each.numbers()] == list(by_sets(values))
        assert (each.n, each.low, each.high, each.share) == (5000, values.min(), values.max(), 1.0)


def test_memory_is_bounded_and_running_numbers_are_still_found(monkeypatch):
    monkeypatch.setattr(row_numbers, "MOST", 500)
    rng = np.random.default_rng(0)
    a, b = rng.permutation(np.arange(40_000.0)), rng.permutation(np.arange(1e6, 1e6 + 9000))
    columns = []
    for values in (a, b):
        columns.append(RowNumberDetector())
        for part in np.array_split(values, 9):
            columns[-1].add(part)
    again = RowNumberDetector().add(a[::-1].copy())
    assert again.numbers()[0].tolist() == columns[0].numbers()[0].tolist()
    assert len(columns[0].numbers()[0]) <= 500
    assert columns[0].share == 2**-7
    assert are_running(columns)
    assert not are_running([RowNumberDetector().add(np.tile(a, 3)), RowNumberDetector().add(b)])
    assert not are_running([RowNumberDetector().add(3 * a + rng.integers(0, 3, len(a)))])


def test_a_fraction_ends_it():
    found = RowNumberDetector().add(np.arange(50.0)).add(np.array([0.5]))
    assert (found.whole, found.is_consecutive, len(found.numbers()[0])) == (False, False, 0)
    assert RowNumberDetector().add(np.array([3.0, 4.0])).add(np.array([5.0])).is_consecutive
    assert not RowNumberDetector().add(np.array([3.0, np.nan, 4.0])).is_consecutive
    assert not RowNumberDetector().add(np.array([3.0, 5.0])).is_consecutive


# words


def words(kind, seed, n=80):
    rng = np.random.default_rng(seed)
    draw = {
        "md5": lambda k: hashlib.md5(rng.bytes(8)).hexdigest(),
        "short": lambda k: hashlib.md5(rng.bytes(8)).hexdigest()[:8],
        "uuid": lambda k: str(uuid.UUID(bytes=rng.bytes(16))),
        "base64": lambda k: base64.b64encode(rng.bytes(18)).decode(),
        "mail": lambda k: f"u{rng.integers(10**5)}@ex.org",
        "invoice": lambda k: f"INV-2026-{1000 * seed + k:05d}",
        "patient": lambda k: f"P{rng.integers(10**6):06d}",
        "padded": lambda k: f"{100 * seed + k:06d}",
        "product": lambda k: f"SKU{rng.integers(20):03d}",
        "postcode": lambda k: f"{rng.integers(99999):05d}",
        "text": lambda k: " ".join(rng.choice(["the", "cat", "sat", "on", "a", "mat"], 9)),
    }[kind]
    return [draw(k) for k in range(n)]


IDENTIFYING = {
    "md5": "hashes",
    "short": "hashes",
    "uuid": "hashes",
    "base64": "hashes",
    "mail": "e-mail addresses",
    "invoice": "identifiers, such as 'INV-2026-00000'",
    "padded": "a running number, such as '000000'",  # words of digits with a 0 in front are codes
}


@pytest.mark.parametrize("kind", IDENTIFYING)
def test_words_that_identify_are_left_out(kind):
    a, b = words(kind, 0), words(kind, 1)
    assert treated(a, b, lenient=True) == ("left out", IDENTIFYING[kind])
    assert treated(a, a, lenient=True) == ("left out", IDENTIFYING[kind])  # all of both tables recur
    assert treated(a + a[:4], b, lenient=True) == ("left out", IDENTIFYING[kind])


def test_words_that_recur_are_levels():
    assert treated(words("product", 0), words("product", 1)) == ("category", "")
    assert treated(words("mail", 0)[:5] * 20, words("mail", 0)[:5] * 20)[0] == "category"
    for kind in ("text", "postcode"):
        assert identifier_kind(table_of(pd.DataFrame({"x": words(kind, 0)}), "a").columns) == ""


def test_words_of_digits_run_as_numbers_do():
    raw = ("code,z\n" + "".join(f"{code},0.5\n" for code in words("padded", 0))).encode()
    column = read_tables([raw], lenient=True).columns[0]
    assert column.kind == "left out"
    assert names_all(column.why, "running number", "'000000'")


def test_no_measurement_asks_all_tables():
    tables = [table_of(pd.DataFrame({"z": [0.5] * len(x), "n": x}), "a") for x in RUNNING["shuffled"]]
    columns = [table.columns[1] for table in tables]
    assert reason_not_measured(tables, columns) == "a running number"
    assert reason_not_measured(tables[:1], columns[:1]) == "a running number"
