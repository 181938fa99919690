"""The Marginalized lab's words.

Numbers in them are the result's, answers of stories are true, and copied lines agree.
"""

import re

import numpy as np
import pytest

import explorer
from explorer import MKME, Gaussian, mmd2
from explorer.datasets import read_table
from explorer.labs.marginalized import MarginalizedLab
from explorer.labs.marginalized import result as shown
from explorer.labs.marginalized.script import numbers, python
from explorer.labs.marginalized.stories import PRESETS, STORIES
from explorer.labs.marginalized.words import (
    TOLD,
    average,
    caption,
    headline,
    noise_words,
    plain_bandwidth,
    told,
    twin,
)
from explorer.workbench.numbers import compared, number, percent
from explorer.workbench.replicates import Replicates
from explorer.workbench.stories import find

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
        assert re.search(rf"MKME is (an estimated )?{re.escape(compared(result.gain(result.mkme, row))[0])} ", says)
        assert f"MMKME {compared(result.gain(result.mmkme, row))[0]} ." in says
        assert number(result.mkme.sigmas[row]) in says
        if result.law is None:
            assert "wine" in trust
            assert "estimated" in says
        else:
            assert f"brings MKME {compared(average(result, row))[0]};" in trust
            assert percent(1 - result.risk.min()) in trust
    assert "leave-one-out" in texts[-1]
    assert "leave-one-out" not in texts[0] or result.law is None


def test_mmkme_s_noise_is_listed_where_it_is_short():
    assert noise_words(quick(d=1), -1).count("and") == 0
    assert noise_words(quick(d=2), -1).count("and") == 1
    result = quick(source="axis", d=3)
    first, second, third = (number(float(v)) for v in result.mmkme.deviations[-1] / result.unit)
    assert noise_words(result, -1) == f"MMKME {first}, {second} and {third}"
    assert " to " in noise_words(quick(d=4), -1)


def test_wins_are_counted_and_luck_has_a_badge(monkeypatch):
    def among(losses):
        monkeypatch.setattr(shown, "repeat", lambda *args, **options: Replicates(np.ones(3), losses))
        return MarginalizedLab(samples=3, sigma=0.5).result(wait=True)

    losses = {"mkme": np.tile([[0.5], [0.9], [1.2]], 63), "mmkme": np.tile([[0.6], [0.8], [1.1]], 63)}
    result = among(losses)
    text = plain(headline(result, result.row))
    assert "Of 3 further samples, MKME in 2 and MMKME in 2 beat the plain average" in text
    assert "on average 13 % closer and 17 % closer; MMKME beats MKME in 2." in text
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
        said = twin(result)
        assert len(said) == 3
        assert all(sentence.endswith(".") and "nan" not in sentence for sentence in said)
        found = numbers(result)
        assert list(found) == ["curves", "sample", "noise", picture]
        assert all(len({len(column) for column in table.values()}) == 1 for table in found.values())
        assert found["curves"]["mkme_loocv"].tolist() == result.mkme.score[:-1].tolist()
        assert result.measures.keys() >= {"σ by leave-one-out, MKME, data sd", "σ by leave-one-out, MMKME, data sd"}
    assert "mkme_loss" in numbers(quick())["curves"]


# stories

STEPS = [(story.key, i, step) for story in STORIES for i, step in enumerate(story.steps)]
RESULTS = {(key, i): quick(**step.fields) for key, i, step in STEPS}


def gains(r, row=None):
    return r.gain(r.mkme, row), r.gain(r.mmkme, row)


