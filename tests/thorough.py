"""Marks that say which cases of a test run when.

`thorough` goes once more through every case, of which the named ones run by default. `covered` keeps the cases that
cover a product of parameters, `few` some cases of many rooms that one claim holds in; both leave the others to the slow
run.
"""

import difflib
import re
import zlib

import covering
import pytest


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector):
    """Of a test marked `thorough(default=[...])`, the cases of these names run by default.

    It sees all cases of a test, also where the command line asks for one of them.
    """
    made = yield
    leave_out(made)
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
    """Mark as slow what a covering of the product of a test's parameters leaves out, but for what runs by default.

    `covered` has every two levels of different parameters together in some case, `covered(times=2)` each level in two:
    enough where a fault would be that of one level, and the other parameters are there to meet it in.
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
    kept = set(covering.each(cases, **mark.kwargs) if mark.kwargs else covering.pairs(cases))
    for item, case in zip(made, cases, strict=True):
        if case not in kept:
            item.own_markers.append(LEFT_OUT)


def some(total, name, count):
    """Which of `total` cases, `count` of them evenly apart, the test of this name runs: others meet other ones."""
    first, count = zlib.crc32(name.encode()), min(count, total)
    return {(first + i * total // count) % total for i in range(count)}


def parameters(item):
    """The values of a case's parameters, in the order of their names; those of one level are one object."""
    return [value for _, value in sorted(item.callspec.params.items())]


def named_cases(cases, names):
    """The cases that the names stand for, a * in a name for anything; ValueError where one stands for none."""
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
