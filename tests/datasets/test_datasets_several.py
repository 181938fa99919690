"""read_tables: several files with one set of columns, levels and scales, and the description of each column."""

import re

import numpy as np
import pytest
from helpers.naming import names_all, naming
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binom, norm

from explorer import Gaussian, Precomputed, Product, mmd_test, monk_test, read_table, read_tables
from explorer.datasets import TableRefusal
from explorer.datasets.columns.scales import robust_scale
from explorer.datasets.columns.treatment import format_three_digits


def csv(header, *columns):
    """Return the bytes of a CSV file."""
    rows = (",".join(map(str, row)) for row in zip(*columns, strict=True))
    return "\n".join([header, *rows, ""]).encode()


def two_files(seed=0, n=60, m=50):
    rng = np.random.default_rng(seed)
    return [
        csv("age,income,city", rng.normal(40, 12, k).round(1), rng.normal(5e4, 2e4, k).round(), rng.choice(words, k))
        for k, words in ((n, ["Bonn", "Ulm"]), (m, ["Ulm", "Kiel"]))
    ]


def test_numbers_are_divided_by_scales_of_all_files_together():
    tables, plain = read_tables(two_files()), [read_table(raw) for raw in two_files()]
    pooled = np.concatenate([one.X for one in plain])
    for j, column in enumerate(tables.columns[:2]):
        q5, q25, q75, q95 = np.quantile(pooled[:, j], [0.05, 0.25, 0.75, 0.95])
        assert column.scale == pytest.approx(max((q75 - q25) / 1.349, (q95 - q5) / 3.290), rel=1e-13)
        for table, one in zip(tables, plain, strict=True):
            np.testing.assert_array_equal(table.X[:, j], one.X[:, j] / column.scale)
    assert (tables.scale, tables.spread) == ("common", pytest.approx(tables.columns[1].scale / tables.columns[0].scale))


def test_levels_are_those_of_all_files_together():
    first, second = tables = read_tables(two_files())
    assert tables.columns[2].levels == ("Bonn", "Kiel", "Ulm")
    assert tables.levels == {"city": ("Bonn", "Kiel", "Ulm")}
    assert tables.scales == {column.name: column.scale for column in tables.columns[:2]}
    assert set(first.X[:, 2]) == {0.0, 2.0}
    assert set(second.X[:, 2]) == {1.0, 2.0}
    assert first.names == second.names == ("age", "income", "city")


def test_nothing_depends_on_which_file_a_row_is_from():
    """So a permutation test keeps its level: treatment and kernel are the same however rows are dealt to the files."""
    first, second = (raw.decode().splitlines() for raw in two_files())
    header, rows = first[0], [*first[1:], *second[1:]]
    dealt = np.random.default_rng(1).permutation(len(rows))
    anew = [
        "\n".join([header, *(rows[i] for i in part), ""]).encode() for part in (dealt[:30], dealt[30:45], dealt[45:])
    ]
    before, after = read_tables(two_files()), read_tables(anew)
    assert (before.columns, before.scale, before.kernel) == (after.columns, after.scale, after.kernel)
    np.testing.assert_array_equal(
        np.concatenate([table.X for table in before])[dealt], np.concatenate([table.X for table in after])
    )


def test_the_order_of_columns_in_the_second_file_does_not_matter():
    first, second = two_files()
    turned = "\n".join(",".join(reversed(line.split(","))) for line in second.decode().splitlines()).encode()
    np.testing.assert_array_equal(read_tables([first, turned])[1].X, read_tables([first, second])[1].X)


@pytest.mark.parametrize(("scale", "done"), [("common", "common"), ("none", "none"), ("auto", "common")])
def test_scale_says_what_was_done(scale, done):
    tables = read_tables(two_files(), scale=scale)
    assert tables.scale == done
    assert (tables.columns[0].scale != 1) == (done == "common")


def test_scales_can_be_applied_later():
    plain, scaled = read_tables(two_files(), scale="none"), read_tables(two_files())
    later = plain.in_common_scales()
    assert later.in_common_scales() is later
    assert (later.columns, later.scale, later.spread) == (scaled.columns, scaled.scale, scaled.spread)
    for one, other in zip(later, scaled, strict=True):
        np.testing.assert_array_equal(one.X, other.X)


