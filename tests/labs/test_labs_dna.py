"""The DNA lab: its numbers computed in two ways, cached and refused states, the user's reads, and its texts."""

import os
import re
from functools import cache
from html import unescape
from itertools import product

import numpy as np
import pytest
from helpers.lab_pictures import descriptions
from helpers.naming import names_all, naming, one_sentence_names

from explorer import Subsequence, load, mmd2
from explorer.checks import Refusal
from explorer.datasets import read_string_classes, read_strings, two_classes
from explorer.kernels.subsequence import kernel as subsequence
from explorer.labs.dna import DnaLab
from explorer.labs.dna.lab import pair_at, pair_of, rows_of
from explorer.labs.dna.script import numbers, python
from explorer.labs.dna.words import caption, equation, headline, letters
from explorer.workbench.content import content_of
from explorer.workbench.slider_stops import steps_of

PRESETS = content_of("dna").presets

FOLDER = os.environ.get("EXPLORER_DATA")
SMALL = {"n": 12, "blocks": 5, "shuffles": 19, "flips": 19}


@cache
def _of(fields):
    return DnaLab(**dict(fields)).result()


def of(**fields):
    """Return the result of a small state, which many tests share."""
    return _of(tuple({**SMALL, **fields}.items()))


def lab_of_strings(strings, labels, **fields):
    """Return a lab of the user's strings, made as by the page."""
    named = {"source": "file", "hash": strings.hash, "groups": str(list(labels)).replace("'", '"')}
    lab = DnaLab(**{**SMALL, "n": 3, "blocks": 1, **named, **fields})
    lab.own = strings
    return lab


def words(markup):
    return re.sub("<.*?>", "", markup)


# numbers


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"length": 5, "decay": 0.9},
        {"normalized": False},
        {"contaminated": 2, "normalized": False, "decay": 1.0},
        {"compare": "first with itself"},
    ],
    ids=str,
)
def test_the_three_means_make_the_statistic(fields):
    result = of(**fields)
    lab, n, k, K = result.lab, result.n, result.kernel, result.K
    assert k == result.plain.kernel == result.monk.kernel == Subsequence(lab.length, lab.decay, lab.normalized)
    pairs = [(s, t) for s, t in product(range(n), repeat=2) if s != t]
    within = [np.mean([float(k([Z[s]], [Z[t]])[0, 0]) for s, t in pairs[:6]]) for Z in (result.X, result.Y)]
    for block, mean in zip((K[:n, :n], K[n:, n:]), within, strict=True):
        assert np.mean([block[s, t] for s, t in pairs[:6]]) == pytest.approx(mean, rel=1e-10)
    xx, yy, xy = result.means
    assert xx == pytest.approx(np.mean([K[s, t] for s, t in pairs]), rel=1e-12)
    scale = max(abs(xx), abs(yy), abs(xy))  # what cancels in the statistic
    assert xx + yy - 2 * xy == pytest.approx(result.plain.statistic, abs=1e-12 * scale)
    assert result.plain.statistic == pytest.approx(mmd2(result.X, result.Y, k), abs=1e-12 * scale)


def test_the_picture_is_centred_at_the_clean_mean_and_changes_no_mmd():
    result = of(contaminated=3, normalized=False)
    values, n = result.square.values, result.n
    assert values[: 2 * n - 3, : 2 * n - 3].mean() == pytest.approx(0, abs=1e-9 * np.abs(values).max())
    signs = np.repeat([1 / n, -1 / n], n)
    assert signs @ values @ signs == pytest.approx(signs @ result.K @ signs, rel=1e-9)
    assert np.array_equal(of(contaminated=3, normalized=False, picture="plain").square.values, result.K)


def test_the_last_60_reads_are_drawn():
    result = of(n=70, contaminated=4)
    assert result.drawn.tolist() == [*range(10, 70), *range(80, 140)]
    assert np.flatnonzero(result.contaminated).tolist() == [116, 117, 118, 119]


