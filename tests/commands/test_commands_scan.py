"""`explorer scan`: the file's own lines, dates and columns."""

import json
import re

import numpy as np
import pytest
from helpers.naming import naming

from explorer.__main__ import main


@pytest.fixture
def file(tmp_path):
    """A file in random order whose load rises on 10 May; its second row has no date, and its third one no price."""
    rng = np.random.default_rng(0)
    days = np.datetime64("2026-04-01") + np.arange(80)
    rows = [f"{day},{x!r},{y!r}" for day, x, y in zip(days, *rng.normal(size=(2, 80)).tolist(), strict=True)]
    rows[39:] = [
        f"{day},{x + 3!r},{y!r}" for day, x, y in zip(days[39:], *rng.normal(size=(2, 41)).tolist(), strict=True)
    ]
    rows = [rows[k] for k in rng.permutation(80)]
    rows[0], rows[1] = f",{rows[0].split(',', 1)[1]}", f"{rows[1].rsplit(',', 1)[0]},"
    path = tmp_path / "load.csv"
    path.write_text("\n".join(["day,load,price", *rows]))
    return path


def test_the_break_is_named_by_the_file_s_own_line(file, capsys):
    main(["scan", str(file), "--missing", "drop", "--permutations", "99", "--json"])
    found = json.loads(capsys.readouterr().out)
    line = found["lines"][found["index"]]
    cells = file.read_text().split("\n")[line - 1].split(",")
    assert found["place"] == f"{line}, {found['when']}" == f"{line}, {cells[0]}"
    assert abs(np.datetime64(found["when"]) - np.datetime64("2026-05-10")) <= np.timedelta64(2, "D")
    assert (found["n"], found["undated"], found["changed"]) == (78, 1, ["load"])
    main(["scan", str(file), "--missing", "drop", "--permutations", "99", "--segments"])
    out = capsys.readouterr().out
    assert f"at line {line}, {found['when']} (of 78 rows)" in out
    assert re.search(naming("1 row", "day"), out)


def test_rows_with_gaps_are_refused_and_the_option_is_named(file, capsys):
    with pytest.raises(SystemExit):
        main(["scan", str(file)])
    assert "give --missing drop" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["scan", str(file), "--missing", "drop", "--time", "paid"])
    assert "no column 'paid'" in capsys.readouterr().err


def test_a_file_without_dates_is_in_order(tmp_path, capsys):
    np.save(tmp_path / "x.npy", np.random.default_rng(0).normal(size=(40, 2)) + 4 * (np.arange(40) >= 25)[:, None])
    main(["scan", str(tmp_path / "x.npy"), "--permutations", "99"])
    assert re.search(naming("row 25", "40", "p = 0.01"), capsys.readouterr().out)
