"""`explorer list`: what there is, by section: labs, kernels, estimators, datasets, the errata of the papers
and the topics that they name.

Of a lab, a kernel or an estimator that is named, its fields too, in the words of their controls.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.help_text import docstring
from explorer.parameters import Choice, Flag, Real, label_of, use_auto_for_none
from explorer.printing import echo

from .completers import completed_by

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from param import Parameter

EXAMPLES = (
    "explorer list",
    "explorer list estimators FKMSE",
    "explorer list errata E-4",
)


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "kind", nargs="?", type=_section, choices=tuple(KINDS), help="default: all but errata and topics"
    )
    names = parser.add_argument("names", nargs="*", help="of the section, such as `errata 10 E-4`; default: all of it")
    completed_by(names, _names)


def _section(word):
    """A section's key: "data sets" is datasets."""
    return word.replace(" ", "").lower()


def _names(options):
    """The names in the section before them, as a shell completes them."""
    return [name.removeprefix("/") for name, _ in KINDS[options.kind]()] if options.kind in KINDS else []


def run(options: Namespace) -> None:
    """Print a line for each; the long sections only where they are asked for."""
    for kind in [options.kind] if options.kind else [kind for kind in KINDS if kind not in LONG]:
        lines = dict(KINDS[kind]())
        names = [f"/{name}" if f"/{name}" in lines else name for name in options.names]
        if strange := [name for name in names if name not in lines]:
            raise Refusal(f"there is no {echo(strange[0])} among the {kind}; explorer list {kind} has their names.")
        print(f"{kind}:")  # noqa: T201
        for name in names or lines:
            print(f"  {name:16s} {lines[name]}")  # noqa: T201
            for field in FIELDS[kind](name).values() if names and kind in FIELDS else ():
                print(f"    {field.name:14s} {described(field)}")  # noqa: T201


def described(field: Parameter[Any]) -> str:
    """A field in the words of its control, and what it takes: a value in a link or a call, with what it is called."""
    words = label_of(field)
    if isinstance(field, Real):
        words += f": {use_auto_for_none(field.limits())}"
    elif isinstance(field, Flag):
        words += ": yes or no"
    elif isinstance(field, Choice):
        words += ": " + ", ".join(echo(v) if w == str(v) else f"{echo(v)} ({w})" for w, v in field.words.items())
    return words if words == field.doc or not field.doc else f"{words}; {field.doc}"


def fields_of_lab(address: str) -> dict[str, Any]:
    """The fields that a lab's page has controls of."""
    from explorer.workbench import registry

    return registry.entry(address.removeprefix("/")).lab.labelled()


def fields_of_model(package: str, name: str) -> dict[str, Any]:
    """The fields of a model of a package."""
    from explorer.sweeps.labels import models_of

    return next(each.fields for each in models_of(package) if each.__name__ == name)


def labs() -> list[tuple[str, str]]:
    """Addresses of the dashboard, with the question that each lab asks."""
    from explorer.workbench import registry

    return [(f"/{name}", entry.question) for name, entry in registry.entries().items()]


def models(package: str) -> list[tuple[str, str]]:
    """A package's models, with the first line of each one's docstring."""
    from explorer.sweeps.labels import models_of

    return sorted((each.__name__, docstring(each).partition("\n")[0]) for each in models_of(package))


def data_sets() -> list[tuple[str, str]]:
    """Data sets by name, with their sizes and sources."""
    from explorer.datasets import REGISTRY

    return [(name, f"{entry.n} x {entry.d}; {entry.source}") for name, entry in sorted(REGISTRY.items())]


def errata() -> list[tuple[str, str]]:
    """Errata of the papers by the numbers that docstrings name, and the papers by theirs."""
    from explorer.papers.errata import ERRATA
    from explorer.papers.erratum import PAPERS

    return [(number, str(entry)) for number, entry in (ERRATA | PAPERS).items()]


def topics() -> list[tuple[str, str]]:
    """What the papers name, with the places where it is seen."""
    from explorer.papers.topics import TOPICS

    return [(name, str(topic)) for name, topic in TOPICS.items()]


KINDS = {
    "labs": labs,
    "kernels": lambda: models("kernels"),
    "estimators": lambda: models("estimators"),
    "datasets": data_sets,
    "errata": errata,
    "topics": topics,
}
LONG = ("errata", "topics")
FIELDS = {
    "labs": fields_of_lab,
    "kernels": partial(fields_of_model, "kernels"),
    "estimators": partial(fields_of_model, "estimators"),
}
