"""Controls without effect on the user's data are disabled in every lab: a new sample of all rows is the same one."""

import numpy as np
import pytest
from helpers.page_helpers import notice, open_page

from explorer.pages import (
    AdaptationPage,
    CausesPage,
    ConditionalPage,
    DriftPage,
    IndependencePage,
    KernelPCAPage,
    MarginalizedPage,
    MonkPage,
    ShrinkagePage,
)

pytestmark = pytest.mark.usefixtures("at_once")


def table(*names, n=40):
    """Return a CSV file of n rows of numbers."""
    X = np.random.default_rng(7).normal(size=(n, len(names))).round(3)
    return "\n".join([",".join(names), *(",".join(map(str, row)) for row in X)]).encode() + b"\n"


ONE, TWO = table("height", "weight"), table("height", "weight", n=30)
# page -> its files, the fields that draw fewer rows, and controls that only distributions have
LABS = {
    ShrinkagePage: ([ONE], {"n": 30}, ("d", "mean", "df")),
    MarginalizedPage: ([ONE], {"n": 30}, ("d", "df")),
    KernelPCAPage: ([ONE], {"n": 30}, ("noise",)),
    IndependencePage: ([ONE], {"n": 30}, ("noise", "waves")),
    ConditionalPage: ([ONE], {"n": 30}, ()),
    MonkPage: ([ONE], {"n": 30}, ("shift", "d")),
    DriftPage: ([ONE], {"n": 30}, ("at", "size")),
    CausesPage: ([ONE], {"n": 30}, ("noise", "direct", "frequency")),
    AdaptationPage: ([ONE, TWO], {"m": 20}, ("shift",)),
}


@pytest.mark.thorough(default=["DriftPage"])
@pytest.mark.parametrize("kind", LABS, ids=lambda kind: kind.__name__)
def test_all_rows_are_drawn_only_once(kind):
    files, fewer, others = LABS[kind]
    page = open_page(kind)
    assert not page.pressed["fresh"].disabled
    page.user_data.file.param.update(value=files[0], filename="one.csv")
    if files[1:]:
        page.user_data.second.param.update(value=files[1], filename="two.csv")
    page.user_data.button.clicks += 1
    assert (notice(page), page.user_data.trouble.object) == ("", "")
    assert page.lab.n == 40
    assert page.lab.whole
    assert page.pressed["fresh"].disabled
    assert all(page.sliders[name].slider.disabled for name in others)
    seed = page.lab.seed
    page.actions()["n"][1]()  # the key does nothing either
    assert page.lab.seed == seed
    page.move("n", **fewer)
    assert not page.pressed["fresh"].disabled
    page.actions()["n"][1]()
    assert page.lab.seed == seed + 1
