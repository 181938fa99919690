"""Copied Python of the Marginalized lab, a few lines that reproduce the page's numbers, and the lab's tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.marks.mark import Numbers
from explorer.snippets import NOTHING, Snippet, imports, snippet
from explorer.tables.html_tables import with_own
from explorer.workbench.replicates import loss_columns
from explorer.workbench.script import ESTIMATED_LOSSES, LOSSES, script, table_lines
from explorer.workbench.user_rows import drawn_lines

from .extra_estimator.words import third_name
from .lab import NARROW, WIDE

if TYPE_CHECKING:
    from .result import MarginalizedResult


def python(result: MarginalizedResult) -> Snippet:
    """Return a script that prints, and leaves in `losses`, the losses that the page shows at its σ.

    They are losses relative to the loss of KME, equal to the page's to 1e-12.
    """
    lab, row = result.lab, result.row
    if result.law is not None:
        names = ["StudentT" if lab.source == "student" else "GaussianMixture"]
        lines = [*_law(lab), snippet("X = law.sample({}, rng={})", lab.n, lab.seed)]
    else:
        lines, names = table_lines(lab)
    how = snippet("  # the leave-one-out choice")
    if lab.sigma is not None:
        how = snippet("  # {:g} of the data's standard deviation", lab.sigma)
    lines += [
        snippet("kernel = {}  # {:g} x the median heuristic", result.kernel, lab.bandwidth),
        snippet("estimators = {{"),
        snippet('    "KME": KME(kernel),'),
        snippet('    "MKME": MKME(kernel, sigma={}),{}', float(result.mkme.deviations[row, 0]), how),
        snippet('    "MMKME": MMKME(kernel, sigma={}),', result.mmkme.deviations[row].tolist()),
        snippet("}}"),
    ]
    if result.law is not None:
        lines += LOSSES
    else:
        lines += [
            snippet('scores = {{"KME": KME(kernel).loocv(X)}}'),
            snippet('for name in ("MKME", "MMKME"):'),
            snippet("    scores[name] = float(estimators[name].loocv(X, [estimators[name].sigma])[0])"),
            *ESTIMATED_LOSSES,
        ]
    return script([*names, "KME", "MKME", "MMKME", "Gaussian"], [*lines, *_third(result)])


def _third(result):
    """Return Python for the third estimate's loss, or its score if the truth is unknown; nothing if none is chosen."""
    third, lab = result.third, result.lab
    if third is None:
        return []
    s, name = float(third.path.sigmas[result.row]) * result.unit, third_name(result)
    names, more = ["NoisySample", "marginalized_along"], NOTHING
    known = result.law is not None
    if third.shapes is None:
        names += ["other_noise"]
        noise = snippet("other_noise(noisy, {})", lab.third)
    elif lab.third == "local":
        names += ["local_shapes", "marginalized_refits", "shaped"]
        noise = snippet("shaped(noisy, local_shapes(X, {}))", lab.neighbours)
        more = snippet(", score=marginalized_refits(noisy, lambda X: local_shapes(X, {}))", lab.neighbours)
    else:
        names += ["shaped"]
        noise = snippet("shaped(noisy, numpy.array({}))", third.shapes.tolist())
    return [
        *([snippet("import numpy")] if "numpy." in noise else []),
        imports("explorer.estimators", names),
        snippet("noisy = NoisySample(kernel, X, {})", snippet("law") if known else snippet("None")),
        snippet(
            "third = marginalized_along(noisy, [], 1.0, {}, [1.0] * {}, chosen={}{})", noise, result.X.shape[1], s, more
        ),
        snippet("losses[{}] = float(third.height[-1])", name),
        snippet("print(losses)"),
    ]


def _law(lab):
    """Return the lines that create the true distribution."""
    if lab.source == "normal":
        return [snippet("law = GaussianMixture([1.0], [[0.0] * {}], [1.0] * {})", lab.d, lab.d)]
    if lab.source == "student":
        return [snippet("law = StudentT({}, [0.0] * {}, 1.0)", lab.df, lab.d)]
    if lab.source == "mixture":
        return [snippet("law = GaussianMixture.random({}, rng={})", lab.d, lab.law_seed)]
    if lab.source == "measured":
        covariance = (lab.error + NARROW * np.eye(lab.d)).tolist()
        return [
            snippet("hills = GaussianMixture.random({}, rng={})", lab.d, lab.law_seed),
            snippet("blurred = {}  # narrow clusters, and the measurement error", covariance),
            snippet("law = GaussianMixture(hills.weights, hills.means, [blurred] * len(hills.weights))"),
        ]
    return [
        snippet("hills = GaussianMixture.random({}, rng={})", lab.d, lab.law_seed),
        snippet("means = hills.means * ([0.0] + [1.0] * {})  # the first coordinate is only noise", lab.d - 1),
        snippet("law = GaussianMixture(hills.weights, means, [{}] + [{}] * {})", WIDE, NARROW, lab.d - 1),
    ]


def numbers(result: MarginalizedResult) -> Numbers:
    """Return the tables: the curves over the slider's σ, the sample, the noise per coordinate, the secondary picture.

    The form is table -> column -> values, shape (rows,).
    """
    paths = {"mkme": result.mkme, "mmkme": result.mmkme}
    curves = {"sigma_sd": result.mkme.sigmas[:-1], "sigma": result.mkme.deviations[:-1, 0]}
    for name, path in paths.items():
        curves |= loss_columns(path, name, result.replicates, name)
    if result.risk is not None:
        curves["mkme_risk"] = result.risk[:-1]
    if result.third is not None:
        curves |= {"third_score": result.third.path.score[:-1], "third_height": result.third.path.height[:-1]}
    noise = {"coordinate": np.arange(1, result.X.shape[1] + 1)}
    noise |= {f"{name}_sigma": path.deviations[result.row] for name, path in paths.items()}
    return {
        "curves": curves,
        "sample": with_own(result.sample.own, {}, drawn_lines(result.lab)),
        "noise": noise,
        result.lab.picture: SMALL[result.lab.picture](result),
    }


def _kernel(result):
    small, row = result.slices, result.row
    lines = {"mkme_one": small.one, "mkme_both": small.both, "mmkme_first": small.first, "mmkme_second": small.second}
    return {"distance_theta": small.at, "k": small.plain, **{n: v[row] for n, v in lines.items() if v is not None}}


def _filter(result):
    small = result.projected
    return {
        "eigenvalue": small.eigenvalues[::-1],
        "kme_share": small.coefficients[::-1],
        "mkme_keeps": small.kept[result.row][::-1],
    }


def _approximation(result):
    parts = {name: getattr(result.missed, name)[:-1] for name in ("kme", "projection", "corrected", "printed")}
    return {"sigma_sd": result.mkme.sigmas[:-1], **parts}


def _dice(result):
    small = result.thrown
    return {"copies": np.arange(1, len(small.path) + 1), "squared_distance": small.path, "expected": small.expected}


SMALL: dict[str, Callable[[Any], dict[str, Any]]] = {
    "kernel": _kernel,
    "filter": _filter,
    "approximation": _approximation,
    "dice": _dice,
}
