"""`explorer test` on tables as people have them: columns of several scales, categories, gaps, identifiers."""

import json
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from helpers.naming import names_all, naming
from scipy.stats import binom

from explorer import Gaussian, compare, mmd_test, read_tables
from explorer.__main__ import main
from explorer.datasets.columns.treatment import format_three_digits
from explorer.discrepancy import several_test

CITIES = ["Bonn", "Kiel", "Ulm"]


def people(path, seed, n=300, age=0.0, income=0.0, shares=(0.5, 0.3, 0.2), gap=False):
    """Return a CSV file of names, ages (sd 12), incomes (sd 20,000) and cities; shifts count in standard deviations."""
    rng = np.random.default_rng(seed)
    ages, incomes = 45 + 12 * (rng.normal(size=n) + age), 52_000 + 20_000 * (rng.normal(size=n) + income)
    cities = rng.choice(CITIES, size=n, p=shares)
    rows = [
        f"{path.stem}-{i},{a:.1f},{b:.0f},{c}" for i, (a, b, c) in enumerate(zip(ages, incomes, cities, strict=True))
    ]
    if gap:
        rows[3] = f"{path.stem}-3,,1000,Ulm"
    path.write_text("\n".join(["name,age,income,city", *rows]) + "\n")
    return str(path)


def answer(capsys, *arguments):
    main(["test", *arguments, "--json", "--permutations", "199"])
    return json.loads(capsys.readouterr().out)


ALONE = ("--kernel", "gaussian")  # the answer of one kernel


def error_of(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(["test", *arguments])
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    "shift", [{"age": 0.4}, {"income": 0.4}, {"shares": (0.3, 0.3, 0.4)}], ids=["age", "income", "city"]
)
@pytest.mark.parametrize("seed", [0, 10])
def test_a_shift_of_any_one_column_is_found(tmp_path, capsys, shift, seed):
    """In their own units the incomes decide alone: an age 0.4 sd higher gave p = 0.88."""
    a, b = people(tmp_path / "a.csv", seed), people(tmp_path / "b.csv", seed + 1, **shift)
    assert answer(capsys, a, b)["pvalue"] < 0.05


def test_where_nothing_differs_it_says_so_and_what_it_compared(tmp_path, capsys):
    a, b = people(tmp_path / "a.csv", 0), people(tmp_path / "b.csv", 1)
    main(["test", a, b])
    verdict, end, unchanged, *_ = capsys.readouterr().out.split("\n")
    found = compare(a, b, rng=0)
    assert verdict == found.verdict
    assert names_all(verdict, "not compared", "name", "identifiers", "'a-0'")
    assert end == ""
    least = min(column.adjusted for column in found.columns)
    assert f" = {format_three_digits(least)})" in unchanged
    assert unchanged.rpartition(": ")[2].rstrip(".").split(", ") == [column.name for column in found.columns]


def test_one_kernel_alone_says_so_and_what_it_compared(tmp_path, capsys):
    a, b = people(tmp_path / "a.csv", 0), people(tmp_path / "b.csv", 1)
    main(["test", a, b, *ALONE])
    verdict, treatment, numbers, end, *table = capsys.readouterr().out.split("\n")
    assert re.search(naming("level 0.05", "age, income, city"), verdict)
    _, age, income, _ = (format_three_digits(column.scale) for column in read_tables([a, b]).columns)
    parts = ("name is left out", "'a-0'"), (f"age is divided by {age}",), (f"income is divided by {income}",)
    assert all(any(names_all(each, *part) for each in treatment.split(";")) for part in parts)
    assert names_all(treatment.split(";")[-1], "city", "category", "3 levels")
    assert "n = 300 and m = 300" in numbers
    assert end == ""
    assert [line.split()[0] for line in table[:4]] == ["column", *by_p([a, b])]


def by_p(paths):
    """Return the names of the columns, those with the least adjusted p first."""
    columns = compare(*paths, rng=0).columns
    return [column.name for column in sorted(columns, key=lambda column: column.adjusted)]


