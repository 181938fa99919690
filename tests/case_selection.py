"""Selection of test cases: marks that determine which cases run by default.

`thorough` marks a test that the default run skips, except for the cases that the mark names. `covered` keeps the cases
that cover a product of parameters. `few` keeps some cases of a claim that holds in many packages. Both leave the others
to the slow run. The default run is short: each test runs as many cases as its time allowance permits, at least one.
Cases that take long are skipped, unless they drive a browser or read all sources. The times come from an earlier run:
`python tests/case_selection.py JUNIT.xml ...` writes them to `timings.json`, and `--slow` before the reports of a slow
run writes the times of slow cases to `slow_timings.json`. `--share 2/3` takes the second third of the thorough cases,
`--turn 12` one slow case of some tests, so that many turns in a row run all slow tests.
"""

import difflib
import json
import re
import signal
import sys
import zlib
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

import pytest
from helpers import pairwise

TIMINGS = Path(__file__).with_name("timings.json")
SECONDS = json.loads(TIMINGS.read_text(encoding="utf-8"))  # what a case of a test takes, on average
ALLOWED, LONGEST = 0.012, 0.1  # seconds that a test, and a single case, may take in the default run
SLOW_TIMINGS = Path(__file__).with_name("slow_timings.json")
SLOW_SECONDS = json.loads(SLOW_TIMINGS.read_text(encoding="utf-8"))  # what a slow case of a test takes, on average
TURN, LONGEST_IN_TURN, UNKNOWN = 100, 30, 20  # seconds of a turn, of its longest case, and of a case never measured
LIMIT = 60  # seconds after which a turn skips a case, because other processes may take the machine
ALONE = ("tests/served/", "tests/labs/test_labs_cost.py")  # measure waiting times, so a machine must have no other work
WHOLE = "tests/levels/"  # all cases run: each checks another function, and each is cheap
ONLY_HERE = ("tests/browser/", "tests/conformance/", "tests/test_imports.py")  # slow, but no other test replaces these


def pytest_addoption(parser):
    """Add the options `--share` and `--turn`."""
    parser.addoption("--share", metavar="K/N", help="of the thorough cases the K-th of N parts, each with other ones")
    parser.addoption("--turn", type=int, metavar="N", help="of the slow cases those of the N-th turn, about 100 s long")


def leave_other_shares(config, items):
    """Leave out those cases that are `thorough`, not `slow`, and not in the requested `--share`."""
    if (share := config.getoption("share")) is None:
        return
    part, _, parts = share.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise pytest.UsageError(f"--share takes K/N with 1 <= K <= N, such as 2/3, not {share}.")
    others = [
        item
        for item in items
        if item.get_closest_marker("thorough")
        and not item.get_closest_marker("slow")
        and zlib.crc32(item.nodeid.encode()) % int(parts) != int(part) - 1
    ]
    _deselect(config, items, others)


