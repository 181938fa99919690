"""Figures for a paper: what `plot` draws, arranged on a page of a size in mm, as PDF, SVG or PNG by matplotlib.

HoloViews draws the marks. Everything around them is laid out here by the measured sizes of its texts, so that no text
leaves the page: titles, legends above the frames, axes, colour bars, and panels in rows with frames of equal width.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.checks import Refusal, echo, truncate
from explorer.printing import join_list

from .frames import log_ticks
from .looks import POINTS, move_text
from .pictures import styled_for_paper
from .style import clean, holoviews

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INCH, POINT = 25.4, 25.4 / 72  # lengths in mm
PER_PX = 0.25  # mm on paper for one px of the screen, in the width of a figure without a width
WIDEST = 170.0  # width in mm of a figure without a width, at most: the text of a page of A4
SIZE = 8.0  # font size in points
SHARP = 300  # dots per inch of a PNG
LEAST, MOST = 20.0, 1000.0  # limits of a figure's sides in mm
SMALLEST, LARGEST = 4.0, 40.0  # limits of the font size in points
FINEST, COARSEST = 50, 1200  # limits of a PNG's dots per inch
NARROWEST = 8.0  # least side of a frame in mm
EDGE, GAP = 0.8, 3.0  # mm between text and the page's edge, and between panels
BAR, BESIDE = 2.2, 1.5  # width of a colour bar in mm, and its distance from the frame
LINE = 0.5 / 0.9  # ratio of a line's width at size 8 to that in HoloViews' figure
LETTER = 12  # usual size of a mark's text in px, by which its offset grows with the font
DOT = 0.5  # diameter of a dot in points at size 8, per px
LOWEST = 0.75
FLATTEST, TALLEST = 0.35, 1.4  # limits of a frame's height over its width, without a height
FALLBACK = "DejaVu Sans"  # comes with matplotlib, and has the characters that other fonts lack
ROUNDS = 3  # the sizes of ticks' labels and of frames depend on each other
LONGEST = 24  # most characters of a tick's label


@dataclass(frozen=True)
class Page:
    """What the user asked of a figure.

    Attributes
    ----------
    width, height : float or None, default None
        The size in mm. None for that of the picture.
    font : str or None, default None
        The name of an installed font.
    size : float or None, default None
        The font size in points; None for 8.
    dpi : float or None, default None
        Dots per inch of a PNG; None for 300.
    title, x_label, y_label : str or None, default None
        Texts instead of the picture's own; "" for none.
    """

    width: float | None = None
    height: float | None = None
    font: str | None = None
    size: float | None = None
    dpi: float | None = None
    title: str | None = None
    x_label: str | None = None
    y_label: str | None = None

    def checked(self) -> Page:
        """Return the page, or refuse a size, a font or a text that no figure can have.

        Returns
        -------
        page : Page
            The page.
        """
        for name, low, high, unit in (
            ("width", LEAST, MOST, "mm"),
            ("height", LEAST, MOST, "mm"),
            ("size", SMALLEST, LARGEST, "points"),
            ("dpi", FINEST, COARSEST, "dots per inch"),
        ):
            value = getattr(self, name)
            well = isinstance(value, (int, float)) and not isinstance(value, bool)
            if value is not None and not (well and low <= value <= high):
                raise Refusal(f"{name} must be a number of {unit} from {low:g} to {high:g}, not {echo(value)}.")
        for name in ("title", "x_label", "y_label"):
            if not isinstance(getattr(self, name), (str, type(None))):
                raise Refusal(f"{name} must be a text, not {echo(getattr(self, name))}.")
        if self.font is not None:
            _check_font(self.font)
        return self


def _check_font(name):
    """Refuse a font that is not installed, with similar names that are."""
    from matplotlib import font_manager

    generic = ("serif", "sans-serif", "monospace")
    known = sorted({each.name for each in font_manager.fontManager.ttflist})
    if not isinstance(name, str) or name not in (*known, *generic):
        near = get_close_matches(str(name), known, 3) or [*generic, "STIXGeneral"]
        raise Refusal(f"font must be the name of an installed font, such as {join_list(near)}, not {echo(name)}.")


def contents_of(picture: Any, suffix: str, page: Page) -> bytes:
    """Return the content of a figure's file.

    Parameters
    ----------
    picture : holoviews object
        What `plot` drew, also combined by `*` and `+`.
    suffix : {".pdf", ".svg", ".png"}
        The suffix of the file.
    page : Page
        What the user asked of it.

    Returns
    -------
    contents : bytes
        The same for the same picture. A PDF embeds its fonts, an SVG has its text as paths, and both are vectors.
    """
    with drawn(picture, page) as figure:
        out, form = io.BytesIO(), suffix.lower().lstrip(".")
        dates: dict[str, Any] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
        figure.savefig(out, format=form, dpi=page.dpi or SHARP, metadata=dates.get(form))
    return out.getvalue()


@contextmanager
def drawn(picture: Any, page: Page) -> Iterator[Figure]:
    """Yield the arranged figure of a picture, with matplotlib's settings for its file."""
    hv = holoviews("matplotlib")
    from matplotlib import pyplot, style
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    page.checked()
    styled = styled_for_paper(picture)
    settings: Any = {"font.family": [page.font or "sans-serif", FALLBACK], "font.size": page.size or SIZE}
    settings |= {"pdf.fonttype": 42, "svg.fonttype": "path", "svg.hashsalt": "explorer", "savefig.bbox": None}
    settings |= {"text.parse_math": False, "hatch.linewidth": 0.4, "axes.unicode_minus": True, "axes.linewidth": 0.5}
    # The user's style may be for dark ground; a paper is white.
    settings |= {f"{each}.facecolor": "white" for each in ("figure", "savefig", "axes")}
    with style.context(["default", settings]):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Setting the 'color' property")  # HoloViews sets another one too
            plot = hv.renderer("matplotlib").get_plot(styled)
        FigureCanvasAgg(plot.state)  # measures text, which the backend that the user has chosen may not
        try:
            _Arrangement.of(plot, styled, page).fit()
            yield plot.state
        finally:
            pyplot.close(plot.state)


