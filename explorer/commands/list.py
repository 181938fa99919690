"""`explorer list`: labs, kernels, estimators, data sets, and the papers with their errata and topics, by section.

For a lab, kernel or estimator that is named it also lists the fields, with the labels of their controls.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.parameters import Choice, Flag, Real, label_of, use_auto_for_none
from explorer.printing import echo
from explorer.public_names.help_text import docstring

from .completers import completed_by

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from param import Parameter

EXAMPLES = (
    "explorer list",
    "explorer list estimators FKMSE",
    "explorer list errata E-4",
    "explorer list papers muandet2016shrinkage",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "kind", nargs="?", type=_section, choices=tuple(KINDS), help="default: all but papers, errata and topics"
    )
    names = parser.add_argument("names", nargs="*", help="names in the section, such as `errata 10 E-4`; default: all")
    completed_by(names, _names)


def _section(word):
    """Return the key of a section: "data sets" becomes datasets."""
    return word.replace(" ", "").lower()


def _names(options):
    """Return the names in the section that the options name, for completion in a shell."""
    return [name.removeprefix("/") for name, _ in KINDS[options.kind]()] if options.kind in KINDS else []


def run(options: Namespace) -> None:
    """Print one line per entry. The long sections are printed only on request."""
    for kind in [options.kind] if options.kind else [kind for kind in KINDS if kind not in LONG]:
        lines = dict(KINDS[kind]())
        names = [f"/{name}" if f"/{name}" in lines else name for name in options.names]
        if strange := [name for name in names if name not in lines]:
            raise Refusal(f"there is no {echo(strange[0])} among the {kind}; explorer list {kind} has their names.")
        print(f"{kind}:")  # noqa: T201
        for name in names or lines:
            print(f"  {name:16s} {lines[name]}")  # noqa: T201
            for field in FIELDS[kind](name).values() if names and kind in FIELDS else ():
                print(f"    {field.name:14s} {describe_field(field)}")  # noqa: T201


def describe_field(field: Parameter[Any]) -> str:
    """Describe a field: its label, the values that it takes in a link or a call, and the labels of these values."""
    words = label_of(field)
    if isinstance(field, Real):
        words += f": {use_auto_for_none(field.limits())}"
    elif isinstance(field, Flag):
        words += ": yes or no"
    elif isinstance(field, Choice):
        words += ": " + ", ".join(echo(v) if w == str(v) else f"{echo(v)} ({w})" for w, v in field.words.items())
    return words if words == field.doc or not field.doc else f"{words}; {field.doc}"


def fields_of_lab(address: str) -> dict[str, Any]:
    """Return the fields of a lab that have controls on its page."""
    from explorer.workbench import registry

    return registry.entry(address.removeprefix("/")).lab.labelled()


def fields_of_model(package: str, name: str) -> dict[str, Any]:
    """Return the fields of a model of a package."""
    from explorer.sweeps.labels import models_of

    return next(each.fields for each in models_of(package) if each.__name__ == name)


def labs() -> list[tuple[str, str]]:
    """Return (address, question) of each lab: its address in the dashboard and the question that it asks."""
    from explorer.workbench import registry

    return [(f"/{name}", entry.question) for name, entry in registry.entries().items()]


def models(package: str) -> list[tuple[str, str]]:
    """Return (name, first line of the docstring) of each model of a package."""
    from explorer.sweeps.labels import models_of

    return sorted((each.__name__, docstring(each).partition("\n")[0]) for each in models_of(package))


def data_sets() -> list[tuple[str, str]]:
    """Return (name, size and source) of each data set, sorted by name."""
    from explorer.datasets import REGISTRY

    return [(name, f"{entry.n} x {entry.d}; {entry.source}") for name, entry in sorted(REGISTRY.items())]


def papers() -> list[tuple[str, str]]:
    """Return the papers by the keys that docstrings cite; the five texts by their numbers too."""
    from explorer.citations import PAPERS, references

    texts = {key: f"{each.short}, {each.title}. {each.address}".strip() for key, each in references().items()}
    return [*((number, f"[{key}] {texts[key]}") for number, key in PAPERS.items()), *texts.items()]


def errata() -> list[tuple[str, str]]:
    """Return the errata of the papers by the numbers that docstrings cite, and the papers by their numbers."""
    from explorer.papers.errata import ERRATA
    from explorer.papers.erratum import PAPERS

    return [(number, str(entry)) for number, entry in (ERRATA | PAPERS).items()]


def topics() -> list[tuple[str, str]]:
    """Return the topics of the papers, with the places that show them."""
    from explorer.papers.topics import TOPICS

    return [(name, str(topic)) for name, topic in TOPICS.items()]


KINDS = {
    "labs": labs,
    "kernels": lambda: models("kernels"),
    "estimators": lambda: models("estimators"),
    "datasets": data_sets,
    "papers": papers,
    "errata": errata,
    "topics": topics,
}
LONG = ("papers", "errata", "topics")
FIELDS = {
    "labs": fields_of_lab,
    "kernels": partial(fields_of_model, "kernels"),
    "estimators": partial(fields_of_model, "estimators"),
}
