"""The lessons: the notebooks of the repository, which an installed package has too, and what each is about."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

SOLUTION = "solution"  # the tag of a cell that a student is to write
LABS = "http://localhost:5006"  # where `explorer serve` has the labs, and where the lessons' links lead
PACKAGE = Path(__file__).parents[1]
FOLDERS = (PACKAGE / "notebooks", PACKAGE.parent / "notebooks")  # of an installed package, of a checkout


class Lesson(NamedTuple):
    """A lesson: its number, its title, what one learns in a line, and the lab that goes with it."""

    number: int
    title: str
    says: str
    lab: str

    @property
    def address(self) -> str:
        """Where the lesson is read."""
        return f"lessons?lesson={self.number}"

    @property
    def path(self) -> Path | None:
        """Its notebook; None where there is none."""
        found = (path for folder in FOLDERS for path in sorted(folder.glob(f"{self.number:02}_*.ipynb")))
        return next(found, None)


LESSONS = tuple(
    Lesson(number, *told)
    for number, told in enumerate(
        (
            ("What is a mean embedding?", "A kernel turns a whole distribution into one function.", "twosample"),
            ("Stein's surprise and shrinkage", "Why the plain average is not the best estimate.", "shrinkage"),
            ("Filters", "Shrink each eigendirection of the Gram matrix by its own factor.", "shrinkage"),
            ("Corrupt on purpose", "How noise on every point can lower the squared error.", "marginalized"),
            ("Outliers and the median of means", "Estimate a kernel mean when some rows are wrong.", "monk"),
            ("Two-sample tests", "Decide by permutations whether two samples differ.", "twosample"),
            ("Independence", "Find dependence that a correlation cannot see.", "independence"),
            ("Conditional embeddings and the rules", "Predict y from x, and apply Bayes' rule.", "conditional"),
            ("Filtering and belief propagation", "Follow a hidden path, step by step.", "conditional"),
            ("Operators and kernel PCA", "Find the directions along which data vary.", "kernel_pca"),
            ("Density by matching means", "Turn a kernel mean back into a density.", "density"),
            ("Learning on distributions", "Classify whole samples instead of single points.", "distributions"),
            ("Across domains", "Train on one data set and predict on another.", "adaptation"),
            ("Write your own estimator", "Write an estimator and find where it wins and loses.", "shrinkage"),
            ("Has my data changed?", "Find when a series changed, and in which columns.", "drift"),
        ),
        start=1,
    )
)


def lesson(word: str) -> Lesson | None:
    """The lesson that the word of a link names; None where there is none."""
    return next((each for each in LESSONS if str(each.number) == word), None)
