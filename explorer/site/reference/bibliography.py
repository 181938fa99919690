"""Bibliography: the papers behind the library on one page, each with the names that cite it and its BibTeX."""

from __future__ import annotations

import re

from explorer.citations import SOFTWARE, Reference, references
from explorer.markup import Markup, joined, markup
from explorer.site.documents import document

from .names import PublicName

SHEET = markup("<link rel='stylesheet' href='../_static/reference.css'>")  # every page of the reference links it
FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)
LETTERS = {'{\\"o}': "ö", '{\\"a}': "ä", '{\\"u}': "ü", "{\\'e}": "é", "{\\`e}": "è", "{\\o}": "ø", "{\\'a}": "á"}


def entry(reference: Reference) -> Markup:
    """Return a reference as text: authors, year, title and where it appeared. The title links its entry."""
    fields = dict(FIELD.findall(reference.bibtex))
    place = ", ".join(
        _plain(fields[name]) for name in ("journal", "booktitle", "publisher", "howpublished") if name in fields
    )
    numbers = ", ".join(filter(None, (fields.get("volume", ""), fields.get("pages", "").replace("--", "–"))))
    return markup(
        "{} ({}). <a href='bibliography.html#{}'>{}</a>. {}.",
        _plain(fields["author"]).replace(" and ", "; "), reference.year, reference.key, _plain(fields["title"]),
        " ".join(filter(None, (place, numbers))),
    )  # fmt: skip


def _plain(text):
    """Return a field of BibTeX without its markup."""
    for sign, letter in LETTERS.items():
        text = text.replace(sign, letter)
    return re.sub(r"[{}]", "", text).replace("--", "–").replace("\\&", "&")


def bibliography(citing: dict[str, list[PublicName]]) -> str:
    """Return the document of the bibliography; `citing` has the names that cite each paper."""
    entries = joined(_entry(reference, citing.get(key, [])) for key, reference in sorted(references().items()))
    return document(
        "Bibliography",
        SHEET,
        markup(
            "<p>The papers that docstrings cite, as <code>explorer cite NAME</code> prints them. The software itself is"
            " cited as:</p><pre class='apart' tabindex='0'>{}</pre>",
            SOFTWARE,
        ),
        markup("<dl class='bibliography'>{}</dl>", entries),
        about="The papers behind the functions and classes of the library, with BibTeX",
    )


def _entry(reference, names):
    cites = joined((markup("<a href='{}.html'><code>{}</code></a>", each.page, each.name) for each in names), ", ")
    return markup(
        "<dt id='{}'>{}</dt><dd>{}<details><summary>BibTeX</summary><pre tabindex='0'>{}</pre></details></dd>",
        reference.key, entry(reference), markup("<p>Cited by {}</p>", cites) if names else "", reference.bibtex,
    )  # fmt: skip
