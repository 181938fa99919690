"""Small pictures of numbers for a notebook cell.

SVG written by hand, with no library, script, font or address to fetch.

Lines and letters take the colour of the text around them, so that a picture is legible on light and dark pages. Every
picture is an image whose description is the sentence that it is shown with. Numbers in it are those of the object:
where a mark stands for one value, its tooltip says that value.
"""

from __future__ import annotations

import math

import numpy as np

from .markup import Markup, joined, markup

WIDTH, HEIGHT, EDGE, FOOT = 360, 130, 12, 18  # in pixels; the numbers of an axis stand in the foot
MOST = 100  # marks in one picture: with a tooltip each they take about 13 kB
ROWS, COLUMNS = 12, 8  # of a table
MARK = "#D55E00"  # vermilion of Okabe and Ito, seen on white and on black


class Axis:
    """Places from `start` to `stop` pixels for values between the least and the largest finite one of `values`.

    Infinite and undefined values have no place and leave no mark. Equal values lie in the middle.
    """

    def __init__(self, values, start, stop):
        finite = np.asarray(values, dtype=float).ravel()
        finite = finite[np.isfinite(finite)]
        self.low, self.high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
        self.start, self.stop = start, stop

    def __call__(self, value):
        # halves: the difference of two finite floats may be infinite
        span = self.high / 2 - self.low / 2
        share = 0.5 if span == 0 else (float(value) / 2 - self.low / 2) / span
        return self.start + share * (self.stop - self.start)

    def ends(self):
        """The least and the largest value in words."""
        return f"{self.low:.4g}", f"{self.high:.4g}"

    def range(self):
        """From the least to the largest value, in words."""
        return "from {} to {}".format(*self.ends())


def histogram(values, observed, label, name="observed"):
    """The counts of values (B,) in bins, and a line at the observed value."""
    values = np.asarray(values, dtype=float)
    finite = values[np.isfinite(values)]
    x = Axis([*finite, observed], EDGE, WIDTH - EDGE)
    bins = max(1, min(30, math.isqrt(len(finite))))
    # counted in pixels: numpy refuses bins narrower than the spacing of floats
    places = np.array([x(value) for value in finite])
    counts, borders = np.histogram(places, bins, range=(EDGE, WIDTH - EDGE))
    height = Axis([0, counts.max(initial=1)], HEIGHT - FOOT, EDGE)
    shapes = []
    for c, left, right in zip(counts, borders, borders[1:], strict=False):
        if c:
            top = height(c)
            place = {"x": left, "y": top, "width": right - left, "height": HEIGHT - FOOT - top}
            tip = f"{c} of {len(values)} values"
            shapes.append(mark("rect", tip, **place, fill="currentColor", opacity="0.45"))
    if math.isfinite(observed):
        place = {"x1": x(observed), "x2": x(observed), "y1": 4, "y2": HEIGHT - FOOT}
        shapes.append(mark("line", f"{name} {observed:.6g}", **place, stroke=MARK, stroke_width="2.5"))
    return svg([*shapes, *_foot(f"{name} {observed:.4g}", *x.ends())], label)


def bars(values, label, marked=None):
    """Bars of values (m,) up and down from 0 in their order; one may be marked."""
    values = np.asarray(values, dtype=float)
    kept = range(min(len(values), MOST))
    y = Axis([0, *values], HEIGHT - FOOT, EDGE)
    step = (WIDTH - 2 * EDGE) / max(len(kept), 1)
    shapes = [_baseline(y)]
    for i in kept:
        if np.isfinite(values[i]):
            colour = MARK if i == marked else "currentColor"
            top, bottom = sorted((y(values[i]), y(0)))
            place = {"x": EDGE + (i + 0.1) * step, "y": top, "width": 0.8 * step, "height": bottom - top}
            shapes.append(mark("rect", f"{i}: {values[i]:.6g}", **place, fill=colour, opacity="0.7"))
    return svg([*shapes, *_foot(y.range() + _left_out(len(values)))], label)


