"""File kinds by the endings of file names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from explorer.checks import Refusal
from explorer.printing import echo, join_list

PAGES = (".html", ".htm", ".xhtml")
UNFINISHED = (".tmp", ".part", ".new", ".bak", ".old")  # endings of temporary files and backups
KIND = re.compile(r"\.[a-z][a-z0-9]{0,6}", re.IGNORECASE)  # "report.2026" and "v1.2" have no such ending


def kind_of(path: str | PathLike[str], kinds: Sequence[str], what: str) -> str:
    """Return the ending of a path in lower case, or "" if it is not the ending of a kind of file.

    Parameters
    ----------
    path : str or path
        The path of the file.
    kinds : sequence of str
        The allowed endings, such as ".html".
    what : str
        Names the contents in messages, such as "a report".

    Returns
    -------
    str
        The ending, or "".

    Raises
    ------
    Refusal
        If the ending is that of another kind of file.
    """
    ending = Path(path).suffix.lower()
    if ending in kinds:
        return ending
    if ending in UNFINISHED or not KIND.fullmatch(ending):
        return ""
    usual = [each for each in kinds if each not in PAGES[1:]]
    raise Refusal(f"{what} is a file that ends in {join_list(usual, between=' or ')}, not {echo(str(path))}.")


def refuse_other_than_a_page(path: str | PathLike[str]) -> None:
    """Refuse a path whose ending is not that of an HTML page.

    Parameters
    ----------
    path : str or path
        The path of the page.

    Examples
    --------
    >>> refuse_other_than_a_page("report.html")
    """
    try:
        kind_of(path, PAGES, "the page that to_html writes")
    except Refusal:
        if Path(path).suffix.lower() == ".pdf":
            raise Refusal(
                f"to_html writes an HTML page, and {echo(str(path))} ends in .pdf; give a name that ends in .html and"
                " print that page from a browser, or let `explorer report -o` write the PDF."
            ) from None
        raise
