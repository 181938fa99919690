"""Labs that are no folder yet, as `explorer.workbench.study` asks for them; it goes with the last of them."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from explorer.workbench import registry
from explorer.workbench.study import LabStudy as LabStudy
from explorer.workbench.study import Subject as Sweepable

# what a netCDF file takes in a name, and other programs read
SPELT = {" / ": " relative to ", "λ": "lambda", "σ": "sigma", "²": " squared"}
_RELATIVE = tuple(f"{what}loss relative to loss of KME, {{}}" for what in ("", "estimated "))


def _for_each(estimators, *words):
    return tuple(word.format(name) for word in words for name in estimators)


class Subject(NamedTuple):
    """A lab: where its class and its presets are, the two fields that are swept first, and all numbers that it may
    have.
    """

    model: str
    presets: str
    axes: tuple[str, str]
    measures: tuple[str, ...]


SUBJECTS = {
    "shrinkage": Subject(
        "shrinkage:ShrinkageLab",
        "presets:SHRINKAGE",
        ("bandwidth", "n"),
        _for_each(("S-KMSE", "F-KMSE"), *_RELATIVE, "lambda by leave-one-out, {}", "best lambda, {}"),
    ),
    "marginalized": Subject(
        "marginalized:MarginalizedLab",
        "marginalized_presets:MARGINALIZED",
        ("bandwidth", "n"),
        (
            *_for_each(("MKME", "MMKME"), *_RELATIVE, "sigma by leave-one-out, {}, data sd"),
            "expected loss relative to that of KME, MKME",
        ),
    ),
    "monk": Subject(
        "monk:MonkLab",
        "monk_presets:MONK",
        ("outliers", "blocks"),
        (
            "MONK's error",
            "the U-statistic's error",
            "MONK's MMD",
            "U, of MMD squared",
            "the MMD that U says",
            "the true MMD",
        ),
    ),
    "twosample": Subject(
        "twosample:TwoSampleLab",
        "twosample_presets:TWO_SAMPLE",
        ("size", "n"),
        ("p", "MMD squared", "standard deviations above the shuffles", "MMD squared of the laws"),
    ),
    "independence": Subject(
        "independence:IndependenceLab",
        "independence_presets:INDEPENDENCE",
        ("noise", "n"),
        (
            "p of HSIC",
            "HSIC",
            "standard deviations above the shuffles",
            "the correlation of HSIC",
            "Pearson's r",
            "p of Pearson's r",
            "p by the gamma law",
            "the distance correlation",
            "p of the distance correlation",
        ),
    ),
    "dna": Subject(
        "dna:DnaLab",
        "dna_presets:DNA",
        ("spoiled", "n"),
        (
            "p of MONK's test",
            "p of the plain test",
            "MMD squared, unbiased",
            "MMD by MONK",
            "mean k within the first",
            "mean k within the second",
            "mean k across",
        ),
    ),
}


def with_old_labs(known):
    """The labs that are folders and those that are none yet, in their order."""
    every = {}
    for name, old in SUBJECTS.items():
        if name in registry.names():
            every[name] = known[name]
        else:
            every[name] = Sweepable(_part_of(old.model), old.axes, old.measures)
    return every | known


def presets(lab):
    """The presets of a lab that is no folder yet."""
    return _part_of(SUBJECTS[lab].presets)


def title(lab):
    """What it is called."""
    return import_module("explorer.pages.addresses").LABS[lab].called


def measured(lab, result):
    """The numbers of its result by the names that sweeps know."""
    values = import_module(f".{lab}_numbers", __package__).measures(result)
    return {_spelt(name, getattr(result, "flexible_name", "F-KMSE")): value for name, value in values.items()}


def _part_of(where):
    module, name = where.split(":")
    return getattr(import_module(f".{module}", __package__), name)


def _spelt(name, flexible):
    """A measure's name as all cells have it, in letters that a file can have."""
    if name.endswith(f", {flexible}"):
        name = f"{name.removesuffix(flexible)}F-KMSE"
    for word, plain in SPELT.items():
        name = name.replace(word, plain)
    return "p of the distance correlation" if name == "its p" else name
