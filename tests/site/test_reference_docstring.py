"""What stands in a docstring is read into its parts, and no word of it is lost."""

import inspect

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explorer.site.reference.docstring import Apart, Definitions, Example, Paragraph, Points, read
from explorer.site.reference.names import things

EVERY = {thing.name: thing.value for thing in things()}


def docstrings():
    """The docstrings of the public names, and of what their classes hold."""
    for name, value in EVERY.items():
        yield name, value.__doc__
        if inspect.isclass(value):
            yield from ((f"{name}.{key}", getattr(each, "__doc__", None)) for key, each in vars(value).items())


def test_no_word_of_a_docstring_is_lost():
    texts = [(name, text) for name, text in docstrings() if text]
    assert len(texts) > 1000
    assert [name for name, text in texts if read(text).words != text.split()] == []


@example(["  ", "a", "\n", "a", "  ", "a"])  # indented, and nothing above that it goes on from
@given(st.lists(st.sampled_from(["a", "b:", "name:", ">>> x", "  ", "    ", " ", "\n", "\n\n", "=", '"q"', "Raises "])))
def test_no_word_of_any_text_is_lost(pieces):
    text = "A summary.\n\n" + "".join(pieces)
    assert read(text).words == text.split()


def test_words_in_columns_are_a_list_and_what_is_indented_goes_on():
    told = read(
        """What it is.

        kernel   None is Gaussian(), a bandwidth the
                 median heuristic
        n, m     the sizes; of a longer word the text follows after one blank
        columns_ which of them
        """
    )
    (listed,) = told.blocks
    assert told.summary == "What it is."
    assert isinstance(listed, Definitions)
    assert [item.term for item in listed.items] == ["kernel", "n, m", "columns_"]
    assert listed.items[0].blocks == (Paragraph("None is Gaussian(), a bandwidth the median heuristic"),)


def test_words_abreast_are_points():
    listed, last = read(
        """What it is.

        lam (k,), in units of k       error (k,)
        null (B, k), one of each      name, what it
                                      is
        The least is no p-value.
        """
    ).blocks
    assert listed == Points(("lam (k,), in units of k", "error (k,)", "null (B, k), one of each", "name, what it is"))
    assert last == Paragraph("The least is no p-value.")


def test_a_list_within_a_list():
    (listed,) = read(
        """What it is.

        method  "a"   the first
                "bc"  the second,
                      which is longer
        other   a word
        """
    ).blocks
    (inner,) = listed.items[0].blocks
    assert [(item.term, item.words[-1]) for item in inner.items] == [('"a"', "first"), ('"bc"', "longer")]
    assert [item.term for item in listed.items] == ["method", "other"]


def test_a_line_before_a_list_and_a_sentence_after_it():
    lead, last = read(
        """What it is.

        `fit` learns, n the number of points:
        X_      the points
        lam_    λ
        Either may be read later.
        """
    ).blocks
    assert lead.lead == "`fit` learns, n the number of points:"
    assert last == Paragraph("Either may be read later.")


def test_words_with_colons_and_points_below_them():
    listed, raised = read(
        """What it is.

        path: a path, or
        bytes.
        columns: names; what was done with each:
          a number stays
          a word is left out where there are more than fifty of them
            and where they are names
        Raises ValueError for others.
        """
    ).blocks
    path, columns = listed.items
    assert path.blocks == (Paragraph("a path, or bytes."),)
    assert isinstance(columns.blocks[1], Points)
    assert [len(point.split()) for point in columns.blocks[1].points] == [3, 18]
    assert raised == Paragraph("Raises ValueError for others.")


def test_lines_set_apart_and_examples():
    words, apart, example = read(
        """What it is.

        Where p is

            p = (1 + b) / (1 + B)

        >>> 1 + 1
        2
        """
    ).blocks
    assert isinstance(words, Paragraph)
    assert apart == Apart(("p = (1 + b) / (1 + B)",))
    assert isinstance(example, Example)


@pytest.mark.parametrize("name", ["read_table", "monk_mmd", "shape", "HMMFilter"])
def test_docstrings_with_lists_are_read_as_lists(name):
    """Those whose form is most involved."""
    assert any(isinstance(block, Definitions) for block in read(EVERY[name].__doc__).blocks)
