"""Strings as data: the splice junctions, and the user's FASTA and plain text files."""

import io
import os
import pickle
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Embedding, Subsequence
from explorer.datasets import REGISTRY, StringSet, load, read_strings
from explorer.datasets.files import contents
from explorer.kernels.subsequence import letters

FOLDER = os.environ.get("EXPLORER_DATA")
needs_folder = pytest.mark.skipif(not FOLDER, reason="EXPLORER_DATA names no folder of data sets")

# splice ----------------------------------------------------------------------------------------------------------


@needs_folder
def test_splice_has_the_strings_and_classes_of_its_file():
    data = load("splice")
    header, *lines = (Path(FOLDER) / "splice.csv").read_text(encoding="ascii").split()
    assert header == "class,sequence"
    assert [f"{c},{s}" for c, s in zip(data.target, data.X, strict=True)] == lines
    assert repr(data) == "<StringSet splice: 3190 strings of 60 letters>"
    assert (data.n, data.names[0], data.names[-1]) == (3190, "1", "3190")
    assert data.hash == REGISTRY["splice"].sha256
    assert data.licence
    assert data.source
    assert Counter(data.target.tolist()) == {"EI": 767, "IE": 768, "N": 1655}


@needs_folder
def test_the_note_on_splice_is_true():
    """Ambiguous letters are kept, and so are strings that repeat others."""
    data = load("splice")
    assert data.alphabet == "ACDGNRST"
    letters = Counter("".join(data.X))
    rare = {letter: letters[letter] for letter in "NDRS"}
    assert rare == {"N": 56, "D": 2, "R": 1, "S": 1}
    assert sum(not set(s) <= set("ACGT") for s in data.X) == 15
    repeats = {c: (data.target == c).sum() - len(set(data.X[data.target == c])) for c in ("EI", "IE", "N")}
    for count in (*rare.values(), 15, *repeats.values()):
        assert str(count) in data.note
    assert repeats == {"EI": 88, "IE": 95, "N": 1}


@needs_folder
def test_the_kernel_tells_the_junctions_apart():
    """The classes lie further from each other than halves of a class do, by many times: at 60 letters, 3 in a row."""
    data, k = load("splice"), Subsequence()
    ei, ie = (data.X[data.target == c][:300] for c in ("EI", "IE"))

    def mean(X):
        return Embedding(k, X, np.full(len(X), 1 / len(X)))

    apart = mean(ei).distance(mean(ie))
    assert apart > 3 * mean(ei[::2]).distance(mean(ei[1::2]))
    assert apart > 3 * mean(ie[::2]).distance(mean(ie[1::2]))


