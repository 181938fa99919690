"""Summaries of a lab's result that fit into the title of a tab."""

from __future__ import annotations

import re

import pytest
from helpers.naming import names_all, naming

from explorer.markup import markup
from explorer.pages.page_title import of_page, of_result
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.cost import seconds
from explorer.workbench.prose import IN_SHORT, finding, headline, shortened

LONGEST = 3.0  # seconds; slower presets are skipped


@pytest.mark.few(4)
@pytest.mark.parametrize("name", registry.names())
def test_every_preset_has_a_title_that_fits_and_a_sentence(name):
    entry = registry.entry(name)
    for preset in content_of(name).presets:
        lab = entry.lab(**preset.fields)
        if seconds(lab.cost) > LONGEST:
            continue
        title, says = of_result(name, lab.result())
        assert title.startswith(f"{entry.title}: ")
        assert len(title) <= len(entry.title) + 2 + IN_SHORT
        assert not title.endswith((".", ",", ";", ":"))
        assert "still being computed" not in title
        assert not set("<>") & set(title)
        assert says


def test_the_title_of_shrinkage_is_its_gain():
    result = registry.entry("shrinkage").lab().result()
    assert names_all(of_result("shrinkage", result).title, "Shrinkage", "30 % less squared error")
    assert re.search(naming("30 % less squared error", "S-KMSE"), of_result("shrinkage", result).says)


LONG = "whose length is far too large to be shown in any title of a page"


@pytest.mark.parametrize(
    ("says", "short"),
    [
        (markup("A <b>short</b> one. And more."), "A short one"),
        (markup("At 1.5 it holds; {}.", LONG), "At 1.5 it holds"),
        (markup("A sentence <b>30 % less squared error</b> {}", LONG), "30 % less squared error"),
        (markup("A sentence with <b>3</b> of them, {}", LONG), "A sentence with 3 of them"),
        (markup("A sentence {} and {}", LONG, LONG), f"A sentence {LONG}"[: IN_SHORT - 1].rpartition(" ")[0] + " …"),
        (markup("That is still being computed."), ""),
        (markup("The split is at 3; its p is still being computed."), "The split is at 3"),
        (markup("MMD² is −1 <span class='badge'>negative</span>, {}", "<i>"), "MMD² is −1, <i>"),
    ],
)
def test_a_headline_is_cut_where_a_sentence_may_be_cut(says, short):
    assert shortened(headline(says, "Trust <b>no words of this line</b>.")) == short


def test_a_finding_is_plain_text_without_badges_and_trust():
    said = headline(markup("It is <b>{}</b> <span class='badge'>draft</span>.", "a & b"), "n = 5.")
    assert finding(said) == "It is a & b."


def test_a_result_that_is_still_to_come_has_the_lab_s_question():
    preset = content_of("kernel_pca").presets[-1]
    result = registry.entry("kernel_pca").lab(**preset.fields).result()
    assert of_result("kernel_pca", result) == of_page("kernel_pca")
