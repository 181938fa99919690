"""Page of the guide with every claim of the papers, its verdict, and the command that computes the others."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from explorer.markup import joined, markup
from explorer.papers.catalogue import ENTRIES
from explorer.papers.entry import cells
from explorer.papers.report import KINDS, WORDS, Reproduced
from explorer.printing import minus
from explorer.public_names.help_text import VERSION
from explorer.sweeps import InProcess, sweep

from . import errata
from .documents import document, write_file
from .sections import line, text

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.papers.claim import Finding
    from explorer.papers.entry import Entry

PAGE = "verdicts"
TITLE = "Verdicts on the papers"
ABOUT = "Every claim of the papers that this project reproduces, with the verdict that was computed."
SIZE, SEED = "fast", 0
SECONDS = 15.0  # limit of processor time: no study begins later, so that a build of the site takes five minutes
# those that a few seconds compute and that read no data set, the quickest first; the others are listed
QUICK = (
    "article-kinds",
    "marginalized-figure-1",
    "article-rules",
    "article-propagation",
    "article-domains",
    "article-conditional",
    "shrinkage-figure-1",
    "atlas",
    "shrinkage-figure-2",
    "marginalized-figure-2",
    "article-filter",
    "marginalized-consistency",
    "functions",
    "article-rate",
)


def write(source: Path, fast: bool) -> None:
    """Write the page into the section guide. With `fast` it has the commands instead of the verdicts."""
    done = [] if fast else reproduced()
    parts: list[str | Markup] = [errata.SHEET + _intro(done) + WORDS]
    papers = dict.fromkeys(entry.paper for entry in ENTRIES.values())
    here = {each.entry.name: each for each in done}
    for paper in papers:
        parts.append(f"## {paper}")
        for entry in ENTRIES.values():
            if entry.paper == paper:
                parts.append(_study(entry, here.get(entry.name)))
    write_file(source / "guide", f"{PAGE}.md", document(TITLE, *parts, about=ABOUT))


def reproduced(names: Sequence[str] = QUICK, seconds: float = SECONDS) -> list[Reproduced]:
    """Return the studies of these names, one after the other while `seconds` of processor time last."""
    begun, done = time.process_time(), []
    for name in names:
        if time.process_time() - begun > seconds:
            break
        done.append(_reproduced(ENTRIES[name]))
    return done


def _reproduced(entry):
    begun = time.perf_counter()
    grids = [
        cells([sweep(entry.study, grid.axes, grid.replicates, InProcess(), None, SEED, False, common=tuple(grid.axes))])
        for grid in entry.grids(SIZE)
    ]
    findings = entry.findings([cell for grid in grids for cell in grid])
    return Reproduced(entry, grids, findings, time.perf_counter() - begun)


class _Row(NamedTuple):
    """A claim on the page, computed or not."""

    says: str
    quote: str
    errata: tuple[str, ...]
    finding: Finding | None


def _intro(done):
    """Return the number of claims, the number judged here and how, and the command that judges the others."""
    count = sum(len(entry.claims) for entry in ENTRIES.values())
    found = [finding for each in done for finding in each.findings]
    if not found:
        judged = line("verdicts-missing")
    else:
        words = Counter(next(kind for kind in KINDS if finding.word.startswith(kind)) for finding in found)
        tally = joined((markup("{} <b>{}</b>", number, _plural(kind)) for kind, number in words.most_common()), ", ")
        judged = line("verdicts-judged", count=len(found), version=VERSION, size=SIZE, seed=SEED, tally=tally)
    return text("verdicts", count=count, judged=judged)


def _plural(kind):
    return {"holds": "hold", "fails": "fail", "holds in part": "hold in part"}.get(kind, kind)


def _study(entry: Entry, done: Reproduced | None) -> Markup:
    """Return a figure or table with its claims, the verdicts, and the command that computed them."""
    findings = [None] * len(entry.claims) if done is None else done.findings
    rows = [
        _Row(claim.says, claim.quote, claim.errata, each) for claim, each in zip(entry.claims, findings, strict=True)
    ]
    command = f"explorer reproduce {entry.name}"
    if done is None:
        whence = markup("Not computed for this page. <code>{}</code> computes it.", command)
    else:
        whence = markup(
            "Version {}, size “{}”, seed {}: {:.1f} s. <code>{} --fast</code> computes it again.",
            VERSION, SIZE, SEED, done.seconds, command,
        )  # fmt: skip
    on_it = (
        markup("<p class='whence'>Errata on it: {}.</p>", errata.erratum_links(entry.errata)) if entry.errata else ""
    )
    return markup(
        "<section class='study' id='{}'><h3>{}: {}<a class='headerlink' href='#{}' title='Link to this study'>#</a>"
        "</h3><p class='whence'>{}</p>{}<ul class='claims'>{}</ul></section>",
        entry.name, entry.figure, entry.about, entry.name, whence, on_it, joined(map(_claim, rows)),
    )  # fmt: skip


def _claim(row):
    """Return a claim: its text, its author, the verdict, and the reason."""
    quote = markup("<blockquote>“{}”</blockquote>", row.quote) if row.quote else markup("<small>Our claim.</small>")
    touching = markup(" Errata: {}.", errata.erratum_links(row.errata)) if row.errata else ""
    if row.finding is None:
        return markup("<li class='open'><div><b>{}</b>{}</div><p>{}</p></li>", row.says, quote, touching.lstrip())
    kind = KINDS[next(kind for kind in KINDS if row.finding.word.startswith(kind))]
    return markup(
        "<li class='{}'><div><b>{}</b>{}</div><p><strong class='word'>{}</strong> {}{}"
        "<small>Read as: {}.</small></p></li>",
        kind, row.says, quote, row.finding.word, minus(row.finding.explanation), touching, minus(row.finding.reading),
    )  # fmt: skip
