"""What the MONK lab's small pictures draw, as columns."""

from __future__ import annotations

import numpy as np

from explorer.estimators.medianofmeans import blocks_needed, deviation_bound

from .monk_axis import LEAST_ERROR, on_axis, symlog, top_error

COUNT_RANGE = (-0.5, 20.5)
STROKES = {5: "···", 11: "──", 21: "╌╌"}  # of the lines of so many blocks
LEVELS = np.linspace(0.02, 3.6, 60)  # ln(1/η)
ETA = 0.05  # the level that the words of the vacuous part speak of
PICTURES = {"cliff": {"cliff_5", "cliff_11", "cliff_21", "cliff_U", "needed", "count"},
            "quantiles": {"rank_KME", "rank_11", "rank_21", "bound", "vacuous"},
            "steps": {"history", "step", "at_step", "truth_step"},
            "embedding": {"functions"}}  # fmt: skip


def small_columns(result):
    """Source name -> column name -> array, of all four; what a picture does not show now is empty."""
    return {**cliff(result), **quantiles(result), **steps(result), "functions": functions(result)}


def blank(*names):
    """Columns of nothing."""
    return {name: np.zeros(0) for name in names}


def cliff(result):
    study, ends = result.replicates, (LEAST_ERROR, top_error(result))
    drawn = {f"cliff_{name}": blank("x", "low", "middle", "high") for name in ("U", 5, 11, 21)}
    if study is not None and study.counts:
        for name in study.errors:
            quartiles = (np.clip(study.quantile(name, q), *ends) for q in (0.25, 0.5, 0.75))
            drawn[f"cliff_{name}"] = dict(
                zip(("x", "low", "middle", "high"), (np.array(study.counts, float), *quartiles), strict=True)
            )
    votes = np.array([Q for Q in STROKES if Q <= result.lab.n])
    drawn["needed"] = {
        "x": (votes + 1) / 2,
        "y": np.full(len(votes), 1.6 * LEAST_ERROR),
        "words": np.array([f"{Q} {STROKES[Q]}" for Q in votes]),
    }
    drawn["count"] = {"x": np.array([min(float(result.outliers), COUNT_RANGE[1])])}
    return drawn


def quantiles(result):
    study = result.replicates
    drawn = {f"rank_{name}": blank("x", "y") for name in ("KME", 11, 21)}
    if study is not None and not study.counts:
        for name, values in study.errors.items():
            # the k-th largest of m errors stands for η = (k - 1/2) / m
            eta = (np.arange(study.count) + 0.5)[::-1] / study.count
            drawn[f"rank_{name}"] = {"x": np.log(1 / eta), "y": np.sort(values)}
    if result.lab.picture != "quantiles":
        return {
            **drawn,
            "bound": blank("x", "y"),
            "vacuous": {**blank("left", "right", "at"), "words": np.zeros(0, dtype=str)},
        }
    bound = deviation_bound(
        (result.P, result.Q)[result.one], result.pairs.kernel, result.lab.n, np.exp(-LEVELS), result.lab.outliers
    )
    held = np.isfinite(bound)
    start = LEVELS[held].max() if held.any() else 0.0
    said = f"Theorem 1 is vacuous: η = {ETA:g} needs Q = {blocks_needed(ETA):.0f}"
    return {
        **drawn,
        "bound": {"x": LEVELS[held], "y": bound[held]},
        "vacuous": {
            "left": np.array([start]),
            "right": np.array([LEVELS[-1]]),
            "at": np.array([1.6 * LEAST_ERROR]),
            "words": np.array([said]),
        },
    }


def steps(result):
    steps = result.steps
    if steps is None:
        return {
            "history": blank("x", "monk", "fast"),
            "step": blank("x", "y"),
            "at_step": blank("x"),
            "truth_step": blank("y"),
        }
    here = result.lab.iteration
    blocks, values = on_axis(result, steps[here - 1].after), on_axis(result, [s.value for s in steps])
    empty, fast = np.full(len(steps), np.nan), result.lab.method == "bcd-fast"
    return {
        "history": {
            "x": np.arange(1.0, len(steps) + 1),
            "monk": empty if fast else values,
            "fast": values if fast else empty,
        },
        "step": {"x": np.full(len(blocks), float(here)), "y": blocks},
        "at_step": {"x": np.array([float(here)])},
        "truth_step": {"y": symlog([result.truth])},
    }


def functions(result):
    e = result.embeddings
    if e is None:
        return blank("x", "truth", "kme", "median")
    return {"x": e.at, "truth": e.truth, "kme": e.kme, "median": e.median}
