"""The Drift lab: each number on the page computed in a second way, the user's tables, and its texts."""

import itertools
import re

import numpy as np
import pytest
from every_lab import lab_of
from helpers.lab_pictures import legends_on, visible_text
from helpers.naming import names_all, naming, one_sentence_names
from scipy.stats import ttest_ind

from explorer import Monitor, mmd2, scan
from explorer.checks import Refusal
from explorer.datasets import drifted, load, read_table, series
from explorer.labs.drift import DriftLab, figures
from explorer.labs.drift.lab import BREAKS, SIDE
from explorer.labs.drift.page import DriftPage
from explorer.labs.drift.result import ORDERS
from explorer.labs.drift.script import numbers, python
from explorer.labs.drift.words import caption, headline, split_words
from explorer.pages.user_data.panel import UserData
from explorer.pages.user_data.time_column import UNSORTED
from explorer.rng import stream
from explorer.workbench.content import content_of
from explorer.workbench.slider_stops import steps_of

STORIES = content_of("drift").stories

pytestmark = pytest.mark.thorough  # what every lab must do is the table of labs'

STATES = {
    "a shift": {"n": 60, "at": 0.6},
    "dependence": {"n": 90, "kind": "dependence", "kernel": "LAP", "every": 4},
    "memory": {"n": 60, "source": "memory", "kind": "slow", "null": "shift", "kernel": "POLY2", "level": "0.1"},
    "nothing": {"n": 60, "source": "heavy", "kind": "none", "kernel": "distance"},
    "wine": {"n": 80, "source": "wine", "kind": "none", "standardise": False, "every": 3},
}


@pytest.fixture(scope="module")
def results():
    found = {}
    for name, fields in STATES.items():
        lab = lab_of("drift", **fields)
        lab.work().finish("test")
        found[name] = lab.result()
    return found


@pytest.fixture(params=STATES)
def result(request, results):
    return results[request.param]


def test_the_slider_stops_where_the_field_says():
    assert steps_of(DriftLab.fields["at"]) == BREAKS


def test_the_series_is_that_of_the_front_door(result):
    lab = result.lab
    if lab.toy:
        X = series(lab.source, lab.n, lab.seed)
    else:
        rows = np.sort(stream(lab.seed, "rows").permutation(178)[: lab.n])
        X = load("wine").X[rows]
    np.testing.assert_array_equal(result.drawn.X, X)
    np.testing.assert_array_equal(result.watch.X, drifted(X, lab.kind, round(lab.at * lab.n), lab.size))


