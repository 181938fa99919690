"""Copy Python: the few lines that give the screen's numbers again."""

from __future__ import annotations

from explorer.labs.shrinkage.script import _table
from explorer.model import code

from .marginalized_sources import NARROW, WIDE


def python(result):
    """A script that prints, and leaves in `losses`, what the page shows at its σ.

    Loss / loss of KME, equal to 1e-12.
    """
    lab, row = result.lab, result.row
    names, known = {"KME", "MKME", "MMKME", "Gaussian"}, result.law is not None
    if known:
        names.add("GaussianMixture")
        lines = [*_law(lab), f"X = law.sample({lab.n}, rng={lab.seed})"]
    else:
        lines, more = _table(lab)
        names.update(more)
    how = "the leave-one-out choice" if lab.sigma is None else f"{lab.sigma:g} of the data's standard deviation"
    lines += [
        f"kernel = {code(result.kernel)}  # {lab.bandwidth:g} x the median heuristic",
        "estimators = {",
        '    "KME": KME(kernel),',
        f'    "MKME": MKME(kernel, sigma={float(result.mkme.deviations[row, 0])!r}),  # {how}',
        f'    "MMKME": MMKME(kernel, sigma={result.mmkme.deviations[row].tolist()!r}),',
        "}",
    ]
    if known:
        lines += [
            "truth = law.embed(kernel)",
            "losses = {name: e.embed(X).distance(truth) ** 2 for name, e in estimators.items()}",
            'losses = {name: loss / losses["KME"] for name, loss in losses.items()}',
            "print(losses)",
        ]
    else:
        lines += [
            'scores = {"KME": KME(kernel).loocv(X)}',
            'for name in ("MKME", "MMKME"):',
            "    scores[name] = float(estimators[name].loocv(X, [estimators[name].sigma])[0])",
            "# leave-one-out estimates of loss / loss of KME: KME's score is n times its estimated loss",
            (
                'losses = {name: 1 + len(X) * (s / scores["KME"] - 1) if scores["KME"] else 1.0 for name, s in'
                " scores.items()}"
            ),
            "print(losses)",
        ]
    imports = ", ".join(sorted(names, key=lambda n: (n.lower(), n)))
    return "\n".join([f"from explorer import {imports}", "", *lines, ""])


def _law(lab):
    if lab.source == "normal":
        return [f"law = GaussianMixture([1.0], [[0.0] * {lab.d}], [1.0] * {lab.d})"]
    if lab.source == "mixture":
        return [f"law = GaussianMixture.random({lab.d}, rng={lab.law_seed})"]
    return [
        f"hills = GaussianMixture.random({lab.d}, rng={lab.law_seed})",
        f"means = hills.means * ([0.0] + [1.0] * {lab.d - 1})  # the first coordinate is noise alone",
        f"law = GaussianMixture(hills.weights, means, [{WIDE}] + [{NARROW}] * {lab.d - 1})",
    ]
