"""`explorer sketch` and `explorer test` of what it writes."""

import json
import re

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Gaussian, Laplacian, Sketch, compare, mmd_test
from explorer.__main__ import main


@pytest.fixture
def days(tmp_path):
    """Three days of the same columns, the last of another distribution, and their rows."""
    rng, rows = np.random.default_rng(0), {}
    for name, shift in (("monday", 0.0), ("tuesday", 0.0), ("wednesday", 1.0)):
        rows[name] = rng.normal(shift, size=(300, 2)).round(6)
        np.savetxt(tmp_path / f"{name}.csv", rows[name], delimiter=",", header="u,v", comments="", fmt="%.6f")
    return tmp_path, rows


def output_of(capsys, *arguments):
    """Run a command and return its output."""
    main([*map(str, arguments)])
    return capsys.readouterr().out


def error_of(capsys, *arguments):
    """Return the sentence that a command ends with."""
    with pytest.raises(SystemExit) as ended:
        main([*map(str, arguments)])
    assert ended.value.code == 2
    return capsys.readouterr().err


def test_a_file_becomes_a_sketch(days, capsys):
    folder, rows = days
    out = folder / "monday.npz"
    said = output_of(
        capsys, "sketch", folder / "monday.csv", "-o", out, "--bandwidth", "1.5", "--features", "100", "--seed", "3"
    )
    assert Sketch.load(out) == Sketch(Gaussian(1.5), 100, 3).update(rows["monday"])
    assert re.search(naming("300 rows", "u, v", "100 features", "Gaussian(bandwidth=1.5)"), said)
    how = ("--bandwidth", "1", "--features", "10", "--columns", "v", "--kernel", "laplacian")
    output_of(capsys, "sketch", folder / "monday.csv", folder / "tuesday.csv", "-o", out, *how)
    both = np.concatenate([rows["monday"], rows["tuesday"]])[:, 1:]
    assert Sketch.load(out) == Sketch(Laplacian(1.0), 10).update(both)


def test_others_are_made_like_the_first_and_compared_without_their_rows(days, capsys):
    folder, rows = days
    first, *others = (folder / f"{name}.npz" for name in rows)
    said = output_of(capsys, "sketch", folder / "monday.csv", "-o", first, "--features", "200")
    chosen = Gaussian().select(rows["monday"])
    assert Sketch.load(first) == Sketch(chosen, 200).update(rows["monday"])
    assert repr(chosen) in said
    for out in others:
        output_of(capsys, "sketch", folder / f"{out.stem}.csv", "-o", out, "--like", first)
    found = json.loads(output_of(capsys, "test", first, others[0], "--json", "--seed", "1"))
    result = mmd_test(*(Sketch(chosen, 200).update(rows[name]) for name in ("monday", "tuesday")), rng=1)
    assert (found["pvalue"], found["statistic"], found["n"]) == (result.pvalue, result.statistic, 300)
    assert found["columns"] == ["u", "v"]
    for other in others:
        said = output_of(capsys, "test", first, other)
        assert said.startswith(f"{compare(first, other, rng=0).headline}\n")
    assert re.search(naming("monday.npz", "wednesday.npz", "p"), said)
    three = json.loads(output_of(capsys, "test", first, *others, "--json"))
    assert three["pvalue"] == compare(first, others, rng=0).pvalue


def test_what_it_refuses_in_a_sentence(days, capsys):
    folder, _ = days
    file, out = folder / "monday.csv", folder / "monday.npz"
    output_of(capsys, "sketch", file, "-o", out, "--features", "10", "--bandwidth", "1")
    assert "leave --kernel out" in error_of(capsys, "sketch", file, "-o", out, "--like", out, "--kernel", "laplacian")
    assert "no file" in error_of(capsys, "sketch", folder / "sunday.csv", "-o", out)
    assert "bandwidth" in error_of(capsys, "sketch", file, "-o", out, "--bandwidth", "-1")
    assert "even number" in error_of(capsys, "sketch", file, "-o", out, "--bandwidth", "1", "--features", "7")
    assert re.search(naming("--monk", "rows"), error_of(capsys, "test", out, out, "--monk", "5"))
    (folder / "one.csv").write_text("u,v\n1,2\n")
    assert "give --bandwidth" in error_of(capsys, "sketch", folder / "one.csv", "-o", out)
    output_of(capsys, "sketch", file, "-o", folder / "other.npz", "--features", "10", "--bandwidth", "2")
    assert re.search(naming("Gaussian(bandwidth=1.0)"), error_of(capsys, "test", out, folder / "other.npz"))