def test_automatic_scales_leave_columns_alone_that_are_alike():
    raw = [csv("a,b", range(20), range(0, 180, 9))] * 2  # scales that differ by a factor of 9
    assert read_tables(raw, scale="auto").scale == "none"
    assert read_tables([csv("a,b", range(20), range(0, 220, 11))] * 2, scale="auto").scale == "common"
    np.testing.assert_array_equal(read_tables(raw, scale="auto")[0].X, read_table(raw[0]).X)


# what becomes of a column


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["yes", "no"] * 5, "category"),
        (["true"] * 5 + ["false"] * 5, "category"),
        ([0, 1] * 5, "category"),
        ([1.5, 2.5] * 5, "category"),
        ([0, 1, 2, 1, 0] * 2, "number"),  # a count keeps its order
        ([7] * 10, "number"),
        (["one"] * 10, "category"),
        ([f"id{i}" for i in range(10)], "left out"),
        ([f"id{i % 6}" for i in range(10)], "left out"),
        ([f"id{i % 5}" for i in range(10)], "category"),
        (["2024-01-01", "2024-01-02"] * 5, "category"),
        ([""] * 10, "left out"),
    ],
)
def test_what_a_column_is(values, kind):
    raw = csv("x,y", range(10), values)
    column = read_tables([raw]).columns[1]
    assert column.kind == kind
    assert ("y is left out (" in str(read_tables([raw]))) == (kind == "left out")
    assert column.name == "y"


def test_words_of_any_number_of_levels_are_categories():
    raw = csv("x,y", range(2000), [f"w{i % 1000}" for i in range(2000)])
    assert len(read_tables([raw]).columns[1].levels) == 1000
    more = csv("x,y", range(2000), [f"w{i % 1001}" for i in range(2000)])
    assert names_all(read_tables([more]).columns[1].why, "1001", "words", "2000 rows")


def test_free_text_is_no_category():
    """200 comments of four words occur once, and 1000 are equal; as many names of two words are levels."""
    comments = ["none"] * 1000 + [f"it came {i} days late" for i in range(200)]
    names = ["none"] * 1000 + [f"Mr {i}" for i in range(200)]
    first, second = (read_tables([csv("x,y", range(1200), words)]).columns[1] for words in (comments, names))
    assert (first.kind, second.kind) == ("left out", "category")


def test_words_that_are_asked_for_need_a_level_of_two_rows():
    with pytest.raises(ValueError, match=naming("'y'", "10")):
        read_tables([csv("x,y", range(10), [f"w{i}" for i in range(10)])], columns=["x", "y"])


def test_its_sentence_names_every_column():
    raw = csv(
        "name,age,income,member", [f"n{i}" for i in range(40)], range(40), np.arange(40) * 1000 + 0.5, ["y", "n"] * 20
    )
    scales = [column.scale for column in read_tables([raw]).columns]
    name, age, income, member = str(read_tables([raw])).split(";")
    assert names_all(name, "name", "left out", "identifiers", "'n0'")
    assert names_all(age, "age", "divided", format_three_digits(scales[1]))
    assert names_all(income, "income", "divided", format_three_digits(scales[2]))
    assert names_all(member, "member", "category", "2 levels")
    assert re.search(naming("age, income", "1,000"), str(read_tables([raw], scale="none")))


# scales


@given(
    arrays(float, st.integers(1, 12), elements=st.floats(-1e300, 1e300, allow_subnormal=False)),
    st.integers(-40, 40),
)
def test_a_scale_is_positive_and_counts_in_the_column_s_units(x, exponent):
    s = robust_scale(x)
    assert s > 0
    assert np.isfinite(s)
    if x.max() == x.min():
        assert s == 1
    elif np.abs(x).max() < 1e200 and s > 1e-200:
        assert robust_scale(np.ldexp(x, exponent)) == pytest.approx(np.ldexp(s, exponent), rel=1e-12)


def test_of_a_normal_distribution_it_is_the_standard_deviation():
    x = 3 * norm.ppf((np.arange(100_000) + 0.5) / 100_000) + 1e3
    assert robust_scale(x) == pytest.approx(3, rel=1e-3)  # 1.349 and 3.290 are rounded to 2e-4


