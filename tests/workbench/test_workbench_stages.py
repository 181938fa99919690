"""Conditional stages are computed only in the states that have them."""

from explorer.parameters import Text, Whole
from explorer.workbench import Lab, Result, for_picture, stage_when


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
