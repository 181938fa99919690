"""Page of the guide with every claim of the papers, its verdict, and how both came about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.markup import joined, markup
from explorer.papers.catalogue import ENTRIES
from explorer.papers.report import KINDS, WORDS
from explorer.papers.stored import SEED, SIZE, stored
from explorer.printing import minus

from . import errata
from .documents import document, write_file
from .sections import text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from explorer.markup import Markup
    from explorer.papers.claim import Finding
    from explorer.papers.entry import Entry

PAGE = "verdicts"
TITLE = "Verdicts on the papers"
ABOUT = "Every claim of the papers that this project reproduces, with the verdict that was computed."
COLUMNS = {"holds": "hold", "fails": "do not hold", "part": "hold in part", "undecided": "undecided or not seen"}


def write(source: Path, fast: bool) -> None:
    """Write the page into the section guide."""
    findings = {name: stored()[name].findings(entry) for name, entry in ENTRIES.items()}
    parts: list[str | Markup] = [errata.SHEET + _intro(findings), _summary(findings), WORDS]
    for paper, names in _papers().items():
        parts.append(f"## {paper}")
        parts += [_study(ENTRIES[name], findings[name]) for name in names]
    write_file(source / "guide", f"{PAGE}.md", document(TITLE, *parts, about=ABOUT))


def _papers() -> dict[str, list[str]]:
    """Return the names of the entries of each paper."""
    papers: dict[str, list[str]] = {}
    for name, entry in ENTRIES.items():
        papers.setdefault(entry.paper, []).append(name)
    return papers


def kind(finding: Finding) -> str:
    """Return the kind of a verdict, one of COLUMNS."""
    return KINDS[next(word for word in KINDS if finding.word.startswith(word))]


def _intro(findings):
    """Return the number of claims with each verdict, and how they were computed."""
    every = [each for of_entry in findings.values() for each in of_entry]
    count = Counter(map(kind, every))
    versions = sorted({stored()[name].version for name in findings})
    counts = {name: count[name] for name in COLUMNS}
    return text("verdicts", count=len(every), version=", ".join(versions), size=SIZE, seed=SEED, **counts)


def _summary(findings):
    """Return the number of verdicts of each kind for each paper, and for the claims that are ours."""
    rows = [(paper, [each for name in names for each in findings[name]]) for paper, names in _papers().items()]
    head = joined(markup("<th>{}</th>", name) for name in COLUMNS.values())
    papers = joined(_row(paper, [each for each in found if each.quote]) for paper, found in rows)
    ours = _row("Our own claims on them", [each for _, found in rows for each in found if not each.quote])
    return markup("<table class='summary'><tr><th>claims of</th>{}</tr>{}{}</table>", head, papers, ours)


def _row(title, findings: Iterable[Finding]):
    count = Counter(map(kind, findings))
    cells = joined(markup("<td>{}</td>", count[name]) for name in COLUMNS)
    return markup("<tr><td>{}</td>{}</tr>", title, cells) if count else markup("")


def _study(entry: Entry, findings: Iterable[Finding]) -> Markup:
    """Return a figure or table with its claims, the verdicts, and the commands that compute them."""
    done, command = stored()[entry.name], f"explorer reproduce {entry.name}"
    whence = markup(
        "Version {}, size “{}”, seed {}: {:.0f} s of a processor. <code>{} --fast</code> computes it again,"
        " <code>{}</code> in the paper's own size.",
        done.version, SIZE, SEED, max(done.seconds, 1.0), command, command,
    )  # fmt: skip
    on_it = (
        markup("<p class='whence'>Errata on it: {}.</p>", errata.erratum_links(entry.errata)) if entry.errata else ""
    )
    return markup(
        "<section class='study' id='{}'><h3>{}: {}<a class='headerlink' href='#{}' title='Link to this study'>#</a>"
        "</h3><p class='whence'>{}</p>{}<ul class='claims'>{}</ul></section>",
        entry.name, entry.figure, entry.about, entry.name, whence, on_it, joined(map(_claim, findings)),
    )  # fmt: skip


def _claim(finding: Finding) -> Markup:
    """Return a claim: its text, its author, the verdict, and the reason."""
    quote = markup("<blockquote>“{}”</blockquote>", finding.quote) if finding.quote else ""
    whose = quote or markup("<small>Our claim.</small>")
    touching = markup(" Errata: {}.", errata.erratum_links(finding.errata)) if finding.errata else ""
    return markup(
        "<li class='{}'><div><b>{}</b>{}</div><p><strong class='word'>{}</strong> {}{}"
        "<small>Read as: {}.</small></p></li>",
        kind(finding), finding.claim, whose, finding.word, minus(finding.explanation), touching, minus(finding.reading),
    )  # fmt: skip
