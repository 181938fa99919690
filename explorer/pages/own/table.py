"""A table of one's own, in three clicks: Your data, choose a file, use it."""

from __future__ import annotations

import json
from html import escape

import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import TableRefusal, files, preview_table, read_table
from explorer.pages.text import html
from explorer.printing import cut, listed

from .upload import Upload, elsewhere

LIVE = 200  # rows of a fresh table that the page opens with: all controls follow the hand there
LARGE = 500_000  # bytes: up to here a file is read in a few tenths of a second, beyond it the page says that it reads
COLUMNS, LETTERS = 50, 60  # of a preview, and of a cell in it: a file may have many columns, and long cells

ACCEPT = ".csv,.tsv,.txt,.npy,.npz,.parquet"
ABOUT = (
    "CSV, TSV, NPY, NPZ, or Parquet where pyarrow is there; up to 20 MB. Your data stay in this session: no link"
    " carries them."
)


class OwnData(pn.viewable.Viewer):
    """File, preview, columns, missing values, scaling. `use(table, fields)` gets the table and the fields that name it.

    `asked()` gives the fields that a link may have brought: the file that they name opens as its sender used it.
    """

    def __init__(self, use, asked=dict, **params):
        super().__init__(**params)
        self._doc = pn.state.curdoc  # kept, because a coroutine that has awaited no longer finds it
        self._use, self._asked, self._bytes, self.preview = use, asked, None, None
        self.file = Upload(self._refused, label="Choose a file", accept=ACCEPT, margin=(4, 10))
        self.about = html(f"<div class='caption'>{ABOUT}</div>")
        self.columns = pmui.MultiChoice(label="columns", options=[], sizing_mode="stretch_width", visible=False)
        self.missing = pmui.RadioButtonGroup(
            label="rows with missing values",
            options={"refuse them": "refuse", "drop them": "drop"},
            value="refuse",
            size="small",
            visible=False,
        )
        self.standardise = pmui.Switch(label="scale each column to mean 0 and variance 1", value=True, visible=False)
        self.button = pmui.Button(label="Use this table", variant="contained", visible=False, on_click=self._used)
        self.trouble = html("", visible=False)
        self.drop = pmui.Button(label="", variant="outlined", size="small", visible=False, on_click=self._dropped)
        self.file.param.watch(self._chosen, "value")
        self._layout = pn.Column(
            self.file,
            self.about,
            self.trouble,
            self.drop,
            self.columns,
            pn.FlexBox(self.missing, self.standardise, gap="12px"),
            self.button,
            sizing_mode="stretch_width",
        )

    def __panel__(self):
        return self._layout

    def _refused(self, sentence):
        """Say why an upload was refused."""
        self._shown(b"", None, sentence)

    async def _chosen(self, event):
        if event.new is None:
            return
        raw, name = event.new, self.file.filename
        if len(raw) > LARGE:
            self._say("")
            self.about.object = f"<div class='caption'>Reading {escape(name)} ...</div>"
        preview, refusal = await elsewhere(_looked_into, self.file, raw, name)
        if self.file.value is not raw:  # another file was chosen meanwhile
            return
        with pn.io.hold(self._doc):
            self._shown(raw, preview, refusal)

    def choose(self, raw, name):
        """Show what a file holds; a refusal leaves the table in use as it is."""
        self._shown(raw, *_or_sentence(preview_table, raw, name=name))

    def _shown(self, raw, preview, refusal):
        names = self._offered(preview) if preview else []
        self._bytes, self.preview = raw, preview
        self.columns.param.update(options=names, value=names)
        asked = self._asked()
        if preview and asked.get("hash") == preview.hash:
            self.columns.value = _names(asked["columns"], names)
            self.missing.value, self.standardise.value = asked["missing"], asked["standardise"]
        self.about.object = f"<div class='caption'>{_table(preview, self._remark(preview)) if preview else ABOUT}</div>"
        for part in (self.columns, self.missing, self.standardise, self.button):
            part.visible = bool(names)
        if preview and not names:
            refusal = f"{preview.name} has no column of numbers; a kernel mean needs at least one."
        self._say(refusal)

    def _offered(self, preview):
        """The columns that may be chosen."""
        return [column.name for column in preview.columns if column.numeric]

    def _remark(self, preview):
        """What becomes of columns of words."""
        return _named("Left out, as they hold words", [column.name for column in preview.columns if not column.numeric])

    async def _used(self, event=None):
        table, error = await elsewhere(_or_error, self.read)
        with pn.io.hold(self._doc):
            self._refuse(error)
            if table is not None:
                self.use(table)

    async def _dropped(self, event):
        """Leave out the rows that miss a value, and use what is left."""
        self.missing.value = "drop"
        await self._used()

    def _refuse(self, error):
        """Say why a table cannot be used; where dropping rows would help, a button does it."""
        if not isinstance(error, TableRefusal):
            self._say("" if error is None else str(error))
            return
        if error.argument == "missing":
            self._say(f"{error.found}.", error.rows)
        else:
            self._say(f"{error.found}; choose {', '.join(error.value)} under {error.argument}.")

    def read(self):
        """The chosen columns of the chosen file as a table; ValueError where they make none."""
        table = read_table(
            self._bytes,
            columns=list(self.columns.value),
            missing=self.missing.value,
            standardise=self.standardise.value,
            name=self.preview.name,
        )
        if table.n < 2:
            raise Refusal(f"{table.name} has 1 row; at least 2 are needed to choose anything by leaving one out.")
        return table

    def use(self, table):
        """Hand a table over, with the fields that name it."""
        columns = "" if self.columns.value == self.columns.options else json.dumps(self.columns.value)
        asked = self._asked()
        known = asked.get("hash") == table.hash and asked["n"] <= table.n
        fresh = {} if known else {"n": min(table.n, LIVE), "outliers": 0}
        self._use(
            table,
            {
                "source": "file",
                "file": table.name,
                "rows": table.n,
                "hash": table.hash,
                "missing": self.missing.value,
                "columns": columns,
                "standardise": self.standardise.value,
                **fresh,
            },
        )

    def _say(self, sentence, rows=0):
        """Show a sentence, none where it is empty, and the button that drops the rows it is about."""
        self.drop.param.update(label=f"Drop {rows} row{'' if rows == 1 else 's'} with missing values", visible=rows > 0)
        self.trouble.param.update(
            object=f"<div role='alert' class='trouble'>{escape(sentence)}</div>" if sentence else "",
            visible=bool(sentence),
        )


