"""Recipes print their source with values filled in: what each rule of the module's docstring gives, to the letter."""

from __future__ import annotations

from textwrap import dedent
from types import SimpleNamespace

import numpy as np
import pytest

from explorer.discrepancy import mmd_test
from explorer.embeddings import GaussianMixture, contaminate
from explorer.estimators import KME, SKMSE
from explorer.kernels import Gaussian, Linear
from explorer.recipe import Name, recipe

STEPS = 100
LAB = SimpleNamespace(
    n=3, seed=7, width=-2.0, name="a'b\n", none="", items=[1, 2], options={"lam": 0.5}, kernel=Gaussian(2.0)
)


def assert_prints(steps, text):
    """Check the script of a recipe without its imports."""
    script = steps.script()
    body = script.partition("\n\n")[2] if script.startswith(("import", "from")) else script
    assert body == dedent(text).removeprefix("\n")


def test_values_are_filled_in_and_all_else_stands():
    lab = LAB

    @recipe
    def steps():
        law = GaussianMixture.random(2 * lab.n, rng=lab.seed)
        X = law.sample(STEPS, rng=lab.items[0])[: lab.n, :2]
        y = [lab.name, lab.name.upper(), f"{lab.name}!", f"{law!r}"]
        print(X, y, -lab.n, lab.width**2, X**lab.width, 2 - lab.width)

    assert_prints(
        steps,
        r"""
        law = GaussianMixture.random(2 * 3, rng=7)
        X = law.sample(100, rng=1)[:3, :2]
        y = ["a'b\n", "A'B\n", "a'b\n!", f"{law!r}"]
        print(X, y, -3, (-2.0)**2, X**-2.0, 2 - -2.0)
        """,
    )


@pytest.mark.parametrize("few", [True, False])
def test_conditions_on_values_are_decided_and_others_stand(few):
    @recipe
    def steps():
        n = 5
        # not printed, because it is about the condition
        if few:
            # printed
            m = n if few else 2
        elif n:
            m = n + 1
        else:
            m = 0
        if n > m:
            print(n)
        else:
            print(m if n else -m)

    first = "# printed\nm = n\n" if few else "if n:\n    m = n + 1\nelse:\n    m = 0\n"
    assert steps.script() == (f"n = 5\n{first}if n > m:\n    print(n)\nelse:\n    print(m if n else -m)\n")


def test_a_loop_over_a_value_is_printed_for_each_item():
    places = {0: [1.0, 2.0], 4: np.array([3, 4])}

    @recipe
    def steps():
        X = {}
        for row, place in places.items():
            X[row] = place  # row {row}
        for name in ("a", "b"):
            print(name, [each for each in places])

    assert_prints(
        steps,
        """
        X = {}
        X[0] = [1.0, 2.0]  # row 0
        X[4] = [3, 4]  # row 4
        for name in ("a", "b"):
            print(name, [each for each in {0: [1.0, 2.0], 4: [3, 4]}])
        """,
    )


@pytest.mark.parametrize("wide", [True, False])
def test_stars_of_values_and_of_decided_displays_are_their_entries(wide):
    options, items = LAB.options if wide else {}, LAB.items

    @recipe
    def steps():
        X = [*items, 3]
        Y = contaminate(X, *items, **options, **({"rng": len(X)} if wide else {}))
        print(mmd_test(*(items if wide else [X, Y]), **{"n_resamples": 3}))
        table = {
            "x": X,
            **options,
        }
        print({**table}, *X)

    given = "1, 2, lam=0.5, rng=len(X)" if wide else "1, 2"
    lines = ["    'lam': 0.5,"] * wide
    assert_prints(
        steps,
        "\n".join(
            [
                "X = [1, 2, 3]",
                f"Y = contaminate(X, {given})",
                f'print(mmd_test({"1, 2" if wide else "X, Y"}, **{{"n_resamples": 3}}))',
                *("table = {", '    "x": X,', *lines, "}"),
                "print({**table}, *X)\n",
            ]
        ),
    )


