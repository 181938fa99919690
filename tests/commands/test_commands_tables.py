"""`explorer test` on tables as people have them: columns of several scales, categories, gaps, identifiers."""

import json
import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import binom

from explorer import mmd_test, read_tables
from explorer.__main__ import main
from explorer.datasets.treatment import three_digits

CITIES = ["Bonn", "Kiel", "Ulm"]


def people(path, seed, n=300, age=0.0, income=0.0, shares=(0.5, 0.3, 0.2), gap=False):
    """A CSV file of names, ages (sd 12), incomes (sd 20,000) and cities; shifts count in standard deviations."""
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


def refused(capsys, *arguments):
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
    verdict, treatment, numbers, end = capsys.readouterr().out.split("\n")
    assert verdict == "No difference is found at the level 0.05, over age, income, city."
    _, age, income, _ = (three_digits(column.scale) for column in read_tables([a, b]).columns)
    assert treatment == (
        "Columns: name is left out (600 different words in 600 rows); "
        f"age is divided by {age}; income is divided by {income}; city is a category of 3 levels."
    )
    assert "n = 300 and m = 300" in numbers
    assert end == ""


def test_json_carries_what_was_done_and_the_library_gives_the_same_numbers(tmp_path, capsys):
    a, b = people(tmp_path / "a.csv", 0), people(tmp_path / "b.csv", 1, age=0.4)
    said, tables = answer(capsys, a, b), read_tables([a, b])
    result = mmd_test(tables[0].X, tables[1].X, tables.kernel, n_resamples=199, rng=0)
    assert (said["statistic"], said["pvalue"], said["columns"]) == (
        result.statistic,
        result.pvalue,
        ["age", "income", "city"],
    )
    assert said["scale"] == "common"
    name, age, income, city = said["treatment"]
    assert (name["kind"], name["why"]) == ("left out", "600 different words in 600 rows")
    assert [age["scale"], income["scale"]] == [tables.columns[1].scale, tables.columns[2].scale]
    assert (city["kind"], city["levels"]) == ("category", CITIES)


def test_scales_can_be_chosen(tmp_path, capsys):
    """By default only columns whose scales differ by more than a factor of 10 are divided."""
    a, b = people(tmp_path / "a.csv", 0), people(tmp_path / "b.csv", 1, age=0.4)
    assert answer(capsys, a, b, "--scale", "none")["pvalue"] > 0.05
    assert answer(capsys, a, b, "--scale", "common") == answer(capsys, a, b)
    plain = answer(capsys, a, b, "--columns", "age", "city")
    assert plain["scale"] == "none"
    assert answer(capsys, a, b, "--columns", "age", "city", "--scale", "common")["scale"] == "common"
    main(["test", a, b, "--scale", "none", "--permutations", "9"])
    assert "age, income in their own units, whose scales differ by a factor of" in capsys.readouterr().out


def test_a_category_alone_and_every_kernel_of_numbers(tmp_path, capsys):
    a, b = people(tmp_path / "a.csv", 0), people(tmp_path / "b.csv", 1, shares=(0.2, 0.3, 0.5))
    assert answer(capsys, a, b, "--columns", "city")["pvalue"] == 1 / 200
    for kernel in ("laplacian", "energy", "linear", "quadratic"):
        assert answer(capsys, a, b, "--kernel", kernel)["pvalue"] < 0.05
    for option in (["--kernel", "linear"], ["--bandwidth", "1"]):
        assert "are for columns of numbers" in refused(capsys, a, b, "--columns", "city", *option)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "under a Gaussian kernel of bandwidth"),
        (["--kernel", "cubic"], "under a polynomial kernel of degree 3 over age, income"),
        (["--kernel", "energy"], "under an energy kernel over age, income"),
        (["--columns", "city"], "under a kernel that is halved where city differs"),
    ],
)
def test_the_kernel_is_said_in_words_over_columns_by_name(tmp_path, capsys, options, said):
    main(["test", people(tmp_path / "a.csv", 0), people(tmp_path / "b.csv", 1), "--permutations", "9", *options])
    printed = capsys.readouterr().out
    assert said in printed
    assert "halved where city differs" in printed
    assert "factors" not in printed