def test_the_table_of_columns_is_that_of_compare(tmp_path, capsys):
    """Both commands use the same permutations if both tests are exact. Medians are those of the files."""
    a, b = people(tmp_path / "a.csv", 0), people(tmp_path / "b.csv", 1, age=0.4)
    said, found = answer(capsys, a, b)["by_column"], compare(a, b, n_resamples=199, rng=0)
    assert [column["adjusted"] for column in said] == [column.adjusted for column in found.columns]
    ages = [pd.read_csv(path).age.median() for path in (a, b)]
    assert said[0]["medians"] == pytest.approx(ages)
    main(["test", a, b, "--permutations", "199"])
    out = capsys.readouterr().out
    assert f"{found.columns[0].before}" in out
    assert re.search(naming("Medians", "95 %"), out)


def test_columns_of_pairs_are_permuted_within_them(tmp_path, capsys):
    """Every pair moves by 1, while people differ by hundreds: within pairs the column's p is the least possible."""
    rng = np.random.default_rng(0)
    before = 1000 * rng.random(40)
    for name, values in (("a", before), ("b", before + 1)):
        pd.DataFrame({"who": [f"p{k}" for k in range(40)], "weight": values}).to_csv(
            tmp_path / f"{name}.csv", index=False
        )
    files = [str(tmp_path / f"{name}.csv") for name in "ab"]
    said = answer(capsys, *files, "--within", "who")["by_column"]
    assert said[0]["pvalue"] == 1 / 200
    assert answer(capsys, *files, "--columns", "weight")["by_column"][0]["pvalue"] > 0.5


def test_json_carries_what_was_done_and_the_library_gives_the_same_numbers(tmp_path, capsys):
    a, b = people(tmp_path / "a.csv", 0), people(tmp_path / "b.csv", 1, age=0.4)
    said, tables = answer(capsys, a, b, *ALONE), read_tables([a, b])
    result = mmd_test(tables[0].X, tables[1].X, tables.kernel, n_resamples=199, rng=0)
    assert (said["statistic"], said["pvalue"], said["columns"]) == (
        result.statistic,
        result.pvalue,
        ["age", "income", "city"],
    )
    assert said["scale"] == "common"
    name, age, income, city = said["treatment"]
    assert (name["kind"], name["why"]) == ("left out", "identifiers, such as 'a-0'")
    assert [age["scale"], income["scale"]] == [tables.columns[1].scale, tables.columns[2].scale]
    assert (city["kind"], city["levels"]) == ("category", CITIES)


def test_scales_can_be_chosen(tmp_path, capsys):
    """The default divides only columns whose scales differ by more than a factor of 10."""
    a, b = people(tmp_path / "a.csv", 0), people(tmp_path / "b.csv", 1, age=0.4)
    assert answer(capsys, a, b, "--scale", "none")["pvalue"] > 0.05
    assert answer(capsys, a, b, "--scale", "common") == answer(capsys, a, b, *ALONE)
    plain = answer(capsys, a, b, "--columns", "age", "city", *ALONE)
    assert plain["scale"] == "none"
    assert answer(capsys, a, b, "--columns", "age", "city", "--scale", "common")["scale"] == "common"
    main(["test", a, b, "--scale", "none", "--permutations", "9"])
    assert re.search(naming("age, income", "factor"), capsys.readouterr().out)