def test_a_few_far_values_do_not_move_it_and_a_mostly_constant_column_is_not_blown_up():
    x = np.random.default_rng(0).normal(size=1000)
    far = x.copy()
    far[:40] = 1e9
    assert robust_scale(far) == pytest.approx(robust_scale(x), rel=0.35)
    gains = np.where(np.arange(1000) < 740, 0.0, np.linspace(1, 20_000, 1000))  # quartiles of a few units at most
    assert robust_scale(gains) > 4000
    rare = np.where(np.arange(1000) < 990, 0.0, 500.0)
    assert robust_scale(rare) == pytest.approx(rare.std())
    assert robust_scale(np.full(9, 0.1)) == 1
    assert robust_scale(np.array([0.0] * 30 + [5e-324])) > 0  # the deviation underflows to 0


def test_spread_leaves_constant_columns_aside():
    x = range(10)
    raw = csv("a,b,c", x, [10**9] * 10, range(0, 1000, 100))
    assert read_tables([raw, raw]).spread == pytest.approx(100)
    assert read_tables([raw, raw], columns=["b"]).spread == 1
    assert read_tables([csv("a", "uvuvuvuvuv")] * 2).spread == 1


# comparing them


def test_the_kernel_is_a_product_over_numbers_together_and_each_category():
    tables = read_tables(two_files())
    half = Precomputed([[1.0, 0.5, 0.5], [0.5, 1.0, 0.5], [0.5, 0.5, 1.0]])
    assert tables.kernel == Product({(0, 1): Gaussian(), 2: half})
    assert tables.kernel.characteristic
    numbers = read_tables([csv("x,y", range(9), range(9))])
    assert numbers.kernel == Gaussian()
    assert read_tables([csv("y", ["a", "b"] * 4)]).kernel == Product({0: Precomputed([[1.0, 0.5], [0.5, 1.0]])})


def test_tests_of_two_samples_take_them():
    tables = read_tables(two_files(m=60))
    X, Y = (table.X for table in tables)
    assert mmd_test(X, Y, tables.kernel, n_resamples=99, rng=0).pvalue == 0.01  # the cities differ
    assert monk_test(X, Y, tables.kernel, blocks=3, n_resamples=99, rng=0).pvalue <= 0.05


def test_a_category_does_not_hide_the_numbers_and_several_do_not_hide_one_another():
    """In 20 shifts of a number next to three categories, Delta factors detect 1, and the tables' own kernel 12."""
    rng, found, equality = np.random.default_rng(0), 0, 0
    for _ in range(20):
        columns = [[*rng.normal(size=(2, 150)), *rng.choice(["u", "v", "w"], (3, 150))] for _ in range(2)]
        columns[1][0] += 0.45
        tables = read_tables([csv("x,y,a,b,c", *part) for part in columns])
        X, Y = (table.X for table in tables)
        found += mmd_test(X, Y, tables.kernel, n_resamples=99, rng=0).pvalue <= 0.05
        delta = Product({(0, 1): Gaussian(), **dict.fromkeys((2, 3, 4), Precomputed(np.eye(3)))})
        equality += mmd_test(X, Y, delta, n_resamples=99, rng=0).pvalue <= 0.05
    assert found >= equality + 5


@pytest.mark.thorough
def test_the_level_is_kept_by_what_the_files_themselves_decide():
    """Skewed, mostly constant and categorical columns from one distribution: 400 tests at 10 % of it."""
    rng, rejected = np.random.default_rng(2), 0
    for i in range(400):
        files = [
            csv("a,b,c", np.exp(3 * rng.normal(size=k)), 1e3 * (rng.random(k) < 0.1), rng.choice(["u", "v", "w"], k))
            for k in (20, 12)
        ]
        tables = read_tables(files, scale="auto")
        rejected += mmd_test(tables[0].X, tables[1].X, tables.kernel, n_resamples=19, rng=i).pvalue <= 0.1
    assert rejected <= binom.isf(1e-5, 400, 0.1)


def test_indicators_are_vectors_of_the_same_rows():
    tables = read_tables(two_files())
    first = tables.indicators()[0]
    assert first.names == ("age", "income", "city=Bonn", "city=Kiel", "city=Ulm")
    np.testing.assert_array_equal(first.X[:, :2], tables[0].X[:, :2])
    np.testing.assert_array_equal(first.X[:, 2:].argmax(axis=1), tables[0].X[:, 2])
    np.testing.assert_array_equal(first.X[:, 2:].sum(axis=1), 1)


