"""The guide's page on levels shows the stored figures and no others."""

import json
import re

import pytest

from explorer.discrepancy import rate_interval
from explorer.site import guide, levels


def cell(entry, kind, rejected, answer="p", **more):
    fields = dict(entry=entry, answer=answer, kind=kind, rejected=rejected, claim="exact", ceiling=0.05, n=40, m=60)
    return fields | dict(resamples=19, runs=1000, refused=0) | more


CELLS = [
    cell("mmd_test", "rare", 31),
    cell("mmd_test", "heavy", 52),
    cell("mmd_test", "heavy", 48, n=8, m=8),
    cell("mmd_test", "missing", 0, refused=1000),
    cell("scan, shift", "AR .8", 90, answer="any break", claim="about", ceiling=0.1),
    cell("scan, shift", "counts", 400, answer="any break", claim="none", ceiling=None),
]


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "levels.json"
    path.write_text(json.dumps(CELLS), encoding="utf-8")
    return levels.tables(path)


def lines(text):
    """Return the lines of tables as lists of cells."""
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]


def test_the_worst_cell_of_each_answer_is_told_with_its_interval(page):
    low, high = rate_interval(52, 1000)
    rate = f"5.2 ({100 * low:.1f} to {100 * high:.1f})"
    first, second = lines(page)[2:4]
    assert first == ["`mmd_test`", "exact", "5.0%", "heavy", "40 + 60", "52 of 1,000", rate]
    assert second[:6] == ["`scan`, shift, any break", "about", "10.0%", "AR .8", "40 + 60", "90 of 1,000"]


def test_every_cell_stands_below_its_function(page):
    _, section, _ = re.split(r"^### .*$", page, flags=re.M)
    rows = {row[0]: row[1:] for row in lines(section)[2:]}
    assert lines(section)[0] == ["Kind", "40 + 60", "8 + 8"]
    assert [each[:4] for each in rows["heavy"]] == ["5.2 ", "4.8 "]
    assert rows["rare"][1] == "–"
    assert rows["missing"] == ["refused", "–"]


def test_the_page_of_the_guide_has_the_kept_figures(guided):
    text = (guided / "levels.md").read_text(encoding="utf-8")
    kept = json.loads(levels.KEPT.read_text(encoding="utf-8"))
    assert f"{len(kept):,} cells" in text
    for word in ("**exact**", "**in the limit**", "**about**"):
        assert word in text
    rates = re.findall(r"\d+\.\d \(\d+\.\d to \d+\.\d\)", text)
    measured = [each for each in kept if each["refused"] < each["runs"]]
    assert len(rates) == len(measured) + len(levels.measured_answers(measured))


def test_no_rate_is_typed_into_the_page():
    assert not re.search(r"\d+ of 1,000|\d\.\d \(", (guide.HERE / "levels.md").read_text(encoding="utf-8"))
