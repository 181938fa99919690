"""The DNA lab: its numbers by two roads, what it keeps, what it refuses, and what its presets promise."""

import os
import re
from functools import cache
from html import unescape
from itertools import product

import numpy as np
import pytest

from explorer import Subsequence, load, mmd2, mmd_test, monk_test
from explorer.datasets import contaminate_strings, read_strings, splice_like, two_classes
from explorer.kernels.subsequence import kernel as subsequence
from explorer.labs.dna import DnaLab
from explorer.labs.dna.lab import pair_at, pair_of, rows_of
from explorer.labs.dna.stories import PRESETS
from explorer.labs.dna.words import caption, equation, headline, letters

FOLDER = os.environ.get("EXPLORER_DATA")
SMALL = {"n": 12, "blocks": 5, "shuffles": 19, "flips": 19}
STATES = [
    {},
    {"length": 1},
    {"length": 5, "decay": 0.9},
    {"normalized": False},
    {"contaminated": 3},
    {"contaminated": 12},
    {"contaminated": 2, "normalized": False, "decay": 1.0},
    {"contaminated": 3, "kind": "random letters", "longer": 2, "normalized": False},
    {"contaminated": 1, "kind": "repeated read", "classes": "IE/N"},
    {"compare": "first with itself"},
    {"seed": 8, "blocks": 1},
    {"compare": "second with itself", "classes": "EI/N", "method": "bcd"},
    {"n": 2, "blocks": 1},
    {"method": "bcd-fast"},
]


@cache
def _of(fields):
    return DnaLab(**dict(fields)).result()


def of(**fields):
    """The result of a small state, which many tests share."""
    return _of(tuple({**SMALL, **fields}.items()))


def words(markup):
    return re.sub("<.*?>", "", markup)


# numbers


@pytest.mark.thorough(default=["{}", "{'length': 1}", "{'length': 5, 'decay': 0.9}", "{'normalized': False}"])
@pytest.mark.parametrize("fields", STATES, ids=str)
def test_both_tests_are_those_of_the_front_door(fields):
    result = of(**fields)
    lab, reads = result.lab, splice_like()
    if lab.compare == "both classes":
        X, Y = (reads.only(label).sample(lab.n, rng=lab.seed) for label in lab.classes.split("/"))
    else:
        both = reads.only(lab.classes.split("/")[lab.compare == "second with itself"]).sample(2 * lab.n, rng=lab.seed)
        X, Y = both[::2], both[1::2]
    Y = contaminate_strings(Y, lab.contaminated, lab.kind, times=lab.longer, rng=lab.seed)
    kernel = Subsequence(lab.length, lab.decay, lab.normalized)
    plain = mmd_test(X, Y, kernel, n_resamples=lab.shuffles, rng=lab.seed)
    monk = monk_test(X, Y, kernel, lab.blocks, lab.method, n_resamples=lab.flips, rng=lab.seed)
    for found, expected in ((result.plain, plain), (result.monk, monk)):
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-12, abs=1e-14)
        assert found.pvalue == expected.pvalue
        assert found.kernel == kernel


@pytest.mark.parametrize("fields", [STATES[i] for i in (0, 2, 3, 6, 9)], ids=str)
def test_the_three_means_make_the_statistic(fields):
    result = of(**fields)
    n, k = result.n, result.kernel
    pairs = [(s, t) for s, t in product(range(n), repeat=2) if s != t]
    within = [np.mean([float(k([Z[s]], [Z[t]])[0, 0]) for s, t in pairs[:6]]) for Z in (result.X, result.Y)]
    K = result.K
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
    assert len(result.drawn) == 120
    assert result.drawn[[0, 59, 60, 119]].tolist() == [10, 69, 80, 139]
    assert np.flatnonzero(result.contaminated).tolist() == [116, 117, 118, 119]


