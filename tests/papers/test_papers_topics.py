"""The table of topics: each place opens, and each paper is one of the five."""

from __future__ import annotations

from places import opened

from explorer.__main__ import main
from explorer.papers.erratum import PAPERS
from explorer.papers.topics import PRESENT, TOPICS


def test_every_topic_is_seen_somewhere_and_its_places_open():
    assert len(TOPICS) == len(PRESENT)
    for topic in PRESENT:
        assert topic.seen, topic.name
        for where in topic.seen:
            assert opened(where) is not None, (topic.name, where)


def test_topics_are_words_on_papers():
    for name, topic in TOPICS.items():
        assert len(name) <= 16
        assert " " not in name
        assert set(topic.papers.split(", ")) <= set(PAPERS)


def test_the_table_is_printed_where_it_is_asked_for(capsys):
    main(["list", "topics", "mmd-rate"])
    assert capsys.readouterr().out.splitlines()[1].endswith("Papers 004. Seen in: reproduce monk-rate.")
    main(["list", "estimators"])
    assert "reproduce" not in capsys.readouterr().out
