"""Conditional stages are computed only in the states that have them."""

from explorer.parameters import Text, Whole
from explorer.workbench import Lab, Result, deferred, for_picture, stage, stage_when
from explorer.workbench.cost import SLOWER, costs
from explorer.workbench.stages import one_by_one


class ConditionalLab(Lab):
    """A lab whose result has a half if n is even, and a note if the picture is 'note'."""

    n = Whole(default=2, bounds=(0, 9), doc="size")
    picture = Text(default="none", doc="the picture that is shown")


class ConditionalResult(Result[ConditionalLab]):
    """Result that lists the stages it computes in `computed`."""

    computed = []  # the stages of all results

    @stage_when(lambda result: result.lab.n % 2 == 0)
    def half(self):
        """Half of n."""
        self.computed.append(self.lab.n)
        return self.lab.n // 2

    @for_picture("note")
    def note(self):
        """A text about n."""
        self.computed.append("note")
        return f"n = {self.lab.n}"


def test_a_stage_is_given_where_its_condition_holds_and_none_elsewhere():
    ConditionalResult.computed.clear()
    lab = ConditionalLab()
    assert [lab.replace(n=n).result().half for n in (2, 3, 4)] == [1, None, 2]
    assert ConditionalResult.computed == [2, 4]


def test_what_the_condition_reads_counts_as_read():
    lab = ConditionalLab(n=3)
    assert lab.result().half is None
    lab.n = 8
    assert lab.result().half == 4


def test_a_stage_is_shown_where_its_picture_is():
    ConditionalResult.computed.clear()
    lab = ConditionalLab(n=3)
    assert lab.result().note is None
    lab.picture = "note"
    assert lab.result().note == "n = 3"
    assert ConditionalResult.computed == ["note"]
    assert ConditionalResult.note.__doc__ == "A text about n."


class PricedLab(Lab):
    """A lab whose stages cost n milliseconds each, if they belong to the state."""

    n = Whole(default=2, bounds=(0, 9), doc="size")
    picture = Text(default="none", doc="the picture that is shown")


class PricedResult(Result[PricedLab]):
    """Result whose stages must not be computed for their cost."""

    @deferred(lambda result: result.square > 4)
    @costs("what depends on a stage", lambda lab: lab.n / 1000, 0, "n")
    def after(self):
        raise AssertionError

    @for_picture("note")
    @costs("the note", 1e-3)
    def note(self):
        raise AssertionError

    @stage
    @costs("the square", lambda lab: lab.n / 1000, lambda lab: lab.n**2, lambda lab: ("n", "picture"))
    @costs("the root", 2e-3, 5, "n")
    def square(self):
        raise AssertionError


def parts(lab):
    """Return (name, milliseconds on the fast core, numbers, fields, whether it is deferred) of each part of a cost."""
    return [(part.name, round(part.seconds / SLOWER * 1000), part.numbers, part.lower, part.late) for part in lab.cost]


def test_a_cost_is_that_of_the_stages_of_the_state_the_deferred_ones_last():
    square, root = ("the square", 2, 4, ("n", "picture"), False), ("the root", 2, 5, ("n",), False)
    after = ("what depends on a stage", 2, 0, ("n",), True)
    assert parts(PricedLab()) == [square, root, after]
    assert parts(PricedLab(picture="note")) == [("the note", 1, 0, (), False), square, root, after]


def test_what_takes_no_time_is_no_part_of_a_cost():
    assert [part.name for part in PricedLab(n=0).cost] == ["the root"]


class SquaresLab(Lab):
    """A lab whose slider has three stops."""

    k = Whole(default=1, bounds=(0, 9), doc="what is squared")
    slider = "k"
    default_stops = (0, 1, 2)


class SquaresResult(Result[SquaresLab]):
    """Result with a row for every stop once the deferred stage is computed; `computed` lists what is squared."""

    computed = []
    slider_stages = ("square", "squares")

    @stage
    def square(self):
        """The square of the lab's number."""
        return self.at_slider(self.squared)

    @deferred()
    def squares(self):
        """The squares of all stops."""
        return one_by_one(self.squared, self.lab.stops)

    def squared(self, k):
        """Return the square of a number."""
        self.computed.append(k)
        return k * k


def test_a_slider_has_one_row_until_every_stop_has_its_own():
    SquaresResult.computed.clear()
    lab = SquaresLab(k=2)
    result = lab.result()
    assert (result.answers, result.shown_rows, result.at_row(), result.at_row(0)) == (False, (4,), 4, 4)
    result = lab.result(wait=True)
    assert (result.answers, result.shown_rows, result.at_row(), result.at_row(0)) == (True, (0, 1, 4), 4, 0)
    assert SquaresResult.computed == [2, 0, 1, 2]
    lab.k = 1
    assert (lab.result().square, lab.result().at_row()) == (1, 1)
    assert SquaresResult.computed == [2, 0, 1, 2]


def test_a_value_between_the_stops_gets_a_row_of_its_own():
    result = SquaresLab(k=5).result(wait=True)
    assert (result.shown_rows, result.row, result.at_row()) == ((0, 1, 4, 25), 3, 25)


def test_a_method_that_a_stage_calls_may_call_the_method_of_its_base_class():
    class BaseLab(Lab):
        n = Whole(default=2, bounds=(0, 9), doc="size")

        def total(self):
            return self.n

    class DerivedLab(BaseLab):
        more = Whole(default=1, bounds=(0, 9), doc="what is added")

        def total(self):
            return super().total() + self.more

    class DerivedResult(Result[DerivedLab]):
        computed = []

        @stage
        def total(self):
            """The sum."""
            self.computed.append(1)
            return self.lab.total()

    lab = DerivedLab()
    assert [lab.replace(n=n, more=more).result().total for n, more in ((2, 1), (3, 1), (3, 4))] == [3, 4, 7]
    lab.result()
    for changes in ({"n": 5}, {"more": 2}):  # what the base class reads is recorded too
        lab.move(**changes)
        assert lab.result().total == lab.n + lab.more
