"""Two samples of one's own: one file with a column that names the groups, or a file for each."""

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
from explorer.workbench.two_samples import known_labels, sizes

from .base import Asked, Use
from .inputs.intake import Examples
from .inputs.preview_html import left_out, named
from .inputs.second_file import TakesSecond
from .inputs.upload import Upload
from .table import LIVE

if TYPE_CHECKING:
    from explorer.datasets.common_space import Tables

MANY = 100  # groups beyond which a column is none of groups
LEAST = 3  # rows of a sample: one may be left out, and the unbiased statistic needs two
SECOND = "two files"
SIDES = ("before (P)", "after (Q)")
PASTED: str = TakesSecond.pasted_second
SCALES = {f"where they differ by over {FACTOR:g} times": "auto", "always": "common", "never": "none"}


def few_rows(tables: Tables) -> dict[str, Any]:
    """As many rows of both samples as all controls follow a hand at."""
    n, m = (min(size, LIVE) for size in sizes(tables))
    return {"n": n, "m": m}


class TwoUploads(param.Parameterized):
    """Two files that came together; who watches them may be a coroutine function."""

    files: param.List[list[Any]] = param.List(doc="(name, bytes) of each")


class UserTwoSamples(TakesSecond):
    """OwnData for two samples, with a zone for a file of each; `sides` says what they are called.

    `use(tables, fields)` gets the Tables, of one file with groups or of two files, in their own units, and the fields
    that name them. All columns chosen means all that can be compared; the result says which are left out.
    `opening(tables)` gives the fields that the page opens with where these are other data, and `scale` says how numbers
    are scaled at first, in the words of `read_tables`: "common" or "auto", which a hand may choose then.
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
        self._came.param.watch(self._given_both, "files", onlychanged=False)
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
        """Whether the tables' numbers are scaled."""
        if self.gram.value:
            return False
        chosen = self.standardise.value
        return tables.uneven if chosen == "auto" else chosen in (True, "common")

    async def _given_both(self, event):
        """Two files that came together are the two samples."""
        (first, raw), (second, other) = event.new
        self.intake.forget()
        await self._given(raw, first)
        if self.preview is not None:
            self.group.value = SECOND
            await self._given_second(other, second, lambda: False)

    def _shown(self, raw: bytes, preview: Any, refusal: str) -> None:
        with self._without_following():
            self.preview = preview
            names = [column.name for column in self._there()]
            group = SECOND if self.second_preview else self._grouping(names)
            self.group.param.update(options=[*self._by_levels(), SECOND], value=group)
            self.group.visible = bool(names)
        self.file.say_its_name(preview.name if preview else "")
        super()._shown(raw, preview, refusal)

    @property
    def _wants_second(self):
        return self.preview is not None and self.group.value == SECOND

    def _previews(self):
        """What is known of the files that are compared."""
        return super()._previews() if self.group.value == SECOND else [each for each in (self.preview,) if each]

    def _nothing_yet(self):
        if self.second_preview is None:
            return super()._nothing_yet()
        return f"{self._second_words(self.second_preview).strip()} Choose a first file, {self.sides[0]}, as well."

    def choose_second(self, raw: bytes | None, preview: Any, refusal: str = "") -> None:
        """Take the second file: there are two samples then, whatever groups the first one has."""
        if preview is not None and self.preview is not None:
            self.group.value = SECOND
        self.second.say_its_name(preview.name if preview else "")
        super().choose_second(raw, preview, refusal)

    def _by_levels(self):
        """The names of the columns, those of words first."""
        return [column.name for column in sorted(self._there(), key=lambda column: column.numeric)]

    def _grouping(self, names):
        """The column that a link names, else the one that most likely names groups, else SECOND."""
        asked = self._asked()
        if self.preview and self._known(self.preview.hash):
            if asked["group"] in names:
                return asked["group"]
            if asked["hash2"]:
                return SECOND
        return (self.preview and likely_group_column(self.preview.columns, self.preview.rows)) or SECOND

    # its columns

    def _comparable(self, names):
        """All of these columns but the one that names groups, which is no coordinate unless there is no other."""
        return [name for name in names if name != self.group.value] or names

    def _whole(self):
        """The columns that are compared where none are named."""
        return self._comparable([column.name for column in self._there() if column.compared])

    def _usual(self):
        """The columns that are compared unasked, on the command line too."""
        return self._whole() or self._comparable([c.name for c in self._there() if c.use and not c.why])

    def _taken(self):
        return [*super()._taken(), self.group.value]

    def _may_be_gram(self):
        """A Gram matrix says nothing of a second file's points: a column must name the groups."""
        return super()._may_be_gram() and self.group.value not in (SECOND, *self.preview.square)

    def _remark(self):
        if self.gram.value:
            return super()._remark()
        words = [c.name for c in self._there() if not c.numeric and c.name in self.columns.value]
        return named("Compared as categories", words) + left_out(self._left())

    def _arrange(self, before=None):
        """Let other columns be compared where another one names groups.

        What was chosen stays, but for the column that names groups, in whose place the former one comes.
        """
        if self.preview is None or self._quiet:
            return
        self.gram.visible = self._may_be_gram()
        self.gram.value = self.gram.value and self.gram.visible
        usual = self._usual()
        kept = [name for name in self.columns.value if name != self.group.value]
        self.columns.value = [n for n in self.columns.options if n in kept or (n == before and n in usual)] or usual
        self._follow()

    def _incomplete(self):
        """How many rows miss a value in what is chosen, of both files where there are two."""
        names = self._taken()
        return sum(preview.incomplete(names) for preview in self._previews())

    @property
    def lenient(self) -> bool:
        """Whether a file, or a column of dates, is only read leniently as it is shown.

        A strict reader takes dates for words, and compares those that nobody left out.
        """
        unasked = not self._named()
        dates = [column for column in self._there() if column.dates and (unasked or column.name in self._taken())]
        return bool(dates) or any(preview.unusual for preview in self._previews())

    # using them

    def read(self) -> Any:
        """The chosen table with its groups, or both tables; ValueError where they make no two samples."""
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
        """Tables in their own units: the lab scales them, or not, as its own field says."""
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
        """The chosen columns; none if they are all that `read_tables` compares, which takes more levels than a lab."""
        chosen = super()._taken()
        many = any(not column.numeric and column.levels > MOST_LEVELS for column in self._there())
        return [] if chosen == self._whole() and not many and not self._refused_unasked() else chosen

    def use(self, table: Any) -> None:
        """Hand the tables over, with the fields that name them."""
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
