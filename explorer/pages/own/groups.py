"""Two samples of one's own: one file with a column that names the groups, or a file for each."""

from __future__ import annotations

import json

import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import read_tables
from explorer.datasets.treatment import MOST_LEVELS, ROWS_PER_LEVEL
from explorer.workbench.two_samples import known_labels, sizes

from .table import ACCEPT, LIVE, OwnData, _looked_into, _named
from .upload import Upload, elsewhere

MANY = 100  # groups beyond which a column is none of groups
LEAST = 3  # rows of a sample: one may be left out, and the unbiased statistic needs two
SECOND = "a second file, for Q"


def _is_category(column, rows):
    """Whether read_tables takes a column of words for a category."""
    return column.levels <= MOST_LEVELS and column.levels * ROWS_PER_LEVEL <= rows


def _grouping(preview):
    """The first column of words that can name groups, or SECOND where there is none."""
    words = [c for c in preview.columns if not c.numeric and 2 <= c.levels <= min(MANY, preview.rows - 1)]
    return words[0].name if words else SECOND


class OwnGroups(OwnData):
    """OwnData for two samples.

    `use(tables, fields)` gets the Tables, of one file with groups or of two files, in their own units, and the fields
    that name them. All columns chosen means all that can be compared; the result says which are left out.
    """

    def __init__(self, use, asked=dict, **params):
        self._second_bytes, self.second_preview = None, None
        self.group = pmui.Select(
            label="groups are in", options=[SECOND], value=SECOND, size="small", width=260, visible=False
        )
        self.second = Upload(
            lambda sentence: self.choose_second(None, None, sentence),
            label="Choose a second file",
            accept=ACCEPT,
            visible=False,
        )
        super().__init__(use, asked, **params)
        self.standardise.label = "divide numbers by scales common to both samples"
        self.group.param.watch(lambda event: self._arrange(event.old), "value")
        self.second.param.watch(self._chosen_second, "value")
        self._layout.insert(3, pn.FlexBox(self.group, self.second, gap="12px", align_items="center", margin=(4, 10)))

    def _shown(self, raw, preview, refusal):
        super()._shown(raw, preview, refusal)
        self._second_bytes, self.second_preview = None, None
        if not preview:
            self.group.visible = self.second.visible = False
            return
        names = [column.name for column in preview.columns]
        words = [column.name for column in preview.columns if not column.numeric]
        asked = self._asked()
        named = asked.get("group") if asked.get("hash") == preview.hash and asked.get("group") in names else None
        self.group.param.update(
            options=[*words, *(n for n in names if n not in words), SECOND],
            value=named or _grouping(preview),
            visible=True,
        )
        self._arrange()

    def _remark(self, preview):
        words = [column for column in preview.columns if not column.numeric]
        few, many = ([c.name for c in words if _is_category(c, preview.rows) is taken] for taken in (True, False))
        return _named("Compared as categories", few) + _named("Left out, as they hold too many different words", many)

    def _offered(self, preview):
        return [column.name for column in preview.columns]

    def _comparable(self, group):
        """All columns but the one that names groups, which is no coordinate unless there is no other."""
        return [name for name in self.columns.options if name != group] or self.columns.options

    def _arrange(self, before=None):
        """Ask for a second file where no column names groups.

        All columns stay chosen where all were, whatever the groups.
        """
        if self.preview is None:
            return
        self.second.visible = self.group.value == SECOND
        every, chosen = self._comparable(self.group.value), self.columns.value
        whole = before is not None and chosen == self._comparable(before)
        self.columns.value = every if whole else [name for name in chosen if name in every] or every

    async def _chosen_second(self, event):
        if event.new is None:
            return
        raw, name = event.new, self.second.filename
        preview, refusal = await elsewhere(_looked_into, self.second, raw, name)
        if self.second.value is not raw:  # another file was chosen meanwhile
            return
        with pn.io.hold(self._doc):
            self.choose_second(raw, preview, refusal)

    def choose_second(self, raw, preview, refusal=""):
        """Take Q's file, already looked into."""
        self._second_bytes, self.second_preview = raw, preview
        self._say(refusal)

    def read(self):
        """The chosen table with its groups, or both tables; ValueError where they make no two samples."""
        if self.group.value == SECOND:
            if self._second_bytes is None or self.second_preview is None:
                raise Refusal("Choose the second file as well, or a column that names the groups.")
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
        """Tables in their own units: the lab scales them, or not, as its own field says."""
        every = self.columns.value == self._comparable(self.group.value)
        columns = None if every else list(self.columns.value)
        return read_tables(files, columns, self.missing.value, "none", target=target, names=names)

    def use(self, tables):
        """Hand the tables over, with the fields that name them."""
        grouped, columns = len(tables) == 1, list(self.columns.value)
        every = self._comparable(self.group.value)
        fields = {
            "source": "file",
            "file": tables[0].name,
            "rows": tables[0].n,
            "hash": tables[0].hash,
            "missing": self.missing.value,
            "columns": "" if columns == every else json.dumps(columns),
            "standardise": self.standardise.value,
            "group": self.group.value if grouped else "",
            "file2": "",
            "rows2": 0,
            "hash2": "",
        }
        if not grouped:
            fields |= {"file2": tables[1].name, "rows2": tables[1].n, "hash2": tables[1].hash}
        asked = self._asked()
        if any(asked.get(name) != fields[name] for name in ("hash", "hash2", "group")):
            n, m = (min(size, LIVE) for size in sizes(tables))
            fields |= {"groups": "", "n": n, "m": m, "outliers": 0}
        self._use(tables, fields)
