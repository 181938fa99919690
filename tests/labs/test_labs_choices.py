"""Any two choices of a lab give pictures, or a sentence that says why not."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from every_lab import few_samples, with_shared_cache
from helpers.lab_pictures import view_of
from helpers.pairwise import covering

from explorer.checks import ExplorerWarning, Refusal
from explorer.labs.twosample.figures import moments
from explorer.parameters import Choice, Flag
from explorer.svg import draw_standalone
from explorer.workbench import registry

SMALL = {  # sizes that take little time, and with which most choices are allowed
    "n": 20,
    "m": 20,
    "bags": 8,
    "blocks": 3,
    "steps": 20,
    "rank": 5,
    "block": 4,
    "every": 5,
    "shuffles": 19,
    "flips": 19,
    "permutations": "199",
}
OF_FILES = ("lenient", "gram", "missing")  # fields of the user's own table
LABS = [name for name in registry.names() if name != "sweep"]  # it has no choices: its axes are fields of other labs


def choices_of(cls):
    """Return the values of each choice of a lab, without those that need the user's table."""
    fields = {name: field for name, field in cls.fields.items() if name not in (*OF_FILES, *SMALL)}
    choices = {name: field.objects for name, field in fields.items() if isinstance(field, Choice)}
    choices |= {name: [False, True] for name, field in fields.items() if isinstance(field, Flag)}
    return {name: [value for value in values if value != "file"] for name, values in choices.items()}


def small_lab(name):
    """Return a lab of few points."""
    cls = registry.entry(name).lab
    return cls(**{field: value for field, value in SMALL.items() if field in cls.fields})


def cases_of(lab):
    """Return fields of states that contain every allowed pair of choices."""
    choices = choices_of(type(lab))
    names = list(choices)

    def fields(case):
        return {names[k]: choices[names[k]][level] for k, level in case.items()}

    def allowed(case):
        try:
            lab.replace(**fields(case))
        except Refusal:
            return False
        return True

    return [fields(case) for case in covering([len(choices[name]) for name in names], allowed)]


def draw(name, view, result):
    """Draw and describe a result everywhere."""
    words, script = (registry.role(name, each) for each in ("words", "script"))
    view.show(result)
    view.tables(result)
    view.pin(result)
    view.words(result, view.numbers(result)), view.legends(result, view.numbers(result))
    for each in registry.visible_pictures(name, result):
        draw_standalone(each, result)
    words.headline(result, result.row), words.caption(result), words.story_values(result)
    script.python(result), script.numbers(result)


def failures(name, states):
    """Return what is raised, except refusals that are sentences, and the first state at which it is."""
    lab = with_shared_cache(small_lab(name))
    view, failed = view_of(lab.result()), {}
    for fields in states:
        try:
            state = with_shared_cache(lab.replace(**fields))
            for wait in (False, True):
                draw(name, view, state.result(wait=wait))
        except Refusal as refusal:
            if not str(refusal).endswith((".", "?")):
                failed[str(refusal)] = fields
        except Exception as error:
            failed.setdefault(f"{type(error).__name__}: {error}", fields)
    return failed


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Keep studies small, and ignore warnings that a state takes long."""
    few_samples(monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExplorerWarning)
        yield


@pytest.mark.thorough
@pytest.mark.parametrize("name", LABS)
def test_any_two_choices_give_pictures_or_a_sentence(name):
    assert failures(name, cases_of(small_lab(name))) == {}


@pytest.mark.parametrize("combined", ["sum", "product"])
@pytest.mark.parametrize("kernel", ["LIN", "POLY2"])
def test_a_sum_or_product_of_polynomial_kernels_has_no_moments(kernel, combined):
    for picture in ("influence", "x-ray"):
        assert failures("twosample", [{"combined": combined, "kernel": kernel, "picture": picture}]) == {}


@pytest.mark.parametrize("degree", [1, 3, 6])
def test_moments_of_a_kernel_of_high_degree_share_the_last_bar(degree):
    shares = moments.data(SimpleNamespace(moments=np.ones(degree), row=0))["moments"]["y"]
    assert shares.tolist() == pytest.approx([float(k < degree) / degree for k in range(3)] + [max(0, 1 - 3 / degree)])
