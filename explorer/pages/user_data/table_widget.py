"""The user's table: dropped, chosen or pasted, previewed, and used."""

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
from explorer.languages import message, translate
from explorer.markup import markup
from explorer.pages.widgets.button_row import ButtonRow
from explorer.types import Missing

from .base_widget import LARGE, Asked, Use, UserData, or_error
from .inputs.intake import Examples
from .inputs.preview_html import counted, left_out, named, placeless, preview_html
from .inputs.upload import in_reader_thread

LIVE = 200  # most rows of a new table that the page opens with, so that all controls respond at once
OFFERED = 12  # most columns left out that get a button to use them anyway
GRAM = " a row for each column: read as a Gram matrix, drawn along its principal axes."
HINT = "height,weight,species\n1.8,80,a\n1.6,55,b"


class UserTable(UserData):
    """Widget for the user's table: `use(table, fields)` receives the table and the fields that identify it.

    Parameters
    ----------
    use : callable
        Called as `use(table, fields)` with the user's data.
    asked : callable, default dict
        Returns the lab's current fields, with which a link may have named the data.
    examples : mapping of str to callable, or None, default None
        Labels of examples, each with a function that shows the example.
    grams : bool, default False
        Whether the lab also takes a Gram matrix.
    needs : str, default ""
        What the lab needs coordinates for, if it does. A Gram matrix is then refused with this reason.
    uses : int or None, default None
        The number of chosen columns that the lab uses, the first ones; None is all.
    shows : callable or None, default None
        Returns, from names of columns, those that the lab shows at first if it shows few at a time; None is all.
    **params : dict
        Parameters of the Panel component.

    Attributes
    ----------
    categories : bool
        Whether columns of few different texts are chosen by default.

    Notes
    -----
    Every chosen column can cost rows, because rows with a missing value are lost. A column that the lab does not show
    at first is therefore chosen by default only if it has no missing values.
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
        super().__init__(message("Use this table"), asked, examples, message("Or paste a table"), HINT, **params)
        self._use = use
        self.grams = grams
        self.needs = needs
        self.uses, self.shows = uses, shows
        self._bytes: Any = None  # bytes of the chosen file
        self.preview: Any = None  # its preview
        self._dropping = self._wanted = self._quiet = False
        self.columns: pmui.MultiChoice = pmui.MultiChoice(
            label=translate("columns"), options=[], sizing_mode="stretch_width", visible=False
        )
        self.unused: ButtonRow = ButtonRow(self._use_too, visible=False, sizing_mode="stretch_width", margin=(0, 10))
        self.standardise: Any = self._scaling()
        self.gram: pmui.Switch = pmui.Switch(label=translate("it is a Gram matrix, k(row, column)"), visible=False)
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
        """Return the control that sets how columns are scaled."""
        return pmui.Switch(label=translate("scale each column to mean 0 and variance 1"), value=True, visible=False)

    def _scale_as(self, scaled):
        """Set the control to show whether the columns are scaled."""
        self.standardise.value = scaled

    def _read_preview(self, raw, name):
        """Return a file's preview, read leniently unless a link names the file and asks for the strict reader."""
        preview = preview_table(raw, name=name, lenient=True)
        if preview.unusual and self._is_named_by_link(preview.hash) and not self._asked()["lenient"]:
            return preview_table(raw, name=name)
        return preview

    def _show_preview(self, raw, preview, refusal):
        self._bytes, self.preview, self._dropping, self._wanted = raw, preview, False, False
        names = self._selectable_names()
        with self._without_following():
            self.columns.param.update(options=names, value=self._default_columns())
            self.gram.visible = self._may_be_gram()
            self.gram.value = self.gram.visible and self._seems_gram()
            if preview and self._is_named_by_link(preview.hash):
                asked = self._asked()
                self.columns.value = (
                    names_of(asked["columns"], names) or self._reader_columns() or self._default_columns()
                )
                self._dropping = asked["missing"] == "drop"
                self._scale_as(asked["standardise"])
                self.gram.value = asked["gram"] and self.gram.visible
        self.button.visible = bool(names)
        if preview and not names:
            refusal = translate("{} has no column of numbers; a kernel mean needs at least one.", preview.name)
        self._say(refusal or self._placeless())
        self._follow()

    def _placeless(self):
        """Return a message if a Gram matrix is chosen but the lab needs coordinates, otherwise ""."""
        return placeless(self.preview, self.columns.value, self.needs) if self.preview and self.needs else ""

    @contextmanager
    def _without_following(self):
        """Suspend the updates that follow a change of a menu."""
        self._quiet = True
        try:
            yield
        finally:
            self._quiet = False

    # columns

    def _selectable_names(self):
        """Return the names of the columns that may be chosen."""
        return [column.name for column in self._columns() if column.use]

    def _columns(self):
        """Return the previews of the file's columns."""
        return self.preview.columns if self.preview else ()

    def _reader_columns(self):
        """Return the columns that the reader uses if none are named; a link then names none."""
        return [column.name for column in self._columns() if column.numeric and not column.dates]

    def _refused_unasked(self):
        """Return whether the readers refuse to leave out a column unless others are named."""
        return any(column.refused for column in self._columns())

    def _default_columns(self):
        """Return the default columns: those that measure something, only numeric ones if the lab uses few."""
        usual = self._measuring("number")
        if self.categories and not (usual and self.uses):
            usual = self._measuring("number", "category")
        return self._without_needless_gaps(usual or self._reader_columns() or self._selectable_names())

    def _measuring(self, *kinds):
        return [column.name for column in self._columns() if column.use in kinds and not column.why]

    def _without_needless_gaps(self, names):
        """Drop the columns that the lab does not show at first and that have missing values."""
        if self.shows is None or not self.preview:
            return names
        shown_first = self.shows(names)
        return [name for name in names if name in shown_first or not self.preview.incomplete([name])]

    def _chosen_names(self):
        """Return the names of the columns that make the table."""
        return list(self.preview.square if self.gram.value else self.columns.value[: self.uses])

    def _may_be_gram(self):
        """Return whether the file may be a Gram matrix that the lab takes."""
        return bool(self.grams and self.preview and self.preview.square)

    def _seems_gram(self):
        """Return whether the file is treated as a Gram matrix by default.

        For any other square table the user can ask for it, and gets an error message if it is not one.
        """
        return bool(self.preview.gram)

    def _choosing(self):
        """Return whether the user chooses columns; a Gram matrix uses all of its own."""
        return not self.gram.value

    def _unchosen_columns(self):
        """Return the previews of the columns that are not chosen."""
        taken = self._chosen_names() if self.preview else ()
        return [column for column in self._columns() if column.name not in taken]

    def _remark(self):
        """Return a remark on how columns that are not plain numbers are treated."""
        if self.gram.value:
            symmetric = " Symmetric, with" if self.preview.gram else " With"
            return symmetric + GRAM + left_out(self._unchosen_columns())
        words = [c.name for c in self._columns() if not c.numeric and c.name in self.columns.value]
        return named("Taken as categories", words) + left_out(self._unchosen_columns()) + self._few_used()

    def _few_used(self):
        """Return a remark if the lab uses fewer columns than are chosen, otherwise ""."""
        if self.uses is None or len(self.columns.value) <= self.uses:
            return ""
        return translate(" This lab shows {} columns at a time, the first that are chosen.", self.uses)

    def _follow(self, event=None):
        """Describe the chosen columns, and offer the columns left out and to drop rows with missing values."""
        if self._quiet:
            return
        preview = self.preview
        more = self._remark() + self._dropped_rows() if preview else ""
        text = preview_html(preview, self._chosen_names(), more) if preview else self._nothing_yet()
        self.about.object = markup("<div class='caption'>{}</div>", text)
        words = [
            translate("Use {}", column.name)
            for column in self._unchosen_columns()
            if column.name in self.columns.options
        ][:OFFERED]
        choosing = self._choosing()
        self.unused.param.update(words=words, visible=bool(words) and choosing)
        self.columns.visible = self.standardise.visible = self.button.visible and choosing
        self._offer_dropping(0 if self._dropping else self._incomplete())

    def _nothing_yet(self):
        """Return the text that is shown before there is a file."""
        return translate(self.about_it)

    def _use_too(self, place):
        """Choose a column that was left out, at its position among the others."""
        taken = {*self.columns.value, self.unused.words[place].removeprefix("Use ")}
        self.columns.value = [name for name in self.columns.options if name in taken]

    # rows with missing values

    def _incomplete(self):
        """Return the number of rows that miss a value in a chosen column."""
        return self.preview.incomplete(self._chosen_names()) if self.preview else 0

    def _dropped_rows(self):
        count = self._incomplete() if self._dropping else 0
        return translate(" {} with missing values left out.", counted(count, "row")) if count else ""

    async def _dropped(self, event):
        """Drop the rows with missing values. If the user has tried to use the table, use the other rows."""
        self._dropping = True
        self._say("")
        self._follow()
        if self._wanted:
            await self._pressed()

    def _offer_dropping(self, rows):
        label = translate("Drop {} with missing values", counted(rows, "row"))
        self.drop.param.update(label=label, visible=rows > 0)

    # using the table

    async def _pressed(self, event=None):
        if self.preview is None:
            return  # the button was not visible
        table, error = await in_reader_thread(or_error, self.read)
        with pn.io.hold(self._doc):
            if table is not None:
                self._say("")
                _, error = or_error(self.use, table)
            self._wanted = error is not None
            if error is None:
                self._release_files()
            else:
                self._refuse(error)
                self.say_whether_used(str(error))

    def _release_files(self) -> None:
        """Release what was parsed of large files. Small files stay parsed, so that other columns are fast to read."""
        for raw in self._files():
            if isinstance(raw, ParsedFile) and len(raw) > LARGE:
                raw.forget()

    def _files(self) -> tuple[bytes | None, ...]:
        """Return the bytes of the chosen files."""
        return (self._bytes,)

    def _refuse(self, error):
        """Show why a table cannot be used, and offer a button if dropping rows helps."""
        if not isinstance(error, TableRefusal):
            self._say(str(error))
        elif error.argument == "missing":
            self._say(f"{error.problem}.")
            self._offer_dropping(error.rows)
        elif error.argument == "columns":
            names: Any = error.value
            self._say(translate("{}; choose {} under {}.", error.problem, ", ".join(names), error.argument))
        else:
            self._say(str(error))

    @property
    def missing(self) -> Missing:
        """How rows with missing values are treated: "refuse" or "drop"."""
        return "drop" if self._dropping else "refuse"

    @property
    def lenient(self) -> bool:
        """True if the chosen columns need the lenient reader."""
        return self._lenient_alone()

    def _lenient_alone(self):
        """Return whether the chosen columns of the first file need the lenient reader."""
        names = self._chosen_names()
        taken = [column for column in self._columns() if column.name in names]
        return bool(self.preview.unusual) or any(column.dates or not column.numeric for column in taken)

    @property
    def scaled(self) -> bool:
        """True if columns are scaled. The inner products of a Gram matrix are not."""
        return self.standardise.value and not self.gram.value

    def read(self) -> Any:
        """Read the chosen columns of the chosen file as a table.

        Returns
        -------
        DataSet
            The table.

        Raises
        ------
        Refusal
            If the columns do not make a table, if it has fewer than two rows, or if the lab needs coordinates and a
            Gram matrix is chosen.
        """
        if sentence := self._placeless():
            raise Refusal(sentence)
        table = read_table(self._bytes, **self._how())
        if table.n < 2:
            raise Refusal(f"{table.name} has 1 row; at least 2 are needed to choose anything by leaving one out.")
        return table

    def _how(self) -> dict[str, Any]:
        """Return the arguments of `read_table`."""
        return {
            "columns": self._chosen_names(),
            "missing": self.missing,
            "standardise": self.scaled,
            "name": self.preview.name,
            "lenient": self.lenient,
            "gram": self.gram.value,
        }

    def use(self, table: Any) -> None:
        """Pass a table on, with the fields that identify it.

        Parameters
        ----------
        table : DataSet
            The table that `read` has returned.
        """
        known = self._are_named_data() and self._asked()["n"] <= table.n
        self._use(table, self._fields(table) | ({} if known else self._fields_of_new_data(table)))

    def _are_named_data(self):
        """Return whether these are the data that a link, or the page, names."""
        return self._is_named_by_link(self.preview.hash)

    def _columns_field(self):
        """Return the field `columns`: "" if the reader uses these columns by default."""
        chosen = self._chosen_names()
        return "" if chosen == self._reader_columns() and not self._refused_unasked() else json.dumps(chosen)

    def _fields(self, table):
        """Return the fields that identify a table and how it was read."""
        return {
            "source": "file",
            "file": self.preview.name,
            "rows": table.n,
            "hash": self.preview.hash,
            "missing": self.missing,
            "columns": self._columns_field(),
            "standardise": self.scaled,
            "lenient": self.lenient,
            "gram": self.gram.value,
            **self._kernel(),
        }

    def _fields_of_new_data(self, table):
        """Return the fields that the page opens with if these are new data."""
        return {"n": min(table.n, LIVE), "outliers": 0}

    def _kernel(self):
        """Return the kernel that belongs to the data: a Gram matrix has the linear kernel of its axes."""
        return {"kernel": "LIN"} if self.gram.value else {}


def names_of(word: str, offered: Collection[str]) -> list[str]:
    """Return the columns that a link names, empty if it names none or if one does not exist."""
    try:
        names = json.loads(word) if word else []
    except ValueError:
        return []
    return names if isinstance(names, list) and all(name in offered for name in names) else []
