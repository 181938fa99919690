"""Short links: they hold only the fields that differ from a lab's defaults, and they open the same state."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

import pytest

from explorer.labs.monk import MonkLab
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.twosample import TwoSampleLab
from explorer.pages.sections.navbar import LONGEST
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.links import VERSION, address, settings

HOST = "https://labs.statistics.example-university.edu/kernel-means/"


def params_of(link):
    """Return the query parameters of a link."""
    return dict(parse_qsl(link.partition("?")[2], keep_blank_values=True))


def test_a_link_has_a_version_and_what_differs_from_the_defaults():
    assert address("shrinkage", ShrinkageLab(n=50)) == "shrinkage?v=2&n=50"
    assert address("shrinkage", ShrinkageLab(lam=0.1, seed=7)) == "shrinkage?v=2&lam=0.1&seed=7"
    assert address("shrinkage", ShrinkageLab()) == f"shrinkage?v={VERSION}"


def test_beside_a_story_s_step_it_has_what_differs_from_that():
    step = ShrinkageLab(n=50, lam=0.1)
    assert settings(ShrinkageLab(n=50), step) == {"lam": "auto"}
    assert settings(step, step) == {}


@pytest.mark.parametrize("name", registry.names())
def test_every_preset_and_step_comes_back_from_its_link(name):
    lab_class, content = registry.entry(name).lab, content_of(name)
    steps = [step for story in content.stories for step in story.steps]
    for each in (*content.presets, *steps):
        lab = lab_class(**each.fields)
        params = params_of(address(name, lab))
        assert params.pop("v") == VERSION
        assert lab_class.from_flat(params) == (lab, [])


def test_a_default_size_is_said_where_the_table_has_fewer_rows(monkeypatch):
    """Without it, the link would open with as many rows as there are."""
    usual = ShrinkageLab().n
    monkeypatch.setattr(ShrinkageLab, "rows_there", lambda lab: {"n": usual - 5})
    for n in (usual, usual - 5, usual + 5):
        assert settings(ShrinkageLab(n=n)) == {"n": str(n)}
    monkeypatch.setattr(ShrinkageLab, "rows_there", lambda lab: {"n": usual})
    assert settings(ShrinkageLab(n=usual)) == {}


def test_a_size_that_its_source_has_not_is_said_though_it_is_the_default():
    """A link without sizes opens with as many rows as the two tables have, 59 and 71 wines."""
    asked = TwoSampleLab(source="wine")
    assert (asked.n, asked.m, asked.rows_there()) == (100, 100, {"n": 59, "m": 71})
    assert settings(asked) == {"source": "wine", "n": "100", "m": "100"}
    assert TwoSampleLab.from_flat(settings(asked))[0] == asked
    drawn = asked.replace(n=59, m=71)
    assert TwoSampleLab.from_flat({"source": "wine"})[0] == drawn
    rows = ShrinkageLab(source="wine").rows_there()["n"]
    assert settings(ShrinkageLab(source="wine", n=rows + 1)) == {"source": "wine", "n": str(rows + 1)}
    assert settings(ShrinkageLab(source="wine")) == {"source": "wine"}  # 178 wines, more than are drawn


@pytest.mark.parametrize("name", registry.names())
def test_a_camera_reads_the_link_of_every_preset_and_step(name):
    lab_class, content = registry.entry(name).lab, content_of(name)
    steps = [step for story in content.stories for step in story.steps]
    longest = max(len(address(name, lab_class(**each.fields))) for each in (*content.presets, *steps))
    assert len(HOST) + longest < LONGEST / 3


def test_all_fields_took_a_third_of_a_qr_code_and_few_take_a_tenth():
    moved = MonkLab(outliers=3, distance=50.0, n=300, d=4, seed=9)
    whole = len(urlencode({"v": "1", **moved.flat()}))
    assert len(address("monk", moved)) < 80 < whole
