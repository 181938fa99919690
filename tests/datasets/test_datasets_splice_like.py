"""Synthetic junctions, contaminated reads, and strings that come in classes."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer.datasets import (
    CONTAMINATIONS,
    contaminate_strings,
    read_string_classes,
    read_strings,
    splice_like,
    two_classes,
)
from explorer.datasets.toys.splice_like import ACCEPTOR, DONOR

# made-up junctions
# -------------------------------------------------------------------------------------------------------


def test_the_synthetic_set_says_what_it_is():
    data = splice_like()
    assert repr(data) == "<StringSet splice-like: 1200 strings of 60 letters>"
    assert data.alphabet == "ACGT"
    assert "ynthetic" in data.note
    assert {label: int((data.target == label).sum()) for label in ("EI", "IE", "N")} == {"EI": 400, "IE": 400, "N": 400}


def test_introns_begin_with_gt_and_end_with_ag():
    data = splice_like(50)
    assert {s[30:32] for s in data.only("EI").X} == {"GT"}
    assert {s[28:30] for s in data.only("IE").X} == {"AG"}


def test_letters_are_as_frequent_as_they_are_meant_to_be():
    data = splice_like(4000)
    for label, start, shares in (("EI", 27, DONOR), ("IE", 26, ACCEPTOR)):
        letters = np.array([list(s) for s in data.only(label).X])
        for place, percents in enumerate(shares, start):
            found = [(letters[:, place] == letter).mean() for letter in "ACGT"]
            # 5 standard errors of a frequency of a half
            np.testing.assert_allclose(found, np.array(percents) / 100, atol=5 * 0.5 / 4000**0.5)


def test_a_larger_set_only_appends():
    small, large = splice_like(5), splice_like(9)
    for label in ("EI", "IE", "N"):
        assert large.only(label).X[:5].tolist() == small.only(label).X.tolist()
    assert splice_like(5, rng=1).X.tolist() != small.X.tolist()


def test_one_class_is_a_set_of_its_own():
    data = splice_like(4)
    own = data.only("IE")
    assert own.X.tolist() == data.X[4:8].tolist()
    assert own.names == ("IE-1", "IE-2", "IE-3", "IE-4")
    with pytest.raises(ValueError, match=naming("EI, IE, N", "'EE'")):
        data.only("EE")
    with pytest.raises(ValueError, match=naming("mine.txt", "'EI'")):
        read_strings(b"AC\nGT\n", "mine.txt").only("EI")


# contaminated reads
# -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CONTAMINATIONS)
def test_the_last_reads_are_contaminated_and_one_more_moves_one(kind):
    X = splice_like(8).only("EI").X
    three, four = (contaminate_strings(X, count, kind, times=3, rng=1) for count in (3, 4))
    assert three[:5].tolist() == X[:5].tolist()
    assert four[5:].tolist() == three[5:].tolist()
    assert four[4] != X[4]
    assert set(map(len, three[5:])) == {180}
    assert contaminate_strings(X, 0, kind).tolist() == X.tolist()


def test_what_contaminated_reads_look_like():
    X = ["ACGT", "GGCC"]
    assert contaminate_strings(X, 1, "poly-A", times=2)[1] == "AAAAAAAA"
    assert contaminate_strings(X, 1, "repeated read", times=2)[1] == "GGCCGGCC"
    assert set(contaminate_strings(X, 2, "random letters", times=50, rng=0)[0]) == set("ACGT")


@pytest.mark.parametrize(
    ("said", "arguments"),
    [
        (("3 contaminated strings", "at most 2"), {"count": 3}),
        (("kind", *CONTAMINATIONS, "'noise'"), {"count": 1, "kind": "noise"}),
        (("times", 1), {"count": 1, "times": 0}),
        (("count", 0), {"count": -1}),
    ],
    ids=["too many", "kind", "times", "count"],
)
def test_what_cannot_be_contaminated_gets_a_sentence(said, arguments):
    with pytest.raises(ValueError, match=naming(*said)):
        contaminate_strings(["AC", "GT"], **arguments)


# classes
# -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        b"EI,AC\nIE,GT\nEI,GG\n",
        b"class,sequence\nEI,AC\nIE,GT\nEI,GG\n",
        b"EI\tAC\r\nIE\tGT\r\nEI\tGG\r\n",
        b"EI, name-1,    AC\nIE, name-2,    GT\nEI, name-3, GG\n",
        b"EI AC\nIE GT\nEI GG",
        b">a EI\nAC\n>b IE\nGT\n>c d EI\nG\nG\n",
    ],
    ids=range(6),
)
def test_classes_in_one_file(raw):
    data = read_string_classes(raw, "mine.txt")
    assert data.X.tolist() == ["AC", "GT", "GG"]
    assert data.target.tolist() == ["EI", "IE", "EI"]
    assert len(data.hash) == 64


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"AC\nGT\n", naming("'AC'", "class")),
        (b"EI,AC\nEI,GT\n", naming("'EI'", "class")),
        (b"", "is empty|no line"),
        (b">a\nAC\n>b\nGT\n", naming("'a'", "class")),
        (b"class,sequence\n", "no line"),
        (b"".join(b"c%d,AC\n" % i for i in range(60)), "60 classes"),
        (b"EI,A\0C\nIE,GT\n", "zero bytes|cannot be seen"),
    ],
    ids=range(7),
)
def test_no_classes_get_a_sentence(raw, said):
    with pytest.raises(ValueError, match=said):
        read_string_classes(raw, "mine.txt")


def test_two_files_are_two_classes():
    a, b = read_strings(b"AC\nGG\n", "a.txt"), read_strings(b">x\nTT\n", "b.fa")
    both = two_classes(a, b)
    assert both.X.tolist() == ["AC", "GG", "TT"]
    assert both.target.tolist() == ["a.txt", "a.txt", "b.fa"]
    assert both.hash not in ("", a.hash, b.hash)
    with pytest.raises(ValueError, match=naming("a.txt", "c.txt")):
        two_classes(a, read_strings(b"AC\nGG\n", "c.txt"))
    with pytest.raises(ValueError, match=naming("a.txt", "name")):
        two_classes(a, read_strings(b"TT\n", "a.txt"))
