"""What Bokeh works out anew for each model: the defaults of its properties, a hundred thousand times a page."""

from __future__ import annotations

from functools import wraps

from bokeh.core.property.descriptors import PropertyDescriptor
from bokeh.settings import settings

PLAIN = {str, int, float, bool, type(None)}  # nobody can change such a default in place


def remember_defaults():
    """Let Bokeh work out each plain default once a class, and take our callbacks and documents as they are."""
    settings.perform_error_diagnostics = settings.perform_document_validation = False
    PropertyDescriptor._get_default = _remembered(PropertyDescriptor._get_default)


def _remembered(work_out):
    known = {}

    @wraps(work_out)
    def default(self, model):
        themed = vars(model).get("__themed_values__")  # as `themed_values()`, which raises within where there are none
        if themed is not None and self.name in themed:
            return work_out(self, model)
        key = type(model), self.name
        if key not in known:
            value = work_out(self, model)
            if type(value) not in PLAIN or self.name in model._unstable_default_values:
                return value
            known[key] = value
        return known[key]

    return default