def test_a_recipe_that_is_called_gives_its_steps_and_what_it_returns():
    lab = LAB

    @recipe
    def doubled(x):
        return x + x

    @recipe
    def drawn(kernel):
        """Leave its docstring out."""
        if not lab.n:
            return None
        X = kernel(lab.n)
        return X

    @recipe
    def shown(x):
        print(x)

    @recipe
    def steps():
        k = lab.kernel  # {lab.width:g}{lab.name} x the median
        X = drawn(k)

        Y = drawn(Linear())
        Z = 2 * doubled(X) - doubled(1)
        shown(Y @ Z)
        return X

    assert steps.script() == dedent(
        """
        from explorer import Gaussian, Linear

        k = Gaussian(bandwidth=2.0)  # -2a'b\\n x the median
        X = k(3)

        X = Linear()(3)
        Y = X
        Z = 2 * (X + X) - (1 + 1)
        print(Y @ Z)
        """
    ).lstrip("\n")


def test_lines_that_the_formatter_breaks_are_joined_and_displays_stay():
    long = "l" * 40

    @recipe
    def steps():
        def error_of(line):
            # the blanks around a function are Python's
            if line:
                return line
            return np.mean(line)

        long_variable_name = error_of("a string that takes some place in the line, and more") + error_of(
            "and one that takes the rest"
        )  # {LAB.none}
        print(
            error_of(long_variable_name),
            "a string that takes some place in the line, and more",
            long,
            sep="another one",
        )
        x, y = (
            error_of("a string that takes some place in the line, and more").real,
            error_of("and one that takes the rest, or more than is left of it").imag,
        )
        names = [
            x,  # the first
            y,  # {LAB.none}
        ]
        total: int = sum(names)
        print(total)  # noqa: RUF100

    some = '"a string that takes some place in the line, and more"'
    one, other = f"error_of({some})", 'error_of("and one that takes the rest")'
    assert_prints(
        steps,
        f"""

        def error_of(line):
            # the blanks around a function are Python's
            if line:
                return line
            return np.mean(line)


        long_variable_name = {one} + {other}
        print(error_of(long_variable_name), {some}, '{long}', sep="another one")
        x, y = {one}.real, error_of("and one that takes the rest, or more than is left of it").imag
        names = [
            x,  # the first
            y,
        ]
        total = sum(names)
        print(total)
        """,
    )


@pytest.mark.parametrize("kind", [KME, SKMSE])
def test_imports_follow_from_the_functions_that_are_used(kind):
    model = [kind(0.5 * Gaussian(1.0) + Linear()), float("inf")]

    @recipe
    def steps():
        print(np.array(kind()), model)

    assert steps.script() == (
        f"import numpy as np\nfrom explorer import Gaussian, {', '.join(sorted([kind.__name__, 'Linear']))}\n\n"
        f"print(np.array({kind.__name__}()), [{model[0]!r}, float('inf')])\n"
    )


class Wide(Gaussian):
    """A kernel of the user's."""


def test_a_class_of_the_user_is_imported_from_its_module():
    kernel = 0.5 * Wide(1.0) + Linear()

    @recipe
    def steps():
        k = kernel
        print(k)

    assert steps.script().startswith(
        f"from {Wide.__module__} import Wide\nfrom explorer import Linear\n\nk = 0.5 * Wide"
    )


def test_what_cannot_be_printed_is_an_error():
    lab, unknown = LAB, object()

    class Here:
        pass

    @recipe
    def twice():
        print([lab for lab in (1, 2)], lab)

    @recipe
    def rebuilt():
        print(unknown)

    @recipe
    def imported():
        print(Here())

    @recipe
    def mixed(x):
        print(f"{x} of {lab.n}")

    @recipe
    def named():
        print(undefined)  # noqa: F821

    @recipe
    def returned():
        x = print(rebuilt_never())
        print(x)

    @recipe
    def rebuilt_never():
        pass

    for wrong, said in {
        twice: "rename one",
        rebuilt: "cannot rebuild",
        imported: "cannot import",
        mixed: "both",
        named: "undefined",
        returned: "returns nothing",
    }.items():
        with pytest.raises(TypeError, match=said):
            wrong.script()


def test_a_recipe_without_a_source_is_an_error():
    exec("@recipe\ndef steps():\n    print(1)\n", space := {"recipe": recipe})
    space["steps"]()
    with pytest.raises(TypeError, match="no file"):
        space["steps"].script()


def test_a_name_is_left_to_the_reader():
    given = [Name("a"), [Name("b1"), "b2"]]

    @recipe
    def steps():
        mmd_test(*given)

    assert_prints(steps, "mmd_test(a, [b1, 'b2'])\n")
