"""Copy Python: run alone, in a fresh namespace, it gives the screen's numbers again."""

import itertools
import json
import math

import numpy as np
import pytest

from explorer.datasets import read_table
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.script import python

FILTERS = ("iterated-tikhonov", "landweber", "nu", "tsvd")


def losses_of_script(result):
    """Return `losses` after running the copied lines on their own."""
    space = {}
    exec(compile(python(result), "<copied>", "exec"), space)
    return space["losses"]


def assert_script_agrees(result):
    losses = losses_of_script(result)
    names = "KME", "S-KMSE", result.flexible_name
    assert tuple(losses) == names
    shown = [1.0, 1 - result.gain(result.simple), 1 - result.gain(result.flexible)]
    assert [losses[name] for name in names] == pytest.approx(shown, rel=1e-12, abs=1e-12)


STATES = [
    {"kernel": kernel, "source": source, "outliers": outliers, "lam": lam, "n": 40, "d": 3}
    for kernel, source, outliers, lam in itertools.product(
        ("LIN", "POLY2", "POLY3", "RBF"), ("mixture", "gaussian", "wine", "wdbc"), (0, 3), (None, 0.0123)
    )
]
MORE = [
    {},
    {"lam": 0.0},
    {"lam": math.inf},
    {"n": 200, "d": 50},
    {"n": 200, "bandwidth": 1.0, "lam": 1e-4},
    {"n": 2, "d": 1},
    {"source": "wine", "lam": 0.0},
    {"source": "wine", "lam": math.inf},
    {"source": "wdbc", "n": 200, "standardise": False},
    {"source": "wine", "n": 178, "kernel": "LIN", "standardise": False},
    {"selection": "theorem-4"},
    {"selection": "theorem-4", "source": "wine"},
    {"selection": "theorem-4", "lam": 0.5, "source": "wdbc"},
    {"outliers": 12, "n": 40, "kind": "point mass", "distance": 1500.0},
    {"outliers": 4, "kind": "heavy tail", "distance": 0.5, "seed": 8},
    {"seed": 2**32 - 1, "law_seed": 77},
    {"kernel": "LIN", "source": "gaussian", "d": 100},
    {"kernel": "POLY3", "n": 200, "d": 20},
    *(
        {"filter": name, "source": source, "lam": lam}
        for name, source, lam in itertools.product(FILTERS, ("mixture", "wine"), (None, 0.05))
    ),
    {"filter": "landweber", "lam": math.inf},
    {"filter": "nu", "kernel": "LIN", "d": 5, "n": 30},
    *(
        {"weights": "sum-to-one", "source": source, "lam": lam}
        for source in ("mixture", "wine")
        for lam in (None, 0.05, 0.0)
    ),
    {"weights": "simplex"},
    {"weights": "simplex", "kernel": "LIN", "source": "gaussian", "mean": 1.0, "lam": 0.4},
    {"target": "blob"},
    {"target": "blob", "target_at": "[3.5, -2.0]", "lam": 0.2, "d": 5},
    {"target": "blob", "source": "wine"},
    {"target": "blob", "kernel": "LIN", "d": 1, "source": "gaussian"},
    {"target": "blob", "weights": "sum-to-one", "n": 40},
    {"target": "blob", "filter": "tsvd", "outliers": 2},
    {"target": "blob", "lam": math.inf, "kernel": "POLY2"},
]


