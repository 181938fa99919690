"""The lessons: notebooks of the repository, also installed with the package, and what each is about."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from explorer.languages import message

SOLUTION = "solution"  # tag of a cell that a student writes
LABS = "http://localhost:5006"  # where `explorer serve` serves the labs; the lessons' links lead there
PACKAGE = Path(__file__).parents[1]
FOLDERS = (PACKAGE / "notebooks", PACKAGE.parent / "notebooks")  # in an installed package, and in a checkout


class Lesson(NamedTuple):
    """A lesson: its number, title, summary and lab.

    Attributes
    ----------
    number : int
        Its number, from 1.
    title : str
        Its title.
    says : str
        What one learns, in one line.
    lab : str
        The lab that goes with it.
    """

    number: int
    title: str
    says: str
    lab: str

    @property
    def address(self) -> str:
        """Relative URL of the lesson's page."""
        return f"lessons?lesson={self.number}"

    @property
    def path(self) -> Path | None:
        """Path of its notebook, or None if it is not installed."""
        found = (path for folder in FOLDERS for path in sorted(folder.glob(f"{self.number:02}_*.ipynb")))
        return next(found, None)


LESSONS = tuple(
    Lesson(number, *told)
    for number, told in enumerate(
        (
            (
                message("What is a mean embedding?"),
                "A kernel turns a whole distribution into one function.",
                "twosample",
            ),
            (message("Stein's surprise and shrinkage"), "Why the plain average is not the best estimate.", "shrinkage"),
            (message("Filters"), "Shrink each eigendirection of the Gram matrix by its own factor.", "shrinkage"),
            (message("Corrupt on purpose"), "How noise on every point can lower the squared error.", "marginalized"),
            (message("Outliers and the median of means"), "Estimate a kernel mean when some rows are wrong.", "monk"),
            (message("Two-sample tests"), "Decide by permutations whether two samples differ.", "twosample"),
            (message("Independence"), "Find dependence that a correlation cannot see.", "independence"),
            (
                message("Conditional embeddings and the rules"),
                "Predict y from x, and apply Bayes' rule.",
                "conditional",
            ),
            (message("Filtering and belief propagation"), "Follow a hidden path, step by step.", "conditional"),
            (message("Operators and kernel PCA"), "Find the directions along which data vary.", "kernel_pca"),
            (message("Density by matching means"), "Turn a kernel mean back into a density.", "density"),
            (message("Learning on distributions"), "Classify whole samples instead of single points.", "distributions"),
            (message("Across domains"), "Train on one data set and predict on another.", "adaptation"),
            (message("Write your own estimator"), "Write an estimator and find where it wins and loses.", "shrinkage"),
            (message("Has my data changed?"), "Find when a series changed, and in which columns.", "drift"),
        ),
        start=1,
    )
)


def lesson(word: str) -> Lesson | None:
    """Return the lesson that a link's parameter names, or None if there is none.

    Parameters
    ----------
    word : str
        The value of the parameter.

    Returns
    -------
    Lesson or None
        The lesson.
    """
    return next((each for each in LESSONS if str(each.number) == word), None)
