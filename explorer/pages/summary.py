"""What a page is called, and what it shows in a sentence: for its tab, and for whoever is sent its link."""

from __future__ import annotations

from typing import Any, NamedTuple

from explorer.languages import translate
from explorer.workbench import registry
from explorer.workbench.prose import finding
from explorer.workbench.titles import in_short, titled

PRODUCT = "Kernel Mean Explorer"
# pages that are no lab's and stand with the labs: (what each is called, the question that it answers)
OTHERS = {
    "report": ("Report", "Has my table changed, and in which columns?"),
    "lessons": ("Lessons", "How does it work, from the beginning?"),
}
HOME = "Labs about kernel means: estimate them, compare samples by them, and see what decides."


class Summary(NamedTuple):
    """The title of a page, and a sentence about what it shows."""

    title: str
    says: str


def of_page(name: str) -> Summary:
    """A page by its address, whatever its state: the lab's title, and its question."""
    if name in registry.names():
        title, question, *_ = registry.entry(name)
    elif name in OTHERS:
        title, question = OTHERS[name]
    else:
        return Summary(PRODUCT, translate(HOME))
    question = translate(question)
    return Summary(f"{translate(title)}: {question}", translate("{} {} shows it.", question, PRODUCT))


def of_story(name: str, title: str) -> Summary:
    """A lab in a story, whose answer nobody is told beforehand."""
    return Summary(f"{translate(registry.entry(name).title)}: {translate(title)}", of_page(name).says)


def of_result(name: str, result: Any) -> Summary:
    """A lab's result: the lab's title with its finding in short, and that in a sentence."""
    if not in_short(name, result):
        return of_page(name)
    headline = registry.role(name, "words").headline(result, result.row)
    return Summary(titled(name, result), finding(headline))
