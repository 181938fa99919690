"""Lines of copied Python that labs of one sample share."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from explorer.datasets import load, read_table
from explorer.kernels import Polynomial
from explorer.printing import code, join_list, short_name
from explorer.recipe import Recipe, recipe
from explorer.snippets import NOTHING, Snippet, identifier, imports, snippet, stacked

from . import menu_models
from .fields import BUNDLED
from .user_points import moved_points

if TYPE_CHECKING:
    from explorer.model import Model

    from .fields import UserTable
    from .pairs import RolesOfTable


Lines: TypeAlias = tuple[list[Snippet], list[str]]  # lines of code, and the names that they import
POINTS = snippet("data.X")
LOSSES = (
    snippet("truth = law.embed(kernel)"),
    snippet("losses = {{name: e.embed(X).distance(truth) ** 2 for name, e in estimators.items()}}"),
    snippet('losses = {{name: loss / losses["KME"] for name, loss in losses.items()}}'),
    snippet("print(losses)"),
)
ESTIMATED_LOSSES = (
    snippet("# leave-one-out estimates of loss / loss of KME: KME's score is n times its estimated loss"),
    snippet(
        'losses = {{name: 1 + len(X) * (s / scores["KME"] - 1) if scores["KME"] else 1.0'
        " for name, s in scores.items()}}"
    ),
    snippet("print(losses)"),
)


def opening_lines(lab: UserTable) -> Lines:
    """Return the lines that load a `UserTable` lab's table.

    Parameters
    ----------
    lab : UserTable
        The lab.

    Returns
    -------
    lines : list of Snippet
        The lines.
    imports : list of str
        Names that they import.
    """
    if lab.source in BUNDLED:
        scaled = snippet(".standardised()") if lab.standardise else NOTHING
        return [snippet("data = load({}){}", lab.source, scaled)], ["load"]
    chosen = snippet(", {}={}", identifier(lab.taken_as), json.loads(lab.columns)) if lab.columns else NOTHING
    missing = NOTHING if lab.missing == "refuse" else snippet(", missing={}", lab.missing)
    scaled = snippet(", standardise=True") if lab.standardise else NOTHING
    lenient = snippet(", lenient=True") if lab.lenient else NOTHING
    gram = snippet(", gram=True") if lab.gram else NOTHING
    when = getattr(lab, "time", "")  # the column of dates in a lab of series; in other labs a number, or missing
    time = snippet(", time={}", when) if when and isinstance(when, str) else NOTHING
    read = snippet("data = read_table({}{}{}{}{}{}{})", lab.file, chosen, missing, scaled, lenient, gram, time)
    return [read, *checked_lines(snippet("data"), lab.file, lab.hash)], ["read_table"]


def checked_lines(table: Snippet, file: str, digest: str) -> list[Snippet]:
    """Return the lines that refuse another file than the one on the page.

    Parameters
    ----------
    table : Snippet
        Name of the table in the script.
    file : str
        Name of the file.
    digest : str
        Its SHA-256.

    Returns
    -------
    list of Snippet
        The lines.
    """
    refusal = f"this is another {file} than the one on the page"
    return [snippet("if {}.hash != {}:", table, digest), snippet("    raise ValueError({})", refusal)]


def table_lines(lab: UserTable) -> Lines:
    """Return the lines that load a `UserTable` lab's table and draw its rows as the lab does.

    Parameters
    ----------
    lab : UserTable
        The lab.

    Returns
    -------
    lines : list of Snippet
        The lines.
    imports : list of str
        Names that they import.
    """
    lines, names = opening_lines(lab)
    return [*lines, snippet("X = data.sample({}, rng={})", lab.n, lab.seed)], names


def role_lines(x: Sequence[str], y: Sequence[str], rows: Snippet = POINTS) -> list[Snippet]:
    """Return the lines that select columns x and y from rows of `data`.

    Parameters
    ----------
    x, y : sequence of str
        The columns.
    rows : Snippet, default "data.X"
        Code of the array of rows.

    Returns
    -------
    list of Snippet
        The lines.
    """
    return [
        snippet("X = {}[:, [data.names.index(name) for name in {}]]", rows, list(x)),
        snippet("Y = {}[:, [data.names.index(name) for name in {}]]", rows, list(y)),
    ]


def pair_lines(lab: RolesOfTable, rows: Callable[[Snippet], Snippet], opening: Lines | None = None) -> Lines:
    """Return the lines that create X and Y from rows of a `RolesOfTable` lab's table.

    Parameters
    ----------
    lab : RolesOfTable
        The lab.
    rows : callable
        Takes a table's name in the script and returns code for its rows.
    opening : tuple or None, default None
        Other lines that create `data`, and the names that they import.

    Returns
    -------
    lines : list of Snippet
        The lines.
    imports : list of str
        Names that they import.
    """
    data, other = snippet("data"), snippet("other")
    lines, names = opening or opening_lines(lab)
    x, y = lab.roles(lab.the_table())
    if lab.by_gram[1]:
        lenient = snippet(", lenient=True") if lab.lenient else NOTHING
        lines += [
            snippet("other = read_table({}{}, gram=True)", lab.file2, lenient),
            *checked_lines(other, lab.file2, lab.hash2),
            snippet("X, Y = {}, {}  # coordinates: their inner products are the files'", rows(data), rows(other)),
        ]
        return lines, names
    lines.append(snippet("rows = {}", rows(data)))
    taken = role_lines(x, y, snippet("rows"))
    if lab.by_gram[0]:
        taken[0] = snippet("X = rows[:, : data.axes]  # coordinates: their inner products are the Gram matrix")
    return [*lines, *taken], names


def read_options(lab: Any) -> dict[str, Any]:
    """Return the arguments with which the user's table is read, in addition to its file."""
    time = getattr(lab, "time", "")  # the column of dates in a lab of series; in other labs a number, or missing
    given = {
        lab.taken_as: json.loads(lab.columns) if lab.columns else None,
        "missing": None if lab.missing == "refuse" else lab.missing,
        "standardise": lab.standardise,
        "lenient": lab.lenient,
        "gram": lab.gram,
        "time": time if isinstance(time, str) else "",
    }
    return {name: value for name, value in given.items() if value}


