"""Two samples of the user: the groups that a column of one file names, or a file for each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import read_tables
from explorer.datasets.column_selection import MOST_LEVELS
from explorer.datasets.columns.column_roles import likely_group_column
from explorer.datasets.columns.scales import FACTOR
from explorer.languages import message
from explorer.workbench.two_samples import known_labels, sizes

from .columns import Columns
from .inputs.preview_html import left_out, named
from .reading import LIVE, Reading
from .second_file import SecondFile
from .slot import MIDDLE, Slot

if TYPE_CHECKING:
    from explorer.datasets.common_space import Tables

MANY = 100  # most groups; a column with more different values does not name groups
LEAST = 3  # fewest rows of a sample; one may be left out, and the unbiased statistic needs two
SECOND = "two files"
SIDES = ("before (P)", "after (Q)")
PASTED = "pasted for Q.csv"  # file name of a pasted text that is the second file
SCALES = {f"where they differ by over {FACTOR:g} times": "auto", "always": "common", "never": "none"}


def two_samples(
    grams: bool = False, scales: dict[str, str] | None = None, sides: tuple[str, str] = SIDES
) -> tuple[Slot, ...]:
    """Return the slots of two samples.

    Parameters
    ----------
    grams : bool, default False
        Whether the lab also takes a Gram matrix.
    scales : dict or None, default None
        The ways to scale numbers, as in `Columns`, such as SCALES.
    sides : tuple of (str, str), default SIDES
        The labels of the two samples at their upload zones.

    Returns
    -------
    tuple of Slot
        The slots.
    """
    scaling = message("divide numbers by scales common to both samples")
    second = SecondFile(f"{sides[1][:1].upper()}{sides[1][1:]}", sides)
    return GroupColumn(), second, Columns(grams=grams, scaling=scaling, scales=scales)


class GroupColumn(Reading):
    """Slot of the column that names groups, unless each sample has a file. It reads `Tables`, in their own units.

    If all columns are chosen, all that can be compared are used, and the result says which are left out.

    Parameters
    ----------
    label : str, default "groups are in"
        The label of the menu.
    pairs : str, default ""
        The option of the menu under which the rows of the file are pairs, if there is one. Another slot then reads.
    """

    place = MIDDLE

    def __init__(self, label: str = "groups are in", pairs: str = "") -> None:
        self.label, self.pairs = label, pairs

    def build(self) -> dict[str, Any]:
        self.menu: pmui.Select = pmui.Select(
            label=self.label,
            options=[SECOND],
            value=SECOND,
            size="small",
            width=260,
            visible=False,
            margin=(12, 10, 5, 10),
        )
        self.panel.watch(self.menu, self._arrange)
        return {"group": self.menu}

    @property
    def is_paired(self) -> bool:
        """True if the rows of the file are pairs."""
        return bool(self.pairs) and self.menu.value == self.pairs

    def _group(self):
        return "" if self.has_two_files else self.menu.value

    @property
    def has_two_files(self) -> bool:
        """True if each sample has a file."""
        return self.menu.value == SECOND

    # a file

    def show(self, asked: dict[str, Any]) -> None:
        columns = self.columns.previews
        group = SECOND if self.panel.second_file.preview else self._grouping(asked)
        words_first = [column.name for column in sorted(columns, key=lambda column: column.numeric)]
        options = [*([self.pairs] if self.pairs else []), *words_first, SECOND]
        self.menu.param.update(options=options, value=group)
        self.menu.visible = bool(columns)

    def _grouping(self, asked):
        """Return the group column that a link names, or the most likely one, or SECOND if there is none.

        If rows may be pairs, a file with exactly two columns of numbers has x and y.
        """
        preview, columns = self.panel.preview, self.columns.previews
        if self.pairs and asked and not (asked["group"] or asked["hash2"]):
            return self.pairs
        if self.pairs and not asked:
            numbers = [column for column in columns if column.use == "number" and not column.why]
            if len(numbers) == 2:
                return self.pairs
        if asked and asked["group"] in [column.name for column in columns]:
            return asked["group"]
        if asked and asked["hash2"]:
            return SECOND
        return (preview and likely_group_column(preview.columns, preview.rows)) or SECOND

    def expect_second(self) -> None:
        self.menu.value = SECOND

    def pasted_second(self) -> str:
        return PASTED if self.panel.preview is not None and self.has_two_files else ""

    def compares_second(self) -> bool:
        return self.has_two_files

    def allows_gram(self) -> bool:
        """Return whether one Gram matrix may hold the rows of both samples; a second file's points are not in it."""
        return not self.is_paired and self.menu.value not in (SECOND, *self.panel.preview.square)

    def _arrange(self, event):
        """Update the compared columns after another column was chosen to name the groups.

        The selection is kept, except that the new group column leaves it and the previous group column joins it.
        """
        columns, before = self.columns, event.old
        columns.gram.visible = columns.may_be_gram
        columns.gram.value = columns.gram.value and columns.gram.visible
        usual = self.panel.reader.usual()
        kept = [name for name in columns.menu.value if name != self.menu.value]
        options = columns.menu.options
        columns.menu.value = [n for n in options if n in kept or (n == before and n in usual)] or usual

    # columns

    def reads(self) -> bool:
        return not self.is_paired

    def _comparable(self, names):
        """Return these columns without the group column, which is a coordinate only if there is no other."""
        return [name for name in names if name != self.menu.value] or names

    def unasked(self) -> list[str]:
        """Return the columns that are compared if none are named."""
        return self._comparable([column.name for column in self.columns.previews if column.compared])

    def usual(self) -> list[str]:
        """Return the columns that are compared by default, on the command line too."""
        return self.unasked() or self._comparable([c.name for c in self.columns.previews if c.use and not c.why])

    def chosen(self) -> list[str]:
        return [*self.columns.chosen_names, self.menu.value]

    def describe(self) -> str:
        if self.columns.gram.value:
            return super().describe()
        return describe_compared(self.columns)

    def incomplete(self) -> int:
        """Return the number of rows that miss a chosen value, in both files if there are two."""
        return sum(preview.incomplete(self.chosen()) for preview in self.panel.second_file.compared_files())

    def is_lenient(self) -> bool:
        """Return whether a file, or a column of dates, needs the lenient reader.

        A strict reader treats dates as text, and compares them unless they are left out.
        """
        unasked, chosen = not self._named(), self.chosen()
        dates = any(column.dates and (unasked or column.name in chosen) for column in self.columns.previews)
        return dates or any(preview.unusual for preview in self.panel.second_file.compared_files())

    # using the data

    def read(self) -> Tables:
        panel, preview, second = self.panel, self.panel.preview, self.panel.second_file
        if self.has_two_files:
            if second.preview is None:
                sides: Any = second.sides
                raise Refusal("Choose a second file, {}, as well, or a column that names the groups.", sides[1])
            tables = self._read([panel.files[0], second.file], [preview.name, second.preview.name], None)
        else:
            tables = self._read([panel.files[0]], [preview.name], self.menu.value)
            groups = known_labels(tables[0])
            if not 2 <= len(groups) <= MANY:
                raise Refusal(
                    "{} has {} group in column '{}'; a comparison needs two, and at most {}: choose another column, or"
                    " a second file."
                    if len(groups) == 1
                    else "{} has {} groups in column '{}'; a comparison needs two, and at most {}: choose another"
                    " column, or a second file.",
                    tables[0].name,
                    len(groups),
                    self.menu.value,
                    MANY,
                )
        few = min(sizes(tables))
        if few < LEAST:
            raise Refusal(
                "one of the two samples has {} row; each needs at least {}."
                if few == 1
                else "one of the two samples has {} rows; each needs at least {}.",
                few,
                LEAST,
            )
        return tables

    def _read(self, files, names, target):
        """Read tables in their own units. The lab scales them if its field says so."""
        return read_tables(
            files,
            self._named() or None,
            self.columns.missing,
            "none",
            target=target,
            names=names,
            lenient=self.panel.lenient,
            gram=self.columns.gram.value,
        )

    def _named(self):
        """Return the chosen columns, or none if they are all that `read_tables` compares by default.

        Columns with more levels than a lab takes are compared by `read_tables`, so the names are then needed.
        """
        chosen = self.columns.chosen_names
        many = any(not column.numeric and column.levels > MOST_LEVELS for column in self.columns.previews)
        return [] if chosen == self.unasked() and not many and not self.columns.is_refused_unasked else chosen

    def named_columns(self) -> str:
        columns = self._named()
        return json.dumps(columns) if columns else ""

    def identify(self, data: Tables) -> dict[str, Any]:
        second = self.panel.second_file.named(self.has_two_files)
        fields = super().identify(data[0]) | {"group": self._group(), **second}
        scale = self.columns.standardise.value
        scaled = data.uneven if scale == "auto" else scale in (True, "common")
        rows = {"rows2": data[1].n} if self.has_two_files else {}
        return fields | {"standardise": scaled and not self.columns.gram.value, **rows}

    def is_named(self, asked: dict[str, Any], data: Any) -> bool:
        """Return whether a link names these samples; the columns of pairs are no samples."""
        if self.is_paired:
            return True
        second = self.panel.second_file.named(self.has_two_files)
        return (asked.get("hash2"), asked.get("group")) == (second["hash2"], self._group())

    def opening(self, data: Tables) -> dict[str, Any]:
        n, m = (min(size, LIVE) for size in sizes(data))
        return {"groups": "", "outliers": 0, "n": n, "m": m}


def describe_compared(columns: Columns) -> str:
    """Return how columns of words are compared, and which columns are left out, beginning with a space."""
    return named("Compared as categories", columns.words) + left_out(columns.unchosen)