def _names(word, numeric):
    """The columns that a link names; all where it names none, or others than there are."""
    try:
        names = json.loads(word) if word else numeric
    except ValueError:
        return numeric
    return names if isinstance(names, list) and names and all(name in numeric for name in names) else numeric


def _or_error(function, *args, **options):
    """(what the function gives, None) or (None, its refusal)."""
    try:
        with files.within_memory("the file"):
            return function(*args, **options), None
    except Refusal as error:
        return None, error


def _or_sentence(function, *args, **options):
    """(what the function gives, no sentence) or (None, why not)."""
    given, error = _or_error(function, *args, **options)
    return given, "" if error is None else str(error)


def _looked_into(upload, raw, name):
    """(What a file holds, no sentence) or (None, why not); nothing where another file was chosen meanwhile."""
    return _or_sentence(preview_table, raw, name=name) if upload.value is raw else (None, "")


def _named(what, names):
    """A sentence that names columns; empty where there are none."""
    return f" {what}: {listed(names)}." if names else ""


def _table(preview, remark):
    """The first rows of a file, as HTML, below how many there are and a remark on its columns."""
    columns = preview.columns[:COLUMNS]
    head = "".join(f"<th class='{'' if c.numeric else 'words'}'>{escape(cut(c.name))}</th>" for c in columns)
    shown = max((len(c.first) for c in columns), default=0)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td class='{'' if c.numeric else 'words'}'>{escape(cut(c.first[i], LETTERS))}</td>" for c in columns
        )
        + "</tr>"
        for i in range(shown)
    )
    gaps = sum(c.missing for c in preview.columns)
    says = f"<b>{escape(preview.name)}</b>: {preview.rows} rows, {len(preview.columns)} columns"
    says += f", {gaps} missing value{'s' if gaps > 1 else ''}" if gaps else ", nothing missing"
    says += f"; the first {COLUMNS} columns are shown" if len(preview.columns) > COLUMNS else ""
    return f"{says}.{escape(remark)}<div class='preview' tabindex='0'><table><tr>{head}</tr>{body}</table></div>"
