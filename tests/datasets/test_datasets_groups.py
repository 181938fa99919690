"""Groups: a column that names them, and the rows of one of them."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import load, read_table

TABLE = b"a,b,who\n1,2,x\n3,4,y\n5,,x\n7,8,\n"


def test_a_column_becomes_the_target():
    table = read_table(TABLE, columns=["a"], target="who", missing="drop")
    assert table.target.tolist() == ["x", "y", "x"]
    assert table.X[:, 0].tolist() == [1, 3, 5]
    assert table.left_out == ("b",)
    assert read_table(b"a,g\n1,0\n2,1\n", target="g").names == ("a",)
    assert read_table(b"a,g\n1,0\n2,1\n", columns=["a", "g"], target="g").d == 2


def test_a_missing_group_is_refused_with_its_place():
    with pytest.raises(ValueError, match=naming("1 cell", "1 of 4 rows", "line 5", "'who'")):
        read_table(TABLE, columns=["a"], target="who")
    with pytest.raises(ValueError, match=naming("'nobody'")):
        read_table(TABLE, target="nobody")


def test_the_rows_of_a_group():
    wine = load("wine")
    second = wine.where(2.0)
    assert np.array_equal(second.X, wine.X[wine.target == 2.0])
    assert len(load("wdbc").where("M").X) == 212
    with pytest.raises(ValueError, match=naming("7", "3")):
        wine.where(7)
    with pytest.raises(ValueError, match="target"):
        read_table(b"a\n1\n2\n").where("x")
