"""The DNA lab in links, stories, tables and copied Python."""

import json
import re

import numpy as np
import param
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.datasets import read_string_classes, read_strings, two_classes
from explorer.labs.dna import DnaLab
from explorer.labs.dna.script import numbers, python
from explorer.labs.dna.stories import PRESETS, STORIES
from explorer.labs.dna.words import told, twin
from explorer.parameters import Odd, Real, Whole
from explorer.workbench.stories import find

SMALL = {"n": 12, "blocks": 5, "shuffles": 19, "flips": 19}
STEPS = [(story.key, i, step) for story in STORIES for i, step in enumerate(story.steps)]
RESULTS = {(key, i): DnaLab(**step.fields).result() for key, i, step in STEPS}


def rejects(key, i):
    r = RESULTS[key, i]
    return r.rejects(r.plain), r.rejects(r.monk)


# stories

# what the answers claim, beyond the numbers that are put into them
CLAIMS = {
    ("spoiled", 0): lambda r: rejects("spoiled", 0) == (True, True),
    ("spoiled", 1): lambda r: rejects("spoiled", 1)[0] is False and float(told(r)["shout"]) > 100,
    ("spoiled", 2): lambda r: rejects("spoiled", 2)[1] is True and r.lab.spoiled < r.lab.blocks / 2,
    ("spoiled", 3): lambda r: rejects("spoiled", 3)[1] is False and r.lab.spoiled > r.lab.blocks / 2,
    ("spoiled", 4): lambda r: rejects("spoiled", 4)[0] is True and (r.K <= 1).all(),
    ("spoiled", 5): lambda r: rejects("spoiled", 5) == (True, False) and r.lab.compare == "first with itself",
    ("sees", 0): lambda r: rejects("sees", 0)[0] is True and ct(r) and r.means[2] < min(r.means[:2]),
    ("sees", 1): lambda r: (
        r.reach(r.plain) > RESULTS["sees", 0].reach(RESULTS["sees", 0].plain) and r.means[2] < min(r.means[:2])
    ),
    ("sees", 2): lambda r: r.reach(r.plain) > 5,
    ("sees", 3): lambda r: r.means[2] < np.mean(r.means[:2]) < 0.1 and rejects("sees", 3)[0] is True,
    ("sees", 4): lambda r: rejects("sees", 4) == (False, False),
}


def ct(result):
    """Whether the end of an intron, the first half of IE's reads, has more C and T than the begin of one, the last of
    EI's.
    """
    rows = ["ACGT".index(letter) for letter in "CT"]
    return result.profile.second[rows, :26].sum() / 26 > result.profile.first[rows, 34:].sum() / 26 + 0.1


def test_every_step_has_its_claim():
    assert CLAIMS.keys() == RESULTS.keys()


@pytest.mark.parametrize("place", RESULTS, ids=str)
def test_the_answer_is_true(place):
    assert CLAIMS[place](RESULTS[place])


@pytest.mark.parametrize(("key", "i", "step"), STEPS, ids=lambda v: str(v) if isinstance(v, (str, int)) else "")
def test_the_answer_can_be_told_and_steps_are_links(key, i, step):
    answer = step.says.format(**told(RESULTS[key, i]))
    assert "{" not in answer
    assert step.asks.endswith("?")
    assert find(STORIES, key, str(i + 1)) == (next(s for s in STORIES if s.key == key), i)


def test_titles_and_names_are_apart():
    names = [story.title for story in STORIES] + [preset.name for preset in PRESETS]
    assert len(set(names)) == len(names)


# links


def any_value(name, field):
    """Values that a field's own declaration allows, few of them: a lab checks what fits together."""
    if isinstance(field, Odd):
        return st.integers(0, 10).map(lambda k: 2 * k + 1)
    if isinstance(field, Whole):
        low, high = field.bounds
        return st.integers(max(low, 30 if name == "n" else low), min(high or 60, 30 if name == "spoiled" else 60))
    if isinstance(field, Real):
        return st.floats(*field.bounds, exclude_min=True, allow_nan=False)
    if isinstance(field, param.Selector):
        return st.sampled_from(field.objects)
    if name == "pair":
        return st.builds(lambda i, j: f"X{i} Y{j}", st.integers(1, 30), st.integers(1, 30))
    if name == "groups":
        return st.lists(st.text(), min_size=2, max_size=2, unique=True).map(json.dumps) | st.just("")
    return st.booleans() if isinstance(field, param.Boolean) else st.text()


@pytest.mark.thorough
@settings(deadline=None, max_examples=30)
@given(st.fixed_dictionaries({name: any_value(name, field) for name, field in DnaLab.fields.items()}))
def test_a_lab_comes_back_from_its_words(values):
    values["n"] = max(values["n"], values["longer"])
    lab = DnaLab(**values)
    assert DnaLab.from_flat(lab.flat()) == (lab, [])


def test_a_refused_word_leaves_the_others():
    lab, refused = DnaLab.from_flat({"n": "30", "length": "9", "pair": "X99 Y1", "decay": "0.25", "blocks": "4"})
    assert (lab.n, lab.length, lab.pair, lab.decay, lab.blocks) == (30, 3, "X1 Y1", 0.25, 11)
    assert len(refused) == 3


# copied Python

STATES = [
    {},
    {"spoiled": 3, "normalized": False},
    {"spoiled": 2, "kind": "random letters", "longer": 3},
    {"length": 5, "decay": 0.35},
    {"compare": "second with itself", "classes": "IE/N", "method": "bcd"},
    {"seed": 2**32 - 1, "kind": "repeated read", "spoiled": 1},
]


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


@pytest.mark.parametrize("fields", STATES, ids=str)
def test_the_copied_lines_give_the_numbers_on_screen(fields, capsys):
    agree(DnaLab(**{**SMALL, **fields}).result())
    assert "with p = " in capsys.readouterr().out


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
        spoiled=1,
    )
    lab.own = own
    agree(lab.result())
    (tmp_path / names[0]).write_bytes(raws[0] + (b">q\nAAAA\n" if len(names) > 1 else b"A,AAAA\n"))
    with pytest.raises(ValueError, match=r"other files than|another file than"):
        ran(lab.result())


def test_it_is_plain_python_from_the_front_door():
    import explorer
    import explorer.datasets

    for line in python(DnaLab(**SMALL, spoiled=1).result()).splitlines():
        if found := re.match(r"from explorer(\.datasets)? import (.*)", line):
            room = explorer.datasets if found[1] else explorer
            assert set(found[2].split(", ")) <= set(dir(room))


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
    gram, nulls, profile, pair = twin(DnaLab(spoiled=2).result())
    assert "100 of 100 rows" in gram
    assert "The last 2 rows are contaminated" in gram
    assert "null values" in nulls
    assert "the kernel knows no places" in profile
    assert "read 1 of EI and read 1 of IE" in pair


@pytest.mark.parametrize("words", ["[", "7", '["EI"]', '["EI", "EI"]', '["EI", 3]', '{"a": 1}'])
def test_classes_that_are_no_two_names_are_a_sentence(words):
    lab, refused = DnaLab.from_flat({"groups": words})
    assert lab == DnaLab()
    (said,) = refused
    assert "two classes by name" in said
