"""`explorer list`: what there is, by section: labs, kernels, estimators, datasets, and the errata of the papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.checks import Refusal
from explorer.printing import shown

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("kind", nargs="?", type=_section, choices=tuple(KINDS), help="default: all of them but errata")
    parser.add_argument("names", nargs="*", help="of the section, such as `errata 10 E-4`; default: all of it")


def _section(word):
    """A section's key: "data sets" is datasets."""
    return word.replace(" ", "").lower()


def run(options: Namespace) -> None:
    """Print a line for each; the errata only where they are asked for, as they are long."""
    for kind in [options.kind] if options.kind else [kind for kind in KINDS if kind != "errata"]:
        lines = dict(KINDS[kind]())
        if strange := [name for name in options.names if name not in lines]:
            raise Refusal(f"there is no {shown(strange[0])} among the {kind}; explorer list {kind} has their names.")
        print(f"{kind}:")  # noqa: T201
        for name in options.names or lines:
            print(f"  {name:16s} {lines[name]}")  # noqa: T201


def labs() -> list[tuple[str, str]]:
    """Addresses of the dashboard, with the question that each lab asks."""
    from explorer.workbench import registry

    return [(f"/{name}", entry.question) for name, entry in registry.entries().items()]


def models(package: str) -> list[tuple[str, str]]:
    """A package's models, with the first line of each one's docstring."""
    from explorer.sweeps.labels import models_of

    return [
        (name, (doc or "").strip().splitlines()[0])
        for name, doc in sorted((each.__name__, each.__doc__) for each in models_of(package))
    ]


def data_sets() -> list[tuple[str, str]]:
    """Data sets by name, with their sizes and sources."""
    from explorer.datasets import REGISTRY

    return [(name, f"{entry.n} x {entry.d}; {entry.source}") for name, entry in sorted(REGISTRY.items())]


def errata() -> list[tuple[str, str]]:
    """Errata of the papers by the numbers that docstrings name, and the papers by theirs."""
    from explorer.papers.errata import ERRATA
    from explorer.papers.erratum import PAPERS

    return [(number, str(entry)) for number, entry in (ERRATA | PAPERS).items()]


KINDS = {
    "labs": labs,
    "kernels": lambda: models("kernels"),
    "estimators": lambda: models("estimators"),
    "datasets": data_sets,
    "errata": errata,
}