def opening(lab: UserTable) -> Recipe[[], Any]:
    """Return the steps that load the table of a `UserTable` lab and refuse another file than the one on the page.

    Parameters
    ----------
    lab : UserTable
        The lab.

    Returns
    -------
    Recipe
        The steps, which return the table.
    """
    options = read_options(lab)

    @recipe
    def steps():
        if lab.source in BUNDLED:
            return load(lab.source).standardised() if lab.standardise else load(lab.source)
        data = read_table(lab.file, **options)
        if data.hash != lab.hash:
            raise ValueError(f"this is another {lab.file} than the one on the page")
        return data

    return steps


class Columns(NamedTuple):
    """Columns of a table.

    Attributes
    ----------
    places : list of int
        Their positions.
    names : str
        Their names, as a list for a comment.
    """

    places: list[int]
    names: str


def roles(lab: RolesOfTable, taken: Recipe[[Any], Any]) -> Recipe[[Any], Any]:
    """Return the steps that create X and Y from a `RolesOfTable` lab's table, given the table.

    Parameters
    ----------
    lab : RolesOfTable
        The lab.
    taken : Recipe
        The steps that take rows of a table.

    Returns
    -------
    Recipe
        The steps, which return X and Y.
    """
    x, y = map(list, lab.roles(lab.the_table()))
    lenient: Any = {"lenient": True} if lab.lenient else {}

    @recipe
    def steps(data):
        if lab.by_gram[1]:
            other = read_table(lab.file2, **lenient, gram=True)
            if other.hash != lab.hash2:
                raise ValueError(f"this is another {lab.file2} than the one on the page")
            X, Y = taken(data), taken(other)  # coordinates: their inner products are the files'
            return X, Y
        rows = taken(data)
        if lab.by_gram[0]:
            X = rows[:, : data.axes]  # coordinates: their inner products are the Gram matrix
        else:
            X = rows[:, [data.names.index(name) for name in x]]
        Y = rows[:, [data.names.index(name) for name in y]]
        return X, Y

    return steps


