"""Blocks that vote: a row of cells in the order of their means, and the means themselves on a signed axis.

Blocks are random sets of rows, so no axis of the points runs along them. The result has `estimate_at(row)`, a
MonkResult, `contaminated_blocks(row)`, `U` and its signed root `u_mmd`, and `truth`, None where nobody knows it.
"""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from explorer.discrepancy.monk import SLIDER

from . import glyphs, marks
from .errors import Limited
from .marks import MOVES, nothing
from .picture import RowByRow, padded
from .style import canvas, signed_log, signed_log_axis, ticks

HATCH = {"hatch_pattern": "right_diagonal_line", "hatch_alpha": 0.7, "hatch_scale": 9, "hatch_weight": 1.5}
GAP = 0.08  # between two cells, of the width of one
U_HEIGHT, U_WORDS = -0.17, -0.35  # below the blocks, where the U-statistic is drawn, and what is said of it
TOPS = {"MONK": 1.2, "truth": 1.1}  # heights of the words above the blocks
MARGIN = 0.06  # beside what is drawn, of the width of a picture
LIMITS = (1.0, 10.0, 1e2, 1e4, 1e6, 1e8, 1e10, 1e12, 1e15, 1e20)


def limit_of(result):
    """Where the signed log axis ends: a round number beyond all that blocks can be, whatever Q is."""
    farthest = max(result.pairs.moved_by_one(SLIDER[-1]), result.truth or 0.0, abs(result.u_mmd))
    return next((top for top in LIMITS if top >= farthest), LIMITS[-1])


def on_axis(result, values):
    """Positions on the signed log axis; what lies beyond its ends stands there."""
    end = float(signed_log(limit_of(result)))
    return np.clip(signed_log(values), -end, end)


class Strip(RowByRow):
    """Blocks in the order of their means: those that hold an outlier hatched, the median one framed.

    The cell of a block has `first` and `end`: it holds the rows order[first:end] of the result's `order`.
    """

    name = "strip"

    @staticmethod
    def columns(result):
        return {"lit_cell": nothing("left", "right")}

    @classmethod
    def at(cls, result, row):
        estimate, width = result.estimate_at(row), result.stops[-1]
        by_mean = np.argsort(estimate.block_values, kind="stable")
        bad, middle = result.contaminated_blocks(row)[by_mean], np.flatnonzero(by_mean == estimate.median_block)
        sizes = np.array([len(rows) for rows in estimate.blocks])
        ends = np.cumsum(sizes)
        edges = np.linspace(0, 1, len(sizes) + 1)
        left, right = edges[:-1] + GAP / 2 / len(sizes), edges[1:] - GAP / 2 / len(sizes)
        columns = {
            "clean": np.where(bad, np.nan, left),
            "bad": np.where(bad, left, np.nan),
            "right": right,
            "first": (ends - sizes)[by_mean],
            "end": ends[by_mean],
        }
        return {
            **{("cells", name): padded(values, width) for name, values in columns.items()},
            ("middle", "left"): left[middle],
            ("middle", "right"): right[middle],
        }

    def draw(self, paint, s, result):
        ranges = {"x_range": Range1d(-0.005, 1.005), "y_range": Range1d(0, 1)}
        plot = canvas("Blocks, in the order of their means", "", "", 92, **ranges)
        ticks(plot, plot.xaxis, {0.0: "smallest", 0.5: "median", 1.0: "largest"})
        plot.yaxis.visible, plot.grid.visible, plot.min_border_left = False, False, 20
        # a mark, as the theme takes away the outlines of figures
        edge = glyphs.quad(plot, -0.004, 1.004, 0.99, 0.01, fill_alpha=0, line_alpha=0.6, level="underlay")
        paint(edge.glyph, "kme", "line_color")
        faint = {"level": MOVES, "line_width": 1, "line_alpha": 0.8}
        clean = glyphs.quad(plot, "clean", "right", 0.88, 0.12, source=s["cells"], fill_alpha=0.3, **faint)
        paint(clean.glyph, "monk", "line_color", "fill_color")
        bad = glyphs.quad(plot, "bad", "right", 0.88, 0.12, source=s["cells"], fill_alpha=0.08, **faint, **HATCH)
        paint(bad.glyph, "outlier", "line_color", "fill_color", "hatch_color")
        frame = {"level": MOVES, "fill_alpha": 0}
        median = glyphs.quad(plot, "left", "right", 0.96, 0.04, source=s["middle"], line_width=3, **frame)
        paint(median.glyph, "monk", "line_color")
        lit = glyphs.quad(plot, "left", "right", 0.88, 0.12, source=s["lit_cell"], line_width=2.5, **frame)
        paint(lit.glyph, "truth", "line_color")
        return plot