def leave_other_turns(config, items):
    """Leave out those cases marked `slow` that are not in the requested `--turn`.

    A turn runs one case of each test whose turn it is. A round of turns has every test, and the next round has other
    cases of them. Tests whose cases take longer than LONGEST_IN_TURN have no turn, nor have those of ALONE.
    """
    if (turn := config.getoption("turn")) is None:
        return
    cases = defaultdict(list)
    for item in sorted(items, key=lambda item: item.nodeid):
        if item.get_closest_marker("slow"):
            cases[test_of(item.nodeid)].append(item)
    turn_of, before = {}, 0
    for test in sorted(cases, key=lambda test: zlib.crc32(test.encode())):
        if not test.startswith(ALONE) and (seconds := slow_seconds(test, cases[test])) <= LONGEST_IN_TURN:
            turn_of[test], before = int(before / TURN), before + seconds
    completed, place = divmod(turn, max(turn_of.values(), default=0) + 1)
    chosen = {cases[test][completed % len(cases[test])] for test, its in turn_of.items() if its == place}
    _deselect(config, items, [item for each in cases.values() for item in each if item not in chosen])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Skip a slow case that takes longer than a turn can wait. A signal would confuse what drives a browser."""
    in_turn = item.config.getoption("turn") is not None and item.get_closest_marker("slow")
    if not in_turn or item.get_closest_marker("browser"):
        return (yield)
    signal.signal(signal.SIGALRM, lambda *_: pytest.skip(f"It takes more than the {LIMIT} seconds that a turn has."))
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def slow_seconds(test, cases):
    """Return how long a slow case of a test takes: as measured, or as one that was left out of a covering."""
    if test in SLOW_SECONDS:
        return SLOW_SECONDS[test]
    is_left_out = all(mark is LEFT_OUT for case in cases for mark in case.iter_markers("slow"))
    return SECONDS.get(test, ALLOWED) if is_left_out else UNKNOWN


def _deselect(config, items, others):
    left_out = set(others)
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector):
    """Mark the cases of a test `thorough(default=[...])`: those of these names run by default.

    It sees all cases of a test, also if the command line asks for one of them.
    """
    made = yield
    leave_out(made)
    spare(made)
    by_default = None
    for item in made if isinstance(made, list) else []:
        mark = item.get_closest_marker("thorough") if isinstance(item, pytest.Function) else None
        if mark is None or not (mark.args or mark.kwargs):
            continue
        if mark.args or set(mark.kwargs) != {"default"}:
            raise collector.CollectError(f"{item.originalname}: thorough takes default=[names of cases] or nothing.")
        if by_default is None:  # once for all cases of a test: some have hundreds
            try:
                by_default = named_cases([case.callspec.id for case in made], mark.kwargs["default"])
            except ValueError as error:
                raise collector.CollectError(f"{item.originalname}: {error}") from None
        if item.callspec.id in by_default:
            item.own_markers = [
                other for other in item.own_markers if other.name != "thorough" and other is not LEFT_OUT
            ]
    return made


LEFT_OUT = pytest.mark.slow.mark


def leave_out(made):
    """Mark as slow the cases that a covering of a test's parameters leaves out, except those that run by default.

    `covered` has every two levels of different parameters together in some case, `covered(times=2)` each level in two.
    The latter is enough if a fault depends on one level only, and the other parameters provide variety.
    """
    first = next(iter(made), None) if isinstance(made, list) else None
    if not isinstance(first, pytest.Function):
        return
    if (mark := first.get_closest_marker("few")) is not None:
        again = [item for item in made if item.get_closest_marker("thorough")]
        kept = some(len(again), first.originalname, *mark.args)
        for at, item in enumerate(again):
            if at not in kept:
                item.own_markers.append(LEFT_OUT)
    if (mark := first.get_closest_marker("covered")) is None:
        return
    levels = [list(dict.fromkeys(map(id, values))) for values in zip(*map(parameters, made), strict=True)]
    cases = [tuple(map(list.index, levels, map(id, parameters(item)))) for item in made]
    kept = set(pairwise.each(cases, **mark.kwargs) if mark.kwargs else pairwise.pairs(cases))
    for item, case in zip(made, cases, strict=True):
        if case not in kept:
            item.own_markers.append(LEFT_OUT)


def spare(made):
    """Mark as thorough the cases of a test that take longer than it is allowed by default."""
    first = next(iter(made), None) if isinstance(made, list) else None
    if not isinstance(first, pytest.Function) or not (seconds := SECONDS.get(test_of(first.nodeid))):
        return
    if first.nodeid.startswith(WHOLE):
        return
    by_default = [item for item in made if not LATER & {mark.name for mark in item.iter_markers()}]
    fitting = max(1, int(ALLOWED / seconds))
    if seconds > LONGEST and not first.nodeid.startswith(ONLY_HERE):
        fitting = 0
    kept = some(len(by_default), first.originalname, fitting)
    for at, item in enumerate(by_default):
        if at not in kept:
            item.own_markers.append(pytest.mark.thorough.mark)


LATER = {"thorough", "slow", "benchmark"}


def test_of(case):
    """Return the test whose case a node id names."""
    return case.partition("[")[0]


def seconds_of(reports):
    """Return {test: average seconds of a case} from JUnit reports, if its cases together exceed the allowance."""
    times = defaultdict(list)
    for report in reports:
        for case in ElementTree.parse(report).iter("testcase"):
            file, classes = re.fullmatch(r"(.*?\btest_\w+)((?:\.\w+)*)", case.get("classname")).groups()
            name = f"{file.replace('.', '/')}.py{classes.replace('.', '::')}::{test_of(case.get('name'))}"
            times[name].append(float(case.get("time")))
    return {test: float(f"{sum(each) / len(each):.2g}") for test, each in times.items() if sum(each) > ALLOWED}


def some(total, name, count):
    """Return which of `total` cases the test of this name runs: `count`, evenly spaced; other tests take others."""
    first, count = zlib.crc32(name.encode()), min(count, total)
    return {(first + i * total // count) % total for i in range(count)}


def parameters(item):
    """Return the values of a case's parameters, in the order of their names; those of one level are one object."""
    return [value for _, value in sorted(item.callspec.params.items())]


def named_cases(cases, names):
    """Return the cases that match the names, a * in a name for anything.

    Raises
    ------
    ValueError
        If a name matches no case.
    """
    chosen = set()
    for name in names:
        pattern = re.compile(".*".join(map(re.escape, name.split("*"))), re.DOTALL)
        matching = {case for case in cases if pattern.fullmatch(case)}
        if not matching:
            near = difflib.get_close_matches(name, cases, 3) or cases[:3]
            raise ValueError(
                f"thorough names {name!r}, which is none of its cases, such as {', '.join(map(repr, near))}."
            )
        chosen |= matching
    return chosen


if __name__ == "__main__":
    slow = sys.argv[1:2] == ["--slow"]
    file, known, reports = (SLOW_TIMINGS, SLOW_SECONDS, sys.argv[2:]) if slow else (TIMINGS, SECONDS, sys.argv[1:])
    kept = dict(sorted({**known, **seconds_of(reports)}.items()))
    file.write_text(json.dumps(kept, indent=0) + "\n", encoding="utf-8")
