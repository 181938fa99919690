"""What the Two-sample lab's pictures draw, as columns.

`columns` turns a result into the columns of the figures' sources, `bandwidth_tables` those that follow the bandwidth,
for every stop of its slider, so that a browser can answer the slider by itself.
"""

from __future__ import annotations

import numpy as np

from explorer.discrepancy import window

Z_RANGE, P_RANGE = (-3.5, 9.0), (5e-4, 1.6)  # of the null's picture, in its standard deviations; of every p
BANDWIDTH_RANGE, SIZE_RANGE, FREQUENCY_RANGE = (0.01, 10.0), (5.0, 5000.0), (0.05, 50.0)
BINS = 50
HIGHEST = (0.2, 0.4, 0.7, 1.05)  # where the null's axis may end: it stays while a hand moves, but for rare steps
HIGH, LOW = 1.22, -1.22  # where the points of P and of Q lie when they have one coordinate
# the pictures that share one place, and the sources that each alone draws
PICTURES = {
    "bandwidths": {"strip", "many", "here"},
    "x-ray": {"xray"},
    "moments": {"moments"},
    "power": {"power", "plan", "checks"},
    "influence": {"rows", "named"},
}  # fmt: skip


def columns(result):
    """Source name -> column name -> array, at the lab's bandwidth."""
    x, y, drawn = _edges()[:-1], _edges()[1:], _moving(result, [result.place])
    samples, n = result.samples, len(result.samples.X)
    xs, ys = _plane(result)
    found = {
        "null": {"left": x, "right": y},
        "observed": {"y": np.array([0.1])},
        "threshold": {},
        "field": _field(result),
        "curve": _curve(result),
        "P": {"x": xs[:n], "y": ys[:n]},
        "Q": {"x": xs[n:], "y": ys[n:]},
        "strays": {"x": xs[samples.touched], "y": ys[samples.touched]},
        "extremes": {},
        "here": {},
        "strip": _strip(result),
        "many": _many(result),
        "xray": _xray(result),
        "moments": _moments(result),
        "power": _power(result),
        "plan": _plan(result),
        "checks": _checks(result),
        "rows": _influence(result),
        "named": _named(result),
    }
    for (source, column), table in drawn.items():
        found[source][column] = table[0]
    return found


def bandwidth_tables(result):
    """(source, column) -> (slider stops, length): what changes with the bandwidth; one row where there are no more."""
    drawn = _moving(result, range(len(result.trials.bandwidths)))
    if result.moments is not None:
        drawn = {name: np.broadcast_to(t, (len(result.slider), t.shape[1])) for name, t in drawn.items()}
        drawn["here", "x"] = np.array(result.slider)[:, None]
    return drawn


def _hidden(result):
    unseen = set().union(*(sources for name, sources in PICTURES.items() if name != result.picture))
    return unseen | ({"curve"} if result.samples.X.shape[1] > 1 else {"field"})


def seen_columns(result):
    """`columns` of what can be seen."""
    unseen = _hidden(result)
    return {source: data for source, data in columns(result).items() if source not in unseen}


def seen_tables(result):
    """`bandwidth_tables` of what can be seen; the others' are empty."""
    unseen = _hidden(result)
    return {(s, c): t[:, :0] if s in unseen else t for (s, c), t in bandwidth_tables(result).items()}


def _edges():
    return np.linspace(*Z_RANGE, BINS + 1)