def test_more_draws_are_the_states_of_the_seeds_that_follow():
    lab = DnaLab(**{**SMALL, "samples": 3, "contaminated": 2, "seed": 2**32 - 2})
    rates = lab.result(wait=True).replicates
    results = [of(contaminated=2, seed=seed) for seed in (2**32 - 1, 0, 1)]
    assert rates.plain.tolist() == [r.plain.pvalue for r in results]
    assert rates.monk.tolist() == [r.monk.pvalue for r in results]
    assert rates.rejections(0.05) == tuple(
        sum(r.rejects(t(r)) for r in results) for t in (lambda r: r.plain, lambda r: r.monk)
    )
    assert lab.replace().work().finish("replicates", lambda: True) is None
    assert lab.result().replicates is rates
    assert "In 3 more draws" in words(headline(lab.result(), 0))


# what is kept


def test_what_has_not_changed_is_not_computed_again(monkeypatch):
    lab, calls = DnaLab(**SMALL), []
    gap_weighted = subsequence.gap_weighted
    monkeypatch.setattr(subsequence, "gap_weighted", lambda *args: calls.append(1) or gap_weighted(*args))
    lab.result()
    assert len(calls) == 1
    for change in ({"level": "0.01"}, {"pair": "X2 Y3"}, {"blocks": 7}, {"shuffles": 30}, {"picture": "plain"}):
        lab.move(**change)
        lab.result()
    assert len(calls) == 1
    lab.move(contaminated=2)  # rows and columns of two reads, and their own square
    lab.result()
    assert len(calls) == 3
    lab.move(contaminated=0)
    lab.result()
    assert len(calls) == 3


def test_a_larger_sample_only_appends():
    for compare in ("both classes", "first with itself"):
        small, large = (of(n=n, compare=compare) for n in (12, 15))
        for a, b in ((small.X, large.X), (small.Y, large.Y)):
            assert b[:12].tolist() == a.tolist()


def test_halves_share_no_read():
    lab = DnaLab(n=200, compare="first with itself")
    X, Y = lab.draw(lab.the_set(), lab.seed)
    assert sorted([*X.tolist(), *Y.tolist()]) == sorted(splice_like().only("EI").X.tolist())
    assert np.array_equal(lab.with_contaminated(Y, lab.seed), Y)


# pairs


def test_a_pair_is_two_places():
    assert pair_of("X3 Y12") == (("X", 3), ("Y", 12))
    assert rows_of("X3 Y12", 20) == (2, 31)
    assert pair_at(2, 31, 20) == "X3 Y12"
    assert of(pair="Y2 X1").reads == (of().Y[1], of().X[0])


@pytest.mark.parametrize("given", ["", "X1", "X0 Y1", "Z1 Y1", "X1 Y1 Y2", "x1 y1", "X1,Y1", "X01 Y1"])
def test_no_pair_gets_a_sentence(given):
    with pytest.raises(ValueError, match="pair must be like 'X1 Y2'"):
        DnaLab(pair=given)


def test_a_pair_that_a_smaller_sample_lacks_gives_way():
    lab = DnaLab(pair="X40 Y3")
    lab.move(n=45)
    assert lab.pair == "X40 Y3"
    lab.move(n=30)
    assert lab.pair == "X1 Y1"
    with pytest.raises(ValueError, match="each sample has 30 reads"):
        lab.move(pair="X31 Y1")


# refusals


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
    ],
    ids=str,
)
def test_what_the_lab_cannot_be_gets_a_sentence(fields, said):
    with pytest.raises(ValueError, match=said):
        DnaLab(**fields)


def test_more_reads_than_there_are_get_a_sentence():
    for fields in ({"n": 401}, {"n": 201, "compare": "first with itself"}):
        with pytest.raises(ValueError, match="more than the 400 strings of EI of splice-like"):
            DnaLab(**fields).result()


def test_a_machine_without_the_file_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("EXPLORER_DATA", str(tmp_path))
    with pytest.raises(ValueError, match="not on this machine: set EXPLORER_DATA"):
        DnaLab(source="splice").result()
    monkeypatch.delenv("EXPLORER_DATA")
    with pytest.raises(ValueError, match="not on this machine: set EXPLORER_DATA"):
        DnaLab(source="splice").result()


