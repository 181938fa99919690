"""Every function and class of the front door has an example in its docstring, and each example is true."""

import doctest
import inspect
import io

import pytest
from catalogue import PUBLIC


def example_of(name):
    """The example in the docstring of a public name, None where it has none."""
    thing = PUBLIC[name]
    docstring = vars(thing).get("__doc__") if isinstance(thing, type) else thing.__doc__
    return doctest.DocTestParser().get_doctest(inspect.cleandoc(docstring or ""), {}, name, None, None)


@pytest.mark.parametrize("name", PUBLIC)
def test_an_example_is_there_and_true(name):
    example = example_of(name)
    assert example.examples
    report = io.StringIO()
    failed, _ = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(example, out=report.write)
    assert not failed, report.getvalue()


@pytest.mark.parametrize("name", PUBLIC)
def test_an_example_imports_what_it_shows(name):
    """What a reader copies runs as it stands, and is about the name that it stands under."""
    source = "".join(example.source for example in example_of(name).examples)
    assert name in source
    assert "from explorer import " in source
