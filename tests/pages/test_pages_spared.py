"""A move computes only what the page shows."""

from bokeh.document import Document

from explorer.labs.shrinkage.page import ShrinkagePage
from explorer.markup import markup
from explorer.pages import bindings
from explorer.pages.layout.markup_pane import html


def test_a_move_that_nothing_refuses_translates_no_sentence(monkeypatch):
    page, translated = ShrinkagePage(), []
    monkeypatch.setattr(
        bindings, "without_classes", lambda sentence, lab_class: translated.append(sentence) or sentence
    )
    page.move("bandwidth", bandwidth=0.7)
    assert translated == []
    page.move("n", n=-1)
    assert len(translated) == 1


def test_a_new_text_is_sent_without_its_sheets_of_style():
    pane = html("")
    document = Document()
    document.add_root(pane.get_root())
    (model,) = document.roots
    sheets, changed = list(model.stylesheets), []
    document.on_change(lambda event: changed.append(event.attr))
    pane.object = markup("later")
    assert model.text == "later"
    assert model.stylesheets == sheets
    assert changed == ["text"]