def test_more_draws_are_the_states_of_the_seeds_that_follow():
    fields = {"contaminated": 2, "compare": "first with itself"}  # whose p depends on every permutation
    lab = DnaLab(**{**SMALL, **fields, "samples": 3, "seed": 2**32 - 2})
    rates = lab.result(wait=True).replicates
    results = [of(**fields, seed=seed) for seed in (2**32 - 1, 0, 1)]
    assert rates.plain.tolist() == [r.plain.pvalue for r in results]
    assert rates.monk.tolist() == [r.monk.pvalue for r in results]
    assert rates.rejections(0.05) == tuple(
        sum(r.rejects(t(r)) for r in results) for t in (lambda r: r.plain, lambda r: r.monk)
    )
    assert lab.replace().work().finish("replicates", lambda: True) is None
    assert lab.result().replicates is rates
    assert "In 3 more draws" in words(headline(lab.result(), 0))


def test_contaminated_reads_hide_a_difference_from_the_plain_test_in_most_draws_and_from_monk_in_none():
    """The presets show one draw each; these are 12 draws.

    The plain test uses the unnormalised kernel, then the normalised one.
    """
    fields = {**PRESETS[1].fields, "samples": 12, "shuffles": 99, "flips": 39}
    loud, normalised = (DnaLab(**{**fields, "normalized": n}).result(wait=True).replicates for n in (False, True))
    assert loud.rejections(0.05)[0] <= 6
    assert loud.rejections(0.05)[1] == 12
    assert normalised.rejections(0.05) == (12, 12)


@pytest.mark.skipif(not FOLDER, reason="EXPLORER_DATA names no folder of data sets")
def test_the_real_ones_are_the_files():
    result = of(source="splice")
    assert set(result.X.tolist()) <= set(load("splice").only("EI").X.tolist())
    assert "UCI" not in result.strings.note
    assert "88 strings of EI" in caption(result)


def test_only_new_reads_are_compared_anew(monkeypatch):
    lab, calls = DnaLab(**SMALL), []
    gap_weighted = subsequence.gap_weighted
    monkeypatch.setattr(subsequence, "gap_weighted", lambda *args: calls.append(1) or gap_weighted(*args))
    same = ({"level": "0.01"}, {"pair": "X2 Y3"}, {"blocks": 7}, {"shuffles": 30}, {"picture": "plain"})
    # two contaminated reads need three calls: rows, columns, and the reads among themselves
    for change in ({}, *same, {"contaminated": 2}, {"contaminated": 0}):
        lab.move(**change)
        lab.result()
        assert len(calls) == (3 if "contaminated" in change else 1), change


# pairs


def test_a_pair_is_two_places():
    assert pair_of("X3 Y12") == (("X", 3), ("Y", 12))
    assert rows_of("X3 Y12", 20) == (2, 31)
    assert pair_at(2, 31, 20) == "X3 Y12"
    assert of(pair="Y2 X1").reads == (of().Y[1], of().X[0])


def test_a_pair_that_a_smaller_sample_lacks_gives_way():
    lab = DnaLab(pair="X40 Y3")
    lab.move(n=45)
    assert lab.pair == "X40 Y3"
    lab.move(n=30)
    assert lab.pair == "X1 Y1"


# refusals


NO_PAIR, NO_GROUPS = "pair must be like 'X1 Y2'", "two classes by name"
ABSENT = r"the reads of mine\.fa \(9 reads\), which stay with their owner"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"n": 5, "contaminated": 6, "blocks": 5}, "6 contaminated reads need n of at least 6"),
        ({"n": 5, "blocks": 11}, "at most n = 5"),
        ({"blocks": 4}, "odd whole number"),
        ({"length": 7}, "at most 6"),
        ({"decay": 0.0}, "above 0"),
        ({"level": "0.2"}, "level"),
        ({"n": 300, "samples": 300}, "too long"),
        ({"n": 401}, "more than the 400 strings of EI of splice-like"),
        ({"n": 201, "compare": "first with itself"}, "more than the 400 strings of EI of splice-like"),
        ({"n": 30, "pair": "X31 Y1"}, "each sample has 30 reads"),
        *(({"pair": pair}, NO_PAIR) for pair in ("", "X1", "X0 Y1", "Z1 Y1", "X1 Y1 Y2", "x1 y1", "X1,Y1", "X01 Y1")),
        *(({"groups": text}, NO_GROUPS) for text in ("[", "7", '"AB"', "[[], [0]]", '["EI"]', '["EI", "EI"]')),
        *(({"groups": text}, NO_GROUPS) for text in ('["EI", 3]', '{"a": 1}')),
        ({"source": "file", "file": "mine.fa", "rows": 9, "hash": "0" * 64, "groups": '["a", "b"]'}, ABSENT),
    ],
    ids=str,
)
def test_what_the_lab_cannot_be_gets_a_sentence(fields, said):
    with pytest.raises(ValueError, match=said):
        DnaLab(**fields).result()


