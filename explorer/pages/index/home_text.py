"""Texts of the home page, as HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from explorer.languages import linked, translate
from explorer.markup import Later, joined, markup
from explorer.pages.page_title import ALSO, title_and_question
from explorer.pages.sections import tour_of_labs
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.lessons import LESSONS
from explorer.workbench.numbers import format_number, word

from . import outlier_example

if TYPE_CHECKING:
    from explorer.markup import Markup

HEADLINE = "One bad reading can hide a real difference."
INTRO = (
    "P and Q are drawn from distributions that differ by half a standard deviation, and one reading of P is wrong."
    " Drag it back to the others and watch the two verdicts."
)
NAMED = {
    "LIN": ("Comparing means", "MMD² with the linear kernel: the farther a reading lies, the more it counts."),
    "RBF": ("Bounded kernel", "MMD² with the RBF kernel: no reading counts for more than any other."),
}
RESEARCH = Later(
    "Every lab copies the Python that computes its screen. <code>explorer reproduce</code> computes the papers' figures"
    " and tables, with a verdict on each claim."
)
OWN = "report"


def opening() -> Markup:
    """Return the headline and the instruction."""
    return markup("<h1>{}</h1><p class='intro'>{}</p>", translate(HEADLINE), translate(INTRO))


def computing() -> Markup:
    """Return the placeholder of the verdicts while they are computed."""
    return markup("<p class='how'>Computing both verdicts ...</p>")


def verdicts(stop: outlier_example.Stop) -> Markup:
    """Return both tests' verdicts with the reading at a stop. Each name links to the lab in that state."""
    rows = joined(_verdict(kernel, stop) for kernel in outlier_example.KERNELS)
    return markup(
        "<div class='verdicts' role='status'>{}</div><p class='how'>n = {} each, {} permutations, level"
        " {:g}. The reading is {}.</p>",
        rows,
        outlier_example.N,
        outlier_example.RESAMPLES,
        outlier_example.LEVEL,
        word(stop.reading).replace("-", "−"),
    )


def _verdict(kernel, stop):
    name, how = NAMED[kernel]
    differ, p = stop.differ(kernel), stop.tests[kernel].pvalue
    says = translate("they differ" if differ else "no difference found")
    mark, role = ("✓", "finds") if differ else ("✗", "misses")
    return markup(
        "<div class='verdict {}'><a href='{}' title='Open this test in its lab'>{}</a><span><i"
        " aria-hidden='true'>{}</i> <b>{}</b>, p = {}</span><small>{}</small></div>",
        role,
        linked(outlier_example.link(kernel, stop.reading)),
        translate(name),
        mark,
        says,
        format_number(float(f"{p:.2g}")),
        translate(how),
    )


def buttons() -> Markup:
    """Return the buttons that lead on."""
    return markup(
        "<div class='buttons'><a class='button chosen' href='{}'>Try it on your own table</a><a"
        " class='button' href='{}'>Two-minute tour</a></div>",
        linked(OWN),
        linked(tour_of_labs.START),
    )


def questions(
    pictures: Mapping[str, Markup],
    leads: Callable[[str], str] = linked,
    also: Mapping[str, Sequence[str]] = ALSO,
) -> Markup:
    """Return every question with a link to each lab that answers it, and the lab's picture.

    Parameters
    ----------
    pictures : mapping of str to Markup
        Name of a lab -> SVG.
    leads : callable, default linked
        Returns the address of a lab or a page from its name.
    also : mapping of str to sequence of str, default ALSO
        Question -> names of pages other than labs that also answer it.

    Returns
    -------
    Markup
        The questions, each as an article.
    """
    articles = markup("")
    for key, family in registry.FAMILIES.items():
        labs = joined(_lab(name, pictures, leads) for name in registry.family(key))
        others = joined(_other(name, leads) for name in also.get(key, ()))
        question = translate(family)
        articles += markup(
            "<article><h2>{}</h2><nav aria-label='{}'>{}{}</nav></article>", question, question, labs, others
        )
    return markup("<div class='questions'>{}</div>", articles)


def _lab(name, pictures, leads=linked):
    """Return a lab as one link: its picture, its title and the question that it answers."""
    title, question = title_and_question(name)
    return markup(
        "<a class='lab' href='{}'><span class='picture' aria-hidden='true'>{}</span><span><b>{}</b>"
        " <small>{}</small></span></a>",
        leads(name),
        pictures.get(name, ""),
        title,
        question,
    )


def _other(name, leads):
    """Return a link to a page that is not a lab's, and has no picture."""
    title, question = title_and_question(name)
    return markup("<a class='lab' href='{}'><span><b>{}</b> <small>{}</small></span></a>", leads(name), title, question)


def footer(pictures: Mapping[str, Markup]) -> Markup:
    """Return the stories, the lessons, and the research labs with their pictures."""
    lessons = joined((_link(each.address, each.title) for each in LESSONS), " · ")
    labs = joined(_lab(name, pictures) for name in registry.family(registry.RESEARCH))
    return markup(
        "<div class='rest'><section><h2>Stories</h2><div>{}</div></section>"
        "<section><h2><a href='{}'>Lessons</a></h2><p>{}</p></section>"
        "<section><h2>Research</h2><nav aria-label='Research'>{}</nav><p>{}</p></section></div>",
        _stories(),
        linked("lessons"),
        lessons,
        labs,
        RESEARCH,
    )


def _stories():
    """Return links to the first story of each lab, and to all others in a fold."""
    told = {name: content_of(name).stories for name in registry.names()}
    first = [_story(name, stories[0]) for name, stories in told.items() if stories]
    others = [_story(name, story) for name, stories in told.items() for story in stories[1:]]
    more = (
        markup("<details><summary>{} more stories</summary>{}</details>", len(others), joined(others, " · "))
        if others
        else markup("")
    )
    return joined(first, " · ") + more


def _story(name, story):
    return markup("{}, {} steps", _link(f"{name}?story={story.key}&step=1", story.title), len(story.steps))


def _link(address, title):
    return markup("<a href='{}'>{}</a>", linked(address), translate(title))