def test_missing_values_are_refused_and_dropped_in_the_command_s_own_words(tmp_path, capsys):
    a, b = people(tmp_path / "a.csv", 0), people(tmp_path / "b.csv", 1, gap=True)
    said = refused(capsys, a, b)
    assert "b.csv: 1 cell is missing, in 1 of 300 rows, the first in line 5, column 'age'" in said
    assert said.endswith("; give --missing drop to leave those rows out.\n")
    told = answer(capsys, a, b, "--missing", "drop")
    assert (told["dropped"], told["gaps"]) == ([0, 1], [{}, {"age": 1}])
    main(["test", a, b, "--missing", "drop", "--permutations", "9"])
    assert "Rows left out for missing values: 1 of b.csv (1 in age)." in capsys.readouterr().out


def test_monk_asks_for_pairs_in_words_of_files(tmp_path, capsys):
    a, b = people(tmp_path / "a.csv", 0, n=60), people(tmp_path / "b.csv", 1, n=50)
    said = refused(capsys, a, b, "--monk", "11")
    assert "a.csv has 60 rows and b.csv 50: keep 50 of the rows of a.csv, chosen at random, or leave --monk out" in said
    c = people(tmp_path / "c.csv", 1, n=60, age=2.0)
    assert answer(capsys, a, c, "--monk", "5")["pvalue"] < 0.05


def test_files_of_other_columns_are_told_which_they_share(tmp_path, capsys):
    a, b = people(tmp_path / "a.csv", 0), tmp_path / "b.csv"
    b.write_text("income,age,house number\n1,2,3\n4,5,6\n")
    said = refused(capsys, a, str(b))
    assert "a.csv has the columns name, age, income, city, and b.csv income, age, house number" in said
    assert "give --columns age income to compare those that all have" in said


def test_a_reader_who_leaves_is_no_trouble():
    """`explorer list | head -1` ended in "Broken pipe" and the exit code of a refusal."""
    line = [sys.executable, "-m", "explorer", "list", "kernels"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        command.stdout.close()
        assert command.stderr.read() == b""
    assert command.returncode == 1


def test_a_section_of_the_list(capsys):
    for word in ("datasets", "data sets"):
        main(["list", word])
        out = capsys.readouterr().out
        assert out.startswith("datasets:\n")
        assert "splice" in out
        assert "Gaussian" not in out


def test_entries_of_a_section_by_name(capsys):
    """From the number in a docstring to its explanation."""
    main(["list", "errata", "E-4", "10"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["errata:", "E-4", "10"]
    assert "HSIC" in lines[2]
    with pytest.raises(SystemExit):
        main(["list", "errata", "99"])
    assert "there is no '99' among the errata" in capsys.readouterr().err


def test_files_with_decimal_commas_are_compared_unless_one_asks_for_a_strict_reader(tmp_path, capsys):
    a, b = (people(tmp_path / f"{name}.csv", seed) for seed, name in enumerate("ab"))
    plain = answer(capsys, a, b)
    for path in (a, b):
        text = (tmp_path / path).read_text().replace(",", ";").replace(".", ",")
        (tmp_path / path).write_text(text)
    assert "writes numbers with a comma" in refused(capsys, a, b, "--strict")
    for words in ((), ("--lenient",)):
        lenient = answer(capsys, a, b, *words)
        assert (lenient["statistic"], lenient["pvalue"]) == (plain["statistic"], plain["pvalue"])
    assert lenient["read"] == [["decimal commas"]] * 2


def exported(path, rng, n=24):
    """A file of weights, dues and groups as somebody's program writes it."""
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
        said = answer(capsys, *(exported(tmp_path / name, rng) for name in ("a.csv", "b.csv")))
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
    words = refused(capsys, str(path), "--by", "arm")
    assert "3 groups in column 'arm'; give --groups with two of drug, none, other." in words
    said = answer(capsys, str(path), "--by", "arm", "--groups", "none", "drug")
    table = read_tables([str(path)], target="arm", scale="none")[0]
    result = mmd_test(table.where("none").X, table.where("drug").X, n_resamples=199, rng=0)
    assert (said["statistic"], said["pvalue"], said["groups"]) == (result.statistic, result.pvalue, ["none", "drug"])
    main(["test", str(path), "--by", "arm", "--groups", "none", "other", "--permutations", "9"])
    assert capsys.readouterr().out.startswith("No difference is found between the groups none and other at the level")
    for arguments, words in {
        (): "give a second file, or --by COLUMN",
        (str(path), "--by", "arm"): "give a second file, or --by COLUMN",
        (str(path), "--groups", "a", "b"): "give --by with the column",
        ("--by", "arm", "--groups", "none", "none"): "names 'none' twice",
        ("--by", "arm", "--groups", "none", "x"): "no group 'x'; its groups are drug, none, other",
    }.items():
        assert words in refused(capsys, str(path), *arguments)
