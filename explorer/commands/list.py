"""`explorer list`: what there is: labs with their presets, kernels, estimators, data sets."""

from __future__ import annotations


def arguments(parser):
    """What the command takes."""
    parser.add_argument("kind", nargs="?", choices=tuple(KINDS), help="default: all of them")


def run(options):
    """Print a line for each."""
    for kind in [options.kind] if options.kind else KINDS:
        print(f"{kind}:")  # noqa: T201
        for name, about in KINDS[kind]():
            print(f"  {name:16s} {about}")  # noqa: T201


def labs():
    """Addresses of the dashboard, with the question that each lab asks."""
    from explorer.pages.addresses import LABS

    return [(f"/{name}", address.about) for name, address in LABS.items()]


def models(room):
    """A room's models, with the first line of what each says of itself."""
    from importlib import import_module

    from explorer.model import Model

    found = vars(import_module(f"explorer.{room}")).items()
    public = [(name, each) for name, each in found if isinstance(each, type) and issubclass(each, Model)]
    return [(name, each.__doc__.strip().splitlines()[0]) for name, each in sorted(public) if each is not Model and each.__doc__]


def data_sets():
    """Data sets by name, with their sizes and sources."""
    from explorer.datasets import REGISTRY

    return [(name, f"{entry.n} x {entry.d}; {entry.source}") for name, entry in sorted(REGISTRY.items())]


KINDS = {
    "labs": labs,
    "kernels": lambda: models("kernels"),
    "estimators": lambda: models("estimators"),
    "data sets": data_sets,
}