# what the answers claim, beyond the numbers that are put into them
CLAIMS = {
    ("corrupt", 0): lambda r: compared(r.gain(r.mkme))[0] == "no closer",
    ("corrupt", 1): lambda r: r.gain(r.mkme) > 0 and average(r, r.row) > 0,
    ("corrupt", 2): lambda r: r.mkme.chosen > 0 and r.mkme.score[1] < 1 and r.gain(r.mkme) > 0.4,
    ("corrupt", 3): lambda r: r.gain(r.mkme) < 0 and average(r, r.row) < 0,
    ("corrupt", 4): lambda r: (
        max(gains(r)) < 0
        and average(r, r.row) < 0
        and 1 - r.risk.min() < 0.05
        and r.mkme.sigmas[r.risk.argmin()] < RESULTS["corrupt", 2].mkme.sigmas[RESULTS["corrupt", 2].risk.argmin()]
    ),
    ("axes", 0): lambda r: r.mmkme.deviations[r.row].argmax() == 0 and gains(r)[1] > gains(r)[0] > 0,
    ("axes", 1): lambda r: r.mmkme.deviations[r.row, 0] == 0 and 0 < gains(r)[1] < 0.5 * gains(RESULTS["axes", 0])[1],
    ("axes", 2): lambda r: gains(r)[1] < gains(r)[0] and not np.diff(np.diagonal(r.law.covariances[0])).any(),
    ("dice", 0): lambda r: (
        r.thrown.path[0] > 20 * r.thrown.path[-1] and r.thrown.expected[0] == pytest.approx(50 * r.thrown.expected[-1])
    ),
    ("dice", 1): lambda r: (
        r.slices.one[r.row].max() < 1
        and plain_bandwidth(r, r.row) > r.kernel.bandwidth
        and r.slices.one[r.row][0] > r.slices.plain[0]
    ),
    ("dice", 2): lambda r: r.projected.sums[r.row] < 0.9,
    ("dice", 3): lambda r: (
        0.4 < r.missed.printed[r.row] < 0.6
        and r.missed.printed[r.row] > 10 * r.missed.kme[r.row]
        and r.missed.projection[r.row]
        <= r.missed.corrected[r.row]
        < 1.02 * r.missed.projection[r.row]
        < 0.2 * r.missed.kme[r.row]
    ),
    ("dice", 4): lambda r: r.missed.corrected[r.row] > 2 * r.missed.projection[r.row],
}


def test_every_step_has_its_claim():
    assert CLAIMS.keys() == RESULTS.keys()


@pytest.mark.parametrize("place", RESULTS, ids=str)
def test_the_answer_is_true(place):
    assert CLAIMS[place](RESULTS[place])


@pytest.mark.thorough
def test_a_second_sigma_loses_on_average_where_all_directions_are_alike():
    """What the story and a preset say of MMKME.

    Its mean gain beyond MKME's over 60 samples, 4 standard errors below 0.
    """
    fields = STORIES[1].steps[2].fields
    beyond = np.array([np.subtract(*gains(quick(seed=seed, **fields))[::-1]) for seed in range(100, 160)])
    assert beyond.mean() < -4 * beyond.std() / np.sqrt(len(beyond))


@pytest.mark.parametrize(("key", "i", "step"), STEPS, ids=lambda v: str(v) if isinstance(v, (str, int)) else "")
def test_the_answer_can_be_told_and_the_question_gives_no_number_away(key, i, step):
    answer = step.says.format(**told(RESULTS[key, i]))
    assert "{" not in answer
    assert "[" not in answer  # each step opens the picture that it speaks of
    assert step.asks.endswith("?")
    assert find(STORIES, key, str(i + 1))[1] == i


def test_a_number_of_a_picture_that_is_not_shown_names_the_picture():
    known = told(RESULTS["dice", 0])
    assert known["sum"] == "[see filter]"
    assert {word for words in TOLD.values() for word in words} <= set(known)


def test_titles_and_names_are_apart():
    names = [story.title for story in STORIES] + [preset.name for preset in PRESETS]
    assert len(set(names)) == len(names)


# Copy Python


@pytest.mark.parametrize(
    "fields",
    [
        *STATES,
        {"source": "axis", "d": 3, "first": 0.3},
        {"source": "normal", "d": 4, "others": 2.0, "sigma": 0.123},
        {"source": "wdbc", "n": 60, "standardise": False},
        {"n": 2},
        {"d": 30, "seed": 2**32 - 1, "law_seed": 9},
        {"bandwidth": 1.0, "n": 150},
    ],
    ids=str,
)
@pytest.mark.thorough(but=4)
def test_the_copied_lines_give_the_numbers_on_screen(fields, capsys):
    result, space = quick(**fields), {}
    exec(compile(python(result), "<copied>", "exec"), space)
    shown = {"KME": 1.0, "MKME": 1 - result.gain(result.mkme), "MMKME": 1 - result.gain(result.mmkme)}
    assert space["losses"] == pytest.approx(shown, rel=1e-12, abs=1e-12)
    assert "MMKME" in capsys.readouterr().out  # it prints them too
    first = python(result).splitlines()[0]
    assert set(first.removeprefix("from explorer import ").split(", ")) <= set(dir(explorer))


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