def intervals(names, middles, halfwidths, label, marked=None):
    """Intervals middle ± halfwidth, (m,) each, side by side with their names; one may be marked."""
    middles, halfwidths = np.asarray(middles, dtype=float), np.asarray(halfwidths, dtype=float)
    with np.errstate(over="ignore", invalid="ignore"):
        lows, highs = middles - halfwidths, middles + halfwidths
    y = Axis([*lows, *highs], HEIGHT - FOOT, EDGE)
    kept = range(min(len(middles), MOST))
    step, shapes = (WIDTH - 2 * EDGE) / max(len(kept), 1), []
    for i in kept:
        if np.isfinite(lows[i]) and np.isfinite(highs[i]):
            at, colour = EDGE + (i + 0.5) * step, MARK if i == marked else "currentColor"
            tip = f"{names[i]}: {middles[i]:.6g} ± {halfwidths[i]:.6g}"
            shapes.append(mark("line", x1=at, x2=at, y1=y(lows[i]), y2=y(highs[i]), stroke=colour, stroke_width=2))
            shapes.append(mark("circle", tip, cx=at, cy=y(middles[i]), r=2.5, fill=colour))
    return svg([*shapes, *_foot(y.range() + _left_out(len(middles)))], label)


def curve(xs, ys, label, log=False):
    """A line through (x, y), (m,) each; `log` spaces x by ratios."""
    xs, ys = np.asarray(xs, dtype=float), np.asarray(ys, dtype=float)
    seen = np.isfinite(xs) & np.isfinite(ys) & ((xs > 0) | (not log))
    xs, ys = xs[seen], ys[seen]
    kept = np.unique(np.linspace(0, len(xs) - 1, min(len(xs), 4 * MOST)).astype(int)) if len(xs) else []
    placed = np.log(xs) if log else xs
    x, y = Axis(placed, EDGE, WIDTH - EDGE), Axis([0, *ys], HEIGHT - FOOT, EDGE)
    points = " ".join(f"{x(placed[i]):.1f},{y(ys[i]):.1f}" for i in kept)
    line = mark("polyline", points=points, fill="none", stroke="currentColor", stroke_width="1.5")
    return svg([_baseline(y), line, *_foot(y.range(), *Axis(xs, EDGE, WIDTH - EDGE).ends())], label)


def points(X, weights, label):
    """Points (n, 1) as stems as high as their weights (n,), or (n, 2) as discs of that area, hollow where it is
    negative.
    """
    X, weights = np.asarray(X, dtype=float), np.asarray(weights, dtype=float)
    kept = np.sort(np.argsort(-np.abs(weights), kind="stable")[:MOST])
    x = Axis(X[kept, 0], EDGE, WIDTH - EDGE)
    tips = [f"{float(weights[i]):.6g} at {', '.join(f'{v:.6g}' for v in X[i])}" for i in kept]
    if X.shape[1] == 1:
        y = Axis([0, *weights[kept]], HEIGHT - FOOT, EDGE)
        pen = {"stroke": "currentColor", "stroke_width": 2, "opacity": "0.7"}
        shapes = [_baseline(y)] + [
            mark("line", tip, x1=x(X[i, 0]), x2=x(X[i, 0]), y1=y(0), y2=y(weights[i]), **pen)
            for i, tip in zip(kept, tips, strict=True)
        ]
    else:
        y, most = Axis(X[kept, 1], HEIGHT - FOOT - 6, EDGE), float(np.abs(weights).max()) or 1.0
        shapes = []
        for i, tip in zip(kept, tips, strict=True):
            place = {"cx": x(X[i, 0]), "cy": y(X[i, 1]), "r": 6 * math.sqrt(abs(weights[i]) / most)}
            fill = "currentColor" if weights[i] >= 0 else "none"
            shapes.append(mark("circle", tip, **place, fill=fill, stroke="currentColor", opacity="0.6"))
    return svg([*shapes, *_foot(_left_out(len(weights), "largest weights"), *x.ends())], label)