def _moving(result, rows):
    """`bandwidth_tables` at some rows of the trials."""
    rows, trials = list(rows), result.trials
    mean, spread = (part[rows] for part in result.scale)
    z = (trials.null[rows] - mean[:, None]) / spread[:, None]
    observed = (trials.observed[rows] - mean) / spread
    reaches = trials.null[rows] + trials.tolerance[rows][:, None] >= trials.observed[rows][:, None]
    level = [result.test(row).threshold(result.lab.alpha) for row in rows]
    heat, size = trials.witness[rows], np.abs(trials.witness[rows]).max(axis=1, keepdims=True)
    heat = heat / np.where(size > 0, size, 1.0)
    one, empty = result.samples.X.shape[1] == 1, np.zeros((len(rows), 0))
    line = heat if one else empty
    xs, ys = _plane(result)
    ends = np.column_stack([np.argmax(trials.heights[rows], axis=1), np.argmin(trials.heights[rows], axis=1)])
    scanned, product = _window(result, trials.bandwidths[rows])
    return {
        # a bar that is higher than the picture ends with it, until the hand rests and the axis follows
        ("null", "top"): np.minimum(_counts(z), top_of(result)),
        ("null", "tail"): np.minimum(_counts(z, reaches), top_of(result)),
        ("observed", "x"): np.clip(observed, Z_RANGE[0] + 0.1, Z_RANGE[1] - 0.1)[:, None],
        ("observed", "beyond"): np.where(observed > Z_RANGE[1], 14.0, 0.0)[:, None],
        ("threshold", "x"): np.nan_to_num((np.array(level) - mean) / spread, posinf=np.nan)[:, None],
        ("field", "w"): empty if one else heat,
        ("curve", "w"): line,
        ("curve", "up"): np.maximum(line, 0.0),
        ("curve", "down"): np.minimum(line, 0.0),
        ("extremes", "x"): xs[ends],
        ("extremes", "y"): ys[ends],
        ("here", "x"): trials.bandwidths[rows][:, None],
        ("here", "y"): np.clip(trials.pvalues[rows], *P_RANGE)[:, None],
        ("xray", "window"): scanned,
        ("xray", "product"): product,
    }


def _counts(z, chosen=None):
    """The share of all shuffles, (r, BINS), that are chosen and lie in each bin; the last holds all beyond."""
    place = np.clip(((z - Z_RANGE[0]) * (BINS / (Z_RANGE[1] - Z_RANGE[0]))).astype(int), 0, BINS - 1)
    rows = place if chosen is None else [p[c] for p, c in zip(place, chosen, strict=True)]
    return np.array([np.bincount(p, minlength=BINS) for p in rows]) / z.shape[1]


def top_of(result):
    """Where the null's axis ends, by the bars at the lab's own bandwidth."""
    mean, spread = (part[result.place] for part in result.scale)
    top = _counts((result.trials.null[[result.place]] - mean) / spread).max()
    return next((end for end in HIGHEST if 1.04 * top <= end), HIGHEST[-1])


def _plane(result):
    """Where the pooled points are drawn; one beyond the frame stays at its edge."""
    P, (cx, cy, half) = result.samples.pooled, result.frame
    x = np.clip(P[:, 0], cx - 1.3 * half, cx + 1.3 * half)
    if P.shape[1] > 1:
        return x, np.clip(P[:, 1], cy - half, cy + half)
    n = len(result.samples.X)
    # in one dimension the height means nothing; golden steps keep neighbours of the sample apart
    jitter = 0.16 * ((np.arange(len(P)) * 0.6180339887) % 1 - 0.5)
    return np.clip(P[:, 0], cx - half, cx + half), np.where(np.arange(len(P)) < n, HIGH, LOW) + jitter


def _field(result):
    """Tiles over the plane, whose heights the trials have."""
    if result.samples.X.shape[1] == 1:
        return {name: np.zeros(0) for name in ("x", "y", "width", "height")}
    at = result.places
    x, y = at[:, 0], at[:, 1]
    width, height = x[-1] - x[0], y[-1] - y[0]
    along, across = len(np.unique(x)), len(np.unique(y))
    return {
        "x": x,
        "y": y,
        "width": np.full(len(x), width / (along - 1)),
        "height": np.full(len(x), height / (across - 1)),
    }


def _curve(result):
    return {"x": result.places[:, 0] if result.samples.X.shape[1] == 1 else np.zeros(0)}


def _strip(result):
    """p under the Gaussian kernel at every bandwidth, once it is there."""
    if result.every is None:
        return {"x": np.zeros(0), "y": np.zeros(0)}
    trials = result.every.trials
    return {"x": trials.bandwidths, "y": np.clip(trials.pvalues, *P_RANGE)}


