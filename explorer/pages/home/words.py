"""Everything that the home page says, as HTML."""

from __future__ import annotations

from html import escape

from explorer.workbench import registry
from explorer.workbench.numbers import number, word

from . import masked

HEADLINE = "One bad reading can hide a real difference."
INTRO = (
    "P and Q are drawn from distributions that differ by half a standard deviation, and one reading of P is wrong."
    " Drag it home, and see which verdict you could trust."
)
COMPUTING = "<p class='how'>Computing both verdicts ...</p>"
NAMED = {
    "LIN": ("Comparing means", "MMD² with the linear kernel: the farther a reading lies, the more it counts."),
    "RBF": ("Bounded kernel", "MMD² with the RBF kernel: no reading counts for more than any other."),
}
OWN, TOUR = "twosample?data=open", "twosample?story=stray&step=1"
LESSONS = (
    "What is a mean embedding?",
    "Stein's surprise and shrinkage",
    "Filters",
    "Corrupt on purpose",
    "Outliers and the median of means",
    "Two-sample tests",
    "Independence",
    "Conditional embeddings and the rules",
    "Filtering and belief propagation",
    "Operators and kernel PCA",
    "Density by matching means",
    "Learning on distributions",
    "Across domains",
    "Write your own estimator",
)  # of the repository's notebooks, which an installed package has not


def opening():
    """The headline and what to do."""
    return f"<h1>{HEADLINE}</h1><p class='intro'>{INTRO}</p>"


def verdicts(stop):
    """What both tests say with the reading at a stop; each name leads to the lab at that state."""
    rows = "".join(_verdict(kernel, stop) for kernel in masked.KERNELS)
    return (
        f"<div class='verdicts' role='status'>{rows}</div><p class='how'>n = {masked.N} each, {masked.RESAMPLES}"
        f" permutations, level {masked.LEVEL:g}. The reading is {word(stop.reading).replace('-', '−')}.</p>"
    )


def _verdict(kernel, stop):
    name, how = NAMED[kernel]
    differ, p = stop.differ(kernel), stop.tests[kernel].pvalue
    says = "they differ" if differ else "no difference"
    mark, role = ("✓", "finds") if differ else ("✗", "misses")
    return (
        f"<div class='verdict {role}'><a href='{escape(masked.link(kernel, stop.reading), quote=True)}'"
        f" title='Open this test in its lab'>{name}</a><span><i aria-hidden='true'>{mark}</i> <b>{says}</b>,"
        f" p = {number(float(f'{p:.2g}'))}</span><small>{how}</small></div>"
    )


def buttons():
    """What to do next."""
    return (
        f"<div class='buttons'><a class='button chosen' href='{OWN}'>Try it on your own table</a>"
        f"<a class='button' href='{TOUR}'>Two-minute tour</a></div>"
    )


def questions(pictures):
    """The four questions, each with the picture of its first lab, from name -> SVG, and links to all of its labs."""
    articles = ""
    for key, family in registry.FAMILIES.items():
        labs, first = registry.family(key), registry.first(key)
        if first is None:
            continue
        picture = f"<a class='picture' href='{first}' tabindex='-1'>{pictures.get(first, '')}</a>"
        links = "".join(_link(name, entry.title, entry.question) for name, entry in labs.items())
        articles += (
            f"<article>{picture}<h2>{escape(family.question)}</h2><p>{escape(family.says)}</p>"
            f"<nav aria-label='{escape(family.question, quote=True)}'>{links}</nav></article>"
        )
    return f"<div class='questions'>{articles}</div>"


def footer():
    """Stories, research and lessons."""
    return (
        f"<div class='rest'><section><h3>Stories</h3><div>{_stories()}</div></section>"
        f"<section><h3>Research</h3><p>{_research()}</p></section>"
        f"<section><h3>Teach</h3><p>{len(LESSONS)} lessons, in the folder notebooks: {' · '.join(LESSONS)}</p>"
        "</section>"
        "</div>"
    )


def _stories():
    """The first story of each lab, and all of them behind a fold."""
    told = {name: registry.role(name, "stories").STORIES for name in registry.names()}
    first = [_story(name, stories[0]) for name, stories in told.items() if stories]
    others = [_story(name, story) for name, stories in told.items() for story in stories[1:]]
    more = f"<details><summary>{len(others)} more stories</summary>{' · '.join(others)}</details>" if others else ""
    return " · ".join(first) + more


def _story(name, story):
    return f"{_link(f'{name}?story={story.key}&step=1', story.title)}, {len(story.steps)} steps"


def _research():
    sweeps = [_link(name, entry.title, entry.question) for name, entry in registry.family(registry.RESEARCH).items()]
    reproduced = "<code>explorer reproduce</code> computes the papers' figures and tables, with a verdict on each claim"
    library = "every lab copies the Python that computes its screen"
    return " · ".join([*sweeps, reproduced, library])


def _link(address, title, question=""):
    told = f" title='{escape(question, quote=True)}'" if question else ""
    return f"<a href='{escape(address, quote=True)}'{told}>{escape(title)}</a>"