def ellipses(weights, means, covariances, label):
    """Gaussians in the plane: one standard deviation about each mean (c, 2), as opaque as their weights (c,) are
    large.
    """
    most = MOST // 2  # an ellipse takes twice the letters of a disc
    kept = np.argsort(-np.asarray(weights), kind="stable")[:most]
    spread = np.sqrt(np.diagonal(covariances, axis1=1, axis2=2))
    ends = np.concatenate([means - spread, means + spread])
    centre, room = np.array([WIDTH, HEIGHT - FOOT]) / 2, np.array([WIDTH, HEIGHT - FOOT]) / 2 - EDGE
    middle = ends.max(0) / 2 + ends.min(0) / 2
    # one unit for both axes: a round Gaussian is drawn round
    pixel = float(((ends.max(0) / 2 - ends.min(0) / 2) / room).max()) or 1.0
    shapes = []
    for i in kept:
        at = centre + (means[i] - middle) / pixel * [1, -1]
        gamma, U = np.linalg.eigh(covariances[i])
        radii = np.maximum(np.sqrt(np.maximum(gamma, 0)) / pixel, 1.0)
        angle = -math.degrees(math.atan2(U[1, 1], U[0, 1]))
        tip = f"{float(weights[i]):.6g} at {', '.join(f'{v:.6g}' for v in means[i])}"
        place = {"cx": at[0], "cy": at[1], "rx": radii[1], "ry": radii[0]}
        turn = f"rotate({angle:.1f} {at[0]:.1f} {at[1]:.1f})"
        ink = {"fill": "currentColor", "fill_opacity": f"{0.1 + 0.6 * weights[i] / max(weights):.2f}"}
        shapes.append(mark("ellipse", tip, **place, stroke="currentColor", **ink, transform=turn))
    return svg(
        [*shapes, *_foot(_left_out(len(weights), "largest weights", most), *Axis(ends[:, 0], 0, 1).ends())], label
    )


def table(head, rows, total=None):
    """An HTML table of words and numbers: at most ROWS x COLUMNS of it, and how many more there are of `total` rows."""
    total = len(rows) if total is None else total
    body = joined(_row("td", row) for row in rows[:ROWS])
    more = [
        f"{left} more {what}{'' if left == 1 else 's'}"
        for left, what in ((total - ROWS, "row"), (len(head) - COLUMNS, "column"))
        if left > 0
    ]
    below = markup("<p>and {}</p>", " and ".join(more)) if more else ""
    head = _row("th", head)
    return markup("<table><thead>{}</thead><tbody>{}</tbody></table>{}", head, body, below)


def svg(shapes, label, height=HEIGHT):
    """The image of shapes, which are `Markup`, described by `label`."""
    if any(not isinstance(shape, Markup) for shape in shapes):
        raise TypeError("an image is made of Markup, as `mark` gives it.")
    return markup(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" width="{width}" height="{height}"'
        ' viewBox="0 0 {width} {height}">{inside}</svg>',
        label=label,
        width=WIDTH,
        height=height,
        inside=joined(shapes),
    )


def mark(kind, tip="", **attributes):
    """An element of an image: numbers to a tenth of a pixel, and the tooltip `tip`."""
    written = joined(
        markup(' {}="{}"', name.replace("_", "-"), f"{value:.1f}" if isinstance(value, float) else value)
        for name, value in attributes.items()
    )
    inside = markup("<title>{}</title>", tip) if tip else ""
    return markup("<{kind}{written}>{inside}</{kind}>", kind=kind, written=written, inside=inside)


def words(text, x, y, anchor="middle"):
    """Words of an image."""
    place = markup('x="{:.0f}" y="{}" text-anchor="{}"', x, y, anchor)
    return markup('<text {} font-size="11" fill="currentColor">{}</text>', place, text)


def _row(kind, cells):
    return markup("<tr>{}</tr>", joined(markup("<{0}>{1}</{0}>", kind, _cell(cell)) for cell in cells[:COLUMNS]))


def _cell(value):
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    words = str(value)
    return words if len(words) <= 80 else f"{words[:77]}..."


def _baseline(y):
    return mark("line", x1=EDGE, x2=WIDTH - EDGE, y1=y(0), y2=y(0), stroke="currentColor", opacity="0.5")


def _foot(middle, left="", right=""):
    """Words below the picture: in the middle, and at the two ends of its horizontal axis."""
    placed = ((EDGE, "start", left), (WIDTH / 2, "middle", middle), (WIDTH - EDGE, "end", right))
    return [words(each, x, HEIGHT - 4, anchor) for x, anchor, each in placed if each]


def _left_out(total, which=", the first", most=MOST):
    """Which marks are drawn where there are too many; empty where all are."""
    return f"{which} {most} of {total}" if total > most else ""