def test_a_category_alone_and_every_kernel_of_numbers(tmp_path, capsys):
    a, b = people(tmp_path / "a.csv", 0), people(tmp_path / "b.csv", 1, shares=(0.2, 0.3, 0.5))
    assert answer(capsys, a, b, "--columns", "city")["pvalue"] == 1 / 200
    for kernel in ("laplacian", "energy", "linear", "quadratic"):
        assert answer(capsys, a, b, "--kernel", kernel)["pvalue"] < 0.05
    for option in (["--kernel", "linear"], ["--bandwidth", "1"]):
        assert re.search(naming(option[0]), error_of(capsys, a, b, "--columns", "city", *option))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--kernel", "gaussian"], "under a Gaussian kernel of bandwidth"),
        (["--kernel", "cubic"], "under a polynomial kernel of degree 3 over age, income"),
        (["--kernel", "energy"], "under an energy kernel over age, income"),
        (["--columns", "city", "--scale", "common"], "under a kernel that is halved where city differs"),
    ],
)
def test_the_kernel_is_said_in_words_over_columns_by_name(tmp_path, capsys, options, said):
    main(["test", people(tmp_path / "a.csv", 0), people(tmp_path / "b.csv", 1), "--permutations", "9", *options])
    printed = capsys.readouterr().out
    assert said in printed
    assert names_all(printed, "halved", "city")
    assert "factors" not in printed


def test_missing_values_are_refused_and_dropped_in_the_command_s_own_words(tmp_path, capsys):
    a, b = people(tmp_path / "a.csv", 0), people(tmp_path / "b.csv", 1, gap=True)
    found = compare(a, b, n_resamples=199, rng=0)
    assert answer(capsys, a, b)["missing"] == {name: list(gap) for name, gap in found.missing.items()}
    assert names_all(error_of(capsys, a, b, *ALONE, "--missing", "value"), "--missing", "drop", "refuse")
    assert re.search(naming("--missing drop"), error_of(capsys, a, b, "--missing", "refuse"))
    said = error_of(capsys, a, b, *ALONE)
    assert re.search(naming("b.csv", "1 cell", "1 of 300 rows", "line 5", "'age'", "--missing drop"), said)
    assert answer(capsys, a, b, "--missing", "drop")["dropped"] == [0, 1]
    told = answer(capsys, a, b, *ALONE, "--missing", "drop")
    assert (told["dropped"], told["gaps"]) == ([0, 1], [{}, {"age": 1}])
    main(["test", a, b, *ALONE, "--missing", "drop", "--permutations", "9"])
    assert re.search(naming("1 of b.csv", "1 in age"), capsys.readouterr().out)


def test_numbers_that_are_left_out_are_named_in_the_first_sentence(tmp_path, capsys):
    for name, up in (("a", 0), ("b", 5)):
        rows = "".join(f"{i},{i * 7 % 59 + up}.5 ± 0.3,{i * 5 % 13}.25,name {i}\n" for i in range(60))
        (tmp_path / f"{name}.csv").write_text(f"id,weight,x,who\n{rows}")
    files = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    main(["test", *files, "--permutations", "19"])
    verdict = capsys.readouterr().out.splitlines()[0]
    assert all(f"{name} (" in verdict for name in ("id", "weight"))
    main(["test", *files, *ALONE, "--permutations", "19"])
    verdict, columns, *_ = capsys.readouterr().out.splitlines()
    assert re.search(naming("level 0.05", "x", "id, weight"), verdict)
    assert re.search(naming("weight", 64, 120, "'0.5 ± 0.3'"), columns)


def test_monk_asks_for_pairs_in_words_of_files(tmp_path, capsys):
    a, b = people(tmp_path / "a.csv", 0, n=60), people(tmp_path / "b.csv", 1, n=50)
    said = error_of(capsys, a, b, "--monk", "11")
    assert re.search(naming("a.csv", 60, "b.csv", 50, "--monk"), said)
    c = people(tmp_path / "c.csv", 1, n=60, age=2.0)
    assert answer(capsys, a, c, "--monk", "5")["pvalue"] < 0.05


def test_files_of_other_columns_are_told_which_they_share(tmp_path, capsys):
    a, b = people(tmp_path / "a.csv", 0), tmp_path / "b.csv"
    b.write_text("income,age,house number\n1,2,3\n4,5,6\n")
    said = error_of(capsys, a, str(b), *ALONE)
    assert re.search(naming("a.csv", "name, age, income, city", "b.csv", "income, age, house number"), said)
    assert re.search(naming("--columns age income"), said)


