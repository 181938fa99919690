"""The controls of an estimator or a kernel next to the picture of its estimate, in Panel and HoloViews."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import panel as pn
import param
from panel.io.state import set_curdoc
from panel.viewable import Viewer

from explorer.checks import Refusal, WrongType
from explorer.embeddings import GaussianMixture
from explorer.estimators import KME, Estimator
from explorer.kernels import Gaussian, Kernel
from explorer.markup import markup
from explorer.model import Model
from explorer.plotting.pictures import drawn
from explorer.plotting.style import holoviews
from explorer.printing import echo, join_list
from explorer.sweeps.progress import in_notebook

from .controls import WIDTH, control_of
from .estimate import Estimate, Sample, picture

LAW = GaussianMixture([0.6, 0.4], [[-1.5], [1.5]], [[[0.5]], [[0.3]]])
POINTS, SEED = 20, 3
WORDS = (
    f"The sample: {POINTS} points of a mixture of two Gaussians on a line, seed {SEED}. Its kernel mean is known, so"
    " the squared error is exact."
)


def _framewise(drawing):
    """Return a drawing whose axes follow the numbers of each move."""
    hv = holoviews()
    follows = [kind(framewise=True, backend="bokeh") for kind in (hv.opts.Curve, hv.opts.Scatter)]
    return drawn(drawing).opts(*follows)


class Exploration(Viewer):
    """The controls of a model next to the picture of its estimate. `value` is the model; setting it updates everything.

    If the user asks for something impossible, a message appears below the controls and the last picture stays.
    """

    value: Any = param.ClassSelector(class_=Model, doc="the model as it is now")
    session: Any = None  # the session of the notebook cell that shows it
    material: Any = False  # the content of that cell

    def __init__(self, model: Estimator | Kernel, data: Any = None) -> None:
        self.sample: Sample = Sample(LAW.sample(POINTS, rng=SEED), LAW) if data is None else Sample(data)
        self._sample_words = WORDS if data is None else f"The sample: {len(self.sample.X):,} points."
        self._kind = None
        self.controls: dict[str, Any] = {}
        self._column, self._trouble = pn.Column(width=WIDTH + 20), pn.widgets.StaticText(width=WIDTH)
        self._about = pn.widgets.StaticText(width=WIDTH)
        self._drawn = self._estimate_of(model)  # refuse data that the kernel does not support before anything is shown
        super().__init__(value=model)
        self._arrange()
        hv = holoviews()
        stream = hv.streams.Params(self, ["value"])
        self.picture: Any = hv.DynamicMap(lambda value: _framewise(picture(self._drawn, self.sample)), streams=[stream])
        left = pn.Column(self._column, self._trouble, self._about)
        self._page = pn.FlexBox(left, pn.pane.HoloViews(self.picture), sizing_mode="stretch_width")

    def __setattr__(self, name: str, value: Any) -> None:
        """Compute a value's picture before setting the value, so that no picture is needed that cannot be computed."""
        if name == "value" and getattr(self, "_page", None) is not None:
            if not isinstance(value, (Estimator, Kernel)):
                raise WrongType(f"value must be an estimator or a kernel, not {echo(value)}.")
            self._drawn = self._estimate_of(value)
            with set_curdoc(self.session.document) if self.session else nullcontext():
                self._trouble.value = ""
                super().__setattr__(name, value)
        else:
            super().__setattr__(name, value)

    def move(self, **changes: Any) -> None:
        """Change some fields of the model, or of its kernel, at once.

        Raises
        ------
        Refusal
            If neither has a field of this name.
        """
        model, kernel = self.value, self._kernel()
        own = {name: value for name, value in changes.items() if name in type(model).fields}
        rest = {name: value for name, value in changes.items() if name not in own}
        if rest:
            fields = type(kernel).fields if isinstance(model, Estimator) else {}
            if strange := [name for name in rest if name not in fields]:
                known = join_list([*type(model).fields, *fields])
                raise Refusal(f"{type(model).__name__} has no field {echo(strange[0])} to move; it has {known}.")
            own["kernel"] = (own.get("kernel") or kernel).replace(**rest)
        self.value = model.replace(**own)

    def _kernel(self):
        if isinstance(self.value, Kernel):
            return self.value
        return Gaussian() if self.value.kernel is None else self.value.kernel

    def _estimate_of(self, model) -> Estimate:
        """Return the estimate that is drawn of a model."""
        return self.sample.estimate(KME(model) if isinstance(model, Kernel) else model)

    @param.depends("value", watch=True)
    def _arrange(self):
        """Show the value in the controls, and build new ones if its class has changed."""
        kernel = self._kernel()
        if self._kind != (kind := (type(self.value), type(kernel))):
            self._kind = kind
            fields = {**type(kernel).fields, **type(self.value).fields}
            made = {name: control_of(field, self._listener(name)) for name, field in fields.items()}
            self.controls = {name: control for name, control in made.items() if control is not None}
            order = [*type(self.value).fields, *type(kernel).fields]
            self._column[:] = [self.controls[name].view for name in dict.fromkeys(order) if name in self.controls]
        chosen = self._drawn.chosen
        values, resolved = kernel.values() | self.value.values(), (chosen.kernel or kernel).values() | chosen.values()
        for name, control in self.controls.items():
            control.show(values[name], resolved.get(name))
        words = " ".join([self._sample_words, *self.sample.remarks(self._drawn)])
        self._about.value = str(markup("{}", words))  # the widget takes HTML

    def _listener(self, name):
        def on_change(value):
            try:
                self.move(**{name: value})
            except (Refusal, WrongType) as error:
                self._trouble.value = str(markup("{}", error))  # the widget takes HTML
                self._arrange()

        return on_change

    def _repr_mimebundle_(self, include=None, exclude=None):
        """Return the content of a notebook cell.

        It is interactive even if no front end connects it to its kernel.
        """
        if not in_notebook():
            return super()._repr_mimebundle_(include, exclude)
        from explorer.pages.notebook.embed import mimebundle

        return mimebundle(self)

    def live_in(self, doc: Any) -> None:
        """Add the page as the root of a document that a cell shows."""
        doc.add_root(self._page.get_root(doc))

    def __panel__(self) -> Any:
        return self._page
