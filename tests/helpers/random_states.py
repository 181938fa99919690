"""Random states of a lab over all its fields: ends of their bounds, small and equal samples, placed points, files."""

from __future__ import annotations

import json
import math

import numpy as np
import param
from every_lab import finished_sweep

from explorer.datasets import read_bags, read_string_classes, read_table, read_tables
from explorer.model import link_text
from explorer.parameters import Odd, Real, Whole
from explorer.workbench import registry
from explorer.workbench.axes import swept as fields_swept
from explorer.workbench.study import presets_of, subjects

# the largest values that are drawn, so that a state takes a few hundredths of a second
CAPS = {
    "n": 60,
    "m": 60,
    "d": 8,
    "outliers": 70,
    "blocks": 61,
    "length": 4,
    "longer": 5,
    "contaminated": 60,
    "shuffles": 40,
}
CAPS |= {"flips": 40, "samples": 0, "rank": 50, "shuffle": 199, "iteration": 100, "selected": 3, "time": 60, "rows": 0}
FLOATS = (1e-75, 1e75)  # bandwidths whose fourth power is finite
FIXED = {
    "file",
    "hash",
    "file2",
    "hash2",
    "second_file",
    "rows",
    "rows2",
    "group",
    "columns",
    "missing",
    "lenient",
    "gram",
}
FIXED |= {"lenient", "gram", "peer"}


def _csv(columns, rows):
    return (",".join(columns) + "\n" + "\n".join(",".join(map(str, row)) for row in rows) + "\n").encode()


def _files():
    """Return {name: bytes} of difficult tables: equal rows, few values, far and tiny ones, one outlying row."""
    rng = np.random.default_rng(7)
    normal = rng.standard_normal((40, 3))
    who = np.array(["a", "b"] * 20)[:, None]

    def table(values):
        return _csv(["p", "q", "r", "who"], np.column_stack([np.asarray(values, dtype=object), who]))

    return {
        "normal.csv": table(normal.round(6)),
        "equal.csv": table(np.full((40, 3), 2.5)),
        "dice.csv": table(rng.integers(0, 3, (40, 3))),
        "coin.csv": table(np.column_stack([np.arange(40) % 2, np.arange(40) % 2, np.zeros(40)])),
        "far.csv": table((1e6 + normal).round(6)),
        "tiny.csv": table([[f"{v:.9g}" for v in row] for row in normal * 1e-9]),
        "one out.csv": table([[1, 2, 3]] * 38 + [[1, 2, 4], [9, -7, 0]]),
    }