@pytest.mark.thorough(
    default=[
        "{'kernel': 'LIN', 'source': 'mixture', 'outliers': 0, 'lam': 0.0123, 'n': 40, 'd': 3}",
        "{'kernel': 'LIN', 'source': 'wine', 'outliers': 3, 'lam': None, 'n': 40, 'd': 3}",
        "{'kernel': 'POLY2', 'source': 'wine', 'outliers': 0, 'lam': 0.0123, 'n': 40, 'd': 3}",
        "{'kernel': 'POLY2', 'source': 'wine', 'outliers': 3, 'lam': None, 'n': 40, 'd': 3}",
        "{'kernel': 'POLY3', 'source': 'gaussian', 'outliers': 0, 'lam': None, 'n': 40, 'd': 3}",
        "{'kernel': 'POLY3', 'source': 'wdbc', 'outliers': 3, 'lam': None, 'n': 40, 'd': 3}",
        "{'kernel': 'POLY3', 'source': 'wdbc', 'outliers': 3, 'lam': 0.0123, 'n': 40, 'd': 3}",
        "{'kernel': 'RBF', 'source': 'gaussian', 'outliers': 3, 'lam': None, 'n': 40, 'd': 3}",
        "{'kernel': 'RBF', 'source': 'wine', 'outliers': 3, 'lam': None, 'n': 40, 'd': 3}",
        "{'lam': 0.0}",
        "{'source': 'wine', 'n': 178, 'kernel': 'LIN', 'standardise': False}",
        "{'seed': 4294967295, 'law_seed': 77}",
        "{'filter': 'nu', 'kernel': 'LIN', 'd': 5, 'n': 30}",
        "{'weights': 'sum-to-one', 'source': 'mixture', 'lam': 0.0}",
        "{'weights': 'sum-to-one', 'source': 'wine', 'lam': 0.0}",
        "{'target': 'blob', 'source': 'wine'}",
    ]
)
@pytest.mark.parametrize("fields", STATES + MORE, ids=str)
def test_the_copied_lines_give_the_numbers_on_screen(fields, capsys):
    assert_script_agrees(ShrinkageLab(**fields).result())
    assert "S-KMSE" in capsys.readouterr().out  # it prints them too


# the user's file

RAW = b"name,a,b,c d\n" + b"".join(
    f"p{i},{x:.6f},{'NA' if i % 9 == 4 else format(y, '.6f')},{z:.6f}\n".encode()
    for i, (x, y, z) in enumerate(np.random.default_rng(5).standard_normal((60, 3)) * [1, 50, 0.1] + [3, 0, -1])
)


def lab_of_file(name, raw=RAW, columns="", missing="drop", standardise=False, **fields):
    """Return a lab of a file, as the page makes it."""
    table = read_table(
        raw, columns=json.loads(columns) if columns else None, missing=missing, standardise=standardise, name=name
    )
    lab = ShrinkageLab(
        source="file",
        file=name,
        rows=table.n,
        hash=table.hash,
        columns=columns,
        missing=missing,
        standardise=standardise,
        n=min(table.n, 50),
        **fields,
    )
    lab.table = table
    return lab


@pytest.fixture
def working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"standardise": True},
        {"columns": '["c d", "a"]', "missing": "refuse"},
        {"columns": '["b"]', "kernel": "LIN"},
        {"lam": 0.2},
        {"outliers": 3, "kernel": "POLY2"},
        {"selection": "theorem-4", "standardise": True, "seed": 5},
    ],
    ids=str,
)
def test_a_file_of_ones_own_comes_back(fields, working_folder):
    (working_folder / "mine.csv").write_bytes(RAW)
    assert_script_agrees(lab_of_file("mine.csv", **fields).result())


@pytest.mark.parametrize(
    "name", ["it's mine.csv", 'my "best".csv', "back\\slash.csv", "ünï {x} %s.csv", "new\nline.csv"]
)
def test_any_file_name_can_be_copied(name, working_folder):
    (working_folder / name).write_bytes(RAW)
    result = lab_of_file(name).result()
    assert_script_agrees(result)
    (working_folder / name).write_bytes(RAW + b"z,1,2,3\n")
    with pytest.raises(ValueError, match="another"):
        losses_of_script(result)


def test_another_file_of_the_same_name_is_refused(working_folder):
    result = lab_of_file("mine.csv").result()
    (working_folder / "mine.csv").write_bytes(RAW.replace(b"p0", b"q0"))
    with pytest.raises(ValueError, match=r"mine\.csv"):
        losses_of_script(result)


def test_a_table_of_equal_rows_can_be_copied(working_folder):
    """KME's estimated loss is 0, and neither method divides by it."""
    raw = b"a\n" + b"2\n" * 6
    (working_folder / "same.csv").write_bytes(raw)
    assert_script_agrees(lab_of_file("same.csv", raw=raw, kernel="LIN").result())