def test_the_profile_is_the_unbiased_mmd_of_both_sides_over_its_deviation(result):
    """One constant holds for all splits: the deviation of one split over other permutations."""
    X, n, profile = result.watch.X, result.lab.n, result.watch.profile
    splits = [SIDE, n // 3, n // 2, n - SIDE]
    unbiased = np.array([mmd2(X[:t], X[t:], result.kernel, "unbiased") for t in splits])
    t = np.array(splits, float)
    constants = profile[splits] / (unbiased * np.sqrt(t * (t - 1) * (n - t) * (n - t - 1)))
    np.testing.assert_allclose(constants, constants[0], rtol=1e-7)
    rng, half = np.random.default_rng(0), n // 2
    orders = [rng.permutation(n) for _ in range(400)]
    null = [mmd2(X[o[:half]], X[o[half:]], result.kernel, "unbiased") for o in orders]
    there = 1 / (constants[0] * np.sqrt(half * (half - 1) * (n - half) * (n - half - 1)))
    assert np.std(null) == pytest.approx(there, rel=0.3)  # 400 values of a skewed distribution
    assert np.isnan(profile[:SIDE]).all()
    assert result.watch.split == np.nanargmax(profile)


def test_the_test_is_that_of_the_front_door(result):
    lab, test = result.lab, result.own_test
    alone = scan(
        result.watch.X, result.kernel, min_size=SIDE, n_resamples=ORDERS, rng=lab.seed, null=lab.null,
        approximation=None,
    )  # fmt: skip
    assert (test.pvalue, test.index, test.statistic) == (alone.pvalue, result.watch.split, alone.statistic)
    np.testing.assert_array_equal(test.profile, result.watch.profile)
    null = test.null_distribution
    assert test.pvalue == (1 + np.count_nonzero(null >= result.watch.peak - test.tolerance)) / (1 + len(null))
    assert result.pvalue == test.pvalue


def test_every_look_and_the_first_that_rejects(result):
    lab, X = result.lab, result.watch.X
    reference, rest = X[: lab.n // 3], X[lab.n // 3 :]
    counts = range(lab.every, len(rest) + 1, lab.every)
    expected = [min(1, X.shape[1] * ttest_ind(reference, rest[:k], equal_var=False).pvalue.min()) for k in counts]
    np.testing.assert_allclose(result.watch.pvalues, expected, rtol=1e-9)
    np.testing.assert_array_equal(result.looks, [lab.n // 3 + k - 1 for k in counts])
    rejected = [row for row, p in zip(result.looks, expected, strict=True) if p <= lab.alpha]
    assert result.first_look() == (rejected[0] if rejected else None)


def test_the_wealth_is_that_of_a_monitor_row_by_row(result):
    lab, X = result.lab, result.watch.X
    monitor, path, alarm = Monitor(X[: lab.start], result.kernel, lab.alpha, lab.seed), [1.0], None
    for row in range(lab.start, lab.n):
        monitor.update(X[row : row + 1])
        path.append(monitor.wealth)
        alarm = row if alarm is None and monitor.alarm else alarm
    np.testing.assert_allclose(result.watch.path, path, rtol=1e-12)
    assert result.watch.alarm == alarm


@pytest.mark.filterwarnings("ignore:Precision loss:RuntimeWarning")  # SciPy's, of two equal rows at a look
@pytest.mark.parametrize("source", ["normal", "wine"])
def test_quiet_series_by_hand(source):
    lab = lab_of("drift", source=source, n=40, samples=12, every=2, level="0.1", seed=5)
    lab.work().finish("quiet")
    result, looks, betting = lab.result(), 0, 0
    for i in range(12):
        seed = 6 + i
        X = series("normal", 40, seed) if source == "normal" else result.drawn.X[stream(seed, "order").permutation(40)]
        reference, rest = X[:13], X[13:]
        pvalues = [ttest_ind(reference, rest[:k], equal_var=False).pvalue.min() for k in range(2, 28, 2)]
        looks += min(pvalues) * X.shape[1] <= 0.1
        betting += Monitor(reference, result.kernel, 0.1, seed).update(rest).alarm
    assert (result.quiet.count, result.quiet.looks, result.quiet.betting) == (12, looks, betting)
    assert (result.effect_looks, result.effect_betting) == (looks / 12, betting / 12)


def test_rows_over_the_slider_are_the_states_at_its_stops():
    lab = lab_of("drift", n=40, at=0.3)
    whole = lab.result(wait=True)
    assert len(whole.slider_rows) == len(BREAKS)
    for place in (0, 8, 40):
        there = lab_of("drift", n=40, at=BREAKS[place])
        there.work().finish("test")
        one = there.result()
        assert whole.rows[place].test.pvalue == one.test.pvalue
        np.testing.assert_array_equal(whole.rows[place].watch.path, one.watch.path)
        assert headline(whole, place) == headline(one, 0)


def test_where_nothing_changes_no_break_is_drawn_and_the_browser_has_nothing_to_answer():
    result = lab_of("drift", n=40, kind="none").result(wait=True)
    assert not result.answers
    assert np.isnan(figures.series.data(result)["line"]["x"]).all()
    assert result.missed is None


def test_a_break_before_the_first_row_or_after_the_last_is_none():
    for at in (0.0, 1.0):
        for kind in ("shift", "slow"):
            lab = lab_of("drift", n=40, at=at, kind=kind)
            lab.work().finish("test")
            result = lab.result()
            assert result.changes() == (kind == "slow" and at == 0)
            assert result.missed is None
            assert "exactly" not in visible_text(headline(result))
            assert ("misses" in visible_text(headline(result))) <= result.changes()


def test_pictures_draw_these_numbers(result):
    own, data = result.watch, {each.name: each.data(result) for each in figures.PICTURES}
    np.testing.assert_array_equal(data["profile"]["profile"]["y"], own.profile)
    assert data["profile"]["limit"]["y"] == result.own_test.threshold(result.lab.alpha)
    assert data["profile"]["split"]["x"] == data["series"]["split"]["x"] == own.split
    np.testing.assert_allclose(data["looks"]["looks"]["y"], np.maximum(own.pvalues, 1e-6))
    np.testing.assert_allclose(data["wealth"]["wealth"]["y"], np.clip(own.path, 1e-3, 1e12))
    assert len(data["wealth"]["wealth"]["x"]) == len(own.path) == result.lab.n - result.lab.start + 1
    before, after = (data["plane"][side]["x"] for side in ("before", "after"))
    column = result.drawn_columns[0]
    np.testing.assert_array_equal(before[np.isfinite(before)], own.X[: own.split, column])
    np.testing.assert_array_equal(after[np.isfinite(after)], own.X[own.split :, column])


def test_words_of_both_sides_are_numpys(results):
    result = results["dependence"]
    X, t = result.watch.X, result.watch.split
    told = split_words(result).replace("−", "-")
    for part in (X[:t], X[t:]):
        assert f"{part[:, 0].mean():.3g}" in told
        assert f"{part[:, 0].std():.3g}" in told
        assert f"{np.corrcoef(part.T)[0, 1]:.2f}" in told


# the user's tables

TABLE = "day,load (kW),price\n" + "".join(
    f"2026-{1 + i // 28:02d}-{1 + i % 28:02d},{100 + 10 * (i >= 40) + 3 * np.sin(7 * i):.3f},{np.cos(3 * i):.3f}\n"
    for i in range(60)
)


def lab_of_file(**fields):
    table = read_table(TABLE.encode(), columns=["load (kW)", "price"], name="t.csv", standardise=True)
    lab = DriftLab(
        source="file", file="t.csv", rows=table.n, hash=table.hash,
        **{"n": 60, "kind": "none", "columns": '["load (kW)", "price"]', **fields},
    )  # fmt: skip
    lab.own = table
    return lab


def test_a_table_of_ones_own_in_its_units(tmp_path, monkeypatch):
    lab = lab_of_file()
    lab.work().finish("test")
    result = lab.result()
    assert result.watch.split == 40
    assert result.own_test.pvalue == 1 / 200
    assert "change at line 42 (p" in visible_text(headline(result))  # the header is line 1
    assert "false" not in visible_text(headline(result))  # whether rows of a table change is unknown
    values = np.array([float(line.split(",")[1]) for line in TABLE.split()[2:]])
    for part in (values[:40], values[40:]):
        assert f" {part.mean():.2f}" in split_words(result)
    np.testing.assert_allclose(numbers(result)["series"]["load (kW)"], values, rtol=1e-12)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE)
    thinned = lab_of_file(n=45, seed=2)
    thinned.work().finish("test")
    there = thinned.result()
    rows = there.table_rows
    assert rows[there.watch.split] in (39, 40, 41)
    assert f"change at line {rows[there.watch.split] + 2} (p" in visible_text(headline(there))
    assert names_all(visible_text(headline(there)), "45 of 60 rows")
    assert names_all(visible_text(caption(there)), "45 of 60 rows")
    for each in (result, there, lab_of_file(n=30, kind="shift", seed=8).result()):
        space = {}
        exec(python(each), space)
        assert space["shown"]["split"] == each.watch.split
        np.testing.assert_allclose(space["shown"]["wealth"], each.watch.path, rtol=1e-12)


def test_several_breaks_are_those_of_the_front_door():
    """On wine whose cultivars are each in random order there are two breaks, where the cultivars meet."""
    X, ends = load("wine").standardised().X, (0, 59, 130, 178)
    rng = np.random.default_rng(0)
    order = np.concatenate([a + rng.permutation(b - a) for a, b in itertools.pairwise(ends)])
    lines = ["a,b,c", *(",".join(map(repr, row)) for row in X[order, 6:9].tolist())]
    table = read_table("\n".join(lines).encode(), name="w.csv", standardise=True)
    named = {"source": "file", "file": "w.csv", "rows": table.n, "hash": table.hash}
    lab = DriftLab(**named, n=178, kind="none", several=True, kernel="distance")
    lab.own = table
    assert one_sentence_names(visible_text(caption(lab.result())), "Several breaks", "still", "computed")
    lab.work().finish("test")
    lab.work().finish("breaks")
    result = lab.result()
    how = {"min_size": SIDE, "n_resamples": ORDERS, "rng": lab.seed, "approximation": None}
    assert result.breaks == scan(result.watch.X, result.kernel, segments=True, **how).breaks
    assert np.abs(np.subtract(result.breaks, ends[1:3])).max() <= 3
    lines = ", ".join(str(row + 2) for row in result.breaks)
    assert re.search(naming("2 breaks", f"lines {lines}", "p = 0.005"), visible_text(headline(result)))
    assert re.search(naming("2 breaks", "level 0.05", lines), visible_text(caption(result)))
    assert figures.series.data(result)["breaks"]["x"].tolist() == list(result.breaks)


def test_a_change_that_comes_back_is_said_where_intervals_alone_show_it():
    X = np.random.default_rng(7).normal(size=(120, 1))
    X[54:64] += 3
    table = read_table(("a\n" + "\n".join(map(repr, X[:, 0].tolist()))).encode(), name="w.csv", standardise=True)
    named = {"source": "file", "file": "w.csv", "rows": table.n, "hash": table.hash}
    lab = DriftLab(**named, n=120, kind="none", several=True)
    lab.own = table
    result = lab.result(wait=True)
    assert result.pvalue > 0.05
    found = "The scan of all rows finds no change (p = {}). The search finds {} breaks at lines {}."
    lines = ", ".join(str(row + 2) for row in result.breaks)
    assert found.format(f"{result.pvalue:.3g}", len(result.breaks), lines) in visible_text(headline(result))


def test_several_breaks_are_sought_where_nothing_is_made_to_change():
    lab = lab_of("drift", n=40, several=True)
    assert lab.result(wait=True).breaks is None
    none = lab_of("drift", n=40, several=True, kind="none").result(wait=True)
    assert none.breaks == ()
    assert one_sentence_names(visible_text(caption(none)), "No break", "significant")


def test_a_table_that_is_not_there_and_one_of_one_column():
    absent = lab_of_file()
    absent.own = None
    with pytest.raises(Refusal, match=naming("t.csv", "Your data")):
        absent.result()
    table = read_table(TABLE.encode(), columns=["price"], name="t.csv", standardise=True)
    lab = lab_of_file(columns='["price"]')
    lab.own = table
    result = lab.result()
    assert "correlation" not in split_words(result)
    assert "(one column only)" in figures.plane.axes(result)[2].label
    changed = lab.replace(kind="dependence")
    with pytest.raises(Refusal, match=naming("one column", "two columns")):
        changed.result()


def test_fitting_makes_nothing_change_in_a_table_of_ones_own():
    assert lab_of_file(n=30, kind="shift").fitting() == {"n": 30, "kind": "none"}


def uploaded_series(*lines):
    """Return the part of the page that takes such a file, and its message."""
    part = UserData(DriftPage.data.slots, lambda table, fields: None)
    part.choose("\n".join(lines).encode(), "t.csv")
    return part, visible_text(part.about.object)


def lab_of_upload(part):
    """Return the lab, with the table that the part of the page reads."""
    table = part.read()
    fields = {**part.fields(table), **part.fresh(table), "kind": "none"}
    lab = DriftLab(**{name: value for name, value in fields.items() if name in DriftLab.fields})
    lab.own = table
    return lab


def test_rows_of_a_file_are_sorted_by_its_dates_and_named_by_its_own_lines():
    header, *lines = [line.replace("day", "<b>day") for line in TABLE.strip().split("\n")]
    at = np.random.default_rng(3).permutation(60)
    shuffled = [lines[i] for i in at]
    shuffled[7] = shuffled[7].replace(shuffled[7].split(",")[0], "")  # no date
    part, said = uploaded_series(header, *shuffled)
    assert (part.order.value, part.order.visible) == ("<b>day", True)
    assert re.search(naming("1 row", "<b>day"), said)
    result = lab_of_upload(part).result(wait=True)
    table = result.lab.own
    assert (table.n, table.dropped, table.lines.tolist().count(9)) == (59, 1, 0)
    assert (np.diff(table.times) >= np.timedelta64(0, "us")).all()
    split = result.watch.split
    line = 2 + at.tolist().index(40)  # of the first row after the change
    assert table.lines[split] == line
    assert f"change at line {line}, 2026-02-13 (p" in visible_text(headline(result))
    assert re.search(naming("1 row", "load (kW)"), visible_text(headline(result)))
    series = numbers(result)["series"]
    assert (series["line"][split], series["date"][split]) == (line, "2026-02-13")


def test_the_column_that_changes_is_drawn_and_described():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4))
    X[50:, 2] += 3
    lines = ["row,line,load,price", *(",".join(map(repr, row)) for row in X.tolist())]
    result = lab_of_upload(uploaded_series(*lines)[0]).result(wait=True)
    assert result.drawn_columns[0] == 2
    assert re.search(naming("Before", "load", "mean"), split_words(result))
    assert figures.series.axes(result)[2].column.name == "load"
    drawn = np.clip(result.watch.X[:, 2], *figures.ends(result))
    np.testing.assert_array_equal(figures.series.data(result)["series"]["y"], drawn)
    series = numbers(result)["series"]
    assert series["line"][0] == pytest.approx(X[0, 1], rel=1e-12)  # the file's own column keeps its name
    assert series["line (lab)"][0] == 2


def test_of_several_columns_of_dates_one_is_to_be_chosen():
    header, *lines = TABLE.strip().split("\n")
    part, _ = uploaded_series(f"{header},sent", *(f"{line},2026-03-{1 + i % 28:02d}" for i, line in enumerate(lines)))
    with pytest.raises(Refusal, match=naming("day", "sent")):
        part.read()
    part.order.value = "sent"
    assert part.read().times[0] == np.datetime64("2026-03-01")
    part.order.value = UNSORTED
    assert part.read().times is None


def test_days_in_the_lab_are_those_of_the_front_door(tmp_path, monkeypatch):
    rng, n = np.random.default_rng(1), 24 * 14
    hours = np.datetime64("2026-05-01T00:00") + np.arange(n) * np.timedelta64(60, "m")
    X = np.column_stack([3 * np.sin(2 * np.pi * np.arange(n) / 24), np.zeros(n)]) + rng.normal(size=(n, 2))
    X[24 * 8 :, 1] += 1.5
    lines = ["time,temperature,load", *(f"{t},{a!r},{b!r}" for t, (a, b) in zip(hours, X.tolist(), strict=True))]
    lab = lab_of_upload(uploaded_series(*lines)[0])
    result = lab.result(wait=True)
    assert result.own_test.null == "days"
    assert result.own_test.index == result.watch.split == 24 * 8
    assert one_sentence_names(visible_text(headline(result)), "Columns", "load")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("\n".join(lines))
    space = {}
    exec(python(result), space)
    assert (space["shown"]["split"], space["shown"]["p"]) == (result.watch.split, result.pvalue)


def test_a_table_of_fewer_rows_than_a_series_is_refused():
    lines = TABLE.split("\n")
    with pytest.raises(Refusal, match=naming("15", "20")):
        uploaded_series(*lines[:16])[0].read()
    assert uploaded_series(*lines[:21])[0].read().n == 20
    lab = lab_of_file()
    lab.own = read_table("\n".join(lines[:16]).encode(), name="t.csv", lenient=True)
    assert lab.fitting()["n"] == 20  # and not 15: no series is so short


def test_a_story_s_answers_are_not_in_the_picture_before():
    page = DriftPage({"story": "peeking", "step": "1"})
    asked = [renderer for mark, _, renderer in page.view.pictures["series"].inked if mark.is_story_answer]
    assert len(asked) == 3
    assert not any(each.visible for each in asked)
    assert not any(words in legends_on(page) for words in ("best split", "first t test"))
    page.chrome.story.guess(0)
    assert all(each.visible for each in asked)
    assert all(words in legends_on(page) for words in ("best split", "first t test"))
    assert page.arranged.right.css_classes == ["told"]
    page.chrome.story.leave()
    page.chrome.story.open(STORIES[0], 0)
    page.chrome.story.guess(0)
    assert page.arranged.right.css_classes == ["told", "large"]  # the profile first


def test_words_of_each_outcome():
    late = lab_of("drift").result()
    assert one_sentence_names(visible_text(headline(late)), "p", "still", "computed")
    assert one_sentence_names(visible_text(caption(late)), "still", "computed")
    few = lab_of("drift", n=40, every=400).result()
    assert re.search(naming("27 rows", "too few", "t test"), visible_text(headline(few)))
    false = lab_of("drift", n=300, kind="none", seed=14).result()
    assert one_sentence_names(visible_text(headline(false)), f"row {false.first_look()}", "false alarm")
