"""A slider that the browser answers by itself, from a table that was sent while the hand rested."""

from __future__ import annotations

from html import escape

import numpy as np
from bokeh.core.properties import Int, List, String
from bokeh.model import DataModel
from bokeh.models import ColumnDataSource


class Stamp(DataModel):
    """What a browser must know to draw from the table.

    shown, table     the version that the pictures show, and the version that the table is of
    starts, lengths  where each column's first row lies in the flat table, and how long a row is
    sentences        the headline of each row
    """

    shown = Int(default=0)
    table = Int(default=-1)
    starts = List(Int)
    lengths = List(Int)
    sentences = List(String)


# a column that is the same in every row is not sent; each other target takes its slice of the flat table; a table of
# another version leaves the answer to the server. `change.emit` draws without sending the columns back to the server
DRAW = """
cb_obj.value_label = null  // a number of its own from now on
const drawn = stamp.table === stamp.shown
if (drawn) {
  const row = cb_obj.value, changed = new Set()
  targets.forEach(([index, column], i) => {
    const length = stamp.lengths[i], start = stamp.starts[i] + row * length
    if (length === 0) return
    sources[index].data[column] = table.data.flat.slice(start, start + length)
    changed.add(sources[index])
  })
  changed.forEach((source) => source.change.emit())
  headline.text = stamp.sentences[row]
}
"""


class Lookup:
    """The table of a view's columns over the rows of one slider; `headline` is the pane that shows a row's sentence."""

    def __init__(self, sources, headline):
        self.stamp, self.table = Stamp(), ColumnDataSource()
        self.sources, self.headline = sources, headline

    def outdate(self):
        """The pictures show something new; until `send` the server answers."""
        self.stamp.shown += 1

    def send(self, tables, sentences):
        """Give the browser the columns {(source, column): (rows, length)} and a sentence for each row."""
        # float32 halves the message: a pixel needs no more digits, and the numbers on screen go as sentences
        moving = [t if (t != t[0]).any() else t[:, :0] for t in tables.values()]
        with np.errstate(over="ignore"):  # what is too large for it lies beyond every picture
            columns = [np.asarray(t, dtype=np.float32) for t in moving]
        self.table.data = {"flat": np.concatenate([c.ravel() for c in columns])}
        starts = np.cumsum([0, *(c.size for c in columns)])[:-1]
        self.stamp.update(starts=starts.tolist(), lengths=[c.shape[1] for c in columns])
        self.stamp.sentences = [escape(s) for s in sentences]  # the pane's model holds escaped HTML
        self.stamp.table = self.stamp.shown

    def attach(self, pacer, slider, name, drawn):
        """Let the slider draw from the table the columns `drawn`, (source, column), and tell the server of it."""
        pacer.follow(slider, name, DRAW, **self._models(drawn))

    def answer(self, slider, drawn):
        """Let the slider draw so where no server need hear of it."""
        slider.jscallback(args=self._models(drawn), value=DRAW)

    def _models(self, drawn):
        names = list(self.sources)
        return {
            "stamp": self.stamp,
            "table": self.table,
            "sources": list(self.sources.values()),
            "targets": [[names.index(source), column] for source, column in drawn],
            "headline": self.headline,
        }
