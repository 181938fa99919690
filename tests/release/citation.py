"""CITATION.cff has the five papers of `references.bib`: `python tests/release/citation.py` writes them."""

import re
from pathlib import Path

import yaml

from explorer.citations import PAPERS, references

FILE = Path(__file__).parents[2] / "CITATION.cff"
KINDS = {"article": "article", "inproceedings": "conference-paper", "misc": "generic"}


def plain(text):
    """Return a field of BibTeX as plain text, without braces."""
    return text.replace("{", "").replace("}", "").replace("--", "–")


def authors(text):
    """Return the authors of an entry in CFF's form."""
    if text.startswith("{"):
        return [{"name": plain(text)}]
    return [dict(zip(("family-names", "given-names"), each.split(", "), strict=True)) for each in text.split(" and ")]


def reference(bibtex):
    """Return an entry of BibTeX as a reference of CFF."""
    kind = re.match(r"@(\w+)", bibtex)[1]
    fields = dict(re.findall(r"  (\w+) = \{(.*)\},\n", bibtex))
    made = {"type": KINDS[kind], "title": plain(fields["title"]), "authors": authors(fields["author"])}
    if "booktitle" in fields:
        made["conference"] = {"name": plain(fields["booktitle"])}
    names = {"journal": "journal", "volume": "volume", "number": "issue", "howpublished": "collection-title"}
    made |= {ours: plain(fields[theirs]) for theirs, ours in names.items() if theirs in fields}
    if "eprint" in fields:
        made["identifiers"] = [{"type": "other", "value": f"{fields['archiveprefix']}:{fields['eprint']}"}]
    return made | {"year": int(fields["year"])}


def expected():
    """Return the five papers in the order of their numbers."""
    return [reference(references()[key].bibtex) for key in PAPERS.values()]


if __name__ == "__main__":
    kept = FILE.read_text(encoding="utf-8").split("references:\n")[0]
    told = yaml.safe_dump({"references": expected()}, allow_unicode=True, sort_keys=False, width=1000)
    FILE.write_text(kept + told, encoding="utf-8")
