"""Title and one-sentence summary of a page, for its browser tab and for previews of its link."""

from __future__ import annotations

from typing import Any, NamedTuple

from explorer.languages import translate
from explorer.workbench import registry
from explorer.workbench.prose import finding
from explorer.workbench.titles import in_short, titled

PRODUCT = "Kernel Mean Explorer"
# pages that belong to no lab and are listed with the labs: name -> (title, the question that it answers)
OTHERS = {
    "report": ("Report", "Has my table changed, and in which columns?"),
    "lessons": ("Lessons", "How does it work, from the beginning?"),
}
HOME = "Labs about kernel means: estimate them, compare samples by them, and see what decides."


class Summary(NamedTuple):
    """Title of a page, and a sentence about what it shows."""

    title: str
    says: str


def of_page(name: str) -> Summary:
    """Return the summary of a page whatever its state is: the lab's title, and its question."""
    if name in registry.names():
        title, question, *_ = registry.entry(name)
    elif name in OTHERS:
        title, question = OTHERS[name]
    else:
        return Summary(PRODUCT, translate(HOME))
    question = translate(question)
    return Summary(f"{translate(title)}: {question}", translate("{} {} shows it.", question, PRODUCT))


def of_story(name: str, title: str) -> Summary:
    """Return the summary of a lab in a story. It does not reveal the story's answer."""
    return Summary(f"{translate(registry.entry(name).title)}: {translate(title)}", of_page(name).says)


def of_result(name: str, result: Any) -> Summary:
    """Return the summary of a lab's result: the title with the finding in brief, and the finding in a sentence."""
    if not in_short(name, result):
        return of_page(name)
    headline = registry.role(name, "words").headline(result, result.row)
    return Summary(titled(name, result), finding(headline))