def _bags(values, label):
    """Return a table of eight bags of five rows, with the class and the number of each row's bag."""
    rows = [[f"b{i // 5}", *row, "uv"[i // 5 % 2], label(i // 5)] for i, row in enumerate(values)]
    return _csv(["bag", "p", "q", "who", "level"], rows)


FILES = _files()
BAGS = {
    "bags.csv": _bags(np.random.default_rng(8).standard_normal((40, 2)).round(6), lambda bag: bag),
    "equal bags.csv": _bags(np.full((40, 2), 2.5), lambda bag: bag),
    "tiny bags.csv": _bags(1e-9 * np.random.default_rng(9).standard_normal((40, 2)), lambda bag: bag % 3 + 0.5),
}
READS = b"".join(
    f"{'EI' if i % 2 else 'IE'},{''.join(np.random.default_rng(i).choice(list('ACGT'), 5 + i % 9))}\n".encode()
    for i in range(40)
)
FILES["reads.csv"] = b"class,sequence\n" + READS
TABLES = [name for name in FILES if name != "reads.csv"]
FILES |= BAGS


def states(name, count, seed):
    """Draw `count` labs of a name with a seed."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield state(name, rng)


def state(name, rng):
    """Draw a random lab; fields whose values are not allowed together keep their defaults."""
    if name == "sweep":
        return _sweep(rng)
    cls, share = registry.entry(name).lab, rng.choice([0.15, 0.4, 0.8])
    drawn = {
        field: _value(name, field, declared, rng)
        for field, declared in cls.fields.items()
        if field not in FIXED
        and (rng.random() < share or (field == "n" and declared.default > CAPS["n"]) or field == "m")
    }
    if rng.random() < 0.9 or drawn.get("estimator", "KME") != "KME":
        drawn |= {"permutations": "199"} if "permutations" in cls.fields else {}
    lab, _ = cls.from_flat({field: link_text(value) for field, value in drawn.items()})
    if name in ("dna", "monk") and lab.n > CAPS["n"]:
        lab, _ = cls.from_flat({**lab.flat(), "n": "12", "blocks": "5"})
    return _with_own(name, lab, rng) if getattr(lab, "source", "") == "file" else lab


def _value(name, field, declared, rng):
    """Draw a value of a field: its ends, its slider's, or any between."""
    if isinstance(declared, Real):
        return _number(field, declared, rng)
    if isinstance(declared, param.Selector):
        return list(declared.objects)[rng.integers(len(declared.objects))]
    if isinstance(declared, param.Boolean):
        return bool(rng.integers(2))
    return _words(name, field, rng)


def _number(field, declared, rng):
    low, high = FLOATS if field == "bandwidth" else declared.bounds or (None, None)
    least, most = declared.softbounds or (low, 1000 if high is None else high)
    cap = CAPS.get(field, math.inf)
    kind = rng.choice(["end", "slider", "between", "none", "default"], p=[0.15, 0.2, 0.45, 0.1, 0.1])
    if kind == "none" and declared.allow_None:
        return None
    if kind == "default" and declared.default is not None:
        return declared.python_type(min(declared.default, cap))
    if kind == "end":
        ends = [v for v in (low, high, math.inf if declared.infinite else None) if v is not None] or [least, most]
        value = ends[rng.integers(len(ends))]
        if declared.inclusive_bounds != (True, True) and value in (low, high):
            value = least
        if value == math.inf and not declared.infinite:
            value = most
    elif kind == "slider":
        value = (least, most)[rng.integers(2)]
    else:
        a, b = max(least, low if low is not None else least), min(most, cap)
        value = a if b <= a else math.exp(rng.uniform(math.log(a), math.log(b))) if a > 0 else rng.uniform(a, b)
    if isinstance(declared, Whole):
        value = int(min(value, cap))
        return value - (value + 1) % 2 if isinstance(declared, Odd) else value
    return float(min(value, cap)) if rng.random() < 0.5 or not math.isfinite(value) else float(f"{min(value, cap):.3g}")


def _words(name, field, rng):
    """Draw the text of a field: placed points, columns, or a table of counts."""

    def at(scale=3.0):
        return [float(f"{v:.6g}") for v in rng.standard_normal(2) * scale]

    some = int(rng.integers(1, 6))
    if field.startswith("moved"):
        rows = rng.integers(0, 70, some) if rng.random() < 0.8 else range(60)
        place = at() if rng.random() < 0.3 else None
        return json.dumps({str(int(row)): place or at(rng.choice([1.0, 1e3])) for row in rows})
    if field == "placed":
        heights = rng.uniform(0, 2, some).round(3).tolist()
        points = [[at()[0], height] for height in heights]
        equal = name != "monk" and rng.random() < 0.3
        return json.dumps([points[0]] * some if equal else points if rng.random() < 0.9 else [])
    if field == "target_at":
        return json.dumps(at())
    if field == "dropped":
        return json.dumps(sorted({f"{'PQ'[rng.integers(2)]}{rng.integers(1, 30)}" for _ in range(some)}))
    if field == "pair":
        return f"X{rng.integers(1, 4)} Y{rng.integers(1, 4)}"
    if field in ("counts", "chances"):
        p, q = rng.integers(2, 6), 3
        values = rng.integers(0, 4, (p, q)) if field == "counts" else rng.integers(0, 3, q)
        return json.dumps(values.tolist()) if values.sum() else ""
    return ""


def _with_own(name, lab, rng):
    """Return the lab with one of the files as the user's data."""
    if name == "dna":
        strings = read_string_classes(FILES["reads.csv"], "reads.csv")
        fields = {"groups": '["EI", "IE"]', "rows": strings.n, "hash": strings.hash, "file": "reads.csv"}
        lab = lab.replace(
            **fields, n=min(lab.n, 10), blocks=1, contaminated=min(lab.contaminated, 10, lab.n), pair="X1 Y1"
        )
        lab.own = strings
        return lab
    if name == "distributions":
        file, label = list(BAGS)[rng.integers(len(BAGS))], ["who", "level"][rng.integers(2)]
        own = read_bags(FILES[file], "bag", label, ["p", "q"], standardise=lab.standardise, name=file)
        fields = {"file": file, "rows": own.n, "hash": own.hash, "columns": '["p", "q"]'}
        lab = lab.replace(**fields, bag_column="bag", label_column=label, bag=min(lab.bag, 4), label="")
        lab.own = own
        return lab
    file = TABLES[rng.integers(len(TABLES))]
    fields = {"file": file}
    if name == "monk":  # its lab scales x and y together
        own = hashed = read_table(FILES[file], name=file)
        n = min(lab.n, own.n)
        fields |= {"n": n, "blocks": min(lab.blocks, n - (n + 1) % 2), "outliers": 0, "placed": "", "selected": 0}
    elif name in ("twosample", "adaptation"):
        tables = read_tables([FILES[file]], None, "refuse", "none", target="who", names=[file])
        own, hashed = tables, tables[0]
        fields |= {"group": "who", "n": min(lab.n, 20), "m": min(lab.m, 20)}
        fields |= {"outliers": min(lab.outliers, 2)} if name == "twosample" else {}
    else:
        chosen = [["p"], ["p", "q"], None][rng.integers(3)] if name in ("shrinkage", "marginalized") else None
        own = hashed = read_table(FILES[file], columns=chosen, standardise=lab.standardise, name=file)
        fields |= {"columns": json.dumps(chosen) if chosen else "", "n": min(lab.n, 40)}
        fields |= {"outliers": min(lab.outliers, fields["n"] - 1)} if name == "shrinkage" else {}
    lab = lab.replace(**fields, rows=hashed.n, hash=hashed.hash)
    lab.own = own
    return lab


def _sweep(rng):
    """Run a small sweep of two of another lab's fields."""
    name = list(subjects())[rng.integers(len(subjects()))]
    fields = {"lab": name, "replicates": int(rng.integers(1, 3)), "paired": bool(rng.integers(2))}
    known = list(fields_swept(name))
    for which, taken in zip("xy", rng.permutation(len(known)), strict=False):
        fields |= {which: known[taken], f"{which}_count": int(rng.integers(1, 3))}
        if (low := _low(name, known[taken])) is not None:
            fields |= {f"{which}_from": low[0], f"{which}_to": low[1]}
    if rng.random() < 0.4:
        fields["y"] = "none"
        fields.pop("y_from", None), fields.pop("y_to", None)
    if rng.random() < 0.3:
        fields["at"] = list(presets_of(name))[rng.integers(len(presets_of(name)))]
    numbers = subjects()[name].measures
    fields |= {"measure": numbers[rng.integers(len(numbers))], "seed": int(rng.integers(2**32))}
    return finished_sweep(
        {key: value.item() if isinstance(value, np.generic) else value for key, value in fields.items()}
    )


def _low(lab, field):
    """Return the ends of an axis that make small samples, or None for a menu."""
    declared = fields_swept(lab)[field]
    if not isinstance(declared, Real):
        return None
    low, high = declared.softbounds
    return (low, high) if field not in CAPS else (low, min(max(low, 19), high))  # odd, as numbers of blocks must be


def tolerance(name, space, result):
    """Return the tolerance between copied Python and the page in a state, relative to a number or to 1.

    The labs promise 1e-12. Both subtract numbers that are larger than their results, which loses digits: a loss is a
    difference of squared norms of about k(x, x), a score one of n times that, and MONK's square one of terms up to
    the square of the longest difference of a pair.
    """
    lost = 0.0
    if name in ("shrinkage", "marginalized"):
        kernel, X = space["kernel"], space["X"]
        square, loss = kernel.diagonal(X).mean(), _loss_of_kme(space, kernel, X)
        lost = square / loss if loss > 0 else math.inf
    elif name == "monk":
        lost = np.diag(result.pairs.D).max() / (result.estimate.value**2 or 1.0)
    return 1e-12 + 100 * np.finfo(float).eps * lost


def _loss_of_kme(space, kernel, X):
    """Return the plain average's loss, or its estimate if the distribution is unknown."""
    if "law" in space:
        return space["estimators"]["KME"].embed(X).distance(space["truth"]) ** 2
    return space["scores"]["KME"] / len(X) ** 2
