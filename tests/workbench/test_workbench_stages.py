"""A stage that only some states have is computed in these alone."""

from explorer.parameters import Text, Whole
from explorer.workbench import Lab, Result, for_picture, stage_when


class GivenLab(Lab):
    """Its result has a half where n is even, and a note where the picture is 'note'."""

    n = Whole(default=2, bounds=(0, 9), doc="size")
    picture = Text(default="none", doc="the picture that is shown")


class GivenResult(Result[GivenLab]):
    """Which halves and notes were computed is written down in `computed`."""

    computed = []  # of all results

    @stage_when(lambda result: result.lab.n % 2 == 0)
    def half(self):
        """Half of n."""
        self.computed.append(self.lab.n)
        return self.lab.n // 2

    @for_picture("note")
    def note(self):
        """A word on n."""
        self.computed.append("note")
        return f"n = {self.lab.n}"


def test_a_stage_is_given_where_its_condition_holds_and_none_elsewhere():
    GivenResult.computed.clear()
    lab = GivenLab()
    assert [lab.replace(n=n).result().half for n in (2, 3, 4)] == [1, None, 2]
    assert GivenResult.computed == [2, 4]


def test_what_the_condition_reads_counts_as_read():
    lab = GivenLab(n=3)
    assert lab.result().half is None
    lab.n = 8
    assert lab.result().half == 4


def test_a_stage_is_shown_where_its_picture_is():
    GivenResult.computed.clear()
    lab = GivenLab(n=3)
    assert lab.result().note is None
    lab.picture = "note"
    assert lab.result().note == "n = 3"
    assert GivenResult.computed == ["note"]
    assert GivenResult.note.__doc__ == "A word on n."