def test_a_machine_without_the_file_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("EXPLORER_DATA", str(tmp_path))
    for folder in ("empty", "none"):
        with pytest.raises(Refusal, match=naming("EXPLORER_DATA", "splice.csv")):
            DnaLab(source="splice").result()
        if folder == "empty":
            monkeypatch.delenv("EXPLORER_DATA")


# the user's reads


def test_reads_that_share_nothing_or_are_too_short_are_shown():
    """The statistic is what the library says, and no method divides by 0."""
    strings = two_classes(read_strings(b"AAAA\nAA\nAAA\n", "a.txt"), read_strings(b"CCCC\nC\nCC\n", "b.txt"))
    lab = lab_of_strings(strings, ("a.txt", "b.txt"), length=3)
    assert lab.result().titles == ("a.txt", "b.txt")
    assert re.search(naming("no", "3 letters"), letters(lab.result()))
    for fields in ({}, {"length": 6}, {"length": 6, "normalized": False}, {"picture": "plain", "length": 5}):
        lab.move(**fields)
        result = lab.result()
        for said in (headline(result, 0), equation(result), letters(result), caption(result)):
            assert "nan" not in said
        assert np.isfinite([result.square.low, result.square.high]).all()
    assert result.means == (0, 0, 0)
    assert not result.rejects(result.plain)
    assert "Neither test" in headline(result, 0)


CLASSED = b"".join(
    f"{c},{s}\n".encode()
    for c, s in zip("ABBABABABA", ["ACGTA", "GGCA", "TTACG", "ACCA"] * 2 + ["AC", "GT"], strict=True)
)
FASTA = b">x\nACGTA\n>y\nGGCA\n>z\nACG\n"


@pytest.mark.parametrize(
    "files",
    [{"mine.csv": CLASSED}, {"it's mine.csv": CLASSED}, {"a.fa": FASTA, "b.txt": b"TTACG\nACCA\nGTA\n"}],
    ids=lambda files: " ".join(files),
)
def test_copied_python_reads_files_of_ones_own(files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, raw in files.items():
        (tmp_path / name).write_bytes(raw)
    first, *second = files
    strings = two_classes(*map(read_strings, files)) if second else read_string_classes(first)
    labels = dict.fromkeys(strings.target.tolist())
    lab = lab_of_strings(strings, labels, file=first, second_file="".join(second), blocks=3, length=2, contaminated=1)
    code, space = compile(python(lab.result()), "<copied>", "exec"), {}
    exec(code, space)
    for name in ("plain", "monk"):
        shown, copied = getattr(lab.result(), name), space[name]
        assert copied.statistic == pytest.approx(shown.statistic, rel=1e-12, abs=1e-13)
        assert copied.pvalue == shown.pvalue
    (tmp_path / first).write_bytes(files[first] + (b">q\nAAAA\n" if second else b"A,AAAA\n"))
    with pytest.raises(ValueError, match="other files than" if second else "another file than"):
        exec(code, {})


def test_names_of_ones_own_stay_text():
    strings = two_classes(read_strings(b"AAAA\nACCA\nAAC\n", "<b>a</b>"), read_strings(b"CCCC\nCACC\nCC\n", "b"))
    result = lab_of_strings(strings, ("<b>a</b>", "b")).result()
    for said in (headline(result, 0), equation(result), letters(result)):
        assert "<b>a" not in said
        assert "&lt;b&gt;a" in said


@pytest.mark.thorough
def test_long_reads_are_computed_in_a_thread_and_not_lit():
    strings = two_classes(read_strings(b"ACGT" * 2000 + b"\nAC\n", "a"), read_strings(b"GGTA" * 2000 + b"\nCA\n", "b"))
    lab = lab_of_strings(strings, ("a", "b"), n=2, length=2, pair="X1 X2")
    samples = zip("XY", (lab.result().X, lab.result().Y), strict=True)
    long = next(f"{side}{i + 1}" for side, Z in samples for i in range(2) if len(Z[i]) == 8000)
    lab.move(pair=f"{long} {long}")
    assert lab.quick
    assert "are being computed" in letters(lab.result())
    assert lab.result(wait=True).shares is not None
    assert "and 7880 more" in letters(lab.result())
    lab.move(length=6)
    assert not lab.quick
    lab.move(length=4)
    assert lab.result(wait=True).shares is None
    assert names_all(letters(lab.result()), "too long")


# words and tables


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (PRESETS[0].fields, ["Both tests distinguish EI from IE"]),
        (PRESETS[1].fields, ["MONK distinguishes EI from IE; the plain test does not"]),
        (PRESETS[4].fields, ["The plain test distinguishes EI from N; MONK does not"]),
        (PRESETS[3].fields, ["Neither test distinguishes EI from IE"]),
        (
            {**SMALL, "blocks": 1, "length": 1, "contaminated": 1},
            ["1 block p =", "1 letter,", "1 of the second sample's reads is contaminated"],
        ),
    ],
    ids=range(5),
)
def test_the_headline_says_who_tells(fields, said):
    result = DnaLab(**fields).result()
    shown = unescape(words(headline(result, 0) + caption(result)))
    assert [each for each in said if each not in shown] == []
    assert f"p = {result.plain.pvalue:g}" in shown


