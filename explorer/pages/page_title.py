"""Title and one-sentence summary of a page, for its browser tab and for previews of its link."""

from __future__ import annotations

from typing import Any, NamedTuple

from explorer.languages import message, translate
from explorer.workbench import registry
from explorer.workbench.prose import finding
from explorer.workbench.titles import in_short, titled

PRODUCT = "Kernel Mean Explorer"
# pages that belong to no lab and are listed with the labs: name -> (title, the question that it answers)
OTHERS = message(
    {
        "report": ("Report", "Has my table changed, and in which columns?"),
        "lessons": ("Lessons", "How does it work, from the beginning?"),
    }
)
ALSO = {"same": ("report",)}  # question -> pages other than labs that answer it
REST = message("More")  # heading of the pages in the menu that answer none of the questions
HOME = "Labs about kernel means: estimate them, compare samples by them, and see what decides."


class Summary(NamedTuple):
    """Title of a page, and a sentence about what it shows."""

    title: str
    says: str


def title_and_question(name: str) -> tuple[str, str]:
    """Return the title of a lab, or of a page of OTHERS, and the question that it answers."""
    title, question, *_ = registry.entry(name) if name in registry.names() else OTHERS[name]
    return translate(title), translate(question)


def pages_by_question() -> dict[str, list[str]]:
    """Return question of the home page -> names of the labs and pages that answer it; REST has all others."""
    listed = {question: [*registry.family(key), *ALSO.get(key, ())] for key, question in registry.FAMILIES.items()}
    known = {name for names in listed.values() for name in names}
    return {**listed, REST: [name for name in (*registry.names(), *OTHERS) if name not in known]}


def of_page(name: str) -> Summary:
    """Return the summary of a page whatever its state is: the lab's title, and its question."""
    if name not in (*registry.names(), *OTHERS):
        return Summary(PRODUCT, translate(HOME))
    title, question = title_and_question(name)
    return Summary(f"{title}: {question}", translate("{} {} shows it.", question, PRODUCT))


def of_story(name: str, title: str) -> Summary:
    """Return the summary of a lab in a story. It does not reveal the story's answer."""
    return Summary(f"{translate(registry.entry(name).title)}: {translate(title)}", of_page(name).says)


def of_result(name: str, result: Any) -> Summary:
    """Return the summary of a lab's result: the title with the finding in brief, and the finding in a sentence."""
    if not in_short(name, result):
        return of_page(name)
    headline = registry.role(name, "words").headline(result, result.row)
    return Summary(titled(name, result), finding(headline))
