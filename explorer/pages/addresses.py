"""The labs by their addresses: what each is called, and which page it opens."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from explorer.workbench import registry


class Address(NamedTuple):
    """What a lab is called in the bar of every page, what it is about, and the name of its page's class."""

    called: str
    about: str
    page: str


LABS = {
    "shrinkage": Address("Shrinkage", "Can I estimate better than the average?", "ShrinkagePage"),
    "marginalized": Address("Marginalized", "What if I add noise on purpose?", "MarginalizedPage"),
    "monk": Address("MONK", "What if a few of the data are wrong?", "MonkPage"),
    "twosample": Address("Two samples", "Are the two samples of one kind?", "TwoSamplePage"),
    "independence": Address("Independence", "Does y depend on x, and how?", "IndependencePage"),
    "dna": Address("DNA", "Are two samples of strings the same?", "DnaPage"),
    "sweep": Address("Sweep", "How does an answer hang on two numbers at once?", "SweepPage"),
}


def page_class(name):
    """The class of a lab's page, loaded when it is first asked for: a session does not wait for the other labs."""
    if name in registry.names():
        return getattr(registry.role(name, "page"), LABS[name].page)
    return getattr(import_module(f".{name}", __package__), LABS[name].page)