def test_the_tables_are_the_numbers():
    result = of()
    tables = numbers(result)
    gram = tables["gram"]
    assert np.array_equal(result.K[gram["row"] - 1, gram["column"] - 1], gram["k"])
    assert np.array_equal(tables["shuffles"]["mmd2"], result.plain.null_distribution)
    assert np.array_equal(tables["flips"]["mmd_by_monk"], result.monk.null_distribution)
    assert list(tables["profile"])[:3] == ["place", "X_A", "X_C"]
    assert result.measures["MMD², unbiased"] == result.plain.statistic
    assert result.measures["p of MONK's test"] == result.monk.pvalue


def test_there_is_a_paragraph_for_each_picture():
    nulls, gram, profile = descriptions(DnaLab(contaminated=2).result())
    assert "100 of 100 rows" in gram
    assert re.search(naming("last 2 rows"), gram)
    assert "null values" in nulls
    assert one_sentence_names(profile, "kernel", "positions")
    assert re.search(naming("1 of EI", "1 of IE"), gram)


def test_the_decay_steps_by_a_twentieth():
    assert steps_of(DnaLab.fields["decay"]) == [round(0.1 + 0.05 * i, 10) for i in range(19)]


@pytest.mark.parametrize("compare", ["both classes", "first with itself"])
@pytest.mark.parametrize("files", [1, 2])
def test_a_read_has_the_number_that_it_has_in_its_file(files, compare):
    letters = np.random.default_rng(0).choice(list("ACGT"), (30, 12))
    reads = ["".join(row) for row in letters]
    if files == 2:
        strings = two_classes(
            *(read_strings("\n".join(part).encode(), name) for part, name in ((reads[:14], "a"), (reads[14:], "b")))
        )
    else:
        lines = "\n".join(f"{'ab'[i % 2]},{read}" for i, read in enumerate(reads))
        strings = read_string_classes(lines.encode(), "both.csv")
    lab = DnaLab(source="file", hash=strings.hash, rows=30, n=6, blocks=3, groups='["a", "b"]', compare=compare)
    lab = lab.replace(second_file="b" if files == 2 else "", file="a")
    lab.own = strings
    result = lab.result()
    for k, sample in enumerate("XY"):
        start = 14 if files == 2 and k == 1 and compare == "both classes" else 0
        for place, read in enumerate(result.clean[k].tolist(), 1):
            assert reads[start + result.number_of(sample, place) - 1] == read