class Noted(NamedTuple):
    """Value with the comment that it gets.

    Attributes
    ----------
    value : object
        The value.
    note : str
        The comment.
    """

    value: Any
    note: str


def columns_of(names: Sequence[str], chosen: Sequence[str]) -> Columns:
    """Return the positions of chosen columns among a table's names."""
    return Columns([list(names).index(name) for name in chosen], join_list(map(short_name, chosen)))


def kernel_steps(lab: Any, chosen: Any, wide: bool, note: str = "") -> Recipe[[], Any]:
    """Return the steps that create a lab's kernel; if it has a bandwidth, a comment relates it to the data's scale.

    Parameters
    ----------
    lab : Lab
        The lab.
    chosen : Kernel
        The kernel.
    wide : bool
        Whether it has a bandwidth.
    note : str, default ""
        End of the comment.

    Returns
    -------
    Recipe
        The steps, which return the kernel.
    """

    @recipe
    def steps():
        if chosen == Polynomial(2):
            kernel = Polynomial(2)
        elif wide:
            kernel = chosen  # {lab.bandwidth:g} x the median heuristic{note}
        else:
            kernel = chosen
        return kernel

    return steps


def by_hand(moved: str, rows: Mapping[int, int], d: int) -> Recipe[[Any], Any]:
    """Return the steps that put points where the user moved them, given the points.

    Parameters
    ----------
    moved : str
        The moved points, as the text of a link.
    rows : mapping of int to int
        Rows of the link -> rows of the points.
    d : int
        Number of coordinates.

    Returns
    -------
    Recipe
        The steps, which return the points.
    """
    places = {rows[row]: list(place[:d]) for row, place in moved_points(moved).items() if row in rows}

    @recipe
    def steps(points):
        if moved:
            points = points.copy()
        for row, place in places.items():
            points[row, :2] = place  # moved by hand
        return points

    return steps


@recipe
def relative_losses(law: Any, kernel: Any, X: Any, estimators: Any) -> Any:
    """Compute the loss of each estimator relative to KME's."""
    truth = law.embed(kernel)
    losses = {name: e.embed(X).distance(truth) ** 2 for name, e in estimators.items()}
    losses: Any = {name: loss / losses["KME"] for name, loss in losses.items()}
    return losses


@recipe
def estimated_losses(scores: Any, X: Any) -> Any:
    """Estimate these losses from leave-one-out scores."""
    # leave-one-out estimates of loss / loss of KME: KME's score is n times its estimated loss
    losses = {name: 1 + len(X) * (s / scores["KME"] - 1) if scores["KME"] else 1.0 for name, s in scores.items()}
    return losses


CLASSES = re.compile(r"\b[^\W\d_]\w*(?=\()")  # names that the code of a model calls


def models_called(*models: Model) -> Lines:
    """Return the lines that import the classes of the user's models, and the names of the package's classes.

    Parameters
    ----------
    *models : Model
        The models.

    Returns
    -------
    lines : list of Snippet
        The lines for the user's classes.
    imports : list of str
        Names of the package's classes.
    """
    called = [name for model in models for name in CLASSES.findall(code(model))]
    own = {each.kind.__name__: each.kind.__module__ for each in menu_models.user_models()}
    lines = sorted({imports(own[each], [each]) for each in called if each in own})
    return lines, sorted({each for each in called if each not in own and each[0].isupper()})


def script(
    names: Iterable[str], lines: Iterable[Snippet], before: Iterable[Snippet] = (), after: Iterable[Snippet] = ()
) -> Snippet:
    """Return a script: imports, then lines.

    Parameters
    ----------
    names : iterable of str
        Names imported from `explorer`.
    lines : iterable of Snippet
        The lines.
    before, after : iterable of Snippet
        Other imports, before and after it.

    Returns
    -------
    Snippet
        The script.
    """
    return stacked([*before, imports("explorer", names), *after, NOTHING, *lines, NOTHING])