def test_a_link_to_reads_of_ones_own_asks_for_them():
    with pytest.raises(ValueError, match=r"the reads of mine\.fa \(9 reads\), which stay with their owner"):
        DnaLab(source="file", file="mine.fa", rows=9, hash="0" * 64, groups='["a", "b"]').result()


# reads of one's own


def test_reads_that_share_nothing_or_are_too_short_are_shown():
    """The statistic is what the library says, and no road divides by 0."""
    own = two_classes(read_strings(b"AAAA\nAA\nAAA\n", "a.txt"), read_strings(b"CCCC\nC\nCC\n", "b.txt"))
    lab = DnaLab(
        source="file", hash=own.hash, groups='["a.txt", "b.txt"]', n=3, blocks=1, shuffles=19, flips=19, length=3
    )
    lab.own = own
    result = lab.result()
    assert result.titles == ("a.txt", "b.txt")
    assert "share no subsequence" in letters(result)
    for fields in ({}, {"length": 6}, {"length": 6, "normalized": False}, {"picture": "plain", "length": 5}):
        lab.move(**fields)
        result = lab.result()
        for said in (headline(result, 0), equation(result), letters(result), caption(result)):
            assert "nan" not in said
        assert np.isfinite([result.square.low, result.square.high]).all()
    assert result.means == (0, 0, 0)
    assert not result.rejects(result.plain)


# presets


def test_contaminated_reads_hide_a_difference_from_the_plain_test_in_most_draws_and_from_monk_in_none():
    """What two presets show of one draw each, of many draws.

    The plain test by its unnormalised kernel, and normalised.
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


# words


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (PRESETS[0].fields, "Both tests distinguish EI from IE"),
        (PRESETS[1].fields, "MONK distinguishes EI from IE; the plain test does not"),
        (PRESETS[4].fields, "The plain test distinguishes EI from N; MONK does not"),
        (PRESETS[3].fields, "Neither test distinguishes EI from IE"),
    ],
    ids=range(4),
)
def test_the_headline_says_who_tells(fields, said):
    result = DnaLab(**fields).result()
    assert said in words(headline(result, 0))
    assert f"p = {result.plain.pvalue:g}" in words(headline(result, 0))


def test_names_of_ones_own_stay_text():
    own = two_classes(read_strings(b"AAAA\nACCA\nAAC\n", "<b>a</b>"), read_strings(b"CCCC\nCACC\nCC\n", "b"))
    lab = DnaLab(source="file", hash=own.hash, groups='["<b>a</b>", "b"]', n=3, blocks=1, shuffles=19, flips=19)
    lab.own = own
    result = lab.result()
    for said in (headline(result, 0), equation(result), letters(result)):
        assert "<b>a" not in said
        assert "&lt;b&gt;a" in said


def test_one_block_and_one_letter_are_words_too():
    result = of(blocks=1, length=1, contaminated=1)
    said = words(headline(result, 0))
    assert "1 block," in said
    assert "1 letter," in words(caption(result))
    assert "1 of the second sample's reads is contaminated" in unescape(said)


@pytest.mark.thorough
def test_long_reads_are_computed_in_a_thread_and_not_lit():
    own = two_classes(read_strings(b"ACGT" * 2000 + b"\nAC\n", "a"), read_strings(b"GGTA" * 2000 + b"\nCA\n", "b"))
    lab = DnaLab(
        source="file", hash=own.hash, groups='["a", "b"]', n=2, blocks=1, shuffles=19, flips=19, length=2, pair="X1 X2"
    )
    lab.own = own
    long = next(
        f"{side}{i + 1}"
        for side, Z in zip("XY", (lab.result().X, lab.result().Y), strict=True)
        for i in range(2)
        if len(Z[i]) == 8000
    )
    lab.move(pair=f"{long} {long}")
    assert lab.quick
    assert "are being computed" in letters(lab.result())
    assert lab.result(wait=True).shares is not None
    assert "and 7880 more" in letters(lab.result())
    lab.move(length=6)
    assert not lab.quick
    lab.move(length=4)
    assert lab.result(wait=True).shares is None
    assert "take too long to compute" in letters(lab.result())
