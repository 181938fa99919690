"""Points moved by hand: in the sample, in the texts, and dropped with another sample."""

import json
import re

import numpy as np
import pytest
from helpers.naming import naming

from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.words import headline
from explorer.workbench.user_points import apply, moved_points, moved_to

MOVED = '{"3":[8,-2.5]}'


def test_only_the_moved_rows_move():
    before, after = ShrinkageLab(d=3).result(), ShrinkageLab(d=3, moved=MOVED).result()
    assert after.X[3].tolist() == [8, -2.5, before.X[3, 2]]
    assert np.array_equal(np.delete(after.X, 3, 0), np.delete(before.X, 3, 0))
    assert after.law == before.law
    assert after.expected_gain is None  # no independent sample any more
    assert after.touched.nonzero()[0].tolist() == [3]
    assert ShrinkageLab(d=1, moved=MOVED).result().X[3].tolist() == [8]


def test_moved_points_are_told_beside_outliers():
    assert re.search(naming("1 of the 20 points"), headline(ShrinkageLab(moved=MOVED).result(), 0))
    both = headline(ShrinkageLab(n=30, outliers=2, moved='{"3":[1,2],"4":[0,0]}').result(), 0)
    assert re.search(naming("2 of the 30 points", "outliers", "and 2"), both)


def test_a_larger_sample_keeps_them_and_another_one_does_not():
    lab = ShrinkageLab(moved=MOVED)
    lab.move(n=50, bandwidth=1.0, outliers=2)
    assert lab.moved == MOVED
    lab.move(seed=1)
    assert lab.moved == MOVED
    lab.move(seed=2)
    assert lab.moved == ""
    lab.move(seed=3, moved=MOVED)  # a link, or a step back, has both
    assert lab.moved == MOVED
    lab.move(**ShrinkageLab(source="gaussian").values())  # and so does a preset, of all fields
    assert lab == ShrinkageLab(source="gaussian")


def test_rows_that_are_not_there_wait():
    lab = ShrinkageLab(n=30, moved='{"25":[1,2]}')
    lab.move(n=20)
    assert not lab.result().touched.any()
    lab.move(n=30)
    assert lab.result().X[25].tolist() == [1, 2]


def test_the_words_hold_six_digits_in_order():
    text = moved_to(moved_to("", 12, 1 / 3, -2e-9), 3, 1e7, 5)
    assert text == '{"3":[10000000.0,5.0],"12":[0.333333,-2e-09]}'
    assert moved_points(moved_to(text, 3, 0, 0)) == {3: (0, 0), 12: (0.333333, -2e-9)}
    X = np.zeros((5, 2))
    assert apply(X, "") is X
    assert apply(X, text)[3].tolist() == [1e7, 5]
    assert not X.any()


WRONG = ("[1]", "3", "{", '{"a":[1,2]}', '{"1":[1]}', '{"1":[1,2,3]}', '{"1":[NaN,2]}', '{"-1":[1,2]}', '{"1":"ab"}')
WRONG += ('{"1":[null,1]}', "[[1,2]]", json.dumps({"1": {"a": 1}}))


@pytest.mark.parametrize("text", WRONG)
def test_other_words_are_a_sentence_and_the_lab_stays(text):
    with pytest.raises(ValueError, match=naming("moved", '{"3": [0.5, -1]}')):
        ShrinkageLab(moved=text)
    lab, refused = ShrinkageLab.from_flat({"moved": text, "n": "30"})
    assert lab == ShrinkageLab(n=30)
    assert len(refused) == 1
