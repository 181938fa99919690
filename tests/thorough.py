"""The mark `thorough`: a test that goes once more through every case, of which the named ones run by default."""

import difflib
import re

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector):
    """Of a test marked `thorough(default=[...])`, the cases of these names run by default.

    It sees all cases of a test, also where the command line asks for one of them.
    """
    made = yield
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
            item.own_markers = [other for other in item.own_markers if other.name != "thorough"]
    return made


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
