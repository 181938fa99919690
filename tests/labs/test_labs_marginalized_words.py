"""The Marginalized lab's words: numbers in them are the result's, and copied lines read one's own file."""

import re

import numpy as np
import pytest
from every_lab import at_step
from picturing import in_words

from explorer import MKME, Gaussian, mmd2
from explorer.datasets import read_table
from explorer.labs.marginalized import MarginalizedLab
from explorer.labs.marginalized import result as shown
from explorer.labs.marginalized.script import numbers, python
from explorer.labs.marginalized.stories import STORIES
from explorer.labs.marginalized.words import (
    TOLD,
    average,
    caption,
    headline,
    noise_words,
    plain_bandwidth,
    told,
)
from explorer.workbench.numbers import compared, number, percent
from explorer.workbench.replicates import Replicates

PICTURES = ("kernel", "filter", "approximation", "dice")
STATES = [
    {}, {"sigma": 0.0}, {"sigma": 1.5, "bandwidth": 1.0}, {"d": 1}, {"source": "axis", "d": 5, "n": 30},
    {"source": "wine", "n": 40},
]  # fmt: skip


def quick(**fields):
    return MarginalizedLab(**fields).result()


def plain(html):
    return " ".join(re.sub("<[^>]*>", " ", html).split())


@pytest.mark.parametrize("fields", STATES, ids=str)
def test_the_headline_says_the_results_numbers(fields):
    result = quick(**fields)
    texts = [headline(result, row) for row in range(len(result.mkme.sigmas))]
    assert len(texts) == len(result.mkme.sigmas)
    for row in (0, 20, 45, -1):
        row = range(len(texts))[row]
        says, trust = map(plain, texts[row].split("</div><div"))
        error = "squared error" if result.law else "estimated squared error"
        mkme, mmkme = (compared(result.gain(path, row), error) for path in (result.mkme, result.mmkme))
        assert f"MKME has {mkme.error} {mkme.joint} the plain average, MMKME {mmkme.share} ." in says
        assert f"σ = {number(result.mkme.sigmas[row])} sd" in trust
        if result.law is None:
            assert "wine" in trust
        else:
            assert f"gives MKME {compared(average(result, row)).share} on average" in trust
            assert f"the best σ {percent(1 - result.risk.min())}." in trust
    assert "leave-one-out" in plain(texts[-1].split("</div><div")[0])
    assert "leave-one-out" not in plain(texts[0].split("</div><div")[0])


def test_mmkme_s_noise_is_listed_where_it_is_short():
    assert noise_words(quick(d=1), -1).count("and") == 0
    assert noise_words(quick(d=2), -1).count("and") == 1
    result = quick(source="axis", d=3)
    first, second, third = (number(float(v)) for v in result.mmkme.deviations[-1] / result.unit)
    assert noise_words(result, -1) == f"{first}, {second} and {third}"
    assert " to " in noise_words(quick(d=4), -1)


def test_wins_are_counted_and_luck_has_a_badge(monkeypatch):
    def among(losses):
        monkeypatch.setattr(shown, "repeat", lambda *args, **options: Replicates(np.ones(3), losses))
        return MarginalizedLab(samples=3, sigma=0.5).result(wait=True)

    losses = {"mkme": np.tile([[0.5], [0.9], [1.2]], 63), "mmkme": np.tile([[0.6], [0.8], [1.1]], 63)}
    result = among(losses)
    text = plain(headline(result, result.row))
    assert "In 3 more samples MKME beats the plain average 2 times (13 % less on average), MMKME 2 times" in text
    assert "(17 % less on average); MMKME beats MKME 2 times." in text
    assert "inside the noise" not in text
    losses["mkme"] = losses["mmkme"] = np.tile([[1.0], [0.9], [1.2]], 63)
    assert "inside the noise" in headline(among(losses), 0)


def test_the_bandwidth_in_the_caption_gives_the_same_statistic_up_to_a_factor():
    """What the caption says of tests.

    MKME's MMD² is the plain one at √(θ² + 2σ²) times a constant, so p-values are equal.
    """
    result, rng = quick(bandwidth=1.0), np.random.default_rng(0)
    sigma, theta = float(result.mkme.deviations[-1, 0]), result.kernel.bandwidth
    seen = plain_bandwidth(result, -1)
    ratios = []
    for _ in range(3):
        X, Y = rng.normal(0, 5, (12, 2)), rng.normal(2, 5, (15, 2))
        noisy = mmd2(X, Y, result.kernel, estimator=MKME(sigma=sigma))
        ratios.append(noisy / mmd2(X, Y, Gaussian(seen)))
    assert ratios == pytest.approx([(theta / seen) ** 2] * 3, rel=1e-9)  # d = 2: (θ²/(θ² + 2σ²))^(d/2)
    assert f"<b>{number(seen)}</b>" in caption(result)


def test_a_file_name_is_text_not_html():
    table = read_table(b"a\n1\n2\n4\n", name="<i>x</i>.csv")
    lab = MarginalizedLab(source="file", n=3, file=table.name, rows=3, hash=table.hash)
    lab.table = table
    assert "<i>" not in headline(lab.result(), 0)


@pytest.mark.parametrize("picture", PICTURES)
def test_pictures_have_sentences_and_tables(picture):
    for fields in ({}, {"source": "wine", "n": 30}, {"d": 1, "ground": "MKME"}, {"sigma": 0.0, "ground": "MMKME"}):
        result = quick(picture=picture, **fields)
        said = in_words(result)
        assert len(said) == 3
        assert all(sentence.endswith(".") and "nan" not in sentence for sentence in said)
        found = numbers(result)
        assert list(found) == ["curves", "sample", "noise", picture]
        assert all(len({len(column) for column in table.values()}) == 1 for table in found.values())
        assert found["curves"]["mkme_loocv"].tolist() == result.mkme.score[:-1].tolist()
        assert result.measures.keys() >= {"σ by leave-one-out, MKME, data sd", "σ by leave-one-out, MMKME, data sd"}
    assert "mkme_loss" in numbers(quick())["curves"]


# stories


def gains(r, row=None):
    return r.gain(r.mkme, row), r.gain(r.mmkme, row)


@pytest.mark.thorough
def test_a_second_sigma_loses_on_average_where_all_directions_are_alike():
    """What the story and a preset say of MMKME.

    Its mean gain beyond MKME's over 60 samples, 4 standard errors below 0.
    """
    fields = STORIES[1].steps[2].fields
    beyond = np.array([np.subtract(*gains(quick(seed=seed, **fields))[::-1]) for seed in range(100, 160)])
    assert beyond.mean() < -4 * beyond.std() / np.sqrt(len(beyond))


def test_a_number_of_a_picture_that_is_not_shown_names_the_picture():
    known = told(at_step("marginalized", "dice", 0))
    assert known["sum"] == "[see filter]"
    assert {word for words in TOLD.values() for word in words} <= set(known)


# Copy Python


def test_the_copied_lines_ask_for_the_file(tmp_path, monkeypatch):
    raw = b"a,b\n" + b"".join(b"%d,%d\n" % (i % 7, i % 5) for i in range(30))
    table = read_table(raw, name="mine.csv", standardise=True)
    lab = MarginalizedLab(source="file", n=20, file="mine.csv", rows=30, hash=table.hash)
    lab.table = table
    (tmp_path / "mine.csv").write_bytes(raw)
    monkeypatch.chdir(tmp_path)
    space, result = {}, lab.result()
    exec(compile(python(result), "<copied>", "exec"), space)
    assert space["losses"]["MMKME"] == pytest.approx(1 - result.gain(result.mmkme), rel=1e-12)
