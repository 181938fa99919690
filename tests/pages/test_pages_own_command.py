"""/twosample shows the results that `explorer test` prints for the user's files: the verdict, and p of one kernel."""

import json

import numpy as np
import pytest
from helpers.naming import names_all
from helpers.page_helpers import notice, open_page

from explorer import read_tables
from explorer.__main__ import main
from explorer.labs.twosample.lab import COMMAND, FEWER, LIVELY
from explorer.labs.twosample.words import caption
from explorer.pages import TwoSamplePage
from explorer.workbench.cost import seconds

pytestmark = pytest.mark.usefixtures("at_once")

CITIES = ["Bonn", "Kiel", "Ulm"]


def people(seed, n, shift=0.0, gap=False, incomes=True, cities=True, arms=False):
    """Return a CSV file: identifiers, dates, ages, categories and groups, perhaps incomes of a much larger scale."""
    rng = np.random.default_rng(seed)
    columns = {
        "id": [f"{seed}{i:03d}" for i in range(n)],
        "measured on": [f"2024-02-{1 + i % 28:02d}" for i in range(n)],
        "age": [f"{45 + 12 * (x + shift):.1f}" for x in rng.normal(size=n)],
        "weight": [f"{70 + 9 * x:.1f}" for x in rng.normal(size=n)],
    }
    if incomes:
        columns["income"] = [f"{52_000 + 20_000 * x:.0f}" for x in rng.normal(size=n)]
    if cities:
        columns["city"] = rng.choice(CITIES, n, p=(0.5, 0.3, 0.2)).tolist()
        columns["smokes"] = rng.choice(["no", "yes"], n).tolist()
    if arms:
        columns["arm"] = rng.choice(["drug", "none", "other"], n, p=(0.45, 0.35, 0.2)).tolist()
    if gap:
        columns["age"][3] = ""
    rows = zip(*columns.values(), strict=True)
    return "\n".join([",".join(columns), *(",".join(row) for row in rows)]).encode() + b"\n"


FILES = {
    "numbers of one scale": {"incomes": False, "cities": False},
    "numbers of several scales": {"cities": False},
    "categories too": {},
    "categories and one scale": {"incomes": False},
    "gaps": {"gap": True},
}


def printed(capsys, *arguments, alone=True):
    """Return the JSON that the command prints: for one kernel, or the verdict."""
    main(["test", *map(str, arguments), "--json", *(("--approximation", "exact") if alone else ())])
    return json.loads(capsys.readouterr().out)


def used(*files, groups=None):
    """Return a page that uses these files, and its complete result."""
    page = open_page(TwoSamplePage)
    page.user_data.file.param.update(value=files[0][1], filename=files[0][0])
    if files[1:]:
        page.user_data.second.param.update(value=files[1][1], filename=files[1][0])
    if page.user_data.drop.visible:
        page.user_data.drop.clicks += 1
    page.user_data.button.clicks += 1
    if groups:
        page.choose("groups", json.dumps(groups))
    assert notice(page) == ""
    return page, page.lab.result(wait=True)


def agree(result, said):
    """Check that the page's result equals the command's: p, statistic and null distribution."""
    test = result.test()
    assert test.pvalue == said["pvalue"]
    assert test.statistic == pytest.approx(said["statistic"], rel=1e-12, abs=1e-15)
    assert test.threshold(0.05) == pytest.approx(said["threshold"], rel=1e-12)
    assert (test.n, test.m, len(test.null_distribution)) == (said["n"], said["m"], said["resamples"])
    assert (result.space.scale, list(result.space[0].names)) == (said["scale"], said["columns"])
    assert result.numbers == 0 or f"bandwidth={result.median!r}" in said["kernel"]
    assert not result.draft


@pytest.mark.thorough(default=["gaps"])
@pytest.mark.parametrize("kind", FILES)
def test_two_files_have_the_p_that_the_command_prints(kind, tmp_path, capsys):
    raws = {"before.csv": people(1, 90, **FILES[kind]), "after.csv": people(2, 75, 0.25, **FILES[kind])}
    paths = [tmp_path / name for name in raws]
    for path, raw in zip(paths, raws.values(), strict=True):
        path.write_bytes(raw)
    page, result = used(*raws.items())
    said = printed(capsys, *paths, *(["--missing", "drop"] if "gap" in FILES[kind] else []))
    agree(result, said)
    verdict = printed(capsys, *paths, alone=False)
    assert (result.compared.pvalue, result.compared.headline) == (verdict["pvalue"], verdict["headline"])
    assert said["columns"][:2] == ["age", "weight"]
    assert (page.lab.seed, page.lab.columns) == (COMMAND, "")
    assert 0.001 < said["pvalue"] < 1  # an extreme p would not depend on the order of the rows


@pytest.mark.thorough
@pytest.mark.parametrize("gap", [False, True])
def test_one_file_with_groups_has_it_too(gap, tmp_path, capsys):
    raw = people(3, 160, arms=True, gap=gap)
    (tmp_path / "trial.csv").write_bytes(raw)
    dropping = ["--missing", "drop"] if gap else []
    for groups in (["drug", "none"], ["none", "other"]):
        page, result = used(("trial.csv", raw), groups=groups)
        assert page.lab.group == "arm"
        said = printed(capsys, tmp_path / "trial.csv", "--by", "arm", "--groups", *groups, *dropping)
        agree(result, said)
        assert said["groups"] == groups
        verdict = printed(capsys, tmp_path / "trial.csv", "--by", "arm", "--groups", *groups, alone=False)
        assert (result.compared.pvalue, result.compared.headline) == (verdict["pvalue"], verdict["headline"])