class _Panel(NamedTuple):
    """A frame, its colour bars, what its legend shows, and the height of its frame over its width."""

    axes: Any
    bars: Sequence[Any]
    keys: dict[Any, str]
    ratio: float

    def height(self, wide: float, column: float) -> float:
        """Return the height of a frame of this width. Texts beside it in the column hardly make it lower."""
        is_free = self.axes.get_aspect() == "auto"
        return self.ratio * max(wide, LOWEST * column) if is_free else self.ratio * wide


class _Space(NamedTuple):
    """Space in mm that the texts around a frame take."""

    left: float
    right: float
    above: float
    below: float


@dataclass
class _Arrangement:
    """The panels of a figure, and their places on the page. All lengths are in mm."""

    figure: Any
    panels: list[_Panel]
    columns: int
    title: str
    page: Page
    width: float
    size: float
    heading: Any = None
    titles: dict[Any, str] = field(default_factory=dict)
    words: dict[Any, list[str]] = field(default_factory=dict)  # labels of ticks at fixed places, by axis

    @classmethod
    def of(cls, plot: Any, picture: Any, page: Page) -> _Arrangement:
        """Return the arrangement of a figure that HoloViews has drawn."""
        hv, figure = holoviews("matplotlib"), plot.state
        parts = list(picture) if isinstance(picture, hv.Layout) else [picture]
        inches = [_natural(hv, each) for each in parts]
        found = plot.traverse(lambda each: each, [lambda each: "axis" in each.handles])
        axes = list(dict.fromkeys(each.handles["axis"] for each in found if _is_frame(each)))
        bars = {each: [] for each in axes}
        keys: dict[Any, dict[Any, str]] = {each: {} for each in axes}
        for each in found:
            if "cax" in each.handles and each.handles["axis"] in bars:
                bars[each.handles["axis"]].append(each.handles["cax"])
            if each.handles.get("axis") in keys and each.handles.get("legend") is not None:
                keys[each.handles["axis"]] |= each.handles.get("legend_data", {})
        panels = [_Panel(each, bars[each], keys[each], _ratio(each, size))
                  for each, size in zip(axes, inches, strict=True)]  # fmt: skip
        columns = min(getattr(picture, "_max_cols", 1), len(panels)) if len(parts) > 1 else 1
        title = ""
        if len(parts) > 1:
            title = hv.Store.lookup_options("matplotlib", picture, "plot").kwargs.get("title", "")
            title = title.replace("{{", "{").replace("}}", "}")
        natural = sum(size[0] for size in inches[:columns]) * 100 * PER_PX
        width = float(page.width or min(natural, WIDEST))
        return cls(figure, panels, columns, title, page, width, float(page.size or SIZE))

    def fit(self) -> None:
        """Style the figure and give everything its place."""
        self._relabel()
        for each in self.panels:
            _restyle(each.axes, self.size)
            for bar in each.bars:
                _restyle_bar(bar, self.size)
        widths = [self.width / self.columns] * self.columns
        for _ in range(ROUNDS):
            spaces = self._measured(widths)
            widths = self._placed(spaces)
        spaces = self._measured(widths, ticks=False)
        self._placed(spaces)

    def _relabel(self):
        """Replace texts by the user's own, and remove those that are drawn here."""
        for text in list(self.figure.texts):
            text.remove()
        self.figure.suptitle("")
        single = len(self.panels) == 1
        for axes in (each.axes for each in self.panels):
            if self.page.x_label is not None:
                axes.set_xlabel(clean(self.page.x_label))
            if self.page.y_label is not None:
                axes.set_ylabel(clean(self.page.y_label))
            title = axes.get_title()
            if single and self.page.title is not None:
                title = clean(self.page.title)
            axes.set_title("")
            self.titles[axes] = " ".join(title.split())
        if not single and self.page.title is not None:
            self.title = clean(self.page.title)

    def _measured(self, widths, ticks=True):
        """Return the space around each panel whose frame has the width of its column."""
        spaces = []
        for i, panel in enumerate(self.panels):
            axes, wide = panel.axes, widths[i % self.columns]
            if ticks:
                self._tick(axes)
            self._head(panel, wide)
            around = self._extent(axes)
            frame = axes.get_window_extent()
            per = self.figure.dpi / INCH
            right = max(0.0, around.x1 - frame.x1) / per
            for bar in panel.bars:
                box, its = bar.get_window_extent(), self._extent(bar)
                right = max(right, 0.0) + BESIDE + BAR + max(0.0, its.x1 - box.x1) / per
            left, below = frame.x0 - around.x0, frame.y0 - around.y0
            spaces.append(_Space(max(0.0, left) / per, right, (around.y1 - frame.y1) / per, max(0.0, below) / per))
        return spaces

    def _head(self, panel, wide):
        """Write a panel's legend and title above its frame, in as many lines as they need."""
        from matplotlib.transforms import offset_copy

        axes = panel.axes
        if axes.get_legend() is not None:
            axes.get_legend().remove()
        renderer = self.figure.canvas.get_renderer()
        pad = self.size * 1.3 if axes.yaxis.get_offset_text().get_text() else 3.0  # in points
        lifted = offset_copy(axes.transAxes, self.figure, 0.0, pad, "points")
        legend = None
        if panel.keys:
            words = [self._wrapped(word, wide - 12.0) for word in panel.keys.values()]
            for columns in range(len(words), 0, -1):
                legend = axes.legend(
                    list(panel.keys), words, loc="lower left", ncols=columns, frameon=False, fontsize=self.size,
                    bbox_to_anchor=(0.0, 1.0), bbox_transform=lifted,
                    borderaxespad=0.0, borderpad=0.0, handlelength=1.8, handletextpad=0.5, columnspacing=1.2,
                    labelspacing=0.3,
                )  # fmt: skip
                if legend.get_window_extent(renderer).width <= wide * self.figure.dpi / INCH:
                    break
        if legend is not None:
            pad += legend.get_window_extent(renderer).height * 72 / self.figure.dpi + 2.5
        title = self._wrapped(self.titles[axes], wide)
        axes.set_title(title, loc="left", fontsize=self.size, pad=pad + 2.0, y=1.0)
        for name in "xy":
            axis = getattr(axes, f"{name}axis")
            room = wide if name == "x" else axes.get_window_extent().height * INCH / self.figure.dpi
            label = getattr(axes, f"get_{name}label")().replace("\n", " ")
            if name == "y":  # it may be as long as the frame with its title is high
                room *= 1.15
            axis.set_label_text(self._wrapped(label, max(room, 4 * self.size * POINT)))

    def _wrapped(self, text, wide):
        """Return a text in lines of at most this width in mm."""
        if self._width(text) <= wide:
            return text
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if self._width(longer) <= wide:
                lines[-1] = longer
            else:
                *whole, rest = self._broken(word, wide)
                lines += [*whole, rest]
        return "\n".join(filter(None, lines))

    def _broken(self, word, wide):
        """Return a word in parts of at most this width, each as long as fits."""
        per = self._width(word) / max(len(word), 1)
        count = max(int(0.9 * wide / per), 1) if per * len(word) > wide else len(word)
        return [word[i : i + count] for i in range(0, len(word), count)] or [""]

    def _width(self, text):
        """Return the width of a text in mm."""
        from matplotlib.font_manager import FontProperties

        renderer = self.figure.canvas.get_renderer()
        wide, *_ = renderer.get_text_width_height_descent(text, FontProperties(size=self.size), False)
        return wide * INCH / self.figure.dpi

    def _extent(self, axes):
        return axes.get_tightbbox(self.figure.canvas.get_renderer())

    def _placed(self, spaces):
        """Give the page its size and all frames their places, and return the widths of the columns' frames."""
        columns, rows = self.columns, math.ceil(len(spaces) / self.columns)
        of_column = [spaces[c::columns] for c in range(columns)]
        of_row = [spaces[r * columns : (r + 1) * columns] for r in range(rows)]
        left = [max(each.left for each in part) for part in of_column]
        right = [max(each.right for each in part) for part in of_column]
        above = [max(each.above for each in part) for part in of_row]
        below = [max(each.below for each in part) for part in of_row]
        wide = (self.width - 2 * EDGE - sum(left) - sum(right) - GAP * (columns - 1)) / columns
        if wide < NARROWEST:
            raise Refusal(
                f"this picture does not fit into a width of {self.width:g} mm at a font size of {self.size:g} points;"
                f" give a width of at least {math.ceil(self.width + columns * (NARROWEST - wide))} mm."
            )
        head = self._headed()
        taken = 2 * EDGE + head + sum(above) + sum(below) + GAP * (rows - 1)
        high = [max(each.height(wide, self.width / columns) for each in self.panels[r * columns : (r + 1) * columns])
                for r in range(rows)]  # fmt: skip
        if self.page.height is not None:
            room = (self.page.height - taken) / rows
            if room < NARROWEST:
                raise Refusal(
                    f"this picture does not fit into a height of {self.page.height:g} mm; give a height of at least"
                    f" {math.ceil(self.page.height + rows * (NARROWEST - room))} mm, or leave it out."
                )
            high = [room] * rows
        tall = taken + sum(high)
        self.figure.set_size_inches(self.width / INCH, tall / INCH)
        if self.heading is not None:
            self.heading.set_position((EDGE / self.width, 1 - EDGE / tall))
        y = tall - EDGE - head
        for r in range(rows):
            y -= above[r] + high[r]
            x = EDGE
            for c, panel in enumerate(self.panels[r * columns : (r + 1) * columns]):
                x += left[c]
                self._place(panel, x, y, wide, high[r], tall)
                x += wide + right[c] + GAP
            y -= below[r] + GAP
        return [wide] * columns

    def _place(self, panel, x, y, wide, high, tall):
        """Put a frame and its colour bars at a place on the page."""
        panel.axes.set_position([x / self.width, y / tall, wide / self.width, high / tall])
        panel.axes.set_anchor("W")
        panel.axes.apply_aspect()
        box = panel.axes.get_position()
        at = box.x1 * self.width
        for bar in panel.bars:
            at += BESIDE
            bar.set_aspect("auto")
            bar.set_position([at / self.width, box.y0, BAR / self.width, box.height])
            at += BAR + 4 * self.size * POINT

    def _headed(self):
        """Write the title over several panels, and return the height that it takes."""
        if not self.title:
            return 0.0
        if self.heading is None:
            self.heading = self.figure.text(0.0, 1.0, "", ha="left", va="top", fontsize=self.size)
        self.heading.set_text(self._wrapped(self.title, self.width - 2 * EDGE))
        box = self.heading.get_window_extent(self.figure.canvas.get_renderer())
        return box.height * INCH / self.figure.dpi + 1.0

    # ticks ------------------------------------------------------------------------------------------------------------

    def _tick(self, axes):
        """Give both axes as many ticks as their labels have space for."""
        from matplotlib.category import StrCategoryLocator
        from matplotlib.ticker import FixedLocator, MaxNLocator, ScalarFormatter

        box, dots = axes.get_window_extent(), self.figure.dpi / 72
        for name, long, apart in (("x", box.width, 5.0), ("y", box.height, 2.0)):
            axis, (low, high) = getattr(axes, f"{name}axis"), sorted(getattr(axes, f"get_{name}lim")())
            most = max(2, min(8, int(long / dots / (apart * self.size))))
            is_fixed = isinstance(axis.get_major_locator(), FixedLocator | StrCategoryLocator)
            if axis.get_scale() == "log" and getattr(axis.get_major_locator(), "rounds", not is_fixed):
                log_ticks(axis, low, high, most)
            elif is_fixed:
                self._thin(axis, name)
            elif len(axis.get_majorticklocs()):
                axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))
                formatter = ScalarFormatter(useOffset=False)
                formatter.set_powerlimits((-4, 6))
                axis.set_major_formatter(formatter)

    def _thin(self, axis, name):
        """Leave out labels of fixed ticks that would touch one drawn before."""
        from matplotlib.ticker import FixedFormatter, FixedLocator

        if axis not in self.words:
            axis.set_major_locator(FixedLocator(axis.get_majorticklocs()))  # those of categories are no FixedLocator
            self.figure.draw_without_rendering()
            self.words[axis] = [truncate(each.get_text(), LONGEST) for each in axis.get_ticklabels()]
        words, taken, kept = self.words[axis], [], []
        axis.set_major_formatter(FixedFormatter(words))
        self.figure.draw_without_rendering()
        for label, word in zip(axis.get_ticklabels(), words, strict=False):
            box = label.get_window_extent(self.figure.canvas.get_renderer())
            low, high = (box.x0, box.x1) if name == "x" else (box.y0, box.y1)
            gap = 3.0 if name == "x" else -1.0
            is_free = all(low > its_high + gap or high < its_low - gap for its_low, its_high in taken)
            if word and is_free:
                taken.append((low, high))
            kept.append(word if is_free else "")
        axis.set_major_formatter(FixedFormatter(kept))