def test_splice_needs_its_file(tmp_path, monkeypatch):
    monkeypatch.delenv("EXPLORER_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match=naming("EXPLORER_DATA", "splice.csv")):
        load("splice")
    monkeypatch.setenv("EXPLORER_DATA", str(tmp_path))
    (tmp_path / "splice.csv").write_text("class,sequence\nEI,ACGT\n")
    with pytest.raises(ValueError, match=naming("splice.csv", "SHA-256 90521325ce14", "f8e1064f3a0a")):
        load("splice")


# StringSet -------------------------------------------------------------------------------------------------------


def test_a_set_of_strings_is_read_only_and_travels():
    data = StringSet("few", np.array(["ACGT", "AC", "G"]), ("a", "b", "c"), target=["x", "y", "x"])
    assert repr(data) == "<StringSet few: 3 strings of 1 to 4 letters>"
    assert repr(StringSet("one", ["A"], ("a",))) == "<StringSet one: 1 string of 1 letter>"
    for array in (data.X, data.target):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = "T"
    again = pickle.loads(pickle.dumps(data))
    assert again.X.tolist() == ["ACGT", "AC", "G"]
    assert again.alphabet == "ACGT"


def test_a_larger_sample_only_appends():
    data = StringSet("many", [f"s{i}" for i in range(50)], tuple(map(str, range(50))))
    X = data.sample(40, rng=3)
    assert len(set(X)) == 40
    np.testing.assert_array_equal(data.sample(10, rng=3), X[:10])
    with pytest.raises(ValueError, match=naming("n = 51", "50", "many")):
        data.sample(51)


@pytest.mark.parametrize(
    ("X", "wrong"), [([1.0, 2.0], ("X[0]", "1.0")), (["A", None], ("X[1]", "None")), ([], ("X", "no rows"))]
)
def test_a_set_of_strings_holds_strings(X, wrong):
    with pytest.raises((TypeError, ValueError), match=naming(*wrong)):
        StringSet("bad", X, ())


# read_strings ----------------------------------------------------------------------------------------------------

FASTA = b""";a comment
>one | Homo sapiens
ACGTNN
acgt

>
ACG T\tA
; another
>one | Homo sapiens
ACG-*
"""


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_fasta(end, mark):
    data = read_strings(mark + FASTA.replace(b"\n", end), name="genes")
    assert data.X.tolist() == ["ACGTNNacgt", "ACGTA", "ACG-*"]
    assert data.names == ("one | Homo sapiens", "2", "one | Homo sapiens")
    assert (data.name, data.target, data.licence) == ("genes", None, "")
    assert len(data.hash) == 64


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_plain_text_has_a_string_in_each_line(end):
    text = end.join(["ACGT", "", "  ACGT", "Größe", "x  ", "漢字", ""])
    data = read_strings(text.encode())
    assert data.X.tolist() == ["ACGT", "ACGT", "Größe", "x", "漢字"]
    assert data.names == ("1", "2", "3", "4", "5")
    assert data.name == "the set of strings"


def test_paths_and_open_files(tmp_path):
    path = tmp_path / "reads.fa"
    path.write_bytes(b">a\nACGT\n")
    with open(path, "rb") as file:
        opened = read_strings(file)
    for data in (
        read_strings(path),
        read_strings(str(path)),
        opened,
        read_strings(io.BytesIO(b">a\nACGT\n"), "reads.fa"),
    ):
        assert (data.name, data.names, data.X.tolist()) == ("reads.fa", ("a",), ["ACGT"])
        assert data.hash == opened.hash


def test_what_was_read_is_what_the_kernel_takes():
    data = read_strings(b"car\ncat\n")
    np.testing.assert_allclose(
        Subsequence(2, 0.5, False)(data.X), [[2 / 16 + 1 / 64, 1 / 16], [1 / 16, 2 / 16 + 1 / 64]]
    )


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", naming("x", "empty")),
        (b"\xef\xbb\xbf \r\n\n\t", naming("x", "empty")),
        (b";only\n;comments\n", naming("x", ">name")),
        (b";c\nACGT\n>a\nACGT\n", naming("x", "line 2", ">name")),
        (b">a\n>b\nACGT\n", naming("x", "'a'", "line 1")),
        (b">a\nACGT\n>b\n;c\n\n", naming("x", "'b'", "line 3")),
        (b"ACGT\n>b\nACGT\n", naming("x", "line 2", "FASTA", "line 1")),
        (b"ACGT\nAC GT\n", naming("x", "line 2", "white space")),
        (b"EI\tACGT\n", naming("x", "line 1", "white space")),
        (
            b"class,sequence\nEI,ACGT\n",
            naming("x", "line 1", "','", "FASTA"),
        ),
        (b"\nEI;ACGT\n", naming("x", "line 2", "';'")),
        (b"ACGT\xff\n", naming("x", "UTF-8", "0xff", "line 1")),
        (b"\x1f\x8b\x08\x00ACGT", naming("x", "UTF-8", "0x8b", "line 1")),
        (b"PK\x03\x04\x00\x00", naming("x", "zero bytes")),
        ("ACGT\n".encode("utf-16-le"), naming("x", "zero bytes")),
        ("ACGT\nAC\u200bGT\n".encode(), naming("x", "line 2", "U+200B")),
        (b">a\nACGT\x1a\n", naming("x", "line 2", "U+001A")),
    ],
)
def test_no_strings(raw, said):
    with pytest.raises(ValueError, match=said):
        read_strings(raw, name="x")


def test_a_damaged_file_is_read_or_refused_by_a_sentence():
    rng = np.random.default_rng(0)
    read, refused = [], []
    for _ in range(300):
        raw = bytearray(FASTA[: rng.integers(len(FASTA))])
        for place in rng.integers(0, max(1, len(raw)), rng.integers(0, 3)):
            raw[place : place + 1] = bytes([rng.integers(256)])
        try:
            read.append(read_strings(bytes(raw)))
        except ValueError as error:
            refused.append(str(error))
    assert min(len(read), len(refused)) > 30
    assert all(sentence.startswith("the set of strings") for sentence in refused)  # ours, and no library's


def test_sources_that_are_no_file(tmp_path):
    for path in (tmp_path, tmp_path / "none.fa"):
        with pytest.raises(FileNotFoundError, match=naming("no file", "FASTA")):
            read_strings(path)
    with pytest.raises(TypeError, match=naming("str", "bytes", "binary")):
        read_strings(io.StringIO("ACGT"))
    with pytest.raises(TypeError, match=naming("path", "bytes", "list")):
        read_strings(["ACGT"])


def test_a_file_over_the_limit_is_not_read(monkeypatch):
    monkeypatch.setattr(contents, "MEGABYTES", 1)
    raw = b"A" * 99 + b"\n"
    assert read_strings(10_000 * raw).n == 10_000
    with pytest.raises(ValueError, match=naming("1 MB", "strings")):
        read_strings(10_001 * raw)


def test_one_long_sequence_among_many_short_ones_is_a_sentence(monkeypatch):
    """All are kept at the length of the longest: 5 KB of text could take 10 MB."""
    monkeypatch.setattr(letters, "GIGABYTES", 1e-3)
    with pytest.raises(ValueError, match=naming("x", "0.01 GB", "1001 strings", "2500 letters")):
        read_strings(b"A\n" * 1000 + b"A" * 2500, "x")


# soft-masked reads ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", [b">a\nacgtN\n>b\nACgt\n", b"acgtN\nACgt\n", b">a\nACGTN\n>b\nACGT\n"])
def test_small_nucleotides_are_the_same_letters(raw):
    assert read_strings(raw).X.tolist() == ["ACGTN", "ACGT"]


@pytest.mark.parametrize(("raw", "kept"), [(b"Hello\nhello\n", ["Hello", "hello"]), (b">a\nMKl\n", ["MKl"])])
def test_other_letters_are_kept_as_they_are_written(raw, kept):
    assert read_strings(raw).X.tolist() == kept
