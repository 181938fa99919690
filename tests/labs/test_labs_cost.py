"""Cost estimates of a result before it is computed: refusals, quick results, and the quality of the estimates."""

import json
import time
import tracemalloc
from functools import partial

import numpy as np
import pytest
from every_lab import ROWS, with_fact
from helpers.naming import naming

from explorer.checks import Refusal
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.cost import (
    BYTES,
    FRAMES,
    LATE_SECONDS,
    RATE,
    SECONDS,
    CostItem,
    most_bytes,
    refuse_too_much,
    seconds,
    timed,
)

LABS = registry.names()
REFUSED = [(name, fields, field) for name, row in ROWS.items() for fields, field in row.refused]
QUICK = [(name, fields) for name, row in ROWS.items() for fields in ({}, *row.affordable)]
SLOW = [(name, fields) for name, row in ROWS.items() for fields in row.slow]
DRAWN = with_fact("drawn")


def as_parameters(states):
    """Return states as test parameters with readable ids."""
    return [pytest.param(*state, id=f"{state[0]}: {json.dumps(state[1])[:70]}") for state in states]


def lab_of(name, fields):
    """Return a lab in a state."""
    return registry.entry(name).lab(**fields)


def shown_states(name):
    """Return the fields of the default, the presets and the stories' steps."""
    content = content_of(name)
    return [{}, *(each.fields for each in content.presets), *(step.fields for s in content.stories for step in s.steps)]


@pytest.mark.parametrize("name", LABS)
def test_what_presets_and_stories_show_is_affordable(name):
    for fields in shown_states(name):
        works = lab_of(name, fields).cost
        refuse_too_much(works)
        # readers wait for a story, so it stays far below the limit, and a slower machine can show it too
        assert seconds(works) < SECONDS / 5
        assert most_bytes(works) < BYTES / 2


@pytest.mark.parametrize(("name", "fields", "field"), as_parameters(REFUSED))
def test_what_takes_too_much_is_refused_and_told_what_to_lower(name, fields, field):
    lab = lab_of(name, fields)
    with pytest.raises(Refusal) as refused:
        refuse_too_much(lab.cost)
    sentence = str(refused.value)
    assert f"lower {field}" in sentence
    assert field in type(lab).fields
    assert not lab.quick or any(work.late for work in lab.cost)


def test_points_put_by_hand_are_to_be_fewer():
    many = json.dumps(np.random.default_rng(0).normal(size=(1000, 2)).round(3).tolist())
    lab = lab_of("independence", {"n": 2000, "placed": many, "permutations": "9999"})
    assert lab.size == 3000
    with pytest.raises(Refusal, match=naming("n", "placed")):
        refuse_too_much(lab.cost)


@pytest.mark.parametrize(("name", "fields"), as_parameters(QUICK))
def test_a_small_state_is_quick(name, fields):
    assert lab_of(name, fields).quick


@pytest.mark.parametrize(("name", "fields"), as_parameters(SLOW))
def test_a_large_state_is_not(name, fields):
    assert not lab_of(name, fields).quick


@pytest.mark.parametrize("name", [name for name in LABS if name not in ("dna", "sweep")])
def test_more_points_never_cost_less(name):
    cls = registry.entry(name).lab
    costs = [cls(n=n).cost for n in (20, 100, 500)]
    assert np.all(np.diff([seconds(works) for works in costs]) >= 0)
    assert np.all(np.diff([most_bytes(works) for works in costs]) >= 0)


@pytest.mark.parametrize("name", LABS)
def test_a_cost_takes_a_small_part_of_its_result(name):
    lab = lab_of(name, {})
    lab.cost  # noqa: B018, what is imported and made once for all labs

    def least(compute):
        taken = []
        for _ in range(5):
            begun = time.process_time_ns(), time.perf_counter()
            compute()
            taken.append(time.perf_counter() - begun[1])
        return min(taken)

    # measured 0.02 to 0.1: least of five on one machine, so a load slows both
    assert least(lambda: lab.cost) < 0.5 * least(lambda: lab_of(name, {}).result())


def test_parts_are_added_in_time_and_not_in_memory():
    works = [timed("a", 1.0, 10.0, ("n",)), timed("b", 2.0, 30.0, ("m",)), timed("c", 4.0, 20.0, ("m",), late=True)]
    assert (seconds(works), seconds(works, late=True)) == (3.0, 4.0)
    assert most_bytes(works) == 240.0
    assert (seconds([]), most_bytes([])) == (0.0, 0.0)
    assert CostItem("d", RATE).seconds == 1.0


