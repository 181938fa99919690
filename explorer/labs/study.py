"""A lab as a study: a function of a cell and a seed, which a sweep can send to any process."""

from __future__ import annotations

from importlib import import_module
from math import nan
from typing import NamedTuple

from explorer.checks import Refusal
from explorer.printing import listed, shown
from explorer.workbench import registry

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


def model_of(lab):
    """The class of a lab."""
    if lab in registry.names():
        return registry.entry(lab).lab
    return _found(SUBJECTS[lab].model)


def presets_of(lab):
    """A lab's presets by their names."""
    if lab in registry.names():
        return {preset.name: preset for preset in registry.role(lab, "stories").PRESETS}
    return {preset.name: preset for preset in _found(SUBJECTS[lab].presets)}


def _found(where):
    module, name = where.split(":")
    return getattr(import_module(f".{module}", __package__), name)


class LabStudy:
    """study(**cell, seed=) gives the numbers that a lab compares two states by, as {name: number}.

    lab     its address, such as "shrinkage"
    fields  of the lab, the same in every cell; what is in neither has its default

    A number that a state does not have is nan, and a cell in which the lab cannot be has no other. Where another filter
    takes F-KMSE's place, its numbers have F-KMSE's names. Raises ValueError for a lab and TypeError for a field that
    there is not.
    """

    def __init__(self, lab, **fields):
        if lab not in SUBJECTS:
            raise Refusal(f"lab must be one of {', '.join(SUBJECTS)}, not {shown(lab)}.")
        self.lab, self.fields = lab, fields
        if strange := [name for name in fields if name not in self.model.fields]:
            raise TypeError(
                f"{shown(strange[0])} is no field of the lab {shown(lab)}; it has {listed(self.model.fields)}."
            )

    @property
    def model(self):
        """The lab's class, from which axes have their units, symbols and limits."""
        return model_of(self.lab)

    def state(self, seed, **cell):
        """The lab in a cell; ValueError where it cannot be there. A sweep's seeds are longer than those of a lab."""
        most = self.model.fields["seed"].bounds[1]
        return self.model(**{**self.fields, **cell, "seed": seed % (most + 1)})

    def __call__(self, *, seed, **cell):
        try:
            result = self.state(seed, **cell).result()
        except ValueError:
            found = {}
        else:
            found = self._measured(result)
        return {name: nan if found.get(name) is None else float(found[name]) for name in SUBJECTS[self.lab].measures}

    def _measured(self, result):
        if self.lab in registry.names():
            return result.measured()
        measures = import_module(f".{self.lab}_numbers", __package__).measures(result)
        return {_spelt(name, getattr(result, "flexible_name", "F-KMSE")): value for name, value in measures.items()}

    def __repr__(self):
        said = "".join(f", {name}={value!r}" for name, value in sorted(self.fields.items()))
        return f"LabStudy({self.lab!r}{said})"


def _spelt(name, flexible):
    """A measure's name as all cells have it, in letters that a file can have."""
    if name.endswith(f", {flexible}"):
        name = f"{name.removesuffix(flexible)}F-KMSE"
    for word, plain in SPELT.items():
        name = name.replace(word, plain)
    return "p of the distance correlation" if name == "its p" else name
