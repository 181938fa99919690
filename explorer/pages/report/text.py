"""Texts of the report's page, as HTML."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

from explorer.markup import joined, markup
from explorer.printing import plural, short_name
from explorer.workbench.safe_call import TOO_LARGE, WENT_WRONG

from .comparison_request import ReportInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.datasets import TablePreview
    from explorer.datasets.files.parsed_file import ParsedFile
    from explorer.markup import Markup


TITLE = "Has my table changed?"
INTRO = (
    "Drop two files, before and after, or one with a column of groups or dates. The report shows whether they differ,"
    " in which columns, and by how much."
)
STAYS = (
    "CSV, workbooks, JSON, SQLite, Parquet, NPY, Stata and others, also in a zip archive; up to 20 MB each (explorer"
    " report in a terminal takes more). Your data stay in this session: no link carries them."
)
NO_SECOND = "Now drop the second file, or choose the column of groups or dates that splits this one."
NOTHING = "Nothing is compared: the reason stands next to the files. Drop other files."
UNCHOSEN = "Nothing is compared yet: choose a table of the file in the menu."
UNREAD = "Nothing is compared: one file cannot be read. Drop another file in its place."
STOPPED = "Stopped: drop a file again to compare."
EXAMPLE = "Example"  # badge above the example's verdict
NO_FIRST = "Drop the file from before as well."
OURS = {  # messages for errors that are not the user's
    WENT_WRONG: "An internal error occurred here and was logged.",
    TOO_LARGE: "There is not enough memory for these tables; drop tables with fewer rows or columns.",
}
MISSING = {  # messages in place of one section
    WENT_WRONG: "An internal error occurred and was logged.",
    TOO_LARGE: "There is not enough memory for it.",
}


def opening() -> Markup:
    """Return the headline and the instruction."""
    return markup("<h1>{}</h1><p class='intro'>{}</p>", TITLE, INTRO)


def about(sentence: Markup | str) -> Markup:
    """Return a sentence below the zones."""
    return markup("<p class='about' role='status'>{}</p>", sentence)


def example(says: str, files: Sequence[ParsedFile]) -> Markup:
    """Return the description of the example, with its files to save: they show what a file may look like."""
    links = (
        markup("<a href='data:text/csv;base64,{0}' download='{1}'>{1}</a>", b64encode(file.raw).decode(), file.name)
        for file in files
    )
    return markup("{} Save its files: {}. {}", says, joined(links, ", "), STAYS)


def trouble(sentence: str) -> Markup | str:
    """Return the reason why a file, or both, cannot be compared; "" for an empty sentence."""
    return markup("<p class='trouble' role='alert'>{}</p>", OURS.get(sentence, sentence)) if sentence else ""


def missing(sentence: str) -> Markup:
    """Return the replacement of a section that could not be computed: the reason."""
    return markup("<p>This part is missing. {}</p>", MISSING.get(sentence, sentence))


def given(shown: ReportInput, previews: Sequence[TablePreview]) -> str:
    """Return a description of the files that are compared."""
    each = [
        f"{short_name(one.name)}, {plural(one.rows, 'row')}, {plural(len(one.columns), 'column')}" for one in previews
    ]
    how = [f"by {shown.by}" if shown.by else "", f"within {shown.within}" if shown.within else ""]
    how.append(f"compared with {shown.reference}" if shown.reference else "")
    return f"{'; '.join(filter(None, [*each, *how]))}. {STAYS}"


def verdict(shown: Markup | str, of_example: bool = False) -> Markup | str:
    """Return the verdict as a section, below a badge if it is the example's."""
    badge = markup("<p class='example'>{}</p>", EXAMPLE) if of_example else ""
    return markup("<section aria-label='verdict'>{}{}</section>", badge, shown)
