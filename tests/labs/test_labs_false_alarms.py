"""A rejection in a state whose null hypothesis is known to hold is told as a false alarm, never as a difference."""

import re

import pytest
from every_lab import lab_of, with_shared_cache

from explorer.markup import Markup
from explorer.pages.layout.markup_pane import plain
from explorer.workbench import registry

# lab -> fields in which the null hypothesis holds, the attribute that is its p, and the deferred stages that this needs
NULLS = {
    "twosample": ({"source": "equal", "n": 20, "m": 20}, "pvalue", ()),
    "independence": ({"source": "none", "n": 15}, "pvalue", ()),
    "fit": ({"moved": '{"0":[0,0]}', "n": 40}, "pvalue", ()),
    "drift": ({"kind": "none", "n": 60}, "pvalue", ("test",)),
    "causes": ({"frequency": 8.0, "noise": 0.3, "bandwidth": 1.0, "n": 60}, "kci", ()),
}
DIFFERENCE = r"\bdiffer\b|does not fit|\bdepends?\b|finds a change(?!.*false alarm)"


@pytest.mark.parametrize("name", NULLS)
def test_a_rejection_of_what_is_true_is_a_false_alarm(name):
    fields, attribute, needed = NULLS[name]
    rejected = 0
    for seed in range(120):
        lab = with_shared_cache(lab_of(name, **fields, seed=seed))
        for stage in needed:
            lab.work().finish(stage)
        result = lab.result()
        headline = plain(Markup(registry.role(name, "words").headline(result, result.row)))
        rejects = getattr(result, attribute) <= lab.alpha
        assert not rejects or "false alarm" in headline, headline
        assert not re.search(DIFFERENCE, headline), headline
        rejected += rejects
        if rejected == 2:
            return
    pytest.fail("no rejection among 120 samples")
