"""Index of the site's search: titles, headings, names and words of every page, for `search.js`.

Sphinx's own index also has what stands inside drawings and packed data, which makes it three times as large.
"""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import NamedTuple

from explorer.browser import standing
from explorer.browser.compression import compress_text
from explorer.workbench import registry

from . import links
from .documents import write_file
from .frame import SECTIONS
from .reference.indexes import TOPICS

INDEX = "searchindex.js"
# what a lab is about, in words that its title does not have
LABS = {
    "twosample": ("two-sample test", "MMD", "witness"),
    "fit": ("goodness of fit", "Stein", "KSD"),
    "independence": ("HSIC", "dependence", "correlation"),
    "causes": ("causality", "cause and effect"),
    "drift": ("change point", "monitor"),
    "shrinkage": ("James-Stein", "S-KMSE", "F-KMSE"),
    "marginalized": ("MKME", "noise"),
    "monk": ("median of means", "outliers", "robust"),
    "dna": ("strings", "splice junctions"),
    "adaptation": ("covariate shift", "treatment effect"),
    "conditional": ("conditional embedding", "conditional mean"),
    "density": ("density", "mixture"),
    "distributions": ("bags", "distribution regression"),
    "kernel_pca": ("components",),
    "few": ("herding", "thinning", "compression"),
    "sweep": ("sweep", "grid of settings"),
}
GUIDE = {"data": ("your own data",)}  # the same of pages of the guide
UNLISTED = re.compile(r"^(search|genindex)\.html$|-alone\.html$|\.[a-z]{2}\.html$")  # the last are translations
LEFT_OUT = "A quick build of the site leaves"  # how a page begins that only says so
MAIN = re.compile(r"<main\b.*</main>", re.DOTALL)
UNREAD = re.compile(r"<(script|style|svg|math|textarea|template|noscript)\b.*?</\1>", re.DOTALL)
LINK = re.compile(r"<a class=['\"]headerlink['\"] href=['\"]#([^'\"]*)['\"].*?</a>", re.DOTALL)
TITLE, HEADING = re.compile(r"<h1\b[^>]*>(.*?)</h1>", re.DOTALL), re.compile(r"<h[23]\b[^>]*>(.*?)</h[23]>", re.DOTALL)
NAME = re.compile(r"<dt class=\"sig [^>]*id=\"explorer\.([^\"]*)\"")
ABOUT = re.compile(r"<meta content=\"([^\"]*)\" name=\"description\"|<header\b.*?</h1><p>(.*?)</p>", re.DOTALL)
WORD = re.compile(r"[^\W\d_]\w{2,30}|[α-ωΑ-Ω]")


class Entry(NamedTuple):
    """A page in the index.

    Attributes
    ----------
    address, section, title, about : str
        Its address, the title of its section, its own title, and its description.
    headings : list of (str, str)
        Its headings, each with its anchor.
    names : list of str
        The names of the library that it documents.
    keywords : tuple of str
        What it is about, in words that its title may not have. Each weighs as much as one of its title.
    """

    address: str
    section: str
    title: str
    about: str
    headings: list[tuple[str, str]]
    names: list[str]
    keywords: tuple[str, ...] = ()


def write(site: Path) -> None:
    """Write the index of a site, and the script that reads it."""
    topics = {f"reference/{topic.page}.html": topic.words for topic in TOPICS}
    labs = {name: (registry.entry(name).title, *words) for name, words in LABS.items()}
    keywords = topics | {links.lab(name).file.removeprefix(links.UP): words for name, words in labs.items()}
    keywords |= {f"guide/{page}.html": words for page, words in GUIDE.items()}
    pages: list[Entry] = []
    found: dict[str, list[int]] = {}
    for path in sorted(site.rglob("*.html")):
        address = path.relative_to(site).as_posix()
        if UNLISTED.search(address) or LEFT_OUT in (html := path.read_text(encoding="utf-8")):
            continue
        entry, words = read(address, html)
        entry = entry._replace(keywords=keywords.get(address, ()))
        for word in words:
            found.setdefault(word, []).append(len(pages))
        pages.append(entry)
    index = {"pages": pages, "words": list(found), "where": list(found.values())}
    packed = compress_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")))
    write_file(site, INDEX, f'globalThis.searchIndex = "{packed}";\n')
    write_file(site / "_static", "search.js", standing.script("search"))


def read(address: str, html: str) -> tuple[Entry, set[str]]:
    """Return a page's entry, and its words in small letters."""
    title, about = TITLE.search(html), ABOUT.search(html)
    main = MAIN.search(html)
    body = UNREAD.sub(" ", main[0] if main else "")
    headings = [(plain(text), link[1]) for text in HEADING.findall(body) if (link := LINK.search(text))]
    entry = Entry(
        address,
        SECTIONS.get(address.partition("/")[0], ""),
        plain(title[1]) if title else address,
        plain(next(filter(None, about.groups()), "")) if about else "",
        headings,
        NAME.findall(body),
    )
    return entry, {word.lower() for word in WORD.findall(plain(body))}


def plain(html: str) -> str:
    """Return the text of HTML, without the links that lead to headings."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " " if "<p" in html else "", LINK.sub("", html))).split())
