"""Docstrings of public and shared objects have numpydoc's sections, as numpydoc validates them."""

from pathlib import Path

import docstrings
import pytest

from explorer import Gaussian
from explorer.linalg import eigh_psd

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(
    path.name
    for path in (ROOT / "explorer").iterdir()
    if (path.is_dir() and (path / "__init__.py").exists()) or (path.suffix == ".py" and path.stem[0] != "_")
)
# what numpydoc cannot read, with the reason
EXCEPTIONS = {
    "explorer.markup.Markup": "its arguments are those of str",
    "explorer.types.ConvertedField": "a Protocol, which nobody calls",
}
OF_PARAM = "explorer.parameters."  # param's metaclass hides the docstrings of its classes, and adds its own arguments


@pytest.mark.parametrize("package", PACKAGES)
def test_numpydoc_finds_nothing(package):
    findings = {
        name: lines
        for name, value in docstrings.checked(ROOT / "explorer" / package)
        if name not in EXCEPTIONS and not name.startswith(OF_PARAM) and (lines := docstrings.findings(name, value))
    }
    assert findings == {}


def undocumented(x):
    """Compute something."""
    return x


def test_a_function_without_sections_is_found(monkeypatch):
    monkeypatch.setattr(eigh_psd, "__doc__", undocumented.__doc__)
    codes = {line[:4] for line in docstrings.findings("explorer.linalg.eigh_psd", eigh_psd)}
    assert {"PR01", "RT01"} <= codes


def test_a_class_that_lacks_a_parameter_is_found(monkeypatch):
    monkeypatch.setattr(Gaussian, "__doc__", undocumented.__doc__)
    assert any(line.startswith("PR01") for line in docstrings.findings("explorer.kernels.gaussian.Gaussian", Gaussian))