def test_a_target_is_each_table_s_and_no_coordinate():
    raw = csv("x,who", range(12), ["a", "b", "c"] * 4)
    (table,) = read_tables([raw], target="who")
    assert table.names == ("x",)
    assert table.where("b").n == 4
    assert read_tables([raw], columns=["who"], target="who")[0].names == ("who",)


# refusals


def test_missing_values_are_refused_with_a_way_out_or_dropped():
    first, second = csv("x,y", range(6), ["a", "b"] * 3), b"x,y\n1,a\n2,\n,b\n4,b\n"
    with pytest.raises(TableRefusal) as refused:
        read_tables([first, second], names=["a.csv", "b.csv"])
    error = refused.value
    facts = "b.csv", "2 cells", "2 of 4 rows", "line 3", "'y'", 'missing="drop"'
    assert re.search(naming(*facts), str(error))
    assert (error.argument, error.value, error.rows) == ("missing", "drop", 2)
    tables = read_tables([first, second], missing="drop")
    assert [(table.n, table.dropped) for table in tables] == [(6, 0), (2, 2)]


@pytest.mark.parametrize(
    ("files", "options", "error", "said"),
    [
        ([b"a,b\n1,2\n", b"a,c\n1,2\n"], {}, TableRefusal, naming('columns=["a"]')),
        ([b"a\n1\n", b"b\n1\n"], {}, ValueError, naming("columns", "b")),
        ([b"a\n1\n2\n", b"a\n1\nn/k\n"], {}, ValueError, naming("'a'", "'n/k'")),
        ([b"a;b\n1;2,5\n2;3,5\n"], {}, ValueError, naming("'b'", "2,5")),
        ([b"a\nu\nv\n"], {}, ValueError, "no column"),
        ([b"a\n1\n"], {"columns": []}, ValueError, naming("columns", "empty")),
        ([b"a\n1\n"], {"columns": ["a", 0]}, ValueError, naming("columns", "'a'")),
        ([b"a\n1\n"], {"columns": ["b"]}, ValueError, naming("'b'")),
        ([b"a\n1\n"], {"scale": "robust"}, ValueError, naming("scale", "'common'", "'none'", "'auto'", "'robust'")),
        ([b"a\n1\n"], {"missing": "mean"}, ValueError, naming("missing", '"refuse"', '"drop"', "'mean'")),
        ([b"a\n1\n"], {"names": ["x", "y"]}, ValueError, naming("names", "2", "1")),
        ([b"a\n1\ninf\n"], {}, ValueError, naming("1", "infinite")),
        ("a.csv", {}, TypeError, naming("paths")),
        ([], {}, TypeError, naming("paths")),
    ],
)
def test_what_makes_no_tables_is_a_sentence(files, options, error, said):
    with pytest.raises(error, match=said):
        read_tables(files, **options)


def test_read_table_says_that_it_scales_each_file_by_itself():
    """Two files standardised apart agree in mean and variance, whatever the shift between them was."""
    X, Y = (read_table(csv("x", np.arange(9) + shift), standardise=True).X for shift in (0, 5))
    np.testing.assert_allclose(X, Y, rtol=0, atol=1e-12)
    assert "read_tables" in read_table.__doc__


def test_identifiers_and_counts_of_rows_are_left_out_unless_they_are_asked_for_or_alone():
    """Numbers that go on from file to file distinguished any two files, with p = 0.001."""
    rows = [[f"{i},{i * i % 7},{500 + i}" for i in range(start, start + 12)] for start in (1, 13)]
    files = [("count,x,patient id\n" + "\n".join(part) + "\n").encode() for part in rows]
    tables = read_tables(files)
    assert tables[0].names == ("count", "x")  # 13, 14, ... count no rows
    assert names_all(str(tables.columns[2]), "patient id", "left out", "identifier")
    assert read_tables([files[0], files[0]])[0].names == ("x",)
    assert read_tables(files, columns=["x", "patient id"])[0].names == ("x", "patient id")
    alone = [b"id\n3\n5\n9\n", b"id\n4\n6\n8\n"]
    assert read_tables(alone)[0].names == ("id",)
