"""The user's two samples: one file with a column that names the groups, or a file for each."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import panel_material_ui as pmui
import param

from explorer.checks import Refusal
from explorer.datasets import read_tables
from explorer.datasets.column_selection import MOST_LEVELS
from explorer.datasets.columns.column_roles import likely_group_column
from explorer.datasets.columns.scales import FACTOR
from explorer.languages import translate
from explorer.workbench.two_samples import known_labels, sizes

from .base_widget import Asked, Use
from .inputs.intake import Examples
from .inputs.preview_html import left_out, named
from .inputs.second_file import TakesSecond
from .inputs.upload import Upload
from .table_widget import LIVE

if TYPE_CHECKING:
    from explorer.datasets.common_space import Tables

MANY = 100  # most groups; a column with more different values does not name groups
LEAST = 3  # fewest rows of a sample; one may be left out, and the unbiased statistic needs two
SECOND = "two files"
SIDES = ("before (P)", "after (Q)")
PASTED: str = TakesSecond.pasted_second
SCALES = {f"where they differ by over {FACTOR:g} times": "auto", "always": "common", "never": "none"}


def few_rows(tables: Tables) -> dict[str, Any]:
    """Return the numbers of rows of both samples with which all controls respond at once."""
    n, m = (min(size, LIVE) for size in sizes(tables))
    return {"n": n, "m": m}


class TwoUploads(param.Parameterized):
    """Two files that were dropped together. A watcher may be a coroutine function."""

    files: param.List[list[Any]] = param.List(doc="(name, bytes) of each")


class UserTwoSamples(TakesSecond):
    """Widget for the user's two samples, with an upload zone for each; `sides` has their labels.

    `use(tables, fields)` receives the Tables, of one file with groups or of two files, in their own units, and the
    fields that identify them. If all columns are chosen, all that can be compared are used, and the result says which
    are left out. `opening(tables)` returns the fields that the page opens with for new data. `scale` says how numbers
    are scaled at first, one of the values of the `scale` parameter of `read_tables`: "common", or "auto", which the
    user can change.
    """

    def __init__(
        self,
        use: Use,
        asked: Asked = dict,
        examples: Examples = None,
        grams: bool = False,
        opening: Callable[[Tables], dict[str, Any]] | None = None,
        scale: str = "common",
        sides: tuple[str, str] = SIDES,
        **params: Any,
    ) -> None:
        self._opening = opening or few_rows
        self.scale = scale
        self.sides = sides
        self._came = TwoUploads()
        self.group: pmui.Select = pmui.Select(
            label="groups are in",
            options=[SECOND],
            value=SECOND,
            size="small",
            width=260,
            visible=False,
            margin=(12, 10, 5, 10),
        )
        self.group.margin = (12, 10, 5, 10)
        self.stands_for: str = f"{sides[1][:1].upper()}{sides[1][1:]}"
        super().__init__(use, asked, examples, grams, **params)
        self.intake.beside(self.second)
        self._came.param.watch(self._receive_both, "files", onlychanged=False)
        for zone in (self.file, self.second):
            zone.both = partial(setattr, self._came, "files")
        self.group.param.watch(lambda event: self._arrange(event.old), "value")
        self._layout.insert(4, self.group)

    def _first_zone(self, refuse):
        return Upload(refuse, self.sides[0])

    def _second_zone(self, refuse):
        return Upload(refuse, self.sides[1], "drop or choose a second file, if there is one")

    def _scaling(self):
        label = "divide numbers by scales common to both samples"
        if self.scale == "common":
            return pmui.Switch(label=label, value=True, visible=False)
        return pmui.Select(label=label, options=SCALES, value=self.scale, size="small", width=340, visible=False)

    def _scale_as(self, scaled):
        self.standardise.value = scaled if self.scale == "common" else ("common" if scaled else "none")

    def _scaled(self, tables):
        """Return whether the tables' numbers are scaled."""
        if self.gram.value:
            return False
        chosen = self.standardise.value
        return tables.uneven if chosen == "auto" else chosen in (True, "common")

    async def _receive_both(self, event):
        """Take two files that were dropped together as the two samples."""
        (first, raw), (second, other) = event.new
        self.intake.forget()
        await self._receive(raw, first)
        if self.preview is not None:
            self.group.value = SECOND
            await self._receive_second(other, second, lambda: False)

    def _show_preview(self, raw: bytes, preview: Any, refusal: str) -> None:
        with self._without_following():
            self.preview = preview
            names = [column.name for column in self._columns()]
            group = SECOND if self.second_preview else self._grouping(names)
            self.group.param.update(options=[*self._by_levels(), SECOND], value=group)
            self.group.visible = bool(names)
        self.file.show_file_name(preview.name if preview else "")
        super()._show_preview(raw, preview, refusal)

    @property
    def _wants_second(self):
        return self.preview is not None and self.group.value == SECOND

    def _previews(self):
        """Return the previews of the files that are compared."""
        return super()._previews() if self.group.value == SECOND else [each for each in (self.preview,) if each]

    def _nothing_yet(self):
        if self.second_preview is None:
            return super()._nothing_yet()
        return translate(
            "{} Choose a first file, {}, as well.", self._second_words(self.second_preview).strip(), self.sides[0]
        )

    def choose_second(self, raw: bytes | None, preview: Any, refusal: str = "") -> None:
        """Take the second file. There are two samples then, whatever groups the first file has."""
        if preview is not None and self.preview is not None:
            self.group.value = SECOND
        self.second.show_file_name(preview.name if preview else "")
        super().choose_second(raw, preview, refusal)

    def _by_levels(self):
        """Return the names of the columns, text columns first."""
        return [column.name for column in sorted(self._columns(), key=lambda column: column.numeric)]

    def _grouping(self, names):
        """Return the group column that a link names, or the most likely one, or SECOND if there is none."""
        asked = self._asked()
        if self.preview and self._is_named_by_link(self.preview.hash):
            if asked["group"] in names:
                return asked["group"]
            if asked["hash2"]:
                return SECOND
        return (self.preview and likely_group_column(self.preview.columns, self.preview.rows)) or SECOND

    # columns

    def _comparable(self, names):
        """Return these columns without the group column, which is a coordinate only if there is no other."""
        return [name for name in names if name != self.group.value] or names

    def _reader_columns(self):
        """Return the columns that are compared if none are named."""
        return self._comparable([column.name for column in self._columns() if column.compared])

    def _default_columns(self):
        """Return the columns that are compared by default, on the command line too."""
        return self._reader_columns() or self._comparable([c.name for c in self._columns() if c.use and not c.why])

    def _chosen_names(self):
        return [*super()._chosen_names(), self.group.value]

    def _may_be_gram(self):
        """Return whether the file may be a Gram matrix: only with a group column, as it has no second file's points."""
        return super()._may_be_gram() and self.group.value not in (SECOND, *self.preview.square)

    def _remark(self):
        if self.gram.value:
            return super()._remark()
        words = [c.name for c in self._columns() if not c.numeric and c.name in self.columns.value]
        return named("Compared as categories", words) + left_out(self._unchosen_columns())

    def _arrange(self, before=None):
        """Update the compared columns after another column was chosen to name the groups.

        The selection is kept, except that the new group column leaves it and the previous group column joins it.
        """
        if self.preview is None or self._quiet:
            return
        self.gram.visible = self._may_be_gram()
        self.gram.value = self.gram.value and self.gram.visible
        usual = self._default_columns()
        kept = [name for name in self.columns.value if name != self.group.value]
        self.columns.value = [n for n in self.columns.options if n in kept or (n == before and n in usual)] or usual
        self._follow()

    def _incomplete(self):
        """Return the number of rows that miss a chosen value, in both files if there are two."""
        names = self._chosen_names()
        return sum(preview.incomplete(names) for preview in self._previews())

    @property
    def lenient(self) -> bool:
        """True if a file needs the lenient reader: it has unusual cells, or a column of dates that is compared.

        The strict reader would compare the dates as text.
        """
        unasked = not self._named()
        dates = [
            column for column in self._columns() if column.dates and (unasked or column.name in self._chosen_names())
        ]
        return bool(dates) or any(preview.unusual for preview in self._previews())

    # using the data

    def read(self) -> Any:
        """Read the chosen table with its groups, or both tables.

        Raises
        ------
        Refusal
            If the second file is missing, if the column does not name 2 to MANY groups, or if a sample has fewer than
            LEAST rows.
        """
        if self.group.value == SECOND:
            if self._second_bytes is None or self.second_preview is None:
                raise Refusal(f"Choose a second file, {self.sides[1]}, as well, or a column that names the groups.")
            tables = self._read([self._bytes, self._second_bytes], [self.preview.name, self.second_preview.name], None)
        else:
            tables = self._read([self._bytes], [self.preview.name], self.group.value)
            groups = known_labels(tables[0])
            if not 2 <= len(groups) <= MANY:
                raise Refusal(
                    f"{tables[0].name} has {len(groups)} group{'' if len(groups) == 1 else 's'} in column"
                    f" '{self.group.value}'; a comparison needs two, and at most {MANY}: choose another column, or a"
                    " second file."
                )
        few = min(sizes(tables))
        if few < LEAST:
            raise Refusal(
                f"one of the two samples has {few} row{'' if few == 1 else 's'}; each needs at least {LEAST}."
            )
        return tables

    def _read(self, files, names, target):
        """Read tables in their own units. The lab scales them if its field says so."""
        return read_tables(
            files,
            self._named() or None,
            self.missing,
            "none",
            target=target,
            names=names,
            lenient=self.lenient,
            gram=self.gram.value,
        )

    def _named(self):
        """Return the chosen columns, or none if they are all that `read_tables` compares by default.

        Columns with more levels than a lab takes are compared by `read_tables`, so the names are then needed.
        """
        chosen = super()._chosen_names()
        many = any(not column.numeric and column.levels > MOST_LEVELS for column in self._columns())
        return [] if chosen == self._reader_columns() and not many and not self._refused_unasked() else chosen

    def use(self, table: Any) -> None:
        """Pass the tables on, with the fields that identify them."""
        tables, grouped, columns = table, len(table) == 1, self._named()
        fields = {
            "source": "file",
            "file": tables[0].name,
            "rows": tables[0].n,
            "hash": tables[0].hash,
            "missing": self.missing,
            "columns": json.dumps(columns) if columns else "",
            "standardise": self._scaled(tables),
            "lenient": self.lenient,
            "gram": self.gram.value,
            "group": self.group.value if grouped else "",
            "file2": "",
            "rows2": 0,
            "hash2": "",
            **self._kernel(),
        }
        if not grouped:
            fields |= {"file2": tables[1].name, "rows2": tables[1].n, "hash2": tables[1].hash}
        asked = self._asked()
        if any(asked.get(name) != fields[name] for name in ("hash", "hash2", "group")):
            fields |= {"groups": "", "outliers": 0, **self._opening(tables)}
        self._use(tables, fields)
