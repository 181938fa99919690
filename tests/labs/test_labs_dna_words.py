"""The DNA lab in links, tables, words and lines copied with files of one's own."""

import numpy as np
import pytest
from picturing import in_words

from explorer.datasets import read_string_classes, read_strings, two_classes
from explorer.labs.dna import DnaLab
from explorer.labs.dna.script import numbers, python

SMALL = {"n": 12, "blocks": 5, "shuffles": 19, "flips": 19}

# links


def test_a_refused_word_leaves_the_others():
    lab, refused = DnaLab.from_flat({"n": "30", "length": "9", "pair": "X99 Y1", "decay": "0.25", "blocks": "4"})
    assert (lab.n, lab.length, lab.pair, lab.decay, lab.blocks) == (30, 3, "X1 Y1", 0.25, 11)
    assert len(refused) == 3


# copied Python


def ran(result):
    """What the copied lines leave behind, run alone."""
    space = {}
    exec(compile(python(result), "<copied>", "exec"), space)
    return space


def agree(result):
    space = ran(result)
    for name in ("plain", "monk"):
        shown, copied = getattr(result, name), space[name]
        assert copied.statistic == pytest.approx(shown.statistic, rel=1e-12, abs=1e-13)
        assert copied.pvalue == shown.pvalue


CLASSED = b"".join(
    f"{c},{s}\n".encode()
    for c, s in zip("ABBABABABA", ["ACGTA", "GGCA", "TTACG", "ACCA"] * 2 + ["AC", "GT"], strict=True)
)


@pytest.mark.parametrize("names", [("mine.csv",), ("it's mine.csv",), ("a.fa", "b.txt")], ids=str)
def test_files_of_ones_own_come_back(names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    raws = [CLASSED] if len(names) == 1 else [b">x\nACGTA\n>y\nGGCA\n>z\nACG\n", b"TTACG\nACCA\nGTA\n"]
    for name, raw in zip(names, raws, strict=True):
        (tmp_path / name).write_bytes(raw)
    own = read_string_classes(names[0]) if len(names) == 1 else two_classes(*map(read_strings, names))
    labels = list(dict.fromkeys(own.target.tolist()))
    lab = DnaLab(
        **{**SMALL, "n": 3, "blocks": 3},
        source="file",
        file=names[0],
        second_file=names[1] if len(names) > 1 else "",
        hash=own.hash,
        groups=str(labels).replace("'", '"'),
        length=2,
        contaminated=1,
    )
    lab.own = own
    agree(lab.result())
    (tmp_path / names[0]).write_bytes(raws[0] + (b">q\nAAAA\n" if len(names) > 1 else b"A,AAAA\n"))
    with pytest.raises(ValueError, match=r"other files than|another file than"):
        ran(lab.result())


# tables and the pictures in words


def test_the_tables_are_the_numbers():
    result = DnaLab(**SMALL).result()
    tables = numbers(result)
    for columns in tables.values():
        assert len({len(column) for column in columns.values()}) == 1
    gram = tables["gram"]
    assert np.array_equal(result.K[gram["row"] - 1, gram["column"] - 1], gram["k"])
    assert np.array_equal(tables["shuffles"]["mmd2"], result.plain.null_distribution)
    assert np.array_equal(tables["flips"]["mmd_by_monk"], result.monk.null_distribution)
    assert list(tables["profile"])[:3] == ["place", "X_A", "X_C"]
    assert result.measures["MMD², unbiased"] == result.plain.statistic
    assert result.measures["p of MONK's test"] == result.monk.pvalue


def test_there_is_a_paragraph_for_each_picture():
    nulls, gram, profile = in_words(DnaLab(contaminated=2).result())
    assert "100 of 100 rows" in gram
    assert "The last 2 rows are contaminated" in gram
    assert "null values" in nulls
    assert "the kernel ignores places" in profile
    assert "read 1 of EI and read 1 of IE" in gram


@pytest.mark.parametrize("words", ["[", "7", '"AB"', "[[], [0]]", '["EI"]', '["EI", "EI"]', '["EI", 3]', '{"a": 1}'])
def test_classes_that_are_no_two_names_are_a_sentence(words):
    lab, refused = DnaLab.from_flat({"groups": words})
    assert lab == DnaLab()
    (said,) = refused
    assert "two classes by name" in said