class BlockMeans(RowByRow, Limited):
    """The witness's means over the blocks in order, beside both estimates and the truth.

    A subclass gives `beside_u(result)`, the words at the U-statistic. Left of 0 it has no root, which its row says.
    """

    limit = staticmethod(limit_of)

    @staticmethod
    def beside_u(result):
        """The words at the U-statistic."""
        raise NotImplementedError

    @classmethod
    def columns(cls, result):
        (at,) = on_axis(result, [result.u_mmd])
        end = float(signed_log(limit_of(result)))
        align = "left" if at < -0.5 * end else "right" if at > 0.6 * end else "center"  # or words would leave the axis
        u = {"x": at, "y": U_HEIGHT, "below": U_WORDS, "words": cls.beside_u(result), "align": align}
        # the words stand on the outer sides of their lines, so that neither line goes through the other's
        sides = [("left", 5), ("right", -5)]
        above, other = sides if result.estimate.value >= (result.truth or 0.0) else sides[::-1]
        truth = {"x": float(signed_log(result.truth or 0.0)), "y": TOPS["truth"], "words": "truth"}
        truth |= dict(zip(("align", "shift"), other, strict=True))
        monk = {name: np.array([value]) for name, value in zip(("align", "shift"), above, strict=True)}
        known = slice(0, int(result.truth is not None))
        return {
            "U": {name: np.array([value]) for name, value in u.items()},
            "truth": {name: np.array([value])[known] for name, value in truth.items()},
            "monk": monk,
            "fast": dict(monk),
            "lit_mean": nothing("x", "y"),
        }

    @classmethod
    def at(cls, result, row):
        estimate, width = result.estimate_at(row), result.stops[-1]
        order = np.argsort(estimate.block_values, kind="stable")
        bad, middle = result.contaminated_blocks(row)[order], np.flatnonzero(order == estimate.median_block)
        heights, values = (np.arange(len(bad)) + 0.5) / len(bad), on_axis(result, estimate.block_values[order])
        value, fast = on_axis(result, [estimate.value]), result.lab.method == "bcd-fast"
        return {
            ("values", "x"): padded(np.where(bad, np.nan, values), width),
            ("values", "y"): padded(heights, width),
            ("bad_values", "x"): padded(np.where(bad, values, np.nan), width),
            ("bad_values", "y"): padded(heights, width),
            ("median", "x"): values[middle],
            ("median", "y"): heights[middle],
            ("monk", "x"): np.full(1, np.nan) if fast else value,
            ("fast", "x"): value if fast else np.full(1, np.nan),
        }

    @staticmethod
    def kept(result):
        if result is None:
            return {"pinned": nothing("x", "y")}
        values = np.sort(result.estimate.block_values)
        return {"pinned": {"x": signed_log(values), "y": (np.arange(len(values)) + 0.5) / len(values)}}

    def draw(self, paint, s, result):
        ranges = {"x_range": Range1d(-1, 1), "y_range": Range1d(-0.44, 1.28)}
        plot = canvas("Block means, in order", "an MMD (signed log scale)", "", 260, **ranges)
        ticks(plot, plot.yaxis, {U_HEIGHT: "U", 0.5: "median"})
        faint = {**HATCH, "hatch_alpha": 0.22, "hatch_scale": 10, "hatch_weight": 1, "fill_alpha": 0.04}
        row = {"top": U_HEIGHT + 0.09, "bottom": U_HEIGHT - 0.09, "line_width": 0, "level": "underlay"}
        rootless = glyphs.quad(plot, -1e3, 0, **row, **faint)
        paint(rootless.glyph, "harm", "fill_color", "hatch_color")
        marks.across(plot, paint, 0, "height", "truth", line_width=1, line_alpha=0.5)
        marks.across(plot, paint, 0.5, "width", "monk", line_width=1, line_alpha=0.5)
        truth = glyphs.vspan(plot, "x", source=s["truth"], line_width=2, line_dash="dotted")
        paint(truth.glyph, "truth", "line_color")
        kept = {"marker": "hex", "size": 9, "line_alpha": 0.35, "fill_alpha": 0.2}
        marks.dots(plot, paint, self.pinned["pinned"], "monk", **kept)
        marks.dots(plot, paint, s["values"], "monk", marker="hex", size=9, fill_alpha=0.75, level=MOVES)
        marks.dots(plot, paint, s["bad_values"], "outlier", marker="x", size=9, line_width=2.5, level=MOVES)
        marks.dots(plot, paint, s["median"], "monk", size=18, fill_alpha=0, line_width=2.5, level=MOVES)
        marks.dots(plot, paint, s["lit_mean"], "truth", size=15, fill_alpha=0, line_width=2.5, level=MOVES)
        beside = {"text_align": "align", "x_offset": "shift", "text_font_size": "12px"}
        for name, role, dash, word in (("monk", "monk", "solid", "MONK"), ("fast", "monkfast", "dashed", "BCD-Fast")):
            upright = glyphs.vspan(plot, "x", source=s[name], line_width=2, line_dash=dash, level=MOVES)
            paint(upright.glyph, role, "line_color")
            word = glyphs.text(
                plot,
                "x",
                TOPS["MONK"],
                text={"value": word},
                source=s[name],
                text_baseline="middle",
                level=MOVES,
                **beside,
            )
            paint(word.glyph, role, "text_color")
        marks.words(plot, paint, s["truth"], "truth", **beside)
        marks.dots(plot, paint, s["U"], "kme", marker="cross", size=16, line_width=3, level=MOVES)
        marks.words(plot, paint, s["U"], "kme", y="below", text_align="align", text_font_size="12px")
        return plot

    def end(self, limit):
        signed_log_axis(self.plot, self.plot.xaxis, self.plot.x_range, limit, 1.0, MARGIN)
