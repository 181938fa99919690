"""Unusual tables of the user: braces in names of classes, long numbers as classes, no gain to be had."""

import ast
import re

import numpy as np
import pytest
from helpers.lab_pictures import descriptions
from helpers.page_helpers import notice, open_page

from explorer.datasets import read_table
from explorer.labs.adaptation.result import gained
from explorer.markup import text_of
from explorer.pages import page_class
from explorer.printing import WHOLE
from explorer.workbench import registry
from explorer.workbench.two_samples import known_labels

pytestmark = pytest.mark.usefixtures("at_once")

BRACES = ("{0.__class__} {two}", "%s ${7*7}")
LONG = ("-1.3201527836560747", "0.30000000000000004")


def shown(name, levels, group="arm", twice=False):
    """Return a lab's page with a table of sixteen bags in two classes, given by a column; with `twice`, b is 2 a."""
    rng, page, rows = np.random.default_rng(0), open_page(page_class(name)), []
    for i in range(96):
        a, b = round(rng.normal() + i // 48, 4), rng.normal()
        rows.append(f"{a:.4f},{2 * a if twice else b:.4f},b{i // 6},{levels[i // 48]}")
    page.user_data.file.param.update(value="\n".join(["a,b,bag,arm", *rows]).encode(), filename="t.csv")
    for menu in ("group", "label"):
        if hasattr(page.user_data, menu):
            getattr(page.user_data, menu).value = group
    if twice:
        page.user_data.columns.value = ["a", "b"]
    page.user_data.button.clicks += 1
    assert notice(page) == ""
    assert page.lab.file == "t.csv"
    return page


def sentences(page):
    words = registry.role(registry.name_of(type(page.lab)), "words")
    return [
        text_of(each)
        for each in (
            page.headline(page.result, page.result.row),
            words.caption(page.result),
            *descriptions(page.result),
        )
    ]


@pytest.mark.parametrize("name", ["distributions", pytest.param("monk", marks=pytest.mark.thorough)])
def test_classes_with_braces_are_in_the_copied_python(name):
    page = shown(name, BRACES)
    words = {each.value for each in ast.walk(ast.parse(page.chrome.bar.share.code)) if isinstance(each, ast.Constant)}
    assert words & set(BRACES)


@pytest.mark.few(2)
@pytest.mark.thorough
@pytest.mark.parametrize("name", ["monk", "twosample", "adaptation", "distributions"])
def test_sentences_have_classes_in_few_digits(name):
    said = " ".join(sentences(shown(name, LONG)))
    assert not any(level.lstrip("-") in said for level in LONG)


def test_a_line_without_an_error_gains_nothing():
    page = shown("adaptation", ("one", "two"), twice=True)  # b is y
    assert page.result.before[1] == page.result.gain() == 0
    assert "unchanged" in sentences(page)[0]
    assert gained(0.5, 0.0) == -np.inf
    assert gained(0.5, 2.0) == 0.75


def many(called, bags):
    """Return a table of bags of four rows with long or many names of columns, bags and classes."""
    rng, name = np.random.default_rng(0), f"{called} "
    head = f'"{name}a","{name}b",bag,arm'
    rows = [f"{rng.normal():.4f},{rng.normal():.4f},{name}{i // 4},{name}{i // 4 % 2}" for i in range(4 * bags)]
    return "\n".join([head, *rows]).encode()


@pytest.mark.few(3)
@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["distributions", "twosample", "adaptation", "monk", "conditional", "shrinkage", "drift", "fit", "causes"]
)
def test_sentences_about_many_or_long_names_are_short(name):
    page = open_page(page_class(name))
    for called, bags in (("x" * 900, 12), ("bag", 500)):
        page.user_data.file.param.update(value=many(called, bags), filename=f"{called * 10}.csv")
        page.user_data.button.clicks += 1
        assert page.lab.file.startswith(called[:200])
        texts = [*sentences(page), text_of(notice(page)), text_of(page.user_data.trouble.object)]
        said = [each for text in texts for each in re.split(r"(?<=[.?!])\s+", text)]
        assert max(map(len, said)) <= WHOLE


def test_groups_whose_numbers_differ_late_are_different_groups():
    table = read_table(b"a,g\n1,0.10001\n2,0.10002\n3,-5\n", target="g")
    assert known_labels(table) == {"-5": -5.0, "0.10001": 0.10001, "0.10002": 0.10002}