@pytest.mark.parametrize(
    ("works", "said"),
    [
        ([timed("the sum", SECONDS, 0.0, ("n", "d"))] * 2, "The sum would take about 20 s.* lower n or d"),
        ([timed("the sum", 1.1 * LATE_SECONDS, 0.0, ("n",), late=True)], "take about 132 s, and a page may take 120 s"),
        ([timed("the sum", 3600.0, 0.0, ("n",))], "60 minutes"),
        ([timed("the sum", 0.0, BYTES / 4, ("m",))], "800 MB of memory, and a page may need 400 MB; lower m"),
        ([timed("the sum", 0.0, 8e9, ("placed",))], "64 GB.*; add fewer points by hand"),
    ],
)
def test_a_refusal_says_how_much_and_what_to_lower(works, said):
    with pytest.raises(Refusal, match=said):
        refuse_too_much(works)


def test_what_is_within_the_limits_is_not_refused():
    refuse_too_much([timed("a", SECONDS, BYTES / 8), timed("b", LATE_SECONDS, BYTES / 8, late=True)])


# how good the estimates are

LEAST_TIME, LEAST_BYTES = 0.1, 50e6  # seconds and bytes; smaller estimates are not compared
MOST_TIME, MOST_LATE = 2.0, 4.0  # seconds; slower states are skipped, so that the study ends


def any_state(name, rng):
    """Return a lab with fields drawn from the table of labs, or None if the lab refuses them.

    A pair of whole numbers is a range, drawn from uniformly in the logarithm.
    """
    fields = {}
    for field, choices in DRAWN[name].items():
        if len(choices) == 2 and all(type(each) is int for each in choices):
            fields[field] = round(np.exp(rng.uniform(*np.log(choices))))
        else:
            fields[field] = choices[rng.integers(len(choices))]
    if "blocks" in fields:
        fields["blocks"] += 1 - fields["blocks"] % 2
    try:
        return lab_of(name, fields)
    except Refusal:
        return None


def some_states(name, count, seed):
    """So many labs that a page may show and a test can afford."""
    rng, labs = np.random.default_rng(seed), []
    while len(labs) < count:
        lab = any_state(name, rng)
        if lab is None or seconds(lab.cost) > MOST_TIME or seconds(lab.cost, late=True) > MOST_LATE:
            continue
        try:
            refuse_too_much(lab.cost)
        except Refusal:
            continue
        labs.append(lab)
    return labs


def seconds_and_value(compute):
    """Return the seconds of the processor, which neighbours do not add to, and what it gives."""
    begun = time.process_time()
    value = compute()
    return time.process_time() - begun, value


def peak_bytes(compute):
    """Return the largest number of bytes that were held at a time."""
    tracemalloc.start()
    try:
        compute()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def late_time(lab, result):
    """Return the seconds of the processor for all deferred stages."""
    total = 0.0
    while names := result.pending():
        total += seconds_and_value(partial(lab.work().finish, names[0]))[0]
        result = lab.result()
    return total


LONG = ("adaptation", "density", "distributions", "dna", "independence", "monk", "twosample")  # a state: 2 to 15 s
COUNTS = [
    pytest.param(name, count, id=f"{name}-{count}", marks=pytest.mark.slow if count > 4 or name in LONG else ())
    for count in (4, 24)
    for name in DRAWN
]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "count"), COUNTS)
def test_estimates_are_near_what_results_take(name, count):
    lab_of(name, {}).result(wait=True)  # what is loaded and compiled once
    at_once, late = [], []
    for lab in some_states(name, count, seed=17):
        works, fields = lab.cost, lab.flat()
        try:
            taken, result = seconds_and_value(lab.result)
        except Refusal:
            continue  # what no field tells beforehand, such as weights that sum to 0
        if taken > LEAST_TIME:
            at_once.append(seconds(works) / taken)
        finished = late_time(lab, result)
        if finished > LEAST_TIME:
            late.append(seconds(works, late=True) / finished)
        again = lab_of(name, lab.values())
        peak = peak_bytes(partial(again.result, wait=True))
        # memory is the same on every machine; an estimate may be too low by half, and too high as it likes
        assert peak < LEAST_BYTES or most_bytes(works) > peak / 1.5, fields
    for ratios in (at_once, late):
        # coefficients are of one machine, and another is slower or faster by some factor of 2 to 3
        assert len(ratios) < 3 or 1 / 4 < np.median(ratios) < 4, np.round(sorted(ratios), 2)


def test_a_frame_or_two_is_less_than_a_blink():
    assert 0.02 < FRAMES < 0.1
