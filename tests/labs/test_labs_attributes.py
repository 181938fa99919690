"""Attributes of a lab are its fields: a misspelt one is refused with the nearest name, as by the lab's class."""

import pytest
from helpers.naming import naming

from explorer.workbench import registry


@pytest.mark.parametrize("name", registry.entries())
def test_a_misspelt_field_is_refused_with_the_nearest(name):
    lab = registry.entry(name).lab()
    before = lab.key
    for field in type(lab).fields:
        wrong = f"{field}q"
        with pytest.raises(TypeError, match=naming(type(lab).__name__, f"'{wrong}'", field)):
            setattr(lab, wrong, 1)
        assert not hasattr(lab, wrong)
    assert lab.key == before