def _natural(hv, part):
    """Return the size in inches that a part of a picture has in HoloViews."""
    size = hv.Store.lookup_options("matplotlib", part, "plot").kwargs.get("fig_inches")
    return size if isinstance(size, tuple) else (5.6, 3.3)


def _is_frame(plot):
    """Return whether a plot of HoloViews draws in a frame of its own, and not only a title."""
    return plot.handles["axis"] is not None and type(plot).__name__ != "LayoutPlot"


def _ratio(axes, inches):
    """Return the height of a frame over its width: that of its numbers if they have one scale, or of the screen."""
    if axes.get_aspect() != "auto":
        (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
        return abs(high - low) / abs(right - left) * float(axes.get_aspect())
    wide, high = (100 * each - text for each, text in zip(inches, (80, 90), strict=True))
    return min(max(high / wide, FLATTEST), TALLEST)


# what is inside a frame -------------------------------------------------------------------------------------------


def _restyle(axes, size):
    """Give the lines, dots and texts of a frame their sizes on paper."""
    from matplotlib.collections import PathCollection

    thinner = LINE * size / SIZE
    axes.set_facecolor("white")
    _widen(axes)
    for line in axes.lines:
        line.set(linewidth=line.get_linewidth() * thinner, markersize=line.get_markersize() * thinner)
    for patch in axes.patches:
        patch.set_linewidth(patch.get_linewidth() * thinner)
    for each in axes.collections:
        each.set_linewidths([width * thinner for width in each.get_linewidths()])
        if isinstance(each, PathCollection):
            each.set_sizes(each.get_sizes() * (DOT * size / SIZE) ** 2)
    for text in axes.texts:
        text.set_fontsize(size)
        move_text(text, size / (POINTS * LETTER))
    for spine in axes.spines.values():
        spine.set_linewidth(0.5)
    axes.tick_params(which="both", labelsize=size, width=0.5, length=2.0, pad=2.0, grid_linewidth=0.35)
    for axis in (axes.xaxis, axes.yaxis):
        axis.label.set_fontsize(size)
        axis.labelpad = 2.0
        axis.get_offset_text().set_fontsize(size)


def _restyle_bar(bar, size):
    """Give a colour bar the sizes of paper."""
    bar.tick_params(which="both", labelsize=size, width=0.5, length=2.0, pad=2.0)
    bar.yaxis.label.set_fontsize(size)
    bar.yaxis.labelpad = 2.0
    for spine in bar.spines.values():
        spine.set_linewidth(0.0)
    if bar.get_yscale() == "log":
        low, high = sorted(bar.get_ylim())
        log_ticks(bar.yaxis, low, high, 5)


def _widen(axes):
    """Widen the axis x a little if dots lie at its ends, where the frame would cut them."""
    from matplotlib.collections import PathCollection

    low, high = axes.get_xlim()
    is_log = axes.get_xscale() == "log"
    ends = [math.log10(low), math.log10(high)] if is_log else [low, high]
    dots = [np.array(each.get_offsets())[:, 0] for each in axes.collections if isinstance(each, PathCollection)]
    for i, end in enumerate((low, high)):
        if any((abs(places - end) <= 1e-9 * abs(high - low)).any() for places in dots):
            ends[i] += (i - 0.5) * 0.04 * (ends[1] - ends[0])
    axes.set_xlim([10.0**end for end in ends] if is_log else ends)
