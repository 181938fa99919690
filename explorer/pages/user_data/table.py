"""A table of one's own: dropped, chosen or pasted, looked at, used."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from contextlib import contextmanager
from typing import Any

import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import TableRefusal, preview_table, read_table
from explorer.datasets.files.parsed_file import ParsedFile
from explorer.languages import translate
from explorer.markup import markup
from explorer.pages.widgets.button_row import ButtonRow
from explorer.types import Missing

from .base import LARGE, Asked, Use, UserData, or_error
from .inputs.intake import Examples
from .inputs.preview_html import counted, left_out, named, placeless, preview_html
from .inputs.upload import elsewhere

LIVE = 200  # rows of a fresh table that the page opens with: all controls follow the hand there
OFFERED = 12  # columns left out for which there is a button that takes them all the same
GRAM = " a row for each column: read as a Gram matrix, drawn along its principal axes."
HINT = "height,weight,species\n1.8,80,a\n1.6,55,b"


class UserTable(UserData):
    """A table on its way in: `use(table, fields)` gets the table and the fields that name it.

    categories  whether columns of few different words are taken unasked
    grams       whether the lab takes a Gram matrix too
    needs       what it needs coordinates for, where it takes none: a Gram matrix is refused in words
    uses        how many columns the lab uses, of those that are chosen the first; None is all
    shows       of the names of columns those that the lab shows at first, as it shows few at a time; None is all

    Rows are lost for gaps in columns that the lab uses alone: a column that it does not show at first is chosen unasked
    only if it has no gaps.
    """

    about_it = (
        "CSV, workbooks, JSON, SQLite, Parquet, NPY, Stata and others, also in a zip archive; up to 20 MB. Your data"
        " stay in this session: no link carries them."
    )
    categories = True

    def __init__(
        self,
        use: Use,
        asked: Asked = dict,
        examples: Examples = None,
        grams: bool = False,
        needs: str = "",
        uses: int | None = None,
        shows: Callable[[Sequence[str]], Sequence[str]] | None = None,
        **params: Any,
    ) -> None:
        super().__init__("Use this table", asked, examples, "Or paste a table", HINT, **params)
        self._use = use
        self.grams = grams
        self.needs = needs
        self.uses, self.shows = uses, shows
        self._bytes: Any = None  # of the chosen file
        self.preview: Any = None  # what it holds
        self._dropping = self._wanted = self._quiet = False
        self.columns: pmui.MultiChoice = pmui.MultiChoice(
            label=translate("columns"), options=[], sizing_mode="stretch_width", visible=False
        )
        self.unused: ButtonRow = ButtonRow(self._use_too, visible=False, sizing_mode="stretch_width", margin=(0, 10))
        self.standardise: Any = self._scaling()
        self.gram: pmui.Switch = pmui.Switch(label=translate("it is a Gram matrix, k of row and column"), visible=False)
        self.drop: pmui.Button = pmui.Button(
            label="", variant="outlined", size="small", visible=False, on_click=self._dropped
        )
        for menu in (self.columns, self.gram):
            menu.param.watch(self._follow, "value")
        self._layout = pn.Column(
            self.intake,
            self.about,
            self.gram,
            self.unused,
            self.columns,
            self.standardise,
            self.trouble,
            self.drop,
            self.button,
            sizing_mode="stretch_width",
        )

    def __panel__(self) -> pn.Column:
        return self._layout

    def _scaling(self) -> Any:
        """The control of how columns are scaled."""
        return pmui.Switch(label=translate("scale each column to mean 0 and variance 1"), value=True, visible=False)

    def _scale_as(self, scaled):
        """Show whether the columns are scaled."""
        self.standardise.value = scaled

    def _look(self, raw, name):
        """What a file holds, read leniently unless a link names it that did not."""
        preview = preview_table(raw, name=name, lenient=True)
        if preview.unusual and self._known(preview.hash) and not self._asked()["lenient"]:
            return preview_table(raw, name=name)
        return preview

    def _shown(self, raw, preview, refusal):
        self._bytes, self.preview, self._dropping, self._wanted = raw, preview, False, False
        names = self._offered()
        with self._without_following():
            self.columns.param.update(options=names, value=self._usual())
            self.gram.visible = self._may_be_gram()
            self.gram.value = self.gram.visible and self._seems_gram()
            if preview and self._known(preview.hash):
                asked = self._asked()
                self.columns.value = names_of(asked["columns"], names) or self._whole() or self._usual()
                self._dropping = asked["missing"] == "drop"
                self._scale_as(asked["standardise"])
                self.gram.value = asked["gram"] and self.gram.visible
        self.button.visible = bool(names)
        if preview and not names:
            refusal = f"{preview.name} has no column of numbers; a kernel mean needs at least one."
        self._say(refusal or self._placeless())
        self._follow()

    def _placeless(self):
        """A sentence where what is chosen is a Gram matrix, and the lab needs coordinates; empty where not."""
        return placeless(self.preview, self.columns.value, self.needs) if self.preview and self.needs else ""

    @contextmanager
    def _without_following(self):
        """Change menus without what follows of each."""
        self._quiet = True
        try:
            yield
        finally:
            self._quiet = False

    # its columns

    def _offered(self):
        """The columns that may be chosen."""
        return [column.name for column in self._there() if column.use]

    def _there(self):
        """The previews of the columns."""
        return self.preview.columns if self.preview else ()

    def _whole(self):
        """The columns that the reader takes where none are named: a link names no others."""
        return [column.name for column in self._there() if column.numeric and not column.dates]

    def _refused_unasked(self):
        """Whether there is a column that the readers refuse to leave out unless others are named."""
        return any(column.refused for column in self._there())

    def _usual(self):
        """The columns that are chosen at first: those that measure something, of few that the lab uses the numbers."""
        usual = self._measuring("number")
        if self.categories and not (usual and self.uses):
            usual = self._measuring("number", "category")
        return self._without_needless_gaps(usual or self._whole() or self._offered())

    def _measuring(self, *kinds):
        return [column.name for column in self._there() if column.use in kinds and not column.why]

    def _without_needless_gaps(self, names):
        """The names without those of columns that the lab does not show at first, and that have gaps."""
        if self.shows is None or not self.preview:
            return names
        shown_first = self.shows(names)
        return [name for name in names if name in shown_first or not self.preview.incomplete([name])]

    def _taken(self):
        """The columns that the table is made of."""
        return list(self.preview.square if self.gram.value else self.columns.value[: self.uses])

    def _may_be_gram(self):
        """Whether the file may be a Gram matrix that the lab takes."""
        return bool(self.grams and self.preview and self.preview.square)

    def _seems_gram(self):
        """Whether it is taken for one: another square table is one where its owner says so, and refused in words."""
        return bool(self.preview.gram)

    def _choosing(self):
        """Whether columns are to be chosen: those of a Gram matrix are all of them."""
        return not self.gram.value

    def _left(self):
        """The columns that are not chosen."""
        taken = self._taken() if self.preview else ()
        return [column for column in self._there() if column.name not in taken]

    def _remark(self):
        """What becomes of columns that are no plain numbers."""
        if self.gram.value:
            symmetric = " Symmetric, with" if self.preview.gram else " With"
            return symmetric + GRAM + left_out(self._left())
        words = [c.name for c in self._there() if not c.numeric and c.name in self.columns.value]
        return named("Taken as categories", words) + left_out(self._left()) + self._few_used()

    def _few_used(self):
        """A sentence if the lab uses fewer columns than are chosen."""
        if self.uses is None or len(self.columns.value) <= self.uses:
            return ""
        return f" This lab shows {self.uses} columns at a time, the first that are chosen."

    def _follow(self, event=None):
        """Say what the chosen columns mean, and offer those that are left out and the rows that miss a value."""
        if self._quiet:
            return
        preview = self.preview
        more = self._remark() + self._dropped_rows() if preview else ""
        text = preview_html(preview, self._taken(), more) if preview else self._nothing_yet()
        self.about.object = markup("<div class='caption'>{}</div>", text)
        words = [f"Use {column.name}" for column in self._left() if column.name in self.columns.options][:OFFERED]
        choosing = self._choosing()
        self.unused.param.update(words=words, visible=bool(words) and choosing)
        self.columns.visible = self.standardise.visible = self.button.visible and choosing
        self._offer_dropping(0 if self._dropping else self._incomplete())

    def _nothing_yet(self):
        """What is said before there is a file."""
        return translate(self.about_it)

    def _use_too(self, place):
        """Take a column that was left out, in its place among the others."""
        taken = {*self.columns.value, self.unused.words[place].removeprefix("Use ")}
        self.columns.value = [name for name in self.columns.options if name in taken]

    # rows with missing values

    def _incomplete(self):
        """How many rows miss a value in what is chosen."""
        return self.preview.incomplete(self._taken()) if self.preview else 0

    def _dropped_rows(self):
        count = self._incomplete() if self._dropping else 0
        return f" {counted(count, 'row')} with missing values left out." if count else ""

    async def _dropped(self, event):
        """Leave out the rows that miss a value; where the table was to be used, use what is left."""
        self._dropping = True
        self._say("")
        self._follow()
        if self._wanted:
            await self._pressed()

    def _offer_dropping(self, rows):
        label = f"Drop {counted(rows, 'row')} with missing values"
        self.drop.param.update(label=label, visible=rows > 0)

    # using it

    async def _pressed(self, event=None):
        if self.preview is None:
            return  # the button was not there
        table, error = await elsewhere(or_error, self.read)
        with pn.io.hold(self._doc):
            if table is not None:
                self._say("")
                _, error = or_error(self.use, table)
            self._wanted = error is not None
            if error is None:
                self._let_go()
            else:
                self._refuse(error)
                self.say_whether_used(str(error))

    def _let_go(self) -> None:
        """What was parsed of small files stays, so that other columns are there at once."""
        for raw in self._files():
            if isinstance(raw, ParsedFile) and len(raw) > LARGE:
                raw.forget()

    def _files(self) -> tuple[bytes | None, ...]:
        """The bytes of what was chosen."""
        return (self._bytes,)

    def _refuse(self, error):
        """Say why a table cannot be used; where dropping rows would help, a button does it."""
        if not isinstance(error, TableRefusal):
            self._say(str(error))
        elif error.argument == "missing":
            self._say(f"{error.problem}.")
            self._offer_dropping(error.rows)
        elif error.argument == "columns":
            names: Any = error.value
            self._say(f"{error.problem}; choose {', '.join(names)} under {error.argument}.")
        else:
            self._say(str(error))

    @property
    def missing(self) -> Missing:
        """What becomes of rows that miss a value: "refuse" or "drop"."""
        return "drop" if self._dropping else "refuse"

    @property
    def lenient(self) -> bool:
        """Whether what is chosen is only read leniently as it is shown."""
        return self._lenient_alone()

    def _lenient_alone(self):
        """Whether what is chosen of the first file is."""
        names = self._taken()
        taken = [column for column in self._there() if column.name in names]
        return bool(self.preview.unusual) or any(column.dates or not column.numeric for column in taken)

    @property
    def scaled(self) -> bool:
        """Whether columns are scaled; the inner products of a Gram matrix are to stay."""
        return self.standardise.value and not self.gram.value

    def read(self) -> Any:
        """The chosen columns of the chosen file as a table; ValueError where they make none."""
        if sentence := self._placeless():
            raise Refusal(sentence)
        table = read_table(self._bytes, **self._how())
        if table.n < 2:
            raise Refusal(f"{table.name} has 1 row; at least 2 are needed to choose anything by leaving one out.")
        return table

    def _how(self) -> dict[str, Any]:
        """Return what `read_table` is told."""
        return {
            "columns": self._taken(),
            "missing": self.missing,
            "standardise": self.scaled,
            "name": self.preview.name,
            "lenient": self.lenient,
            "gram": self.gram.value,
        }

    def use(self, table: Any) -> None:
        """Hand a table over, with the fields that name it."""
        known = self._same() and self._asked()["n"] <= table.n
        self._use(table, self._fields(table) | ({} if known else self._fresh(table)))

    def _same(self):
        """Whether these are the data that a link, or the page, names."""
        return self._known(self.preview.hash)

    def _word(self):
        """The field `columns`: empty where the reader takes these columns unasked."""
        chosen = self._taken()
        return "" if chosen == self._whole() and not self._refused_unasked() else json.dumps(chosen)

    def _fields(self, table):
        """The fields that name a table and how it was read."""
        return {
            "source": "file",
            "file": self.preview.name,
            "rows": table.n,
            "hash": self.preview.hash,
            "missing": self.missing,
            "columns": self._word(),
            "standardise": self.scaled,
            "lenient": self.lenient,
            "gram": self.gram.value,
            **self._kernel(),
        }

    def _fresh(self, table):
        """What the page opens with where these are other data."""
        return {"n": min(table.n, LIVE), "outliers": 0}

    def _kernel(self):
        """The kernel that goes with the data: that of a Gram matrix is the linear one of its axes."""
        return {"kernel": "LIN"} if self.gram.value else {}


def names_of(word: str, offered: Collection[str]) -> list[str]:
    """The columns that a link names; none where it names none, or others than there are."""
    try:
        names = json.loads(word) if word else []
    except ValueError:
        return []
    return names if isinstance(names, list) and all(name in offered for name in names) else []
