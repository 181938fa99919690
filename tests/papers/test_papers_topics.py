"""The table of topics: each place opens, and each paper is one of the five."""

from __future__ import annotations

import pytest
from references import open_reference

from explorer.__main__ import main
from explorer.papers.erratum import PAPERS
from explorer.papers.topics import TOPICS


def test_every_topic_is_seen_somewhere_and_its_places_open():
    for topic in TOPICS.values():
        assert topic.shown_in, topic.name
        for where in topic.shown_in:
            assert open_reference(where) is not None, (topic.name, where)


# what a lesson has to speak of, to be named
WORDS = {
    "expectation": ["The average of a function is an inner product"],
    "universal": ["strictly positive definite kernel matrix for any set of distinct points"],
    "exponential": ["moment generating function"],
    "energy": ["energy distance", "distance covariance"],
    "inadmissible": ["inadmissible"],
    "cose": ["Products of three features"],
    "bayesian": ["credible band"],
    "conditional-mean": ["average of the conditional embeddings"],
    "other-noise": ["Laplacian noise"],
    "cluhsic": ["Kernel k-means"],
    "discriminant": ["correlate most"],
    "causes": ["jointly independent"],
    "changes": ["When did it change?"],
    "criticism": ["Herding"],
    "fit": ["kernel Stein discrepancy"],
    "functions": ["A function of a random variable", "K2-ABC"],
    "domains": ["Transfer component analysis"],
    "programs": ["Information Theoretical Estimators"],
}


@pytest.mark.parametrize("name", TOPICS)
def test_a_lesson_speaks_of_the_topic_that_is_seen_in_it(name):
    lessons = [where for where in TOPICS[name].shown_in if where.startswith("lesson ")]
    for lesson, words in zip(lessons, WORDS.get(name, []), strict=True):
        assert words in open_reference(lesson), lesson


def test_topics_are_words_on_papers():
    for name, topic in TOPICS.items():
        assert len(name) <= 16
        assert " " not in name
        assert set(topic.papers.split(", ")) <= set(PAPERS)


def test_the_table_is_printed_where_it_is_asked_for(capsys):
    main(["list", "topics", "mmd-rate"])
    assert capsys.readouterr().out.splitlines()[1].endswith("reproduce monk-rate.")
    main(["list", "estimators"])
    assert "reproduce" not in capsys.readouterr().out
