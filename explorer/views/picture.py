"""Pictures that own their sources, and the view that shows those of a lab."""

from __future__ import annotations

import numpy as np
from bokeh.models import ColumnDataSource

from .marks import image
from .style import change, written

FAINT = {"opacity": "0.35"}  # of a picture that still shows the last state that was computed for it
CLEAR = {"opacity": "1"}  # a browser keeps a style that is only taken away


class Picture:
    """One figure and the sources that it alone draws.

    A subclass gives `name`, `draw(paint, sources, result)`, which makes the figure, and `columns(result)`, source ->
    column -> array. What the browser may draw by itself, at every row of the lab's slider, is `table(result)`,
    (source, column) -> (rows, length), or one row that holds at every stop: the row of today need not be in `columns`.
    `aim(result)` lets titles and axes follow, `kept(result)` gives the columns of a pinned result or, for None, of
    nothing; `seen(result)` says whether the state shows the picture. Pictures of one `place` stand there in turns.
    `heading` is what it is called where its title tells a hand what to do. `upright` is the source whose vertical line
    stands where the lab's slider does. `legend` says whether a legend has to tell its strokes apart. `late` names the
    late stage that is drawn, if one is: until that is computed the picture steps back, and shows, faint, what it showed
    last.
    """

    name = place = heading = upright = late = ""
    legend = True
    answers = True  # whether its table knows all that the slider changes in it

    def __init__(self, result, paint):
        self.paint = paint
        self.sources = {name: ColumnDataSource(data) for name, data in self.data(result).items()}
        self.pinned = {name: ColumnDataSource(data) for name, data in self.kept(None).items()}
        self.plot = self.draw(paint, self.sources, result)
        self.aim(result)
        self.step_back(self.waits(result))

    @classmethod
    def waits(cls, result):
        """Whether the late stage that it draws is still to be computed."""
        return bool(cls.late) and cls.late in result.pending()

    def step_back(self, back):
        """Turn faint, or come to the fore again."""
        change(self.plot, styles=FAINT if back else CLEAR)

    @classmethod
    def data(cls, result):
        """All columns that are drawn, those of the table at the result's row among them."""
        data = {name: dict(columns) for name, columns in cls.columns(result).items()}
        for (source, column), values in cls.at(result, result.row).items():
            data.setdefault(source, {})[column] = values
        return data

    @classmethod
    def at(cls, result, row):
        """One row of the table, (source, column) -> (length,)."""
        return {key: rows[min(row, len(rows) - 1)] for key, rows in cls.table(result).items()}

    @staticmethod
    def columns(result):
        """Nothing that stays while the slider moves."""
        return {}

    @staticmethod
    def table(result):
        """Nothing that the browser draws by itself."""
        return {}

    @staticmethod
    def named(result):
        """The strokes of the lab's legend that the picture itself names: none."""
        return set()

    @staticmethod
    def kept(result):
        """Nothing is drawn of a pinned result."""
        return {}

    @staticmethod
    def seen(result):
        """Always, unless a picture says otherwise."""
        return True

    def draw(self, paint, sources, result):
        """The figure, once; whatever changes is in the sources."""
        raise NotImplementedError

    def aim(self, result):
        """Titles and axes stay as they are."""

    @property
    def called(self):
        """What the picture is called on paper, where no hand takes hold of it."""
        return self.heading or written(self.plot.title.text) or self.name

    def show(self, result, drawn_over=()):
        """Write the columns that changed, and those of (source, column) that the browser may have drawn over."""
        waits = self.waits(result)
        for name, data in ({} if waits else self.data(result)).items():
            now = self.sources[name].data
            if any(len(data[k]) != len(now[k]) for k in data):
                self.sources[name].data = data
            elif changed := {k: v for k, v in data.items() if (name, k) in drawn_over or not same(now[k], v)}:
                now.update(changed)  # one message with these columns alone
        self.aim(result)
        self.step_back(waits)

    def pin(self, result):
        """Keep a pinned result in the picture, faint, or none."""
        for name, data in self.kept(result).items():
            self.pinned[name].data = data


class RowByRow(Picture):
    """A picture whose rows take time: `at(result, row)` makes one, and only a table for the browser needs them all."""

    @classmethod
    def at(cls, result, row):
        """One row of the table, (source, column) -> (length,), as long in every row."""
        raise NotImplementedError

    @classmethod
    def table(cls, result):
        """The rows of all stops of the slider."""
        rows = [cls.at(result, row) for row in range(len(result.stops))]
        return {key: np.array([row[key] for row in rows]) for key in rows[0]}


class Small(Picture):
    """A picture that shares one place with others: it is there while the lab's field `picture` has its name.

    `beside` is the name of another picture where this one comes and goes with that.
    """

    place, beside = "small", ""

    @classmethod
    def seen(cls, result):
        """Whether the lab shows it."""
        return result.lab.picture == (cls.beside or cls.name)


class Imaged(Picture):
    """A picture of which the column `w` of the source `shaded` is an image of so many lines."""

    shaded, lines = "", 0

    def lay(self, plot, paint, sources, ground):
        """Draw the image where the source `ground` says."""
        image(plot, paint, sources[self.shaded], self.lines, ground)
        self.ground = ground

    def aim(self, result):
        """Renew what no browser shows yet: the script that follows `w` runs only there."""
        if self.plot.document is None:
            w = np.asarray(self.sources[self.shaded].data["w"], dtype=np.float32)
            self.ground.data["image"] = [w.reshape(self.lines, -1)]


class StagePicture(Small):
    """A picture that draws one stage of the result, which is None while the picture is hidden.

    `still` and `moving` name its columns, as in "points x y; line x", the latter those of its table; `stays(result,
    value)` and `moves(result, value)` make both from the value of the stage.
    """

    stage = still = moving = ""

    @classmethod
    def waits(cls, result):
        return cls.stage in result.pending()

    @classmethod
    def columns(cls, result):
        value = getattr(result, cls.stage)
        if value is None:
            return {source: {name: np.zeros(0) for name in names} for source, names in _declared(cls.still)}
        return cls.stays(result, value)

    @classmethod
    def table(cls, result):
        value = getattr(result, cls.stage)
        if value is None:
            return {(source, name): np.zeros((1, 0)) for source, names in _declared(cls.moving) for name in names}
        return cls.moves(result, value)

    @staticmethod
    def moves(result, value):
        """Nothing that the browser draws by itself."""
        return {}


def _declared(words):
    """(source, names of its columns) of "points x y; line x"."""
    return [(source, names) for source, *names in map(str.split, filter(None, words.split(";")))]


def padded(values, length):
    """Values followed by nan, so many that every row of a table is as long."""
    return np.append(values, np.full(length - len(values), np.nan))


def same(a, b):
    """Whether two columns hold the same, numbers or words; nan is the same as nan."""
    a, b = np.asarray(a), np.asarray(b)
    return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc" and b.dtype.kind in "fc")