def test_a_reader_who_leaves_is_no_trouble():
    """`explorer list | head -1` ended in "Broken pipe" and the exit code of a refusal."""
    line = [sys.executable, "-m", "explorer", "list", "kernels"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        command.stdout.close()
        assert command.stderr.read() == b""
    assert command.returncode == 141


def test_a_section_of_the_list(capsys):
    for word in ("datasets", "data sets"):
        main(["list", word])
        out = capsys.readouterr().out
        assert out.startswith("datasets:\n")
        assert "splice" in out
        assert "Gaussian" not in out


def test_entries_of_a_section_by_name(capsys):
    """The number in a docstring leads to its explanation."""
    main(["list", "errata", "E-4", "10"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["errata:", "E-4", "10"]
    assert "HSIC" in lines[2]
    with pytest.raises(SystemExit):
        main(["list", "errata", "99"])
    assert re.search(naming("'99'", "errata"), capsys.readouterr().err)


def test_files_with_decimal_commas_are_compared_unless_one_asks_for_a_strict_reader(tmp_path, capsys):
    a, b = (people(tmp_path / f"{name}.csv", seed) for seed, name in enumerate("ab"))
    plain = answer(capsys, a, b)
    for path in (a, b):
        text = (tmp_path / path).read_text().replace(",", ";").replace(".", ",")
        (tmp_path / path).write_text(text)
    assert re.search(naming("a.csv", "comma"), error_of(capsys, a, b, "--strict", *ALONE))
    assert re.search(naming("a.csv", "commas", "--strict"), error_of(capsys, a, b, "--strict"))
    for words in ((), ("--lenient",)):
        lenient = answer(capsys, a, b, *words)
        assert (lenient["statistic"], lenient["pvalue"]) == (plain["statistic"], plain["pvalue"])
    assert lenient["read"] == [["decimal commas"]] * 2


def write_export(path, rng, n=24):
    """Write a file of weights, dues and groups in one of three common formats."""
    weights, dues, groups = rng.normal(70, 12, n), rng.normal(400, 900, n), rng.choice(["A", "B"], n)
    write = (
        lambda a, b: (f"{a:.1f} kg", f"${b:,.2f}" if b >= 0 else f"(${-b:,.2f})"),
        lambda a, b: (f"{a:.1f} kg".replace(".", ","), f"{b:.2f} $".replace(".", ",")),
        lambda a, b: (f"{a:.2f}", f"{b:.2f}"),
    )[rng.integers(3)]
    above = ("", "Export of a ward\nby hand, today\n\n", "# export\n")[rng.integers(3)]
    rows = ["weight;due;group", *(";".join([*write(a, b), g]) for a, b, g in zip(weights, dues, groups, strict=True))]
    path.write_text(above + "\n".join(rows) + "\n")
    return str(path)


@pytest.mark.thorough
def test_files_as_people_have_them_keep_the_level(tmp_path, capsys):
    rng, pvalues = np.random.default_rng(5), []
    for _ in range(300):
        said = answer(capsys, *(write_export(tmp_path / name, rng) for name in ("a.csv", "b.csv")))
        assert said["columns"] == ["weight", "due", "group"]
        pvalues.append(said["pvalue"])
    for level in (0.05, 0.1, 0.2):
        low, high = binom.interval(0.999, 300, level)  # three levels, and p of 199 permutations are multiples of 1/200
        assert low <= np.count_nonzero(np.array(pvalues) <= level) <= high


def test_two_groups_of_one_file(tmp_path, capsys):
    rng = np.random.default_rng(0)
    arms = np.repeat(["drug", "none", "other"], 40)
    path = tmp_path / "trial.csv"
    values = rng.normal(size=120) + 2 * (arms == "drug")
    path.write_text("x,arm\n" + "".join(f"{x:.3f},{arm}\n" for x, arm in zip(values, arms, strict=True)))
    found = compare(str(path), by="arm", groups=["none", "drug"], n_resamples=199, rng=0)
    said = answer(capsys, str(path), "--by", "arm", "--groups", "none", "drug")
    assert (said["pvalue"], said["groups"], said["headline"]) == (found.pvalue, ["none", "drug"], found.headline)
    said = answer(capsys, str(path), "--by", "arm", "--groups", "none", "drug", *ALONE)
    table = read_tables([str(path)], target="arm", scale="none")[0]
    result = mmd_test(table.where("none").X, table.where("drug").X, n_resamples=199, rng=0)
    assert (said["statistic"], said["pvalue"], said["groups"]) == (result.statistic, result.pvalue, ["none", "drug"])
    main(["test", str(path), "--by", "arm", "--groups", "none", "other", "--permutations", "9", *ALONE])
    assert re.search(naming("none", "other", "level"), capsys.readouterr().out.splitlines()[0])
    for alone in ((), ALONE):
        for arguments, facts in REFUSED_GROUPS.items():
            said = error_of(capsys, *(str(path) if word == "FILE" else word for word in arguments), *alone)
            assert re.search(naming(*facts), said)
    assert re.search(naming("--groups", 20), error_of(capsys, str(path), "--by", "x", *ALONE))


REFUSED_GROUPS = {
    ("FILE",): ("--by COLUMN",),
    ("FILE", "FILE", "--by", "arm"): ("--by",),
    ("FILE", "--by", "arm", "--groups", "none"): ("'none'", "two"),
    ("FILE", "FILE", "--groups", "a", "b"): ("--by",),
    ("FILE", "--by", "arm", "--groups", "none", "none"): ("'none'",),
    ("FILE", "--by", "arm", "--groups", "none", "x"): ("'x'",),
}


def subjects(path, seed, shift=0.0, n=30):
    """Return a CSV file of what the same people measure, who differ much from one another."""
    people, rng = np.random.default_rng(7).normal(size=n) * 3, np.random.default_rng(seed)
    rows = [f"s{i},{x:.4f}" for i, x in enumerate(people + 0.5 * rng.normal(size=n) + shift)]
    path.write_text("\n".join(["subject,x", *rows]) + "\n")
    return str(path)


def test_three_files_have_one_p_and_one_for_each_pair(tmp_path, capsys):
    files = [people(tmp_path / f"{name}.csv", seed, age=seed // 2) for seed, name in enumerate("abc")]
    told, tables = answer(capsys, *files, *ALONE), read_tables(files)
    result = several_test([one.X for one in tables], tables.kernel, n_resamples=199, rng=0)
    assert (told["statistic"], told["pvalue"], told["rejected"]) == (result.statistic, result.pvalue, True)
    assert (told["samples"], told["sizes"], told["n"], told["m"]) == (["a.csv", "b.csv", "c.csv"], [300] * 3, 900, None)
    assert [(pair["first"], pair["second"], pair["rejected"]) for pair in told["pairs"]] == [
        ("a.csv", "b.csv", False),
        ("a.csv", "c.csv", True),
        ("b.csv", "c.csv", True),
    ]
    assert [pair["adjusted"] for pair in told["pairs"]] == [pair.adjusted for pair in result.pairs]
    main(["test", *files, "--permutations", "199", *ALONE])
    lines = capsys.readouterr().out.splitlines()
    assert re.search(naming("3 samples", "level 0.05", "age, income, city"), lines[0])
    assert re.search(naming("3 samples", "300, 300, 300 rows", "199 permutations"), lines[2])
    assert re.search(naming("3 pairs", 2, "a.csv and c.csv (p = 0.005)", "b.csv and c.csv (p = 0.005)"), lines[3])


def test_three_files_are_compared_with_the_first(tmp_path, capsys):
    """`explorer report` compares them in the same way; each pair's p is adjusted for all."""
    files = [people(tmp_path / f"{name}.csv", seed, age=seed // 2) for seed, name in enumerate("abc")]
    told, found = answer(capsys, *files), compare(files[0], files[1:], n_resamples=199, rng=0)
    assert (told["pvalue"], told["headline"]) == (found.pvalue, found.headline)
    assert told["samples"] == ["a.csv", "b.csv", "c.csv"]
    pairs = [(pair["first"], pair["second"], pair["adjusted"]) for pair in told["pairs"]]
    assert pairs == [("a.csv", batch.names[1], batch.adjusted) for batch in found.batches]


def test_all_groups_of_one_file(tmp_path, capsys):
    rng, path = np.random.default_rng(0), tmp_path / "trial.csv"
    arms = np.repeat(["drug", "none", "other", "rest"], 25)
    values = rng.normal(size=100) + 2 * (arms == "drug")
    path.write_text("x,arm\n" + "".join(f"{x:.3f},{arm}\n" for x, arm in zip(values, arms, strict=True)))
    told, found = answer(capsys, str(path), "--by", "arm"), compare(str(path), by="arm", n_resamples=199, rng=0)
    assert told["groups"] == told["samples"] == ["drug", "none", "other", "rest"]
    assert [pair["adjusted"] for pair in told["pairs"]] == [batch.adjusted for batch in found.batches]
    told = answer(capsys, str(path), "--by", "arm", *ALONE)
    assert told["groups"] == told["samples"] == ["drug", "none", "other", "rest"]
    assert [pair["rejected"] for pair in told["pairs"]] == [True] * 3 + [False] * 3
    assert answer(capsys, str(path), "--by", "arm", "--groups", "rest", "none", "drug", *ALONE)["samples"] == [
        "rest",
        "none",
        "drug",
    ]
    main(["test", str(path), "--by", "arm", "--groups", "rest", "none", "other", *ALONE])
    assert re.search(naming("3 groups", "level 0.05", "x"), capsys.readouterr().out.splitlines()[0])
    main(["test", str(path), "--by", "arm", "--permutations", "39", *ALONE])
    assert re.search(naming("p", 0.075, "--n-resamples 59"), capsys.readouterr().out.splitlines()[-1])
    assert re.search(naming("--monk", "two", 4), error_of(capsys, str(path), "--by", "arm", "--monk", "3"))


def test_files_of_one_name_are_told_apart_by_their_paths(tmp_path, capsys):
    for folder in "xyz":
        (tmp_path / folder).mkdir()
    files = [people(tmp_path / folder / "a.csv", seed, n=40) for seed, folder in enumerate("xyz")]
    assert answer(capsys, *files)["samples"] == files


def test_permutations_within_a_column(tmp_path, capsys):
    """A shift by two standard deviations within people is lost among them, unless permutations stay within each."""
    before, after = subjects(tmp_path / "before.csv", 0), subjects(tmp_path / "after.csv", 1, 1.0)
    assert answer(capsys, before, after, "--columns", "x")["pvalue"] > 0.2
    within = ("--within", "subject")
    found = compare(before, after, within="subject", n_resamples=199, rng=0)
    said = answer(capsys, before, after, *within)
    assert (said["pvalue"], said["headline"], said["subjects"]["both"]) == (found.pvalue, found.headline, 30)
    told, tables = answer(capsys, before, after, *within, *ALONE), read_tables([before, after], target="subject")
    people = np.concatenate([one.target for one in tables])
    result = mmd_test(tables[0].X, tables[1].X, Gaussian(), n_resamples=199, rng=0, groups=people)
    assert told["columns"] == ["x"]
    assert told["pvalue"] == result.pvalue <= 0.05
    main(["test", before, after, subjects(tmp_path / "later.csv", 2, 1.0), *within, *ALONE])
    printed = capsys.readouterr().out
    assert re.search(naming("3 samples", "level 0.05", "x"), printed.splitlines()[0])
    assert re.search(naming("999 permutations", "30 groups"), printed)
    assert re.search(naming("--within"), error_of(capsys, before, after, *within, "--monk", "5"))
    assert re.search(naming("--within", "--kernel"), error_of(capsys, before, "--by", "x", *within, *ALONE))
