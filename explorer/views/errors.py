"""Pictures of errors over many samples, on a logarithmic axis whose end stays while a slider moves."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from explorer.marks.over_counts import Line as Line
from explorer.marks.over_counts import apart

from . import glyphs, marks
from .marks import nothing
from .picture import Picture, Small
from .style import canvas, change, power, ticks

LEAST = 4e-3  # where an axis of errors begins
NEAREST = 0.11  # of the axis: two words nearer to each other would overlap
ROOM = 1.3  # how much longer the other axis is than what is drawn over it, for the names of the curves


class Limited(Picture):
    """A picture whose axes end at a round number that depends on the state; `limit(result)` gives it."""

    ends = None

    @staticmethod
    def limit(result):
        """Where the axes end."""
        raise NotImplementedError

    def end(self, limit):
        """Let the axes end there."""

    def aim(self, result):
        if self.ends != (limit := self.limit(result)):
            self.ends = limit
            self.end(limit)


class Errors(Limited, Small):
    """Errors in new samples, which a late stage of the picture's name computes; `lines` maps a name to its Line.

    The names of the curves stand at their right ends, pushed apart where they would overlap.
    """

    title, over, of, lines = "", "", "error", {}  # what it is called, and its axes
    moves = ""  # what it is called where nobody knows the truth, and a study has how far estimates move
    start, stop = 0.0, 1.0  # of what the errors are drawn over

    @classmethod
    def curves(cls, result, study):
        """name -> columns of its curve, x and middle among them, from the ErrorStudy."""
        raise NotImplementedError

    @classmethod
    def columns(cls, result):
        study = getattr(result, cls.name)
        drawn, top = cls.curves(result, study) if study else {}, cls.limit(result)
        for name, columns in drawn.items():
            drawn[name] = {k: v if k == "x" else np.clip(v, LEAST, top) for k, v in columns.items()}
        low, length = np.log(LEAST), np.log(top / LEAST)
        last = {name: (np.log(columns["middle"][-1]) - low) / length for name, columns in drawn.items()}
        at = dict(zip(last, np.exp(low + length * apart(list(last.values()), NEAREST)), strict=True))
        empty = {**nothing("x", "y"), "words": np.zeros(0, dtype=str)}
        names = {
            name: {"x": np.array([cls.stop]), "y": np.array([at[name]]), "words": np.array([line.called])}
            for name, line in cls.lines.items()
            if name in at
        }
        return {
            **{f"line_{name}": drawn.get(name, nothing("x", "low", "middle", "high")) for name in cls.lines},
            **{f"name_{name}": names.get(name, empty) for name in cls.lines},
        }

    def draw(self, paint, s, result):
        end = self.start + ROOM * (self.stop - self.start)
        ranges = {"x_range": Range1d(self.start, end), "y_range": Range1d(LEAST, 10)}
        plot = canvas("", self.over, f"{self.of} (log scale)", 280, y_axis_type="log", **ranges)
        self.below(plot, paint, s)
        for name, line in self.lines.items():
            source = s[f"line_{name}"]
            band = glyphs.varea(plot, "x", "low", "high", source=source, fill_alpha=0.1)
            paint(band.glyph, line.role, "fill_color")
            style = {"line_width": line.width, "line_dash": line.dash}
            marks.curve(plot, paint, source, "x", "middle", line.role, **style)
            marks.words(plot, paint, s[f"name_{name}"], line.role, x_offset=6, text_font_size="12px")
        return plot

    def below(self, plot, paint, sources):
        """Nothing more below the curves."""

    def end(self, limit):
        powers = 10.0 ** np.arange(-2, np.log10(limit) + 0.5)
        ticks(self.plot, self.plot.yaxis, {v: power(v) for v in powers[:: 2 if len(powers) > 5 else 1]})
        self.plot.y_range.update(start=LEAST, end=limit)

    def aim(self, result):
        super().aim(result)
        study = getattr(result, self.name)
        far = "moved by" if result.truth is None and self.moves else self.of
        change(self.plot.yaxis[0], axis_label=f"{far} (log scale)")
        if result.truth is None:
            title = self.moves or f"{self.title}: nobody knows the truth of these data"
        else:
            title = f"{self.title}, {f'{study.count} new samples' if study else 'being drawn ...'}"
        change(self.plot.title, text=title)


def over_counts(study, names):
    """name -> the median and the quartiles of an ErrorStudy's errors over its counts."""
    counts, shares = np.array(study.counts, float), {"low": 0.25, "middle": 0.5, "high": 0.75}
    return {
        name: {"x": counts, **{column: study.quantile(name, share) for column, share in shares.items()}}
        for name in names
        if name in study.errors
    }


def over_rarity(study, names, stop):
    """name -> an ErrorStudy's errors over ln(1/η): one sample in 1/η is worse.

    Up to `stop`. The k-th largest of m errors stands for η = (k - 1/2) / m.
    """
    rarity = np.log(study.count / (np.arange(study.count) + 0.5))[::-1]
    here = rarity <= stop
    curves = {name: np.sort(study.errors[name])[here] for name in names if name in study.errors}
    return {name: {"x": rarity[here], **dict.fromkeys(("low", "middle", "high"), y)} for name, y in curves.items()}