def test_categories_alone_have_it_and_neither_kernel_nor_bandwidth_to_move(tmp_path, capsys):
    raws = {}
    for name, seed, shares in (("before.csv", 1, (0.5, 0.3, 0.2)), ("after.csv", 2, (0.4, 0.3, 0.3))):
        city = np.random.default_rng(seed).choice(CITIES, 60, p=shares)
        raws[name] = ("city\n" + "\n".join(city) + "\n").encode()
        (tmp_path / name).write_bytes(raws[name])
    page, result = used(*raws.items())
    agree(result, printed(capsys, *(tmp_path / name for name in raws)))
    assert page.choice["kernel"].disabled
    assert page.controls["bandwidth"].slider.disabled
    assert names_all(caption(result), "1", "city", "60")


def test_the_kernel_of_vectors_is_that_of_the_codes():
    tables = read_tables([people(1, 30), people(2, 20)])
    kernel = tables.kernel.select(np.concatenate([table.X for table in tables]))
    vectors = [table.X for table in tables.indicators()]
    numeric = dict(kernel.factors)[0, 1, 2]
    np.testing.assert_array_equal(tables.over_indicators(numeric)(*vectors), kernel(*(table.X for table in tables)))


@pytest.mark.thorough
def test_more_points_than_follow_a_hand_at_rest_get_all_permutations_too(tmp_path, capsys):
    raws = {"before.csv": people(1, 700, incomes=False), "after.csv": people(2, 650, 0.1, incomes=False)}
    for name, raw in raws.items():
        (tmp_path / name).write_bytes(raw)
    _, result = used(*raws.items())
    agree(result, printed(capsys, *(tmp_path / name for name in raws)))


def test_as_many_rows_are_drawn_as_follow_a_hand():
    """All of them, or a round number of each whose moves are estimated to be quick."""
    lab = TwoSamplePage.lab_class()
    opening = {}
    for size in (150, 1000, 1800, 5000, 20000):
        tables = read_tables([f"a\n{chr(10).join(map(str, range(0, 2 * k, 2)))}\n".encode() for k in (size, size // 2)])
        opening[size] = lab.opening(tables)
        n, m = opening[size]["n"], opening[size]["m"]
        there = lab.replace(source="file", n=n, m=m)
        there.own = tables
        assert seconds(there.cost) <= LIVELY
        assert n in (size, *FEWER)
    assert [opening[size]["n"] for size in (150, 1000, 1800)] == [150, 1000, 1800]
    assert 1000 < opening[20000]["n"] < 20000


@pytest.mark.thorough
def test_the_sliders_of_n_and_m_end_at_the_rows_there_are():
    page, _ = used(("before.csv", people(1, 90)), ("after.csv", people(2, 300)))
    ends = [list(page.sliders[name].slider.options.values())[-1] for name in ("n", "m")]
    assert (ends, [page.lab.n, page.lab.m]) == ([90, 300], [90, 300])
    page.move("n", n=50)
    assert list(page.sliders["n"].slider.options.values())[-2:] == [80, 90]


@pytest.mark.thorough
def test_rows_moved_and_dropped_stay_the_same_rows_at_another_n(tmp_path, monkeypatch):
    raws = {"before.csv": people(1, 40, incomes=False), "after.csv": people(2, 30, incomes=False)}
    page, result = used(*raws.items())
    assert [name for name in result.samples.rows[:3]] == [f"before.csv line {i}" for i in (2, 3, 4)]
    word = result.samples.word(7)
    page.move("dropped", dropped=json.dumps([word]), moved_p='{"5": [1.5, -2]}')
    there, fewer = page.lab.result(), page.lab.replace(n=39).result()
    moved = [r.samples.rows[int(np.flatnonzero(r.samples.touched)[0])] for r in (there, fewer)]
    assert moved[0] == moved[1]
    assert "before.csv line 9" in result.samples.rows
    assert all("before.csv line 9" not in r.samples.rows for r in (there, fewer))
    monkeypatch.chdir(tmp_path)
    for name, raw in raws.items():
        (tmp_path / name).write_bytes(raw)
    space = {}
    exec(page.python(there), space)
    assert space["result"].pvalue == there.test().pvalue
    assert space["result"].statistic == pytest.approx(there.test().statistic, rel=1e-12)


@pytest.mark.thorough
def test_what_means_nothing_for_ones_own_data_takes_no_hand():
    page, _ = used(("before.csv", people(1, 90)), ("after.csv", people(2, 60)))
    assert page.sliders["size"].slider.disabled
    assert page.sliders["d"].slider.disabled
    assert page.pressed["fresh"].disabled
    page.move("m", m=50)
    assert not page.pressed["fresh"].disabled
    page.choose("source", "shift")
    assert not page.sliders["size"].slider.disabled


@pytest.mark.parametrize(
    ("n", "m", "words"),
    [
        (5, 5, "With only 5 and 5 rows the test is likely to find only a difference of 1.8 sd or more. There are only"
               " 252 ways to relabel them, so p can hardly be below 0.00794."),
        (3, 3, "only 20 ways to relabel them, so p can hardly reach 0.05."),
        (19, 60, "With only 19 and 60 rows the test is likely to find only a difference of 0.74 sd or more. "),
    ],
)  # fmt: skip
def test_few_rows_are_said_first(n, m, words):
    page, _ = used(("before.csv", people(1, n, cities=False)), ("after.csv", people(2, m, cities=False)))
    line = page.chrome.headline.object.split("<div class='trust'>")[1]
    assert line.startswith("With only ")
    assert words in line


def test_enough_rows_are_not():
    page, _ = used(("before.csv", people(1, 20)), ("after.csv", people(2, 20)))
    assert "With only" not in page.chrome.headline.object