def _many(result):
    """The p-values of the two tests over all bandwidths."""
    if result.every is None:
        return {"x": np.zeros(0), "agg": np.zeros(0), "fuse": np.zeros(0)}
    return {
        "x": np.array(BANDWIDTH_RANGE),
        "agg": np.full(2, result.every.aggregated),
        "fuse": np.full(2, result.every.fused),
    }


def _xray(result):
    found = result.every and result.every.difference
    if not found:
        return {name: np.zeros(0) for name in ("x", "difference", "chance")}
    unit = result.median / np.sqrt(result.samples.X.shape[1])
    return {"x": found.frequencies * unit, "difference": found.difference, "chance": found.chance}


def xray_top(result):
    """How high the X-ray's axis goes: with the data, not with the bandwidth."""
    found = result.every and result.every.difference
    return 1.15 * float(max(found.difference.max(), found.chance.max())) if found else 1.0


def _window(result, bandwidths):
    """What the kernel hears per logarithm of the frequency, its peak as high as the axis, and that part of the
    difference.
    """
    found = result.every and result.every.difference
    if not found or result.moments is not None:
        return np.zeros((len(bandwidths), 0)), np.zeros((len(bandwidths), 0))
    d, w, theta = result.samples.X.shape[1], found.frequencies, (bandwidths * result.median)[:, None]
    peak = window(np.sqrt(d) / theta, theta, d) * np.sqrt(d) / theta
    share = w * window(w, theta, d) / peak
    return share * xray_top(result) / 1.15, share * found.difference


def _moments(result):
    """Each moment's part of MMD^2."""
    if result.moments is None:
        return {"x": np.zeros(0), "y": np.zeros(0)}
    total = result.moments.sum()
    return {
        "x": np.arange(1.0, 5.0),
        "y": np.append(result.moments, np.zeros(4 - len(result.moments))) / (total or 1.0),
    }


def _power(result):
    if result.here is None or result.here.power is None:
        return {"x": np.zeros(0), "y": np.zeros(0)}
    return {"x": result.sizes, "y": result.here.power}


def _plan(result):
    """Where the lab is on the power's curve, and the first n that has the power that one wants."""
    if result.here is None or result.here.power is None:
        return {"x": np.zeros(0), "y": np.zeros(0), "fill": np.zeros(0)}
    n, sizes, power = len(result.samples.X), result.sizes, result.here.power
    needed = result.here.needed or np.nan
    return {"x": np.array([n, needed]), "y": np.interp([n, needed], sizes, power), "fill": np.array([1.0, 0.0])}


def _checks(result):
    """How often the test rejected fresh samples of P and Q, and splits of P's own; the ends are 95 % intervals."""
    checked = result.checked
    if checked is None:
        return {name: np.zeros(0) for name in ("x", "y", "low", "high", "fill")}
    n = len(result.samples.X)
    both = [(max(n // 2, SIZE_RANGE[0]), checked.equal, 0.0)] + [(n, checked.fresh, 1.0)] * (checked.fresh is not None)
    ends = [checked.interval(k) for _, k, _ in both]
    return {
        "x": np.array([x for x, _, _ in both], dtype=float),
        "y": np.array([k / checked.count for _, k, _ in both]),
        "low": np.array([e[0] for e in ends]),
        "high": np.array([e[1] for e in ends]),
        "fill": np.array([fill for *_, fill in both]),
    }


def _influence(result):
    """The p-value with all rows, and without each of those that matter most."""
    rows = result.here.influence if result.here else ()
    return {
        "y": np.arange(len(rows), 0.0, -1.0),
        "x": np.clip([row.pvalue for row in rows], *P_RANGE),
        "all": np.full(len(rows), result.pvalue),
    }


def _named(result):
    rows = result.here.influence if result.here else ()
    return {
        "y": np.arange(len(rows), 0.0, -1.0) + 0.42,
        "text": np.array([f"without {row.name}" for row in rows], dtype=object),
    }


def pinned(result):
    """What of a result stays in the pictures beside the present one: where it was observed, and its strip."""
    if result is None:
        return {"observed": {"x": np.zeros(0)}, "strip": {"x": np.zeros(0), "y": np.zeros(0)}}
    return {"observed": {"x": columns(result)["observed"]["x"]}, "strip": _strip(result)}
