"""Content of the wheel and the source distribution: all files that the package reads, in addition to its Python."""

from pathlib import Path

import pytest
from helpers.guide_texts import ROOT

BUILDERS = {"wheel": "WheelBuilder", "sdist": "SdistBuilder"}
READ = [  # suffixes of the files that the package reads
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "explorer").rglob("*")
    if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
]


@pytest.fixture(scope="module", params=BUILDERS)
def built(request):
    """Return the paths in a distribution."""
    module = pytest.importorskip(f"hatchling.builders.{request.param}")
    builder = getattr(module, BUILDERS[request.param])(str(ROOT))
    files = {Path(each.distribution_path).as_posix() for each in builder.recurse_project_files()}
    if request.param == "wheel":
        files |= {Path(each.distribution_path).as_posix() for each in builder.recurse_forced_files(forced(builder))}
    return request.param, files


def forced(builder):
    """Return the files that the wheel takes from outside the package."""
    return builder.config.get_force_include()


def test_it_has_every_file_that_the_package_reads(built):
    _, files = built
    assert set(READ) <= files
    kinds = {Path(each).suffix for each in READ}
    assert {".md", ".css", ".js", ".html", ".bib", ".pyi"} <= kinds  # guide, static sheets, scripts, the papers


def test_it_has_the_lessons(built):
    kind, files = built
    folder = "explorer/notebooks" if kind == "wheel" else "notebooks"
    assert {f"{folder}/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")} <= files


def test_a_wheel_has_the_package_alone(built):
    kind, files = built
    if kind == "wheel":
        assert {each.partition("/")[0] for each in files} == {"explorer"}
    else:
        assert {"README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE", "tests/conftest.py"} <= files
