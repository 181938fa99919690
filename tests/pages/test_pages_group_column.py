"""The column of groups: how many groups a file may have, without a page around the slot."""

from types import SimpleNamespace

import pytest
from helpers.naming import naming

from explorer.checks import Refusal
from explorer.datasets import read_tables
from explorer.pages.user_data.group_column import GroupColumn


class OneFile(GroupColumn):
    """The slot of a panel with one file, whose column "who" names groups of three rows."""

    def __init__(self, groups):
        super().__init__()
        rows = "".join(f"{row},group {row % groups}\n" for row in range(3 * groups))
        self.menu = SimpleNamespace(value="who")
        self.panel = SimpleNamespace(
            files=[f"size,who\n{rows}".encode()], preview=SimpleNamespace(name="t.csv"), second_file=None
        )

    def _read(self, files, names, target):
        return read_tables(files, scale="none", target=target, names=names)


@pytest.mark.parametrize("groups", [2, 100])
def test_a_column_names_from_two_groups_to_a_hundred(groups):
    (table,) = OneFile(groups).read()
    assert table.n == 3 * groups


@pytest.mark.parametrize("groups", [1, 101])
def test_one_group_is_too_few_and_more_than_a_hundred_are_too_many(groups):
    with pytest.raises(Refusal, match=naming("t.csv", groups, "'who'", "needs two", "at most 100")):
        OneFile(groups).read()
